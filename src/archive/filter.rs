//! Filters for entries.

use super::error::ArchiveError;
use super::identity::GameId;
use ferz_core::judge::EndReason;
use ferz_core::notation::coord;
use ferz_core::text::fold::words;
use ferz_core::text::limits::ARCHIVE_FILTER_WORDS_MAX;
use ferz_records::record::GameResult;

/// Conditions for entries; all that are given must hold.
///
/// Names match by the beginnings of their words, ignoring case and accents: `anand v` finds `Anand, Viswanathan`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// The entry with this id.
    pub id: Option<GameId>,
    /// The full name of the game.
    pub variant: Option<String>,
    /// White, Black or the third player.
    pub player: Option<String>,
    /// White.
    pub white: Option<String>,
    /// Black.
    pub black: Option<String>,
    /// Event.
    pub event: Option<String>,
    /// Site.
    pub site: Option<String>,
    /// The first day, month or year: `1984.05.17`, `1984.05`, `1984`. Games without a year do not match.
    pub from: Option<String>,
    /// The last day, month or year.
    pub to: Option<String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: Option<String>,
    /// Whether the whole main line is legal.
    pub valid: Option<bool>,
    /// The ending on the board: `checkmate`, …; also `mate`, and `draw` for every drawn ending.
    pub end: Option<String>,
    /// The first plies of the game, in coordinate notation.
    pub moves: Option<String>,
    /// Whether the entry was withdrawn; lists for people say `Some(false)`.
    pub withdrawn: Option<bool>,
    /// Whether another entry continues this unfinished game ([`Summary::continued_by`](super::Summary::continued_by));
    /// lists for people say `Some(false)`.
    pub continued: Option<bool>,
}

/// A name to search for: whole, or by the beginnings of its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Name {
    /// A name without a letter, such as `?`, compared as it is.
    Whole(String),
    /// Folded words, each with a space before it.
    Words(Vec<String>),
}

/// The fields to search for a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// White, Black or the third player.
    Player,
    White,
    Black,
    Event,
    Site,
}

/// A filter with validated values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Criteria {
    pub(super) id: Option<GameId>,
    pub(super) variant: Option<String>,
    pub(super) names: Vec<(Role, Name)>,
    /// The first day, as a number: see [`day`](ferz_records::record::day).
    pub(super) from: Option<i64>,
    /// The last day.
    pub(super) to: Option<i64>,
    pub(super) result: Option<&'static str>,
    pub(super) valid: Option<bool>,
    /// Endings, any of which will do; empty for any ending and none.
    pub(super) ends: Vec<&'static str>,
    /// The first plies of the game, each with a space after it.
    pub(super) moves: Option<String>,
    pub(super) withdrawn: Option<bool>,
    pub(super) continued: Option<bool>,
    pub(super) numbers: Option<Numbers>,
}

/// Entries by their numbers in order of arrival.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Numbers {
    /// From the first to the last.
    Within(i64, i64),
    /// These, the latest first.
    Among(Vec<i64>),
}

impl Criteria {
    /// Criteria for one entry.
    pub(super) fn of(id: GameId) -> Criteria {
        Criteria { id: Some(id), ..Criteria::default() }
    }
}

impl Filter {
    /// Validates the filter.
    ///
    /// # Errors
    /// If no game can have its date, result, ending or plies, or if its names have too many words.
    pub(super) fn criteria(&self) -> Result<Criteria, ArchiveError> {
        Ok(Criteria {
            id: self.id,
            variant: self.variant.as_ref().map(|variant| variant.trim().to_lowercase()),
            names: self.names()?,
            from: self.from.as_deref().map(date).transpose()?.map(|(first, _)| first),
            to: self.to.as_deref().map(date).transpose()?.map(|(_, last)| last),
            result: self.result.as_deref().map(result_wanted).transpose()?,
            valid: self.valid,
            ends: self.end.as_deref().map(endings).transpose()?.unwrap_or_default(),
            moves: self.moves.as_deref().map(beginning).transpose()?,
            withdrawn: self.withdrawn,
            continued: self.continued,
            numbers: None,
        })
    }

