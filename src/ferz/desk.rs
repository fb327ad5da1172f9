//! The front door for programs in other languages: user-defined games, options, a text in, values out.

use crate::front::noted;
use crate::play::Rules;
#[cfg(feature = "archive")]
use ferz_archive::{ArchiveError, Submission};
use ferz_core::notation::Style;
use ferz_core::rules::{Registry, RegistryError, check::check};
use ferz_core::text::{Budget, Diagnostic};
use ferz_proof::adjudicate::{self, Claim, ClaimError, Terms, Verdict};
use ferz_proof::certificate::{self, Certificate, Effort, Refusal, Step};
#[cfg(feature = "archive")]
use ferz_records::json::each_record_alone;
use ferz_records::json::{NoGame, WholeText, each_record};
use ferz_records::record::Record;
use ferz_records::replay::{Batch, LanguageChoice, Located, Options, Replayer, Report, Source};
use ferz_records::rewrite::{self, ConvertOptions, Transcript};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};

/// A referee's desk: the games that it knows, and how it reads records. Records are PGN in the notation of any game,
/// files of other programs, mail, or JSON.
///
/// ```
/// use ferz::Desk;
/// use ferz::notation::Style;
///
/// let mut desk = Desk::default();
/// desk.add_game("name = \"two-steps\"\nextends = \"chess\"\n[pieces.N]\nbetza = \"ND\"\n")
///     .map_err(|faults| faults[0].message.to_string())?;
/// let text = b"[Variant \"two-steps\"]\n\n1. Nb1-b3 *\n\n1. e4 Ke6 *\n";
/// let reports = desk.validate(text);
/// assert_eq!([reports[0].legal, reports[1].legal], [true, false]);
/// assert!(desk.convert(text, &Style::Coord.into()).text.contains("1. b1b3 *"));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Desk {
    /// The games, unless they are those that are built in.
    games: Option<Arc<Registry>>,
    /// How records are read.
    pub options: Options,
}

/// Records that were written in another way.
#[derive(Debug, Clone, Default)]
pub struct Written {
    /// The records, one after another.
    pub text: String,
    /// What was lost, could not be expressed or could not be read, with its place in the input. A record that is in the
    /// text as it was read is named here, too.
    pub losses: Vec<Located>,
}

/// The form in which records are written.
#[derive(Debug, Clone)]
pub enum Form {
    /// PGN export format in a style of notation.
    Pgn(ConvertOptions),
    /// JSON, one object a line (`formats/JSON.md`).
    Json,
}

impl From<Style> for Form {
    fn from(style: Style) -> Form {
        Form::Pgn(ConvertOptions::new(style))
    }
}

