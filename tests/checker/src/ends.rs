//! How games end on the board.

use crate::game::{Game, Stalemate};
use crate::plies::Ply;
use crate::position::{Piece, Position, side};

/// How a game is over on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// The word of reports and certificates.
    pub reason: &'static str,
    /// `None` for a draw.
    pub winner: Option<bool>,
}

impl End {
    fn won(reason: &'static str, white: bool) -> Option<End> {
        Some(End { reason, winner: Some(white) })
    }

    fn drawn(reason: &'static str) -> Option<End> {
        Some(End { reason, winner: None })
    }

    pub fn is_mate(&self) -> bool {
        self.reason == "checkmate"
    }
}

impl Position {
    /// How the game is over in this position, and who has won; `None` if it is not.
    pub fn end(&self, game: &Game) -> Option<End> {
        let end = if self.has_ply(game) { self.decided(game) } else { self.stuck(game) };
        end.map(|end| End { winner: end.winner.map(|winner| winner != game.misere), ..end })
    }

    /// The end for a player without a legal ply.
    fn stuck(&self, game: &Game) -> Option<End> {
        if self.checked(game, self.white, false) {
            return End::won("checkmate", !self.white);
        }
        if self.in_check(game, self.white) {
            return End::drawn("natures_mate");
        }
        if self.unfed(game, self.white) {
            return End::won("anti_checkmate", !self.white);
        }
        let count = |white: bool| self.cells.iter().flatten().filter(|piece| piece.is(white)).count();
        let winner = match game.stalemate {
            Stalemate::Draw => None,
            Stalemate::Loss => Some(!self.white),
            Stalemate::Win => Some(self.white),
            Stalemate::FewerPieces => match count(true).cmp(&count(false)) {
                std::cmp::Ordering::Less => Some(true),
                std::cmp::Ordering::Equal => None,
                std::cmp::Ordering::Greater => Some(false),
            },
        };
        self.decided(game).or(Some(End { reason: "stalemate", winner }))
    }

    /// What ends a game besides mate and stalemate.
    fn decided(&self, game: &Game) -> Option<End> {
        let by_points = |reason| match (self.by_points(game), &game.points) {
            (Some(white), _) => End::won("points", white),
            (None, Some(_)) => End::drawn("points"),
            (None, None) => End::drawn(reason),
        };
        if game.bikjang && self.passes > 0 && self.faces(game) {
            return by_points("bikjang");
        }
        if self.passes > 1 {
            return by_points("double_pass");
        }
        if game.quiet_limit > 0
            && self.halfmoves >= 2 * game.quiet_limit
            && let Some(white) = self.by_points(game)
        {
            return End::won("points", white);
        }
        if game.last_ply {
            return self.raced(game);
        }
        for white in [true, false] {
            if game.blast.is_some() && self.king(game, !white).is_none() && game.has_king[side(!white)] {
                return End::won("explosion", white);
            }
            let arrived = |(square, cell): (usize, &Option<Piece>)| {
                cell.is_some_and(|piece| piece.kind == game.king && piece.is(white))
                    && game.opposing(square, white) == Some(game.king)
                    && self.king(game, white) != Some(square)
            };
            if game.by_array && self.cells.iter().enumerate().any(arrived) {
                return End::won("kings_square", white);
            }
            if self.on_goal(game, white) {
                return End::won("hill", white);
            }
            if game.checks > 0 && self.checks[side(white)] >= game.checks {
                return End::won("three_checks", white);
            }
            let has_none = |white: bool| !self.cells.iter().flatten().any(|piece| piece.is(white));
            match game.no_pieces {
                Some(true) if has_none(white) => return End::won("no_pieces", white),
                Some(false) if has_none(!white) => return End::won("horde_captured", white),
                _ => {}
            }
        }
        if game.bare_king { self.bared(game) } else { None }
    }

    fn on_goal(&self, game: &Game, white: bool) -> bool {
        let on = |goal: &Vec<bool>, king: usize| match game.goal_mirrored {
            true => game.has(goal, king, white),
            false => goal[king],
        };
        game.goal.as_ref().zip(self.king(game, white)).is_some_and(|(goal, king)| on(goal, king))
    }

