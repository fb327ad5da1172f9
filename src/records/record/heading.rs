//! The heading of a game for people, from its tags.

use super::Record;
use ferz_core::text::visible;

/// A tag's value, unless it is empty or a placeholder.
fn known(record: &Record<'_>, name: &str) -> Option<String> {
    let value = record.tag(name)?;
    let value = value.trim();
    let says = !value.is_empty() && !value.bytes().all(|byte| b"?-.".contains(&byte));
    says.then(|| visible(value.as_bytes()))
}

/// Who played: the names, the event without names, or else the number of the game, from 0.
pub fn players(record: &Record<'_>, number: usize) -> String {
    if record.names_four_players() {
        let name = |tag| known(record, tag).unwrap_or_else(|| "?".to_owned());
        return format!("{} & {} – {} & {}", name("WhiteA"), name("BlackB"), name("BlackA"), name("WhiteB"));
    }
    let third = known(record, "Nature").map_or_else(String::new, |name| format!(" – {name} (Nature)"));
    match (known(record, "White"), known(record, "Black")) {
        (None, None) => known(record, "Event").unwrap_or_else(|| format!("Game {}", number + 1)),
        (white, black) => {
            let name = |player: Option<String>| player.unwrap_or_else(|| "?".to_owned());
            format!("{} – {}{third}", name(white), name(black))
        }
    }
}

/// Where and when: event, site, round and date, as far as they are known.
pub fn occasion(record: &Record<'_>) -> String {
    let named = ["White", "Black", "WhiteA"].iter().any(|player| known(record, player).is_some());
    let event = known(record, "Event").filter(|_| named);
    let round = known(record, "Round").map(|round| format!("round {round}"));
    let parts = [event, known(record, "Site"), round, known(record, "Date")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::read;

    #[test]
    fn unknown_names_are_left_out() {
        let heading = |text: &str| {
            let record = read(text.as_bytes(), 0).next().unwrap();
            (players(&record, 2), occasion(&record))
        };
        let both =
            "[White \"Ann\"]\n[Black \"?\"]\n[Event \"Cup\"]\n[Round \"-\"]\n[Date \"2026.??.??\"]\n\n*";
        assert_eq!(heading(both), ("Ann – ?".to_owned(), "Cup, 2026.??.??".to_owned()));
        assert_eq!(heading("[Event \"Cup\"]\n\n*"), ("Cup".to_owned(), String::new()));
        assert_eq!(heading("1. e4 *"), ("Game 3".to_owned(), String::new()));
    }
}
