//! Checks the values of tags whose form the standard prescribes: dates, times, ratings, openings, time controls.

use super::codes;
use super::item::{GameResult, says_both_lose};
use super::read::Record;
use super::tags::TagPair;
use super::time_control::{Termination, TimeControl, in_words};
use ferz_core::text::{Diagnostic, Severity, Span};

/// What is wrong with a value, if anything.
type Fault = Option<(Span, String)>;

impl Record<'_> {
    /// A diagnostic for every tag whose value does not have the form of the standard. One pass over the tags, as there
    /// may be millions of games.
    ///
    /// Not among the [`diagnostics`](Record::diagnostics), since reading does not check values.
    pub fn check_tag_values(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for tag in &self.tags {
            let name = &self.source()[tag.name as usize..(tag.name + tag.name_len) as usize];
            let written = self.tag_bytes(tag);
            let check: fn(&str) -> Fault = match name {
                b"Date" | b"UTCDate" | b"EventDate" | b"EndDate" if is_plain_date(written) => continue,
                b"Date" | b"UTCDate" | b"EventDate" | b"EndDate" => date,
                b"WhiteElo" | b"BlackElo" | b"NatureElo" if is_plain_rating(written) => continue,
                b"ECO" if is_plain_opening(written) => continue,
                b"Time" | b"UTCTime" | b"StartTime" if is_plain_time(written) => continue,
                b"Termination" if matches!(written, b"Normal" | b"Time forfeit") => continue,
                b"TimeControl" if is_plain_control(written) => continue,
                b"Time" | b"UTCTime" | b"StartTime" => time,
                b"WhiteElo" | b"BlackElo" | b"NatureElo" => rating,
                b"ECO" => opening,
                b"PlyCount" | b"NatureTimeLimit" => count,
                b"Result" if GameResult::parse_standard(written).is_some() => continue,
                b"Result" => result,
                b"Termination" => termination,
                b"TimeControl" => {
                    found.extend(self.check_time_control(tag));
                    continue;
                }
                _ => continue,
            };
            let value = self.tag_value(tag);
            if let Some((part, message)) = check(&value) {
                let span = self.tag_part_span(tag, part);
                let message = format!("{}: {message}", self.tag_name(tag));
                found.push(Diagnostic::new(codes::TAG_FORM, Severity::Info, span, message));
            }
        }
        found.extend(self.check_event_date());
        found
    }

    fn check_event_date(&self) -> Option<Diagnostic> {
        let tag = self.find_tag("EventDate")?;
        let (event, game) = (self.tag_value(tag), self.tag("Date")?);
        if date(&event).is_some() || date(&game).is_some() {
            return None;
        }
        let mut pairs = known_parts(&event).zip(known_parts(&game));
        pairs.find(|(event, game)| event != game).filter(|(event, game)| event > game)?;
        let message = format!("EventDate: `{event}` is later than Date, `{game}`; correct one of them");
        Some(Diagnostic::new(codes::EVENT_LATER, Severity::Warning, self.tag_span(tag), message))
    }

    fn check_time_control(&self, tag: &TagPair) -> Option<Diagnostic> {
        let value = self.tag_value(tag);
        let error = match TimeControl::parse(value.trim()) {
            Ok(_) => {
                let standard = in_words(value.trim())?;
                let message =
                    format!("TimeControl: `{value}` is not the standard's form; write `{standard}`");
                return Some(Diagnostic::new(codes::TAG_FORM, Severity::Info, self.tag_span(tag), message));
            }
            Err(error) => error,
        };
        let span = self.tag_part_span(tag, error.span);
        Some(Diagnostic::new(codes::TIME_CONTROL, Severity::Warning, span, error.message))
    }
}

fn whole(value: &str, message: impl Into<String>) -> Fault {
    Some((Span::new(0, value.len()), message.into()))
}

/// A number, question marks, or neither.
fn part(text: &str, digits: usize) -> Option<Option<u32>> {
    let fits = text.len() == digits;
    let unknown = fits && text.bytes().all(|byte| byte == b'?');
    let number = || text.parse().ok().filter(|_| fits && text.bytes().all(|byte| byte.is_ascii_digit()));
    if unknown { Some(None) } else { number().map(Some) }
}

