//! A game's rules as text, generated from the fields of its definition.
//!
//! Each sentence cites its articles of `formats/RULES.md`. Where a ruling is a field with several readings, the active
//! reading follows. The text adds nothing to the fields.

mod complete;
mod drawn;
mod extras;
mod movement;
mod sections;
#[cfg(test)]
mod tests;
mod wins;

pub use complete::missing_words;

use super::compile::{Choices, compile};
use super::compiled::RulesId;
use super::definition::{BoardSection, Check, Definition, Kings, PieceSection, PromotionTo, Victims};
use super::kinds::KindId;
use crate::board::{Mask, Owner, Square};
use serde::Serialize;
use std::collections::BTreeSet;
use toml::Value;

/// Widest line, in characters.
const WIDTH: usize = 80;
/// Stands for a space where a line must not break.
const FIXED_BLANK: char = '\u{a0}';

/// The rules of a merged definition as Markdown, wrapped at 80 columns. `rules_digest` is the digest of the compiled
/// rules (`RulesId::digest`).
pub fn prose(definition: &Definition, rules_digest: &str) -> String {
    let mut writer =
        Writer { definition, cited: cited(definition), named: BTreeSet::new(), out: String::new() };
    writer.head(rules_digest);
    writer.board();
    writer.pieces();
    writer.sections();
    writer.out
}

/// True if a pawn may stay unpromoted where promotion was offered and move from there to where it is offered again, so
/// that the reading of ICH-3 matters. On array squares each square offers a different piece (ING 4), so nothing is
/// offered twice.
pub fn promotion_is_asked_again(definition: &Definition) -> bool {
    let id = RulesId { name: String::new(), edition: String::new(), digest: String::new() };
    let Ok(rules) = compile::<u128>(definition, id, &Choices::default()) else { return false };
    let promotion = &rules.promotion[Owner::White];
    let again = |pawn: KindId, from: Square| {
        let reach = rules.moves[Owner::White].reach(pawn.index(), from);
        let to = reach.leap_quiet | reach.slide_quiet | reach.leap_capture | reach.slide_capture;
        // Moves that depend on other pieces are not followed; they may lead anywhere.
        let complex = rules.moves[Owner::White].complex_kinds() >> pawn.0 & 1 == 1;
        complex || (to & promotion.zone).any()
    };
    let optional = promotion.zone & !promotion.forced;
    rules.promotion_to != PromotionTo::ArraySquare
        && rules
            .pawns
            .kinds()
            .filter(|pawn| !rules.promoters.has(*pawn))
            .any(|pawn| optional.squares().any(|from| again(pawn, from)))
}

struct Writer<'a> {
    definition: &'a Definition,
    /// All ids that the definition cites.
    cited: BTreeSet<String>,
    /// Ids named in the section so far.
    named: BTreeSet<String>,
    out: String,
}

