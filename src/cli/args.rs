//! The global arguments of the program; each command defines its own.

use super::commands::Command;
use super::output::Color;
use clap::Parser;
use std::path::PathBuf;

/// The referee's desk for chess and its variants
#[derive(Debug, Parser)]
#[command(name = "ferz", version, propagate_version = true, max_term_width = 100, after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Add games, languages (notations/) and policies (policies/) to the built-in ones: a directory of *.toml files, or
    /// one file with a game
    #[arg(long, value_name = "DIR", global = true)]
    pub(super) formats: Vec<PathBuf>,

    /// Use colours in messages
    #[arg(long, value_name = "WHEN", global = true, value_enum, default_value_t = Color::Auto)]
    pub(super) color: Color,

    /// The command
    #[command(subcommand)]
    pub(super) command: Command,
}

const EXAMPLES: &str = "\
Exit codes: 0 success, 1 findings, 2 usage or I/O error; 3 where a command says so: nothing decides.

Examples:
  ferz validate fixtures/games/ichess-sample.pgn
  ferz convert --to coord fixtures/games/ichess-sample.pgn
  ferz moves chess --moves 'e2e4 e7e5'
  ferz show iago-b
  ferz variants list";
