//! Fits what a mutator puts in reserve to a game: letters that the game has for other pieces, and the square of a piece
//! that starts in reserve (IAV-6).

use super::definition::{Definition, PieceSection};
use super::load::Mutator;
use crate::pieces::betza::{self, Betza};
use crate::text::limits::FILES_MAX;
use toml::{Table, Value};

/// Fits the reserve of a mutator's patch to a game.
///
/// # Errors
/// Why the mutator does not go over the game.
pub(super) fn fit(mutator: &Mutator, patch: &mut Table, game: &Definition) -> Result<(), String> {
    let Some(reserve) = text(patch, "setup", "reserve") else { return Ok(()) };
    let mut letters: Vec<(String, String)> = Vec::new();
    for letter in reserve.chars().map(String::from) {
        let fits = letter_in(mutator, patch, game, &letter)?;
        if letters.iter().any(|(_, taken)| *taken == fits) {
            return Err(format!("two kinds of its reserve would be `{fits}`"));
        }
        letters.push((letter, fits));
    }
    rename(patch, game, &letters);
    let reserve: String = letters.iter().map(|(_, letter)| letter.as_str()).collect();
    set(patch, "setup", "reserve", Value::String(reserve));
    match &mutator.vacates {
        Some(letter) => vacate(patch, game, letter),
        None => Ok(()),
    }
}

/// The letter that a kind of the reserve has in a game: the game's own for a piece that moves alike, else its own, else
/// the one that it has instead.
fn letter_in(mutator: &Mutator, patch: &Table, game: &Definition, letter: &str) -> Result<String, String> {
    let piece = patch.get("pieces").and_then(|pieces| pieces.get(letter));
    let Some(movement) = piece.and_then(|piece| piece.get("betza")?.as_str()).and_then(parsed) else {
        // A piece of the game that starts in reserve.
        return match game.pieces.contains_key(letter) {
            true => Ok(letter.to_owned()),
            false => Err(format!("the game has no `{letter}` that could start in reserve")),
        };
    };
    if let Some((same, _)) = game.pieces.iter().find(|(_, piece)| moves_so(piece, &movement)) {
        return Ok(same.clone());
    }
    let instead = mutator.instead.get(letter).map_or(letter, String::as_str);
    // A second letter of a piece of the game is read as that piece.
    let is_other =
        |letter: &str| game.pieces.values().any(|piece| piece.also.iter().any(|also| also == letter));
    let is_free = |letter: &&str| !game.pieces.contains_key(*letter) && !is_other(letter);
    let free = [letter, instead].into_iter().find(is_free).map(str::to_owned);
    free.ok_or_else(|| format!("the game has other pieces with the letters `{letter}` and `{instead}`"))
}

fn parsed(betza: &str) -> Option<Betza> {
    betza::parse(betza).ok()
}

/// True for an ordinary piece with this movement.
fn moves_so(piece: &PieceSection, movement: &Betza) -> bool {
    let is_ordinary = !piece.royal && !piece.anti_royal && !piece.pawn && piece.captured_as.is_none();
    is_ordinary && piece.terms.is_empty() && parsed(&piece.betza).as_ref() == Some(movement)
}

/// Gives the pieces of a patch and the articles about them their letters in a game; pieces that it has are not defined
/// again.
fn rename(patch: &mut Table, game: &Definition, letters: &[(String, String)]) {
    let renamed = |letter: &str| letters.iter().find(|(own, _)| own == letter).map(|(_, fits)| fits.clone());
    if let Some(Value::Table(pieces)) = patch.get_mut("pieces") {
        let fitting = std::mem::take(pieces).into_iter().map(|(letter, piece)| {
            let letter = renamed(&letter).unwrap_or(letter);
            (letter, piece)
        });
        pieces.extend(fitting.filter(|(letter, _)| !game.pieces.contains_key(letter)));
    }
    if let Some(Value::Table(cites)) = patch.get_mut("cites") {
        let fitting = std::mem::take(cites).into_iter().filter_map(|(reason, article)| {
            let Some((reason, letter)) = reason.rsplit_once('.') else { return Some((reason, article)) };
            match renamed(letter) {
                Some(letter) if game.pieces.contains_key(&letter) => None,
                Some(letter) => Some((format!("{reason}.{letter}"), article)),
                None => Some((format!("{reason}.{letter}"), article)),
            }
        });
        *cites = fitting.collect();
    }
}

