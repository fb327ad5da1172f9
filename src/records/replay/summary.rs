//! Sentences about a report, shared by the command line and the pages.

use super::report::{Agreement, Claimable, Decision, Effect, Illegal, Legality, Located, Report, on_board};
use crate::record::GameResult;
use ferz_core::board::Owner;
use ferz_core::judge::{ClaimableDraw, ClaimableKind, End, EndReason, Outcome};
use ferz_core::position::Reason;

/// A number with the noun in its right form: `1 game`, `2 games`.
pub fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// The number of items not shown: `and 299,000 more losses`; `None` if there are none.
pub fn and_more(number: usize, one: &str, many: &str) -> Option<String> {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    (number > 0).then(|| format!("and {grouped} more {}", if number == 1 { one } else { many }))
}

/// A report in one line: game, verdict, end, open claims, result.
///
/// ```
/// use ferz_records::replay::{Options, Replayer, Source, summary};
/// let text = b"1. f3 e5 2. g4 Qh4# 0-1";
/// let mut replayer = Replayer::new(ferz_core::rules::Registry::built_in(), Options::default());
/// let record = ferz_records::record::read(text, 0).next().ok_or("no game")?;
/// let report = replayer.report(&record, &Source::new(text, 0, 0), 0);
/// assert_eq!(
///     summary::line(&report),
///     "game 1: chess: legal, 4 plies, 0-1 by checkmate after ply 4 [FIDE 5.1.1]; result 0-1 confirmed",
/// );
/// # Ok::<(), &str>(())
/// ```
pub fn line(report: &Report) -> String {
    let verdict = match (report.verdict, &report.illegal) {
        (Legality::NoRecord, _) => return format!("game {}: no game record", report.game + 1),
        (Legality::Unreadable | Legality::Illegal, Some(illegal)) => {
            let word = in_capitals(report.verdict);
            format!("{word} at {} ({}){}", illegal.numbered(), illegal.reason_id, let_stand(report))
        }
        (Legality::Unreadable | Legality::Illegal, None) => {
            format!("ILLEGAL{}, {}", let_stand(report), counted(report.plies, "ply", "plies"))
        }
        (Legality::Legal, _) if report.plies == 0 => "no moves".to_owned(),
        (Legality::Legal, _) => {
            format!("legal, {}{}", counted(report.plies, "ply", "plies"), on_each(report))
        }
        (Legality::NotJudged, _) => "not judged".to_owned(),
    };
    let end = report.end.map_or_else(String::new, |end| {
        let rule = report.end_rule.as_deref().unwrap_or_default();
        let points = end.points_in_words();
        let (outcome, reason) = (end.outcome.as_str(), end.reason.id());
        format!(", {outcome} by {reason}{points} after {} [{rule}]", numbered(end))
    });
    let claims: Vec<&str> = report.claims.iter().map(|claim| claim.kind.id()).collect();
    let claims =
        if claims.is_empty() { String::new() } else { format!(", claim open: {}", claims.join(", ")) };
    let result = match (report.result_tag, report.agreement) {
        (Some(tag), Agreement::Confirmed) => format!("; result {tag} confirmed"),
        (Some(tag), Agreement::Contradicted) => format!("; result {tag} CONTRADICTED"),
        (Some(tag), Agreement::Unverifiable) => format!("; result {tag}"),
        (None, _) => String::new(),
    };
    let styles: Vec<String> =
        report.style_evidence.iter().map(|known| format!("{} {}", known.style, known.plies)).collect();
    let styles =
        if styles.is_empty() { String::new() } else { format!(", plies in styles {}", styles.join(", ")) };
    let language = report.language.as_ref().map_or_else(String::new, |code| format!(" ({code})"));
    format!("game {}: {}{language}: {verdict}{styles}{end}{claims}{result}", report.game + 1, report.variant)
}

/// The ply that an end follows, and its board in a game on two: `ply 33 on board A`.
pub fn numbered(end: End) -> String {
    format!("ply {}{}", end.ply, on_board(end.board))
}

/// How many plies each board of two has: ` (A 33, B 28)`.
fn on_each(report: &Report) -> String {
    report.boards.as_ref().map_or_else(String::new, |boards| {
        let [first, second] = boards.each_ref().map(|board| format!("{} {}", board.board, board.plies));
        format!(" ({first}, {second})")
    })
}

/// A verdict as texts print it: what is wrong with a record is to be seen at a glance.
pub const fn in_capitals(verdict: Legality) -> &'static str {
    match verdict {
        Legality::Legal => "legal",
        Legality::Illegal => "ILLEGAL",
        Legality::Unreadable => "UNREADABLE",
        Legality::NotJudged => "not judged",
        Legality::NoRecord => "no game record",
    }
}

/// Why a game could not be judged: the last message of its report; `None` if it was judged.
pub fn why_not_judged(report: &Report) -> Option<&Located> {
    if report.is_judged() { None } else { report.diagnostics.last() }
}

