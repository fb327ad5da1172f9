//! What a token costs as a ply.

use crate::costs::{Bits, Costs};
use crate::edit::{Compared, distance};
use crate::sheet::Sheet;
use crate::voice::{
    ANY_DIGIT, ANY_FILE, ANY_LETTER, CAPTURE, CASTLE, Class, DASH, DIGIT, DROP, EQUALS, FILE, GATE, Voice,
};
use ferz_core::board::{Board, Mask, Owner, Square};
use ferz_core::notation::{Leniency, Letters, MoveText, Style, WriteChoices, read, resolve, write};
use ferz_core::position::{Ply, Position, Verb};
use ferz_core::rules::{KindId, Rules};
use ferz_records::replay::Game;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A token costs at most this as a ply; above it any ply is as good.
pub(crate) const LIMIT: Bits = Bits::whole(24);

/// The tokens of a sheet in the voice of its writer.
pub(crate) struct Speller<'a> {
    voice: Voice,
    costs: &'a Costs,
    /// The style of plies that the algebraic pattern does not spell.
    native: Style,
    /// True if the game has plies that only some styles can say.
    has_others: bool,
    /// For each token its texts.
    texts: Vec<Vec<Text>>,
    /// For each token what it costs as a ply.
    known: Vec<HashMap<u64, Bits, Keyed>>,
    /// The game's letters.
    letters: &'a Letters,
    /// For each token and player on move what it names.
    named: HashMap<(u32, Owner), Option<MoveText>>,
    /// What tokens cost as texts.
    literal: HashMap<(u32, String), Bits>,
    /// For each node what the rest of the sheet costs at least, whatever the position.
    rest: Vec<Bits>,
}

/// A text of a token, ready to be compared.
struct Text {
    /// What the guess costs.
    bits: Bits,
    characters: Vec<char>,
    /// For each character the cost of it in the place of each class.
    replaced: Vec<Bits>,
    /// For each character the cost if it should not be there.
    inserted: Vec<Bits>,
}

/// A symbol of a spelling.
#[derive(Clone, Copy)]
struct Symbol {
    class: Class,
    /// The cost of leaving it out.
    dropped: Bits,
}

/// Keys are mixed already.
type Keyed = BuildHasherDefault<Mixed>;

#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 29);
    }
}

/// A text compared with symbols.
struct Spelled<'a> {
    text: &'a Text,
    symbols: &'a [Symbol],
    classes: usize,
    swapped: Bits,
}

impl Compared for Spelled<'_> {
    fn replaced(&self, character: usize, symbol: usize) -> Bits {
        self.text.replaced[character * self.classes + usize::from(self.symbols[symbol].class)]
    }

    fn inserted(&self, character: usize) -> Bits {
        self.text.inserted[character]
    }

    fn dropped(&self, symbol: usize) -> Bits {
        self.symbols[symbol].dropped
    }

    fn swapped(&self) -> Bits {
        self.swapped
    }
}

/// A text compared with another.
struct Literal<'a> {
    text: &'a Text,
    meant: &'a [char],
    costs: &'a Costs,
}

impl Compared for Literal<'_> {
    fn replaced(&self, character: usize, symbol: usize) -> Bits {
        self.costs.confusion(self.meant[symbol], self.text.characters[character])
    }

    fn inserted(&self, character: usize) -> Bits {
        self.text.inserted[character]
    }

    fn dropped(&self, _: usize) -> Bits {
        self.costs.character.dropped
    }

    fn swapped(&self) -> Bits {
        self.costs.character.swapped
    }
}

