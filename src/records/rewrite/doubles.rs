//! Finds records of one game among many: the same play in other words, one that ends where another continues, one that
//! differs in a ply.

use crate::record::{Record, day};

use crate::replay::{AnyTrace, Trace, with_trace};
use ferz_core::board::Mask;
use ferz_core::notation::coord;
use ferz_core::rules::RulesId;
use ferz_core::text::fold::{fold, names_are_near};
use ferz_core::text::limits::DOUBLES_COMPARED_MAX;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;

/// Plies that two records must share before one that continues the other, or differs from it in a ply, is likely to be
/// of the same game.
const SHARED_PLIES_MIN: usize = 8;

/// What two records of one game have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Likeness {
    /// The same play, the same players, and no date that says otherwise.
    Same,
    /// The same play by players whose names differ in slips of the pen.
    NamesNear,
    /// The same players and date, and one record ends where the other continues.
    Prefix,
    /// The same players and date, and as many plies, of which one differs.
    OnePly,
    /// The same play by other players or at another date: an opening trap, or a record with wrong tags.
    SamePlay,
}

impl Likeness {
    /// All, the closest first.
    pub const ALL: [Likeness; 5] =
        [Likeness::Same, Likeness::NamesNear, Likeness::Prefix, Likeness::OnePly, Likeness::SamePlay];

    /// The word in reports.
    pub const fn id(self) -> &'static str {
        match self {
            Likeness::Same => "same",
            Likeness::NamesNear => "names_near",
            Likeness::Prefix => "prefix",
            Likeness::OnePly => "one_ply",
            Likeness::SamePlay => "same_play",
        }
    }
}

/// What is kept of a record to find its doubles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint {
    rules: Option<Arc<RulesId>>,
    start: Arc<str>,
    /// The plies in coordinates, each with a space after it.
    moves: String,
    plies: usize,
    /// White and Black, folded; empty if unknown.
    players: [String; 2],
    /// The date as a number ([`day`]).
    date: Option<i64>,
    /// How much the record has besides its plies: the greater is the better text.
    worth: (bool, usize, usize),
}

/// A record that is like another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Double {
    /// The number of the record, in the order in which they were given.
    pub game: usize,
    /// The number of the record that says more: legal before illegal, then the one with more plies, tags, and text.
    pub of: usize,
    /// What they have in common.
    pub likeness: Likeness,
    /// The first ply that differs, from 1, where there is one.
    pub ply: Option<usize>,
}

impl Fingerprint {
    /// The fingerprint of a record that was replayed; `None` if the game was not judged to its end, since its plies do
    /// not say what was played.
    pub fn of(record: &Record<'_>, trace: &AnyTrace) -> Option<Fingerprint> {
        with_trace!(trace, |trace| Fingerprint::of_trace(record, trace))
    }

    fn of_trace<M: Mask>(record: &Record<'_>, trace: &Trace<M>) -> Option<Fingerprint> {
        if trace.report.illegal.is_some() || trace.report.is_no_record() {
            return None;
        }
        let rules = trace.start.rules();
        let mut moves = String::with_capacity(trace.plies.len() * 5);
        for traced in &trace.plies {
            coord::write(rules, &traced.ply, &mut moves);
            moves.push(' ');
        }
        let known = |name: &str| record.tag(name).map(|value| fold(&value)).unwrap_or_default();
        Some(Fingerprint {
            rules: trace.report.rules.clone(),
            start: Arc::clone(&trace.start_fen),
            moves,
            plies: trace.plies.len(),
            players: ["White", "Black"].map(known),
            date: record.tag("Date").and_then(|date| day(&date)),
            worth: (trace.report.legal, record.tags.len(), record.source().len()),
        })
    }

    fn key(&self) -> (Option<&RulesId>, &str) {
        (self.rules.as_deref(), &self.start)
    }

    /// True if the dates can be those of one game: one may be less exact.
    fn may_be_of_day(&self, other: &Fingerprint) -> bool {
        let (Some(one), Some(other)) = (self.date, other.date) else { return true };
        let parts = |day: i64| [day / 10_000, day / 100 % 100, day % 100];
        parts(one).into_iter().zip(parts(other)).all(|(one, other)| one == other || one == 0 || other == 0)
    }

    /// Whether the players are the same (`Some(true)`), or nearly so; an unknown one may be anybody.
    fn players_like(&self, other: &Fingerprint) -> Option<bool> {
        let mut all_same = true;
        for (one, other) in self.players.iter().zip(&other.players) {
            if one.is_empty() || other.is_empty() || one == other {
                continue;
            }
            all_same = false;
            if !names_are_near(one, other) {
                return None;
            }
        }
        Some(all_same)
    }

    /// What two records with the same play are.
    fn same_play(&self, other: &Fingerprint) -> Likeness {
        match self.players_like(other).filter(|_| self.may_be_of_day(other)) {
            Some(true) => Likeness::Same,
            Some(false) => Likeness::NamesNear,
            None => Likeness::SamePlay,
        }
    }

