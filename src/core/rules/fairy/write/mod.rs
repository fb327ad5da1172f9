//! A definition from settings.

mod castling;
mod ends;
mod pawns;
mod pieces;
mod stocks;

use super::Settings;
use super::places::{Places, Size};
use std::collections::{BTreeMap, BTreeSet};

/// Settings that say nothing about the rules.
const BESIDE_THE_RULES: [&str; 6] =
    ["pieceValueMg", "pieceValueEg", "variantTemplate", "pieceToCharTable", "pocketSize", "nnueAlias"];

/// Settings that no field says, and the value that each has in chess.
const OFF: [(&str, &str); 51] = [
    ("sittuyinPromotion", "false"),
    ("piecePromotionOnCapture", "false"),
    ("mandatoryPiecePromotion", "false"),
    ("pieceDemotion", "false"),
    ("mutuallyImmuneTypes", "-"),
    ("petrifyOnCaptureTypes", "-"),
    ("petrifyBlastPieces", "false"),
    ("tripleStepRegionWhite", "-"),
    ("tripleStepRegionBlack", "-"),
    ("promotionPawnTypesWhite", "p"),
    ("promotionPawnTypesBlack", "p"),
    ("enPassantTypes", "p"),
    ("enPassantTypesWhite", "p"),
    ("enPassantTypesBlack", "p"),
    ("nMoveRuleTypes", "p"),
    ("nMoveRuleTypesWhite", "p"),
    ("nMoveRuleTypesBlack", "p"),
    ("flagPieceWhite", "-"),
    ("flagPieceBlack", "-"),
    ("oppositeCastling", "false"),
    ("checking", "true"),
    ("dropChecks", "true"),
    ("enclosingDrop", "none"),
    ("dropPromoted", "false"),
    ("dropNoDoubledCount", "1"),
    ("wallingRule", "none"),
    ("wallOrMove", "false"),
    ("cambodianMoves", "false"),
    ("diagonalLines", "-"),
    ("pass", "false"),
    ("passWhite", "false"),
    ("passBlack", "false"),
    ("passOnStalemate", "false"),
    ("passOnStalemateWhite", "false"),
    ("passOnStalemateBlack", "false"),
    ("makpongRule", "false"),
    ("flipEnclosedPieces", "none"),
    ("moveRepetitionIllegal", "false"),
    ("stalematePieceCount", "false"),
    ("shatarMateRule", "false"),
    ("bikjangRule", "false"),
    ("dupleCheck", "false"),
    ("flagPieceCount", "1"),
    ("flagPieceBlockedWin", "false"),
    ("flagMove", "false"),
    ("flagPieceSafe", "false"),
    ("connectN", "0"),
    ("connectNxN", "0"),
    ("collinearN", "0"),
    ("materialCounting", "none"),
    ("adjudicateFullBoard", "false"),
];

/// The start of a game where nothing says otherwise.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The definition of a game, or for each line that it cannot say its number and why.
pub(super) fn definition(name: &str, settings: &Settings) -> Result<String, Vec<(usize, String)>> {
    let size = Size { files: files(settings), ranks: settings.number("maxRank", 8) };
    let mut writer =
        Writer { settings, size, used: BTreeSet::new(), unsaid: BTreeMap::new(), text: String::new() };
    writer.write(name);
    let Writer { used, mut unsaid, text, .. } = writer;
    for (key, setting) in &settings.of {
        let off = OFF.iter().find(|(other, _)| other == key);
        let is_off = off.is_some_and(|(_, value)| *value == setting.value);
        if !is_off && !used.contains(key) && !BESIDE_THE_RULES.contains(&key.as_str()) {
            let why = match off {
                Some(_) => "no field of a definition says this",
                None => "this setting is not known; see the manual of variants.ini",
            };
            unsaid.insert(key, (setting.line, why.to_owned()));
        }
    }
    if unsaid.is_empty() {
        return Ok(text);
    }
    Err(unsaid.into_values().collect())
}

/// The number of files: a number or the letter of the last one.
fn files(settings: &Settings) -> u8 {
    let value = settings.get("maxFile").unwrap_or("8");
    let letter = value.bytes().next().filter(u8::is_ascii_alphabetic);
    letter.map_or_else(|| value.parse().unwrap_or(8), |letter| letter.to_ascii_lowercase() - b'a' + 1)
}

struct Writer<'s> {
    settings: &'s Settings,
    size: Size,
    /// The settings that were asked for.
    used: BTreeSet<String>,
    /// By setting: its line, and why no field says it.
    unsaid: BTreeMap<&'s str, (usize, String)>,
    text: String,
}

/// The parts of the FEN of the start.
struct Start<'s> {
    board: String,
    pocket: String,
    castling: &'s str,
    checks: Option<u32>,
}