impl<'a> Speller<'a> {
    /// Prepares the tokens of a sheet.
    pub fn new<M: Mask>(sheet: &Sheet, voice: Voice, game: &'a Game<M>, costs: &'a Costs) -> Speller<'a> {
        let case = if is_of_one_case(sheet) { Bits::ZERO } else { costs.character.case };
        let texts = sheet.edges.iter().map(|edge| match edge.ply {
            Some(_) => {
                edge.texts.iter().map(|(text, bits)| Text::new(text, *bits, &voice, (costs, case))).collect()
            }
            None => Vec::new(),
        });
        let texts = texts.collect();
        let mut speller = Speller {
            voice,
            costs,
            native: game.native,
            has_others: has_others(&game.rules),
            texts,
            known: vec![HashMap::default(); sheet.edges.len()],
            letters: &game.letters,
            named: HashMap::new(),
            literal: HashMap::new(),
            rest: vec![Bits::ZERO; sheet.nodes()],
        };
        speller.rest = speller.rests(sheet);
        speller
    }

    /// How the sheet is spelled.
    pub fn voice(&self) -> &Voice {
        &self.voice
    }

    /// True if marks at the end of a token are no part of its ply.
    pub fn has_marks(&self) -> bool {
        self.voice.literal.is_none()
    }

    /// The cost of a token as a ply; [`Bits::MAX`] above the limit.
    pub fn cost<M: Mask>(&mut self, position: &Position<M>, ply: &Ply, edge: u32) -> Bits {
        if let Some(style) = self.voice.literal {
            let Ok(text) = write(position, ply, style, WriteChoices::default()) else { return Bits::MAX };
            return self.of_text(edge, text);
        }
        let key = key(position, ply);
        if let Some(known) = self.known[edge as usize].get(&key) {
            return *known;
        }
        let cost = if is_plain(position.rules(), ply) {
            self.of_patterns(position, ply, edge)
        } else {
            self.of_styles(position, ply, edge)
        };
        self.known[edge as usize].insert(key, cost);
        cost
    }

    /// The legal ply that a token names as it is written, in any style, with the cost of what it leaves to good will.
    pub fn exact<M: Mask>(
        &mut self,
        position: &Position<M>,
        sheet: &Sheet,
        edge: u32,
    ) -> Option<(Ply, Bits)> {
        let natures = sheet.edges[edge as usize].natures;
        let text = self.named.entry((edge, position.turn())).or_insert_with(|| {
            sheet.edges[edge as usize].texts.iter().find_map(|(text, _)| {
                let text = text.trim_end_matches(['!', '?', '.', ',', ';']);
                let own = match &self.voice.alphabet {
                    Some(alphabet) => alphabet.to_own(text)?,
                    None => text.to_owned(),
                };
                read(self.letters, position.turn(), natures, own.as_bytes()).ok()
            })
        });
        let found = resolve(position, text.as_ref()?).ok()?;
        let is_lenient = found.leniency != Leniency::default();
        Some((found.ply, if is_lenient { self.costs.ply.sign } else { Bits::ZERO }))
    }

    /// What a sheet costs at least from a node on, whatever the position.
    pub fn rest(&self, node: u32) -> Bits {
        self.rest[node as usize]
    }

    fn rests(&self, sheet: &Sheet) -> Vec<Bits> {
        let patterns = self.any_ply();
        let mut rest = vec![Bits::MAX; sheet.nodes()];
        rest[sheet.last() as usize] = Bits::ZERO;
        for node in (0..sheet.last()).rev() {
            let each = sheet.from(node).flat_map(|(token, edge)| {
                let ply = edge.ply.map(|divided| divided + self.least(token, &patterns));
                [edge.skip, ply].map(|bits| bits.map(|bits| bits + rest[edge.to as usize]))
            });
            rest[node as usize] = each.flatten().min().unwrap_or(Bits::ZERO);
        }
        rest
    }

    /// The least that a token costs as any ply in any position.
    fn least(&self, edge: u32, patterns: &[Vec<Symbol>]) -> Bits {
        // Styles with forms of their own, and plies that only some styles can say, have no common pattern.
        if self.voice.literal.is_some() || self.has_others {
            return Bits::ZERO;
        }
        let texts = self.texts[edge as usize].iter();
        let all = texts.flat_map(|text| patterns.iter().map(|symbols| self.as_symbols(text, symbols, LIMIT)));
        all.min().unwrap_or(Bits::ZERO).min(self.costs.token.unreadable)
    }

    /// Patterns that have every ply as a case.
    fn any_ply(&self) -> [Vec<Symbol>; 2] {
        let free = |class| Symbol { class, dropped: Bits::ZERO };
        let needed = |class| Symbol { class, dropped: self.costs.character.dropped };
        let any = [ANY_FILE, ANY_DIGIT, ANY_DIGIT].map(free);
        let step = [free(ANY_LETTER), free(ANY_LETTER), free(DROP)]
            .into_iter()
            .chain(any)
            .chain([free(CAPTURE), free(ANY_LETTER), free(ANY_LETTER)])
            .chain([needed(ANY_FILE), needed(ANY_DIGIT), free(ANY_DIGIT)])
            .chain([free(EQUALS), free(ANY_LETTER), free(ANY_LETTER)])
            .chain([free(GATE), free(ANY_LETTER), free(ANY_LETTER)])
            .chain(any);
        let castling = [CASTLE, DASH, CASTLE, DASH, CASTLE, GATE, ANY_LETTER, ANY_FILE, ANY_DIGIT].map(free);
        [step.collect(), castling.to_vec()]
    }

    /// The cost of a text as a row of symbols; [`Bits::MAX`] above a limit.
    fn as_symbols(&self, text: &Text, symbols: &[Symbol], limit: Bits) -> Bits {
        let classes = self.voice.classes.len();
        let spelled = Spelled { text, symbols, classes, swapped: self.costs.character.swapped };
        distance(&spelled, text.characters.len(), symbols.len(), limit) + text.bits
    }

    /// The cost as the text of a ply in a style.
    fn of_text(&mut self, edge: u32, text: String) -> Bits {
        let costs = self.costs;
        let texts = &self.texts[edge as usize];
        *self.literal.entry((edge, text)).or_insert_with_key(|(_, text)| {
            let meant: Vec<char> = text.chars().collect();
            let cost = |text: &Text| {
                let literal = Literal { text, meant: &meant, costs };
                distance(&literal, text.characters.len(), meant.len(), LIMIT) + text.bits
            };
            texts.iter().map(cost).min().unwrap_or(Bits::MAX)
        })
    }

    /// The cost as a ply that only some styles have words for: Nature's, switches, passes.
    fn of_styles<M: Mask>(&mut self, position: &Position<M>, ply: &Ply, edge: u32) -> Bits {
        let mut least = Bits::MAX;
        for style in [self.native, Style::San, Style::Coord] {
            let Ok(text) = write(position, ply, style, WriteChoices::default()) else { continue };
            let text = text.trim_start_matches('~').trim_end_matches(['+', '#']).to_owned();
            let national = self.voice.alphabet.as_ref().and_then(|alphabet| alphabet.to_national(&text).ok());
            least = least.min(self.of_text(edge, national.unwrap_or(text)));
        }
        least
    }

    fn of_patterns<M: Mask>(&self, position: &Position<M>, ply: &Ply, edge: u32) -> Bits {
        let mut pattern = Pattern {
            rules: position.rules(),
            board: position.rules().board(),
            voice: &self.voice,
            costs: self.costs,
            captures: captured(position, ply),
            symbols: Vec::with_capacity(24),
        };
        let mut least = Bits::MAX;
        pattern.each(ply, |symbols| {
            for text in &self.texts[edge as usize] {
                least = least.min(self.as_symbols(text, symbols, LIMIT.min(least)));
            }
        });
        least
    }
}

