//! The laws that hold in every position of every game.

use crate::common::coord_of;
use crate::random::Random;
use ferz::board::{Mask, Owner, Square};
use ferz::position::{Finish, Gate, Over, Ply, Position, State, Verb};
use ferz::replay::perft::count;
use ferz::rules::{KindId, Rules};
use std::collections::HashSet;

/// Nothing, or what is wrong.
pub type Law = Result<(), String>;

/// Fails with a message unless the law holds.
pub fn ensure(holds: bool, message: impl FnOnce() -> String) -> Law {
    if holds { Ok(()) } else { Err(message()) }
}

/// No two legal plies are written alike.
pub fn coordinates_differ<M: Mask>(position: &Position<M>, plies: &[Ply]) -> Law {
    let mut seen = HashSet::new();
    for ply in plies {
        let text = coord_of(position, ply);
        ensure(seen.insert(text.clone()), || format!("`{text}` means two plies, one of them {ply:?}"))?;
    }
    Ok(())
}

/// White and Black act in turn, Nature when its clock says so, and nobody in a game that is over.
pub fn only_those_who_may_act<M: Mask>(position: &Position<M>, plies: &[Ply]) -> Law {
    let state = position.state();
    let stranger = plies.iter().find(|ply| match ply.actor {
        Owner::Nature => !state.nature_is_due(position.rules()),
        real => real != position.turn(),
    });
    ensure(stranger.is_none(), || format!("{stranger:?} is not due"))?;
    let natures = plies.iter().any(|ply| ply.actor == Owner::Nature);
    ensure(!natures || position.nature_may_act(), || "Nature acts and may not".into())?;
    let over = position.finish();
    ensure(over.is_none() || plies.is_empty(), || format!("{over:?}, and yet there are plies"))?;
    let real = plies.iter().any(|ply| ply.actor.is_real());
    let real = real || position.placement_is_due() && natures;
    ensure(over.is_some() || real, || "no ply, and yet the game is not over".into())?;
    ensure(over.is_some() || position.has_real_ply(), || "`has_real_ply` and `plies` differ".into())
}

/// What is written is read back: the same position with the same plies, written the same again.
pub fn fen_is_read_back<M: Mask>(position: &Position<M>, again: &Position<M>, plies: &[Ply]) -> Law {
    let (one, two) = (position.state(), again.state());
    ensure(position.fen() == again.fen(), || format!("read back as {}", again.fen()))?;
    if position.finish() == Some(Finish::Over(Over::DoublePass)) {
        // The field `pass` says that the last ply was one, not that the ply before was one too (JNG-3).
        return Ok(());
    }
    ensure(position.key() == again.key(), || "read back with another key".into())?;
    let mut statuses = [*one.status(), *two.status()];
    for status in &mut statuses {
        // Entries so far, a passed square without a capture, and the part of the key made step by step, have no place
        // in a FEN of their own.
        status.entries = [0; 2];
        status.passed = ferz::board::Square::NONE;
        status.arrived = ferz::board::Square::NONE;
    }
    ensure(statuses[0] == statuses[1], || {
        format!("read back with {:?}, not {:?}", statuses[1], statuses[0])
    })?;
    let stocks = Owner::REAL.iter().all(|&o| one.reserve(o) == two.reserve(o) && one.hand(o) == two.hand(o));
    ensure(stocks && one.promoted() == two.promoted(), || "read back with other stocks or marks".into())?;
    let squares = position.rules().board().squares();
    let differs = squares.into_iter().find(|&square| one.piece(square) != two.piece(square));
    ensure(differs.is_none(), || "read back with other pieces".into())?;
    let missing = plies.iter().find(|ply| !again.plies().contains(ply));
    ensure(again.plies() == plies, || format!("read back with other plies; missing {missing:?}"))
}

