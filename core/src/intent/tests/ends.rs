//! From the hand-over to the end: the rows of certified ends.

use super::*;

/// A call of the management canister.
fn management() -> Prepared {
    Prepared {
        canister: Principal::management_canister(),
        effective_canister: ledger(),
        ..unstamped()
    }
}

#[test]
fn success_is_done() {
    let mut run = Run::known();
    run.send().later(3).replied(Class::Success, "Ok");
    let request_id = run.last_request();
    assert_eq!(run.end(), &EndKind::Done(request_id));
    assert_eq!(run.outcome(), Outcome::Success);
    assert_eq!(run.case(), "Ok");
    assert_eq!(run.told().details, Some("1042".into()));
    assert_eq!(run.told().retry, Retry::Never);
    assert_eq!(run.effect(), None);
    assert_eq!(
        run.intent.answer(Asked::LateCommit).outcome,
        Some(Outcome::AlreadyDone)
    );
}

#[test]
fn an_ended_intent_takes_no_event() {
    let mut run = Run::known();
    run.send().replied(Class::Success, "Ok");
    assert_eq!(run.refused(run.commit_event()), TransitionError::Ended);
    assert_eq!(run.refused(Event::Differs), TransitionError::Ended);
    assert_eq!(run.refused(Event::Look), TransitionError::Ended);
    let word = HandWord::DidNotHappen;
    let by_hand = Event::ByHand {
        word,
        evidence: String::new(),
    };
    assert_eq!(run.refused(by_hand), TransitionError::Ended);
    assert_eq!(
        run.intent.commit_plan(&run.now, run.evidence),
        CommitPlan::TellEnd
    );
}

#[test]
fn already_done_without_a_block_is_done() {
    let mut run = Run::known();
    run.send().replied(Class::AlreadyDone, "Err.Known");
    assert!(matches!(run.end(), EndKind::Done(_)));
    assert_eq!(run.outcome(), Outcome::AlreadyDone);
}

#[test]
fn a_duplicate_is_done_only_when_its_block_is_this_intents() {
    let mut run = Run::known();
    run.send()
        .lose_answer()
        .send()
        .status(CertifiedStatus::Replied(duplicate()));
    assert!(run.intent.end().is_none());
    let request_id = run.last_request();
    assert_eq!(
        run.effect(),
        Some(Effect::ReadBlock {
            request_id,
            block: "1042".into()
        })
    );
    assert_eq!(run.outcome(), Outcome::Unknown);
    assert_eq!(run.case(), "block_unread");
    assert_eq!(
        run.intent.commit_plan(&run.now, run.evidence),
        CommitPlan::Join
    );

    let mut ours = run.clone();
    ours.on(Event::BlockRead {
        request_id,
        verdict: BlockVerdict::Ours,
    });
    assert_eq!(ours.end(), &EndKind::Done(request_id));
    assert_eq!(ours.outcome(), Outcome::AlreadyDone);
    assert_eq!(ours.case(), "Err.Duplicate");
    assert_eq!(ours.intent.deduplication_shown(), Some(module()));

    let mut another = run.clone();
    another.on(Event::BlockRead {
        request_id,
        verdict: BlockVerdict::Another,
    });
    assert_eq!(another.held(), Some(Held::OtherBlock));
    assert_eq!(another.outcome(), Outcome::Reconcile);
    assert_eq!(another.intent.deduplication_shown(), None);

    run.on(Event::Reconciled(Finding::Unreadable {
        reason: Unreadable::NoAnswer,
    }));
    assert_eq!(run.outcome(), Outcome::Reconcile);
    assert_eq!(run.effect_name(), "wait");
    run.later(60);
    assert_eq!(run.effect_name(), "read_block");
}

#[test]
fn a_duplicate_to_a_first_envelope_shows_no_deduplication_of_a_resend() {
    let mut run = Run::known();
    run.send().status(CertifiedStatus::Replied(duplicate()));
    let request_id = run.last_request();
    run.on(Event::BlockRead {
        request_id,
        verdict: BlockVerdict::Ours,
    });
    assert_eq!(run.intent.deduplication_shown(), None);
}

