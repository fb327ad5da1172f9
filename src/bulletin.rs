//! Bulletins: many games with their verdicts and diagrams as one page for paper, for the command and for the service.

use crate::tournament::{Played, Score, Table, of_page};
use ferz::board::{Board, Mask, Owner};
use ferz::diagram::text::by_history;
use ferz::diagram::{Drawings, Options as Drawing, PieceSet, escaped, svg};
use ferz::notation::Style;
use ferz::record::comment::{CommandKind, Square, commands};
use ferz::record::heading::{occasion, players};
use ferz::record::{ASKS_FOR_BLACKS_DIAGRAM, ASKS_FOR_DIAGRAM, Comments, ItemKind, Record};
use ferz::replay::{Replayer, Source, Trace, summary, trace_within, with_trace};
use ferz::rewrite::{ConvertOptions, convert_within};
use ferz::text::{Budget, Exhausted};
use std::collections::{BTreeMap, BTreeSet};

/// For paper: two columns, nothing torn apart.
const STYLE: &str = "@page{margin:15mm}body{font:10.5pt/1.4 Georgia,serif;max-width:60em;margin:1em auto;padding:0 1em}\
    h1{font-size:1.5em}h2{font-size:1.1em;margin:0}main{columns:2 20em;column-gap:2em}article{margin-bottom:2em}\
    header,figure{break-inside:avoid;break-after:avoid}figure{margin:.7em 0;text-align:center}\
    figure svg{width:70%;max-width:16em;height:auto}figcaption{font-size:.85em}.occasion,.verdict{margin:0;color:#444}\
    .moves{overflow-wrap:anywhere}section{break-inside:avoid}\
    table{border-collapse:collapse;font-size:.9em;font-variant-numeric:tabular-nums}\
    th,td{padding:.15em .4em;text-align:center;border-bottom:1px solid #999}\
    th:nth-child(2),td:nth-child(2){text-align:left}.fault{font-weight:bold;color:#000}";

/// The heading of a page without one of its own.
pub(crate) const TITLE: &str = "Bulletin";

/// The end of a page, after the crosstables of the events whose games it has. A very large event has none: no page is
/// so wide.
pub(crate) fn foot(results: &[GameResult]) -> String {
    let mut events: BTreeMap<&str, Vec<Played>> = BTreeMap::new();
    for GameResult { event, played } in results {
        events.entry(event).or_default().push(played.clone());
    }
    let mut tables = String::new();
    for (event, games) in events.iter().filter(|(_, games)| (2..=TABLE_GAMES_MAX).contains(&games.len())) {
        let players: BTreeSet<&str> = games.iter().flat_map(|game| [&*game.white, &*game.black]).collect();
        let rounds: BTreeSet<&str> = games.iter().map(|game| &*game.round).collect();
        if players.len() > TABLE_PLAYERS_MAX || rounds.len() > TABLE_PLAYERS_MAX {
            continue;
        }
        let heading = if event.is_empty() { "Table".to_owned() } else { format!("{event}: table") };
        let table = of_page(&Table::of(event, games, &[]));
        tables.push_str(&format!("<section>\n<h2>{}</h2>\n{table}</section>\n", escaped(&heading)));
        if tables.len() > TABLES_BYTES_MAX {
            break;
        }
    }
    format!("</main>\n{tables}</body>\n</html>\n")
}

/// The most games and players of an event that has a table, and the size of all tables of a page after which there are
/// no more.
const TABLE_GAMES_MAX: usize = 2000;
const TABLE_PLAYERS_MAX: usize = 128;
const TABLES_BYTES_MAX: usize = 1 << 20;

/// The result of a game of an event.
#[derive(Debug, Clone)]
pub(crate) struct GameResult {
    /// The tag `Event`; empty without one.
    event: String,
    played: Played,
}