/// A ply that is made and taken back leaves nothing behind; made either way, it comes to the same; and its
/// effects, one after the other, are all that happens on the squares and in the stocks.
pub fn plies_are_taken_back<M: Mask>(position: &Position<M>, plies: &[Ply]) -> Law {
    let mut work = position.clone();
    for ply in plies {
        let text = || coord_of(position, ply);
        let undo = work.apply_undoable(ply);
        let mut model = crate::model::Model::of(position);
        for effect in undo.effects().iter() {
            model.apply(effect).map_err(|error| format!("{}: {error}", text()))?;
        }
        ensure(model == crate::model::Model::of(&work), || format!("{}: the effects are not all", text()))?;
        let mut made = position.clone();
        made.apply(ply);
        ensure(made.state() == work.state(), || format!("{}: `apply` and `apply_undoable` differ", text()))?;
        work.undo(&undo);
        ensure(work.state() == position.state(), || format!("{}: not taken back as it was", text()))?;
    }
    Ok(())
}

/// From the target square backwards come the same origins as forwards: for every kind and square, those that
/// may move there by their movement and leave the king safe are those of the legal plies.
pub fn origins_agree<M: Mask>(position: &Position<M>, plies: &[Ply]) -> Law {
    let (state, rules, owner) = (position.state(), position.rules(), position.turn());
    if position.finish().is_some() || state.deployment_due(rules, owner) || position.placement_is_due() {
        return Ok(());
    }
    for kind in (0..rules.kinds.len() as u8).map(KindId) {
        for to in rules.board().squares() {
            let forwards = plies.iter().filter(|ply| {
                ply.actor == owner
                    && matches!(ply.verb, Verb::Move | Verb::EnPassant)
                    && (ply.kind, ply.to) == (kind, to)
            });
            let forwards = M::of(forwards.map(|ply| ply.from));
            let origins = state.origins(rules, owner, kind, to);
            let backwards = M::of(origins.squares().filter(|&from| goes(position, kind, from, to)));
            ensure(forwards == backwards, || {
                let name = |squares: M| squares.squares().map(|s| rules.board().name(s)).collect::<Vec<_>>();
                let letter = rules.kind(kind).letter as char;
                format!(
                    "{letter} to {}: {:?} forwards, {:?} backwards",
                    rules.board().name(to),
                    name(forwards),
                    name(backwards)
                )
            })?;
        }
    }
    Ok(())
}

/// What is made plainly is the only legal step of its kind to its square, and leaves the position that it should; where
/// nothing is made, nothing has changed.
pub fn plain_steps_agree<M: Mask>(position: &Position<M>, plies: &[Ply]) -> Law {
    let rules = position.rules();
    if !rules.steps_plainly || position.finish().is_some() {
        return Ok(());
    }
    for kind in (0..rules.kinds.len() as u8).map(KindId) {
        for (to, captures) in rules.board().squares().flat_map(|to| [(to, false), (to, true)]) {
            let mut made = position.clone();
            let from = made.step_plainly(kind, to, captures, rules.geometry.all());
            let named = || format!("{} to {}", rules.kind(kind).letter as char, rules.board().name(to));
            let Some(from) = from else {
                ensure(made.state() == position.state(), || format!("{}: changed, not made", named()))?;
                continue;
            };
            let steps = plies.iter().filter(|ply| matches!(ply.verb, Verb::Move | Verb::EnPassant));
            let alike: Vec<&Ply> = steps.filter(|ply| (ply.kind, ply.to) == (kind, to)).collect();
            ensure(alike.len() == 1 && *alike[0] == Ply::step(position.turn(), kind, from, to), || {
                format!("{}: made plainly, where {alike:?} are legal", named())
            })?;
            let mut applied = position.clone();
            applied.apply(alike[0]);
            ensure(applied.state() == made.state(), || format!("{}: made plainly as another", named()))?;
            ensure(captures == position.occupied().has(to), || format!("{}: captures wrongly", named()))?;
        }
    }
    Ok(())
}

