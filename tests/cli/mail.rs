//! Games by mail: letters, answers, and mails that prove nothing.

use super::archive::Desk;
use crate::program::{Run, run};
use serde_json::Value;

const PLAYERS: &str = "name,email\nAnn,ann@example.org\nBen,ben@example.org\nCleo,cleo@example.org\n";

/// A line of a letter that is sent back.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    game: String,
    code: String,
}

impl Line {
    fn with(&self, answer: &str) -> String {
        format!("ferz {} {} {answer}", self.game, self.code)
    }
}

/// The letters to an address, in order.
fn letters<'t>(mailbox: &'t str, to: &str) -> Vec<&'t str> {
    let wanted = format!("\nTo: {to}\n");
    mailbox.split("From ferz ").filter(|letter| letter.contains(&wanted)).collect()
}

/// The lines of a letter with codes.
fn lines(letter: &str) -> Vec<Line> {
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let of_line = |line: &str| match words(line).as_slice() {
        [ferz, game, code, ..] if ferz == "ferz" && code.len() == 19 => {
            Some(Line { game: game.clone(), code: code.clone() })
        }
        _ => None,
    };
    letter.lines().filter_map(of_line).collect()
}

impl Desk {
    fn list(&self) -> String {
        self.file("players.csv", PLAYERS)
    }

    /// The letters of a reminder.
    fn remind(&self, event: &str) -> String {
        let list = self.list();
        self.data("event remind", &[event, "--players", &list, "--from", "desk@example.org", "--days", "0"])
    }

    /// The consequences of a mail.
    fn mail(&self, mail: &str) -> Run<Vec<u8>> {
        let (db, list) = (self.path("games.ferz"), self.list());
        run(&["mailin", "--db", db.to_str().unwrap(), "--players", &list], mail.as_bytes())
    }

    /// A mail from an address with a text.
    fn write(&self, from: &str, text: &str) -> Run<Vec<u8>> {
        self.mail(&format!("From: {from}\nSubject: Re: game\nMessage-ID: <7@example.org>\n\n{text}\n"))
    }

