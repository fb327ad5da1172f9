//! The arguments for a position: a game, its tags, its start, and the plies from there.

use super::carets::draw_argument;
use super::output::Failure;
use super::session::{Session, no_such_game};
use ferz::board::Mask;
use ferz::diagram::text::{by_history, ending};
use ferz::judge::{End, Judge};
use ferz::notation::{Fault, Letters, alike, coord, read, resolve};
use ferz::position::{Ply, Position, Reason};
use ferz::replay::Trace;
use ferz::rules::AnyRules;
use ferz::text::distance;
use std::cell::RefCell;
use std::str::FromStr;

/// A game, its tags, its start, and the plies from there.
#[derive(Debug, clap::Args)]
pub(super) struct PositionArgs {
    /// Name of the game, mutators first: `chess`, `iago-b`, `chaos+ichess`
    #[arg(required = true)]
    pub(super) variant: Option<String>,

    #[command(flatten)]
    pub(super) tags: TagArgs,

    /// Start position as (extended) FEN, instead of the array
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    /// Plies from the start, in any style, with or without numbers: `e2e4 e7e5`, `1. e4 e5`
    #[arg(long, value_name = "PLIES")]
    moves: Option<String>,
}

/// Tags of a record that choose rules.
#[derive(Debug, clap::Args)]
pub(super) struct TagArgs {
    /// Tag that chooses rules: NatureRules, WhiteArmy, BlackArmy, RulesEdition, FEN (repeatable)
    #[arg(long = "tag", value_name = "NAME=VALUE")]
    tags: Vec<Tag>,
}

/// One tag.
#[derive(Debug, Clone)]
struct Tag {
    name: String,
    value: String,
}

impl FromStr for Tag {
    type Err = String;

    fn from_str(text: &str) -> Result<Tag, String> {
        let parts = text.split_once('=').filter(|(name, _)| !name.trim().is_empty());
        let (name, value) = parts.ok_or("write NAME=VALUE, such as NatureRules=advanced")?;
        Ok(Tag { name: name.trim().to_owned(), value: value.trim().to_owned() })
    }
}

/// A position with what its history decides.
#[derive(Debug)]
pub(super) struct Reached<M> {
    pub(super) position: Position<M>,
    /// The last ply, if there is one.
    pub(super) last: Option<Ply>,
    judge: Judge<M>,
}

impl<M: Mask> Reached<M> {
    /// A position of a game that was replayed, after so many plies.
    pub(super) fn of_trace(trace: &Trace<M>, plies: usize) -> Reached<M> {
        let (position, judge) = trace.at(plies);
        Reached {
            position,
            judge,
            last: plies.checked_sub(1).and_then(|last| trace.plies.get(last)).map(|last| last.ply),
        }
    }

    /// All legal plies; empty after an end other than an automatic draw (COM-4).
    pub(super) fn plies(&self) -> Vec<Ply> {
        if self.is_over() { Vec::new() } else { self.position.plies() }
    }

    /// True if the game has ended other than by an automatic draw.
    pub(super) fn is_over(&self) -> bool {
        self.judge.is_over()
    }

    /// The end of the game in words, if it has ended other than by an automatic draw.
    pub(super) fn over(&self) -> Option<String> {
        match (self.position.finish(), self.end_by_history().filter(|_| self.is_over())) {
            (Some(finish), _) => Some(format!("the game is over: {}", ending(finish))),
            (None, Some(end)) => Some(format!("the game is over: {}", by_history(end))),
            (None, None) => None,
        }
    }

    /// The end that the position itself does not show: repetition, perpetual check, move counters, dead position.
    pub(super) fn end_by_history(&self) -> Option<End> {
        self.judge.end().filter(|_| self.position.finish().is_none())
    }
}

/// A position of a small or a large board.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)] // a run has one of them
pub(super) enum AnyReached {
    /// Up to 64 squares.
    Narrow(Reached<u64>),
    /// Up to 128 squares.
    Wide(Reached<u128>),
}

impl TagArgs {
    /// The value of a tag; names ignore case.
    fn get(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.name.eq_ignore_ascii_case(name)).map(|tag| tag.value.as_str())
    }

    /// Names and values of all tags.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|tag| (tag.name.as_str(), tag.value.as_str()))
    }

    fn check_twice(&self) -> Result<(), Failure> {
        for (index, tag) in self.tags.iter().enumerate() {
            if self.tags[..index].iter().any(|before| before.name.eq_ignore_ascii_case(&tag.name)) {
                return Err(Failure::message(format!("--tag {}: repeated; keep one", tag.name)));
            }
        }
        Ok(())
    }

    /// Passes a tag lookup to `use_tags`, and warns of unused tags.
    ///
    /// # Errors
    /// If a tag is repeated, or `use_tags` fails.
    pub(super) fn with_lookup<T>(
        &self,
        fen: Option<&str>,
        session: &mut Session<'_>,
        use_tags: impl FnOnce(&Session<'_>, &dyn Fn(&str) -> Option<String>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.check_twice()?;
        let asked = RefCell::new(vec!["FEN".to_owned(), "SetUp".to_owned()]);
        let lookup = |name: &str| {
            asked.borrow_mut().push(name.to_owned());
            let given = if name == "FEN" { fen.or(self.get(name)) } else { self.get(name) };
            given.map(str::to_owned)
        };
        let used = use_tags(session, &lookup)?;
        let asked = asked.into_inner();
        for tag in &self.tags {
            if !asked.iter().any(|name| name.eq_ignore_ascii_case(&tag.name)) {
                let near = asked.iter().min_by_key(|name| distance(name, &tag.name));
                let near = near.filter(|name| distance(name, &tag.name) <= 3);
                let hint = near.map_or_else(String::new, |name| format!("; did you mean {name}?"));
                session.console.warning(format!("--tag {}: the rules do not use it{hint}", tag.name))?;
            }
        }
        Ok(used)
    }
}

