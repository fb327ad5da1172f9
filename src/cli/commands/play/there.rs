//! A game at a service, by the token of a player.

use super::{Args, Table, play};
use crate::cli::output::{ExitStatus, Failure, Outcome};
use crate::cli::service_args::ServiceArgs;
use crate::cli::session::Session;
use crate::client::{Change, Client, ClientError, Played};
use crate::wish::{self, Wish};
use ferz::Position;
use ferz::board::Owner;
use ferz::correspondence::ClaimName;
use ferz::play::Rules;
use ferz::rules::Registry;
use serde_json::{Value, json};
use std::thread::sleep;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Time between two looks at a game in which the others are to act.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// The game.
struct There<'c> {
    client: &'c Client,
    game: Played,
    /// The rules by which it is played, if they are known here.
    rules: Option<Rules>,
    /// The number of requests, for their keys.
    sent: u32,
}

/// Runs the command.
pub(super) fn run(args: &Args, service: &ServiceArgs, session: &mut Session<'_>) -> Outcome {
    let client = service.client(session)?;
    let game = client.played(&args.game).map_err(Failure::message)?;
    if game.you.is_empty() {
        return Err(Failure::message(
            "the holder of the token plays no side of this game; use a player's own token",
        ));
    }
    let rules = rules(session.registry(), &game);
    if rules.is_none() {
        session.console.warning("the rules of the game are not known here; positions are shown as FEN")?;
    }
    let mut table = There { client: &client, game, rules, sent: 0 };
    play(&mut table, args, session)?;
    if let Some(end) = &table.game.end {
        session.console.line(format!("The game is over: {} by {}.", end.result.as_str(), end.cause))?;
    }
    Ok(ExitStatus::Fine)
}

/// The rules of a game, if those that are known here are the same.
fn rules(registry: &Registry, game: &Played) -> Option<Rules> {
    let tags: Vec<(&str, &str)> =
        game.agreed.tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let rules = Rules::of(registry, &game.agreed.variant, &tags).ok()?;
    (rules.whole() == game.agreed.definition).then_some(rules)
}

impl There<'_> {
    /// Sends a change. If there are plies or offers that its sender has not seen, they are shown and nothing is sent;
    /// what else happens to a game, such as another player's acceptance, does not matter.
    fn send(&mut self, route: &'static str, body: Value) -> Result<(), String> {
        loop {
            self.sent += 1;
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
            let key = format!("{now:x}-{}", self.sent);
            match self.client.change(&self.game, &Change { route, body: body.clone() }, &key) {
                Ok(game) => {
                    self.game = game;
                    return Ok(());
                }
                Err(ClientError::Refused { problem, .. }) if problem.name() == "stale" => {
                    let seen = (self.game.plies.len(), self.game.offers.len());
                    self.look()?;
                    if (self.game.plies.len(), self.game.offers.len()) != seen {
                        return Err(format!("something has happened since\n{}", self.shown()));
                    }
                }
                Err(error) => return Err(error.to_string()),
            }
        }
    }

    fn look(&mut self) -> Result<(), String> {
        self.game = self.client.played(&self.game.id).map_err(|error| error.to_string())?;
        Ok(())
    }

    /// The side that the caller plays now.
    fn side(&self) -> Owner {
        let own = self.game.you.iter().find(|side| self.game.to_act.contains(side));
        own.or(self.game.you.first()).copied().unwrap_or(Owner::White)
    }

    fn is_mine(&self) -> bool {
        let game = &self.game;
        let accepts =
            game.status == "awaiting-acceptance" && game.you.iter().any(|side| !game.accepted.contains(side));
        let acts = game.you.iter().any(|side| game.to_act.contains(side));
        let answers = game.offers.iter().any(|offer| !game.you.contains(&offer.by));
        accepts || acts || answers || game.status == "disputed"
    }

    /// Waits until the caller is to act or the game is over.
    fn wait(&mut self) -> Result<(), String> {
        while !self.is_mine() && self.game.end.is_none() {
            sleep(LOOK_EVERY);
            self.look()?;
        }
        Ok(())
    }
}

