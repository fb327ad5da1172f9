//! The arguments of the program as a whole; each command defines its own beside its code.

use super::commands::Command;
use super::output::Color;
use clap::Parser;
use std::path::PathBuf;

/// The referee's desk for chess and its variants
#[derive(Debug, Parser)]
#[command(name = "ferz", version, propagate_version = true, max_term_width = 100, after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Definitions to use besides the built-in ones: a directory of *.toml files, or one file
    #[arg(long, value_name = "DIR", global = true)]
    pub(super) formats: Vec<PathBuf>,

    /// Colours in messages
    #[arg(long, value_name = "WHEN", global = true, value_enum, default_value_t = Color::Auto)]
    pub(super) color: Color,

    /// What to do
    #[command(subcommand)]
    pub(super) command: Command,
}

const EXAMPLES: &str = "\
Exit codes: 0 all fine, 1 findings, 2 wrong arguments or trouble with files.

Examples:
  ferz validate fixtures/games/ichess-sample.pgn
  ferz convert --to coord fixtures/games/ichess-sample.pgn
  ferz moves chess --moves 'e2e4 e7e5'
  ferz show iago-b
  ferz variants list";