/// Year, month and day of a date, up to the first that is unknown.
fn known_parts(date: &str) -> impl Iterator<Item = u32> {
    date.split('.').map_while(|part| part.parse().ok())
}

/// True for the common dates that are certainly valid, their parts known or not: every month has 28 days.
fn is_plain_date(value: &[u8]) -> bool {
    let &[y, y1, y2, y3, b'.', m, m1, b'.', d, d1] = value else { return false };
    let up_to = |[tens, ones]: [u8; 2], most: u8| {
        let number = || tens.wrapping_sub(b'0').wrapping_mul(10).wrapping_add(ones.wrapping_sub(b'0'));
        let digits = tens.is_ascii_digit() && ones.is_ascii_digit();
        digits && (1..=most).contains(&number()) || [tens, ones] == *b"??"
    };
    let year = [y, y1, y2, y3];
    (year.iter().all(u8::is_ascii_digit) || year == *b"????") && up_to([m, m1], 12) && up_to([d, d1], 28)
}

/// True for the common times of day that are certainly valid.
fn is_plain_time(value: &[u8]) -> bool {
    let &[h, h1, b':', m, m1, b':', s, s1] = value else { return false };
    let below = |[tens, ones]: [u8; 2], limit: u8| {
        tens.is_ascii_digit() && ones.is_ascii_digit() && (tens - b'0') * 10 + ones - b'0' < limit
    };
    below([h, h1], 24) && below([m, m1], 60) && below([s, s1], 60)
}

/// True for `300+3`, the form of most time controls.
fn is_plain_control(value: &[u8]) -> bool {
    let Some(plus) = value.iter().position(|byte| *byte == b'+') else { return false };
    let (time, increment) = (&value[..plus], &value[plus + 1..]);
    let digits = |text: &[u8]| (1..=5).contains(&text.len()) && text.iter().all(u8::is_ascii_digit);
    digits(time) && digits(increment) && time[0] != b'0'
}

/// True for a rating of three or four digits, the common case.
fn is_plain_rating(value: &[u8]) -> bool {
    matches!(value.len(), 3 | 4) && value.iter().all(u8::is_ascii_digit)
}

