//! The variant definition as its author writes it: closed, parameterised choices, no scripting.
//!
//! Every section has a default, so that a child file only lists differences from its parent.
//! `formats/VARIANT.md` explains each field to authors; `formats/RULES.md` holds the articles.

mod declaration;
mod ends;
mod nature;
mod notation;

pub use declaration::Declaration;
pub use ends::{
    Annihilation, BareKing, BoardHonour, DeadPosition, EndSection, FIFTY_MOVES, GoalName, KingsSquare, Mate,
    MoveCount, Perpetual, Repetition, RepetitionLoses, Stalemate, Unmated,
};
pub use nature::{
    AntiKingsFedBy, DelayFreesCastling, DelayScope, LateTurn, NatureAntiCheck, NatureArrival, NatureCastling,
    NatureEnPassant, NatureSection, NaturesMate, Reentry,
};
pub use notation::{OwnStyle, Spelled, Tandem};

use crate::board::Board;
use crate::pieces::army::Choice;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// A complete definition, parents merged in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Definition {
    /// Short name, as in the tag `Variant`.
    pub name: String,
    /// Display name.
    pub title: String,
    /// Edition of the rules; a record may name it in the tag `RulesEdition`.
    pub edition: String,
    /// True if editions are expected to change, so that a record without `RulesEdition` gets a remark (IAM-3).
    pub editions_change: bool,
    /// Other names for the tag `Variant`.
    pub aliases: Vec<String>,
    /// Name of the definition that this one changes.
    pub extends: Option<String>,
    /// Source of the rules.
    pub source: String,
    /// IAGO class, if the IAGO text itself assigns one.
    pub class: Option<String>,
    /// The inventor's notation style, tried first when no style is given.
    pub native_style: String,
    /// Styles that the game has besides those that all games have.
    pub styles: Vec<OwnStyle>,
    /// Tags that a record needs to be judged.
    pub needs_tags: Vec<String>,
    /// Size of the board.
    pub board: BoardSection,
    /// Whether a ply may give check.
    pub check: Check,
    /// Array and starting stocks.
    pub setup: SetupSection,
    /// Pieces by letter; `+R` is what another piece becomes.
    pub pieces: BTreeMap<String, PieceSection>,
    /// Order of letters in the stocks of a position; other letters follow alphabetically.
    pub stock_order: String,
    /// Double step and en passant.
    pub pawns: PawnSection,
    /// Promotion.
    pub promotion: PromotionSection,
    /// The piece that may become another kind on its square.
    pub switch: SwitchSection,
    /// Castling.
    pub castling: CastlingSection,
    /// Gating: reserve pieces that enter on the square a moving piece leaves.
    pub gating: GatingSection,
    /// Drops: pieces placed from a stock as a whole ply.
    pub drops: DropSection,
    /// Giving up the turn.
    pub pass: PassSection,
    /// Pieces that must be placed before play.
    pub deployment: DeploymentSection,
    /// Where captured pieces go.
    pub captures: CaptureSection,
    /// How a game ends.
    pub ends: EndSection,
    /// The third player.
    pub nature: NatureSection,
    /// Choice of armies before the game.
    pub armies: ArmySection,
    /// The players' time.
    pub clock: ClockSection,
    /// The players' equipment besides board and stocks (for the equipment rule).
    pub equipment: EquipmentSection,
    /// The article that a reason id cites in this game, if it differs from the parent's.
    pub cites: BTreeMap<String, String>,
}

impl Default for Definition {
    fn default() -> Definition {
        Definition {
            name: String::new(),
            title: String::new(),
            edition: "1".into(),
            editions_change: false,
            aliases: Vec::new(),
            extends: None,
            source: String::new(),
            class: None,
            native_style: "san".into(),
            styles: Vec::new(),
            needs_tags: Vec::new(),
            board: BoardSection::default(),
            check: Check::Allowed,
            setup: SetupSection::default(),
            pieces: BTreeMap::new(),
            stock_order: "KQMCARBNFP".into(),
            pawns: PawnSection::default(),
            promotion: PromotionSection::default(),
            switch: SwitchSection::default(),
            castling: CastlingSection::default(),
            gating: GatingSection::default(),
            drops: DropSection::default(),
            pass: PassSection::default(),
            deployment: DeploymentSection::default(),
            captures: CaptureSection::default(),
            ends: EndSection::default(),
            nature: NatureSection::default(),
            armies: ArmySection::default(),
            clock: ClockSection::default(),
            equipment: EquipmentSection::default(),
            cites: BTreeMap::new(),
        }
    }
}

