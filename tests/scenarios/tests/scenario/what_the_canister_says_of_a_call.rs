//! A canister that offers it is asked what a shown call would do. Its words stand beside what the
//! wallet decoded, and are compared with it; they replace nothing, and nothing waits for them.

use countersign_core::confirm::consent::wire::{METHOD, STANDARDS};
use countersign_core::confirm::consent::{
    Aspect, Block, Compared, ConsentView, Difference, FieldValue, Line, Said, Span as Part, Unsaid,
};
use countersign_core::confirm::risk::Finding;
use countersign_core::confirm::view::Funds;
use countersign_core::time::Span;
use countersign_core::wire::ui::{Command, Failure, Language, Screen};
use countersign_localnet::canisters::ledger::Describing;
use countersign_localnet::faults::{BadCertificate, Execution, Fault, Kind, Reply};
use countersign_scenarios::lunch::{PAYEE, SHOP, asked, lunch, paid, prepared};
use countersign_scenarios::sweep::Course;
use countersign_scenarios::{Page, Person, Stage};
use serde_json::{Value, json};

/// The lunch's window, where the ledger describes calls in this way.
fn shown(describing: Describing) -> (Stage, Person) {
    let mut stage = Stage::new();
    stage.on_ledger(Stage::tka(), |ledger| ledger.set_describing(describing));
    let (_, _, _, person) = asked(&mut stage);
    (stage, person)
}

/// The lunch's window, where something goes wrong with the question.
fn troubled(fault: Fault) -> (Stage, Person) {
    let mut stage = Stage::new();
    let (mut page, preview) = prepared(&mut stage);
    stage.fault(Fault {
        method: Some(METHOD.to_owned()),
        ..fault
    });
    let person = commits(&mut stage, &mut page, &preview);
    (stage, person)
}

