//! A ply on the command line, as people name it.

use ferz::board::{Mask, Owner};
use ferz::replay::Trace;
use std::str::FromStr;

/// A ply by its number, or by the move and the player: `16`, `8 white`, `move 8, Black`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlyArg {
    /// The number of plies, from the start.
    Number(usize),
    /// A player's ply of a move.
    Move(usize, Owner),
}

impl FromStr for PlyArg {
    type Err = String;

    fn from_str(text: &str) -> Result<PlyArg, String> {
        let wrong =
            || format!("`{text}` names no ply; write a number such as 16, or a move such as `8 white`");
        if let Ok(number) = text.trim().parse() {
            return Ok(PlyArg::Number(number));
        }
        let small = text.trim().to_ascii_lowercase();
        let rest = small.strip_prefix("move").unwrap_or(&small).trim_start();
        let digits = rest.len() - rest.trim_start_matches(|char: char| char.is_ascii_digit()).len();
        let (number, player) = rest.split_at(digits);
        let number = number.parse().map_err(|_| wrong())?;
        // `8.` and `8...` are White's and Black's in movetext.
        let player = match player.trim_matches([' ', ',']) {
            "white" | "w" | "." => Owner::White,
            "black" | "b" | "..." => Owner::Black,
            _ => return Err(wrong()),
        };
        Ok(PlyArg::Move(number, player))
    }
}

impl PlyArg {
    /// The number of plies up to this one, in a game.
    ///
    /// # Errors
    /// If the game has no such move.
    pub(super) fn plies<M: Mask>(self, trace: &Trace<M>) -> Result<usize, String> {
        let (number, player) = match self {
            PlyArg::Number(number) => return Ok(number),
            PlyArg::Move(number, player) => (number, player),
        };
        let all = trace.plies.len();
        let made = trace.moves().position(|made| made == Some((number, player)));
        // The illegal ply at which the replay stopped has a number, too.
        let found = made.or_else(|| Some(all).filter(|_| trace.next_move() == (number, player)));
        found.map(|index| index + 1).ok_or_else(|| {
            let last = trace.moves().flatten().last();
            let last = last.map_or_else(
                || "it has no legal ply".to_owned(),
                |(number, player)| format!("its last legal one is move {number}, {}", player.name()),
            );
            format!("the game has no move {number}, {}: {last}", player.name())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferz::record::read;
    use ferz::replay::{Options, Replayer, Source, trace, with_trace};
    use ferz::rules::Registry;

    #[test]
    fn plies_are_named_in_several_ways() {
        for (text, ply) in [
            ("16", PlyArg::Number(16)),
            ("8 white", PlyArg::Move(8, Owner::White)),
            ("8w", PlyArg::Move(8, Owner::White)),
            ("8.", PlyArg::Move(8, Owner::White)),
            ("8...", PlyArg::Move(8, Owner::Black)),
            ("Move 12, Black", PlyArg::Move(12, Owner::Black)),
            ("move 12 b", PlyArg::Move(12, Owner::Black)),
        ] {
            assert_eq!(text.parse(), Ok(ply), "{text}");
        }
        for wrong in ["", "white", "8 grey", "-1", "8..", "move", "1.5"] {
            assert!(wrong.parse::<PlyArg>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn moves_are_found_in_a_game() {
        let black_first =
            "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 0 7\"]\n\n7... Kd7 8. O-O Kc6 9. Kg3 *";
        for (text, ply, plies) in [
            ("1. e4 e5 2. Nf3 Nc6 *", "2 white", Ok(3)),
            ("1. e4 e5 2. Nf3 Nc6 *", "2 black", Ok(4)),
            (black_first, "7 black", Ok(1)),
            (black_first, "8 white", Ok(2)),
            // The illegal one.
            (black_first, "9 white", Ok(4)),
            (black_first, "9 black", Err(())),
            ("1. e4 *", "1 black", Ok(2)),
            ("1. e4 *", "3 white", Err(())),
        ] {
            let record = read(text.as_bytes(), 0).next().unwrap();
            let mut replayer = Replayer::new(Registry::built_in(), Options::default());
            let traced = trace(&mut replayer, &record, &Source::new(text.as_bytes(), 0, 0), 0).unwrap();
            let ply: PlyArg = ply.parse().unwrap();
            let found = with_trace!(&traced, |trace| ply.plies(trace).map_err(|_| ()));
            assert_eq!(found, plies, "{text} {ply:?}");
        }
    }
}