impl Writer<'_> {
    fn heading(&mut self, text: &str) {
        self.out.push_str(&format!("\n## {text}\n\n"));
        self.named.clear();
    }

    /// A sentence with its articles.
    fn say(&mut self, text: &str, ids: &[&str]) {
        self.sentence(text, ids, None);
    }

    /// The same for a ruling that is a field, with its active reading.
    fn reading(&mut self, text: &str, ids: &[&str], field: &str, value: &impl Serialize) {
        let value = Value::try_from(value).map_or_else(
            |_| String::new(),
            |value| match value {
                Value::String(word) => word,
                Value::Integer(number) => number.to_string(),
                Value::Boolean(on) => on.to_string(),
                _ => String::new(),
            },
        );
        self.sentence(
            text,
            ids,
            Some(format!("reading `{field} = {value}`").replace(' ', &FIXED_BLANK.to_string())),
        );
    }

    fn sentence(&mut self, text: &str, ids: &[&str], reading: Option<String>) {
        let ids = self.ids_of(ids);
        self.named.extend(ids.iter().cloned());
        let fixed =
            ids.iter().map(|id| id.replace(' ', &FIXED_BLANK.to_string())).collect::<Vec<_>>().join(", ");
        let notes: Vec<String> = (!fixed.is_empty()).then_some(fixed).into_iter().chain(reading).collect();
        let text =
            if notes.is_empty() { format!("{text}.") } else { format!("{text} ({}).", notes.join("; ")) };
        self.out.push_str(&wrapped(&text, "- ", "  "));
    }

    /// The articles among `ids` that this definition cites. If it cites none, the first one, where that is of the Laws
    /// or of a source that the definition cites, since RULES.md explains the reading there; a game of one's own has no
    /// articles of others. Common rulings and those on mutators apply to every game.
    fn ids_of(&self, candidates: &[&str]) -> Vec<String> {
        let cites = candidates.iter().any(|id| self.cited.contains(*id));
        let of_source = |id: &&&str| {
            let source = |id: &str| id.split([' ', '-']).next().unwrap_or_default().to_owned();
            id.starts_with("FIDE") || self.cited.iter().any(|cited| source(cited) == source(id))
        };
        let first = candidates.first().filter(|_| !cites).filter(of_source);
        let tells = |id: &&&str| {
            self.cited.contains(**id) || first == Some(*id) || id.starts_with("COM") || id.starts_with("IAV")
        };
        candidates.iter().filter(tells).map(|id| (*id).to_owned()).collect()
    }

    /// Ends a section with its articles that no sentence named.
    fn further(&mut self, rule: &str) {
        let rest: Vec<String> = expanded(rule)
            .into_iter()
            .filter(|id| !self.named.contains(id))
            .map(|id| id.replace(' ', &FIXED_BLANK.to_string()))
            .collect();
        if !rest.is_empty() {
            self.out.push_str(&wrapped(&format!("See also {}.", rest.join(", ")), "- ", "  "));
        }
    }

    fn head(&mut self, digest: &str) {
        let definition = self.definition;
        let title = if definition.title.is_empty() { &definition.name } else { &definition.title };
        self.out.push_str(&format!("# {title}\n\n"));
        let mut lines =
            vec![("Name", format!("`{}`", definition.name)), ("Edition", definition.edition.clone())];
        if !definition.aliases.is_empty() {
            lines.push(("Other names", definition.aliases.join(", ")));
        }
        lines.push(("Rules digest", digest.to_owned()));
        let (class, clause) = super::classify::class(definition, &definition.name);
        lines.push(("IAGO class", format!("{class} ({clause})")));
        if !definition.source.is_empty() {
            lines.push(("Source", definition.source.clone()));
        }
        if !definition.needs_tags.is_empty() {
            lines.push(("A record needs the tags", definition.needs_tags.join(", ")));
        }
        for (name, value) in lines {
            self.out.push_str(&wrapped(&format!("{name}: {value}"), "- ", "  "));
        }
        if definition.editions_change {
            self.say(
                "The rules change with editions; a record names its edition in `RulesEdition` and is \
                always judged by it",
                &["IAM-2", "IAM-3"],
            );
        }
        self.out.push_str(&wrapped(
            "The ids in brackets are articles (with a space) and rulings (with a hyphen) of \
                formats/RULES.md. Ranks, files and squares are White's; Black's are mirrored.",
            "\n",
            "",
        ));
    }

    fn board(&mut self) {
        let definition = self.definition;
        let setup = &definition.setup;
        self.heading("Board and array");
        let size = format!("{} files by {} ranks", definition.board.files, definition.board.ranks);
        if setup.from_record {
            self.say(
                &format!("{size}; the record's start position is the array; the default is"),
                &["FIDE 960"],
            );
        } else {
            self.say(
                &format!("{size}; White's pieces in upper case"),
                &["FIDE 2.3", "ICH 1", "ICH-1", "ING 1", "IAC 1", "CAP 1", "SCH 1", "OMG 1"],
            );
        }
        if definition.board.corners {
            self.say(
                "Four more squares, w1 to w4, lie beside the corners, joined to them diagonally only; the last line \
                    shows them",
                &["OMG 1"],
            );
        }
        self.out.push_str(&format!("\n```\n{}```\n", diagram(&setup.board, &definition.board)));
        let stocks = [("in reserve", &setup.reserve), ("in hand", &setup.hand)];
        if stocks.iter().any(|(_, letters)| !letters.is_empty()) {
            self.out.push('\n');
        }
        for (place, letters) in stocks {
            if !letters.is_empty() {
                let letters = letters.chars().map(String::from).collect::<Vec<_>>().join(" ");
                self.say(
                    &format!("Each player starts with {letters} {place}"),
                    &["IAB 1", "IAC 1", "IAM 1", "IAM-1", "ICH 1", "SCH 1"],
                );
            }
        }
        match setup.kings {
            Kings::Both => {}
            Kings::White => self.say("White alone has a king", &["LIC 5"]),
            Kings::Black => self.say("Black alone has a king", &["LIC 5"]),
            Kings::None => {
                self.say("No piece is royal: there is no check, and kings can be captured", &["LIC 3"])
            }
        }
        if definition.check == Check::Forbidden {
            self.say("No ply may give check", &["LIC 6"]);
        }
        self.further(&setup.rule);
    }

    fn pieces(&mut self) {
        self.heading("Pieces");
        let definition = self.definition;
        for letter in in_order(definition) {
            let piece = &definition.pieces[letter];
            let mut text = format!("`{letter}` {}", piece.name);
            if definition.armies.slots.contains(letter) {
                text.push_str(": moves as in the player's army");
            } else if !piece.betza.is_empty() {
                text.push_str(&format!(": {}; Betza `{}`", movement::words(&piece.betza), piece.betza));
            }
            text.push_str(&movement::bound_terms(&piece.terms, definition.nature.enabled));
            if !piece.attacks_king.is_empty() {
                let words = movement::words(&piece.attacks_king);
                text.push_str(&format!(
                    "; attacks the royal piece alone {words}, Betza `{}`",
                    piece.attacks_king
                ));
            }
            if piece.royal {
                text.push_str("; the royal piece");
            }
            text.push_str(&chase_words(piece));
            text.push_str(&special_words(piece));
            if let Some(other) = &piece.captured_as {
                text.push_str(&format!("; captured, it is a `{other}`"));
            }
            if let Some(natures) =
                piece.nature.as_ref().filter(|natures| definition.nature.enabled && **natures != piece.betza)
            {
                text.push_str(&format!("; Nature's: {}, Betza `{natures}`", movement::words(natures)));
            }
            if !piece.also.is_empty() {
                text.push_str(&format!("; records also write {}", piece.also.join(", ")));
            }
            if let Some(made) = &piece.home_made {
                text.push_str(&format!("; home-made: {made}"));
            }
            let articles: &[&str] = match letter.as_str() {
                _ if piece.anti_royal => &["AKC 2", "AKC 3", "AKC 6"],
                _ if piece.first_leap.is_some() => &["FIDE 3.8", "AKC 6"],
                _ if piece.captured_as.is_some() => &["ICH 5", "ICH 6"],
                _ if definition.armies.slots.contains(letter) => &["AUG 1"],
                "K" => &["FIDE 3.8", "ICH 5"],
                "Q" => &["FIDE 3.4", "ICH 5"],
                "R" => &["FIDE 3.3", "ICH 5"],
                "B" => &["FIDE 3.2", "ICH 5"],
                "N" => &["FIDE 3.6", "ICH 5"],
                _ if piece.pawn => &["FIDE 3.7", "ICH 4", "ING 2", "AKC 6"],
                "M" => &["IAB 1", "IAC 1", "IAM 1"],
                "C" => &["IAB 1", "IAC 1", "IAM 1", "CAP 2"],
                "A" => &["IAM 1", "CAP 2"],
                "H" | "E" => &["SCH 1"],
                _ => &[],
            };
            // An article explains a letter only if the game cites that article.
            let known: Vec<&str> = articles
                .iter()
                .copied()
                .filter(|id| id.starts_with("FIDE") || self.cited.contains(*id))
                .collect();
            let own: Vec<&str> = known.iter().copied().filter(|id| self.cited.contains(*id)).collect();
            self.say(&text, if own.is_empty() { &known } else { &own });
        }
        self.out.push_str(&drawn::diagrams(definition));
    }
}