#[test]
fn retry_same_hands_the_call_back_and_the_third_fails_it() {
    let mut run = Run::known();
    for _ in 0..2 {
        run.send()
            .later(3)
            .replied(Class::RetrySame, "Err.TemporarilyUnavailable");
        assert!(run.intent.end().is_none());
        assert_eq!(run.outcome(), Outcome::RetrySame);
        assert_eq!(run.case(), "Err.TemporarilyUnavailable");
        assert_eq!(run.told().retry, Retry::CommitPreview);
        assert_eq!(run.effect_name(), "wait");
    }
    run.send()
        .later(3)
        .replied(Class::RetrySame, "Err.TemporarilyUnavailable");
    assert!(matches!(run.end(), EndKind::RetriesSpent(_)));
    assert_eq!(run.outcome(), Outcome::Fail);
    assert_eq!(run.case(), "retries_spent");
    assert_eq!(run.told().code, Some("E_RETRIES_SPENT"));
}

#[test]
fn a_retry_same_after_an_unknown_is_unknown_and_the_third_holds_it() {
    let mut run = Run::known();
    run.send().lose_answer();
    for _ in 0..2 {
        run.send()
            .later(3)
            .replied(Class::RetrySame, "Err.TemporarilyUnavailable");
        assert_eq!(run.outcome(), Outcome::Unknown);
        assert_eq!(run.held(), None);
    }
    run.send()
        .later(3)
        .replied(Class::RetrySame, "Err.TemporarilyUnavailable");
    assert_eq!(run.held(), Some(Held::RetriesSpent));
    assert_eq!(run.outcome(), Outcome::Reconcile);
    assert_eq!(
        run.intent.commit_plan(&run.now, run.evidence),
        CommitPlan::Reconcile
    );
}

#[test]
fn an_unstamped_call_handed_back_may_be_sent_again() {
    let mut run = Run::unstamped();
    run.send()
        .later(3)
        .replied(Class::RetrySame, "Err.TemporarilyUnavailable");
    assert_eq!(run.outcome(), Outcome::RetrySame);
    run.commit();
    assert_eq!(run.ask().kind, AskKind::First);
}

#[test]
fn retry_new_is_settled_with_its_successor() {
    let mut run = Run::known();
    let capped = Reply {
        ledger_time: Some(at(2)),
        ..reply(Class::RetryNew, "Err.CreatedInFuture")
    };
    run.send().status(CertifiedStatus::Replied(capped));
    assert!(run.intent.end().is_none());
    assert_eq!(
        run.effect(),
        Some(Effect::Renew {
            predecessor: run.intent.preview(),
            cap: Some(at(2))
        })
    );
    assert_eq!(
        run.intent.commit_plan(&run.now, run.evidence),
        CommitPlan::Join
    );
    assert_eq!(run.outcome(), Outcome::RetryNew);
    let line = Line::after(&run.intent);
    assert_eq!(
        line,
        Line {
            renewals: 1,
            predecessor: Some(run.intent.preview())
        }
    );
    let successor = PreviewId::from_bytes([0x77; 16]);
    run.on(Event::Superseded { successor });
    let request_id = run.last_request();
    assert_eq!(
        run.end(),
        &EndKind::Superseded {
            successor,
            after: Some(request_id)
        }
    );
    for asked in [
        Asked::Commit,
        Asked::LateCommit,
        Asked::Prepare,
        Asked::Look,
    ] {
        let told = run.intent.answer(asked);
        assert_eq!(told.outcome, Some(Outcome::RetryNew));
        assert_eq!(told.preview, successor);
        assert_eq!(told.retry, Retry::CommitPreview);
        assert_eq!(told.next.unwrap().input, NextInput::Preview(successor));
    }
    assert!(!run.intent.holds_identity());
}

