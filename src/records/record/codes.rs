//! Every diagnostic of this layer: its code, and what it means.

use ferz_core::text::Code;

macro_rules! codes {
    ($($name:ident $code:literal $text:literal;)*) => {
        $(#[doc = concat!("`", $code, "`: ", $text)] pub const $name: Code = Code($code);)*
        /// All codes of this layer with their meaning, in order.
        pub const ALL: &[(Code, &str)] = &[$(($name, $text)),*];
    };
}

codes! {
    LATIN_1 "S001" "The record is not UTF-8; the bytes that are not are read as Latin-1.";
    CONTROL_BYTE "S002" "A NUL or end-of-file byte occurs between tokens; it is read as a space.";
    BYTE_ORDER_MARK "S003" "A byte order mark occurs inside the input; it is read as a space.";
    TAG_QUOTE "S004" "A tag value lacks a quotation mark.";
    TAG_BRACKET "S005" "A tag pair lacks its closing bracket.";
    TAG_INNER_QUOTE "S006" "A quotation mark inside a tag value is not escaped.";
    TAG_NO_VALUE "S007" "A tag has a name but no value.";
    TAG_TWICE "S008" "A tag is repeated; the first one counts.";
    TAGS_TOO_MANY "S009" "A game has more tags than the limit; further ones are ignored.";
    TAG_JUNK "S010" "Text follows a tag pair on its line.";
    TAG_IN_MOVETEXT "S011" "A line in the movetext looks like a tag pair without quotes; it is kept as a comment.";
    COMMENT_OPEN "S012" "A comment in braces is not closed.";
    BRACE_STRAY "S013" "A closing brace without a comment.";
    VARIATION_OPEN "S014" "A variation is not closed; it ends with the game.";
    PARENTHESIS_STRAY "S015" "A closing parenthesis without a variation.";
    VARIATION_DEEP "S016" "A variation is nested deeper than the limit; it is kept as text.";
    RESERVED "S017" "The characters < and > are reserved by the standard and have no meaning yet.";
    BRACKET_STRAY "S018" "A square bracket outside a tag pair.";
    NAG_BAD "S019" "An annotation `$` without a number, or with a number above 65535.";
    GLYPHS_ODD "S020" "A run of ! and ? that is not one of the six signs; its first two characters count.";
    NAG_LONELY "S021" "An annotation without a move before it.";
    BARE_WORDS "S022" "Words in the movetext; they are read as a comment.";
    REMARK "S023" "A remark after a move; it is read as a comment.";
    TOKEN_LONG "S024" "A token longer than any move; it is kept as a comment.";
    RESULT_FORM "S025" "A result in a form other than the standard's.";
    RESULT_TWICE "S026" "A second result after the first; the first one counts.";
    RESULT_MISSING "S027" "The game has no result at its end.";
    NUMBER_FORM "S028" "A move number followed by a parenthesis instead of a dot.";
    DOTS_STRAY "S029" "Dots without a move number before them.";
    MORE "S030" "The game has more diagnostics than the limit; this one says how many and where.";
    RECORD_LONG "S031" "The record is longer than the limit; the rest up to the next game is skipped.";
    COMMAND_BAD "S032" "A command in a comment, such as [%clk], whose value cannot be read; it is kept unchanged.";
    LOSS_BRACE "S033" "Writing: a closing brace inside a comment becomes a parenthesis.";
    LOSS_TAG "S034" "Writing: a second tag of the same name is left out.";
    LOSS_RESULT "S035" "Writing: a second result is left out.";
    LOSS_MOVE_TEXT "S036" "Writing: the text for a move is not a single token; the move is written as it was read.";
    LOSS_SKIPPED "S037" "Writing: bytes outside any token are left out.";
    TAG_FORM "S038" "The value of a tag does not have the form of the standard; it is kept unchanged.";
    TIME_CONTROL "S039" "The tag TimeControl cannot be read; clocks are not compared with it.";
    GAME_COURIER "S040" "The moves are in Game Courier's format and are read as such.";
    JSON_REFUSED "S041" "JSON: not a record, or a part of it does not read as its kind.";
    CONTRADICTED "S042" "JSON: a derived key contradicts the moves of the record.";
    VARIATIONS_MANY "S043" "The game has more variations than the limit; further ones are kept as text.";
    NO_RECORD "S044" "Nothing here looks like a game record: no tag pair, and hardly a word that is a move.";
    RESULT_WORDS "S045" "The result is in words only.";
    RESULT_WORDS_DIFFER "S046" "Words about the result contradict the result beside them.";
    SKIPPED_LINES "S047" "Lines that are not part of a game, as in mail, are skipped.";
    EVENT_LATER "S048" "The tag EventDate is later than Date: the game is dated before its event began.";
    PLIES_TOUCH "S049" "A stroke or a comma between the plies of White and Black.";
    LOSS_TIMES "S050" "Writing: times after the plies of a game on two boards stay in their form, or are missing.";
}

#[cfg(test)]
mod tests {
    #[test]
    fn codes_are_numbered_in_order() {
        for (i, (code, _)) in super::ALL.iter().enumerate() {
            assert_eq!(code.0, format!("S{:03}", i + 1));
        }
    }
}
