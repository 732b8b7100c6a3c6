//! What is told, word by word.

use super::*;

#[test]
fn every_outcome_leaves_what_the_table_says() {
    use Outcome::*;
    let table = [
        (Success, Retry::Never),
        (AlreadyDone, Retry::Never),
        (RetrySame, Retry::CommitPreview),
        (RetryNew, Retry::CommitPreview),
        (FixInput, Retry::NewPrepare),
        (Fail, Retry::AfterPerson),
        (NotExecuted, Retry::CommitPreview),
        (Unknown, Retry::CommitPreview),
        (Reconcile, Retry::AfterPerson),
        (Declined, Retry::AfterPerson),
        (AwaitingConfirmation, Retry::CommitPreview),
    ];
    assert_eq!(table.map(|(outcome, _)| outcome), Outcome::ALL);
    for (outcome, retry) in table {
        assert_eq!(Retry::of(outcome), retry, "{outcome:?}");
    }
}

#[test]
fn words_and_codes_are_distinct_and_fixed() {
    let mut lines = String::new();
    for outcome in Outcome::ALL {
        lines += &format!("outcome {}\n", outcome.as_str());
    }
    for case in Case::ALL {
        lines += &format!("case {} {}\n", case.as_str(), case.code().unwrap_or("-"));
    }
    for error in TransitionError::ALL {
        lines += &format!("error {} {error}\n", error.code());
    }
    golden(
        "intent_words.txt",
        include_str!("../../../tests/golden/intent_words.txt"),
        &lines,
    );
    let mut cases = Case::ALL.map(Case::as_str).to_vec();
    cases.sort_unstable();
    cases.dedup();
    assert_eq!(cases.len(), Case::ALL.len());
    let mut codes: Vec<_> = Case::ALL.iter().filter_map(|case| case.code()).collect();
    let count = codes.len();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), count);
}

/// Every answer that the rows of the room can lead to, by a name.
fn answers() -> Vec<(&'static str, Answer)> {
    let mut out = Vec::new();
    let mut add = |name, run: &Run, asked| out.push((name, run.intent.answer(asked)));
    let made = Run::known();
    add("prepared, looked at", &made, Asked::Look);
    add("prepared again", &made, Asked::Prepare);
    let mut run = Run::known();
    run.commit();
    add("asked", &run, Asked::Commit);
    run.yes();
    add("approved", &run, Asked::Commit);
    run.on(Event::Lapse(Lapse::Locked));
    add("lapsed", &run, Asked::Commit);
    let mut stopped = run.clone();
    stopped.yes().on(Event::Stopped(Hitch::Locked));
    add("stopped", &stopped, Asked::Commit);
    run.on(Event::Withdraw);
    add("withdrawn", &run, Asked::Commit);
    let mut declined = Run::known();
    declined.commit().no();
    add("declined", &declined, Asked::Commit);
    let mut expired = Run::known();
    expired.at(3_600).look();
    add("expired", &expired, Asked::LateCommit);
    let mut differs = Run::known();
    differs.on(Event::Differs);
    add("differs", &differs, Asked::LateCommit);
    let mut sent = Run::known();
    sent.send();
    add("in flight", &sent, Asked::Commit);
    add("in flight, prepared again", &sent, Asked::Prepare);
    for (name, class, case) in [
        ("success", Class::Success, "Ok"),
        ("already done", Class::AlreadyDone, "Err.Duplicate"),
        ("retry same", Class::RetrySame, "Err.TemporarilyUnavailable"),
        ("retry new", Class::RetryNew, "Err.TooOld"),
        ("fix input", Class::FixInput, "Err.BadFee"),
        ("fail", Class::Fail, "Err.GenericError"),
    ] {
        let mut run = sent.clone();
        run.later(3).replied(class, case);
        add(name, &run, Asked::Commit);
        if class == Class::RetryNew {
            let mut refused = run.clone();
            refused.on(Event::RenewRefused);
            add("renewal refused", &refused, Asked::Commit);
            run.on(Event::Superseded {
                successor: PreviewId::from_bytes([0x77; 16]),
            });
            add("superseded", &run, Asked::Commit);
        }
        if class == Class::Success {
            add("success, committed late", &run, Asked::LateCommit);
            add("success, prepared again", &run, Asked::Prepare);
        }
    }
    for (name, code) in [("rejected before", 2), ("rejected after", 5)] {
        let mut run = sent.clone();
        run.later(3).status(reject(code));
        add(name, &run, Asked::Commit);
    }
    let mut lost = sent.clone();
    lost.lose_answer();
    add("lost", &lost, Asked::Commit);
    add("lost, prepared again", &lost, Asked::Prepare);
    let mut asked = lost.clone();
    asked.commit();
    add("resend asked", &asked, Asked::Commit);
    asked.no();
    add("resend declined", &asked, Asked::Commit);
    let mut held = lost.clone();
    held.send().later(3).replied(Class::FixInput, "Err.BadFee");
    add("held", &held, Asked::Commit);
    held.on(Event::Reconciled(Finding::NotYet {
        after: Some(at(5_000)),
    }));
    add("held, not yet", &held, Asked::Commit);
    held.on(Event::Reconciled(Finding::Unreadable {
        reason: Unreadable::BrokenChain,
    }));
    add("held, unreadable", &held, Asked::Commit);
    for (name, word) in [
        ("by hand: happened", HandWord::Happened),
        ("by hand: did not", HandWord::DidNotHappen),
        ("by hand: ask again", HandWord::AskAgain),
    ] {
        let mut run = held.clone();
        run.later(1_000).on(Event::ByHand {
            word,
            evidence: String::new(),
        });
        add(name, &run, Asked::LateCommit);
    }
    held.on(Event::Reconciled(Finding::Found {
        block: "1043".into(),
    }));
    add("found", &held, Asked::Commit);
    let mut unstamped = Run::unstamped();
    unstamped.send().lose_answer();
    add("unstamped", &unstamped, Asked::Commit);
    out
}