impl GameResult {
    /// That of a game whose players are known.
    fn of(record: &Record<'_>, result: &str) -> Option<GameResult> {
        let tag = |name: &str| record.tag(name).map(|value| value.trim().to_owned());
        let known = |name: &str| tag(name).filter(|value| !matches!(value.as_str(), "" | "?" | "-"));
        let played = Played {
            round: known("Round").unwrap_or_else(|| "?".to_owned()),
            white: known("White")?,
            black: known("Black")?,
            score: Score::of_result(result),
        };
        Some(GameResult { event: known("Event").unwrap_or_default(), played })
    }
}

/// What the games of a page look like.
#[derive(Debug, Clone)]
pub(crate) struct Look {
    /// The style of the moves.
    pub(crate) to: Style,
    /// Draw a diagram after every so many plies too.
    pub(crate) every: Option<u16>,
    /// The piece set.
    pub(crate) pieces: PieceSet,
}

/// The begin of a page.
pub(crate) fn head(title: &str) -> String {
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
         </head>\n<body>\n<h1>{title}</h1>\n<main>\n"
    )
}

/// The words of one game.
#[derive(Debug)]
pub(crate) struct Article {
    /// Who played; `None` if the record does not say.
    players: Option<String>,
    occasion: String,
    verdict: String,
    /// Every ply is legal.
    pub(crate) is_legal: bool,
    /// The result, for the table; `None` if the record does not say who played.
    pub(crate) result: Option<GameResult>,
    moves: String,
}

impl Article {
    /// The words of a game.
    ///
    /// # Errors
    /// If the budget ends before the work.
    pub(crate) fn new(
        look: &Look,
        replayer: &mut Replayer<'_>,
        record: &Record<'_>,
        source: &Source<'_>,
        budget: &Budget,
    ) -> Result<Article, Exhausted> {
        let options = ConvertOptions { comments: Comments::Prose, ..ConvertOptions::new(look.to) };
        let converted = convert_within(replayer, record, source, 0, &options, budget)?;
        let text = converted.text.split_once("\n\n").map_or(&*converted.text, |(_, moves)| moves);
        let report = &converted.report;
        let line = summary::line(report);
        let named = record.tag("White").or(record.tag("Black")).or(record.tag("Event"));
        Ok(Article {
            players: named.map(|_| players(record, 0)),
            occasion: occasion(record),
            verdict: line.split_once(": ").map_or(line.clone(), |(_, rest)| rest.to_owned()),
            is_legal: report.legal,
            result: GameResult::of(record, report.result_tag.map_or("*", |result| result.as_str())),
            moves: text.trim().to_owned(),
        })
    }

    /// The begin of the game on the page; its [`diagrams`] and [`Article::END`] follow.
    pub(crate) fn head(&self, number: usize) -> String {
        let players = self.players.clone().unwrap_or_else(|| format!("Game {number}"));
        let fault = if self.is_legal { "" } else { " fault" };
        format!(
            "<article>\n<header>\n<h2>{}</h2>\n<p class=\"occasion\">{}</p>\n<p class=\"verdict{fault}\">{}</p>\n\
             </header>\n<p class=\"moves\">{}</p>\n",
            escaped(&players),
            escaped(&self.occasion),
            escaped(&self.verdict),
            escaped(&self.moves)
        )
    }

    /// The end of the game on the page.
    pub(crate) const END: &str = "</article>\n";
}

/// Writes the diagrams of a game, each as soon as it is drawn: those that the record asks for, and the last position.
///
/// # Errors
/// If the budget ends before the work, or a diagram cannot be written.
pub(crate) fn diagrams<E: From<Exhausted>>(
    look: &Look,
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
    budget: &Budget,
    write: &mut dyn FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    match trace_within(replayer, record, source, 0, budget)? {
        Ok(traced) => with_trace!(traced, |trace| draw(look, record, &trace, budget, write)),
        Err(_) => Ok(()),
    }
}

/// Budget units of a diagram.
const UNITS_DIAGRAM: u64 = 256;