impl Table for There<'_> {
    fn position(&self) -> Option<Position> {
        self.rules.as_ref().and_then(|rules| Position::from_fen(rules, &self.game.fen).ok())
    }

    fn shown(&self) -> String {
        let game = &self.game;
        let last = game.plies.last().map_or_else(String::new, |ply| {
            format!("Ply {}: {} {}\n", game.plies.len(), ply.by.name(), ply.san)
        });
        let drawn = self.position().map_or_else(|| format!("{}\n", game.fen), |position| position.drawn());
        let offers = game.offers.iter().map(|offer| format!("{} offers: {}\n", offer.by.name(), offer.kind));
        let offers: String = offers.collect();
        if game.status == "awaiting-acceptance" {
            let terms = &game.agreed;
            return format!(
                "\n{} - {}: {}, clock {}, remedies {}. Type `accept` to accept the terms.\n",
                terms.players.white, terms.players.black, terms.variant, terms.clock.name, terms.policy.name
            );
        }
        format!("\n{last}{drawn}{offers}")
    }

    fn turn(&self) -> Option<String> {
        self.game.end.is_none().then(|| match self.game.status.as_str() {
            "awaiting-acceptance" => "accept".to_owned(),
            _ => self.side().name().to_owned(),
        })
    }

    fn take(&mut self, line: &str) -> Result<String, String> {
        let side = self.side();
        let position = self.position();
        let wish = match (line, &position) {
            ("", _) if side == Owner::Nature => Some(Wish::Decline),
            ("", _) => {
                self.look()?;
                return Ok(self.shown());
            }
            (line, Some(position)) => wish::read(line, position, side)?,
            (_, None) => None,
        }
        .unwrap_or_else(|| Wish::Ply { text: line.to_owned(), offers_draw: false });
        let natures = side == Owner::Nature;
        match wish {
            Wish::Accept if self.game.status == "awaiting-acceptance" => {
                let terms = self.game.terms.clone();
                self.send("accept", json!({ "terms": terms }))?;
            }
            Wish::Accept | Wish::Decline if self.game.status == "disputed" => {
                self.send("answers", json!({ "accept": wish == Wish::Accept }))?;
            }
            Wish::Decline if natures => self.send("nature", json!({ "decline": true }))?,
            Wish::Accept | Wish::Decline => {
                let kind = self.game.offers.first().map_or("draw", |offer| offer.kind.as_str());
                self.send("offers", json!({ "kind": kind, "accept": wish == Wish::Accept }))?;
            }
            Wish::Call => self.send("nature", json!({ "call": true }))?,
            Wish::Resign => self.send("resign", json!({}))?,
            Wish::Draw => self.send("offers", json!({ "kind": "draw" }))?,
            Wish::TimeOut => self.send("time-out", json!({}))?,
            Wish::Claim(claim) => self.send("claims", json!({ "kind": ClaimName::name(claim) }))?,
            Wish::Key(vkey) => self.send("keys", json!({ "vkey": vkey }))?,
            Wish::Ply { text, .. } if natures => self.send("nature", json!({ "ply": text }))?,
            Wish::Ply { text, offers_draw } => {
                let offer = offers_draw.then_some("draw");
                self.send("plies", json!({ "ply": text, "offer": offer }))?;
            }
        }
        if !self.is_mine() && self.game.end.is_none() {
            self.wait()?;
        }
        Ok(self.shown())
    }

    fn claims(&self) -> Vec<String> {
        let kind = |claim: &Value| claim["kind"].as_str().map(str::to_owned);
        self.game.claimable.iter().filter_map(kind).collect()
    }

    fn undo(&mut self) -> Result<String, String> {
        let to = self.game.plies.len().checked_sub(1).ok_or("no ply was made yet")?;
        self.send("takeback", json!({ "to": to }))?;
        self.wait()?;
        Ok(self.shown())
    }

    fn record(&self) -> Result<String, String> {
        self.client.record(&self.game.id).map_err(|error| error.to_string())
    }
}