#[test]
fn the_third_retry_new_of_a_line_fails() {
    for (renewals, ends) in [(0, false), (1, false), (2, true)] {
        let line = Line {
            renewals,
            predecessor: None,
        };
        let mut run = Run::of(Prepared { line, ..prepared() }, Evidence::Known);
        run.send().replied(Class::RetryNew, "Err.TooOld");
        assert_eq!(run.intent.end().is_some(), ends);
        if ends {
            assert!(matches!(run.end(), EndKind::RetriesSpent(_)));
            assert_eq!(run.outcome(), Outcome::Fail);
            assert_eq!(run.case(), "retries_spent");
        } else {
            assert_eq!(run.effect_name(), "renew");
        }
    }
}

#[test]
fn a_renewal_whose_inputs_no_longer_read_is_told_as_input_to_fix() {
    let mut run = Run::known();
    assert_eq!(
        run.refused(Event::RenewRefused),
        TransitionError::NotExpected
    );
    run.send()
        .replied(Class::RetryNew, "Err.TooOld")
        .on(Event::RenewRefused);
    assert_eq!(run.outcome(), Outcome::FixInput);
    assert_eq!(run.case(), "renew_refused");
    assert_eq!(run.told().retry, Retry::NewPrepare);
}

#[test]
fn a_renewal_is_not_lost_to_the_deadline() {
    let mut run = Run::known();
    run.commit()
        .at(12 * 3_600 - 1)
        .yes()
        .start()
        .sign()
        .hand_over();
    run.at(12 * 3_600 + 5)
        .replied(Class::RetryNew, "Err.TooOld");
    assert_eq!(run.effect_name(), "renew");
}

#[test]
fn retry_new_fix_input_and_fail_after_an_unknown_are_held() {
    for class in [Class::RetryNew, Class::FixInput, Class::Fail] {
        let mut run = Run::known();
        run.send()
            .lose_answer()
            .send()
            .later(3)
            .replied(class, "Err.TooOld");
        assert!(run.intent.end().is_none(), "{class:?}");
        assert_eq!(run.held(), Some(Held::AnsweredAfterUnknown));
        assert_eq!(run.outcome(), Outcome::Reconcile);
        assert_eq!(run.case(), "answered_after_unknown");
        assert_eq!(run.effect_name(), "reconcile");
        run.commit();
        assert!(
            run.intent.ask().is_none(),
            "no second stamp, no third envelope"
        );
    }
}

#[test]
fn fix_input_and_fail_settle_what_cannot_have_executed_otherwise() {
    for (class, outcome, retry) in [
        (Class::FixInput, Outcome::FixInput, Retry::NewPrepare),
        (Class::Fail, Outcome::Fail, Retry::AfterPerson),
    ] {
        let mut run = Run::known();
        run.send().later(3).replied(class, "Err.BadFee");
        let request_id = run.last_request();
        assert_eq!(run.end(), &EndKind::Refused(request_id));
        assert_eq!(run.outcome(), outcome);
        assert_eq!(run.case(), "Err.BadFee");
        assert_eq!(run.told().retry, retry);
    }
}

#[test]
fn the_own_reply_is_judged_over_the_other_envelopes() {
    // The HTTP answer was lost and the status says what the only envelope was answered.
    let mut run = Run::known();
    run.send();
    let request_id = run.last_request();
    run.on(Event::Submitted {
        request_id,
        result: Submission::NoAnswer,
    });
    run.later(10)
        .replied(Class::FixInput, "Err.InsufficientFunds");
    assert_eq!(run.outcome(), Outcome::FixInput);
    assert!(run.intent.end().is_some());
}

#[test]
fn rejects_before_execution_leave_the_call_as_it_was() {
    for code in 1..=3 {
        let mut run = Run::known();
        run.send().later(3).status(reject(code));
        assert!(run.intent.end().is_none());
        assert!(!run.intent.may_have_executed());
        assert_eq!(run.outcome(), Outcome::NotExecuted);
        assert_eq!(run.case(), "rejected");
        assert_eq!(run.told().retry, Retry::CommitPreview);
        run.commit();
        assert_eq!(run.ask().kind, AskKind::First);
        // Without a stamp just the same: it is proved never to have run.
        let mut run = Run::unstamped();
        run.send().later(3).status(reject(code));
        assert_eq!(run.outcome(), Outcome::NotExecuted);
        run.commit();
    }
}

