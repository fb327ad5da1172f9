//! A query as an expression.

use super::QueryError;
use super::range::Range;
use super::terms::{PositionTerm, Term};
use super::vocabulary::{JOINING, Reader};
use super::words::{Kind, words};
use ferz_core::text::Span;
use ferz_core::text::limits::{QUERY_BYTES_MAX, QUERY_CONDITIONS_MAX, QUERY_DEPTH_MAX};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A query, the same for every game. Cheap to clone.
///
/// ```
/// use ferz_search::Query;
///
/// let query: Query = "flip material KRPvKR and ply >= 40".parse()?;
/// assert_eq!(query.to_string(), "flip material KRPvKR and ply >= 40");
///
/// let error = "material KRPvKR and blance RvB".parse::<Query>().err().ok_or("read")?;
/// assert_eq!(error.to_string(), "`blance` is not a condition; did you mean `balance`?");
/// assert_eq!((error.span.start, error.span.end), (20, 26));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    text: Arc<str>,
    pub(crate) root: Arc<Node>,
}

/// A part of a query.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Node {
    /// A condition, with its place.
    Term(Term, Span),
    Not(Box<Node>),
    Ever(Box<Node>),
    Never(Box<Node>),
    All(Vec<Node>),
    Any(Vec<Node>),
    /// The second, after the first.
    Then(Box<[Node; 2]>),
    /// The second, one ply after the first.
    Next(Box<[Node; 2]>),
    /// How often it has been true so far.
    Count(Range, Box<Node>),
    Flip(Box<Node>),
    Mirror(Box<Node>),
}

impl FromStr for Query {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Query, QueryError> {
        let whole = Span::new(0, text.len());
        if text.len() > QUERY_BYTES_MAX {
            let message = format!("the query has {} bytes, more than {QUERY_BYTES_MAX}", text.len());
            return Err(QueryError::new(whole, message, "split it into several"));
        }
        let mut reader = Reader::new(words(text)?, text.len());
        if reader.peek().is_none() {
            return Err(QueryError::new(whole, "the query is empty", "write a condition, such as `Nd5`"));
        }
        let root = any(&mut reader, 0)?;
        if let Some(word) = reader.peek() {
            let remedy = match word.kind {
                Kind::Close => "it has no `(` before it",
                _ => "write `and`, `or`, `then` or `next` before it",
            };
            return Err(QueryError::new(word.span, format!("`{}` is unexpected here", word.text), remedy));
        }
        if root.conditions() > QUERY_CONDITIONS_MAX {
            let message = format!("the query has more than {QUERY_CONDITIONS_MAX} conditions");
            let remedy = "split it into several; each `flip` and `mirror` doubles what it is before";
            return Err(QueryError::new(whole, message, remedy));
        }
        if let Some(span) = root.turned_fen(false) {
            let remedy = "write both positions with `or`, or use `pattern`, which says nothing about rights";
            return Err(QueryError::new(span, "a FEN cannot be flipped or mirrored", remedy));
        }
        Ok(Query { text: text.into(), root: Arc::new(root) })
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl Query {
    /// The conditions of the query, as they were written, in order.
    pub fn conditions(&self) -> Vec<&str> {
        let mut spans = Vec::new();
        self.root.each_term(&mut |_, span| spans.push(span));
        spans.into_iter().filter_map(|span| self.text_at(span)).collect()
    }

    /// The query with a parenthesis around each of its parts, in the order of `(then first second)`.
    pub fn structure(&self) -> String {
        self.root.structure(self)
    }

    /// The text of a condition.
    pub(crate) fn text_at(&self, span: Span) -> Option<&str> {
        self.text.get(span.start..span.end)
    }
}

impl Node {
    fn structure(&self, query: &Query) -> String {
        let of = |word: String, nodes: &[&Node]| {
            let nodes = nodes.iter().map(|node| node.structure(query));
            let parts: Vec<String> = std::iter::once(word).chain(nodes).collect();
            format!("({})", parts.join(" "))
        };
        let all = |word: &str, nodes: &[Node]| of(word.to_owned(), &nodes.iter().collect::<Vec<_>>());
        match self {
            Node::Term(_, span) => format!("[{}]", query.text_at(*span).unwrap_or_default()),
            Node::Not(node) => of("not".to_owned(), &[node]),
            Node::Ever(node) => of("ever".to_owned(), &[node]),
            Node::Never(node) => of("never".to_owned(), &[node]),
            Node::Flip(node) => of("flip".to_owned(), &[node]),
            Node::Mirror(node) => of("mirror".to_owned(), &[node]),
            Node::Count(range, node) => of(format!("count {range}"), &[node]),
            Node::All(nodes) => all("and", nodes),
            Node::Any(nodes) => all("or", nodes),
            Node::Then(nodes) => all("then", &nodes[..]),
            Node::Next(nodes) => all("next", &nodes[..]),
        }
    }

