//! A frozen wallet is locked, has declined every ask, and gives no site anything, until the
//! passphrase; whatever dies in between.

use countersign_core::confirm::view::Preset;
use countersign_core::engine::records::Frozen;
use countersign_core::ports::store::{Batch, Expect, Store as _, Table, Write};
use countersign_core::testing::run_native;
use countersign_core::time::Span;
use countersign_core::wire::ui::{Command, Screen, Unlock};
use countersign_scenarios::lunch::{SHOP, asked, lunch, paid};
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};
use std::cell::Cell;
use std::rc::Rc;

const OTHER: &str = "https://other.example";

/// The unlock page, as a frozen wallet shows it.
fn frozen(person: &Person) -> &Unlock {
    match person.screen() {
        Screen::Unlock(unlock) if unlock.frozen.is_some() => unlock,
        other => panic!("not frozen: {other:?}"),
    }
}

/// What a site hears of its call.
fn outcome(stage: &Stage, page: &mut Page, id: u64) -> Value {
    let told = page.told(stage, id).expect("it is answered");
    told["outcome"].clone()
}

#[test]
fn every_ask_is_declined_and_no_site_has_anything_until_the_passphrase() {
    let mut stage = Stage::new();
    let (mut page, _, commit, mut person) = asked(&mut stage);
    let had = page.tools(&stage);
    let mut stranger = Page::open(&mut stage, OTHER, "D2");
    let connect = stranger.begin(
        &stage,
        "wallet_connect",
        json!({ "canisters": [{ "id": Stage::tka().to_text() }] }),
    );
    stage.settle();
    assert_eq!(stage.world.badge(), 2);
    let windows = stage.world.windows().len();

    let mut home = Person::at_home(&mut stage);
    home.does(&stage, Command::Freeze);
    assert_eq!(home.failure(), None);
    assert_eq!(frozen(&home).asked_by, None);
    assert_eq!(stage.world.badge(), 0);
    assert_eq!(outcome(&stage, &mut page, commit), "declined");
    assert_eq!(outcome(&stage, &mut stranger, connect), "declined");

    // What a connected site is told is what a site is told that is not connected.
    let mut unknown = Page::open(&mut stage, "https://unknown.example", "D3");
    assert_eq!(page.tools(&stage), unknown.tools(&stage));
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("2"));
    let same = unknown.call(&stage, "prepare_icrc1_transfer", lunch("2"));
    assert_eq!(told, same);
    // It can ask to be connected, and no window comes up.
    page.begin(
        &stage,
        "wallet_connect",
        json!({ "canisters": [{ "id": Stage::tka().to_text() }] }),
    );
    stage.settle();
    assert_eq!(stage.world.windows().len(), windows);
    person.look(&stage);
    let _ = frozen(&person);

    home.unlocks(&stage);
    stage.settle();
    assert_eq!(page.tools(&stage), had);
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("2"));
    assert_eq!(told["status"], "prepared", "{told}");
    assert_eq!(
        stage.world.badge(),
        0,
        "what was asked meanwhile is declined"
    );
    assert_eq!(paid(&stage), 0);
}

#[test]
fn a_wrong_passphrase_thaws_nothing() {
    let mut stage = Stage::new();
    let (mut page, payer) = stage.connected(SHOP, &[Stage::tka()]);
    stage.mint(Stage::tka(), payer, 1_000_000_000);
    let mut home = Person::at_home(&mut stage);
    home.must(&stage, Command::Freeze);
    let wrong = countersign_core::wire::ui::Passphrase::new("not the passphrase".to_owned());
    home.does(&stage, Command::Unlock { passphrase: wrong });
    let _ = frozen(&home);
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("2"));
    assert_ne!(told["status"], "prepared", "{told}");
}

/// That the row is there is what it says: damaged it freezes as well, and the passphrase ends that.
#[test]
fn a_freeze_that_cannot_be_read_holds_until_the_passphrase_too() {
    let mut stage = Stage::new();
    let (mut page, payer) = stage.connected(SHOP, &[Stage::tka()]);
    stage.mint(Stage::tka(), payer, 1_000_000_000);
    let mut home = Person::at_home(&mut stage);
    home.must(&stage, Command::Freeze);
    let memory = stage.world.memory();
    let row = run_native(memory.get(Table::Settings, Frozen::KEY));
    let mut row = row.expect("memory answers").expect("it is frozen");
    let (table, expect) = (Table::Settings, Expect::Rev(row.rev));
    row.rev += 1;
    row.body.clear();
    let batch = Batch {
        writes: vec![Write::Put { table, expect, row }],
        audit: Vec::new(),
    };
    run_native(memory.commit(batch)).expect("memory takes it");
    stage.kill_worker();
    page.connect(&mut stage);
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("2"));
    assert_ne!(told["status"], "prepared", "{told}");
    let mut home = Person::at_home(&mut stage);
    let _ = frozen(&home);
    home.unlocks(&stage);
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("2"));
    assert_eq!(told["status"], "prepared", "{told}");
}

