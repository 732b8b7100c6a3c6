//! A journal from before: whatever the wallet sent since is not in it. What is open in it is held,
//! what was lost with it is taken back, and nothing is paid a second time.

use countersign_core::intent::{Envelope, Held};
use countersign_core::ports::store::Table;
use countersign_core::testing::MemoryStore;
use countersign_core::time::Span;
use countersign_core::wire::ui::Command;
use countersign_scenarios::doubt::damage;
use countersign_scenarios::lunch::{asked, lunch, paid, prepared};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

/// The browser starts again on an older journal; the person unlocks, the page comes back.
fn restore(stage: &mut Stage, page: &mut Page, journal: &MemoryStore) {
    stage.world.memory().restore(journal);
    stage.restart_browser();
    Person::at_home(stage).unlocks(stage);
    page.connect(stage);
    stage.settle();
}

/// The site asks for the same again: it is told that this may have happened, nobody is asked, and
/// nothing is sent.
fn assert_held(stage: &mut Stage, page: &mut Page, preview: &Value) {
    let before = paid(stage);
    let text = preview.as_str().expect("a preview id is a text");
    let intent = stage.intent(text).expect("it is stored");
    assert_eq!(intent.held(), Some(Held::Restored));
    let told = page.call(stage, "prepare_icrc1_transfer", lunch("1.5"));
    assert_eq!(
        (&told["status"], &told["preview"]["preview_id"]),
        (&json!("repeated"), preview),
        "{told}"
    );
    let told = page.call(stage, "commit", json!({ "preview_id": preview }));
    assert_eq!(
        (&told["outcome"], &told["case"]),
        (&json!("reconcile"), &json!("restored")),
        "{told}"
    );
    assert_eq!(paid(stage), before);
}

/// What is prepared now is not held at the next start.
fn assert_next_is_free(stage: &mut Stage, page: &mut Page) {
    let told = page.call(stage, "prepare_icrc1_transfer", lunch("2"));
    let text = told["preview"]["preview_id"].as_str();
    let text = text.expect("it is prepared").to_owned();
    stage.kill_worker();
    let intent = stage.intent(&text).expect("it is stored");
    assert_eq!(intent.held(), None);
}

#[test]
fn a_payment_that_was_made_since_is_not_made_again() {
    let mut stage = Stage::new();
    let (mut page, preview) = prepared(&mut stage);
    let old = stage.world.memory().snapshot();
    let commit = page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    Person::at_asks(&mut stage).approve(&stage);
    let told = page.told(&stage, commit).expect("commit is answered");
    assert_eq!(told["outcome"], "success", "{told}");
    stage.hide_logs();
    restore(&mut stage, &mut page, &old);
    assert_held(&mut stage, &mut page, &preview);
    // The ledger's own log settles it, once it can be read.
    stage.mend();
    stage.pass(Span::from_hours(1));
    let told = page.call(&stage, "commit", json!({ "preview_id": preview }));
    assert_eq!(told["outcome"], "already_done", "{told}");
    assert_eq!(paid(&stage), 1);
}

/// The journal is older than the call that is on its way: its line brings it back, and its status
/// tells what became of it.
#[test]
fn a_call_on_its_way_is_taken_back_into_the_journal_and_followed() {
    let mut stage = Stage::new();
    let (mut page, payer) = stage.connected(countersign_scenarios::lunch::SHOP, &[Stage::tka()]);
    stage.mint(Stage::tka(), payer, 1_000_000_000);
    let old = stage.world.memory().snapshot();
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
    let preview = told["preview"]["preview_id"].clone();
    page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    person.press(&stage, person.yes());
    while paid(&stage) == 0 {
        stage.turns(1);
    }
    stage.stop_worker();
    stage.hide_logs();
    restore(&mut stage, &mut page, &old);
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
    assert_eq!(
        (&told["status"], &told["outcome"]),
        (&json!("repeated"), &json!("already_done")),
        "{told}"
    );
    assert_eq!(told["preview"]["preview_id"], preview, "{told}");
    assert_eq!(paid(&stage), 1);
}

