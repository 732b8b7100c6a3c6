//! The worker is killed wherever it makes a difference: after every change of the journal and every
//! message to the network. However it goes, a payment is made once or not at all, nothing that may
//! have run is called failed, and the job can be brought to its end.

use countersign_core::confirm::view::Asked;
use countersign_core::time::Span;
use countersign_core::wire::ui::{Command, Screen};
use countersign_localnet::faults::{Fault, Kind, Reply};
use countersign_scenarios::lunch::{SHOP, asked, lunch, paid};
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

/// A stage whose randomness is drawn for this death.
fn stage(steps: u64) -> Stage {
    Stage::seeded("countersign", steps + 1)
}

/// Kills the worker after `steps` of what was begun. `false` where it had come to rest by then.
fn dies(stage: &mut Stage, page: &mut Page, steps: u64) -> bool {
    if !stage.steps(steps) {
        return false;
    }
    stage.kill_worker();
    page.connect(stage);
    stage.settle();
    true
}

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
fn after_the_yes() {
    for steps in 0.. {
        let mut stage = stage(steps);
        let (mut page, preview, _, mut person) = asked(&mut stage);
        person.press(&stage, person.yes());
        if !dies(&mut stage, &mut page, steps) {
            assert!(steps > 10, "the job takes more steps than {steps}");
            break;
        }
        person.connect(&mut stage);
        let told = finish(&mut stage, &mut page, &preview);
        let done = told["outcome"] == "success" || told["outcome"] == "already_done";
        assert!(done, "killed after {steps} steps: {told}");
        assert_eq!(paid(&stage), 1, "killed after {steps} steps");
        let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
        assert_ne!(told["status"], Value::Null, "{told}");
    }
}

/// The browser ends instead, and starts again at once: locked. What was not handed over by then
/// never is, however young the yes was.
#[test]
fn after_the_yes_with_the_browser_that_ends() {
    for steps in 0.. {
        let mut stage = stage(steps);
        let (_page, preview, _, mut person) = asked(&mut stage);
        person.press(&stage, person.yes());
        if !stage.steps(steps) {
            break;
        }
        let preview = preview.as_str().expect("a preview id is a text").to_owned();
        let handed_over = |stage: &Stage| {
            let intent = stage.intent(&preview).expect("it is stored");
            let handed_over = intent
                .envelopes()
                .iter()
                .filter(|e| e.handed_over.is_some());
            handed_over.count()
        };
        let before = handed_over(&stage);
        stage.restart_browser();
        stage.pass(Span::from_mins(3));
        assert!(!stage.wallet().is_unlocked());
        assert_eq!(handed_over(&stage), before, "ended after {steps} steps");
        assert_eq!(paid(&stage), before, "ended after {steps} steps");
    }
}

#[test]
fn while_a_call_is_prepared() {
    for steps in 0.. {
        let mut stage = stage(steps);
        let (mut page, payer) = stage.connected(SHOP, &[Stage::tka()]);
        stage.mint(Stage::tka(), payer, 1_000_000_000);
        page.begin(&stage, "prepare_icrc1_transfer", lunch("1.5"));
        if !dies(&mut stage, &mut page, steps) {
            assert!(steps > 2, "preparing takes more steps than {steps}");
            break;
        }
        let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
        assert_ne!(
            told["status"],
            Value::Null,
            "killed after {steps} steps: {told}"
        );
        assert_eq!(stage.intents(), 1, "killed after {steps} steps");
    }
}

#[test]
fn while_a_site_asks_to_be_connected() {
    for steps in 0.. {
        let mut stage = stage(steps);
        let mut home = Person::at_home(&mut stage);
        home.creates(&stage);
        home.adds_network(&stage, &[]);
        let mut page = Page::open(&mut stage, SHOP, "D1");
        let arguments =
            json!({ "canisters": [{ "id": Stage::tka().to_text() }], "tools": ["all"] });
        page.begin(&stage, "wallet_connect", arguments.clone());
        if !dies(&mut stage, &mut page, steps) {
            assert!(steps > 2, "asking takes more steps than {steps}");
            break;
        }
        connects(&mut stage, &mut page, &arguments);
    }
}

/// Asks again, lets the person say yes where that is still open, and looks at what the site has.
fn connects(stage: &mut Stage, page: &mut Page, arguments: &Value) {
    let again = page.begin(stage, "wallet_connect", arguments.clone());
    stage.settle();
    if page.told(stage, again).is_none() {
        let mut person = match stage.world.windows().is_empty() {
            true => {
                let mut home = Person::at_home(stage);
                home.must(
                    stage,
                    Command::Show(countersign_core::wire::ui::Place::Asks),
                );
                home
            }
            false => Person::at_asks(stage),
        };
        person.connects(stage);
    }
    let told = page.told(stage, again).expect("the second ask is answered");
    assert_eq!(told["outcome"], "success", "{told}");
    assert_eq!(page.tools(stage).len(), 28);
}

#[test]
fn while_a_site_is_connected() {
    for steps in 0.. {
        let mut stage = stage(steps);
        let mut home = Person::at_home(&mut stage);
        home.creates(&stage);
        home.adds_network(&stage, &[]);
        let mut page = Page::open(&mut stage, SHOP, "D1");
        let arguments =
            json!({ "canisters": [{ "id": Stage::tka().to_text() }], "tools": ["all"] });
        page.begin(&stage, "wallet_connect", arguments.clone());
        stage.settle();
        let mut person = Person::at_asks(&mut stage);
        let Asked::Connect(connect) = &person.ask().what else {
            panic!("the ask is to connect")
        };
        let local = connect
            .accounts
            .iter()
            .find(|choice| !choice.account.network.mainnet);
        let account = local.expect("there is one").account.id.clone();
        let (ask, preset) = (person.ask().id, connect.preset);
        person.must(
            &stage,
            Command::Choose {
                ask,
                account,
                preset,
            },
        );
        let Asked::Connect(connect) = &person.ask().what else {
            panic!("the ask is to connect")
        };
        let shown = connect.shown;
        person.press(&stage, Command::Connect { ask, shown });
        if !dies(&mut stage, &mut page, steps) {
            break;
        }
        person.connect(&mut stage);
        connects(&mut stage, &mut page, &arguments);
    }
}

