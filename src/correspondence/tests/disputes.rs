//! Claims on which people decide, rulings and appeals.

use super::*;

const DAY: u64 = 86_400_000;

fn check(verdict: &str, strength: &str, result: Option<GameResult>) -> Option<Box<Check>> {
    let (verdict, strength) = (verdict.to_owned(), strength.to_owned());
    Some(Box::new(Check { certificate: None, explanation: "because".into(), result, strength, verdict }))
}

fn claim(check: Option<Box<Check>>) -> Command {
    Command::Claim { claim: ClaimName::Judged(ClaimKind::ForcedDraw), intended: None, check }
}

fn because() -> String {
    "it is so".to_owned()
}

fn rule(result: GameResult) -> Command {
    Command::Rule { result, because: because() }
}

fn begun() -> Played {
    let mut played = Played::begun(setting(0, Some("days-per-move")));
    played.play(Owner::White, "e4").unwrap();
    played
}

/// While a game is disputed no clock runs, and nothing happens but answers, rulings and resignations.
#[test]
fn a_claim_that_people_decide_stops_the_game() {
    let mut played = begun();
    played.act(Owner::White, claim(check("undetermined", "opinion", Some(GameResult::Draw)))).unwrap();
    assert_eq!((played.state.status(), played.state.to_act()), (Status::Disputed, vec![]));
    assert_eq!(played.play(Owner::Black, "e5"), Err(Refused::Disputed));
    assert_eq!(played.act(Owner::Black, claim(None)), Err(Refused::Disputed));
    let answer = |accept| Command::AnswerClaim { accept, because: None };
    assert_eq!(played.act(Owner::White, answer(true)), Err(Refused::NothingDisputed));
    played.now += 30 * DAY;
    assert_eq!((played.state.overstepped(played.now), played.state.due(played.now)), (None, None));
    played.act(Owner::Black, answer(false)).unwrap();
    assert_eq!(played.state.open_dispute().and_then(|dispute| dispute.accepted), Some(false));
    // The arbiter dismisses it, and the claimant pays what the policy says.
    let left = |played: &Played| played.state.clocks(played.now).unwrap().left;
    let before = left(&played);
    played.act_as(None, Command::Dismiss { because: because() }).unwrap();
    assert_eq!(left(&played)[1].unwrap() - before[1].unwrap(), 120_000);
    assert_eq!((played.state.status(), played.state.to_act()), (Status::Running, vec![Owner::Black]));
    played.play(Owner::Black, "e5").unwrap();
    // The other player accepts a claim, and the game ends as it says.
    played.act(Owner::Black, claim(check("upheld", "proved", Some(GameResult::Draw)))).unwrap();
    played.act(Owner::White, answer(true)).unwrap();
    let end = played.state.end().unwrap();
    assert_eq!(
        (end.result, end.cause.as_str(), played.state.is_final()),
        (GameResult::Draw, "forced_draw", true)
    );
    check_record(&played.state);
}

#[test]
fn a_claim_that_a_proof_refutes_is_false_at_once() {
    let mut played = begun();
    for strength in ["replayed", "proved", "table"] {
        let before = played.state.clocks(played.now).unwrap().left[1];
        played.act(Owner::White, claim(check("rejected", strength, None))).unwrap();
        assert_eq!(played.state.status(), Status::Running);
        assert!(played.state.clocks(played.now).unwrap().left[1] > before);
    }
    played.act(Owner::White, claim(check("rejected", "opinion", None))).unwrap();
    assert_eq!(played.state.status(), Status::Disputed);
    // It does not say how the game ends.
    let accept = Command::AnswerClaim { accept: true, because: None };
    assert_eq!(played.act(Owner::Black, accept), Err(Refused::NoResult));
    played.act(Owner::Black, Command::Resign).unwrap();
    assert_eq!(played.state.end().map(|end| end.cause.as_str()), Some("resignation"));
}

