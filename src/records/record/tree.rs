//! Views of the flat items as a tree: lines, their plies, and the items of each ply.

use super::item::{CommentKind, Item, ItemKind, MoveNumber};
use super::read::Record;
use std::borrow::Cow;

/// A line of play: the main line of a record, or a variation. A range of the record's items.
#[derive(Debug, Clone, Copy)]
pub struct Line<'r, 'a> {
    record: &'r Record<'a>,
    start: usize,
    end: usize,
}

/// One ply of a line, with the items before and after it.
///
/// Before it: everything from its first move number on. After it: annotations, comments and variations up to the next
/// move number, ply or result. Items before the first ply of a line belong to that ply.
#[derive(Debug, Clone, Copy)]
pub struct Ply<'r, 'a> {
    record: &'r Record<'a>,
    head: usize,
    index: usize,
    tail_end: usize,
}

/// The items of a line, each variation only as its start. Made by [`Line::items`].
#[derive(Debug, Clone)]
pub struct Items<'r> {
    /// Up to the end of the line.
    items: &'r [Item],
    pos: usize,
}

/// The plies of a line. Made by [`Line::plies`].
#[derive(Debug, Clone)]
pub struct Plies<'r, 'a> {
    record: &'r Record<'a>,
    pos: usize,
    end: usize,
}

/// The plies of the main line as bare items. Made by [`Record::main_moves`].
#[derive(Debug, Clone)]
pub struct MainMoves<'r> {
    items: &'r [Item],
    pos: usize,
}

impl<'a> Record<'a> {
    /// The main line.
    ///
    /// ```
    /// let source = b"1. e4 {best} e5 (1... c5 2. Nf3) 2. f4 *";
    /// let record = ferz_records::record::read(source, 0).next().ok_or("no game")?;
    /// let plies: Vec<_> = record.main_line().plies().collect();
    /// assert_eq!(plies[0].comments_after().collect::<Vec<_>>(), ["best"]);
    /// assert_eq!(plies[1].text(), "e5");
    /// let line = plies[1].variations().next().ok_or("no variation")?;
    /// assert_eq!(line.plies().map(|p| p.text()).collect::<Vec<_>>(), ["c5", "Nf3"]);
    /// # Ok::<(), &str>(())
    /// ```
    pub fn main_line(&self) -> Line<'_, 'a> {
        Line { record: self, start: 0, end: self.items.len() }
    }

    /// The plies of the main line with their indices in [`items`](Record::items): the cheapest way to walk a game.
    pub fn main_moves(&self) -> MainMoves<'_> {
        MainMoves::of(&self.items)
    }

    /// The variation that item `index` starts, if it does.
    pub fn variation(&self, index: usize) -> Option<Line<'_, 'a>> {
        match self.items.get(index)?.kind {
            ItemKind::VariationStart { end } => {
                Some(Line { record: self, start: index + 1, end: end as usize })
            }
            _ => None,
        }
    }
}

impl<'r, 'a> Line<'r, 'a> {
    /// The plies in order.
    pub fn plies(&self) -> Plies<'r, 'a> {
        Plies { record: self.record, pos: self.start, end: self.end }
    }

    /// All items of this line with their indices in the record; of a variation only its start.
    pub fn items(&self) -> Items<'r> {
        Items { items: &self.record.items[..self.end], pos: self.start }
    }

    /// The line as a range of the record's items.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.start..self.end
    }
}

impl<'r> Iterator for Items<'r> {
    type Item = (usize, &'r Item);

    #[inline]
    fn next(&mut self) -> Option<(usize, &'r Item)> {
        let index = self.pos;
        let item = self.items.get(index)?;
        self.pos += 1;
        if let ItemKind::VariationStart { end } = item.kind {
            self.pos = end as usize + 1;
        }
        Some((index, item))
    }
}

impl MainMoves<'_> {
    /// The plies of the main line among these items, in which every variation is closed.
    pub(super) fn of(items: &[Item]) -> MainMoves<'_> {
        MainMoves { items, pos: 0 }
    }
}

impl Iterator for MainMoves<'_> {
    type Item = (usize, Item);

    #[inline]
    fn next(&mut self) -> Option<(usize, Item)> {
        loop {
            let (index, item) = (self.pos, self.items.get(self.pos)?);
            self.pos += 1;
            match item.kind {
                ItemKind::Move => return Some((index, *item)),
                ItemKind::VariationStart { end } => self.pos = end as usize + 1,
                _ => {}
            }
        }
    }
}

impl<'r, 'a> Iterator for Plies<'r, 'a> {
    type Item = Ply<'r, 'a>;

    fn next(&mut self) -> Option<Ply<'r, 'a>> {
        let head = self.pos;
        let mut walk = Items { items: &self.record.items[..self.end], pos: head };
        let (index, _) = walk.find(|(_, item)| item.kind == ItemKind::Move)?;
        let mut tail_end = walk.pos;
        for (next, item) in walk {
            if matches!(item.kind, ItemKind::Move | ItemKind::MoveNumber(_) | ItemKind::Result(_)) {
                break;
            }
            tail_end = match item.kind {
                ItemKind::VariationStart { end } => end as usize + 1,
                _ => next + 1,
            };
        }
        self.pos = tail_end;
        Some(Ply { record: self.record, head, index, tail_end })
    }
}

impl<'r, 'a> Ply<'r, 'a> {
    /// The index of the ply's own item in the record.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The ply's own item.
    pub fn item(&self) -> Item {
        self.record.items[self.index]
    }

    /// The ply as written, without `!` and `?` after it.
    pub fn text(&self) -> Cow<'a, str> {
        self.record.text(self.item())
    }

    /// The last move number before the ply.
    pub fn number(&self) -> Option<MoveNumber> {
        self.before()
            .filter_map(|(_, item)| if let ItemKind::MoveNumber(n) = item.kind { Some(n) } else { None })
            .last()
    }

    /// The items before the ply that belong to it.
    pub fn before(&self) -> Items<'r> {
        Items { items: &self.record.items[..self.index], pos: self.head }
    }

    /// The items after the ply that belong to it.
    pub fn after(&self) -> Items<'r> {
        Items { items: &self.record.items[..self.tail_end], pos: self.index + 1 }
    }

    /// The numbers of the annotations after the ply.
    pub fn nags(&self) -> impl Iterator<Item = u16> + use<'r> {
        self.after().filter_map(
            |(_, item)| if let ItemKind::Nag { value, .. } = item.kind { Some(value) } else { None },
        )
    }

    /// The comments before the ply, without escape lines.
    pub fn comments_before(&self) -> impl Iterator<Item = Cow<'a, str>> + use<'r, 'a> {
        comments(self.record, self.before())
    }

    /// The comments after the ply, without escape lines.
    pub fn comments_after(&self) -> impl Iterator<Item = Cow<'a, str>> + use<'r, 'a> {
        comments(self.record, self.after())
    }

    /// The variations after the ply, each an alternative to it.
    pub fn variations(&self) -> impl Iterator<Item = Line<'r, 'a>> + use<'r, 'a> {
        let record = self.record;
        self.after().filter_map(move |(index, _)| record.variation(index))
    }
}

fn comments<'r, 'a>(
    record: &'r Record<'a>,
    items: Items<'r>,
) -> impl Iterator<Item = Cow<'a, str>> + use<'r, 'a> {
    items.filter_map(|(_, item)| match item.kind {
        ItemKind::Comment(CommentKind::Escape) => None,
        ItemKind::Comment(_) => Some(record.text(*item)),
        _ => None,
    })
}
