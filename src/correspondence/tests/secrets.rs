//! What players commit to before they reveal it.

use super::*;

fn commit(value: &str) -> Command {
    Command::Commit { hash: seed_digest(value) }
}

fn reveal(value: &str) -> Command {
    Command::Reveal { value: value.to_owned(), signature: None }
}

fn accept_all(played: &mut Played) {
    let terms = played.state.setting().terms.clone();
    for (player, _) in terms.players.all() {
        played.act(player, Command::Accept { terms: terms.digest() }).unwrap();
    }
}

fn secret_armies() -> Played {
    let proposal = Proposal { tags: Default::default(), ..proposal(6, Some("days-per-move")) };
    let setting = Setting::of_proposal(proposal, Registry::built_in(), Policies::built_in()).unwrap();
    assert!(setting.terms.secret_armies);
    Played::new(setting)
}

const ARMIES: [&str; 2] = ["RF ND BfbN QffNsbN 5f0c", "RA NW BD RNF 77aa"];

/// Commitments come before or after the acceptance, and no army is shown before both are fixed.
#[test]
fn armies_are_chosen_in_secret() {
    for late in [false, true] {
        let mut played = secret_armies();
        let terms = played.state.setting().terms.digest();
        if late {
            accept_all(&mut played);
        }
        let [white, black] = ARMIES;
        played.act(Owner::White, commit(white)).unwrap();
        assert_eq!(played.act(Owner::White, reveal(white)), Err(Refused::NotCommitted(Owner::Black)));
        assert_eq!(played.act(Owner::White, commit(black)), Err(Refused::Committed));
        played.act(Owner::Black, commit(black)).unwrap();
        assert_eq!(played.act(Owner::Black, reveal(white)), Err(Refused::OtherSecret));
        played.act(Owner::White, reveal(white)).unwrap();
        if !late {
            accept_all(&mut played);
        }
        assert_eq!(played.play(Owner::White, "e4"), Err(Refused::NotRevealed(Owner::Black)));
        check_record(&played.state);
        played.act(Owner::Black, reveal(black)).unwrap();
        assert_eq!((played.state.status(), played.state.to_act()), (Status::Running, vec![Owner::White]));
        played.play(Owner::White, "e4").unwrap();
        // Black's knight is a wazir and a knight.
        played.play(Owner::Black, "Ng8-f6").unwrap();
        check_record(&played.state);
        let record = played.state.record();
        assert!(
            record.contains("[WhiteArmy \"RF ND BfbN QffNsbN\"]\n[BlackArmy \"RA NW BD RNF\"]"),
            "{record}"
        );
        assert_eq!(played.state.setting().terms.digest(), terms);
        let again = State::of(secret_armies().state.setting().clone(), &played.events).unwrap();
        assert_eq!(seen(&again), seen(&played.state));
    }
}

#[test]
fn a_secret_that_is_no_army_is_refused() {
    let mut played = secret_armies();
    accept_all(&mut played);
    played.act(Owner::White, commit("my best men")).unwrap();
    played.act(Owner::Black, commit(ARMIES[1])).unwrap();
    let refused = played.act(Owner::White, reveal("my best men")).unwrap_err();
    assert!(matches!(refused, Refused::Army(_)), "{refused}");
    // An arbiter annuls what cannot begin, at once: there is nothing to appeal against.
    let annul = Command::Rule { result: GameResult::Unknown, because: "White has no army".into() };
    played.act_as(None, annul).unwrap();
    assert_eq!((played.state.status(), played.state.is_final()), (Status::Annulled, true));
}

#[test]
fn a_game_without_secrets_takes_none() {
    let mut played = Played::begun(setting(0, None));
    assert_eq!(played.act(Owner::White, commit("x")), Err(Refused::NoSecret));
    assert_eq!(played.act(Owner::White, Command::Commit { hash: "x".into() }), Err(Refused::NoHash));
    assert_eq!(played.act(Owner::White, reveal("x")), Err(Refused::NoSecret));
    let with_nonces = Proposal { nonces: true, ..proposal(0, None) };
    let refused = Setting::of_proposal(with_nonces, Registry::built_in(), Policies::built_in());
    assert!(matches!(refused, Err(ProposalError::Nonces)));
}

/// A game in progress has one board.
#[test]
fn a_game_on_two_boards_is_not_played() {
    let on_two = Proposal { variant: "bughouse".to_owned(), ..proposal(0, None) };
    let refused = Setting::of_proposal(on_two, Registry::built_in(), Policies::built_in());
    assert!(matches!(refused, Err(ProposalError::TwoBoards)));
}