/// Wherever the worker dies in a payment, its own journal is no older one.
#[test]
fn a_worker_that_died_anywhere_finds_its_own_journal() {
    for steps in 0.. {
        let mut stage = Stage::seeded("countersign", steps + 1);
        let (_page, preview, _, mut person) = asked(&mut stage);
        person.press(&stage, person.yes());
        if !stage.steps(steps) {
            assert!(steps > 10, "{steps} steps");
            return;
        }
        stage.kill_worker();
        let preview = preview.as_str().expect("a preview id is a text");
        let intent = stage.intent(preview).expect("it is stored");
        let held = intent.held();
        assert_eq!(held, None, "killed after {steps} steps");
        assert_eq!(intent.prepared().epoch, 1, "killed after {steps} steps");
    }
}

/// The worker dies at any turn between signing and hand-over, also where a file of the mirror was made
/// and not written yet: that is no older journal.
#[test]
fn a_file_that_was_made_and_never_written_holds_nothing() {
    let mut made = 0;
    for turns in 0.. {
        let mut stage = Stage::new();
        let (_page, preview, _, mut person) = asked(&mut stage);
        let text = preview.as_str().expect("a preview id is a text");
        person.press(&stage, person.yes());
        let any = |stage: &Stage, is: fn(&Envelope) -> bool| {
            let intent = stage.intent(text).expect("it is stored");
            intent.envelopes().iter().any(is)
        };
        while !any(&stage, |_| true) {
            stage.turns(1);
        }
        stage.turns(turns);
        if any(&stage, |e| e.handed_over.is_some()) {
            assert!(made > 0, "no file was found empty in {turns} turns");
            return;
        }
        let empty = |name: &str| stage.world.file(name).is_some_and(|file| file.is_empty());
        made += usize::from(empty(&format!("sent-{text}")) || empty("hand-overs"));
        stage.kill_worker();
        let intent = stage.intent(text).expect("it is stored");
        assert_eq!(
            intent.held(),
            None,
            "killed {turns} turns after it was signed"
        );
        assert_eq!(intent.prepared().epoch, 1, "{turns}");
    }
}

/// The worker dies in the middle of a hand-over, the next one completes it, and then a journal comes
/// back from before.
#[test]
fn a_payment_whose_hand_over_another_worker_completed_is_not_made_again() {
    let mut completed = 0;
    for turns in 0.. {
        let mut stage = Stage::new();
        let (mut page, preview, _, mut person) = asked(&mut stage);
        let text = preview.as_str().expect("a preview id is a text").to_owned();
        let old = stage.world.memory().snapshot();
        person.press(&stage, person.yes());
        let any = |stage: &Stage, is: fn(&Envelope) -> bool| {
            let intent = stage.intent(&text).expect("it is stored");
            intent.envelopes().iter().any(is)
        };
        while !any(&stage, |_| true) {
            stage.turns(1);
        }
        stage.turns(turns);
        if any(&stage, |e| e.handed_over.is_some()) {
            assert!(completed > 1, "{completed} in {turns} turns");
            return;
        }
        stage.kill_worker();
        page.connect(&mut stage);
        stage.settle();
        if paid(&stage) == 0 {
            continue;
        }
        completed += 1;
        stage.hide_logs();
        restore(&mut stage, &mut page, &old);
        assert_held(&mut stage, &mut page, &preview);
    }
}

/// A lock comes between the count and the hand-over, and the person declines: nothing was restored.
#[test]
fn a_hand_over_that_a_lock_cut_off_holds_nothing_at_the_next_start() {
    let mut cut_off = 0;
    for turns in 0.. {
        let mut stage = Stage::new();
        let (mut page, preview, _, mut person) = asked(&mut stage);
        let text = preview.as_str().expect("a preview id is a text").to_owned();
        let other = page.call(&stage, "prepare_icrc1_transfer", lunch("2"));
        let mut home = Person::at_home(&mut stage);
        person.press(&stage, person.yes());
        let sent = |stage: &Stage, is: fn(&Envelope) -> bool| {
            let intent = stage.intent(&text).expect("it is stored");
            intent.envelopes().iter().any(is)
        };
        while !sent(&stage, |_| true) {
            stage.turns(1);
        }
        stage.turns(turns);
        let is_handed_over = |stage: &Stage| sent(stage, |e| e.handed_over.is_some());
        if is_handed_over(&stage) {
            assert!(cut_off > 0, "{turns} turns");
            return;
        }
        home.must(&stage, Command::Lock);
        home.unlocks(&stage);
        if is_handed_over(&stage) {
            continue;
        }
        cut_off += 1;
        page.call(&stage, "wallet_cancel", json!({ "preview_id": preview }));
        stage.restart_browser();
        let other = other["preview"]["preview_id"].as_str();
        let other = stage.intent(other.expect("it is prepared"));
        let held = other.expect("it is stored").held();
        assert_eq!(held, None, "locked {turns} turns after it was signed");
    }
}