    /// True if the players and the date can be those of one game.
    fn may_be(&self, other: &Fingerprint) -> bool {
        self.may_be_of_day(other) && self.players_like(other).is_some()
    }

    /// The first ply that differs, if it is the only one, from 1.
    fn one_ply(&self, other: &Fingerprint) -> Option<usize> {
        if self.plies != other.plies || self.key() != other.key() {
            return None;
        }
        let mut differing = None;
        for (index, (one, other)) in self.moves.split(' ').zip(other.moves.split(' ')).enumerate() {
            if one != other && differing.replace(index + 1).is_some() {
                return None;
            }
        }
        differing
    }
}

/// The records that are like another, each with the one that says more; those with the closest likeness first.
///
/// ```
/// use ferz_core::rules::Registry;
/// use ferz_records::record;
/// use ferz_records::replay::{Options, Replayer, Source, trace};
/// use ferz_records::rewrite::{Fingerprint, Likeness, doubles};
///
/// let text = b"[White \"Ann\"]\n\n1. e4 e5 *\n\n[White \"Ann\"]\n[Black \"Ben\"]\n\n1. e2e4 e7e5 *\n";
/// let mut replayer = Replayer::new(Registry::built_in(), Options::default());
/// let mut games = Vec::new();
/// for record in record::read(text, 0) {
///     let traced = trace(&mut replayer, &record, &Source::new(text, 0, 0), 0).map_err(|_| "not judged")?;
///     games.push(Fingerprint::of(&record, &traced).ok_or("illegal")?);
/// }
/// let found = doubles(&games);
/// assert_eq!((found[0].game, found[0].of, found[0].likeness), (0, 1, Likeness::Same));
/// # Ok::<(), &str>(())
/// ```
pub fn doubles(games: &[Fingerprint]) -> Vec<Double> {
    let mut order: Vec<usize> = (0..games.len()).collect();
    let sort_key = |game: &usize| {
        let fingerprint = &games[*game];
        let digest = fingerprint.rules.as_ref().map(|rules| &*rules.digest);
        (digest, &*fingerprint.start, &*fingerprint.moves)
    };
    order.sort_by(|one, other| sort_key(one).cmp(&sort_key(other)).then(one.cmp(other)));
    let mut found = Vec::new();
    let plays: Vec<&[usize]> = order.chunk_by(|one, other| sort_key(one) == sort_key(other)).collect();
    let mut kept = Vec::with_capacity(plays.len());
    for play in &plays {
        kept.extend(in_play(games, play, &mut found));
    }
    prefixes(games, &kept, &mut found);
    one_ply(games, &kept, &mut found);
    found.sort_by_key(|double| (double.likeness, double.game));
    found
}

/// Finds doubles among records with the same play; gives those that are of different games.
fn in_play(games: &[Fingerprint], play: &[usize], found: &mut Vec<Double>) -> Vec<usize> {
    let mut best_first = play.to_vec();
    best_first.sort_by(|one, other| games[*other].worth.cmp(&games[*one].worth).then(one.cmp(other)));
    let mut kept: Vec<usize> = Vec::new();
    for &game in &best_first {
        let likeness = |of: &usize| (games[game].same_play(&games[*of]), *of);
        match kept.iter().take(DOUBLES_COMPARED_MAX).map(likeness).min_by_key(|(likeness, _)| *likeness) {
            None => kept.push(game),
            Some((likeness, of)) => {
                if likeness == Likeness::SamePlay {
                    kept.push(game);
                }
                // Without a ply, the play says nothing.
                if likeness != Likeness::SamePlay || games[game].plies > 0 {
                    found.push(Double { game, of, likeness, ply: None });
                }
            }
        }
    }
    kept
}

/// Finds records that end where another continues, among those in the order of their plays.
fn prefixes(games: &[Fingerprint], kept: &[usize], found: &mut Vec<Double>) {
    // The records whose plies are the beginning of the present one's: the shortest first.
    let mut open: Vec<usize> = Vec::new();
    // One line for each record that is cut, however many continue it.
    let mut is_cut = vec![false; games.len()];
    for &game in kept {
        let longer = &games[game];
        let begins =
            |shorter: &Fingerprint| shorter.key() == longer.key() && longer.moves.starts_with(&shorter.moves);
        while open.last().is_some_and(|last| !begins(&games[*last])) {
            open.pop();
        }
        for &shorter in open.iter().rev().take(DOUBLES_COMPARED_MAX) {
            let short = &games[shorter];
            let is_long_enough = (SHARED_PLIES_MIN..longer.plies).contains(&short.plies);
            if is_long_enough && !is_cut[shorter] && short.may_be(longer) {
                is_cut[shorter] = true;
                let ply = Some(short.plies + 1);
                found.push(Double { game: shorter, of: game, likeness: Likeness::Prefix, ply });
            }
        }
        open.push(game);
    }
}

