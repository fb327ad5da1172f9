//! What a search finds is what the positions' own FENs say: the law reads boards and stocks from the text, and shares no
//! code with the search.

use crate::common::BUILT_IN;
use crate::games::registry;
use crate::pairs::{native_records, random_record};
use crate::random::Random;
use crate::scaled;
use ferz::record::{Record, read};
use ferz::replay::{Options, Replayer, Source, trace, with_trace};
use ferz::search::{Fact, Looked, RulesKey, Search, TagValues, facts, packed};
use ferz::text::Budget;
use std::collections::BTreeMap;

/// Ranks of a board in these games at most; more lines are squares outside.
const LINES_MAX: usize = 10;

/// A position as its FEN says it.
struct Said {
    fen: String,
    /// By the square's name: the owner (`w`, `b`, `n`), and the man in capital letters.
    men: BTreeMap<String, (char, String)>,
    files: u8,
    ranks: usize,
    /// The number of the first rank.
    first: usize,
    stock: String,
    turn: String,
}

impl Said {
    fn of(fen: &str) -> Said {
        let (board, rest) = fen.split_once(' ').expect("a FEN has fields");
        let (board, stock) = match board.split_once('[') {
            Some((board, stock)) => (board, stock.trim_end_matches(']')),
            None => (board, ""),
        };
        let mut said = Said {
            fen: fen.to_owned(),
            men: BTreeMap::new(),
            files: 0,
            ranks: board.split('/').count().min(LINES_MAX),
            first: 1,
            stock: stock.to_owned(),
            turn: rest.split(' ').next().expect("a player on move").to_owned(),
        };
        // Omega Chess has ranks from 0, and squares outside, which no query names.
        let lines = board.split('/').count();
        let first = if lines > LINES_MAX { 0 } else { 1 };
        said.first = first;
        for (row, rank) in board.split('/').take(LINES_MAX).enumerate() {
            said.files = said.rank(rank, said.ranks - row - 1 + first);
        }
        board.split('/').skip(LINES_MAX).for_each(|outside| _ = said.rank(outside, 99));
        for number in 1..=4u8 {
            let man = said.men.remove(&format!("{}99", char::from(b'`' + number)));
            said.men.extend(man.map(|man| (format!("w{number}"), man)));
        }
        said
    }

    /// Reads a rank; gives its files.
    fn rank(&mut self, text: &str, rank: usize) -> u8 {
        let letters: Vec<char> = text.chars().collect();
        let (mut file, mut at) = (0, 0);
        while at < letters.len() {
            if letters[at].is_ascii_digit() {
                let digits: String =
                    letters[at..].iter().take_while(|letter| letter.is_ascii_digit()).collect();
                file += digits.parse::<u8>().expect("a number");
                at += digits.len();
                continue;
            }
            let natures = letters[at] == '*';
            at += usize::from(natures);
            let mut man = String::new();
            while !letters[at].is_ascii_alphabetic() {
                man.push(letters[at]);
                at += 1;
            }
            let letter = letters[at];
            man.push(letter.to_ascii_uppercase());
            at += 1;
            while letters.get(at).is_some_and(|letter| matches!(letter, '\'' | '~')) {
                if letters[at] == '\'' {
                    man.push('\'');
                }
                at += 1;
            }
            let owner = if natures {
                'n'
            } else if letter.is_ascii_lowercase() {
                'b'
            } else {
                'w'
            };
            self.men.insert(format!("{}{rank}", char::from(b'a' + file)), (owner, man));
            file += 1;
        }
        file
    }

    fn square(&self, random: &mut Random) -> String {
        let file = random.below(usize::from(self.files)) as u8;
        format!("{}{}", char::from(b'a' + file), self.first + random.below(self.ranks))
    }

    /// A man as a query names it.
    fn named((owner, man): &(char, String)) -> String {
        match owner {
            'w' => man.clone(),
            'b' => man.to_lowercase(),
            _ => format!("~{man}"),
        }
    }

    fn material(&self, owner: char) -> Vec<&str> {
        let mut men: Vec<&str> =
            self.men.values().filter(|man| man.0 == owner).map(|man| man.1.as_str()).collect();
        men.sort_unstable();
        men
    }

    /// The FEN without the halfmove clock and the number of the move, which distinguish no positions.
    fn without_counters(&self) -> String {
        let fields = self.fen.split(' ').enumerate().filter(|(at, _)| !matches!(at, 4 | 5));
        fields.map(|(_, field)| field).collect::<Vec<_>>().join(" ")
    }
}

