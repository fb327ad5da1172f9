//! Games in progress in an archive: played, raced, repeated, cut off, changed behind its back.

use super::*;
use crate::Forgetting;
use ferz_correspondence::{ClaimName, OfferKind, Players};
use ferz_records::record::GameResult;
use ferz_records::replay::{Options, Replayer};

fn books() -> Books<'static> {
    (Registry::built_in(), Policies::built_in())
}

fn proposal(variant: &str) -> Proposal {
    let nature = variant.contains("chaos").then(|| "Brown".to_owned());
    let players = Players { white: "Ann".into(), black: "Ben".into(), nature };
    Proposal { variant: variant.into(), players, ..Proposal::default() }
}

fn token() -> TokenId {
    TokenId { name: "ann".into(), event: 7 }
}

fn key(key: &str, asked: u8) -> Option<RequestKey> {
    Some(RequestKey { key: key.into(), digest: [asked; 32] })
}

/// Does something in a game as it is now.
fn act(archive: &Archive, id: CorrespondenceId, by: Owner, command: Command) -> Result<Acted, ActError> {
    let head = archive.correspondence(id, books())?.head();
    archive.act(Act { id, head, by: Some(by), command, token: Some(token()), request: None }, books())
}

fn ply(text: &str) -> Command {
    Command::Ply { text: text.into(), offer: None, signature: None }
}

/// A game that has begun, in a new archive.
fn begun(variant: &str) -> (tempfile::TempDir, std::path::PathBuf, Archive, CorrespondenceId) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ferz");
    let archive = Archive::open(&path).unwrap();
    let created = archive.create_correspondence(proposal(variant), (Some(token()), None), books()).unwrap();
    let (id, terms) = (created.game.id, created.game.state.setting().terms.clone());
    for (player, _) in terms.players.all() {
        act(&archive, id, player, Command::Accept { terms: terms.digest() }).unwrap();
    }
    (folder, path, archive, id)
}

fn findings(archive: &Archive) -> Vec<String> {
    let mut messages = Vec::new();
    archive.verify(None, &mut |finding| messages.push(finding.message), &mut |_| ()).unwrap();
    messages
}

#[test]
fn a_game_that_ends_becomes_an_entry() {
    let (_folder, path, archive, id) = begun("iago-b");
    for (by, text) in
        [(Owner::White, "f3"), (Owner::Black, "e5"), (Owner::White, "g4"), (Owner::Black, "Qh4&C")]
    {
        let acted = act(&archive, id, by, ply(text)).unwrap();
        let receipt = acted.logged.unwrap().receipt();
        assert_eq!(Some(receipt.index), acted.game.acts.get(acted.sequence as usize).map(|act| act.number));
    }
    let game = archive.correspondence(id, books()).unwrap();
    let end = game.state.end().unwrap();
    assert_eq!((end.result.as_str(), end.cause.as_str(), end.by), ("0-1", "checkmate", Some(Owner::Black)));
    let entry = archive.get(game.entry.unwrap()).unwrap().unwrap();
    assert_eq!((entry.summary.white.as_str(), entry.moves.len()), ("Ann", 4));
    let text = String::from_utf8(archive.original(entry.summary.id).unwrap().unwrap()).unwrap();
    assert!(text.contains("Qh4&C#") || text.contains("Qh4/C#"), "{text}");
    let refused = act(&archive, id, Owner::White, Command::Resign).unwrap_err().to_string();
    assert_eq!(refused, "the game is over: 0-1 by checkmate");
    assert_eq!(findings(&archive), [""; 0]);
    drop(archive);
    let archive = Archive::open(&path).unwrap();
    assert_eq!(archive.correspondence(id, books()).unwrap().acts.len(), game.acts.len());
    assert_eq!(findings(&archive), [""; 0]);
}

