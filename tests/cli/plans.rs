//! Analyses that are submitted as the plan of a claim.

use crate::program::{ferz, write};
use serde_json::Value;

/// A claim with its analysis.
pub struct Submission<'s> {
    pub variant: &'s str,
    pub fen: &'s str,
    pub claim: &'s str,
    pub by: &'s str,
    pub more: &'s [&'s str],
}

const PAWN: Submission<'static> = Submission {
    variant: "chess",
    fen: "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1",
    claim: "forced_win",
    by: "white",
    more: &[],
};

/// Saavedra's position.
const SAAVEDRA: Submission<'static> = Submission { fen: "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1", ..PAWN };

const LINE: &str = "1. c7 Rd6+ 2. Kb5 Rd5+ 3. Kb4 Rd4+ 4. Kb3 Rd3+ 5. Kc2 Rd4";

impl Submission<'_> {
    /// The exit code and the verdict; a certificate has to be accepted.
    pub fn judged(&self, plan: &str) -> (i32, Value) {
        let folder = tempfile::tempdir().unwrap();
        let plan = write(folder.path(), "plan.pgn", plan);
        let certificate = folder.path().join("certificate.json");
        let certificate = certificate.to_str().unwrap();
        let position = ["--variant", self.variant, "--fen", self.fen];
        let claim = ["--claim", self.claim, "--by", self.by, "--plan", &plan, "--format", "json"];
        let rest = ["--certificate", certificate];
        let run = ferz(&[&["adjudicate"], &position[..], &claim, &rest, self.more].concat(), b"");
        let verdict: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
        if verdict["verdict"] == "upheld" {
            let checked = ferz(&["check-certificate", certificate], b"");
            assert_eq!(checked.code, 0, "{plan}: {}{}", checked.out, checked.err);
        }
        (run.code, verdict)
    }

    /// Why an analysis does not decide the claim.
    fn holes(&self, plan: &str) -> Vec<String> {
        let (code, verdict) = self.judged(plan);
        assert_eq!((code, &verdict["verdict"]), (3, &Value::from("undetermined")), "{plan}: {verdict}");
        let holes = verdict["holes"].as_array().unwrap().iter();
        holes
            .map(|hole| format!("{}: {}", hole["kind"].as_str().unwrap(), hole["why"].as_str().unwrap()))
            .collect()
    }

    fn is_upheld(&self, plan: &str, strength: &str) {
        let (code, verdict) = self.judged(plan);
        assert_eq!((code, &verdict["strength"]), (0, &Value::from(strength)), "{plan}: {verdict}");
        assert_eq!(verdict["holes"], Value::Null);
    }
}

#[test]
fn a_plan_without_holes_is_upheld_with_a_certificate() {
    PAWN.is_upheld("1. Kd6 Kd8 2. e6 Ke8 3. e7 *", "table");
    SAAVEDRA.is_upheld(&format!("{LINE} 6. c8=R Ra4 7. Kb3 *"), "table");
    let mate = Submission {
        fen: "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1",
        claim: "forced_mate",
        more: &["--within", "2"],
        ..PAWN
    };
    mate.is_upheld("1. Kf7 Kh7 2. Qg7# *", "proved");
    // In the notation of the game's own style, and with a drop.
    let drop = Submission {
        variant: "crazyhouse",
        fen: "6k1/5ppp/8/8/8/8/8/K7[R] w - - 0 1",
        claim: "forced_mate",
        more: &["--within", "1"],
        ..PAWN
    };
    drop.is_upheld("1. R@e8# *", "proved");
    let hold =
        Submission { fen: "4k3/8/4P3/4K3/8/8/8/8 b - - 0 1", claim: "forced_draw", by: "black", ..PAWN };
    hold.is_upheld("1... Ke7 2. Kd5 (2. Kf5 Ke8) Ke8 3. Kd6 (3. Ke5 Ke7) Kd8 4. e7+ Ke8 5. Ke6 *", "proved");
}