/// The part of a report's line about illegal plies that were let stand.
fn let_stand(report: &Report) -> String {
    let stood: Vec<String> = report
        .let_stand
        .iter()
        .map(|illegal| format!("{}{} ({})", illegal.ply, on_board(illegal.board), illegal.reason_id))
        .collect();
    match stood.len() {
        0 => String::new(),
        1 => format!(", LET STAND at ply {}", stood[0]),
        _ => format!(", LET STAND at plies {}", stood.join(", ")),
    }
}

/// The illegal ply as players count: `ply 7 (move 4, White)`.
pub fn place_of(illegal: &Illegal, report: &Report) -> String {
    let place = move_of(report.position_of(illegal)).map_or_else(String::new, |place| format!(" ({place})"));
    format!("{}{place}", illegal.numbered())
}

/// The next move of a position, as players count: `move 4, White`. `None` if a third player may act.
pub fn move_of(fen: &str) -> Option<String> {
    let fields: Vec<&str> = fen.split(' ').collect();
    let &[_, turn, _, _, _, number, ref further @ ..] = &fields[..] else { return None };
    if further.iter().any(|field| field.starts_with('~')) {
        return None;
    }
    let player = if turn == "w" { Owner::White } else { Owner::Black };
    Some(format!("move {number}, {}", player.name()))
}

/// True if a record judged as chess may be of another game without its tag: the illegal ply uses what chess does not
/// have.
pub fn may_be_of_another_game(report: &Report) -> bool {
    let Some(illegal) = report.illegal.as_ref().filter(|_| *report.variant == *"chess") else { return false };
    match illegal.reason_id {
        Reason::Unreadable => illegal.text.contains(|char: char| "ACDEFGHIJLMSTUVWXYZ".contains(char)),
        Reason::NoSuchKind | Reason::NotInHand | Reason::NotInReserve => true,
        Reason::GateNotHome | Reason::NatureNotAvailable | Reason::DropZone => true,
        _ => false,
    }
}

/// How a game ended: `White wins by checkmate`, `Draw by stalemate`.
pub fn ending(end: End) -> String {
    let who = match (end.outcome, end.board) {
        (Outcome::WhiteWins, None) => "White wins",
        (Outcome::BlackWins, None) => "Black wins",
        (Outcome::WhiteWins, Some(_)) => "White on A and Black on B win",
        (Outcome::BlackWins, Some(_)) => "Black on A and White on B win",
        (Outcome::Draw, _) => "Draw",
    };
    format!("{who} by {}{}", end_reason(end.reason), end.points_in_words())
}

/// The reason of an ending, as after "by".
pub const fn end_reason(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Checkmate => "checkmate",
        EndReason::AntiCheckmate => "anti-checkmate",
        EndReason::Explosion => "an explosion",
        EndReason::ThreeChecks => "a third check",
        EndReason::Hill => "a king on the hill",
        EndReason::Race => "the race",
        EndReason::RaceDraw => "a race that both finish",
        EndReason::KingsSquare => "a pawn on the king’s square",
        EndReason::NoPieces => "having no pieces",
        EndReason::HordeCaptured => "capture of the last piece",
        EndReason::BareKing => "bare king",
        EndReason::BareKingDraw => "two bare kings",
        EndReason::Stalemate => "stalemate",
        EndReason::NaturesMate => "Nature’s mate",
        EndReason::PerpetualCheck => "perpetual check",
        EndReason::Declaration => "a declaration",
        EndReason::Points => "points",
        EndReason::DoublePass => "two passes",
        EndReason::Bikjang => "facing kings",
        EndReason::Count => "the count of moves",
        EndReason::FourfoldRepetition => "fourfold repetition",
        EndReason::DeadPosition => "dead position",
        EndReason::FivefoldRepetition => "fivefold repetition",
        EndReason::SeventyFiveMoves => "the seventy-five-move rule",
    }
}

/// A claim as a sentence.
pub fn claim(claim: &ClaimableDraw) -> String {
    let by = claim.by.name();
    match claim.kind {
        ClaimableKind::ThreefoldRepetition => {
            let plies: Vec<String> = claim.plies.iter().map(ToString::to_string).collect();
            format!(
                "{by} may claim a draw by threefold repetition (the position occurred after plies {})",
                plies.join(", ")
            )
        }
        ClaimableKind::Declaration => format!("{by} may declare a win: `[%kachi]`"),
        ClaimableKind::FiftyMoves => format!("{by} may claim a draw by the fifty-move rule"),
        ClaimableKind::QuietMoves => format!("{by} may claim a draw by the rule of quiet moves"),
        ClaimableKind::PerpetualCheck => format!("{by} may claim a win by perpetual check"),
    }
}

/// A claim that was open at some ply as a sentence, with the ply that had to be intended.
pub fn claimable(claimable: &Claimable) -> String {
    let text = claim(&claimable.draw);
    match &claimable.intended {
        Some(ply) => format!("{text}, announcing the intended ply {ply}"),
        None => text,
    }
}

