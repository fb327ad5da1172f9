//! Plies before which another piece is named in words.

use super::{LineJudge, Observer};
use crate::record::{ItemKind, Line};
use ferz_core::board::Mask;
use ferz_core::notation::{named_piece, resolve};
use ferz_core::position::Reason;

impl<M: Mask, O: Observer<M>> LineJudge<'_, '_, M, O> {
    /// True if the words of an item name a piece and the ply after them would be another one's: it is unreadable then.
    #[cold]
    pub(super) fn another_piece_is_named(&mut self, line: Line<'_, '_>, index: usize) -> bool {
        let next = index + 1;
        let item = self.record.items.get(next).filter(|item| item.kind == ItemKind::Move);
        let Some(item) = item.copied().filter(|_| next < line.range().end) else { return false };
        let words = self.record.text(self.record.items[index]).into_owned();
        let Some((word, kind)) = named_piece(&self.game.rules, &words) else { return false };
        let token = self.record.text(item).into_owned();
        let Ok(text) = self.read(&token, false) else { return false };
        // What is illegal by itself is said elsewhere.
        if !resolve(&self.position, &text).is_ok_and(|found| found.ply.kind != kind) {
            return false;
        }
        let message = format!("`{word}` before it names another piece; write the piece by its letter");
        !self.unreadable(next, item, Reason::Unreadable, &message)
    }
}

#[cfg(test)]
mod tests {
    use crate::replay::tests::report;
    use ferz_core::position::Reason;

    /// Words before a ply that name another piece make it unreadable; where they agree with it they are a comment.
    #[test]
    fn pieces_in_words_are_no_pawns() {
        for (text, ply) in [
            ("1. e4 e5 2. Knight f3 *", 3),
            ("1. e4 e5 2. knight to f3 Nc6 *", 3),
            ("1. e4 d5 2. Queen takes xd5 *", 3),
            ("1. e4 e5 (1... d5 2. Queen exd5) 2. Bishop c4 *", 3),
        ] {
            let report = report(text);
            let illegal = report.illegal.expect("an illegal ply");
            assert_eq!((illegal.ply, illegal.reason_id), (ply, Reason::Unreadable), "{text}");
        }
        for text in [
            "1. e4 e5 2. Knight Nf3 *",
            "1. Pawn e4 e5 *",
            "1. e4 e5 2. Knight g1f3 *",
            "1. e4 my knight is not where you think e5 *",
            "1. e4 {Knight} e5 *",
        ] {
            assert!(report(text).illegal.is_none(), "{text}");
        }
    }

    /// A pass in a word is the null move, and no comment.
    #[test]
    fn passes_in_words_are_plies() {
        let passed = report("1. d4 d5 2. Pass *");
        assert_eq!(
            passed.illegal.map(|illegal| (illegal.ply, illegal.reason_id)),
            Some((3, Reason::NullMove))
        );
        assert_eq!(report("[Variant \"janggi\"]\n\n1. pass Pass *").plies, 2);
        assert!(report("1. d4 d5 White wants to pass 2. c4 *").illegal.is_none());
        assert!(report("1. d4 d5 2. c4 pass it on *").illegal.is_none());
    }
}
