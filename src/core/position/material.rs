//! Dead positions by material (COM-7).

use super::Position;
use crate::board::{Mask, Owner};
use crate::rules::Proving;
use crate::rules::definition::{KingsSquare, Stalemate};

impl<M: Mask> Position<M> {
    /// True if the material rules out a win by either player: bare kings, a single minor piece besides them, or bishops
    /// all on one colour. If stalemate or perpetual check decides the game, bare kings only. Pieces in reserve and in
    /// hand count, and so does what a capture could return: a bishop on the other colour, a promoted piece as a pawn.
    #[inline(always)]
    pub fn is_dead(&self) -> bool {
        // Decides almost every position: a pawn, rook or queen is left.
        !self.rules.majors.kinds().any(|kind| self.state.of_kind(kind).any()) && self.is_dead_of_minors()
    }

    /// [`Position::is_dead`] for kings and minor pieces.
    #[cold]
    fn is_dead_of_minors(&self) -> bool {
        let (rules, state) = (&*self.rules, &self.state);
        let others = state.occupied() & !state.of_kind(rules.king);
        // With two boards, a piece may come from the other one.
        if state.real_kings(rules).count() < 2 || rules.captures_to_partner() {
            return false;
        }
        let mut stocks =
            Owner::REAL.iter().flat_map(|&owner| state.reserve(owner).iter().chain(state.hand(owner)));
        if stocks.any(|&count| count > 0) {
            return false;
        }
        let bishops = rules.bishops.kinds().fold(M::EMPTY, |all, kind| all | state.of_kind(kind));
        let dark = rules.geometry.dark();
        if rules.definition.captures.promoted_revert && (others & state.promoted()).any() {
            return false;
        }
        let one_colour = !rules.captures_to_hand
            && !rules.captures_to_reserve
            && (others & !bishops).is_empty()
            && ((others & dark).is_empty() || (others & !dark).is_empty());
        others.is_empty() || others.is_single() || one_colour
    }

    /// Why the material excludes every win of a player, by any sequence of legal plies (ADJ-6); `None` if it does not,
    /// or does not show it.
    pub fn is_beyond_winning(&self, by: Owner) -> Option<&'static str> {
        let rules = &*self.rules;
        let ends = &rules.ends;
        if ends.dead_position.by_material() && self.is_dead() {
            return Some("the material that is left allows no mate");
        }
        // Other ends than mate may be won by a lone king, and where captures change sides it may win pieces.
        let mate_alone = ends.stalemate == Stalemate::Draw
            && !ends.misere
            && !ends.bare_king.loses()
            && rules.special.anti_king.is_none()
            && ends.kings_square == KingsSquare::None
            && ends.repetition.perpetual().is_none()
            && rules.nature.is_none()
            && !rules.captures_come_back();
        let own = self.owned(by);
        if self.lacks_king().is_some() {
            return None;
        }
        let stocked = self.reserve(by).iter().chain(self.hand(by)).any(|&count| count > 0);
        let lone = own.is_single() && self.pieces(by, rules.king) == own && !stocked;
        let known = || rules.unknown_to(Proving::ByPieces).is_none();
        (mate_alone && lone && known()).then_some("a lone king mates no one, and it can gain no piece")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::{EndReason, Outcome};
    use crate::rules::{AnyRules, Registry};

    /// A position of a game of `registry`.
    fn position(registry: &Registry, game: &str, fen: &str) -> Position<u64> {
        let Ok(AnyRules::Narrow(rules)) = registry.rules(game, &|_| None) else { panic!("{game}") };
        Position::from_fen(rules, fen).unwrap_or_else(|error| panic!("{game}: {fen}: {error}"))
    }

