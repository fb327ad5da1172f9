//! Positions, plies and the games that are known.

use super::error::{BadPosition, FerzError, UnknownGame, definition, illegal, with};
use super::report::{Claim, End, Rules};
use ferz::board::Owner;
use ferz::position::Ply as CorePly;
use ferz::{Desk, Game, Man, Position as Core, ShownGate, ShownPly};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The known games: the built-in ones and user-defined ones.
#[pyclass(frozen, module = "ferz")]
pub struct Registry(Mutex<Desk>);

impl Registry {
    /// A desk with these games.
    pub fn desk(&self) -> Desk {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[pymethods]
impl Registry {
    #[new]
    fn new() -> Registry {
        Registry(Mutex::new(Desk::default()))
    }

    /// Adds the game or mutator of a definition file: a path, or the text of one. Returns the registry.
    fn load<'py>(this: Bound<'py, Self>, file: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Self>> {
        let py = this.py();
        let text = match file.cast::<PyString>() {
            Ok(text) if text.to_cow()?.contains('\n') => text.to_cow()?.into_owned(),
            _ => std::fs::read_to_string(file.extract::<PathBuf>()?)?,
        };
        let added = this.get().0.lock().unwrap_or_else(PoisonError::into_inner).add_game(&text);
        added.map_err(|mistakes| definition(py, &text, &mistakes))?;
        Ok(this)
    }

    /// The names of all games, without mutators.
    #[getter]
    fn games(&self) -> Vec<String> {
        let listed = self.desk().registry().list();
        listed.into_iter().filter(|listing| !listing.mutator).map(|listing| listing.name).collect()
    }

    /// The names of all mutators, which are written before a game with `+`.
    #[getter]
    fn mutators(&self) -> Vec<String> {
        let listed = self.desk().registry().list();
        listed.into_iter().filter(|listing| listing.mutator).map(|listing| listing.name).collect()
    }
}

/// A piece that enters on a square that a ply vacates.
#[pyclass(frozen, get_all, module = "ferz")]
pub struct Gate {
    piece: String,
    square: String,
}

impl From<ShownGate> for Gate {
    fn from(gate: ShownGate) -> Gate {
        Gate { piece: gate.piece, square: gate.square }
    }
}

#[pymethods]
impl Gate {
    fn __repr__(&self) -> String {
        format!("<Gate {} on {}>", self.piece, self.square)
    }
}

/// A legal ply of a position: as text, and as what a board has to do.
#[pyclass(frozen, module = "ferz")]
pub struct Ply {
    shown: ShownPly,
    ply: CorePly,
}

#[pymethods]
impl Ply {
    #[getter]
    fn actor(&self) -> String {
        name(self.shown.actor)
    }

    #[getter]
    fn san(&self) -> &str {
        &self.shown.san
    }

    #[getter]
    fn coord(&self) -> &str {
        &self.shown.coord
    }

    #[getter]
    fn uci(&self) -> Option<&str> {
        self.shown.uci.as_deref()
    }

    #[getter]
    fn piece(&self) -> &str {
        &self.shown.piece
    }

    #[getter(from_square)]
    fn origin(&self) -> Option<&str> {
        self.shown.from.as_deref()
    }

    #[getter]
    fn to_square(&self) -> &str {
        &self.shown.to
    }

    #[getter]
    fn captures(&self) -> Option<&str> {
        self.shown.captures.as_deref()
    }

    #[getter]
    fn promotion(&self) -> Option<&str> {
        self.shown.promotion.as_deref()
    }

    #[getter]
    fn drop(&self) -> bool {
        self.shown.drop
    }

    #[getter]
    fn castles(&self) -> bool {
        self.shown.castles
    }

    #[getter]
    fn is_pass(&self) -> bool {
        self.shown.pass
    }

    #[getter]
    fn gates(&self) -> Vec<Gate> {
        self.shown.gates.iter().cloned().map(Gate::from).collect()
    }

    fn __str__(&self) -> &str {
        &self.shown.san
    }

    fn __repr__(&self) -> String {
        format!("<Ply {}>", self.shown.san)
    }

    fn __eq__(&self, other: &Ply) -> bool {
        self.ply == other.ply
    }

    fn __hash__(&self) -> u64 {
        hash(&self.ply)
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn name(owner: Owner) -> String {
    owner.name().to_lowercase()
}

fn owner(name: &str) -> PyResult<Owner> {
    let found = Owner::ALL.into_iter().find(|owner| owner.name().eq_ignore_ascii_case(name));
    found.ok_or_else(|| FerzError::new_err(format!("no player `{name}`; write white, black or nature")))
}

fn letters(men: &[Man]) -> Vec<String> {
    men.iter().map(Man::to_string).collect()
}

/// A position of a game, with the plies that led to it. It never changes: `play` returns another.
#[pyclass(frozen, module = "ferz")]
pub struct Position {
    game: Game,
    now: Core,
}

impl From<Game> for Position {
    fn from(game: Game) -> Position {
        Position { now: game.position(), game }
    }
}

impl Position {
    fn played(&self, ply: &CorePly) -> Position {
        let mut game = self.game.clone();
        game.play_ply(ply);
        game.into()
    }
}

/// The games of python-chess by their names there.
const OF_CHESS: [(&str, &str); 7] = [
    ("chess", "chess"),
    ("crazyhouse", "crazyhouse"),
    ("atomic", "atomic"),
    ("antichess", "antichess"),
    ("kingofthehill", "kingofthehill"),
    ("racingkings", "racingkings"),
    ("horde", "horde"),
];

/// The game and the FEN of a board of python-chess.
fn of_board(board: &Bound<'_, PyAny>) -> PyResult<(String, String)> {
    let name: String = board.getattr("uci_variant")?.extract()?;
    let Some((_, variant)) = OF_CHESS.iter().find(|(known, _)| *known == name) else {
        return Err(UnknownGame::new_err(format!("a board of {name} cannot be taken over; give its FEN")));
    };
    let shuffled: bool = board.getattr("chess960")?.extract()?;
    let variant = if shuffled && *variant == "chess" { "chess960" } else { variant };
    let how = PyDict::new(board.py());
    how.set_item("shredder", shuffled)?;
    how.set_item("en_passant", "fen")?;
    Ok((variant.to_owned(), board.call_method("fen", (), Some(&how))?.extract()?))
}

#[pymethods]
impl Position {
    /// The start of a game, a position by its FEN, or that of a board of python-chess.
    #[new]
    #[pyo3(signature = (game = None, *, fen = None, tags = None, registry = None))]
    fn new(
        py: Python<'_>,
        game: Option<&Bound<'_, PyAny>>,
        fen: Option<String>,
        tags: Option<BTreeMap<String, String>>,
        registry: Option<&Bound<'_, Registry>>,
    ) -> PyResult<Position> {
        let (variant, fen) = match game {
            None => ("chess".to_owned(), fen),
            Some(game) if game.is_instance_of::<PyString>() => (game.extract()?, fen),
            Some(board) if board.hasattr("uci_variant")? => {
                let (variant, of_board) = of_board(board)?;
                (variant, fen.or(Some(of_board)))
            }
            Some(other) => {
                let name = other.get_type().name()?;
                return Err(PyTypeError::new_err(format!("a game is its name or a chess.Board, not {name}")));
            }
        };
        let desk = registry.map(|registry| registry.get().desk()).unwrap_or_default();
        let mut tags = tags.unwrap_or_default();
        if let Some(fen) = &fen {
            tags.insert("FEN".to_owned(), fen.clone());
        }
        let tags: Vec<(&str, &str)> = tags.iter().map(|(name, value)| (&**name, &**value)).collect();
        let rules = desk.rules(&variant, &tags).map_err(|error| UnknownGame::new_err(error.to_string()))?;
        let position = match &fen {
            None => Core::start(&rules),
            Some(fen) => match Core::from_fen(&rules, fen) {
                Ok(position) => position,
                Err(error) => {
                    let raised = BadPosition::new_err(error.to_string());
                    return Err(with(py, raised, "field", error.field)?);
                }
            },
        };
        Ok(Game::from_position(position).into())
    }

    /// The position after a ply: its text in any style, or one of `moves`.
    fn play(&self, py: Python<'_>, ply: &Bound<'_, PyAny>) -> PyResult<Position> {
        if let Ok(ply) = ply.cast::<Ply>() {
            let ply = ply.get();
            if self.game.is_over() || !self.now.is_legal(&ply.ply) {
                return self.play(py, PyString::new(py, &ply.shown.coord).as_any());
            }
            return Ok(self.played(&ply.ply));
        }
        let text: String = ply.extract()?;
        let mut game = self.game.clone();
        match game.play(&text) {
            Ok(_) => Ok(game.into()),
            Err(fault) => Err(illegal(py, self.now.shown_fault(&fault))),
        }
    }

    /// The position before the last ply.
    fn undo(&self) -> PyResult<Position> {
        let mut game = self.game.clone();
        let undone = game.undo().ok_or_else(|| PyIndexError::new_err("no ply was made"));
        undone.map(|_| game.into())
    }

    /// The legal plies of all who may act; from a square, if one is given.
    #[pyo3(signature = (from_square = None))]
    fn moves(&self, from_square: Option<&str>) -> Vec<Ply> {
        let plies = self.game.legal_plies().into_iter();
        let all = plies.map(|ply| Ply { shown: self.now.shown(&ply), ply });
        all.filter(|ply| from_square.is_none() || ply.shown.from.as_deref() == from_square).collect()
    }

    /// The plies so far, in coordinate notation.
    #[getter]
    fn plies(&self) -> Vec<String> {
        self.game.coords()
    }

    #[getter]
    fn fen(&self) -> String {
        self.now.fen()
    }

    #[getter]
    fn variant(&self) -> String {
        self.now.rules().id().name.clone()
    }

    #[getter]
    fn rules(&self) -> Rules {
        self.now.rules().id().into()
    }

    /// The player on move.
    #[getter]
    fn turn(&self) -> String {
        name(self.now.turn())
    }

    /// Who may act now: the player on move, Nature, both, or no one.
    #[getter]
    fn actors(&self) -> Vec<String> {
        self.game.actors().into_iter().map(name).collect()
    }

    #[getter]
    fn in_check(&self) -> bool {
        self.now.in_check()
    }

    #[getter]
    fn checkers(&self) -> Vec<String> {
        self.now.checkers()
    }

    /// The pieces on the board by their squares, as letters of a FEN.
    #[getter]
    fn pieces(&self) -> BTreeMap<String, String> {
        self.now.pieces().into_iter().map(|(square, man)| (square, man.to_string())).collect()
    }

    /// The letter of the piece on a square.
    fn piece(&self, square: &str) -> Option<String> {
        self.now.piece(square).map(|man| man.to_string())
    }

    /// The letters of the pieces that a player may drop.
    fn hand(&self, player: &str) -> PyResult<Vec<String>> {
        Ok(letters(&self.now.hand(owner(player)?)))
    }

    /// The letters of the pieces that a player may gate in, deploy or promote to.
    fn reserve(&self, player: &str) -> PyResult<Vec<String>> {
        Ok(letters(&self.now.reserve(owner(player)?)))
    }

    /// How the game ended, if it did.
    #[getter]
    fn end(&self) -> Option<End> {
        self.game.end().map(End::from)
    }

    /// What the player on move may claim.
    #[getter]
    fn claimable(&self) -> Vec<Claim> {
        self.game.claims().iter().map(|claim| Claim::of(claim, None)).collect()
    }

    /// All that makes two positions the same (COM-3).
    #[getter]
    fn identity(&self) -> String {
        String::from_utf8_lossy(&self.now.identity()).into_owned()
    }

    /// The number of sequences of so many legal plies.
    fn perft(&self, py: Python<'_>, depth: u32) -> u64 {
        py.detach(|| self.now.perft(depth))
    }

    /// A drawing that needs no other file.
    fn svg(&self) -> String {
        self.now.svg()
    }

    /// The position as a board of python-chess.
    fn to_chess<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let variant = self.variant();
        let how = PyDict::new(py);
        how.set_item("chess960", variant == "chess960")?;
        let known = if variant == "chess960" { "chess" } else { &variant };
        let Some((name, _)) = OF_CHESS.iter().find(|(_, own)| *own == known) else {
            return Err(UnknownGame::new_err(format!("python-chess does not play {variant}")));
        };
        let class = py.import("chess.variant")?.call_method1("find_variant", (name,))?;
        class.call((self.now.fen(),), Some(&how))
    }

    fn _repr_svg_(&self) -> String {
        self.now.svg()
    }

    fn __str__(&self) -> String {
        self.now.drawn()
    }

    fn __repr__(&self) -> String {
        format!("ferz.Position({:?}, fen={:?})", self.variant(), self.now.fen())
    }

    fn __eq__(&self, other: &Position) -> bool {
        self.now == other.now
    }

    fn __hash__(&self) -> u64 {
        hash(&self.now)
    }
}