/// Why there is no verdict.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoVerdict {
    /// The text has no such game.
    #[error(transparent)]
    NoGame(#[from] NoGame),
    /// The claim is incomplete or does not fit, or the game cannot be replayed.
    #[error(transparent)]
    Claim(#[from] ClaimError),
}

impl Desk {
    /// A desk with the built-in games that reads records in this way.
    pub fn new(options: Options) -> Desk {
        Desk { games: None, options }
    }

    /// A desk with these games.
    pub fn with_games(games: Arc<Registry>, options: Options) -> Desk {
        Desk { games: Some(games), options }
    }

    /// The games that it knows.
    pub fn registry(&self) -> &Registry {
        self.games.as_deref().unwrap_or_else(|| Registry::built_in())
    }

    /// Adds a game or mutator from a definition file (`formats/VARIANT.md`) and returns its name. Desks that were
    /// cloned before do not know it.
    ///
    /// # Errors
    /// All mistakes of the file, with their places in it.
    pub fn add_game(&mut self, definition: &str) -> Result<String, Vec<Diagnostic>> {
        let mut registry = self.registry().clone();
        let checked = check(&mut registry, definition)?;
        self.games = Some(Arc::new(registry));
        Ok(checked.name)
    }

    /// The rules of a game as a record with these tags chooses them.
    ///
    /// # Errors
    /// If no game has that name, or a tag is missing or makes no sense.
    pub fn rules(&self, name: &str, tags: &[(&str, &str)]) -> Result<Rules, RegistryError> {
        Rules::of(self.registry(), name, tags)
    }

    /// The language of a code or name, as [`Options::language`] takes it.
    ///
    /// # Errors
    /// If the language is unknown; the message lists the known ones.
    pub fn language(&self, name: &str) -> Result<LanguageChoice, String> {
        LanguageChoice::named(name, self.replayer().languages())
    }

    /// A replayer of its games that reads records as it does. Those of the built-in games share what they compile.
    pub fn replayer(&self) -> Replayer<'_> {
        static BUILT_IN: LazyLock<Replayer<'static>> =
            LazyLock::new(|| Replayer::new(Registry::built_in(), Options::default()));
        match &self.games {
            Some(games) => Replayer::new(games, self.options.clone()),
            // Compiling a game and its piece letters takes longer than judging a record.
            None => BUILT_IN.with_options(self.options.clone()),
        }
    }

    /// Judges every record of a stream on `jobs` threads (0 for all cores), in its order, until `found` breaks. An
    /// object in JSON that is not a record has a report, too, with the verdict `not_judged` and why.
    ///
    /// # Errors
    /// If the stream cannot be read.
    pub fn each_report<B>(
        &self,
        stream: impl Read + Send,
        jobs: usize,
        mut found: impl FnMut(Report) -> ControlFlow<B>,
    ) -> io::Result<ControlFlow<B>> {
        let mut game = 0;
        each_record(
            stream,
            jobs,
            || self.replayer(),
            |replayer, record, source| replayer.report(record, source, 0),
            |batch| {
                for mut report in
                    with_refused(batch, Report::refused, |report, cut| report.diagnostics.push(cut))
                {
                    report.set_game(game);
                    game += 1;
                    if let ControlFlow::Break(stop) = found(report) {
                        return ControlFlow::Break(stop);
                    }
                }
                ControlFlow::Continue(())
            },
        )
    }

    /// Judges the records of a text.
    pub fn validate(&self, text: &[u8]) -> Vec<Report> {
        let mut all = Vec::new();
        // A text in memory can always be read.
        let _ = self.each_report(text, 1, |report| {
            all.push(report);
            ControlFlow::<()>::Continue(())
        });
        all
    }

    /// Judges the records of a text for an archive, which keeps each as it is; and what is not a record.
    ///
    /// # Errors
    /// If a record exceeds a limit of archives.
    #[cfg(feature = "archive")]
    pub fn submissions(&self, text: &[u8]) -> Result<(Vec<Submission>, Vec<Located>), ArchiveError> {
        let (mut all, mut refused) = (Vec::new(), Vec::new());
        let emit = |batch: Batch<Result<Submission, ArchiveError>>| {
            refused.extend(batch.unread);
            for submission in batch.items {
                match submission {
                    Ok(submission) => all.push(submission),
                    Err(error) => return ControlFlow::Break(error),
                }
            }
            ControlFlow::Continue(())
        };
        let work = |replayer: &mut Replayer<'_>, record: &Record<'_>, source: &Source<'_>| {
            Submission::judge(replayer, record, source)
        };
        match each_record_alone(text, 1, || self.replayer(), work, emit) {
            Ok(ControlFlow::Break(error)) => Err(error),
            // A text in memory can always be read.
            _ => Ok((all, refused)),
        }
    }

    /// Writes the records of a text in another form.
    pub fn convert(&self, text: &[u8], form: &Form) -> Written {
        let mut written = Written::default();
        let work = |replayer: &mut Replayer<'_>, record: &Record<'_>, source: &Source<'_>| match form {
            Form::Pgn(options) => {
                let done = rewrite::convert(replayer, record, source, 0, options);
                let errors = done.errors().into_iter().cloned();
                Written { losses: done.losses.iter().cloned().chain(errors).collect(), text: done.text }
            }
            Form::Json => {
                let done = rewrite::transcribe(replayer, record, source, 0);
                Written { text: line(&done.transcript), losses: done.losses }
            }
        };
        let refused = |why: Located| Written { text: String::new(), losses: vec![why] };
        let emit = |batch: Batch<Written>| {
            for done in with_refused(batch, refused, |done, cut| done.losses.push(cut)) {
                written.text.push_str(&done.text);
                written.losses.extend(done.losses);
            }
            ControlFlow::<()>::Continue(())
        };
        let _ = each_record(text, 1, || self.replayer(), work, emit);
        written
    }

    /// Judges a claim about a game of a text, which counts its games from 1.
    ///
    /// # Errors
    /// If there is no such game, it cannot be replayed, or the claim is incomplete or does not fit it.
    pub fn adjudicate(
        &self,
        text: &[u8],
        game: usize,
        claim: &Claim,
        terms: &Terms,
    ) -> Result<Verdict, NoVerdict> {
        let text = WholeText::new(text);
        let (record, source) = text.record(game)?;
        Ok(adjudicate::adjudicate(&mut self.replayer(), (&record, &source), claim, terms)?)
    }

    /// Checks a certificate as JSON, and that its record is in a text, byte for byte, if one is given. Says what an
    /// accepted certificate shows and all that it rests on, a line each.
    ///
    /// # Errors
    /// With the first step that fails.
    pub fn check_certificate(
        &self,
        certificate: &[u8],
        record: Option<&[u8]>,
        full: bool,
    ) -> Result<Vec<String>, Refusal> {
        let refused = |step, message: String| Refusal { step, message };
        let certificate: Certificate = serde_json::from_slice(certificate)
            .map_err(|error| refused(Step::Form, format!("no certificate: {error}")))?;
        let budget = Budget::unlimited();
        let effort = if full { Effort::in_full(&budget) } else { Effort::of(&budget) };
        let replayer = self.replayer();
        certificate::check(self.registry(), replayer.languages(), &certificate, effort)?;
        if record.is_some_and(|text| !WholeText::new(text).has(certificate.record.trim().as_bytes())) {
            let message = "the text does not have the record of the certificate".to_owned();
            return Err(refused(Step::Record, message));
        }
        Ok(certificate::shown(&certificate))
    }
}

/// The results of a batch in order, with what [`noted`] adds; those for objects that are not records last.
fn with_refused<T>(
    mut batch: Batch<T>,
    refused: impl Fn(Located) -> T,
    note: impl Fn(&mut T, Located),
) -> Vec<T> {
    let unread = std::mem::take(&mut batch.unread);
    let mut items = noted(batch, note);
    items.extend(unread.into_iter().map(refused));
    items
}

fn line(transcript: &Transcript) -> String {
    // A transcript has string keys only and no value that JSON lacks.
    let mut line = serde_json::to_string(transcript).unwrap_or_default();
    line.push('\n');
    line
}