/// Plies are counted as they are generated, and so are sequences of plies: those of n plies are those of n - 1 plies
/// after each of the legal ones.
pub fn counts_add_up<M: Mask>(position: &Position<M>, plies: &[Ply], deeply: bool) -> Law {
    let counted = position.count_plies();
    ensure(counted == plies.len() as u64, || format!("{} plies, {counted} counted", plies.len()))?;
    if !deeply {
        return Ok(());
    }
    let (mut two, mut three) = (0, 0);
    for ply in plies {
        let mut after = position.clone();
        after.apply(ply);
        let next = after.plies();
        two += next.len() as u64;
        // Nature alone has hundreds of plies in most positions.
        three += if plies.len() < 60 { count(&after, 2) } else { 0 };
        counts_add_up(&after, &next, false)
            .map_err(|error| format!("{}: {error}", coord_of(position, ply)))?;
    }
    let counted = count(position, 2);
    ensure(counted == two, || format!("{two} sequences of two plies, {counted} counted"))?;
    let counted = if plies.len() < 60 { count(position, 3) } else { 0 };
    ensure(counted == three, || format!("{three} sequences of three plies, {counted} counted"))
}

/// True if the step, with some promotion or gate that the rules offer, leaves the king safe.
fn goes<M: Mask>(position: &Position<M>, kind: KindId, from: Square, to: Square) -> bool {
    let (state, rules, owner) = (position.state(), position.rules(), position.turn());
    let step = state.step(rules, owner, kind, from, to);
    if rules.is_pawn(kind) {
        let choice = state.promotions(rules, owner, kind, from, to);
        let none = choice.must && choice.kinds.is_empty();
        return !none && state.is_safe(rules, &step);
    }
    let gates =
        rules.gating.is_some() && state.status().unmoved.has(from) && state.entries_left(rules, owner) > 0;
    let reserve = state.reserve(owner).iter().zip(0u8..).filter(|(count, _)| gates && **count > 0);
    let with_gates = reserve
        .map(|(_, kind)| Ply { gates: [Some(Gate { kind: KindId(kind), square: from }), None], ..step });
    state.is_safe(rules, &step) || with_gates.into_iter().any(|ply| state.is_safe_with_gates(rules, &ply))
}

/// One ply is judged as all are generated: legal where it is among them, illegal where it is not. `is_legal` says so,
/// and an attempt fails some condition exactly where the ply is not legal.
pub fn single_plies_agree<M: Mask>(
    position: &Position<M>,
    plies: &[Ply],
    others: &[Ply],
    random: &mut Random,
) -> Law {
    let (state, rules) = (position.state(), position.rules());
    let (over, due) = (position.finish().is_some(), state.nature_is_due(rules));
    let all: HashSet<&Ply> = plies.iter().collect();
    let judge = |ply: &Ply| {
        let (legal, attempt) = (all.contains(ply), position.attempt(ply));
        ensure(attempt.ply == *ply && attempt.is_legal() == legal, || {
            format!("{ply:?}: generated = {legal}, failed {:?}", attempt.failed.iter().collect::<Vec<_>>())
        })?;
        // Endings, and whether Nature may act, are no matter of `is_legal`.
        let asked = !over && (ply.actor.is_real() || due);
        ensure(!asked || state.is_legal(rules, ply) == legal, || {
            format!("{ply:?}: generated = {legal}, judged otherwise")
        })
    };
    // Testing one ply of Nature's looks at all its tries; a sample is enough.
    let share = if plies.len() > 150 { 20 } else { 100 };
    for ply in plies.iter().filter(|ply| ply.actor.is_real() || random.chance(share)) {
        judge(ply)?;
    }
    let changed: Vec<Ply> = (0..60)
        .filter(|_| !plies.is_empty())
        .map(|_| change(position, *random.pick(plies), random))
        .collect();
    others.iter().chain(&changed).try_for_each(judge)?;
    // Drawn apart, so that the games stay the same.
    let apart = &mut random.clone();
    if apart.chance(3) { all_candidates(position) } else { some_candidates(position, apart) }
        .iter()
        .try_for_each(judge)
}