/// A payment in doubt, and the ask to send it again in front of the person.
fn asked_again(stage: &mut Stage) -> (Page, Value, Person) {
    let (mut page, preview, id, mut person) = asked(stage);
    stage.fault(Fault {
        method: Some("icrc1_transfer".to_owned()),
        ..Fault::named("prune_status").expect("the fault has this name")
    });
    person.press(stage, person.yes());
    while stage.transfers(Stage::tka()).is_empty() {
        stage.turns(1);
    }
    stage.fault(Fault {
        times: None,
        reply: Reply::Drop,
        ..Fault::on(Kind::ReadState)
    });
    stage.pass(Span::from_mins(7));
    stage.mend();
    stage.hide_logs();
    stage.pass(Span::from_mins(2));
    assert_eq!(
        page.told(stage, id).expect("commit is answered")["outcome"],
        "unknown"
    );
    page.begin(stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    let person = Person::at_asks(stage);
    assert!(person.call().resend.is_some());
    (page, preview, person)
}

#[test]
fn after_the_yes_to_sending_again() {
    for steps in 0.. {
        let mut stage = stage(steps);
        let (mut page, preview, mut person) = asked_again(&mut stage);
        person.press(&stage, person.yes());
        if !dies(&mut stage, &mut page, steps) {
            assert!(steps > 10, "the job takes more steps than {steps}");
            break;
        }
        person.connect(&mut stage);
        let told = finish(&mut stage, &mut page, &preview);
        assert_eq!(
            told["outcome"], "already_done",
            "killed after {steps} steps: {told}"
        );
        assert_eq!(paid(&stage), 1, "killed after {steps} steps");
    }
}

#[test]
fn while_an_ask_is_withdrawn() {
    for steps in 0.. {
        let mut stage = stage(steps);
        let (mut page, preview, _, _person) = asked(&mut stage);
        page.begin(&stage, "wallet_cancel", json!({ "preview_id": preview }));
        if !dies(&mut stage, &mut page, steps) {
            break;
        }
        assert_eq!(paid(&stage), 0, "killed after {steps} steps");
        let told = page.call(&stage, "prepare_icrc1_transfer", lunch("1.5"));
        assert_eq!(
            told["preview"]["preview_id"], preview,
            "killed after {steps} steps: {told}"
        );
        let told = finish(&mut stage, &mut page, &preview);
        let done = told["outcome"] == "success" || told["outcome"] == "already_done";
        assert!(done, "killed after {steps} steps: {told}");
        assert_eq!(paid(&stage), 1, "killed after {steps} steps");
    }
}

#[test]
fn while_a_call_is_declined() {
    for steps in 0.. {
        let mut stage = stage(steps);
        let (mut page, preview, _, mut person) = asked(&mut stage);
        let ask = person.ask().id;
        person.press(&stage, Command::Decline { ask });
        if !dies(&mut stage, &mut page, steps) {
            break;
        }
        person.connect(&mut stage);
        stage.pass(Span::from_mins(1));
        assert_eq!(paid(&stage), 0, "killed after {steps} steps");
        let told = page.call(&stage, "wallet_intent", json!({ "preview_id": preview }));
        let outcome = &told["outcome"];
        let known = outcome == "declined" || outcome == "awaiting_confirmation";
        assert!(known, "killed after {steps} steps: {told}");
    }
}

/// At every turn from the stored yes to the signature, the wallet is locked: it signs nothing.
#[test]
fn a_lock_at_any_turn_finds_no_key_in_use() {
    for turns in 0.. {
        let mut stage = stage(turns);
        let (_page, preview, _, mut person) = asked(&mut stage);
        let preview = preview.as_str().expect("a preview id is a text").to_owned();
        person.press(&stage, person.yes());
        while !stage.is_approved(&preview) {
            stage.turns(1);
        }
        let signed = |stage: &Stage| {
            stage
                .intent(&preview)
                .is_some_and(|i| !i.envelopes().is_empty())
        };
        for _ in 0..turns {
            stage.turns(1);
        }
        if signed(&stage) {
            assert!(turns > 3, "signing takes more turns than {turns}");
            break;
        }
        stage.spawn(|wallet| async move { wallet.lock().await });
        stage.turns(1);
        assert!(!stage.wallet().is_unlocked());
        // What is being stored now was signed before.
        stage.turns(1);
        let before = signed(&stage);
        stage.settle();
        stage.pass(Span::from_mins(3));
        assert_eq!(signed(&stage), before, "locked after {turns} turns");
        assert_eq!(paid(&stage), 0, "locked after {turns} turns");
    }
}

/// The end is stored, and the worker dies before it has answered who waits for it.
#[test]
fn who_waits_is_answered_by_the_next_worker_at_once() {
    let mut stage = Stage::new();
    let (mut page, preview, commit, mut person) = asked(&mut stage);
    let preview = preview.as_str().expect("an id").to_owned();
    let yes = person.yes();
    person.press(&stage, yes);
    while stage
        .intent(&preview)
        .expect("it is stored")
        .end()
        .is_none()
    {
        stage.turns(1);
    }
    stage.kill_worker();
    page.connect(&mut stage);
    stage.settle();
    let told = page.told(&stage, commit).expect("commit is answered");
    assert_eq!(told["outcome"], "success", "{told}");
}