/// The letters of the pieces as the game orders them.
fn in_order(definition: &Definition) -> Vec<&String> {
    let mut letters: Vec<&String> = definition.pieces.keys().collect();
    letters.sort_by_key(|letter| definition.stock_order.find(letter.as_str()).unwrap_or(usize::MAX));
    letters
}

/// Which part a piece has in a chase, in words.
fn chase_words(piece: &PieceSection) -> String {
    let may = if piece.may_chase { "; its repeated attacks are no chase" } else { "" };
    let on = match piece.chased_on.as_deref().map(str::trim) {
        None | Some("all") => String::new(),
        Some("none") => "; it cannot be chased".to_owned(),
        Some(squares) => format!("; it can be chased only on {}", sections::region(squares)),
    };
    format!("{may}{on}")
}

/// What few pieces have, in words: a piece that must stay attacked, captures of own pieces, a first leap.
fn special_words(piece: &PieceSection) -> String {
    let mut text = String::new();
    if piece.anti_royal {
        text.push_str("; an opposing piece other than a king must attack it after its owner's plies");
        text.push_str(", and no piece captures it");
    }
    match piece.captures {
        Victims::Others => {}
        Victims::Own => text.push_str("; it captures pieces of its owner's only"),
        Victims::All => text.push_str("; it captures pieces of its owner's too"),
    }
    if let Some(leap) = &piece.first_leap {
        text.push_str(&format!(
            "; its first move may also be this: {}, Betza `{leap}`",
            movement::words(leap)
        ));
    }
    text
}