#[test]
fn a_reject_before_execution_of_a_second_envelope_is_unknown() {
    for code in 1..=3 {
        let mut run = Run::known();
        run.send()
            .lose_answer()
            .send()
            .later(3)
            .status(reject(code));
        assert_eq!(run.outcome(), Outcome::Unknown);
        assert_eq!(run.case(), "rejected");
        assert!(run.intent.may_have_executed());
    }
}

#[test]
fn other_rejects_are_unknown_and_may_be_sent_again_where_the_ledger_is_known() {
    for code in [0, 4, 5, 6, 7, u64::MAX] {
        let mut run = Run::known();
        run.send().later(3).status(reject(code));
        assert_eq!(run.outcome(), Outcome::Unknown, "{code}");
        assert_eq!(run.told().retry, Retry::CommitPreview);
        assert!(run.told().is_error());
        run.commit();
        assert_eq!(run.ask().kind, AskKind::Resend);
    }
}

#[test]
fn the_third_reject_of_the_canister_holds_the_call() {
    let mut run = Run::known();
    for code in [4, 5] {
        run.send().later(3).status(reject(code));
        assert_eq!(run.held(), None);
    }
    run.send().later(3).status(reject(5));
    assert_eq!(run.held(), Some(Held::RejectsSpent));
    assert_eq!(run.outcome(), Outcome::Reconcile);
    run.commit();
    assert!(run.intent.ask().is_none());
}

#[test]
fn rejects_of_other_codes_are_not_counted() {
    let mut run = Run::known();
    for _ in 0..4 {
        run.send().later(3).status(reject(6));
    }
    assert_eq!(run.held(), None);
}

#[test]
fn no_reject_of_the_management_canister_proves_anything() {
    for code in [1, 2, 3, 4, 5] {
        let mut run = Run::of(management(), Evidence::None);
        run.send().later(3).status(reject(code));
        assert!(run.intent.may_have_executed());
        assert_eq!(run.held(), Some(Held::Unstamped));
        assert_eq!(run.outcome(), Outcome::Reconcile);
    }
}

#[test]
fn a_certified_absence_inside_its_window_proves_that_it_never_ran() {
    let mut run = Run::known();
    run.send();
    // E = 120 s, the window ends at 300 s.
    for (secs, proved) in [(120, false), (121, true), (299, true), (300, false)] {
        let mut run = run.clone();
        run.at(secs).status(CertifiedStatus::Absent);
        assert_eq!(!run.intent.may_have_executed(), proved, "{secs}");
        if proved {
            assert_eq!(run.outcome(), Outcome::NotExecuted);
            assert_eq!(run.case(), "not_included");
        } else {
            assert_eq!(run.outcome(), Outcome::Unknown);
        }
    }
    // A proof is its certificate's, however late it is looked at.
    let request_id = run.last_request();
    let event = Event::Status {
        request_id,
        status: CertifiedStatus::Absent,
        at: at(299),
        certificate: vec![],
    };
    run.at(1_000).on(event);
    assert!(!run.intent.may_have_executed());
}

#[test]
fn an_absence_after_the_message_was_seen_proves_nothing() {
    let mut run = Run::known();
    run.send().at(5).status(CertifiedStatus::Received);
    run.at(200).status(CertifiedStatus::Absent);
    assert!(run.intent.may_have_executed());
    run.at(300).look();
    assert_eq!(run.case(), "window_closed");
}

#[test]
fn an_absence_of_a_second_envelope_leaves_the_first_unknown() {
    let mut run = Run::known();
    run.send()
        .lose_answer()
        .send()
        .later(121)
        .status(CertifiedStatus::Absent);
    assert_eq!(run.outcome(), Outcome::Unknown);
    assert_eq!(run.case(), "not_included");
}

