//! The names of the pieces of shogi in its records.

/// A piece with its names, unpromoted and promoted; empty where there is none.
#[derive(Debug)]
pub struct ShogiPiece {
    /// Its letter in FEN, a capital.
    pub letter: u8,
    /// The code of the Computer Shogi Association: `GI`, `NG`.
    pub csa: [&'static str; 2],
    /// The name in plies: `銀`, `成銀`.
    pub written: [&'static str; 2],
    /// The character in drawings and hands: `銀`, `全`.
    pub drawn: [&'static str; 2],
}

/// All pieces.
pub static SHOGI_PIECES: [ShogiPiece; 8] = [
    ShogiPiece { letter: b'K', csa: ["OU", ""], written: ["玉", ""], drawn: ["玉", ""] },
    ShogiPiece { letter: b'R', csa: ["HI", "RY"], written: ["飛", "龍"], drawn: ["飛", "龍"] },
    ShogiPiece { letter: b'B', csa: ["KA", "UM"], written: ["角", "馬"], drawn: ["角", "馬"] },
    ShogiPiece { letter: b'G', csa: ["KI", ""], written: ["金", ""], drawn: ["金", ""] },
    ShogiPiece { letter: b'S', csa: ["GI", "NG"], written: ["銀", "成銀"], drawn: ["銀", "全"] },
    ShogiPiece { letter: b'N', csa: ["KE", "NK"], written: ["桂", "成桂"], drawn: ["桂", "圭"] },
    ShogiPiece { letter: b'L', csa: ["KY", "NY"], written: ["香", "成香"], drawn: ["香", "杏"] },
    ShogiPiece { letter: b'P', csa: ["FU", "TO"], written: ["歩", "と"], drawn: ["歩", "と"] },
];

/// One of the names that a piece has, unpromoted and promoted.
type Names = fn(&'static ShogiPiece) -> &'static [&'static str; 2];

impl ShogiPiece {
    /// The piece with a name, and whether it is promoted.
    pub fn named(name: &str, names: Names) -> Option<(u8, bool)> {
        SHOGI_PIECES.iter().filter(|_| !name.is_empty()).find_map(|piece| {
            let place = names(piece).iter().position(|known| *known == name)?;
            Some((piece.letter, place == 1))
        })
    }

    /// A name of the piece with a letter; `None` if it has none.
    pub fn name(letter: u8, promoted: bool, names: Names) -> Option<&'static str> {
        let piece = SHOGI_PIECES.iter().find(|piece| piece.letter == letter)?;
        Some(names(piece)[usize::from(promoted)]).filter(|name| !name.is_empty())
    }
}
