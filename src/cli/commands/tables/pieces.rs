//! `ferz tables pieces`.

use super::{Format, GameArgs, JobsArgs, build};
use crate::cli::output::{ExitStatus, Failure, Outcome, json_line};
use crate::cli::session::{Session, no_such_game};
use ferz::board::{ByOwner, Owner};
use ferz::pieces::betza::{self, Betza};
use ferz::rules::compile::{Choices, compile};
use ferz::rules::{Definition, KindId, Piece, Rules, RulesId};
use ferz::tables::{Material, Stats, TableError, Tables};
use serde::Serialize;
use std::sync::Arc;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    game: GameArgs,

    /// Two pieces together instead of each alone
    #[arg(long)]
    pairs: bool,

    /// Output: text, or one JSON object a piece
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    #[command(flatten)]
    jobs: JobsArgs,
}

const EXAMPLES: &str = "\
White has a king and the piece, Black a lone king.
In a game with armies, each kind that an army may choose is tried.

Examples:
  ferz tables pieces augmented
  ferz tables pieces augmented --pairs
  ferz tables pieces iago-b";

/// The answer as JSON.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    variant: &'a str,
    pieces: &'a [String],
    #[serde(flatten)]
    stats: Stats,
}

/// Some pieces, and rules that have them.
struct Trial {
    names: Vec<String>,
    rules: Arc<Rules<u64>>,
    kinds: Vec<KindId>,
}

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let trials = trials(args, session)?;
    for Trial { names, rules, kinds } in trials {
        let man = |owner: Owner| move |kind: KindId| Piece { owner, kind };
        let mut men = vec![man(Owner::Black)(rules.king), man(Owner::White)(rules.king)];
        men.extend(kinds.into_iter().map(man(Owner::White)));
        let material = Material::new(&rules, men).map_err(Failure::message)?;
        let stats = build(&mut Tables::new(Arc::clone(&rules)), &material, &args.jobs)?.stats();
        let text = match args.format {
            Format::Json => json_line(&Answer { variant: &rules.id.name, pieces: &names, stats })?,
            Format::Text => described(&names, &stats),
        };
        session.console.line(text)?;
        session.console.flush()?;
    }
    Ok(ExitStatus::Fine)
}

/// What the pieces do with their side to move.
fn described(names: &[String], stats: &Stats) -> String {
    let turn = stats.white_to_move;
    let all = turn.win + turn.draw + turn.loss;
    let name = names.join(" ");
    match turn.longest_win {
        None => format!("{name:<16} never wins"),
        Some(moves) if turn.win == all => format!("{name:<16} always wins, in up to {moves} moves"),
        Some(moves) => {
            // Only all positions are 100 %.
            let share = ((turn.win * 10_000 + all / 2) / all).min(9_999);
            let (whole, part) = (share / 100, share % 100);
            format!("{name:<16} wins {whole}.{part:02} % ({} of {all}), in up to {moves} moves", turn.win)
        }
    }
}

/// Each piece alone, or each pair.
fn trials(args: &Args, session: &mut Session<'_>) -> Result<Vec<Trial>, Failure> {
    let (definition, _) =
        session.registry().definition(&args.game.variant, &|_| None).map_err(no_such_game)?;
    if definition.armies.slots.is_empty() {
        let rules = args.game.rules(session)?;
        let officers: Vec<KindId> = rules.all_kinds().kinds().collect();
        let officers: Vec<KindId> =
            officers.into_iter().filter(|&kind| kind != rules.king && !rules.is_pawn(kind)).collect();
        let letter = |kind: &KindId| (rules.kind(*kind).letter as char).to_string();
        let trial = |kinds: Vec<KindId>| Trial {
            names: kinds.iter().map(letter).collect(),
            rules: Arc::clone(&rules),
            kinds,
        };
        return Ok(picks(&officers, args.pairs).into_iter().map(trial).collect());
    }
    let slots = definition.armies.slots.iter().filter_map(|slot| definition.armies.choices.get(slot));
    let choices: Vec<Betza> = slots
        .flatten()
        .map(|choice| betza::parse(&choice.betza))
        .collect::<Result<_, _>>()
        .map_err(Failure::message)?;
    picks(&choices, args.pairs).into_iter().map(|chosen| with_armies(&definition, chosen)).collect()
}

/// Each item alone, or each pair of items.
fn picks<T: Clone>(items: &[T], pairs: bool) -> Vec<Vec<T>> {
    if !pairs {
        return items.iter().map(|item| vec![item.clone()]).collect();
    }
    let pairs = items.iter().enumerate().flat_map(|(index, one)| {
        items[index + 1..].iter().map(move |other| vec![one.clone(), other.clone()])
    });
    pairs.collect()
}

/// Rules in which both armies begin with the chosen kinds. Other slots do not matter to the table.
fn with_armies(definition: &Definition, chosen: Vec<Betza>) -> Result<Trial, Failure> {
    let slots = &definition.armies.slots;
    let army: Vec<Betza> = (0..slots.len()).map(|slot| chosen[slot.min(chosen.len() - 1)].clone()).collect();
    let choices = Choices { armies: Some(ByOwner([army.clone(), army, Vec::new()])), array: None };
    let id =
        RulesId { name: definition.name.clone(), edition: definition.edition.clone(), digest: String::new() };
    let rules: Rules<u64> = compile(definition, id, &choices)
        .map_err(|errors| Failure::message(errors.first().map_or_else(String::new, ToString::to_string)))?;
    let kind = |slot: &String| rules.kind_by_letter(Owner::White, slot.as_bytes()[0], false);
    let kinds: Vec<KindId> = slots.iter().take(chosen.len()).filter_map(kind).collect();
    if kinds.len() < chosen.len() {
        return Err(Failure::message(TableError::Material("an army has fewer kinds than the pair".into())));
    }
    let names = chosen.iter().map(|betza| betza.text().to_owned()).collect();
    Ok(Trial { names, rules: Arc::new(rules), kinds })
}
