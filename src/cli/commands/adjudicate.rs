//! `ferz adjudicate`: judges a claim about a game.

use super::docket::docket;
use super::verdicts::verdicts;
use crate::cli::carets;
use crate::cli::engine::Engine;
use crate::cli::input;
use crate::cli::loaded::Loaded;
use crate::cli::output::{Console, ExitStatus, Failure, Outcome};
use crate::cli::ply_arg::PlyArg;
use crate::cli::position_args::TagArgs;
use crate::cli::records::{LanguageArg, ReadArgs};
use crate::cli::session::{Session, hint_below, no_such_game};
use crate::cli::syzygy_folder::syzygy;
use crate::stories::TwoRecords;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ferz::adjudicate::{
    Claim, ClaimError, ClaimKind, Decision, Drawn, Fifty, Premise, Terms, Verdict, adjudicate, drawing, page,
    paper, stories_page, stories_paper, two_stories,
};
use ferz::board::Owner;
use ferz::clock::{Policies, Policy};
use ferz::record::{Record, position_record};
use ferz::replay::{Options, Replayer, Source, trace, with_trace};
use ferz::rules::Registry;
use ferz::text::limits::{CERTIFICATE_BYTES_MAX, SEARCH_NODES};
use ferz::text::{Budget, Timestamp};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    /// Record, in PGN or JSON; `-` or none for standard input. With --db the id of a game, or the first digits of it
    file: Option<PathBuf>,

    /// Archive that has the game; it is judged by the rules and options that it was archived with
    #[cfg(feature = "archive")]
    #[arg(long, value_name = "FILE", requires = "file", conflicts_with_all = ["fen", "against", "variant", "style",
        "language", "let_stand", "game"])]
    db: Option<PathBuf>,

    /// Record of the same game by the other side: where the stories part, and which one a verdict can stand on
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    against: Option<PathBuf>,

    /// Number of the game in the file of --against, from 1
    #[arg(long, value_name = "N", default_value_t = 1, requires = "against",
        value_parser = clap::value_parser!(u32).range(1..))]
    against_game: u32,

    /// What each unfinished game of these files is worth, or needs: a docket, in place of one claim
    #[arg(long, value_name = "FILE", num_args = 0.., conflicts_with_all = ["fen", "against", "claim", "certificate",
        "plans"])]
    unfinished: Option<Vec<PathBuf>>,

    /// Judge the claim about every game of the file, or every position of a list: a line each. Without --by, a claim
    /// that needs a player is one of the player on move
    #[arg(long, conflicts_with_all = ["fen", "against", "unfinished", "certificate", "plans", "engine", "game"])]
    each: bool,

    /// Number of the game in the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    game: u32,

    /// Position to judge, as (extended) FEN, instead of a record; --variant names its game
    #[arg(long, value_name = "FEN", conflicts_with = "file")]
    fen: Option<String>,

    #[command(flatten)]
    tags: TagArgs,

    #[command(flatten)]
    claim: ClaimArgs,

    /// Analysis by the claimant: a record with variations, of the game, or from the position of the claim. It is tried
    /// against every defence, and what it leaves open is listed. May be repeated
    #[arg(long = "plan", value_name = "FILE", conflicts_with = "against")]
    plans: Vec<PathBuf>,

    /// Folder of Syzygy endgame tables (.rtbw, .rtbz): their values are trusted, and named in the certificate
    #[arg(long, value_name = "DIR", conflicts_with = "against")]
    syzygy: Option<PathBuf>,

    /// Engine that speaks UCI, with its arguments: its opinion is shown where nothing decides the claim of a forced
    /// result, and orders the holes of an analysis. It never decides
    #[arg(long, value_name = "CMD", conflicts_with_all = ["against", "unfinished"])]
    engine: Option<String>,

    /// Seconds for the engine, for all positions together
    #[arg(long, value_name = "N", default_value_t = 5, requires = "engine",
        value_parser = clap::value_parser!(u64).range(1..))]
    engine_seconds: u64,

    /// Policy of the event, for clocks, remedies and penalties: a file, or a name such as fide-rapid [default: plain]
    #[arg(long, value_name = "FILE|NAME")]
    policy: Option<String>,

    /// Whether the rules of fifty and seventy-five moves hold
    #[arg(long, value_enum, value_name = "SCOPE", default_value_t = Fifty::Applied)]
    fifty: Fifty,

    /// Positions that a search may visit
    #[arg(long, value_name = "N", default_value_t = SEARCH_NODES)]
    nodes: u64,

    /// Seconds after which the work ends
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,

    /// Output: text, a page, or one JSON object; of a docket also a table
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Write the evidence for others to check: `ferz check-certificate`
    #[arg(long, value_name = "FILE", conflicts_with = "against")]
    certificate: Option<PathBuf>,

    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    letters: LanguageArg,
}