/// How much time the players have where a record does not say it. A mutator may set it for any game (IAGO V-Class).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct ClockSection {
    /// The time control, as the tag `TimeControl` has it: `40/7200:3600+30`; empty for none.
    pub control: String,
    /// Who gets a full increment for an in-between turn, as the tag `NatureClock` has it; empty for none.
    pub nature: String,
    /// Article.
    pub rule: String,
}

/// Size and shape of the board, in squares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct BoardSection {
    /// Number of files.
    pub files: u8,
    /// Number of ranks.
    pub ranks: u8,
    /// Number of the first rank: 1, or 0 as in Omega Chess.
    pub first_rank: u8,
    /// Whether four more squares lie outside, each joined to a corner diagonally: `w1` to `w4`, as in Omega Chess.
    pub corners: bool,
    /// How messages name its squares.
    pub square_names: SquareNames,
}

impl BoardSection {
    /// The board; `None` beyond the limits.
    pub fn board(&self) -> Option<Board> {
        self.shaped(Board::new(self.files, self.ranks)?)
    }

    /// A board of this shape, whatever its size.
    pub(in crate::rules) fn shaped(&self, board: Board) -> Option<Board> {
        let board = if self.first_rank == 0 { board.from_zero() } else { board };
        if self.corners { board.with_corners() } else { Some(board) }
    }
}

/// How the players of a game name the squares of its board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SquareNames {
    /// As coordinate notation does: `e4`.
    #[default]
    Algebraic,
    /// The file as a number from White's right, the rank as a letter from Black's side: `7g`.
    Shogi,
    /// As coordinate notation, with ranks from 0: `e0`.
    FromZero,
}

impl Default for BoardSection {
    fn default() -> BoardSection {
        let square_names = SquareNames::default();
        BoardSection { files: 8, ranks: 8, first_rank: 1, corners: false, square_names }
    }
}

/// Whether a ply may give check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// It may.
    #[default]
    Allowed,
    /// It may not.
    Forbidden,
}

/// Which players have a king.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kings {
    /// Both.
    #[default]
    Both,
    /// White alone.
    White,
    /// Black alone.
    Black,
    /// No player: no kind is royal.
    None,
}

/// Array and starting stocks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct SetupSection {
    /// The array as the first field of a FEN.
    pub board: String,
    /// Letters (upper case) of each player's reserve at the start.
    pub reserve: String,
    /// Letters (upper case) of each player's hand at the start.
    pub hand: String,
    /// True if the record's start position is the array (chess960).
    pub from_record: bool,
    /// Which players have a king.
    pub kings: Kings,
    /// Further letters that FENs use for White as the player on move.
    pub white_also: String,
    /// Whether a position may have the waiting player in check.
    pub waiting_check: bool,
    /// Article.
    pub rule: String,
}

/// Whose pieces a kind captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Victims {
    /// The opponent's, and Nature's.
    #[default]
    Others,
    /// Its owner's alone; it attacks no other piece.
    Own,
    /// Those of all.
    All,
}

/// One kind of piece.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct PieceSection {
    /// Display name.
    pub name: String,
    /// Movement in Betza notation, seen by its owner. Empty if the armies choose it.
    pub betza: String,
    /// Parts of the movement that are bound to a part of the board, in addition to `betza`.
    pub terms: Vec<TermSection>,
    /// Further movement in Betza notation that attacks a royal piece alone, and otherwise goes nowhere.
    pub attacks_king: String,
    /// Letters of kinds that it neither jumps over nor captures; it needs another hurdle.
    pub hurdle_not: String,
    /// Nature's movement of this kind, if it differs or only Nature has the kind.
    pub nature: Option<String>,
    /// The piece whose attack is check.
    pub royal: bool,
    /// The piece that must stay attacked: it may not be left without an attack by an opposing piece other than a king,
    /// and cannot be captured.
    pub anti_royal: bool,
    /// Whose pieces it captures.
    pub captures: Victims,
    /// A first move to vacant squares in Betza notation, besides its movement; the right to it is lost with any move.
    pub first_leap: Option<String>,
    /// True for pawns: their moves restart the halfmove clock, they promote, and dropped ones may not share a file.
    pub pawn: bool,
    /// Letter of the kind that this one becomes in hand when captured, if another.
    pub captured_as: Option<String>,
    /// Letter of the kind that this one may become by a move, whatever pawns become.
    pub promotes_to: Option<String>,
    /// Where it may be dropped, within the regions of `drops`. Black's is mirrored.
    pub drop: Option<String>,
    /// True if its repeated attacks are no chase.
    pub may_chase: bool,
    /// The region in which its repeated attack by others is a chase.
    pub chased_on: Option<String>,
    /// Other letters for the kind in records.
    pub also: Vec<String>,
    /// What it is called in styles that name a piece by its file.
    pub spelled: Spelled,
    /// How to build one at home (for diagrams).
    pub home_made: Option<String>,
}

