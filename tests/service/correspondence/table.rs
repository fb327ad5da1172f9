//! The pages where games are played, as a browser without scripts uses them.

use super::{Club, players};
use crate::server::{Answer, answer};
use serde_json::{Value, json};

impl Club {
    pub(super) fn page(&self, person: &str, path: &str) -> Answer {
        let request = self.server.get(path).basic_auth(person, Some(&self.tokens[person]));
        answer(request.header("accept", "text/html"))
    }

    /// Sends the form of a table as the person sees it now.
    pub(super) fn press(&self, person: &str, id: &str, fields: &[(&str, &str)]) -> Answer {
        let page = self.page(person, &format!("/play/{id}")).text();
        let head = page.split("name=\"head\" value=\"").nth(1).expect("a head");
        let head = &head[..head.find('"').expect("its end")];
        self.send(person, id, &[&[("head", head)], fields].concat())
    }

    fn send(&self, person: &str, id: &str, fields: &[(&str, &str)]) -> Answer {
        let body: Vec<String> = fields
            .iter()
            .map(|(name, value)| {
                format!("{name}={}", value.replace('+', "%2B").replace('&', "%26").replace(' ', "+"))
            })
            .collect();
        let request = self.server.post(&format!("/play/{id}"), body.join("&"));
        let request = request.basic_auth(person, Some(&self.tokens[person])).header("accept", "text/html");
        answer(request.header("content-type", "application/x-www-form-urlencoded"))
    }

    fn plies(&self, id: &str) -> Vec<Value> {
        let game = self.get("Arthur", &format!("/{id}")).json();
        game["plies"].as_array().expect("plies").iter().map(|ply| ply["san"].clone()).collect()
    }
}

#[test]
fn a_game_is_played_by_forms_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    let id = club.create(json!({"variant": "iago-b", "players": players(), "clock": "days-per-move"}));
    let listed = club.page("Ann", "/play").text();
    assert!(
        listed.contains(&format!("<a href=\"/play/{id}\">Ann – Ben</a>"))
            && listed.contains("once you accept")
    );
    for person in ["Ann", "Ben"] {
        // The answer leads back to the table, so that loading it again plays nothing.
        let answer = club.press(person, &id, &[("wish", "accept")]);
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    let table = club.page("Ann", &format!("/play/{id}")).text();
    assert!(
        table.contains("<h3 id=\"verdict\">It is your turn</h3>") && table.contains("White’s time is up at"),
        "{table}"
    );
    assert!(table.contains("<option value=\"g1f3m\">Nf3/M</option>"), "gates are offered");
    let waits = club.page("Ben", &format!("/play/{id}")).text();
    assert!(
        waits.contains("White is to act")
            && !waits.contains("id=\"choice\"")
            && waits.contains("data-turned=\"true\"")
    );
    // Typed, chosen, refused.
    assert_eq!(club.press("Ann", &id, &[("wish", "ply"), ("move", "Ng1-f3&M"), ("choice", "")]).status, 200);
    assert_eq!(
        club.press("Ben", &id, &[("wish", "ply"), ("move", ""), ("choice", "g8f6"), ("draw", "1")]).status,
        200
    );
    let refused = club.press("Ann", &id, &[("wish", "ply"), ("move", "Ke3"), ("choice", "")]);
    assert_eq!(refused.status, 422);
    let text = refused.text();
    assert!(
        text.contains("does not go to e3 (FIDE 3.8); the nearest legal plies are")
            && text.contains("value=\"Ke3\""),
        "{text}"
    );
    assert!(text.contains("<strong>Black offers a draw.</strong>"), "{text}");
    // A page that is old plays nothing.
    let old = club.send("Ann", &id, &[("head", &"0".repeat(64)), ("wish", "ply"), ("move", "g3")]);
    assert!(
        old.status == 422 && old.text().contains("something has happened in the game since"),
        "{}",
        old.text()
    );
    assert_eq!(club.plies(&id), ["Nf3/M", "Nf6"]);
    let over = club.press("Ann", &id, &[("wish", "accept")]);
    assert!(
        over.text().contains("Over: 1/2-1/2 by agreement") && over.text().contains("The game in the archive")
    );
    let moment = club.page("Ben", &format!("/play/{id}?ply=1")).text();
    assert!(moment.contains("After ply 1: Nf3/M"), "{moment}");
    let film = club.page("Ben", &format!("/play/{id}/positions?side=black")).json();
    assert_eq!(film["boards"].as_array().map(Vec::len), Some(3), "{film}");
}

#[test]
fn nature_and_claims_have_their_buttons() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    let three = json!({"white": "Ann", "black": "Ben", "nature": "Brown"});
    let id = club.begin(json!({"variant": "chaos+chess", "players": three}));
    let mut passed = 0;
    for ply in ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "O-O"] {
        if club.page("Brown", &format!("/play/{id}")).text().contains("Let the chance pass") {
            passed += 1;
            assert_eq!(club.press("Brown", &id, &[("wish", "decline")]).status, 200);
        }
        let mover = if club.plies(&id).len().is_multiple_of(2) { "Ann" } else { "Ben" };
        let pressed = club.press(mover, &id, &[("wish", "ply"), ("move", ply)]);
        assert_eq!(pressed.status, 200, "{ply}: {}", pressed.text());
    }
    assert!(passed > 0);
    let id = club.begin(json!({"variant": "chess", "players": players()}));
    for (number, ply) in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"].into_iter().enumerate() {
        let mover = ["Ann", "Ben"][number % 2];
        assert_eq!(club.press(mover, &id, &[("wish", "ply"), ("move", ply)]).status, 200, "{ply}");
    }
    let table = club.page("Ann", &format!("/play/{id}")).text();
    assert!(table.contains("name=\"wish\" value=\"claim threefold_repetition\">Claim it"), "{table}");
    let over = club.press("Ann", &id, &[("wish", "claim threefold_repetition")]);
    assert!(over.text().contains("Over: 1/2-1/2 by threefold repetition"), "{}", over.text());
}

#[test]
fn tables_are_for_those_who_may_see_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let club = Club::new(&folder.path().join("games.ferz"));
    let id = club.begin(json!({"variant": "chess", "players": players()}));
    for path in [format!("/play/{id}"), format!("/play/{id}/positions"), "/play/x".to_owned()] {
        assert_eq!(club.page("Cleo", &path).status, 404, "{path}");
        assert_eq!(answer(club.server.get(&path)).status, 401, "{path}");
    }
    assert_eq!(club.send("Cleo", &id, &[("wish", "resign")]).status, 404);
    // An arbiter looks, and does nothing here.
    let seen = club.page("Arthur", &format!("/play/{id}")).text();
    assert!(seen.contains("White is to act") && !seen.contains("value=\"resign\""));
    assert_eq!(club.send("Arthur", &id, &[("wish", "resign")]).status, 403);
    // A page of another site presses no button.
    let request =
        club.server.post(&format!("/play/{id}"), "wish=resign").header("origin", "https://evil.example");
    let request = request.basic_auth("Ann", Some(&club.tokens["Ann"]));
    answer(request.header("content-type", "application/x-www-form-urlencoded"))
        .problem(403, "foreign-origin");
    assert_eq!(club.get("Ann", &format!("/{id}")).json()["status"], "running");
}
