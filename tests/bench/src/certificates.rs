//! Certificates for the second checker (`tests/checker`), one a line: of the cases in `fixtures`, and of claims about
//! random games.
//!
//!     cargo run --release --bin hostile -- --certificates=20     20 random games of each variant, besides the cases
//!
//! It is a part of that program since both run in CI, and each program takes minutes to link.

use crate::VARIANTS;
use ferz::adjudicate::{Claim, ClaimKind, Terms, adjudicate};
use ferz::board::Owner;
use ferz::record::read;
use ferz::replay::{Options, Replayer, Source};
use ferz::rules::Registry;
use std::collections::HashSet;
use std::io::{BufWriter, Write};

/// Positions that a search may visit.
const NODES: u64 = 50_000;

/// Prints the certificates of the cases, and of so many random games of each variant and length.
///
/// # Panics
/// If the fixtures are missing, or standard output is closed.
pub fn print(games: u64) {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let mut seen = HashSet::new();
    let mut judge = |text: &str, claim: &Claim| {
        let Some(record) = read(text.as_bytes(), 0).next() else { return };
        let source = Source::new(text.as_bytes(), 0, 0);
        let Ok(verdict) = adjudicate(&mut replayer, (&record, &source), claim, &Terms::of(NODES)) else {
            return;
        };
        if let Some(certificate) = verdict.certificate {
            let line = serde_json::to_string(&*certificate).expect("a certificate is JSON");
            if seen.insert(line.clone()) {
                writeln!(out, "{line}").expect("standard output");
            }
        }
    };
    for folder in ["claims", "adjudication"] {
        let folder = format!("{}/../../fixtures/{folder}", env!("CARGO_MANIFEST_DIR"));
        for entry in std::fs::read_dir(&folder).expect("fixtures").flatten() {
            let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
            for line in text.lines() {
                let Ok(case) = serde_json::from_str::<serde_json::Value>(line) else { continue };
                let Ok(claim) = serde_json::from_value(case["claim"].clone()) else { continue };
                judge(case["record"].as_str().unwrap_or_default(), &claim);
            }
        }
    }
    for variant in VARIANTS {
        for plies in [12, 60, 300] {
            let text = variant.games(games, plies);
            for record in text.split("[Event ").filter(|record| !record.trim().is_empty()) {
                let record = format!("[Event {record}");
                claims().iter().for_each(|claim| judge(&record, claim));
            }
        }
    }
}

/// Claims about the last position of a record.
fn claims() -> Vec<Claim> {
    let both = [Owner::White, Owner::Black];
    let by = |kind: ClaimKind| both.map(|owner| Claim { by: Some(owner), ..Claim::new(kind) });
    let mut claims = vec![
        Claim::new(ClaimKind::Checkmate),
        Claim::new(ClaimKind::Stalemate),
        Claim::new(ClaimKind::DeadPosition),
        Claim::new(ClaimKind::FivefoldRepetition),
        Claim::new(ClaimKind::SeventyFiveMoves),
    ];
    for kind in [ClaimKind::ThreefoldRepetition, ClaimKind::FiftyMoves, ClaimKind::CannotWin] {
        claims.extend(by(kind));
    }
    for within in [1, 2] {
        claims.extend(by(ClaimKind::ForcedMate).map(|claim| Claim { within: Some(within), ..claim }));
    }
    claims
}
