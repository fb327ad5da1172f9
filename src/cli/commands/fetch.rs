//! `ferz fetch`: fetches games from a service's archive.

use crate::cli::filter_args::FilterArgs;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::service_args::ServiceArgs;
use crate::cli::session::Session;
use crate::client::{Client, ClientError, Form};
use ferz::replay::summary::counted;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    service: ServiceArgs,

    /// Ids of games, as printed by `ferz submit`
    ids: Vec<String>,

    /// Output: records, or all data of the archive as one JSON object a game
    #[arg(long, value_enum, default_value_t = Format::Pgn)]
    format: Format,

    /// Fetch the submitted bytes instead of the record in export format
    #[arg(long, conflicts_with = "format")]
    original: bool,

    /// Fetch all games of the archive
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    filter: FilterArgs,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Records
    Pgn,
    /// One JSON object a line
    Json,
}

const EXAMPLES: &str = "\
Filters such as --player work as for `ferz archive search`.

Examples:
  ferz fetch --server http://localhost:8080 0cee1d7c2b1f4f0e5a8b9c6d7e8f9a0b
  ferz fetch --server http://localhost:8080 --original 0cee1d7c2b1f4f0e5a8b9c6d7e8f9a0b > game.pgn
  ferz fetch --server http://localhost:8080 --player Anand --valid yes > anand.pgn
  ferz fetch --server http://localhost:8080 --all > everything.pgn";

/// How to select games.
const HOW: &str = "write ids as printed by `ferz submit`, filters such as --player, or --all";

/// Rewords a problem of the service: names options of this program instead of parameters.
fn in_own_words(error: ClientError) -> ClientError {
    let ClientError::Refused { server, mut problem } = error else { return error };
    match problem.name() {
        "game-not-found" => problem.remedy = HOW.to_owned(),
        // For filters the service's own message lists what is possible.
        "bad-option" => problem.remedy = String::new(),
        _ => {}
    }
    ClientError::Refused { server, problem }
}

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let form = match (args.original, args.format) {
        (true, _) => Form::Original,
        (false, Format::Pgn) => Form::Canonical,
        (false, Format::Json) => Form::Json,
    };
    let filters = args.filter.parameters();
    let by_filter = args.all || !filters.is_empty();
    if by_filter != args.ids.is_empty() {
        let why = if by_filter { "ids and filters exclude each other" } else { "no game is named" };
        return Err(Failure::message(format!("{why}; {HOW}")));
    }
    let client = args.service.client(session)?;
    let mut games = Games { client: &client, form, session, tail: None, count: 0 };
    if by_filter {
        return all(&mut games, &filters);
    }
    let mut failed = 0;
    for id in &args.ids {
        if let Err(error) = games.one(id)? {
            games.session.console.note(&format!("ferz: error: game {id}: {}", in_own_words(error)))?;
            failed += 1;
        }
    }
    if failed > 0 {
        let games = counted(failed, "game", "games");
        return Err(Failure::message(format!("{games} could not be fetched; see above")));
    }
    Ok(ExitStatus::Fine)
}

fn all(games: &mut Games<'_, '_>, filters: &[(&str, &str)]) -> Outcome {
    let mut cursor: Option<String> = None;
    loop {
        let page = games.client.list(filters, cursor.as_deref());
        let page = page.map_err(|error| Failure::message(in_own_words(error)))?;
        for item in &page.items {
            games.one(&item.id)?.map_err(Failure::message)?;
        }
        // A page that leads to itself would never end.
        if page.next_cursor.is_none() || page.next_cursor == cursor {
            break;
        }
        cursor = page.next_cursor;
    }
    let count = counted(games.count, "game", "games");
    games.session.console.note(&count)?;
    Ok(ExitStatus::Fine)
}

/// Writes consecutive games, each from the start of a line, records separated by a blank line.
struct Games<'a, 'b> {
    client: &'a Client,
    form: Form,
    session: &'a mut Session<'b>,
    /// How the last game ended.
    tail: Option<[bool; 2]>,
    count: usize,
}

impl Games<'_, '_> {
    /// Fetches a game and writes it: the inner error is the service's, the outer one that of writing.
    fn one(&mut self, id: &str) -> Result<Result<(), ClientError>, Failure> {
        let bytes = match self.client.game(id, self.form) {
            Ok(bytes) => bytes,
            Err(error) => return Ok(Err(error)),
        };
        let [line_ends, blank_line] = self.tail.unwrap_or([true, true]);
        if !line_ends {
            self.session.console.bytes(b"\n")?;
        }
        if self.form == Form::Canonical && !blank_line {
            self.session.console.bytes(b"\n")?;
        }
        self.session.console.bytes(&bytes)?;
        let mut line_ends = bytes.ends_with(b"\n");
        if self.form == Form::Json && !line_ends {
            self.session.console.bytes(b"\n")?;
            line_ends = true;
        }
        self.tail = Some([line_ends, bytes.ends_with(b"\n\n")]);
        self.count += 1;
        Ok(Ok(()))
    }
}