/// The journal of another installation stands in the place of ours, whose vault's second copy stays.
#[test]
fn a_journal_of_another_installation_is_held_and_our_vaults_copy_is_kept() {
    let mut elsewhere = Stage::seeded("countersign", 77);
    let (_, foreign_preview) = prepared(&mut elsewhere);
    let foreign = elsewhere.world.memory().snapshot();
    let mut stage = Stage::new();
    let (mut page, preview) = prepared(&mut stage);
    let text = preview.as_str().expect("a preview id is a text");
    let intent = stage.intent(text).expect("it is stored");
    let ours = intent.prepared().installation;
    let copy = stage.world.file("vault");
    assert!(copy.is_some());
    restore(&mut stage, &mut page, &foreign);
    let text = foreign_preview.as_str().expect("a preview id is a text");
    let intent = stage.intent(text).expect("it is stored");
    assert!(intent.held().is_some());
    assert_eq!(stage.world.file(&format!("kept-vault-{ours}")), copy);
    // It was dealt with.
    assert_next_is_free(&mut stage, &mut page);
}

/// A line whose wish the older journal holds in another call cannot be taken back; it is kept, and
/// dealt with once.
/// A wish that ended and was asked for again: the first call, and the journal with it as it stood
/// before its end was told. The second is executed, its answer is not heard.
fn asked_again(
    stage: &mut Stage,
    ends: fn(&mut Page, &mut Stage, &Value),
) -> (Page, MemoryStore, [Value; 2]) {
    let (mut page, preview) = prepared(stage);
    ends(&mut page, stage, &preview);
    let old = stage.world.memory().snapshot();
    page.call(stage, "wallet_cancel", json!({ "preview_id": preview }));
    stage.pass(Span::from_hours(2));
    let mut told = page.call(stage, "prepare_icrc1_transfer", lunch("1.5"));
    if told["preview"]["preview_id"] == preview {
        // The end of the first one is told first.
        told = page.call(stage, "prepare_icrc1_transfer", lunch("1.5"));
    }
    let next = told["preview"]["preview_id"].clone();
    assert_ne!(next, preview, "{told}");
    page.begin(stage, "commit", json!({ "preview_id": next }));
    stage.settle();
    let mut person = Person::at_asks(stage);
    person.press(stage, person.yes());
    while paid(stage) == 0 {
        stage.turns(1);
    }
    stage.stop_worker();
    stage.hide_logs();
    (page, old, [preview, next])
}

/// The older journal has the first of two equal wishes open. The second is taken back and holds the
/// wish, whatever the log says of the first.
#[test]
fn a_call_whose_wish_an_older_one_holds_is_taken_back_in_its_place() {
    let mut stage = Stage::new();
    let (mut page, old, [_, next]) = asked_again(&mut stage, |_, _, _| {});
    restore(&mut stage, &mut page, &old);
    assert_taken_back(&mut stage, &mut page, &next);
}

/// The older journal has it ended, and its end is not told yet.
#[test]
fn a_call_whose_wish_an_untold_end_holds_is_taken_back_in_its_place() {
    let mut stage = Stage::new();
    let (mut page, old, [_, next]) = asked_again(&mut stage, |page, stage, preview| {
        page.begin(stage, "commit", json!({ "preview_id": preview }));
        stage.settle();
        let mut person = Person::at_asks(stage);
        person.decline(stage);
    });
    restore(&mut stage, &mut page, &old);
    assert_taken_back(&mut stage, &mut page, &next);
}

