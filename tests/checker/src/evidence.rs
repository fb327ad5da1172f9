//! Looks at the evidence of a certificate.

use crate::definition::Definitions;
use crate::ends::End;
use crate::game::{Game, Repetition};
use crate::plies::Ply;
use crate::position::{Identity, Position};
use serde_json::Value;
use std::collections::HashMap;

#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    Accepted,
    NotCovered(String),
    Refused(String),
}

/// What ends the work on a certificate early.
enum Stop {
    NotCovered(String),
    Refused(String),
}

type Checked = Result<(), Stop>;

fn refused<T>(why: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Refused(why.into()))
}

fn not_covered<T>(why: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::NotCovered(why.into()))
}

/// Checks a certificate.
pub fn check(definitions: &Definitions, certificate: &Value) -> Answer {
    match checked(definitions, certificate) {
        Ok(()) => Answer::Accepted,
        Err(Stop::NotCovered(why)) => Answer::NotCovered(why),
        Err(Stop::Refused(why)) => Answer::Refused(why),
    }
}

/// The game up to the claim.
struct Replay<'g> {
    game: &'g Game,
    /// Before each ply, and after the last one.
    positions: Vec<Position>,
    identities: Vec<Identity>,
    /// A rule of fifty and seventy-five moves holds.
    counts: bool,
    /// Seventy-five moves end a game (since July 2014).
    ends_by_count: bool,
    claim: Claim,
    upheld: bool,
    /// The result at the end of the record.
    result: String,
}

/// The claims that a position shows or refutes.
const ENDS: [&str; 14] = [
    "checkmate",
    "stalemate",
    "natures_mate",
    "anti_checkmate",
    "dead_position",
    "explosion",
    "kings_square",
    "hill",
    "three_checks",
    "no_pieces",
    "horde_captured",
    "bare_king",
    "race",
    "double_pass",
];

struct Claim {
    kind: String,
    /// The number of plies before it.
    ply: usize,
    /// True for White; `None` for both.
    by: Option<bool>,
    within: u64,
}

fn checked(definitions: &Definitions, certificate: &Value) -> Checked {
    let name = certificate["rules"]["name"].as_str().unwrap_or_default();
    let record = certificate["record"].as_str().unwrap_or_default();
    let game = Game::of(definitions, name, &|name| tag(record, name))
        .or_else(|field| not_covered(format!("{name}: {field}")))?;
    let start = match tag(record, "FEN") {
        Some(fen) => Position::read(&game, &fen).or_else(|error| not_covered(format!("start: {error}")))?,
        None => Position::array(&game).or_else(refused)?,
    };
    let claim = &certificate["claim"];
    let by = match claim["by"].as_str() {
        None => None,
        Some("white") => Some(true),
        Some("black") => Some(false),
        Some(other) => return refused(format!("player {other}")),
    };
    let mut replay = Replay {
        identities: vec![start.identity(&game)],
        positions: vec![start],
        counts: game.counts_moves && certificate["fifty"].as_str() != Some("suspended"),
        ends_by_count: tag(record, "Date").is_none_or(|date| date.starts_with('?') || *date >= *"2014.07"),
        claim: Claim {
            kind: claim["kind"].as_str().unwrap_or_default().to_owned(),
            by,
            ply: claim["ply"].as_u64().unwrap_or(0) as usize,
            within: claim["within"].as_u64().unwrap_or(0),
        },
        upheld: certificate["verdict"] == "upheld",
        result: record.split_whitespace().next_back().unwrap_or_default().to_owned(),
        game: &game,
    };
    for (text, number) in certificate["plies"].as_array().into_iter().flatten().zip(1..) {
        let text = text.as_str().unwrap_or_default();
        let Some(before) = replay.positions.last() else { return refused("no start") };
        if before.end(&game).is_some() {
            return refused(format!("ply {number}: the game is over"));
        }
        let Some(ply) = before.named(&game, text) else {
            return refused(format!("ply {number}: {text} is not legal"));
        };
        let after = before.after(&game, &ply);
        replay.identities.push(after.identity(&game));
        replay.positions.push(after);
    }
    let kind = certificate["kind"].as_str().unwrap_or_default();
    let evidence = &certificate["evidence"][kind];
    if evidence.is_null() {
        return refused("the evidence is of another kind");
    }
    if certificate["claim"].get("intended").is_some_and(|intended| !intended.is_null()) {
        return not_covered("an intended ply");
    }
    match kind {
        "occurrences" => replay.occurrences(evidence),
        "counter" => replay.counter(evidence),
        "line" => replay.line(evidence),
        "ruling" => replay.ruling(evidence),
        "closure" | "each" | "and_or" | "invariant" => replay.proof(&certificate["evidence"]),
        other => not_covered(other),
    }
}