/// A query about a position, and the positions for which it holds by their FENs.
fn query(said: &[Said], random: &mut Random) -> (String, Vec<usize>) {
    let about = random.pick(said);
    let holds = |fits: &dyn Fn(&Said) -> bool| -> Vec<usize> {
        said.iter().enumerate().filter(|(_, said)| fits(said)).map(|(ply, _)| ply).collect()
    };
    let men: Vec<(&String, &(char, String))> = about.men.iter().collect();
    match random.below(8) {
        0 if !men.is_empty() => {
            let (square, man) = random.pick(&men);
            let fits = |said: &Said| said.men.get(*square) == Some(*man);
            (format!("{}{square}", Said::named(man)), holds(&fits))
        }
        1 => {
            let square = about.square(random);
            (format!("_{square}"), holds(&|said| !said.men.contains_key(&square)))
        }
        2 => {
            let square = about.square(random);
            let fits = |said: &Said| said.men.get(&square).is_some_and(|man| man.0 == 'b');
            (format!("[black]{square}"), holds(&fits))
        }
        3 if !men.is_empty() => {
            let wanted = random.pick(&men).1;
            let fits = |said: &Said| said.men.values().any(|man| man == wanted);
            (Said::named(wanted), holds(&fits))
        }
        4 => {
            let sides = ['w', 'b'].map(|owner| about.material(owner));
            let fits = |said: &Said| ['w', 'b'].map(|owner| said.material(owner)) == sides;
            (format!("material {}v{}", sides[0].concat(), sides[1].concat()), holds(&fits))
        }
        5 => {
            let turn = if about.turn == "w" { "white" } else { "black" };
            (format!("turn {turn}"), holds(&|said| said.turn == about.turn))
        }
        6 => {
            let board = about.fen.split(['[', ' ']).next().expect("a board");
            let pattern = board.replace('*', "~").replace("~/", "/").replace("~~", "~");
            if board.contains('~') {
                return ("last".to_owned(), vec![said.len() - 1]);
            }
            (format!("pattern \"{pattern}\""), holds(&|said| said.men == about.men))
        }
        _ => {
            let first = random.below(said.len());
            (format!("ply {first}..{}", first + 3), (first..said.len().min(first + 4)).collect())
        }
    }
}

/// The positions in which a query holds.
fn found(text: &str, record: &Record<'_>, source: &Source<'_>) -> Vec<usize> {
    let search = Search::new(text.parse().unwrap_or_else(|error| panic!("{text}: {error}")));
    let mut replayer = Replayer::new(registry(), Options::default());
    let looked = Budget::endless(|budget| search.seeker().look(&mut replayer, record, source, budget));
    match looked {
        Looked::Found(hit) => hit.plies,
        Looked::Passed => Vec::new(),
        Looked::NotJudged(report) => panic!("{text}: {report:?}"),
    }
}

/// The positions of two queries joined, by what each means.
fn joined(
    random: &mut Random,
    one: (String, Vec<usize>),
    other: (String, Vec<usize>),
) -> (String, Vec<usize>) {
    let ((one, first), (other, second)) = (one, other);
    let has = |list: &[usize], ply: usize| list.contains(&ply);
    let (word, holds): (&str, Vec<usize>) = match random.below(5) {
        0 => ("and", first.iter().copied().filter(|ply| has(&second, *ply)).collect()),
        1 => {
            let mut either = [first, second].concat();
            either.sort_unstable();
            either.dedup();
            ("or", either)
        }
        2 => ("then", second.iter().copied().filter(|ply| first.iter().any(|first| first < ply)).collect()),
        3 => ("next", second.iter().copied().filter(|ply| *ply > 0 && has(&first, ply - 1)).collect()),
        _ => ("and not", first.iter().copied().filter(|ply| !has(&second, *ply)).collect()),
    };
    (format!("({one}) {word} ({other})"), holds)
}

