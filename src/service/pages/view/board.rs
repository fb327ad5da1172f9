//! The board at one moment of a game.

use ferz::board::{BoardName, Mask, Owner, Square};
use ferz::diagram::{Options, svg, text};
use ferz::judge::ClaimableDraw;
use ferz::position::Position;
use ferz::record::comment::{CommandKind, commands, free_text};
use ferz::record::{CommentKind, ItemKind, Record};
use ferz::replay::{Claimable, OnTwo, Trace, summary};

/// The board at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// The diagram as HTML.
    pub drawing: String,
    /// The caption.
    pub caption: String,
    /// The number of plies made.
    pub ply: usize,
    /// The number of plies of the game.
    pub plies: usize,
    /// Facts that the diagram does not show.
    pub facts: Vec<String>,
    /// The extended FEN.
    pub fen: String,
    /// The record's comments on the ply that led here.
    pub comments: Vec<String>,
    /// The text of the illegal ply that was tried here.
    pub tried: Option<String>,
    /// The claims that were open here.
    pub claims: Vec<Open>,
    /// What else can be disputed about this moment.
    pub disputes: Vec<Open>,
}

/// A claim that one press has judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Open {
    /// The claim in words.
    pub text: String,
    /// The claim as the field `judge` of a form has it: kind, player, plies and intended ply, with `;` between them.
    pub value: String,
}

impl Open {
    /// A claim that was open.
    pub(super) fn of(open: &Claimable) -> Open {
        let ClaimableDraw { kind, by, ply, .. } = &open.draw;
        let intended = open.intended.as_deref().unwrap_or_default();
        Open {
            text: summary::claimable(open),
            value: format!("{};{};{ply};{intended}", kind.id(), by.name().to_lowercase()),
        }
    }
}

/// What can be disputed after a number of plies without another fact.
fn disputes<M: Mask>(position: &Position<M>, ply: usize, is_last: bool) -> Vec<Open> {
    let mover = position.turn();
    let claimant = mover.opponent().name().to_lowercase();
    let open =
        |text: String, kind: &str, by: &str, ply: usize| Open { text, value: format!("{kind};{by};{ply};") };
    let mut all = vec![open("The next ply is illegal".to_owned(), "illegal_ply", "", ply + 1)];
    all.push(open(format!("{}'s flag fell here", mover.name()), "time_win", &claimant, ply));
    if is_last {
        all.push(open("The position is dead".to_owned(), "dead_position", "", ply));
        all.push(open("The result is wrong".to_owned(), "wrong_result", "", ply));
    }
    all
}

impl Board {
    /// The previous position, or the start.
    pub fn back(&self) -> usize {
        self.ply.saturating_sub(1)
    }

    /// The next position, or the last one.
    pub fn next(&self) -> usize {
        (self.ply + 1).min(self.plies)
    }

    /// True at the start.
    pub fn is_first(&self) -> bool {
        self.ply == 0
    }

    /// True at the last position.
    pub fn is_last(&self) -> bool {
        self.ply == self.plies
    }

    /// The board of a game after a number of plies. If the next ply is illegal, its squares are marked.
    pub fn of<M: Mask>(
        trace: &Trace<M>,
        record: &Record<'_>,
        ply: usize,
        label: String,
        seen_by: Owner,
    ) -> Board {
        let plies = trace.plies.len();
        let position = trace.position(ply);
        let report = &trace.report;
        let let_stand = report.let_stand.iter().find(|illegal| illegal.ply == ply + 1);
        let tried = let_stand.or(report.illegal.as_deref().filter(|_| ply == plies));
        let marked = tried.map_or(&[][..], |illegal| &illegal.squares);
        let last = ply.checked_sub(1).and_then(|index| trace.plies.get(index)).map(|traced| traced.ply);
        let comments = ply.checked_sub(1).and_then(|index| trace.plies.get(index));
        let end = report.end.filter(|end| end.ply == ply);
        let mut board = seen_from(&position, marked, last, label, seen_by);
        board.comments = comments.map_or_else(Vec::new, |traced| remarks(record, traced.item));
        // The position shows some endings itself; do not list them twice.
        board.facts.retain(|fact| end.is_none() || !fact.starts_with("The game is over"));
        board.facts.extend(end.map(|end| format!("The game is over: {}.", summary::ending(end))));
        board.claims = report.claimable_at(ply).map(Open::of).collect();
        board.disputes = disputes(&position, ply, ply == plies);
        board.tried = tried.map(|illegal| illegal.text.clone());
        Board { ply, plies, ..board }
    }
}