/// The value of a tag.
fn tag(record: &str, name: &str) -> Option<String> {
    let from = record.find(&format!("[{name} \""))? + name.len() + 3;
    let mut value = String::new();
    let mut chars = record[from..].chars();
    loop {
        match chars.next()? {
            '"' => return Some(value),
            '\\' => value.push(chars.next()?),
            char => value.push(char),
        }
    }
}

impl Replay<'_> {
    fn last(&self) -> &Position {
        // A replay has its start.
        &self.positions[self.positions.len() - 1]
    }

    fn occurrences(&self, evidence: &Value) -> Checked {
        let given: Vec<usize> = evidence["plies"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_u64)
            .map(|ply| ply as usize)
            .collect();
        let Some(identity) = given.last().and_then(|last| self.identities.get(*last)) else {
            return refused("no occurrence");
        };
        let last = given[given.len() - 1];
        let found: Vec<usize> = (0..=last).filter(|ply| self.identities[*ply] == *identity).collect();
        if found != given {
            return refused(format!("the position occurs after {found:?}"));
        }
        let needed = match self.claim.kind.as_str() {
            "threefold_repetition" => 3,
            "fourfold_repetition" => 4,
            "fivefold_repetition" => 5,
            other => return not_covered(other),
        };
        if self.claim.kind == "threefold_repetition" && self.game.repetition != Repetition::Fide {
            return not_covered("threefold repetition with chases");
        }
        // A rejected claim may be of a player who is not on the move.
        match self.upheld {
            true if given.len() < needed => refused(format!("{} occurrences", given.len())),
            false
                if given.len() >= needed
                    && self.claim.by == Some(self.last().white)
                    && last + 1 == self.positions.len() =>
            {
                refused(format!("{} occurrences, and the claim is rejected", given.len()))
            }
            _ => Ok(()),
        }
    }

    fn counter(&self, evidence: &Value) -> Checked {
        let count = evidence["count"].as_u64().unwrap_or(u64::MAX);
        // Seventy-five moves end a game, and what comes after does not count.
        let is_over = |position: &Position| self.counts && self.ends_by_count && position.halfmoves >= 150;
        let last = self.positions.iter().position(is_over).unwrap_or(self.positions.len() - 1);
        let halfmoves = self.positions[last].halfmoves;
        if count != u64::from(halfmoves) {
            return refused(format!("the count is {halfmoves}"));
        }
        let since = evidence["since"].as_u64().unwrap_or(u64::MAX) as usize;
        let restarts = (0..=last).rev().find(|ply| self.positions[*ply].halfmoves == 0);
        if restarts.unwrap_or(0) != since {
            return refused(format!("it restarted after ply {restarts:?}"));
        }
        let needed = match self.claim.kind.as_str() {
            "fifty_moves" => 100,
            "seventyfive_moves" => 150,
            "quiet_moves" => 2 * u64::from(self.game.quiet_moves),
            other => return not_covered(other),
        };
        match (self.upheld, count >= needed) {
            (true, false) => refused("the count falls short"),
            _ => Ok(()),
        }
    }

    /// The plies of a line after the last position, and that they win for one of the players.
    fn wins(&self, plies: &[Value], by: Option<bool>) -> Checked {
        let mut position = self.last().clone();
        for (text, number) in plies.iter().zip(1..) {
            let text = text.as_str().unwrap_or_default();
            if position.end(self.game).is_some() {
                return refused(format!("ply {number} of the line: the game is over"));
            }
            let Some(ply) = position.named(self.game, text) else {
                return refused(format!("ply {number} of the line: {text} is not legal"));
            };
            position = position.after(self.game, &ply);
        }
        match position.end(self.game) {
            _ if position.count.is_some_and(|(made, limit)| made > limit) => {
                not_covered("a line beyond a count of moves")
            }
            Some(End { winner: Some(winner), .. }) if by.is_none_or(|by| by == winner) => Ok(()),
            _ => refused("the line does not win"),
        }
    }

    fn line(&self, evidence: &Value) -> Checked {
        let line = evidence["line"].as_array().map(Vec::as_slice).unwrap_or_default();
        if !line.is_empty() {
            // That a player can still win refutes what excludes it.
            let by = if self.claim.kind == "dead_position" { None } else { self.claim.by };
            return self.wins(line, by);
        }
        if self.game.misere {
            return not_covered("an end on the board where winner and loser are exchanged");
        }
        match evidence["end"]["ply"].as_u64() {
            None => self.goes_on(evidence),
            Some(ply) if ply as usize + 1 == self.positions.len() => self.is_over(&evidence["end"]),
            Some(_) => not_covered("an end before the claim"),
        }
    }

    /// A claim about a game that the plies of the record have not ended.
    fn goes_on(&self, evidence: &Value) -> Checked {
        let end = self.last().end(self.game);
        match self.claim.kind.as_str() {
            "cannot_win" if self.upheld && end.is_none() => {
                let by = self.claim.by.unwrap_or(self.last().white);
                match self.last().is_lone(self.game, by) || self.last().is_dead(self.game) {
                    true => Ok(()),
                    false => not_covered("cannot_win by other material"),
                }
            }
            "illegal_ply" if !self.upheld => match self.claim.ply < self.positions.len() {
                true => Ok(()),
                false => refused("the ply is not among those of the record"),
            },
            kind if ENDS.contains(&kind) && evidence["illegal"].is_null() => {
                let shown = end.is_some_and(|end| self.is_claimed(&end));
                if shown == self.upheld { Ok(()) } else { refused("the board shows otherwise") }
            }
            other => not_covered(format!("{other} by the plies of the record")),
        }
    }

    fn is_claimed(&self, end: &End) -> bool {
        let by = self.claim.by;
        end.reason.trim_end_matches("_draw") == self.claim.kind
            && (by.is_none() || end.winner.is_none() || end.winner == by)
    }

    /// A claim about a game that is over.
    fn is_over(&self, given: &Value) -> Checked {
        let last = self.last();
        let dead = last.is_dead(self.game).then_some(End { reason: "dead_position", winner: None });
        let Some(end) = last.end(self.game).or(dead) else {
            return not_covered(format!("an end by {}", given["reason"]));
        };
        let result = match end.winner {
            None => "1/2-1/2",
            Some(true) => "1-0",
            Some(false) => "0-1",
        };
        if given["reason"] != end.reason || given["result"] != result {
            return refused(format!("the board shows {} and {result}", end.reason));
        }
        let won = end.winner.is_some() && end.winner == self.claim.by;
        let shown = match self.claim.kind.as_str() {
            kind if ENDS.contains(&kind) => self.is_claimed(&end),
            "forced_mate" => end.is_mate() && won,
            "forced_win" => won,
            "forced_draw" => end.winner.is_none(),
            "cannot_win" => !won,
            "wrong_result" => match self.result.as_str() {
                "1-0" | "0-1" | "1/2-1/2" => self.result != result,
                _ => return not_covered("wrong_result where the record has no result"),
            },
            // What comes after the end does not count.
            _ => false,
        };
        if shown == self.upheld { Ok(()) } else { refused("the board shows otherwise") }
    }

    fn ruling(&self, evidence: &Value) -> Checked {
        if let Some(line) = evidence["line"].as_array().filter(|line| !line.is_empty()) {
            return self.wins(line, self.claim.by);
        }
        match evidence.get("proof").filter(|proof| !proof.is_null()) {
            Some(proof) => self.proof(proof),
            None => not_covered("a ruling on premises only"),
        }
    }

    /// A proof, as the only member of an object.
    fn proof(&self, of: &Value) -> Checked {
        let Some((kind, proof)) = of.as_object().and_then(|members| members.iter().next()) else {
            return refused("no proof");
        };
        match kind.as_str() {
            "closure" => {
                let players = match (self.claim.kind.as_str(), self.claim.by) {
                    ("dead_position", _) | (_, None) => vec![true, false],
                    (_, Some(by)) => vec![by],
                };
                players.into_iter().try_for_each(|by| self.closure(proof, by))
            }
            "each" => {
                for (player, by) in [("white", true), ("black", false)] {
                    match proof[player].get("closure") {
                        Some(closure) => self.closure(closure, by)?,
                        None => return not_covered("each: a structure"),
                    }
                }
                Ok(())
            }
            "and_or" => Plan::of(self, proof)?.check(),
            other => not_covered(other),
        }
    }

    /// No position of the set is won by a player, and no ply leads out of it but to one that material excludes.
    fn closure(&self, proof: &Value, by: bool) -> Checked {
        if matches!(self.game.repetition, Repetition::Fourfold | Repetition::Threefold) {
            return not_covered("a closed set where perpetual check loses");
        }
        if proof["blocked"].as_array().is_some_and(|blocked| !blocked.is_empty()) {
            return not_covered("a closed set that rests on structures");
        }
        let game = self.game;
        let mut set = HashMap::new();
        for fen in proof["positions"].as_array().into_iter().flatten() {
            let fen = fen.as_str().unwrap_or_default();
            let position = Position::read(game, fen).or_else(refused)?;
            set.insert(position.identity(game), position);
        }
        if !set.contains_key(&self.last().identity(game)) {
            return refused("the position of the claim is not in the set");
        }
        for position in set.values() {
            match position.end(game) {
                Some(End { winner: Some(winner), .. }) if winner == by => {
                    return refused("a position of the set is won");
                }
                Some(_) => continue,
                None => {}
            }
            for ply in position.plies(game) {
                let after = position.after(game, &ply);
                let excluded = after.is_dead(game) || after.is_lone(game, by);
                if !excluded && !set.contains_key(&after.identity(game)) {
                    return refused("a ply leads out of the set");
                }
            }
        }
        Ok(())
    }
}

