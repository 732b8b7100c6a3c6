//! A press counts for what the window showed when it was pressed, and only while the wallet is open.

use countersign_core::confirm::picture::Mark;
use countersign_core::confirm::view::{Asked, Change, Changed, Funds, Notice, Preset};
use countersign_core::engine::record;
use countersign_core::engine::records::Sealed;
use countersign_core::ports::store::{Store as _, Table};
use countersign_core::testing::run_native;
use countersign_core::time::Span;
use countersign_core::wire::ui::{Command, Decision, Failure, Passphrase, Place, Screen, View};
use countersign_localnet::faults::{Fault, Kind, Reply};
use countersign_scenarios::lunch::{SHOP, asked, lunch, paid, prepared};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::json;

#[test]
fn a_second_press_on_what_has_changed_meanwhile_is_no_yes() {
    let mut stage = Stage::new();
    let (_page, _, _, mut person) = asked(&mut stage);
    stage
        .network
        .borrow_mut()
        .ledger_mut(Stage::tka())
        .expect("the ledger is there")
        .set_fee(77_777);
    let yes = person.yes();
    person.press(&stage, yes.clone());
    person.press(&stage, yes);
    stage.settle();
    assert_eq!(paid(&stage), 0, "nobody has seen the new fee");
    person.look(&stage);
    assert_eq!(
        person.ask().notice,
        Some(Notice::Changed(vec![Change {
            what: Changed::Fee,
            before: Some("0.0001 TKA".to_owned()),
            now: Some("0.00077777 TKA".to_owned()),
        }])),
        "the window says what changed, as amounts are written everywhere"
    );
    person.approve(&stage);
    assert_eq!(paid(&stage), 1);
}

/// What the window said of the balance, view by view.
fn balances(person: &Person) -> Vec<Funds> {
    let balance = |view: &View| {
        let Screen::Ask(ask) = &view.screen else {
            return None;
        };
        let Asked::Call(call) = &ask.what else {
            return None;
        };
        Some(call.call.balance.clone())
    };
    let mut balances: Vec<_> = person.seen().iter().filter_map(balance).collect();
    balances.dedup();
    balances
}

#[test]
fn a_balance_that_is_still_being_read_is_not_called_unreadable() {
    let mut stage = Stage::new();
    let (_page, _, _, person) = asked(&mut stage);
    let balances = balances(&person);
    assert!(
        matches!(balances.as_slice(), [Funds::Reading, Funds::Read(_)]),
        "{balances:?}"
    );
}

#[test]
fn a_balance_that_the_network_does_not_give_is_called_unreadable() {
    let mut stage = Stage::new();
    let (mut page, preview) = prepared(&mut stage);
    stage.fault(Fault {
        times: None,
        reply: Reply::Drop,
        method: Some("icrc1_balance_of".to_owned()),
        ..Fault::on(Kind::Call)
    });
    stage.fault(Fault {
        times: None,
        reply: Reply::Drop,
        ..Fault::on(Kind::ReadState)
    });
    page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    stage.pass(Span::from_mins(10));
    person.look(&stage);
    assert_eq!(balances(&person), [Funds::Reading, Funds::Unreadable]);
}

#[test]
fn what_is_left_for_later_is_not_offered_as_the_next_thing_in_the_same_window() {
    let mut stage = Stage::new();
    let (mut page, _, _, mut person) = asked(&mut stage);
    let ask = person.ask().id;
    person.must(&stage, Command::Later { ask });
    let Screen::Decided(decided) = person.screen() else {
        panic!("the window says what was decided")
    };
    assert_eq!(
        (&decided.decision, &decided.next),
        (&Decision::Later, &None)
    );

    let other = page.call(&stage, "prepare_icrc1_transfer", lunch("2 TKA"));
    let other = other["preview"]["preview_id"].clone();
    page.begin(&stage, "commit", json!({ "preview_id": other }));
    stage.settle();
    person.look(&stage);
    let Screen::Decided(decided) = person.screen() else {
        panic!("the window still says it")
    };
    assert_eq!(decided.next.as_ref().map(|next| next.waiting), Some(1));
    person.must(&stage, Command::Next);
    assert_ne!(person.ask().id, ask);
}

#[test]
fn making_the_wallet_twice_at_once_keeps_one_and_its_second_copy() {
    let mut stage = Stage::new();
    let mut home = Person::at_home(&mut stage);
    for _ in 0..2 {
        let passphrase = Passphrase::new("correct horse battery".to_owned());
        let mark = home.mark();
        home.press(&stage, Command::Create { passphrase, mark });
    }
    stage.settle();
    let row = run_native(stage.world.memory().get(Table::Settings, Sealed::KEY));
    let row = row
        .expect("the journal can be read")
        .expect("there is a vault");
    let sealed = record::read::<Sealed>(&row).expect("it can be read").record;
    assert_eq!(stage.world.file("vault"), Some(sealed.bytes));
}

#[test]
fn the_wallet_is_made_with_the_mark_that_was_shown_though_the_worker_died_meanwhile() {
    let mut stage = Stage::new();
    let home = Person::at_home(&mut stage);
    let mark = home.mark();
    stage.kill_worker();
    let mut home = Person::at_home(&mut stage);
    assert_ne!(home.mark(), mark, "another worker draws another mark");
    let passphrase = Passphrase::new("correct horse battery".to_owned());
    let shown = mark.clone();
    home.must(&stage, Command::Create { passphrase, mark });
    assert_eq!(home.mark(), shown);
}