/// All ids that a definition cites.
fn cited(definition: &Definition) -> BTreeSet<String> {
    fn collect(value: &Value, cites: bool, found: &mut BTreeSet<String>) {
        let Value::Table(table) = value else { return };
        for (key, value) in table {
            match value {
                Value::String(text) if cites || key == "rule" => found.extend(expanded(text)),
                inner => collect(inner, cites || key == "cites", found),
            }
        }
    }
    let mut found = BTreeSet::new();
    if let Ok(value) = Value::try_from(definition) {
        collect(&value, false, &mut found);
    }
    found
}

/// The ids of a citation; `CHA 1 to CHA 13` names thirteen.
fn expanded(citation: &str) -> Vec<String> {
    let number = |id: &str| id.rsplit([' ', '-']).next().and_then(|digits| digits.parse::<u32>().ok());
    let one = |part: &str| match part.split_once(" to ") {
        Some((first, last)) => {
            let prefix = first.trim_end_matches(|c: char| c.is_ascii_digit());
            let run = number(first).zip(number(last)).map(|(first, last)| first..=last.min(first + 99));
            run.into_iter().flatten().map(|n| format!("{prefix}{n}")).collect()
        }
        None => vec![part.to_owned()],
    };
    citation.split(',').map(str::trim).filter(|part| !part.is_empty()).flat_map(one).collect()
}

/// The array, last rank first, with the names of ranks and files.
fn diagram(placement: &str, board: &BoardSection) -> String {
    let mut out = String::new();
    let files = board.files;
    let mut ranks: Vec<&str> = placement.split('/').collect();
    let corners = if board.corners { ranks.pop() } else { None };
    let numbers = (0..ranks.len()).rev().map(|rank| (rank + usize::from(board.first_rank)).to_string());
    let rows = numbers.chain(corners.map(|_| "w".to_owned())).zip(ranks.iter().copied().chain(corners));
    let last = ranks.len();
    for (index, (number, rank)) in rows.enumerate() {
        if index == last {
            names_of_files(files, &mut out);
        }
        let mut row = format!("{number:>2}");
        let mut vacant = 0usize;
        let mut mark = " ";
        for c in rank.chars().chain(['/']) {
            if let Some(digit) = c.to_digit(10) {
                vacant = vacant * 10 + digit as usize;
                continue;
            }
            row.push_str(&"  .".repeat(vacant.min(usize::from(files))));
            vacant = 0;
            match c {
                '*' => mark = "*",
                '/' | '\'' | '~' => {}
                piece => {
                    row.push_str(&format!(" {mark}{piece}"));
                    mark = " ";
                }
            }
        }
        out.push_str(&row);
        out.push('\n');
    }
    if corners.is_none() {
        names_of_files(files, &mut out);
    }
    out
}

fn names_of_files(files: u8, out: &mut String) {
    out.push_str("  ");
    (0..files).for_each(|file| out.push_str(&format!("  {}", (b'a' + file) as char)));
    out.push('\n');
}

/// A paragraph with lines no wider than [`WIDTH`], the first after `first`, the others after `rest`.
fn wrapped(text: &str, first: &str, rest: &str) -> String {
    let mut out = String::from(first);
    let mut width = first.trim_start_matches('\n').chars().count();
    let mut fresh = true;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let len = word.chars().count();
        if !fresh && width + 1 + len > WIDTH {
            out.push('\n');
            out.push_str(rest);
            (width, fresh) = (rest.chars().count(), true);
        }
        if !fresh {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        (width, fresh) = (width + len, false);
    }
    out.push('\n');
    out.replace(FIXED_BLANK, " ")
}
