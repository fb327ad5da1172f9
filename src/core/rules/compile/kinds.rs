//! The kinds of pieces of a definition, and its fields that name them.

use super::{Compiler, FieldError};
use crate::board::{ByOwner, Mask, Owner, Square};
use crate::pieces::betza::{self, Betza, Mover};
use crate::rules::definition::{Kings, OwnStyle};
use crate::rules::kinds::{KIND_SLOTS, KindId, KindInfo, KindSet, Label};
use crate::rules::moves::{MoveTables, Regional};
use crate::text::limits::KINDS_MAX;

impl Compiler<'_> {
    pub(super) fn movers(&mut self, path: &str, text: &str) -> Vec<Mover> {
        if text.is_empty() {
            return Vec::new();
        }
        match betza::parse(text) {
            Ok(betza) => betza.movers().to_vec(),
            Err(error) => {
                self.errors.push(FieldError {
                    path: path.into(),
                    span: Some(error.span),
                    message: error.message,
                });
                Vec::new()
            }
        }
    }

    /// The bound parts of a kind's movement, for each owner.
    pub(super) fn terms<M: Mask>(&mut self, letter: &str) -> ByOwner<Vec<Regional<M>>> {
        let mut bound = ByOwner::from_fn(|_| Vec::new());
        let Some(piece) = self.definition.pieces.get(letter) else { return bound };
        let path = format!("pieces.{letter}.terms");
        for term in &piece.terms {
            if term.betza.is_empty() {
                self.fail(&path, "a term without movement; add betza = \"…\" to it");
                continue;
            }
            let movers = self.movers(&path, &term.betza);
            let from: ByOwner<M> = self.mirrored(&path, &term.from);
            let to: ByOwner<M> = self.mirrored(&path, &term.to);
            for owner in Owner::REAL {
                let of = |mover: &Mover| Regional { mover: *mover, from: from[owner], to: to[owner] };
                bound[owner].extend(movers.iter().map(of));
                if term.nature && self.definition.nature.enabled {
                    // Her pieces look as White's do, and go the way of either player's on its squares.
                    let of = |mover: &Mover| of(&if owner == Owner::Black { mover.turned() } else { *mover });
                    bound[Owner::Nature].extend(movers.iter().map(of));
                }
            }
        }
        bound
    }

    /// The tables of the movement that attacks kings alone; `None` if no kind has any.
    pub(super) fn on_kings<M: Mask>(&mut self) -> Option<Box<ByOwner<MoveTables<M>>>> {
        let all = M::of(self.board.squares());
        let mut movers: Vec<Vec<Regional<M>>> = Vec::new();
        for index in 0..self.kinds.len() {
            let letter = self.kinds[index].key();
            let text = self.definition.pieces.get(&letter).map_or("", |piece| piece.attacks_king.as_str());
            let path = format!("pieces.{letter}.attacks-king");
            let found = self.movers(&path, text);
            if found.iter().any(|mover| mover.initial || !mover.captures) {
                self.fail(&path, "`i` and `m` attack nothing here; write the directions of attack alone");
            }
            movers.push(found.into_iter().map(|mover| Regional { mover, from: all, to: all }).collect());
        }
        if movers.iter().all(Vec::is_empty) {
            return None;
        }
        let of = |owner: Owner| if owner.is_real() { movers.clone() } else { vec![Vec::new(); movers.len()] };
        let starts = ByOwner::from_fn(|_| vec![M::EMPTY; movers.len()]);
        let none = ByOwner([M::EMPTY; 3]);
        let tables =
            MoveTables::of_all(self.board, ByOwner::from_fn(of), &starts, KindSet::EMPTY, (&none, 2));
        Some(Box::new(tables))
    }

    /// Letters in the order of a stock: those of `stock-order`, then the others.
    pub(super) fn letters(&self) -> Vec<String> {
        let mut letters: Vec<String> = self.definition.stock_order.chars().map(String::from).collect();
        letters.retain(|letter| self.definition.pieces.contains_key(letter));
        let rest = self
            .definition
            .pieces
            .keys()
            .filter(|letter| !letters.contains(letter))
            .cloned()
            .collect::<Vec<_>>();
        letters.extend(rest);
        letters
    }

    /// The kinds, at least one.
    pub(super) fn all_kinds(&mut self) {
        self.kinds();
        if self.kinds.is_empty() {
            self.some_kind();
        }
        self.captured_as();
        self.large_pieces();
        self.own_styles();
    }

    pub(super) fn kinds(&mut self) {
        let definition = self.definition;
        for letter in self.letters() {
            let piece = &definition.pieces[&letter];
            let path = format!("pieces.{letter}");
            if !is_key(&letter) {
                self.fail(
                    path,
                    format!("`{letter}` is not a letter for a piece; use A to Z, or `+` and a letter"),
                );
                continue;
            }
            let natures = piece.nature.clone().unwrap_or_default();
            let natures = self.movers(&format!("{path}.nature"), &natures);
            let slot = definition.armies.slots.iter().position(|slot| *slot == letter);
            let armies = slot.zip(self.choices.armies.as_ref()).map(|(slot, armies)| {
                [armies[Owner::White][slot].clone(), armies[Owner::Black][slot].clone()]
            });
            let Some([white, black]) = armies else {
                let movers = self.movers(&format!("{path}.betza"), &piece.betza);
                let has_movement = !piece.betza.is_empty()
                    || !piece.terms.is_empty()
                    || piece.nature.as_ref().is_some_and(|text| !text.is_empty());
                let chosen = slot.is_some() || self.unknown.has("armies.slots");
                let unknown = |field: &str| self.unknown.has_any_in(&format!("{path}.{field}"));
                if !has_movement && !chosen && !unknown("betza") && !unknown("nature") {
                    self.fail(format!("{path}.betza"), "the movement is missing; add betza = \"…\"");
                }
                self.add_kind(&letter, &piece.betza, [false; 3], (movers, natures));
                continue;
            };
            if white == black {
                self.add_kind(&letter, white.text(), [false; 3], (white.movers().to_vec(), natures));
            } else {
                self.add_kind(
                    &letter,
                    white.text(),
                    [false, true, false],
                    (white.movers().to_vec(), natures),
                );
                self.add_kind(
                    &letter,
                    black.text(),
                    [true, false, true],
                    (black.movers().to_vec(), Vec::new()),
                );
            }
        }
        if self.kinds.len() > KINDS_MAX {
            self.fail("pieces", format!("{} kinds; the limit is {KINDS_MAX}", self.kinds.len()));
            self.kinds.truncate(KINDS_MAX);
            self.betza.truncate(KINDS_MAX);
            self.unknown.fields.push("pieces".into());
        }
    }

    /// Adds a kind; `other_army` is true for the owners whose opponent's army it belongs to.
    pub(super) fn add_kind(
        &mut self,
        key: &str,
        betza: &str,
        other_army: [bool; 3],
        movers: (Vec<Mover>, Vec<Mover>),
    ) {
        let piece = &self.definition.pieces[key];
        let (letter, plus) = (key.bytes().last().unwrap_or_default(), key.len() > 1);
        self.kinds.push(KindInfo {
            letter,
            plus,
            also: piece.also.iter().filter_map(|letter| letter.bytes().next()).collect(),
            name: piece.name.clone(),
            betza: betza.to_owned(),
            terms: piece.terms.iter().map(ToString::to_string).collect(),
            royal: piece.royal,
            anti_royal: piece.anti_royal,
            pawn: piece.pawn,
            captured_as: KindId(self.kinds.len() as u8),
            large: false,
            label: ByOwner(other_army.map(|other_army| Label { letter, other_army, plus })),
            home_made: piece.home_made.clone(),
        });
        self.betza.push(movers);
    }

    /// A dummy kind for games without kinds, so that their other fields can be checked.
    pub(super) fn some_kind(&mut self) {
        self.kinds.push(KindInfo {
            letter: b'K',
            plus: false,
            also: Vec::new(),
            name: String::new(),
            betza: String::new(),
            terms: Vec::new(),
            royal: false,
            anti_royal: false,
            pawn: false,
            captured_as: KindId(0),
            large: false,
            label: ByOwner([Label { letter: b'K', other_army: false, plus: false }; 3]),
            home_made: None,
        });
        self.betza.push((Vec::new(), Vec::new()));
    }

    /// Refuses styles that the board or the pieces do not fit.
    pub(super) fn own_styles(&mut self) {
        let definition = self.definition;
        let (files, ranks) = (definition.board.files, definition.board.ranks);
        if definition.styles.is_empty() {
            return;
        }
        if files > 9 || ranks > 10 {
            let message = "these styles have one digit for a file or rank; use at most 9 files and 10 ranks";
            self.fail("styles", message);
        }
        if definition.castling.enabled && definition.styles.contains(&OwnStyle::Ucci) {
            let message = "castling in coordinates looks like a step in style `ucci`; leave `ucci` out";
            self.fail("styles", message);
        }
        if OwnStyle::THAI.iter().any(|style| definition.styles.contains(style)) {
            self.thai_names();
        }
        for (style, field) in OwnStyle::WITH_CHARACTERS {
            if definition.styles.contains(&style) {
                self.characters(style, field);
            }
        }
    }

    /// Refuses boards without letters and digits in Thai, and names of two pieces.
    fn thai_names(&mut self) {
        let definition = self.definition;
        if definition.board.files.max(definition.board.ranks) > 8 {
            self.fail("styles", "`thai-san` and `thai-lan` name eight files and ranks; leave them out");
        }
        let mut names: Vec<(&str, &str)> = Vec::new();
        for (letter, piece) in &definition.pieces {
            let path = format!("pieces.{letter}.spelled.thai");
            for name in &piece.spelled.thai {
                match names.iter().find(|(known, _)| known == name) {
                    Some((_, other)) => {
                        self.fail(
                            &path,
                            format!("`{name}` is the piece `{other}` already; leave it out of one"),
                        );
                    }
                    None => names.push((name, letter)),
                }
            }
        }
    }

    /// Refuses characters of a style that are missing, or of two pieces of a player.
    fn characters(&mut self, style: OwnStyle, field: &str) {
        let definition = self.definition;
        let mut names: Vec<(usize, char, &str)> = Vec::new();
        for (letter, piece) in &definition.pieces {
            let path = format!("pieces.{letter}.spelled.{field}");
            let count = piece.spelled.characters(style).len();
            if piece.spelled.characters_of(style, Owner::White).is_empty() || count > 2 {
                self.fail(
                    &path,
                    "write White's characters and Black's, [\"兵\", \"卒\"], or one text for both",
                );
            }
            for (side, owner) in Owner::REAL.into_iter().enumerate() {
                for char in piece.spelled.characters_of(style, owner).chars() {
                    match names.iter().find(|(of, known, _)| (*of, *known) == (side, char)) {
                        Some((.., other)) if *other != letter => {
                            self.fail(
                                &path,
                                format!("`{char}` is the piece `{other}` already; leave it out of one"),
                            );
                        }
                        _ => names.push((side, char, letter)),
                    }
                }
            }
        }
    }

    /// Links each kind to the kind that it becomes in hand.
    pub(super) fn captured_as(&mut self) {
        for index in 0..self.kinds.len() {
            let letter = self.kinds[index].key();
            let captured: Option<String> =
                self.definition.pieces.get(&letter).and_then(|piece| piece.captured_as.clone());
            let kind = captured.and_then(|kind| self.kind(&format!("pieces.{letter}.captured-as"), &kind));
            if let Some(kind) = kind {
                self.kinds[index].captured_as = kind;
            }
        }
    }

    /// By kind: what it may become by a move, if its definition says so; and the kinds whose definition does.
    pub(super) fn promotes_to(&mut self) -> ([Option<KindId>; KIND_SLOTS], KindSet) {
        let mut all = [None; KIND_SLOTS];
        for (index, becomes) in all.iter_mut().enumerate().take(self.kinds.len()) {
            let key = self.kinds[index].key();
            let named = self.definition.pieces.get(&key).and_then(|piece| piece.promotes_to.clone());
            let Some(named) = named else { continue };
            let path = format!("pieces.{key}.promotes-to");
            *becomes = self.kind(&path, &named);
            let royal = |kind: &KindInfo| kind.royal;
            if royal(&self.kinds[index]) || becomes.is_some_and(|kind| royal(&self.kinds[kind.index()])) {
                self.fail(&path, "a king promotes to nothing, and nothing to a king; remove it");
            }
            if self.definition.gating.enabled && !self.kinds[index].pawn {
                self.fail(path, "a piece that its move promotes gates nothing; use one of the two");
            }
        }
        let named = (0u8..).zip(&all).filter(|(_, named)| named.is_some()).map(|(index, _)| KindId(index));
        let named = named.collect();
        (all, named)
    }

    /// For a kind that names what it becomes: the targets on which it may, and the squares from which it could not move
    /// again.
    pub(super) fn promotion_of<M: Mask>(&self, kind: KindId, zone: M, moves: &MoveTables<M>) -> (M, M) {
        let reach = |from: Square| moves.all_targets(kind.index(), from);
        let (all, complex) = (M::of(self.board.squares()), moves.is_complex(kind));
        let targets = match self.definition.promotion.from_zone {
            true if complex => all,
            true => zone.squares().fold(zone, |targets, from| targets | reach(from)),
            false => zone,
        };
        let stuck = self.board.squares().filter(|from| !complex && reach(*from).is_empty());
        (targets, M::of(stuck))
    }

    /// Marks rooks and bishops, and what they become.
    pub(super) fn large_pieces(&mut self) {
        let large = self.moving_as(&["R", "B"]);
        for index in 0..self.kinds.len() {
            self.kinds[index].large =
                large.has(KindId(index as u8)) || large.has(self.kinds[index].captured_as);
        }
    }

    /// By kind and owner: where it may be dropped.
    pub(super) fn drop_regions<M: Mask>(&mut self) -> ByOwner<[M; KIND_SLOTS]> {
        let everywhere = M::of(self.board.squares());
        let mut all = ByOwner([[everywhere; KIND_SLOTS]; 3]);
        for index in 0..self.kinds.len() {
            let key = self.kinds[index].key();
            let region = self.definition.pieces.get(&key).and_then(|piece| piece.drop.clone());
            let Some(region) = region else { continue };
            let squares: ByOwner<M> = self.mirrored(&format!("pieces.{key}.drop"), &region);
            Owner::REAL.iter().for_each(|&owner| all[owner][index % KIND_SLOTS] = squares[owner]);
        }
        all
    }

    /// The (first) kind of a letter.
    pub(super) fn kind(&mut self, path: &str, letter: &str) -> Option<KindId> {
        let found = self.kinds.iter().position(|kind| kind.has_key(letter));
        if found.is_none() && !self.unknown.has("pieces") {
            let known: String = self.kinds.iter().map(KindInfo::key).collect();
            self.fail(path, format!("`{letter}` is not a piece of this game; use {known}"));
        }
        found.map(|index| KindId(index as u8))
    }

    /// All kinds of a letter: two where the armies differ.
    pub(super) fn kinds_of(&mut self, path: &str, letter: &str) -> Option<KindSet> {
        self.kind(path, letter)?;
        let of_letter = |index: &usize| self.kinds[*index].has_key(letter);
        Some((0..self.kinds.len()).filter(of_letter).map(|index| KindId(index as u8)).collect())
    }

    pub(super) fn kind_set(&mut self, path: &str, letters: &[String]) -> KindSet {
        letters.iter().filter_map(|letter| self.kind(path, letter)).collect()
    }

    /// The kinds that move like one of `models`, in any spelling.
    pub(super) fn moving_as(&self, models: &[&str]) -> KindSet {
        let models: Vec<Betza> = models.iter().filter_map(|model| betza::parse(model).ok()).collect();
        let alike = |index: &usize| {
            let kind = &self.kinds[*index];
            !kind.royal
                && kind.terms.is_empty()
                && models.iter().any(|model| model.movers() == self.betza[*index].0)
        };
        (0..self.kinds.len()).filter(alike).map(|index| KindId(index as u8)).collect()
    }

    /// The royal kind; some kind if there is none and should be one.
    pub(super) fn royal(&mut self) -> KindId {
        if self.definition.setup.kings == Kings::None {
            let royal = self.kinds.iter().find(|kind| kind.royal).map(KindInfo::key);
            if let Some(letter) = royal {
                let message = "no player has a king by `setup.kings`; set `royal = false`";
                self.fail(format!("pieces.{letter}.royal"), message);
            }
            return KindId::NONE;
        }
        let royal: Vec<usize> = (0..self.kinds.len()).filter(|&index| self.kinds[index].royal).collect();
        if let Some((&first, more)) = royal.split_first() {
            for &index in more {
                let path = format!("pieces.{}.royal", self.kinds[index].key());
                let message = format!("`{}` is royal already; keep one royal kind", self.kinds[first].key());
                self.fail(path, message);
            }
            return KindId(first as u8);
        }
        if !self.unknown.has_any_in("pieces") {
            self.fail("pieces", "no royal kind; add royal = true to one");
        }
        KindId(0)
    }
}

/// True for the keys of pieces: `R`, `+R`.
fn is_key(key: &str) -> bool {
    matches!(key.as_bytes(), [b'A'..=b'Z'] | [b'+', b'A'..=b'Z'])
}
