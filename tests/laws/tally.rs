//! What happened in the games: a law that never saw a gating castling says nothing about it.

use ferz::board::{Mask, Owner, Square};
use ferz::position::{Finish, Over, Ply, Position, StockName, Verb};
use std::collections::BTreeMap;

/// How often each feature occurred.
#[derive(Debug, Default)]
pub struct Tally(BTreeMap<&'static str, usize>);

impl Tally {
    /// Counts one occurrence.
    pub fn note(&mut self, feature: &'static str) {
        *self.0.entry(feature).or_default() += 1;
    }

    /// How often a feature occurred.
    pub fn count(&self, feature: &str) -> usize {
        self.0.get(feature).copied().unwrap_or_default()
    }

    /// Adds another tally.
    pub fn add(&mut self, other: &Tally) {
        for (feature, count) in &other.0 {
            *self.0.entry(feature).or_default() += count;
        }
    }

    /// Fails where a feature occurred less often than it must.
    pub fn demand(&self, what: &str, features: &[(&str, usize)]) {
        let rare: Vec<_> = features.iter().filter(|(feature, least)| self.count(feature) < *least).collect();
        assert!(rare.is_empty(), "{what}: too rare {rare:?} among {:?}", self.0);
    }

    /// Counts what a ply is, in the position before it.
    pub fn ply<M: Mask>(&mut self, position: &Position<M>, ply: &Ply) {
        self.note(if ply.actor.is_real() { "real ply" } else { "nature ply" });
        for feature in features(position, ply) {
            self.note(feature);
        }
    }

    /// Counts what a position shows.
    pub fn position<M: Mask>(&mut self, position: &Position<M>) {
        if position.in_check() {
            self.note("check");
            let (state, rules) = (position.state(), position.rules());
            let king = state.king(rules, position.turn());
            if !state.attacks(rules, king, position.turn().opponent(), &state.unshifted()) {
                self.note("natures check");
            }
        }
        if position.count().is_some() {
            self.note("counted moves");
        }
        if position.in_anti_check() {
            self.note("anti-check");
        }
        if position.status().nature.eliminated {
            self.note("nature eliminated");
        } else if position.state().in_natures_anti_check(position.rules()) {
            self.note("nature in anti-check");
        }
        if let Some(finish) = position.finish() {
            self.note(match finish {
                Finish::Checkmate => "checkmate",
                Finish::AntiCheckmate => "anti-checkmate",
                Finish::NaturesMate => "natures mate",
                Finish::Stalemate => "stalemate",
                Finish::Over(Over::KingsSquare(_)) => "kings square",
                Finish::Over(Over::BareKing(_)) => "bare king",
                Finish::Over(Over::BareKings) => "bare kings",
                Finish::Over(Over::Checks(_)) => "checks",
                Finish::Over(Over::Goal(_)) => "goal",
                Finish::Over(Over::GoalDraw) => "goal draw",
                Finish::Over(Over::Explosion(_)) => "explosion",
                Finish::Over(Over::NoPieces(_)) => "no pieces",
                Finish::Over(Over::Count) => "count",
                Finish::Over(Over::DoublePass) => "double pass",
                Finish::Over(Over::Bikjang) => "bikjang",
            });
        }
        if position.state().status().en_passant != Square::NONE {
            self.note("en passant right");
        }
    }
}

/// What a ply is, most particular first; games are drawn by the first of them.
pub fn features<M: Mask>(position: &Position<M>, ply: &Ply) -> Vec<&'static str> {
    let (state, rules) = (position.state(), position.rules());
    let mut features = match (ply.actor, ply.verb) {
        (Owner::Nature, _) => natures(position, ply),
        (_, Verb::Castle) => castling(ply),
        (_, Verb::EnPassant) => vec!["en passant"],
        (_, Verb::Drop) => drop(position, ply),
        (_, Verb::Switch) => return vec!["switch"],
        (_, Verb::Pass) => return vec!["pass"],
        (_, Verb::Move) => Vec::new(),
    };
    if !ply.actor.is_real() {
        return features;
    }
    let captures = state.piece(ply.to).is_some() && ply.verb != Verb::Castle;
    let victim = state.piece(ply.to).filter(|_| captures).map(|piece| piece.owner);
    if victim.is_some_and(|owner| owner.is_real() && state.owned(owner).count() == 2) {
        features.push("capture of the last piece");
    }
    if rules.is_pawn(ply.kind) && rules.kings_square[ply.actor].has(ply.to) {
        features.push("pawn on the king's square");
    }
    if rules.is_pawn(ply.kind) && ply.gates_any() {
        features.push("promotion of another piece");
    }
    let board = rules.board();
    if ply.verb == Verb::Move
        && !rules.is_pawn(ply.kind)
        && board.file(ply.from).abs_diff(board.file(ply.to)) == 7
    {
        let between = rules.geometry.between(ply.from, ply.to);
        if (between & state.occupied()).any() {
            features.push("transference");
        }
    }
    if let Some(kind) = ply.promotion {
        if state.reserve(ply.actor)[kind.index()] > 0 {
            features.push("promotion from reserve");
        }
        features.push(if rules.kind(kind).label[ply.actor].other_army {
            "promotion to the other army"
        } else {
            "promotion"
        });
    } else if (rules.is_pawn(ply.kind) || rules.promoters.has(ply.kind)) && ply.verb == Verb::Move {
        if !state.promotions(rules, ply.actor, ply.kind, ply.from, ply.to).kinds.is_empty() {
            features.push("promotion declined");
        }
        if rules.double_step[ply.actor].has(ply.from)
            && ply.from.0.abs_diff(ply.to.0) == 2 * rules.board().files()
        {
            features.extend(double_step(position, ply));
            features.push("double step");
        }
        if rules.board().rank(ply.from) == rules.board().rank(ply.to) {
            features.push("right step");
        }
    }
    if ply.verb == Verb::Move && ply.gates_any() {
        features.push(if captures { "gate with capture" } else { "gate" });
        if ply.kind == rules.king {
            features.push("gate behind the king");
        }
    }
    let leaps = rules.special.first_leaps.as_ref();
    let leaps = leaps.filter(|leaps| leaps.kinds.has(ply.kind) && state.status().unmoved.has(ply.from));
    if leaps
        .is_some_and(|leaps| leaps.moves[ply.actor].reach(ply.kind.index(), ply.from).leap_quiet.has(ply.to))
    {
        features.push("first leap");
    }
    if victim == Some(ply.actor) {
        features.push("capture of an own piece");
    }
    if captures {
        features.push("capture");
        if state.owned(Owner::Nature).has(ply.to) {
            features.push("capture of nature");
        }
    }
    features.push("plain");
    features
}

