//! Analyses with one wrong or missing defence: none is taken for a plan that is none.

use crate::common;
use crate::plans::Submission;
use crate::program::ferz;
use ferz::notation::Style;
use ferz::play::{Position, Rules};
use ferz::position::Ply;
use serde_json::Value;
use std::fmt::Write as _;

/// Changed plans of a run; `FERZ_PLANS=1000` tries as many.
fn plans() -> usize {
    std::env::var("FERZ_PLANS").ok().and_then(|count| count.parse().ok()).unwrap_or(60)
}

/// A mate within a number of moves.
struct Problem {
    variant: String,
    fen: String,
    by: String,
    within: u64,
}

/// Mates with many defences.
const LONGER: [(&str, &str, u64); 8] = [
    ("chess", "7k/8/8/5K2/8/8/8/6R1 w - - 0 1", 3),
    ("chess", "8/8/8/8/3k4/8/3K4/3QQ3 w - - 0 1", 3),
    ("chess", "8/8/8/3k4/8/8/8/KQR5 w - - 0 1", 5),
    ("crazyhouse", "6k1/5p1p/8/8/8/8/8/K7[RQN] w - - 0 1", 2),
    ("capablanca", "9k/10/7K2/10/10/10/10/CA8 w - - 0 1", 2),
    ("seirawan", "7k/8/5K2/8/8/8/8/6R1[] w - - 0 1", 2),
    ("iago-b", "7k/8/5K2/8/8/8/8/6R1[] w - - 0 1", 2),
    ("ichess", "7k/8/5K2/8/8/8/8/Q7[] w - - 0 1", 2),
];

/// A position of a plan, with the plies that it looks at: one of the claimant's, or every defence.
#[derive(Clone)]
struct Node {
    position: Position,
    plies: Vec<(String, Option<Node>)>,
}

impl Problem {
    /// The problems of the fixtures that are proved by a plan.
    fn all() -> Vec<Problem> {
        let text = common::fixture("claims/forced.jsonl");
        let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let tag = |record: &str, name: &str| {
            let (_, rest) = record.split_once(&format!("[{name} \""))?;
            Some(rest.split_once('"')?.0.to_owned())
        };
        let longer = LONGER.iter().map(|&(variant, fen, within)| Problem {
            variant: variant.to_owned(),
            fen: fen.to_owned(),
            by: "white".to_owned(),
            within,
        });
        let of_fixture = rows.filter_map(|row| {
            let record = row["record"].as_str()?;
            let is_proved = row["expect"]["verdict"] == "upheld" && record.ends_with("\n\n*");
            let tags = record.lines().filter(|line| line.starts_with('[')).count();
            let variant = tag(record, "Variant");
            let is_plain = tags == 2 + usize::from(variant.is_some());
            (is_proved && is_plain).then_some(Problem {
                variant: variant.unwrap_or_else(|| "chess".to_owned()),
                fen: tag(record, "FEN")?,
                by: row["claim"]["by"].as_str()?.to_owned(),
                within: row["claim"]["within"].as_u64()?,
            })
        });
        of_fixture.chain(longer).collect()
    }

    /// The plan that the program finds by itself.
    fn plan(&self) -> Option<Node> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("certificate.json");
        let within = self.within.to_string();
        let position = ["adjudicate", "--variant", &self.variant, "--fen", &self.fen];
        let claim = ["--claim", "forced_mate", "--by", &self.by, "--within", &within];
        let run = ferz(&[&position[..], &claim, &["--certificate", file.to_str()?]].concat(), b"");
        let text = std::fs::read_to_string(&file).ok().filter(|_| run.code == 0)?;
        let certificate: Value = serde_json::from_str(&text).unwrap();
        let rules = Rules::named(&self.variant).ok()?;
        let start = Position::from_fen(&rules, &self.fen).ok()?;
        node(&certificate["evidence"]["and_or"]["nodes"], 0, &start)
    }

    /// True if almost no search upholds the claim by the plan, with a certificate; else there are holes.
    fn is_upheld(&self, plan: &Node) -> bool {
        let mut text = String::new();
        plan.write(&mut text);
        let within = self.within.to_string();
        let submission = Submission {
            variant: &self.variant,
            fen: &self.fen,
            claim: "forced_mate",
            by: &self.by,
            more: &["--within", &within, "--nodes", "1"],
        };
        let (_, verdict) = submission.judged(&format!("{text} *\n"));
        let upheld = verdict["verdict"] == "upheld";
        assert!(upheld || !verdict["holes"].as_array().unwrap().is_empty(), "{} {text}: {verdict}", self.fen);
        upheld
    }
}

