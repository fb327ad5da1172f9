//! The positions of a record, one a line.

use ferz::board::Mask;
use ferz::notation::{Style, WriteChoices, write};
use ferz::position::Position;
use ferz::record::Record;
use ferz::replay::{Replayer, Report, Source, Trace, Traced, trace, with_trace};

/// How a position is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// All fields of a FEN.
    Fen,
    /// The four fields that EPD has, and operations: the counters, the players and the ply that follows. Of a game
    /// whose positions have more fields, the FEN.
    Epd,
}

/// The start and the position after each ply of the main line that was replayed, and the report on the record. Nothing
/// of a record that cannot be judged.
pub(super) fn positions_of(
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    form: Form,
) -> (String, Report) {
    match trace(replayer, record, source, 0) {
        Ok(traced) => with_trace!(traced, |trace| {
            let text = lines(&trace, &players(record), form);
            (text, trace.report)
        }),
        Err(report) => (String::new(), *report),
    }
}

/// The players as `White - Black`, or the event where they are not known.
fn players(record: &Record<'_>) -> String {
    let known = |name: &str| record.tag(name).filter(|value| !value.is_empty() && *value != "?");
    let name = match (known("White"), known("Black")) {
        (None, None) => known("Event").map(std::borrow::Cow::into_owned).unwrap_or_default(),
        (white, black) => format!("{} - {}", white.unwrap_or("?".into()), black.unwrap_or("?".into())),
    };
    // A value of EPD ends at the next quotation mark.
    name.replace(['"', '\n'], "'")
}

fn lines<M: Mask>(trace: &Trace<M>, players: &str, form: Form) -> String {
    let mut text = String::new();
    let mut line = |position: &Position<M>, next: Option<&Traced>| {
        let fen = position.fen();
        match fen.split(' ').collect::<Vec<_>>()[..] {
            [board, turn, castling, passed, halfmoves, number] if form == Form::Epd => {
                text.push_str(&format!(
                    "{board} {turn} {castling} {passed} hmvc {halfmoves}; fmvn {number};"
                ));
                if !players.is_empty() {
                    text.push_str(&format!(" id \"{players}\";"));
                }
                let san = next
                    .and_then(|next| write(position, &next.ply, Style::San, WriteChoices::default()).ok());
                if let Some(san) = san {
                    text.push_str(&format!(" sm {san};"));
                }
            }
            _ => text.push_str(&fen),
        }
        text.push('\n');
    };
    trace.each(|position, next| line(position, Some(next)));
    line(&trace.position(trace.plies.len()), None);
    text
}
