//! Laws of games in progress, in random games with random commands.

mod adoption;
mod disputes;
mod secrets;

use crate::*;
use ferz_core::board::Owner;
use ferz_core::judge::ClaimableKind;
use ferz_core::notation::Style;
use ferz_core::rules::Registry;
use ferz_proof::adjudicate::ClaimKind;
use ferz_records::clock::Policies;
use ferz_records::record::{GameResult, read};
use ferz_records::replay::{Options, Replayer, Source};
use proptest::prelude::*;

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

const GAMES: [(&str, &[(&str, &str)]); 8] = [
    ("chess", &[]),
    ("iago-b", &[]),
    ("ichess", &[]),
    ("ingols", &[]),
    ("chaos", &[("NatureRules", "advanced")]),
    ("chaos+ichess", &[]),
    ("augmented", &[("WhiteArmy", "RF ND BfbN QffNsbN"), ("BlackArmy", "RA NW BD RNF")]),
    ("chess", &[("FEN", "4k3/P7/8/8/8/8/8/4K3 b - - 0 1")]),
];

fn proposal(game: usize, clock: Option<&str>) -> Proposal {
    let (variant, tags) = GAMES[game];
    let nature = variant.contains("chaos").then(|| "Brown".to_owned());
    Proposal {
        clock: clock.map(str::to_owned),
        players: Players { white: "Ann \"A\"".into(), black: "Ben".into(), nature },
        tags: tags.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        variant: variant.to_owned(),
        ..Proposal::default()
    }
}

fn setting(game: usize, clock: Option<&str>) -> Setting {
    Setting::of_proposal(proposal(game, clock), Registry::built_in(), Policies::built_in()).unwrap()
}

/// A game with the events that led to it.
struct Played {
    state: State,
    events: Vec<Event>,
    now: u64,
}

impl Played {
    fn new(setting: Setting) -> Played {
        let terms = Box::new((*setting.terms).clone());
        let events = vec![Event { at: 0, by: None, what: What::Created { terms, policies: Vec::new() } }];
        Played { state: State::new(setting).unwrap(), events, now: 0 }
    }

    fn begun(setting: Setting) -> Played {
        let mut played = Played::new(setting);
        let terms = played.state.setting().terms.clone();
        for (player, _) in terms.players.all() {
            played.act(player, Command::Accept { terms: terms.digest() }).unwrap();
        }
        played
    }

    fn act(&mut self, by: Owner, command: Command) -> Result<(), Refused> {
        self.act_as(Some(by), command)
    }

    fn act_as(&mut self, by: Option<Owner>, command: Command) -> Result<(), Refused> {
        self.now += 1000;
        for event in decide(&self.state, by, &command, self.now)? {
            self.state.after(&event).unwrap();
            self.events.push(event);
        }
        Ok(())
    }

    fn play(&mut self, by: Owner, text: &str) -> Result<(), Refused> {
        self.act(by, Command::Ply { text: text.to_owned(), offer: None, signature: None })
    }
}

/// Everything that can be seen of a game.
fn seen(state: &State) -> String {
    let (status, to_act, end) = (state.status(), state.to_act(), state.end());
    let offer = state.offer();
    format!("{status:?} {to_act:?} {end:?} {offer:?} {:?} {} {}", state.plies(), state.fen(), state.record())
}

/// A secret ply of the player on move, the same for one position.
fn sealed(state: &State) -> String {
    let position = state.game.position();
    let plies = state.game.legal_plies();
    let ply = plies.iter().find(|ply| ply.actor == position.turn());
    let text = ply.and_then(|ply| position.write(ply, Style::Coord).ok());
    format!("{} {}", text.unwrap_or_else(|| "--".to_owned()), state.plies().len())
}

