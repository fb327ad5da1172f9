//! Commands inside comments, `[%clk 0:05:00]` and others, as values.

mod plain;
mod value;

use super::codes;
use super::csa;
use super::diagnostics::Diagnostics;
use super::item::{Item, ItemKind};
use super::read::Record;
use ferz_core::position::Call;
use ferz_core::text::{Diagnostic, Severity, Span};
use nom::Parser;
use nom::character::complete::one_of;
use nom::combinator::all_consuming;
use nom::sequence::pair;
pub use plain::Times;
pub(super) use plain::clock_end;
use std::fmt;
pub use value::{ClockTime, Eval, Score, Square};
use value::{clock_time, eval, marks, square};

/// The command that marks an illegal ply that was let stand ([`CommandKind::LetStand`]).
pub(crate) const LET_STAND: &str = "[%letstand]";

/// One part of a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment<'t> {
    /// Text for people.
    Text(&'t str),
    /// A command in brackets.
    Command(Command<'t>),
}

/// A command in a comment, with its place in the comment's text in bytes, brackets included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command<'t> {
    /// The place.
    pub span: Span,
    /// The name, without the percent sign.
    pub name: &'t str,
    /// The text after the name, trimmed.
    pub value: &'t str,
    /// The whole command as it is written, brackets included.
    pub raw: &'t str,
    /// What it means.
    pub kind: CommandKind,
}

/// The meaning of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandKind {
    /// `[%clk 0:05:00]`: time left on the mover's clock after the ply.
    Clock(ClockTime),
    /// `[%emt 0:00:03.5]`: time spent on the ply.
    Elapsed(ClockTime),
    /// `[%egt 1:02:03]`: time spent on the game so far by the mover.
    ElapsedGame(ClockTime),
    /// `[%mct 17:10:42]`: time of day that a mechanical clock shows.
    Mechanical(ClockTime),
    /// `[%eval 0.35,20]`: an engine's evaluation.
    Eval(Eval),
    /// `[%csl Ra1,Gb2]`: coloured squares.
    Squares(Vec<(char, Square)>),
    /// `[%cal Ga1b2]`: coloured arrows.
    Arrows(Vec<(char, Square, Square)>),
    /// `[%timeout]`: the ply was played in a time-out.
    Timeout,
    /// `[%letstand]`: the ply before it is illegal, but was let stand.
    LetStand,
    /// `[%count start]`, `[%count stop]`, `[%kachi]`: what the player on move calls for.
    Call(Call),
    /// An unknown command.
    Unknown,
    /// A known command with a value that cannot be read.
    Malformed,
}

impl fmt::Display for Command<'_> {
    /// The command in brackets: a known one in canonical form, any other as written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if matches!(self.kind, CommandKind::Unknown | CommandKind::Malformed) {
            return f.write_str(self.raw);
        }
        if let CommandKind::Call(call) = &self.kind {
            return call.fmt(f);
        }
        write!(f, "[%{}", self.name)?;
        let blank = if self.value.is_empty() { "" } else { " " };
        match &self.kind {
            CommandKind::Clock(t)
            | CommandKind::Elapsed(t)
            | CommandKind::ElapsedGame(t)
            | CommandKind::Mechanical(t) => write!(f, " {t}")?,
            CommandKind::Eval(eval) => write!(f, " {eval}")?,
            CommandKind::Squares(list) => {
                let list: Vec<String> = list.iter().map(|(c, s)| format!("{c}{s}")).collect();
                write!(f, "{blank}{}", list.join(","))?;
            }
            CommandKind::Arrows(list) => {
                let list: Vec<String> = list.iter().map(|(c, a, b)| format!("{c}{a}{b}")).collect();
                write!(f, "{blank}{}", list.join(","))?;
            }
            _ => {}
        }
        f.write_str("]")
    }
}

/// The parts of a comment's text, in order. Concatenated, they are the text again.
///
/// ```
/// use ferz_records::record::comment::{Segment, parts};
/// let text = "good [%clk 0:05:00] [%x-own a b] move";
/// let again: String = parts(text)
///     .map(|p| match p {
///         Segment::Text(text) => text.to_owned(),
///         Segment::Command(command) => command.to_string(),
///     })
///     .collect();
/// assert_eq!(again, text);
/// ```
pub fn parts(text: &str) -> Parts<'_> {
    Parts { text, pos: 0 }
}

