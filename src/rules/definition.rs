//! The variant definition as its author writes it: closed, parameterised choices, no scripting.
//!
//! Every section has a default, so that a child file only lists differences from its parent.
//! `formats/VARIANT.md` explains each field to authors; `formats/RULES.md` holds the articles.

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
    /// Tags that a record needs to be judged.
    pub needs_tags: Vec<String>,
    /// Size of the board.
    pub board: BoardSection,
    /// Array and starting stocks.
    pub setup: SetupSection,
    /// Pieces by letter.
    pub pieces: BTreeMap<String, PieceSection>,
    /// Order of letters in the stocks of a position; other letters follow alphabetically.
    pub stock_order: String,
    /// Double step and en passant.
    pub pawns: PawnSection,
    /// Promotion.
    pub promotion: PromotionSection,
    /// Castling.
    pub castling: CastlingSection,
    /// Gating: reserve pieces that enter on the square a moving piece leaves.
    pub gating: GatingSection,
    /// Drops: pieces placed from a stock as a whole ply.
    pub drops: DropSection,
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
            needs_tags: Vec::new(),
            board: BoardSection::default(),
            setup: SetupSection::default(),
            pieces: BTreeMap::new(),
            stock_order: "KQMCARBNFP".into(),
            pawns: PawnSection::default(),
            promotion: PromotionSection::default(),
            castling: CastlingSection::default(),
            gating: GatingSection::default(),
            drops: DropSection::default(),
            deployment: DeploymentSection::default(),
            captures: CaptureSection::default(),
            ends: EndSection::default(),
            nature: NatureSection::default(),
            armies: ArmySection::default(),
            equipment: EquipmentSection::default(),
            cites: BTreeMap::new(),
        }
    }
}

/// Size of the board, in squares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct BoardSection {
    /// Number of files.
    pub files: u8,
    /// Number of ranks.
    pub ranks: u8,
}

impl Default for BoardSection {
    fn default() -> BoardSection {
        BoardSection { files: 8, ranks: 8 }
    }
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
    /// Article.
    pub rule: String,
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
    /// Nature's movement of this kind, if it differs or only Nature has the kind.
    pub nature: Option<String>,
    /// The piece whose attack is check.
    pub royal: bool,
    /// True for pawns: their moves restart the halfmove clock, they promote, and dropped ones may not share a file.
    pub pawn: bool,
    /// Letter of the kind that this one becomes in hand when captured, if another.
    pub captured_as: Option<String>,
    /// Other letters for the kind in records.
    pub also: Vec<String>,
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
}

impl Default for TermSection {
    fn default() -> TermSection {
        TermSection { betza: String::new(), from: "all".into(), to: "all".into() }
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
    /// The whole movement as text: `fW, sW from rank 6-10`.
    pub fn movement(&self) -> String {
        let whole = (!self.betza.is_empty()).then(|| self.betza.clone());
        let parts: Vec<String> =
            whole.into_iter().chain(self.terms.iter().map(ToString::to_string)).collect();
        parts.join(", ")
    }
}

/// Pawns' double step and en passant. Regions are White's; Black's are mirrored.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct PawnSection {
    /// Squares from which a pawn may go two squares forward.
    pub double_step: String,
    /// Whether a pawn that made a double step may be captured en passant.
    pub en_passant: bool,
    /// Article.
    pub rule: String,
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
    /// Squares on which it must be promoted.
    pub forced: String,
    /// What it becomes.
    pub to: PromotionTo,
    /// Letters for `to = "kinds"`.
    pub kinds: Vec<String>,
    /// Whether a pawn that is already in the zone is offered promotion again.
    pub on: PromotionOn,
    /// Article.
    pub rule: String,
}

impl Default for PromotionSection {
    fn default() -> PromotionSection {
        PromotionSection {
            zone: "none".into(),
            forced: "none".into(),
            to: PromotionTo::Kinds,
            kinds: Vec::new(),
            on: PromotionOn::Any,
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
    /// Letter of the piece that castles with the king.
    pub rook: String,
    /// Target files of king and rook, castling towards the last file.
    pub king_side: CastlingTarget,
    /// Target files of king and rook, castling towards the a-file.
    pub queen_side: CastlingTarget,
    /// Its form in coordinate notation.
    pub notation: CastlingNotation,
    /// Article.
    pub rule: String,
}

impl Default for CastlingSection {
    fn default() -> CastlingSection {
        CastlingSection {
            enabled: false,
            rook: "R".into(),
            king_side: CastlingTarget { king: "g".into(), rook: "f".into() },
            queen_side: CastlingTarget { king: "c".into(), rook: "d".into() },
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
    /// Number of pieces that may enter in one ply, 1 or 2 (two only while castling).
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
}

/// The deployment phase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct DeploymentSection {
    /// The kind of deployment phase.
    pub kind: DeploymentKind,
    /// White's square for `opening`; Black's is mirrored.
    pub square: String,
    /// Article.
    pub rule: String,
}

impl Default for DeploymentSection {
    fn default() -> DeploymentSection {
        DeploymentSection { kind: DeploymentKind::None, square: "d1".into(), rule: String::new() }
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
}

/// Captured pieces.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct CaptureSection {
    /// Where they go.
    pub to: CapturesTo,
    /// Whether a promoted piece goes to hand as the pawn it was (crazyhouse).
    pub promoted_revert: bool,
    /// Article.
    pub rule: String,
}

/// The result for a player without a legal ply who is not in check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stalemate {
    /// Half a point.
    #[default]
    Draw,
    /// Nothing (ICH-4).
    Loss,
}

/// The effect of repetition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Repetition {
    /// Threefold on claim, fivefold automatically.
    #[default]
    Fide,
    /// Fourfold automatically; lost by the side that gave check with every ply (ICH-5).
    FourfoldPerpetual,
    /// Lost at the third occurrence by the side that gave check with every ply, drawn if both did; otherwise without
    /// effect (XQI 5).
    ThreefoldPerpetual,
    /// No effect.
    None,
}

impl Repetition {
    /// Number of occurrences after which perpetual check decides the game, if it does.
    pub const fn perpetual(self) -> Option<usize> {
        match self {
            Repetition::FourfoldPerpetual => Some(4),
            Repetition::ThreefoldPerpetual => Some(3),
            Repetition::Fide | Repetition::None => None,
        }
    }
}

/// Whether a position without mating material ends the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeadPosition {
    /// By material (COM-7).
    #[default]
    Material,
    /// Never.
    None,
}

