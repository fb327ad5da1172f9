//! Events: created from lists, played, submitted, shown as a table.

use super::archive::Desk;
use serde_json::{Value, json};

const PLAYERS: &str = "name,email\nAnn Arber,ann@example.org\nBen,ben@example.org\nCleo,\n";

impl Desk {
    /// `ferz archive event COMMAND …` with a list of players in the folder.
    fn event(&self, command: &str, arguments: &[&str]) -> (i32, String, String) {
        let list = self.path("players.csv");
        std::fs::write(&list, PLAYERS).unwrap();
        let list = list.to_string_lossy().into_owned();
        let arguments: Vec<&str> =
            arguments.iter().map(|argument| if *argument == "PLAYERS" { &*list } else { argument }).collect();
        let run = self.run(&format!("event {command}"), &arguments, b"");
        (run.code, run.text().to_owned(), run.err.clone())
    }
}

#[test]
fn an_event_is_played_and_its_table_shown() {
    let desk = Desk::new();
    let create = ["Club cup", "--variant", "iago-b", "--clock", "days-per-move", "--players", "PLAYERS"];
    let (code, out, err) = desk.event("create", &create);
    assert_eq!(code, 0, "{err}");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 3, "{out}");
    assert!(lines[0].starts_with("round 1: Ben - Cleo: "), "{out}");
    assert!(err.contains("no token to play with is held by Ann Arber, Ben, Cleo"), "{err}");
    // A run that was interrupted is repeated without harm.
    let (_, again, _) = desk.event("create", &create);
    assert_eq!(again.matches(": is there").count(), 3, "{again}");
    // A game over the board counts too, a withdrawn one does not.
    let played = "[Event \"Club cup\"]\n[White \"Ann Arber\"]\n[Black \"Ben\"]\n[Round \"9\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n";
    desk.import(played.as_bytes());
    let (_, json, _) = desk.event("table", &["Club cup", "--format", "json"]);
    let table: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(table["games"], json!([4, 1, 0]), "{table}");
    let names: Vec<&Value> = table["players"].as_array().unwrap().iter().map(|line| &line["name"]).collect();
    assert_eq!(names, ["Ann Arber", "Ben", "Cleo"]);
    assert_eq!(
        (&table["players"][0]["points"], &table["players"][0]["fields"]),
        (&json!("1"), &json!(["x", "*1", "*"]))
    );
    let (_, text, _) = desk.event("table", &["Club cup", "--tie-breaks", "wins"]);
    assert!(text.starts_with("Club cup: 3 players, 4 games, 1 finished\n\n#  player"), "{text}");
    let (_, csv, _) = desk.event("table", &["Club cup", "--format", "csv"]);
    assert!(csv.starts_with("#,player,1,2,3,games,points,direct,wins,sb\n1,Ann Arber,x,"), "{csv}");
    let (_, page, _) = desk.event("table", &["Club cup", "--format", "html"]);
    assert!(page.contains("<h1>Club cup</h1>") && page.ends_with("</html>\n"), "{page}");
    let (_, listed, _) = desk.event("list", &[]);
    assert_eq!(listed, "Club cup: 4 games, 1 finished\n");
    // All wait for acceptance.
    let (_, due, _) = desk.event("due", &["Club cup", "--format", "ndjson"]);
    assert_eq!(due.lines().count(), 3, "{due}");
    let first: Value = serde_json::from_str(due.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["status"], first["to_act"].as_array().map(Vec::len)),
        (&json!("awaiting-acceptance"), Some(2))
    );
    let (code, mails, err) = desk.event("remind", &["Club cup", "--players", "PLAYERS"]);
    assert_eq!((code, mails.matches("\nTo: ").count()), (1, 2), "{mails}");
    assert!(
        mails.contains("Subject: Club cup: 2 games wait for you\n") && err.contains("no address of Cleo"),
        "{mails}{err}"
    );
    // Cleo withdraws; Dora plays her games.
    let (code, out, err) = desk.event("withdraw", &["Club cup", "Cleo", "--replaced-by", "Dora"]);
    assert_eq!(code, 0, "{err}");
    assert_eq!((out.matches("annulled").count(), out.matches("Dora").count()), (2, 2), "{out}");
    let (_, json, _) = desk.event("table", &["Club cup", "--format", "json"]);
    let table: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(table["games"], json!([6, 1, 2]), "{table}");
    // Ben withdraws without a replacement: his games are lost.
    desk.event("withdraw", &["Club cup", "Ben"]);
    let (_, json, _) = desk.event("table", &["Club cup", "--format", "json"]);
    let table: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&table["games"], &table["players"][0]["points"]),
        (&json!([6, 3, 2]), &json!("2")),
        "{table}"
    );
    let (code, _, err) = desk.event("withdraw", &["Club cup", "Ben"]);
    assert!(code == 0 && err.contains("has no game in the event that is not over"), "{err}");
    assert_eq!(desk.run("verify", &[], b"").code, 0);
}

#[test]
fn what_is_wrong_with_an_event_is_said() {
    let desk = Desk::new();
    desk.import(b"[Event \"Open\"]\n\n1. e4 *\n");
    for (command, arguments, why) in [
        ("table", &["Cup"][..], "no game has the event `Cup`"),
        ("table", &["Open", "--tie-breaks", "elo"], "is no tie-break; choose from direct, sb"),
        ("create", &["Cup", "--variant", "ches", "--players", "PLAYERS"], "did you mean `chess`"),
        ("create", &["Cup", "--variant", "chaos", "--players", "PLAYERS"], "the game has a third player"),
        ("create", &["Cup", "--variant", "chess", "--players", "nowhere.csv"], "nowhere.csv"),
        ("create", &["Cup", "--variant", "chess", "--clock", "sundial", "--players", "PLAYERS"], "sundial"),
        (
            "create",
            &["Cup", "--variant", "chess", "--tag", "Site", "--players", "PLAYERS"],
            "write NAME=VALUE",
        ),
    ] {
        let (code, _, err) = desk.event(command, arguments);
        assert!(code == 2 && err.contains(why), "{arguments:?}: {err}");
    }
}