/// A part of a movement that is bound to a part of the board. Regions are White's; Black's are mirrored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct TermSection {
    /// The movement in Betza notation.
    pub betza: String,
    /// The squares from which it is possible.
    pub from: String,
    /// The squares on which it may end.
    pub to: String,
    /// Whether Nature's pieces of the kind are bound to these squares, White's or Black's, as well (CHA-23).
    pub nature: bool,
}

impl Default for TermSection {
    fn default() -> TermSection {
        TermSection { betza: String::new(), from: "all".into(), to: "all".into(), nature: false }
    }
}

impl fmt::Display for TermSection {
    /// `fsW from rank 6-10`, `W to d1-f3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.betza)?;
        let bound = |region: &str| region.trim() != "all";
        if bound(&self.from) {
            write!(f, " from {}", self.from)?;
        }
        if bound(&self.to) {
            write!(f, " to {}", self.to)?;
        }
        Ok(())
    }
}

impl PieceSection {
    /// Nature's movement as text, without and with regions: `W, F from e2`; `None` if she has no such kind.
    pub fn natures_movement(&self) -> Option<String> {
        let whole = self.nature.clone().filter(|text| !text.is_empty());
        let parts = self.terms.iter().filter(|term| term.nature).map(ToString::to_string);
        self.nature.as_ref().map(|_| whole.into_iter().chain(parts).collect::<Vec<_>>().join(", "))
    }

    /// The whole movement as text: `fW, sW from rank 6-10`.
    pub fn movement(&self) -> String {
        let whole = (!self.betza.is_empty()).then(|| self.betza.clone());
        let parts: Vec<String> =
            whole.into_iter().chain(self.terms.iter().map(ToString::to_string)).collect();
        parts.join(", ")
    }
}

/// Pawns' double step and en passant. Regions are White's; Black's are mirrored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct PawnSection {
    /// Squares from which a pawn may go more than one square forward.
    pub double_step: String,
    /// Squares that it may go from there at most: 2, or 3 as in Omega Chess.
    pub first_step: u8,
    /// Whether a pawn that made a double step may be captured en passant.
    pub en_passant: bool,
    /// Squares from which a double step gives that right; empty for all.
    pub en_passant_from: String,
    /// Article.
    pub rule: String,
}

impl Default for PawnSection {
    fn default() -> PawnSection {
        let [double_step, en_passant_from, rule] = [const { String::new() }; 3];
        PawnSection { double_step, first_step: 2, en_passant: false, en_passant_from, rule }
    }
}

/// What pawns become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PromotionTo {
    /// The listed kinds.
    #[default]
    Kinds,
    /// The owner's captured pieces and reserve (IAB 3).
    Pool,
    /// The opposing piece whose array square it is (ING 4).
    ArraySquare,
    /// Any kind of either army except king and pawn (AUG 3).
    Armies,
}

/// When optional promotion is offered (ICH-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PromotionOn {
    /// At every move that ends in the zone.
    #[default]
    Any,
    /// Only at the move that enters the zone.
    Entry,
}

/// Promotion. Regions are White's; Black's are mirrored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct PromotionSection {
    /// Squares on which an arriving pawn may be promoted.
    pub zone: String,
    /// Whether a move that begins in the zone promotes too.
    pub from_zone: bool,
    /// Squares on which it must be promoted.
    pub forced: String,
    /// What it becomes.
    pub to: PromotionTo,
    /// Letters for `to = "kinds"`.
    pub kinds: Vec<String>,
    /// Whether a pawn that is already in the zone is offered promotion again.
    pub on: PromotionOn,
    /// The promotion of another piece by a pawn's arrival.
    pub other: OtherPromotionSection,
    /// Article.
    pub rule: String,
}