/// The effect of a pawn on the opposing king's array square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KingsSquare {
    /// No effect.
    #[default]
    None,
    /// It must become a king, and wins (ING-1).
    MustBecomeKing,
    /// It wins as a pawn.
    PawnSuffices,
}

/// How a game ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct EndSection {
    /// No legal ply, not in check.
    pub stalemate: Stalemate,
    /// Repetition.
    pub repetition: Repetition,
    /// Whether the fifty-move and seventy-five-move rules hold.
    pub move_counters: bool,
    /// Dead positions.
    pub dead_position: DeadPosition,
    /// Whether a lone king loses.
    pub bare_king: bool,
    /// Whether winner and loser are exchanged.
    pub misere: bool,
    /// The opposing king's array square.
    pub kings_square: KingsSquare,
    /// Article.
    pub rule: String,
}

impl EndSection {
    /// True if the position itself may show an ending other than checkmate and stalemate.
    pub fn has_own(&self) -> bool {
        self.bare_king || self.kings_square != KingsSquare::None
    }
}

impl Default for EndSection {
    fn default() -> EndSection {
        EndSection {
            stalemate: Stalemate::Draw,
            repetition: Repetition::Fide,
            move_counters: true,
            dead_position: DeadPosition::Material,
            bare_king: false,
            misere: false,
            kings_square: KingsSquare::None,
            rule: String::new(),
        }
    }
}

/// What the delay of Nature's check applies to (CHA-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DelayScope {
    /// One clock for all of Nature's pieces.
    #[default]
    Clock,
    /// The piece that Nature introduced or moved last.
    Piece,
}

/// Whose attacks do not prevent castling during the delay (CHA-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DelayFreesCastling {
    /// Only Nature's.
    #[default]
    Nature,
    /// All attacks.
    All,
}

/// Which player Nature's mate applies to (CHA-7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NaturesMate {
    /// The player on move.
    #[default]
    OnMove,
    /// Either player.
    Either,
}

/// The form in which a piece captured by Nature returns (CHA-8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reentry {
    /// The kind it was on the board.
    #[default]
    Kind,
    /// The piece it was in the array: a promoted pawn as a pawn.
    Piece,
}

/// Where Nature's pawn goes when it captures en passant (CHA 12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NatureEnPassant {
    /// To a neighbouring square of its own, at right angles to the line between the two pawns.
    #[default]
    Beside,
    /// To such a square of the captured pawn's.
    Behind,
}

/// Two groups of squares for Nature's castling.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct NatureCastling {
    /// Squares of Nature's king.
    pub king: String,
    /// Squares of Nature's rook.
    pub rook: String,
}

/// Nature: when it may act, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct NatureSection {
    /// Whether there is a third player.
    pub enabled: bool,
    /// Real plies from one in-between turn to the next (CHA-1).
    pub period: u8,
    /// Real plies after an in-between turn during which Nature's attack is not check (CHA-1).
    pub delay: u8,
    /// What the delay applies to.
    pub delay_scope: DelayScope,
    /// Whose attacks do not prevent castling during the delay.
    pub delay_frees_castling: DelayFreesCastling,
    /// Which player Nature's mate applies to.
    pub natures_mate: NaturesMate,
    /// The form in which captured pieces return.
    pub reentry: Reentry,
    /// Letters of the kinds that Nature introduces (CHA-17).
    pub kinds: Vec<String>,
    /// Switch `king` (CHA 9).
    pub king: bool,
    /// Switch `castling` (CHA 10).
    pub castling: bool,
    /// Switch `pawn` (CHA 11 to 13).
    pub pawn: bool,
    /// Letter of Nature's king.
    pub king_letter: String,
    /// Letter of Nature's pawn.
    pub pawn_letter: String,
    /// Letter of Nature's rook, for castling.
    pub rook_letter: String,
    /// The table of Nature's castling.
    pub castling_squares: Vec<NatureCastling>,
    /// Lines on which Nature's pawns capture en passant (CHA 12).
    pub en_passant_lines: String,
    /// Where they go then.
    pub en_passant: NatureEnPassant,
    /// Article.
    pub rule: String,
}

impl Default for NatureSection {
    fn default() -> NatureSection {
        NatureSection {
            enabled: false,
            period: 5,
            delay: 3,
            delay_scope: DelayScope::Clock,
            delay_frees_castling: DelayFreesCastling::Nature,
            natures_mate: NaturesMate::OnMove,
            reentry: Reentry::Kind,
            kinds: Vec::new(),
            king: false,
            castling: false,
            pawn: false,
            king_letter: "K".into(),
            pawn_letter: "P".into(),
            rook_letter: "R".into(),
            castling_squares: Vec::new(),
            en_passant_lines: "none".into(),
            en_passant: NatureEnPassant::Beside,
            rule: String::new(),
        }
    }
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