/// True for a letter and two digits, the common form of opening codes.
fn is_plain_opening(value: &[u8]) -> bool {
    matches!(value, [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9'])
}

/// `2024.02.29`, with question marks for unknown digits.
fn date(value: &str) -> Fault {
    // Some programs write this for unknown dates.
    if matches!(value, "" | "?" | "-") {
        return None;
    }
    let mut parts = value.split('.');
    let mut next = |digits| parts.next().and_then(|text| part(text, digits));
    let (Some(year), Some(month), Some(day), None) = (next(4), next(2), next(2), parts.next()) else {
        return whole(value, format!("`{value}` is not a date; write 2024.02.29, with ? for unknown digits"));
    };
    let (from, to) = (month.unwrap_or(1), month.unwrap_or(12));
    let known = (1..=12).contains(&from);
    let days = |month: u32| match month {
        2 if year.is_some_and(|year| year % 4 != 0 || year % 100 == 0 && year % 400 != 0) => 28,
        2 => 29,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let longest = (from..=to).map(days).max().unwrap_or(31);
    match day {
        _ if !known => whole(value, format!("`{value}`: no such month")),
        Some(day) if !(1..=longest).contains(&day) => whole(value, format!("`{value}`: no such day")),
        _ => None,
    }
}

/// `1-0`, `0-1`, `1/2-1/2` or `*`.
fn result(value: &str) -> Fault {
    match GameResult::parse(value.trim()) {
        _ if matches!(value, "" | "?") => None,
        Some(meant) => {
            whole(value, format!("`{value}` is not the standard's form; write `{}`", meant.as_str()))
        }
        None if says_both_lose(value.as_bytes()) => {
            let message =
                "`0-0`, a loss for both players, is no result of the standard; end the moves with `*`";
            whole(value, message.to_owned())
        }
        None => whole(value, format!("`{value}` is not a result; write 1-0, 0-1, 1/2-1/2 or *")),
    }
}

/// `17:10:42`.
fn time(value: &str) -> Fault {
    if matches!(value, "" | "?" | "-") {
        return None;
    }
    let mut parts = value.split(':');
    let mut next = |below: u32| {
        let found = parts.next().and_then(|text| part(text, 2))?;
        found.is_none_or(|number| number < below).then_some(())
    };
    let fits = next(24).and(next(60)).and(next(60)).is_some() && parts.next().is_none();
    if fits {
        return None;
    }
    let meant = time_of_half_day(value).unwrap_or_else(|| "17:10:42".to_owned());
    whole(value, format!("`{value}` is not a time of day; write {meant}"))
}

/// `3:15 p.m.`, as people and some programs write it, in the form of the standard.
fn time_of_half_day(value: &str) -> Option<String> {
    let small = value.to_ascii_lowercase().replace('.', "");
    let (text, after_noon) = match small.strip_suffix("am") {
        Some(text) => (text, 0),
        None => (small.strip_suffix("pm")?, 12),
    };
    let mut units = text.trim().split(':').map(|unit| unit.parse().ok().filter(|number: &u32| *number < 60));
    let hour = units.next()?.filter(|hour| (1..=12).contains(hour))?;
    let (minute, second) = (units.next().unwrap_or(Some(0))?, units.next().unwrap_or(Some(0))?);
    units.next().is_none().then(|| format!("{:02}:{minute:02}:{second:02}", hour % 12 + after_noon))
}

/// A number, `-` for none, `?` for unknown; a question mark after a provisional one.
fn rating(value: &str) -> Fault {
    let digits = value.strip_suffix('?').unwrap_or(value);
    let number = (1..=4).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let fits = number || matches!(value, "" | "-" | "?");
    if fits { None } else { whole(value, format!("`{value}` is not a rating; write a number, or `-`")) }
}

/// `C42`, `C42/03`, followed by letters as some programs write them.
fn opening(value: &str) -> Fault {
    let fits = match value.as_bytes() {
        [] | b"?" | b"-" | b"???" => true,
        [b'A'..=b'E', tens, ones, rest @ ..] => {
            let number = tens.is_ascii_digit() && ones.is_ascii_digit();
            number && rest.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'/') && rest.len() <= 4
        }
        _ => false,
    };
    if fits { None } else { whole(value, format!("`{value}` is not an ECO code; write A00 to E99")) }
}

fn count(value: &str) -> Fault {
    let fits = matches!(value, "" | "?" | "-") || value.parse::<u32>().is_ok();
    if fits { None } else { whole(value, format!("`{value}` is not a number")) }
}

fn termination(value: &str) -> Fault {
    if matches!(value, "" | "?" | "-") || Termination::parse(value).is_some() {
        return None;
    }
    whole(
        value,
        format!(
            "`{value}` is not one of the standard's values: normal, time forfeit, adjudication, abandoned, rules \
             infraction, death, emergency, unterminated"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::{date, is_plain_date};
    use crate::record::read;

    fn message(tag: &str, value: &str) -> String {
        let text = format!("[{tag} \"{value}\"]\n\n*\n");
        let record = read(text.as_bytes(), 0).next().unwrap();
        record.check_tag_values().into_iter().map(|found| found.message).collect()
    }

    #[test]
    fn forms_of_the_standard_and_unknown_values_are_good() {
        for (tag, values) in [
            (
                "Date",
                &["2024.02.29", "????.??.??", "1997.??.??", "2023.02.??", "????.02.29", "1972.??.31", "?"][..],
            ),
            ("UTCTime", &["00:00:00", "23:59:59", "??:??:??"]),
            ("WhiteElo", &["2851", "-", "?", "", "1500?"]),
            ("ECO", &["A00", "E99", "B33a", "C42/03", "?"]),
            ("PlyCount", &["0", "5949"]),
            (
                "Termination",
                &[
                    "normal",
                    "Time forfeit",
                    "Rules infraction",
                    "bob won on time",
                    "Game drawn by repetition",
                ],
            ),
            ("TimeControl", &["?", "-", "40/7200:3600", "600+5", "1/86400", "*180"]),
            ("Annotator", &["anything"]),
        ] {
            for value in values {
                assert_eq!(message(tag, value), "", "{tag} {value}");
            }
        }
    }

    #[test]
    fn a_game_is_not_dated_before_its_event_begins() {
        for (event, date, reported) in [
            ("2024.03.02", "2024.03.01", true),
            ("2024.03.01", "2024.02.29", true),
            ("2024.01.01", "2023.12.31", true),
            ("2024.03.??", "2024.02.29", true),
            ("2024.??.??", "2023.??.??", true),
            ("2024.03.01", "2024.03.01", false),
            ("2024.02.29", "2024.03.01", false),
            ("2023.12.31", "2024.01.01", false),
            // An unknown part of either date decides nothing, and neither does what follows it.
            ("2024.03.02", "2024.03.??", false),
            ("2024.??.02", "2024.03.01", false),
            ("2024.03.02", "????.??.??", false),
            ("????.03.02", "????.03.01", false),
            ("2024.03.02", "?", false),
            ("", "2024.03.01", false),
        ] {
            let text = format!("[EventDate \"{event}\"]\n[Date \"{date}\"]\n\n*\n");
            let record = read(text.as_bytes(), 0).next().unwrap();
            let found = record.check_tag_values();
            let codes: Vec<_> = found.iter().map(|found| found.code.0).collect();
            assert_eq!(codes, if reported { &["S048"][..] } else { &[] }, "{event} {date}");
        }
        // What is not a date is reported as such, and compared with nothing.
        for (event, date) in
            [("2024.02.30", "2024.02.01"), ("2.3.2024", "2024.03.01"), ("2024.03.02", "1.3.2024")]
        {
            let text = format!("[EventDate \"{event}\"]\n[Date \"{date}\"]\n\n*\n");
            let record = read(text.as_bytes(), 0).next().unwrap();
            let codes: Vec<_> = record.check_tag_values().iter().map(|found| found.code.0).collect();
            assert_eq!(codes, ["S038"], "{event} {date}");
        }
    }

    #[test]
    fn the_form_of_the_standard_is_named() {
        // Times of day and time controls as people and Arena, WinBoard and LittleBlitzer write them.
        for (tag, value, standard) in [
            ("Time", "3:15 p.m.", "15:15:00"),
            ("UTCTime", "12:00:30 AM", "00:00:30"),
            ("StartTime", "12pm", "12:00:00"),
            ("TimeControl", "15 min. + 10 s. per move", "`900+10`"),
            ("TimeControl", "2 hours", "`7200`"),
            ("TimeControl", "3 minutes + 2 sec", "`180+2`"),
        ] {
            let message = message(tag, value);
            assert!(message.contains(&format!("write {standard}")), "{message}");
        }
        assert!(message("Time", "13:15 p.m.").contains("write 17:10:42"));
        assert!(message("TimeControl", "15 parsecs + 10").contains("not a period"));
        for value in ["GUI adjudication", "3-fold rep", "mate in 2", "+600cp in 3", "Weiß gibt auf"] {
            assert_eq!(message("Termination", value), "", "{value}");
        }
    }

    #[test]
    fn plain_dates_are_good_dates() {
        let numbers = |most: u8| (0..=most).map(|number| format!("{number:02}"));
        let parts = |most| numbers(most).chain(["??", "?1", "1?", "x1", " 1"].map(str::to_owned));
        let mut plain = 0;
        for year in ["2023", "2024", "????", "20??", "+123"] {
            for (month, day) in parts(14).flat_map(|month| parts(33).map(move |day| (month.clone(), day))) {
                let value = format!("{year}.{month}.{day}");
                if is_plain_date(value.as_bytes()) {
                    assert!(date(&value).is_none(), "{value}");
                    plain += 1;
                }
            }
        }
        assert_eq!(plain, 3 * 13 * 29);
    }

    #[test]
    fn other_values_are_reported() {
        for (tag, value, word) in [
            ("Date", "29.2.2024", "is not a date"),
            ("Date", "2023.02.29", "no such day"),
            ("Date", "2023.13.01", "no such month"),
            ("UTCTime", "24:00:00", "not a time of day"),
            ("BlackElo", "strong", "not a rating"),
            ("ECO", "F00", "not an ECO code"),
            ("PlyCount", "-3", "not a number"),
            ("Termination", "the roof fell in", "not one of the standard's values"),
            ("TimeControl", "five minutes", "not a period of a time control"),
        ] {
            let message = message(tag, value);
            assert!(message.contains(word) && message.contains(&format!("`{value}`")), "{message}");
        }
    }
}
