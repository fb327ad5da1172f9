//! A game between people at one terminal, by the rules of play of correspondence games without clocks.

use super::{Args, Table, play};
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::session::{Session, no_such_game};
use crate::wish::{self, Wish};
use ferz::Position;
use ferz::board::Owner;
use ferz::clock::Policies;
use ferz::correspondence::{Command, OfferKind, Players, Proposal, Setting, State, decide};
use ferz::notation::Style;
use ferz::play::Rules;
use ferz::record::read;
use ferz::replay::summary;
use ferz::replay::{Options, Replayer, Source};
use ferz::rewrite::{ConvertOptions, convert};
use ferz::rules::Registry;
use std::time::{SystemTime, UNIX_EPOCH};

/// The game.
struct Here<'r> {
    state: State,
    registry: &'r Registry,
    style: Style,
    /// The player who has been offered a draw, and answers next.
    asked: Option<Owner>,
}

/// Runs the command.
pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Outcome {
    let rules = args.tags.with_lookup(args.fen.as_deref(), session, |session, tags| {
        session.registry().rules(&args.game, tags).map(Rules::from).map_err(no_such_game)
    })?;
    let mut proposal = Proposal {
        variant: args.game.clone(),
        players: Players {
            white: args.white.clone(),
            black: args.black.clone(),
            nature: rules.has_nature().then(|| args.nature.clone()),
        },
        ..Proposal::default()
    };
    for (name, value) in args.tags.pairs().chain(args.fen.as_deref().map(|fen| ("FEN", fen))) {
        proposal.tags.insert(name.to_owned(), value.to_owned());
    }
    let registry = &session.registry().clone();
    let setting = Setting::of_proposal(proposal, registry, Policies::built_in()).map_err(Failure::message)?;
    let state = State::new(setting).map_err(Failure::message)?;
    let mut table = Here { state, registry, style: args.style, asked: None };
    let terms = table.state.setting().terms.digest();
    let players: Vec<Owner> = table.state.setting().terms.players.all().map(|(player, _)| player).collect();
    for player in players {
        table.act(player, &Command::Accept { terms: terms.clone() }).map_err(Failure::message)?;
    }
    play(&mut table, args, session)?;
    let record = table.record().map_err(Failure::message)?;
    match &args.output {
        None => session.console.text(&format!("\n{record}"))?,
        Some(path) => std::fs::write(path, record)
            .map_err(|error| Failure::message(format!("{}: cannot be written: {error}", path.display())))?,
    }
    Ok(ExitStatus::Fine)
}

impl Here<'_> {
    fn act(&mut self, by: Owner, command: &Command) -> Result<(), String> {
        let events = decide(&self.state, Some(by), command, now()).map_err(|refused| refused.explained())?;
        for event in events {
            self.state.after(&event).map_err(|damaged| damaged.to_string())?;
        }
        Ok(())
    }

    /// The player who types: who was asked for something, or is to act.
    fn player(&self) -> Owner {
        let to_act = self.state.to_act();
        self.asked.or(to_act.first().copied()).unwrap_or(self.state.position().turn())
    }
}

impl Table for Here<'_> {
    fn position(&self) -> Option<Position> {
        Some(self.state.position())
    }

    fn shown(&self) -> String {
        let plies = self.state.plies_in(self.style);
        let last = plies.last().map_or_else(String::new, |ply| format!("Ply {}: {ply}\n", plies.len()));
        let end = self.state.end();
        let end = end.map_or_else(String::new, |end| {
            format!("The game is over: {} by {}.\n", end.result.as_str(), end.cause)
        });
        format!("\n{last}{}{end}", self.state.position().drawn())
    }

    fn turn(&self) -> Option<String> {
        if self.state.end().is_some() {
            return None;
        }
        let player = self.player();
        let name = self.state.setting().terms.players.name(player).unwrap_or_default();
        let side = player.name();
        let who = if name.eq_ignore_ascii_case(side) { side.to_owned() } else { format!("{name} ({side})") };
        Some(match (self.asked, player) {
            (Some(_), _) => format!("{who}, a draw is offered; draw or decline"),
            (None, Owner::Nature) => {
                format!("{who}, with ~ (Enter lets the chance pass), or the next player")
            }
            (None, _) => who,
        })
    }

    fn take(&mut self, line: &str) -> Result<String, String> {
        let position = self.state.position();
        // Who makes a ply lets Nature's chance pass; hers begin with `~`, or are none of the player's.
        let real = position.turn();
        if self.player() == Owner::Nature
            && let Ok(Some(Wish::Ply { text, .. })) = wish::read(line, &position, real)
            && position.read_by(real, &text).is_ok_and(|ply| ply.actor == real)
            && !self.state.nature_has_called()
        {
            self.act(Owner::Nature, &Command::Decline)?;
        }
        let player = self.player();
        let wish = match line {
            "" if player == Owner::Nature => Wish::Decline,
            "" => return Ok(String::new()),
            line => wish::read(line, &position, player)?
                .unwrap_or_else(|| Wish::Ply { text: line.to_owned(), offers_draw: false }),
        };
        let offers = matches!(wish, Wish::Draw | Wish::Ply { offers_draw: true, .. });
        let (plies, was_asked) = (self.state.plies().len(), self.asked.is_some());
        let command = wish.command(&self.state, player, None);
        self.act(player, &command)?;
        let is_open = self.state.end().is_none() && self.state.offer().is_some();
        // An offer with a ply is answered by the next ply, or before it.
        self.asked = (offers && !was_asked && is_open && player.is_real()).then(|| player.opponent());
        let is_new = self.state.plies().len() != plies || self.state.end().is_some();
        Ok(if is_new { self.shown() } else { String::new() })
    }

    fn claims(&self) -> Vec<String> {
        self.state
            .claimable()
            .iter()
            .map(|claim| format!("{}: {}", claim.kind.id(), summary::claim(claim)))
            .collect()
    }

    fn undo(&mut self) -> Result<String, String> {
        let plies = self.state.plies().len();
        let to = plies.checked_sub(1).ok_or("no ply was made yet")?;
        for player in Owner::REAL {
            self.act(player, &Command::Offer(OfferKind::Takeback { to }))?;
        }
        self.asked = None;
        Ok(self.shown())
    }

    fn record(&self) -> Result<String, String> {
        let text = self.state.record();
        let mut replayer = Replayer::new(self.registry, Options::default());
        let record = read(text.as_bytes(), 0).next().ok_or("the game has no record")?;
        let source = Source::new(text.as_bytes(), 0, 0);
        Ok(convert(&mut replayer, &record, &source, 0, &ConvertOptions::new(self.style)).text)
    }
}

/// Milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