/// Whose en passant a double step invites.
fn double_step<M: Mask>(position: &Position<M>, ply: &Ply) -> Option<&'static str> {
    let (state, board) = (position.state(), position.rules().board());
    let beside = |dx, dy, owner| {
        let piece = board.offset(ply.to, dx, dy).and_then(|square| state.piece(square));
        piece.is_some_and(|piece| piece.owner == owner && position.rules().is_pawn(piece.kind))
    };
    let sides = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    if sides.iter().any(|&(dx, dy)| beside(dx, dy, Owner::Nature)) {
        return Some("double step beside nature's pawn");
    }
    let invites = [1, -1].iter().any(|&dx| beside(dx, 0, ply.actor.opponent()));
    invites.then_some("double step beside a pawn")
}

fn castling(ply: &Ply) -> Vec<&'static str> {
    match ply.gates {
        [Some(_), Some(_)] => vec!["castling with two gates"],
        [Some(gate), None] if gate.square == ply.other => vec!["castling with a gate on the rook's square"],
        [Some(_), None] => vec!["castling with a gate on the king's square"],
        _ => vec!["castling"],
    }
}

fn drop<M: Mask>(position: &Position<M>, ply: &Ply) -> Vec<&'static str> {
    let (state, rules) = (position.state(), position.rules());
    if state.deployment_due(rules, ply.actor) {
        return vec![if ply.kind == rules.king { "king deployed" } else { "deployment" }];
    }
    let mut features = Vec::new();
    if state.piece(ply.to).is_some() {
        features.push("reentry with capture");
    }
    if ply.gates_any() {
        features.push("two drops");
    }
    let from_reserve = rules.drops[ply.actor].reserve.any() && state.reserve(ply.actor)[ply.kind.index()] > 0;
    features.push(
        match (if from_reserve { StockName::Reserve } else { StockName::Hand }, rules.hand_drops) {
            (StockName::Reserve, _) => "drop from reserve",
            (StockName::Hand, true) if rules.is_pawn(ply.kind) => "drop of a pawn",
            (StockName::Hand, true) => "drop from hand",
            (StockName::Hand, false) => "reentry",
        },
    );
    if position.in_check() {
        features.push("drop against check");
    }
    features
}

fn natures<M: Mask>(position: &Position<M>, ply: &Ply) -> Vec<&'static str> {
    let (state, rules) = (position.state(), position.rules());
    let Some(nature) = &rules.nature else { return Vec::new() };
    match ply.verb {
        Verb::Castle => vec!["nature castles"],
        Verb::Switch => vec!["nature switches"],
        Verb::Pass => vec!["nature passes"],
        Verb::Move | Verb::EnPassant if ply.gates_any() => vec!["nature promotes another piece"],
        Verb::EnPassant if ply.promotion.is_some() => {
            vec!["nature en passant with promotion", "nature en passant"]
        }
        Verb::EnPassant if state.piece(ply.to).is_some() => {
            vec!["nature en passant on a piece", "nature en passant"]
        }
        Verb::EnPassant => vec!["nature en passant"],
        // The introductions that prepare castling and en passant are told apart, so that games come to those.
        Verb::Drop
            if nature.castling
                && nature.castling_pairs.iter().any(|&(k, r)| {
                    (ply.to, ply.kind) == (k, nature.king) || (ply.to, ply.kind) == (r, nature.rook)
                }) =>
        {
            vec!["nature prepares castling", "nature introduces"]
        }
        Verb::Drop if ply.kind == nature.pawn && nature.en_passant.has(ply.to) => {
            vec!["nature prepares en passant", "nature introduces a pawn", "nature introduces"]
        }
        Verb::Drop if ply.kind == nature.pawn => vec!["nature introduces a pawn", "nature introduces"],
        Verb::Drop if rules.special.anti_king == Some(ply.kind) => vec!["nature places"],
        Verb::Drop => vec!["nature introduces"],
        Verb::Move if state.owned(Owner::Nature).has(ply.to) => vec!["nature captures her own"],
        Verb::Move if ply.promotion.is_some() => vec!["nature promotes"],
        Verb::Move => {
            let two = ply.kind == nature.pawn && two_squares(position, ply);
            match (state.piece(ply.to), two) {
                (Some(_), _) => vec!["nature captures"],
                (None, true) => vec!["nature double step", "nature moves"],
                (None, false) => vec!["nature moves"],
            }
        }
    }
}

fn two_squares<M: Mask>(position: &Position<M>, ply: &Ply) -> bool {
    let board = position.rules().board();
    let files = board.file(ply.from).abs_diff(board.file(ply.to));
    files + board.rank(ply.from).abs_diff(board.rank(ply.to)) == 2
}