/// The kind that a ply captures.
fn captured<M: Mask>(position: &Position<M>, ply: &Ply) -> Option<KindId> {
    let square = match ply.verb {
        Verb::EnPassant => ply.other,
        Verb::Move => ply.to,
        _ => return None,
    };
    position.piece(square).map(|piece| piece.kind)
}

/// All that a spelling depends on.
fn key<M: Mask>(position: &Position<M>, ply: &Ply) -> u64 {
    let kind = |kind: Option<KindId>| kind.map_or(31, |kind| u64::from(kind.0));
    let square = |square: Square| u64::from(square.0 & 127);
    let gate = |index: usize| {
        ply.gates[index].map_or(31 << 7, |gate| u64::from(gate.kind.0) << 7 | square(gate.square))
    };
    let mut key = ply.actor as u64;
    key = key << 3 | ply.verb as u64;
    key = key << 5 | u64::from(ply.kind.0);
    key = key << 7 | square(ply.from);
    key = key << 7 | square(ply.to);
    key = key << 5 | kind(ply.promotion);
    key = key << 12 | gate(0);
    key = key << 12 | gate(1);
    key << 5 | kind(captured(position, ply))
}

/// True if a game has plies that are not plain.
fn has_others<M: Mask>(rules: &Rules<M>) -> bool {
    let labels = rules.kinds.iter().flat_map(|kind| Owner::REAL.map(|owner| kind.label[owner]));
    rules.nature.is_some() || labels.clone().any(|label| label.plus || label.other_army)
}