/// A ruling that decided a ply or an end, as a sentence, with what another reading would have made of the game.
pub fn decision(decision: &Decision) -> String {
    let Decision { ruling, field, reading, ply, other } = decision;
    let mut text = format!("{ruling} decided it after ply {ply}");
    if let (Some(field), Some(reading)) = (field, reading) {
        text += &format!(" ({field} = {reading})");
    }
    if let Some(other) = other {
        let effect = match other.effect {
            Effect::Legal { ply } => format!("ply {ply} would be legal"),
            Effect::Illegal { ply, reason_id } => format!("ply {ply} would be illegal ({reason_id})"),
            Effect::GoesOn { ply } => format!("play would go on after ply {ply}"),
            Effect::Ends(end) => format!("the game would have ended after ply {}: {}", end.ply, ending(end)),
        };
        text += &format!("; by the reading {}, {effect}", other.reading);
    }
    text
}

/// Whether the record's result agrees with the board, as a sentence; `None` without a result.
pub fn agreement(report: &Report) -> Option<String> {
    let tag = report.result_tag?;
    Some(match (report.agreement, report.end) {
        (Agreement::Confirmed, _) => format!("The record’s result {tag} agrees with the board"),
        (Agreement::Contradicted, Some(end)) => {
            format!("The record says {tag}, but the board says {}", end.outcome.as_str())
        }
        (Agreement::Contradicted, None) => format!("The record says {tag}, but the board says otherwise"),
        (Agreement::Unverifiable, _) if tag == GameResult::Unknown => {
            "The record gives no result (*)".to_owned()
        }
        (Agreement::Unverifiable, Some(end)) => format!(
            "The record says {tag}; the board alone cannot confirm it, since play continued after {}",
            end_reason(end.reason)
        ),
        (Agreement::Unverifiable, None)
            if report.illegal.is_some() || !report.legal && report.let_stand.is_empty() =>
        {
            format!("The record says {tag}; the board cannot confirm it, since the replay stopped before")
        }
        (Agreement::Unverifiable, None) => format!(
            "The record says {tag}; the board shows no end; resignation, agreement or time must have decided"
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::tests::report;

    #[test]
    fn results_and_the_board() {
        let said: Vec<_> = [
            "1. f3 e5 2. g4 Qh4# 0-1",
            "1. f3 e5 2. g4 Qh4# 1-0",
            "1. e4 e5 1-0",
            "1. e4 e5 *",
            "1. e4 e4 1-0",
            "[Result \"?\"]\n\n1. e4",
        ]
        .map(|text| agreement(&report(text)).unwrap_or_default())
        .to_vec();
        insta::assert_snapshot!(said.join("\n"), @r"
        The record’s result 0-1 agrees with the board
        The record says 1-0, but the board says 0-1
        The record says 1-0; the board shows no end; resignation, agreement or time must have decided
        The record gives no result (*)
        The record says 1-0; the board cannot confirm it, since the replay stopped before
        ");
    }

    #[test]
    fn a_position_tells_its_move() {
        let start = "4k3/8/8/8/8/8/8/4K3[MC] b - - 0 9";
        assert_eq!(move_of(start).as_deref(), Some("move 9, Black"));
        assert_eq!(move_of(&format!("{start} +1,0")).as_deref(), Some("move 9, Black"), "entries left");
        assert_eq!(move_of(&format!("{start} ~2 +1,0")), None, "Nature may act");
    }

    #[test]
    fn claims_name_their_plies() {
        let report = report("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *");
        let said: Vec<String> = report.claims.iter().map(claim).collect();
        assert_eq!(
            said,
            ["White may claim a draw by threefold repetition (the position occurred after plies 0, 4, 8)"]
        );
    }

    #[test]
    fn where_an_illegal_ply_stands() {
        let chess = report("1. e4 e5 2. Ke3 *");
        assert_eq!(place_of(chess.illegal.as_ref().unwrap(), &chess), "ply 3 (move 2, White)");
        assert!(!may_be_of_another_game(&chess));
        let forgotten = report("1. e4 e5 2. N@e3 *");
        assert!(may_be_of_another_game(&forgotten));
        let third = report("[Variant \"chaos+chess\"]\n\n1. e4 e5 2. Ke3 *");
        assert_eq!(place_of(third.illegal.as_ref().unwrap(), &third), "ply 3");
    }

    #[test]
    fn what_is_left_out_is_counted() {
        let more = |number| and_more(number, "loss", "losses");
        assert_eq!(more(0), None);
        assert_eq!(more(1).as_deref(), Some("and 1 more loss"));
        assert_eq!(more(999).as_deref(), Some("and 999 more losses"));
        assert_eq!(more(1_299_000).as_deref(), Some("and 1,299,000 more losses"));
    }
}