#[test]
fn a_forgotten_answer_is_unknown() {
    let mut run = Run::known();
    run.send().later(3).status(CertifiedStatus::Done);
    assert_eq!(run.outcome(), Outcome::Unknown);
    assert_eq!(run.case(), "answer_gone");
}

#[test]
fn a_reply_that_does_not_decode_is_unknown_and_kept() {
    let mut run = Run::known();
    run.send().later(3).status(CertifiedStatus::Undecodable {
        reply: vec![0xde, 0xad],
    });
    assert_eq!(run.outcome(), Outcome::Unknown);
    assert_eq!(run.case(), "undecodable");
    assert!(run.intent.may_have_executed());
    assert_eq!(
        run.intent.envelopes()[0].end,
        Some(EnvelopeEnd::Undecodable {
            reply: vec![0xde, 0xad]
        })
    );
    let mut run = Run::unstamped();
    run.send()
        .later(3)
        .status(CertifiedStatus::Undecodable { reply: vec![] });
    assert_eq!(run.held(), Some(Held::Unstamped));
    assert_eq!(run.outcome(), Outcome::Reconcile);
}

#[test]
fn uncertified_answers_prove_nothing() {
    for result in [
        Submission::Accepted,
        Submission::NoAnswer,
        Submission::UncertifiedReject {
            code: 1,
            message: "busy".into(),
        },
        Submission::Refused { status: 400 },
        Submission::Refused { status: 404 },
        Submission::Refused { status: 503 },
    ] {
        let mut run = Run::known();
        run.send();
        let request_id = run.last_request();
        run.on(Event::Submitted { request_id, result });
        assert!(run.intent.may_have_executed());
        assert_eq!(run.outcome(), Outcome::Unknown);
        assert_eq!(run.case(), "in_flight");
        assert_eq!(
            run.effect(),
            Some(Effect::ReadStatus {
                request_id,
                with: StatusRead::Stored
            })
        );
    }
}

#[test]
fn an_unstamped_call_is_unknown_until_its_window_closes_and_then_held() {
    let mut run = Run::unstamped();
    run.send().at(299).look();
    assert_eq!(run.outcome(), Outcome::Unknown);
    assert_eq!(run.case(), "in_flight");
    run.at(300).look();
    assert_eq!(run.held(), Some(Held::Unstamped));
    assert_eq!(run.outcome(), Outcome::Reconcile);
    assert_eq!(run.told().retry, Retry::AfterPerson);
    assert_eq!(
        run.effect(),
        Some(Effect::Wait {
            until: None,
            on: WaitFor::PersonSettles
        })
    );
    assert_eq!(
        run.intent.commit_plan(&run.now, Evidence::Known),
        CommitPlan::Held
    );
    run.commit();
    assert!(run.intent.ask().is_none());
    assert_eq!(run.outcome(), Outcome::Reconcile);
}

#[test]
fn a_message_in_the_networks_hands_is_followed_past_its_window() {
    let mut run = Run::known();
    run.send().at(60).status(CertifiedStatus::Processing);
    run.at(900).look();
    assert_eq!(run.case(), "in_flight");
    assert_eq!(
        run.intent.commit_plan(&run.now, run.evidence),
        CommitPlan::Join
    );
    let request_id = run.last_request();
    assert_eq!(
        run.effect(),
        Some(Effect::ReadStatus {
            request_id,
            with: StatusRead::Fresh
        })
    );
    run.replied(Class::Success, "Ok");
    assert_eq!(run.outcome(), Outcome::Success);
}

#[test]
fn a_late_certified_end_of_a_given_up_envelope_still_counts() {
    let mut run = Run::known();
    run.send().lose_answer();
    assert_eq!(run.case(), "window_closed");
    run.replied(Class::FixInput, "Err.InsufficientFunds");
    assert_eq!(run.outcome(), Outcome::FixInput);
}

