//! Codes of the diagnostics from replay, each with its meaning.

use ferz_core::text::Code;

macro_rules! codes {
    ($($name:ident $id:literal $text:literal;)*) => {
        $(#[doc = $text] pub const $name: Code = Code($id);)*
        /// Every code of this layer and its meaning.
        pub const ALL: &[(Code, &str)] = &[$(($name, $text)),*];
    };
}

codes! {
    N_CHECK_MISSING "N001" "The ply gives check, but the text has no `+`.";
    N_CHECK_WRONG "N002" "The text has a check mark, but the ply does not give check.";
    N_MATE_WRONG "N003" "The text has a mate mark, but the ply is not checkmate.";
    N_MATE_MISSING "N004" "The ply is checkmate, but the text has no `#`.";
    N_CAPTURE_MISSING "N005" "The ply captures, but the text has no `x`.";
    N_CAPTURE_WRONG "N006" "The text has a capture sign, but the ply does not capture.";
    N_CAPTURED_WRONG "N007" "The text names the wrong captured piece.";
    N_PROMOTION_ASSUMED "N008" "The text omits a promotion that has only one meaning.";
    N_LETTER_MISSING "N009" "The text omits the piece letter.";
    N_NUMBER_WRONG "N010" "The move number is not the next one.";
    N_INEXPRESSIBLE "N012" "A ply has no form in the style; it is written in another.";
    N_KEPT_VERBATIM "N013" "The text after an illegal ply is kept unchanged.";
    N_CASTLING_FORM "N014" "Castling is not written with the letter O and dashes.";
    N_ORIGIN_NEEDLESS "N020" "The disambiguation is more detailed than needed.";
    N_ORIGIN_SHORT "N021" "The disambiguation is missing or too short; only one piece fits.";
    N_MARK_FORM "N022" "Check or mate is not marked with a single `+` or `#`.";
    N_CAPTURE_FORM "N023" "A capture is not marked with `x` before the target.";
    N_PROMOTION_FORM "N024" "A promotion is not written with `=` and a capital letter.";
    N_EN_PASSANT_MARKED "N025" "The text marks an en passant capture as such.";
    N_EN_PASSANT_WRONG "N026" "The text marks a ply as en passant that is not.";
    N_CASE "N027" "A piece letter is lower-case, or a file letter upper-case.";
    N_CHARACTERS "N028" "The text has long dashes, zero-width spaces, or a comma after it.";
    N_TARGET_SHORT "N029" "The text omits the target, its rank, or the square of a gate; only one ply fits.";
    N_OTHER_STYLE "N030" "The ply is not in the record's style.";
    N_DROP_FORM "N031" "A drop is written in no known style.";
    N_NUMBER_MISSING "N032" "A ply of White has no move number.";
    N_OTHER_PLY "N033" "The text may also mean another legal ply; a rule of the game decides.";
    N_LANGUAGE "N034" "The piece letters are those of another language than the game's own.";
    N_LANGUAGE_CONTESTED "N035" "The piece letters fit two languages, with different games.";
    N_LANGUAGE_OTHER "N036" "With another language's letters the text is also legal, but a different game.";
    N_LANGUAGE_UNPROVED "N037" "Only another language's letters make the game legal, but the evidence for it is weak.";
    N_LANGUAGE_LACKS "N038" "A piece has no letter in the language; the record keeps the game's own letters.";
    N_NUMBER_JOINED "N039" "There is no space after a move number.";
    N_NUMBER_DOTS "N040" "The dots after a move number are the other player's.";
    N_SHARED_KIND "N041" "The text marks a kind as the other army's, but the own army has it too (AUG-5).";
    N_NUMBER_SEAT "N042" "The letter after a move number names another player, or a board of two in a game on one.";
    J_VARIANT_UNKNOWN "J001" "The record's game is unknown, or its tags are invalid.";
    J_POSITION "J002" "The start position cannot be read.";
    J_VARIANT_OVERRIDDEN "J003" "The record names another game than the requested one.";
    J_EDITION_ASSUMED "J004" "The record names no edition of rules that change; the current one is used (IAM-3).";
    J_RESULTS_DIFFER "J005" "The tag Result and the end of the movetext differ.";
    J_RESULT_CONTRADICTED "J006" "The record's result contradicts the end on the board.";
    J_RESULT_AFTER_DRAW "J007" "The game was drawn automatically, but continued to another result (COM-4).";
    J_VARIATION_ILLEGAL "J008" "A variation has an illegal ply.";
    J_TOO_LONG "J009" "The line has more plies than the limit; the rest is not judged.";
    J_SET_UP_MISSING "J010" "The record has the tag FEN without SetUp 1; it starts from the FEN.";
    J_FEN_MISSING "J011" "The record has SetUp 1 without the tag FEN; it starts from the array.";
    J_SET_UP_DENIED "J012" "The record has SetUp 0 and the tag FEN; it starts from the FEN.";
    J_VARIATION_OF_NOTHING "J013" "A variation before the first ply of its line replaces none; it is not judged.";
    J_DEPLOYMENT_END "J014" "The record says that the deployment ends, but it does not end there.";
    J_LET_STAND_LEGAL "J015" "The record says that an illegal ply was let stand, but the ply is not illegal.";
    J_START_LET_STAND "J016" "No legal game reaches the start; an illegal ply that was let stand may have led to it.";
    J_PLY_COUNT "J017" "The tag PlyCount is not the number of plies.";
    J_TERMINATION "J018" "The tag Termination and the end on the board, or the result, contradict each other.";
    J_CLOCK_RISES "J019" "A clock rises by more than TimeControl adds.";
    J_CLOCK_ABOVE "J020" "A clock shows more time than TimeControl gives in all.";
    J_CLOCK_ELAPSED "J021" "The times spent and left contradict each other.";
    J_TIME_SPENT "J022" "More time was spent than TimeControl or NatureTimeLimit gives, or a time of day is invalid.";
    J_NATURE_TAG "J023" "A tag about the third player has an unknown value, or the game has no third player.";
    J_FEN_SPELLING "J024" "The start is not in the recommended spelling; it is read nevertheless.";
    J_POSITION_TAG "J025" "The tag CurrentPosition differs from the final position.";
    J_NUMBERS_RESTART "J026" "The move numbers restart; a result may be missing, and another game may begin.";
    J_NUMBER_ALONE "J027" "There are digits in place of a ply; the move played is unknown.";
    J_DIGEST_DIFFERS "J028" "The tag RulesDigest names other rules than those at hand; the game is not judged.";
    J_TAG_MISSPELT "J029" "The name of a tag is nearly that of a tag that chooses the rules.";
    J_OTHER_GAME "J030" "The record names no game, and is legal throughout as another one than chess.";
    J_MOVE_DELAYED "J031" "A move took one full MoveLimit or more; each gives the opponent a point (IAP 1).";
    J_DELAYS_LOSE "J032" "A player let as many limits pass as DelayLimit says, and loses the game (IAP 2).";
    J_MOVE_LIMIT "J033" "MoveLimit or DelayLimit is no positive whole number, or MoveLimit is missing.";
    J_CASTLING_LEFT_OUT "J034" "The tag FEN has castling rights that the position does not allow; they are left out.";
    J_SHOWN_GAME "J035" "The start, the event or the first ply shows which game it is, and the tag Variant does not.";
    J_CALL "J036" "A call in a comment, to count moves or to declare a win, has no effect.";
    J_NATURE_ELIMINATED "J037" "Nature is out of the game: she could not keep her Anti-King attacked (CHA-20).";
    J_ONE_KING "J038" "The start is a problem: a player has no king, and cannot be mated.";
    J_CANNOT_ARISE "J039" "No game leads to the start: its pieces are too many, or a pawn stands where none comes.";
    J_BOARD_STOPS "J040" "A board is judged up to a drop of a piece that unjudged plies of the other may have sent.";
    J_AFTER_END "J041" "Plies of one board follow in the record after the other one ended the game (BUG 6).";
    J_TWO_BOARDS "J042" "The game is on two boards; what was asked for works on one.";
    J_DEAD_PAWN "J043" "A pawn can never move or become anything again (ING-5).";
}

/// True for the codes about the form of a ply or its number: with `--strict` each of them is an error.
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
