//! `ferz archive event`: events of games that are played or kept in an archive.

use super::Db;
use crate::cli::input;
use crate::cli::output::{ExitStatus, Failure, Outcome, json_line};
use crate::cli::session::Session;
use crate::mail::{Desk, Heading};
use crate::tournament::{
    self, Due, EventGame, Pairing, Plan, Planned, Player, Score, TieBreak, read_pairings, read_players,
    round_robin,
};
use chrono::{DateTime, TimeDelta, Utc};
use ferz::archive::{Archive, Scope};
use ferz::correspondence::Visibility;
use ferz::replay::summary::counted;
use ferz::text::{Timestamp, visible};
use serde::Serialize;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
An event is the games with its name in the tag `Event`: those that are played in the archive, and those that were \
imported or submitted. The table counts both.

Examples:
  ferz archive event create 'Club cup' --variant ichess --players players.csv --clock days-per-move --db club.ferz
  ferz archive event create 'Open' --variant iago-b --players players.csv --pairings round-1.csv --db club.ferz
  ferz archive event table 'Club cup' --db club.ferz
  ferz archive event due 'Club cup' --db club.ferz
  ferz archive event remind 'Club cup' --players players.csv --db club.ferz | formail -s sendmail -t
  ferz archive event withdraw 'Club cup' 'Ann Arber' --replaced-by 'Cleo Carr' --db club.ferz";

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Create the games of an event: of the pairings in a file, or a round robin
    Create(CreateArgs),
    /// Show the crosstable of an event
    Table(TableArgs),
    /// List the games of an event that wait for a player, the most urgent first
    Due(DueArgs),
    /// List all events
    List(ListArgs),
    /// Take a player out of an event
    Withdraw(WithdrawArgs),
    /// End a game that both players have forfeited: it counts, and neither gets a point
    Forfeit(ForfeitArgs),
    /// Write mails to the players who are to move
    Remind(RemindArgs),
}

/// The event.
#[derive(Debug, clap::Args)]
struct Of {
    /// Name of the event, as in the tag `Event`
    event: String,

    #[command(flatten)]
    db: Db,
}

#[derive(Debug, clap::Args)]
struct CreateArgs {
    #[command(flatten)]
    of: Of,

    /// Game, mutators first
    #[arg(long)]
    variant: String,

    /// Players as CSV with the column `name`: the holders of their tokens
    #[arg(long, value_name = "FILE")]
    players: PathBuf,

    /// Pairings as CSV with the columns `round`, `white` and `black`; without them everyone meets everyone
    #[arg(long, value_name = "FILE")]
    pairings: Option<PathBuf>,

    /// Everyone meets everyone twice
    #[arg(long, conflicts_with = "pairings")]
    double: bool,

    /// Policy for clocks; `untimed` without it
    #[arg(long, value_name = "POLICY")]
    clock: Option<String>,

    /// Policy for remedies; `plain` without it
    #[arg(long, value_name = "POLICY")]
    policy: Option<String>,

    /// Third player, in games that have one
    #[arg(long, value_name = "NAME", conflicts_with = "nature_by_lot")]
    nature: Option<String>,

    /// Let the lot decide for Nature
    #[arg(long)]
    nature_by_lot: bool,

    /// Show the games to everyone who may read the archive, instead of to players and arbiters
    #[arg(long)]
    public: bool,

    /// Further tag of every game, such as `Site=https://example.org`; repeatable
    #[arg(long = "tag", value_name = "NAME=VALUE", value_parser = tag)]
    tags: Vec<(String, String)>,
}

#[derive(Debug, clap::Args)]
struct TableArgs {
    #[command(flatten)]
    of: Of,

    /// Tie-breaks in their order: `direct`, `sb`, `buchholz`, `buchholz-1`, `koya`, `wins`
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    tie_breaks: Vec<TieBreak>,

    /// Output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// The form of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs
    Json,
    /// For spreadsheets
    Csv,
    /// A page for paper
    Html,
}

/// The form of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ListFormat {
    /// For people
    Text,
    /// For programs: one JSON object a line
    Ndjson,
}

#[derive(Debug, clap::Args)]
struct DueArgs {
    #[command(flatten)]
    of: Of,

    /// Output: one line a game, or one JSON object a line
    #[arg(long, value_enum, default_value_t = ListFormat::Text)]
    format: ListFormat,
}

#[derive(Debug, clap::Args)]
struct ListArgs {
    #[command(flatten)]
    db: Db,