/// The lot depends on the numbers of both players.
#[test]
fn the_players_numbers_are_hashed_into_the_lot() {
    let seed = "5eed";
    let drawn = |numbers: [&str; 2]| {
        let players = Players { white: "Ann".into(), black: "Ben".into(), nature: None };
        let proposal = Proposal {
            players,
            seed: Some(seed_digest(seed)),
            nonces: true,
            variant: "chaos".into(),
            tags: [("NatureRules".to_owned(), "advanced".to_owned())].into(),
            ..Proposal::default()
        };
        let setting = Setting::of_proposal(proposal, Registry::built_in(), Policies::built_in()).unwrap();
        let mut played = Played::new(setting);
        accept_all(&mut played);
        for (player, number) in Owner::REAL.into_iter().zip(numbers) {
            played.act(player, commit(number)).unwrap();
        }
        for (player, number) in Owner::REAL.into_iter().zip(numbers) {
            played.act(player, reveal(number)).unwrap();
        }
        let mut choices = Vec::new();
        for text in ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "d3", "d6"] {
            if played.state.to_act() == [Owner::Nature] {
                let event = draw(seed, "id", &played.state, played.now).unwrap();
                choices.push(event.what.coord().map(str::to_owned));
                let decline = Event { what: What::Declined, ..event };
                played.state.after(&decline).unwrap();
                played.events.push(decline);
            }
            let player = played.state.to_act()[0];
            played.play(player, text).unwrap();
        }
        choices
    };
    let first = drawn(["1a", "2b"]);
    assert!(!first.is_empty());
    assert_eq!(drawn(["1a", "2b"]), first);
    assert_ne!(drawn(["1a", "2c"]), first);
    assert_ne!(drawn(["1c", "2b"]), first);
}

fn adjourned(clock: Option<&str>) -> Played {
    let mut played = Played::begun(setting(0, clock));
    played.play(Owner::White, "e4").unwrap();
    played.act(Owner::White, Command::Offer(OfferKind::Adjourn)).unwrap();
    played.act(Owner::Black, Command::Offer(OfferKind::Adjourn)).unwrap();
    assert_eq!(
        (played.state.adjourned(), played.state.to_act()),
        (Some((Owner::Black, None)), vec![Owner::Black])
    );
    played
}

#[test]
fn a_ply_is_sealed_and_made_when_it_is_revealed() {
    let mut played = adjourned(Some("days-per-move"));
    assert_eq!(played.play(Owner::Black, "e5"), Err(Refused::Adjourned));
    assert!(matches!(played.act(Owner::White, commit("x")), Err(Refused::NotToAct { .. })));
    assert_eq!(played.act(Owner::Black, reveal("e5 x")), Err(Refused::NotSealed));
    played.act(Owner::Black, commit("e5 8a31")).unwrap();
    assert_eq!(played.act(Owner::Black, commit("d5 8a31")), Err(Refused::Committed));
    assert_eq!(
        played.act(Owner::White, Command::Offer(OfferKind::Takeback { to: 0 })),
        Err(Refused::Adjourned)
    );
    // Ten days pass, which count for no one: a move has three.
    played.now += 10 * 86_400_000;
    assert_eq!(played.state.overstepped(played.now), None);
    assert_eq!(played.act(Owner::Black, reveal("d5 8a31")), Err(Refused::OtherSecret));
    assert!(matches!(played.act(Owner::White, reveal("e5 8a31")), Err(Refused::NotToAct { .. })));
    played.act(Owner::Black, reveal("e5 8a31")).unwrap();
    assert_eq!((played.state.plies(), played.state.adjourned()), (&["e2e4".into(), "e7e5".into()][..], None));
    played.play(Owner::White, "Nf3").unwrap();
    check_record(&played.state);
    let again = State::of(played.state.setting().clone(), &played.events).unwrap();
    assert_eq!(seen(&again), seen(&played.state));
}

/// Events in which another ply is revealed than the one that was sealed are no game.
#[test]
fn another_ply_than_the_sealed_one_is_noticed() {
    let mut played = adjourned(None);
    let revealed = |value: &str| Event {
        at: played.now,
        by: Some(Owner::Black),
        what: What::Revealed { value: value.to_owned() },
    };
    assert!(played.state.clone().after(&revealed("e5 8a31")).is_err(), "nothing is sealed");
    let (right, wrong) = (revealed("e5 8a31"), revealed("d5 8a31"));
    played.act(Owner::Black, commit("e5 8a31")).unwrap();
    assert!(played.state.clone().after(&wrong).is_err());
    assert!(played.state.after(&right).is_ok());
}

