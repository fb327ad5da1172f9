//! The compiled rules of one game: tables and switches for replay.

use super::definition::{
    AntiKingsFedBy, CapturesTo, CastlingNotation, Definition, DelayFreesCastling, DelayScope, DeploymentKind,
    EndSection, GateCastling, KingsSquare, MoveCount, NatureAntiCheck, NatureArrival, NatureEnPassant,
    NaturesMate, PromotionOn, PromotionTo, Reentry, Spelled, SquareNames,
};
use super::kinds::{KIND_SLOTS, KindId, KindInfo, KindSet, Piece};
use super::known::{Proving, Unknown};
use super::moves::MoveTables;
use crate::board::{Board, ByOwner, Geometry, Mask, Owner, Square};
use crate::text::limits::KINDS_MAX;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::sync::OnceLock;

/// The identity of rules; records are bound to it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesId {
    /// Name with mutators before it, such as `chaos+ichess`.
    pub name: String,
    /// Edition.
    pub edition: String,
    /// BLAKE3 of the merged definition, with the armies where a record chooses them, 32 hex digits. An array that a
    /// record chooses is the record's start position and not part of it.
    pub digest: String,
}

/// A merged definition as a file that needs no other; empty where rules are not of a file.
#[derive(Debug, Default)]
pub struct DefinitionFile {
    table: toml::Table,
    digest: OnceLock<String>,
}

impl DefinitionFile {
    /// The file of a merged table.
    pub fn new(mut table: toml::Table) -> DefinitionFile {
        // It already has everything inherited.
        table.remove("extends");
        DefinitionFile { table, digest: OnceLock::new() }
    }

    /// Its fields.
    pub fn table(&self) -> &toml::Table {
        &self.table
    }

    /// Its text.
    pub fn text(&self) -> String {
        self.table.to_string()
    }

    /// The digest of the whole definition, words and spellings included: SHA-256 of the text, 64 hexadecimal digits.
    /// Two definitions of one play, whose [`RulesId::digest`] is the same, can read records differently.
    pub fn digest(&self) -> &str {
        self.digest.get_or_init(|| digest_of_file(&self.text()))
    }
}

/// The digest of a definition file: its SHA-256, 64 hexadecimal digits.
pub fn digest_of_file(file: &str) -> String {
    Sha256::digest(file).iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

/// Pieces off the board, by kind.
pub type Stock = [u8; KINDS_MAX];

/// Promotion of one owner's pawns.
#[derive(Debug, Clone)]
pub struct Promotion<M> {
    /// Where promotion is possible.
    pub zone: M,
    /// By kind: for pawns, and for kinds that name what they become, targets on which a step may be more than a step;
    /// empty for any other kind.
    pub zones: [M; KIND_SLOTS],
    /// Where promotion is mandatory.
    pub forced: M,
    /// The kinds on offer, for [`PromotionTo::Kinds`] and [`PromotionTo::Armies`].
    pub kinds: KindSet,
    /// By square the kind on offer, for [`PromotionTo::ArraySquare`].
    pub by_square: Vec<Option<KindId>>,
    /// By kind that names what it becomes: where it could not move again, so that it must.
    pub stuck: [M; KIND_SLOTS],
}

/// Castling of a game.
#[derive(Debug, Clone, Copy)]
pub struct Castling {
    /// Kinds that castle with the king: the rooks of both armies.
    pub rooks: KindSet,
    /// Files of king and rook after castling to the last file's side.
    pub king_side: (u8, u8),
    /// Files of king and rook after castling to the a-file's side.
    pub queen_side: (u8, u8),
    /// Where pieces that are placed before play castle from.
    pub placed: Option<Placed>,
    /// Its form in coordinate notation.
    pub notation: CastlingNotation,
}

/// From where pieces castle that were placed before play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    /// The king's file.
    pub king: u8,
    /// The rooks' files, a bit each.
    pub rooks: u16,
}

/// Gating of a game.
#[derive(Debug, Clone, Copy)]
pub struct Gating {
    /// Gating while castling.
    pub with_castling: GateCastling,
    /// Maximum number of pieces that enter in one ply.
    pub per_turn: u8,
    /// Whether a gated piece may block a check.
    pub may_block: bool,
}

