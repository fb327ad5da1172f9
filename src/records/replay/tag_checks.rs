//! Compares a record's tags with what was played.

use super::clocks::{Timing, all_fit, check_clocks, check_move_limit};
use super::codes;
use super::report::Report;
use crate::clock::{DelayScope, MoveLimit, nature_clock, natures_limit, time_control};
use crate::record::time_control::{Termination, TimeControl};
use crate::record::{GameResult, Record, TagNames, TagPair};
use ferz_core::board::{Mask, Owner};
use ferz_core::judge::{EndReason, Judge};
use ferz_core::rules::definition::Definition;
use ferz_core::text::{Code, Diagnostic, Severity};

/// The tags that are compared with the game, found in one pass: there may be millions of games.
#[derive(Default)]
struct Tags<'t> {
    ply_count: Option<&'t TagPair>,
    termination: Option<&'t TagPair>,
    time_control: Option<&'t TagPair>,
    nature_clock: Option<&'t TagPair>,
    nature_limit: Option<&'t TagPair>,
    nature_touch: Option<&'t TagPair>,
    move_limit: Option<&'t TagPair>,
    delay_limit: Option<&'t TagPair>,
    fen: Option<&'t TagPair>,
    current: Option<&'t TagPair>,
}

impl<'t> Tags<'t> {
    /// Their names.
    const NAMES: [&'static str; 10] = [
        "PlyCount",
        "Termination",
        "TimeControl",
        "NatureClock",
        "NatureTimeLimit",
        "NatureTouchMove",
        "MoveLimit",
        "DelayLimit",
        "FEN",
        "CurrentPosition",
    ];

    /// The sorts of these names: they show that most records have none of the tags.
    const SORTS: TagNames = TagNames::of(&Tags::NAMES);

    fn of(record: &'t Record<'_>) -> Tags<'t> {
        let mut tags = Tags::default();
        for tag in &record.tags {
            let name = &record.source()[tag.name as usize..(tag.name + tag.name_len) as usize];
            let slot = match name {
                b"PlyCount" => &mut tags.ply_count,
                b"Termination" => &mut tags.termination,
                b"TimeControl" => &mut tags.time_control,
                b"NatureClock" => &mut tags.nature_clock,
                b"NatureTimeLimit" => &mut tags.nature_limit,
                b"NatureTouchMove" => &mut tags.nature_touch,
                b"MoveLimit" => &mut tags.move_limit,
                b"DelayLimit" => &mut tags.delay_limit,
                b"FEN" => &mut tags.fen,
                b"CurrentPosition" => &mut tags.current,
                _ => continue,
            };
            slot.get_or_insert(tag);
        }
        tags
    }
}

/// What contradicts the game in the tags of a judged record.
pub(super) fn against_the_game<M: Mask>(
    record: &Record<'_>,
    report: &Report,
    judge: &Judge<M>,
    rules: &Definition,
) -> Vec<Diagnostic> {
    let has_nature = rules.nature.enabled;
    let sets_time = !rules.clock.control.is_empty() || has_nature && rules.nature.time_limit > 0;
    if !record.may_have_any_tag(Tags::SORTS) && !sets_time {
        return Vec::new();
    }
    let tags = Tags::of(record);
    let checks = Checks { record, report, judge, rules, tags: &tags };
    let mut found = Vec::new();
    found.extend(tags.ply_count.and_then(|tag| checks.ply_count(tag)));
    found.extend(tags.termination.and_then(|tag| checks.termination(tag)));
    found.extend(tags.current.and_then(|tag| checks.current_position(tag)));
    found.extend(checks.nature(has_nature));
    found.extend(checks.clocks(has_nature));
    found.extend(checks.move_limit());
    found
}

/// The player who begins, and the number of the first move, by the tag `FEN`.
pub fn first_move(fen: Option<&str>) -> (Owner, u32) {
    let field = |at: usize| fen.and_then(|fen| fen.split_ascii_whitespace().nth(at));
    let first = if field(1) == Some("b") { Owner::Black } else { Owner::White };
    (first, field(5).and_then(|number| number.parse().ok()).unwrap_or(1))
}