/// What the player on move could try with every piece on the board and beside it, whatever the rules say.
fn all_candidates<M: Mask>(position: &Position<M>) -> Vec<Ply> {
    let (state, rules, owner) = (position.state(), position.rules(), position.turn());
    let squares = || rules.board().squares();
    let kinds = || (0..rules.kinds.len() as u8).map(KindId);
    let mut plies: Vec<Ply> =
        kinds().flat_map(|kind| squares().map(move |to| Ply::drop(owner, kind, to))).collect();
    for from in state.owned(owner).squares() {
        let Some(piece) = state.piece(from) else { continue };
        let special = if rules.is_pawn(piece.kind) { Verb::EnPassant } else { Verb::Castle };
        for to in squares() {
            let step = Ply::step(owner, piece.kind, from, to);
            plies.extend([step, state.step(rules, owner, piece.kind, from, to)]);
            let near = state.occupied().squares().filter(|other| other.0.abs_diff(to.0) < 12);
            plies.extend(near.map(|other| Ply { verb: special, other, ..step }));
            plies.extend(kinds().map(|kind| match rules.is_pawn(piece.kind) {
                true => Ply { promotion: Some(kind), ..step },
                false => Ply { gates: [Some(Gate { kind, square: from }), None], ..step },
            }));
        }
    }
    plies
}

/// A few such plies, and some of Nature's.
fn some_candidates<M: Mask>(position: &Position<M>, random: &mut Random) -> Vec<Ply> {
    let state = position.state();
    let pieces: Vec<Square> = state.occupied().squares().collect();
    let mut plies = Vec::new();
    for _ in 0..60 {
        let from = *random.pick(&pieces);
        let Some(piece) = state.piece(from) else { continue };
        let to = Square(random.below(position.rules().board().len()) as u8);
        let step = Ply::step(piece.owner, piece.kind, from, to);
        let changed = change(position, step, random);
        plies.extend([step, changed]);
    }
    plies
}

/// The ply with some of its parts replaced by others, which makes it illegal most of the time.
fn change<M: Mask>(position: &Position<M>, mut ply: Ply, random: &mut Random) -> Ply {
    let rules = position.rules();
    let squares = rules.board().len();
    let square = |random: &mut Random| {
        if random.chance(10) { Square::NONE } else { Square(random.below(squares) as u8) }
    };
    let kind = |random: &mut Random| KindId(random.below(rules.kinds.len()) as u8);
    for _ in 0..1 + random.below(2) {
        match random.below(9) {
            0 => ply.actor = *random.pick(&Owner::ALL),
            1 => ply.verb = *random.pick(&[Verb::Move, Verb::EnPassant, Verb::Castle, Verb::Drop]),
            2 => ply.kind = kind(random),
            3 => ply.from = square(random),
            4 => ply.to = square(random),
            5 => ply.other = square(random),
            6 => ply.promotion = random.chance(70).then(|| kind(random)),
            7 => ply.gates[0] = random.chance(70).then(|| Gate { kind: kind(random), square: ply.from }),
            _ => {
                ply.gates[1] = random.chance(70).then(|| Gate { kind: kind(random), square: square(random) })
            }
        }
    }
    ply
}