/// Where one owner may drop pieces.
#[derive(Debug, Clone, Copy)]
pub struct Drops<M> {
    /// Pieces of the reserve.
    pub reserve: M,
    /// Pieces of the hand.
    pub hand: M,
    /// Pawns, in addition to the above.
    pub pawns: M,
    /// By kind, in addition to the above.
    pub kinds: [M; KIND_SLOTS],
}

/// Moves that only the first move of a piece may be.
#[derive(Debug)]
pub struct FirstLeaps<M> {
    /// The kinds that have one.
    pub kinds: KindSet,
    /// Their movement.
    pub moves: ByOwner<MoveTables<M>>,
    /// By owner: the array squares of these kinds.
    pub starts: ByOwner<M>,
}

/// A piece that may become another kind on its square, as a whole ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switch {
    /// The piece.
    pub from: KindId,
    /// What it becomes.
    pub to: KindId,
}

/// The promotion of another piece of the same owner by a pawn's arrival.
#[derive(Debug)]
pub struct OtherPromotion<M> {
    /// By owner: where a pawn must arrive.
    pub zone: ByOwner<M>,
    /// Where Nature's pawn must arrive: the zone as each side of the board sees it, which is both players' where the
    /// board is not square.
    pub natures: Vec<M>,
    /// The other piece.
    pub of: KindId,
    /// What it may become.
    pub to: KindSet,
}

/// Captures of own pieces.
#[derive(Debug)]
pub struct OwnCaptures<M> {
    /// The kinds that capture pieces of their owner's.
    pub kinds: KindSet,
    /// Their movement.
    pub moves: ByOwner<MoveTables<M>>,
}

/// What a capture explodes.
#[derive(Debug, Clone)]
pub struct Blast<M> {
    /// By square: the squares around it.
    pub around: Vec<M>,
    /// Kinds that survive beside it.
    pub spares: KindSet,
}

/// What few games have.
#[derive(Debug)]
pub struct Special<M> {
    /// True if a ply may be unsafe in other ways than by opening a line: some piece attacks depending on other pieces
    /// (hoppers, lame leapers) or attacks kings alone, or a piece must stay attacked.
    pub hidden_attacks: bool,
    /// Movement that attacks kings alone, if some kind has any.
    pub on_kings: Option<Box<ByOwner<MoveTables<M>>>>,
    /// Whose attacks are no chase, and where a piece can be chased (XQI-2).
    pub chases: Chases<M>,
    /// The kind that must stay attacked, and cannot be captured.
    pub anti_king: Option<KindId>,
    /// By kind: the kinds that it neither jumps over nor captures; `None` if every kind jumps over all.
    pub hurdle_not: Option<Box<[KindSet; KIND_SLOTS]>>,
    /// Whether a player may give up the turn.
    pub passes: bool,
    /// Whether kings that face each other must be parted.
    pub bikjang: bool,
    /// By kind: the points of a piece where points decide.
    pub points: Option<[u8; KIND_SLOTS]>,
    /// Captures of own pieces.
    pub own_captures: Option<OwnCaptures<M>>,
    /// The piece that may become another kind on its square.
    pub switch: Option<Switch>,
    /// The promotion of another piece by a pawn's arrival.
    pub other_promotion: Option<OtherPromotion<M>>,
    /// First moves of their own.
    pub first_leaps: Option<FirstLeaps<M>>,
    /// The kinds that a player deploys on squares of both colours alike.
    pub both_colours: KindSet,
    /// By owner: whether the player has a king.
    pub has_king: ByOwner<bool>,
    /// By owner: squares from which a double step gives the right to capture en passant.
    pub passing: ByOwner<M>,
    /// By owner: the squares on which a piece of a kind wins.
    pub goal: ByOwner<Vec<(KindId, M)>>,
    /// What a capture explodes.
    pub blast: Option<Blast<M>>,
    /// True if a captured piece goes somewhere, or its capture explodes.
    pub captures_matter: bool,
    /// Whether a player who can capture must.
    pub captures_compulsory: bool,
    /// Whether a ply may not give check.
    pub check_forbidden: bool,
    /// True if a ply must meet more conditions than that its owner's king is safe: captures are compulsory or explode,
    /// or check is forbidden.
    pub conditions: bool,
    /// True if Nature has a piece that must stay attacked: she places it before the first ply (CHA-19).
    pub natures_anti_king: bool,
    /// True if an attack by the opponent does not suffice or is not needed for check: Nature, kings that shield each
    /// other from explosions.
    pub unusual_checks: bool,
    /// True if pieces attack along lines or by leaps alone, and no condition makes a ply illegal; Nature's attacks may
    /// come and go all the same.
    pub lines_decide: bool,
    /// True if the position itself may show an ending other than checkmate and stalemate.
    pub shows_ends: bool,
    /// True if moves without capture or pawn move are counted towards a draw other than by the rules of chess.
    pub counts_quiet: bool,
}