/// The promotion of another piece of the same owner by a pawn's arrival. The region is White's; Black's is mirrored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct OtherPromotionSection {
    /// Squares on which an arriving pawn promotes the other piece.
    pub zone: String,
    /// Letter of the other piece; while its owner has none, nothing is promoted.
    pub of: String,
    /// Letters of the kinds that it may become.
    pub to: Vec<String>,
    /// Article.
    pub rule: String,
}

impl Default for OtherPromotionSection {
    fn default() -> OtherPromotionSection {
        OtherPromotionSection { zone: "none".into(), of: String::new(), to: Vec::new(), rule: String::new() }
    }
}

/// The piece that may become another kind on its square, as a whole ply.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct SwitchSection {
    /// Letter of the piece; empty if there is none.
    pub from: String,
    /// Letter of the kind that it becomes.
    pub to: String,
    /// Article.
    pub rule: String,
}

/// Giving up the turn, as a whole ply.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct PassSection {
    /// Whether a player who is not in check may pass. Two passes running end the game.
    pub allowed: bool,
    /// Article.
    pub rule: String,
}

impl Default for PromotionSection {
    fn default() -> PromotionSection {
        PromotionSection {
            zone: "none".into(),
            from_zone: false,
            forced: "none".into(),
            to: PromotionTo::Kinds,
            kinds: Vec::new(),
            on: PromotionOn::Any,
            other: OtherPromotionSection::default(),
            rule: String::new(),
        }
    }
}

/// The form of castling in coordinate notation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CastlingNotation {
    /// The king's two squares: `e1g1`.
    #[default]
    KingTarget,
    /// The king's square and the rook's: `e1h1`.
    RookSquare,
}

/// Castling. Files are letters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct CastlingSection {
    /// Whether there is castling.
    pub enabled: bool,
    /// White's rank on which king and rook stand, counted from 1; Black's is its mirror image.
    pub rank: u8,
    /// Letter of the piece that castles with the king.
    pub rook: String,
    /// Target files of king and rook, castling towards the last file.
    pub king_side: CastlingTarget,
    /// Target files of king and rook, castling towards the a-file.
    pub queen_side: CastlingTarget,
    /// Where pieces that are placed before play may castle from; none if they may not.
    pub placed: Option<PlacedCastling>,
    /// Its form in coordinate notation.
    pub notation: CastlingNotation,
    /// Article.
    pub rule: String,
}

/// Files from which king and rooks castle that were placed there before play.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PlacedCastling {
    /// The king's file.
    pub king: String,
    /// The rooks' files, one after the other: `ah`.
    pub rooks: String,
}

impl Default for CastlingSection {
    fn default() -> CastlingSection {
        CastlingSection {
            enabled: false,
            rank: 1,
            rook: "R".into(),
            king_side: CastlingTarget { king: "g".into(), rook: "f".into() },
            queen_side: CastlingTarget { king: "c".into(), rook: "d".into() },
            placed: None,
            notation: CastlingNotation::KingTarget,
            rule: String::new(),
        }
    }
}

/// Files on which castling ends.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct CastlingTarget {
    /// The king's file.
    pub king: String,
    /// The rook's file.
    pub rook: String,
}

/// On which square a piece may be gated when its owner castles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GateCastling {
    /// Castling and gating exclude each other (IAB 4).
    #[default]
    Never,
    /// On the king's square or on the rook's.
    Either,
}

/// Gating: reserve pieces that enter on the square a moving piece leaves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct GatingSection {
    /// Whether there is gating, at the first move of a piece of the back rank.
    pub enabled: bool,
    /// Gating while castling.
    pub with_castling: GateCastling,
    /// Number of pieces that may enter in one turn, 1 or 2: two gate while castling, or are dropped together.
    pub per_turn: u8,
    /// Whether the gated piece may block a check (IAB-2); otherwise the move must be legal without it.
    pub may_block: bool,
    /// Article.
    pub rule: String,
}

impl Default for GatingSection {
    fn default() -> GatingSection {
        GatingSection {
            enabled: false,
            with_castling: GateCastling::Never,
            per_turn: 1,
            may_block: false,
            rule: String::new(),
        }
    }
}

