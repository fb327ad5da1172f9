//! Reads terms: which words there are, and what may follow each.

use super::QueryError;
use super::men::{Kinds, Men, Squares};
use super::pattern::Pattern;
use super::plan::folded;
use super::range::{Range, endings, result};
use super::terms::{Counter, GameTerm, PlyTerm, PositionTerm, ReportTerm, Term, Wanted};
use super::words::{Kind, Word};
use ferz_core::board::Owner;
use ferz_core::judge::ClaimableKind;
use ferz_core::position::StockName;
use ferz_core::text::fold::{fold, words};
use ferz_core::text::{Code, Span, distance};

/// Words that join or change conditions.
pub(crate) const JOINING: [&str; 10] =
    ["and", "or", "not", "then", "next", "ever", "never", "count", "flip", "mirror"];

/// Words that begin a condition, besides those of tags.
const BEGINNING: [&str; 40] = [
    "balance",
    "black",
    "by",
    "captures",
    "castle",
    "check",
    "checks",
    "claimable",
    "clock",
    "date",
    "diagnostic",
    "drop",
    "elo",
    "end",
    "ep",
    "fen",
    "from",
    "gate",
    "halfmoves",
    "hand",
    "illegal",
    "last",
    "legal",
    "let-stand",
    "material",
    "moves",
    "nature",
    "pass",
    "pattern",
    "player",
    "plies",
    "ply",
    "promote",
    "reserve",
    "result",
    "right",
    "tag",
    "to",
    "turn",
    "variant",
];

/// Words for plies that may follow a player's.
const VERBS: [&str; 7] = ["captures", "moves", "drop", "gate", "promote", "castle", "pass"];

/// Tags that need no `tag` before them: the word, and the tag's name.
const TAGS: [(&str, &str); 13] = [
    ("annotator", "Annotator"),
    ("blackelo", "BlackElo"),
    ("eco", "ECO"),
    ("event", "Event"),
    ("natureelo", "NatureElo"),
    ("opening", "Opening"),
    ("round", "Round"),
    ("rulesedition", "RulesEdition"),
    ("site", "Site"),
    ("termination", "Termination"),
    ("timecontrol", "TimeControl"),
    ("whiteelo", "WhiteElo"),
    ("eventdate", "EventDate"),
];

/// The words of a query that are still to be read.
pub(crate) struct Reader<'q> {
    words: Vec<Word<'q>>,
    at: usize,
    /// The length of the query.
    end: usize,
}

/// What a number of plies may be.
const PLIES: &str = "a number of plies: 20, >= 20, 20..40";

/// A value that may follow a word.
type Read<T> = Result<T, QueryError>;

impl<'q> Reader<'q> {
    pub(crate) fn new(words: Vec<Word<'q>>, end: usize) -> Reader<'q> {
        Reader { words, at: 0, end }
    }

    /// The next word, which stays.
    pub(crate) fn peek(&self) -> Option<Word<'q>> {
        self.words.get(self.at).copied()
    }