/// The call is followed, and what the site asks for again is told as done and not made again.
fn assert_taken_back(stage: &mut Stage, page: &mut Page, next: &Value) {
    stage.pass(Span::from_hours(72));
    let told = page.call(stage, "prepare_icrc1_transfer", lunch("1.5"));
    assert_eq!(
        (&told["status"], &told["preview"]["preview_id"]),
        (&json!("repeated"), next),
        "{told}"
    );
    assert_eq!(paid(stage), 1);
    stage.mend();
    stage.pass(Span::from_hours(24));
    let told = page.call(stage, "commit", json!({ "preview_id": next }));
    assert_eq!(told["outcome"], "already_done", "{told}");
    assert_eq!(paid(stage), 1);
}

/// The journal was copied between signing and hand-over: the mirror tells that the envelope left.
#[test]
fn a_call_that_was_copied_when_it_was_signed_is_followed_and_not_signed_again() {
    for finished in [false, true] {
        let mut stage = Stage::new();
        let (mut page, preview, commit, mut person) = asked(&mut stage);
        let text = preview.as_str().expect("a preview id is a text").to_owned();
        person.press(&stage, person.yes());
        while stage
            .intent(&text)
            .expect("it is stored")
            .envelopes()
            .is_empty()
        {
            stage.turns(1);
        }
        let old = stage.world.memory().snapshot();
        let signed = stage.intent(&text).expect("it is stored");
        assert!(signed.envelopes()[0].handed_over.is_none());
        if finished {
            stage.settle();
            let told = page.told(&stage, commit).expect("commit is answered");
            assert_eq!(told["outcome"], "success", "{told}");
        } else {
            while paid(&stage) == 0 {
                stage.turns(1);
            }
            stage.stop_worker();
        }
        stage.hide_logs();
        // Longer than a hand-over may take after S0.
        stage.pass(Span::from_secs(90));
        restore(&mut stage, &mut page, &old);
        stage.pass(Span::from_mins(10));
        let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
        assert_eq!(told["preview"]["preview_id"], preview, "{told}");
        let intent = stage.intent(&text).expect("it is stored");
        assert_eq!(intent.envelopes().len(), 1, "finished: {finished}");
        if finished {
            assert_eq!(intent.held(), Some(Held::Restored));
        } else {
            assert_eq!(told["outcome"], "already_done", "{told}");
        }
        assert_eq!(paid(&stage), 1);
    }
}

/// One row that cannot be read keeps nothing else from going on.
#[test]
fn a_sent_call_that_is_damaged_stops_no_other() {
    let mut stage = Stage::new();
    let (mut page, _, _, mut person) = asked(&mut stage);
    person.press(&stage, person.yes());
    while paid(&stage) == 0 {
        stage.turns(1);
    }
    stage.stop_worker();
    damage(&stage, Table::Intents);
    stage.start_worker();
    page.connect(&mut stage);
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("2"));
    let preview = told["preview"]["preview_id"].clone();
    let commit = page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    Person::at_asks(&mut stage).approve(&stage);
    let told = page.told(&stage, commit).expect("commit is answered");
    assert_eq!(told["outcome"], "success", "{told}");
}

/// Nothing more can be handed over by a floor that cannot be read; what was begun is followed.
#[test]
fn a_hand_over_that_was_begun_is_followed_though_its_floor_is_damaged() {
    let mut stage = Stage::new();
    let (mut page, _, commit, mut person) = asked(&mut stage);
    person.approve(&stage);
    page.told(&stage, commit).expect("commit is answered");
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("2"));
    let preview = told["preview"]["preview_id"].clone();
    page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    person.press(&stage, person.yes());
    let text = preview.as_str().expect("a preview id is a text");
    let is_begun = |stage: &Stage| {
        let line = stage.world.file(&format!("sent-{text}"));
        line.is_some_and(|line| !line.is_empty())
    };
    while !is_begun(&stage) {
        stage.turns(1);
    }
    stage.stop_worker();
    let intent = stage.intent(text).expect("it is stored");
    let mut envelopes = intent.envelopes().iter();
    assert!(envelopes.all(|e| e.handed_over.is_none()));
    damage(&stage, Table::Floors);
    stage.start_worker();
    page.connect(&mut stage);
    stage.settle();
    assert_eq!(stage.transfers(Stage::tka()), [150_000_000, 200_000_000]);
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            let old = play.stage.world.memory().snapshot();
            play.commits();
            play.yes();
            play.stage.world.memory().restore(&old);
            play.restarts_browser();
            play.commits();
        },
        forgets: true,
        ..Course::default()
    }
    .sweep();
}