/// Finds records of the same players that differ in one ply.
fn one_ply(games: &[Fingerprint], kept: &[usize], found: &mut Vec<Double>) {
    let mut by_players: HashMap<(&[String; 2], usize), Vec<usize>> = HashMap::new();
    for &game in kept {
        let Fingerprint { players, plies, .. } = &games[game];
        // Of unknown players there may be thousands of games.
        if *plies >= SHARED_PLIES_MIN && players.iter().all(|name| !name.is_empty()) {
            by_players.entry((players, *plies)).or_default().push(game);
        }
    }
    for group in by_players.into_values() {
        for (index, &game) in group.iter().enumerate() {
            let others = group[..index].iter().rev().take(DOUBLES_COMPARED_MAX);
            for &other in others.filter(|other| games[game].may_be_of_day(&games[**other])) {
                if let Some(ply) = games[game].one_ply(&games[other]) {
                    let worse = games[game].worth <= games[other].worth;
                    let (game, of) = if worse { (game, other) } else { (other, game) };
                    found.push(Double { game, of, likeness: Likeness::OnePly, ply: Some(ply) });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::tests::{record, replayer};
    use crate::replay::{Source, trace};

    fn found(texts: &[&str]) -> Vec<(usize, usize, &'static str, Option<usize>)> {
        let games: Vec<Fingerprint> = texts
            .iter()
            .map(|text| {
                let record = record(text);
                let traced = trace(&mut replayer(), &record, &Source::new(text.as_bytes(), 0, 0), 0).unwrap();
                Fingerprint::of(&record, &traced).unwrap()
            })
            .collect();
        let found = doubles(&games).into_iter();
        found.map(|double| (double.game, double.of, double.likeness.id(), double.ply)).collect()
    }

    const OPENING: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7";

    fn game(tags: &[(&str, &str)], moves: &str) -> String {
        let tags: String = tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
        format!("{tags}\n{moves} *")
    }

    #[test]
    fn the_same_game_in_other_words() {
        let one = game(&[("White", "Réti, Richard"), ("Black", "Ben"), ("Date", "1924.??.??")], OPENING);
        let other = game(
            &[("White", "Reti, R"), ("Black", "Ben"), ("Date", "1924.03.01"), ("Site", "New York")],
            "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7",
        );
        let same = game(&[("White", "RETI RICHARD"), ("Black", "?")], OPENING);
        assert_eq!(
            found(&[&one, &other, &same]),
            [(0, 1, "names_near", None), (2, 1, "names_near", None)],
            "the record with most tags stays"
        );
        assert_eq!(found(&[&one, &same]), [(1, 0, "same", None)]);
    }

    #[test]
    fn the_same_play_by_others_is_another_game() {
        let of =
            |white: &str, date: &str| game(&[("White", white), ("Black", "Ben"), ("Date", date)], OPENING);
        assert_eq!(found(&[&of("Ann", "2001.01.01"), &of("Zoe", "2001.01.01")]), [(1, 0, "same_play", None)]);
        assert_eq!(found(&[&of("Ann", "2001.01.01"), &of("Ann", "2002.01.01")]), [(1, 0, "same_play", None)]);
        assert_eq!(found(&[&of("Ann", "2001"), &of("Ann", "2001.05.01")]), [(0, 1, "same", None)]);
        let header = game(&[("White", "Ann"), ("Black", "Ben")], "");
        assert_eq!(
            found(&[&header, &header]),
            [(1, 0, "same", None)],
            "without plies it is a record all the same"
        );
    }

    #[test]
    fn beginnings_and_slips() {
        let tags = [("White", "Ann"), ("Black", "Ben")];
        let whole = game(&tags, &format!("{OPENING} 6. Re1 b5 7. Bb3 d6"));
        let cut = game(&tags, OPENING);
        let slip = game(&tags, &format!("{OPENING} 6. Re1 b5 7. Bb3 O-O"));
        assert_eq!(
            found(&[&cut, &whole, &slip]),
            [(0, 1, "prefix", Some(11)), (1, 2, "one_ply", Some(14))],
            "one line for each that is cut; the longer text stays"
        );
        let few = game(&tags, "1. e4");
        assert_eq!(found(&[&few, &whole]), []);
        let other = game(&[("White", "Zoe"), ("Black", "Ben")], OPENING);
        assert_eq!(found(&[&other, &whole]), []);
    }

    #[test]
    fn plies_of_other_games_and_starts_are_others() {
        let chess = game(&[], "1. e4 e5");
        let other = game(&[("Variant", "king-of-the-hill")], "1. e4 e5");
        let start = game(&[("FEN", "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1")], "1. e4 e5");
        assert_eq!(found(&[&chess, &other, &start]), []);
    }
}