    /// The next word, which is taken.
    pub(crate) fn take(&mut self) -> Option<Word<'q>> {
        let word = self.peek();
        self.at += usize::from(word.is_some());
        word
    }

    /// Takes the next word if it is this one.
    pub(crate) fn take_word(&mut self, text: &str) -> bool {
        let is_next = self.peek().is_some_and(|word| word.is(text));
        self.at += usize::from(is_next);
        is_next
    }

    /// The place after the last word that was taken.
    pub(crate) fn place(&self) -> Span {
        self.peek().map_or(Span::new(self.last_end(), self.end), |word| word.span)
    }

    /// The end of the last word that was taken.
    fn last_end(&self) -> usize {
        self.at.checked_sub(1).and_then(|last| self.words.get(last)).map_or(0, |word| word.span.end)
    }

    /// The next word as a value.
    fn value(&mut self, wanted: &str) -> Read<Word<'q>> {
        let place = self.place();
        let fits = |word: &Word<'_>| {
            word.kind == Kind::Quoted || word.kind == Kind::Word && !JOINING.contains(&word.text)
        };
        match self.peek().filter(fits) {
            Some(word) => {
                self.at += 1;
                Ok(word)
            }
            None => Err(QueryError::new(place, "a value is missing here", format!("write {wanted}"))),
        }
    }

    /// The next word, read by `read`.
    fn read<T>(&mut self, wanted: &str, read: impl Fn(&'q str) -> Option<T>) -> Read<T> {
        let word = self.value(wanted)?;
        read(word.text).ok_or_else(|| word.fault(wanted))
    }

    /// The next word, if `read` can read it.
    fn option<T>(&mut self, read: impl Fn(&'q str) -> Option<T>) -> Option<T> {
        let found = self.peek().filter(|word| word.kind == Kind::Word).and_then(|word| read(word.text));
        self.at += usize::from(found.is_some());
        found
    }

    /// `OP N`, `N` or `N..N`.
    pub(crate) fn range(&mut self, wanted: &str, one: impl Fn(&str) -> Option<Range> + Copy) -> Read<Range> {
        let sign = self.sign();
        let read = |text: &str| if sign.is_some() { one(text) } else { Range::between(text, one) };
        let range = self.read(wanted, read)?;
        match sign {
            Some(sign) if matches!(sign.text, "!=" | "~") => {
                Err(sign.fault("one of =, <, <=, >, >=, or a range such as 20..40"))
            }
            sign => Ok(Range::of(sign.map_or("=", |sign| sign.text), range)),
        }
    }

    fn sign(&mut self) -> Option<Word<'q>> {
        let sign = self.peek().filter(|word| word.kind == Kind::Sign);
        self.at += usize::from(sign.is_some());
        sign
    }

    /// The next condition with its place; `nature captures` is two.
    pub(crate) fn condition(&mut self) -> Read<Vec<(Term, Span)>> {
        let owner = self.peek().filter(|word| word.kind == Kind::Word).and_then(|word| owner(word.text));
        let verb = self.words.get(self.at + 1);
        if let Some(owner) = owner
            && verb.is_some_and(|word| VERBS.iter().any(|verb| word.is(verb)))
        {
            let by = (Term::Ply(PlyTerm::By(owner)), self.place());
            self.at += 1;
            return Ok(vec![by, self.placed()?]);
        }
        Ok(vec![self.placed()?])
    }

    fn placed(&mut self) -> Read<(Term, Span)> {
        let start = self.place().start;
        let term = self.term()?;
        Ok((term, Span::new(start, self.last_end())))
    }

    fn term(&mut self) -> Read<Term> {
        let place = self.place();
        let Some(word) = self.take() else {
            return Err(QueryError::new(place, "a condition is missing here", "write one, such as `Nd5`"));
        };
        match word.kind {
            Kind::Word => {}
            Kind::Close => {
                return Err(QueryError::new(place, "a condition is missing before `)`", "write one"));
            }
            Kind::Open | Kind::Quoted | Kind::Sign => {
                let remedy = "write what it is about before it, as in `white \"Ann\"` or `elo >= 2400`";
                return Err(QueryError::new(place, format!("`{}` is not a condition", word.text), remedy));
            }
        }
        let lower = word.text.to_ascii_lowercase();
        if let Some(term) = self.of_game(&lower).transpose()? {
            return Ok(Term::Game(term));
        }
        if let Some(term) = self.of_position(&lower).transpose()? {
            return Ok(Term::Position(term));
        }
        if let Some(term) = self.of_report(&lower).transpose()? {
            return Ok(Term::Report(term));
        }
        if let Some(term) = self.of_ply(&lower).transpose()? {
            return Ok(Term::Ply(term));
        }
        men(word)
    }

    fn of_game(&mut self, word: &str) -> Option<Read<GameTerm>> {
        let tag = |names: &[&str], wanted: Read<Wanted>| {
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            Some(wanted.map(|wanted| GameTerm::Tag { names, wanted }))
        };
        if let Some((_, name)) = TAGS.iter().find(|(known, _)| *known == word) {
            let wanted = match *name {
                "WhiteElo" | "BlackElo" | "NatureElo" => self.rating(),
                "EventDate" => self.days(),
                _ => self.wanted(),
            };
            return tag(&[name], wanted);
        }
        match word {
            "white" => tag(&["White"], self.wanted()),
            "black" => tag(&["Black"], self.wanted()),
            "nature" => tag(&["Nature"], self.wanted()),
            "player" => tag(&["White", "Black", "Nature"], self.wanted()),
            "elo" => tag(&["WhiteElo", "BlackElo", "NatureElo"], self.rating()),
            "date" => tag(&["Date"], self.days()),
            "tag" => {
                let name = match self.value("the name of a tag") {
                    Ok(name) => name.text,
                    Err(error) => return Some(Err(error)),
                };
                let wanted = if self.is_value() { self.wanted() } else { Ok(Wanted::There) };
                tag(&[name], wanted)
            }
            "result" => Some(self.read("1-0, 0-1, 1/2-1/2 (or draw) or *", result).map(GameTerm::Result)),
            "variant" => {
                let name = self.value("the name of a game, such as iago-b");
                Some(name.map(|name| GameTerm::Variant(folded(name.text))))
            }
            "legal" => Some(Ok(GameTerm::Legal)),
            "plies" => {
                Some(self.range("a number of plies: 80, >= 80, 20..40", Range::number).map(GameTerm::Plies))
            }
            _ => None,
        }
    }

    /// True if a sign or a value follows.
    fn is_value(&self) -> bool {
        self.peek().is_some_and(|word| match word.kind {
            Kind::Sign | Kind::Quoted => true,
            Kind::Word => !JOINING.contains(&word.text),
            Kind::Open | Kind::Close => false,
        })
    }

    /// The ratings that are wanted.
    fn rating(&mut self) -> Read<Wanted> {
        self.range("a rating: >= 2400, 2400..2600", Range::number).map(Wanted::Number)
    }

    /// The days that are wanted.
    fn days(&mut self) -> Read<Wanted> {
        self.range("a year, a month or a day: 1990, >= 1990.05, 1990..1999", Range::days).map(Wanted::Days)
    }

    /// What a tag may be.
    fn wanted(&mut self) -> Read<Wanted> {
        const VALUE: &str = "a value, in quotes if it has spaces";
        let sign = self.sign();
        let value = self.value(VALUE)?;
        let span = |text: &str| {
            let number = Range::between(text, Range::number).map(Wanted::Number);
            // A year is a number, too; a date is compared with it by its year.
            number.or_else(|| Range::between(text, Range::days).map(Wanted::Days))
        };
        Ok(match sign.map(|sign| sign.text) {
            None if value.text.contains("..") => {
                span(value.text).ok_or_else(|| value.fault("a range of numbers or dates: 1990..1999"))?
            }
            None => named(value.text),
            Some("=") => Wanted::Whole(value.text.trim().to_lowercase()),
            Some("!=") => Wanted::Not(Box::new(Wanted::Whole(value.text.trim().to_lowercase()))),
            Some("~") => {
                let words: Vec<String> = fold(value.text).split_whitespace().map(str::to_owned).collect();
                if words.is_empty() {
                    return Err(value.fault("a name with letters"));
                }
                Wanted::Near(words)
            }
            Some(sign) => match span(value.text) {
                Some(Wanted::Number(range)) => Wanted::Number(Range::of(sign, range)),
                Some(Wanted::Days(range)) => Wanted::Days(Range::of(sign, range)),
                _ => return Err(value.fault("a number or a date")),
            },
        })
    }

    fn of_position(&mut self, word: &str) -> Option<Read<PositionTerm>> {
        let squares = |read: Read<Squares>, of: fn(Squares) -> PositionTerm| Some(read.map(of));
        Some(match word {
            "fen" => self.value("a position as FEN, in quotes").and_then(|word| {
                let fen = word.text.trim().to_owned();
                // A board without the other fields says nothing about them. In a pattern `*` is not Nature's, and
                // no man is marked as promoted.
                if fen.contains(' ') {
                    return Ok(PositionTerm::Fen(fen));
                }
                let is_plain = fen.contains('/') && !fen.contains(['*', '~', '[']);
                let pattern = Pattern::read(&fen).filter(|_| is_plain);
                pattern
                    .map(PositionTerm::Pattern)
                    .ok_or_else(|| word.fault("a position as FEN, with all its fields, or `pattern`"))
            }),
            "pattern" => self
                .read("the board of a FEN, in which `*`, `?`, `!`, `_` and `[…]` may stand", Pattern::read)
                .map(PositionTerm::Pattern),
            "material" => self
                .read("White's pieces, `v` and Black's: KRPvKR, KQ+vK", material)
                .map(PositionTerm::Material),
            "balance" => self
                .read("what White has more, `v`, and what Black has more: RvBN, Pv", balance)
                .map(PositionTerm::Balance),
            "hand" => self.stock(StockName::Hand),
            "reserve" => self.stock(StockName::Reserve),
            "right" => {
                if self.take_word("gate") {
                    return squares(self.read("a square: b1", Squares::whole), PositionTerm::GateRight);
                }
                if self.take_word("castle") {
                    let square = self.read("the rook's square: h1", Squares::whole);
                    return squares(square, PositionTerm::CastleRight);
                }
                let remedy = "write `right gate b1` or `right castle h1`";
                Err(QueryError::new(self.place(), "the kind of right is missing", remedy))
            }
            "turn" => self.read("white or black", owner).map(PositionTerm::Turn),
            "check" => Ok(PositionTerm::Check),
            "checks" => self.read("white or black", owner).and_then(|owner| {
                let range = self.range("a number of checks: >= 2", Range::number)?;
                Ok(PositionTerm::Clock(Counter::Checks(owner), range))
            }),
            "clock" => self
                .read("nature or halfmoves", counter)
                .and_then(|counter| Ok(PositionTerm::Clock(counter, self.range(PLIES, Range::number)?))),
            "halfmoves" => {
                self.range(PLIES, Range::number).map(|range| PositionTerm::Clock(Counter::Halfmoves, range))
            }
            _ => return None,
        })
    }

    fn of_report(&mut self, word: &str) -> Option<Read<ReportTerm>> {
        Some(match word {
            "ply" => self.range(PLIES, Range::number).map(ReportTerm::Ply),
            "last" => Ok(ReportTerm::Last),
            "claimable" => {
                let names: Vec<&str> = ClaimableKind::ALL.iter().map(|kind| kind.id()).collect();
                self.read(&format!("any, or one of {}", names.join(", ")), claims).map(ReportTerm::Claimable)
            }
            "end" => {
                let named = |text: &str| if text == "any" { Some(Vec::new()) } else { endings(text) };
                self.read("any, mate, draw, or an ending such as stalemate", named).map(ReportTerm::End)
            }
            "illegal" => {
                // "illegal let-stand" is one condition.
                if self.peek().is_some_and(|word| word.is("let-stand")) {
                    return None;
                }
                Ok(ReportTerm::Illegal)
            }
            "diagnostic" => self.read("a code such as N004", Code::parse).map(ReportTerm::Diagnostic),
            _ => return None,
        })
    }

    fn stock(&mut self, name: StockName) -> Read<PositionTerm> {
        let men = |text: &str| if text == "-" { Some(Vec::new()) } else { Men::list(text) };
        let men =
            self.read("pieces, White's in capital letters: Qp; `-` for an empty hand or reserve", men)?;
        Ok(PositionTerm::Stock(name, men))
    }

    fn of_ply(&mut self, word: &str) -> Option<Read<PlyTerm>> {
        const SQUARES: &str = "squares: d5, a-h7, [d4,e5]";
        Some(match word {
            "by" => self.read("white, black or nature", owner).map(PlyTerm::By),
            "moves" => {
                let read = |text| kinds_with_squares(text, "");
                let kinds = self.read("kinds, with capital letters: N, [QR]", read);
                kinds.map(|(kinds, squares)| PlyTerm::Moves(kinds, squares))
            }
            "from" => self.read(SQUARES, Squares::whole).map(PlyTerm::From),
            "to" => self.read(SQUARES, Squares::whole).map(PlyTerm::To),
            "captures" => {
                let (kinds, squares) = self.kinds_and_squares();
                Ok(PlyTerm::Captures(kinds, squares))
            }
            "drop" => {
                let (kinds, squares) = self.kinds_and_squares();
                Ok(PlyTerm::Drop(kinds, squares))
            }
            "gate" => {
                let (kinds, squares) = self.kinds_and_squares();
                Ok(PlyTerm::Gate(kinds, squares))
            }
            "promote" => Ok(PlyTerm::Promote(self.option(Kinds::whole))),
            "castle" => Ok(PlyTerm::Castle),
            "ep" => Ok(PlyTerm::EnPassant),
            "pass" => Ok(PlyTerm::Pass),
            "illegal" => {
                self.take_word("let-stand");
                Ok(PlyTerm::LetStand)
            }
            "let-stand" => Ok(PlyTerm::LetStand),
            _ => return None,
        })
    }

    /// `N@f7`, `N f7`, `Nf7`, `N`, `f7` or nothing.
    fn kinds_and_squares(&mut self) -> (Option<Kinds>, Option<Squares>) {
        match self.option(|text| kinds_with_squares(text, "@")) {
            Some((kinds, squares)) => (Some(kinds), squares.or_else(|| self.option(Squares::whole))),
            None => (None, self.option(|text| Squares::whole(text.strip_prefix('@').unwrap_or(text)))),
        }
    }
}