/// Short cuts do not show: a step that the piece can make is legal exactly if the king is not attacked after
/// it has been made.
pub fn kings_are_safe<M: Mask>(position: &Position<M>, plies: &[Ply]) -> Law {
    let (state, rules, owner) = (position.state(), position.rules(), position.turn());
    if position.finish().is_some() || state.deployment_due(rules, owner) || position.placement_is_due() {
        return Ok(());
    }
    let out = state.status().nature.eliminated;
    let own = state.owned(owner);
    let closed = state.untouchable(rules);
    let occupied = state.occupied();
    let legal: HashSet<(Square, Square)> = plies
        .iter()
        .filter(|ply| ply.actor == owner && ply.verb == Verb::Move)
        .map(|ply| (ply.from, ply.to))
        .collect();
    let must_capture = rules.special.captures_compulsory
        && plies.iter().any(|ply| ply.verb == Verb::EnPassant || occupied.has(ply.to));
    for from in state.owned(owner).squares() {
        let Some(piece) = state.piece(from).filter(|piece| !rules.is_pawn(piece.kind)) else { continue };
        let (quiet, captures) = state.reaches(rules, owner, piece.kind, from, occupied);
        let closed = if rules.captures_own(piece.kind) { closed } else { closed | own };
        for to in (quiet | captures & !closed).squares() {
            let mut after = state.clone();
            after.apply(rules, &Ply::step(owner, piece.kind, from, to));
            let king = after.king(rules, owner);
            let attacked = |by| king != Square::NONE && after.attacks(rules, king, by, &after.unshifted());
            let text = || format!("{}{}", rules.board().name(from), rules.board().name(to));
            // A gate may block what attacks the king once the piece has left; Nature may be in its delay.
            let gates = rules.gating.is_some() && state.status().unmoved.has(from);
            let found = legal.contains(&(from, to));
            let owes_capture = must_capture && !occupied.has(to);
            let stay_facing = rules.special.bikjang && kings_face(state, rules) && kings_face(&after, rules);
            if rules.special.conditions
                && let Some(meets) = meets_conditions(&after, rules, owner, owes_capture || stay_facing)
            {
                ensure(found == meets, || format!("{}: found = {found}, not {meets}", text()))?;
                continue;
            }
            if attacked(owner.opponent()) {
                ensure(!found || gates, || format!("{} leaves the king attacked", text()))?;
            } else if after.status().nature.eliminated != out {
                // Her pieces attacked until then.
            } else if after.in_anti_check(rules, owner) {
                ensure(!found, || format!("{} leaves the Anti-King unattacked", text()))?;
            } else if rules.nature.is_none() || out || !attacked(Owner::Nature) {
                ensure(found, || format!("{} is missing", text()))?;
            }
        }
    }
    Ok(())
}

/// True if nothing stands between the kings on their file.
fn kings_face<M: Mask>(state: &State<M>, rules: &Rules<M>) -> bool {
    let board = rules.board();
    let [one, two] = Owner::REAL.map(|owner| state.king(rules, owner));
    let (low, high) = (board.rank(one).min(board.rank(two)), board.rank(one).max(board.rank(two)));
    let between = |&square: &Square| {
        board.file(square) == board.file(one) && (low + 1..high).contains(&board.rank(square))
    };
    board.file(one) == board.file(two)
        && !board.squares().filter(between).any(|square| state.piece(square).is_some())
}

/// Whether a step that led to `after` is legal, as far as the conditions of the game decide it.
fn meets_conditions<M: Mask>(
    after: &State<M>,
    rules: &Rules<M>,
    owner: Owner,
    owes_another: bool,
) -> Option<bool> {
    let [own, other] = [owner, owner.opponent()].map(|player| after.king(rules, player));
    let lost = |player: Owner, king: Square| rules.special.has_king[player] && king == Square::NONE;
    let gives_check = || other != Square::NONE && after.attacks(rules, other, owner, &after.unshifted());
    if owes_another || lost(owner, own) || rules.special.check_forbidden && gives_check() {
        return Some(false);
    }
    let board = rules.board();
    let near = |one: u8, two: u8| one.abs_diff(two) <= 1;
    let beside = || near(board.file(own), board.file(other)) && near(board.rank(own), board.rank(other));
    let shielded = rules.special.blast.is_some() && (lost(owner.opponent(), other) || beside());
    shielded.then_some(true)
}
