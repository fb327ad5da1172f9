//! The state that all handlers share.

use super::auth;
use super::config::Config;
use super::connections::{Caps, Connections};
use super::in_flight::InFlight;
use super::jobs::Jobs;
use super::limits::{
    NO_TOKEN_FOR, READERS, READING_MAX, READY_FOR, STOP_WORK, TABLE_POSITIONS_KEPT, WRITERS,
};
use super::listeners::Listeners;
use super::memory::MemoryBudget;
use super::pool::{CancelOnDrop, Pool, Rank};
use super::problem::{self, Problem};
use super::rate::Rate;
use actix_web::{HttpMessage, HttpRequest};
use ferz::archive::{
    Access, Archive, ArchiveError, Cosigner, Filter, FoundGames, GameId, Listing, Logged, Refusal,
    Reinstatement, Scope, Stored, Submission, Withdrawal,
};
use ferz::clock::Policies;
use ferz::notation::Languages;
use ferz::replay::{Options, Replayer};
use ferz::rules::Registry;
use ferz::search::{Query, QueryError, Search};
use ferz::syzygy::Syzygy;
use ferz::text::Budget;
use ferz::text::limits::SEARCH_UNITS;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::oneshot;
use tokio::time::timeout;

/// The state that all handlers share.
#[derive(Debug)]
pub struct AppState {
    /// The known games.
    pub registry: &'static Registry,
    /// The languages with known piece letters.
    pub languages: Arc<Languages>,
    /// The policies of events.
    pub policies: Arc<Policies>,
    /// Files of endgame tables, which verdicts may rest on.
    pub files: Option<Arc<Syzygy>>,
    /// Shared by the judging threads, with its cache of games.
    pub replayer: Replayer<'static>,
    /// The archive.
    pub archive: Archive,
    /// The judging threads.
    pub judges: Pool,
    /// Time for judging one request, without waiting.
    pub judging: Duration,
    /// The threads that prove what is claimed.
    pub provers: Pool,
    /// The budget of all requests; cancelled soon after the signal to stop.
    pub work: Budget,
    /// Memory for bodies and answers.
    pub memory: MemoryBudget,
    /// The proofs that take longer than a request.
    pub jobs: Arc<Jobs>,
    /// The requests with keys that are being answered.
    pub in_flight: InFlight,
    /// Those who listen to what happens in games.
    pub listeners: Listeners,
    /// The connections.
    pub connections: Arc<Connections>,
    /// The rate limit.
    pub rate: Option<Rate>,
    /// Origins of pages of other sites that may use the API.
    pub origins: Vec<String>,
    /// The witness that cosigns heads of other logs, if the service is one.
    witness: Option<Arc<Cosigner>>,
    /// True if only programs on this machine reach the service.
    pub only_local: bool,
    readers: Pool,
    writers: Pool,
    /// When the archive was last found writable.
    writable: Mutex<Option<Instant>>,
    /// When the archive was last found without a token.
    no_token: Mutex<Option<Instant>>,
    /// The sender of the last submission.
    last_from: Mutex<Option<SocketAddr>>,
    stopping: AtomicBool,
}

impl AppState {
    /// The initial state of the service.
    pub fn new(config: &Config, archive: Archive) -> AppState {
        ferz::certificate::keep_tables(TABLE_POSITIONS_KEPT);
        let languages = Arc::clone(&config.languages);
        let options = Options { languages: Some(Arc::clone(&languages)), ..Options::default() };
        AppState {
            registry: config.registry,
            languages,
            policies: Arc::clone(&config.policies),
            files: config.files.clone(),
            replayer: Replayer::new(config.registry, options),
            archive,
            judges: Pool::new(config.judges, Rank::Judge),
            judging: config.judging,
            provers: Pool::new(config.judges, Rank::Prover),
            work: Budget::unlimited(),
            memory: MemoryBudget::default(),
            jobs: Arc::default(),
            in_flight: InFlight::default(),
            listeners: Listeners::default(),
            connections: Arc::new(Connections::new(Caps {
                all: config.connections.max(1),
                per_address: config.connections_per_address,
                counts_local: config.connections_count_local,
            })),
            rate: config.rate.map(|per_second| Rate::new(per_second, config.rate_counts_local)),
            origins: config.origins.clone(),
            witness: config.witness.clone(),
            only_local: config.outside().is_none(),
            readers: Pool::new(READERS, Rank::Judge),
            writers: Pool::new(WRITERS, Rank::Judge),
            writable: Mutex::new(None),
            no_token: Mutex::new(None),
            last_from: Mutex::new(None),
            stopping: AtomicBool::new(false),
        }
    }

