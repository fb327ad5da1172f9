//! L8: records in, records out: conversion between styles, repairs, comparison, records as data.
//!
//! All of it replays the record by [`replay`](crate::replay) and looks at each ply as it is made.

mod add;
mod boards;
mod bpgn;
mod compare;
mod compare_in_words;
mod convert;
mod cut;
mod doubles;
pub mod fix;
mod in_place;
mod program_file;
mod split_illegal;
mod strip;
pub mod transcript;

pub use add::{Added, add, set_tags};
pub use boards::{each_board, one_board};
pub use bpgn::{Bpgn, in_dialect};
pub use compare::{
    Comparison, Fit, Meeting, Misfit, Parting, PartingPly, Relation, Side, TagDifference, compare,
    compare_within,
};
pub use compare_in_words::{continuations_in_words, parting_ply_in_words, relation_in_words, side_in_words};
pub use convert::{ConvertOptions, Converted, convert, convert_within};
pub use cut::cut;
pub use doubles::{Double, Fingerprint, Likeness, doubles};
pub use in_place::{Rewritten, convert_in_place, convert_in_place_within};
pub use program_file::{FileForm, program_file};
pub use split_illegal::{split_illegal, split_illegal_within};
pub use strip::{Part, strip};
pub use transcript::{Transcribed, Transcript, transcribe, transcribe_within};
