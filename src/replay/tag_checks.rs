//! What a record's tags say of the game, against what was played.

use super::clocks::{NatureClock, Timing, all_fit, check_clocks};
use super::codes;
use super::report::Report;
use crate::board::Owner;
use crate::judge::EndReason;
use crate::record::time_control::{Termination, TimeControl};
use crate::record::{GameResult, Record, TagPair};
use crate::text::{Code, Diagnostic, Severity};

/// The tags that are compared with the game, found in one pass: there may be millions of games.
#[derive(Default)]
struct Tags<'t> {
    ply_count: Option<&'t TagPair>,
    termination: Option<&'t TagPair>,
    time_control: Option<&'t TagPair>,
    nature_clock: Option<&'t TagPair>,
    nature_limit: Option<&'t TagPair>,
    nature_touch: Option<&'t TagPair>,
    fen: Option<&'t TagPair>,
    current: Option<&'t TagPair>,
}

impl<'t> Tags<'t> {
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
                b"FEN" => &mut tags.fen,
                b"CurrentPosition" => &mut tags.current,
                _ => continue,
            };
            slot.get_or_insert(tag);
        }
        tags
    }
}

/// What contradicts the game in the tags of a record that was judged.
pub(super) fn against_the_game(record: &Record<'_>, report: &Report, has_nature: bool) -> Vec<Diagnostic> {
    let tags = Tags::of(record);
    let checks = Checks { record, report, tags: &tags };
    let mut found = Vec::new();
    found.extend(tags.ply_count.and_then(|tag| checks.ply_count(tag)));
    found.extend(tags.termination.and_then(|tag| checks.termination(tag)));
    found.extend(tags.current.and_then(|tag| checks.current_position(tag)));
    found.extend(checks.nature(has_nature));
    found.extend(checks.clocks(has_nature));
    found
}

struct Checks<'a> {
    record: &'a Record<'a>,
    report: &'a Report,
    tags: &'a Tags<'a>,
}

impl Checks<'_> {
    fn say(&self, tag: &TagPair, code: Code, severity: Severity, message: String) -> Diagnostic {
        Diagnostic::new(code, severity, self.record.tag_span(tag), message)
    }

    fn ply_count(&self, tag: &TagPair) -> Option<Diagnostic> {
        let said: usize = self.record.tag_value(tag).trim().parse().ok()?;
        let plies = self.record.main_moves().count();
        let message = format!("the tag PlyCount says {said}, and the game has {plies} plies");
        (said != plies).then(|| self.say(tag, codes::J_PLY_COUNT, Severity::Warning, message))
    }

    /// Chess.com gives the position at the end; board and player are compared.
    fn current_position(&self, tag: &TagPair) -> Option<Diagnostic> {
        let value = self.record.tag_value(tag);
        let essence =
            |fen: &str| -> Vec<String> { fen.split_ascii_whitespace().take(2).map(str::to_owned).collect() };
        let same = self.report.illegal.is_some() || essence(&value) == essence(&self.report.final_fen);
        let message =
            format!("the tag CurrentPosition is not the position at the end, {}", self.report.final_fen);
        (!same).then(|| self.say(tag, codes::J_POSITION_TAG, Severity::Warning, message))
    }

    fn termination(&self, tag: &TagPair) -> Option<Diagnostic> {
        let value = self.record.tag_value(tag);
        let termination = Termination::parse(&value)?;
        let message = self.contradiction(termination, &value)?;
        Some(self.say(tag, codes::J_TERMINATION, Severity::Warning, message))
    }

    /// How the way in which a game ended contradicts the board or the result.
    fn contradiction(&self, termination: Termination, value: &str) -> Option<String> {
        let result = self.record.result.or_else(|| GameResult::parse(self.report.result_tag?));
        let finished = result.is_some_and(|result| result != GameResult::Unknown);
        if termination == Termination::Unterminated && finished {
            return Some(format!("the tag Termination says `{value}`, and the game has a result"));
        }
        let names = ["White", "Black"].map(|tag| self.record.tag(tag).unwrap_or_default());
        if let Some(told) = Termination::told_result(value, &names)
            && result.is_some_and(|result| result != told)
        {
            let result = result.unwrap_or(GameResult::Unknown).as_str();
            return Some(format!("the tag Termination says `{value}`, and the result is {result}"));
        }
        if termination == Termination::TimeForfeit && !finished {
            return Some(format!("the tag Termination says `{value}`, and the game has no result"));
        }
        if !self.report.legal {
            return None;
        }
        let end = self.report.end.map(|end| end.reason);
        // After a draw by itself play goes on in old records, so only the other ends exclude what a tag says (COM-4).
        let final_end = end.filter(|reason| !reason.is_draw_by_itself());
        let fits = match termination {
            Termination::Normal | Termination::DrawByRule => return None,
            Termination::Checkmate => end == Some(EndReason::Checkmate),
            Termination::Stalemate => end == Some(EndReason::Stalemate),
            _ => final_end.is_none(),
        };
        if fits {
            return None;
        }
        let shown = final_end.map_or("no such end".to_owned(), |reason| reason.id().replace('_', " "));
        Some(format!("the tag Termination says `{value}`, and the board shows {shown}"))
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
                format!("the tag {} says nothing: the game has no third player", self.record.tag_name(tag))
            } else if !values.is_empty() && !values.contains(&&*value) {
                format!("{} is one of: {}; not `{value}`", self.record.tag_name(tag), values.join(", "))
            } else {
                continue;
            };
            found.push(self.say(tag, codes::J_NATURE_TAG, Severity::Info, message));
        }
        found
    }

    fn clocks(&self, has_nature: bool) -> Vec<Diagnostic> {
        let limit = self.tags.nature_limit.and_then(|tag| self.record.tag_value(tag).parse::<u64>().ok());
        let control =
            self.tags.time_control.and_then(|tag| TimeControl::parse(self.record.tag_value(tag).trim()).ok());
        let periods = match &control {
            Some(TimeControl::Periods(periods)) => &periods[..],
            _ => &[],
        };
        // Where a player was passed over, nobody knows whose clock is whose.
        let knows = self.report.stood.is_empty();
        if periods.is_empty() && limit.is_none() || !knows || !self.record.has_times() {
            return Vec::new();
        }
        let clock = self.tags.nature_clock.map(|tag| self.record.tag_value(tag));
        let nature_clock = match clock.as_deref() {
            Some("pause+increment") => NatureClock::Increment,
            Some("pause+increment-both") => NatureClock::IncrementBoth,
            _ => NatureClock::Pause,
        };
        let fen = self.tags.fen.map(|tag| self.record.tag_value(tag));
        let field = |at: usize| fen.as_deref().and_then(|fen| fen.split_ascii_whitespace().nth(at));
        let first = if field(1) == Some("b") { Owner::Black } else { Owner::White };
        let number = field(5).and_then(|number| number.parse().ok()).unwrap_or(1);
        let timing = Timing {
            periods,
            nature_limit: limit.map(|limit| limit.saturating_mul(1000)),
            nature_clock,
            first,
            number,
        };
        if !has_nature && all_fit(self.record, &timing, self.report.plies) {
            return Vec::new();
        }
        check_clocks(self.record, timing, self.report.plies)
    }
}