/// Of many who change a game that they have seen alike, one does.
#[test]
fn one_of_those_who_race_wins() {
    let (_folder, _, archive, id) = begun("chess");
    let head = archive.correspondence(id, books()).unwrap().head();
    let plies = ["e4", "d4", "c4", "Nf3", "g3", "b3", "f4", "a3"];
    let outcomes: Vec<_> = std::thread::scope(|scope| {
        let race = |text| {
            let archive = archive.clone();
            let by = Some(Owner::White);
            let change = Act { id, head, by, command: ply(text), token: Some(token()), request: None };
            scope.spawn(move || archive.act(change, books()))
        };
        let runs: Vec<_> = plies.into_iter().map(race).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    assert!(
        outcomes
            .iter()
            .flat_map(|outcome| outcome.as_ref().err())
            .all(|error| { matches!(error, ActError::Stale(now) if *now != head) })
    );
    assert_eq!(archive.correspondence(id, books()).unwrap().state.plies().len(), 1);
    assert_eq!(findings(&archive), [""; 0]);
}

#[test]
fn a_request_that_is_sent_again_has_no_second_effect() {
    let (_folder, _, archive, id) = begun("chess");
    let head = archive.correspondence(id, books()).unwrap().head();
    let change = |text: &str, request| Act {
        id,
        head,
        by: Some(Owner::White),
        command: ply(text),
        token: Some(token()),
        request,
    };
    let first = archive.act(change("e4", key("k", 1)), books()).unwrap();
    act(&archive, id, Owner::Black, ply("e5")).unwrap();
    let again = archive.act(change("e4", key("k", 1)), books()).unwrap();
    assert_eq!((again.sequence, again.game.head()), (first.sequence, first.game.head()));
    assert_eq!(again.game.state.fen(), first.game.state.fen());
    assert!(matches!(archive.act(change("d4", key("k", 2)), books()), Err(ActError::KeyUsed(_))));
    assert!(matches!(archive.act(change("e4", key("l", 1)), books()), Err(ActError::Stale(_))));
    let create =
        |asked| archive.create_correspondence(proposal("chess"), (Some(token()), key("new", asked)), books());
    let (one, two) = (create(3).unwrap(), create(3).unwrap());
    assert_eq!((one.game.id, two.logged), (two.game.id, None));
    assert!(matches!(create(4), Err(ActError::KeyUsed(_))));
    assert_eq!(findings(&archive), [""; 0]);
}

#[test]
fn a_game_is_found_by_who_plays_it() {
    let (_folder, _, archive, id) = begun("chaos");
    let found = |person, status| {
        let found = archive.correspondences(person, status, None, 10).unwrap();
        found.into_iter().map(|(_, id)| id).collect::<Vec<_>>()
    };
    for person in [None, Some("Ann"), Some("Ben"), Some("Brown")] {
        assert_eq!(found(person, Some(Status::Running)), [id], "{person:?}");
    }
    assert_eq!(found(Some("Cleo"), None), []);
    act(&archive, id, Owner::Black, Command::Resign).unwrap();
    assert_eq!(found(Some("Ann"), Some(Status::Running)), []);
    assert_eq!(found(Some("Ann"), Some(Status::Ended)), [id]);
}

/// A game with a clock in which White is to move, with the state of its clocks moved into the past.
fn timed(variant: &str, clock: &str) -> (tempfile::TempDir, std::path::PathBuf, Archive, CorrespondenceId) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ferz");
    let archive = Archive::open(&path).unwrap();
    let proposal = Proposal { clock: Some(clock.into()), ..proposal(variant) };
    let created = archive.create_correspondence(proposal, (Some(token()), None), books()).unwrap();
    let (id, terms) = (created.game.id, created.game.state.setting().terms.digest());
    for player in Owner::REAL {
        act(&archive, id, player, Command::Accept { terms: terms.clone() }).unwrap();
    }
    (folder, path, archive, id)
}

/// The file of an archive, in which acts can be changed and deleted.
fn unguarded(path: &std::path::Path) -> rusqlite::Connection {
    let connection = rusqlite::Connection::open(path).unwrap();
    connection.execute_batch("DROP TRIGGER acts_stay; DROP TRIGGER acts_are_kept").unwrap();
    connection
}

/// The archive again, as if everything in it had happened so many milliseconds earlier.
fn aged(archive: Archive, path: &std::path::Path, by: i64, alive: bool) -> Archive {
    drop(archive);
    let connection = unguarded(path);
    connection.execute("UPDATE act SET happened = happened - ?1", [by]).unwrap();
    connection.execute("UPDATE correspondence SET due = due - ?1", [by]).unwrap();
    if alive {
        connection.execute("UPDATE alive SET at = at - ?1", [by]).unwrap();
    }
    drop(connection);
    Archive::open(path).unwrap()
}

#[test]
fn a_player_whose_time_is_up_has_lost() {
    const DAY: i64 = 86_400_000;
    for notices in 0..3 {
        let (_folder, path, archive, id) = timed("chess", "days-per-move");
        act(&archive, id, Owner::White, ply("e4")).unwrap();
        assert_eq!(archive.end_overdue(books()), Ok(0));
        let archive = aged(archive, &path, 3 * DAY + 1000, false);
        let over = "the game is over: 1-0 by time";
        match notices {
            0 => assert_eq!(archive.end_overdue(books()), Ok(1)),
            // Black's ply comes too late, White's resignation as well.
            1 => assert_eq!(act(&archive, id, Owner::Black, ply("e5")).unwrap_err().to_string(), over),
            _ => assert_eq!(act(&archive, id, Owner::White, Command::Resign).unwrap_err().to_string(), over),
        }
        let game = archive.correspondence(id, books()).unwrap();
        let end = game.state.end().unwrap();
        assert_eq!((end.cause.as_str(), end.by), ("time", Some(Owner::Black)));
        assert!(game.entry.is_some());
        assert_eq!(archive.end_overdue(books()), Ok(0));
    }
}

/// No clock counts the time in which no service ran.
#[test]
fn an_outage_costs_no_one_time() {
    const DAY: i64 = 86_400_000;
    let (_folder, path, archive, id) = timed("chess", "days-per-move");
    act(&archive, id, Owner::White, ply("e4")).unwrap();
    let archive = aged(archive, &path, 3 * DAY + 1000, true);
    assert_eq!(archive.note_alive(30_000, books()), Ok(1));
    assert_eq!(archive.end_overdue(books()), Ok(0));
    assert_eq!(archive.note_alive(30_000, books()), Ok(0));
    let game = archive.correspondence(id, books()).unwrap();
    assert_eq!(game.acts.last().map(|act| act.event.what.kind()), Some("stoppage"));
    let running = game.state.clocks(now()).unwrap().running.unwrap();
    assert!(running.spent < 60_000, "{running:?}");
    act(&archive, id, Owner::Black, ply("e5")).unwrap();
    // A game without clocks, and one that has not begun, have none that stand still.
    let (_other, path, archive, _) = begun("chess");
    let archive = aged(archive, &path, DAY, true);
    assert_eq!(archive.note_alive(30_000, books()), Ok(0));
}

fn branch(when: &str, then: &str, next: Vec<Branch>) -> Branch {
    Branch { when: when.into(), then: then.into(), next }
}

fn set(
    archive: &Archive,
    id: CorrespondenceId,
    by: Owner,
    tree: &[Branch],
) -> Result<Correspondence, ActError> {
    let head = archive.correspondence(id, books())?.head();
    archive.set_conditional(id, head, (by, tree), books())
}

#[test]
fn conditional_plies_are_answers() {
    let (_folder, path, archive, id) = begun("chess");
    act(&archive, id, Owner::White, ply("e4")).unwrap();
    let before = archive.correspondence(id, books()).unwrap().head();
    let tree = [
        branch("e5", "Nf3", vec![branch("Nc6", "Bb5", vec![branch("a6", "Ba4", Vec::new())])]),
        branch("c5", "c3", Vec::new()),
    ];
    let game = set(&archive, id, Owner::White, &tree).unwrap();
    // Nothing of it is in the log, and it is there after a restart.
    assert_eq!((game.head(), game.trees[0][0].when.as_str()), (before, "e7e5"));
    drop(archive);
    let archive = Archive::open(&path).unwrap();
    let acted = act(&archive, id, Owner::Black, ply("e5")).unwrap();
    assert_eq!(acted.game.state.plies(), ["e2e4", "e7e5", "g1f3"]);
    assert_eq!(acted.game.trees[0][0].when, "b8c6");
    // Black offers a draw, which is White's to answer; the tree waits.
    let offer = Command::Ply { text: "Nc6".into(), offer: Some(OfferKind::Draw), signature: None };
    let acted = act(&archive, id, Owner::Black, offer).unwrap();
    assert_eq!((acted.game.state.plies().len(), acted.game.trees[0].len()), (4, 1));
    let acted = act(&archive, id, Owner::White, ply("Bc4")).unwrap();
    assert_eq!((acted.game.state.plies().len(), acted.game.trees[0].len()), (5, 0));
    // The game goes elsewhere.
    set(&archive, id, Owner::White, &[branch("a6", "a3", Vec::new())]).unwrap();
    let acted = act(&archive, id, Owner::Black, ply("h6")).unwrap();
    assert_eq!((acted.game.state.plies().len(), acted.game.trees[0].len()), (6, 0));
    assert_eq!(findings(&archive), [""; 0]);
    for (by, tree, why) in [
        (Owner::White, vec![branch("a6", "a3", Vec::new())], "it is your own move"),
        (Owner::Black, vec![branch("Ke4", "a6", Vec::new())], "`Ke4`"),
        (Owner::Black, vec![branch("d3", "Ke5", Vec::new())], "`Ke5`"),
        (Owner::Black, vec![branch("d3", "a6", Vec::new()), branch("d2d3", "b6", Vec::new())], "two answers"),
        (Owner::Black, (0..65).map(|_| branch("d3", "a6", Vec::new())).collect(), "more than 64"),
    ] {
        let refused = set(&archive, id, by, &tree).unwrap_err().to_string();
        assert!(refused.contains(why), "{refused}");
    }
}

/// Both players have answers: a whole game follows from one ply, and a repeated request shows the same.
#[test]
fn answers_lead_to_answers() {
    let (_folder, _, archive, id) = begun("chess");
    act(&archive, id, Owner::White, ply("f3")).unwrap();
    set(&archive, id, Owner::White, &[branch("e5", "g4", Vec::new())]).unwrap();
    let head = archive.correspondence(id, books()).unwrap().head();
    let change = Act {
        id,
        head,
        by: Some(Owner::Black),
        command: ply("e5"),
        token: Some(token()),
        request: key("k", 1),
    };
    let acted = archive.act(change.clone(), books()).unwrap();
    assert_eq!(acted.game.state.plies(), ["f2f3", "e7e5", "g2g4"]);
    act(&archive, id, Owner::Black, ply("Qh4")).unwrap();
    let again = archive.act(change, books()).unwrap();
    assert_eq!(again.game.state.plies(), acted.game.state.plies());
    assert_eq!(findings(&archive), [""; 0]);
}

/// An answer waits while Nature may come, and is not given if her turn has made it illegal.
#[test]
fn answers_wait_for_nature() {
    let turns = ["e5=R", "e5=N", "e5=Q", "e5=B"].map(ply);
    for (natures, last) in [(&[Command::Decline][..], "e7e5"), (&turns[..], "@e5")] {
        let (_folder, _, archive, id) = begun("chaos");
        for text in ["e4", "d6", "a3", "a6"] {
            let by = archive.correspondence(id, books()).unwrap().state.to_act()[0];
            act(&archive, id, by, ply(text)).unwrap();
        }
        set(&archive, id, Owner::Black, &[branch("b3", "e5", Vec::new())]).unwrap();
        let acted = act(&archive, id, Owner::White, ply("b3")).unwrap();
        assert_eq!(acted.game.state.to_act(), [Owner::Nature]);
        assert_eq!(acted.game.trees[1].len(), 1);
        let mut made = natures.iter().map(|nature| act(&archive, id, Owner::Nature, nature.clone()));
        let acted = made.find_map(Result::ok).unwrap();
        assert!(acted.game.state.plies().last().is_some_and(|ply| ply.ends_with(last)), "{last}");
        assert_eq!((acted.game.state.plies().len(), acted.game.trees[1].len()), (6, 0));
    }
}

/// A game goes on by the rules that its players accepted, even where these are no longer known.
#[test]
fn a_game_goes_on_by_its_own_rules() {
    let own = "name = \"sideways\"\nextends = \"chess\"\nedition = \"1\"\ntitle = \"Sideways\"\n\n\
        [ends]\nstalemate = \"loss\"\n";
    let mut registry = Registry::built_in().clone();
    registry.add(own).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::open(folder.path().join("a.ferz")).unwrap();
    let created = archive
        .create_correspondence(proposal("sideways"), (Some(token()), None), (&registry, Policies::built_in()))
        .unwrap();
    let (id, terms) = (created.game.id, created.game.state.setting().terms.digest());
    for player in Owner::REAL {
        act(&archive, id, player, Command::Accept { terms: terms.clone() }).unwrap();
    }
    act(&archive, id, Owner::White, ply("e4")).unwrap();
    act(&archive, id, Owner::Black, Command::Resign).unwrap();
    let game = archive.correspondence(id, books()).unwrap();
    let entry = archive.get(game.entry.unwrap()).unwrap().unwrap();
    assert_eq!((&*entry.summary.variant, entry.summary.valid), ("sideways", true));
    assert_eq!(findings(&archive), [""; 0]);
    assert!(archive.played_bundle(id, books()).unwrap().is_some());
}

#[test]
fn changed_acts_are_found() {
    for (change, expected) in [
        ("UPDATE act SET what = replace(what, 'e4', 'd4') WHERE sequence = 3", "event"),
        ("UPDATE act SET player = 'black' WHERE sequence = 3", "`player` of row 4 of `act`"),
        ("UPDATE act SET ply = 2 WHERE sequence = 3", "`ply` of row 4 of `act`"),
        ("UPDATE act SET token = 'ben' WHERE sequence = 3", "`what` of row 4 of `act`"),
        ("DELETE FROM act WHERE sequence = 4", "added row 5 of `act`, which is missing"),
        ("UPDATE correspondence SET status = 'ended'", "has another status or entry"),
        ("UPDATE seat SET name = 'Cleo' WHERE player = 'black'", "has other players"),
        ("DELETE FROM seat WHERE player = 'black'", "has other players"),
        (
            "INSERT INTO correspondence (id, status, timed) VALUES (x'00', 'running', 0)",
            "was created by no event",
        ),
    ] {
        let (_folder, path, archive, id) = begun("chess");
        act(&archive, id, Owner::White, ply("e4")).unwrap();
        act(&archive, id, Owner::Black, Command::Offer(OfferKind::Draw)).unwrap();
        let connection = unguarded(&path);
        connection.execute_batch(change).unwrap();
        let messages = findings(&archive);
        assert!(messages.iter().any(|message| message.contains(expected)), "{change}: {messages:#?}");
    }
}

/// A player's key signs each ply: the archive stores no other, and finds one that was changed behind its back.
#[test]
fn signed_plies_cannot_be_forged() {
    use crate::log::SigningKey;
    let (_folder, path, archive, id) = begun("chess");
    let ann = SigningKey::new("Ann", &[7; 32]).unwrap();
    let wrong = Command::Register { vkey: "Ann+00000000+AQ==".into() };
    assert!(matches!(act(&archive, id, Owner::White, wrong), Err(ActError::Signature(_))));
    let vkey = ann.verifier().to_string();
    act(&archive, id, Owner::White, Command::Register { vkey }).unwrap();
    let signed = |key: &SigningKey, text: &str, coord: &str| {
        let game = archive.correspondence(id, books()).unwrap();
        let ply = SignedPly { id, head: game.head(), sequence: game.state.events(), coord };
        let signature = Some(key.sign_text(&ply.to_string()));
        Command::Ply { text: text.into(), offer: None, signature }
    };
    let other = SigningKey::new("Ann", &[8; 32]).unwrap();
    for wrong in [signed(&other, "e4", "e2e4"), signed(&ann, "d4", "e2e4")] {
        assert!(matches!(act(&archive, id, Owner::White, wrong), Err(ActError::Signature(_))));
    }
    assert!(act(&archive, id, Owner::White, ply("e4")).is_err());
    act(&archive, id, Owner::White, signed(&ann, "e4", "e2e4")).unwrap();
    act(&archive, id, Owner::Black, ply("e5")).unwrap();
    act(&archive, id, Owner::White, signed(&ann, "Nf3", "g1f3")).unwrap();
    // A sealed ply is signed when it is revealed.
    act(&archive, id, Owner::Black, ply("Nc6")).unwrap();
    act(&archive, id, Owner::White, Command::Offer(OfferKind::Adjourn)).unwrap();
    act(&archive, id, Owner::Black, Command::Answer { accept: true }).unwrap();
    act(&archive, id, Owner::White, Command::Commit { hash: seed_digest("Bb5 x") }).unwrap();
    let Command::Ply { signature, .. } = signed(&ann, "Bb5", "f1b5") else { unreachable!() };
    let reveal = |signature| Command::Reveal { value: "Bb5 x".into(), signature };
    assert!(act(&archive, id, Owner::White, reveal(None)).is_err());
    act(&archive, id, Owner::White, reveal(signature)).unwrap();
    act(&archive, id, Owner::Black, Command::Resign).unwrap();
    assert_eq!(findings(&archive), [""; 0]);
    let bundle = archive.played_bundle(id, books()).unwrap().unwrap();
    assert_eq!(bundle.receipts().len(), archive.correspondence(id, books()).unwrap().acts.len());
    drop(archive);
    // With the file and the key of the log one could write other acts; not the signature of a player.
    let connection = unguarded(&path);
    let forge = "UPDATE act SET what = replace(what, '\"signature\":\"', '\"signature\":\"AAAA') \
        WHERE what LIKE '%signature%' AND ply = 1";
    assert_eq!(connection.execute(forge, []).unwrap(), 1);
    drop(connection);
    let archive = Archive::open_existing(&path).unwrap();
    let found = findings(&archive).join("\n");
    assert!(found.contains("signature"), "{found}");
}

/// Armies that were secret, a game from elsewhere, a dispute with an appeal: each is kept, verified and proved.
#[test]
fn what_players_agree_on_is_kept_and_proved() {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::open(folder.path().join("a.ferz")).unwrap();
    let create =
        |proposal| archive.create_correspondence(proposal, (Some(token()), None), books()).unwrap().game.id;
    let accept = |id| {
        let terms = archive.correspondence(id, books()).unwrap().state.setting().terms.digest();
        for player in Owner::REAL {
            act(&archive, id, player, Command::Accept { terms: terms.clone() }).unwrap();
        }
    };
    let armies = create(proposal("augmented"));
    accept(armies);
    let secrets = ["RF ND BfbN QffNsbN 5f0c", "RA NW BD RNF 77aa"];
    for (player, secret) in Owner::REAL.into_iter().zip(secrets) {
        act(&archive, armies, player, Command::Commit { hash: seed_digest(secret) }).unwrap();
    }
    assert_eq!(findings(&archive), [""; 0]);
    for (player, secret) in Owner::REAL.into_iter().zip(secrets) {
        act(&archive, armies, player, Command::Reveal { value: secret.into(), signature: None }).unwrap();
    }
    act(&archive, armies, Owner::White, ply("e4")).unwrap();
    act(&archive, armies, Owner::Black, Command::Resign).unwrap();
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let record = "[White \"Ann\"]\n[Black \"Ben\"]\n[Variant \"ingols\"]\n\n1. e4 *";
    let budget = ferz_core::text::Budget::unlimited();
    let adopted = Proposal::of_record(record, None, &mut replayer, Policies::built_in(), &budget).unwrap();
    let adopted = create(adopted);
    accept(adopted);
    act(&archive, adopted, Owner::Black, ply("d5")).unwrap();
    act(&archive, adopted, Owner::White, Command::Resign).unwrap();
    let disputed = create(proposal("chess"));
    accept(disputed);
    act(&archive, disputed, Owner::White, ply("e4")).unwrap();
    let claim: ClaimName = serde_json::from_str("\"forced_draw\"").unwrap();
    act(&archive, disputed, Owner::White, Command::Claim { claim, intended: None, check: None }).unwrap();
    assert_eq!(findings(&archive), [""; 0]);
    let as_arbiter = |command| {
        let head = archive.correspondence(disputed, books()).unwrap().head();
        let act = Act { id: disputed, head, by: None, command, token: Some(token()), request: None };
        archive.act(act, books()).unwrap()
    };
    let rule = |result| Command::Rule { result, because: "so it is".into() };
    let ruled = as_arbiter(rule(GameResult::Draw));
    assert_eq!((ruled.game.state.status(), ruled.game.entry), (Status::Ended, None));
    assert_eq!(findings(&archive), [""; 0]);
    act(&archive, disputed, Owner::Black, Command::Appeal { because: "it is not".into() }).unwrap();
    assert_eq!(findings(&archive), [""; 0]);
    let ruled = as_arbiter(rule(GameResult::Unknown));
    assert_eq!(ruled.game.state.status(), Status::Annulled);
    assert!(ruled.game.entry.is_some());
    assert_eq!(findings(&archive), [""; 0]);
    let key = archive.log_key().unwrap().parse().unwrap();
    for (id, plies) in [(armies, 1), (adopted, 2), (disputed, 1)] {
        let game = archive.correspondence(id, books()).unwrap();
        let entry = archive.get(game.entry.unwrap()).unwrap().unwrap();
        assert_eq!(entry.moves.len(), plies);
        let bundle = archive.played_bundle(id, books()).unwrap().unwrap();
        let head = crate::log::Checkpoint::open(bundle.checkpoint(), &key).unwrap();
        assert_eq!(bundle.leads_to(&head, Policies::built_in()).unwrap().plies().len(), plies);
    }
}

/// To forget an entry is to forget the names and texts of the game that it was, too.
#[test]
fn a_game_that_was_played_here_is_forgotten_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ferz");
    let archive = Archive::open(&path).unwrap();
    let names = ["Annabel Arber", "Benedict Bolt"];
    let players = Players { white: names[0].into(), black: names[1].into(), nature: None };
    let proposal = Proposal { players, ..proposal("chess") };
    let created = archive.create_correspondence(proposal, (Some(token()), None), books()).unwrap();
    let (id, terms) = (created.game.id, created.game.state.setting().terms.digest());
    for player in Owner::REAL {
        act(&archive, id, player, Command::Accept { terms: terms.clone() }).unwrap();
    }
    act(&archive, id, Owner::White, ply("e4")).unwrap();
    act(&archive, id, Owner::Black, Command::Resign).unwrap();
    let entry = archive.correspondence(id, books()).unwrap().entry.unwrap();
    let forgetting = Forgetting { id: entry, because: "asked for".into() };
    archive.forget(forgetting).unwrap();
    let gone = archive.correspondence(id, books()).unwrap_err();
    assert!(matches!(gone, ActError::Archive(ArchiveError::Forgotten(_))), "{gone}");
    assert!(archive.played_bundle(id, books()).is_ok_and(|bundle| bundle.is_none()));
    let found = findings(&archive);
    assert!(found.len() == 1 && found[0].contains("was forgotten by event"), "{found:?}");
    archive.clean().unwrap();
    drop(archive);
    let bytes = std::fs::read(&path).unwrap();
    for name in names {
        let is_there = bytes.windows(name.len()).any(|window| window == name.as_bytes());
        assert!(!is_there, "{name} is still in the file");
    }
    // What is left of it is found if it says more than its events do.
    let connection = unguarded(&path);
    let more = "UPDATE act SET what = json_set(what, '$.text', 'Ann') WHERE sequence = 3";
    assert_eq!(connection.execute(more, []).unwrap(), 1);
    drop(connection);
    let archive = Archive::open_existing(&path).unwrap();
    assert!(findings(&archive).iter().any(|found| found.contains("what")), "{:?}", findings(&archive));
}

