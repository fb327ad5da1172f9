//! Ends that need no claim: the verdict says whether the game ended so.

use super::case::Case;
use super::history::{list, upper};
use super::line;
use super::verdict::{Ground, RuleReading, Verdict};
use crate::certificate::{ClaimKind, Decision};
use ferz_core::board::{Mask, Owner};
use ferz_core::judge::{End, EndReason, Outcome, SEVENTY_FIVE_MOVES};
use ferz_core::position::Repeated;
use ferz_core::rules::definition::{DeadPosition, Declaration, KingsSquare, Repetition};
use ferz_records::replay::summary::counted;

/// Judges a claim that the game ended in a certain way.
pub(super) fn ended<M: Mask>(case: &Case<'_, M>) -> Verdict {
    match case.end {
        Some(end) if is_claimed(case, end.reason) => the_end(case, end),
        _ if !has_rule(case) => match case.position.rules().unsettled(case.claim.kind.id()) {
            Some(ruling) if case.end.is_none() => unsettled(case, ruling),
            _ => case.no_such_rule(""),
        },
        Some(end) => other_end(case, end),
        None if case.claim.kind == ClaimKind::DeadPosition => line::dead_position(case),
        None if case.claim.kind == ClaimKind::Declaration => declaration(case),
        None if case.claim.kind == ClaimKind::PerpetualCheck
            && case.position.rules().ends.claims_perpetual() =>
        {
            claimed_perpetual(case)
        }
        None => no_end(case),
    }
}

/// True if a claim of this kind is about this end.
fn is_claimed<M>(case: &Case<'_, M>, reason: EndReason) -> bool {
    let kind = case.claim.kind;
    reason.id() == kind.id() || kind == ClaimKind::BareKing && reason == EndReason::BareKingDraw
}

/// True if the rules of the game know the claimed end.
fn has_rule<M: Mask>(case: &Case<'_, M>) -> bool {
    let rules = case.position.rules();
    let ends = &rules.ends;
    match case.claim.kind {
        ClaimKind::FivefoldRepetition => ends.repetition == Repetition::Fide,
        ClaimKind::FourfoldRepetition | ClaimKind::PerpetualCheck => ends.repetition.perpetual().is_some(),
        ClaimKind::SeventyFiveMoves => ends.move_counters || ends.quiet_limit > 0,
        ClaimKind::DeadPosition => ends.dead_position != DeadPosition::None,
        ClaimKind::BareKing => ends.bare_king.loses(),
        ClaimKind::KingsSquare => ends.kings_square != KingsSquare::None,
        ClaimKind::NaturesMate => rules.nature.is_some(),
        ClaimKind::Declaration => ends.declaration != Declaration::None,
        _ => true,
    }
}

/// The source of the game neither gives nor excludes the claimed end: which rule holds is for an arbiter to say.
fn unsettled<M: Mask>(case: &Case<'_, M>, ruling: &str) -> Verdict {
    let without = case.no_such_rule("");
    let explanation = format!(
        "The source of {} does not say whether it has a rule of {} ({ruling}). Without one the claim is rejected; ask \
         an arbiter.",
        case.trace.report.variant,
        case.claim.kind.words()
    );
    let reading = RuleReading {
        ruling: Some(ruling.to_owned()),
        field: None,
        reading: "no such rule".to_owned(),
        verdict: without.verdict,
        result: without.result,
    };
    let mut verdict = case.verdict(Decision::Ambiguous, Ground::Ruling, None, explanation);
    verdict.articles = vec![ruling.to_owned()];
    verdict.readings = vec![reading];
    verdict
}

/// The player whose doing the end is: who mated, bared the opponent, reached the square, or was checked perpetually.
fn author<M: Mask>(case: &Case<'_, M>, end: &End) -> Option<Owner> {
    let winner = end.outcome.winner()?;
    Some(if case.position.rules().ends.misere { winner.opponent() } else { winner })
}