    /// A race to a goal, in which Black has one ply after White's arrival if it leads there as well.
    fn raced(&self, game: &Game) -> Option<End> {
        match [true, false].map(|white| self.on_goal(game, white)) {
            [false, false] => None,
            [true, true] => End::drawn("race_draw"),
            [false, true] => End::won("race", false),
            [true, false] => {
                let arrives = |ply: &Ply| self.after(game, ply).on_goal(game, false);
                let may = !self.white && self.plies(game).iter().any(arrives);
                if may { None } else { End::won("race", true) }
            }
        }
    }

    /// A bare king loses, unless its owner can bare the other at once, or has done so.
    fn bared(&self, game: &Game) -> Option<End> {
        match [self.white, !self.white].map(|white| self.is_bare(game, white)) {
            [false, false] => None,
            [true, true] => End::drawn("bare_king_draw"),
            [false, true] => End::won("bare_king", self.white),
            [true, false] => {
                let bares = |ply: &Ply| self.after(game, ply).is_bare(game, !self.white);
                let may = self.plies(game).iter().any(bares);
                if may { None } else { End::won("bare_king", !self.white) }
            }
        }
    }

    /// Who has more points, where they decide.
    fn by_points(&self, game: &Game) -> Option<bool> {
        let (worth, halves) = game.points.as_ref()?;
        let sum = |white: bool| {
            let own = self.cells.iter().flatten().filter(|piece| piece.is(white));
            2 * own.map(|piece| worth[piece.kind]).sum::<u32>()
        };
        match sum(true).cmp(&(sum(false) + halves)) {
            std::cmp::Ordering::Less => Some(false),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(true),
        }
    }

    /// True if no one can mate with the material: kings, one knight or bishop, or bishops on squares of one colour.
    pub fn is_dead(&self, game: &Game) -> bool {
        let by_kings = game.dead_kings && self.cells.iter().flatten().all(|piece| piece.kind == game.king);
        if by_kings
            || !game.dead_material
            || game.stalemate != Stalemate::Draw
            || game.has_king != [true, true]
            || game.drops.is_some()
            || self.hands.iter().flatten().any(|count| *count > 0)
        {
            return by_kings;
        }
        let others: Vec<(usize, Piece)> = self
            .cells
            .iter()
            .enumerate()
            .filter_map(|(square, cell)| cell.map(|piece| (square, piece)))
            .filter(|(_, piece)| piece.kind != game.king)
            .collect();
        let is = |letter: &str| others.iter().all(|(_, piece)| game.kinds[piece.kind].letter == letter);
        let dark = |square: usize| (game.board.column(square) + game.board.row(square)).is_multiple_of(2);
        let one_colour = || {
            let first = others.first().map(|(square, _)| dark(*square));
            others.iter().all(|(square, _)| Some(dark(*square)) == first)
        };
        // A bishop may become a piece that mates.
        if game.switch.is_some() && others.iter().any(|(_, piece)| game.kinds[piece.kind].letter == "B") {
            return false;
        }
        others.is_empty() || others.len() == 1 && (is("N") || is("B")) || is("B") && one_colour()
    }

    /// True if a player has nothing left but a king, and wins by mate only.
    pub fn is_lone(&self, game: &Game, white: bool) -> bool {
        let plain = game.stalemate == Stalemate::Draw
            && !game.misere
            && game.goal.is_none()
            && game.checks == 0
            && game.no_pieces.is_none()
            && game.points.is_none()
            && game.nature.is_none()
            && game.drops.is_none()
            && self.hands[side(white)].iter().all(|count| *count == 0)
            && matches!(game.repetition, crate::game::Repetition::Fide | crate::game::Repetition::None);
        plain
            && self
                .cells
                .iter()
                .flatten()
                .filter(|piece| piece.is(white))
                .all(|piece| piece.kind == game.king)
    }
}