    fn names(&self) -> Result<Vec<(Role, Name)>, ArchiveError> {
        let all = [
            (Role::Player, &self.player),
            (Role::White, &self.white),
            (Role::Black, &self.black),
            (Role::Event, &self.event),
            (Role::Site, &self.site),
        ];
        let (mut names, mut count) = (Vec::new(), 0);
        for (role, name) in all {
            let Some(name) = name else { continue };
            let words = words(name);
            count += words.len();
            if count > ARCHIVE_FILTER_WORDS_MAX {
                let why = format!(
                    "a search compares at most {ARCHIVE_FILTER_WORDS_MAX} words of names; omit common ones"
                );
                return Err(ArchiveError::Filter(why));
            }
            let name =
                if words.is_empty() { Name::Whole(name.trim().to_owned()) } else { Name::Words(words) };
            names.push((role, name));
        }
        Ok(names)
    }
}

/// A result in any of its forms.
fn result_wanted(text: &str) -> Result<&'static str, ArchiveError> {
    let wrong = || format!("`{}` is not a result; use one of 1-0, 0-1, 1/2-1/2 (or draw), *", text.trim());
    ferz_search::result(text).map(GameResult::as_str).ok_or_else(|| ArchiveError::Filter(wrong()))
}

/// Endings by a name.
fn endings(text: &str) -> Result<Vec<&'static str>, ArchiveError> {
    let known = || EndReason::ALL.iter().map(|reason| reason.id()).collect::<Vec<_>>().join(", ");
    let wrong = || format!("`{text}` is not an ending; use one of {}, mate, draw", known());
    let found = ferz_search::endings(text).ok_or_else(|| ArchiveError::Filter(wrong()))?;
    Ok(found.into_iter().map(EndReason::id).collect())
}

/// The days of a year, a month or a day as numbers, the first and the last.
fn date(text: &str) -> Result<(i64, i64), ArchiveError> {
    let text = text.trim();
    let wrong =
        || format!("`{text}` is not a date; write a year, a month or a day: 1984, 1984.05, 1984.05.17");
    ferz_search::days(text).ok_or_else(|| ArchiveError::Filter(wrong()))
}

/// The first plies of a game in their stored form, each with a space after it.
fn beginning(moves: &str) -> Result<String, ArchiveError> {
    if let Some(word) = moves.split_whitespace().find(|word| !coord::has_form(word.as_bytes())) {
        let how = "write plies as in `e2e4 g8f6`; `ferz convert --to coord` converts any notation";
        return Err(ArchiveError::Filter(format!("`{word}` is not a ply in coordinate notation; {how}")));
    }
    Ok(moves.split_whitespace().fold(String::new(), |begin, ply| begin + ply + " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_values_are_refused() {
        let refused = |filter: Filter| match filter.criteria() {
            Err(ArchiveError::Filter(why)) => why,
            other => panic!("{other:?}"),
        };
        let text = |text: &str| Some(text.to_owned());
        let why = refused(Filter { moves: text("e2e4 Nf6"), ..Filter::default() });
        assert!(why.starts_with("`Nf6` is not a ply in coordinate notation; "), "{why}");
        let why = refused(Filter { result: text("2-0"), ..Filter::default() });
        assert_eq!(why, "`2-0` is not a result; use one of 1-0, 0-1, 1/2-1/2 (or draw), *");
        let why = refused(Filter {
            player: text(&"r ".repeat(20)),
            event: text(&"r ".repeat(13)),
            ..Filter::default()
        });
        assert!(why.starts_with("a search compares at most 32 words of names; "), "{why}");
        let why = refused(Filter { end: text("chekmate"), ..Filter::default() });
        assert!(why.starts_with("`chekmate` is not an ending; use one of checkmate, "), "{why}");
    }
}
