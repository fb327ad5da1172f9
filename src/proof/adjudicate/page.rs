//! A verdict as a page to print and sign.

use super::text::{articles_in_words, clock_in_words, consequences, opening, premises_in_words};
use super::verdict::Verdict;
use ferz_records::diagram::escaped;
use ferz_records::record::Record;
use std::fmt::Write;

const STYLE: &str = "body{font:16px/1.5 Georgia,serif;max-width:44rem;margin:2rem auto;padding:0 1rem}\
h1{font-size:1.4rem}svg{max-width:24rem;height:auto}dt{font-weight:bold}td,th{text-align:left;padding-right:1.5rem}\
code{font-size:.9rem;overflow-wrap:anywhere}section{break-inside:avoid}\
.signs{display:flex;gap:1.5rem;break-inside:avoid}.sign{margin-top:3rem;border-top:1px solid;flex:1}\
@media print{body{margin:0}}";

/// Tags of the game that a reader looks for.
pub(super) const TAGS: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// The head of a page.
pub(super) fn head(title: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n<h1>{title}</h1>\n"
    )
}

/// The end of a page, with places for those who sign it.
pub(super) const FOOT: &str = "<div class=\"signs\"><p class=\"sign\">White, date<p class=\"sign\">Black, date\
<p class=\"sign\">Arbiter, date</div>\n</html>\n";

/// What a tag says to a reader; `None` for what is unknown.
pub(super) fn known(record: &Record<'_>, name: &str) -> Option<String> {
    record
        .tag(name)
        .filter(|value| !matches!(&**value, "" | "?" | "????.??.??"))
        .map(|value| value.into_owned())
}

/// The position that a page is about: drawn, and as FEN.
pub(super) fn position(drawing: &str, fen: &str) -> String {
    format!("<section><h2>Position</h2>\n{drawing}\n<p><code>{}</code>\n</section>\n", escaped(fen))
}

/// A self-contained page: the decision, the game, the grounds, the words of the rules, the position, and places to
/// sign. `drawing` is the position of the claim as SVG; empty if there is none.
pub fn page(verdict: &Verdict, record: &Record<'_>, drawing: &str) -> String {
    let title = escaped(&opening(verdict));
    let mut out = head(&title) + "<table>\n";
    // Writing to a string cannot fail.
    for name in TAGS {
        if let Some(value) = known(record, name) {
            let _ = writeln!(out, "<tr><th>{name}<td>{}", escaped(&value));
        }
    }
    if let Some(rules) = &verdict.rules {
        let (name, edition, digest) = (escaped(&rules.name), escaped(&rules.edition), &rules.digest);
        let _ = writeln!(out, "<tr><th>Rules<td>{name}, edition {edition} <code>{digest}</code>");
    }
    let _ = writeln!(out, "</table>\n<p>{}", escaped(&verdict.explanation));
    let _ = writeln!(out, "<p>Strength: {}.", verdict.strength.words());
    for line in premises_in_words(verdict).into_iter().chain(consequences(verdict)) {
        let _ = writeln!(out, "<p>{}", escaped(&line));
    }
    if let Some(opinion) = &verdict.opinion {
        let _ = writeln!(out, "<p>Opinion, which decides nothing: {}.", escaped(&opinion.words()));
    }
    if !verdict.readings.is_empty() {
        out.push_str("<table>\n<tr><th>Reading<th>Verdict<th>Result\n");
    }
    for reading in &verdict.readings {
        let name = [&reading.ruling, &reading.field, &Some(reading.reading.clone())];
        let name: Vec<&str> = name.into_iter().flatten().map(String::as_str).collect();
        let result = reading.result.map_or("", |result| result.as_str());
        let _ = writeln!(out, "<tr><td>{}<td>{}<td>{result}", escaped(&name.join(", ")), reading.verdict);
    }
    if !verdict.readings.is_empty() {
        out.push_str("</table>\n");
    }
    out.push_str("<h2>Rules</h2>\n<dl>\n");
    for (id, words) in articles_in_words(verdict) {
        let _ = writeln!(out, "<dt>{}<dd>{}", escaped(&id), escaped(&words));
    }
    out.push_str("</dl>\n");
    if !verdict.line.is_empty() {
        let _ = writeln!(out, "<h2>Line</h2>\n<p><code>{}</code>", escaped(&verdict.line.join(" ")));
    }
    if !verdict.clock.is_empty() {
        out.push_str("<h2>Clock</h2>\n<ul>\n");
        for line in clock_in_words(verdict) {
            let _ = writeln!(out, "<li>{}", escaped(&line));
        }
        out.push_str("</ul>\n");
    }
    if !verdict.fen.is_empty() {
        out.push_str(&position(drawing, &verdict.fen));
    }
    out.push_str(FOOT);
    out
}
