//! A record that is ready to be kept: judged, keyed and packed, on any thread.

use super::error::ArchiveError;
use super::identity::{GameId, Header, Play, text_key};
use super::pack::pack;
use crate::board::Mask;
use crate::notation::{Style, coord};
use crate::record::{GameResult, Record, read};
use crate::replay::{AnyGame, AnyTrace, Replayer, Report, Source, Trace, trace_within, with_trace};
use crate::rules::RulesId;
use crate::text::{Budget, Exhausted};
use std::sync::Arc;

/// Bytes of most reports as JSON.
const REPORT_BYTES: usize = 1 << 10;

/// A record that is ready to be kept.
#[derive(Debug, Clone)]
pub struct Submission {
    pub(super) id: GameId,
    /// The rules it was judged by, if it could be.
    pub(super) game: Option<AnyGame>,
    pub(super) play: Play,
    pub(super) play_key: [u8; 16],
    pub(super) header: Header,
    pub(super) text_key: [u8; 16],
    pub(super) digest: [u8; 32],
    /// The text as it came, packed.
    pub(super) text: Vec<u8>,
    /// The report as JSON, packed.
    pub(super) packed_report: Vec<u8>,
    pub(super) report: Report,
    /// The game that was asked for, whatever the text says.
    pub(super) variant: Option<String>,
    /// The only style that was accepted.
    pub(super) style: Option<Style>,
    /// Illegal plies were to stand.
    pub(super) let_stand: bool,
    /// The name of the token that it was submitted with.
    pub(super) token: Option<Arc<str>>,
}

impl Submission {
    /// Judges a record and makes it ready to be kept.
    ///
    /// The report is on the record's own bytes: it is what `ferz validate` says of a file with this record alone,
    /// its places count from the record's first byte, and its game is number 0. Of `source`, the input that the
    /// record is part of, only the record's bytes are kept; those of all records of an input, one after the other,
    /// are the input.
    ///
    /// # Errors
    /// Where there is no memory for packing.
    pub fn judge(
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        source: &Source<'_>,
    ) -> Result<Submission, ArchiveError> {
        Budget::endless(|budget| Submission::judge_within(replayer, record, source, budget))
    }

    /// [`judge`](Self::judge) within a budget.
    ///
    /// # Errors
    /// Where the budget ends before the work.
    pub fn judge_within(
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        source: &Source<'_>,
        budget: &Budget,
    ) -> Result<Result<Submission, ArchiveError>, Exhausted> {
        let text = record.source();
        // What stands alone has been read alone.
        if source.is_all(text) {
            return Submission::of(replayer, record, source, budget);
        }
        // A record that reads alone as something else, such as one that was cut in the middle of a line, is judged
        // where it stands.
        match read(text, 0).next().filter(|own| own.source().len() == text.len()) {
            Some(own) => Submission::of(replayer, &own, &Source::new(text, 0, 0), budget),
            None => Submission::of(replayer, record, source, budget),
        }
    }

    fn of(
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        source: &Source<'_>,
        budget: &Budget,
    ) -> Result<Result<Submission, ArchiveError>, Exhausted> {
        let traced = trace_within(replayer, record, source, 0, budget)?;
        Ok(Submission::of_traced(replayer, record, traced))
    }

    fn of_traced(
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        traced: Result<AnyTrace, Box<Report>>,
    ) -> Result<Submission, ArchiveError> {
        let text = record.source();
        let text_key = text_key(text);
        let (report, mut play) = match traced {
            Ok(traced) => with_trace!(traced, |trace| played(trace)),
            Err(report) => (*report, Play { start: Arc::default(), moves: String::new(), text_key: None }),
        };
        // Without a start the plies are not known, whatever the report says of them.
        play.text_key = (!report.legal || play.start.is_empty()).then_some(text_key);
        let rules = report.rules.as_deref();
        let header = Header::of(record, report.result_tag.map(GameResult::as_str));
        let play_key = play.key(rules);
        let game = if rules.is_some() { replayer.game(record).ok() } else { None };
        let mut json = Vec::with_capacity(REPORT_BYTES);
        serde_json::to_writer(&mut json, &report)
            .map_err(|error| ArchiveError::Database(error.to_string()))?;
        let options = replayer.options();
        Ok(Submission {
            id: header.id(&play_key),
            game,
            play,
            play_key,
            header,
            text_key,
            digest: *blake3::hash(text).as_bytes(),
            text: pack(text)?,
            packed_report: pack(&json)?,
            report,
            variant: options.variant.clone(),
            style: options.style,
            let_stand: options.let_stand,
            token: None,
        })
    }

    /// The same, submitted with a token of this name. The archive keeps the name beside the text.
    #[must_use]
    pub fn submitted_with(mut self, token: Option<Arc<str>>) -> Submission {
        self.token = token;
        self
    }

    /// The identity of the entry that the record will be, or be added to.
    pub fn id(&self) -> GameId {
        self.id
    }

    /// The report on the record.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The rules that the record was judged by, if it could be.
    pub fn rules(&self) -> Option<&Arc<RulesId>> {
        self.report.rules.as_ref()
    }

    /// About how many bytes of memory it takes.
    pub(super) fn bytes(&self) -> usize {
        self.text.len() + self.packed_report.len() + self.play.moves.len() + size_of::<Submission>()
    }
}

/// The report and the canonical form of a traced game.
fn played<M: Mask>(trace: Trace<M>) -> (Report, Play) {
    let rules = trace.start.rules();
    // Most plies take four letters and a blank.
    let mut moves = String::with_capacity(5 * trace.plies.len());
    for traced in &trace.plies {
        if !moves.is_empty() {
            moves.push(' ');
        }
        coord::write(rules, &traced.ply, &mut moves);
    }
    (trace.report, Play { start: trace.start_fen, moves, text_key: None })
}
