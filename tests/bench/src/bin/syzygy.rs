//! Compares what Syzygy files say of positions with what another reader says: `tests/syzygy/compare.sh`.
//!
//!     syzygy FOLDER VALUES
//!
//! Each line of VALUES is a FEN, the value from -2 to 2, and the plies to the next capture or pawn move.

use ferz::position::Position;
use ferz::rules::{AnyRules, Registry};
use ferz::syzygy::{FileBytes, Shelf, Syzygy};
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

/// Files of a folder, read whole.
#[derive(Debug)]
struct Folder(PathBuf);

impl Shelf for Folder {
    fn place(&self) -> String {
        self.0.display().to_string()
    }

    fn open(&self, name: &str) -> Result<Option<Box<dyn FileBytes>>, String> {
        Ok(std::fs::read(self.0.join(name)).ok().map(|bytes| Box::new(bytes) as Box<dyn FileBytes>))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, values] = args.as_slice() else { return Err("syzygy FOLDER VALUES".into()) };
    let AnyRules::Narrow(rules) = Registry::built_in().rules("chess", &|_| None)? else {
        return Err("chess is played on 64 squares".into());
    };
    let files = Syzygy::new(Folder(folder.into()));
    let (mut compared, mut en_passant, mut different) = (0, 0, 0);
    for line in std::fs::read_to_string(values)?.lines() {
        let (fen, said) = line.split_once('\t').ok_or("a line has no value")?;
        let probed = files.probe(&Position::from_fen(Arc::clone(&rules), fen)?)?;
        let found = format!("{}\t{}", probed.wdl as i32 - 2, probed.dtz);
        if found != said {
            println!("{fen}: {said} by the other reader, {found} here");
            different += 1;
        }
        compared += 1;
        en_passant += usize::from(fen.split(' ').nth(3) != Some("-"));
    }
    println!(
        "{compared} positions, {en_passant} of them with an en passant capture: {different} are different"
    );
    if different > 0 || compared == 0 { Err("not equal".into()) } else { Ok(()) }
}