#[test]
fn answers_are_as_the_golden_file_has_them() {
    let mut lines = String::new();
    for (name, answer) in answers() {
        lines += &format!(
            "# {name}\n{}\n{}\n{}\n",
            answer.sentence,
            if answer.is_error() { "isError" } else { "-" },
            answer.structured()
        );
    }
    golden(
        "intent_answers.txt",
        include_str!("../../../tests/golden/intent_answers.txt"),
        &lines,
    );
}

#[test]
fn every_sentence_names_the_preview_and_a_tool() {
    for (name, answer) in answers() {
        assert!(
            answer.sentence.contains(&answer.preview.to_string()),
            "{name}"
        );
        let tools = [
            "commit",
            "wallet_intent",
            "prepare_icrc1_transfer",
            "prepare_retrieve_btc",
        ];
        match &answer.next {
            Some(next) => assert!(answer.sentence.contains(&next.tool), "{name}"),
            None => assert!(
                tools.iter().any(|tool| answer.sentence.contains(tool)),
                "{name}"
            ),
        }
    }
}

#[test]
fn an_answer_is_an_error_as_the_design_lists_it() {
    for (name, answer) in answers() {
        let in_flight = answer.case.as_deref() == Some("in_flight");
        let fine = match answer.outcome {
            None => true,
            Some(outcome) => matches!(
                (outcome, in_flight),
                (
                    Outcome::Success
                        | Outcome::AlreadyDone
                        | Outcome::Declined
                        | Outcome::AwaitingConfirmation,
                    _
                ) | (Outcome::Unknown, true)
            ),
        };
        assert_eq!(answer.is_error(), !fine, "{name}");
    }
}

#[test]
fn text_from_outside_stands_only_in_fields_of_its_own() {
    let mut run = Run::known();
    run.send().later(3).status(reject(5));
    let told = run.told();
    assert!(!told.sentence.contains("trapped"));
    let message = &told.structured()["details"]["message"];
    assert_eq!(message["untrusted"], "IC0503: trapped\\u{202e}");
    assert_eq!(message["from"], "reject 5 of the canister or the network");
}

#[test]
fn the_answer_that_made_a_preview_says_so() {
    let run = Run::known();
    let made = run.intent.answer_prepared();
    assert_eq!(made.structured()["status"], "prepared");
    assert_eq!(made.structured().get("outcome"), None);
    assert!(!made.is_error());
    let again = run.intent.answer(Asked::Prepare);
    assert_eq!(again.structured()["status"], "repeated");
    assert!(again.sentence.contains("2026-10-09T12:00:01Z"));
    assert!(again.sentence.contains("memo"));
}