/// Asks queries about a record; gives how many, and how many of them hold somewhere and not everywhere.
fn asked(text: &str, random: &mut Random) -> (usize, usize) {
    let record = read(text.as_bytes(), 0).next().expect("a record");
    let source = Source::new(text.as_bytes(), 0, 0);
    let mut replayer = Replayer::new(registry(), Options::default());
    let traced =
        trace(&mut replayer, &record, &source, 0).unwrap_or_else(|report| panic!("{text}\n{report:?}"));
    let fens: Vec<String> = with_trace!(traced, |trace| {
        (0..=trace.plies.len()).map(|plies| trace.position(plies).fen()).collect()
    });
    let said: Vec<Said> = fens.iter().map(|fen| Said::of(fen)).collect();
    let mut telling = 0;
    let count = scaled(20);
    for _ in 0..count {
        let (one, other) = (query(&said, random), query(&said, random));
        let (query, expected) = if random.chance(50) { one } else { joined(random, one, other) };
        assert_eq!(found(&query, &record, &source), expected, "{query}\n{text}");
        telling += usize::from(!expected.is_empty() && expected.len() < said.len());
    }
    // A FEN finds the positions that are the same, whatever their counters. One that ends the game may not be what its
    // FEN says: of two passes in Janggi it names one.
    let about = random.pick(&said[..said.len().max(2) - 1]);
    let hits = found(&format!("fen \"{}\"", about.fen), &record, &source);
    assert!(hits.contains(&said.iter().position(|said| said.fen == about.fen).expect("its own")), "{text}");
    let like = |said: &Said| (said.men == about.men, said.stock == about.stock, said.turn == about.turn);
    assert!(hits.iter().all(|ply| like(&said[*ply]) == (true, true, true)), "{}\n{text}", about.fen);
    for (ply, other) in said.iter().enumerate() {
        if other.without_counters() == about.without_counters() {
            assert!(hits.contains(&ply), "{} at ply {ply}\n{text}", about.fen);
        }
    }
    (count, telling)
}

#[test]
fn a_search_finds_what_the_fens_say() {
    let (mut all, mut telling) = (0, 0);
    let mutated = ["chess", "ichess", "capablanca", "crazyhouse"].map(|game| format!("chaos+{game}"));
    for variant in BUILT_IN.map(str::to_owned).into_iter().chain(mutated) {
        let mut random = Random::new(&variant, 40);
        let drawn = (0..3).map(|number| random_record(&variant, 7_000 + number));
        for text in drawn.chain(native_records(&variant).into_iter().take(3)) {
            let (count, found) = asked(&text, &mut random);
            all += count;
            telling += found;
        }
    }
    assert!(telling * 3 > all, "only {telling} of {all} queries tell positions apart");
}

/// Queries about tags, with the tags of [`tagged`].
const TAG_QUERIES: [&str; 14] = [
    "white ann",
    "white ~ Anne",
    "player cyd",
    "black = \"cyd, de\"",
    "elo >= 2200",
    "whiteelo 2100",
    "date 1999",
    "date 1990..2000.04",
    "event cup",
    "tag Mode",
    "tag mode = ICS",
    "white != Ann",
    "tag ECO != B90",
    "result 0-1 or round 3",
];

/// A record with tags of the players.
fn tagged(text: &str, random: &mut Random) -> String {
    let mut tags = String::new();
    for (name, values) in [
        ("White", ["Ann Lee", "Ben", "?"]),
        ("Black", ["Cyd, de", "ANN", ""]),
        ("WhiteElo", ["2100", "2350", "?"]),
        ("Date", ["1999.05.??", "2000.01.01", "????.??.??"]),
        ("Mode", ["ICS", "OTB", "x"]),
    ] {
        if random.chance(70) && !text.contains(&format!("[{name} ")) {
            tags += &format!("[{name} \"{}\"]\n", random.pick(&values));
        }
    }
    tags + text
}

/// A query about a ply, a stock, the game or the report.
fn other_query(said: &[Said], random: &mut Random) -> String {
    let about = random.pick(said);
    let mut letter = || {
        let letters: Vec<&String> = about.men.values().map(|(_, man)| man).collect();
        if letters.is_empty() { "K".to_owned() } else { (*random.pick(&letters)).clone() }
    };
    let (one, other) = (letter(), letter());
    let square = about.square(random);
    let sides = ['w', 'b'].map(|owner| about.material(owner).concat());
    let all = [
        format!("{one}x{other}"),
        format!("{one}x{other}{square}"),
        format!("moves {one}"),
        format!("by black and from {square}"),
        format!("captures {other}"),
        format!("captures {square}"),
        format!("drop {one}"),
        format!("drop {one}@{square}"),
        format!("drop {square}"),
        format!("gate {one}"),
        format!("gate {square}"),
        format!("promote {one}"),
        "promote".to_owned(),
        "castle".to_owned(),
        "ep".to_owned(),
        "pass".to_owned(),
        "end any".to_owned(),
        "end mate".to_owned(),
        "claimable any".to_owned(),
        "claimable threefold".to_owned(),
        "illegal".to_owned(),
        "diagnostic N004".to_owned(),
        format!("hand {one}"),
        format!("reserve {}", one.to_lowercase()),
        "hand -".to_owned(),
        format!("material {}+v{}", sides[0], sides[1]),
        format!("material {}v{}+", sides[0], sides[1]),
        format!("material {one}+v+"),
        format!("balance {}v{}", sides[0], sides[1]),
        format!("turn white and check and {one}"),
        "legal".to_owned(),
        "result 1-0".to_owned(),
        "plies >= 3".to_owned(),
        format!("plies {}..{}", random.below(30), 30 + random.below(90)),
        random.pick(&TAG_QUERIES).to_string(),
    ];
    random.pick(&all).clone()
}

