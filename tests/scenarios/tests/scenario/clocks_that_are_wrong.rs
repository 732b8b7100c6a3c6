//! A stamp is the network's certified time. A ledger whose clock is behind gets another stamp, at
//! most its own time; the host's clock decides nothing.

use countersign_core::time::Span;
use countersign_localnet::canisters::ledger::{Change, DRIFT};
use countersign_scenarios::doubt::{commit, preview_of};
use countersign_scenarios::lunch::{asked, paid, prepared};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{BEGIN, Person, Stage};
use serde_json::json;

const MINUTE: u64 = 60_000_000_000;

#[test]
fn a_ledger_that_is_behind_gets_a_stamp_of_its_own_time_with_a_new_yes() {
    let mut stage = Stage::new();
    let (mut page, first, id, mut person) = asked(&mut stage);
    stage.on_ledger(Stage::tka(), |ledger| {
        ledger.change(&Change {
            clock_ms: Some(-600_000),
            ..Change::default()
        });
    });
    person.approve(&stage);
    stage.pass(Span::from_secs(5));
    let told = page.told(&stage, id).expect("commit is answered");
    assert_eq!(
        (&told["outcome"], &told["case"]),
        (&json!("retry_new"), &json!("Err.CreatedInFuture")),
        "{told}"
    );
    let second = preview_of(&told);
    assert_ne!(second, first);
    assert_eq!(paid(&stage), 0);
    let id = commit(&mut page, &stage, &second);
    Person::at_asks(&mut stage).approve(&stage);
    stage.pass(Span::from_secs(5));
    let told = page.told(&stage, id).expect("commit is answered");
    assert_eq!(told["outcome"], "success", "{told}");
    assert_eq!(paid(&stage), 1);
    let now = stage.world.now().as_nanos();
    assert!(stage.stamps(Stage::tka())[0] <= now - 10 * MINUTE);
}

#[test]
fn the_hosts_clock_decides_nothing() {
    let hour: i128 = 60 * i128::from(MINUTE);
    for ahead in [-48 * hour, -hour, hour, 48 * hour] {
        let mut stage = Stage::new();
        stage.world.set_host_clock(ahead);
        let (mut page, _, id, mut person) = asked(&mut stage);
        // And it is set again while the person looks.
        stage.world.set_host_clock(-ahead);
        person.approve(&stage);
        stage.pass(Span::from_secs(10));
        let told = page.told(&stage, id).expect("commit is answered");
        assert_eq!(told["outcome"], "success", "{ahead}: {told}");
        assert_eq!(paid(&stage), 1, "{ahead}");
        let (stamp, now) = (stage.stamps(Stage::tka())[0], stage.world.now().as_nanos());
        assert!(
            (BEGIN.as_nanos() - DRIFT..=now).contains(&stamp),
            "{ahead}: {stamp}"
        );
    }
}

#[test]
fn a_hosts_clock_that_is_behind_puts_off_no_end() {
    let hour: i128 = 60 * i128::from(MINUTE);
    for ahead in [-3_000 * hour, -48 * hour, 48 * hour] {
        let mut stage = Stage::new();
        let (_page, preview) = prepared(&mut stage);
        let preview = preview.as_str().expect("it has an id");
        let has_ended = |stage: &Stage| {
            let intent = stage.intent(preview).expect("it is stored");
            intent.end().is_some()
        };
        // No time is carried over a worker's death.
        stage.world.set_host_clock(ahead);
        stage.kill_worker();
        stage.settle();
        assert!(!has_ended(&stage), "{ahead}");
        stage.pass(Span::from_hours(3));
        assert!(has_ended(&stage), "{ahead}");
    }
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            play.stage.on_ledger(Stage::tka(), |ledger| {
                ledger.change(&Change {
                    clock_ms: Some(-600_000),
                    ..Change::default()
                });
            });
            play.commits();
            play.yes();
            play.commits();
            play.yes();
        },
        ..Course::default()
    }
    .sweep();
}