/// A game continues by the policies that its players accepted, and its bundle has them.
#[test]
fn policies_are_kept_with_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ferz");
    let own = |days| {
        format!(
            "policy = \"club\"\ntitle = \"Our club\"\n[clock]\ncontrol = \"1/{days}d\"\nunused = \"lost\"\n"
        )
    };
    let (before, after) = (own(2), own(5));
    let before = Policies::with_files([before.as_str()]).unwrap();
    let after = Policies::with_files([after.as_str()]).unwrap();
    let archive = Archive::open(&path).unwrap();
    let proposal = Proposal { clock: Some("club".into()), ..proposal("chess") };
    let by = (Some(token()), None);
    let created = archive.create_correspondence(proposal, by, (Registry::built_in(), &before)).unwrap();
    let (id, terms) = (created.game.id, created.game.state.setting().terms.digest());
    drop(archive);
    let archive = Archive::open(&path).unwrap();
    // The file was changed, or is gone.
    for policies in [&after, &**Policies::built_in()] {
        let books = (Registry::built_in(), policies);
        for player in Owner::REAL {
            let head = archive.correspondence(id, books).unwrap().head();
            let command = Command::Accept { terms: terms.clone() };
            let act = Act { id, head, by: Some(player), command, token: Some(token()), request: None };
            let _ = archive.act(act, books);
        }
        let game = archive.correspondence(id, books).unwrap();
        assert_eq!(
            (game.state.status(), game.state.setting().terms.digest()),
            (Status::Running, terms.clone())
        );
        assert_eq!(game.state.clocks(now()).unwrap().left[0], Some(2 * 86_400_000));
        let bundle = archive.played_bundle(id, books).unwrap().unwrap();
        let head = crate::log::Checkpoint::read(bundle.checkpoint()).unwrap();
        assert_eq!(bundle.leads_to(&head, Policies::built_in()).unwrap().status(), Status::Running);
    }
    assert_eq!(findings(&archive), [""; 0]);
}
