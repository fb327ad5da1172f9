//! Tests of tables: known maxima, and every position one ply forward by the generator of legal plies.

use super::*;
use ferz_core::rules::{AnyRules, Registry};

fn rules(game: &str) -> Arc<Rules<u64>> {
    let Ok(AnyRules::Narrow(rules)) = Registry::built_in().rules(game, &|_| None) else { panic!("{game}") };
    rules
}

fn table(game: &str, material: &str) -> (Tables, Arc<Table>) {
    let rules = rules(game);
    let material = Material::parse(&rules, material).expect("material");
    let mut tables = Tables::new(rules);
    let table = tables.build(&material, &Budget::unlimited(), &mut |_, _| ()).expect("a table");
    (tables, table)
}

/// The longest wins are known from the literature.
#[test]
fn longest_wins_are_the_known_ones() {
    for (material, white, black) in
        [("KQvK", Some(10), None), ("KRvK", Some(16), None), ("KvKR", None, Some(16)), ("KBvK", None, None)]
    {
        let stats = table("chess", material).1.stats();
        assert_eq!(stats.white_to_move.longest_win, white, "{material}");
        assert_eq!(stats.black_to_move.longest_win, black, "{material}");
    }
}

/// Every position agrees with its plies.
#[test]
fn tables_of_three_men_agree_with_the_plies() {
    for (game, material) in [
        ("chess", "KvK"),
        ("chess", "KQvK"),
        ("chess", "KvKR"),
        ("misere+chess", "KRvK"),
        ("bareking+chess", "KRvK"),
        ("bareking+chess", "KvKN"),
        ("ingols", "KQvK"),
    ] {
        let (tables, table) = table(game, material);
        let verified = tables.verify(&table, Extent::All, &Budget::unlimited()).expect("no budget");
        assert_eq!(verified.fault, None, "{game} {material}");
        assert_eq!(verified.positions, table.stats().positions, "{game} {material}");
    }
}

/// Games with ends of their own, pawns that promote, asymmetric pieces and movers that need hurdles.
#[test]
fn tables_of_other_games_agree_with_the_plies() {
    let files = [
        "name = \"stalemate\"\nextends = \"chess\"\nclass = \"X\"\n[ends]\nstalemate = \"loss\"\n",
        "name = \"small\"\nclass = \"X\"\n[board]\nfiles = 5\nranks = 6\n[setup]\nboard = \"k4/3p1/5/5/5/K3Q\"\n\
         [pieces]\nK = { name = \"king\", betza = \"K\", royal = true }\n\
         Q = { name = \"cannon\", betza = \"mRcpR\" }\nH = { name = \"horse\", betza = \"nN\" }\n\
         C = { name = \"crab\", betza = \"ffNsbN\" }\nP = { name = \"pawn\", betza = \"mfWcfF\", pawn = true }\n\
         [promotion]\nzone = \"rank 6\"\nforced = \"rank 6\"\nto = \"kinds\"\nkinds = [\"H\", \"C\"]\n",
    ];
    let registry = Registry::with_files(files).expect("right definitions");
    for (game, material) in [
        ("stalemate", "KNvK"),
        ("stalemate", "KPvK"),
        ("misere+stalemate", "KBvK"),
        ("small", "KQvK"),
        ("small", "KHvK"),
        ("small", "KCvK"),
        ("small", "KvKC"),
        ("small", "KPvK"),
        ("small", "KvKP"),
        ("small", "KQvKP"),
        ("small", "KHvKQ"),
        ("chess", "KPvK"),
        ("iago-b", "KvKP"),
        ("ingols", "KPvK"),
        ("ingols", "KvKP"),
    ] {
        let Ok(AnyRules::Narrow(rules)) = registry.rules(game, &|_| None) else { panic!("{game}") };
        let material = Material::parse(&rules, material).expect("material");
        let mut tables = Tables::new(Arc::clone(&rules));
        let table = tables.build(&material, &Budget::unlimited(), &mut |_, _| ()).expect("a table");
        let text = material.text(&rules);
        let extent = if material.men().len() == 3 { Extent::All } else { Extent::Sample(100_000) };
        let verified = tables.verify(&table, extent, &Budget::unlimited()).expect("no budget");
        assert_eq!(verified.fault, None, "{game} {text}");
        if extent == Extent::All {
            assert_eq!(verified.positions, table.stats().positions, "{game} {text}");
        }
    }
}

#[test]
fn what_tables_cannot_represent_is_refused_with_the_reason() {
    let obstacle = |game: &str, material: &str| {
        let rules = rules(game);
        let material = Material::parse(&rules, material).expect("material");
        let mut tables = Tables::new(rules);
        let error = tables.build(&material, &Budget::unlimited(), &mut |_, _| ()).expect_err("refused");
        error.to_string()
    };
    assert!(obstacle("crazyhouse", "KQvK").contains("come back from the hand"));
    assert!(obstacle("ichess", "KQvK").contains("come back from the hand"));
    assert!(obstacle("chess", "KPvKP").contains("en passant"));
    let rules = rules("chess");
    for (material, why) in [
        ("KQ", "two sides"),
        ("KXvK", "`X` is no piece"),
        ("QvK", "White has 0 kings"),
        ("KQRBNvK", "6 men; tables have at most 5"),
    ] {
        let error = Material::parse(&rules, material).expect_err("refused").to_string();
        assert!(error.contains(why), "{material}: {error}");
    }
}
