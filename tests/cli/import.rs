//! `ferz variants import`.

use crate::program::{Run, ferz, write};

fn fine(args: &[&str]) -> String {
    let Run { code, out, err } = ferz(args, "");
    assert_eq!((code, err.as_str()), (0, ""), "{args:?}");
    out
}

fn refused(args: &[&str]) -> String {
    let Run { code, out, err } = ferz(args, "");
    assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
    err
}

/// Sections become definitions that play, and what cannot be said is named with its line.
#[test]
fn definitions_are_made_of_a_file_of_fairy_stockfish() {
    let folder = tempfile::tempdir().unwrap();
    let file = "fixtures/variants/fairy/games.ini";
    let games = folder.path().join("games");
    let made = fine(&["variants", "import", file, "-o", games.to_str().unwrap()]);
    assert_eq!(made.lines().count(), 33, "{made}");
    let one = fine(&["variants", "import", file, "--game", "amazonhouse"]);
    assert_eq!(std::fs::read_to_string(games.join("amazonhouse.toml")).unwrap(), one);
    let plies =
        fine(&["--formats", games.to_str().unwrap(), "moves", "amazonhouse", "--moves", "e2e4 d7d5 e4d5"]);
    assert!(plies.contains("d8d5\n"), "{plies}");
    assert!(refused(&["variants", "import", file]).contains("it has 33 games; choose one with --game"));
    assert!(refused(&["variants", "import", file, "--game", "x"]).contains("no game `x`"));
    let ini = write(
        folder.path(),
        "two.ini",
        "[duck:chess]\nwallingRule = duck\nfoo = 1\n\n[fine:chess]\ncastling = false\n",
    );
    let Run { code, out, err } = ferz(&["variants", "import", &ini, "-o", games.to_str().unwrap()], "");
    assert_eq!((code, out.lines().count()), (1, 1), "{err}");
    assert!(
        err.contains("two.ini:2: duck: `wallingRule = duck`: no field of a definition says this"),
        "{err}"
    );
    assert!(err.contains("two.ini:3: duck: `foo = 1`: this setting is not known"), "{err}");
}
