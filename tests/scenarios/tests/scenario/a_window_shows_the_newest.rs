//! Whatever happens while a window's view is being made, the last view that it gets is of what is
//! stored then.

use countersign_core::confirm::view::Funds;
use countersign_core::wire::ui::{Command, Decision, Screen};
use countersign_scenarios::lunch::{SHOP, lunch};
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

/// After so many turns all of a decision's views are sent.
const TURNS: u32 = 80;

#[test]
fn a_decision_stays_on_the_window_when_another_call_is_asked_at_any_turn_after_it() {
    each_turn(|stage, page, person, second, turns| {
        let no = decline(person);
        person.press(stage, no);
        stage.turns(turns);
        commit(stage, page, second);
    });
}

#[test]
fn a_decision_stays_on_the_window_when_it_comes_at_any_turn_of_another_calls_asking() {
    each_turn(|stage, page, person, second, turns| {
        let no = decline(person);
        commit(stage, page, second);
        stage.turns(turns);
        person.press(stage, no);
    });
}

/// What is read for a view is read after the view was sent, whoever sent it. The wallet notes which
/// window came up while the window says hello.
#[test]
fn a_window_that_comes_at_any_turn_of_a_calls_asking_is_served_and_reads_the_ledger() {
    let (mut stage, mut page) = shop();
    for turns in 0..TURNS {
        for window in stage.world.windows() {
            stage.world.close_window(window.id);
        }
        let preview = prepare(&stage, &mut page, &format!("1.{turns:02} TKA"));
        commit(&stage, &mut page, &preview);
        while stage.world.windows().is_empty() {
            stage.turns(1);
        }
        stage.turns(turns);
        let mut person = Person::at_asks(&mut stage);
        let balance = &person.call().call.balance;
        assert!(
            matches!(balance, Funds::Read(_)),
            "after {turns} turns: {balance:?}"
        );
        person.decline(&stage);
        person.leaves(&stage);
    }
}

/// One call is asked and shown and another is prepared; then both happen, the second `turns` turns
/// after the first.
fn each_turn(both: impl Fn(&Stage, &mut Page, &mut Person, &Value, u32)) {
    let (mut stage, mut page) = shop();
    let mut person = Person::at_asks(&mut stage);
    for turns in 0..TURNS {
        let [first, second] =
            ["1", "2"].map(|n| prepare(&stage, &mut page, &format!("{n}.{turns:02} TKA")));
        commit(&stage, &mut page, &first);
        stage.settle();
        person.look(&stage);
        both(&stage, &mut page, &mut person, &second, turns);
        stage.settle();
        person.look(&stage);
        let Screen::Decided(decided) = person.screen() else {
            panic!("after {turns} turns: {:?}", person.screen());
        };
        assert_eq!(decided.decision, Decision::Declined, "after {turns} turns");
        let next = decided.next.as_ref().map(|next| next.waiting);
        assert_eq!(next, Some(1), "after {turns} turns");
        person.must(&stage, Command::Next);
        assert_eq!(
            person.call().preview.to_string(),
            second,
            "after {turns} turns"
        );
        person.decline(&stage);
        person.must(&stage, Command::Next);
        assert!(
            matches!(person.screen(), Screen::NoAsk),
            "after {turns} turns"
        );
    }
}

fn shop() -> (Stage, Page) {
    let mut stage = Stage::new();
    let (page, payer) = stage.connected(SHOP, &[Stage::tka()]);
    stage.mint(Stage::tka(), payer, 1_000_000_000);
    (stage, page)
}

fn prepare(stage: &Stage, page: &mut Page, amount: &str) -> Value {
    let told = page.call(stage, "prepare_icrc1_transfer", lunch(amount));
    told["preview"]["preview_id"].clone()
}

fn commit(stage: &Stage, page: &mut Page, preview: &Value) {
    page.begin(stage, "commit", json!({ "preview_id": preview }));
}

fn decline(person: &Person) -> Command {
    Command::Decline {
        ask: person.ask().id,
    }
}