/// A query of several conditions.
fn any_query(said: &[Said], random: &mut Random) -> String {
    let mut part = || if random.chance(40) { query(said, random).0 } else { other_query(said, random) };
    let (one, other) = (part(), part());
    let forms = [
        one.clone(),
        format!("flip ({one})"),
        format!("mirror ({one})"),
        format!("not ({one})"),
        format!("never ({one})"),
        format!("ever ({one}) and {other}"),
        format!("count >= 2 ({one})"),
        format!("count = 0 ({one})"),
        format!("({one}) and ({other})"),
        format!("({one}) or ({other})"),
        format!("({one}) then ({other})"),
        format!("({one}) next ({other})"),
        format!("flip mirror (({one}) and not ({other}))"),
    ];
    random.pick(&forms).clone()
}

/// An index proposes every game in which a query holds, and its plies do not rule it out; and it is of use: it leaves
/// out many in which none holds, and the plies alone more.
#[test]
fn what_is_found_was_proposed() {
    let mut asked = 0;
    let mut holds = 0;
    let mut left_out = 0;
    let mut ruled_out = 0;
    let mutated =
        ["chess", "ichess", "capablanca", "crazyhouse", "iago-b"].map(|game| format!("chaos+{game}"));
    for variant in BUILT_IN.map(str::to_owned).into_iter().chain(mutated) {
        let mut random = Random::new(&variant, 41);
        let drawn = (0..3).map(|number| random_record(&variant, 9_000 + number));
        for text in drawn.chain(native_records(&variant).into_iter().take(3)) {
            let text = tagged(text.trim_start(), &mut random);
            let record = read(text.as_bytes(), 0).next().expect("a record");
            let source = Source::new(text.as_bytes(), 0, 0);
            let mut replayer = Replayer::new(registry(), Options::default());
            let traced = trace(&mut replayer, &record, &source, 0).expect("it was played by the rules");
            let values = TagValues::of(&record);
            let game = packed(&traced);
            let facts: Vec<Fact> = Budget::endless(|budget| facts(&record, &values, &traced, budget));
            let fens: Vec<String> = with_trace!(&traced, |trace| {
                (0..=trace.plies.len()).map(|plies| trace.position(plies).fen()).collect()
            });
            let said: Vec<Said> = fens.iter().map(|fen| Said::of(fen)).collect();
            for _ in 0..scaled(30) {
                let query = any_query(&said, &mut random);
                let Ok(parsed) = query.parse() else { continue };
                let search = Search::new(parsed);
                let mut seeker = search.seeker();
                let proposed = seeker.proposal(&traced).resolved(&values).has(&facts);
                let looked = Budget::endless(|budget| seeker.look(&mut replayer, &record, &source, budget));
                let found = matches!(looked, Looked::Found(_));
                assert!(proposed || !found, "{query}\n{text}");
                if let Some(sieve) = seeker.sieve(&traced) {
                    assert_eq!(sieve.rules(), RulesKey::of_trace(&traced));
                    let passes = sieve.passes(&game).unwrap_or_else(|| panic!("it is packed whole\n{text}"));
                    assert!(passes || !found, "{query}\n{text}");
                    ruled_out += usize::from(!passes);
                    // A cut or changed one is another game at most, and no panic.
                    let mut spoiled = game.clone();
                    let at = random.below(spoiled.len());
                    spoiled[at] ^= 1 << random.below(8);
                    spoiled.truncate(game.len() - random.below(2));
                    let _ = sieve.passes(&spoiled);
                }
                asked += 1;
                holds += usize::from(found);
                left_out += usize::from(!proposed);
            }
        }
    }
    assert!(holds * 5 > asked, "only {holds} of {asked} queries hold");
    assert!(left_out * 6 > asked, "only {left_out} of {asked} queries leave a game out");
    assert!(ruled_out * 3 > asked, "plies rule only {ruled_out} of {asked} games out");
}