struct Checks<'a, M> {
    record: &'a Record<'a>,
    report: &'a Report,
    judge: &'a Judge<M>,
    rules: &'a Definition,
    tags: &'a Tags<'a>,
}

impl<M: Mask> Checks<'_, M> {
    fn say(&self, tag: &TagPair, code: Code, severity: Severity, message: String) -> Diagnostic {
        Diagnostic::new(code, severity, self.record.tag_span(tag), message)
    }

    fn ply_count(&self, tag: &TagPair) -> Option<Diagnostic> {
        // A value that is not such a number is reported with the values of tags.
        let stated: u32 = self.record.tag_value(tag).parse().ok()?;
        let plies = self.record.main_moves().count();
        let message = format!("the tag PlyCount is {stated}, but the game has {plies} plies");
        // Programs that do not count write 0.
        (stated != 0 && usize::try_from(stated) != Ok(plies))
            .then(|| self.say(tag, codes::J_PLY_COUNT, Severity::Warning, message))
    }

    /// Chess.com gives the final position; board and side to move are compared.
    fn current_position(&self, tag: &TagPair) -> Option<Diagnostic> {
        let value = self.record.tag_value(tag);
        let essence =
            |fen: &str| -> Vec<String> { fen.split_ascii_whitespace().take(2).map(str::to_owned).collect() };
        let same = self.report.illegal.is_some() || essence(&value) == essence(&self.report.final_fen);
        let message =
            format!("the tag CurrentPosition differs from the final position {}", self.report.final_fen);
        (!same).then(|| self.say(tag, codes::J_POSITION_TAG, Severity::Warning, message))
    }

    fn termination(&self, tag: &TagPair) -> Option<Diagnostic> {
        let value = self.record.tag_value(tag);
        let termination = Termination::parse(&value)?;
        let message = self.contradiction(termination, &value)?;
        Some(self.say(tag, codes::J_TERMINATION, Severity::Warning, message))
    }

    /// How the tag Termination contradicts the board or the result.
    fn contradiction(&self, termination: Termination, value: &str) -> Option<String> {
        let result = self.record.result.or(self.report.result_tag);
        let finished = result.is_some_and(|result| result != GameResult::Unknown);
        if termination == Termination::Unterminated && finished {
            return Some(format!("the tag Termination is `{value}`, but the game has a result"));
        }
        let names = || ["White", "Black"].map(|tag| self.record.tag(tag).unwrap_or_default());
        if Termination::of_the_standard(value).is_none()
            && let Some(stated) = Termination::stated_result(value, &names())
            && result.is_some_and(|result| result != stated)
        {
            let result = result.unwrap_or(GameResult::Unknown).as_str();
            return Some(format!("the tag Termination is `{value}`, but the result is {result}"));
        }
        if termination == Termination::TimeForfeit && !finished {
            return Some(format!("the tag Termination is `{value}`, but the game has no result"));
        }
        if !self.report.legal {
            return None;
        }
        let end = self.report.end.map(|end| end.reason);
        // In old records play continues after an automatic draw, so only the other ends exclude what a tag says
        // (COM-4).
        let final_end = end.filter(|reason| !reason.is_draw_by_itself());
        let fits = match termination {
            Termination::Normal | Termination::Material => return None,
            Termination::Repetition => final_end.is_none() && self.may_be_repetition(),
            // The last occurrence may follow the announced ply.
            Termination::MoveCounter(plies) => {
                final_end.is_none() && self.halfmoves().is_none_or(|count| count + 1 >= plies)
            }
            Termination::Checkmate => end == Some(EndReason::Checkmate),
            Termination::Stalemate => end == Some(EndReason::Stalemate),
            _ => final_end.is_none(),
        };
        if fits {
            return None;
        }
        let shown = final_end.map_or("no such end".to_owned(), |reason| reason.id().replace('_', " "));
        Some(format!("the tag Termination is `{value}`, but the board shows {shown}"))
    }

    /// True if a draw by repetition cannot be ruled out: some position has occurred twice, so that it may have recurred
    /// or may be announced; or the plies before the start are unknown.
    fn may_be_repetition(&self) -> bool {
        let before_start = self.halfmoves().is_none_or(|count| usize::from(count) > self.report.plies);
        before_start || self.judge.has_repeated()
    }

    /// Half-moves without pawn move or capture at the end.
    fn halfmoves(&self) -> Option<u16> {
        self.report.final_fen.split_ascii_whitespace().nth(4)?.parse().ok()
    }

    /// The tags about the third player (CHA, time and courtesy).
    fn nature(&self, has_nature: bool) -> Vec<Diagnostic> {
        let known: [(_, &[&str]); 3] = [
            (self.tags.nature_clock, &["pause", "pause+increment", "pause+increment-both"]),
            (self.tags.nature_touch, &["yes", "no"]),
            (self.tags.nature_limit, &[]),
        ];
        let mut found = Vec::new();
        for (tag, values) in known {
            let Some(tag) = tag else { continue };
            let value = self.record.tag_value(tag);
            let message = if !has_nature {
                format!(
                    "the tag {} has no meaning: the game has no third player; remove it",
                    self.record.tag_name(tag)
                )
            } else if !values.is_empty() && !values.contains(&&*value) {
                format!("{}: write one of {}, not `{value}`", self.record.tag_name(tag), values.join(", "))
            } else {
                continue;
            };
            found.push(self.say(tag, codes::J_NATURE_TAG, Severity::Info, message));
        }
        found
    }

    fn clocks(&self, has_nature: bool) -> Vec<Diagnostic> {
        let value = |tag: Option<&TagPair>| tag.map(|tag| self.record.tag_value(tag));
        let limit = value(self.tags.nature_limit);
        let limit = if has_nature { natures_limit(limit.as_deref(), &self.rules.nature) } else { None };
        let control = time_control(value(self.tags.time_control).as_deref(), self.rules);
        let periods = match &control {
            Some(TimeControl::Periods(periods)) => &periods[..],
            _ => &[],
        };
        // If a turn was skipped, it is unknown whose clock is whose.
        let knows = self.report.let_stand.is_empty();
        if periods.is_empty() && limit.is_none() || !knows || !self.record.has_times() {
            return Vec::new();
        }
        let nature_clock = nature_clock(value(self.tags.nature_clock).as_deref(), self.rules);
        let (first, number) = self.first_move();
        let timing = Timing { periods, nature_limit: limit, nature_clock, first, number };
        if !has_nature && all_fit(self.record, &timing, self.report.plies) {
            return Vec::new();
        }
        check_clocks(self.record, timing, self.report.plies)
    }

    /// The player who begins, and the number of the first move.
    fn first_move(&self) -> (Owner, u32) {
        first_move(self.tags.fen.map(|tag| self.record.tag_value(tag)).as_deref())
    }

    /// IAGO's limit for each move (IAP 1 and 2).
    fn move_limit(&self) -> Vec<Diagnostic> {
        let value = |tag: &TagPair| self.record.tag_value(tag);
        let Some(tag) = self.tags.move_limit else {
            let alone = self.tags.delay_limit.map(|tag| {
                let message =
                    "DelayLimit counts limits of the tag MoveLimit, which is missing; add it".to_owned();
                self.say(tag, codes::J_MOVE_LIMIT, Severity::Warning, message)
            });
            return alone.into_iter().collect();
        };
        let delays = self.tags.delay_limit.map(value);
        match MoveLimit::of_tags(&value(tag), delays.as_deref(), DelayScope::Move) {
            Ok(limit) if self.report.let_stand.is_empty() => {
                check_move_limit(self.record, &limit, self.first_move().0, self.report.plies)
            }
            Ok(_) => Vec::new(),
            Err(message) => {
                let tag = if message.starts_with("DelayLimit") {
                    self.tags.delay_limit.unwrap_or(tag)
                } else {
                    tag
                };
                vec![self.say(tag, codes::J_MOVE_LIMIT, Severity::Warning, message)]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Tags;
    use crate::record::read;
    use crate::replay::tests::report;

    #[test]
    fn each_tag_that_is_named_is_found() {
        for name in Tags::NAMES {
            let text = format!("[White \"Ann\"]\n[{name} \"?\"]\n\n*\n");
            let record = read(text.as_bytes(), 0).next().expect("a record");
            assert!(record.may_have_any_tag(Tags::SORTS), "{name}");
            let tags = Tags::of(&record);
            let clocks = [tags.time_control, tags.nature_clock, tags.nature_limit, tags.nature_touch];
            let others =
                [tags.ply_count, tags.termination, tags.fen, tags.current, tags.move_limit, tags.delay_limit];
            let found: Vec<_> =
                clocks.iter().chain(&others).flatten().map(|tag| record.tag_name(tag)).collect();
            assert_eq!(found, [name]);
        }
    }

    /// True if the tag `Termination` is reported as a contradiction.
    fn contradicts(termination: &str, tags: &str, movetext: &str) -> bool {
        let text = format!("[White \"Ann\"]\n{tags}[Termination \"{termination}\"]\n\n{movetext}\n");
        report(&text).diagnostics.iter().any(|found| found.code.0 == "J018")
    }

    #[test]
    fn draws_that_cannot_be() {
        let draw = |how: &str, tags: &str, moves: &str| {
            contradicts(&format!("Game drawn by {how}"), tags, &format!("{moves} 1/2-1/2"))
        };
        let knights = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1";
        assert!(draw("repetition", "", "1. e4 e5"));
        assert!(draw("repetition", "", "1. Nf3 Nf6 2. Ng1 e5"));
        // The third time may be the ply that is announced.
        assert!(!draw("repetition", "", knights));
        assert!(!draw("repetition", "", &format!("{knights} Ng8")));
        assert!(draw("50-move rule", "", "1. e4 e5"));
        let fen =
            |halfmoves: u32| format!("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - {halfmoves} 60\"]\n");
        assert!(draw("50-move rule", &fen(96), "60. Ra2 Kd8"));
        assert!(!draw("50-move rule", &fen(97), "60. Ra2 Kd8"));
        for value in ["draw by fifty-move rule", "50 move rule", "fifty moves"] {
            assert!(contradicts(value, &fen(96), "60. Ra2 Kd8 1/2-1/2"), "{value}");
            assert!(!contradicts(value, &fen(97), "60. Ra2 Kd8 1/2-1/2"), "{value}");
        }
        assert!(draw("75-move rule", &fen(97), "60. Ra2 Kd8"));
        assert!(!draw("75-move rule", &fen(147), "60. Ra2 Kd8"));
        // Positions before the start are unknown.
        assert!(!draw("repetition", &fen(3), "60. Ra2 Kd8"));
        assert!(draw("repetition", &fen(0), "60. Ra2 Kd8"));
        assert!(!draw("insufficient material", "", "1. e4 e5"));
    }

    #[test]
    fn a_wrong_number_of_plies_is_reported_once() {
        for (value, code) in [("18446744073709551615", "S"), ("3", "J017")] {
            let report = report(&format!("[PlyCount \"{value}\"]\n\n1. e4 e5 *\n"));
            let codes: Vec<&str> = report
                .diagnostics
                .iter()
                .filter(|found| found.message.contains(value))
                .map(|found| found.code.0)
                .collect();
            assert!(codes.len() == 1 && codes[0].starts_with(code), "{codes:?}");
        }
    }

    #[test]
    fn sentences_about_a_colour_and_the_result() {
        for (sentence, result, wrong) in [
            ("White wins on time", "0-1", true),
            ("White wins on time", "1-0", false),
            ("Black resigns", "0-1", true),
            ("Black resigns", "1-0", false),
            ("White forfeits on time", "1-0", true),
            ("White forfeits on time", "*", true),
            ("White wins by checkmate", "1-0", true),
            ("White resigned", "1/2-1/2", true),
        ] {
            assert_eq!(
                contradicts(sentence, "", &format!("1. e4 e5 {result}")),
                wrong,
                "{sentence} {result}"
            );
        }
    }
}
