//! The rules of a game, as far as they are known here.

use crate::betza::{self, Mover};
use crate::board::{Board, Region};
use crate::definition::{Definitions, Fields};
use crate::nature::Nature;
use crate::position::Position;
use toml::Value;

/// A piece of the game.
pub struct Kind {
    pub letter: String,
    /// The letter of Black's piece, where the armies differ: `Q` for its own queen, `Q'` for White's.
    pub blacks: String,
    pub parts: Vec<Part>,
    /// What attacks nothing but the king of the opponent.
    pub on_king: Vec<Mover>,
    pub pawn: bool,
    pub promotes_to: Option<usize>,
    pub captured_as: Option<usize>,
    pub drop: Option<Region>,
    /// It captures pieces of its own player only, is never captured, and must stand where the opponent attacks.
    pub anti_royal: bool,
    /// What it may do as its first ply, without capturing.
    pub first_leap: Vec<Mover>,
    /// The letter of the kind that it neither goes over nor captures.
    pub hurdle_not: Option<String>,
    /// How it moves when it is Nature's; empty if she has none of it.
    pub of_nature: Vec<Mover>,
    /// It moves as Nature's piece of its kind does, or the record's armies say how it moves.
    pub of_chess: bool,
}

/// What rises when a pawn comes to a region.
pub struct Rising {
    pub zone: Region,
    pub of: usize,
    pub to: Vec<usize>,
}

/// A movement that may be bound to regions.
pub struct Part {
    pub movers: Vec<Mover>,
    pub from: Option<Region>,
    pub to: Option<Region>,
}

/// Files of king and rook after castling.
#[derive(Clone, Copy)]
pub struct Castled {
    pub king: usize,
    pub rook: usize,
}

pub struct Castling {
    pub by_rook: bool,
    pub king_side: Castled,
    pub queen_side: Castled,
    /// White's and Black's.
    pub rook: [usize; 2],
}

pub struct Drops {
    pub region: Region,
    pub pawns: Region,
    pub pawns_share_files: bool,
    pub pawn_mates: bool,
}

/// Pieces that wait beside the board, and enter behind a piece that leaves its square, or on the own back rank.
pub struct Reserve {
    pub letters: String,
    pub gates: bool,
    /// Also together with castling, on the square of the king or of the rook.
    pub with_castling: bool,
    /// What enters may parry a check.
    pub may_block: bool,
    pub drops: Option<Region>,
    /// The square on which the first ply must place one.
    pub first_on: Option<Region>,
}

/// What it means to have no legal ply, and not to be in check.
#[derive(PartialEq, Eq, Clone, Copy, Debug)]
pub enum Stalemate {
    Draw,
    Loss,
    Win,
    FewerPieces,
}

#[derive(PartialEq, Eq, Clone, Copy, Debug)]
pub enum Repetition {
    Fide,
    Fourfold,
    Threefold,
    None,
}

