//! The worker is killed at every turn of the main job. However it goes, the payment is made once or
//! not at all, nothing that may have run is called failed, and the job can be brought to its end.

use countersign_core::time::Span;
use countersign_core::wire::ui::Screen;
use countersign_scenarios::lunch::{asked, lunch, paid};
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

/// Brings the job to its end after a death, as a page and a person would. Gives the last answer.
fn finish(stage: &mut Stage, page: &mut Page, preview: &Value) -> Value {
    let mut told = Value::Null;
    for _ in 0..6 {
        stage.pass(Span::from_secs(15));
        let again = page.begin(stage, "commit", json!({ "preview_id": preview }));
        stage.settle();
        if page.told(stage, again).is_none() && !stage.world.windows().is_empty() {
            let mut person = Person::at_asks(stage);
            if let Screen::Ask(_) = person.screen() {
                person.does(stage, person.yes());
            }
        }
        stage.pass(Span::from_secs(50));
        told = page
            .told(stage, again)
            .expect("a commit is always answered");
        if told["outcome"] == "success" || told["outcome"] == "already_done" {
            return told;
        }
    }
    told
}

#[test]
fn after_the_yes_at_every_turn() {
    let mut deaths = 0;
    for turns in 0_u32.. {
        let mut stage = Stage::seeded("countersign", u64::from(turns) + 1);
        let (mut page, preview, id, person) = asked(&mut stage);
        let yes = person.yes();
        let mut person = person;
        person.press(&stage, yes);
        stage.turns(turns);
        if page.told(&stage, id).is_some() {
            break;
        }
        deaths += 1;
        stage.kill_worker();
        page.connect(&mut stage);
        stage.settle();
        person.connect(&mut stage);
        let told = finish(&mut stage, &mut page, &preview);
        let done = told["outcome"] == "success" || told["outcome"] == "already_done";
        assert!(done, "killed after {turns} turns: {told}");
        assert_eq!(paid(&stage), 1, "killed after {turns} turns");
        let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
        assert_ne!(told["status"], Value::Null, "{told}");
    }
    assert!(deaths > 10, "the job takes more turns than {deaths}");
}