#[test]
fn told_is_what_a_live_document_acknowledged_of_the_end() {
    let mut run = Run::known();
    run.send();
    let early = run.told();
    assert_eq!(early.names_end, NamesEnd::No);
    run.later(3).replied(Class::Success, "Ok");
    assert_eq!(run.intent.prepare_again(), PrepareAgain::TellEnd);
    // The acknowledgement of an answer from before the end tells nothing of it.
    run.on(Event::Told {
        answer: early.hash(),
        names_end: early.names_end,
    });
    assert_eq!(run.intent.prepare_again(), PrepareAgain::TellEnd);
    assert!(run.intent.holds_identity());
    let told = run.intent.answer(Asked::Prepare);
    assert_eq!(told.outcome, Some(Outcome::AlreadyDone));
    assert_eq!(told.status, Some(Status::Repeated));
    run.on(Event::Told {
        answer: told.hash(),
        names_end: told.names_end,
    });
    assert_eq!(run.intent.prepare_again(), PrepareAgain::New);
    assert!(!run.intent.holds_identity());
    assert_eq!(run.intent.told(), Some(told.hash()));
}

#[test]
fn a_told_end_stays_told() {
    let mut run = Run::known();
    run.send().replied(Class::Success, "Ok");
    let told = run.told();
    run.on(Event::Told {
        answer: told.hash(),
        names_end: NamesEnd::ToPreparation,
    });
    run.on(Event::Told {
        answer: told.hash(),
        names_end: NamesEnd::No,
    });
    assert_eq!(run.intent.prepare_again(), PrepareAgain::New);
}

#[test]
fn an_effect_answered_to_who_waited_is_told_once_more_within_ten_minutes() {
    let mut run = Run::known();
    run.send().replied(Class::Success, "Ok");
    let answered = run.told();
    assert_eq!(answered.names_end, NamesEnd::ToWaiter);
    run.on(Event::Told {
        answer: answered.hash(),
        names_end: answered.names_end,
    });
    // The client that waited may be closed, and its document acknowledges all the same.
    assert_eq!(run.intent.prepare_again(), PrepareAgain::TellEnd);
    let answered = run.now;
    run.now.certified = None;
    assert_eq!(
        run.intent.apply(&run.now, Event::Look),
        Err(TransitionError::Ended),
        "without certified time nothing has passed"
    );
    run.now = answered;
    run.later(TOLD_SPAN.as_secs() - 1);
    assert_eq!(
        run.intent.apply(&run.now, Event::Look),
        Err(TransitionError::Ended)
    );
    run.later(1).look();
    assert_eq!(run.intent.prepare_again(), PrepareAgain::New);
}

#[test]
fn an_acknowledgement_without_certified_time_counts_from_the_next_that_is_read() {
    let mut run = Run::known();
    run.send().replied(Class::Success, "Ok");
    let (answered, now) = (run.told(), run.now);
    run.now.certified = None;
    run.on(Event::Told {
        answer: answered.hash(),
        names_end: answered.names_end,
    });
    run.now = now;
    run.later(3_600).look();
    assert_eq!(run.intent.prepare_again(), PrepareAgain::TellEnd);
    run.later(TOLD_SPAN.as_secs()).look();
    assert_eq!(run.intent.prepare_again(), PrepareAgain::New);
}

#[test]
fn an_end_that_nobody_acknowledged_is_told_however_late() {
    let mut run = Run::known();
    run.send().replied(Class::Success, "Ok");
    run.later(7 * 24 * 3_600);
    assert_eq!(
        run.intent.apply(&run.now, Event::Look),
        Err(TransitionError::Ended)
    );
    assert_eq!(run.intent.prepare_again(), PrepareAgain::TellEnd);
}

#[test]
fn an_end_without_effect_is_told_by_any_answer() {
    let mut run = Run::known();
    run.commit().no();
    run.on(Event::Told {
        answer: run.told().hash(),
        names_end: run.told().names_end,
    });
    assert_eq!(run.intent.prepare_again(), PrepareAgain::New);
}

#[test]
fn a_preview_that_ended_by_time_or_a_successor_need_not_be_told_first() {
    let mut run = Run::known();
    assert_eq!(run.intent.prepare_again(), PrepareAgain::Repeat);
    run.at(3_600).look();
    assert_eq!(run.intent.prepare_again(), PrepareAgain::New);
    let mut run = Run::known();
    run.commit().no();
    assert_eq!(run.intent.prepare_again(), PrepareAgain::TellEnd);
}

#[test]
fn a_failed_effect_is_tried_again_ever_more_slowly() {
    let delays = |pace: Pace| [0, 1, 2, 3, 5, 9, 99].map(|tries| pace.delay(tries).as_millis());
    assert_eq!(delays(Pace::Once), [0; 7]);
    assert_eq!(
        delays(Pace::Poll),
        [0, 1_000, 2_000, 4_000, 10_000, 10_000, 10_000]
    );
    assert_eq!(
        delays(Pace::Slow),
        [0, 30_000, 60_000, 120_000, 480_000, 3_600_000, 3_600_000]
    );
}
