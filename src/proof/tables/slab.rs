//! The positions of one slab with one side to move.

/// By position of a slab with one side to move: what is known of it. Sets have one bit a position.
#[derive(Debug, Default)]
pub(super) struct Slab {
    /// No legal position.
    pub(super) illegal: Vec<u64>,
    /// The side to move wins.
    pub(super) won: Vec<u64>,
    /// The side to move loses.
    pub(super) lost: Vec<u64>,
    /// The distance of a win or a loss in moves of the winner, by position.
    pub(super) moves: Vec<u8>,
    /// What is needed only while the table is made.
    pub(super) work: Work,
}

/// What is needed only while a table is made.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// A ply that leaves the table wins, or the position is an end that does. `moves` has the distance.
    pub(super) wins: Vec<u64>,
    /// A ply that leaves the table holds the draw, or the position is drawn.
    pub(super) holds: Vec<u64>,
    /// Every ply that leaves the table loses, and there is one; or a lost end. `moves` has the distance.
    pub(super) loses: Vec<u64>,
    /// No legal ply stays in the table.
    pub(super) stuck: Vec<u64>,
    /// The position is an end although there are legal plies. Empty where the rules have no such end.
    pub(super) over: Vec<u64>,
    /// Attacker: the defender cannot hold by moving here. Defender: never lost from now on, or lost already.
    pub(super) closed: Vec<u64>,
    /// Decided in this round.
    pub(super) new: Vec<u64>,
    /// True if `new` has any.
    pub(super) changed: bool,
    /// Decided in a later round, at the distance in `moves`.
    pub(super) pending: Vec<u64>,
    /// The least distance of these.
    pub(super) next: Option<u8>,
}

impl Slab {
    pub(super) fn new(words: usize, squares: usize) -> Slab {
        let set = || vec![0; words];
        let work = Work {
            wins: set(),
            holds: set(),
            loses: set(),
            stuck: set(),
            over: Vec::new(),
            closed: set(),
            new: set(),
            changed: false,
            pending: set(),
            next: None,
        };
        Slab { work, ..Slab::finished(words, squares) }
    }

    /// A slab of a finished table, without any position yet.
    pub(super) fn finished(words: usize, squares: usize) -> Slab {
        let set = || vec![0; words];
        let moves = vec![0; words * squares];
        Slab { illegal: set(), won: set(), lost: set(), moves, work: Work::default() }
    }

    /// The longest distance of the positions of a set.
    pub(super) fn longest(&self, set: &[u64], squares: usize) -> Option<u8> {
        let places =
            set.iter().enumerate().flat_map(|(word, &bits)| ones(bits).map(move |at| word * squares + at));
        places.map(|place| self.moves[place]).max()
    }

    /// True if the position is an end although there are legal plies.
    #[inline]
    pub(super) fn over(&self, word: usize) -> u64 {
        self.work.over.get(word).copied().unwrap_or(0)
    }

    /// Prepares the positions with the attacker to move.
    pub(super) fn begin_attack(&mut self) {
        let work = &mut self.work;
        work.closed.copy_from_slice(&self.illegal);
        work.pending.copy_from_slice(&work.wins);
        work.changed = false;
    }

    /// Prepares the positions with the defender to move.
    pub(super) fn begin_defence(&mut self) {
        let work = &mut self.work;
        work.changed = false;
        for word in 0..self.illegal.len() {
            work.closed[word] = self.illegal[word] | work.wins[word] | work.holds[word];
            work.pending[word] = work.loses[word] & work.stuck[word];
        }
    }

    /// Finds the least distance of the pending positions.
    pub(super) fn find_next(&mut self, squares: usize) {
        let pending = self.work.pending.iter().enumerate();
        let moves = pending.flat_map(|(word, &bits)| ones(bits).map(move |at| word * squares + at));
        self.work.next = moves.map(|at| self.moves[at]).min();
    }

    /// The set of new positions, emptied.
    pub(super) fn take_new(&mut self) -> Vec<u64> {
        let mut new = std::mem::take(&mut self.work.new);
        if self.work.changed {
            new.fill(0);
        }
        new
    }

    /// Decides the positions that were found in a round: the side to move wins, or loses.
    pub(super) fn decide(&mut self, round: u8, squares: usize, mut found: Vec<u64>, won: bool) {
        let mut changed = false;
        for (word, bits) in found.iter_mut().enumerate() {
            *bits &= !self.work.closed[word];
            if *bits == 0 {
                continue;
            }
            changed = true;
            self.work.closed[word] |= *bits;
            *(if won { &mut self.won[word] } else { &mut self.lost[word] }) |= *bits;
            ones(*bits).for_each(|at| self.moves[word * squares + at] = round);
        }
        self.work.new = found;
        self.work.changed = changed;
    }

    /// Removes and returns the pending positions of this round, and finds the next round that has any. `decided` are
    /// those that need no decision any more.
    pub(super) fn take_due(
        &mut self,
        round: u8,
        squares: usize,
        mut due: impl FnMut(usize, u64),
        decided: impl Fn(&Slab, usize) -> u64,
    ) {
        if self.work.next != Some(round) {
            return;
        }
        let mut next = None;
        for word in 0..self.work.pending.len() {
            let mut pending = self.work.pending[word];
            if pending == 0 {
                continue;
            }
            pending &= !decided(self, word);
            let mut now = 0;
            for at in ones(pending) {
                let moves = self.moves[word * squares + at];
                if moves <= round {
                    now |= 1 << at;
                } else {
                    next = Some(next.map_or(moves, |next: u8| next.min(moves)));
                }
            }
            self.work.pending[word] = pending & !now;
            if now != 0 {
                due(word, now);
            }
        }
        self.work.next = next;
    }
}

/// The numbers of the bits of a word.
pub(super) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            at
        })
    })
}