/// What was sent is followed while the wallet is frozen, and its caller hears of it.
#[test]
fn what_was_sent_goes_on() {
    let mut stage = Stage::new();
    let (mut page, _, commit, mut person) = asked(&mut stage);
    let yes = person.yes();
    person.press(&stage, yes);
    while stage.counters(Stage::tka()).calls_posted == 0 {
        stage.turns(1);
    }
    let mut home = Person::at_home(&mut stage);
    home.must(&stage, Command::Freeze);
    stage.pass(Span::from_mins(2));
    assert_eq!(outcome(&stage, &mut page, commit), "success");
    assert_eq!(paid(&stage), 1);
}

/// The worker dies at any moment of a freeze. The wallet is frozen as a whole, or it was not frozen
/// at all and the person sees so; and a yes that was given before pays at most once.
#[test]
fn a_worker_that_dies_in_a_freeze_leaves_it_to_the_next_one() {
    let mut cut_off = 0;
    for moment in 0.. {
        let mut stage = Stage::new();
        let (mut page, _, _, _) = asked(&mut stage);
        let mut home = Person::at_home(&mut stage);
        home.press(&stage, Command::Freeze);
        let went_on = stage.steps(moment);
        stage.kill_worker();
        page.connect(&mut stage);
        stage.settle();
        let home = Person::at_home(&mut stage);
        if let Screen::Unlock(Unlock {
            frozen: Some(_), ..
        }) = home.screen()
        {
            cut_off += 1;
            assert_eq!(stage.world.badge(), 0, "after {moment} steps");
            let told = page.call(&stage, "prepare_icrc1_transfer", lunch("2"));
            assert_ne!(told["status"], "prepared", "after {moment} steps: {told}");
        }
        if !went_on {
            break;
        }
    }
    assert!(cut_off >= 4, "cut off {cut_off} times");
}

/// Another worker of the same profile carries a yes out with a vault that is still open there: once
/// the freeze is done, it hands nothing over.
#[test]
fn a_worker_that_was_unlocked_before_sends_nothing_either() {
    let mut kept = 0;
    for steps in 0.. {
        let mut stage = Stage::seeded("countersign", steps + 1);
        let (_page, preview, _, mut person) = asked(&mut stage);
        let preview = preview.as_str().expect("a preview id is a text");
        let handed_over = |stage: &Stage| {
            let intent = stage.intent(preview).expect("it is stored");
            let envelopes = intent.envelopes().iter();
            envelopes.filter(|one| one.handed_over.is_some()).count()
        };
        let yes = person.yes();
        person.press(&stage, yes);
        let went_on = stage.steps(steps);
        stage.begin_worker();
        let done = Rc::new(Cell::new(false));
        let told = Rc::clone(&done);
        stage.spawn(move |wallet| async move {
            wallet.freeze().await.expect("it is stored");
            told.set(true);
        });
        while !done.get() {
            stage.turns(1);
        }
        let sent = handed_over(&stage);
        stage.settle();
        stage.pass(Span::from_mins(4));
        assert_eq!(handed_over(&stage), sent, "frozen after {steps} steps");
        assert!(paid(&stage) <= sent, "frozen after {steps} steps");
        kept += u32::from(sent == 0);
        if !went_on {
            break;
        }
    }
    assert!(kept > 3, "frozen before anything was sent {kept} times");
}

#[test]
fn sites_connect_anew_after_a_thaw_as_before() {
    let mut stage = Stage::new();
    let (_page, payer) = stage.connected(SHOP, &[Stage::tka()]);
    stage.mint(Stage::tka(), payer, 1_000_000_000);
    let mut home = Person::at_home(&mut stage);
    home.must(&stage, Command::Freeze);
    home.unlocks(&stage);
    let mut other = Page::open(&mut stage, OTHER, "D2");
    other.connects(&mut stage, &[Stage::tka()], Preset::All);
}
