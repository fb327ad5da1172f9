//! The commands, one module each.
//!
//! To add one: a module with `Args` (clap) and `run(args, session) -> Outcome`, a variant of [`Command`], and a line in
//! [`run`].

mod adjudicate;
#[cfg(feature = "archive")]
mod archive;
mod bulletin;
mod check_certificate;
mod collection;
mod compare;
mod completions;
mod convert;
mod decode;
mod dedupe;
mod docket;
mod fen;
#[cfg(feature = "client")]
mod fetch;
mod fix;
mod fix_decoded;
mod lsp;
#[cfg(feature = "archive")]
mod mailin;
mod manual;
mod match_points;
mod moves;
mod perft;
mod play;
#[cfg(feature = "archive")]
mod player;
mod select;
#[cfg(feature = "server")]
mod serve;
mod show;
#[cfg(feature = "client")]
mod submit;
mod tables;
mod validate;
mod variants;
mod verdicts;
#[cfg(feature = "archive")]
mod verify;
#[cfg(all(feature = "archive", feature = "client"))]
mod witness;

use super::args::Arguments;
use super::output::{Console, Outcome};
use super::session::Session;

/// The commands.
#[derive(Debug, clap::Subcommand)]
#[allow(clippy::large_enum_variant)] // parsed once
pub(super) enum Command {
    /// Validate records: every ply by the rules of its game, the end, and the result
    Validate(validate::Args),
    /// Convert records to another style of notation
    Convert(convert::Args),
    /// Repair records and list every change
    Fix(fix::Args),
    /// Read damaged records by the rules: score sheets, scans, mails with slips
    Decode(decode::Args),
    /// Show where two records of a game diverge, and what is legal there
    Compare(compare::Args),
    /// Find games by what happened in them: positions, material, plies, tags, endings, claims
    Select(select::Args),
    /// Find records of one game among many, and drop them
    Dedupe(dedupe::Args),
    /// Put records in order by their tags
    Sort(collection::sort::Args),
    /// Divide records into files by tag, game or number
    Split(collection::split::Args),
    /// Join collections, without doubles
    Merge(collection::merge::Args),
    /// Write the first records
    Head(collection::head::Args),
    /// Write records drawn at random
    Sample(collection::sample::Args),
    /// Count what a collection holds: results, lengths, players, events
    Stats(collection::stats::Args),
    /// List the players of a collection, and unite spellings of their names
    Names(collection::names::Args),
    /// Take comments, clocks, variations, annotations or tags out of records
    Strip(collection::strip::Args),
    /// Write a part of each game as a record of its own
    Cut(collection::cut::Args),
    /// Write each board of a game on two, as in Bughouse, as a record of its own
    Boards(collection::boards::Args),
    /// Add numbers of plies, keys or positions to records
    Add(collection::add::Args),
    /// Print the crosstable of records, with tie-breaks
    Table(collection::table::Args),
    /// Judge a claim about a game, and show the evidence
    Adjudicate(adjudicate::Args),
    /// Check the evidence of a verdict
    CheckCertificate(check_certificate::Args),
    /// Sum the match points of IAGO, with each step
    Match(match_points::Args),
    /// List the legal plies of all players who may act now
    Moves(moves::Args),
    /// Count the sequences of legal plies
    Perft(perft::Args),
    /// Print the position after the moves as extended FEN
    Fen(fen::Args),
    /// Play a game at the terminal, or at a service
    Play(play::Args),
    /// Draw the position after the moves, with stocks, rights and clocks
    Show(show::Args),
    /// Print many games with diagrams as one HTML page for paper
    Bulletin(bulletin::Args),
    /// Help an editor with records and definitions (Language Server Protocol)
    Lsp(lsp::Args),
    /// Make endgame tables of any game: count, look up, check
    Tables(tables::Args),
    /// List, show, check and classify the definitions of games
    Variants(variants::Args),
    /// Archive games in a file: import, list, search, export, verify
    #[cfg(feature = "archive")]
    Archive(archive::Args),
    /// Check receipts and signed heads of an archive's log, without the archive
    #[cfg(feature = "archive")]
    Verify(verify::Args),
    /// Keys, signatures and commitments of players of correspondence games
    #[cfg(feature = "archive")]
    Player(player::Args),
    /// Read a player's mail into a ply of a correspondence game, and write the answers
    #[cfg(feature = "archive")]
    Mailin(mailin::Args),
    /// Cosign the log of another archive, so that its times are proved
    #[cfg(all(feature = "archive", feature = "client"))]
    Witness(witness::Args),
    /// Submit records to a service's archive
    #[cfg(feature = "client")]
    Submit(submit::Args),
    /// Fetch games from a service's archive
    #[cfg(feature = "client")]
    Fetch(fetch::Args),
    /// Serve validation, conversion and the archive over HTTP
    #[cfg(feature = "server")]
    Serve(serve::Args),
    /// Generate completions for a shell
    Completions(completions::Args),
    /// Generate the manual page, as roff
    Manual(manual::Args),
}