    /// True once the service is stopping.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Starts to stop the service. Work that is not done soon is cancelled.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
        self.connections.stop();
        self.jobs.stop();
        let work = self.work.clone();
        actix_web::rt::spawn(async move {
            tokio::time::sleep(STOP_WORK).await;
            work.cancel();
        });
    }

    /// A budget for the work on one request.
    pub fn budget(&self) -> Budget {
        Budget::unlimited().within(&self.work)
    }

    /// The problem for a request whose budget ended before its work.
    pub fn exhausted(&self) -> Problem {
        if self.is_stopping() {
            return Problem::new(&problem::STOPPING, "the service is stopping before the work is done")
                .retry_after(10);
        }
        let seconds = self.judging.as_secs_f64();
        Problem::new(&problem::TOO_MUCH_WORK, format!("the work was not done within {seconds} seconds"))
    }

    /// True if any token was ever created. Another program may create the first one at any moment.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn has_tokens(&self) -> Result<bool, Problem> {
        let now = Instant::now();
        let no_token = || self.no_token.lock().unwrap_or_else(PoisonError::into_inner);
        if no_token().is_some_and(|then| now.saturating_duration_since(then) < NO_TOKEN_FOR) {
            return Ok(false);
        }
        // Unlocked, so that other connections do not wait for this query.
        let has_tokens = self.archive.has_tokens()?;
        *no_token() = (!has_tokens).then_some(now);
        Ok(has_tokens)
    }

    /// Reads from the archive with a time limit. Dropping the future stops the query, so a client that disconnects
    /// stops its own query.
    ///
    /// # Errors
    /// If the archive cannot be read, the query takes too long, or too many requests are waiting.
    pub async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Archive) -> Result<T, ArchiveError> + Send + 'static,
    ) -> Result<T, Problem> {
        let budget = self.budget();
        let _stop = CancelOnDrop(&budget);
        let archive = self.archive.within(budget.clone());
        let place = self.readers.place().await?;
        match timeout(READING_MAX, place.run(move || read(&archive))).await {
            Ok(found) => Ok(found??),
            Err(_) => Err(ArchiveError::TooMuchWork.into()),
        }
    }

    /// Stores the records of a request with the name of its token. They are on disk when this returns.
    ///
    /// # Errors
    /// If nothing was stored.
    pub async fn submit(
        &self,
        submissions: Vec<Submission>,
        request: &HttpRequest,
    ) -> Result<Vec<Stored>, Problem> {
        require(request, Scope::Submit)?;
        let from = request.peer_addr();
        let token = request.extensions().get::<Access>().map(Access::id);
        let named = submissions.into_iter().map(|submission| submission.submitted_with(token.clone()));
        let mut submissions: Vec<Submission> = named.collect();
        if self.is_same_peer(from) {
            match self.archive.try_submit_inline(submissions) {
                Ok(stored) => return self.written(stored),
                Err(given_back) => submissions = given_back,
            }
        }
        let place = self.writers.place().await?;
        let (sender, answer) = oneshot::channel();
        self.archive.submit_then(submissions, move |stored| {
            // Free the place after the write, even if the request is gone.
            drop(place);
            let _ = sender.send(stored);
        })?;
        let died = |_| Problem::new(&problem::INTERNAL, "the writer thread has died");
        self.written(answer.await.map_err(died)?)
    }

    /// A page of the archive's games. A game that is neither known nor in the archive is probably misspelt.
    ///
    /// # Errors
    /// If the filter or the cursor is wrong, or the archive cannot be read.
    pub async fn list(
        &self,
        filter: Filter,
        limit: usize,
        cursor: Option<String>,
    ) -> Result<Listing, Problem> {
        let unknown = filter.variant.clone().and_then(|name| {
            let error = self.registry.canonical_name(&name).err()?;
            Some((error, Filter { variant: Some(name), ..Filter::default() }))
        });
        let found = self.read(move |archive| {
            let listing = archive.list(&filter, limit, cursor.as_deref())?;
            let misspelt = match unknown {
                Some((error, of_name)) if listing.items.is_empty() => {
                    archive.list(&of_name, 1, None)?.items.is_empty().then_some(error)
                }
                _ => None,
            };
            Ok((listing, misspelt))
        });
        match found.await? {
            (_, Some(error)) => Err(Problem::new(&problem::BAD_OPTION, error.to_string())),
            (listing, None) => Ok(listing),
        }
    }

    /// The games of a list in which a query holds. A thread that judges looks at them, so that lists and single games
    /// need not wait for it.
    ///
    /// # Errors
    /// As [`list`](Self::list), and if not one game could be looked at in time.
    pub async fn search(
        &self,
        filter: Filter,
        query: &str,
        limit: usize,
        cursor: Option<String>,
    ) -> Result<FoundGames, Problem> {
        let query = query_of(query)?;
        let budget = self.budget();
        let archive = self.archive.within(budget.clone());
        let registry = self.registry;
        let found = self.judges.run_within(&budget, self.judging, move || {
            let search = Search::new(query);
            archive.search(&filter, &search, registry, limit, cursor.as_deref(), SEARCH_UNITS)
        });
        Ok(found.await??)
    }

    /// How many games of a list a query finds, and whether that is all: a request does not look at any number of them.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub async fn count(&self, filter: Filter, query: &str) -> Result<(u64, bool), Problem> {
        let query = query_of(query)?;
        let budget = self.budget();
        let archive = self.archive.within(budget.clone());
        let registry = self.registry;
        let counted = self.judges.run_within(&budget, self.judging, move || {
            archive.count(&filter, &Search::new(query), registry, SEARCH_UNITS)
        });
        Ok(counted.await??)
    }

    /// The game of this id, which may be shortened.
    ///
    /// # Errors
    /// Where there is none or several.
    pub async fn game(&self, digits: &str) -> Result<GameId, Problem> {
        match digits.parse() {
            Ok(id) => Ok(id),
            Err(_) => {
                let digits = digits.to_owned();
                self.read(move |archive| archive.resolve(&digits)).await
            }
        }
    }

    /// Fails if a game was forgotten, which ends all jobs about it.
    ///
    /// # Errors
    /// If it was, or the archive cannot be asked.
    pub async fn check_remembered(&self, game: GameId) -> Result<(), Problem> {
        let found = self.read(move |archive| archive.get(game)).await;
        if let Err(problem) = &found
            && problem.kind() == &problem::FORGOTTEN
        {
            self.jobs.forget_game(game);
        }
        found.map(drop)
    }

    /// Works on the archive on a thread that may wait for its disk.
    ///
    /// # Errors
    /// If too many requests are waiting.
    pub async fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Archive) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let archive = self.archive.clone();
        self.writers.run(move || write(&archive)).await
    }

    /// Withdraws a game. It is on the disk when this returns.
    ///
    /// # Errors
    /// Where the game cannot be withdrawn.
    pub async fn withdraw(&self, withdrawal: Withdrawal) -> Result<Option<Logged>, Problem> {
        let archive = self.archive.clone();
        Ok(self.writers.run(move || archive.withdraw(withdrawal)).await??)
    }

    /// Takes withdrawals of a game back.
    ///
    /// # Errors
    /// If it is not withdrawn, or the archive cannot be written.
    pub async fn reinstate(&self, reinstatement: Reinstatement) -> Result<Option<Logged>, Problem> {
        let archive = self.archive.clone();
        Ok(self.writers.run(move || archive.reinstate(reinstatement)).await??)
    }

    /// Cosigns the head of another log. The witness has it on disk when this returns.
    ///
    /// # Errors
    /// If the service is no witness, or the witness refuses.
    pub async fn cosign(&self, request: String) -> Result<Result<String, Refusal>, Problem> {
        let none = || {
            Problem::new(&problem::NOT_FOUND, "this service is no witness; `ferz serve --witness` makes one")
        };
        let witness = self.witness.clone().ok_or_else(none)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        self.writers.run(move || witness.add_checkpoint(&request, now)).await
    }

    /// The result of a submission. After a failure `/readyz` tests the archive again.
    fn written(&self, stored: Result<Vec<Stored>, ArchiveError>) -> Result<Vec<Stored>, Problem> {
        if stored.is_err() {
            *self.writable.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
        Ok(stored?)
    }

    /// True if the previous submission came over the same connection. Its sender waits for each answer, so there is no
    /// other submission to share a transaction with. If several clients submit, one transaction for each would delay
    /// all.
    fn is_same_peer(&self, from: Option<SocketAddr>) -> bool {
        let mut last = self.last_from.lock().unwrap_or_else(PoisonError::into_inner);
        from.is_some() && std::mem::replace(&mut *last, from) == from
    }

    /// Checks that the archive can be written to.
    ///
    /// # Errors
    /// If it cannot.
    pub async fn check_archive(&self) -> Result<(), Problem> {
        let known = || *self.writable.lock().unwrap_or_else(PoisonError::into_inner);
        if known().is_some_and(|since| since.elapsed() < READY_FOR) {
            return Ok(());
        }
        let archive = self.archive.clone();
        self.writers.run(move || archive.check_writable()).await??;
        *self.writable.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        Ok(())
    }
}

