//! Histories that would have paid twice, called a payment failed, or ended nowhere.

use super::*;

#[test]
fn reply_dropped_and_status_readable_is_success_with_one_submission() {
    let mut run = Run::known();
    run.send();
    let request_id = run.last_request();
    assert_eq!(run.effect_name(), "submit");
    run.on(Event::Submitted {
        request_id,
        result: Submission::NoAnswer,
    });
    assert_eq!(run.effect_name(), "read_status");
    run.later(2).replied(Class::Success, "Ok");
    assert_eq!(run.outcome(), Outcome::Success);
    assert_eq!(run.effect(), None);
}

#[test]
fn reply_and_reads_dropped_past_the_wait_is_in_flight_and_ends_without_a_second_submission() {
    let mut run = Run::known();
    run.send();
    let request_id = run.last_request();
    run.on(Event::Submitted {
        request_id,
        result: Submission::NoAnswer,
    });
    run.at(45).look();
    assert_eq!(run.outcome(), Outcome::Unknown);
    assert_eq!(run.case(), "in_flight");
    assert!(!run.told().is_error());
    // Preparing `1.50` meets it.
    assert_eq!(run.intent.prepare_again(), PrepareAgain::Repeat);
    let repeated = run.intent.answer(Asked::Prepare);
    assert_eq!(repeated.status, Some(Status::Repeated));
    assert_eq!(repeated.outcome, Some(Outcome::Unknown));
    // The worker was killed and the wallet is locked: the stored read needs no key.
    run.now = Now {
        certified: Some(at(60)),
        life: 2,
    };
    assert_eq!(
        run.effect(),
        Some(Effect::ReadStatus {
            request_id,
            with: StatusRead::Stored
        })
    );
    run.commit();
    assert!(run.intent.ask().is_none());
    run.replied(Class::Success, "Ok");
    assert_eq!(run.outcome(), Outcome::Success);
    assert_eq!(
        run.intent.answer(Asked::LateCommit).outcome,
        Some(Outcome::AlreadyDone)
    );
}

#[test]
fn a_killed_worker_does_not_submit_again_what_it_may_have_submitted() {
    let mut run = Run::known();
    run.send();
    run.now = Now {
        certified: Some(at(5)),
        life: 2,
    };
    assert_eq!(run.effect_name(), "read_status");
    run.replied(Class::Success, "Ok");
    assert_eq!(run.outcome(), Outcome::Success);
}

#[test]
fn status_pruned_asks_again_and_sends_the_same_bytes_in_a_new_envelope() {
    let mut run = Run::known();
    run.send().lose_answer();
    run.commit();
    assert_eq!(run.ask().kind, AskKind::Resend);
    assert_eq!(run.ask().digest, RESEND);
    assert_eq!(run.outcome(), Outcome::AwaitingConfirmation);
    assert_eq!(run.told().earlier_outcome, Some(Outcome::Unknown));
    run.yes().start().sign().hand_over();
    let [first, second] = run.intent.envelopes() else {
        panic!("two envelopes")
    };
    assert_ne!(first.signed.request_id, second.signed.request_id);
    run.later(2).status(CertifiedStatus::Replied(duplicate()));
    let request_id = run.last_request();
    run.on(Event::BlockRead {
        request_id,
        verdict: BlockVerdict::Ours,
    });
    assert_eq!(run.outcome(), Outcome::AlreadyDone);
    assert_eq!(run.case(), "Err.Duplicate");
}

#[test]
fn done_while_the_agent_looked_away_is_told_before_anything_new_begins() {
    let mut run = Run::known();
    run.send();
    // Told `unknown`; the wallet then reaches the end alone.
    assert_eq!(run.outcome(), Outcome::Unknown);
    run.later(100).replied(Class::Success, "Ok");
    assert_eq!(run.intent.prepare_again(), PrepareAgain::TellEnd);
    let told = run.intent.answer(Asked::Prepare);
    assert_eq!(told.status, Some(Status::Repeated));
    assert_eq!(told.outcome, Some(Outcome::AlreadyDone));
    assert_eq!(told.retry, Retry::Never);
    assert_ne!(told.names_end, NamesEnd::No);
}

#[test]
fn approved_after_awaiting_confirmation_is_told_before_anything_new_begins() {
    let mut run = Run::known();
    run.commit();
    let waiting = run.told();
    assert_eq!(waiting.outcome, Some(Outcome::AwaitingConfirmation));
    run.at(60)
        .yes()
        .start()
        .sign()
        .hand_over()
        .replied(Class::Success, "Ok");
    run.on(Event::Told {
        answer: waiting.hash(),
        names_end: waiting.names_end,
    });
    assert_eq!(run.intent.prepare_again(), PrepareAgain::TellEnd);
}