/// Runs a command.
pub(super) fn run(arguments: Arguments, console: &mut Console) -> Outcome {
    let session = &mut Session::new(&arguments.formats, console)?;
    match arguments.command {
        Command::Validate(args) => validate::run(&args, session),
        Command::Convert(args) => convert::run(&args, session),
        Command::Fix(args) => fix::run(&args, session),
        Command::Decode(args) => decode::run(&args, session),
        Command::Compare(args) => compare::run(&args, session),
        Command::Select(args) => select::run(&args, session),
        Command::Dedupe(args) => dedupe::run(&args, session),
        Command::Sort(args) => collection::sort::run(&args, session),
        Command::Split(args) => collection::split::run(&args, session),
        Command::Merge(args) => collection::merge::run(&args, session),
        Command::Head(args) => collection::head::run(&args, session),
        Command::Sample(args) => collection::sample::run(&args, session),
        Command::Stats(args) => collection::stats::run(&args, session),
        Command::Names(args) => collection::names::run(&args, session),
        Command::Strip(args) => collection::strip::run(&args, session),
        Command::Cut(args) => collection::cut::run(&args, session),
        Command::Boards(args) => collection::boards::run(&args, session),
        Command::Add(args) => collection::add::run(&args, session),
        Command::Table(args) => collection::table::run(&args, session),
        Command::Adjudicate(args) => adjudicate::run(&args, session),
        Command::CheckCertificate(args) => check_certificate::run(&args, session),
        Command::Match(args) => match_points::run(&args, session),
        Command::Moves(args) => moves::run(&args, session),
        Command::Perft(args) => perft::run(&args, session),
        Command::Fen(args) => fen::run(&args, session),
        Command::Play(args) => play::run(&args, session),
        Command::Show(args) => show::run(&args, session),
        Command::Bulletin(args) => bulletin::run(&args, session),
        Command::Lsp(args) => lsp::run(&args, session),
        Command::Tables(args) => tables::run(&args, session),
        Command::Variants(args) => variants::run(&args, session),
        #[cfg(feature = "archive")]
        Command::Archive(args) => archive::run(&args, session),
        #[cfg(feature = "archive")]
        Command::Verify(args) => verify::run(&args, session),
        #[cfg(feature = "archive")]
        Command::Player(args) => player::run(&args, session),
        #[cfg(feature = "archive")]
        Command::Mailin(args) => mailin::run(&args, session),
        #[cfg(all(feature = "archive", feature = "client"))]
        Command::Witness(args) => witness::run(&args, session),
        #[cfg(feature = "client")]
        Command::Submit(args) => submit::run(&args, session),
        #[cfg(feature = "client")]
        Command::Fetch(args) => fetch::run(&args, session),
        #[cfg(feature = "server")]
        Command::Serve(args) => serve::run(&args, session),
        Command::Completions(args) => completions::run(&args, session),
        Command::Manual(args) => manual::run(&args, session),
    }
}