#[test]
fn a_mark_that_nobody_drew_is_not_taken() {
    let mut stage = Stage::new();
    let mut home = Person::at_home(&mut stage);
    let passphrase = Passphrase::new("correct horse battery".to_owned());
    let mark = Mark {
        first: "Countersign".to_owned(),
        ..home.mark()
    };
    home.does(&stage, Command::Create { passphrase, mark });
    assert_eq!(home.failure(), Some(&Failure::AskChanged));
}

#[test]
fn a_wallet_is_not_made_over_what_is_left_of_an_earlier_one() {
    let mut stage = Stage::new();
    let mut home = Person::at_home(&mut stage);
    home.creates(&stage);
    let copy = stage.world.file("vault").expect("there is a second copy");
    stage.world.lose_journal();
    stage.kill_worker();
    let mut home = Person::at_home(&mut stage);
    let passphrase = Passphrase::new("correct horse battery".to_owned());
    let mark = home.mark();
    home.does(&stage, Command::Create { passphrase, mark });
    assert_eq!(home.failure(), Some(&Failure::EarlierWallet));
    assert_eq!(stage.world.file("vault"), Some(copy));
}

#[test]
fn a_locked_wallet_decides_nothing_that_lowers_a_guard() {
    let mut stage = Stage::new();
    let (_page, preview, _, _) = asked(&mut stage);
    let mut home = Person::at_home(&mut stage);
    home.must(&stage, Command::Show(Place::Networks));
    let Screen::Networks(networks) = home.screen() else {
        panic!("the networks are shown")
    };
    let local = networks.networks.iter().find(|card| !card.network.mainnet);
    let network = local.expect("there is a local network").network.id;
    home.must(&stage, Command::Lock);
    let ledger = Stage::gem().to_text();
    home.does(&stage, Command::AddDeduplicating { network, ledger });
    assert_eq!(home.failure(), Some(&Failure::Locked));
    let preview = preview.as_str().expect("a preview id is a text");
    let intent = stage.intent(preview).expect("it is stored");
    let action = countersign_core::wire::ui::Action::ItHappened;
    let preview = intent.preview();
    home.does(&stage, Command::Act { preview, action });
    assert_eq!(home.failure(), Some(&Failure::Locked));
}

#[test]
fn a_connected_sites_ask_for_more_brings_up_the_unlock_page() {
    let mut stage = Stage::new();
    let (mut page, _) = stage.connected(SHOP, &[Stage::tka()]);
    for window in stage.world.windows() {
        stage.world.close_window(window.id);
    }
    let mut home = Person::at_home(&mut stage);
    home.must(&stage, Command::Lock);
    let more = json!({ "canisters": [{ "id": Stage::gem().to_text() }] });
    page.begin(&stage, "wallet_connect", more);
    stage.settle();
    let person = Person::at_asks(&mut stage);
    assert!(matches!(person.screen(), Screen::Unlock(_)));
    let _: &Page = &page;
}

#[test]
fn a_yes_counts_for_the_view_it_was_pressed_on() {
    let mut stage = Stage::new();
    let (_page, _, _, mut person) = asked(&mut stage);
    let newest = person.seq;
    assert!(
        newest > 1,
        "what the ledger certifies came after the window"
    );
    // The press was made before the window could show what the worker has read since.
    person.seq = 1;
    let yes = person.yes();
    person.does(&stage, yes);
    assert_eq!(person.failure(), Some(&Failure::AskChanged));
    assert_eq!(paid(&stage), 0);
    person.approve(&stage);
    assert_eq!(paid(&stage), 1);
}

#[test]
fn dust_that_comes_while_the_person_looks_keeps_no_yes_from_being_taken() {
    let mut stage = Stage::new();
    let (_page, preview, _, mut person) = asked(&mut stage);
    let intent = stage.intent(preview.as_str().expect("an id"));
    let payer = intent.expect("it is stored").prepared().sender;
    stage.mint(Stage::tka(), payer, 1);
    person.approve(&stage);
    assert_eq!(paid(&stage), 1);
}

fn count_with(stage: &Stage, decimals: u8) {
    stage
        .network
        .borrow_mut()
        .ledger_mut(Stage::tka())
        .expect("the ledger is there")
        .set_decimals(decimals);
}

/// The window reads other decimals from the start than its amounts are shown by: reading them once
/// more at the yes finds no difference, and yet nobody has seen the true amount.
#[test]
fn a_ledger_that_counts_otherwise_than_the_window_shows_is_not_paid() {
    let mut stage = Stage::new();
    let (mut page, preview) = prepared(&mut stage);
    count_with(&stage, 6);
    page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    assert!(person.ask().notice.is_some(), "the window says so");
    for _ in 0..2 {
        let yes = person.yes();
        person.does(&stage, yes);
        assert_eq!(person.failure(), Some(&Failure::AskChanged));
    }
    assert_eq!(paid(&stage), 0);
}

/// The ledger was accepted anew between preview and yes: the window shows another amount than the
/// agent was told.
#[test]
fn a_call_that_the_preview_told_otherwise_is_not_made() {
    let mut stage = Stage::new();
    let (mut page, preview) = prepared(&mut stage);
    count_with(&stage, 6);
    page.connects(&mut stage, &[Stage::tka(), Stage::gem()], Preset::All);
    for window in stage.world.windows() {
        stage.world.close_window(window.id);
    }
    page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    let yes = person.yes();
    person.does(&stage, yes);
    assert_eq!(person.failure(), Some(&Failure::AskChanged));
    assert_eq!(paid(&stage), 0);
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            play.commits();
            play.yes();
            play.yes();
        },
        ..Course::default()
    }
    .sweep();
}