/// Which attacks a repetition may consist of, where attacking a piece again and again can lose (XQI-2).
#[derive(Debug)]
pub struct Chases<M> {
    /// The kinds that may attack so.
    pub free: KindSet,
    /// By owner and kind: the squares on which a piece may not be attacked so.
    pub on: ByOwner<Vec<M>>,
}

impl<M> Special<M> {
    /// True if nothing special concerns the short path of a ply and of its judgement.
    pub fn is_plain(&self) -> bool {
        self.lines_decide && !self.shows_ends && !self.counts_quiet
    }

    /// True if a part of the key is computed on demand: for first moves, passes or counted moves.
    pub(super) fn is_lazy(&self, definition: &Definition) -> bool {
        self.leaps() || self.passes || definition.ends.count != MoveCount::None
    }

    /// True if some pieces have a first move of their own.
    pub fn leaps(&self) -> bool {
        self.first_leaps.is_some()
    }
}

/// Pieces of the stronger side, and the moves after which their opponent's bare king draws (MAK 4).
#[derive(Debug, Clone, Copy)]
pub struct CountLimit {
    /// The kind.
    pub kind: KindId,
    /// The least number of pieces of it.
    pub pieces: u32,
    /// The last number of the count.
    pub moves: u8,
}

/// The third player.
#[derive(Debug, Clone)]
pub struct Nature<M> {
    /// True if a position must name the array: it is the record's, and pieces reenter on its squares (CHA-8).
    pub names_array: bool,
    /// Real plies between in-between turns.
    pub period: u8,
    /// Real plies during which Nature gives no check.
    pub delay: u8,
    /// What the delay applies to.
    pub delay_scope: DelayScope,
    /// Whose attacks do not prevent castling during the delay.
    pub delay_frees_castling: DelayFreesCastling,
    /// Which player Nature's mate applies to.
    pub natures_mate: NaturesMate,
    /// The form in which captured pieces return.
    pub reentry: Reentry,
    /// Kinds that may be introduced.
    pub introduces: KindSet,
    /// Kinds that a pawn may become.
    pub promotes: KindSet,
    /// Nature's king.
    pub king: KindId,
    /// Nature's pawn.
    pub pawn: KindId,
    /// Nature's rook.
    pub rook: KindId,
    /// Whether Nature may castle.
    pub castling: bool,
    /// Whether the pawn rules apply.
    pub pawns: bool,
    /// (king's square, rook's square) pairs.
    pub castling_pairs: Vec<(Square, Square)>,
    /// Where Nature's pawns may capture en passant.
    pub en_passant: M,
    /// Where they go then.
    pub en_passant_to: NatureEnPassant,
    /// When a pawn promotes another piece by its arrival.
    pub arrival: NatureArrival,
    /// What may end the anti-check of her Anti-King.
    pub anti_check: NatureAntiCheck,
    /// Whose attacks keep the players' Anti-Kings out of anti-check.
    pub anti_kings_fed_by: AntiKingsFedBy,
    /// The border.
    pub border: M,
    /// The squares next to the border.
    pub next_to_border: M,
    /// The directions in which her pawn steps, as files and ranks.
    pub pawn_steps: Vec<(i8, i8)>,
}