impl Word<'_> {
    /// True if it is this word, apart from case.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.kind == Kind::Word && self.text.eq_ignore_ascii_case(text)
    }

    fn fault(&self, wanted: &str) -> QueryError {
        QueryError::new(self.span, format!("`{}` does not fit here", self.text), format!("write {wanted}"))
    }
}

/// The words of a name, or a whole name without letters.
fn named(text: &str) -> Wanted {
    let words = words(text);
    if words.is_empty() { Wanted::Whole(text.trim().to_lowercase()) } else { Wanted::Words(words) }
}

fn owner(text: &str) -> Option<Owner> {
    Owner::ALL.into_iter().find(|owner| owner.name().eq_ignore_ascii_case(text))
}

/// A counter of plies.
fn counter(text: &str) -> Option<Counter> {
    match text {
        "nature" => Some(Counter::Nature),
        "halfmoves" => Some(Counter::Halfmoves),
        _ => None,
    }
}

/// The kinds of claims that begin so.
fn claims(text: &str) -> Option<Vec<ClaimableKind>> {
    let begins = |kind: &&ClaimableKind| text == "any" || kind.id().starts_with(text);
    let kinds: Vec<ClaimableKind> = ClaimableKind::ALL.iter().filter(begins).copied().collect();
    (!kinds.is_empty()).then_some(kinds)
}

