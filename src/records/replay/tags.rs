//! Checks a record's tags about its start, and locates faults in them.

use super::codes;
use super::game::AnyGame;
use crate::record::{ItemKind, Record};
use ferz_core::board::Mask;
use ferz_core::position::{FenError, Position};
use ferz_core::rules::{RegistryError, RulesId};
use ferz_core::text::{Code, Diagnostic, Severity, Span};
use std::sync::Arc;

/// The place of a tag; if the tag is missing, the record's first move or start.
pub(super) fn tag_span(record: &Record<'_>, name: &str) -> Span {
    if let Some(tag) = record.find_tag(name) {
        return record.tag_full_span(tag);
    }
    let first = record.items.iter().find(|item| item.kind == ItemKind::Move);
    first.map_or(Span::new(record.offset(), record.offset()), |item| record.span(*item))
}

/// The tag `RulesDigest`, if it names other rules than those at hand. The digest of play names a game that the program
/// brings; of other definitions several may have it, with other words and letters.
pub(super) fn other_digest(record: &Record<'_>, game: &AnyGame) -> Option<RegistryError> {
    let tag = record.find_tag("RulesDigest")?;
    let (stated, id, binding) = (record.tag_value(tag), game.id(), game.binding());
    let is = |digest: &str| stated.trim().eq_ignore_ascii_case(digest);
    if is(binding) || is(game.whole()) {
        return None;
    }
    let RulesId { name, edition, digest } = id;
    let message = if is(digest) {
        format!(
            "`{stated}` is the digest of play alone, which definitions with other words and letters may have too; if \
             the rules at hand of `{name}`, edition {edition}, are meant, write their own digest, {binding}"
        )
    } else {
        format!(
            "it is `{stated}`, but the rules at hand of `{name}`, edition {edition}, have the digest {binding}; judge \
             the game with the definition that it was played by"
        )
    };
    Some(RegistryError::Tag { tag: "RulesDigest".to_owned(), span: None, message })
}

/// The tags that choose the rules: misspelt, they would be overlooked.
const CHOOSING: [&str; 6] =
    ["Variant", "RulesEdition", "RulesDigest", "NatureRules", "WhiteArmy", "BlackArmy"];

/// Tags whose names are nearly those of tags that choose the rules, which the record does not have.
pub(super) fn misspelt(record: &Record<'_>) -> impl Iterator<Item = Diagnostic> {
    record.tags.iter().filter_map(|tag| {
        let name = &record.source()[tag.name as usize..(tag.name + tag.name_len) as usize];
        // Nearly every tag begins otherwise, or is much shorter.
        if name.len() < 6 || !matches!(name[0] | 0x20, b'v' | b'r' | b'n' | b'w' | b'b') {
            return None;
        }
        let meant = CHOOSING.into_iter().find(|wanted| is_nearly(name, wanted.as_bytes()))?;
        let name = record.tag_name(tag);
        let message = format!("the tag `{name}` chooses no rules; did you mean `{meant}`?");
        let found =
            Diagnostic::new(codes::J_TAG_MISSPELT, Severity::Warning, record.tag_full_span(tag), message);
        record.find_tag(meant).is_none().then_some(found)
    })
}

/// True if two names differ in two neighbouring letters at most. Cheap, since every tag of every record is compared.
fn is_nearly(name: &[u8], wanted: &[u8]) -> bool {
    let same = |(a, b): &(&u8, &u8)| a.eq_ignore_ascii_case(b);
    if name.len().abs_diff(wanted.len()) > 1
        || !name.iter().zip(wanted).next().is_some_and(|pair| same(&pair))
    {
        return false;
    }
    let front = name.iter().zip(wanted).take_while(same).count();
    let back = name.iter().rev().zip(wanted.iter().rev()).take_while(same).count();
    let longer = name.len().max(wanted.len());
    longer > front && longer.saturating_sub(front + back) <= 2
}

/// A fault in the tags that choose the rules, as code and place.
pub(super) fn rules_fault(record: &Record<'_>, error: &RegistryError) -> (Code, Span) {
    let name = error.tag();
    let code = match name {
        "FEN" => codes::J_POSITION,
        "RulesDigest" => codes::J_DIGEST_DIFFERS,
        _ => codes::J_VARIANT_UNKNOWN,
    };
    let part = if let RegistryError::Tag { span, .. } = error { *span } else { None };
    let span = match (record.find_tag(name), part) {
        (Some(tag), Some(part)) => record.tag_part_span(tag, part),
        (Some(tag), None) => record.tag_full_span(tag),
        // A tag that is missing is one that the game needs.
        (None, _) => tag_span(record, "Variant"),
    };
    (code, span)
}

