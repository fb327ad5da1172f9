//! `ferz archive table`: the rating list of the players of a game, or of a class of games.

use super::Db;
use crate::cli::output::{ExitStatus, Failure, Outcome, json_line};
use crate::cli::session::Session;
use crate::tournament::{Played, Rated, Score, ratings, rows_as_csv};
use ferz::archive::{Archive, Decided, KeptRules};
use ferz::replay::summary::counted;
use ferz::text::visible;
use std::collections::HashMap;
use std::sync::Arc;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Only games of these rules, by their name
    #[arg(long, value_name = "NAME", conflicts_with = "class")]
    variant: Option<String>,

    /// Only games of this class of rules
    #[arg(long, value_parser = ["A", "B", "C", "M", "AV", "V", "X"])]
    class: Option<String>,

    /// Output: a table, comma-separated values, or one JSON object a player
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    #[command(flatten)]
    db: Db,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For spreadsheets
    Csv,
    /// For programs: one JSON object a line
    Ndjson,
}

const EXAMPLES: &str = "\
Counts legal games with a result and both names, in the order of their days; withdrawn games do not count. Ratings \
are Elo's: everyone begins with 1500; a game changes a rating by K (S - E), where S is the score, \
E = 1 / (1 + 10^((opponent's - own) / 400)) the expected one with a difference of at most 400, and K is 40 in the \
first 30 games of a player and 20 after them. Without --variant and --class all games count.

Examples:
  ferz archive table --db club.ferz --variant ichess
  ferz archive table --db club.ferz --class V --format csv > ratings.csv";

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let archive = args.db.open_existing()?;
    let list = ratings(counting(&archive, args)?);
    match args.format {
        Format::Ndjson => {
            for rated in &list {
                session.console.line(json_line(rated)?)?;
            }
        }
        Format::Csv => session.console.text(&csv_of(&list).map_err(Failure::message)?)?,
        Format::Text if list.is_empty() => session.console.line("no game counts")?,
        Format::Text => session.console.text(&text_of(&list))?,
    }
    Ok(ExitStatus::Fine)
}

/// The games that count.
fn counting(archive: &Archive, args: &Args) -> Result<Vec<Played>, Failure> {
    let mut games = Vec::new();
    archive.decided(|decided| games.push(decided)).map_err(Failure::message)?;
    let mut wanted: HashMap<Arc<KeptRules>, bool> = HashMap::new();
    let mut played = Vec::new();
    for Decided { white, black, result, rules } in games {
        let is_wanted = match wanted.get(&rules) {
            Some(known) => *known,
            None => {
                let is_wanted = is_wanted(archive, &rules, args)?;
                wanted.insert(rules, is_wanted);
                is_wanted
            }
        };
        if is_wanted {
            played.push(Played { round: String::new(), white, black, score: Score::of_result(&result) });
        }
    }
    Ok(played)
}

fn is_wanted(archive: &Archive, rules: &KeptRules, args: &Args) -> Result<bool, Failure> {
    Ok(match (&args.variant, &args.class) {
        (Some(name), _) => rules.id.name == *name,
        (None, Some(class)) => archive.class_of(rules).map_err(Failure::message)? == *class,
        (None, None) => true,
    })
}

fn csv_of(list: &[Rated]) -> Result<String, String> {
    let head = ["rank", "player", "rating", "games", "won", "drawn", "lost"].map(str::to_owned).to_vec();
    let rows = list.iter().map(|rated| {
        let Rated { rank, player, rating, games, won, drawn, lost } = rated;
        vec![
            rank.to_string(),
            player.clone(),
            rating.to_string(),
            games.to_string(),
            won.to_string(),
            drawn.to_string(),
            lost.to_string(),
        ]
    });
    rows_as_csv(std::iter::once(head).chain(rows))
}

fn text_of(list: &[Rated]) -> String {
    let width =
        list.iter().map(|rated| visible(rated.player.as_bytes()).chars().count()).max().unwrap_or(0).max(6);
    let mut text = format!("   #  {:width$}  rating  games  won  drawn  lost\n", "player");
    for rated in list {
        let Rated { rank, player, rating, games, won, drawn, lost } = rated;
        let player = visible(player.as_bytes());
        text.push_str(&format!(
            "{rank:4}  {player:width$}  {rating:6}  {games:5}  {won:3}  {drawn:5}  {lost:4}\n"
        ));
    }
    let players = counted(list.len(), "player", "players");
    let games = list.iter().map(|rated| rated.games as usize).sum::<usize>() / 2;
    text.push_str(&format!("{players}, {}\n", counted(games, "game", "games")));
    text
}