/// The claim.
#[derive(Debug, clap::Args)]
struct ClaimArgs {
    /// What is claimed
    #[arg(long, value_name = "KIND", value_parser = kinds(), hide_possible_values = true,
        required_unless_present_any = ["against", "unfinished"])]
    claim: Option<ClaimKind>,

    /// Who claims it
    #[arg(long, value_name = "PLAYER", value_parser = players())]
    by: Option<Owner>,

    /// Number of plies before the position [default: all]; for illegal_ply, the number of the ply. A move and a player
    /// name the ply too: `8 white`
    #[arg(long, value_name = "N")]
    ply: Option<PlyArg>,

    /// Ply that the claimant intends to make, in any notation
    #[arg(long, value_name = "PLY")]
    intended: Option<String>,

    /// Number of the claimant's moves, for forced_mate
    #[arg(long, value_name = "MOVES")]
    within: Option<u32>,

    /// Instant by which the opponent had made no move, for time_win, silence and default: 2026-11-24T10:00:00Z
    #[arg(long, value_name = "INSTANT")]
    at: Option<Timestamp>,

    /// Fact that the record does not show and an arbiter confirms; may be repeated
    #[arg(long = "premise", value_name = "WORD", value_parser = premises())]
    premises: Vec<Premise>,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// Text with the position
    Text,
    /// A page to print, with diagram and places for signatures
    Html,
    /// For programs; of a docket one object a line
    Json,
    /// A docket for spreadsheets
    Csv,
}

const EXAMPLES: &str = "\
Kinds of claims:
  draws on claim   threefold_repetition fifty_moves quiet_moves (on the board, or by an
                   --intended ply)
  ends             fivefold_repetition fourfold_repetition perpetual_check seventyfive_moves checkmate stalemate
                   dead_position bare_king kings_square natures_mate declaration
  the record       illegal_ply wrong_setup wrong_result
  off the board    agreement resignation time_win silence default
  proofs           cannot_win forced_mate forced_win forced_draw

Exit codes: 0 upheld, 1 rejected, 2 usage or I/O error, 3 undetermined or ambiguous. With --unfinished: 0 if the board \
or a proof decides every game, 3 if some need a claim or a person.

