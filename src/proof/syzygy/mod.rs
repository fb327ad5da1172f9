//! Endgame tables in the files of Ronald de Man's Syzygy format: who wins each position of up to seven men of chess,
//! and how far the next capture or pawn move is.
//!
//! A file `KRPvKR.rtbw` has the value of each position (*WDL*), `KRPvKR.rtbz` the distance to the next capture or pawn
//! move (*DTZ*). Both know the fifty-move rule, and no castling. Files are read as they are asked, in pieces of a few
//! bytes; one that is cut or damaged is an error. What they say is not proved here: the program that made them is
//! trusted.

mod file;
mod places;
mod probe;
#[cfg(test)]
mod tests;

pub use probe::Probed;

use ferz_core::board::Mask as _;
use ferz_core::position::Position;
use ferz_core::rules::registry::with_field;
use ferz_core::rules::{AnyRules, Registry, Rules, RulesId};
use file::{File, Kind};
use places::{Men, placed};
use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Men of a position at most.
pub const MEN_MAX: usize = 7;

/// The value of a position for the side to move, by the rules and by the counter of fifty moves at zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wdl {
    /// It loses.
    Loss,
    /// It loses, but fifty moves without capture or pawn move come before.
    BlessedLoss,
    /// Neither side can force a win.
    Draw,
    /// It wins, but fifty moves without capture or pawn move come before.
    CursedWin,
    /// It wins.
    Win,
}

impl Wdl {
    const ALL: [Wdl; 5] = [Wdl::Loss, Wdl::BlessedLoss, Wdl::Draw, Wdl::CursedWin, Wdl::Win];

    /// The value for the other side.
    #[must_use]
    pub fn reversed(self) -> Wdl {
        Wdl::ALL[4 - self as usize]
    }

    /// 1 if the side to move wins, with or without the counter, -1 if it loses, 0 if neither.
    pub fn sign(self) -> i32 {
        (self as i32 - Wdl::Draw as i32).signum()
    }

    /// True if fifty moves come before the end.
    pub fn is_beyond_fifty(self) -> bool {
        matches!(self, Wdl::BlessedLoss | Wdl::CursedWin)
    }
}

/// Why files of tables do not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SyzygyError {
    /// No file can have the position.
    #[error("{0}")]
    NotCovered(&'static str),
    /// A file is not there.
    #[error("no file {name} in {place}")]
    Missing {
        /// Its name.
        name: String,
        /// Where it was sought.
        place: String,
    },
    /// A file cannot be read, or is none of its kind, or is cut or damaged.
    #[error("{name}: {reason}")]
    Damaged {
        /// Its name.
        name: String,
        /// What is wrong.
        reason: String,
    },
}

/// A file that an answer rests on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileId {
    /// Its name, such as `KRPvKR.rtbw`.
    pub name: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its checksum, which the program that made it has put into its last 16 bytes, in hexadecimal digits.
    pub checksum: String,
}

/// The bytes of a file, which are read at any place.
pub trait FileBytes: Debug + Send + Sync {
    /// How many there are.
    fn len(&self) -> u64;

    /// True if there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads as many bytes as are asked for, from a place on.
    ///
    /// # Errors
    /// If they are not there, or cannot be read.
    fn fill(&self, at: u64, bytes: &mut [u8]) -> Result<(), String>;
}

impl FileBytes for Vec<u8> {
    fn len(&self) -> u64 {
        self.len() as u64
    }

    fn fill(&self, at: u64, bytes: &mut [u8]) -> Result<(), String> {
        let from = usize::try_from(at).ok();
        let range = from.and_then(|from| Some(from..from.checked_add(bytes.len())?));
        let there = range.and_then(|range| self.get(range)).ok_or("it is cut or damaged")?;
        bytes.copy_from_slice(there);
        Ok(())
    }
}

/// Where files are kept: the library itself opens none.
pub trait Shelf: Debug + Send + Sync {
    /// Where it is, in words.
    fn place(&self) -> String;

    /// The file of this name; `None` if there is none.
    ///
    /// # Errors
    /// If it cannot be opened.
    fn open(&self, name: &str) -> Result<Option<Box<dyn FileBytes>>, String>;
}

/// Files of tables, each of which is opened when it is needed.
#[derive(Debug)]
pub struct Syzygy {
    shelf: Box<dyn Shelf>,
    /// The files that were opened, with the faults of those that could not be.
    files: Mutex<HashMap<String, Result<Arc<File>, SyzygyError>>>,
}

impl Syzygy {
    /// The files of a shelf.
    pub fn new(shelf: impl Shelf + 'static) -> Syzygy {
        Syzygy { shelf: Box::new(shelf), files: Mutex::default() }
    }