    /// How many conditions it has when those that are turned count twice.
    fn conditions(&self) -> usize {
        match self {
            Node::Term(..) => 1,
            Node::Not(of) | Node::Ever(of) | Node::Never(of) | Node::Count(_, of) => of.conditions(),
            Node::Flip(of) | Node::Mirror(of) => of.conditions().saturating_mul(2),
            Node::All(nodes) | Node::Any(nodes) => nodes.iter().map(Node::conditions).sum(),
            Node::Then(nodes) | Node::Next(nodes) => nodes.iter().map(Node::conditions).sum(),
        }
    }

    /// The place of a FEN that would have to be turned.
    fn turned_fen(&self, turned: bool) -> Option<Span> {
        let of = |node: &Node| node.turned_fen(turned);
        match self {
            Node::Term(Term::Position(PositionTerm::Fen(_)), span) => turned.then_some(*span),
            Node::Term(..) => None,
            Node::Not(node) | Node::Ever(node) | Node::Never(node) | Node::Count(_, node) => of(node),
            Node::Flip(node) | Node::Mirror(node) => node.turned_fen(true),
            Node::All(nodes) | Node::Any(nodes) => nodes.iter().find_map(of),
            Node::Then(nodes) | Node::Next(nodes) => nodes.iter().find_map(of),
        }
    }

