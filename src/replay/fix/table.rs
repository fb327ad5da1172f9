//! The repairs that there are, by name.

use crate::record::codes as s;
use crate::replay::codes as n;
use crate::text::Code;

/// A repair: something that is wrong with records and is mended in one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repair {
    /// Its name.
    pub name: &'static str,
    /// The diagnostics that are not told any more afterwards.
    pub codes: &'static [Code],
    /// What it does.
    pub what: &'static str,
    /// True if it is made without being named: it takes nothing away that somebody may have meant.
    pub usual: bool,
}

macro_rules! repairs {
    ($($name:ident $text:literal $usual:literal [$($code:expr),*] $what:literal;)*) => {
        $(pub(super) const $name: Repair =
            Repair { name: $text, codes: &[$($code),*], what: $what, usual: $usual };)*
        /// Every repair.
        pub const REPAIRS: &[Repair] = &[$($name),*];
    };
}

repairs! {
    LATIN_1 "latin-1" true [s::LATIN_1]
        "Writes in UTF-8 what is Latin-1.";
    CONTROL_BYTES "control-bytes" true [s::CONTROL_BYTE]
        "Puts a blank for each NUL and end-of-file byte between the tokens.";
    BYTE_ORDER_MARKS "byte-order-marks" true [s::BYTE_ORDER_MARK]
        "Takes out byte order marks inside the input.";
    TAG_PAIRS "tag-pairs" true [s::TAG_QUOTE, s::TAG_BRACKET, s::TAG_INNER_QUOTE, s::TAG_NO_VALUE]
        "Completes tag pairs: brackets, quotation marks, escapes, `?` for no value.";
    DOUBLE_TAGS "double-tags" true [s::TAG_TWICE]
        "Takes out a tag that is given again with the same value.";
    LOOSE_WORDS "loose-words" true [s::TAG_IN_MOVETEXT, s::BARE_WORDS, s::REMARK, s::TOKEN_LONG]
        "Puts words and remarks among the moves into braces.";
    OPEN_COMMENTS "open-comments" true [s::COMMENT_OPEN]
        "Closes a comment in braces where it was taken to end.";
    OPEN_VARIATIONS "open-variations" true [s::VARIATION_OPEN]
        "Closes variations at the end of the game.";
    GLYPHS "glyphs" true [s::GLYPHS_ODD]
        "Shortens a run of `!` and `?` to the sign that it was read as.";
    RESULT_FORM "result-form" true [s::RESULT_FORM]
        "Writes results in the form of the standard.";
    RESULT_MISSING "result-missing" true [s::RESULT_MISSING]
        "Writes the result of the tag Result, or else `*`, at the end of the game.";
    NUMBER_FORM "number-form" true [s::NUMBER_FORM]
        "Writes a dot behind a move number in place of a parenthesis.";
    NUMBER_BLANKS "number-blanks" false [n::N_NUMBER_JOINED]
        "Puts a blank between a move number and its ply.";
    MOVE_NUMBERS "move-numbers" true [n::N_NUMBER_WRONG]
        "Counts move numbers anew that are wrong, those of in-between turns too.";
    NUMBER_DOTS "number-dots" true [n::N_NUMBER_DOTS]
        "Writes one dot behind the number of a ply of White's, and three behind that of one of Black's.";
    SPELLINGS "spellings" true
        [
            n::N_MARK_FORM, n::N_CAPTURE_FORM, n::N_PROMOTION_FORM, n::N_EN_PASSANT_SAID, n::N_EN_PASSANT_WRONG,
            n::N_CASE, n::N_CHARACTERS, n::N_TARGET_SHORT, n::N_DROP_FORM, n::N_SHARED_KIND
        ]
        "Writes a ply that is spelt as no style does in the spelling of the record's style.";
    STYLES "styles" true [n::N_OTHER_STYLE]
        "Writes a ply in another style than the others in the record's.";
    ORIGINS "origins" true [n::N_ORIGIN_NEEDLESS, n::N_ORIGIN_SHORT]
        "Writes as much of the from-square as tells the piece from others.";
    CHECK_MARKS "check-marks" true
        [n::N_CHECK_MISSING, n::N_CHECK_WRONG, n::N_MATE_WRONG, n::N_MATE_MISSING]
        "Sets `+` and `#` where they belong, and nowhere else.";
    CAPTURE_SIGNS "capture-signs" true [n::N_CAPTURE_MISSING, n::N_CAPTURE_WRONG]
        "Sets `x` where a ply captures, and nowhere else.";
    CAPTURED_LETTERS "captured-letters" true [n::N_CAPTURED_WRONG]
        "Names the piece that is captured.";
    PIECE_LETTERS "piece-letters" true [n::N_LETTER_MISSING]
        "Writes the letter of a piece that was left out.";
    PROMOTIONS "promotions" true [n::N_PROMOTION_ASSUMED]
        "Writes a promotion that was left out.";
    CASTLING "castling" true [n::N_CASTLING_FORM]
        "Writes castling with the letter O and dashes.";
    SET_UP "set-up" true [n::J_SET_UP_MISSING, n::J_SET_UP_DENIED]
        "Writes `[SetUp \"1\"]` where there is a tag FEN.";
    STRAY_BYTES "stray-bytes" false
        [s::BRACE_STRAY, s::PARENTHESIS_STRAY, s::RESERVED, s::BRACKET_STRAY, s::NAG_BAD, s::DOTS_STRAY]
        "Takes out bytes that mean nothing: braces, brackets, dots without a number.";
    RESULT_TWICE "result-twice" false [s::RESULT_TWICE]
        "Takes out every result behind the first.";
    RESULT_TAG "result-tag" false [n::J_RESULTS_DIFFER]
        "Sets the tag Result to the result at the end of the moves.";
    RESULT_MARKER "result-marker" false [n::J_RESULTS_DIFFER]
        "Sets the result at the end of the moves to that of the tag Result.";
    RESULT_BOARD "result-board" false [n::J_RESULT_CONTRADICTED]
        "Sets tag and marker to the result that the board shows.";
    ROSTER "roster" false []
        "Puts in those of the seven tags of the roster that are missing.";
    LINE_ENDS "line-ends" false []
        "Ends lines with LF alone.";
}

/// The repair with the name.
pub fn repair(name: &str) -> Option<&'static Repair> {
    REPAIRS.iter().find(|repair| repair.name == name)
}
