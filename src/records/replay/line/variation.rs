//! Variations: lines inside a line, each with its own report.

use super::{LineJudge, LineOutcome, Observer};
use crate::record::{Item, ItemKind, Line};
use crate::replay::codes;
use crate::replay::report::{Agreement, Illegal, Legality, Located, Report, variation_in_words};
use ferz_core::board::{Mask, Owner};
use ferz_core::judge::{Judge, Lent};
use ferz_core::position::Call;
use ferz_core::text::{Exhausted, Severity};
use std::borrow::Cow;
use std::mem::take;
use std::sync::Arc;

/// What a line keeps while a variation has its history.
struct Lents<M> {
    own: Lent<M>,
    /// That of the other board, in a game on two.
    other: Option<Lent<M>>,
}

impl<'s, M: Mask, O: Observer<M>> LineJudge<'_, 's, M, O> {
    /// Replays a variation, which replaces the last ply.
    pub(super) fn variation(
        &mut self,
        start: Item,
        line: Line<'_, '_>,
        number: usize,
    ) -> Result<(), Exhausted> {
        if self.last.is_none() {
            let message = "a variation before the first ply replaces none; it is not judged";
            self.say(codes::J_VARIATION_OF_NOTHING, Severity::Warning, start, message);
            return Ok(());
        }
        self.replay_variation(self.judge.plies(), line, number)
    }

    /// Replays the variations on the illegal ply that is the record's item `index`, from the known position before it.
    #[cold]
    pub(super) fn variations_of_illegal(&mut self, index: usize) -> Result<(), Exhausted> {
        let (mut next, mut number) = (index + 1, 0);
        while let (Some(item), true) = (self.record.items.get(next), self.illegal.is_some()) {
            match item.kind {
                ItemKind::Nag { .. } | ItemKind::Comment(_) => next += 1,
                ItemKind::VariationStart { end } => {
                    if let Some(line) = self.record.variation(next) {
                        self.replay_variation(self.judge.plies() + 1, line, number)?;
                    }
                    (next, number) = (end as usize + 1, number + 1);
                }
                _ => break,
            }
        }
        Ok(())
    }

    /// Replays a variation of the ply `replaced`: the last one, or the illegal one that comes next.
    ///
    /// Variations recurse as deep as they are nested. Large values are on the heap, so that the stack of a thread
    /// suffices for the deepest.
    fn replay_variation(
        &mut self,
        replaced: usize,
        line: Line<'_, '_>,
        number: usize,
    ) -> Result<(), Exhausted> {
        // Allocate exactly: deep in a tree of thousands of variations paths take the most memory.
        let mut path = Vec::with_capacity(self.path.len() + 2);
        path.extend_from_slice(&self.path);
        path.extend([replaced, number]);
        // Its place is before those of the variations inside it, which are done first.
        let place = self.variations.len();
        self.variations.push(None);
        let (mut inner, lent) = self.inner(replaced, &path);
        inner.run(line)?;
        let outcome = inner.boxed_outcome();
        let report = self.take_variation(path, outcome, lent);
        self.variations[place] = Some(report);
        Ok(())
    }

    /// The judge of a variation at its start, and what this one keeps meanwhile.
    #[inline(never)]
    fn inner(&mut self, replaced: usize, path: &[usize]) -> (Box<LineJudge<'_, 's, M, O>>, Lents<M>) {
        let mut before = self.position.clone();
        let mut interjection = self.interjection;
        if let Some(undo) = self.last.as_ref().filter(|_| replaced == self.judge.plies()) {
            for call in Call::after(self.judge.calls(), replaced) {
                if let Call::Receive(letter) = call {
                    before.send_back(letter);
                }
            }
            before.undo(undo);
            // A ply that replaces a turn of Nature has its number.
            interjection -= u32::from(self.last_ply.is_some_and(|ply| ply.actor == Owner::Nature));
        }
        let (judge, lent) = self.judge.lend(replaced - 1);
        let (other, lent_other) = self.lend_other(replaced).unzip();
        let (game, interpretation, scope) = (self.game, self.interpretation, self.scope);
        let variations = take(&mut self.variations);
        let observer = &mut *self.observer;
        let start = (before, judge);
        let inner = LineJudge::new(game, self.record, self.source, interpretation, scope, start, observer);
        let mut inner = Box::new(inner);
        inner.plain_is_allowed &= !self.unsettled;
        inner.unsettled = self.unsettled;
        inner.keep_last();
        inner.variations = variations;
        inner.path = path.to_vec();
        inner.habits = self.habits;
        inner.interjection = interjection;
        inner.numbers_before = self.numbers_before;
        if let Some((at, position, judge)) = other {
            inner.add_board(at, position, judge);
        }
        (inner, Lents { own: lent, other: lent_other })
    }

    #[inline(never)]
    #[allow(clippy::boxed_local)] // the judge is large, and variations are deep
    fn boxed_outcome(self: Box<Self>) -> Box<LineOutcome<M>> {
        Box::new(self.outcome())
    }

    /// Records the outcome of a variation, and back what was lent to it; the report on it.
    #[inline(never)]
    fn take_variation(
        &mut self,
        path: Vec<usize>,
        mut outcome: Box<LineOutcome<M>>,
        Lents { own: lent, other: lent_other }: Lents<M>,
    ) -> Report {
        self.variations = take(&mut outcome.variations);
        self.small_letters |= outcome.small_letters;
        let stood = outcome.let_stand.iter().map(|illegal| (illegal, ", but was let stand"));
        for (illegal, stood) in stood.chain(outcome.illegal.iter().map(|illegal| (&**illegal, ""))) {
            self.report_illegal(&path, illegal, stood);
        }
        if let (Some(judge), Some(lent)) = (outcome.other_judge.take(), lent_other) {
            self.rejoin_other(*judge, lent);
        }
        let (report, judge) = self.variation_report(path, *outcome);
        self.judge.rejoin(judge, lent);
        report
    }

    fn report_illegal(&mut self, path: &[usize], illegal: &Illegal, stood: &str) {
        let Illegal { ply, text, reason, .. } = illegal;
        let what = variation_in_words(path);
        self.diagnostics.push(Located {
            code: codes::J_VARIATION_ILLEGAL,
            severity: Severity::Warning,
            line: illegal.line,
            column: illegal.column,
            span: illegal.span,
            board: illegal.board,
            ply: Some(illegal.ply),
            message: format!("{what} is illegal at ply {ply}, `{text}`{stood}: {reason}").into(),
            notes: illegal.notes(),
            spelling: None,
        });
    }

    fn variation_report(&self, path: Vec<usize>, outcome: LineOutcome<M>) -> (Report, Judge<M>) {
        let LineOutcome { judge, mut final_fen, claims, style, illegal, let_stand, .. } = outcome;
        let mut diagnostics = outcome.diagnostics;
        // A vector starts with room for four, and there may be thousands of variations.
        diagnostics.shrink_to_fit();
        for diagnostic in &mut diagnostics {
            if let Cow::Owned(message) = &mut diagnostic.message {
                message.shrink_to_fit();
            }
        }
        final_fen.shrink_to_fit();
        let end = judge.end();
        let mut report = Report {
            game: 0,
            path,
            variant: Arc::clone(&self.game.name),
            rules: Some(Arc::clone(&self.game.id)),
            style,
            style_evidence: Vec::new(),
            language: self.interpretation.language(),
            plies: outcome.plies,
            verdict: Legality::default(),
            legal: true,
            illegal,
            let_stand,
            end,
            end_rule: end.map(|end| end.rule(&self.game.rules)),
            result_tag: None,
            agreement: Agreement::Unverifiable,
            final_fen,
            claims,
            claimable: Vec::new(),
            decided_by: Vec::new(),
            boards: None,
            variations: Vec::new(),
            diagnostics,
        };
        if let Some(boards) = outcome.boards {
            report.on_two(*boards, &self.game.rules);
        }
        (report.settled(), judge)
    }
}