/// What a plan is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    Mate,
    Win,
    /// Against a mate.
    NoMate,
    /// Against a loss.
    Hold,
}

/// A plan of one side: the positions with its plies, and every answer.
struct Plan<'r, 'g> {
    replay: &'r Replay<'g>,
    by: bool,
    /// Nature opposes the claimant: she is on the side of a plan against the claim.
    with_nature: bool,
    aim: Aim,
    nodes: Vec<Node>,
}

struct Node {
    moves: u64,
    plies: Vec<(String, Option<usize>)>,
}

impl<'r, 'g> Plan<'r, 'g> {
    fn of(replay: &'r Replay<'g>, proof: &Value) -> Result<Plan<'r, 'g>, Stop> {
        let by = match proof["by"].as_str() {
            Some("white") => true,
            Some("black") => false,
            _ => return refused("a plan of no player"),
        };
        let own = replay.claim.by == Some(by);
        let aim = match (replay.claim.kind.as_str(), own) {
            ("forced_mate", true) => Aim::Mate,
            ("forced_mate", false) => Aim::NoMate,
            ("forced_win", true) | ("forced_draw", false) => Aim::Win,
            ("forced_win", false) | ("forced_draw", true) => Aim::Hold,
            (other, _) => return not_covered(format!("a plan for {other}")),
        };
        if replay.upheld != own {
            return refused("the plan is of the wrong side");
        }
        if replay.game.misere {
            return not_covered("plans where winner and loser are exchanged");
        }
        let mut nodes = Vec::new();
        for node in proof["nodes"].as_array().into_iter().flatten() {
            if !node["table"].is_null() {
                return not_covered("a table within a plan");
            }
            let mut plies = Vec::new();
            for ply in node["plies"].as_array().into_iter().flatten() {
                plies.push((
                    ply[0].as_str().unwrap_or_default().to_owned(),
                    ply[1].as_u64().map(|next| next as usize),
                ));
            }
            nodes.push(Node { moves: node["moves"].as_u64().unwrap_or(0), plies });
        }
        if nodes.is_empty() {
            return refused("a plan without positions");
        }
        match aim {
            Aim::Mate if nodes[0].moves > replay.claim.within => return refused("more moves than claimed"),
            Aim::NoMate if nodes[0].moves < replay.claim.within => {
                return refused("fewer moves than claimed");
            }
            _ => {}
        }
        Ok(Plan { replay, by, with_nature: !own, aim, nodes })
    }