/// The game ended as claimed.
fn the_end<M: Mask>(case: &Case<'_, M>, end: End) -> Verdict {
    let authored = matches!(
        end.reason,
        EndReason::Checkmate
            | EndReason::AntiCheckmate
            | EndReason::KingsSquare
            | EndReason::BareKing
            | EndReason::PerpetualCheck
            | EndReason::Declaration
    );
    let author = author(case, &end).filter(|_| authored);
    let against = author.zip(case.claim.by).is_some_and(|(author, by)| author != by);
    let (decision, whose) = match author.filter(|_| against) {
        Some(author) => (Decision::Rejected, format!(" It is in {}'s favour by its rule.", author.name())),
        None => (Decision::Upheld, String::new()),
    };
    let ground = match end.reason {
        EndReason::PerpetualCheck | EndReason::FourfoldRepetition | EndReason::FivefoldRepetition => {
            Ground::Occurrences
        }
        EndReason::SeventyFiveMoves => Ground::Counter,
        EndReason::DeadPosition | EndReason::BareKing | EndReason::BareKingDraw => Ground::Material,
        _ => Ground::Position,
    };
    let position = case.trace.position(end.ply);
    let mut plies = vec![end.ply];
    let mut facts = String::new();
    if ground == Ground::Occurrences {
        plies = case.occurrences(&position, end.ply);
        facts = format!(" The position occurred {}.", list(&plies));
    }
    if let (EndReason::PerpetualCheck, Some(author)) = (end.reason, author) {
        let checker = author.opponent().name();
        facts.push_str(&format!(" {checker} gave check with every ply since the first occurrence."));
    }
    let explanation = format!("The game ended {}.{facts}{whose}", case.ended(&end));
    let mut verdict = case.verdict(decision, ground, Some(end.outcome), explanation);
    verdict.plies = plies;
    verdict.articles = case.cite_end(&end);
    verdict.fen = position.fen();
    verdict
}

/// A perpetual check that loses on the claim of the player in check (XQI-3).
fn claimed_perpetual<M: Mask>(case: &Case<'_, M>) -> Verdict {
    let plies = case.occurrences(&case.position, case.plies);
    let times = counted(plies.len(), "time", "times");
    let mut text = format!("The position {} has occurred {times}: {}.", case.after(case.plies), list(&plies));
    let checker = match Repeated::of(&case.conduct_since(plies[0], None)) {
        Repeated::PerpetualCheck(checker) if plies.len() >= 3 => Some(checker),
        _ => None,
    };
    let winner = checker.map(Owner::opponent);
    let upheld = winner.is_some() && case.claim.by.is_none_or(|by| Some(by) == winner);
    match checker {
        Some(checker) => {
            let name = upper(checker.name());
            text.push_str(&format!(" {name} gave check with every ply since, which loses on a claim."));
        }
        None if plies.len() < 3 => text.push_str(" Three occurrences are needed."),
        None => text.push_str(" No player alone gave check with every ply since."),
    }
    let decision = if upheld { Decision::Upheld } else { Decision::Rejected };
    let result = winner.filter(|_| upheld).map(Outcome::won_by);
    let mut verdict = case.verdict(decision, Ground::Occurrences, result, text);
    verdict.claim.by = verdict.claim.by.or(winner);
    verdict.plies = plies;
    verdict
}

/// The game ended otherwise.
fn other_end<M: Mask>(case: &Case<'_, M>, end: End) -> Verdict {
    let mut verdict = case.game_over(end);
    if end.reason == EndReason::PerpetualCheck && case.claim.kind == ClaimKind::FourfoldRepetition {
        let position = case.trace.position(end.ply);
        verdict.plies = case.occurrences(&position, end.ply);
        verdict.ground = Ground::Occurrences;
        let checker = author(case, &end).map_or("One side", |author| author.opponent().name());
        verdict.explanation = format!(
            "The position occurred {}, and {checker} gave check with every ply since the first occurrence. The game \
             ended {}.",
            list(&verdict.plies),
            case.ended(&end)
        );
    }
    verdict
}