/// Checks that the token of a request, if it needs one, has a scope.
fn require(request: &HttpRequest, scope: Scope) -> Result<(), Problem> {
    match request.extensions().get::<Access>() {
        Some(access) => auth::check_scope(access, scope),
        None => Ok(()),
    }
}

impl From<ArchiveError> for Problem {
    fn from(error: ArchiveError) -> Problem {
        let detail = error.to_string();
        match error {
            ArchiveError::Full => Problem::new(&problem::INSUFFICIENT_STORAGE, detail).retry_after(60),
            ArchiveError::Busy => Problem::new(&problem::BUSY, detail).retry_after(2),
            ArchiveError::TooMuchWork => Problem::new(&problem::TOO_MUCH_WORK, detail),
            ArchiveError::Filter(_) => Problem::new(&problem::BAD_OPTION, detail),
            ArchiveError::Cursor(_) => Problem::new(&problem::BAD_QUERY, detail),
            ArchiveError::Id(_) | ArchiveError::NoGame(_) | ArchiveError::NoGameBegins(_) => {
                Problem::new(&problem::GAME_NOT_FOUND, detail)
            }
            ArchiveError::Forgotten(_) => Problem::new(&problem::FORGOTTEN, detail),
            ArchiveError::Ambiguous { .. } => Problem::new(&problem::AMBIGUOUS_ID, detail),
            ArchiveError::NotTheSubmitter(_) => Problem::new(&problem::NOT_THE_SUBMITTER, detail),
            ArchiveError::Withdrawal(_) => Problem::new(&problem::NOT_WITHDRAWN, detail),
            ArchiveError::Corrupt(_) => Problem::new(&problem::ARCHIVE_DAMAGED, detail),
            _ => Problem::new(&problem::ARCHIVE_UNAVAILABLE, detail).retry_after(10),
        }
    }
}