    /// Output: one line an event, or one JSON object a line
    #[arg(long, value_enum, default_value_t = ListFormat::Text)]
    format: ListFormat,
}

#[derive(Debug, clap::Args)]
struct WithdrawArgs {
    #[command(flatten)]
    of: Of,

    /// Player who withdraws; the games that are not over are lost
    player: String,

    /// Annul them, and create the same ones for this player
    #[arg(long, value_name = "NAME", conflicts_with = "annul")]
    replaced_by: Option<String>,

    /// Annul them
    #[arg(long)]
    annul: bool,
}

#[derive(Debug, clap::Args)]
struct ForfeitArgs {
    #[command(flatten)]
    of: Of,

    /// Id of the game, or its first digits
    game: String,
}

#[derive(Debug, clap::Args)]
struct RemindArgs {
    #[command(flatten)]
    of: Of,

    /// Players as CSV with the columns `name` and `email`
    #[arg(long, value_name = "FILE")]
    players: PathBuf,

    /// Address of the desk, to which the players send their plies; `ferz mailin` reads them
    #[arg(long, value_name = "ADDRESS")]
    from: Option<String>,

    /// Remind players whose time is up within so many days; in games without clocks, who have had so many
    #[arg(long, value_name = "N", default_value_t = 3)]
    days: u32,
}

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    match &args.command {
        Command::Create(args) => create(args, session),
        Command::Table(args) => table(args, session),
        Command::Due(args) => due(args, session),
        Command::List(args) => list(args, session),
        Command::Withdraw(args) => withdraw(args, session),
        Command::Forfeit(args) => forfeit(args, session),
        Command::Remind(args) => remind(args, session),
    }
}

fn tag(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((parts.0.trim().to_owned(), parts.1.trim().to_owned()))
}

/// The text of a file.
fn read(path: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    input::open(Some(path))?.reader.read_to_string(&mut text).map_err(Failure::message)?;
    Ok(text)
}

fn players(path: &Path) -> Result<Vec<Player>, Failure> {
    read_players(&read(path)?).map_err(|why| Failure::message(format!("{}: {why}", path.display())))
}

fn create(args: &CreateArgs, session: &mut Session<'_>) -> Outcome {
    let players = players(&args.players)?;
    let names: Vec<String> = players.iter().map(|player| player.name.clone()).collect();
    let pairings = match &args.pairings {
        Some(path) => read_pairings(&read(path)?, &names)
            .map_err(|why| Failure::message(format!("{}: {why}", path.display())))?,
        None => round_robin(&names, args.double),
    };
    let plan = Plan {
        event: args.of.event.clone(),
        variant: args.variant.clone(),
        clock: args.clock.clone(),
        policy: args.policy.clone(),
        nature: args.nature.clone(),
        nature_by_lot: args.nature_by_lot,
        visibility: if args.public { Visibility::Public } else { Visibility::Players },
        tags: args.tags.iter().cloned().collect(),
        pairings,
    };
    let archive = args.of.db.open()?;
    let mut lines = Vec::new();
    let mut done = |Planned { pairing: Pairing { round, white, black }, id }: Planned| {
        let id = id.map_or_else(|| "is there".to_owned(), |id| id.to_string());
        lines.push(visible(format!("round {round}: {white} - {black}: {id}").as_bytes()));
    };
    let policies = session.policies();
    let created = tournament::create(&archive, (session.registry(), &policies), &plan, None, &mut done);
    for line in lines {
        session.console.line(line)?;
    }
    created.map_err(Failure::message)?;
    without_token(&archive, &names, session)?;
    Ok(ExitStatus::Fine)
}

/// Names the players who have no token with which they could play.
fn without_token(archive: &Archive, names: &[String], session: &mut Session<'_>) -> Result<(), Failure> {
    let tokens = archive.tokens().map_err(Failure::message)?;
    let plays = |name: &&String| {
        let own = tokens.iter().filter(|token| token.holder == **name && token.revoked.is_none());
        own.flat_map(|token| &token.scopes).any(|scope| matches!(scope, Scope::Play | Scope::Director))
    };
    let strangers: Vec<&str> = names.iter().filter(|name| !plays(name)).map(String::as_str).collect();
    if strangers.is_empty() {
        return Ok(());
    }
    let names = visible(strangers.join(", ").as_bytes());
    session.console.note(&format!(
        "ferz: no token to play with is held by {names}; make each one with `ferz archive token add NAME --scope play`"
    ))
}