#[test]
fn a_given_up_envelope_seen_again_is_followed_and_closes_the_resend_ask() {
    let mut run = Run::known();
    run.send().lose_answer().commit();
    run.status(CertifiedStatus::Processing);
    assert!(run.intent.ask().is_none());
    assert_eq!(run.case(), "in_flight");
}

#[test]
fn proof_that_the_first_never_ran_releases_what_a_later_answer_held() {
    // e1 lost, e2 answered fix_input: held. Then e1 turns out never to have run.
    let mut run = Run::known();
    run.send().lose_answer();
    let first = run.last_request();
    run.send().later(3).replied(Class::FixInput, "Err.BadFee");
    assert_eq!(run.held(), Some(Held::AnsweredAfterUnknown));
    let event = Event::Status {
        request_id: first,
        status: reject(2),
        at: run.time(),
        certificate: vec![],
    };
    run.on(event);
    assert_eq!(run.outcome(), Outcome::FixInput);
}

#[test]
fn the_order_in_which_ends_become_known_makes_no_difference() {
    let ends = [
        CertifiedStatus::Replied(reply(Class::FixInput, "Err.BadFee")),
        CertifiedStatus::Replied(reply(Class::RetrySame, "Err.TemporarilyUnavailable")),
        CertifiedStatus::Replied(reply(Class::Success, "Ok")),
        CertifiedStatus::Replied(reply(Class::RetryNew, "Err.TooOld")),
        reject(2),
        reject(5),
    ];
    for one in &ends {
        for two in &ends {
            let end = |run: &Run, request_id, status: &CertifiedStatus| Event::Status {
                request_id,
                status: status.clone(),
                at: run.time(),
                certificate: vec![],
            };
            let mut run = Run::known();
            run.send().lose_answer();
            let e1 = run.last_request();
            run.send().lose_answer();
            let e2 = run.last_request();
            let mut forward = run.clone();
            forward.on(end(&run, e1, one));
            if forward.intent.end().is_none() {
                forward.on(end(&run, e2, two));
            }
            let mut backward = run.clone();
            backward.on(end(&run, e2, two));
            if backward.intent.end().is_none() {
                backward.on(end(&run, e1, one));
            }
            assert_eq!(
                forward.intent.may_have_executed(),
                backward.intent.may_have_executed(),
                "{one:?} {two:?}"
            );
            let end = |run: &Run| {
                let end = run.intent.end().map(|end| end.kind.clone());
                // Of two proofs that it is done, the first known is named.
                end.map(|kind| match kind {
                    EndKind::Done(_) => EndKind::Done(e1),
                    kind => kind,
                })
            };
            assert_eq!(end(&forward), end(&backward), "{one:?} {two:?}");
        }
    }
}

#[test]
fn a_profile_cannot_hand_back_or_renew() {
    for class in [Class::RetrySame, Class::RetryNew] {
        let mut run = Run::known();
        let reply = Reply {
            authority: Authority::Profile,
            ..reply(class, "Err.Later")
        };
        run.send().later(3).status(CertifiedStatus::Replied(reply));
        assert_eq!(run.outcome(), Outcome::Fail);
        assert!(run.intent.end().is_some());
    }
}

#[test]
fn a_profile_cannot_settle_what_may_have_executed() {
    for class in [
        Class::Success,
        Class::AlreadyDone,
        Class::FixInput,
        Class::Fail,
    ] {
        let mut run = Run::known();
        let reply = Reply {
            authority: Authority::Profile,
            ..reply(class, "Ok")
        };
        run.send()
            .lose_answer()
            .send()
            .later(3)
            .status(CertifiedStatus::Replied(reply));
        assert!(run.intent.end().is_none(), "{class:?}");
        assert!(run.held().is_some(), "{class:?}");
        assert_eq!(run.outcome(), Outcome::Reconcile);
    }
}

