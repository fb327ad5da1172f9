//! Analyses with one wrong or missing defence: none is taken for a plan that is none.

use crate::common;
use crate::program::{ferz, write};
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

    fn asked<'a>(&'a self, within: &'a str) -> Vec<&'a str> {
        let claim = ["--claim", "forced_mate", "--by", &self.by, "--within", within];
        [&["adjudicate", "--variant", &self.variant, "--fen", &self.fen][..], &claim].concat()
    }

    /// The plan that the program finds by itself.
    fn plan(&self) -> Option<Node> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("certificate.json");
        let within = self.within.to_string();
        let run = ferz(&[&self.asked(&within)[..], &["--certificate", file.to_str()?]].concat(), b"");
        let text = std::fs::read_to_string(&file).ok().filter(|_| run.code == 0)?;
        let certificate: Value = serde_json::from_str(&text).unwrap();
        let rules = Rules::named(&self.variant).ok()?;
        let start = Position::from_fen(&rules, &self.fen).ok()?;
        node(&certificate["evidence"]["and_or"]["nodes"], 0, &start)
    }

    /// The verdict on a plan by almost no search; a certificate has to be accepted.
    fn judged(&self, plan: &Node) -> Value {
        let folder = tempfile::tempdir().unwrap();
        let mut text = String::new();
        plan.write(&mut text);
        let file = write(folder.path(), "plan.pgn", format!("{text} *\n"));
        let certificate = folder.path().join("certificate.json");
        let certificate = certificate.to_str().unwrap();
        let within = self.within.to_string();
        let submitted = ["--plan", &file, "--nodes", "1", "--format", "json", "--certificate", certificate];
        let run = ferz(&[&self.asked(&within)[..], &submitted].concat(), b"");
        let verdict: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{text}: {}", run.err));
        if verdict["verdict"] == "upheld" {
            let checked = ferz(&["check-certificate", certificate], b"");
            assert_eq!(checked.code, 0, "{} {text}: {}{}", self.fen, checked.out, checked.err);
        } else {
            let holes = verdict["holes"].as_array().map_or(0, Vec::len);
            assert!(holes > 0, "{} {text}: {verdict}", self.fen);
        }
        verdict
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

    /// The number of positions.
    fn size(&self) -> usize {
        1 + self.plies.iter().filter_map(|(_, next)| next.as_ref()).map(Node::size).sum::<usize>()
    }

    /// The position with a number, counted from this one.
    fn at(&mut self, number: usize) -> &mut Node {
        let mut left = number;
        let mut node = self;
        loop {
            if left == 0 {
                return node;
            }
            left -= 1;
            let mut nexts = node.plies.iter_mut().filter_map(|(_, next)| next.as_mut());
            node = loop {
                let next = nexts.next().unwrap();
                let size = next.size();
                if left < size {
                    break next;
                }
                left -= size;
            };
        }
    }
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % sides.max(1) as u64) as usize
    }
}

/// Removes a defence with all that answers it, or replaces a ply by another legal one; names what it did.
fn changed(plan: &Node, dice: &mut Dice) -> Option<(Node, String)> {
    let mut plan = plan.clone();
    let number = dice.roll(plan.size());
    let node = plan.at(number);
    let at = dice.roll(node.plies.len());
    if node.plies.len() > 1 && dice.roll(2) == 0 {
        let (removed, _) = node.plies.remove(at);
        return Some((plan, format!("without {removed}")));
    }
    let legal = node.position.plies();
    let other = written(&node.position, legal.get(dice.roll(legal.len()))?);
    if node.plies.iter().any(|(known, _)| *known == other) {
        return None;
    }
    let (ply, _) = node.plies.get(at)?;
    let what = format!("{other} instead of {ply}");
    node.plies[at].0 = other;
    Some((plan, what))
}

#[test]
fn a_changed_plan_is_upheld_only_if_it_is_one() {
    let problems = Problem::all();
    let plans: Vec<(&Problem, Node)> =
        problems.iter().filter_map(|problem| Some((problem, problem.plan()?))).collect();
    assert!(plans.len() > 12, "{} of {}", plans.len(), problems.len());
    for (problem, plan) in &plans {
        assert_eq!(problem.judged(plan)["verdict"], "upheld", "{}", problem.fen);
    }
    let mut dice = Dice(7);
    let (mut tried, mut upheld) = (0, 0);
    while tried < self::plans() {
        let (problem, plan) = &plans[dice.roll(plans.len())];
        let Some((changed, _)) = changed(plan, &mut dice) else { continue };
        tried += 1;
        upheld += usize::from(problem.judged(&changed)["verdict"] == "upheld");
    }
    let sizes: Vec<usize> = plans.iter().map(|(_, plan)| plan.size()).collect();
    eprintln!("{tried} changed plans of {sizes:?} positions: {upheld} still decide the claim");
    assert!(upheld < tried);
}
