//! Which game a record is of, if it names none: the games in which all of it is legal.

use super::codes;
use super::game::{AnyGame, Game, Judging, Replayer, UNITS_COMPILE};
use super::interpretation::Interpretation;
use super::languages::Trials;
use super::report::{Legality, Located, Report};
use super::tags::tag_span;
use crate::record::Record;
use ferz_core::board::{Mask, by_width};
use ferz_core::position::Position;
use ferz_core::rules::definition::CapturesTo;
use ferz_core::rules::{AnyRules, Definition, Registry};
use ferz_core::text::fold::fold;
use ferz_core::text::{Budget, Diagnostic, Exhausted, Severity};
use std::borrow::Cow;
use std::sync::Arc;

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
        "wild/fr" => Some("chess960".to_owned()),
        _ if game.contains([' ', '/']) || CHESS.contains(&game) => None,
        _ => Some(game.to_owned()),
    }
}

/// The game that alone writes its plies as the first one of a record is written, if the record names none: Xiangqi in
/// Chinese and in the form of the World Xiangqi Federation, shogi in Japanese and in the format of the Computer Shogi
/// Association.
fn game_of_plies(record: &Record<'_>) -> Option<&'static str> {
    let first = record.main_moves().next().map(|(_, item)| record.bytes(item))?;
    if let [piece, b'1'..=b'9', b'=' | b'+' | b'-', b'1'..=b'9'] = *first
        && piece.is_ascii_alphabetic()
    {
        return Some("xiangqi");
    }
    let may_be = !first.is_ascii() || first.len() >= 6;
    let text = if may_be { ferz_core::text::decode(first) } else { return None };
    let mut chars = text.chars();
    let third = chars.nth(2);
    let is_chinese = text.chars().count() == 4
        && matches!(third, Some('进' | '進' | '退' | '平' | '＝' | '＋' | '－' | '．'));
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
    !has_other_board(record) && names_files(rights_field(&fen))
}

/// The third field of a FEN.
fn rights_field(fen: &str) -> &str {
    fen.split_ascii_whitespace().nth(2).unwrap_or_default()
}

/// True if castling rights are stated by files: `HAha`, `Kgb`.
fn names_files(rights: &str) -> bool {
    let is_file = |right: u8| matches!(right.to_ascii_lowercase(), b'a'..=b'h');
    let is_right = |right: u8| is_file(right) || matches!(right.to_ascii_lowercase(), b'k' | b'q');
    rights.bytes().all(is_right) && rights.bytes().any(is_file)
}

/// The name of the mutator, and of the game over chess, where king and rook may start anywhere.
const SHUFFLED: &str = "chess960";

/// The game that a record's start shows in place of the one that it names: the same with castling as in Chess960, if
/// only there the rights of the start hold (IAV-4).
pub(super) fn shuffled(registry: &Registry, game: &AnyGame, record: &Record<'_>) -> Option<String> {
    let fen = record.tag("FEN")?;
    let rights = rights_field(&fen);
    let definition = game.definition();
    if matches!(rights, "" | "-" | "KQkq") && definition.name == "chess" && !is_shuffled_array(&fen)
        || rights.len() < 2 && !names_files(rights)
        || !definition.castling.enabled
        || definition.setup.from_record
        || !by_width!(AnyGame, game, |game| game.start_lacks_rights(&fen))
    {
        return None;
    }
    let name = registry.canonical_name(&format!("{SHUFFLED}+{}", definition.name)).ok()?;
    let tags = |tag: &str| record.tag(tag).map(Cow::into_owned);
    let rules = registry.rules(&name, &tags).ok()?;
    let holds = by_width!(AnyRules, rules, |rules| Position::from_fen(rules, &fen).is_ok());
    holds.then_some(name)
}

/// True if chess cannot have the board of a record's start: it has other than eight ranks, a stock of pieces, or pieces
/// of other letters.
pub(super) fn has_other_board(record: &Record<'_>) -> bool {
    let Some(fen) = record.tag("FEN").filter(|_| names_no_game(record)) else { return false };
    let board = fen.split_ascii_whitespace().next().unwrap_or_default();
    let is_of_chess = |byte: u8| byte.is_ascii_digit() || b"/\\KQRBNPkqrbnp".contains(&byte);
    !board.is_empty() && (board.split(['/', '\\']).count() != 8 || !board.bytes().all(is_of_chess))
}

/// True if a record that names no game starts from a shuffled array of Chess960, with castling rights.
fn is_shuffled_start(record: &Record<'_>) -> bool {
    record.tag("FEN").is_some_and(|fen| names_no_game(record) && is_shuffled_array(&fen))
}

/// True if a position is a shuffled array of Chess960, with castling rights.
fn is_shuffled_array(fen: &str) -> bool {
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

/// The game of a record that names none, and what shows it.
pub(super) struct ShownGame {
    pub name: Cow<'static, str>,
    /// The tag that shows it, or that is missing.
    tag: &'static str,
    why: &'static str,
}

/// The game of a record that names none and shows which one it is: by its start, its event, or its first ply.
pub(super) fn shown_game(record: &Record<'_>) -> Option<ShownGame> {
    if !names_no_game(record) {
        return None;
    }
    let (name, tag, why) = if is_shuffled_start(record) {
        (Cow::Borrowed("chess960"), "FEN", "the start is an array of Chess960")
    } else if has_rights_by_file(record) {
        (Cow::Borrowed("chess960"), "FEN", "the start states castling rights by files")
    } else if let Some(game) = game_of_event(record) {
        (Cow::Owned(game), "Event", "the tag Event shows it")
    } else {
        (Cow::Borrowed(game_of_plies(record)?), "Variant", "the first ply shows it")
    };
    Some(ShownGame { name, tag, why })
}

/// What to say of a record that names no game, or one in which its start cannot be, and is judged as `judged`.
pub(super) fn about_shown_game(
    registry: &Registry,
    judged: &Definition,
    record: &Record<'_>,
) -> Option<Diagnostic> {
    if let Some(ShownGame { name, tag, why }) = shown_game(record).filter(|_| !record.is_of_two_boards()) {
        let message = format!("no game is named, and {why}; add `[Variant \"{name}\"]`");
        return Some(Diagnostic::new(codes::J_SHOWN_GAME, Severity::Info, tag_span(record, tag), message));
    }
    if has_other_board(record) && judged.name != "chess" && !record.is_of_two_boards() {
        let message =
            format!("no game is named, and the start shows it; add `[Variant \"{}\"]`", judged.name);
        return Some(Diagnostic::new(codes::J_SHOWN_GAME, Severity::Info, tag_span(record, "FEN"), message));
    }
    if !judged.setup.from_record {
        return None;
    }
    let tag = record.tag("Variant")?;
    // Nearly all records name the game so; to resolve a name takes longer than to judge a short game.
    if tag.contains("960") || tag.trim().eq_ignore_ascii_case(&judged.name) {
        return None;
    }
    let named = registry.canonical_name(&tag).ok()?;
    if named == judged.name || registry.canonical_name(&format!("{SHUFFLED}+{named}")).ok()? != judged.name {
        return None;
    }
    let (name, span) = (&judged.name, tag_span(record, "FEN"));
    let message = format!(
        "the castling rights of the start hold only where king and rook start as in Chess960; write \
         `[Variant \"{name}\"]`"
    );
    Some(Diagnostic::new(codes::J_SHOWN_GAME, Severity::Info, span, message))
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

    /// The only game, other than chess, that can read the start of a record: that of its array, or the only one.
    pub(super) fn only_reader(&self, record: &Record<'_>, budget: &Budget) -> Option<String> {
        let fen = record.tag("FEN")?;
        let board = fen.split([' ', '[']).next()?;
        let tags = |tag: &str| record.tag(tag).map(Cow::into_owned);
        let mut readers: Vec<String> = Vec::new();
        let mut parents = Vec::new();
        let mut arrays: Vec<String> = Vec::new();
        for listed in self.registry().list().into_iter().filter(|game| !game.mutator && game.name != "chess")
        {
            // A game that needs more tags than the record has cannot be the one.
            let Ok(game) = self.game_named(&listed.name, &tags, budget) else { continue };
            let definition = game.definition();
            // The numbers of a game on two boards tell it.
            if definition.captures.to == CapturesTo::Partner {
                continue;
            }
            let reads = by_width!(AnyGame, &game, |game| {
                Position::from_tag(Arc::clone(&game.rules), &fen).is_ok()
            });
            if reads && !readers.contains(&listed.name) {
                if definition.setup.board == board && !definition.setup.from_record {
                    arrays.push(listed.name.clone());
                }
                parents.push(definition.extends.clone());
                readers.push(listed.name);
            }
        }
        if arrays.len() == 1 {
            return arrays.pop();
        }
        let is_child =
            |parent: &Option<String>| parent.as_ref().is_some_and(|parent| readers.contains(parent));
        let mut originals = readers.iter().zip(&parents).filter(|(_, parent)| !is_child(parent));
        let (only, _) = originals.next()?;
        originals.next().is_none().then(|| only.clone())
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
        // A game with the plies of its parent and other ends is no other reading of them.
        let parent = |name: &str| {
            let (definition, _) = self.registry().definition(name, &|_| None).ok()?;
            definition.extends.filter(|parent| parent != "chess")
        };
        let fits_too = |name: &str| fitting.iter().any(|(known, _): &(String, String)| known == name);
        let children: Vec<String> = fitting
            .iter()
            .map(|(name, _)| name)
            .filter(|name| parent(name).is_some_and(|parent| fits_too(&parent)))
            .cloned()
            .collect();
        let occasion = ["Event", "Site"].map(|tag| of.record.tag(tag).unwrap_or_default()).join(" ");
        let occasion = format!(" {} ", fold(&occasion));
        let is_named = |words: &str| occasion.contains(&format!(" {} ", fold(words)));
        if fitting.iter().any(|(name, title)| is_named(name) || is_named(title)) {
            fitting.retain(|(name, title)| is_named(name) || is_named(title));
        } else {
            fitting.retain(|(name, _)| !children.contains(name));
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
        // The numbers of a game on two boards tell it.
        if game.rules.captures_to_partner() {
            return Ok(false);
        }
        let Ok(start) = Self::start_in(game, record) else { return Ok(false) };
        let trials = Trials { game, record, source, start: &start, second: None, budget, unsettled: false };
        let interpretation = Interpretation { style: self.options().style, ..Interpretation::default() };
        let outcome = trials.outcome(&interpretation, &mut ())?;
        let all = outcome.plies == record.main_moves().count();
        // Where the writer saw check or mate, a game without it is another one.
        let is_seen = |found: &Located| [codes::N_CHECK_WRONG, codes::N_MATE_WRONG].contains(&found.code);
        let all = all && !outcome.diagnostics.iter().any(is_seen);
        Ok(all && outcome.plies > 0 && outcome.illegal.is_none() && outcome.let_stand.is_empty())
    }
}