impl Board {
    /// Both boards of a game on two after a number of plies of the record. Partners sit side by side: board B is seen
    /// from the other side.
    pub fn on_two<M: Mask>(
        game: &OnTwo<M>,
        record: &Record<'_>,
        ply: usize,
        label: String,
        seen_by: Owner,
    ) -> Board {
        let plies = game.plies.len();
        let positions = game.positions(ply);
        let report = &game.report;
        let last = ply.checked_sub(1).and_then(|index| game.plies.get(index));
        let tried = report.illegal.as_deref().filter(|_| ply == plies);
        let [mut both, second] = BoardName::ALL.map(|name| {
            let marked = tried.filter(|illegal| illegal.board == Some(name));
            let marked = marked.map_or(&[][..], |illegal| &illegal.squares);
            let made = game.last_on(name, ply).map(|traced| traced.ply);
            let shown = Shown { marked, last: made, seen_by: name.side_of(seen_by), board: Some(name) };
            drawn(&positions[name as usize], &shown, String::new())
        });
        let on = |board: &str, facts: Vec<String>| -> Vec<String> {
            facts.into_iter().map(|fact| format!("Board {board}: {fact}")).collect()
        };
        both.drawing.push_str(&second.drawing);
        both.fen = OnTwo::fens(&positions);
        both.facts = [on("A", both.facts), on("B", second.facts)].concat();
        let end = report.end.filter(|_| ply == plies);
        both.facts.extend(end.map(|end| {
            format!("The game is over: {} after {}.", summary::ending(end), summary::numbered(end))
        }));
        both.comments = last.map_or_else(Vec::new, |last| remarks(record, last.traced.item));
        both.tried = tried.map(|illegal| illegal.text.clone());
        Board { ply, plies, caption: label, ..both }
    }
}

/// The board of a single position.
pub fn position_board<M: Mask>(
    position: &Position<M>,
    marked: &[String],
    last: Option<ferz::position::Ply>,
    caption: String,
) -> Board {
    seen_from(position, marked, last, caption, Owner::White)
}

/// The board of a position with a player at the bottom.
fn seen_from<M: Mask>(
    position: &Position<M>,
    marked: &[String],
    last: Option<ferz::position::Ply>,
    caption: String,
    seen_by: Owner,
) -> Board {
    // One board a page: positions share their figures, and all positions of a game are sent at once.
    drawn(position, &Shown { marked, last, seen_by, board: None }, caption)
}

/// How a position is drawn.
struct Shown<'a> {
    marked: &'a [String],
    last: Option<ferz::position::Ply>,
    seen_by: Owner,
    /// Which of two boards on a page it is.
    board: Option<BoardName>,
}

fn drawn<M: Mask>(position: &Position<M>, shown: &Shown<'_>, caption: String) -> Board {
    let Shown { marked, last, seen_by, board: name } = *shown;
    let board = position.rules().board();
    let at_issue: Vec<Square> = marked.iter().filter_map(|name| board.parse_square(name)).collect();
    let marked = M::of(at_issue.iter().copied()) | in_the_way(position, &at_issue);
    let id = Some(format!("board{}", name.map_or("", BoardName::name)));
    let title = name.map(|name| format!("Board {name}"));
    let options = Options { id, last, marked, seen_by, title, ..Options::default() };
    Board {
        drawing: svg(position, &options),
        caption,
        ply: 0,
        plies: 0,
        facts: text::facts(position).lines().map(str::to_owned).collect(),
        fen: position.fen(),
        comments: Vec::new(),
        tried: None,
        claims: Vec::new(),
        disputes: Vec::new(),
    }
}

/// The pieces between two squares at issue on a line, which a move or castling would pass; and those that give check,
/// if a single square is at issue, the king's.
fn in_the_way<M: Mask>(position: &Position<M>, at_issue: &[Square]) -> M {
    let rules = position.rules();
    match at_issue {
        [from, to] => rules.geometry.between(*from, *to) & position.occupied(),
        [square] if position.in_check() && *square == position.state().king(rules, position.turn()) => {
            position.checkers()
        }
        _ => M::EMPTY,
    }
}

/// A comment as people read it: times of clocks in words, without other commands for programs.
fn readable(comment: &str) -> String {
    let times = commands(comment).filter_map(|command| match command.kind {
        CommandKind::Clock(time) => Some(format!("clock {time}")),
        CommandKind::Elapsed(time) => Some(format!("{time} used")),
        _ => None,
    });
    let text = free_text(comment);
    [text].into_iter().filter(|text| !text.is_empty()).chain(times).collect::<Vec<_>>().join("; ")
}

/// The comments after a ply of the record.
fn remarks(record: &Record<'_>, item: usize) -> Vec<String> {
    let after = record.items.iter().skip(item + 1);
    let own = after.take_while(|item| matches!(item.kind, ItemKind::Comment(_) | ItemKind::Nag { .. }));
    let texts = own.filter_map(|item| match item.kind {
        ItemKind::Comment(CommentKind::Escape | CommentKind::Deep) => None,
        ItemKind::Comment(_) => Some(ferz::text::visible(readable(&record.text(*item)).as_bytes())),
        _ => None,
    });
    texts.filter(|text| !text.is_empty()).collect()
}
