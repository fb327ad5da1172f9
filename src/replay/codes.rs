//! Codes of the diagnostics that replay makes, with what each means.

use crate::text::Code;

macro_rules! codes {
    ($($name:ident $id:literal $text:literal;)*) => {
        $(#[doc = $text] pub const $name: Code = Code($id);)*
        /// Every code of this layer and its meaning.
        pub const ALL: &[(Code, &str)] = &[$(($name, $text)),*];
    };
}

codes! {
    N_CHECK_MISSING "N001" "The ply gives check, and the text has no `+`.";
    N_CHECK_WRONG "N002" "The text has a check mark, and the ply gives no check.";
    N_MATE_WRONG "N003" "The text has a mate mark, and the ply does not mate.";
    N_MATE_MISSING "N004" "The ply mates, and the text does not say so.";
    N_CAPTURE_MISSING "N005" "The ply captures, and the text does not say so.";
    N_CAPTURE_WRONG "N006" "The text says that the ply captures, and it does not.";
    N_CAPTURED_WRONG "N007" "The text names another captured piece than the one that is captured.";
    N_PROMOTION_ASSUMED "N008" "The text leaves out a promotion that has one meaning.";
    N_LETTER_MISSING "N009" "The text leaves out the piece's letter.";
    N_NUMBER_WRONG "N010" "The move number is not the one that comes next.";
    N_INEXPRESSIBLE "N012" "A ply has no form in the style; it was written in another.";
    N_KEPT_VERBATIM "N013" "What follows an illegal ply is kept as it was written.";
    N_CASTLING_FORM "N014" "Castling is written otherwise than with the letter O and dashes.";
    N_ORIGIN_NEEDLESS "N020" "The text says more of the from-square than tells the piece from others.";
    N_ORIGIN_SHORT "N021" "The text says less of the from-square than the style wants; one piece alone can do it.";
    N_MARK_FORM "N022" "Check or mate is marked otherwise than with one `+` or `#`.";
    N_CAPTURE_FORM "N023" "A capture is marked otherwise than with `x` before the target.";
    N_PROMOTION_FORM "N024" "A promotion is written otherwise than with `=` and a capital letter.";
    N_EN_PASSANT_SAID "N025" "The text says that the pawn captures en passant.";
    N_EN_PASSANT_WRONG "N026" "The text says that the pawn captures en passant, and it does not.";
    N_CASE "N027" "A piece has a small letter, or a file a capital one.";
    N_CHARACTERS "N028" "The text has long dashes, blanks without width, or a comma behind it.";
    N_TARGET_SHORT "N029" "The text leaves out the target, its rank, or the square of a gate; one ply alone fits.";
    N_OTHER_STYLE "N030" "The ply is not written as the record's style writes it.";
    N_DROP_FORM "N031" "A drop is written otherwise than any style does.";
    N_NUMBER_MISSING "N032" "A ply of White's has no move number.";
    N_OTHER_PLY "N033" "The text may mean another legal ply as well; a rule of the game decides.";
    N_LANGUAGE "N034" "The pieces have the letters of another language than the game's own.";
    N_LANGUAGE_CONTESTED "N035" "Two languages' readings are legal and give different games.";
    N_LANGUAGE_OTHER "N036" "With another language's letters the text is legal, too, and another game.";
    N_LANGUAGE_UNPROVED "N037" "With another language's letters the game is legal; too little tells that it is meant.";
    N_LANGUAGE_LACKS "N038" "A piece has no letter in the language; the record keeps the game's own letters.";
    N_NUMBER_JOINED "N039" "No blank stands between a move number and its ply.";
    N_NUMBER_DOTS "N040" "The dots behind a move number are those of the other player.";
    N_SHARED_KIND "N041" "The text marks a kind as the other army's, and it is not only theirs (AUG-5).";
    J_VARIANT_UNKNOWN "J001" "The game that the record names is not known, or its tags make no sense.";
    J_POSITION "J002" "The start position cannot be read.";
    J_VARIANT_OVERRIDDEN "J003" "The record names another game than the one that was asked for.";
    J_EDITION_ASSUMED "J004" "The record names no edition of rules that change; the current one was taken (IAM-3).";
    J_RESULTS_DIFFER "J005" "The tag Result and the end of the movetext differ.";
    J_RESULT_CONTRADICTED "J006" "The game ended otherwise than the record says.";
    J_RESULT_AFTER_DRAW "J007" "The game was drawn by itself before it went on to another result (COM-4).";
    J_VARIATION_ILLEGAL "J008" "A variation has an illegal ply.";
    J_TOO_LONG "J009" "The line has more plies than the limit; the rest was not looked at.";
    J_SET_UP_MISSING "J010" "The record has the tag FEN without SetUp 1; it starts from the FEN.";
    J_FEN_MISSING "J011" "The record has SetUp 1 without the tag FEN; it starts from the array.";
    J_SET_UP_DENIED "J012" "The record has SetUp 0 and the tag FEN; it starts from the FEN.";
    J_VARIATION_OF_NOTHING "J013" "A variation before the first ply of its line replaces none; it was not looked at.";
    J_DEPLOYMENT_END "J014" "The record says that the deployment ends, and it does not end there.";
    J_STOOD_LEGAL "J015" "The record says that a ply stood although it is illegal, and it is not.";
    J_START_STOOD "J016" "No legal game reaches the start; an illegal ply that stood may have led to it.";
    J_PLY_COUNT "J017" "The tag PlyCount is not the number of plies.";
    J_TERMINATION "J018" "The tag Termination and the end on the board, or the result, contradict each other.";
    J_CLOCK_RISES "J019" "A clock shows more time than before, and more than TimeControl adds.";
    J_CLOCK_ABOVE "J020" "A clock shows more time than TimeControl gives in all.";
    J_CLOCK_ELAPSED "J021" "The times spent and those left do not go together.";
    J_TIME_SPENT "J022" "More time was spent than TimeControl or NatureTimeLimit gives, or a time of day is none.";
    J_NATURE_TAG "J023" "A tag about the third player has a value that means nothing, or the game has no third player.";
    J_FEN_SPELLING "J024" "The start is spelt otherwise than is recommended; it is read all the same.";
    J_POSITION_TAG "J025" "The tag CurrentPosition is not the position at the end.";
    J_NUMBERS_RESTART "J026" "The move numbers begin again; a result may be missing, and another game begin.";
    J_NUMBER_ALONE "J027" "Digits stand where a ply should; what was played is not known.";
}

/// True for the codes that say how a ply should be written, or numbered: with `--strict` each of them is an error.
pub fn is_about_spelling(code: Code) -> bool {
    let others = [
        N_INEXPRESSIBLE,
        N_KEPT_VERBATIM,
        N_OTHER_PLY,
        N_LANGUAGE_CONTESTED,
        N_LANGUAGE_OTHER,
        N_LANGUAGE_UNPROVED,
        N_LANGUAGE_LACKS,
    ];
    code.0.starts_with('N') && !others.contains(&code)
}