#[test]
fn submission_is_the_first_step_of_the_life_that_handed_over() {
    let mut run = Run::known();
    run.send();
    let request_id = run.last_request();
    assert_eq!(run.effect(), Some(Effect::Submit { request_id }));
    // Another life cannot know whether bytes left: it reads first, and posts the same bytes again
    // only where a certificate shows that they are not there.
    run.now.life = 2;
    let read = Effect::ReadStatus {
        request_id,
        with: StatusRead::Stored,
    };
    assert_eq!(run.effect(), Some(read.clone()));
    run.later(1).status(CertifiedStatus::Absent);
    assert_eq!(run.effect(), Some(Effect::Submit { request_id }));
    run.on(Event::Submitted {
        request_id,
        result: Submission::Accepted,
    });
    assert_eq!(run.effect(), Some(read));
}

#[test]
fn a_message_shown_absent_is_posted_again_every_while_until_its_expiry() {
    let mut run = Run::known();
    run.send();
    let request_id = run.last_request();
    run.on(Event::Submitted {
        request_id,
        result: Submission::NoAnswer,
    });
    run.at(19).status(CertifiedStatus::Absent);
    assert_eq!(run.effect_name(), "read_status");
    run.at(20).status(CertifiedStatus::Absent);
    assert_eq!(run.effect_name(), "submit");
    run.on(Event::Submitted {
        request_id,
        result: Submission::NoAnswer,
    });
    run.at(119).status(CertifiedStatus::Absent);
    assert_eq!(run.effect_name(), "submit");
    run.at(120);
    assert_eq!(run.effect_name(), "read_status");
}

#[test]
fn following_needs_certified_time_and_no_key_until_the_stored_read_expires() {
    let mut run = Run::known();
    run.send();
    run.now = Now {
        certified: None,
        life: 2,
    };
    assert_eq!(run.effect(), Some(Effect::ReadTime));
    let request_id = run.last_request();
    run.at(294);
    assert_eq!(
        run.effect(),
        Some(Effect::ReadStatus {
            request_id,
            with: StatusRead::Stored
        })
    );
    run.at(295);
    assert_eq!(
        run.effect(),
        Some(Effect::ReadStatus {
            request_id,
            with: StatusRead::Fresh
        })
    );
}

#[test]
fn a_status_of_an_envelope_that_never_left_is_not_taken() {
    let mut run = Run::known();
    run.commit().yes().start().sign();
    assert_eq!(
        run.refused(run.status_event(CertifiedStatus::Absent)),
        TransitionError::UnknownEnvelope
    );
}

#[test]
fn a_certificate_that_says_nothing_new_stores_nothing() {
    let mut run = Run::known();
    run.send();
    let request_id = run.last_request();
    let result = Submission::Accepted;
    run.on(Event::Submitted { request_id, result });
    let mut news = Vec::new();
    for secs in 1..300 {
        run.at(secs);
        match run.offer(run.status_event(CertifiedStatus::Absent)) {
            Ok(next) => {
                news.push(secs);
                run.intent = next;
            }
            Err(error) => assert_eq!(error, TransitionError::NotExpected),
        }
        if run.effect_name() == "submit" {
            let result = Submission::Accepted;
            run.on(Event::Submitted { request_id, result });
        }
    }
    // The first, one each time it may be posted again, and the proof.
    assert_eq!(news, [1, 20, 40, 60, 80, 100, 121]);
    for taken_in in [CertifiedStatus::Received, CertifiedStatus::Processing] {
        let mut run = Run::known();
        run.send().later(1).status(taken_in.clone()).later(1);
        assert_eq!(
            run.refused(run.status_event(taken_in)),
            TransitionError::NotExpected
        );
    }
}

#[test]
fn an_older_certificate_does_not_undo_a_newer_one() {
    let mut run = Run::known();
    run.send().at(10).status(CertifiedStatus::Processing);
    let request_id = run.last_request();
    let old = Event::Status {
        request_id,
        status: CertifiedStatus::Absent,
        at: at(9),
        certificate: vec![],
    };
    assert_eq!(run.refused(old), TransitionError::NotExpected);
}
