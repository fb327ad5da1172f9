//! The form of the file: lists in brackets, and the macros that it defines.

use super::Unsaid;
use std::collections::HashMap;

/// How deep lists may be nested, and how many words macros may expand to.
const DEPTH_MAX: usize = 64;
const WORDS_MAX: usize = 200_000;

/// A word or a list, with the line where it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Sexp {
    /// A word, without the quotes of a text.
    Word(String, usize),
    /// A list.
    List(Vec<Sexp>, usize),
}

impl Sexp {
    pub(super) fn line(&self) -> usize {
        match self {
            Sexp::Word(_, line) | Sexp::List(_, line) => *line,
        }
    }

    pub(super) fn word(&self) -> Option<&str> {
        match self {
            Sexp::Word(word, _) => Some(word),
            Sexp::List(..) => None,
        }
    }

    pub(super) fn list(&self) -> &[Sexp] {
        match self {
            Sexp::Word(..) => &[],
            Sexp::List(items, _) => items,
        }
    }

    /// The first word of a list: what it is about.
    pub(super) fn head(&self) -> &str {
        self.list().first().and_then(Sexp::word).unwrap_or_default()
    }

    /// What follows the first word of a list.
    pub(super) fn rest(&self) -> &[Sexp] {
        self.list().get(1..).unwrap_or_default()
    }

    /// True if the word stands anywhere in it.
    pub(super) fn says(&self, word: &str) -> bool {
        match self {
            Sexp::Word(own, _) => own == word,
            Sexp::List(items, _) => items.iter().any(|item| item.says(word)),
        }
    }
}

impl std::fmt::Display for Sexp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Sexp::Word(word, _) => f.write_str(word),
            Sexp::List(items, _) => {
                f.write_str("(")?;
                for (index, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if index > 0 { " " } else { "" })?;
                }
                f.write_str(")")
            }
        }
    }
}

/// The lists of a file, as they are written.
pub(super) fn read(text: &str) -> Result<Vec<Sexp>, Unsaid> {
    // The lists that are open, each with its line; the first one is the file.
    let mut open: Vec<(Vec<Sexp>, usize)> = vec![(Vec::new(), 1)];
    let fail = |line: usize, why: &str| Unsaid {
        line,
        text: text.lines().nth(line.saturating_sub(1)).unwrap_or_default().trim().to_owned(),
        why: why.to_owned(),
    };
    for (line, word) in words(text) {
        match word {
            "(" if open.len() > DEPTH_MAX => return Err(fail(line, "brackets are nested too deep")),
            "(" => open.push((Vec::new(), line)),
            ")" => {
                let (items, begun) = open.pop().unwrap_or_default();
                let Some((outer, _)) = open.last_mut() else {
                    return Err(fail(line, "this `)` closes nothing"));
                };
                outer.push(Sexp::List(items, begun));
            }
            word => {
                let word = Sexp::Word(word.trim_matches('"').to_owned(), line);
                open.last_mut().into_iter().for_each(|(items, _)| items.push(word.clone()));
            }
        }
    }
    match (open.pop(), open.pop()) {
        (Some((items, _)), None) => Ok(items),
        (Some((_, line)), _) => Err(fail(line, "no `)` closes the list that begins here")),
        (None, _) => Ok(Vec::new()),
    }
}

/// The words and brackets of a file, each with its line; `;` begins a remark.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut quoted = false;
    text.lines().enumerate().flat_map(move |(index, line)| {
        let mut found = Vec::new();
        let mut start = None;
        for (at, char) in line.char_indices() {
            if char == '"' {
                quoted = !quoted;
            }
            let splits = !quoted && (char.is_whitespace() || matches!(char, '(' | ')' | ';'));
            match (splits, start) {
                (false, None) => start = Some(at),
                (true, Some(begun)) => {
                    found.push((index + 1, &line[begun..at]));
                    start = None;
                }
                _ => {}
            }
            if splits && char == ';' {
                return found;
            }
            if splits && !char.is_whitespace() {
                found.push((index + 1, &line[at..at + char.len_utf8()]));
            }
        }
        found.extend(start.map(|begun| (index + 1, &line[begun..])));
        found
    })
}

