//! Claims about what happened off the board: a loss on time, by silence or by default, a resignation, an agreed draw.
//!
//! They are judged on the whole record, at its last ply: its result, its termination, its clocks and whose turn it is
//! speak for a claim or against it. What the record refutes is rejected. Where nothing in it speaks for the claim, a
//! premise that the claimant states decides, and without one nothing does.

use super::case::Case;
use super::instant::by_instant;
use super::line::win_unless_beyond;
use super::timed::Timed;
use super::verdict::{Ground, Strength, Verdict};
use crate::certificate::{ClaimKind, Decision};
use ferz_core::board::{Mask, Owner};
use ferz_core::judge::Outcome;
use ferz_records::clock::shown;
use ferz_records::record::time_control::Termination;
use ferz_records::record::{GameResult, Record};
use ferz_records::replay::summary::counted;

/// Judges a claim about what happened off the board.
///
/// # Errors
/// If the claim states an instant, and the record does not show what that decides.
pub(super) fn off_the_board<M: Mask>(case: &Case<'_, M>) -> Result<Verdict, String> {
    if let Some(end) = case.end {
        return Ok(case.game_over(end));
    }
    if let Some(verdict) = before_the_last_ply(case) {
        return Ok(verdict);
    }
    let said = Said::of(case.record);
    if case.claim.kind == ClaimKind::Agreement {
        return Ok(agreement(case, &said));
    }
    let winner = case.claimant();
    let clocks = Timed::of(case, winner.opponent());
    if case.claim.kind == ClaimKind::TimeWin
        && let Some(verdict) = by_first_flag(case, &said, clocks.as_ref())
    {
        return Ok(verdict);
    }
    let time_left = (case.claim.kind == ClaimKind::TimeWin && !said.is_time_forfeit())
        .then(|| clocks.as_ref().and_then(|timed| timed.time_left(case)))
        .flatten();
    if let Some(verdict) = time_left {
        return Ok(verdict);
    }
    if let Some(why) = said.against(case.claim.kind, Some(winner)) {
        return Ok(case.verdict(Decision::Rejected, Ground::Result, None, why));
    }
    let by_clocks = clocks.as_ref().and_then(|timed| match case.claim.kind {
        ClaimKind::Silence => timed.silence(case, winner),
        ClaimKind::Default => timed.default(case, winner),
        _ => None,
    });
    if let Some(verdict) = by_clocks {
        return Ok(verdict);
    }
    if let Some(at) = case.claim.at {
        return by_instant(case, clocks.as_ref(), winner, at);
    }
    if let Some(why) = excluded(case, winner) {
        return Ok(case.verdict(Decision::Rejected, Ground::Premise, None, why));
    }
    Ok(lost(case, &said, clocks.as_ref()))
}

/// What a record says about the end of its game, in its result and its tag `Termination`.
pub(super) struct Said {
    /// The stated result, if it is one.
    pub result: Option<GameResult>,
    /// Both players lost.
    both_lose: bool,
    /// The result that the words of the termination imply.
    in_words: Option<GameResult>,
    termination: Option<String>,
    manner: Option<Termination>,
}

impl Said {
    pub fn of(record: &Record<'_>) -> Said {
        let termination = record.tag("Termination").map(|text| text.into_owned());
        let name = |tag: &str| record.tag(tag).map(|name| name.into_owned()).unwrap_or_default();
        let names = [name("White"), name("Black")];
        let in_words = termination.as_deref().and_then(|text| Termination::stated_result(text, &names));
        Said {
            result: record.stated_result().filter(|result| *result != GameResult::Unknown),
            both_lose: record.both_lose(),
            in_words: in_words.filter(|result| *result != GameResult::Unknown),
            manner: termination.as_deref().and_then(Termination::parse),
            termination,
        }
    }

    fn is_time_forfeit(&self) -> bool {
        self.manner == Some(Termination::TimeForfeit)
    }

    /// The results that are stated, each once.
    fn results(&self) -> impl Iterator<Item = GameResult> {
        self.result.into_iter().chain(self.in_words.filter(|words| Some(*words) != self.result))
    }

