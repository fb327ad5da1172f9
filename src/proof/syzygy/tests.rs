//! Files of three and four men, against tables of our own and against each other.

use super::file::{File, Kind};
use super::places::{Men, placed};
use super::{FileBytes, Shelf, Syzygy, SyzygyError, Wdl};
use crate::tables::{Material, Tables, Value};
use ferz_core::position::Position;
use ferz_core::rules::{AnyRules, Registry, Rules};
use ferz_core::text::Budget;
use std::path::PathBuf;
use std::sync::Arc;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/syzygy")
}

/// The files of the folder.
#[derive(Debug)]
struct Folder;

impl Shelf for Folder {
    fn place(&self) -> String {
        "the folder".to_owned()
    }

    fn open(&self, name: &str) -> Result<Option<Box<dyn FileBytes>>, String> {
        Ok(std::fs::read(folder().join(name)).ok().map(|bytes| Box::new(bytes) as Box<dyn FileBytes>))
    }
}

fn rules(name: &str) -> Arc<Rules<u64>> {
    match Registry::built_in().rules(name, &|_| None).unwrap() {
        AnyRules::Narrow(rules) => rules,
        AnyRules::Wide(_) => panic!("{name} is played on a larger board"),
    }
}

/// Steele and Vigna's splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (bits ^ bits >> 31) % bound
    }
}

/// A placement of men, with a side to move, if it is a position.
fn random(men: &str, rules: &Arc<Rules<u64>>, random: &mut Random) -> Option<Position<u64>> {
    let mut board = [' '; 64];
    let (white, black) = men.split_once('v').unwrap();
    for man in white.chars().chain(black.to_lowercase().chars()) {
        let square = random.below(64) as usize;
        let is_wrong = board[square] != ' ' || "Pp".contains(man) && !(8..56).contains(&square);
        if is_wrong {
            return None;
        }
        board[square] = man;
    }
    let row = |row: &[char]| {
        let groups = row.chunk_by(|a, b| (*a == ' ') == (*b == ' '));
        groups
            .map(|group| if group[0] == ' ' { group.len().to_string() } else { group.iter().collect() })
            .collect::<String>()
    };
    let rows: Vec<String> = board.chunks(8).map(row).collect();
    let turn = if random.below(2) == 0 { "w" } else { "b" };
    Position::from_fen(Arc::clone(rules), &format!("{} {turn} - - 0 1", rows.join("/"))).ok()
}

#[test]
fn values_are_those_of_tables_of_our_own() {
    let (rules, files) = (rules("chess"), Syzygy::new(Folder));
    let mut tables = Tables::new(Arc::clone(&rules));
    let mut from = Random(1);
    for men in ["KQvK", "KvKQ", "KRvK", "KBvK", "KNvK", "KPvK", "KvKP", "KRPvK", "KvKRP"] {
        tables.build(&Material::parse(&rules, men).unwrap(), &Budget::unlimited(), &mut |_, _| ()).unwrap();
        let mut compared = 0;
        while compared < 2_000 {
            let Some(position) = random(men, &rules, &mut from) else { continue };
            let Some(own) = tables.value(&position) else { continue };
            let own = match own {
                Value::Win(_) => 1,
                Value::Draw => 0,
                Value::Loss(_) => -1,
            };
            let probed = files.probe(&position).unwrap();
            assert_eq!((probed.wdl.sign(), probed.dtz.signum()), (own, own), "{}", position.fen());
            compared += 1;
        }
    }
}

/// A distance is one more than the least of those after the best plies; files round some of them by one.
#[test]
fn distances_lead_to_the_next_capture_or_pawn_move() {
    let (rules, files) = (rules("chess"), Syzygy::new(Folder));
    let mut from = Random(2);
    let mut longest = 0;
    for men in ["KQvK", "KRvK", "KPvK", "KRPvK"] {
        for _ in 0..1_000 {
            let Some(mut position) = random(men, &rules, &mut from) else { continue };
            let before = files.probe(&position).unwrap();
            if before.wdl != Wdl::Win || before.dtz <= 1 {
                continue;
            }
            longest = longest.max(before.dtz);
            let mut least = i32::MAX;
            for ply in position.plies() {
                let undo = position.apply_undoable(&ply);
                if position.status().halfmoves > 0 && position.count_plies() > 0 {
                    let after = files.probe(&position).unwrap();
                    least = least.min(if after.wdl == Wdl::Loss { -after.dtz } else { i32::MAX });
                }
                position.undo(&undo);
            }
            assert!((before.dtz - 1 - least).abs() <= 1, "{}: {} after {least}", position.fen(), before.dtz);
        }
    }
    assert!(longest > 20, "{longest}");
}