/// Kinds, and squares behind them if there are any, with a mark that may be between.
fn kinds_with_squares(text: &str, between: &str) -> Option<(Kinds, Option<Squares>)> {
    let (kinds, rest) = Kinds::read(text)?;
    let rest = rest.strip_prefix(between).unwrap_or(rest);
    let squares = if rest.is_empty() { None } else { Some(Squares::whole(rest)?) };
    Some((kinds, squares))
}

/// `KRPvKR`, `KQ+vK`: men in capital letters; `+` after a side's allows more.
fn material(text: &str) -> Option<[(Vec<Men>, bool); 2]> {
    let (white, black) = text.split_once('v')?;
    let [white, black] = [white, black].map(|side| match side.strip_suffix('+') {
        Some(men) => capital_men(men).map(|men| (men, true)),
        None => capital_men(side).map(|men| (men, false)),
    });
    let (black, more) = black?;
    Some([white?, (small(black), more)])
}

/// `RvBN`.
fn balance(text: &str) -> Option<[Vec<Men>; 2]> {
    let (white, black) = text.split_once('v')?;
    Some([capital_men(white)?, small(capital_men(black)?)])
}

fn capital_men(text: &str) -> Option<Vec<Men>> {
    if text.bytes().any(|byte| byte.is_ascii_lowercase()) { None } else { Men::list(text) }
}