#[test]
fn a_ruling_can_be_appealed_against_once() {
    let mut played = begun();
    played.act_as(None, rule(GameResult::WhiteWins)).unwrap();
    let end = |played: &Played| played.state.end().map(|end| (end.result, end.cause.clone(), end.by));
    let ruled = |result| Some((result, "ruling".to_owned(), None));
    assert_eq!((end(&played), played.state.status()), (ruled(GameResult::WhiteWins), Status::Ended));
    assert!(!played.state.is_final());
    let appeal = || Command::Appeal { because: because() };
    assert!(matches!(played.play(Owner::Black, "e5"), Err(Refused::Over { .. })));
    played.now += 6 * DAY;
    played.act(Owner::Black, appeal()).unwrap();
    assert_eq!((end(&played), played.state.status()), (None, Status::Disputed));
    assert_eq!(played.act(Owner::White, appeal()), Err(Refused::Disputed));
    played.now += 60 * DAY;
    assert_eq!(played.act_as(None, Command::Tick), Err(Refused::NothingDue));
    played.act_as(None, rule(GameResult::Draw)).unwrap();
    assert_eq!((end(&played), played.state.is_final()), (ruled(GameResult::Draw), true));
    assert!(matches!(played.act(Owner::White, appeal()), Err(Refused::Over { .. })));
    assert!(matches!(played.act_as(None, rule(GameResult::BlackWins)), Err(Refused::Over { .. })));
    check_record(&played.state);
}

#[test]
fn a_ruling_is_final_when_time_passes_or_both_accept() {
    let mut played = begun();
    played.act_as(None, rule(GameResult::WhiteWins)).unwrap();
    let until = played.state.appealable_until().unwrap();
    assert_eq!((until, played.state.due(played.now)), (played.now + 7 * DAY, Some(until)));
    assert_eq!(played.act_as(None, Command::Tick), Err(Refused::NothingDue));
    played.now = until;
    let late = Command::Appeal { because: because() };
    assert_eq!(played.act(Owner::Black, late), Err(Refused::TooLateToAppeal));
    played.act_as(None, Command::Tick).unwrap();
    assert!(played.state.is_final());

    let mut played = begun();
    played.act_as(None, rule(GameResult::Unknown)).unwrap();
    assert_eq!(played.state.status(), Status::Annulled);
    let answer = |accept| Command::AnswerClaim { accept, because: None };
    assert_eq!(played.act(Owner::White, answer(false)), Err(Refused::Appeal));
    played.act(Owner::White, answer(true)).unwrap();
    let appeal = Command::Appeal { because: because() };
    assert_eq!(played.act(Owner::White, appeal), Err(Refused::TooLateToAppeal));
    played.act(Owner::Black, answer(true)).unwrap();
    assert_eq!((played.state.status(), played.state.is_final()), (Status::Annulled, true));
}

#[test]
fn a_policy_says_that_rulings_are_final() {
    let own = ["policy = \"club\"\ntitle = \"Our club\"\n[ruling]\nappeal = 0\n"];
    let policies = Policies::with_files(own).unwrap();
    let proposal = Proposal { policy: Some("club".into()), ..proposal(0, None) };
    let setting = Setting::of_proposal(proposal, Registry::built_in(), &policies).unwrap();
    let mut played = Played::begun(setting);
    played.act_as(None, rule(GameResult::Draw)).unwrap();
    assert!(played.state.is_final());
}

#[test]
fn claims_that_stop_the_clocks_have_a_number() {
    let mut played = begun();
    for _ in 0..10 {
        played.act(Owner::White, claim(None)).unwrap();
        played.act_as(None, Command::Dismiss { because: because() }).unwrap();
    }
    assert_eq!(played.act(Owner::White, claim(None)), Err(Refused::TooManyClaims));
    played.act(Owner::Black, claim(None)).unwrap();
}

/// A dispute over a sealed ply, longer than an adjournment lasts, costs no time.
#[test]
fn a_dispute_over_a_sealed_ply_costs_no_time() {
    let mut played = begun();
    played.act(Owner::White, Command::Offer(OfferKind::Adjourn)).unwrap();
    played.act(Owner::Black, Command::Answer { accept: true }).unwrap();
    played.act(Owner::Black, Command::Commit { hash: seed_digest("e5 x") }).unwrap();
    played.now += 29 * DAY;
    played.act_as(None, rule(GameResult::WhiteWins)).unwrap();
    played.now += 3 * DAY;
    played.act(Owner::Black, Command::Appeal { because: because() }).unwrap();
    played.now += 60 * DAY;
    played.act_as(None, Command::Dismiss { because: because() }).unwrap();
    assert_eq!((played.state.overstepped(played.now), played.state.status()), (None, Status::Running));
    // The adjournment is over; Black has what was left of the three days.
    assert!(played.state.due(played.now).is_some_and(|due| due > played.now + 2 * DAY));
    played.act(Owner::Black, Command::Reveal { value: "e5 x".into(), signature: None }).unwrap();
    assert_eq!(played.state.plies().len(), 2);
    // One that is dismissed earlier leaves the rest of the adjournment.
    let mut played = begun();
    played.act(Owner::White, Command::Offer(OfferKind::Adjourn)).unwrap();
    played.act(Owner::Black, Command::Answer { accept: true }).unwrap();
    played.act(Owner::Black, Command::Commit { hash: seed_digest("e5 x") }).unwrap();
    played.act_as(None, rule(GameResult::WhiteWins)).unwrap();
    played.now += DAY;
    played.act_as(None, Command::Dismiss { because: because() }).unwrap();
    assert!(played.state.due(played.now).is_some_and(|due| due > played.now + 31 * DAY));
}

