//! A record ready to be stored: judged, keyed and packed, on any thread.

use super::error::ArchiveError;
use super::identity::{EntryKey, GameId, Header, Play, text_key};
use super::pack::pack;
use super::tokens::TokenId;
use ferz_core::board::{Mask, by_width};
use ferz_core::notation::{Style, coord};
use ferz_core::rules::RulesId;
use ferz_core::text::{Budget, Exhausted};
use ferz_records::record::{GameResult, Record, read};
use ferz_records::replay::{
    AnyGame, AnyOnTwo, OfTwo, OnTwo, Played, Replayer, Report, Source, Trace, with_trace,
};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// The usual size of a report as JSON.
const REPORT_BYTES: usize = 1 << 10;

/// A record ready to be stored.
#[derive(Debug, Clone)]
pub struct Submission {
    /// By which its entry is known, if it has one.
    pub(super) key: EntryKey,
    /// The rules it was judged by; `None` if it could not be judged.
    pub(super) game: Option<AnyGame>,
    pub(super) play: Play,
    pub(super) play_key: [u8; 16],
    pub(super) header: Header,
    pub(super) text_key: [u8; 16],
    /// The SHA-256 of the text and of the report as JSON, to which the log commits.
    pub(super) digest: [u8; 32],
    pub(super) report_digest: [u8; 32],
    /// The submitted text, packed.
    pub(super) text: Vec<u8>,
    /// The report as JSON, packed.
    pub(super) packed_report: Vec<u8>,
    /// The report as JSON, for the answer to the client.
    report_json: Vec<u8>,
    pub(super) report: Report,
    /// The requested game, which overrides the tag `Variant`.
    pub(super) variant: Option<String>,
    /// The only accepted style.
    pub(super) style: Option<Style>,
    /// Whether illegal plies were let stand.
    pub(super) let_stand: bool,
    /// The token it was submitted with.
    pub(super) token: Option<TokenId>,
}

impl Submission {
    /// Judges a record and prepares it for storage.
    ///
    /// The report covers the record's own bytes: it is the report of `ferz validate` on a file with only this record,
    /// its offsets count from the record's first byte, and its game is number 0. Of `source`, the input that contains
    /// the record, only the record's bytes are stored; the bytes of all records of an input, concatenated, are the
    /// input.
    ///
    /// # Errors
    /// If memory for packing runs out.
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
    /// If the budget ends before the work.
    pub fn judge_within(
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        source: &Source<'_>,
        budget: &Budget,
    ) -> Result<Result<Submission, ArchiveError>, Exhausted> {
        let text = record.source();
        // A record that is the whole source has already been read alone.
        if source.is_all(text) {
            return Submission::of(replayer, record, source, budget);
        }
        // A record that would read differently alone, such as one cut in the middle of a line, is judged within its
        // source.
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
        let played = Played::within(replayer, record, source, 0, budget)?;
        Ok(Submission::of_played(replayer, record, played))
    }

    fn of_played(
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        game: Result<Played, Box<Report>>,
    ) -> Result<Submission, ArchiveError> {
        let text = record.source();
        let text_key = text_key(text);
        let (report, mut play) = match game {
            Ok(Played::OnOne(traced)) => with_trace!(traced, |trace| played(trace)),
            Ok(Played::OnTwo(game)) => by_width!(AnyOnTwo, game, |game| played_on_two(game)),
            Err(report) => (*report, Play { start: Arc::default(), moves: String::new(), text_key: None }),
        };
        // Without a start the plies are unknown, even if the report counts them.
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
            key: header.key(&play_key),
            game,
            play,
            play_key,
            header,
            text_key,
            digest: Sha256::digest(text).into(),
            report_digest: Sha256::digest(&json).into(),
            text: pack(text)?,
            packed_report: pack(&json)?,
            report_json: json,
            report,
            variant: options.variant.clone(),
            style: options.style,
            let_stand: options.let_stand,
            token: None,
        })
    }

    /// Adds the token it was submitted with. The archive stores it with the text, which it may withdraw.
    #[must_use]
    pub fn submitted_with(mut self, token: Option<TokenId>) -> Submission {
        self.token = token;
        self
    }

    /// True if both have the same play and tags, in whatever notation: an archive keeps one entry of them.
    pub fn is_same_game(&self, other: &Submission) -> bool {
        self.key == other.key
    }

    /// The key that the log states for its play in this entry.
    pub(super) fn logged_play(&self, entry: GameId) -> [u8; 16] {
        match self.play.text_key {
            Some(_) => self.play.logged_key(self.report.rules.as_deref(), entry),
            None => self.play_key,
        }
    }

    /// The report on the record.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The report as JSON, as the archive stores it. A second call returns nothing.
    pub fn take_report_json(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.report_json)
    }

    /// False if nothing in the text looks like a game record; import and the service refuse such texts.
    pub fn is_record(&self) -> bool {
        !self.report.is_no_record()
    }

    /// The rules that the record was judged by; `None` if it could not be judged.
    pub fn rules(&self) -> Option<&Arc<RulesId>> {
        self.report.rules.as_ref()
    }

    /// Approximate memory use in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.text.len()
            + self.packed_report.len()
            + self.report_json.len()
            + self.play.moves.len()
            + size_of::<Submission>()
    }
}

/// The report and the canonical form of a game on two boards: each ply after its board.
fn played_on_two<M: Mask>(game: OnTwo<M>) -> (Report, Play) {
    let mut moves = String::with_capacity(7 * game.plies.len());
    for OfTwo { board, traced } in &game.plies {
        if !moves.is_empty() {
            moves.push(' ');
        }
        moves.push_str(board.name());
        moves.push(':');
        coord::write(game.starts[0].rules(), &traced.ply, &mut moves);
    }
    let start = OnTwo::fens(&game.starts).into();
    (game.report, Play { start, moves, text_key: None })
}

/// The report and the canonical form of a traced game.
fn played<M: Mask>(trace: Trace<M>) -> (Report, Play) {
    let rules = trace.start.rules();
    // Most plies take four letters and a space.
    let mut moves = String::with_capacity(5 * trace.plies.len());
    for traced in &trace.plies {
        if !moves.is_empty() {
            moves.push(' ');
        }
        coord::write(rules, &traced.ply, &mut moves);
    }
    (trace.report, Play { start: trace.start_fen, moves, text_key: None })
}