/// A random command of a random player or an arbiter about an adjournment or a dispute.
fn of_desk(state: &State, numbers: &mut Numbers) -> (Option<Owner>, Command) {
    let because = || "a reason".to_owned();
    let player = Some(Owner::REAL[numbers.below(2)]);
    let sealer = state.adjourned().map(|(player, _)| player).or(player);
    match numbers.below(12) {
        0 => (player, Command::Offer(OfferKind::Adjourn)),
        1 => (player, Command::Answer { accept: true }),
        2 | 3 => (sealer, Command::Commit { hash: seed_digest(&sealed(state)) }),
        4 | 5 => (sealer, Command::Reveal { value: sealed(state), signature: None }),
        6 => {
            let kind = [ClaimKind::ForcedDraw, ClaimKind::Agreement][numbers.below(2)];
            let check = (numbers.below(2) == 0).then(|| {
                let result = (numbers.below(2) == 0).then_some(GameResult::Draw);
                let verdict = ["upheld", "rejected", "undetermined"][numbers.below(3)].to_owned();
                Box::new(Check {
                    certificate: None,
                    explanation: because(),
                    result,
                    strength: "proved".into(),
                    verdict,
                })
            });
            (player, Command::Claim { claim: ClaimName::Judged(kind), intended: None, check })
        }
        7 => (player, Command::AnswerClaim { accept: numbers.below(4) == 0, because: Some(because()) }),
        8 => (player, Command::Appeal { because: because() }),
        9 | 10 => (None, Command::Dismiss { because: because() }),
        _ => {
            let result = [GameResult::WhiteWins, GameResult::Draw, GameResult::Unknown][numbers.below(3)];
            (None, Command::Rule { result, because: because() })
        }
    }
}

/// A random command, most of them plies of those who may act.
fn command(state: &State, numbers: &mut Numbers) -> (Option<Owner>, Command) {
    let is_unusual = state.status() != Status::Running || state.adjourned().is_some();
    if numbers.below(if is_unusual { 2 } else { 12 }) == 0 {
        return of_desk(state, numbers);
    }
    let (by, command) = of_player(state, numbers);
    (Some(by), command)
}

/// A random command of a random player.
fn of_player(state: &State, numbers: &mut Numbers) -> (Owner, Command) {
    let to_act = state.to_act();
    let actor = if to_act.is_empty() || numbers.below(20) == 0 {
        Owner::ALL[numbers.below(3)]
    } else {
        to_act[numbers.below(to_act.len())]
    };
    let plies: Vec<_> = state.game.legal_plies().into_iter().filter(|ply| ply.actor == actor).collect();
    let takeback = OfferKind::Takeback { to: numbers.below(state.plies().len() + 1) };
    let offers = [OfferKind::Draw, takeback];
    let command = match numbers.below(60) {
        0 => Command::Offer(offers[numbers.below(2)]),
        1 => Command::Answer { accept: numbers.below(3) == 0 },
        2 if numbers.below(20) == 0 => Command::Resign,
        3 => Command::Accept { terms: state.setting().terms.digest() },
        4..=24 if actor == Owner::Nature => Command::Decline,
        25..=27 => Command::Call,
        28 => Command::Ply { text: "Zz9".into(), offer: None, signature: None },
        29 => Command::Leave { days: 1 + numbers.below(20) as u32 },
        30 => {
            let kinds = [ClaimableKind::ThreefoldRepetition, ClaimableKind::FiftyMoves];
            let claim = ClaimName::OnBoard(kinds[numbers.below(2)]);
            Command::Claim { claim, intended: None, check: None }
        }
        31 => Command::Claim { claim: ClaimName::ByClock(ByClock::TimeWin), intended: None, check: None },
        _ if plies.is_empty() => Command::Decline,
        _ => {
            let position = state.game.position();
            let style = [Style::Coord, Style::San, Style::Lan][numbers.below(3)];
            let ply = plies[numbers.below(plies.len())];
            let text = position.write(&ply, style).unwrap_or_else(|_| "--".to_owned());
            Command::Ply { text, offer: (numbers.below(30) == 0).then_some(OfferKind::Draw), signature: None }
        }
    };
    (actor, command)
}