    /// What is stated, in words: `1-0 and the termination ...`.
    fn words(&self) -> String {
        let result = match self.result {
            Some(result) => result.as_str(),
            None if self.both_lose => "0-0, a loss for both players,",
            None => "no result",
        };
        match &self.termination {
            Some(text) => format!("{result} and the termination `{text}`"),
            None => result.to_owned(),
        }
    }

    /// What is stated against a claim, in a sentence; `winner` is who would win.
    fn against(&self, kind: ClaimKind, winner: Option<Owner>) -> Option<String> {
        let wanted = winner.map_or(GameResult::Draw, won_by);
        // A loss on time is drawn where the opponent cannot win.
        let may_be_drawn = kind == ClaimKind::TimeWin;
        let fits = |result: GameResult| result == wanted || may_be_drawn && result == GameResult::Draw;
        let of_players = matches!(kind, ClaimKind::Resignation | ClaimKind::Agreement);
        let manner = match self.manner {
            None | Some(Termination::Unterminated) => true,
            Some(Termination::BrokenOff) => !of_players || self.result.is_none(),
            Some(Termination::TimeForfeit) => !of_players,
            Some(Termination::ByPlayers | Termination::Normal) => of_players,
            Some(_) => false,
        };
        let refuted = self.both_lose || !self.results().all(fits) || !manner;
        refuted
            .then(|| format!("The record states {}, which is not {}.", self.words(), of_kind(kind, winner)))
    }

    /// True if something that is stated says what is claimed.
    fn is_for(&self, kind: ClaimKind, winner: Option<Owner>) -> bool {
        let wanted = winner.map_or(GameResult::Draw, won_by);
        let is_wanted = self.results().any(|result| result == wanted);
        let text = self.termination.as_deref().unwrap_or_default().to_ascii_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
        match kind {
            ClaimKind::TimeWin => self.is_time_forfeit() && self.results().next().is_some(),
            ClaimKind::Silence => is_wanted && says(&["abandon"]),
            ClaimKind::Default => is_wanted && says(&["abandon", "default", "forfeit", "no show", "no-show"]),
            _ => {
                let manner = matches!(self.manner, None | Some(Termination::ByPlayers | Termination::Normal));
                is_wanted && manner
            }
        }
    }
}

/// The result of a game that a player won.
fn won_by(owner: Owner) -> GameResult {
    if owner == Owner::White { GameResult::WhiteWins } else { GameResult::BlackWins }
}

/// What is claimed, as a noun.
fn of_kind(kind: ClaimKind, winner: Option<Owner>) -> String {
    let loser = winner.map_or("", |winner| winner.opponent().name());
    match kind {
        ClaimKind::Agreement => "an agreed draw".to_owned(),
        ClaimKind::Resignation => format!("a resignation of {loser}"),
        ClaimKind::Silence => format!("a loss of {loser} by silence"),
        ClaimKind::Default => format!("a loss of {loser} by default"),
        _ => format!("a loss of {loser} on time"),
    }
}

/// What is claimed, as a sentence without its dot.
fn premise_of(kind: ClaimKind, loser: Owner) -> String {
    let loser = loser.name();
    match kind {
        ClaimKind::Agreement => "the players agreed on a draw".to_owned(),
        ClaimKind::Resignation => format!("{loser} resigned"),
        ClaimKind::Silence => format!("{loser} no longer answers"),
        ClaimKind::Default => format!("{loser} never appeared at the board"),
        _ => format!("{loser} exceeded the time"),
    }
}

/// The verdict on a claim about an earlier position, or where the rest of the record cannot be replayed.
fn before_the_last_ply<M: Mask>(case: &Case<'_, M>) -> Option<Verdict> {
    let (known, written) = (case.trace.plies.len(), case.record.main_moves().count());
    if case.plies < known {
        let text = format!(
            "The game went on {}: the record has {}. What happened off the board ends a game, so the claim is about \
             its last ply.",
            case.after(case.plies),
            counted(written, "ply", "plies")
        );
        return Some(case.verdict(Decision::Rejected, Ground::Result, None, text));
    }
    (known < written).then(|| {
        let text = format!(
            "The record cannot be replayed beyond ply {known} of {written}. Correct it, and claim about its last ply."
        );
        case.verdict(Decision::Undetermined, Ground::Unreplayed, None, text)
    })
}

