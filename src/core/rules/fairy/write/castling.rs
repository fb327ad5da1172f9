//! Castling.

use super::{Start, Writer};
use crate::rules::fairy::places::letter;

impl<'s> Writer<'s> {
    pub(super) fn castling(&mut self, start: &Start<'_>) {
        let rooks = self.letters("castlingRookPieces").or_else(|| self.letters("castlingRookPiece"));
        let king_side = self.file("castlingKingsideFile", 'g');
        let queen_side = self.file("castlingQueensideFile", 'c');
        let king = self.file("castlingKingFile", 'e');
        let rank = self.number("castlingRank", 1);
        let placed = self.is_on("castlingDroppedPiece", false);
        let outer = [self.file("castlingRookQueensideFile", 'a'), self.file("castlingRookKingsideFile", 'h')];
        let king_piece = self.get("castlingKingPiece").and_then(|text| text.chars().next());
        if !self.is_on("castling", true) || start.castling == "-" && !placed {
            return;
        }
        let royal = self.royal().map(|man| man.letter);
        if royal.is_none() && king_piece.is_none() {
            return;
        }
        if king_piece.is_some_and(|piece| Some(piece.to_ascii_uppercase()) != royal) || royal.is_none() {
            let why = "only the royal piece castles in a definition";
            return self.refuse(if king_piece.is_some() { "castlingKingPiece" } else { "castling" }, why);
        }
        let rooks = rooks.unwrap_or_else(|| "R".to_owned());
        if rooks.len() != 1 {
            return self
                .refuse("castlingRookPieces", "the king castles with one kind of piece in a definition");
        }
        let own = start.board.rsplit('/').nth(usize::from(rank.max(1)) - 1).unwrap_or_default();
        if place_of(own, royal) != Some(king) && !placed {
            return self.refuse("castlingKingFile", "the king castles from where it stands in the array");
        }
        let gates = self.settings.is_on("seirawanGating", false);
        let rights: String = start.castling.chars().filter(|right| "KQkq".contains(*right)).collect();
        if rights != "KQkq" && !gates && !placed {
            return self
                .refuse("startFen", "both players may castle on both sides in a definition, or not at all");
        }
        let before = |file: char| char::from(file as u8 - 1);
        let after = |file: char| char::from(file as u8 + 1);
        self.line(&format!("[castling]\nenabled = true\nrook = \"{rooks}\""));
        if placed {
            let [a, h] = outer;
            self.line(&format!("placed = {{ king = \"{king}\", rooks = \"{a}{h}\" }}"));
        } else if outer != ['a', letter(self.size.files)] && outer != ['a', 'h'] {
            self.refuse("castlingRookKingsideFile", "the outermost rooks castle in a definition");
        }
        if rank > 1 {
            self.line(&format!("rank = {rank}"));
        }
        self.line(&format!("king-side = {{ king = \"{king_side}\", rook = \"{}\" }}", before(king_side)));
        self.line(&format!("queen-side = {{ king = \"{queen_side}\", rook = \"{}\" }}\n", after(queen_side)));
    }

    /// A file: a letter, or a number from 1.
    fn file(&mut self, key: &'static str, otherwise: char) -> char {
        let value = self.get(key).unwrap_or_default();
        match value.parse() {
            Ok(number) => letter(number),
            Err(_) => value.chars().next().map_or(otherwise, |file| file.to_ascii_lowercase()),
        }
    }
}

/// The file of a piece in a rank of a FEN.
fn place_of(rank: &str, piece: Option<char>) -> Option<char> {
    let (mut file, mut empty) = (1_u8, 0_u8);
    for char in rank.chars() {
        match char.to_digit(10) {
            Some(digit) => empty = empty * 10 + digit as u8,
            None => {
                file += std::mem::take(&mut empty);
                if Some(char) == piece {
                    return Some(letter(file));
                }
                file += u8::from(char.is_ascii_alphabetic());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::place_of;

    #[test]
    fn a_piece_of_a_rank_has_its_file() {
        assert_eq!((place_of("2RK4", Some('K')), place_of("10K", Some('K'))), (Some('d'), Some('k')));
    }
}