/// The games of the event; a failure if there are none.
fn games(of: &Of, session: &Session<'_>) -> Result<Vec<EventGame>, Failure> {
    let archive = of.db.open_existing()?;
    let policies = session.policies();
    let games = tournament::games(&archive, (session.registry(), &policies), &of.event, &|_| true);
    let games = games.map_err(Failure::message)?;
    match games.is_empty() {
        true => Err(Failure::message(format!(
            "no game has the event `{}`; `ferz archive event list` lists all events",
            visible(of.event.as_bytes())
        ))),
        false => Ok(games),
    }
}

fn table(args: &TableArgs, session: &mut Session<'_>) -> Outcome {
    let games = games(&args.of, session)?;
    let table = tournament::table(&args.of.event, &games, &args.tie_breaks);
    let text = match args.format {
        Format::Text => {
            tournament::text(&table).lines().map(|line| visible(line.as_bytes()) + "\n").collect()
        }
        Format::Json => json_line(&table)? + "\n",
        Format::Csv => tournament::csv(&table).map_err(Failure::message)?,
        Format::Html => tournament::html(&table),
    };
    session.console.text(&text)?;
    Ok(ExitStatus::Fine)
}

/// A game that waits, for programs.
#[derive(Serialize)]
struct DueLine<'d> {
    id: String,
    round: &'d str,
    white: &'d str,
    black: &'d str,
    status: &'static str,
    to_act: &'d [String],
    since: Option<String>,
    deadline: Option<String>,
    overdue: bool,
}