/// Why the claimed loss is impossible by the moves of the record.
fn excluded<M: Mask>(case: &Case<'_, M>, winner: Owner) -> Option<String> {
    let loser = winner.opponent();
    match case.claim.kind {
        ClaimKind::Default if case.has_moved(loser) => {
            Some(format!("{} has made a move, so it is no default.", loser.name()))
        }
        ClaimKind::Silence if case.position.turn() != loser => {
            Some(format!("It is {}'s turn, so {} owes no answer.", winner.name(), loser.name()))
        }
        _ => None,
    }
}

/// The verdict by the first flag that fell, of either player, if the clocks of the record show one.
fn by_first_flag<M: Mask>(case: &Case<'_, M>, said: &Said, clocks: Option<&Timed>) -> Option<Verdict> {
    let winner = case.claimant();
    let theirs = clocks.and_then(|timed| timed.flag(case));
    let own_clocks = Timed::of(case, winner);
    let own = own_clocks.as_ref().and_then(|timed| timed.flag(case));
    let open = |text: String| case.verdict(Decision::Undetermined, Ground::Clock, None, text);
    match (theirs, own) {
        (None, None) => None,
        (theirs, Some(own)) if theirs.as_ref().is_none_or(|theirs| own.ply < theirs.ply) => {
            let text = format!("{}'s own flag fell first: {}.", winner.name(), own.sum);
            if said.is_for(ClaimKind::TimeWin, Some(winner)) && said.result == Some(won_by(winner)) {
                let text = format!("The record contradicts itself. It states {}. {text}", said.words());
                return Some(open(text));
            }
            let mut verdict = case.verdict(Decision::Rejected, Ground::Clock, None, text);
            verdict.plies = vec![own.ply];
            verdict.clock = own_clocks.map(|timed| timed.steps(own.ply)).unwrap_or_default();
            Some(verdict)
        }
        (Some(theirs), _) => {
            let timed = clocks?;
            if theirs.is_contradicted {
                let text =
                    format!("The record contradicts itself: {}; its clock shows time left.", theirs.sum);
                return Some(open(text));
            }
            let verdict = timed.verdict_by(case, winner, &theirs);
            let stated = said.results().next();
            if said.both_lose || verdict.result.is_some() && differs(stated, verdict.result) {
                let text = format!(
                    "The clocks show a loss on time: {}. But the record states {}.",
                    theirs.sum,
                    said.words()
                );
                let mut open = open(text);
                open.result_if = verdict.result;
                return Some(open);
            }
            Some(verdict)
        }
        (None, Some(_)) => None,
    }
}

/// True if a result is stated, and it is another one.
fn differs(stated: Option<GameResult>, result: Option<Outcome>) -> bool {
    stated.is_some_and(|stated| Some(stated.as_str()) != result.map(Outcome::as_str))
}