fn commits(stage: &mut Stage, page: &mut Page, preview: &Value) -> Person {
    page.begin(stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    Person::at_asks(stage)
}

fn said(person: &Person) -> &Said {
    match &person.call().consent {
        Some(ConsentView::Said(said)) => said,
        other => panic!("the canister says something, but {other:?}"),
    }
}

fn unsaid(person: &Person) -> &Unsaid {
    match &person.call().consent {
        Some(ConsentView::Unsaid(unsaid)) => unsaid,
        other => panic!("the canister says nothing, but {other:?}"),
    }
}

/// The words as a person reads them.
fn words(said: &Said) -> String {
    let line = |line: &Line| line.iter().map(Part::text).collect::<String>();
    let blocks = said.blocks.iter().flat_map(|block| match block {
        Block::Heading(heading) => vec![line(heading)],
        Block::Paragraph(lines) | Block::List(lines) => lines.iter().map(line).collect(),
        Block::Field { label, value } => vec![match value {
            FieldValue::Text(text) => format!("{label} {text}"),
            FieldValue::Amount(amount) => format!("{label} {} {}", amount.number, amount.unit),
            FieldValue::Time(at) => format!("{label} {at}"),
            FieldValue::Seconds(seconds) => format!("{label} {seconds} s"),
        }],
    });
    blocks.collect::<Vec<_>>().join("\n")
}

/// How often the ledger was asked what a call would do.
fn questions(posted: &[(String, Vec<u8>)]) -> Vec<&Vec<u8>> {
    let name = [b"\x6bmethod_name\x78\x24", METHOD.as_bytes()].concat();
    let bodies = posted.iter().map(|(_, body)| body);
    bodies
        .filter(|body| body.windows(name.len()).any(|part| part == name))
        .collect()
}

#[test]
fn an_honest_ledgers_words_agree() {
    let (stage, mut person) = shown(Describing::Truly);
    let payer = person.call().call.sender.address.clone();
    let said = said(&person);
    assert_eq!((&said.compared, &said.language), (&Compared::Agrees, &None));
    assert_eq!(
        words(said),
        format!(
            "Send Token A\nYou are approving a transfer of funds from your account.\n\
             From:\n{payer}\nAmount: 1.5 TKA\nTo:\n{PAYEE}\nFees: 0.0001 TKA\n\
             Charged for processing the transfer.\nMemo:\nlunch"
        )
    );
    person.approve(&stage);
    assert_eq!(paid(&stage), 1);
}

#[test]
fn every_version_of_the_standard_is_read_and_compared() {
    for describing in [
        Describing::AsFields,
        Describing::AsTexts,
        Describing::AsLines,
    ] {
        let (_, person) = shown(describing);
        let said = said(&person);
        assert!(
            words(said).contains(PAYEE),
            "{describing:?}: {}",
            words(said)
        );
        assert_eq!(said.compared, Compared::Agrees, "{describing:?}");
    }
}

#[test]
fn a_ledger_that_says_another_payee_or_amount_is_found_to_differ() {
    for (describing, what, ours, theirs) in [
        (Describing::OtherPayee, Aspect::Party, PAYEE, "2vxsx-fae"),
        (Describing::OtherAmount, Aspect::Amount, "1.5 TKA", "15 TKA"),
    ] {
        let (stage, mut person) = shown(describing);
        let differences = vec![Difference {
            what,
            ours: ours.to_owned(),
            theirs: vec![theirs.to_owned()],
        }];
        let compared = Compared::Differs(differences.clone());
        assert_eq!(said(&person).compared, compared);
        // A yes counts only where that was acknowledged.
        let finding = Finding::CanisterDiffers(differences);
        assert!(person.call().findings.contains(&finding));
        let Command::Approve {
            ask,
            preview,
            digest,
            mut acknowledged,
        } = person.yes()
        else {
            panic!("a yes is to approve")
        };
        acknowledged.retain(|one| *one != finding);
        person.does(
            &stage,
            Command::Approve {
                ask,
                preview,
                digest,
                acknowledged,
            },
        );
        assert_eq!(person.failure(), Some(&Failure::AskChanged));
        assert_eq!(paid(&stage), 0);
        // The wallet's own reading stands as it is.
        let call = &person.call().call;
        let amount = call.amount.as_ref().map(|amount| amount.number.as_str());
        let party = call.party.as_ref().map(|party| party.address.as_str());
        assert_eq!((amount, party), (Some("1.5"), Some(PAYEE)));
        person.approve(&stage);
        assert_eq!(paid(&stage), 1);
    }
}

/// A memo is the site's. Written as the ledger writes, it can make a difference and no agreement.
#[test]
fn a_memo_that_is_written_as_the_ledgers_word_makes_a_difference() {
    let mut stage = Stage::new();
    let (mut page, payer) = stage.connected(SHOP, &[Stage::tka()]);
    stage.mint(Stage::tka(), payer, 1_000_000_000);
    let mut input = lunch("1.5 TKA");
    input["memo"] = json!("x`\n\n**To:**\n`2vxsx-fae");
    let told = page.call(&stage, "prepare_icrc1_transfer", input);
    let preview = told["preview"]["preview_id"].clone();
    let person = commits(&mut stage, &mut page, &preview);
    let difference = Difference {
        what: Aspect::Party,
        ours: PAYEE.to_owned(),
        theirs: vec!["2vxsx-fae".to_owned()],
    };
    assert_eq!(said(&person).compared, Compared::Differs(vec![difference]));
}

#[test]
fn a_call_is_approved_without_the_words_of_a_ledger_that_is_slow() {
    let (stage, mut person) = troubled(Fault {
        execute: Execution::HoldProcessing,
        reply: Reply::Accepted,
        ..Fault::on(Kind::Call)
    });
    assert_eq!(*unsaid(&person), Unsaid::Late);
    let asks = person.seen().iter();
    let asks = asks.filter(|view| matches!(view.screen, Screen::Ask(_)));
    assert!(asks.count() > 1, "the call was shown before that was known");
    person.approve(&stage);
    assert_eq!(paid(&stage), 1);
}

/// Whether the ledger has been asked, and all is read that a yes needs.
fn is_read(person: &Person, posted: &[(String, Vec<u8>)]) -> bool {
    let shows = person.seen().last().map(|view| &view.screen);
    let is_ask = matches!(shows, Some(Screen::Ask(_)));
    let read = is_ask && matches!(person.call().call.balance, Funds::Read(_));
    read && !questions(posted).is_empty()
}

#[test]
fn a_yes_counts_while_the_ledger_is_still_being_asked() {
    let mut stage = Stage::new();
    let (mut page, preview) = prepared(&mut stage);
    stage.fault(Fault {
        method: Some(METHOD.to_owned()),
        execute: Execution::HoldProcessing,
        reply: Reply::Accepted,
        times: None,
        ..Fault::on(Kind::Call)
    });
    let mut person = commits(&mut stage, &mut page, &preview);
    stage.kill_worker();
    let posted = stage.record_calls();
    person.hello(&mut stage);
    let mut turns = 0;
    while turns < 100 && !is_read(&person, &posted.borrow()) {
        stage.turns(1);
        person.look(&stage);
        turns += 1;
    }
    assert!(
        turns < 100,
        "the ledger is being asked, and its balance is read"
    );
    assert_eq!(person.call().consent, None);
    let yes = person.yes();
    person.press(&stage, yes);
    stage.settle();
    assert_eq!(paid(&stage), 1);
    person.look(&stage);
    assert!(matches!(person.screen(), Screen::Decided(_)));
}

#[test]
fn words_that_are_none_are_not_shown() {
    let (_, person) = shown(Describing::Garbage);
    assert_eq!(*unsaid(&person), Unsaid::Unreadable);
    let (_, person) = shown(Describing::Refusing);
    let words = "This ledger keeps it to itself.".to_owned();
    assert_eq!(*unsaid(&person), Unsaid::Refused(words));
}

#[test]
fn words_that_nobody_certified_are_not_shown() {
    for fault in [
        Fault {
            reply: Reply::Drop,
            ..Fault::on(Kind::Call)
        },
        Fault {
            reply: Reply::UncertifiedReject,
            ..Fault::on(Kind::Call)
        },
        Fault {
            execute: Execution::RejectBefore,
            ..Fault::on(Kind::Call)
        },
        Fault {
            reply: Reply::Bad(BadCertificate::WrongRootKey),
            ..Fault::on(Kind::Call)
        },
    ] {
        let (stage, mut person) = troubled(fault.clone());
        assert_eq!(*unsaid(&person), Unsaid::Unanswered, "{fault:?}");
        person.approve(&stage);
        assert_eq!(paid(&stage), 1);
    }
}

#[test]
fn a_ledger_that_does_not_list_the_standard_is_not_asked() {
    let mut stage = Stage::new();
    stage.on_ledger(Stage::tka(), |ledger| {
        ledger.set_describing(Describing::Unlisted);
    });
    let posted = stage.record_calls();
    let (_, _, _, person) = asked(&mut stage);
    assert_eq!(person.call().consent, None);
    assert!(questions(&posted.borrow()).is_empty());
}

#[test]
fn a_ledger_whose_list_of_standards_nobody_certified_is_not_asked_and_the_person_is_told() {
    let mut stage = Stage::new();
    let (mut page, preview) = prepared(&mut stage);
    stage.fault(Fault {
        method: Some(STANDARDS.to_owned()),
        reply: Reply::Drop,
        ..Fault::on(Kind::Call)
    });
    let posted = stage.record_calls();
    let person = commits(&mut stage, &mut page, &preview);
    assert_eq!(*unsaid(&person), Unsaid::Unanswered);
    assert!(questions(&posted.borrow()).is_empty());
}

#[test]
fn a_ledger_is_asked_once_an_ask_and_only_once_a_window_shows_it() {
    let mut stage = Stage::new();
    let (mut page, preview) = prepared(&mut stage);
    let posted = stage.record_calls();
    page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    assert!(
        questions(&posted.borrow()).is_empty(),
        "no window shows it yet"
    );
    let mut person = Person::at_asks(&mut stage);
    let other = Person::at_asks(&mut stage);
    person.connect(&mut stage);
    assert_eq!(questions(&posted.borrow()).len(), 1);
    assert_eq!(said(&person).compared, Compared::Agrees);
    assert_eq!(said(&other).compared, Compared::Agrees);

    // The caller's own question, and nothing of it moves anything.
    let signed = questions(&posted.borrow())[0]
        .windows(10)
        .any(|part| part == b"sender_sig");
    assert!(signed, "the standard asks for the caller's own");
    assert_eq!(paid(&stage), 0);
}

#[test]
fn a_locked_wallet_asks_no_ledger() {
    let mut stage = Stage::new();
    let (mut page, preview) = prepared(&mut stage);
    let mut home = Person::at_home(&mut stage);
    home.must(&stage, Command::Lock);
    let posted = stage.record_calls();
    page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    assert!(matches!(person.screen(), Screen::Unlock(_)));
    assert!(questions(&posted.borrow()).is_empty());
    person.unlocks(&stage);
    assert_eq!(said(&person).compared, Compared::Agrees);
}

#[test]
fn another_worker_asks_again() {
    let (mut stage, mut person) = shown(Describing::Truly);
    let posted = stage.record_calls();
    stage.kill_worker();
    person.connect(&mut stage);
    assert_eq!(said(&person).compared, Compared::Agrees);
    assert_eq!(questions(&posted.borrow()).len(), 1);
    person.approve(&stage);
    stage.pass(Span::from_secs(10));
    assert_eq!(paid(&stage), 1);
}

#[test]
fn a_ledger_is_asked_in_the_language_that_the_person_set_and_its_own_is_named() {
    let mut stage = Stage::new();
    let (mut page, preview) = prepared(&mut stage);
    let mut home = Person::at_home(&mut stage);
    let chinese = Some(Language::SimplifiedChinese);
    home.must(&stage, Command::SetLanguage(chinese));
    let posted = stage.record_calls();
    let person = commits(&mut stage, &mut page, &preview);
    let posted = posted.borrow();
    let question = questions(&posted)[0];
    assert!(question.windows(6).any(|part| part == b"\x05zh-CN"));
    assert_eq!(said(&person).language.as_deref(), Some("en"));
    assert_eq!(said(&person).compared, Compared::Agrees);
}

#[test]
fn what_a_ledger_rounds_is_found_to_differ_and_the_exact_amount_is_paid() {
    let mut stage = Stage::new();
    let (mut page, payer) = stage.connected(SHOP, &[Stage::gem()]);
    stage.mint(Stage::gem(), payer, 5_000_000_000_000_000_000);
    let mut input = lunch("1.234567890123456789 GEM");
    input["canister_id"] = json!(Stage::gem().to_text());
    let told = page.call(&stage, "prepare_icrc1_transfer", input);
    let preview = told["preview"]["preview_id"].clone();
    let mut person = commits(&mut stage, &mut page, &preview);
    let difference = Difference {
        what: Aspect::Amount,
        ours: "1.234567890123456789 GEM".to_owned(),
        theirs: vec!["1.2345678901234567 GEM".to_owned()],
    };
    assert_eq!(said(&person).compared, Compared::Differs(vec![difference]));
    person.approve(&stage);
    assert_eq!(stage.transfers(Stage::gem()), [1_234_567_890_123_456_789]);
}

#[test]
fn wherever_the_worker_dies() {
    Course {
        stage: || {
            let stage = Stage::new();
            stage.on_ledger(Stage::tka(), |ledger| {
                ledger.set_describing(Describing::OtherPayee);
            });
            stage
        },
        ..Course::default()
    }
    .sweep();
}
