//! `ferz lsp`: findings, boards and fixes in an editor.

use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::records::{LanguageArg, ReadArgs};
use crate::cli::session::Session;
use crate::lsp;
use ferz::Desk;
use std::sync::Arc;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    letters: LanguageArg,

    /// Show deviations from the form of the notation as errors
    #[arg(long)]
    strict: bool,
}

const EXAMPLES: &str = "\
Speaks the Language Server Protocol over standard input and output; an editor starts it. In records: findings while \
one types, the board at a ply, legal plies as completions, fixes, other styles, outline and folds. In definitions of \
games (*.toml): mistakes. formats/guide/editors.md shows how to set up VS Code, Neovim and Emacs.

Examples:
  ferz lsp
  ferz lsp --formats my-games --language de";

/// Runs the command.
pub(in crate::cli) fn run(args: &Args, session: &Session<'_>) -> Outcome {
    let options = args.read.options(session, &args.letters.language, args.strict)?;
    let desk = match session.has_own_games() {
        true => Desk::with_games(Arc::new(session.registry().clone()), options),
        false => Desk::new(options),
    };
    lsp::run(desk).map_err(Failure::message)?;
    Ok(ExitStatus::Fine)
}