Examples:
  ferz adjudicate game.pgn --claim threefold_repetition --intended Ng8
  ferz adjudicate game.pgn --claim illegal_ply --ply '6 black' --policy fide-rapid
  ferz adjudicate game.pgn --claim fifty_moves --ply 154 --certificate claim.json
  ferz adjudicate game.pgn --claim time_win --by white --format json
  ferz adjudicate game.pgn --claim time_win --by black --at 2026-11-24T10:00:00Z
  ferz adjudicate game.pgn --claim time_win --by black --premise overstepped
  ferz adjudicate game.pgn --claim forced_win --by white --plan analysis.pgn
  ferz adjudicate game.pgn --claim forced_draw --by black --syzygy /srv/syzygy --fifty suspended
  ferz adjudicate game.pgn --claim forced_win --by white --engine 'stockfish' --engine-seconds 30
  ferz adjudicate --unfinished event/*.pgn --format csv > docket.csv
  ferz adjudicate problems.epd --each --claim forced_mate --within 3 --variant shogi
  ferz adjudicate white.pgn --against black.pgn
  ferz adjudicate --db club.ferz 3f9a --claim dead_position
  ferz adjudicate --variant chess --fen '8/8/8/8/8/2k5/8/K7 w - - 0 1' --claim dead_position";

fn kinds() -> impl TypedValueParser<Value = ClaimKind> {
    PossibleValuesParser::new(ClaimKind::ALL.iter().map(|kind| kind.id())).try_map(|name| {
        ClaimKind::ALL.iter().copied().find(|kind| kind.id() == name).ok_or("no kind of claim")
    })
}

fn players() -> impl TypedValueParser<Value = Owner> {
    let small = |owner: Owner| owner.name().to_ascii_lowercase();
    PossibleValuesParser::new(["white", "black", "nature"])
        .try_map(move |name| Owner::ALL.into_iter().find(|owner| small(*owner) == name).ok_or("no player"))
}

fn premises() -> impl TypedValueParser<Value = Premise> {
    PossibleValuesParser::new(Premise::STATED.iter().map(|premise| premise.id()))
        .try_map(|id| Premise::stated(&id).ok_or("no premise"))
}

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    if let Some(files) = &args.unfinished {
        let files: Vec<PathBuf> = args.file.iter().chain(files).cloned().collect();
        let terms = args.terms(&session.policies(), session.console)?;
        return docket(&files, (args.format, &terms), (&args.read, &args.letters), session);
    }
    if args.each {
        let claim = args.claim.claim(args.claim.number_of_plies()?);
        let claim = claim.ok_or_else(|| Failure::message("a claim is missing; add --claim KIND"))?;
        let terms = args.terms(&session.policies(), session.console)?;
        let files: Vec<PathBuf> = args.file.iter().cloned().collect();
        let how = (args.format, &terms, args.seconds);
        return verdicts(&files, &claim, how, (&args.read, &args.letters), session);
    }
    if args.format == Format::Csv {
        return Err(Failure::message(
            "--format csv is of a docket; add --unfinished, or choose text, html or json",
        ));
    }
    #[cfg(feature = "archive")]
    if let Some(db) = &args.db {
        return in_archive(args, db, session);
    }
    let loaded = match &args.fen {
        Some(fen) => Loaded::of_text("--fen", args.record_of(fen, session)?),
        None => Loaded::open(args.file.as_deref().unwrap_or("-".as_ref()))?,
    };
    let options = args.read.options(session, &args.letters.language, false)?;
    let policies = session.policies();
    let (console, registry) = session.parts();
    judge(args, &loaded, (registry, options), &policies, console)
}

/// Judges a game of an archive by the rules and options that it was archived with.
#[cfg(feature = "archive")]
fn in_archive(args: &Args, db: &Path, session: &mut Session<'_>) -> Outcome {
    use ferz::archive::{Archive, ArchiveError};
    let archive = Archive::open_existing(db).map_err(Failure::message)?;
    let digits = args.file.as_deref().unwrap_or("".as_ref()).display().to_string();
    let id = archive.resolve(&digits).map_err(Failure::message)?;
    let entry = archive.get(id).map_err(Failure::message)?;
    let none = || Failure::message(ArchiveError::NoGame(id));
    let (Some(entry), Some(text)) = (entry, archive.original(id).map_err(Failure::message)?) else {
        return Err(none());
    };
    let policies = session.policies();
    let (console, registry) = session.parts();
    let book = archive.rulebook(&entry, &text, registry).map_err(Failure::message)?;
    let loaded = Loaded::of_bytes(&id.to_string(), text);
    judge(args, &loaded, (&book, entry.options()), &policies, console)
}

/// Judges the claim about a record, by games of a registry.
fn judge(
    args: &Args,
    loaded: &Loaded,
    (registry, options): (&Registry, Options),
    policies: &Policies,
    console: &mut Console,
) -> Outcome {
    let (record, source) = loaded.record(args.game as usize, "--game")?;
    let mut replayer = Replayer::new(registry, options);
    let ply = args.claim.ply.map(|ply| plies_of(ply, &mut replayer, &record, &source)).transpose()?;
    let claim = args.claim.claim(ply);
    let terms = args.terms(policies, console)?;
    let (deadline, limit) = (terms.budget.clone(), Duration::from_secs(args.seconds));
    // The thread ends with the process.
    std::thread::spawn(move || {
        std::thread::sleep(limit);
        deadline.cancel();
    });
    if let Some(path) = &args.against {
        let other = Loaded::open(path)?;
        return stories(args, console, &mut replayer, [loaded, &other], claim.as_ref(), &terms);
    }
    let claim = claim.ok_or_else(|| Failure::message("a claim is missing; add --claim KIND"))?;
    let mut engine = match (&args.engine, replayer.game(&record)) {
        // Before the search, which may take long.
        (Some(command), Ok(game)) if claim.kind.is_forced() => Some(Engine::start(command, &game.id().name)?),
        _ => None,
    };
    let started = Instant::now();
    let verdict = adjudicate(&mut replayer, (&record, &source), &claim, &terms);
    let mut verdict = verdict.map_err(|error| {
        let hint = match &error {
            ClaimError::NotReplayed(report) => hint_below(report, registry),
            ClaimError::Claim(_) | ClaimError::Exhausted(_) => String::new(),
        };
        Failure::message(format!("{} game {}: {error}{hint}", loaded.name, args.game))
    })?;
    verdict.spent.milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    if let Some(engine) = &mut engine {
        let seconds = Duration::from_secs(args.engine_seconds);
        verdict.consult(&mut |fen, positions| engine.opinion(fen, seconds / positions as u32))?;
    }
    match args.format {
        Format::Json | Format::Csv => console.json(&verdict)?,
        Format::Text => {
            let drawn = drawing(&mut replayer, &record, &verdict.fen, Drawn::Text);
            console.text(&paper(&verdict, &drawn))?;
            if let Some(premise) = verdict.lacks {
                console.line(format!("\nTo decide on that premise\n  {}", command_with(premise)))?;
            }
        }
        Format::Html => {
            let drawn = drawing(&mut replayer, &record, &verdict.fen, Drawn::Svg);
            console.text(&page(&verdict, &record, &drawn))?;
        }
    }
    if let Some(path) = &args.certificate {
        write_certificate(console, path, &verdict)?;
    }
    Ok(exit_status(verdict.verdict))
}

/// The number of plies up to a ply, which a move and a player may name.
fn plies_of(
    ply: PlyArg,
    replayer: &mut Replayer<'_>,
    record: &Record<'_>,
    source: &Source<'_>,
) -> Result<usize, Failure> {
    if let PlyArg::Number(number) = ply {
        return Ok(number);
    }
    let traced = trace(replayer, record, source, 0).map_err(|_| {
        Failure::message("--ply names a move, and the game cannot be replayed; write a number")
    })?;
    with_trace!(&traced, |trace| ply.plies(trace)).map_err(|why| Failure::message(format!("--ply: {why}")))
}

/// The command as it was given, with a premise.
fn command_with(premise: Premise) -> String {
    let quoted = |word: String| {
        let plain = word.chars().all(|char| char.is_ascii_alphanumeric() || "-_./=:@+,".contains(char));
        if plain && !word.is_empty() { word } else { format!("'{}'", word.replace('\'', "'\\''")) }
    };
    let words = std::env::args().skip(1).map(quoted).collect::<Vec<_>>().join(" ");
    format!("ferz {words} --premise {premise}")
}

/// Compares the records of two files as stories of one game.
fn stories(
    args: &Args,
    console: &mut Console,
    replayer: &mut Replayer<'_>,
    [loaded, other]: [&Loaded; 2],
    claim: Option<&Claim>,
    terms: &Terms,
) -> Outcome {
    let (a, a_source) = loaded.record(args.game as usize, "--game")?;
    let (b, b_source) = other.record(args.against_game as usize, "--against-game")?;
    let found = two_stories(replayer, (&a, &a_source), (&b, &b_source), claim, terms);
    let found =
        found.map_err(|error| Failure::message(format!("{} and {}: {error}", loaded.name, other.name)))?;
    let found = TwoRecords::new(found, replayer, [&a, &b], &Budget::unlimited());
    match args.format {
        Format::Json | Format::Csv => console.json(&found)?,
        Format::Text => {
            console.text(&stories_paper(&found.stories))?;
            if let Some(together) = &found.together {
                console.text(&format!("\n{}\n", together.lines().join("\n")))?;
            }
        }
        Format::Html => {
            let drawn = drawing(replayer, &a, &found.stories.fen, Drawn::Svg);
            console.text(&stories_page(&found.stories, &drawn))?
        }
    }
    Ok(exit_status(found.stories.verdict))
}

fn exit_status(verdict: Decision) -> ExitStatus {
    match verdict {
        Decision::Upheld => ExitStatus::Fine,
        Decision::Rejected => ExitStatus::Findings,
        Decision::Undetermined | Decision::Ambiguous => ExitStatus::Open,
    }
}

/// The policy in a file, or the known one of this name.
fn policy(name: &str, policies: &Policies, console: &Console) -> Result<Arc<Policy>, Failure> {
    let is_path = name.ends_with(".toml") || name.contains(['/', '\\']);
    if !is_path {
        let unknown =
            |message| Failure::message(format!("--policy: {message}; or write the path of a *.toml file"));
        return policies.named(name).map_err(unknown);
    }
    let text = input::read_text(Path::new(name))?;
    let read = Policy::read(&text).map(Arc::new);
    read.map_err(|fault| {
        Failure::Drawn(carets::draw(&fault, &carets::Source::whole(name, &text), console.has_color()))
    })
}

/// Writes the certificate of a verdict that has one.
fn write_certificate(console: &mut Console, path: &Path, verdict: &Verdict) -> Result<(), Failure> {
    let name = path.display();
    let Some(certificate) = &verdict.certificate else {
        return console.warning(format!("{name} is not written: no kind of certificate covers this verdict"));
    };
    let mut text = serde_json::to_string_pretty(certificate).map_err(Failure::message)?;
    text.push('\n');
    if text.len() as u64 > CERTIFICATE_BYTES_MAX {
        return console.warning(format!(
            "{name} is not written: it would have more than {CERTIFICATE_BYTES_MAX} bytes"
        ));
    }
    std::fs::write(path, text)
        .map_err(|error| Failure::message(format!("{name}: cannot be written: {error}; choose another file")))
}

impl ClaimArgs {
    /// The ply as a number, which is the same in every game.
    fn number_of_plies(&self) -> Result<Option<usize>, Failure> {
        match self.ply {
            None => Ok(None),
            Some(PlyArg::Number(number)) => Ok(Some(number)),
            Some(_) => Err(Failure::message("--each takes a number of plies; write --ply N")),
        }
    }

    /// The claim, if there is one.
    fn claim(&self, ply: Option<usize>) -> Option<Claim> {
        let ClaimArgs { claim, by, ply: _, intended, within, at, premises } = self;
        claim.map(|kind| Claim {
            kind,
            by: *by,
            ply,
            intended: intended.clone(),
            within: *within,
            at: *at,
            premises: premises.clone(),
        })
    }
}

impl Args {
    /// What verdicts are by, and the analyses that are submitted.
    fn terms(&self, policies: &Policies, console: &Console) -> Result<Terms, Failure> {
        let mut terms = Terms { fifty: self.fifty, ..Terms::of(self.nodes) };
        if let Some(name) = &self.policy {
            terms.policy = policy(name, policies, console)?;
        }
        for path in &self.plans {
            terms.plans.push(Loaded::open(path)?.as_pgn()?.into());
        }
        terms.files = syzygy(self.syzygy.as_deref())?.map(Arc::new);
        Ok(terms)
    }

    /// A position as a record without plies.
    fn record_of(&self, fen: &str, session: &mut Session<'_>) -> Result<String, Failure> {
        let Some(variant) = self.read.variant() else {
            return Err(Failure::message(
                "--fen needs the game of the position; add --variant, such as --variant chess",
            ));
        };
        self.tags.with_lookup(Some(fen), session, |session, tags| {
            session.registry().rules(variant, tags).map_err(no_such_game)?;
            Ok(position_record(variant, self.tags.pairs(), Some(fen), ""))
        })
    }
}