    /// What is stored about the games of an event.
    fn due(&self, event: &str) -> Vec<Value> {
        let lines = self.data("event due", &[event, "--format", "ndjson"]);
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn event_of(&self, event: &str, variant: &str, pairings: &str) {
        let (list, pairings) = (self.list(), self.file("pairings.csv", pairings));
        self.data(
            "event create",
            &[event, "--variant", variant, "--players", &list, "--pairings", &pairings],
        );
    }

    /// A game of Ann and Ben that has begun; the line of Ann.
    fn begun(&self, variant: &str) -> Line {
        self.event_of("Cup", variant, "round,white,black\n1,Ann,Ben\n");
        let letters_now = self.remind("Cup");
        let ann = self.write("ann@example.org", &lines(&letters_now)[0].with("accept"));
        assert_eq!(ann.code, 0, "{}", ann.err);
        let ben = self.write("ben@example.org", &lines(&letters_now)[1].with("accept"));
        assert_eq!(ben.code, 0, "{}", ben.err);
        lines(letters(ben.text(), "ann@example.org")[0])[0].clone()
    }
}

#[test]
fn a_game_is_played_by_mail_alone() {
    let desk = Desk::new();
    let mut line = desk.begun("iago-b");
    let plies = ["Ng1-f3&M", "Nf6", "g3", "Rg8", "draw"];
    for (number, ply) in plies.into_iter().enumerate() {
        let (from, to) = match number % 2 {
            0 => ("ann@example.org", "ben@example.org"),
            _ => ("ben@example.org", "ann@example.org"),
        };
        // By turns as the line itself, and as a reply that quotes it.
        let text = match number % 3 {
            0 => line.with(ply),
            _ => format!(
                "{}. {ply}\n\nOn Monday the desk wrote:\n> Send this:\n>   {}\n",
                number + 1,
                line.with("PLY")
            ),
        };
        let run = desk.write(from, &text);
        assert_eq!(run.code, 0, "{ply}: {}{}", run.err, run.text());
        let answer = letters(run.text(), from)[0];
        assert!(
            answer.contains("your answer was taken") && answer.contains("\nIn-Reply-To: <7@example.org>\n")
        );
        line = lines(letters(run.text(), to)[0])[0].clone();
    }
    let run = desk.write("ben@example.org", &format!("draw\n\n> {}", line.with("PLY")));
    assert_eq!(run.code, 0, "{}", run.err);
    for to in ["ann@example.org", "ben@example.org"] {
        assert!(
            letters(run.text(), to)[0].contains("The game is over: 1/2-1/2 by agreement."),
            "{}",
            run.text()
        );
    }
    let table = desk.data("event table", &["Cup", "--format", "json"]);
    assert_eq!(serde_json::from_str::<Value>(&table).unwrap()["players"][0]["points"], "0.5");
    let games = desk.data("export", &[]);
    assert!(games.contains("1. Nf3/M Nf6 2. g3 Rg8"), "{games}");
    assert_eq!(desk.run("verify", &[], b"").code, 0);
}

#[test]
fn what_proves_nothing_stores_nothing() {
    let desk = Desk::new();
    let line = desk.begun("chess");
    let before = desk.due("Cup");
    let other = Desk::new().begun("chess");
    let stranger = Line { code: "AAAA-BBBB-CCCC-DDDD".to_owned(), ..line.clone() };
    for (from, text, why) in [
        // The address is right, and proves nothing.
        ("ann@example.org", "e4".to_owned(), "no line with the code"),
        ("ann@example.org", stranger.with("e4"), "its code is none of this game"),
        ("ann@example.org", other.with("e4"), "there is no game"),
        (
            "ann@example.org",
            Line { game: line.game.clone(), ..other.clone() }.with("e4"),
            "none of this game",
        ),
        ("eve@example.org", "e4".to_owned(), "no line with the code"),
    ] {
        let run = desk.write(from, &text);
        assert_eq!(run.code, 1, "{text}: {}", run.err);
        assert!(run.err.contains(why), "{text}: {}", run.err);
        assert_eq!(letters(run.text(), from).len(), 1, "{text}: {}", run.text());
        // Only the address that the director knows learns a code.
        let told = lines(letters(run.text(), from)[0]);
        assert_eq!(told, if from.starts_with("ann") { vec![line.clone()] } else { Vec::new() }, "{text}");
        assert_eq!(run.text().matches("From ferz ").count(), 1, "{text}");
    }
    for (text, why) in [
        ("e4\nNf3".to_owned() + "\n> " + &line.with("PLY"), "several plies"),
        (line.with("e4 e5"), "more than one ply"),
        (line.with("e4") + "\n" + &line.with("d4"), "several answers"),
        (line.with("e5"), "not legal"),
        (line.with("Bc4"), "the nearest legal plies are"),
        ("Hello!\nHow are you?\n> ".to_owned() + &line.with("PLY"), "no ply on a line"),
        (line.with("claim forced_win"), "people decide"),
    ] {
        let run = desk.write("ann@example.org", &text);
        assert_eq!((run.code, run.err.contains(why)), (1, true), "{text}: {}", run.err);
        let told = letters(run.text(), "ann@example.org");
        assert_eq!((told.len(), lines(told[0])), (1, vec![line.clone()]), "{text}: {}", run.text());
    }
    // The code proves whose it is, wherever it comes from.
    let run = desk.write("phone@example.net", &line.with("e4"));
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(letters(run.text(), "ann@example.org").len(), 1);
    let after = desk.due("Cup");
    assert_eq!((&before[0]["to_act"][0], &after[0]["to_act"][0]), (&"Ann".into(), &"Ben".into()));
    // The same mail again, and the old code with another ply.
    for text in [line.with("e4"), line.with("d4")] {
        let run = desk.write("ann@example.org", &text);
        assert_eq!((run.code, run.err.contains("earlier position")), (1, true), "{}", run.err);
        assert!(letters(run.text(), "ann@example.org")[0].contains("Ply 1 was: White e4."), "{}", run.text());
    }
    assert_eq!(after, desk.due("Cup"));
}

#[test]
fn programs_and_what_is_no_mail_are_not_answered() {
    let desk = Desk::new();
    let line = desk.begun("chess");
    for (mail, code, why) in [
        (format!("From: MAILER-DAEMON@example.org\n\n> {}", line.with("e4")), 1, "came back"),
        (
            format!("From: ann@example.org\nAuto-Submitted: auto-replied\n\n{}", line.with("e4")),
            1,
            "a program sent it",
        ),
        ("e4".to_owned(), 1, "no mail"),
        (String::new(), 1, "no mail"),
    ] {
        let run = desk.mail(&mail);
        assert_eq!((run.code, run.text()), (code, ""), "{mail}");
        assert!(run.err.contains(why), "{mail}: {}", run.err);
    }
    let missing = run(&["mailin", "--db", "nowhere.ferz", "--players", &desk.list()], b"");
    assert_eq!(missing.code, 2, "{}", missing.err);
    assert!(!desk.path("nowhere.ferz").exists());
}

#[test]
fn a_reply_to_a_letter_about_several_games_names_one() {
    let desk = Desk::new();
    desk.event_of("Cup", "chess", "round,white,black\n1,Ann,Ben\n2,Ann,Cleo\n");
    let all = desk.remind("Cup");
    for line in ["ann@example.org", "ben@example.org", "cleo@example.org"]
        .map(|to| lines(letters(&all, to)[0]))
        .concat()
    {
        assert_eq!(desk.write("x@example.org", &line.with("accept")).code, 0);
    }
    let reminder = desk.remind("Cup");
    let own = lines(letters(&reminder, "ann@example.org")[0]);
    assert_eq!(own.len(), 2, "{reminder}");
    let quoted: String = own.iter().map(|line| format!("> {}\n", line.with("PLY"))).collect();
    // Which game?
    let run = desk.write("ann@example.org", &format!("e4\n\n{quoted}"));
    assert_eq!((run.code, desk.due("Cup").iter().filter(|due| due["to_act"][0] == "Ann").count()), (1, 2));
    let run = desk.write("ann@example.org", &format!("{}\n\n{quoted}", own[1].with("d4")));
    assert_eq!(run.code, 0, "{}", run.err);
    // Two lines, two games.
    let run = desk.write("ann@example.org", &format!("{}\n{}\n", own[0].with("c4"), own[1].with("c4")));
    assert_eq!(run.code, 1, "the second one is old: {}", run.err);
    assert!(run.err.contains("c2c4") && run.err.contains("earlier position"), "{}", run.err);
    assert!(desk.due("Cup").iter().all(|due| due["to_act"][0] != "Ann"));
}

#[test]
fn nature_and_html_come_by_mail_too() {
    let desk = Desk::new();
    let list = desk.list();
    let pairings = desk.file("pairings.csv", "round,white,black\n1,Ann,Ben\n");
    let plan =
        ["Cup", "--variant", "chaos+chess", "--players", &list, "--pairings", &pairings, "--nature", "Cleo"];
    desk.data("event create", &plan);
    let all = desk.remind("Cup");
    for to in ["ann@example.org", "ben@example.org", "cleo@example.org"] {
        assert_eq!(desk.write(to, &lines(letters(&all, to)[0])[0].with("accept")).code, 0);
    }
    let (mut plies, mut chances) = (["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5"].into_iter(), 0);
    loop {
        let all = desk.remind("Cup");
        let waiting = ["ann@example.org", "ben@example.org", "cleo@example.org"];
        let to = waiting.into_iter().find(|to| !letters(&all, to).is_empty()).unwrap();
        chances += usize::from(to == waiting[2]);
        assert!(to != waiting[2] || all.contains("`decline` lets the chance pass"), "{all}");
        let Some(ply) = (if to == waiting[2] { Some("decline") } else { plies.next() }) else { break };
        let line = &lines(letters(&all, to)[0])[0];
        let mail = format!(
            "From: {to}\nSubject: x\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: \
             quoted-printable\n\n<html><body><p>{ply}</p><blockquote>ferz {}<br>=\n{} PLY</blockquote></body></html>\n",
            line.game, line.code
        );
        let run = desk.mail(&mail);
        assert_eq!(run.code, 0, "{ply}: {}{}", run.err, run.text());
    }
    assert!(chances > 0);
}

#[test]
fn plies_that_a_player_signs_come_by_mail() {
    let desk = Desk::new();
    let key = desk.path("ann.key");
    let key = key.to_str().unwrap();
    let line = desk.begun("chess");
    let vkey = run(&["player", "key", key, "--name", "Ann"], b"");
    let run_key = desk.write("ann@example.org", &line.with(&format!("key {}", vkey.text().trim())));
    assert_eq!(run_key.code, 0, "{}", run_key.err);
    let told = letters(run_key.text(), "ann@example.org")[0];
    let command = told.lines().find(|line| line.trim_start().starts_with("ferz player sign")).unwrap();
    let sign = |ply: &str| {
        let words = command.split_whitespace().skip(1).map(|word| match word {
            "PLY" => ply,
            "FILE" => key,
            word => word,
        });
        run(&words.collect::<Vec<_>>(), b"").text().trim().to_owned()
    };
    let signed = |ply: &str, text: &str| Line { code: sign(ply), ..line.clone() }.with(text);
    // The code alone is no longer enough, nor is the signature of another ply.
    let code = lines(told)[0].with("e4");
    for text in [code, signed("d2d4", "e4")] {
        let run = desk.write("ann@example.org", &text);
        assert_eq!(run.code, 1, "{text}: {}", run.err);
    }
    let run = desk.write("ann@example.org", &signed("e2e4", "e4"));
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(desk.run("verify", &[], b"").code, 0);
}

/// A mail that names many games floods no one, and takes no time.
#[test]
fn a_flood_of_codes_has_one_answer() {
    let desk = Desk::new();
    let line = desk.begun("chess");
    let flood: String = (0..20_000).map(|n| format!("ferz {n:032x} AAAA-BBBB-CCCC-DDDD e4\ne4\n")).collect();
    let run = desk.write("ann@example.org", &flood);
    assert_eq!((run.code, run.text().matches("From ferz ").count()), (1, 1), "{}", run.err);
    let run = desk.write("eve@example.net", &flood);
    assert_eq!((run.code, run.text().matches("From ferz ").count()), (1, 1), "{}", run.err);
    let run = desk.write("ann@example.org", &format!("{}\n{flood}", line.with("e4")));
    assert!(run.err.contains("White e2e4"), "{}", run.err);
}