fn draw<M: Mask, E: From<Exhausted>>(
    look: &Look,
    record: &Record<'_>,
    trace: &Trace<M>,
    budget: &Budget,
    write: &mut dyn FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    let plies = trace.plies.len();
    let mut asked = asked(record, trace);
    let every = look.every.map(usize::from);
    let is_wanted = |ply: usize| every.is_some_and(|every| ply > 0 && ply.is_multiple_of(every));
    let mut position = trace.start.clone();
    for ply in 0..=plies {
        let asked = asked.remove(&ply);
        if ply == plies || is_wanted(ply) || asked.is_some() {
            let Asked { seen_from, drawn } = asked.unwrap_or_default();
            budget.spend(UNITS_DIAGRAM)?;
            let illegal = trace.report.illegal.as_ref().filter(|_| ply == plies);
            let board = position.rules().board();
            let squares = illegal.iter().flat_map(|illegal| &illegal.squares);
            let options = Drawing {
                last: ply.checked_sub(1).map(|last| trace.plies[last].ply),
                marked: M::of(squares.filter_map(|name| board.parse_square(name))),
                drawn,
                pieces: look.pieces,
                seen_by: seen_from.unwrap_or(Owner::White),
                ..Drawing::default()
            };
            let end = trace.report.end.filter(|end| end.ply == ply);
            let caption = match (illegal, end) {
                (Some(illegal), _) => format!(
                    "Ply {}, {}, is illegal: {} [{}]",
                    illegal.ply, illegal.text, illegal.reason, illegal.rule
                ),
                (None, Some(end)) => format!("After ply {ply}: {}", by_history(end)),
                (None, None) if ply == plies => format!("Final position, after ply {ply}"),
                (None, None) => format!("After ply {ply}"),
            };
            let (drawing, caption) = (svg(&position, &options), escaped(&caption));
            write(&format!("<figure>\n{drawing}\n<figcaption>{caption}</figcaption>\n</figure>\n"))?;
        }
        trace.make(ply, &mut position);
    }
    Ok(())
}

/// What the record asks for after a ply.
#[derive(Debug, Default)]
struct Asked {
    /// The player at the bottom.
    seen_from: Option<Owner>,
    /// What an annotator drew.
    drawn: Drawings,
}

/// The plies of the main line after which the record asks for a diagram, or draws on the board.
fn asked<M: Mask>(record: &Record<'_>, trace: &Trace<M>) -> BTreeMap<usize, Asked> {
    let mut asked: BTreeMap<usize, Asked> = BTreeMap::new();
    let board = trace.start.rules().board();
    let mut index = 0;
    while let Some(item) = record.items.get(index) {
        let ply = || trace.plies.partition_point(|traced| traced.item < index);
        index = match item.kind {
            // Diagrams of variations are not drawn.
            ItemKind::VariationStart { end } => end as usize,
            ItemKind::Nag { value: ASKS_FOR_DIAGRAM, .. } => {
                asked.entry(ply()).or_default().seen_from.get_or_insert(Owner::White);
                index
            }
            ItemKind::Nag { value: ASKS_FOR_BLACKS_DIAGRAM, .. } => {
                asked.entry(ply()).or_default().seen_from.get_or_insert(Owner::Black);
                index
            }
            ItemKind::Comment(_) => {
                let drawn = drawn(&record.text(*item), board);
                if !drawn.is_empty() {
                    let all = &mut asked.entry(ply()).or_default().drawn;
                    all.squares.extend(drawn.squares);
                    all.arrows.extend(drawn.arrows);
                }
                index
            }
            _ => index,
        } + 1;
    }
    asked
}

/// What the commands of a comment draw on a board.
fn drawn(comment: &str, board: Board) -> Drawings {
    let square = |square: &Square| board.parse_square(&square.to_string());
    let mut drawn = Drawings::default();
    for command in commands(comment) {
        match command.kind {
            CommandKind::Squares(list) => {
                drawn.squares.extend(list.iter().filter_map(|(colour, at)| Some((*colour, square(at)?))));
            }
            CommandKind::Arrows(list) => {
                let arrow = |(colour, from, to): &_| Some((*colour, square(from)?, square(to)?));
                drawn.arrows.extend(list.iter().filter_map(arrow));
            }
            _ => {}
        }
    }
    drawn
}