#[test]
fn known_values() {
    let (rules, files) = (rules("chess"), Syzygy::new(Folder));
    for (fen, wdl, dtz) in [
        // The longest win of a queen takes 10 moves, and 19 plies.
        ("8/8/8/5k2/8/8/1Q6/K7 w - - 0 1", Wdl::Win, None),
        ("8/8/8/8/8/8/8/K1Rk4 b - - 0 1", Wdl::Draw, Some(0)),
        ("8/8/8/8/8/4k3/4P3/4K3 w - - 0 1", Wdl::Draw, Some(0)),
        ("8/8/8/8/4k3/8/4P3/4K3 b - - 0 1", Wdl::Draw, Some(0)),
        ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", Wdl::Win, Some(1)),
        ("k7/2Q5/1K6/8/8/8/8/8 w - - 0 1", Wdl::Win, Some(1)),
        ("1Q5k/8/6K1/8/8/8/8/8 b - - 0 1", Wdl::Loss, Some(-1)),
    ] {
        let position = Position::from_fen(Arc::clone(&rules), fen).unwrap();
        let probed = files.probe(&position).unwrap();
        assert_eq!(probed.wdl, wdl, "{fen}");
        assert!(dtz.is_none_or(|dtz| dtz == probed.dtz), "{fen}: {}", probed.dtz);
    }
}

#[test]
fn what_no_file_has_is_said() {
    let files = Syzygy::new(Folder);
    let refused =
        |game: &str, fen: &str| files.probe(&Position::from_fen(rules(game), fen).unwrap()).unwrap_err();
    assert!(matches!(refused("chess", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"), SyzygyError::NotCovered(_)));
    assert!(matches!(refused("chess", "rnbqkbnr/8/8/8/8/8/8/4K3 w - - 0 1"), SyzygyError::NotCovered(_)));
    assert!(matches!(refused("iago-m", "4k3/8/8/8/8/8/8/4K2R[] w - - 0 1"), SyzygyError::NotCovered(_)));
    let missing = refused("chess", "4k3/8/8/8/8/8/1r6/4K2R w - - 0 1");
    assert!(missing.to_string() == "no file KRvKR.rtbw in the folder", "{missing}");
}

/// A file with any byte changed is read to an error or to a value, and one that is cut is an error.
#[test]
fn a_damaged_file_is_no_panic() {
    let rules = rules("chess");
    let mut from = Random(3);
    for (name, kind) in [
        ("KPvK.rtbw", Kind::Wdl),
        ("KPvK.rtbz", Kind::Dtz),
        ("KQvK.rtbz", Kind::Dtz),
        ("KRPvK.rtbz", Kind::Dtz),
    ] {
        let whole = std::fs::read(folder().join(name)).unwrap();
        let men = name.split_once('.').unwrap().0;
        let positions: Vec<Position<u64>> =
            std::iter::repeat_with(|| random(men, &rules, &mut from)).flatten().take(8).collect();
        let of = Men::of(&placed(&positions[0]).unwrap());
        let ask = |file: &File| {
            for position in &positions {
                let placed = placed(position).unwrap();
                let is_blacks = position.fen().contains(" b ");
                let _ = file.wdl(&of, &placed, is_blacks);
                for wdl in Wdl::ALL {
                    let _ = file.dtz(&of, &placed, is_blacks, wdl);
                }
            }
        };
        for at in 0..whole.len() {
            for change in [0x01, 0x80, 0xff] {
                let mut changed = whole.clone();
                changed[at] ^= change;
                if let Ok(file) = File::read(name, Box::new(changed), &of, kind) {
                    ask(&file);
                }
            }
        }
        for len in (0..whole.len()).step_by(7) {
            if let Ok(file) = File::read(name, Box::new(whole[..len].to_vec()), &of, kind) {
                ask(&file);
                assert_eq!(len % 64, 16, "{name} of {len} bytes is taken for a whole file");
            }
        }
    }
}

/// Every file that is whole is found to be so.
#[test]
fn whole_files_are_read_to_their_ends() {
    let (mut files, mut changes, mut seen) = (0, 0, 0);
    let mut from = Random(4);
    let every = std::env::var("FERZ_SYZYGY").map_or(folder(), PathBuf::from);
    for path in std::fs::read_dir(every).unwrap().map(|file| file.unwrap().path()) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let Some((men, kind)) = super::parsed(name) else { continue };
        let whole = std::fs::read(&path).unwrap();
        assert!(super::check(name, Box::new(whole.clone())).unwrap().values > 0);
        files += 1;
        for _ in 0..20 {
            let mut changed = whole.clone();
            changed[from.below(whole.len() as u64 - 16) as usize] ^= 1 << from.below(8);
            let found = File::read(name, Box::new(changed), &men, kind).and_then(|file| file.check());
            changes += 1;
            seen += usize::from(found.is_err());
        }
    }
    assert!(files >= 16 && seen > 0, "{files} files, {seen} of {changes} changes seen");
    println!("{files} files are whole; {seen} of {changes} changes of a bit were seen");
}
