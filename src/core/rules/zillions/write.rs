//! A definition from the sections of a game.

use super::board::{Fault, Grid};
use super::moves::{Becomes, Found, found};
use super::sexp::Sexp;
use super::{BESIDE_THE_RULES, Game, OPTIONS, part, piece_name};
use crate::pieces::betza::{Betza, Mover};
use crate::rules::fairy::places::{Places, Size, letter};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A piece of the game.
#[derive(Debug, Clone)]
struct Man {
    name: String,
    letter: char,
    line: usize,
    /// The movements, and those of the other player as that player sees them.
    movers: [Vec<Mover>; 2],
    becomes: Vec<Becomes>,
    /// The zones that a second step passes.
    second_steps: Vec<String>,
    en_passant: bool,
    castling: Vec<(i8, i8, String)>,
    drops: Option<String>,
}

impl Man {
    fn is_pawn(&self) -> bool {
        !self.becomes.is_empty() || !self.second_steps.is_empty()
    }
}

/// The definition of a game, or for each line that it cannot say its number and why.
pub(super) fn definition(name: &str, title: &str, game: &Game) -> Result<String, Vec<Fault>> {
    let players = players(game).map_err(|fault| vec![fault])?;
    let grid = Grid::of(game, &players).map_err(|fault| vec![fault])?;
    let mut writer = Writer {
        game,
        grid,
        players,
        men: Vec::new(),
        array: BTreeMap::new(),
        hands: Default::default(),
        faults: Vec::new(),
        text: String::new(),
    };
    writer.write(name, title);
    if writer.faults.is_empty() { Ok(writer.text) } else { Err(writer.faults) }
}

/// The players in the order of their turns.
fn players(game: &Game) -> Result<[String; 2], Fault> {
    let order = game.one("turn-order").or(game.one("players"));
    let order = order.ok_or((game.line, "the game has no players".to_owned()))?;
    let names: Option<Vec<String>> = order.rest().iter().map(|name| name.word().map(str::to_owned)).collect();
    match names.as_deref() {
        Some([first, second]) if first != second => Ok([first.clone(), second.clone()]),
        _ => Err((order.line(), "two players move in turns in a definition".to_owned())),
    }
}

