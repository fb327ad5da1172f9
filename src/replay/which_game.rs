//! Which game a record is of, if it names none: the games in which all of it is legal.

use super::codes;
use super::game::{AnyGame, Game, Judging, Replayer, UNITS_COMPILE};
use super::interpretation::Interpretation;
use super::languages::Trials;
use super::report::{Legality, Located, Report};
use super::tags::tag_span;
use crate::board::{Mask, by_width};
use crate::record::{self, Record};
use crate::text::fold::fold;
use crate::text::{Budget, Diagnostic, Exhausted, Severity};
use std::borrow::Cow;

/// The name of the game that stands for any: chess, or another one if it is the only one that fits.
pub const AUTO: &str = "auto";

/// Budget units for choosing the game of a record by itself, with the rules of each game, which are compiled once.
const UNITS_CHOICE: u64 = (1 << 16) + 64 * UNITS_COMPILE;

/// A mutated game that is tried beside the games of the registry.
const CHAOS: &str = "chaos+chess";

/// True if the record names no game.
pub(super) fn names_no_game(record: &Record<'_>) -> bool {
    record.tag("Variant").is_none_or(|name| matches!(&*name, "" | "?" | "-"))
}

/// The game that the Free Internet Chess Server names in its fixed form of the tag `Event`: `FICS rated suicide game`.
/// What it plays by the rules of chess, in whatever time, names none.
fn game_of_event(record: &Record<'_>) -> Option<String> {
    const CHESS: [&str; 6] = ["standard", "blitz", "lightning", "untimed", "nonstandard", "wild"];
    let event = record.tag("Event").filter(|event| event.starts_with("FICS ") && names_no_game(record))?;
    let rest = event.strip_prefix("FICS rated ").or_else(|| event.strip_prefix("FICS unrated "))?;
    let game = rest.strip_suffix(" game")?;
    match game {
        "suicide" => Some("antichess".to_owned()),
        "wild/fr" => Some("chess960".to_owned()),
        _ if game.contains([' ', '/']) || CHESS.contains(&game) => None,
        _ => Some(game.to_owned()),
    }
}

/// The game that alone writes its plies as the first one of a record is written, if the record names none: Xiangqi in
/// Chinese, shogi in Japanese and in the format of the Computer Shogi Association.
fn game_of_plies(record: &Record<'_>) -> Option<&'static str> {
    let first = record.main_moves().next().map(|(_, item)| record.bytes(item))?;
    let may_be = !first.is_ascii() || first.len() >= 6;
    let text = if may_be { record::decode(first) } else { return None };
    let mut chars = text.chars();
    let third = chars.nth(2);
    let is_chinese = text.chars().count() == 4 && matches!(third, Some('进' | '進' | '退' | '平'));
    let csa = text.trim_start_matches(['+', '-']);
    let is_csa = csa.len() == 6
        && csa.bytes().take(4).all(|byte| byte.is_ascii_digit())
        && csa.bytes().skip(4).all(|byte| byte.is_ascii_uppercase());
    let ply = text.trim_start_matches(['▲', '△', '▼', '▽', '☗', '☖']);
    let starts = ply.chars().next().is_some_and(|first| matches!(first, '１'..='９'));
    let second =
        ply.chars().nth(1).is_some_and(|second| "一二三四五六七八九１２３４５６７８９".contains(second));
    let is_japanese = starts && second && ply.chars().any(|char| "玉王飛角金銀桂香歩竜龍馬".contains(char));
    match () {
        () if is_chinese => Some("xiangqi"),
        () if is_csa || is_japanese => Some("shogi"),
        () => None,
    }
}

/// True if a record that names no game states castling rights by files, which only Chess960 needs.
fn has_rights_by_file(record: &Record<'_>) -> bool {
    let Some(fen) = record.tag("FEN").filter(|_| names_no_game(record)) else { return false };
    let mut fields = fen.split_ascii_whitespace();
    let is_chess_board = fields.next().is_some_and(|board| board.split('/').count() == 8);
    let rights = fields.nth(1).unwrap_or_default();
    let by_file =
        !rights.is_empty() && rights.bytes().all(|right| matches!(right.to_ascii_lowercase(), b'a'..=b'h'));
    is_chess_board && by_file
}

/// True if the board of a record's start has other than eight ranks, so that it is no chess.
pub(super) fn has_other_board(record: &Record<'_>) -> bool {
    let fen = record.tag("FEN").filter(|_| names_no_game(record));
    fen.is_some_and(|fen| fen.split([' ', '[']).next().is_some_and(|board| board.split('/').count() != 8))
}

/// True if a record that names no game starts from a shuffled array of Chess960, with castling rights.
fn is_shuffled_start(record: &Record<'_>) -> bool {
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

/// The game of a record that names none and shows which one it is: by its start, its event, or its first ply.
pub(super) fn shown_game(record: &Record<'_>) -> Option<Cow<'static, str>> {
    if !names_no_game(record) {
        return None;
    }
    if is_shuffled_start(record) || has_rights_by_file(record) {
        return Some(Cow::Borrowed("chess960"));
    }
    game_of_event(record).map(Cow::Owned).or_else(|| game_of_plies(record).map(Cow::Borrowed))
}

/// What to say of a record that is judged as another game than chess although it names none.
pub(super) fn about_shown_game(record: &Record<'_>) -> Option<Diagnostic> {
    let game = shown_game(record)?;
    let (tag, why) = match () {
        () if is_shuffled_start(record) => ("FEN", "the start is an array of Chess960"),
        () if has_rights_by_file(record) => ("FEN", "the start states castling rights by files"),
        () if game_of_event(record).is_some() => ("Event", "the tag Event shows it"),
        () => ("Variant", "the first ply shows it"),
    };
    let message = format!("no game is named, and {why}; add `[Variant \"{game}\"]`");
    Some(Diagnostic::new(codes::J_SHOWN_GAME, Severity::Info, tag_span(record, tag), message))
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
        match self.game_named(name, &tags, of.budget) {
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