#[test]
fn an_expired_envelope_is_no_licence_for_a_new_stamp() {
    // e1 executed and was lost; e2 is answered retry_new after E1 has passed.
    let mut run = Run::known();
    run.send()
        .lose_answer()
        .send()
        .later(3)
        .replied(Class::RetryNew, "Err.TooOld");
    assert!(run.intent.renewal().is_none());
    assert_ne!(run.effect_name(), "renew");
    assert_eq!(
        run.refused(Event::Superseded {
            successor: PreviewId::from_bytes([1; 16])
        }),
        TransitionError::MayHaveExecuted
    );
}

#[test]
fn a_subnet_busy_on_the_resend_is_not_told_as_not_executed() {
    let mut run = Run::known();
    run.send().lose_answer().send().later(3).status(reject(2));
    for asked in [Asked::Commit, Asked::Prepare, Asked::Look] {
        assert_eq!(run.intent.answer(asked).outcome, Some(Outcome::Unknown));
    }
}

#[test]
fn a_locked_wallet_follows_what_it_sent_to_the_end() {
    let mut run = Run::known();
    run.send();
    run.now.life = 2;
    for secs in [10, 60, 119, 121, 200, 294] {
        run.at(secs);
        let request_id = run.last_request();
        assert_eq!(
            run.effect(),
            Some(Effect::ReadStatus {
                request_id,
                with: StatusRead::Stored
            }),
            "{secs}"
        );
    }
    run.status(CertifiedStatus::Absent);
    assert_eq!(run.outcome(), Outcome::NotExecuted);
}

#[test]
fn an_upgraded_ledgers_reply_is_not_called_a_failure() {
    let mut run = Run::known();
    run.send()
        .later(3)
        .status(CertifiedStatus::Undecodable { reply: vec![1] });
    assert!(!run.outcome().denies_execution());
    assert!(run.intent.end().is_none());
}

#[test]
fn a_stored_signature_that_was_never_handed_over_never_ran() {
    let mut run = Run::unstamped();
    run.commit().yes().start().sign();
    run.now = Now {
        certified: None,
        life: 2,
    };
    assert_eq!(run.effect(), Some(Effect::ReadTime));
    run.at(600).look();
    assert!(!run.intent.may_have_executed());
    assert_eq!(run.outcome(), Outcome::AwaitingConfirmation);
    run.yes().start().sign().hand_over();
    assert_eq!(run.intent.envelopes().len(), 2);
}

#[test]
fn a_trap_after_an_await_is_not_called_a_failure() {
    let mut run = Run::unstamped();
    run.send().later(3).status(reject(5));
    assert_eq!(run.outcome(), Outcome::Reconcile);
    assert!(run.intent.may_have_executed());
}

#[test]
fn the_second_half_of_a_double_click_decides_nothing_about_the_next_ask() {
    let mut run = Run::known();
    run.commit();
    let click = run.yes_event();
    run.on(click.clone()).on(Event::Lapse(Lapse::Locked));
    assert_eq!(run.refused(click.clone()), TransitionError::NotThisAsk);
    run.yes().start().sign().hand_over().lose_answer().commit();
    assert_eq!(run.refused(click), TransitionError::NotThisAsk);
}

#[test]
fn an_answer_lost_with_its_page_leaves_the_end_untold() {
    let mut run = Run::known();
    run.send().replied(Class::Success, "Ok");
    assert!(run.intent.holds_identity());
    assert!(!run.intent.end().unwrap().told);
}

#[test]
fn a_ledger_that_refuses_every_stamp_ends_the_line() {
    let mut line = Line::default();
    for renewal in 0..3 {
        let mut run = Run::of(Prepared { line, ..prepared() }, Evidence::Known);
        run.send().replied(Class::RetryNew, "Err.TooOld");
        assert_eq!(run.intent.end().is_some(), renewal == 2);
        line = Line::after(&run.intent);
    }
}

#[test]
fn committing_a_superseded_preview_names_the_successor_and_makes_nothing() {
    let mut run = Run::known();
    run.send().replied(Class::RetryNew, "Err.TooOld");
    let successor = PreviewId::from_bytes([0x77; 16]);
    run.on(Event::Superseded { successor });
    assert_eq!(run.refused(run.commit_event()), TransitionError::Ended);
    let told = run.intent.answer(Asked::LateCommit);
    assert_eq!(told.preview, successor);
    assert_ne!(told.names_end, NamesEnd::No);
    assert_eq!(
        told.of,
        run.intent.preview(),
        "the end it names is its own, not the successor's"
    );
}

#[test]
fn an_unstamped_method_without_arguments_is_not_lost_to_its_site() {
    let mut run = Run::unstamped();
    run.send().lose_answer();
    assert_eq!(run.held(), Some(Held::Unstamped));
    run.on(Event::ByHand {
        word: HandWord::Happened,
        evidence: "claimed".into(),
    });
    let told = run.intent.answer(Asked::Prepare);
    run.on(Event::Told {
        answer: told.hash(),
        names_end: told.names_end,
    });
    assert_eq!(run.intent.prepare_again(), PrepareAgain::New);
}