/// The compiled rules of one game.
#[derive(Debug)]
pub struct Rules<M> {
    /// The identity.
    pub id: RulesId,
    /// The merged definition they were compiled from.
    pub definition: Definition,
    /// The same as a file.
    pub file: DefinitionFile,
    /// Lines of the board.
    pub geometry: Geometry<M>,
    /// The kinds, by number.
    pub kinds: Vec<KindInfo>,
    /// Movement.
    pub moves: ByOwner<MoveTables<M>>,
    /// Squares that, when left or entered, may open or block an attack on the square.
    pub lines_to: Vec<M>,
    /// What few games have.
    pub special: Special<M>,
    /// The array.
    pub array: Vec<Option<Piece>>,
    /// By owner and kind: the array squares.
    pub array_squares: ByOwner<Vec<M>>,
    /// Each player's reserve at the start.
    pub reserve: Stock,
    /// Each player's hand at the start.
    pub hand: Stock,
    /// By owner: the number of each kind in array and reserve, without king and pawns (IAB-3).
    pub equipment: ByOwner<Stock>,
    /// Declared stand-ins: a piece of the first kind that is off the board may serve as one of the second (IAV 7).
    pub stand_ins: Vec<(KindId, KindId)>,
    /// True if positions have a reserve.
    pub has_reserve: bool,
    /// True if positions have a hand.
    pub has_hand: bool,
    /// Kinds in the order of a stock.
    pub stock_order: Vec<KindId>,
    /// The royal kind; [`KindId::NONE`], which no piece has, if no player has a king.
    pub king: KindId,
    /// Kinds that are pawns.
    pub pawns: KindSet,
    /// Kinds of which one piece, with its king, cannot checkmate a lone king by any series of moves (COM-7).
    pub minors: KindSet,
    /// While one of these kinds is on the board, no position is dead by its material: usually all except the king and
    /// the minors; the minors too where stalemate or perpetual check decides; and the king where no material is dead.
    pub majors: KindSet,
    /// Minor pieces bound to one colour of squares.
    pub bishops: KindSet,
    /// By owner: squares from which a pawn may make a double step, or a longer one.
    pub double_step: ByOwner<M>,
    /// Squares that a pawn may go from there at most: 2 or 3.
    pub first_step: u8,
    /// Whether there is en passant.
    pub en_passant: bool,
    /// What pawns may become.
    pub promotion_to: PromotionTo,
    /// When optional promotion is offered.
    pub promotion_on: PromotionOn,
    /// By kind: what it may become by a move, if its definition says so.
    pub promotes_to: [Option<KindId>; KIND_SLOTS],
    /// The kinds that name what they become.
    pub promoters: KindSet,
    /// By owner: promotion.
    pub promotion: ByOwner<Promotion<M>>,
    /// Castling.
    pub castling: Option<Castling>,
    /// Gating.
    pub gating: Option<Gating>,
    /// By owner: drops.
    pub drops: ByOwner<Drops<M>>,
    /// Whether pieces of the hand enter by the drop rule (and not on array squares).
    pub hand_drops: bool,
    /// Maximum number of entries of one player in a game.
    pub entries: Option<u8>,
    /// Deployment phase.
    pub deployment: DeploymentKind,
    /// By owner: the square of the opening deployment.
    pub deployment_square: ByOwner<Square>,
    /// Whether captured pieces go to the captor's hand.
    pub captures_to_hand: bool,
    /// Whether captured pieces other than pawns return to their owner's reserve.
    pub captures_to_reserve: bool,
    /// Whether promoted pieces must be marked on the board.
    pub marks_promoted: bool,
    /// Endings.
    pub ends: EndSection,
    /// The limits of a bare king's count, in the order of their tests.
    pub count_limits: Vec<CountLimit>,
    /// By owner: the opposing king's array square, if it matters.
    pub kings_square: ByOwner<M>,
    /// The rank of each owner on which castling and gating begin: the first, unless the definition names another.
    pub back_rank: ByOwner<M>,
    /// Nature.
    pub nature: Option<Nature<M>>,
    /// True if nothing undoes what restarts the halfmove clock, so that no earlier position can recur: pawns never
    /// return, captured pieces never enter again.
    pub restarts_are_final: bool,
    /// True if a moving piece uncovers attacks only along the line that it leaves: there are no hidden attacks, and no
    /// piece whose attacks come and go; and nothing else makes a ply illegal.
    pub only_lines: bool,
    /// True if a ply changes only board, hands and the FIDE rights, at most opens lines, and shows no ending but
    /// checkmate and stalemate: no third player, gating, limit of entries, hidden attacks, special endings. One test a
    /// ply then covers what most games lack.
    pub plain: bool,
    /// True if a step of a player who is not in check may be made plainly ([`Position::step_plainly`]): besides, no
    /// captured piece goes anywhere, and no movement depends on other pieces than those in its way.
    ///
    /// [`Position::step_plainly`]: crate::position::Position::step_plainly
    pub steps_plainly: bool,
    /// True if parts of the position key are computed on demand (gating rights, Nature's state).
    pub lazy_key: bool,
    /// What [`Rules::unknown_to`] answers, once it is asked.
    pub(super) unknown: OnceLock<Unknown>,
}