    /// Whether the plan has reached its aim in a position, or failed; `None` if it goes on.
    fn decided(&self, position: &Position, moves: u64, is_start: bool) -> Result<Option<bool>, Stop> {
        let game = self.replay.game;
        if let Some(end) = position.end(game) {
            return Ok(Some(match self.aim {
                Aim::Mate => end.is_mate() && end.winner == Some(self.by),
                Aim::Win => end.winner == Some(self.by),
                Aim::NoMate => !(end.is_mate() && end.winner == Some(!self.by)),
                Aim::Hold => end.winner != Some(!self.by),
            }));
        }
        if position.count.is_some() {
            return not_covered("a plan while moves are counted");
        }
        let defender = if matches!(self.aim, Aim::Mate | Aim::Win) { !self.by } else { self.by };
        if game.declares && position.white == defender && !position.in_check(game, defender) {
            let king = position.king(game, defender);
            if king.is_some_and(|king| game.has(&game.zone, king, defender)) {
                return not_covered("a plan that leaves a king time to declare its entry");
            }
        }
        let identity = position.identity(game);
        let before = self.replay.identities.iter().filter(|known| **known == identity).count();
        let times = before + usize::from(!is_start);
        let wins = matches!(self.aim, Aim::Mate | Aim::Win);
        if game.repetition != Repetition::Fide && times > 1 {
            return not_covered("a plan that repeats a position where that may lose");
        }
        let counted = self.replay.counts && position.halfmoves >= 100 && (self.aim != Aim::Hold || is_start);
        let quiet = game.quiet_moves > 0 && position.halfmoves >= 2 * game.quiet_moves;
        if position.is_dead(game) || times >= 3 && game.repetition == Repetition::Fide || counted || quiet {
            return Ok(Some(!wins));
        }
        Ok((self.aim == Aim::NoMate && moves == 0).then_some(true))
    }

