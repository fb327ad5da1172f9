//! `ferz player`: what a player of correspondence games needs besides a program that sends requests.

use crate::cli::key_file::public_key;
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::Session;
use ferz::archive::{
    CorrespondenceId, SignedPly, SigningKey, VerifierKey, from_hex, read_key, secret_number,
};
use ferz::rules::digest_of_file;
use std::path::PathBuf;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Print the public key of a player; make the key first if --name is given
    Key(Key),
    /// Print the signature of a ply
    Sign(Sign),
    /// Print a secret that cannot be guessed, and the commitment to it
    Commit(Commit),
}

#[derive(Debug, clap::Args)]
struct Key {
    /// File of the key, which only its owner can read
    file: PathBuf,

    /// Name of the player for a new key, without blanks
    #[arg(long)]
    name: Option<String>,
}

#[derive(Debug, clap::Args)]
struct Sign {
    /// Id of the game
    game: CorrespondenceId,

    /// Head of the game, as the service shows it
    head: String,

    /// Number of the next event, as the service shows it as `sequence`
    sequence: u64,

    /// The ply in coordinate notation: e2e4
    ply: String,

    /// File of the player's key, which `ferz player key` makes
    #[arg(long, value_name = "FILE")]
    signer: PathBuf,
}

#[derive(Debug, clap::Args)]
struct Commit {
    /// What to keep secret: an army as in the tag WhiteArmy, the ply to seal, or nothing for a number alone
    #[arg(default_value = "")]
    secret: String,
}

const EXAMPLES: &str = "\
A player who has registered a key signs each ply, so that not even the service can make one in the player's name. A \
commitment fixes a secret without showing it: send the second line as `hash`, keep the first one, and send it as \
`value` when it is to be revealed. formats/CORRESPONDENCE.md describes both.

Exit codes: 0 done, 2 usage or I/O error.

Examples:
  ferz player key ann.key --name Ann > ann.vkey
  ferz player sign 1f3a90c2b4d5e6f708192a3b4c5d6e7f $HEAD 7 e2e4 --signer ann.key
  ferz player commit 'RF ND BfbN QffNsbN'
  ferz player commit 'Nf3'";

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    match &args.command {
        Command::Key(args) => key(args, session),
        Command::Sign(args) => sign(args, session),
        Command::Commit(args) => commit(args, session),
    }
}

fn key(args: &Key, session: &mut Session<'_>) -> Outcome {
    let key: VerifierKey = public_key(&args.file, args.name.as_deref())?;
    session.console.line(key)?;
    Ok(ExitStatus::Fine)
}

fn sign(args: &Sign, session: &mut Session<'_>) -> Outcome {
    let Sign { game, head, sequence, ply, signer } = args;
    let key: SigningKey = read_key(signer).map_err(Failure::message)?;
    let wrong = || Failure::message(format!("`{head}` is no head of a game; it has 64 hexadecimal digits"));
    let head = from_hex(head.trim_matches('"')).ok_or_else(wrong)?;
    let signed = SignedPly { id: *game, head, sequence: *sequence, coord: ply };
    session.console.line(key.sign_text(&signed.to_string()))?;
    Ok(ExitStatus::Fine)
}

fn commit(args: &Commit, session: &mut Session<'_>) -> Outcome {
    let number = secret_number().map_err(Failure::message)?;
    let value = format!("{} {number}", args.secret.trim());
    let value = value.trim();
    session.console.line(value)?;
    session.console.line(digest_of_file(value))?;
    Ok(ExitStatus::Fine)
}