/// The clock of the player who sealed a ply runs again after thirty days; the stop is no way to win time.
#[test]
fn an_adjournment_ends_by_the_clock() {
    let mut played = adjourned(Some("days-per-move"));
    played.act(Owner::Black, commit("e5 8a31")).unwrap();
    let (day, sealed) = (86_400_000, played.now);
    assert!(played.state.due(sealed).is_some_and(|due| due > sealed + 30 * day && due <= sealed + 33 * day));
    // An outage over that end is not counted.
    played.now = sealed + 40 * day;
    played.act_as(None, Command::Stoppage { from: sealed + 29 * day }).unwrap();
    assert_eq!(played.state.overstepped(sealed + 41 * day), None);
    assert_eq!(played.state.overstepped(sealed + 44 * day), Some(Owner::Black));
    played.now = sealed + 44 * day;
    played.act_as(None, Command::Tick).unwrap();
    assert_eq!(played.state.end().map(|end| end.cause.as_str()), Some("time"));
}

/// What cannot be adjourned now is not adjourned by an earlier offer.
#[test]
fn natures_chance_cannot_be_adjourned() {
    let mut played = Played::begun(setting(4, None));
    for text in ["e4", "e5", "Nf3", "Nc6"] {
        let player = played.state.to_act()[0];
        played.play(player, text).unwrap();
    }
    played.act(Owner::White, Command::Offer(OfferKind::Adjourn)).unwrap();
    played.play(Owner::White, "Bc4").unwrap();
    assert_eq!(played.state.to_act(), [Owner::Nature]);
    let agree = Command::Answer { accept: true };
    assert_eq!(played.act(Owner::Black, agree.clone()), Err(Refused::NotAdjournable));
    played.act(Owner::Nature, Command::Decline).unwrap();
    played.act(Owner::Black, agree).unwrap();
    assert_eq!(played.state.adjourned(), Some((Owner::Black, None)));
}

#[test]
fn a_sealed_ply_that_is_illegal_or_ambiguous_loses() {
    for sealed in ["Ke5 8a31", "Nd7 8a31", "nonsense"] {
        let mut played = Played::begun(setting(0, None));
        for text in ["e4", "Nf6", "d4", "d6", "c4"] {
            let player = played.state.to_act()[0];
            played.play(player, text).unwrap();
        }
        played.act(Owner::Black, Command::Offer(OfferKind::Adjourn)).unwrap();
        played.act(Owner::White, Command::Answer { accept: true }).unwrap();
        played.act(Owner::Black, commit(sealed)).unwrap();
        played.act(Owner::Black, reveal(sealed)).unwrap();
        let end = played.state.end().unwrap();
        assert_eq!((end.result, end.cause.as_str()), (GameResult::WhiteWins, "sealed-ply"), "{sealed}");
        check_record(&played.state);
    }
}

/// A player with a key signs each ply; the archive checks the signatures.
#[test]
fn a_player_with_a_key_signs_each_ply() {
    let mut played = Played::begun(setting(0, None));
    let key = || Command::Register { vkey: "Ann+01020304+AQ".into() };
    let ply = |text: &str, signature: Option<&str>| Command::Ply {
        text: text.into(),
        offer: None,
        signature: signature.map(str::to_owned),
    };
    assert_eq!(played.act(Owner::White, ply("e4", Some("x"))), Err(Refused::NoKey(Owner::White)));
    played.act(Owner::White, key()).unwrap();
    assert_eq!(played.act(Owner::White, key()), Err(Refused::HasKey(Owner::White)));
    assert_eq!(played.act(Owner::White, ply("e4", None)), Err(Refused::Unsigned(Owner::White)));
    played.act(Owner::White, ply("e4", Some("x"))).unwrap();
    played.act(Owner::Black, ply("e5", None)).unwrap();
    played.act(Owner::White, ply("Nf3", Some("y"))).unwrap();
    let tree = [Branch { when: "Nc6".into(), then: "Bb5".into(), next: Vec::new() }];
    assert!(matches!(check_tree(&played.state, Owner::White, &tree), Err(Refused::Tree(_))));
}
