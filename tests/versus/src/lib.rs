//! What the differential runs share: seeded random walks, plies as text, a tally of differences.

use ferz::board::Mask;
use ferz::notation::coord;
use ferz::position::{Finish, Ply, Position, Verb};
use ferz::rules::{AnyRules, Registry};
use std::sync::LazyLock;
use std::time::Instant;

/// A small seeded generator (SplitMix64, Steele, Lea and Flood 2014): a run can be repeated from its seed alone.
pub struct Rng(pub u64);

impl Rng {
    /// The next 64 bits.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.draw()) * n as u128) >> 64) as usize
    }

    /// One of the items; `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }

    /// The items in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// The rules of a built-in game; the armies are White's and Black's where the game needs them.
pub fn rules(variant: &str, armies: Option<(&str, &str)>) -> AnyRules {
    let tags = |tag: &str| match (tag, armies) {
        ("WhiteArmy", Some((white, _))) => Some(white.to_owned()),
        ("BlackArmy", Some((_, black))) => Some(black.to_owned()),
        _ => None,
    };
    Registry::built_in().rules(variant, &tags).unwrap_or_else(|error| panic!("{variant}: {error}"))
}

/// The legal plies with their coordinate notation, sorted by it.
pub fn legal<M: Mask>(position: &Position<M>) -> Vec<(String, Ply)> {
    let spell = |ply: Ply| {
        let mut text = String::new();
        coord::write(position.rules(), &ply, &mut text);
        (text, ply)
    };
    let mut plies: Vec<(String, Ply)> = position.plies().into_iter().map(spell).collect();
    plies.sort();
    plies
}

/// A random legal ply. One in four is taken from the rarer kinds, so that captures, promotions, castlings and
/// gatings come up more often than in a uniform walk.
pub fn choose<'a, M: Mask>(
    rng: &mut Rng,
    position: &Position<M>,
    legal: &'a [(String, Ply)],
) -> Option<&'a (String, Ply)> {
    if rng.below(4) == 0 {
        let rare = |ply: &Ply| {
            !matches!(ply.verb, Verb::Move | Verb::Drop)
                || ply.promotion.is_some()
                || ply.gates_any()
                || position.state().occupied().has(ply.to)
        };
        let rare: Vec<_> = legal.iter().filter(|(_, ply)| rare(ply)).collect();
        if let Some(found) = rng.pick(&rare) {
            return Some(found);
        }
    }
    rng.pick(legal)
}

/// The ending of the position by its name in reports.
pub fn finish_name(finish: Option<Finish>) -> Option<&'static str> {
    finish.map(|finish| match finish {
        Finish::Checkmate => "checkmate",
        Finish::AntiCheckmate => "anti_checkmate",
        Finish::Stalemate => "stalemate",
        Finish::NaturesMate => "natures_mate",
        Finish::Over(_) => "over",
    })
}

/// Seconds of a processor that the calling thread has had; where the system does not tell them, seconds.
pub fn seconds() -> f64 {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = told.split(' ').next().and_then(|number| number.parse::<u64>().ok());
    first.map_or_else(|| BEGIN.elapsed().as_secs_f64(), |nanoseconds| nanoseconds as f64 / 1e9)
}

/// The number of lines of legal plies of a length, each made and taken back.
pub fn perft<M: Mask>(position: &mut Position<M>, depth: u32) -> u64 {
    if depth <= 1 {
        let mut count = 0;
        position.any_ply(|_| {
            count += 1;
            false
        });
        return if depth == 0 { 1 } else { count };
    }
    let mut count = 0;
    for ply in position.plies() {
        let undo = position.apply_undoable(&ply);
        count += perft(position, depth - 1);
        position.undo(&undo);
    }
    count
}

/// A FEN with the letters of its stocks sorted: their order is a matter of taste.
pub fn normal_fen(fen: &str) -> String {
    let Some((board, rest)) = fen.split_once('[') else { return fen.to_owned() };
    let Some((stock, rest)) = rest.split_once(']') else { return fen.to_owned() };
    let mut letters: Vec<char> = stock.chars().collect();
    letters.sort_unstable();
    format!("{board}[{}]{rest}", letters.into_iter().collect::<String>())
}

/// What a suite has compared.
pub struct Tally {
    /// Name of the suite.
    pub name: String,
    /// Positions compared.
    pub positions: u64,
    /// Differences found.
    pub differences: u64,
}

impl Tally {
    /// Nothing compared yet.
    pub fn new(name: &str) -> Tally {
        Tally { name: name.to_owned(), positions: 0, differences: 0 }
    }

    /// Notes a difference, and shows the first ten.
    pub fn differ(&mut self, what: &str) {
        self.differences += 1;
        if self.differences <= 10 {
            println!("  {}: {what}", self.name);
        }
    }

    /// True if something was compared, and nothing differs.
    pub fn same(&self) -> bool {
        self.differences == 0 && self.positions > 0
    }

    /// The line of the suite.
    pub fn print(&self) {
        println!("{:<28} {:>9} positions {:>5} differences", self.name, self.positions, self.differences);
    }
}
