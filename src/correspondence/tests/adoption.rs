//! Games that were begun elsewhere.

use super::*;
use ferz_core::text::Budget;

fn adopt(text: &str, clock: Option<&str>) -> Result<Proposal, ProposalError> {
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    Proposal::of_record(text, clock, &mut replayer, Policies::built_in(), &Budget::unlimited())
}

const RECORD: &str = "[Event \"Club\"]\n[White \"Ann\"]\n[Black \"Ben\"]\n[Variant \"iago-b\"]\n\n\
    1. Ng1-f3&M { [%clk 70:00:00] } Ng8-f6 { [%clk 60:00:00] } 2. e2-e4 { [%clk 65:00:00] } *";

#[test]
fn a_game_under_way_is_continued() {
    let proposal = adopt(RECORD, Some("days-per-move")).unwrap();
    let setting = Setting::of_proposal(proposal, Registry::built_in(), Policies::built_in()).unwrap();
    assert_eq!(setting.terms.variant, "iago-b");
    let mut played = Played::begun(setting);
    assert_eq!(played.state.plies(), ["g1f3m", "g8f6", "e2e4"]);
    assert_eq!(played.state.to_act(), [Owner::Black]);
    played.play(Owner::Black, "e5").unwrap();
    check_record(&played.state);
    assert!(played.state.record().contains("[Event \"Club\"]"));
    let again = State::of(played.state.setting().clone(), &played.events).unwrap();
    assert_eq!(seen(&again), seen(&played.state));
}

/// The clocks continue as the record shows them, in the period that the moves have reached.
#[test]
fn clocks_continue() {
    let hour = 3_600_000;
    let setting = |text: &str| {
        let proposal = adopt(text, Some("fide-rapid")).unwrap();
        Setting::of_proposal(proposal, Registry::built_in(), Policies::built_in()).unwrap()
    };
    let text = "[White \"Ann\"]\n[Black \"Ben\"]\n\n1. e4 { [%clk 0:07:00] } e5 { [%clk 0:08:00] } *";
    let played = Played::begun(setting(text));
    let clocks = played.state.clocks(played.now).unwrap();
    assert_eq!(clocks.left, [Some(7 * hour / 60), Some(8 * hour / 60)]);
    assert_eq!(clocks.running.map(|running| (running.by, running.ply)), Some((Owner::White, 3)));
}

#[test]
fn what_cannot_be_continued_is_refused() {
    let tags = "[White \"Ann\"]\n[Black \"Ben\"]\n";
    for (text, why) in [
        (String::new(), "there is none"),
        (format!("{tags}\n1. e4 *\n\n{tags}\n1. d4 *\n"), "there are several"),
        (format!("{tags}\n1. e4 Ke3 *"), "ply 2 is not legal"),
        (format!("{tags}\n1. e4 e5 1-0"), "its result says that the game is over"),
        (format!("{tags}[Variant \"nonsense\"]\n\n1. e4 *"), "nonsense"),
    ] {
        let refused = adopt(&text, None).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(refused.contains(why), "{text:?}: {refused}");
    }
    let over = adopt(&format!("{tags}\n1. f3 e5 2. g4 Qh4# *"), None)
        .and_then(|proposal| Setting::of_proposal(proposal, Registry::built_in(), Policies::built_in()));
    assert!(over.is_err());
    let nameless = adopt("1. e4 *", None)
        .and_then(|proposal| Setting::of_proposal(proposal, Registry::built_in(), Policies::built_in()));
    assert!(matches!(nameless, Err(ProposalError::Player { player: Owner::White, .. })));
}
