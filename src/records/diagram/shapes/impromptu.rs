//! The impromptu set: substitutes built from a plain set of chessmen and draughtsmen, as the inventor of the IAGO Chess
//! System proposes.

use super::Stroke::{self, Body, Line};

/// The foot of an upside-down rook.
const FOOT_ABOVE: Stroke = Body("M23 18 V22 Q23 27 28 27 H72 Q77 27 77 22 V18 Z");

/// An upturned rook.
pub(super) const MARSHAL: &[Stroke] = &[
    Body("M27 88 H37 V81 H45 V88 H55 V81 H63 V88 H73 V71 L65 63 V40 L71 27 H29 L35 40 V63 L27 71 Z"),
    Line("M35 63 H65"),
    Line("M35 40 H65"),
    FOOT_ABOVE,
    Line("M33 27 H67"),
];

/// An upturned rook with a pawn in it.
pub(super) const CARDINAL: &[Stroke] = &[
    Body("M50 6 a11 11 0 1 0 .01 0 Z"),
    Body("M44 31 C44 38 40 42 36 50 H64 C60 42 56 38 56 31 Z"),
    Body("M39 27 H61 Q62 32 58 32 H42 Q38 32 39 27 Z"),
    Body("M27 88 H37 V82 H45 V88 H55 V82 H63 V88 H73 V76 L65 70 V60 L71 54 H29 L35 60 V70 L27 76 Z"),
    Line("M35 70 H65"),
    Body("M23 46 V50 Q23 54 28 54 H72 Q77 54 77 50 V46 Z"),
    Line("M43 32 H57"),
    Line("M33 54 H67"),
];

/// A draughtsman.
pub(super) const AMAZON: &[Stroke] = &[
    Body("M14 50 V66 C14 78 30 87 50 87 C70 87 86 78 86 66 V50 Z"),
    Line("M24 69 V76 M37 74 V81.5 M50 76 V83 M63 74 V81.5 M76 69 V76"),
    Body("M50 30 C30 30 14 39 14 50 C14 61 30 70 50 70 C70 70 86 61 86 50 C86 39 70 30 50 30 Z"),
    Line(
        "M50 38.5 C37 38.5 27 43.5 27 50 C27 56.5 37 61.5 50 61.5 C63 61.5 73 56.5 73 50 C73 43.5 63 38.5 50 38.5 Z",
    ),
    Line("M50 46 C44 46 40 47.5 40 50 C40 52.5 44 54 50 54 C56 54 60 52.5 60 50 C60 47.5 56 46 50 46 Z"),
];
