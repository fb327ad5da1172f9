//! Lists of players and of pairings as CSV.

use super::pairings::Pairing;
use super::rows::read_rows;
use serde::Deserialize;
use std::collections::HashSet;

/// A player of an event.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Player {
    /// The name: that of the holder of a token.
    pub name: String,
    /// The address for reminders.
    #[serde(default)]
    pub email: Option<String>,
}

/// Reads a list with the column `name` and, perhaps, `email`; other columns are not used.
///
/// # Errors
/// With the line, if there is no such column, a name is missing or stands there twice.
pub fn read_players(text: &str) -> Result<Vec<Player>, String> {
    let mut seen = HashSet::new();
    let players: Vec<(usize, Player)> = read_rows(text)?;
    for (line, Player { name, .. }) in &players {
        match name.as_str() {
            "" => return Err(format!("line {line}: the name is missing")),
            name if !seen.insert(name) => return Err(format!("line {line}: `{name}` is there before")),
            _ => {}
        }
    }
    if players.len() < 2 {
        return Err("an event has at least two players, one a line below the heading `name`".to_owned());
    }
    Ok(players.into_iter().map(|(_, player)| player).collect())
}

/// Reads a list with the columns `round`, `white` and `black`.
///
/// # Errors
/// With the line, if a column is missing, or a player is not one of the event or meets himself.
pub fn read_pairings(text: &str, players: &[String]) -> Result<Vec<Pairing>, String> {
    let mut all = Vec::new();
    for (line, pairing) in read_rows::<Pairing>(text)? {
        pairing.check(players).map_err(|why| format!("line {line}: {why}"))?;
        all.push(pairing);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_with_their_places() {
        let players =
            read_players("\u{feff}Name;Email;Elo\nAnn Arber; ann@example.org;2100\n\"Ben, jr.\";;\n")
                .unwrap();
        assert_eq!(players[0].email.as_deref(), Some("ann@example.org"));
        assert_eq!((players[1].name.as_str(), players[1].email.as_deref()), ("Ben, jr.", None));
        let names: Vec<String> = players.into_iter().map(|player| player.name).collect();
        let pairings = read_pairings("round,white,black\n1,\"Ben, jr.\",Ann Arber\n", &names).unwrap();
        assert_eq!(
            pairings,
            [Pairing { round: "1".into(), white: "Ben, jr.".into(), black: "Ann Arber".into() }]
        );
        for (text, why) in [
            ("name\nAnn\n\nAnn\n", "line 4: `Ann` is there before"),
            ("player\nAnn\nBen\n", "line 2: missing field `name`"),
            ("name\nAnn\n", "at least two players"),
            ("name,email\nAnn,a@b\n,c@d\n", "line 3: the name is missing"),
        ] {
            let found = read_players(text).unwrap_err();
            assert!(found.contains(why), "{text}: {found}");
        }
        for (text, why) in [
            ("round,white,black\n1,Ann Arber,Cleo\n", "line 2: `Cleo` is not in the list of players"),
            ("round,white,black\n1,Ann Arber,Ann Arber\n", "line 2: `Ann Arber` meets himself"),
            ("round,white\n1,Ann Arber\n", "line 2: missing field `black`"),
        ] {
            let found = read_pairings(text, &names).unwrap_err();
            assert!(found.contains(why), "{text}: {found}");
        }
    }
}