/// The verdict on a loss by what the record or the claimant states.
fn lost<M: Mask>(case: &Case<'_, M>, said: &Said, clocks: Option<&Timed>) -> Verdict {
    let (kind, winner) = (case.claim.kind, case.claimant());
    let loser = winner.opponent();
    let on_board = matches!(kind, ClaimKind::TimeWin | ClaimKind::Resignation);
    let premise = premise_of(kind, loser);
    let is_stated = said.is_for(kind, Some(winner));
    let is_premise = kind.decided_by().is_some_and(|wanted| case.claim.premises.contains(&wanted));
    let text = match (is_stated, kind) {
        (true, ClaimKind::Resignation) => {
            let words = said.words();
            format!(
                "The record states {words}, and the board shows no end: {premise}, if the players confirm it."
            )
        }
        (true, _) => format!("The record states {}: {premise}.", said.words()),
        (false, _) if is_premise => format!("The claim states that {premise}."),
        (false, _) => format!("Nothing in the record says that {premise}. If an arbiter confirms it:"),
    };
    let won = Some(Outcome::won_by(winner));
    let mut verdict = case.verdict(Decision::Upheld, Ground::Premise, won, text);
    if on_board {
        win_unless_beyond(case, winner, &mut verdict);
        if !verdict.line.is_empty() && kind == ClaimKind::TimeWin {
            verdict.ground = Ground::Line;
        }
    } else {
        verdict.explanation.push_str(&format!(" {} wins.", winner.name()));
    }
    if kind == ClaimKind::TimeWin
        && let Some(left) = clocks.and_then(|timed| timed.recorded.left[loser.index()])
    {
        let text = format!(" The record leaves {} {} for the next move.", loser.name(), shown(left));
        verdict.explanation.push_str(&text);
    }
    if verdict.verdict != Decision::Upheld {
        verdict.result = None;
        return verdict;
    }
    if said.result == Some(GameResult::Draw) && verdict.result != Some(Outcome::Draw) {
        verdict.explanation = format!(
            "The record states {}, but {} can still win: a loss of {} on time would not be a draw.",
            said.words(),
            winner.name(),
            loser.name()
        );
        verdict.verdict = Decision::Rejected;
        verdict.ground = Ground::Result;
        verdict.result = None;
        verdict.line.clear();
        return verdict;
    }
    settle(verdict, case, is_stated, is_premise)
}

/// The strength of a verdict that a statement decides; without one the claim stays open.
fn settle<M: Mask>(mut verdict: Verdict, case: &Case<'_, M>, is_stated: bool, is_premise: bool) -> Verdict {
    let wanted = case.claim.kind.decided_by();
    if is_stated || is_premise {
        verdict.strength = Strength::Ruled;
        verdict.premises.extend(wanted.filter(|_| !is_stated));
    } else {
        verdict.verdict = Decision::Undetermined;
        verdict.strength = Strength::Opinion;
        verdict.ground = Ground::Premise;
        verdict.result_if = verdict.result.take();
        verdict.lacks = wanted;
        verdict.proof = None;
    }
    verdict
}

/// Judges the claim that the players agreed on a draw.
fn agreement<M: Mask>(case: &Case<'_, M>, said: &Said) -> Verdict {
    let kind = ClaimKind::Agreement;
    if !Owner::REAL.into_iter().all(|owner| case.has_moved(owner)) {
        let text = "The players may agree on a draw once each has made a move; one of them has made none.";
        return case.verdict(Decision::Rejected, Ground::Premise, None, text.to_owned());
    }
    if let Some(why) = said.against(kind, None) {
        return case.verdict(Decision::Rejected, Ground::Result, None, why);
    }
    let is_stated = said.is_for(kind, None);
    let is_premise = kind.decided_by().is_some_and(|wanted| case.claim.premises.contains(&wanted));
    let text = match (is_stated, is_premise) {
        (true, _) => format!(
            "The record states {}, and the board shows no end: an agreed draw, if the players confirm it.",
            said.words()
        ),
        (false, true) => "The claim states that the players agreed on a draw.".to_owned(),
        (false, false) => {
            "The record states no result, so that it does not show an agreed draw. The players' \
                           signatures would decide."
                .to_owned()
        }
    };
    let verdict = case.verdict(Decision::Upheld, Ground::Premise, Some(Outcome::Draw), text);
    settle(verdict, case, is_stated, is_premise)
}

/// True if the record states a result other than this one, or its clocks show a loss that has another.
pub(super) fn has_rival<M: Mask>(case: &Case<'_, M>, result: Outcome) -> bool {
    if case.plies < case.record.main_moves().count() {
        return false;
    }
    let said = Said::of(case.record);
    let flags = Owner::REAL.map(|loser| {
        let flag = Timed::of(case, loser).and_then(|timed| timed.flag(case))?;
        Some((flag.ply, loser.opponent()))
    });
    let first: Option<(usize, Owner)> = flags.into_iter().flatten().min_by_key(|(ply, _)| *ply);
    said.both_lose
        || said.results().any(|stated| stated.as_str() != result.as_str())
        || first.is_some_and(|(_, winner)| Outcome::won_by(winner) != result)
        || case.trace.report.claimable_at(case.plies).next().is_some()
}