#[cfg(test)]
mod tests {
    use crate::replay::tests::report;
    use crate::replay::{Located, Report};
    use ferz_core::text::limits::VARIATION_DEPTH_MAX;
    use std::borrow::Cow;

    /// Size of a report in bytes, without its variations.
    fn bytes(report: &Report) -> usize {
        let texts = report.final_fen.capacity();
        let message = |found: &Located| match &found.message {
            Cow::Borrowed(_) => 0,
            Cow::Owned(message) => message.capacity(),
        };
        let diagnostics = report.diagnostics.iter().map(message).sum::<usize>();
        let lists = report.path.capacity() * size_of::<usize>()
            + report.diagnostics.capacity() * size_of::<Located>()
            + (report.variations.capacity() - report.variations.len()) * size_of::<Report>();
        size_of::<Report>() + texts + diagnostics + lists
    }

    /// A game may have thousands of variations: the report on a short one is small, and depth adds only its path.
    #[test]
    fn the_report_on_a_variation_is_small() {
        let report = report(&format!("1. e4 {}{} *", "(1. d4 ".repeat(200), ")".repeat(200)));
        let all = report.with_variations();
        assert_eq!(all.len(), 201);
        for (depth, line) in all.iter().enumerate().skip(1) {
            let path = 2 * depth * size_of::<usize>();
            assert!(bytes(line) <= 640 + path, "{depth}: {} bytes", bytes(line) - path);
        }
    }