/// White's men as Black's.
fn small(men: Vec<Men>) -> Vec<Men> {
    men.into_iter().map(Men::of_black).collect()
}

/// A condition that begins with men: `Nd5`, `_e4`, `QxP`.
fn men(word: Word<'_>) -> Read<Term> {
    let text = word.text;
    if let Some(squares) = text.strip_prefix('_').and_then(Squares::whole) {
        return Ok(Term::Position(PositionTerm::Empty(squares)));
    }
    if let Some((men, squares)) = Men::with_squares(text) {
        return Ok(Term::Position(PositionTerm::Men(men, squares)));
    }
    let capture = |(mover, captured): (&str, &str)| {
        let mover = kinds_with_squares(mover, "")?;
        let (kinds, squares) = match kinds_with_squares(captured, "") {
            Some((kinds, squares)) => (Some(kinds), squares),
            None => (None, Some(Squares::whole(captured)?)),
        };
        Some((mover, (kinds, squares)))
    };
    if let Some((mover, captured)) = text.split_once('x').and_then(capture) {
        return Ok(Term::Ply(PlyTerm::Takes(mover, captured)));
    }
    Err(unknown(word))
}

/// The fault of a word that is not a condition.
fn unknown(word: Word<'_>) -> QueryError {
    let text = word.text.to_ascii_lowercase();
    if Squares::whole(&text).is_some() {
        let remedy = format!("write a piece before it, as in `N{text}`; `_{text}` is an empty square");
        return QueryError::new(word.span, format!("`{}` is only a square", word.text), remedy);
    }
    let known = BEGINNING.into_iter().chain(JOINING).chain(TAGS.map(|(known, _)| known));
    let near = known.map(|known| (distance(&text, known), known)).min();
    let remedy = match near.filter(|(far, known)| *far <= known.len() / 3) {
        Some((_, known)) => format!("did you mean `{known}`?"),
        None => {
            "write a piece with squares (`Nd5`), or a word of `formats/QUERY.md`; any tag: `tag NAME VALUE`"
                .to_owned()
        }
    };
    QueryError::new(word.span, format!("`{}` is not a condition", word.text), remedy)
}