fn written(position: &Position, ply: &Ply) -> String {
    position.write(ply, Style::Coord).unwrap()
}

/// The plan from one of its numbered positions on.
fn node(nodes: &Value, number: usize, position: &Position) -> Option<Node> {
    let mut plies = Vec::new();
    for entry in nodes[number]["plies"].as_array()? {
        let coord = entry[0].as_str()?;
        let ply = position.plies().into_iter().find(|ply| written(position, ply) == coord)?;
        let mut after = position.clone();
        after.play(&ply);
        let next = entry[1].as_u64().map(|next| node(nodes, next as usize, &after));
        plies.push((coord.to_owned(), next.flatten()));
    }
    Some(Node { position: position.clone(), plies })
}

impl Node {
    /// The plan as movetext: the first ply with all that follows, the others as variations.
    fn write(&self, text: &mut String) {
        let Some(((main, next), others)) = self.plies.split_first() else { return };
        let _ = write!(text, "{main} ");
        for (other, after) in others {
            let _ = write!(text, "({other} ");
            if let Some(after) = after {
                after.write(text);
            }
            text.push_str(") ");
        }
        if let Some(next) = next {
            next.write(text);
        }
    }

    /// The plan with one change, for each that there is: a defence and all that answers it left out, or a ply of the
    /// claimant's or a defence replaced by another legal one.
    fn changes(&self) -> Vec<Node> {
        let mut all = Vec::new();
        for at in 0..self.plies.len() {
            if self.plies.len() > 1 {
                let mut changed = self.clone();
                changed.plies.remove(at);
                all.push(changed);
            }
            let legal = self.position.plies();
            let known = |text: &String| self.plies.iter().any(|(known, _)| known == text);
            for other in legal.iter().map(|ply| written(&self.position, ply)).filter(|text| !known(text)) {
                let mut changed = self.clone();
                changed.plies[at].0 = other;
                all.push(changed);
            }
            for next in self.plies[at].1.iter().flat_map(Node::changes) {
                let mut changed = self.clone();
                changed.plies[at].1 = Some(next);
                all.push(changed);
            }
        }
        all
    }
}

#[test]
fn a_changed_plan_is_upheld_only_if_it_is_one() {
    let problems = Problem::all();
    let plans: Vec<(&Problem, Node)> =
        problems.iter().filter_map(|problem| Some((problem, problem.plan()?))).collect();
    assert!(plans.len() > 12, "{} of {}", plans.len(), problems.len());
    for (problem, plan) in &plans {
        assert!(problem.is_upheld(plan), "{}", problem.fen);
    }
    let mut all: Vec<(&Problem, Node)> = Vec::new();
    for (problem, plan) in &plans {
        all.extend(plan.changes().into_iter().map(|changed| (*problem, changed)));
    }
    let chosen: Vec<_> = all.iter().step_by(all.len().div_ceil(self::plans()).max(1)).collect();
    let upheld = chosen.iter().filter(|(problem, changed)| problem.is_upheld(changed)).count();
    eprintln!("{} of {} changed plans: {upheld} still decide the claim", chosen.len(), all.len());
    assert!(upheld < chosen.len());
}
