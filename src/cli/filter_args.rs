//! Filters for games of an archive: the same for a file and a service.

#[cfg(feature = "archive")]
use super::session::Session;
#[cfg(feature = "archive")]
use ferz::archive::Filter;

/// Filters for games. Names match by the beginnings of their words, ignoring case and accents.
#[derive(Debug, clap::Args)]
pub(super) struct FilterArgs {
    /// Game, such as chess or chaos+ichess
    #[arg(long)]
    variant: Option<String>,

    /// Player: White, Black, or the third player
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    /// White
    #[arg(long, value_name = "NAME")]
    white: Option<String>,

    /// Black
    #[arg(long, value_name = "NAME")]
    black: Option<String>,

    /// Event
    #[arg(long, value_name = "NAME")]
    event: Option<String>,

    /// Site
    #[arg(long, value_name = "NAME")]
    site: Option<String>,

    /// First day, month or year: 1984.05.17, 1984.05, 1984
    #[arg(long, value_name = "DATE")]
    since: Option<String>,

    /// Last day, month or year
    #[arg(long, value_name = "DATE")]
    until: Option<String>,

    /// Result: 1-0, 0-1, 1/2-1/2 (or draw), *
    #[arg(long, allow_hyphen_values = true)]
    result: Option<String>,

    /// Whether the whole main line is legal
    #[arg(long, value_name = "yes|no", value_parser = yes_or_no)]
    valid: Option<bool>,

    /// Ending on the board: checkmate (or mate), stalemate, …; draw for every drawn ending
    #[arg(long, value_name = "REASON")]
    end: Option<String>,

    /// First plies of the game, in coordinate notation
    #[arg(long, value_name = "COORD …")]
    moves: Option<String>,
}

fn yes_or_no(text: &str) -> Result<bool, String> {
    match text.to_lowercase().as_str() {
        "yes" | "true" | "1" => Ok(true),
        "no" | "false" | "0" => Ok(false),
        _ => Err("write yes or no".to_owned()),
    }
}

impl FilterArgs {
    /// Converts to the library's filter; the game by its name in the archive.
    #[cfg(feature = "archive")]
    pub(super) fn filter(&self, session: &Session<'_>) -> Filter {
        let name = |variant: &String| session.registry().canonical_name(variant).unwrap_or(variant.clone());
        Filter {
            id: None,
            variant: self.variant.as_ref().map(name),
            player: self.player.clone(),
            white: self.white.clone(),
            black: self.black.clone(),
            event: self.event.clone(),
            site: self.site.clone(),
            from: self.since.clone(),
            to: self.until.clone(),
            result: self.result.clone(),
            valid: self.valid,
            end: self.end.clone(),
            moves: self.moves.clone(),
            withdrawn: None,
            continued: None,
        }
    }

    /// Converts to query parameters of the service: those that are given, with their values.
    #[cfg(feature = "client")]
    pub(super) fn parameters(&self) -> Vec<(&'static str, &str)> {
        let valid = self.valid.map(|valid| if valid { "true" } else { "false" });
        let all = [
            ("variant", self.variant.as_deref()),
            ("player", self.player.as_deref()),
            ("white", self.white.as_deref()),
            ("black", self.black.as_deref()),
            ("event", self.event.as_deref()),
            ("site", self.site.as_deref()),
            ("from", self.since.as_deref()),
            ("to", self.until.as_deref()),
            ("result", self.result.as_deref()),
            ("valid", valid),
            ("end", self.end.as_deref()),
            ("moves", self.moves.as_deref()),
        ];
        all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}