impl<'s> Writer<'s> {
    fn get(&mut self, key: &'static str) -> Option<&'s str> {
        self.used.insert(key.to_owned());
        self.settings.get(key)
    }

    fn is_on(&mut self, key: &'static str, otherwise: bool) -> bool {
        if self.get(key).is_some_and(|value| !matches!(value, "true" | "false")) {
            self.refuse(key, "write true or false");
        }
        self.settings.is_on(key, otherwise)
    }

    fn number(&mut self, key: &'static str, otherwise: u8) -> u8 {
        if self.get(key).is_some_and(|value| value.parse::<u8>().is_err()) {
            self.refuse(key, "write a number");
        }
        self.settings.number(key, otherwise)
    }

    /// Notes that a setting is not said; without it, the head of the section is named.
    fn refuse(&mut self, key: &'static str, why: &str) {
        let line = self.settings.of.get(key).map_or(0, |setting| setting.line);
        self.unsaid.insert(key, (line, why.to_owned()));
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// A region, given for White and for Black: where one is missing, it is what `otherwise` says for that player. They
    /// must be mirror images, since a definition has one for both.
    fn places(&mut self, keys: [&'static str; 2], otherwise: [Places; 2]) -> Places {
        let [white, black] = [0, 1].map(|player| self.region(keys[player], &otherwise[player]));
        if black != white.mirrored() {
            let given = keys.into_iter().rev().find(|key| self.settings.of.contains_key(*key));
            let why = "a definition gives regions for White, and Black's are their mirror images; write both";
            self.refuse(given.unwrap_or(keys[0]), why);
        }
        white
    }

    /// The squares of a setting.
    fn region(&mut self, key: &'static str, otherwise: &Places) -> Places {
        let size = self.size;
        let found = self.get(key).map_or(Some(otherwise.clone()), |text| Places::parse(size, text));
        found.unwrap_or_else(|| {
            self.refuse(key, "a region is written as `*8 a* d5`, or `-` for none");
            otherwise.clone()
        })
    }

    /// The letters of a list of pieces that the game has.
    fn letters(&mut self, key: &'static str) -> Option<String> {
        let list = self.get(key)?;
        Some(list.chars().filter_map(|letter| self.settings.men.with(letter)).map(|man| man.letter).collect())
    }

    fn write(&mut self, name: &str) {
        let quoted = name.replace(['"', '\\', '+'], " ");
        self.line(&format!("# From a section of a `variants.ini` of Fairy-Stockfish.\nname = \"{quoted}\""));
        self.line(&format!(
            "title = \"{quoted}\"\nedition = \"1\"\nsource = \"variants.ini of Fairy-Stockfish\"\n"
        ));
        self.used.insert("maxFile".to_owned());
        self.number("maxRank", 8);
        let Size { files, ranks } = self.size;
        self.line(&format!("[board]\nfiles = {files}\nranks = {ranks}\n"));
        let start = self.start();
        let zone = self.zone();
        self.setup(&start);
        self.pieces(&zone);
        self.pawns();
        self.promotion(&zone);
        self.castling(&start);
        self.stocks(&start, &zone);
        self.ends(&start);
    }

    fn start(&mut self) -> Start<'s> {
        let fen = self.get("startFen").unwrap_or(START);
        let mut fields = fen.split_whitespace();
        let board = fields.next().unwrap_or_default();
        let (board, pocket) = board.split_once('[').unwrap_or((board, ""));
        let turn = fields.next().unwrap_or("w");
        let castling = fields.next().unwrap_or("-");
        let checks = fields.find_map(|field| {
            let (white, black) = field.split_once('+')?;
            (white == black).then(|| white.parse().ok())?
        });
        if turn != "w" {
            self.refuse("startFen", "White begins in every definition; exchange the colours");
        }
        let pocket = pocket.trim_end_matches(']');
        let of = |is: fn(&char) -> bool| {
            let mut letters: Vec<char> =
                pocket.chars().filter(is).map(|char| char.to_ascii_uppercase()).collect();
            letters.sort_unstable();
            letters.into_iter().collect::<String>()
        };
        let white = of(char::is_ascii_uppercase);
        if white != of(char::is_ascii_lowercase) {
            self.refuse("startFen", "both players begin with the same pieces in hand in a definition");
        }
        Start { board: board.to_owned(), pocket: white, castling, checks }
    }

    fn setup(&mut self, start: &Start<'_>) {
        self.line(&format!("[setup]\nboard = \"{}\"", start.board));
        if !start.pocket.is_empty() {
            let stock = if self.is_on("gating", false) { "reserve" } else { "hand" };
            self.line(&format!("{stock} = \"{}\"", start.pocket));
        }
        if self.is_on("chess960", false) {
            self.line("from-record = true");
        }
        if self.royal().is_none() {
            self.line("kings = \"none\"");
        }
        self.line("");
    }
}