pub struct Game {
    pub board: Board,
    pub kinds: Vec<Kind>,
    /// The royal piece; a number of no kind where there is none.
    pub king: usize,
    /// For White and Black.
    pub has_king: [bool; 2],
    pub array: String,
    pub double_step: Region,
    /// How many squares a pawn may go from there.
    pub first_step: usize,
    pub en_passant: bool,
    pub passed_from: Region,
    pub zone: Region,
    pub forced: Region,
    pub from_zone: bool,
    pub promotes: Vec<usize>,
    /// A pawn becomes what stood on its square in the opponent's array, and wins as a king on that of the king.
    pub by_array: bool,
    /// The kinds of the array, and whether they are White's.
    pub array_kinds: Vec<Option<(usize, bool)>>,
    pub castling: Option<Castling>,
    pub drops: Option<Drops>,
    pub reserve: Option<Reserve>,
    /// In hand at the start; it is placed before anything else, the king last.
    pub hand: String,
    pub deploys_hand: bool,
    /// Pawns become what was captured or waits in reserve.
    pub by_pool: bool,
    pub to_hand: bool,
    pub reverts: bool,
    pub stalemate: Stalemate,
    pub goal: Option<Region>,
    /// Black's goal is White's, seen from the other side.
    pub goal_mirrored: bool,
    /// Black may reach the goal with the ply after White.
    pub last_ply: bool,
    pub check_forbidden: bool,
    /// A player with a king and nothing else loses.
    pub bare_king: bool,
    /// A player who is not in check may pass.
    pub passes: bool,
    /// Kings that face each other must be parted, or a pass ends the game.
    pub bikjang: bool,
    /// What decides a game that ends without mate: the worth of each kind, and half points of Black's.
    pub points: Option<(Vec<u32>, u32)>,
    /// Moves of each player without a capture that end the game; 0 for none.
    pub quiet_limit: u32,
    /// A player may declare that the king has entered.
    pub declares: bool,
    /// A player whose king is alone counts moves, as in Makruk.
    pub counts_bare: bool,
    /// The kind that a player may replace by another as a ply.
    pub switch: Option<(usize, usize)>,
    pub rising: Option<Rising>,
    pub nature: Option<Nature>,
    pub checks: u32,
    pub no_pieces: Option<bool>,
    pub must_capture: bool,
    /// Captures explode, and spare these kinds.
    pub blast: Option<Vec<usize>>,
    pub dead_material: bool,
    /// Kings alone are dead, and nothing else.
    pub dead_kings: bool,
    pub counts_moves: bool,
    pub quiet_moves: u32,
    pub repetition: Repetition,
    pub misere: bool,
}

