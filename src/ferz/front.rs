//! One call a job: a text in, reports, records or a verdict out.

use ferz_core::notation::Style;
use ferz_core::rules::Registry;
use ferz_proof::adjudicate::{self, Claim, ClaimError, Terms, Verdict};
use ferz_records::interchange::Wrapped;
use ferz_records::record::{self, Record};
use ferz_records::replay::{Batch, Located, Options, Replayer, Report, Source, batches};
use ferz_records::rewrite::{self, ConvertOptions, Converted};

/// Positions that a search for a verdict visits at most: a second or two.
const NODES: u64 = 100_000;

/// Judges the games of a text, one after another, when they are asked for: PGN in the notation of any game, files of
/// other programs, mail. Each game's tags choose its rules among the games that are built in. One game that is wrong,
/// or unknown, harms no other.
///
/// ```
/// let text = b"1. e4 e5 2. Ke3 *\n\n[Variant \"ingols\"]\n\n1. d5 e4 *\n";
/// for report in ferz::validate(text) {
///     if let Some(illegal) = report.illegal {
///         assert_eq!((report.game, illegal.ply, &*illegal.text), (0, 3, "Ke3"));
///     }
/// }
/// assert_eq!(ferz::validate(text).map(|report| report.legal).collect::<Vec<_>>(), [false, true]);
/// ```
///
/// A [`Replayer`] has options, takes games of your own, and works within a budget;
/// [`each_record`](crate::replay::each_record) reads a stream, on several threads.
pub fn validate(text: &[u8]) -> impl Iterator<Item = Report> {
    games(text, Replayer::report, |report, cut| report.diagnostics.push(cut))
}

/// Writes the games of a text in another style of notation, one after another, when they are asked for. What that
/// loses, or cannot say, is in [`Converted::losses`].
///
/// ```
/// use ferz::notation::Style;
///
/// let text = b"[Variant \"iago-b\"]\n\n1. Ng1-f3&M Ng8-f6 *\n";
/// let converted = ferz::convert(text, Style::Coord).next().ok_or("no game")?;
/// assert!(converted.text.ends_with("\n1. g1f3m g8f6 *\n\n"), "{}", converted.text);
/// assert!(converted.losses.is_empty());
/// # Ok::<(), &str>(())
/// ```
pub fn convert(text: &[u8], to: Style) -> impl Iterator<Item = Converted> {
    let options = ConvertOptions::new(to);
    games(
        text,
        move |replayer, record, source, game| rewrite::convert(replayer, record, source, game, &options),
        |converted, cut| converted.losses.push(cut),
    )
}

/// Judges a claim about the first game of a text, with the policy `plain` and a search of 100,000 positions.
///
/// ```
/// use ferz::adjudicate::{Claim, ClaimKind, Decision};
///
/// let text = b"1. f3 e5 2. g4 Qh4# 0-1\n";
/// let verdict = ferz::adjudicate(text, &Claim::new(ClaimKind::Checkmate))?;
/// assert_eq!(verdict.verdict, Decision::Upheld);
/// # Ok::<(), ferz::adjudicate::ClaimError>(())
/// ```
///
/// # Errors
/// If the claim is incomplete or does not fit the game, if there is no game, or one that cannot be replayed.
pub fn adjudicate(text: &[u8], claim: &Claim) -> Result<Verdict, ClaimError> {
    let wrapped = Wrapped::new(text, 0);
    let mut records = record::read(wrapped.text(), 0);
    let Some(record) = wrapped.next(&mut records, 0) else {
        return Err(ClaimError::Claim("the text has no game".to_owned()));
    };
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let source = Source::of_wrapped(&wrapped, 0);
    adjudicate::adjudicate(&mut replayer, (&record, &source), claim, &Terms::of(NODES))
}

/// The results of `work` for the games of a text, by their numbers. Where a record was cut because it is too long,
/// `note` adds that to its result.
fn games<T>(
    text: &[u8],
    mut work: impl FnMut(&mut Replayer<'static>, &Record<'_>, &Source<'_>, usize) -> T,
    note: impl Fn(&mut T, Located),
) -> impl Iterator<Item = T> {
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let mut game = 0;
    let done = batches(text, move |record, source| {
        game += 1;
        work(&mut replayer, record, source, game - 1)
    });
    // A text in memory can always be read.
    done.flatten().flat_map(move |batch| noted(batch, &note))
}

/// The results of a batch. Where a record was cut because it is too long, `note` adds that to its result.
pub(crate) fn noted<T>(batch: Batch<T>, note: impl Fn(&mut T, Located)) -> Vec<T> {
    let Batch { mut items, text, offset, lines, cut, .. } = batch;
    if let (Some(last), Some(cut)) = (items.last_mut(), cut) {
        note(last, Source::new(&text, offset, lines).place(cut, None));
    }
    items
}