/// The time in which no one could appeal is not counted.
#[test]
fn an_outage_is_not_counted_against_an_appeal() {
    let mut played = begun();
    played.act_as(None, rule(GameResult::WhiteWins)).unwrap();
    let (ruled, until) = (played.now, played.state.appealable_until().unwrap());
    played.now = ruled + 10 * DAY;
    played.act_as(None, Command::Stoppage { from: ruled + 6 * DAY }).unwrap();
    assert_eq!(played.state.appealable_until(), Some(until + 4 * DAY + 1000));
    played.act(Owner::Black, Command::Appeal { because: because() }).unwrap();
}

/// Nature has so long to decide as the policy says; an outage does not count.
#[test]
fn natures_chance_passes_in_time() {
    let own = ["policy = \"club\"\ntitle = \"Our club\"\n[clock]\nnature-time = \"2d\"\n"];
    let policies = Policies::with_files(own).unwrap();
    let proposal = Proposal { clock: Some("club".into()), ..proposal(4, None) };
    let setting = Setting::of_proposal(proposal, Registry::built_in(), &policies).unwrap();
    let mut played = Played::begun(setting);
    for text in ["e4", "e5", "Nf3", "Nc6", "Bc4"] {
        let player = played.state.to_act()[0];
        played.play(player, text).unwrap();
    }
    assert_eq!(played.state.to_act(), [Owner::Nature]);
    let since = played.now;
    assert_eq!(played.state.due(since), Some(since + 2 * DAY));
    played.now = since + DAY;
    played.act_as(None, Command::Stoppage { from: since + DAY / 2 }).unwrap();
    let due = since + 2 * DAY + DAY / 2 + 1000;
    assert_eq!(played.state.due(played.now), Some(due));
    played.now = due - 2000;
    assert_eq!(played.act_as(None, Command::Tick), Err(Refused::NothingDue));
    played.act_as(None, Command::Tick).unwrap();
    assert_eq!(played.state.to_act(), [Owner::Black]);
    assert_eq!(played.events.last().map(|event| (event.by, event.what.kind())), Some((None, "declined")));
}

/// IAGO's limit for one move, and the time-outs that exempt a move.
#[test]
fn a_time_out_exempts_a_move_from_its_limit() {
    let own = ["policy = \"club\"\ntitle = \"Our club\"\n\
        [clock]\nmove-limit = 60\ndelay-limit = 3\ntime-outs = 1\n"];
    let policies = Policies::with_files(own).unwrap();
    let proposal = Proposal { clock: Some("club".into()), ..proposal(1, None) };
    let setting = Setting::of_proposal(proposal, Registry::built_in(), &policies).unwrap();
    let mut played = Played::begun(setting);
    assert_eq!(
        played.act(Owner::Black, Command::TimeOut),
        Err(Refused::NotToAct { by: Owner::Black, to_act: vec![Owner::White] })
    );
    played.act(Owner::White, Command::TimeOut).unwrap();
    assert_eq!(played.act(Owner::White, Command::TimeOut), Err(Refused::TimeOuts { allowed: 1, taken: 1 }));
    played.now += 600_000;
    played.play(Owner::White, "e4").unwrap();
    played.now += 179_000 - 1000;
    assert_eq!(played.state.overstepped(played.now), None);
    played.now += 1000;
    played.act_as(None, Command::Tick).unwrap();
    let end = played.state.end().unwrap();
    assert_eq!((end.result, end.cause.as_str(), end.by), (GameResult::WhiteWins, "time", Some(Owner::Black)));
    assert_eq!(played.state.clocks(played.now).unwrap().delays, [10, 0]);
}
