//! Games in progress as records: what replays them, and the entry that one becomes.

use super::ActError;
use crate::error::ArchiveError;
use crate::submission::Submission;
use ferz_core::notation::Style;
use ferz_core::rules::Registry;
use ferz_correspondence::{ProposalError, State};
use ferz_records::record::read;
use ferz_records::replay::{AnyGame, Options, Replayer, Source};
use ferz_records::rewrite::{ConvertOptions, convert};

/// The rules of a game as records name them.
pub(super) fn game_of(state: &State, registry: &Registry) -> Result<AnyGame, ActError> {
    let text = state.record();
    let record = read(text.as_bytes(), 0).next().ok_or_else(no_record)?;
    let game = Replayer::new(registry, Options::default()).game(&record);
    Ok(game.map_err(ProposalError::from)?)
}

/// A game as PGN in standard notation, bound to its rules, with the replayer that knows them.
pub(super) fn pgn_of<'r>(state: &State, registry: &'r Registry) -> Result<(String, Replayer<'r>), ActError> {
    let text = state.record();
    let mut replayer = Replayer::new(registry, Options::default());
    let record = read(text.as_bytes(), 0).next().ok_or_else(no_record)?;
    let source = Source::new(text.as_bytes(), 0, 0);
    let options = ConvertOptions { digest: true, ..ConvertOptions::new(Style::San) };
    Ok((convert(&mut replayer, &record, &source, 0, &options).text, replayer))
}

/// The entry that a game becomes.
pub(super) fn entry_of(state: &State, registry: &Registry) -> Result<Submission, ActError> {
    let (text, mut replayer) = pgn_of(state, registry)?;
    let record = read(text.as_bytes(), 0).next().ok_or_else(no_record)?;
    Ok(Submission::judge(&mut replayer, &record, &Source::new(text.as_bytes(), 0, 0))?)
}

fn no_record() -> ArchiveError {
    ArchiveError::Corrupt("a game in progress has no record".to_owned())
}