    /// The first of some files that are not there, with the same length and checksum.
    pub fn lacks<'f>(&self, files: impl IntoIterator<Item = &'f FileId>) -> Option<&'f FileId> {
        files.into_iter().find(|file| self.named(&file.name).is_none_or(|found| found.id() != **file))
    }

    /// A file with this name; `None` if there is none that can be read. Names come from others: only names of files of
    /// tables are looked for.
    fn named(&self, name: &str) -> Option<Arc<File>> {
        let (men, kind) = parsed(name)?;
        self.file(&men, kind).ok()
    }

    /// The file of some men, as White's or as Black's.
    fn file(&self, men: &Men, kind: Kind) -> Result<Arc<File>, SyzygyError> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let own = format!("{}.{}", men.name(), kind.ending());
        let other = format!("{}.{}", men.reversed().name(), kind.ending());
        for (name, men) in [(&own, men), (&other, &men.reversed())] {
            if let Some(known) = files.get(name) {
                return known.clone();
            }
            let opened = match self.shelf.open(name) {
                Ok(None) => continue,
                Ok(Some(bytes)) => File::read(name, bytes, men, kind).map(Arc::new),
                Err(reason) => Err(SyzygyError::Damaged { name: name.clone(), reason }),
            };
            files.insert(name.clone(), opened.clone());
            return opened;
        }
        Err(SyzygyError::Missing { name: own, place: self.shelf.place() })
    }
}

/// The men and the kind that a name of a file says.
fn parsed(name: &str) -> Option<(Men, Kind)> {
    let (men, ending) = name.split_once('.')?;
    let kind = [Kind::Wdl, Kind::Dtz].into_iter().find(|kind| kind.ending() == ending)?;
    Some((Men::named(men)?, kind))
}

/// What the check of a whole file found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedFile {
    /// How it is named as evidence.
    pub id: FileId,
    /// How many values it has.
    pub values: u64,
    /// In how many blocks they are packed.
    pub blocks: u64,
}

/// True if a name is one of a file of Syzygy tables.
pub fn is_file(name: &str) -> bool {
    parsed(name).is_some()
}

/// Reads a whole file of this name: each block must have as many values as the file says, and all blocks together one
/// for each placement. That finds a file that is cut or mixed up; most changes of a value are not found, for which a
/// published digest of the whole file serves.
///
/// # Errors
/// If it is no such file, or cut or damaged.
pub fn check(name: &str, bytes: Box<dyn FileBytes>) -> Result<CheckedFile, SyzygyError> {
    let no_name = || SyzygyError::Damaged {
        name: name.to_owned(),
        reason: "its name is that of no file of Syzygy tables, such as KRPvKR.rtbw".to_owned(),
    };
    let (men, kind) = parsed(name).ok_or_else(no_name)?;
    File::read(name, bytes, &men, kind)?.check()
}

/// The men of a position of chess and their squares, if files can have it.
fn men_of(position: &Position<u64>) -> Result<(Men, Vec<(u8, u8)>), SyzygyError> {
    if position.status().castling.any() {
        return Err(SyzygyError::NotCovered("a player may still castle, which no file knows"));
    }
    let placed = placed(position).ok_or(SyzygyError::NotCovered("files have no men of these kinds"))?;
    match placed.len() {
        2..=MEN_MAX => Ok((Men::of(&placed), placed)),
        _ => Err(SyzygyError::NotCovered("files have at most seven men")),
    }
}

/// The same position by the rules of chess: those that others say of counters do not matter to files.
fn in_chess(position: &Position<u64>) -> Result<Position<u64>, SyzygyError> {
    let covered = SyzygyError::NotCovered("Syzygy files are of chess");
    let Some(AnyRules::Narrow(chess)) = &*CHESS else { return Err(covered) };
    if !is_chess(position.rules()) {
        return Err(covered);
    }
    let fen = position.fen();
    let four: Vec<&str> = fen.split(' ').take(4).collect();
    Position::from_fen(Arc::clone(chess), &format!("{} 0 1", four.join(" "))).map_err(|_| covered)
}

static CHESS: LazyLock<Option<AnyRules>> =
    LazyLock::new(|| Registry::built_in().rules("chess", &|_| None).ok());

/// The games of chess pieces that are chess without castling rights.
const GAMES: [&str; 2] = ["chess", "chess960"];

/// The digests of rules that were compared with those of chess.
static COMPARED: LazyLock<Mutex<HashMap<String, bool>>> = LazyLock::new(Mutex::default);

/// True if rules are those of chess, whether moves are counted or not. What another definition says may change the
/// value of a position.
fn is_chess(rules: &Rules<u64>) -> bool {
    let mut compared = COMPARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = compared.get(&rules.id.digest) {
        return *known;
    }
    let found = is_built_in(rules) == Some(true);
    compared.insert(rules.id.digest.clone(), found);
    found
}

fn is_built_in(rules: &Rules<u64>) -> Option<bool> {
    let RulesId { name, edition, .. } = &rules.id;
    let edition = |tag: &str| (tag == "RulesEdition").then(|| edition.clone());
    let AnyRules::Narrow(known) = Registry::built_in().rules(name, &edition).ok()? else { return None };
    let counted = |rules: &Rules<u64>| with_field(rules, "ends.move-counters", true, &edition).ok();
    let is_same = counted(&known)?.id.digest == counted(rules)?.id.digest;
    Some(is_same && GAMES.contains(&name.as_str()))
}