impl Game {
    /// The game of a name.
    ///
    /// # Errors
    /// With what is not known here.
    pub fn of(
        definitions: &Definitions,
        name: &str,
        tag: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Game, String> {
        let mut fields = Fields::new(definitions.merged(name)?);
        let mut size =
            |path: &str| usize::try_from(fields.number(path, 8)).map_err(|error| error.to_string());
        let (files, ranks) = (size("board/files")?, size("board/ranks")?);
        let first_rank = if fields.number("board/first-rank", 1) == 0 { 0 } else { 1 };
        let board = Board::new(files, ranks, fields.flag("board/corners", false), first_rank);
        let region = |text: &str| board.region(text);
        let mut of = |path: &str| fields.text(path).map(|text| region(&text)).transpose();
        let (zone, forced) = (of("promotion/zone")?, of("promotion/forced")?);
        let (double_step, passed_from) = (of("pawns/double-step")?, of("pawns/en-passant-from")?);
        let pawn_drops = of("drops/pawns")?;
        let goal = of("ends/goal/K")?;
        let none = vec![false; board.size()];
        let mut kinds = kinds(&mut fields, &board)?;
        let to_armies = fields.text("promotion/to");
        let rooks = match to_armies.as_deref() {
            Some("armies") => {
                let armies = ["WhiteArmy", "BlackArmy"].map(tag);
                Some(choose_armies(&mut fields, &mut kinds, &armies)?)
            }
            _ => None,
        };
        let index = |letter: &str| kinds.iter().position(|kind| kind.0.letter == letter);
        let kinds_named = fields.take("promotion/kinds");
        let promotes: Vec<usize> = match kinds_named {
            _ if rooks.is_some() => {
                (0..kinds.len()).filter(|kind| !kinds[*kind].0.pawn && !kinds[*kind].1).collect()
            }
            Some(Value::Array(letters)) => {
                letters.iter().filter_map(|letter| index(letter.as_str()?)).collect()
            }
            _ => Vec::new(),
        };
        let by_pool = to_armies.as_deref() == Some("pool");
        let by_array = match to_armies.as_deref() {
            None | Some("kinds" | "pool" | "armies") => false,
            Some("array-square") => true,
            Some(other) => return Err(format!("promotion.to = {other}")),
        };
        match fields.text("ends/kings-square").as_deref() {
            None | Some("none") if !by_array => {}
            Some("must-become-king") if by_array => {}
            other => return Err(format!("ends.kings-square = {other:?}")),
        }
        let king = kinds.iter().position(|kind| kind.1).unwrap_or(usize::MAX);
        let has_king = match fields.text("setup/kings").as_deref() {
            Some("none") => [false, false],
            None | Some("both") => [true, true],
            Some("black") => [false, true],
            Some("white") => [true, false],
            Some(other) => return Err(format!("setup.kings = {other}")),
        };
        let castles = fields.flag("castling/enabled", false);
        let by_rook = fields.text("castling/notation").as_deref() == Some("rook-square");
        let file = |text: Option<String>, otherwise: usize| {
            let file = text.and_then(|text| text.bytes().next()).map(|byte| usize::from(byte - b'a'));
            file.unwrap_or(otherwise) + board.frame
        };
        let mut castled = |side: &str, king: usize, rook: usize| Castled {
            king: file(fields.text(&format!("castling/{side}/king")), king),
            rook: file(fields.text(&format!("castling/{side}/rook")), rook),
        };
        let (king_side, queen_side) = (castled("king-side", 6, 5), castled("queen-side", 2, 3));
        let castling = match castles {
            true => {
                let rook = index("R").ok_or("no rook")?;
                Some(Castling { by_rook, king_side, queen_side, rook: rooks.unwrap_or([rook; 2]) })
            }
            false => None,
        };
        let drops = match fields.text("drops/hand").as_deref() {
            None | Some("none") => None,
            Some(of_board) => Some(Drops {
                region: region(of_board)?,
                pawns: pawn_drops.unwrap_or_else(|| vec![true; board.size()]),
                pawns_share_files: fields.flag("drops/pawns-share-files", true),
                pawn_mates: fields.flag("drops/pawn-mate", true),
            }),
        };
        let deployment = fields.text("deployment/kind");
        let first_on = fields.text("deployment/square").map(|square| region(&square)).transpose()?;
        let gates = fields.flag("gating/enabled", false);
        let with_castling = match fields.text("gating/with-castling").as_deref() {
            None | Some("never") => false,
            Some("either") => true,
            Some(other) => return Err(format!("gating.with-castling = {other}")),
        };
        let may_block = fields.flag("gating/may-block", false);
        if fields.number("gating/per-turn", 1) != 1 {
            return Err("gating.per-turn".to_owned());
        }
        // As many entries as there are pieces in reserve.
        if fields.number("drops/entries", -1) != -1 {
            return Err("drops.entries".to_owned());
        }
        let reserve_drops = fields.text("drops/reserve").map(|text| region(&text)).transpose()?;
        let reserve = fields.text("setup/reserve").map(|letters| Reserve {
            letters,
            gates,
            with_castling,
            may_block,
            drops: reserve_drops,
            first_on: first_on.filter(|_| deployment.as_deref() == Some("opening")),
        });
        match deployment.as_deref() {
            None | Some("none" | "hand" | "opening") => {}
            Some(other) => return Err(format!("deployment.kind = {other}")),
        }
        match fields.text("promotion/on").as_deref() {
            None | Some("any") => {}
            Some(other) => return Err(format!("promotion.on = {other}")),
        }
        let to_hand = match fields.text("captures/to").as_deref() {
            None | Some("none" | "out") => false,
            Some("hand") => true,
            Some(other) => return Err(format!("captures.to = {other}")),
        };
        let stalemate = match fields.text("ends/stalemate").as_deref() {
            None | Some("draw") => Stalemate::Draw,
            Some("loss") => Stalemate::Loss,
            Some("win") => Stalemate::Win,
            Some("fewer-pieces") => Stalemate::FewerPieces,
            Some(other) => return Err(format!("ends.stalemate = {other}")),
        };
        let repetition = match fields.text("ends/repetition").as_deref() {
            None | Some("fide") => Repetition::Fide,
            Some("fourfold-perpetual") => Repetition::Fourfold,
            Some("threefold-perpetual" | "threefold") => Repetition::Threefold,
            Some("none") => Repetition::None,
            Some(other) => return Err(format!("ends.repetition = {other}")),
        };
        let no_pieces = match fields.text("ends/annihilation").as_deref() {
            None | Some("none") => None,
            Some("loses") => Some(false),
            Some("wins") => Some(true),
            Some(other) => return Err(format!("ends.annihilation = {other}")),
        };
        // What players call for and claim is no part of the plies.
        for of_claims in ["ends/perpetual", "setup/from-record", "setup/waiting-check", "ends/goal-name"] {
            fields.take(of_claims);
        }
        let spared: Vec<String> = match fields.take("captures/explode-spares") {
            Some(Value::Array(letters)) => {
                letters.iter().filter_map(|letter| letter.as_str().map(str::to_owned)).collect()
            }
            _ => Vec::new(),
        };
        let blast = match fields.text("captures/explode").as_deref() {
            None | Some("") => None,
            Some("K") => Some(spared.iter().filter_map(|letter| index(letter)).collect()),
            Some(other) => return Err(format!("captures.explode = {other}")),
        };
        let bare_king = match fields.take("ends/bare-king") {
            None | Some(Value::Boolean(false)) => false,
            Some(Value::Boolean(true)) => true,
            Some(other) => return Err(format!("ends.bare-king = {other}")),
        };
        let counts_bare = match fields.text("ends/count").as_deref() {
            None | Some("none") => false,
            Some("makruk") => true,
            Some(other) => return Err(format!("ends.count = {other}")),
        };
        let switch = match (fields.text("switch/from"), fields.text("switch/to")) {
            (Some(from), Some(to)) => Some(index(&from).zip(index(&to)).ok_or("switch")?),
            _ => None,
        };
        let rising = match (fields.text("promotion/other/zone"), fields.text("promotion/other/of")) {
            (Some(zone), Some(of)) => {
                let Some(Value::Array(to)) = fields.take("promotion/other/to") else {
                    return Err("promotion.other.to".to_owned());
                };
                let to = to.iter().filter_map(|letter| index(letter.as_str()?)).collect();
                Some(Rising { zone: region(&zone)?, of: index(&of).ok_or("promotion.other.of")?, to })
            }
            _ => None,
        };
        let worth = match fields.take("ends/points") {
            Some(Value::Table(points)) => {
                let of = |kind: &Kind| points.get(&kind.letter).and_then(Value::as_integer).unwrap_or(0);
                Some(kinds.iter().map(|kind| of(&kind.0) as u32).collect::<Vec<u32>>())
            }
            _ => None,
        };
        let halves = fields.number("ends/black-half-points", 0) as u32;
        let points = match fields.text("ends/unmated").as_deref() {
            None | Some("draw") => None,
            Some("points") => worth.map(|worth| (worth, halves)),
            Some(other) => return Err(format!("ends.unmated = {other}")),
        };
        let check_forbidden = match fields.text("check").as_deref() {
            None | Some("allowed") => false,
            Some("forbidden") => true,
            Some(other) => return Err(format!("check = {other}")),
        };
        let dead = fields.text("ends/dead-position");
        let nature = Nature::of(&mut fields, &board, &kinds, tag("NatureRules"))?;
        if nature.is_some() && switch.is_some() {
            return Err("Nature over a game with other actions".to_owned());
        }
        let mut game = Game {
            king,
            has_king,
            array: fields.text("setup/board").ok_or("no array")?,
            passed_from: passed_from.unwrap_or_else(|| double_step.clone().unwrap_or_else(|| none.clone())),
            double_step: double_step.unwrap_or_else(|| none.clone()),
            first_step: fields.number("pawns/first-step", 2) as usize,
            en_passant: fields.flag("pawns/en-passant", false),
            zone: zone.unwrap_or_else(|| none.clone()),
            forced: forced.unwrap_or(none),
            from_zone: fields.flag("promotion/from-zone", false),
            promotes,
            castling,
            drops,
            reserve,
            hand: fields.text("setup/hand").unwrap_or_default(),
            deploys_hand: deployment.as_deref() == Some("hand"),
            by_pool,
            to_hand,
            reverts: fields.flag("captures/promoted-revert", false),
            stalemate,
            goal,
            goal_mirrored: fields.flag("ends/goal-mirrored", true),
            last_ply: fields.flag("ends/last-ply", false),
            check_forbidden,
            bare_king,
            passes: fields.flag("pass/allowed", false),
            bikjang: fields.flag("ends/bikjang", false),
            points,
            quiet_limit: fields.number("ends/quiet-limit", 0).try_into().unwrap_or(0),
            declares: fields.take("ends/declaration").is_some(),
            counts_bare,
            switch,
            rising,
            nature,
            checks: fields.number("ends/checks", 0).try_into().unwrap_or(0),
            no_pieces,
            must_capture: fields.flag("captures/compulsory", false),
            blast,
            by_array,
            array_kinds: Vec::new(),
            dead_material: dead.as_deref().is_none_or(|text| text == "material"),
            dead_kings: dead.as_deref() == Some("kings"),
            counts_moves: fields.flag("ends/move-counters", true),
            quiet_moves: fields.number("ends/quiet-moves", 0).try_into().unwrap_or(0),
            repetition,
            misere: fields.flag("ends/misere", false),
            kinds: kinds.into_iter().map(|kind| kind.0).collect(),
            board,
        };
        let array = Position::read(&game, &format!("{} w - - 0 1", game.array))?;
        game.array_kinds =
            array.cells.iter().map(|cell| cell.map(|piece| (piece.kind, piece.is(true)))).collect();
        fields.left().map_or(Ok(game), Err)
    }

    /// True if pieces that Nature captured come back on squares of the array, and not as other pieces in hand do.
    pub fn returns(&self) -> bool {
        self.nature.is_some() && self.drops.is_none()
    }

    /// The kind that a letter of a player means.
    pub fn kind(&self, letter: &str, white: bool) -> Option<usize> {
        self.kinds.iter().position(|kind| kind.letter(white) == letter)
    }

    /// The kind that stood on a square in the array of the opponent of `white`.
    pub fn opposing(&self, square: usize, white: bool) -> Option<usize> {
        self.array_kinds[square].filter(|(_, owner)| *owner != white).map(|(kind, _)| kind)
    }

    /// The square of a region as `white` or Black sees it.
    pub fn has(&self, region: &Region, square: usize, white: bool) -> bool {
        region[if white { square } else { self.board.mirrored(square) }]
    }
}

impl Kind {
    /// The letter of a player's piece.
    pub fn letter(&self, white: bool) -> &str {
        if white { &self.letter } else { &self.blacks }
    }
}

/// Gives both players the armies that the record names; returns the rooks of both.
fn choose_armies(
    fields: &mut Fields,
    kinds: &mut Vec<(Kind, bool)>,
    armies: &[Option<String>; 2],
) -> Result<[usize; 2], String> {
    // That the armies may be chosen is checked elsewhere; here they are what the record says.
    fields.take("armies");
    fields.take("needs-tags");
    let army = |text: &Option<String>| -> Result<Vec<Vec<Mover>>, String> {
        let words: Vec<&str> = text.as_deref().ok_or("no army")?.split_whitespace().collect();
        if words.len() != 4 {
            return Err("an army of other than four kinds".to_owned());
        }
        words.into_iter().map(betza::read).collect()
    };
    let (whites, blacks) = (army(&armies[0])?, army(&armies[1])?);
    let mut rooks = [0, 0];
    for (place, letter) in ["R", "N", "B", "Q"].into_iter().enumerate() {
        let own = kinds.iter().position(|kind| kind.0.letter == letter).ok_or("an army without a slot")?;
        let part = |movers: &[Mover]| vec![Part { movers: movers.to_vec(), from: None, to: None }];
        kinds[own].0.parts = part(&whites[place]);
        kinds[own].0.of_chess = true;
        let of_black = match same(&whites[place], &blacks[place]) {
            true => own,
            false => {
                kinds[own].0.blacks = format!("{letter}'");
                kinds.push((
                    Kind {
                        letter: format!("{letter}'"),
                        blacks: letter.to_owned(),
                        parts: part(&blacks[place]),
                        on_king: Vec::new(),
                        pawn: false,
                        promotes_to: None,
                        captured_as: None,
                        drop: None,
                        anti_royal: false,
                        first_leap: Vec::new(),
                        hurdle_not: None,
                        of_nature: Vec::new(),
                        of_chess: true,
                    },
                    false,
                ));
                kinds.len() - 1
            }
        };
        if letter == "R" {
            rooks = [own, of_black];
        }
    }
    Ok(rooks)
}

/// True if two movements are the same.
fn same(one: &[Mover], other: &[Mover]) -> bool {
    one.iter().all(|mover| other.contains(mover)) && other.iter().all(|mover| one.contains(mover))
}

/// The pieces, and which of them is royal.
fn kinds(fields: &mut Fields, board: &Board) -> Result<Vec<(Kind, bool)>, String> {
    let Some(Value::Table(pieces)) = fields.take("pieces") else { return Err("no pieces".to_owned()) };
    let letters: Vec<String> = pieces.keys().cloned().collect();
    let index = |letter: Option<String>| match letter {
        None => Ok(None),
        Some(letter) => {
            letters.iter().position(|known| *known == letter).map(Some).ok_or(format!("no piece {letter}"))
        }
    };
    let mut kinds = Vec::new();
    for (letter, piece) in pieces {
        let Value::Table(piece) = piece else { return Err(format!("piece {letter}")) };
        let mut own = Fields::new(piece);
        let mut parts = Vec::new();
        if let Some(text) = own.text("betza") {
            parts.push(Part { movers: betza::read(&text)?, from: None, to: None });
        }
        if let Some(Value::Array(terms)) = own.take("terms") {
            for term in terms {
                let Value::Table(term) = term else { return Err("terms".to_owned()) };
                let mut term = Fields::new(term);
                let mut bound = |key: &str| term.text(key).map(|text| board.region(&text)).transpose();
                let (from, to) = (bound("from")?, bound("to")?);
                let movers = betza::read(&term.text("betza").unwrap_or_default())?;
                // Whether Nature's piece has it too: she has none of these here.
                term.take("nature");
                parts.push(Part { movers, from, to });
                if let Some(field) = term.left() {
                    return Err(format!("pieces.{letter}.terms.{field}"));
                }
            }
        }
        let on_king = own.text("attacks-king").map_or(Ok(Vec::new()), |text| betza::read(&text))?;
        let royal = own.flag("royal", false);
        let of_nature = own.text("nature").map_or(Ok(Vec::new()), |text| betza::read(&text))?;
        let of_chess = parts.is_empty() || parts.len() == 1 && same(&parts[0].movers, &of_nature);
        let kind = Kind {
            of_chess,
            parts,
            on_king,
            pawn: own.flag("pawn", false),
            promotes_to: index(own.text("promotes-to"))?,
            captured_as: index(own.text("captured-as"))?,
            drop: own.text("drop").map(|text| board.region(&text)).transpose()?,
            anti_royal: own.flag("anti-royal", false),
            first_leap: own.text("first-leap").map_or(Ok(Vec::new()), |text| betza::read(&text))?,
            hurdle_not: own.text("hurdle-not"),
            of_nature,
            blacks: letter.clone(),
            letter: letter.clone(),
        };
        match own.text("captures").as_deref() {
            None => {}
            Some("own") if kind.anti_royal => {}
            Some(other) => return Err(format!("pieces.{letter}.captures = {other}")),
        }
        // How pieces chase decides no ply.
        ["may-chase", "chased-on"].iter().for_each(|key| drop(own.take(key)));
        if let Some(field) = own.left() {
            return Err(format!("pieces.{letter}.{field}"));
        }
        kinds.push((kind, royal));
    }
    Ok(kinds)
}