/// The commands of a comment's text.
pub fn commands(text: &str) -> impl Iterator<Item = Command<'_>> {
    parts(text).filter_map(|part| if let Segment::Command(command) = part { Some(command) } else { None })
}

/// The text of a comment without its commands, trimmed.
///
/// ```
/// assert_eq!(ferz_records::record::comment::free_text("[%clk 0:05:00] good"), "good");
/// ```
pub fn free_text(text: &str) -> String {
    let texts =
        parts(text).filter_map(|part| if let Segment::Text(text) = part { Some(text.trim()) } else { None });
    texts.filter(|t| !t.is_empty()).collect::<Vec<_>>().join(" ")
}

/// True if a comment says that the deployment of pieces ends here: `end of deployment phase`, as the inventor of iChess
/// writes it between the moves.
///
/// ```
/// use ferz_records::record::comment::is_deployment_end;
/// assert!(is_deployment_end("End of  deployment phase."));
/// assert!(!is_deployment_end("the end of the deployment phase is near"));
/// ```
pub fn is_deployment_end(text: &str) -> bool {
    let mut words = text.trim_end_matches('.').split_ascii_whitespace().peekable();
    let mut next = |word: &str| words.next_if(|found| found.eq_ignore_ascii_case(word)).is_some();
    let begins = next("end") && next("of");
    next("the");
    let named = next("deployment");
    next("phase");
    begins && named && words.next().is_none()
}

/// Splits a comment into its parts. Made by [`parts`].
#[derive(Debug, Clone)]
pub struct Parts<'t> {
    text: &'t str,
    pos: usize,
}

impl<'t> Iterator for Parts<'t> {
    type Item = Segment<'t>;

    fn next(&mut self) -> Option<Segment<'t>> {
        let rest = &self.text[self.pos..];
        if rest.is_empty() {
            return None;
        }
        if let Some((len, name, value)) = bracket(rest) {
            let span = Span::new(self.pos, self.pos + len);
            self.pos += len;
            return Some(Segment::Command(Command {
                span,
                name,
                value,
                raw: &rest[..len],
                kind: kind(name, value),
            }));
        }
        // A `[%` without its bracket is text, like everything up to the next one.
        let next = memchr::memmem::find_iter(rest.as_bytes(), "[%").find(|&i| i > 0);
        let end = next.unwrap_or(rest.len());
        self.pos += end;
        Some(Segment::Text(&rest[..end]))
    }
}

/// `[%name value]` at the start of `text`: its bytes, the name, the value.
fn bracket(text: &str) -> Option<(usize, &str, &str)> {
    let body = text.strip_prefix("[%")?;
    let end = body.find([']', '['])?;
    if body.as_bytes()[end] == b'[' {
        return None;
    }
    let body = &body[..end];
    let name_len = body.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(body.len());
    (name_len > 0).then(|| (end + 3, &body[..name_len], body[name_len..].trim()))
}

fn kind(name: &str, value: &str) -> CommandKind {
    let time = || all_consuming(clock_time).parse(value).ok().map(|(_, t)| t);
    let known = match name {
        "clk" => time().map(CommandKind::Clock),
        "emt" => time().map(CommandKind::Elapsed),
        "egt" => time().map(CommandKind::ElapsedGame),
        "mct" => time().map(CommandKind::Mechanical),
        "eval" => all_consuming(eval).parse(value).ok().map(|(_, e)| CommandKind::Eval(e)),
        "csl" => marks(value, pair(one_of("RGBYCO"), square)).map(CommandKind::Squares),
        "cal" => marks(value, (one_of("RGBYCO"), square, square)).map(CommandKind::Arrows),
        "timeout" => value.is_empty().then_some(CommandKind::Timeout),
        "letstand" => value.is_empty().then_some(CommandKind::LetStand),
        "kachi" => value.is_empty().then_some(CommandKind::Call(Call::Declare)),
        "receive" => match value.as_bytes() {
            [letter] if letter.is_ascii_alphabetic() => {
                Some(CommandKind::Call(Call::Receive(char::from(*letter))))
            }
            _ => None,
        },
        "count" => match value {
            "start" => Some(CommandKind::Call(Call::CountStart)),
            "stop" => Some(CommandKind::Call(Call::CountStop)),
            _ => None,
        },
        _ => return CommandKind::Unknown,
    };
    known.unwrap_or(CommandKind::Malformed)
}

