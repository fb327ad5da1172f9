//! Conditional plies: what a player answers if the opponent makes a certain ply. They are no events; each answer that
//! is given becomes one, checked like any other ply.

use crate::decide::read;
use crate::{Refused, State};
use ferz_core::board::Owner;
use ferz_records::play::Game;
use serde::{Deserialize, Serialize};

/// The most answers of a tree.
pub const BRANCHES_MAX: usize = 64;

/// The answer to a ply, and the answers to what may follow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Branch {
    /// The ply of the opponent.
    #[serde(rename = "if")]
    pub when: String,
    /// The answer.
    pub then: String,
    /// Answers to the next plies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<Branch>,
}

/// Checks the answers of a player to what the opponent may do next, and returns them in coordinate notation. Nature
/// lets her chances pass here; where she does not, an answer that is illegal then is not given.
///
/// # Errors
/// If it is not the opponent who moves next, a ply is illegal, there are too many answers, or two to one ply.
pub fn check_tree(state: &State, by: Owner, tree: &[Branch]) -> Result<Vec<Branch>, Refused> {
    if !by.is_real() {
        return Err(Refused::NotFor(by));
    }
    if state.key(by).is_some() {
        return Err(Refused::Tree("a player with a key signs each ply".to_owned()));
    }
    if count(tree) > BRANCHES_MAX {
        return Err(Refused::Tree(format!("it has more than {BRANCHES_MAX} answers")));
    }
    if state.game.position().turn() == by {
        return Err(Refused::Tree("it is your own move; make it first".to_owned()));
    }
    checked(&state.game, by, tree)
}

/// The number of answers, counted no further than is needed to refuse them.
fn count(tree: &[Branch]) -> usize {
    let mut open: Vec<&Branch> = tree.iter().collect();
    let mut found = 0;
    while let Some(branch) = open.pop() {
        found += 1;
        if found > BRANCHES_MAX {
            break;
        }
        open.extend(&branch.next);
    }
    found
}

fn checked(game: &Game, by: Owner, tree: &[Branch]) -> Result<Vec<Branch>, Refused> {
    let mut found: Vec<Branch> = Vec::with_capacity(tree.len());
    for branch in tree {
        let (after, when) = made(game, by.opponent(), &branch.when)?;
        if found.iter().any(|other| other.when == when) {
            return Err(Refused::Tree(format!("it has two answers to `{}`", branch.when)));
        }
        let (after, then) = made(&after, by, &branch.then)?;
        let next = checked(&after, by, &branch.next)?;
        found.push(Branch { when, then, next });
    }
    Ok(found)
}

/// The game after a ply of a player, and the ply in coordinate notation.
fn made(game: &Game, by: Owner, text: &str) -> Result<(Game, String), Refused> {
    let wrong = |why: String| Refused::Tree(format!("`{}`: {why}", text.escape_debug()));
    if game.end().is_some() {
        return Err(wrong("the game is over before it".to_owned()));
    }
    let (ply, coord) = read(game, by, text).map_err(|refused| match refused {
        Refused::Illegal { fault, .. } => wrong(fault.to_string()),
        Refused::NotToAct { .. } => wrong(format!("it is not a ply of {}", by.name())),
        refused => wrong(refused.to_string()),
    })?;
    let mut game = game.clone();
    game.play_ply(&ply);
    Ok((game, coord))
}

/// The answer of a player to the last ply of the opponent, where it is the player's turn and no offer waits for an
/// answer.
pub fn answer<'t>(state: &State, by: Owner, tree: &'t [Branch]) -> Answer<'t> {
    let is_waiting = state.to_act() != [by]
        || state.adjourned().is_some()
        || state.offer().is_some_and(|offer| offer.by != by);
    match state.last_real_ply().filter(|(player, _)| *player != by) {
        None => Answer::Wait,
        Some((_, coord)) => match tree.iter().find(|branch| branch.when == coord) {
            Some(_) if is_waiting => Answer::Wait,
            Some(branch) => Answer::Give(branch),
            None if is_waiting && state.to_act() == [Owner::Nature] => Answer::Wait,
            None => Answer::Drop,
        },
    }
}

/// The use of a tree in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer<'t> {
    /// It waits.
    Wait,
    /// This answer is given now.
    Give(&'t Branch),
    /// The game has gone elsewhere.
    Drop,
}