/// True for plies of players whose kinds have a letter and nothing else.
fn is_plain<M: Mask>(rules: &Rules<M>, ply: &Ply) -> bool {
    let gates = ply.gates.iter().flatten().map(|gate| gate.kind);
    let mut kinds = [Some(ply.kind), ply.promotion].into_iter().flatten().chain(gates);
    ply.actor != Owner::Nature
        && !ply.is_null()
        && !matches!(ply.verb, Verb::Switch | Verb::Pass)
        && kinds.all(|kind| {
            let label = rules.kind(kind).label[ply.actor];
            !label.plus && !label.other_army
        })
}

impl Text {
    fn new(text: &str, bits: Bits, voice: &Voice, (costs, case): (&Costs, Bits)) -> Text {
        let bare = if voice.literal.is_none() {
            let bare = text.trim_end_matches(['+', '#', '†', '‡', '!', '?', '.', ',', ';', ':', '"', '\'']);
            bare.trim_start_matches(['"', '\'', '.', '…', '~'])
        } else {
            text
        };
        let characters: Vec<char> = bare.chars().map(plain).collect();
        let cost = |read: char, class: &[(char, Bits)]| {
            let confusion = |meant: char| {
                let is_other_case = meant != read && meant.to_lowercase().eq(read.to_lowercase());
                if is_other_case { case } else { costs.confusion(meant, read) }
            };
            class.iter().map(|(meant, bits)| confusion(*meant) + *bits).min().unwrap_or(Bits::MAX)
        };
        let replaced =
            characters.iter().flat_map(|read| voice.classes.iter().map(|class| cost(*read, class)));
        Text {
            bits,
            replaced: replaced.collect(),
            inserted: characters.iter().map(|read| costs.extra(*read)).collect(),
            characters,
        }
    }
}

/// True if a sheet has capitals or small letters only, so that case says nothing.
fn is_of_one_case(sheet: &Sheet) -> bool {
    let plies = sheet.edges.iter().filter(|edge| edge.is_token());
    let texts = plies.flat_map(|edge| edge.texts.iter().map(|(text, _)| text.as_str()));
    let pieces =
        texts.filter(|text| text.chars().any(|char| char.is_ascii_digit()) && text.chars().count() > 2);
    let letters = pieces.flat_map(|text| text.chars().filter(|char| char.is_alphabetic() && *char != 'x'));
    let (upper, lower): (Vec<char>, Vec<char>) = letters.partition(|char| char.is_uppercase());
    // A slip or two changes nothing.
    upper.len() * 20 <= lower.len() || lower.len() * 20 <= upper.len()
}

/// The ASCII form of a wide digit or letter.
fn plain(char: char) -> char {
    match char {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(char as u32 - 0xfee0).unwrap_or(char),
        char => char,
    }
}

/// Writes the spellings of a ply.
struct Pattern<'a, M: Mask> {
    rules: &'a Rules<M>,
    board: Board,
    voice: &'a Voice,
    costs: &'a Costs,
    captures: Option<KindId>,
    symbols: Vec<Symbol>,
}

