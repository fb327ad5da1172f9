//! `ferz tables verify`.

use super::{JobsArgs, build, material, named, narrow, read};
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::position_args::TagArgs;
use crate::cli::session::{Session, no_such_game};
use crate::cli::syzygy_folder;
use ferz::syzygy::{self, CheckedFile, FileId};
use ferz::tables::{Extent, Tables, Value};
use ferz::text::Budget;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Name of the game, mutators first: `chess`, `iago-b`, `misere+chess`
    #[arg(required_unless_present = "file")]
    variant: Option<String>,

    /// Men of White, `v`, men of Black, in the game's own letters: `KBNvK`
    #[arg(required_unless_present = "file")]
    material: Option<String>,

    /// File of tables, which names its game and men; or a Syzygy file (.rtbw, .rtbz), of which all blocks are read
    #[arg(long, value_name = "FILE", conflicts_with = "variant")]
    file: Option<PathBuf>,

    #[command(flatten)]
    tags: TagArgs,

    /// Check so many placements at random instead of all
    #[arg(long, value_name = "N")]
    sample: Option<u64>,

    #[command(flatten)]
    jobs: JobsArgs,
}

const EXAMPLES: &str = "\
The value of each position is compared with the values that its legal plies lead to.
They come from the generator that judges games, which shares no code with the making of tables.

Examples:
  ferz tables verify chess KQvK
  ferz tables verify iago-b KMvKC --sample 100000
  ferz tables verify --file kbnk.tables
  ferz tables verify --file /srv/syzygy/KRPvKR.rtbw";

/// The name of a file without its folder.
fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// Reads a whole Syzygy file.
fn whole_file(path: &Path, session: &mut Session<'_>) -> Outcome {
    let bytes = syzygy_folder::open(path).map_err(|error| named(path, error))?;
    match syzygy::check(&file_name(path), bytes) {
        Ok(CheckedFile { id: FileId { name, bytes, checksum }, values, blocks }) => {
            let line = format!(
                "{name}: {values} values in {blocks} blocks of {bytes} bytes; its checksum is {checksum}. Its values \
                 are not checked: compare the digest of the file with a published one"
            );
            session.console.line(line)?;
            Ok(ExitStatus::Fine)
        }
        Err(error) => {
            session.console.line(error)?;
            Ok(ExitStatus::Findings)
        }
    }
}

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    if let Some(path) = args.file.as_deref().filter(|path| syzygy::is_file(&file_name(path))) {
        return whole_file(path, session);
    }
    let (tables, material) = match &args.file {
        Some(path) => {
            let (header, tables) = read(path, |header| {
                let tag = |name: &str| {
                    let pairs = header.tags.iter().filter_map(|tag| tag.split_once('='));
                    pairs.into_iter().find(|(tag, _)| *tag == name).map(|(_, value)| value.to_owned())
                };
                narrow(session.registry().rules(&header.variant, &tag).map_err(no_such_game)?)
            })?;
            let material = material(tables.rules(), &header.material)?;
            (tables, material)
        }
        None => {
            let variant = args.variant.as_deref().unwrap_or_default();
            let rules = narrow(args.tags.with_lookup(None, session, |session, tags| {
                session.registry().rules(variant, tags).map_err(no_such_game)
            })?)?;
            let material = material(&rules, args.material.as_deref().unwrap_or_default())?;
            let mut tables = Tables::new(rules);
            build(&mut tables, &material, &args.jobs)?;
            (tables, material)
        }
    };
    let rules = Arc::clone(tables.rules());
    let Some(table) = tables.get(&material) else {
        return Err(Failure::message("the file lacks the table that it names; make it again"));
    };
    let extent = args.sample.map_or(Extent::All, Extent::Sample);
    let verified = args.jobs.run(|| tables.verify(table, extent, &Budget::unlimited()))?;
    let verified = verified.map_err(Failure::message)?;
    let name = format!("{} {}", rules.id.name, material.text(&rules));
    let Some(fault) = verified.fault else {
        let line = format!("{name}: {} positions agree with their plies", verified.positions);
        session.console.line(line)?;
        return Ok(ExitStatus::Fine);
    };
    session.console.line(format_args!(
        "{name}: {} is {} by the table and {} by its plies",
        fault.fen,
        words(fault.table),
        words(fault.plies)
    ))?;
    Ok(ExitStatus::Findings)
}

fn words(value: Option<Value>) -> String {
    match value {
        None => "no position".to_owned(),
        Some(Value::Draw) => "drawn".to_owned(),
        Some(Value::Win(moves)) => format!("won in {moves}"),
        Some(Value::Loss(moves)) => format!("lost in {moves}"),
    }
}