impl<M: Mask> Rules<M> {
    /// What [`Rules::steps_plainly`] is, of rules that are complete but for it.
    pub(super) fn may_step_plainly(&self) -> bool {
        let special = &self.special;
        self.plain
            && self.only_lines
            && !special.captures_matter
            && special.anti_king.is_none()
            && special.other_promotion.is_none()
            && self.first_step <= 2
            && self.moves.0.iter().all(|moves| moves.special_kinds() == 0)
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> Board {
        self.geometry.board()
    }

    /// All kinds of the game.
    #[inline]
    pub fn all_kinds(&self) -> KindSet {
        KindSet(u32::MAX >> (u32::BITS as usize - self.kinds.len()))
    }

    /// What a kind is called in the styles that name a piece by its file.
    pub fn spelled(&self, kind: KindId) -> Option<&Spelled> {
        self.definition.pieces.get(&self.kind(kind).key()).map(|piece| &piece.spelled)
    }

    /// The properties of a kind.
    #[inline]
    pub fn kind(&self, kind: KindId) -> &KindInfo {
        &self.kinds[kind.index()]
    }

    /// True for pawns.
    #[inline]
    pub fn is_pawn(&self, kind: KindId) -> bool {
        self.pawns.has(kind)
    }

    /// True for the pawns of a player or of Nature: hers may be another piece of the players', such as a soldier
    /// (CHA-23).
    pub fn is_pawn_of(&self, owner: Owner, kind: KindId) -> bool {
        let hers = || self.nature.as_ref().is_some_and(|nature| nature.pawn == kind);
        self.is_pawn(kind) || owner == Owner::Nature && hers()
    }

    /// The kind that `owner` writes with `letter` (upper case), with `'` for the other army's; lenient where both
    /// armies have the kind (AUG-5).
    pub fn kind_by_letter(&self, owner: Owner, letter: u8, other_army: bool) -> Option<KindId> {
        let exact = self.kind_by_label(owner, letter, other_army);
        exact.or_else(|| {
            if other_army { self.kind_by_label(owner, letter, false) } else { self.by_alias(letter) }
        })
    }

    /// True if captured pieces go to the captor's partner: the game is played on two boards (BUG 2).
    pub fn captures_to_partner(&self) -> bool {
        self.definition.captures.to == CapturesTo::Partner
    }

    /// True if captured pieces go to a hand: the captor's, or that of the captor's partner.
    pub fn captures_come_back(&self) -> bool {
        self.captures_to_hand || self.captures_to_partner()
    }

    /// The kind that `owner` writes exactly so.
    pub fn kind_by_label(&self, owner: Owner, letter: u8, other_army: bool) -> Option<KindId> {
        let found = self.kinds.iter().position(|kind| {
            let label = kind.label[owner];
            label.letter == letter && label.other_army == other_army && !label.plus
        });
        found.map(|index| KindId(index as u8))
    }

    /// The kind that is written `+` and a letter.
    pub fn promoted_kind(&self, letter: u8) -> Option<KindId> {
        let found = self.kinds.iter().position(|kind| kind.plus && kind.letter == letter);
        found.map(|index| KindId(index as u8))
    }

    fn by_alias(&self, letter: u8) -> Option<KindId> {
        self.kinds.iter().position(|kind| kind.also.contains(&letter)).map(|index| KindId(index as u8))
    }

    /// The first field of the definition that proofs do not know; `None` if they know the whole game.
    pub fn unknown_to(&self, proving: Proving) -> Option<&str> {
        self.unknown.get_or_init(|| Unknown::of(&self.definition)).to(proving)
    }

    /// True if a player may win in other ways than by mate, a pawn on the king's square or baring the king.
    pub fn wins_besides_mate(&self) -> bool {
        self.ends.wins_besides_mate() || self.special.blast.is_some()
    }

    /// True if two pieces of the reserve may be dropped in one turn (IAB 2).
    pub fn may_drop_two(&self) -> bool {
        self.gating.is_some_and(|gating| gating.per_turn > 1)
    }

    /// The name that the players of this game give a square, for messages.
    pub fn square_name(&self, square: Square) -> String {
        let board = self.board();
        let (file, rank) = (board.file(square), board.rank(square));
        match self.definition.board.square_names {
            SquareNames::Algebraic => board.name(square),
            SquareNames::Shogi => {
                format!("{}{}", board.files() - file, char::from(b'a' + board.ranks() - 1 - rank))
            }
            SquareNames::FromZero => format!("{}{rank}", char::from(b'a' + file)),
        }
    }

    /// True if both players have a king.
    pub fn has_both_kings(&self) -> bool {
        Owner::REAL.into_iter().all(|owner| self.special.has_king[owner])
    }

    /// True if a start position may have the king of one player only: nothing but mate depends on kings (COM-9).
    pub fn may_lack_king(&self) -> bool {
        let ends = &self.ends;
        self.special.blast.is_none()
            && self.special.anti_king.is_none()
            && !self.special.passes
            && self.nature.is_none()
            && self.deployment == DeploymentKind::None
            && ends.kings_square == KingsSquare::None
            && ends.goal.is_empty()
            && !ends.bare_king.loses()
    }

    /// The article that a reason cites in this game.
    pub fn cite<'a>(&'a self, reason: &str, fallback: &'a str) -> &'a str {
        self.definition.cites.get(reason).map_or(fallback, String::as_str)
    }

    /// The ruling by which the source of the game neither gives nor excludes an end, if it does so.
    pub fn unsettled(&self, end: &str) -> Option<&str> {
        self.definition.cites.get(&format!("{end}.unsettled")).map(String::as_str)
    }

    /// [`Rules::cite`] where the definition distinguishes cases of a reason, as in `no-such-move.N`: the first of
    /// `cases` that it has decides.
    pub fn cite_case<'a>(&'a self, reason: &str, cases: &[String], fallback: &'a str) -> &'a str {
        let known = cases.iter().find_map(|case| self.definition.cites.get(&format!("{reason}.{case}")));
        known.map_or_else(|| self.cite(reason, fallback), String::as_str)
    }

    /// True if the kind captures pieces of its owner's.
    #[inline]
    pub fn captures_own(&self, kind: KindId) -> bool {
        self.special.own_captures.as_ref().is_some_and(|own| own.kinds.has(kind))
    }

    /// The squares of king and rook after castling with the rook on `rook` and the king on `king`.
    pub fn castling_targets(&self, castling: &Castling, king: Square, rook: Square) -> (Square, Square) {
        let board = self.board();
        let (king_file, rook_file) = if rook > king { castling.king_side } else { castling.queen_side };
        // A king outside the board's corners castles with no rook.
        let at = |file: u8| board.square(file as i8, board.rank(king) as i8).unwrap_or(Square::NONE);
        (at(king_file), at(rook_file))
    }
}