/// The macros of a file: what each name stands for.
#[derive(Debug, Default)]
pub(super) struct Macros(HashMap<String, Vec<Sexp>>);

impl Macros {
    /// Takes `(define name what)` from the lists of a file; gives the others.
    pub(super) fn of(lists: Vec<Sexp>) -> (Macros, Vec<Sexp>) {
        let mut macros = Macros::default();
        let mut others = Vec::new();
        for list in lists {
            match list.rest() {
                [Sexp::Word(name, _), body @ ..] if list.head() == "define" => {
                    macros.0.insert(name.clone(), body.to_vec());
                }
                _ => others.push(list),
            }
        }
        (macros, others)
    }

    /// A list with what its macros stand for. The lines are those of the place where a macro is used.
    pub(super) fn expanded(&self, item: &Sexp) -> Result<Sexp, Unsaid> {
        let mut left = WORDS_MAX;
        let found = self.expand(item, &[], None, 0, &mut left);
        let mut found = found.ok_or_else(|| Unsaid {
            line: item.line(),
            text: item.head().to_owned(),
            why: "its macros stand for too much, or for themselves".to_owned(),
        })?;
        Ok(found.pop().filter(|_| found.is_empty()).unwrap_or_else(|| Sexp::List(found, item.line())))
    }

    /// `None` if it is too much.
    fn expand(
        &self,
        item: &Sexp,
        arguments: &[Sexp],
        line: Option<usize>,
        depth: usize,
        left: &mut usize,
    ) -> Option<Vec<Sexp>> {
        *left = left.checked_sub(1)?;
        if depth > DEPTH_MAX {
            return None;
        }
        let at = line.unwrap_or_else(|| item.line());
        match item {
            Sexp::Word(word, _) => {
                let number = word.strip_prefix('$').and_then(|number| number.parse::<usize>().ok());
                let argument = number.and_then(|number| arguments.get(number.checked_sub(1)?));
                Some(vec![argument.cloned().unwrap_or_else(|| Sexp::Word(word.clone(), at))])
            }
            Sexp::List(items, _) => {
                let body = self.0.get(item.head());
                let of = if body.is_some() { item.rest() } else { &items[..] };
                let mut own = Vec::new();
                for part in of {
                    own.extend(self.expand(part, arguments, line, depth + 1, left)?);
                }
                let Some(body) = body else { return Some(vec![Sexp::List(own, at)]) };
                let mut found = Vec::new();
                for part in body {
                    found.extend(self.expand(part, &own, Some(at), depth + 1, left)?);
                }
                Some(found)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_are_replaced_by_what_they_stand_for() {
        let file = "; a remark (that is none\n(define leap ($1 (verify empty?) add))\n(define two (leap n) (leap $1))\n\
                    (moves (leap ne)\n (two s))";
        let (macros, others) = Macros::of(read(file).expect("a right file"));
        let moves = macros.expanded(&others[0]).expect("no more than it may be");
        assert_eq!(
            moves.to_string(),
            "(moves (ne (verify empty?) add) (n (verify empty?) add) (s (verify empty?) add))"
        );
        assert_eq!(moves.list().iter().map(Sexp::line).collect::<Vec<_>>(), [4, 4, 5, 5]);
    }

    #[test]
    fn what_does_not_end_is_refused() {
        for (file, line) in [("(a\n(b)", 1), ("(a))", 1), (&"(".repeat(100), 1)] {
            assert_eq!(read(file).expect_err(file).line, line, "{file}");
        }
        for file in ["(define a (a))\n(a)", "(define a (b) (b))(define b (c) (c))(define c (a) (a))(a)"] {
            let (macros, others) = Macros::of(read(file).expect("brackets are right"));
            assert!(macros.expanded(&others[0]).is_err(), "{file}");
        }
        assert_eq!(read("\"a (text) ; of one word\"").expect("a text").len(), 1);
    }
}
