//! Which game a record is of, if it names none: the games in which all of it is legal.

use super::codes;
use super::game::{AnyGame, Game, Judging, Replayer};
use super::interpretation::Interpretation;
use super::languages::Trials;
use super::report::{Legality, Located, Report};
use super::tags::tag_span;
use crate::board::{Mask, by_width};
use crate::record::Record;
use crate::text::fold::fold;
use crate::text::{Budget, Diagnostic, Exhausted, Severity};
use std::borrow::Cow;

/// The name of the game that stands for any: chess, or another one if it is the only one that fits.
pub const AUTO: &str = "auto";

/// Budget units for choosing the game of a record by itself.
const UNITS_CHOICE: u64 = 1 << 16;

/// A mutated game that is tried beside the games of the registry.
const CHAOS: &str = "chaos+chess";

/// True if the record names no game.
pub(super) fn names_no_game(record: &Record<'_>) -> bool {
    record.tag("Variant").is_none_or(|name| matches!(&*name, "" | "?" | "-"))
}

/// True if a record that names no game starts from a shuffled array of Chess960, with castling rights.
pub(super) fn is_shuffled_start(record: &Record<'_>) -> bool {
    let Some(fen) = record.tag("FEN").filter(|_| names_no_game(record)) else { return false };
    let mut fields = fen.split_ascii_whitespace();
    let ranks: Vec<&str> = fields.next().unwrap_or_default().split('/').collect();
    let [black, "pppppppp", "8", "8", "8", "8", "PPPPPPPP", white] = ranks[..] else { return false };
    let castles = fields.nth(1).is_some_and(|rights| rights != "-");
    let mut pieces: Vec<u8> = black.bytes().collect();
    pieces.sort_unstable();
    let shuffled = black != "rnbqkbnr" && pieces == b"bbknnqrr" && black.to_ascii_uppercase() == white;
    let king = black.find('k');
    castles && shuffled && black.find('r') < king && king < black.rfind('r')
}

/// What to say of a record that is judged as Chess960 for its start.
pub(super) fn about_shuffled_start(record: &Record<'_>) -> Option<Diagnostic> {
    let message = "no game is named, and the start is an array of Chess960; add `[Variant \"chess960\"]`";
    let found = || Diagnostic::new(codes::J_SHUFFLED_START, Severity::Info, tag_span(record, "FEN"), message);
    is_shuffled_start(record).then(found)
}

impl Replayer<'_> {
    /// What to say of a record that was judged as chess because it names no game, and is none.
    ///
    /// # Errors
    /// If the budget ends before the work.
    pub(super) fn other_games(
        &self,
        of: Judging<'_>,
        report: &Report,
    ) -> Result<Option<Diagnostic>, Exhausted> {
        let fails = matches!(report.verdict, Legality::Illegal | Legality::Unreadable);
        if !fails || self.options().variant.is_some() || !names_no_game(of.record) {
            return Ok(None);
        }
        let games = self.fitting(of)?;
        let quoted: Vec<String> = games.iter().map(|game| format!("`{game}`")).collect();
        let message = match &games[..] {
            [] => return Ok(None),
            [game] => {
                format!("legal throughout as `{game}`; add `[Variant \"{game}\"]`, or use --variant auto")
            }
            _ => format!("legal throughout as {}; name the game in a tag `Variant`", quoted.join(", ")),
        };
        let span = tag_span(of.record, "Variant");
        Ok(Some(Diagnostic::new(codes::J_OTHER_GAME, Severity::Info, span, message)))
    }

    /// The only game, other than chess, that a record fits; nothing if it fits chess, or several.
    pub(super) fn only_fitting(&self, of: Judging<'_>) -> Option<String> {
        let budget = Budget::of(UNITS_CHOICE).within(of.budget);
        let of = Judging { budget: &budget, ..of };
        if self.fits("chess", of).ok()? {
            return None;
        }
        match &self.fitting(of).ok()?[..] {
            [game] => Some(game.clone()),
            _ => None,
        }
    }

    /// The games that a record fits; if its event names some of them, only these.
    fn fitting(&self, of: Judging<'_>) -> Result<Vec<String>, Exhausted> {
        let mut fitting = Vec::new();
        let games = self.registry().list().into_iter().filter(|game| !game.mutator);
        let games = games.map(|game| (game.name, game.title));
        let chaos = std::iter::once((CHAOS.to_owned(), "Chaos's Chess".to_owned()));
        for (name, title) in games.chain(chaos) {
            let known = fitting.iter().any(|(known, _)| *known == name);
            if !known && self.fits(&name, of)? {
                fitting.push((name, title));
            }
        }
        let occasion = ["Event", "Site"].map(|tag| of.record.tag(tag).unwrap_or_default()).join(" ");
        let occasion = format!(" {} ", fold(&occasion));
        let is_named = |words: &str| occasion.contains(&format!(" {} ", fold(words)));
        if fitting.iter().any(|(name, title)| is_named(name) || is_named(title)) {
            fitting.retain(|(name, title)| is_named(name) || is_named(title));
        }
        Ok(fitting.into_iter().map(|(name, _)| name).collect())
    }

    /// True if a record has plies, and all of them are legal in a game, with its own letters and as they are marked.
    fn fits(&self, name: &str, of: Judging<'_>) -> Result<bool, Exhausted> {
        let tags = |tag: &str| of.record.tag(tag).map(Cow::into_owned);
        match self.game_named(name, &tags) {
            Ok(game) => by_width!(AnyGame, &game, |game| self.is_legal_in(game, of)),
            Err(_) => Ok(false),
        }
    }

    fn is_legal_in<M: Mask>(&self, game: &Game<M>, of: Judging<'_>) -> Result<bool, Exhausted> {
        let Judging { record, source, budget, .. } = of;
        let Ok(start) = Self::start_in(game, record) else { return Ok(false) };
        let trials = Trials { game, record, source, start: &start, budget, unsettled: false };
        let interpretation = Interpretation { style: self.options().style, ..Interpretation::default() };
        let outcome = trials.outcome(&interpretation, &mut ())?;
        let all = outcome.judge.plies() == record.main_moves().count();
        // Where the writer saw check or mate, a game without it is another one.
        let is_seen = |found: &Located| [codes::N_CHECK_WRONG, codes::N_MATE_WRONG].contains(&found.code);
        let all = all && !outcome.diagnostics.iter().any(is_seen);
        Ok(all && outcome.judge.plies() > 0 && outcome.illegal.is_none() && outcome.stood.is_empty())
    }
}