struct Writer<'g> {
    game: &'g Game,
    grid: Grid,
    players: [String; 2],
    men: Vec<Man>,
    /// The piece letters of the start by file and rank, those of the second player small.
    array: BTreeMap<(u8, u8), char>,
    /// The piece letters that each player has in hand.
    hands: [String; 2],
    faults: Vec<Fault>,
    text: String,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn refuse(&mut self, at: &Sexp, why: impl Into<String>) {
        self.faults.push((at.line(), why.into()));
    }

    fn write(&mut self, name: &str, title: &str) {
        let quoted = title.replace(['"', '\\'], " ");
        self.line(&format!(
            "# From a rules file of Zillions of Games.\nname = \"{name}\"\ntitle = \"{quoted}\""
        ));
        self.line("edition = \"1\"\nsource = \"a rules file of Zillions of Games\"\n");
        let Size { files, ranks } = self.grid.size;
        self.line(&format!("[board]\nfiles = {files}\nranks = {ranks}\n"));
        self.read_men();
        let royal = self.royal();
        self.read_setup();
        self.setup(royal);
        self.pieces(royal);
        self.pawns();
        self.castling(royal);
        self.drops();
        self.ends();
        self.other_sections();
    }

    /// Sections that no field says.
    fn other_sections(&mut self) {
        let read = ["players", "turn-order", "board", "board-setup", "piece", "option"];
        let game = self.game;
        for (kind, sections) in &game.sections {
            let known = read.contains(&kind.as_str())
                || BESIDE_THE_RULES.contains(&kind.as_str())
                || kind.ends_with("-condition");
            if !known {
                sections
                    .iter()
                    .for_each(|section| self.refuse(section, "no field of a definition says this"));
            }
        }
        for option in game.all("option") {
            let name = option.rest().first().and_then(Sexp::word).unwrap_or_default();
            let is_off = option.rest().get(1).and_then(Sexp::word) == Some("false");
            if !is_off && !OPTIONS.contains(&name) {
                self.refuse(option, "no field of a definition says this option");
            }
        }
    }

    /// The pieces, each with a letter of its own.
    fn read_men(&mut self) {
        let mut taken = BTreeSet::new();
        let royal: Vec<&str> = checkmated(self.game);
        let mut pieces: Vec<&Sexp> = self.game.all("piece").iter().collect();
        // The king chooses its letter first, and a knight takes N.
        pieces.sort_by_key(|piece| !royal.contains(&piece_name(piece)));
        let mut men = Vec::new();
        for piece in pieces {
            let name = piece_name(piece);
            let notation =
                part(piece, "notation").and_then(|part| part.rest().first()?.word()).unwrap_or_default();
            let usual = if name.eq_ignore_ascii_case("knight") { "N" } else { "" };
            let mut wanted = [notation, usual, name].concat().to_ascii_uppercase();
            wanted.extend('A'..='Z');
            let letter = wanted.chars().find(|char| char.is_ascii_uppercase() && !taken.contains(char));
            let Some(letter) = letter else {
                self.refuse(piece, "the game has more pieces than letters");
                continue;
            };
            taken.insert(letter);
            men.push(self.man(piece, name, letter));
        }
        self.men = men;
    }

    fn man(&mut self, piece: &Sexp, name: &str, letter: char) -> Man {
        let mut man = Man {
            name: name.to_owned(),
            letter,
            line: piece.line(),
            movers: [Vec::new(), Vec::new()],
            becomes: Vec::new(),
            second_steps: Vec::new(),
            en_passant: false,
            castling: Vec::new(),
            drops: None,
        };
        for section in piece.rest() {
            match section.head() {
                "name" | "image" | "help" | "description" | "notation" | "attribute" | "open" => {}
                "moves" => section.rest().iter().for_each(|steps| self.one_move(steps, &mut man)),
                "drops" => section.rest().iter().for_each(|steps| self.one_drop(steps, &mut man)),
                _ => self.refuse(section, "no field of a definition says this of a piece"),
            }
        }
        man
    }

    /// A move of both players.
    fn one_move(&mut self, steps: &Sexp, man: &mut Man) {
        let both = [0, 1].map(|player| found(steps, &self.grid.directions[player]));
        let [own, other] = match both {
            [Ok(own), Ok(other)] => [own, other],
            [Err(why), _] | [_, Err(why)] => return self.refuse(steps, why),
        };
        let theirs = other.iter().filter_map(|found| match found {
            Found::Mover(mover, _) => Some(mover.turned()),
            _ => None,
        });
        man.movers[1].extend(theirs);
        for found in own {
            match found {
                Found::Mover(mover, becomes) => {
                    man.movers[0].push(mover);
                    man.becomes.extend(becomes);
                }
                Found::SecondStep { vector, zone } => {
                    if vector != (0, 2) {
                        self.refuse(steps, "only a pawn that steps straight forward has a second step");
                    }
                    man.second_steps.push(zone);
                }
                Found::EnPassant => man.en_passant = true,
                Found::Castling { king, rook, with } => man.castling.push((king, rook, with)),
            }
        }
    }

    /// `((verify empty?) add)`, perhaps in a zone.
    fn one_drop(&mut self, steps: &Sexp, man: &mut Man) {
        let text = steps.to_string();
        let zone = text
            .strip_prefix("((verify empty?) (verify (in-zone? ")
            .or_else(|| text.strip_prefix("((verify (in-zone? "))
            .and_then(|rest| rest.split(')').next());
        match (text.as_str(), zone) {
            ("((verify empty?) add)", _) => man.drops = Some("all".to_owned()),
            (_, Some(zone)) if text.contains("(verify empty?)") && text.ends_with(" add)") => {
                match self.grid.zone(zone) {
                    Ok(squares) => man.drops = Some(squares.region()),
                    Err(why) => self.refuse(steps, why),
                }
            }
            _ => self
                .refuse(steps, "a piece is dropped on a vacant square, perhaps of a zone, in a definition"),
        }
    }

    /// The piece whose loss decides, by index.
    fn royal(&mut self) -> Option<usize> {
        let named = checkmated(self.game);
        let found: Vec<usize> =
            (0..self.men.len()).filter(|index| named.contains(&self.men[*index].name.as_str())).collect();
        if found.len() > 1 {
            let line = self.men[found[1]].line;
            self.faults.push((line, "a player has one royal piece in a definition".to_owned()));
        }
        found.first().copied()
    }

    fn with_name(&self, name: &str) -> Option<&Man> {
        self.men.iter().find(|man| man.name == name)
    }

    /// The pieces at the start, on the board and in hand.
    fn read_setup(&mut self) {
        let game = self.game;
        for player in game.all("board-setup").iter().flat_map(|setup| setup.rest()) {
            let Some(index) = self.players.iter().position(|name| name == player.head()) else {
                self.refuse(player, "no player has this name");
                continue;
            };
            for pieces in player.rest() {
                let Some(letter) = self.with_name(pieces.head()).map(|man| man.letter) else {
                    self.refuse(pieces, "the game has no such piece");
                    continue;
                };
                let mut names = pieces.rest();
                if let [Sexp::Word(off, _), Sexp::Word(number, _), rest @ ..] = names
                    && off == "off"
                {
                    let number = number.parse::<usize>().unwrap_or(0).min(32);
                    self.hands[index].extend(std::iter::repeat_n(letter, number));
                    names = rest;
                }
                match self.grid.squares(names) {
                    Ok(squares) => {
                        let letter = if index == 0 { letter } else { letter.to_ascii_lowercase() };
                        self.array.extend(squares.into_iter().map(|square| (square, letter)));
                    }
                    Err(fault) => self.faults.push(fault),
                }
            }
        }
    }

    fn setup(&mut self, royal: Option<usize>) {
        let Size { files, ranks } = self.grid.size;
        let board: Vec<String> = (1..=ranks).rev().map(|rank| rank_text(&self.array, rank, files)).collect();
        self.line(&format!("[setup]\nboard = \"{}\"", board.join("/")));
        let [hand, other] = self.hands.clone();
        if hand != other {
            self.faults.push((self.game.line, "both players begin with the same pieces in hand".to_owned()));
        }
        if !hand.is_empty() {
            self.line(&format!("hand = \"{hand}\""));
        }
        if royal.is_none() {
            self.line("kings = \"none\"");
        }
        self.line("");
        let height = |white: bool| {
            let own = self.array.iter().filter(|(_, letter)| letter.is_ascii_uppercase() == white);
            let ranks: Vec<f32> = own.map(|((_, rank), _)| f32::from(*rank)).collect();
            ranks.iter().sum::<f32>() / ranks.len().max(1) as f32
        };
        if height(true) > height(false) {
            let why = "the player who begins has the lower ranks in a definition; exchange the colours";
            self.faults.push((self.game.line, why.to_owned()));
        }
    }

    fn pieces(&mut self, royal: Option<usize>) {
        self.line("[pieces]");
        let mut lines = Vec::new();
        for (index, man) in self.men.iter().enumerate() {
            let [betza, theirs] = man.movers.clone().map(Betza::of_movers);
            let mut line = format!(
                "{} = {{ name = \"{}\", betza = \"{}\"",
                man.letter,
                words(&man.name),
                betza.canonical()
            );
            if Some(index) == royal {
                line += ", royal = true";
            }
            if man.is_pawn() {
                line += ", pawn = true";
            }
            if let Some(drop) = man.drops.as_ref().filter(|drop| *drop != "all") {
                let _ = write!(line, ", drop = \"{drop}\"");
            }
            lines.push(line + " }");
            if betza != theirs {
                self.faults.push((
                    man.line,
                    "its moves are others for the other player, as that one sees them".into(),
                ));
            }
        }
        lines.iter().for_each(|line| self.line(line));
        self.line("");
    }

    fn pawns(&mut self) {
        let pawns: Vec<Man> = self.men.iter().filter(|man| man.is_pawn()).cloned().collect();
        let passed: BTreeSet<&String> = pawns.iter().flat_map(|man| &man.second_steps).collect();
        let line = pawns.first().map_or(self.game.line, |man| man.line);
        let fault = |why: &str| (line, why.to_owned());
        match passed.into_iter().map(|zone| self.grid.zone(zone)).collect::<Vec<_>>()[..] {
            [] => {}
            [Ok(zone)] => {
                // The zone is passed; the pawn began one rank before it.
                let region = Places::where_is(self.grid.size, |file, rank| zone.has(file, rank + 1)).region();
                let passing = pawns.iter().any(|man| man.en_passant);
                self.line(&format!("[pawns]\ndouble-step = \"{region}\"\nen-passant = {passing}\n"));
            }
            [Err(ref why)] => self.faults.push(fault(why)),
            _ => self.faults.push(fault("all pawns have their second steps from the same squares")),
        }
        self.promotion(&pawns, line);
    }

    fn promotion(&mut self, pawns: &[Man], line: usize) {
        let mut all: Vec<&Becomes> = pawns.iter().flat_map(|man| &man.becomes).collect();
        all.dedup();
        let own: Vec<&str> = pawns.iter().map(|man| man.name.as_str()).collect();
        let [becomes] = all[..] else {
            if all.len() > 1 {
                self.faults
                    .push((line, "pawns become the same pieces in the same zone in a definition".to_owned()));
            }
            return;
        };
        let zone = match &becomes.zone {
            Some(zone) => self.grid.zone(zone).map(Places::region),
            None => Ok("all".to_owned()),
        };
        let kinds: Option<Vec<String>> = becomes
            .pieces
            .iter()
            .filter(|piece| !own.contains(&piece.as_str()))
            .map(|piece| self.with_name(piece).map(|man| format!("\"{}\"", man.letter)))
            .collect();
        let forced = becomes.forced && becomes.pieces.iter().all(|piece| !own.contains(&piece.as_str()));
        match (zone, kinds) {
            (Ok(zone), Some(kinds)) => {
                let forced = if forced { format!("forced = \"{zone}\"\n") } else { String::new() };
                let kinds = kinds.join(", ");
                self.line(&format!("[promotion]\nzone = \"{zone}\"\n{forced}kinds = [{kinds}]\n"));
            }
            (Err(why), _) => self.faults.push((line, why)),
            (_, None) => self.faults.push((line, "a pawn becomes pieces that the game has".to_owned())),
        }
    }

    fn castling(&mut self, royal: Option<usize>) {
        let castles: Vec<usize> =
            (0..self.men.len()).filter(|index| !self.men[*index].castling.is_empty()).collect();
        let (index, king) = match castles[..] {
            [] => return,
            [index] if Some(index) == royal => (index, self.men[index].clone()),
            [index, ..] => {
                let why = "only the royal piece castles in a definition";
                return self.faults.push((self.men[index].line, why.to_owned()));
            }
        };
        let fault = |why: &str| (self.men[index].line, why.to_owned());
        let home = self.array.iter().find(|((_, rank), letter)| *rank == 1 && **letter == king.letter);
        let home = home.map(|((file, _), _)| *file);
        let sides: Vec<&(i8, i8, String)> = king.castling.iter().collect();
        let side = |right: bool| sides.iter().find(|(king, ..)| (*king > 0) == right);
        let rook = self.with_name(&sides[0].2).map(|man| man.letter);
        let (Some(home), Some(long), Some(short), Some(rook), 2) =
            (home, side(false), side(true), rook, sides.len())
        else {
            let why = "the king castles to both sides, with one kind of piece, from its place in the array";
            return self.faults.push(fault(why));
        };
        let file = |by: i8| letter(home.saturating_add_signed(by));
        self.line(&format!("[castling]\nenabled = true\nrook = \"{rook}\""));
        for (name, (king, rook, _)) in [("king-side", short), ("queen-side", long)] {
            self.line(&format!("{name} = {{ king = \"{}\", rook = \"{}\" }}", file(*king), file(*rook)));
        }
        self.line("");
    }

    fn drops(&mut self) {
        if self.men.iter().all(|man| man.drops.is_none()) {
            return;
        }
        let held = |man: &&Man| man.drops.is_none() && self.hands[0].contains(man.letter);
        if let Some(line) = self.men.iter().find(held).map(|man| man.line) {
            self.faults.push((line, "a piece in hand is never dropped".to_owned()));
        }
        self.line("[drops]\nhand = \"all\"\n");
    }

    fn ends(&mut self) {
        self.line("[ends]\nmove-counters = false\ndead-position = \"none\"");
        let game = self.game;
        for (kind, sections) in &game.sections {
            let Some(value) = kind.strip_suffix("-condition") else { continue };
            sections.iter().for_each(|condition| self.condition(value, condition));
        }
    }

    fn condition(&mut self, value: &str, condition: &Sexp) {
        let [of, test] = condition.rest() else {
            return self.refuse(condition, "a condition has players and one test");
        };
        let both = self.players.iter().all(|player| of.says(player));
        let text = test.to_string();
        let words: Vec<&str> = text.trim_matches(['(', ')']).split(' ').collect();
        match (value, &words[..]) {
            _ if !both => self.refuse(condition, "the ends are the same for both players in a definition"),
            ("loss", ["checkmated", _]) => {}
            ("draw", ["stalemated"]) | ("draw", ["repetition"]) => {}
            ("loss", ["stalemated"]) => self.line("stalemate = \"loss\""),
            ("win", ["stalemated"]) => self.line("stalemate = \"win\""),
            ("loss", ["pieces-remaining", "0"]) => self.line("annihilation = \"loses\""),
            ("win", ["pieces-remaining", "0"]) => self.line("annihilation = \"wins\""),
            ("win", ["absolute-config", piece, ..]) if test.rest().len() == 2 => {
                let squares = self.grid.squares(test.rest()[1].list());
                match (self.with_name(piece).map(|man| man.letter), squares) {
                    (Some(letter), Ok(squares)) => {
                        let region = Places::of(self.grid.size, &squares).region();
                        self.line(&format!("goal = {{ {letter} = \"{region}\" }}\ngoal-mirrored = false"));
                    }
                    (None, _) => self.refuse(condition, "the game has no such piece"),
                    (_, Err(fault)) => self.faults.push(fault),
                }
            }
            _ => self.refuse(condition, "no field of a definition says this end"),
        }
    }
}

/// The pieces whose checkmate loses.
fn checkmated(game: &Game) -> Vec<&str> {
    let tests = game.all("loss-condition").iter().filter_map(|condition| condition.rest().get(1));
    let mates = tests.filter(|test| test.head() == "checkmated");
    mates.flat_map(|test| test.rest().iter().filter_map(Sexp::word)).collect()
}

/// A rank as a FEN has it.
fn rank_text(board: &BTreeMap<(u8, u8), char>, rank: u8, files: u8) -> String {
    let (mut text, mut empty) = (String::new(), 0);
    let close = |text: &mut String, empty: &mut u8| match std::mem::take(empty) {
        0 => {}
        empty => text.push_str(&empty.to_string()),
    };
    for file in 1..=files {
        match board.get(&(file, rank)) {
            Some(letter) => {
                close(&mut text, &mut empty);
                text.push(*letter);
            }
            None => empty += 1,
        }
    }
    close(&mut text, &mut empty);
    text
}

/// A name in lower case, without what a definition cannot hold.
fn words(name: &str) -> String {
    name.replace(['"', '\\'], " ").replace(['-', '_'], " ").to_lowercase()
}
