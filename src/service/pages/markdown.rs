//! Renders the Markdown of this project's documents as HTML: headings, paragraphs, lists, tables, code. Text is
//! escaped. Definitions of articles get an anchor, citations a link.

use super::articles::{anchor, linked};
use std::fmt::Write;

/// A document as HTML, without its first heading: the page has its own.
pub fn html(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut writer = Writer { lines: &lines, at: 0, out: String::new() };
    while writer.at < lines.len() {
        writer.block();
    }
    writer.out
}

/// The text of the first heading.
pub fn title(text: &str) -> &str {
    text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default()
}

struct Writer<'a> {
    lines: &'a [&'a str],
    at: usize,
    out: String,
}

// Writing to a string cannot fail, so results of `write!` are ignored below.

impl<'a> Writer<'a> {
    fn block(&mut self) {
        let line = self.lines[self.at];
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        match line {
            "" => self.at += 1,
            _ if (1..=4).contains(&level) && line[level..].starts_with(' ') => self.heading(line, level),
            _ if line.starts_with("```") => self.fence(),
            _ if line.starts_with("    ") => self.indented(),
            _ if line.starts_with('|') => self.table(),
            _ if marker(line).is_some() => self.list(),
            _ => self.paragraph(),
        }
    }

    /// Takes lines while they meet the condition.
    fn take(&mut self, mut is_part: impl FnMut(&str) -> bool) -> &'a [&'a str] {
        let start = self.at;
        while self.at < self.lines.len() && is_part(self.lines[self.at]) {
            self.at += 1;
        }
        &self.lines[start..self.at]
    }

    fn heading(&mut self, line: &str, level: usize) {
        self.at += 1;
        if level == 1 {
            return;
        }
        let text = line[level..].trim();
        let _ = writeln!(self.out, "<h{level} id=\"{}\">{}</h{level}>", slug(text), inline(text));
    }

    fn fence(&mut self) {
        self.at += 1;
        let lines = self.take(|line| !line.starts_with("```"));
        self.at += 1;
        self.code(lines.iter().copied());
    }

    fn indented(&mut self) {
        let lines = self.take(|line| line.starts_with("    "));
        self.code(lines.iter().map(|line| &line[4..]));
    }

    fn code<'l>(&mut self, lines: impl Iterator<Item = &'l str>) {
        self.out.push_str("<pre tabindex=\"0\"><code>");
        for line in lines {
            self.out.push_str(&escaped(line));
            self.out.push('\n');
        }
        self.out.push_str("</code></pre>\n");
    }

    fn table(&mut self) {
        let lines = self.take(|line| line.starts_with('|'));
        let Some((head, rows)) = lines.split_first() else { return };
        let head = cells(head);
        self.out.push_str("<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr>");
        for cell in &head {
            // A header cell without text would be inaccessible.
            let _ = match cell.as_str() {
                "" => write!(self.out, "<td></td>"),
                cell => write!(self.out, "<th scope=\"col\">{}</th>", inline(cell)),
            };
        }
        self.out.push_str("</tr></thead>\n<tbody>\n");
        for row in rows.iter().filter(|row| !row.bytes().all(|byte| b"|-: ".contains(&byte))) {
            let cells = cells(row);
            let id = cells.first().filter(|cell| is_code(cell));
            let id = id.map_or_else(String::new, |id| format!(" id=\"{}\"", escaped(id)));
            let _ = write!(self.out, "<tr{id}>");
            for cell in cells {
                let _ = write!(self.out, "<td>{}</td>", inline(&cell));
            }
            self.out.push_str("</tr>\n");
        }
        self.out.push_str("</tbody></table></div>\n");
    }

    fn list(&mut self) {
        let tag = if self.lines[self.at].starts_with('-') { "ul" } else { "ol" };
        let _ = writeln!(self.out, "<{tag}>");
        while self.at < self.lines.len() {
            let Some(rest) = marker(self.lines[self.at]) else { break };
            self.at += 1;
            let more = self.take(|line| line.starts_with("  ") && !line.trim().is_empty());
            let text = joined(rest, more);
            let id = text.strip_prefix("**").and_then(|rest| rest.split_once("**"));
            let id = id.filter(|(id, _)| super::articles::is_article(id));
            let id = id.map_or_else(String::new, |(id, _)| format!(" id=\"{}\"", anchor(id)));
            let _ = writeln!(self.out, "<li{id}>{}</li>", inline(&text));
        }
        let _ = writeln!(self.out, "</{tag}>");
    }

    fn paragraph(&mut self) {
        let first = self.lines[self.at];
        self.at += 1;
        let begins = |line: &str| line.starts_with(['#', '|']) || line.starts_with("```");
        let more = self.take(|line| !line.is_empty() && !begins(line) && marker(line).is_none());
        let text = joined(first, more);
        let _ = writeln!(self.out, "<p>{}</p>", inline(&text));
    }
}