/// The record of a game is legal, and ends like the game.
fn check_record(state: &State) {
    let text = state.record();
    let record = read(text.as_bytes(), 0).next().unwrap();
    let source = Source::new(text.as_bytes(), 0, 0);
    let report = Replayer::new(Registry::built_in(), Options::default()).report(&record, &source, 0);
    assert!(report.legal, "{text}\n{:?}", report.illegal);
    assert_eq!((report.plies, &report.final_fen), (state.plies().len(), &state.fen()), "{text}");
    let off_board =
        ["agreement", "resignation", "ruling", "time", "time_win", "silence", "forced_draw", "sealed-ply"];
    let claimed = ["threefold_repetition", "fifty_moves", "quiet_moves"];
    let own = state.end().filter(|end| {
        let cause = end.cause.as_str();
        !off_board.contains(&cause) && !claimed.contains(&cause)
    });
    if let Some(end) = own {
        assert_eq!(report.end.map(|end| end.reason.id()), Some(end.cause.as_str()), "{text}");
    }
    let wrong = report.diagnostics.iter().find(|found| found.severity == ferz_core::text::Severity::Error);
    assert_eq!(wrong, None, "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    /// The game is its events: after each command, the events alone lead to the same game, and its record is legal.
    #[test]
    fn a_game_is_its_events(game in 0usize..GAMES.len(), seed in any::<u64>(), steps in 1usize..60) {
        let mut numbers = Numbers(seed);
        let mut played = Played::begun(setting(game, Some("days-per-move")));
        for _ in 0..steps {
            let before = seen(&played.state);
            let (by, command) = command(&played.state, &mut numbers);
            let count = played.events.len();
            let outcome = played.act_as(by, command.clone());
            prop_assert_eq!(outcome.is_ok(), played.events.len() > count);
            if outcome.is_err() {
                prop_assert_eq!(seen(&played.state), before);
            }
            let is_running = played.state.status() == Status::Running;
            prop_assert_eq!(is_running, !played.state.to_act().is_empty(), "{:?}", command);
            prop_assert!(played.state.clocks(played.now).is_some());
        }
        let again = State::of(played.state.setting().clone(), &played.events).unwrap();
        prop_assert_eq!(seen(&again), seen(&played.state));
        let read: Vec<What> = played.events.iter()
            .map(|event| serde_json::from_str(&serde_json::to_string(&event.what).unwrap()).unwrap()).collect();
        prop_assert!(read.iter().eq(played.events.iter().map(|event| &event.what)));
        check_record(&played.state);
    }

    /// A player who is not to act cannot make a ply, whatever the text.
    #[test]
    fn only_who_is_to_act_moves(game in 0usize..GAMES.len(), seed in any::<u64>(), steps in 0usize..30) {
        let mut numbers = Numbers(seed);
        let mut played = Played::begun(setting(game, None));
        for _ in 0..steps {
            let (by, command) = command(&played.state, &mut numbers);
            let _ = played.act_as(by, command);
        }
        let to_act = played.state.to_act();
        for actor in Owner::ALL.into_iter().filter(|actor| !to_act.contains(actor)) {
            for ply in played.state.game.legal_plies() {
                let text = played.state.game.position().write(&ply, Style::Coord).unwrap();
                prop_assert!(played.play(actor, &text).is_err(), "{actor:?} {text}");
            }
        }
    }
}

#[test]
fn nothing_happens_before_all_have_accepted() {
    let mut played = Played::new(setting(0, None));
    assert_eq!(played.play(Owner::White, "e4"), Err(Refused::NotBegun(Owner::White)));
    let terms = played.state.setting().terms.digest();
    played.act(Owner::White, Command::Accept { terms: terms.clone() }).unwrap();
    assert_eq!(played.play(Owner::White, "e4"), Err(Refused::NotBegun(Owner::Black)));
    let other = Command::Accept { terms: "0".repeat(64) };
    assert_eq!(played.act(Owner::Black, other), Err(Refused::OtherTerms(terms.clone())));
    played.act(Owner::Black, Command::Accept { terms: terms.clone() }).unwrap();
    assert_eq!(played.act(Owner::Black, Command::Accept { terms }), Err(Refused::Accepted(Owner::Black)));
    played.play(Owner::White, "e4").unwrap();
    assert_eq!(played.state.plies(), ["e2e4"]);
}

#[test]
fn an_illegal_ply_is_refused_with_its_article() {
    let mut played = Played::begun(setting(0, None));
    let refused = played.play(Owner::White, "Ke3").unwrap_err();
    assert_eq!(refused.to_string(), "`Ke3` is not legal: the king on e1 does not go to e3 (FIDE 3.8)");
}

#[test]
fn a_draw_is_agreed_while_the_offer_stands() {
    let draw = Some(OfferKind::Draw);
    for (answer, cause) in [(Command::Offer(OfferKind::Draw), true), (Command::Answer { accept: true }, true)]
    {
        let mut played = Played::begun(setting(0, None));
        played.act(Owner::White, Command::Ply { text: "e4".into(), offer: draw, signature: None }).unwrap();
        assert_eq!(played.act(Owner::White, Command::Answer { accept: true }), Err(Refused::NoOffer));
        assert_eq!(played.act(Owner::White, Command::Offer(OfferKind::Draw)), Err(Refused::Offered));
        played.act(Owner::Black, answer).unwrap();
        assert_eq!(played.state.end().is_some_and(|end| end.cause == "agreement"), cause);
        check_record(&played.state);
    }
    // The offer lapses with the ply of its addressee.
    let mut played = Played::begun(setting(0, None));
    played.act(Owner::White, Command::Ply { text: "e4".into(), offer: draw, signature: None }).unwrap();
    played.play(Owner::Black, "e5").unwrap();
    assert_eq!(played.act(Owner::Black, Command::Answer { accept: true }), Err(Refused::NoOffer));
}

#[test]
fn plies_are_taken_back_by_agreement() {
    let mut played = Played::begun(setting(4, Some("days-per-move")));
    for text in ["e4", "e5", "Nf3", "Nc6", "Bc4"] {
        let player = played.state.to_act()[0];
        played.play(player, text).unwrap();
    }
    assert_eq!(played.state.to_act(), [Owner::Nature]);
    let takeback = |to| Command::Offer(OfferKind::Takeback { to });
    assert_eq!(played.act(Owner::White, takeback(5)), Err(Refused::TakebackTo { plies: 5 }));
    played.act(Owner::White, takeback(4)).unwrap();
    played.act(Owner::Black, takeback(3)).unwrap();
    played.act(Owner::White, takeback(3)).unwrap();
    assert_eq!((played.state.plies().len(), played.state.to_act()), (3, vec![Owner::Black]));
    assert_eq!(played.state.clocks(played.now).unwrap().running.unwrap().by, Owner::Black);
}

#[test]
fn takebacks_are_limited() {
    let mut played = Played::begun(setting(0, None));
    let takeback = || Command::Offer(OfferKind::Takeback { to: 0 });
    for _ in 0..100 {
        played.play(Owner::White, "e4").unwrap();
        played.act(Owner::White, takeback()).unwrap();
        played.act(Owner::Black, takeback()).unwrap();
    }
    played.play(Owner::White, "e4").unwrap();
    assert_eq!(played.act(Owner::White, takeback()), Err(Refused::TooManyTakebacks));
}

#[test]
fn nature_decides_before_play_goes_on_and_no_clock_runs() {
    let mut played = Played::begun(setting(4, Some("days-per-move")));
    for text in ["e4", "e5", "Nf3", "Nc6", "Bc4"] {
        let player = played.state.to_act()[0];
        played.play(player, text).unwrap();
    }
    assert_eq!(played.state.clocks(played.now + 1_000_000).unwrap().running.unwrap().spent, 0);
    let refused = played.play(Owner::Black, "Nf6").unwrap_err();
    assert_eq!(refused.to_string(), "it is not the turn of Black; to act: Nature");
    assert_eq!(played.act(Owner::White, Command::Decline), Err(Refused::NotFor(Owner::White)));
    played.act(Owner::Nature, Command::Decline).unwrap();
    played.play(Owner::Black, "Nf6").unwrap();
    played.act(Owner::Nature, Command::Call).unwrap();
    assert_eq!(played.act(Owner::Nature, Command::Decline), Err(Refused::HasCalled));
    // In the form of the game's inventor, as after the number of her turn.
    played.play(Owner::Nature, "a4=N").unwrap();
    assert_eq!(played.state.plies().last().map(String::as_str), Some("~N@a4"));
    assert_eq!(played.state.to_act(), [Owner::White]);
    check_record(&played.state);
}

#[test]
fn an_arbiter_rules_and_no_one_else() {
    let mut played = Played::begun(setting(0, None));
    let rule = |because: &str| Command::Rule { result: GameResult::BlackWins, because: because.into() };
    assert_eq!(played.act(Owner::White, rule("x")), Err(Refused::NotArbiter));
    assert_eq!(played.act_as(None, rule(" ")), Err(Refused::Reason));
    played.act_as(None, rule("White has left the event")).unwrap();
    let end = played.state.end().unwrap();
    assert_eq!((end.result, end.cause.as_str(), end.by), (GameResult::BlackWins, "ruling", None));
    let over = played.play(Owner::White, "e4").unwrap_err();
    assert_eq!(over.to_string(), "the game is over: 0-1 by ruling");
    check_record(&played.state);
}

#[test]
fn a_proposal_that_cannot_be_played_is_refused() {
    let refused = |change: &dyn Fn(&mut Proposal)| {
        let mut proposal = proposal(0, None);
        change(&mut proposal);
        let setting = Setting::of_proposal(proposal, Registry::built_in(), Policies::built_in());
        setting.err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(refused(&|_| ()), "");
    let nature = "`players.Nature`: the game has no third player; leave it out";
    assert_eq!(refused(&|proposal| proposal.players.nature = Some("Brown".into())), nature);
    let missing = "`players.Nature`: the game has a third player; name who plays Nature, \
        or let the lot decide";
    assert_eq!(refused(&|proposal| proposal.variant = "chaos".into()), missing);
    assert!(refused(&|proposal| proposal.clock = Some("slow".into())).contains("untimed"));
    assert!(refused(&|proposal| proposal.variant = "chss".into()).contains("chess"));
    assert!(refused(&|proposal| proposal.players.black = String::new()).contains("1 to 255"));
    let fen = |proposal: &mut Proposal| drop(proposal.tags.insert("FEN".into(), "8/8".into()));
    assert!(refused(&fen).starts_with("the tag `FEN`"));
    let tag = |proposal: &mut Proposal| drop(proposal.tags.insert("white".into(), "x".into()));
    assert!(refused(&tag).contains("`white`"));
}

/// Terms that were accepted bind to rules and policies: with others there is no game.
#[test]
fn changed_rules_are_noticed() {
    let terms = (*setting(1, None).terms).clone();
    let (registry, policies) = (Registry::built_in(), Policies::built_in());
    assert!(Setting::of_terms(terms.clone(), registry, policies).is_ok());
    let other = Terms { definition: "0".repeat(64), ..terms.clone() };
    let refused = Setting::of_terms(other, registry, policies).unwrap_err().to_string();
    assert!(refused.starts_with("the game `iago-b` is not the one that the players accepted"), "{refused}");
    let mut other = terms;
    other.policy.digest = "0".repeat(32);
    let refused = Setting::of_terms(other, registry, policies).unwrap_err().to_string();
    assert!(refused.starts_with("the policy `plain` is not the one"), "{refused}");
}

#[test]
fn claims_are_checked_at_once() {
    let claim = |kind, intended: Option<&str>| Command::Claim {
        claim: ClaimName::OnBoard(kind),
        intended: intended.map(str::to_owned),
        check: None,
    };
    let threefold = |intended| claim(ClaimableKind::ThreefoldRepetition, intended);
    let proposal = Proposal { policy: Some("iccf-days".into()), ..proposal(0, Some("iccf-days")) };
    let setting = Setting::of_proposal(proposal, Registry::built_in(), Policies::built_in()).unwrap();
    let mut played = Played::begun(setting);
    let round = ["Nf3", "Nf6", "Ng1", "Ng8"];
    for text in round.into_iter().chain(round).take(7) {
        let player = played.state.to_act()[0];
        played.play(player, text).unwrap();
    }
    let left = |played: &Played| played.state.clocks(played.now).unwrap().left;
    let before = left(&played);
    // Black has the move, and no position has occurred three times; the fee of the policy is five days.
    played.act(Owner::Black, threefold(None)).unwrap();
    let upheld = |event: &Event| match &event.what {
        What::Claimed { upheld, .. } => *upheld,
        _ => None,
    };
    assert_eq!(played.events.iter().find_map(upheld), Some(false));
    assert_eq!(played.state.status(), Status::Running);
    assert_eq!(left(&played)[0], before[0]);
    assert_eq!(before[1].unwrap() - left(&played)[1].unwrap(), 5 * 86_400_000);
    assert!(matches!(played.act(Owner::White, threefold(Some("Nf3"))), Err(Refused::NotToAct { .. })));
    assert!(matches!(played.act(Owner::Black, threefold(Some("Ke5"))), Err(Refused::Illegal { .. })));
    played.act(Owner::Black, threefold(Some("Ng8"))).unwrap();
    let end = played.state.end().unwrap();
    assert_eq!((end.result, end.cause.as_str()), (GameResult::Draw, "threefold_repetition"));
    check_record(&played.state);
}

#[test]
fn who_oversteps_loses_unless_the_opponent_could_not_win() {
    let day = 86_400_000;
    let mut played = Played::begun(setting(0, Some("days-per-move")));
    played.play(Owner::White, "e4").unwrap();
    assert_eq!(played.state.due(played.now), Some(played.now + 3 * day));
    played.now += 3 * day - 1000;
    assert_eq!(played.act_as(None, Command::Tick), Err(Refused::NothingDue));
    played.now += 1000;
    assert_eq!(played.play(Owner::Black, "e5"), Err(Refused::Overstepped(Owner::Black)));
    played.act_as(None, Command::Tick).unwrap();
    let end = played.state.end().unwrap();
    assert_eq!((end.result, end.cause.as_str(), end.by), (GameResult::WhiteWins, "time", Some(Owner::Black)));
    check_record(&played.state);
    // White has a lone king.
    let mut proposal = proposal(7, Some("days-per-move"));
    proposal.tags.insert("FEN".into(), "4k2p/8/8/8/8/8/8/4K3 b - - 0 1".into());
    let setting = Setting::of_proposal(proposal, Registry::built_in(), Policies::built_in()).unwrap();
    let mut played = Played::begun(setting);
    played.now += 4 * day;
    played.act_as(None, Command::Tick).unwrap();
    assert_eq!(played.state.end().unwrap().result, GameResult::Draw);
}

#[test]
fn leave_is_that_of_the_policy() {
    let mut played = Played::begun(setting(0, Some("iccf-days")));
    let leave = |days| Command::Leave { days };
    let refused = |taken| Err(Refused::Leave { allowed: 45, taken });
    assert_eq!(played.act(Owner::White, leave(0)), refused(0));
    assert_eq!(played.act(Owner::White, leave(46)), refused(0));
    played.act(Owner::White, leave(40)).unwrap();
    assert_eq!(played.act(Owner::White, leave(5)), Err(Refused::OnLeave(Owner::White)));
    assert_eq!(played.act(Owner::White, leave(6)), refused(40));
    // 40 days of leave, 50 of the clock, of which 30 count twice: 20 + 15.
    let until = played.events.last().unwrap().at + (40 + 35) * 86_400_000;
    assert!(played.state.due(played.now).is_some_and(|due| due.abs_diff(until) <= 86_400_000 + 10_000));
    played.act(Owner::Black, leave(45)).unwrap();
    let mut plain = Played::begun(setting(0, None));
    assert_eq!(plain.act(Owner::White, leave(1)), Err(Refused::Leave { allowed: 0, taken: 0 }));
}

const HOUR: u64 = 3_600_000;

/// What a game by days for each move costs, counted hour by hour: no hour counts in which the service did not run, the
/// player on move was on leave, Nature was deciding, a ply was sealed, or the game was disputed.
struct ByTheHour {
    spent: u64,
    away: [u64; 2],
    /// The hour at which a sealed ply is revealed, and that at which a claim is dismissed.
    sealed: Option<u64>,
    disputed: Option<u64>,
}

/// How many games are simulated: 60, or what the environment says.
fn simulated() -> u32 {
    std::env::var("FERZ_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: simulated(), failure_persistence: None, ..ProptestConfig::default() })]

    /// Through outages, leave, adjournments, disputes and turns of Nature, a player loses on time in the hour in which
    /// the time is up, and in no other.
    #[test]
    fn no_one_loses_on_time_by_mistake(seed in any::<u64>(), with_nature in any::<bool>()) {
        let mut numbers = Numbers(seed);
        let mut played = Played::begun(setting(if with_nature { 4 } else { 0 }, Some("days-per-move")));
        let mut model = ByTheHour { spent: 0, away: [0; 2], sealed: None, disputed: None };
        let start = played.now;
        let mut hour = 0;
        while hour < 24 * 400 && played.state.end().is_none() {
            let at = start + hour * HOUR;
            let acts = |by, command: Command, state: &State| decide(state, by, &command, at);
            let apply = |played: &mut Played, events: Vec<Event>| {
                events.iter().for_each(|event| played.state.after(event).unwrap());
            };
            let must = |played: &mut Played, by, command: Command| {
                let events = acts(by, command, &played.state).unwrap();
                apply(played, events);
            };
            let is_over = model.spent > 3 * 24;
            let ticked = acts(None, Command::Tick, &played.state);
            prop_assert_eq!(ticked.is_ok(), is_over, "hour {} spent {}", hour, model.spent);
            // The instant at which to look again is never later than the loss.
            let due = played.state.due(at);
            prop_assert!(!is_over || due.is_none_or(|due| due <= at), "{:?} {}", due, at);
            let is_disputed = model.disputed.is_some();
            prop_assert!(is_disputed || played.state.to_act() == [Owner::Nature] || due.is_some(), "hour {}", hour);
            if let Ok(events) = ticked {
                apply(&mut played, events);
                break;
            }
            if model.disputed.is_some_and(|until| until <= hour) {
                let dismiss = Command::Dismiss { because: "no".into() };
                must(&mut played, None, dismiss);
                model.disputed = None;
            }
            if !is_disputed && model.sealed.is_some_and(|until| until <= hour) {
                let turn = played.state.game.position().turn();
                let reveal = Command::Reveal { value: sealed(&played.state), signature: None };
                must(&mut played, Some(turn), reveal);
                (model.sealed, model.spent) = (None, 0);
            }
            let to_act = played.state.to_act();
            let turn = played.state.game.position().turn();
            let waits = model.sealed.is_some() || model.disputed.is_some() || played.state.end().is_some();
            match numbers.below(if waits { 4 } else { 42 }) {
                _ if waits && numbers.below(50) == 0 && played.state.end().is_none() => {
                    hour += 1 + numbers.below(60) as u64;
                    let now = start + hour * HOUR;
                    let stopped = decide(&played.state, None, &Command::Stoppage { from: at }, now);
                    apply(&mut played, stopped.unwrap());
                    continue;
                }
                _ if waits => {}
                40 if to_act != [Owner::Nature] && to_act.len() == 1 => {
                    let adjourn = Command::Offer(OfferKind::Adjourn);
                    for player in Owner::REAL {
                        must(&mut played, Some(player), adjourn.clone());
                    }
                    let commit = Command::Commit { hash: seed_digest(&sealed(&played.state)) };
                    must(&mut played, Some(turn), commit);
                    model.sealed = Some(hour + 1 + numbers.below(20 * 24) as u64);
                }
                41 => {
                    let claim = ClaimName::Judged(ClaimKind::ForcedDraw);
                    let claim = Command::Claim { claim, intended: None, check: None };
                    let player = Owner::REAL[numbers.below(2)];
                    if let Ok(events) = acts(Some(player), claim, &played.state) {
                        apply(&mut played, events);
                        model.disputed = Some(hour + 1 + numbers.below(15 * 24) as u64);
                    }
                }
                0..=3 => {
                    let actor = to_act[0];
                    if actor == Owner::Nature && numbers.below(2) == 0 {
                        let declined = acts(Some(actor), Command::Decline, &played.state).unwrap();
                        apply(&mut played, declined);
                    } else {
                        let plies = played.state.game.legal_plies();
                        let plies: Vec<_> = plies.into_iter().filter(|ply| ply.actor == actor).collect();
                        let ply = plies[numbers.below(plies.len())];
                        let text = played.state.game.position().write(&ply, Style::Coord).unwrap();
                        must(&mut played, Some(actor), Command::Ply { text, offer: None, signature: None });
                        if actor.is_real() {
                            model.spent = 0;
                        }
                    }
                }
                4 => {
                    let player = Owner::REAL[numbers.below(2)];
                    let days = 1 + numbers.below(9) as u32;
                    if let Ok(events) = acts(Some(player), Command::Leave { days }, &played.state) {
                        apply(&mut played, events);
                        model.away[player.index()] = hour + 24 * u64::from(days);
                    }
                }
                5 => {
                    // An outage: nothing is counted until the service runs again.
                    let down = 1 + numbers.below(200) as u64;
                    hour += down;
                    let now = start + hour * HOUR;
                    let stopped = decide(&played.state, None, &Command::Stoppage { from: at }, now);
                    apply(&mut played, stopped.unwrap());
                    continue;
                }
                _ => {}
            }
            let turn = if played.state.to_act().is_empty() { turn } else { played.state.game.position().turn() };
            let decides = played.state.to_act() == [Owner::Nature];
            let stands = decides || model.sealed.is_some() || model.disputed.is_some();
            if !stands && model.away[turn.index()] <= hour {
                model.spent += 1;
            }
            hour += 1;
        }
    }
}

/// Nature by lot: each choice follows from the seed, which is shown at the end; any other choice is noticed.
#[test]
fn the_lot_decides_for_nature() {
    let seed = "5eed";
    let proposal = Proposal {
        players: Players { white: "Ann".into(), black: "Ben".into(), nature: None },
        seed: Some(seed_digest(seed)),
        ..proposal(4, None)
    };
    let setting = Setting::of_proposal(proposal, Registry::built_in(), Policies::built_in()).unwrap();
    let mut played = Played::begun(setting.clone());
    let mut numbers = Numbers(3);
    while played.state.plies().len() < 40 && played.state.end().is_none() {
        if let Some(drawn) = draw(seed, "id", &played.state, played.now) {
            played.state.after(&drawn).unwrap();
            played.events.push(drawn);
            continue;
        }
        let player = played.state.to_act()[0];
        let plies: Vec<_> =
            played.state.game.legal_plies().into_iter().filter(|ply| ply.actor == player).collect();
        let ply = plies[numbers.below(plies.len())];
        let text = played.state.game.position().write(&ply, Style::Coord).unwrap();
        played.play(player, &text).unwrap();
    }
    let natures = played.events.iter().filter(|event| event.by == Some(Owner::Nature)).count();
    assert!(natures > 2, "{natures}");
    if played.state.end().is_none() {
        played.act(Owner::White, Command::Resign).unwrap();
    }
    let reveal =
        |seed: &str| Event { at: played.now, by: None, what: What::SeedRevealed { seed: seed.into() } };
    assert!(played.state.clone().after(&reveal("other")).is_err());
    played.state.after(&reveal(seed)).unwrap();
    let mut events = played.events.clone();
    events.push(reveal(seed));
    assert_eq!(check_draws(&setting, "id", &events), Ok(()));
    assert!(check_draws(&setting, "other", &events).is_err());
    let at = events.iter().position(|event| event.by == Some(Owner::Nature)).unwrap();
    events[at].what = match events[at].what {
        What::Declined => What::Called,
        _ => What::Declined,
    };
    assert!(check_draws(&setting, "id", &events).is_err());
}
