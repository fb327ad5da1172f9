//! The table of an event as text, CSV and a page for paper.

#[cfg(any(feature = "archive", feature = "cli"))]
use super::rows::rows_as_csv;
use super::standings::{Line, Table};
use ferz::diagram::escaped;
use ferz::replay::summary::counted;

impl Table {
    /// What the columns are, beginning with place and name.
    fn heading(&self) -> Vec<String> {
        let own = ["#", "player"].map(str::to_owned);
        let tie_breaks = self.tie_breaks.iter().map(|tie_break| tie_break.name().to_owned());
        own.into_iter()
            .chain(self.fields.iter().cloned())
            .chain(["games".to_owned(), "points".to_owned()])
            .chain(tie_breaks)
            .collect()
    }

    /// How many games there are, in words.
    fn summary(&self) -> String {
        let [all, over, annulled] = self.games;
        let players = counted(self.players.len(), "player", "players");
        let annulled = if annulled == 0 { String::new() } else { format!(", {annulled} annulled") };
        format!("{players}, {}, {over} finished{annulled}", counted(all, "game", "games"))
    }
}

fn cells(Line { rank, name, fields, games, points, tie_breaks }: &Line) -> Vec<String> {
    let own = [rank.to_string(), name.clone()];
    let sums = [games.to_string(), points.clone()];
    own.into_iter().chain(fields.iter().cloned()).chain(sums).chain(tie_breaks.iter().cloned()).collect()
}

/// The table with aligned columns.
pub fn text(table: &Table) -> String {
    let mut rows = vec![table.heading()];
    rows.extend(table.players.iter().map(cells));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let mut out = format!("{}: {}\n\n", table.event, table.summary());
    for row in &rows {
        let aligned = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            let blanks = " ".repeat(width - cell.chars().count());
            // Names begin at one place, numbers end there.
            if column == 1 { format!("{cell}{blanks}") } else { format!("{blanks}{cell}") }
        });
        out.push_str(aligned.collect::<Vec<_>>().join("  ").trim_end());
        out.push('\n');
    }
    out
}

/// The table as CSV, with a heading.
///
/// # Errors
/// If memory does not suffice.
#[cfg(any(feature = "archive", feature = "cli"))]
pub fn csv(table: &Table) -> Result<String, String> {
    rows_as_csv(std::iter::once(table.heading()).chain(table.players.iter().map(cells)))
}

/// For paper: a table as wide as it needs to be.
const STYLE: &str = "@page{margin:15mm}body{font:11pt/1.4 Georgia,serif;max-width:60em;margin:1em auto;padding:0 1em}\
    h1{font-size:1.5em;margin-bottom:0}p{margin-top:0}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\
    th,td{padding:.2em .5em;text-align:center;border-bottom:1px solid #999}\
    th:nth-child(2),td:nth-child(2){text-align:left}";

/// The table as a part of a page.
pub fn of_page(table: &Table) -> String {
    let row = |cells: Vec<String>, kind: &str| {
        let cells: String = cells.iter().map(|cell| format!("<{kind}>{}</{kind}>", escaped(cell))).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let players: String = table.players.iter().map(|line| row(cells(line), "td")).collect();
    format!(
        "<p>{}</p>\n<table>\n<thead>\n{}</thead>\n<tbody>\n{players}</tbody>\n</table>\n",
        table.summary(),
        row(table.heading(), "th")
    )
}

/// The table as a page without scripts or other files.
pub fn html(table: &Table) -> String {
    let event = escaped(&table.event);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{event}</title>\n<style>{STYLE}</style>\n\
         </head>\n<body>\n<h1>{event}</h1>\n{}</body>\n</html>\n",
        of_page(table)
    )
}
