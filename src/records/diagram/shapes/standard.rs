//! The standard set: one drawing for each named way of moving, on a square of 100 by 100.
//!
//! A knight's leap is a horse; its headgear shows the rest: battlements for a rook's lines, a mitre for a bishop's, a
//! crown for a queen's, a horn for the narrow half of a knight's leaps.

use super::Stroke::{self, Body, Dot, Line};

/// The foot of all figures.
const FOOT: Stroke = Body("M23 88 V84 Q23 79 28 79 H72 Q77 79 77 84 V88 Z");
/// The seam between figure and foot: visible only on dark figures, like all lines on an outline.
const SEAM: Stroke = Line("M33 79 H67");

pub(super) const ANTI_KING: &[Stroke] = &[
    Body("M46.5 79 h7 v-7 h7 v-7 h-7 v-9 h-7 v9 h-7 v7 h7 Z"),
    Body("M50 47 C56 57 74 60 80 50 C85 41 77 30 70 17 H30 C23 30 15 41 20 50 C26 60 44 57 50 47 Z"),
    Line("M50 47 V17"),
    Line("M31.5 24 Q50 31 68.5 24"),
    Body("M30 17 H70 L72 9 H28 Z"),
    Line("M34 17 H66"),
];

pub(super) const KING: &[Stroke] = &[
    Body("M46.5 9 h7 v7 h7 v7 h-7 v9 h-7 v-9 h-7 v-7 h7 Z"),
    Body("M50 41 C56 31 74 28 80 38 C85 47 77 58 70 71 H30 C23 58 15 47 20 38 C26 28 44 31 50 41 Z"),
    Line("M50 41 V71"),
    Line("M31.5 64 Q50 57 68.5 64"),
    Body("M30 71 H70 L72 79 H28 Z"),
    FOOT,
    Line("M34 71 H66"),
    SEAM,
];

pub(super) const QUEEN: &[Stroke] = &[
    Body("M16 37 L30 71 H70 L84 37 L68.5 54 L67 28 L54.5 51 L50 23 L45.5 51 L33 28 L31.5 54 Z"),
    Body(
        "M16 27 a5 5 0 1 0 .01 0 Z M33 18 a5 5 0 1 0 .01 0 Z M50 13 a5 5 0 1 0 .01 0 Z M67 18 a5 5 0 1 0 .01 0 Z",
    ),
    Body("M84 27 a5 5 0 1 0 .01 0 Z"),
    Line("M31.5 64 Q50 57 68.5 64"),
    Body("M30 71 H70 L72 79 H28 Z"),
    FOOT,
    Line("M34 71 H66"),
    SEAM,
];

pub(super) const ROOK: &[Stroke] = &[
    Body("M27 18 H37 V25 H45 V18 H55 V25 H63 V18 H73 V35 L65 43 V66 L71 79 H29 L35 66 V43 L27 35 Z"),
    Line("M35 43 H65"),
    Line("M35 66 H65"),
    FOOT,
    SEAM,
];

pub(super) const BISHOP: &[Stroke] = &[
    Body("M50 11 a5.5 5.5 0 1 0 .01 0 Z"),
    Body("M50 22 C63 30 72 43 71 54 C70.5 60 67 64 63 68 H37 C33 64 29.5 60 29 54 C28 43 37 30 50 22 Z"),
    Line("M50 37 V57 M41 46 H59"),
    Body("M36 68 H64 L67 79 H33 Z"),
    FOOT,
    Line("M39 68 H61"),
    SEAM,
];

pub(super) const KNIGHT: &[Stroke] = &[
    Body(
        "M31 79 C31 67 37 60 45 51 C39 55 34 56 30 61 C26 66 17 63 16 56 C15.5 51 24 42 27 32 C28 28 29.5 25 32 22 \
         L31 11 L42 18 C45 17 49 17 53 18.5 C71 25 79 49 76 79 Z",
    ),
    Line("M52 27 C63 37 68 56 67 72"),
    Dot("M36.5 30 a3 3 0 1 0 .01 0 Z"),
    Dot("M22 52 a2 2 0 1 0 .01 0 Z"),
    FOOT,
    SEAM,
];

pub(super) const PAWN: &[Stroke] = &[
    Body("M50 24 a13 13 0 1 0 .01 0 Z"),
    Body("M43 52 C43 64 37 70 33 79 H67 C63 70 57 64 57 52 Z"),
    Body("M37 48 H63 Q64 54 60 54 H40 Q36 54 37 48 Z"),
    FOOT,
    Line("M41 54 H59"),
    SEAM,
];