#[test]
fn holes_name_what_is_open_and_nothing_is_corrected() {
    assert_eq!(
        SAAVEDRA.holes(&format!("{LINE} 6. c8=Q *")),
        ["fails: after 6. c8=Q an endgame table shows no win"]
    );
    assert_eq!(
        PAWN.holes("1. Kd6 Kd8 2. Ke6 Ke8 3. Kd6 *"),
        ["returns: after 3. Kd6 Kd8 the plan is back in the position after 1... Kd8, and no nearer to a win"]
    );
    let mate = Submission {
        fen: "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1",
        claim: "forced_mate",
        more: &["--within", "2"],
        ..PAWN
    };
    assert_eq!(mate.holes("1. Qg6 *"), ["fails: after 1. Qg6 the game ends by stalemate"]);
    let illegal = mate.holes("1. Qg5 Kg8 2. Qd8 *");
    assert!(
        illegal.iter().any(|hole| hole.starts_with("illegal: Kg8 is illegal in the analysis: ")),
        "{illegal:?}"
    );
    // A middlegame: nothing answers what the analysis does not.
    let open = Submission {
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        more: &["--nodes", "2000"],
        ..PAWN
    };
    let holes = open.holes("1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *");
    assert!(
        holes.contains(
            &"line_ends: after 1... e5 2. Nf3 the line ends: neither mate, table nor draw".to_owned()
        )
    );
    assert!(holes.contains(&"not_answered: after 1... d5: not answered".to_owned()), "{holes:?}");
    assert_eq!(holes.len(), 20);
}

#[test]
fn an_analysis_is_of_the_game_or_of_its_position() {
    let folder = tempfile::tempdir().unwrap();
    let game = write(folder.path(), "game.pgn", "[White \"Ann\"]\n\n1. f3 e5 2. g4 *\n");
    let ask = |plan: &str, more: &[&str]| {
        let plan = write(folder.path(), "plan.pgn", plan);
        let claim = [
            "adjudicate",
            &game,
            "--claim",
            "forced_mate",
            "--by",
            "black",
            "--within",
            "1",
            "--plan",
            &plan,
        ];
        ferz(&[&claim, more].concat(), b"")
    };
    for plan in [
        "1. f3 e5 2. g4 Qh4# 0-1",
        "2... Qh4#",
        "[FEN \"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2\"]\n\n2... Qh4# *",
        "1. f3 e5 (1... e6 2. g4 Qh4#) 2. g4 d5 (2... Qh4#) *",
        "1. f3 e5 2. g4 d8h4",
    ] {
        let run = ask(plan, &[]);
        assert_eq!(run.code, 0, "{plan}: {}{}", run.out, run.err);
    }
    for (plan, message) in [
        (
            "[FEN \"4k3/8/8/8/8/8/8/4K2R w - - 0 1\"]\n\n1. Rh8# *",
            "the analysis does not reach the position of the claim",
        ),
        ("[Variant \"iago-b\"]\n\n1. f3 e5 2. g4 Qh4# *", "it is one of iago-b, not of chess"),
    ] {
        let run = ask(plan, &[]);
        assert!(run.code == 2 && run.err.contains(message), "{plan}: {}{}", run.out, run.err);
    }
    let run = ask("1. e4 e5 *", &[]);
    assert!(run.code == 3 && run.out.contains("e5 is illegal in the analysis"), "{}", run.out);
    let plan = write(folder.path(), "plan.pgn", "2... Qh4#");
    let run = ferz(&["adjudicate", &game, "--claim", "threefold_repetition", "--plan", &plan], b"");
    assert!(run.code == 2 && run.err.contains("takes no plan"), "{}", run.err);
}

/// Each own ply of a plan is replaced by each other legal one: the claim is upheld only where the table of the men says
/// that the ply still wins.
#[test]
fn a_wrong_ply_leaves_a_hole() {
    let right = ["Kd6", "Kd8", "e6", "Ke8", "e7"];
    for (at, others) in [(0, ["Kd5", "Ke4", "Kf4", "Kf6"]), (2, ["Kc6", "Kd5", "Ke6", "Kc5"])] {
        for wrong in others {
            let mut plies = right[..at].to_vec();
            plies.push(wrong);
            let (_, verdict) = PAWN.judged(&format!("{} *", plies.join(" ")));
            let fen = after(PAWN.fen, &plies);
            let table = ferz(&["tables", "probe", "chess", "--fen", &fen, "--format", "json"], b"");
            let table: Value = serde_json::from_str(&table.out).unwrap();
            assert!(verdict["verdict"] != "upheld" || table["value"] == "loss", "{plies:?}: {verdict}");
        }
    }
}

/// The position after plies.
fn after(fen: &str, plies: &[&str]) -> String {
    let record = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{} *\n", plies.join(" "));
    let run = ferz(&["validate", "--format", "ndjson"], record.as_bytes());
    let report: Value = serde_json::from_str(&run.out).unwrap();
    report["final_fen"].as_str().unwrap().to_owned()
}