/// What a declaration by the player on move comes to.
fn declaration<M: Mask>(case: &Case<'_, M>) -> Verdict {
    let position = &case.position;
    let turn = position.turn();
    let Some(declared) = position.declared() else { return case.no_such_rule("") };
    if case.claim.by.is_some_and(|by| by != turn) {
        let explanation = format!("{} is on move, and only the player on move may declare.", turn.name());
        return case.verdict(Decision::Rejected, Ground::Position, None, explanation);
    }
    let where_from = if declared.entered { "in" } else { "outside" };
    let check = if declared.in_check { "in check" } else { "not in check" };
    let explanation = format!(
        "{} {}'s king is {where_from} the promotion zone and {check}; {} other pieces of that player are in it, and \
         these and the pieces in hand are worth {} points.",
        upper(&case.after(case.plies)),
        turn.name(),
        declared.pieces,
        declared.points
    );
    let decision = if position.may_declare() { Decision::Upheld } else { Decision::Rejected };
    case.verdict(decision, Ground::Position, Some(declared.outcome), explanation)
}

/// Why what would end a game today did not end one of the date of the record.
fn not_yet_in_force<M: Mask>(case: &Case<'_, M>, is_reached: bool) -> Option<String> {
    let (year, month) = EndReason::FivefoldRepetition.in_force_since().filter(|_| is_reached)?;
    case.record.is_before((year, month)).then(|| {
        format!(
            "; a game ends so by itself only since {year}-{month:02}, and the record is older: a player had to claim."
        )
    })
}

/// The game had not ended: what the position or its history lacks.
fn no_end<M: Mask>(case: &Case<'_, M>) -> Verdict {
    let (position, here) = (&case.position, upper(&case.after(case.plies)));
    let turn = position.turn().name();
    let mut plies = vec![case.plies];
    let (ground, explanation) = match case.claim.kind {
        ClaimKind::FivefoldRepetition | ClaimKind::FourfoldRepetition | ClaimKind::PerpetualCheck => {
            plies = case.occurrences(position, case.plies);
            let needed = if case.claim.kind == ClaimKind::FivefoldRepetition { "five" } else { "four" };
            let times = counted(plies.len(), "time", "times");
            let here = case.after(case.plies);
            let mut text = format!("The position {here} has occurred {times}, {}", list(&plies));
            text.push_str(
                &not_yet_in_force(case, case.claim.kind == ClaimKind::FivefoldRepetition && plies.len() >= 5)
                    .unwrap_or_else(|| format!("; {needed} occurrences are needed.")),
            );
            (Ground::Occurrences, text)
        }
        ClaimKind::SeventyFiveMoves => {
            let count = position.status().halfmoves;
            let passed = counted(usize::from(count), "ply has passed", "plies have passed");
            let needed = not_yet_in_force(case, count >= SEVENTY_FIVE_MOVES)
                .unwrap_or_else(|| format!(". {SEVENTY_FIVE_MOVES} are needed."));
            let before = case.counted_before(count, case.plies);
            (Ground::Counter, format!("{here} {passed} without pawn move, capture or entry{needed}{before}"))
        }
        ClaimKind::BareKing => (Ground::Material, format!("{here} no player has lost by a bare king.")),
        ClaimKind::KingsSquare => {
            (Ground::Position, format!("{here} no pawn has reached the opposing king's square."))
        }
        _ => {
            let check = if position.in_check() { "is in check" } else { "is not in check" };
            let mut plies = position.plies();
            plies.retain(|ply| ply.actor == position.turn());
            let first =
                plies.first().map_or_else(String::new, |ply| format!(", such as {}", case.coord(ply)));
            let legal = counted(plies.len(), "legal ply", "legal plies");
            (Ground::Position, format!("{here} {turn} {check} and has {legal}{first}."))
        }
    };
    let mut verdict = case.verdict(Decision::Rejected, ground, None, explanation);
    verdict.plies = plies;
    verdict
}