/// Reads a query; a wrong one is named with its place and a remedy.
fn query_of(text: &str) -> Result<Query, Problem> {
    text.parse().map_err(|error| {
        let QueryError { span, message, remedy } = error;
        let place = format!("at its bytes {} to {}", span.start, span.end);
        Problem::new(&problem::BAD_QUERY, format!("q, {place}: {message}; {remedy}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Reads until stopped, then signals.
    fn read_on(archive: &Archive, stopped: &AtomicBool) -> Result<(), ArchiveError> {
        loop {
            if let Err(error) = archive.list(&Filter::default(), 1, None) {
                stopped.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
    }

    #[test]
    fn a_client_that_goes_away_stops_its_query() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ferz");
        let state = AppState::new(&Config::for_tests(&path), Archive::open(&path).unwrap());
        let stopped = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&stopped);
        actix_web::rt::System::new().block_on(async {
            let read = state.read(move |archive| read_on(archive, &stopped));
            assert!(timeout(Duration::from_millis(50), read).await.is_err());
            for _ in 0..1_000 {
                if seen.load(Ordering::Relaxed) {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            panic!("the query goes on");
        });
    }

    #[test]
    fn a_reading_that_takes_too_long_is_a_problem() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ferz");
        let state = AppState::new(&Config::for_tests(&path), Archive::open(&path).unwrap());
        let stopped = AtomicBool::new(false);
        let problem = actix_web::rt::System::new()
            .block_on(state.read(move |archive| read_on(archive, &stopped)))
            .unwrap_err();
        assert_eq!(problem.kind().name, "too-much-work");
    }
}