    fn check(&self) -> Checked {
        let game = self.replay.game;
        let start = self.replay.last().clone();
        if let Some(reached) = self.decided(&start, self.nodes[0].moves, true)? {
            return if reached && self.nodes.len() == 1 { Ok(()) } else { refused("the start is decided") };
        }
        let wins = matches!(self.aim, Aim::Mate | Aim::Win);
        let mut reached: Vec<Option<Position>> = vec![None; self.nodes.len()];
        reached[0] = Some(start);
        let mut todo: Vec<usize> =
            if self.aim == Aim::Hold { vec![0] } else { (0..self.nodes.len()).collect() };
        let mut done = vec![false; self.nodes.len()];
        let mut next = 0;
        while let Some(&number) = todo.get(next) {
            next += 1;
            if std::mem::replace(&mut done[number], true) {
                continue;
            }
            let Some(position) = reached[number].clone() else {
                return refused(format!("position {number} is not reached"));
            };
            let node = &self.nodes[number];
            let to_move = position.white == self.by;
            let ours = |ply: &Ply| if ply.natures { self.with_nature } else { to_move };
            let plies = position.plies(game);
            let listed_of = |ply: &Ply| node.plies.iter().find(|(text, _)| self.is(&position, ply, text));
            let chosen = plies.iter().filter(|ply| ours(ply) && listed_of(ply).is_some()).count();
            if chosen > 1 || to_move && chosen == 0 {
                return refused(format!("position {number} has {chosen} plies of the plan"));
            }
            // Nature may act for the plan before the opponent does, who then has no ply here.
            let first = chosen == 1 && !to_move;
            let mut used = 0;
            for ply in plies {
                let mine = ours(&ply);
                let listed = listed_of(&ply);
                if listed.is_none() && (mine || first) {
                    continue;
                }
                used += usize::from(listed.is_some());
                let after = position.after(game, &ply);
                let counts = !ply.natures && (wins && mine || self.aim == Aim::NoMate && !mine);
                let Some(moves) = node.moves.checked_sub(u64::from(counts)) else {
                    return refused(format!("position {number} has no move left"));
                };
                let leads = listed.and_then(|(_, leads)| *leads);
                match self.decided(&after, moves, false)? {
                    Some(true) if leads.is_some() => {
                        return refused(format!("position {number}: a decided ply leads on"));
                    }
                    Some(true) => continue,
                    Some(false) => return refused(format!("position {number}: the plan fails")),
                    None => {}
                }
                let Some(leads) = leads.filter(|leads| *leads < self.nodes.len()) else {
                    return refused(format!("position {number}: a ply is not answered"));
                };
                if self.aim != Aim::Hold && leads <= number {
                    return refused(format!("position {number}: the plan returns"));
                }
                let given = self.nodes[leads].moves;
                if wins && given > moves || self.aim == Aim::NoMate && given < moves {
                    return refused(format!("position {number}: the moves do not fall"));
                }
                match &reached[leads] {
                    Some(known) if known.identity(game) != after.identity(game) => {
                        return refused(format!("position {leads} is reached as two"));
                    }
                    // The worst count for the plan.
                    Some(known) if (after.halfmoves > known.halfmoves) != wins => {}
                    _ => reached[leads] = Some(after),
                }
                if self.aim == Aim::Hold {
                    todo.push(leads);
                }
            }
            if used != node.plies.len() {
                return refused(format!("position {number} lists a ply that is not legal"));
            }
            if first && used != 1 {
                return refused(format!("position {number}: Nature acts, and others are listed"));
            }
        }
        self.repetitions(&reached, wins)
    }

    fn is(&self, before: &Position, ply: &Ply, text: &str) -> bool {
        crate::plies::name(self.replay.game, before.white, ply) == text
    }

    /// No line of a plan that wins repeats a position as often as draws.
    fn repetitions(&self, reached: &[Option<Position>], wins: bool) -> Checked {
        let game = self.replay.game;
        if !wins {
            return Ok(());
        }
        let mut times: HashMap<Identity, usize> = HashMap::new();
        for position in reached.iter().flatten() {
            *times.entry(position.identity(game)).or_default() += 1;
        }
        for (identity, count) in times {
            let before = self.replay.identities.iter().filter(|known| **known == identity).count();
            if count > 1 && game.repetition != Repetition::Fide {
                return not_covered("a plan that repeats a position where that may lose");
            }
            if count > 1 && count + before >= 3 {
                return refused("a position of the plan may occur three times");
            }
        }
        Ok(())
    }
}
