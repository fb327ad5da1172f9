//! The table of repairs, by name.

use crate::record::codes as s;
use crate::replay::codes as n;
use ferz_core::text::Code;

/// A repair: a kind of fault in records, fixed in one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repair {
    /// Its name.
    pub name: &'static str,
    /// The diagnostics that it removes.
    pub codes: &'static [Code],
    /// What it does.
    pub what: &'static str,
    /// True if it is made by default: it deletes nothing that may be meant.
    pub usual: bool,
}

/// Repairs that decide the result, or how many games there are: they are made by name only.
pub const DECIDING: [&str; 4] = ["result-tag", "result-marker", "result-board", "split-games"];

/// The repairs to make: those of `only`, if there are any; else all but those that decide something, or the usual ones.
pub fn chosen(only: &[&'static Repair], all: bool) -> Vec<&'static Repair> {
    let wanted = |repair: &&Repair| match () {
        () if !only.is_empty() => only.iter().any(|only| only.name == repair.name),
        () if all => !DECIDING.contains(&repair.name),
        () => repair.usual,
    };
    REPAIRS.iter().filter(wanted).collect()
}

macro_rules! repairs {
    ($($name:ident $text:literal $usual:literal [$($code:expr),*] $what:literal;)*) => {
        $(pub(crate) const $name: Repair =
            Repair { name: $text, codes: &[$($code),*], what: $what, usual: $usual };)*
        /// Every repair.
        pub const REPAIRS: &[Repair] = &[$($name),*];
    };
}

repairs! {
    LATIN_1 "latin-1" true [s::LATIN_1]
        "Converts Latin-1 to UTF-8.";
    CONTROL_BYTES "control-bytes" true [s::CONTROL_BYTE]
        "Replaces each NUL and end-of-file byte between the tokens by a space.";
    BYTE_ORDER_MARKS "byte-order-marks" true [s::BYTE_ORDER_MARK]
        "Deletes byte order marks inside the input.";
    TAG_PAIRS "tag-pairs" true [s::TAG_QUOTE, s::TAG_BRACKET, s::TAG_INNER_QUOTE, s::TAG_NO_VALUE]
        "Completes tag pairs: brackets, quotation marks, escapes, `?` for a missing value.";
    DOUBLE_TAGS "double-tags" true [s::TAG_TWICE]
        "Deletes a repeated tag with the same value.";
    SKIPPED_LINES "skipped-lines" true [s::SKIPPED_LINES]
        "Takes games out of mail and web pages: leaves out the lines that reading skips, and lists each of them.";
    LOOSE_WORDS "loose-words" true [s::TAG_IN_MOVETEXT, s::BARE_WORDS, s::REMARK, s::TOKEN_LONG]
        "Puts words and remarks among the moves into braces.";
    OPEN_COMMENTS "open-comments" true [s::COMMENT_OPEN]
        "Closes an open comment where reading ended it.";
    OPEN_VARIATIONS "open-variations" true [s::VARIATION_OPEN]
        "Closes variations at the end of the game.";
    GLYPHS "glyphs" true [s::GLYPHS_ODD]
        "Shortens a run of `!` and `?` to the sign that it was read as.";
    RESULT_FORM "result-form" true [s::RESULT_FORM]
        "Writes results in the form of the standard.";
    RESULT_WORDS "result-words" true [s::RESULT_WORDS]
        "Puts words that say the result into braces, writes it after them, and adds the tag Termination.";
    RESULT_MISSING "result-missing" true [s::RESULT_MISSING]
        "Adds the result of the tag Result, or else `*`, at the end of the game.";
    NUMBER_FORM "number-form" true [s::NUMBER_FORM]
        "Replaces a parenthesis after a move number by a dot.";
    NUMBER_BLANKS "number-blanks" false [n::N_NUMBER_JOINED]
        "Inserts a space after a move number.";
    MOVE_NUMBERS "move-numbers" true [n::N_NUMBER_WRONG]
        "Corrects wrong move numbers, including those of in-between turns.";
    NUMBER_DOTS "number-dots" true [n::N_NUMBER_DOTS, n::N_NUMBER_SEAT]
        "Writes one dot after White's move numbers, and three after Black's; on two boards, the player's letter.";
    SPELLINGS "spellings" true
        [
            n::N_MARK_FORM, n::N_CAPTURE_FORM, n::N_PROMOTION_FORM, n::N_EN_PASSANT_MARKED, n::N_EN_PASSANT_WRONG,
            n::N_CASE, n::N_CHARACTERS, n::N_TARGET_SHORT, n::N_DROP_FORM, n::N_SHARED_KIND
        ]
        "Rewrites an unusual spelling in the record's style.";
    STYLES "styles" true [n::N_OTHER_STYLE]
        "Rewrites a ply of another style in the record's style.";
    ORIGINS "origins" true [n::N_ORIGIN_NEEDLESS, n::N_ORIGIN_SHORT]
        "Corrects the disambiguation.";
    CHECK_MARKS "check-marks" true
        [n::N_CHECK_MISSING, n::N_CHECK_WRONG, n::N_MATE_WRONG, n::N_MATE_MISSING]
        "Adds missing `+` and `#`, and deletes wrong ones.";
    CAPTURE_SIGNS "capture-signs" true [n::N_CAPTURE_MISSING, n::N_CAPTURE_WRONG]
        "Adds missing `x`, and deletes wrong ones.";
    CAPTURED_LETTERS "captured-letters" true [n::N_CAPTURED_WRONG]
        "Corrects the captured piece.";
    PIECE_LETTERS "piece-letters" true [n::N_LETTER_MISSING]
        "Adds missing piece letters.";
    PROMOTIONS "promotions" true [n::N_PROMOTION_ASSUMED]
        "Adds missing promotions.";
    CASTLING "castling" true [n::N_CASTLING_FORM]
        "Writes castling with the letter O and dashes.";
    SET_UP "set-up" true [n::J_SET_UP_MISSING, n::J_SET_UP_DENIED]
        "Adds `[SetUp \"1\"]` if there is a tag FEN.";
    RULES_EDITION "rules-edition" true [n::J_EDITION_ASSUMED]
        "Adds the tag RulesEdition with the edition that the game was judged by.";
    SPLIT_GAMES "split-games" false [n::J_NUMBERS_RESTART]
        "Writes `*` and a blank line where the move numbers restart: another game begins there.";
    STRAY_BYTES "stray-bytes" false
        [s::BRACE_STRAY, s::PARENTHESIS_STRAY, s::RESERVED, s::BRACKET_STRAY, s::NAG_BAD, s::DOTS_STRAY]
        "Deletes stray bytes: braces, brackets, dots without a number.";
    RESULT_TWICE "result-twice" false [s::RESULT_TWICE]
        "Deletes every result after the first.";
    RESULT_TAG "result-tag" false [n::J_RESULTS_DIFFER]
        "Sets the tag Result to the result at the end of the moves.";
    RESULT_MARKER "result-marker" false [n::J_RESULTS_DIFFER]
        "Sets the result at the end of the moves to that of the tag Result.";
    RESULT_BOARD "result-board" false [n::J_RESULT_CONTRADICTED]
        "Sets the tag Result and the result at the end to the result on the board.";
    ROSTER "roster" false []
        "Adds missing tags of the seven tag roster.";
    LINE_ENDS "line-ends" false []
        "Ends lines with LF alone.";
}

/// The repair of this name.
pub fn repair(name: &str) -> Option<&'static Repair> {
    REPAIRS.iter().find(|repair| repair.name == name)
}