impl Record<'_> {
    /// True if a comment has a command about time: `[%clk]`, `[%emt]`, `[%egt]`, `[%mct]`.
    pub fn has_times(&self) -> bool {
        let is_comment = |item: &&Item| matches!(item.kind, ItemKind::Comment(_));
        let has_times = |item: &Item| plain::has_times(self.bytes(*item));
        self.comments.clocks || self.comments.others && self.items.iter().filter(is_comment).any(has_times)
    }

    /// The calls in comments of the main line, each with the number of plies before it.
    pub fn main_calls(&self) -> Vec<(usize, Call)> {
        let (mut calls, mut plies) = (Vec::new(), 0);
        if !self.comments.others {
            return calls;
        }
        for (_, item) in self.main_line().items() {
            match item.kind {
                ItemKind::Move => plies += 1,
                ItemKind::Comment(_) => calls.extend(self.calls(*item).into_iter().map(|call| (plies, call))),
                _ => {}
            }
        }
        calls
    }

    /// The calls in a comment.
    pub fn calls(&self, comment: Item) -> Vec<Call> {
        let text = self.text(comment);
        if text.trim() == csa::DECLARES {
            return vec![Call::Declare];
        }
        let call = |command: Command<'_>| match command.kind {
            CommandKind::Call(call) => Some(call),
            _ => None,
        };
        commands(&text).filter_map(call).collect()
    }

    /// A diagnostic for every known command in the record's comments whose value cannot be read, up to the limit.
    ///
    /// Not among the [`diagnostics`](Record::diagnostics), since reading does not look into comments. It costs almost
    /// nothing where there are no commands or only plain ones.
    ///
    /// The place is exact where the comment is UTF-8; otherwise it is that of the whole comment.
    pub fn check_commands(&self) -> Vec<Diagnostic> {
        let mut found = Diagnostics::default();
        if !self.comments.others {
            return found.finish();
        }
        for item in self.items.iter().filter(|i| matches!(i.kind, ItemKind::Comment(_))) {
            if plain::all_are_plain(self.bytes(*item)) {
                continue;
            }
            let text = self.text(*item);
            let span = self.span(*item);
            for command in commands(&text).filter(|c| c.kind == CommandKind::Malformed) {
                let exact = text.len() == span.len();
                let place = if exact { command.span.shifted(span.start) } else { span };
                let message = format!("`{command}` cannot be read; it is kept unchanged");
                found.push(codes::COMMAND_BAD, Severity::Warning, place, message);
            }
        }
        found.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_commands_come_back_byte_for_byte() {
        for text in [
            "[%clk 0:05:00]",
            "[%emt 0:00:03.50]",
            "[%egt 12:00:59]",
            "[%mct 17:10:42]",
            "[%eval -0.35,20]",
            "[%eval 1.00]",
            "[%eval #-4]",
            "[%eval 35,8]",
            "[%csl Ra1,Gb12]",
            "[%cal Ga1b2,Ye4h8]",
            "[%timeout]",
            "[%letstand]",
            "[%count start]",
            "[%count stop]",
            "[%kachi]",
            "[%receive n]",
        ] {
            let command = commands(text).next().map(|c| (c.to_string(), c.kind));
            let known = |k: &CommandKind| !matches!(k, CommandKind::Unknown | CommandKind::Malformed);
            assert!(command.as_ref().is_some_and(|(t, k)| t == text && known(k)), "{text} {command:?}");
        }
    }

    #[test]
    fn other_commands_are_kept() {
        let kinds: Vec<CommandKind> =
            commands("[%clk x] [%clk 0:99:00] [%foo a] [%] [%clk 1").map(|c| c.kind).collect();
        assert_eq!(kinds, [CommandKind::Malformed, CommandKind::Malformed, CommandKind::Unknown]);
        assert_eq!(free_text("a [%clk 0:00:01]\n[%foo] b"), "a b");
        // The sign before the mate, as some programs write it.
        let mate = commands("[%eval -#26,30]").next().map(|command| command.to_string());
        assert_eq!(mate.as_deref(), Some("[%eval #-26,30]"));
    }
}