impl<'d> DueLine<'d> {
    fn of(due: &'d Due, now: u64) -> DueLine<'d> {
        let time = |at| Timestamp::of_milliseconds(at).to_seconds();
        DueLine {
            id: due.id.to_string(),
            round: &due.pairing.round,
            white: &due.pairing.white,
            black: &due.pairing.black,
            status: due.status.name(),
            to_act: &due.players,
            since: due.since.map(time),
            deadline: due.deadline.map(time),
            overdue: due.is_overdue(now),
        }
    }

    fn text(&self) -> String {
        let when = match (&self.deadline, &self.since) {
            (Some(deadline), _) if self.overdue => format!("OVERDUE since {deadline}"),
            (Some(deadline), _) => format!("until {deadline}"),
            (None, Some(since)) => format!("since {since}"),
            (None, None) => self.status.to_owned(),
        };
        let DueLine { id, round, white, black, to_act, .. } = self;
        visible(format!("{}: {when}  round {round}, {white} - {black}  {id}", to_act.join(", ")).as_bytes())
    }
}

/// The time of the machine.
fn now() -> DateTime<Utc> {
    SystemTime::now().into()
}

fn milliseconds(instant: DateTime<Utc>) -> u64 {
    u64::try_from(instant.timestamp_millis()).unwrap_or_default()
}

fn due(args: &DueArgs, session: &mut Session<'_>) -> Outcome {
    let games = games(&args.of, session)?;
    let now = milliseconds(now());
    for due in tournament::due(&games, now) {
        let line = DueLine::of(&due, now);
        let line = match args.format {
            ListFormat::Text => line.text(),
            ListFormat::Ndjson => json_line(&line)?,
        };
        session.console.line(line)?;
    }
    Ok(ExitStatus::Fine)
}

fn list(args: &ListArgs, session: &mut Session<'_>) -> Outcome {
    #[derive(Serialize)]
    struct Listed {
        event: String,
        games: usize,
        open: usize,
    }
    let archive = args.db.open_existing()?;
    let policies = session.policies();
    let events =
        tournament::events(&archive, (session.registry(), &policies), &|_| true).map_err(Failure::message)?;
    for (event, [games, open]) in events {
        let line = match args.format {
            ListFormat::Text => {
                let over = games - open;
                visible(format!("{event}: {}, {over} finished", counted(games, "game", "games")).as_bytes())
            }
            ListFormat::Ndjson => json_line(&Listed { event, games, open })?,
        };
        session.console.line(line)?;
    }
    Ok(ExitStatus::Fine)
}

fn withdraw(args: &WithdrawArgs, session: &mut Session<'_>) -> Outcome {
    let games = games(&args.of, session)?;
    let archive = args.of.db.open()?;
    let policies = session.policies();
    let books = (session.registry(), &*policies);
    let annul = args.annul || args.replaced_by.is_some();
    let ended = tournament::withdraw(&archive, books, &games, &args.player, annul);
    let ended = ended.map_err(Failure::message)?;
    let mut lines = Vec::new();
    for EventGame { pairing: Pairing { round, white, black }, score, played, .. } in &ended {
        let Some(played) = played else { continue };
        let result = match score {
            Score::White => "1-0",
            Score::Black => "0-1",
            _ => "annulled",
        };
        lines.push(format!("round {round}: {white} - {black}: {result}  {}", played.id));
        if let Some(other) = &args.replaced_by {
            let replacement = tournament::replace(&archive, books, played, &args.player, other);
            let (pairing, id) = replacement.map_err(Failure::message)?;
            lines.push(format!("round {round}: {} - {}: {id}", pairing.white, pairing.black));
        }
    }
    for line in lines {
        session.console.line(visible(line.as_bytes()))?;
    }
    if ended.is_empty() {
        session.console.warning(format!(
            "`{}` has no game in the event that is not over",
            visible(args.player.as_bytes())
        ))?;
    }
    if let Some(other) = &args.replaced_by {
        without_token(&archive, std::slice::from_ref(other), session)?;
    }
    Ok(ExitStatus::Fine)
}

fn forfeit(args: &ForfeitArgs, session: &mut Session<'_>) -> Outcome {
    let games = games(&args.of, session)?;
    let wanted = args.game.to_ascii_lowercase();
    let has_id = |game: &&EventGame| {
        game.played.as_ref().is_some_and(|played| played.id.to_string().starts_with(&wanted))
    };
    let found: Vec<&EventGame> = games.iter().filter(has_id).collect();
    let shown = visible(args.game.as_bytes());
    let game = match found.as_slice() {
        [game] if !wanted.is_empty() => game,
        [] => {
            return Err(Failure::message(format!(
                "no game of the event has the id `{shown}`; `due` lists them"
            )));
        }
        _ => return Err(Failure::message(format!("several games begin with `{shown}`; write more digits"))),
    };
    let archive = args.of.db.open()?;
    let policies = session.policies();
    let books = (session.registry(), &*policies);
    if !tournament::forfeit(&archive, books, game).map_err(Failure::message)? {
        return Err(Failure::message("the game is over; an arbiter changes its result by a ruling"));
    }
    let Pairing { round, white, black } = &game.pairing;
    session.console.line(visible(format!("round {round}: {white} - {black}: 0-0").as_bytes()))?;
    Ok(ExitStatus::Fine)
}

/// Letters as a mailbox, for the mailer of the host.
fn remind(args: &RemindArgs, session: &mut Session<'_>) -> Outcome {
    let players = players(&args.players)?;
    let games = games(&args.of, session)?;
    let codes = args.of.db.open_existing()?.reply_codes().map_err(Failure::message)?;
    let desk = Desk { players: &players, codes: &codes };
    let heading = Heading { from: args.from.clone() };
    let now = now();
    let ahead = milliseconds(now + TimeDelta::days(args.days.into()));
    let behind = milliseconds(now - TimeDelta::days(args.days.into()));
    let mut waiting = tournament::due(&games, milliseconds(now));
    waiting.retain(|due| match (due.deadline, due.since) {
        (Some(deadline), _) => deadline <= ahead,
        (None, since) => since.is_none_or(|since| since <= behind),
    });
    let played =
        |due: &Due| games.iter().filter_map(|game| game.played.as_deref()).find(|game| game.id == due.id);
    let mut unknown = Vec::new();
    for Player { name, .. } in &players {
        let own = waiting.iter().filter(|due| due.players.contains(name)).filter_map(played);
        let parts = own.flat_map(|game| {
            let roles = game.state.setting().terms.players.played_by(name);
            roles.map(|role| desk.part(game, role, milliseconds(now))).collect::<Vec<_>>()
        });
        let parts: Vec<String> = parts.collect();
        if parts.is_empty() {
            continue;
        }
        let count = counted(parts.len(), "game waits", "games wait");
        let subject = format!("{}: {count} for you", args.of.event);
        let body = format!("{count} for you in the event {}.\n\n{}", args.of.event, parts.join("\n\n"));
        match desk.letter(name, subject, &body) {
            Some(letter) => session.console.text(&letter.text(&heading, now))?,
            None => unknown.push(name.as_str()),
        }
    }
    if !unknown.is_empty() {
        let names = visible(unknown.join(", ").as_bytes());
        session.console.warning(format!("no address of {names}; write it in the column `email`"))?;
    }
    Ok(ExitStatus::of(!unknown.is_empty()))
}
