//! `ferz adjudicate --unfinished`: the docket of an event at its closing date.

use super::adjudicate::Format;
use crate::cli::output::{Console, ExitStatus, Failure, Outcome};
use crate::cli::records::{Header, LanguageArg, ReadArgs, each_file, each_game};
use crate::cli::session::Session;
use crate::tournament::rows_as_csv;
use ferz::adjudicate::{Standing, Terms, Unfinished, docket_page, unfinished};
use ferz::record::Record;
use ferz::replay::summary::counted;
use ferz::replay::{Replayer, Source};
use serde::Serialize;
use std::path::PathBuf;

/// A line of the docket.
#[derive(Debug, Serialize)]
struct Line {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    game: usize,
    #[serde(flatten)]
    header: Header,
    #[serde(flatten)]
    found: Unfinished,
}

/// The columns of the docket as CSV.
const COLUMNS: [&str; 14] = [
    "file", "game", "event", "round", "white", "black", "plies", "to_move", "standing", "result", "claim",
    "by", "articles", "why",
];

/// Writes what each unfinished game of the files is worth, or needs.
pub(super) fn docket(
    files: &[PathBuf],
    (format, terms): (Format, &Terms),
    read: (&ReadArgs, &LanguageArg),
    session: &mut Session<'_>,
) -> Outcome {
    let (mut games, mut lines) = (0, Vec::new());
    let searched = each_file(files, session, |session, file| {
        let look =
            |(replayer, ()): (&mut Replayer<'_>, &mut ()), record: &Record<'_>, source: &Source<'_>| {
                Some((Header::of(record), unfinished(replayer, (record, source), terms)?))
            };
        let keep = |_: &mut Console, name: &str, game: usize, found: Option<(Header, Unfinished)>| {
            games += 1;
            let file = (files.len() > 1).then(|| name.to_owned());
            lines.extend(found.map(|(header, found)| Line { file, game, header, found }));
            Ok(())
        };
        each_game(read, session, file, || (), look, keep).map(|_| ())
    });
    let console = &mut session.console;
    match format {
        Format::Text => text(console, games, &lines)?,
        Format::Json => lines.iter().try_for_each(|line| console.json(line))?,
        Format::Csv => {
            let heading = COLUMNS.map(str::to_owned).to_vec();
            let rows = std::iter::once(heading).chain(lines.iter().map(cells));
            console.text(&rows_as_csv(rows).map_err(Failure::message)?)?;
        }
        Format::Html => {
            let rows: Vec<Vec<String>> = lines.iter().map(cells).collect();
            console.text(&docket_page(&COLUMNS, &rows))?;
        }
    }
    let is_open = |line: &Line| !matches!(line.found.standing, Standing::Decided | Standing::Proved);
    searched.map(|()| if lines.iter().any(is_open) { ExitStatus::Open } else { ExitStatus::Fine })
}

fn text(console: &mut Console, games: usize, lines: &[Line]) -> Result<(), Failure> {
    for line in lines {
        let Line { file, game, header, found } = line;
        let file = file.as_ref().map_or_else(String::new, |file| format!("{file}: "));
        let result = found.result.map_or_else(String::new, |result| format!(", {result}"));
        let standing = found.standing.id().replace('_', " ");
        console.line(format!(
            "{file}game {game}: {}: {standing}{result}: {}",
            header.in_words(),
            found.why
        ))?;
    }
    let each = Standing::ALL.iter().filter_map(|standing| {
        let number = lines.iter().filter(|line| line.found.standing == *standing).count();
        (number > 0).then(|| format!("{number} {}", standing.id().replace('_', " ")))
    });
    let each: Vec<String> = each.collect();
    let each = if each.is_empty() { String::new() } else { format!(": {}", each.join(", ")) };
    console.line(format!("{} of {} unfinished{each}", lines.len(), counted(games, "game", "games")))
}

fn cells(line: &Line) -> Vec<String> {
    let Line { file, game, header, found } = line;
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let claim = found.claim.as_ref();
    vec![
        text(file),
        game.to_string(),
        text(&header.event),
        text(&header.round),
        text(&header.white),
        text(&header.black),
        found.plies.to_string(),
        found.to_move.map_or_else(String::new, |player| player.name().to_ascii_lowercase()),
        found.standing.id().to_owned(),
        found.result.map_or_else(String::new, |result| result.to_string()),
        claim.map_or_else(String::new, |claim| claim.kind.id().to_owned()),
        claim.and_then(|claim| claim.by).map_or_else(String::new, |by| by.name().to_ascii_lowercase()),
        found.articles.join(", "),
        found.why.clone(),
    ]
}