/// Takes a piece off the back ranks of the array; its square is that of the deployment.
fn vacate(patch: &mut Table, game: &Definition, letter: &str) -> Result<(), String> {
    let mut ranks: Vec<Vec<String>> = game.setup.board.split('/').map(cells).collect();
    let place = |rank: &[String], letter: &str| {
        let mut found = (0..rank.len()).filter(|file| rank[*file] == letter);
        found.next().filter(|_| found.next().is_none())
    };
    let last = ranks.len().saturating_sub(1);
    let white = ranks.get(last).and_then(|rank| place(rank, letter));
    let black = ranks.first().and_then(|rank| place(rank, &letter.to_lowercase()));
    let (Some(file), true) = (white, white == black) else {
        return Err(format!("each player needs one `{letter}` on the back rank, both on one file (IAC 1)"));
    };
    for rank in [0, last] {
        ranks[rank][file] = String::new();
    }
    let board: Vec<String> = ranks.iter().map(|rank| placement(rank)).collect();
    set(patch, "setup", "board", Value::String(board.join("/")));
    let square = format!("{}1", char::from(b'a' + file as u8));
    set(patch, "deployment", "square", Value::String(square));
    Ok(())
}

/// The squares of a rank of an array, empty ones as empty texts.
fn cells(rank: &str) -> Vec<String> {
    let mut cells: Vec<String> = Vec::new();
    let mut rest = rank;
    while let Some(first) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            let empty = rest[..digits].parse().unwrap_or(0usize).min(FILES_MAX);
            cells.extend(std::iter::repeat_n(String::new(), empty));
            rest = &rest[digits..];
            continue;
        }
        let signs = if first == '+' { 2 } else { first.len_utf8() };
        let (cell, after) = rest.split_at_checked(signs).unwrap_or((rest, ""));
        cells.push(cell.to_owned());
        rest = after;
    }
    cells
}

/// A rank of an array as text.
fn placement(cells: &[String]) -> String {
    let (mut text, mut empty) = (String::new(), 0);
    for cell in cells {
        if cell.is_empty() {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        empty = 0;
        text.push_str(cell);
    }
    if empty > 0 {
        text.push_str(&empty.to_string());
    }
    text
}

fn text(patch: &Table, section: &str, field: &str) -> Option<String> {
    Some(patch.get(section)?.get(field)?.as_str()?.to_owned())
}

fn set(patch: &mut Table, section: &str, field: &str, value: Value) {
    let section = patch.entry(section).or_insert_with(|| Value::Table(Table::new()));
    if let Value::Table(section) = section {
        section.insert(field.to_owned(), value);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::rules::Registry;
    use crate::rules::classify::{Class, classify};

    /// Over chess under another name, the mutators make the games of their names.
    #[test]
    fn over_chess_they_are_the_classes() {
        let copy = "name = \"copy\"\nextends = \"chess\"\n";
        let registry = Registry::with_files([copy]).unwrap();
        for (name, class) in [("iago-b", Class::B), ("iago-c", Class::C), ("iago-m", Class::M)] {
            let (made, _) = registry.definition(&format!("{name}+copy"), &|_| None).unwrap();
            let (own, _) = registry.definition(name, &|_| None).unwrap();
            let found = classify(&made, &made.name);
            // Nothing is varied: the fields of play are those of the game.
            assert!(found.class == class && !found.clause.contains("varied"), "{name}: {}", found.clause);
            assert_eq!((&made.setup.board, &made.setup.reserve), (&own.setup.board, &own.setup.reserve));
        }
    }

    #[test]
    fn letters_give_way() {
        let reserve =
            |name: &str| Registry::built_in().definition(name, &|_| None).map(|found| found.0.setup);
        for (name, letters) in [
            ("iago-b+makruk", "EC"),
            ("iago-b+capablanca", "CA"),
            ("iago-m+capablanca", "QCAG"),
            ("iago-c+magicians-deathmatch", "QEC"),
            ("iago-b+shatranj", "MC"),
            // The alfil of Shatranj has the second letter A.
            ("iago-m+shatranj", "QMCG"),
        ] {
            assert_eq!(reserve(name).unwrap().reserve, letters, "{name}");
        }
        assert_eq!(reserve("iago-c+capablanca").unwrap().board.split('/').next_back(), Some("RNAB1KBCNR"));
        for (name, why) in [
            ("iago-b+xiangqi", "the game has other pieces with the letters `C` and `A`"),
            ("iago-c+makruk", "the game has no `Q` that could start in reserve"),
            ("iago-b+crazyhouse", "pieces are dropped from hand (IAB 1, IAV-6)"),
            ("iago-b+ingols", "pawns promote by rules of their own"),
            ("iago-b+atomic", "captures explode"),
            ("iago-b+iago-c", "it has a reserve already"),
            ("iago-c+omega", "each player needs one `Q` on the back rank"),
            ("iago-c+antiking-1", "pieces have first leaps"),
        ] {
            let error = reserve(name).unwrap_err().to_string();
            assert!(error.contains(why), "{name}: {error}");
        }
    }
}