/// The bytes of the tag `FEN` at fault.
pub(super) fn fen_fault(record: &Record<'_>, error: &FenError) -> Span {
    let tag = record.find_tag("FEN");
    tag.map_or_else(|| tag_span(record, "FEN"), |tag| record.tag_part_span(tag, error.span))
}

/// What to say of a start position: its kings, its pieces, its spelling.
pub(super) fn about_start<M: Mask>(
    record: &Record<'_>,
    start: &Position<M>,
) -> impl Iterator<Item = Diagnostic> {
    let found = [about_kings(record, start), about_pieces(record, start), fen_spelling(record, start)];
    found.into_iter().flatten()
}

/// What to say of a problem with one king.
fn about_kings<M: Mask>(record: &Record<'_>, start: &Position<M>) -> Option<Diagnostic> {
    let owner = start.lacks_king()?;
    let message = format!("a problem: {} has no king, and cannot be mated (COM-9)", owner.name());
    Some(Diagnostic::new(codes::J_ONE_KING, Severity::Info, tag_span(record, "FEN"), message))
}

/// A start position that no game leads to, as its pieces show.
fn about_pieces<M: Mask>(record: &Record<'_>, start: &Position<M>) -> Option<Diagnostic> {
    record.find_tag("FEN")?;
    let message = format!("no game leads to this position: {} (COM-10)", start.cannot_arise()?);
    Some(Diagnostic::new(codes::J_CANNOT_ARISE, Severity::Warning, tag_span(record, "FEN"), message))
}

/// Where the spelling of the tag `FEN` differs from the recommended one: the fields, and the recommended spelling.
///
/// An en passant target without a possible capture is not a deviation: the standard writes it.
fn fen_spelling<M: Mask>(record: &Record<'_>, start: &Position<M>) -> Option<Diagnostic> {
    let tag = record.find_tag("FEN")?;
    let (given, recommended) = (record.tag_value(tag), start.fen());
    if given == recommended {
        return None;
    }
    let mut fields = given.split(' ');
    let names = ["pieces", "side to move", "castling", "en passant", "halfmove clock", "move number"];
    let mut other = Vec::new();
    for (index, wanted) in recommended.split(' ').enumerate() {
        let name = names.get(index).copied().unwrap_or("further fields");
        let same =
            fields.next().is_some_and(|field| field == wanted || name == "en passant" && !field.is_empty());
        if !same {
            other.push(name);
        }
    }
    if fields.next().is_some() {
        other.push("spaces or further fields");
    }
    other.dedup();
    if other.contains(&"castling") && Position::from_fen(Arc::clone(start.shared_rules()), &given).is_err() {
        let message =
            format!("castling rights that the position does not allow are left out; write `{recommended}`");
        let span = record.tag_span(tag);
        return Some(Diagnostic::new(codes::J_CASTLING_LEFT_OUT, Severity::Warning, span, message));
    }
    let message =
        format!("not the recommended spelling; write `{recommended}` (differs in: {})", other.join(", "));
    let found = || Diagnostic::new(codes::J_FEN_SPELLING, Severity::Info, record.tag_span(tag), message);
    (!other.is_empty()).then(found)
}

/// True if the record has a start position and lacks the tag that announces it.
pub(crate) fn lacks_set_up(record: &Record<'_>) -> bool {
    record.find_tag("FEN").is_some() && record.find_tag("SetUp").is_none()
}

/// Checks that the tags `SetUp` and `FEN` agree (COM-8).
pub(super) fn about_set_up(record: &Record<'_>) -> Option<Diagnostic> {
    let set_up = record.tag("SetUp");
    let (code, severity, tag, message) = match (set_up.as_deref(), record.find_tag("FEN").is_some()) {
        (None, false) | (Some("1"), true) => return None,
        (Some("1"), false) => (
            codes::J_FEN_MISSING,
            Severity::Warning,
            "SetUp",
            "`SetUp` is 1 without a tag `FEN`; add the tag or remove `SetUp`",
        ),
        (Some("0"), true) => {
            let message =
                "`SetUp` is 0 despite a tag `FEN`, which the game starts from; write `[SetUp \"1\"]`";
            (codes::J_SET_UP_DENIED, Severity::Warning, "SetUp", message)
        }
        (_, true) => {
            (codes::J_SET_UP_MISSING, Severity::Info, "FEN", "tag `FEN` without `SetUp`; add `[SetUp \"1\"]`")
        }
        (Some(_), false) => return None,
    };
    Some(Diagnostic::new(code, severity, tag_span(record, tag), message))
}