impl PositionArgs {
    /// The name of the game; absent only in a command that takes positions from elsewhere.
    fn variant(&self) -> &str {
        self.variant.as_deref().unwrap_or_default()
    }

    /// The position after the moves.
    ///
    /// # Errors
    /// If the game, a tag, the FEN or a ply is invalid.
    pub(super) fn position(&self, session: &mut Session<'_>) -> Result<AnyReached, Failure> {
        let tagged = self.tags.get("FEN");
        if self.fen.as_deref().is_some_and(|fen| tagged.is_some_and(|tagged| tagged != fen)) {
            return Err(Failure::message("--fen and --tag FEN=… name different positions; keep one"));
        }
        let fen = self.fen.as_deref().or(tagged);
        let rules = self.tags.with_lookup(fen, session, |session, tags| {
            session.registry().rules(self.variant(), tags).map_err(no_such_game)
        })?;
        let color = session.console.has_color();
        Ok(match rules {
            AnyRules::Narrow(rules) => AnyReached::Narrow(self.start_and_play(rules, fen, color)?),
            AnyRules::Wide(rules) => AnyReached::Wide(self.start_and_play(rules, fen, color)?),
        })
    }

    fn start_and_play<M: Mask>(
        &self,
        rules: std::sync::Arc<ferz::rules::Rules<M>>,
        fen: Option<&str>,
        color: bool,
    ) -> Result<Reached<M>, Failure> {
        let start = match fen {
            None => Position::start(rules),
            Some(fen) => Position::from_fen(rules, fen).map_err(|error| {
                let note = format!("`ferz fen {}` shows a position of this game", self.variant());
                Failure::Drawn(draw_argument(&format!("--fen: {error}"), fen, error.span, &note, color))
            })?,
        };
        let tokens = self.moves.as_deref().unwrap_or_default().split_whitespace();
        apply_moves(start, tokens)
    }
}

/// Makes the plies of the tokens.
///
/// # Errors
/// At the first token that is not a legal ply; the message names it, the reason, the position and legal plies.
pub(super) fn apply_moves<'a, M: Mask>(
    start: Position<M>,
    tokens: impl IntoIterator<Item = &'a str>,
) -> Result<Reached<M>, Failure> {
    let letters = Letters::new(start.rules());
    let mut reached = Reached { judge: Judge::new(&start), last: None, position: start };
    let plies = tokens.into_iter().map(without_number).filter(|token| !token.is_empty());
    for (index, token) in plies.enumerate() {
        let ply =
            find(&reached, &letters, token).map_err(|fault| describe(&reached, &fault, index + 1, token))?;
        reached.position.apply(&ply);
        reached.judge.after(&reached.position, &ply);
        reached.last = Some(ply);
    }
    Ok(reached)
}

/// A token without a move number, such as `1.` or `1...`.
fn without_number(token: &str) -> &str {
    let rest = token.trim_start_matches(|digit: char| digit.is_ascii_digit());
    if rest.len() < token.len() && rest.starts_with('.') { rest.trim_start_matches('.') } else { token }
}

/// The legal ply of a token.
fn find<M: Mask>(reached: &Reached<M>, letters: &Letters, token: &str) -> Result<Ply, Box<Fault>> {
    let position = &reached.position;
    let rules = position.rules();
    let unreadable = |message: &str, candidates: Vec<Ply>| Fault {
        candidates,
        ..Fault::new(rules, Reason::Unreadable, message)
    };
    let text = read(letters, position.turn(), false, token.as_bytes())
        .map_err(|error| unreadable(&error.message, alike(position, token, |ply| spelt(position, ply))))?;
    // After some endings the movement rules would allow further plies.
    if reached.is_over() || position.finish().is_some() {
        return Err(Box::new(Fault::new(rules, Reason::GameOver, "")));
    }
    Ok(resolve(position, &text)?.ply)
}

/// The message for a token that is not a legal ply.
fn describe<M: Mask>(reached: &Reached<M>, fault: &Fault, number: usize, token: &str) -> Failure {
    let Fault { reason, rule, message, candidates, .. } = fault;
    let position = &reached.position;
    let legal = reached.over().unwrap_or_else(|| {
        let nearest: Vec<String> = candidates.iter().map(|ply| spelt(position, ply)).collect();
        format!("nearest legal plies: {}", nearest.join(", "))
    });
    let fen = position.fen();
    Failure::message(format!(
        "--moves: ply {number}, `{token}`, is not legal: {message}\n  rule: {rule} ({reason})\n  \
         in the position: {fen}\n  {legal}"
    ))
}

/// A ply in coordinate notation.
pub(super) fn spelt<M: Mask>(position: &Position<M>, ply: &Ply) -> String {
    let mut text = String::with_capacity(8);
    coord::write(position.rules(), ply, &mut text);
    text
}