/// Drops: pieces placed from a stock as a whole ply. Regions are White's; Black's are mirrored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct DropSection {
    /// Where reserve pieces may be dropped.
    pub reserve: String,
    /// Where pieces in hand may be dropped.
    pub hand: String,
    /// Where pawns may be dropped, in addition to the above.
    pub pawns: String,
    /// Whether a pawn may be dropped on a file with an own pawn.
    pub pawns_share_files: bool,
    /// Whether a dropped pawn may mate at once.
    pub pawn_mate: bool,
    /// Maximum number of drops and gatings of one player in a game; `None` for no limit, `-1` for as many as the
    /// reserve had at the start.
    pub entries: Option<i16>,
    /// Article.
    pub rule: String,
}

impl Default for DropSection {
    fn default() -> DropSection {
        DropSection {
            reserve: "none".into(),
            hand: "none".into(),
            pawns: "all".into(),
            pawns_share_files: true,
            pawn_mate: true,
            entries: None,
            rule: String::new(),
        }
    }
}

/// Pieces that must be placed before play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeploymentKind {
    /// None.
    #[default]
    None,
    /// The first ply of each player puts one reserve piece on a given square (IAC-1).
    Opening,
    /// The whole hand, the king last (ICH 2).
    Hand,
    /// The whole hand, in any order, as in Pre-Chess.
    AnyOrder,
}

impl DeploymentKind {
    /// True if the pieces in hand are placed.
    pub const fn is_of_hand(self) -> bool {
        matches!(self, DeploymentKind::Hand | DeploymentKind::AnyOrder)
    }
}

/// The deployment phase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct DeploymentSection {
    /// The kind of deployment phase.
    pub kind: DeploymentKind,
    /// White's square for `opening`; Black's is mirrored.
    pub square: String,
    /// Letters of kinds that a player places on squares of both colours alike: bishops in Pre-Chess.
    pub both_colours: String,
    /// Article.
    pub rule: String,
}

impl Default for DeploymentSection {
    fn default() -> DeploymentSection {
        DeploymentSection {
            kind: DeploymentKind::None,
            square: "d1".into(),
            both_colours: String::new(),
            rule: String::new(),
        }
    }
}

/// Where a captured piece goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CapturesTo {
    /// Out of the game.
    #[default]
    None,
    /// Into the captor's hand.
    Hand,
    /// Back into their owner's reserve, except pawns.
    Reserve,
    /// Into the hand of the captor's partner, who plays their colour on a second board (BUG 2).
    Partner,
}

/// Captured pieces.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct CaptureSection {
    /// Where they go.
    pub to: CapturesTo,
    /// Whether a promoted piece goes to hand as the pawn it was (crazyhouse).
    pub promoted_revert: bool,
    /// Whether a player who can capture must.
    pub compulsory: bool,
    /// The squares around the target, as leaps in Betza notation, whose pieces a capture removes together with the
    /// capturing piece; empty if captures do not explode.
    pub explode: String,
    /// Letters of kinds that survive an explosion beside them.
    pub explode_spares: Vec<String>,
    /// Article.
    pub rule: String,
}

/// Choice of armies before the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct ArmySection {
    /// Letters whose kinds the players choose, in the order of the tags `WhiteArmy` and `BlackArmy`.
    pub slots: Vec<String>,
    /// The choices for each slot's letter.
    pub choices: BTreeMap<String, Vec<Choice>>,
    /// Whether an augmenter may be used only once in an army (AUG 2).
    pub no_repeat: bool,
    /// Whether the base counts as an augmenter (AUG-8); such choices list it in `augmenters-of-base`.
    pub base_counts: bool,
    /// Betza notation of the augmenters within each base, by the choice's notation (AUG-8).
    pub augmenters_of_base: BTreeMap<String, Vec<String>>,
    /// Whether the players may not use the same kind (AUG-9).
    pub distinct: bool,
    /// Article.
    pub rule: String,
}

impl Default for ArmySection {
    fn default() -> ArmySection {
        ArmySection {
            slots: Vec::new(),
            choices: BTreeMap::new(),
            no_repeat: true,
            base_counts: false,
            augmenters_of_base: BTreeMap::new(),
            distinct: false,
            rule: String::new(),
        }
    }
}

/// Equipment beyond board and stocks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct EquipmentSection {
    /// Declared stand-ins: a captured piece of the first letter may serve as one of the second (`R = "Q"`).
    pub stand_ins: BTreeMap<String, String>,
}