    /// Calls `found` for every condition.
    pub(crate) fn each_term<'n>(&'n self, found: &mut impl FnMut(&'n Term, Span)) {
        match self {
            Node::Term(term, span) => found(term, *span),
            Node::Not(of) | Node::Ever(of) | Node::Never(of) => of.each_term(found),
            Node::Count(_, of) | Node::Flip(of) | Node::Mirror(of) => of.each_term(found),
            Node::All(nodes) | Node::Any(nodes) => nodes.iter().for_each(|node| node.each_term(found)),
            Node::Then(nodes) | Node::Next(nodes) => nodes.iter().for_each(|node| node.each_term(found)),
        }
    }
}

/// Conditions with `or` between them.
fn any(reader: &mut Reader<'_>, depth: usize) -> Result<Node, QueryError> {
    let mut nodes = vec![sequence(reader, depth)?];
    while reader.take_word("or") {
        nodes.push(sequence(reader, depth)?);
    }
    Ok(one_of(nodes, Node::Any))
}

/// Conditions with `then` or `next` between them, from left to right.
fn sequence(reader: &mut Reader<'_>, depth: usize) -> Result<Node, QueryError> {
    let (mut node, mut depth) = (all(reader, depth)?, depth);
    loop {
        let of = if reader.take_word("then") {
            Node::Then
        } else if reader.take_word("next") {
            Node::Next
        } else {
            return Ok(node);
        };
        depth = deeper(reader, depth)?;
        node = of(Box::new([node, all(reader, depth)?]));
    }
}

/// Conditions with `and` between them.
fn all(reader: &mut Reader<'_>, depth: usize) -> Result<Node, QueryError> {
    let mut nodes = vec![changed(reader, depth)?];
    while reader.take_word("and") {
        nodes.push(changed(reader, depth)?);
    }
    Ok(one_of(nodes, Node::All))
}

fn one_of(mut nodes: Vec<Node>, of: fn(Vec<Node>) -> Node) -> Node {
    match nodes.pop() {
        Some(only) if nodes.is_empty() => only,
        last => {
            nodes.extend(last);
            of(nodes)
        }
    }
}

/// What changes a condition.
type Change = fn(Box<Node>) -> Node;

/// The words that change the condition after them.
const CHANGES: [(&str, Change); 5] = [
    ("not", Node::Not),
    ("ever", Node::Ever),
    ("never", Node::Never),
    ("flip", Node::Flip),
    ("mirror", Node::Mirror),
];

/// A condition, with what changes it before it.
fn changed(reader: &mut Reader<'_>, depth: usize) -> Result<Node, QueryError> {
    let depth = deeper(reader, depth)?;
    for (word, change) in CHANGES {
        if reader.take_word(word) {
            return Ok(change(Box::new(changed(reader, depth)?)));
        }
    }
    if reader.take_word("count") {
        let range = reader.range("how often: >= 3, 1..2", Range::number)?;
        return Ok(Node::Count(range, Box::new(changed(reader, depth)?)));
    }
    if reader.peek().is_some_and(|word| word.kind == Kind::Open) {
        let open = reader.place();
        reader.take();
        let node = any(reader, depth)?;
        let place = reader.place();
        return match reader.take() {
            Some(word) if word.kind == Kind::Close => Ok(node),
            Some(word) => {
                let message = format!("`{}` is unexpected here", word.text);
                Err(QueryError::new(word.span, message, "write `and`, `or`, `then`, `next` or `)` before it"))
            }
            None => {
                let place = Span::new(open.start, place.end);
                Err(QueryError::new(place, "the parenthesis has no end", "write `)` after it"))
            }
        };
    }
    if let Some(word) = reader.peek().filter(|word| JOINING.iter().any(|joining| word.is(joining))) {
        let message = format!("a condition is missing before `{}`", word.text);
        return Err(QueryError::new(word.span, message, "write one, such as `Nd5`"));
    }
    let terms = reader.condition()?;
    Ok(one_of(terms.into_iter().map(|(term, span)| Node::Term(term, span)).collect(), Node::All))
}

/// The next depth.
fn deeper(reader: &Reader<'_>, depth: usize) -> Result<usize, QueryError> {
    if depth >= QUERY_DEPTH_MAX {
        let message = format!("the query is nested deeper than {QUERY_DEPTH_MAX}");
        return Err(QueryError::new(reader.place(), message, "write it with fewer parentheses"));
    }
    Ok(depth + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(query: &str) -> String {
        let query: Query = query.parse().unwrap_or_else(|error| panic!("{query}: {error}"));
        query.structure()
    }

    #[test]
    fn words_bind_in_their_order() {
        assert_eq!(
            shape("Nd5 or Qh7 and check then Rd8 next last"),
            "(or [Nd5] (next (then (and [Qh7] [check]) [Rd8]) [last]))"
        );
        assert_eq!(shape("not Nd5 and never (Qh7 or check)"), "(and (not [Nd5]) (never (or [Qh7] [check])))");
        assert_eq!(shape("flip mirror count >= 3 QxP"), "(flip (mirror (count 3.. [QxP])))");
        assert_eq!(shape("(((Nd5)))"), "[Nd5]");
        assert_eq!(
            shape("white Ann and elo >= 2400 and date 1990..1999"),
            "(and [white Ann] [elo >= 2400] [date 1990..1999])"
        );
        assert_eq!(shape("nature captures P and by black"), "(and (and [nature] [captures P]) [by black])");
    }

    #[test]
    fn every_kind_of_condition_is_read() {
        for query in [
            "white \"Anand, V\"",
            "player ~ Tchigorin",
            "nature Cora",
            "black != \"Ben\"",
            "tag Mode",
            "tag Mode = ICS",
            "eco B90 or opening Sicilian",
            "date >= 1990.05",
            "date ..1899",
            "elo 2400..2600",
            "result draw",
            "variant iago-b",
            "legal",
            "plies < 20",
            "[RQ]a-h7",
            "[white]d5",
            "anyd4-5",
            "_e4",
            "~Nd5",
            "*N",
            "K",
            "+Rc3",
            "R'",
            "fen \"8/8/8/8/8/8/8/K1k5 w - - 0 1\"",
            "fen 8/8/8/8/8/8/8/K1k5",
            "pattern \"*/*/*/*pP*/*/*/*/*\"",
            "material KRPvKR",
            "material KQ+vK+",
            "balance RvBN",
            "balance Pv",
            "hand Qp",
            "hand -",
            "reserve Mm",
            "right gate b1",
            "right castle a-h1",
            "turn black",
            "check",
            "checks white >= 2",
            "clock nature <= 2",
            "halfmoves >= 90",
            "ply 20..40",
            "last",
            "claimable threefold",
            "end mate",
            "illegal",
            "diagnostic N004",
            "by nature",
            "moves [NB]b1",
            "from e1 and to [g1,c1]",
            "captures",
            "captures Q",
            "captures d5",
            "captures P@e5",
            "QxP",
            "Qd1xd5",
            "NxPe5",
            "drop",
            "drop N@f7",
            "drop N f7",
            "gate C b1",
            "promote F",
            "castle",
            "ep",
            "pass",
            "illegal let-stand",
            "let-stand",
        ] {
            shape(query);
        }
    }

    #[test]
    fn faults_have_a_place_and_a_remedy() {
        let faults = [
            "",
            "Nd5 and",
            "and Nd5",
            "Nd5 Qh7",
            "(Nd5",
            "Nd5)",
            "(Nd5 Qh7)",
            "d5",
            "blance RvB",
            "frobnicate",
            "white",
            "white and Nd5",
            "elo >= strong",
            "date 1990.13..1999",
            "material KRPKR",
            "material kvk",
            "result 2-0",
            "clock nature often",
            "clock minute 3",
            "ply !=3",
            "right",
            "end chekmate",
            "claimable x",
            "diagnostic x",
            "fen x",
            "moves n",
            "exd5",
            "\"Ann\"",
            ">= 3",
            "white \"Ann",
            "count Nd5",
            "flip (check and fen \"8/8/8/8/8/8/8/K1k5 w - - 0 1\")",
            "flip flip flip flip flip flip flip flip flip flip K",
            "() and Nd5",
        ];
        let mut said = String::new();
        for query in faults {
            let error = query.parse::<Query>().err().unwrap_or_else(|| panic!("{query} was read"));
            assert!(error.span.start <= error.span.end && error.span.end <= query.len(), "{query} {error:?}");
            assert!(query.is_char_boundary(error.span.start) && query.is_char_boundary(error.span.end));
            let caret = format!("{}{}", " ".repeat(error.span.start), "^".repeat(error.span.len().max(1)));
            said += &format!("{query}\n{caret}\n  {}\n  {}\n\n", error.message, error.remedy);
        }
        insta::assert_snapshot!(said);
    }

    #[test]
    fn deep_and_long_queries_are_refused() {
        for query in ["(".repeat(5_000) + "K", "not ".repeat(5_000) + "K", "K then ".repeat(500) + "K"] {
            let error = query.parse::<Query>().unwrap_err();
            assert!(error.message.starts_with("the query "), "{error}");
        }
        assert!(format!("K{}", " or K".repeat(200)).parse::<Query>().is_ok());
    }

    proptest::proptest! {
        /// Whatever is written, it is read or refused at a place of the text.
        #[test]
        fn any_text_is_read_or_refused(text in "[a-zA-Z0-9 ()\"<>=~+@_\\[\\]/*?!.é-]{0,40}") {
            if let Err(error) = text.parse::<Query>() {
                let (start, end) = (error.span.start, error.span.end);
                proptest::prop_assert!(text.get(start..end).is_some(), "{error:?}");
            }
        }
    }
}