    /// In games that are won without mate, a single piece is enough material.
    #[test]
    fn a_win_without_mate_needs_less_material() {
        let ends = |name: &str, ends: &str| {
            format!("name = \"{name}\"\nextends = \"chess\"\nclass = \"X\"\n[ends]\n{ends}\n")
        };
        let pieces = |name: &str, pieces: &str| {
            format!("name = \"{name}\"\nextends = \"chess\"\nclass = \"X\"\n{pieces}\n")
        };
        let back = "[setup]\nreserve = \"N\"\n[captures]\nto = \"reserve\"\n[drops]\nreserve = \"rank 1\"\n";
        let files = [
            ends("stalemate", "stalemate = \"loss\""),
            ends("perpetual", "repetition = \"fourfold-perpetual\""),
            ends("bare", "bare-king = true"),
            pieces("wazir-king", "[pieces]\nK = { name = \"king\", betza = \"W\", royal = true }"),
            pieces("knight-pawns", "[pieces]\nP = { name = \"pawn\", betza = \"N\", pawn = true }"),
            pieces(
                "grows",
                "[pieces]\nB = { name = \"bishop\", betza = \"B\", captured-as = \"Q\" }\n\
                 [captures]\nto = \"hand\"\n[drops]\nhand = \"all\"\n",
            ),
            pieces("back", back),
        ];
        let registry = Registry::with_files(files.iter().map(String::as_str)).expect("right definitions");
        let (kings, bishop, knight, bishops) = (
            "8/6k1/8/8/8/8/8/K7 w - - 0 1",
            "8/6k1/8/8/5B2/8/8/K7 w - - 0 1",
            "8/6k1/8/8/5N2/8/8/K7 w - - 0 1",
            "8/6k1/8/8/5B2/8/3b4/K7 w - - 0 1",
        );
        let alive = |game: &str, fens: &[&str]| {
            for fen in fens {
                let stocks = if game == "ichess" || game == "grows" { "[] w" } else { " w" };
                let fen = if game == "back" { fen.replace(" w", "[] w") } else { fen.replace(" w", stocks) };
                assert!(!position(&registry, game, &fen).is_dead(), "{game}: {fen}");
            }
        };
        alive("ichess", &[bishop, knight, bishops]);
        alive("stalemate", &[bishop, knight, bishops]);
        alive("misere+stalemate", &[bishop, knight, bishops]);
        alive("perpetual", &[bishop, knight, bishops]);
        alive("bare", &[bishop, bishops]);
        alive("wazir-king", &[kings, bishop]);
        alive("knight-pawns", &["8/6k1/8/8/5P2/8/8/K7 w - - 0 1"]);
        alive("grows", &[bishop]);
        alive("back", &[bishops]);
        for game in ["stalemate", "misere+stalemate", "perpetual", "misere+chess", "grows", "back"] {
            let stocks = if matches!(game, "grows" | "back") { "[] w" } else { " w" };
            assert!(position(&registry, game, &kings.replace(" w", stocks)).is_dead(), "{game}");
        }
        assert!(position(&registry, "back", &bishop.replace(" w", "[] w")).is_dead());
    }

    #[test]
    fn stalemate_wins_with_a_single_piece() {
        let mut position = position(Registry::built_in(), "ichess", "k7/8/8/1K6/5B2/8/8/8[] w - - 0 1");
        assert!(!position.is_dead());
        let ply = position.plies().into_iter().find(|ply| position.rules().board().name(ply.to) == "b6");
        position.apply(&ply.expect("a legal ply"));
        assert_eq!(position.shown_end(), Some((EndReason::Stalemate, Outcome::WhiteWins)));
    }

    #[test]
    fn pieces_that_return_count() {
        for (game, fen, dead) in [
            ("chess", "8/6k1/8/8/5B2/8/3b4/K7 w - - 0 1", true),
            ("chess", "8/6k1/8/8/5B2/8/4b3/K7 w - - 0 1", false),
            ("crazyhouse", "8/6k1/8/8/8/8/3b4/K7[] w - - 0 1", true),
            ("crazyhouse", "8/6k1/8/8/5N2/8/8/K7[] w - - 0 1", true),
            ("crazyhouse", "8/6k1/8/8/8/8/3b4/K7[N] w - - 0 1", false),
            // A bishop that is captured may come back on the other colour, a promoted piece as a pawn.
            ("crazyhouse", "8/6k1/8/8/5B2/8/3b4/K7[] w - - 0 1", false),
            ("crazyhouse", "8/6k1/8/8/5N~2/8/8/K7[] w - - 0 1", false),
            ("ichess", "8/6k1/8/8/5B2/8/3b4/K7[] w - - 0 1", false),
        ] {
            let Ok(AnyRules::Narrow(rules)) = Registry::built_in().rules(game, &|_| None) else {
                panic!("{game}")
            };
            let position = Position::from_fen(rules, fen).expect("a position");
            assert_eq!(position.is_dead(), dead, "{game}: {fen}");
        }
    }
}