/// A counsellor: a pawn with a small crown.
pub(super) const FERZ: &[Stroke] = &[
    Body("M31 25 L37 48 H63 L69 25 L58 36 L50 20 L42 36 Z"),
    Body("M31 17 a4 4 0 1 0 .01 0 Z M50 12 a4 4 0 1 0 .01 0 Z M69 17 a4 4 0 1 0 .01 0 Z"),
    Body("M43 54 C43 64 37 70 33 79 H67 C63 70 57 64 57 54 Z"),
    Body("M36 48 H64 Q65 54 61 54 H39 Q35 54 36 48 Z"),
    FOOT,
    Line("M40 54 H60"),
    SEAM,
];

/// The Magician, a pointed hat with a star.
pub(super) const MAGICIAN: &[Stroke] = &[
    Body("M54 10 L70 66 H30 Z"),
    Body("M18 66 H82 L76 76 H24 Z"),
    Dot("M50 36 L53 44 L61 44 L55 49 L57 57 L50 52 L43 57 L45 49 L39 44 L47 44 Z"),
    FOOT,
    SEAM,
];

/// The High-Priestess, a disc between two horns.
pub(super) const HIGH_PRIESTESS: &[Stroke] = &[
    Body("M50 12 a15 15 0 1 0 .01 0 Z"),
    Body(
        "M22 16 C18 40 30 54 50 54 C70 54 82 40 78 16 C86 44 76 62 66 66 L68 79 H32 L34 66 C24 62 14 44 22 16 Z",
    ),
    Line("M34 66 H66"),
    FOOT,
    SEAM,
];

/// The Telepath, an open eye.
pub(super) const TELEPATH: &[Stroke] = &[
    Body("M14 40 C26 18 74 18 86 40 C74 62 26 62 14 40 Z"),
    Dot("M50 29 a11 11 0 1 0 .01 0 Z"),
    Body("M40 56 H60 L66 79 H34 Z"),
    FOOT,
    SEAM,
];

/// The khon of Makruk, as it is turned from wood: a dome with a point.
pub(super) const KHON: &[Stroke] = &[
    Body(
        "M50 10 C53 22 56 27 62 33 C68 39 70 46 70 54 C70 62 68 66 66 70 L70 79 H30 L34 70 C32 66 30 62 30 54 \
         C30 46 32 39 38 33 C44 27 47 22 50 10 Z",
    ),
    Line("M38 34 H62"),
    Line("M34 69 H66"),
    FOOT,
    SEAM,
];

/// The gold general of Shogi: a broad tablet with two bars.
pub(super) const GOLD: &[Stroke] =
    &[Body("M50 12 L68 24 L76 79 H24 L32 24 Z"), Line("M36 40 H64"), Line("M33 56 H67"), FOOT, SEAM];

/// The lance: a narrow tablet with a spear.
pub(super) const LANCE: &[Stroke] = &[
    Body("M50 10 L62 24 L66 79 H34 L38 24 Z"),
    Line("M50 26 V70"),
    Line("M43 36 L50 26 L57 36"),
    FOOT,
    SEAM,
];

/// The knight of Shogi: a tablet with two arrowheads.
pub(super) const ARROWHEADS: &[Stroke] = &[
    Body("M50 12 L65 24 L71 79 H29 L35 24 Z"),
    Line("M39 48 L44 34 L49 48"),
    Line("M51 48 L56 34 L61 48"),
    FOOT,
    SEAM,
];

/// The alfil, an elephant.
pub(super) const ALFIL: &[Stroke] = &[
    Body("M36 79 C33 68 29 60 29 47 C29 30 42 19 56 20 C71 21 79 34 78 50 C77 62 73 70 72 79 Z"),
    Body("M30 40 C20 46 14 57 15 68 C15.5 75 23 76 25 71 C26 67 23 66 25 60 C27 55 31 53 35 52 Z"),
    Body("M36 54 C32 60 27 63 21 63 L24 68 C31 68 38 64 42 57 Z"),
    Line("M54 28 C70 28 75 46 65 60 C57 56 53 44 54 28 Z"),
    Dot("M42 36 a3 3 0 1 0 .01 0 Z"),
    FOOT,
    SEAM,
];

