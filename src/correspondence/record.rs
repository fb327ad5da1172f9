//! The game as a record: what it becomes in the archive, and what everything else that reads records works on.

use crate::State;
use chrono::DateTime;
use ferz_core::board::Owner;
use ferz_records::clock::shown;
use std::collections::BTreeMap;
use std::fmt::Write as _;

impl State {
    /// The game so far as a record in PGN, its plies in coordinate notation, with what it says about its end.
    pub fn record(&self) -> String {
        let terms = &self.setting().terms;
        let result = self.end().map_or("*", |end| end.result.as_str());
        let date = self.begun().and_then(date).unwrap_or_else(|| "????.??.??".to_owned());
        let given = |name: &str| terms.tags.get(name).map(String::as_str);
        let mut text = String::new();
        let mut tag = |name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(text, "[{name} \"{value}\"]");
        };
        let roster = ["Event", "Site", "Date", "Round"];
        for (name, unknown) in roster.into_iter().zip(["?", "?", date.as_str(), "?"]) {
            tag(name, given(name).unwrap_or(unknown));
        }
        tag("White", &terms.players.white);
        tag("Black", &terms.players.black);
        tag("Result", result);
        tag("Variant", &terms.variant);
        if let Some(nature) = terms.players.name(Owner::Nature) {
            tag("Nature", nature);
        }
        for (name, value) in &terms.tags {
            if !roster.contains(&name.as_str()) {
                tag(name, value);
            }
        }
        if terms.tags.contains_key("FEN") {
            tag("SetUp", "1");
        }
        for (name, army) in self.present_armies() {
            tag(name, army);
        }
        if let Some(end) = self.end() {
            // What the moves do not show.
            let words = match end.cause.as_str() {
                "agreement" => "agreement",
                "resignation" => "resignation",
                "ruling" => "adjudication",
                "time" | "time_win" | "silence" => "time forfeit",
                "sealed-ply" => "rules infraction",
                _ => "normal",
            };
            tag("Termination", words);
        }
        text.push('\n');
        let clocks = self.clocks_after();
        for (index, coord) in self.plies().iter().enumerate() {
            text.push_str(coord);
            if self.is_draw_offered(index) {
                text.push_str(" (=)");
            }
            match clocks.get(&(index + 1)) {
                Some(left) => {
                    let _ = write!(text, " {{[%clk {}]}} ", shown(*left));
                }
                None => text.push(' '),
            }
        }
        let _ = writeln!(text, "{result}");
        text
    }

    /// The time that the player of each ply had left after it, by its number. Plies that were taken back and those that
    /// were made elsewhere had other numbers, so that it is not shown then.
    fn clocks_after(&self) -> BTreeMap<usize, u64> {
        let last = self.instants().last().copied().unwrap_or_default();
        let is_plain = self.takebacks == 0 && self.setting().terms.adopted.is_none();
        let clocks = self.clocks(last).filter(|_| is_plain);
        clocks.into_iter().flat_map(|clocks| clocks.steps).map(|step| (step.ply, step.after)).collect()
    }
}

/// The day of an instant as in the tag `Date`, in UTC.
fn date(at: u64) -> Option<String> {
    let at = DateTime::from_timestamp_millis(i64::try_from(at).ok()?)?;
    Some(at.format("%Y.%m.%d").to_string())
}
