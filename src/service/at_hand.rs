//! The games that a request may name besides those of the service: of its own definitions, and of the archive, which
//! has the rules that games were judged by under their digests.

use super::body::defined;
use super::problem::Problem;
use super::state::AppState;
use super::work::Unfinished;
use ferz::archive::Rulebooks;
use ferz::record::Record;
use ferz::replay::Replayer;
use ferz::rules::Registry;

/// The games at hand for one request.
#[derive(Debug)]
pub struct AtHand {
    registry: &'static Registry,
    /// The rules that the archive holds, loaded once for all records of the request.
    books: Rulebooks<'static>,
    /// The games of the request's own, and all others of the service.
    own: Option<Registry>,
}

impl AtHand {
    /// The games of the service and, under their digests, of the archive.
    pub fn new(state: &AppState) -> AtHand {
        AtHand { registry: state.registry, books: Rulebooks::new(&state.archive, state.registry), own: None }
    }

    /// The same with the games of definitions, parents first. Costs time: not for threads that serve connections.
    ///
    /// # Errors
    /// If a definition is wrong, or changes a game of the service.
    pub fn with(self, definitions: &[String]) -> Result<AtHand, Problem> {
        let own = (!definitions.is_empty()).then(|| defined(self.registry, definitions)).transpose()?;
        Ok(AtHand { own, ..self })
    }

    /// The same with a registry that has the games of the service and others.
    pub fn with_own(self, own: Option<Registry>) -> AtHand {
        AtHand { own, ..self }
    }

    /// The games of the request's own, and all others of the service.
    pub fn own(&self) -> Option<&Registry> {
        self.own.as_ref()
    }

    /// Works on a record by the games that it may name. `shared` has those of the service, and the options.
    ///
    /// # Errors
    /// If the work fails, or the archive cannot be read.
    pub fn work<T>(
        &self,
        shared: &mut Replayer<'static>,
        record: &Record<'_>,
        work: impl FnOnce(&mut Replayer<'_>) -> Result<T, Unfinished>,
    ) -> Result<T, Unfinished> {
        match &self.own {
            Some(own) => self.by(&mut Replayer::new(own, shared.options().clone()), record, work),
            None => self.by(shared, record, work),
        }
    }

    /// Works by a replayer, or by the rules of the archive that the record names.
    ///
    /// # Errors
    /// As for [`AtHand::work`].
    pub fn by<T>(
        &self,
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        work: impl FnOnce(&mut Replayer<'_>) -> Result<T, Unfinished>,
    ) -> Result<T, Unfinished> {
        if record.find_tag(RULES_DIGEST).is_none() {
            return work(replayer);
        }
        match self.books.stated(replayer, record)? {
            Some(stored) => work(&mut Replayer::new(&stored, replayer.options().clone())),
            None => work(replayer),
        }
    }
}

/// The tag that names rules by their digest.
pub const RULES_DIGEST: &str = "RulesDigest";