impl<M: Mask> Pattern<'_, M> {
    /// Calls `compare` with each spelling.
    fn each(&mut self, ply: &Ply, mut compare: impl FnMut(&[Symbol])) {
        let must = self.costs.character.dropped;
        match ply.verb {
            Verb::Castle => {
                for king_to in [ply.to, ply.other] {
                    self.symbols.clear();
                    self.squares(ply.from, king_to);
                    self.gates(ply);
                    compare(&self.symbols);
                }
                self.symbols.clear();
                let halves = if ply.other > ply.from { 2 } else { 3 };
                for half in 0..halves {
                    if half > 0 {
                        self.add(DASH, Bits::whole(1));
                    }
                    self.add(CASTLE, must);
                }
                self.gates(ply);
                compare(&self.symbols);
            }
            Verb::Drop => {
                let letter = if self.rules.is_pawn(ply.kind) { self.costs.ply.promotion_sign } else { must };
                // `N@f3`, `N=f3`; `&Nf3`.
                for sign_first in [false, true] {
                    self.symbols.clear();
                    if sign_first {
                        self.add(DROP, self.costs.ply.sign);
                    }
                    self.letter(ply.actor, ply.kind, letter, true);
                    if !sign_first {
                        self.add(DROP, self.costs.ply.sign);
                    }
                    self.square(ply.to, must, must);
                    compare(&self.symbols);
                }
            }
            _ => {
                for has_origin in [false, true] {
                    self.step(ply, has_origin);
                    compare(&self.symbols);
                }
                self.symbols.clear();
                self.squares(ply.from, ply.to);
                self.promotion(ply);
                self.gates(ply);
                compare(&self.symbols);
            }
        }
    }

    fn add(&mut self, class: Class, dropped: Bits) {
        self.symbols.push(Symbol { class, dropped });
    }

    fn letter(&mut self, owner: Owner, kind: KindId, dropped: Bits, is_loose: bool) {
        for (index, class) in self.voice.letter(owner, kind, is_loose).iter().enumerate() {
            // Of a letter of two characters the first one means it.
            let dropped = if index == 0 { dropped } else { self.costs.ply.sign };
            self.symbols.push(Symbol { class: *class, dropped });
        }
    }

    fn square(&mut self, square: Square, file: Bits, rank: Bits) {
        if self.board.is_corner(square) {
            // Notation reads their names exactly; a damaged one is that of no file.
            self.add(ANY_FILE, file);
            return self.add(DIGIT, rank);
        }
        self.add(FILE + self.board.file(square), file);
        let number = self.board.rank_number(self.board.rank(square));
        if number >= 10 {
            self.add(DIGIT + number / 10, rank);
        }
        self.add(DIGIT + number % 10, rank);
    }

    /// `Nxc3`, or `Nb1xc3`, of which all but `Nc3` may be left out. The first is one of the second, but only in it are
    /// letter and square neighbours.
    fn step(&mut self, ply: &Ply, has_origin: bool) {
        let costs = &self.costs.ply;
        let must = self.costs.character.dropped;
        let is_pawn = self.rules.is_pawn(ply.kind);
        self.symbols.clear();
        self.letter(ply.actor, ply.kind, if is_pawn { Bits::ZERO } else { costs.piece }, false);
        let is_aslant = self.board.file(ply.from) != self.board.file(ply.to);
        let file = if is_pawn && is_aslant { costs.pawn_file } else { Bits::ZERO };
        match has_origin {
            true => self.square(ply.from, file, Bits::ZERO),
            false if is_pawn && is_aslant => self.add(FILE + self.board.file(ply.from), file),
            false => {}
        }
        match self.captures {
            Some(_) if !has_origin => self.add(CAPTURE, costs.capture_sign),
            Some(kind) => {
                self.add(CAPTURE, costs.capture_sign);
                let owner = if ply.actor == Owner::White { Owner::Black } else { Owner::White };
                // iChess names what is captured.
                let at = self.symbols.len();
                self.letter(owner, kind, Bits::ZERO, false);
                self.symbols[at..].iter_mut().for_each(|symbol| symbol.dropped = Bits::ZERO);
            }
            None if has_origin => self.add(DASH, Bits::ZERO),
            None => {}
        }
        self.square(ply.to, must, must);
        self.promotion(ply);
        self.gates(ply);
    }

    /// `b1-c3`.
    fn squares(&mut self, from: Square, to: Square) {
        let must = self.costs.character.dropped;
        self.square(from, must, must);
        self.add(if self.captures.is_some() { CAPTURE } else { DASH }, Bits::ZERO);
        self.square(to, must, must);
    }

    fn promotion(&mut self, ply: &Ply) {
        let Some(kind) = ply.promotion else { return };
        let is_usual = self.rules.kind(kind).label[ply.actor].letter == b'Q';
        let costs = &self.costs.ply;
        self.add(EQUALS, costs.promotion_sign);
        self.letter(ply.actor, kind, if is_usual { costs.promotion } else { costs.promotion_other }, true);
    }

    fn gates(&mut self, ply: &Ply) {
        for gate in ply.gates.iter().flatten() {
            self.add(GATE, self.costs.ply.sign);
            self.letter(ply.actor, gate.kind, self.costs.character.dropped, true);
            let needs_square = ply.verb == Verb::Castle;
            let square = if needs_square { self.costs.ply.sign } else { Bits::ZERO };
            self.square(gate.square, square, square);
        }
    }
}