/// The text after the marker of a list item: `- ` or `1. `.
fn marker(line: &str) -> Option<&str> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    match digits {
        0 => line.strip_prefix("- "),
        _ => line[digits..].strip_prefix(". "),
    }
}

fn joined(first: &str, more: &[&str]) -> String {
    let mut text = first.trim().to_owned();
    for line in more {
        text.push(' ');
        text.push_str(line.trim());
    }
    text
}

/// The cells of a table row. A bar inside code or after a backslash does not separate cells.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim().trim_start_matches('|');
    let row = row.strip_suffix('|').unwrap_or(row);
    let mut cells = vec![String::new()];
    let (mut in_code, mut escaped) = (false, false);
    for c in row.chars() {
        in_code ^= c == '`';
        if c == '|' && !in_code && !escaped {
            cells.push(String::new());
        } else if let Some(cell) = cells.last_mut() {
            cell.push(c);
        }
        escaped = c == '\\';
    }
    cells.into_iter().map(|cell| cell.trim().to_owned()).collect()
}

/// True for the code of a diagnostic, such as `S001`.
fn is_code(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 4 && bytes[0].is_ascii_uppercase() && bytes[1..].iter().all(u8::is_ascii_digit)
}

/// The anchor of a heading as on GitHub: lower case, dashes for spaces, no other punctuation.
pub fn slug(text: &str) -> String {
    let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

/// Text inside a block as HTML: code, bold, emphasis, links, articles.
pub fn inline(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['`', '*', '[', '\\']) {
        out.push_str(&linked(&rest[..at]));
        rest = &rest[at..];
        let (html, length) = span(rest).unwrap_or_else(|| (escaped(&rest[..1]), 1));
        out.push_str(&html);
        rest = &rest[length..];
    }
    out.push_str(&linked(rest));
    out
}

/// The marked text at the start as HTML, with its length in bytes; `None` if the character marks nothing.
fn span(text: &str) -> Option<(String, usize)> {
    let between = |open: &str, close: &str| {
        let inner = text.strip_prefix(open)?;
        let end = inner.find(close).filter(|end| *end > 0)?;
        Some((&inner[..end], open.len() + end + close.len()))
    };
    if let Some((code, length)) = between("``", "``").or_else(|| between("`", "`")) {
        return Some((format!("<code>{}</code>", escaped(code.trim())), length));
    }
    if let Some((bold, length)) = between("**", "**") {
        let html = if super::articles::is_article(bold) { escaped(bold) } else { inline(bold) };
        return Some((format!("<strong>{html}</strong>"), length));
    }
    if let Some((emphasis, length)) = between("*", "*").filter(|(inner, _)| !inner.starts_with(' ')) {
        return Some((format!("<em>{}</em>", inline(emphasis)), length));
    }
    if let Some((label, after)) = text.strip_prefix('[').and_then(|rest| rest.split_once("](")) {
        let (target, _) = after.split_once(')').filter(|_| !label.contains('['))?;
        let length = label.len() + target.len() + 4;
        let html = match super::documents::path_of(target) {
            Some(path) => format!("<a href=\"{}\">{}</a>", escaped(&path), inline(label)),
            None => inline(label),
        };
        return Some((html, length));
    }
    let escape = text.strip_prefix('\\')?.chars().next().filter(char::is_ascii_punctuation)?;
    Some((escaped(escape.encode_utf8(&mut [0; 4])), 2))
}

/// Escapes text for HTML, including attributes.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_and_spans() {
        let text = "# Title\n\n## 1. A *b* `c`\n\nText in **bold**, `a<b`,\n`c`, a [link](RULES.md).\n\n- one\n  \
            goes on\n- two\n\n```\n<code> *not*\n```\n\n| a | b |\n|---|---|\n| S001 | `x | y` |\n\n1. first\n2. \
            second & last\n";
        assert_eq!(title(text), "Title");
        insta::assert_snapshot!(html(text), @r#"
        <h2 id="1-a-b-c">1. A <em>b</em> <code>c</code></h2>
        <p>Text in <strong>bold</strong>, <code>a&lt;b</code>, <code>c</code>, a <a href="/rules">link</a>.</p>
        <ul>
        <li>one goes on</li>
        <li>two</li>
        </ul>
        <pre tabindex="0"><code>&lt;code&gt; *not*
        </code></pre>
        <div class="wide" tabindex="0"><table>
        <thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead>
        <tbody>
        <tr id="S001"><td>S001</td><td><code>x | y</code></td></tr>
        </tbody></table></div>
        <ol>
        <li>first</li>
        <li>second &amp; last</li>
        </ol>
        "#);
    }

    #[test]
    fn signs_that_mark_nothing_stay() {
        assert_eq!(inline("a * b ` c [d] \\* <e>"), "a * b ` c [d] * &lt;e&gt;");
        assert_eq!(inline("[x](javascript:alert(1))"), "x)");
    }
}
