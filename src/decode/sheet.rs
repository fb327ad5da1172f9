//! What was written on one sheet: tokens between nodes, with every way to cut and to join them.

use crate::costs::Bits;
use ferz_core::text::Span;

/// A text, or a row of cells, to be read as a game: a graph whose paths are the ways to divide it into tokens.
///
/// Nodes are places between tokens, in order; each edge is a token from one node to a later one.
#[derive(Debug, Clone, Default)]
pub struct Sheet {
    pub(crate) edges: Vec<Edge>,
    /// The edges that begin at each node.
    pub(crate) starts: Vec<Vec<u32>>,
}

/// A token.
#[derive(Debug, Clone)]
pub(crate) struct Edge {
    /// The node that it begins at.
    pub from: u32,
    /// The node that it ends at.
    pub to: u32,
    /// Its place in the text.
    pub span: Span,
    /// What it may say, with the cost of each: one text, or the guesses of a recogniser.
    pub texts: Vec<(String, Bits)>,
    /// True if it stands after the number of a turn of Nature.
    pub natures: bool,
    /// Check or mate, as far as it is marked.
    pub mark: Mark,
    /// What it is if no ply.
    pub kind: EdgeKind,
    /// The cost of leaving it out; `None` if it is only a way to divide the text.
    pub skip: Option<Bits>,
    /// The cost of dividing the text so, where it is a ply; `None` if it cannot be one.
    pub ply: Option<Bits>,
}

impl Edge {
    /// True for a token, or a part of one, that could be a ply or be left out: not for a way to divide the text.
    pub fn is_token(&self) -> bool {
        self.ply.is_some() && self.skip.is_some()
    }

    /// True for a token that could be a ply, or two with a space between.
    pub fn is_whole(&self) -> bool {
        self.is_token() || self.ply.is_some() && self.texts.len() > 1
    }
}

/// What a token is, if no ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EdgeKind {
    /// Words, and plies that are left out.
    Other,
    /// The number of a move, and whose it is by its dots, if they say.
    Number {
        /// The number.
        value: u32,
        /// White's or Black's.
        whites: Option<bool>,
    },
    /// The number of a turn of Nature.
    Interjection,
    /// A comment, a variation, an annotation, white space: nothing between the plies.
    Aside,
    /// A result.
    Result,
}

/// A mark after a ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Mark {
    /// None.
    #[default]
    None,
    /// `+`, `#`, `†`, `mate`.
    Check,
}

impl Sheet {
    /// The number of nodes.
    pub(crate) fn nodes(&self) -> usize {
        self.starts.len()
    }

    /// The node after the last token.
    pub(crate) fn last(&self) -> u32 {
        (self.nodes() - 1) as u32
    }

    /// The tokens that begin at a node.
    pub(crate) fn from(&self, node: u32) -> impl Iterator<Item = (u32, &Edge)> {
        self.starts[node as usize].iter().map(|index| (*index, &self.edges[*index as usize]))
    }

    /// A new node at the end.
    pub(crate) fn node(&mut self) -> u32 {
        self.starts.push(Vec::new());
        self.last()
    }

    /// Adds a token.
    pub(crate) fn add(&mut self, edge: Edge) {
        debug_assert!(edge.from < edge.to && (edge.to as usize) < self.nodes());
        self.starts[edge.from as usize].push(self.edges.len() as u32);
        self.edges.push(edge);
    }

    /// The bytes of the tokens that could be plies.
    pub(crate) fn bytes(&self) -> usize {
        self.edges.iter().filter(|edge| edge.is_token()).map(|edge| edge.span.len()).sum()
    }

    /// True if there is nothing on it that could be a ply.
    pub fn is_empty(&self) -> bool {
        self.edges.iter().all(|edge| edge.ply.is_none())
    }
}