    /// A thread has two megabytes of stack by default.
    #[test]
    fn the_deepest_variations_fit_on_a_threads_stack() {
        for (line, inner) in [("1. Nf3", "(1. Nc3 "), ("1. e4", "(1. Pe3 "), ("1. Ke4", "(1. Nc3 ")] {
            let depth = VARIATION_DEPTH_MAX;
            let text = format!("{line} {}{} *", inner.repeat(depth), ")".repeat(depth));
            let judged = std::thread::Builder::new().stack_size(2 << 20).spawn(move || report(&text));
            let all = judged.unwrap().join().unwrap();
            assert_eq!(all.with_variations().len(), depth + 1, "{line}");
        }
    }

    /// A variation of a turn of Nature begins with its number; one of a real ply after it does not.
    #[test]
    fn natures_turns_in_variations_have_their_numbers() {
        let start = "[Variant \"chaos\"]\n\n1. e4 e5 2. Nf3 Nc6 3. h3 \u{221e}1.....a4=N";
        let wrong_numbers = |rest: &str| {
            let report = report(&format!("{start} {rest} *"));
            assert!(report.legal, "{report:?}");
            let lines = report.with_variations();
            let all = lines.iter().flat_map(|line| &line.diagnostics);
            all.filter(|found| found.code.0 == "N010")
                .map(|found| found.message.to_string())
                .collect::<Vec<_>>()
        };
        let none: &[&str] = &[];
        assert_eq!(wrong_numbers("(\u{221e}1.....h5=N (\u{221e}1.....h4=N) 3... a6) 3... a6"), none);
        assert_eq!(wrong_numbers("(3... a6 \u{221e}1.....h5=N) 3... a6"), none);
        assert_eq!(wrong_numbers("3... a6 (3... b6 4. c3 b5 5. d3 d6 \u{221e}2.....h5=N)"), none);
        assert_eq!(wrong_numbers("(\u{221e}2.....h5=N) 3... a6"), ["wrong move number 2; write 1"]);
    }

    /// A ply out of turn that was allowed to stand leaves the same player on move, too, and is no turn of Nature's.
    #[test]
    fn a_variation_of_a_ply_out_of_turn_has_no_turn_less() {
        let report = report("1. e4 1... g1f3 {[%letstand]} (1... e5 2. Nf3) *");
        assert_eq!((report.let_stand.len(), report.plies), (1, 2), "{report:?}");
        let variation = &report.variations[0];
        assert_eq!(
            (variation.legal, variation.plies, variation.diagnostics.len()),
            (true, 3, 0),
            "{report:?}"
        );
    }

    #[test]
    fn a_variation_has_the_history_before_it_and_leaves_it_as_it_was() {
        let line = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
        let claims = report(&format!("{line} *")).claims;
        assert_eq!(claims[0].plies, [0, 4, 8]);
        let inside = "1. Nf3 Nf6 2. Ng1 (2. Nc3 Nc6 (2... Ne4 3. Nb1 Nf6) 3. Nb1) 2... Ng8 3. Nf3 Nf6";
        let varied = report(&format!("{inside} 4. Ng1 Ng8 (4... Nc6 5. Nf3 Nb8 6. Ng1 Ng8) *"));
        assert_eq!((varied.legal, &varied.claims), (true, &claims));
        let claims =
            |report: &Report| report.claims.iter().map(|claim| claim.plies.clone()).collect::<Vec<_>>();
        assert_eq!(
            varied.with_variations().iter().map(|line| claims(line).concat()).collect::<Vec<_>>(),
            [vec![0, 4, 8], vec![], vec![], vec![0, 4, 12],]
        );
    }
}
