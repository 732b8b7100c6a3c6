//! That a ledger drops repeats is known of the code it ran, not of the code it runs. After an
//! upgrade no second envelope is signed: the log decides.

use countersign_core::time::Span;
use countersign_core::wire::ui::Screen;
use countersign_localnet::canisters::ledger::Change;
use countersign_scenarios::doubt::{commit, yes_and_nothing_more};
use countersign_scenarios::lunch::{asked, paid};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Person, Stage};

#[test]
fn after_an_upgrade_the_bytes_are_not_sent_again() {
    let mut stage = Stage::new();
    let (mut page, preview, _, mut person) = asked(&mut stage);
    yes_and_nothing_more(&stage, &preview, "icrc1_transfer", &mut person);
    assert_eq!(paid(&stage), 1);
    stage.on_ledger(Stage::tka(), |ledger| {
        ledger.change(&Change {
            upgrade: true,
            forget: true,
            ..Change::default()
        });
    });
    stage.pass(Span::from_mins(2));
    let id = commit(&mut page, &stage, &preview);
    // The window reads what code runs now, and asks nothing.
    let person = Person::at_asks(&mut stage);
    assert!(
        matches!(person.screen(), Screen::Dead(_)),
        "{:?}",
        person.screen()
    );
    stage.pass(Span::from_secs(50));
    let told = page.told(&stage, id).expect("it is answered");
    assert_eq!(told["outcome"], "reconcile", "{told}");
    let id = commit(&mut page, &stage, &preview);
    let told = page.told(&stage, id).expect("it is answered at once now");
    assert_eq!(told["outcome"], "reconcile", "{told}");
    let tools = page.tools(&stage);
    assert!(!tools.contains(&"prepare_icrc1_transfer".to_owned()));
    assert_eq!(paid(&stage), 1);
    stage.mend();
    stage.pass(Span::from_hours(1));
    let id = commit(&mut page, &stage, &preview);
    let told = page.told(&stage, id).expect("commit is answered");
    assert_eq!(told["outcome"], "already_done", "{told}");
    assert_eq!(paid(&stage), 1);
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        plays: |play| {
            play.commits();
            play.yes_and_nothing_more("icrc1_transfer");
            play.stage.on_ledger(Stage::tka(), |ledger| {
                ledger.change(&Change {
                    upgrade: true,
                    forget: true,
                    ..Change::default()
                });
            });
            play.passes(Span::from_mins(2));
            play.commits();
        },
        ..Course::default()
    }
    .sweep();
}