/// A horse with headgear: without ears, its head lower.
const HATTED: Stroke = Body(
    "M31 79 C31 70 37 64 45 57 C39 60 34 61 30 65 C26 70 17 67 16 61 C15.5 56 24 50 27 42 C28 38 30 34 33 31 H58 \
     C71 38 78 56 76 79 Z",
);
const HATTED_MANE: Stroke = Line("M55 38 C64 46 68 60 67 73");
const HATTED_EYE: Stroke = Dot("M36 39 a3 3 0 1 0 .01 0 Z");
const HATTED_NOSE: Stroke = Dot("M22 57.5 a2 2 0 1 0 .01 0 Z");
const BATTLEMENTS: Stroke = Body("M26 8 H35 V14 H42 V8 H50 V14 H57 V8 H66 V22 L61 32 H31 L26 22 Z");
const MITRE: Stroke = Body("M46 3 C57 9 65 19 62 32 H30 C27 19 35 9 46 3 Z");
const CROWN: Stroke = Body("M24 10 L31 32 H61 L68 10 L57 19 L46 5 L35 19 Z");
const BRIM: Stroke = Line("M34 32 H58");

pub(super) const MARSHAL: &[Stroke] =
    &[HATTED, HATTED_MANE, HATTED_EYE, HATTED_NOSE, BATTLEMENTS, Line("M29 22 H63"), BRIM, FOOT, SEAM];

pub(super) const CARDINAL: &[Stroke] = &[
    HATTED,
    HATTED_MANE,
    HATTED_EYE,
    HATTED_NOSE,
    MITRE,
    Line("M46 11 V26 M39.5 18 H52.5"),
    BRIM,
    FOOT,
    SEAM,
];

pub(super) const AMAZON: &[Stroke] =
    &[HATTED, HATTED_MANE, HATTED_EYE, HATTED_NOSE, CROWN, Line("M33 26 Q46 22 59 26"), BRIM, FOOT, SEAM];

/// The fibnif: one step diagonally, or a narrow knight's leap.
pub(super) const FIBNIF: &[Stroke] = &[
    Body(
        "M31 79 C31 67 37 60 45 51 C39 55 34 56 30 61 C26 66 17 63 16 56 C15.5 51 24 42 27 32 C28 28 29.5 25 32 22 \
         L38 14 L42 18 C45 17 49 17 53 18.5 C71 25 79 49 76 79 Z",
    ),
    Body("M26.5 34 L10 6 L33 21 Z"),
    Line("M24.5 27.5 L30 24"),
    Line("M52 27 C63 37 68 56 67 72"),
    Dot("M37.5 30 a3 3 0 1 0 .01 0 Z"),
    Dot("M22 52 a2 2 0 1 0 .01 0 Z"),
    FOOT,
    SEAM,
];

/// A rook with the fibnif's moves.
pub(super) const ROOK_FIBNIF: &[Stroke] = &[
    HATTED,
    Body("M26 45 L7 19 L32 34 Z"),
    HATTED_MANE,
    HATTED_EYE,
    HATTED_NOSE,
    BATTLEMENTS,
    Line("M29 22 H63"),
    BRIM,
    FOOT,
    SEAM,
];

/// A pawn with battlements: one step along ranks and files.
pub(super) const WAZIR: &[Stroke] = &[
    Body("M33 20 H41 V27 H46 V20 H54 V27 H59 V20 H67 V37 L62 48 H38 L33 37 Z"),
    Line("M34 36 H66"),
    Body("M43 54 C43 64 37 70 33 79 H67 C63 70 57 64 57 54 Z"),
    Body("M36 48 H64 Q65 54 61 54 H39 Q35 54 36 48 Z"),
    FOOT,
    Line("M40 54 H60"),
    SEAM,
];

/// A king without a cross: it moves like a king but is not royal.
pub(super) const MAN: &[Stroke] = &[
    Body("M50 41 C56 29 74 26 80 36 C85 46 77 58 70 71 H30 C23 58 15 46 20 36 C26 26 44 29 50 41 Z"),
    Body("M50 23 a6 6 0 1 0 .01 0 Z"),
    Line("M50 41 V58"),
    Line("M31.5 64 Q50 57 68.5 64"),
    Body("M30 71 H70 L72 79 H28 Z"),
    FOOT,
    Line("M34 71 H66"),
    SEAM,
];

/// A gun on its wheel.
pub(super) const CANNON: &[Stroke] = &[
    Body("M22 50 L66 24 L74 20 L83 35 L75 40 L34 68 C24 70 16 60 22 50 Z"),
    Line("M66 24 L75 40"),
    Line("M38 40 L48 58"),
    Body("M44 44 a17 17 0 1 0 .01 0 Z"),
    Line("M44 44 V78 M27 61 H61 M32 49 L56 73 M56 49 L32 73"),
    Body("M56 70 L80 79 H50 Z"),
    FOOT,
    SEAM,
];