const EVENT: &str = "\
[White \"Ann\"]\n[Black \"Ben\"]\n\n1. f3 e5 2. g4 Qh4# *\n\n\
[White \"Cleo\"]\n[Black \"Dan\"]\n[Round \"2\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *\n\n\
[White \"Eve\"]\n[Black \"Fay\"]\n[FEN \"4k3/8/4K3/4P3/8/8/8/8 w - - 0 1\"]\n\n*\n\n\
[White \"Gus\"]\n[Black \"Hal\"]\n[FEN \"4k3/8/4P3/4K3/8/8/8/8 b - - 0 1\"]\n\n*\n\n\
[White \"Ida\"]\n[Black \"Jim\"]\n\n1. e4 *\n\n\
[White \"Kim\"]\n[Black \"Lea\"]\n\n1. e5 *\n\n\
[White \"Max\"]\n[Black \"Nan\"]\n\n1. e4 1-0\n";

#[test]
fn a_docket_lists_what_unfinished_games_are_worth_or_need() {
    let run = ferz(&["adjudicate", "--unfinished", "--nodes", "2000"], EVENT.as_bytes());
    assert_eq!(run.code, 3, "{}", run.err);
    let starts: Vec<String> =
        run.out.lines().map(|line| line.split(": ").take(3).collect::<Vec<_>>().join(": ")).collect();
    assert_eq!(
        starts,
        [
            "game 1: Ann - Ben, *: decided, 0-1",
            "game 2: Cleo - Dan, *: claimable, 1/2-1/2",
            "game 3: Eve - Fay, *: proved, 1-0",
            "game 4: Gus - Hal, *: proved, 1/2-1/2",
            "game 5: Ida - Jim, *: open",
            "game 6: Kim - Lea, *: illegal",
            "6 of 7 games unfinished: 1 decided, 2 proved, 1 claimable, 1 open, 1 illegal",
        ]
    );
    let csv = ferz(&["adjudicate", "--unfinished", "--nodes", "2000", "--format", "csv"], EVENT.as_bytes());
    let lines: Vec<&str> = csv.out.lines().collect();
    assert_eq!(lines.len(), 7);
    assert!(lines[0].starts_with(
        "file,game,event,round,white,black,plies,to_move,standing,result,claim,by,articles,why"
    ));
    assert!(
        lines[2].starts_with(",2,,2,Cleo,Dan,8,white,claimable,1/2-1/2,threefold_repetition,white,FIDE 9.2,")
    );
    let json = ferz(&["adjudicate", "--unfinished", "--nodes", "2000", "--format", "json"], EVENT.as_bytes());
    let third: Value = serde_json::from_str(json.out.lines().nth(2).unwrap()).unwrap();
    assert_eq!((&third["standing"], &third["claim"]["kind"]), (&"proved".into(), &"forced_win".into()));
    let html = ferz(&["adjudicate", "--unfinished", "--nodes", "2000", "--format", "html"], EVENT.as_bytes());
    assert!(html.out.contains("<td>Cleo<td>Dan"), "{}", html.out);
    let run = ferz(&["adjudicate", "--unfinished"], b"1. f3 e5 2. g4 Qh4# *\n");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
}

#[test]
fn a_claim_is_judged_about_each_position_of_a_list() {
    let list = "4k4/9/4P4/9/9/9/9/9/9[G] w - - 0 1\n4k4/9/9/9/9/9/9/9/K8[P] w - - 0 1\n\
        4K4/9/9/9/4p4/9/9/9/4k4[g] b - - 0 1\n";
    let asked = ["adjudicate", "--each", "--variant", "shogi", "--claim", "forced_mate", "--within", "1"];
    let run = ferz(&asked, list.as_bytes());
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!((run.code, lines.len()), (1, 4), "{}{}", run.out, run.err);
    assert!(lines[0].starts_with("game 1: UPHELD, 1-0: White mates in 1 move"), "{}", lines[0]);
    assert!(lines[0].ends_with(" G@e8"), "{}", lines[0]);
    // Without --by the claim is one of the player on move.
    assert!(lines[2].starts_with("game 3: REJECTED: Black does not force mate"), "{}", lines[2]);
    assert_eq!(lines[3], "3 games: 1 upheld, 2 rejected, 0 undetermined");
    let run = ferz(&[&asked[..], &["--format", "json"]].concat(), list.as_bytes());
    let each = run.out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let told: Vec<(u64, String)> = each
        .map(|line| (line["game"].as_u64().unwrap(), line["verdict"].as_str().unwrap().to_owned()))
        .collect();
    assert_eq!(told, [(1, "upheld".into()), (2, "rejected".into()), (3, "rejected".into())]);
    for wrong in
        [&["--game", "2"][..], &["--certificate", "x.json"], &["--format", "html"], &["--ply", "3 white"]]
    {
        let run = ferz(&[&asked[..], wrong].concat(), list.as_bytes());
        assert_eq!(run.code, 2, "{wrong:?}: {}", run.err);
    }
}
