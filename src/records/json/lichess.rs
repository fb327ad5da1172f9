//! Games as Lichess exports them in JSON (`application/x-ndjson` of its API): one object a game.

use crate::rewrite::Transcript;
use crate::rewrite::transcript::{Element, ElementKind, Tag};
use ferz_core::text::Timestamp;
use serde::Deserialize;

/// A game, as far as a record holds it. Evaluations, divisions and patrons are left to Lichess.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Game {
    id: String,
    moves: String,
    players: Players,
    status: String,
    variant: Option<String>,
    rated: Option<bool>,
    speed: Option<String>,
    created_at: Option<u64>,
    winner: Option<String>,
    initial_fen: Option<String>,
    clock: Option<Limit>,
    /// Hundredths of a second that are left after each ply.
    #[serde(default)]
    clocks: Vec<u64>,
    opening: Option<Opening>,
}

#[derive(Debug, Deserialize)]
struct Players {
    white: Player,
    black: Player,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Player {
    user: Option<User>,
    rating: Option<u32>,
    ai_level: Option<u32>,
}

#[derive(Debug, Deserialize)]
struct User {
    name: String,
    title: Option<String>,
}

/// Seconds.
#[derive(Debug, Deserialize)]
struct Limit {
    initial: u64,
    increment: u64,
}

#[derive(Debug, Deserialize)]
struct Opening {
    eco: Option<String>,
    name: Option<String>,
}

/// The record of a game in Lichess's form; `None` for any other object.
pub(super) fn transcript(json: &[u8]) -> Option<Transcript> {
    let game: Game = serde_json::from_slice(json).ok()?;
    let result = game.result();
    let mut moves: Vec<Element> = Vec::new();
    for (index, ply) in game.moves.split_whitespace().enumerate() {
        moves.push(Element::new(ElementKind::Ply, ply));
        if let Some(left) = game.clocks.get(index) {
            let (seconds, hundredths) = (left / 100, left % 100);
            let rest = if hundredths == 0 { String::new() } else { format!(".{hundredths:02}") };
            let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
            let clock = format!("[%clk {hours}:{minutes:02}:{:02}{rest}]", seconds % 60);
            moves.push(Element::new(ElementKind::Comment, clock));
        }
    }
    moves.push(Element::new(ElementKind::Result, result));
    Some(Transcript::new(game.tags(result), moves))
}

impl Game {
    fn result(&self) -> &'static str {
        match (self.winner.as_deref(), self.status.as_str()) {
            (Some("white"), _) => "1-0",
            (Some("black"), _) => "0-1",
            (
                _,
                "draw" | "stalemate" | "outoftime" | "timeout" | "variantEnd" | "insufficientMaterialClaim",
            ) => "1/2-1/2",
            _ => "*",
        }
    }

    /// The tags that Lichess writes in PGN.
    fn tags(&self, result: &str) -> Vec<Tag> {
        let mut tags = Vec::new();
        let mut tag =
            |name: &str, value: Option<String>| tags.extend(value.map(|value| Tag::new(name, value)));
        let rated = if self.rated == Some(true) { "Rated" } else { "Casual" };
        let speed = self.speed.as_deref().unwrap_or_default();
        tag("Event", Some(format!("{rated} {speed} game").replace("  ", " ")));
        tag("Site", Some(format!("https://lichess.org/{}", self.id)));
        let created = self.created_at.map(|created| Timestamp::of_milliseconds(created).to_seconds());
        let (date, time) =
            created.as_deref().and_then(|created| created.trim_end_matches('Z').split_once('T')).unzip();
        tag("Date", date.map(|date| date.replace('-', ".")));
        let Players { white, black } = &self.players;
        tag("White", white.name());
        tag("Black", black.name());
        tag("Result", Some(result.to_owned()));
        tag("UTCTime", time.map(str::to_owned));
        for (colour, player) in [("White", white), ("Black", black)] {
            tag(&format!("{colour}Elo"), player.rating.map(|rating| rating.to_string()));
            tag(&format!("{colour}Title"), player.user.as_ref().and_then(|user| user.title.clone()));
        }
        let variant =
            self.variant.as_deref().filter(|variant| !matches!(*variant, "standard" | "fromPosition"));
        tag("Variant", variant.map(str::to_owned));
        tag("SetUp", self.initial_fen.as_ref().map(|_| "1".to_owned()));
        tag("FEN", self.initial_fen.clone());
        tag("TimeControl", self.clock.as_ref().map(|limit| format!("{}+{}", limit.initial, limit.increment)));
        tag("ECO", self.opening.as_ref().and_then(|opening| opening.eco.clone()));
        tag("Opening", self.opening.as_ref().and_then(|opening| opening.name.clone()));
        let how = match self.status.as_str() {
            "outoftime" => "Time forfeit",
            "cheat" => "Rules infraction",
            "timeout" | "noStart" | "aborted" => "Abandoned",
            "created" | "started" | "unknownFinish" => "Unterminated",
            _ => "Normal",
        };
        tag("Termination", Some(how.to_owned()));
        tags
    }
}

impl Player {
    fn name(&self) -> Option<String> {
        let program = self.ai_level.map(|level| format!("lichess AI level {level}"));
        self.user.as_ref().map(|user| user.name.clone()).or(program)
    }
}

#[cfg(test)]
mod tests {
    use crate::json::read_all;

    const GAME: &str = r#"{"id":"q7ZvsdUF","rated":true,"variant":"kingOfTheHill","speed":"blitz",
        "createdAt":1514505150384,"status":"outoftime","winner":"white","moves":"e4 e5 Nf3",
        "players":{"white":{"user":{"name":"Ann","title":"GM","id":"ann"},"rating":2500},"black":{"aiLevel":3}},
        "clocks":[18003,18000,17915],"opening":{"eco":"C20","name":"King's Pawn Game","ply":2},
        "clock":{"initial":180,"increment":2,"totalTime":260}}"#;

    #[test]
    fn a_game_reads_as_lichess_writes_it_in_pgn() {
        let read = read_all(GAME.replace('\n', "").as_bytes());
        let text = read[0].as_ref().map(|read| read.text.clone()).expect("a record");
        for part in [
            "[Event \"Rated blitz game\"]",
            "[Site \"https://lichess.org/q7ZvsdUF\"]",
            "[Date \"2017.12.28\"]",
            "[White \"Ann\"]",
            "[Black \"lichess AI level 3\"]",
            "[WhiteElo \"2500\"]",
            "[Variant \"kingOfTheHill\"]",
            "[TimeControl \"180+2\"]",
            "[Termination \"Time forfeit\"]",
            "{[%clk 0:03:00.03]}",
            "1-0",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
    }

    #[test]
    fn other_objects_are_refused_as_before() {
        let read = read_all(b"{\"id\":\"x\",\"moves\":\"e4\"}");
        assert!(read[0].as_ref().is_err_and(|why| why.message.contains("not a record in JSON")));
    }
}
