//! From a commit to the hand-over.

use super::*;

#[test]
fn a_commit_opens_an_ask_and_sends_nothing() {
    let mut run = Run::known();
    run.commit();
    assert_eq!(run.ask().kind, AskKind::First);
    assert_eq!(run.ask().digest, FIRST);
    assert_eq!(
        run.effect(),
        Some(Effect::Wait {
            until: Some(run.intent.deadline()),
            on: WaitFor::Decision(run.ask().id)
        })
    );
    assert_eq!(run.outcome(), Outcome::AwaitingConfirmation);
}

#[test]
fn a_second_commit_joins_the_open_ask() {
    let mut run = Run::known();
    run.commit();
    let ask = run.ask();
    assert_eq!(
        run.intent.commit_plan(&run.now, run.evidence),
        CommitPlan::Join
    );
    run.commit();
    assert_eq!(run.ask(), ask);
}

#[test]
fn joining_needs_no_certified_time_but_opening_does() {
    let mut run = Run::known();
    run.now.certified = None;
    assert_eq!(run.refused(run.commit_event()), TransitionError::TimeNeeded);
    run.at(0).commit();
    run.now.certified = None;
    run.commit();
}

#[test]
fn joining_leaves_what_the_digest_says_of_the_ledger() {
    let mut run = Run::known();
    run.commit();
    run.evidence = Evidence::Claimed;
    run.commit();
    assert_eq!(run.intent.evidence(), Evidence::Known);
}

#[test]
fn a_yes_leads_to_s0_signature_hand_over_and_submission_in_this_order() {
    let mut run = Run::known();
    run.commit().yes();
    assert_eq!(run.effect_name(), "read_start");
    run.later(1).start();
    let s0 = run.time();
    assert_eq!(
        run.effect(),
        Some(Effect::Sign {
            ask: run.ask().id,
            digest: FIRST,
            s0,
            expiry: s0.plus(Span::from_mins(2)),
            read_expiry: s0.plus(Span::from_secs(295)),
        })
    );
    run.sign();
    assert_eq!(run.effect_name(), "hand_over");
    assert!(!run.intent.may_have_executed());
    run.hand_over();
    assert_eq!(run.effect_name(), "submit");
    assert!(run.intent.may_have_executed());
    assert_eq!(run.outcome(), Outcome::Unknown);
    assert_eq!(run.case(), "in_flight");
}

/// A worker that died between S0 and the signature: the next one does not know how old the yes is.
#[test]
fn nothing_is_signed_before_certified_time_is_read_again() {
    let mut run = Run::known();
    run.commit().yes().start();
    let yes = run.time();
    run.now = Now {
        certified: None,
        life: 2,
    };
    assert_eq!(run.effect_name(), "read_time");
    run.now.certified = Some(yes.plus(Span::from_mins(2)));
    assert_eq!(run.effect_name(), "sign");
    run.later(1);
    assert_eq!(run.effect_name(), "look");
    run.look();
    assert_eq!(run.ask().lapsed, Some(Lapse::Late));
}

/// A hand-over that stands outside the journal only: the status is read before anything is posted,
/// and nothing new is signed.
#[test]
fn what_may_have_left_is_followed_and_what_was_voided_is_not() {
    let mut run = Run::known();
    run.commit().yes().start().sign();
    let (request_id, at) = (run.last_request(), run.time());
    let left = Event::MayHaveLeft {
        request_id,
        hand_over: HandOver { life: 1, at },
    };
    let mut voided = run.intent.clone();
    voided = voided
        .apply(&run.now, Event::Lapse(Lapse::Locked))
        .expect("a lock drops it");
    assert_eq!(
        voided.apply(&run.now, left.clone()),
        Err(TransitionError::NotExpected)
    );
    // Longer than a hand-over may take: it would be dropped.
    run.later(90);
    run.now.life = 2;
    run.on(left.clone());
    assert!(run.intent.may_have_executed());
    assert_eq!(run.intent.ask(), None);
    assert_eq!(run.effect_name(), "read_status");
    assert_eq!(run.refused(left), TransitionError::NotExpected);
}

#[test]
fn what_gave_way_holds_its_wish_no_longer_and_goes_on() {
    let mut run = Run::known();
    run.send();
    run.on(Event::GaveWay);
    assert!(!run.intent.holds_identity());
    assert!(run.intent.may_have_executed());
    run.replied(Class::Success, "Ok");
    assert!(run.intent.end().is_some());
    let mut declined = Run::known();
    declined.commit().no();
    assert!(declined.intent.holds_identity());
    declined.on(Event::GaveWay);
    assert!(!declined.intent.holds_identity());
}

#[test]
fn a_yes_names_ask_and_digest() {
    let mut run = Run::known();
    run.commit();
    let ask = run.ask();
    let yes = |ask, digest, unlocked| Event::Yes {
        ask,
        digest,
        unlocked,
    };
    assert_eq!(
        run.refused(yes(AskId::from_bytes([0; 16]), ask.digest, true)),
        TransitionError::NotThisAsk
    );
    assert_eq!(
        run.refused(yes(ask.id, RESEND, true)),
        TransitionError::DigestDiffers
    );
    assert_eq!(
        run.refused(yes(ask.id, ask.digest, false)),
        TransitionError::Locked
    );
    run.now.certified = None;
    assert_eq!(
        run.refused(yes(ask.id, ask.digest, true)),
        TransitionError::TimeNeeded
    );
    run.at(0).yes();
    assert_eq!(
        run.refused(yes(ask.id, ask.digest, true)),
        TransitionError::AlreadyDecided
    );
    assert_eq!(
        run.refused(Event::No { ask: ask.id }),
        TransitionError::AlreadyDecided
    );
    assert_eq!(
        run.refused(Event::Withdraw),
        TransitionError::AlreadyDecided
    );
}

#[test]
fn a_signature_for_another_digest_is_not_taken() {
    let mut run = Run::known();
    run.commit().yes().start();
    run.signed = 1;
    let Event::Signed { ask, envelope, .. } = run.signed_event() else {
        unreachable!()
    };
    let wrong = Event::Signed {
        ask,
        digest: RESEND,
        envelope,
    };
    assert_eq!(run.refused(wrong), TransitionError::DigestDiffers);
}

#[test]
fn an_envelope_that_lives_longer_than_was_shown_is_not_taken() {
    let mut run = Run::known();
    run.commit().yes().start();
    for change in [
        (|e: &mut SignedEnvelope| e.expiry = e.expiry.plus(Span::from_nanos(1)))
            as fn(&mut SignedEnvelope),
        |e| e.expiry = e.s0,
        |e| e.s0 = e.s0.plus(Span::from_nanos(1)),
        |e| e.read_expiry = e.s0.plus(Span::from_mins(5)),
    ] {
        let Event::Signed {
            ask,
            digest,
            mut envelope,
        } = run.signed_event()
        else {
            unreachable!()
        };
        change(&mut envelope);
        let event = Event::Signed {
            ask,
            digest,
            envelope,
        };
        assert_eq!(run.refused(event), TransitionError::BadEnvelope);
    }
}

#[test]
fn a_request_id_is_signed_once() {
    let mut run = Run::known();
    run.send().later(121).status(CertifiedStatus::Absent);
    run.commit().yes().start();
    // The same counter gives the same request id as before.
    assert_eq!(
        run.refused(run.signed_event()),
        TransitionError::BadEnvelope
    );
}

#[test]
fn closing_the_window_is_a_decline() {
    let mut run = Run::known();
    run.commit().no();
    assert_eq!(run.end(), &EndKind::Declined);
    assert_eq!(run.outcome(), Outcome::Declined);
    assert_eq!(run.told().earlier_outcome, None);
    assert_eq!(run.told().retry, Retry::AfterPerson);
    assert!(!run.told().is_error());
    assert!(!run.intent.sets_stamp_floor());
}

#[test]
fn a_decline_after_a_harmless_attempt_leaves_the_call_open() {
    let mut run = Run::known();
    run.send().later(121).status(CertifiedStatus::Absent);
    run.commit().no();
    assert!(run.intent.end().is_none());
    assert_eq!(run.outcome(), Outcome::Declined);
    assert_eq!(run.told().earlier_outcome, None);
    assert_eq!(
        run.intent.commit_plan(&run.now, run.evidence),
        CommitPlan::Ask(AskKind::First)
    );
}

#[test]
fn a_decline_of_a_resend_says_that_the_earlier_attempt_is_unknown() {
    let mut run = Run::known();
    run.send().lose_answer().commit();
    assert_eq!(run.ask().kind, AskKind::Resend);
    run.no();
    assert!(run.intent.end().is_none());
    assert_eq!(run.outcome(), Outcome::Declined);
    assert_eq!(run.told().earlier_outcome, Some(Outcome::Unknown));
    // Preparing it again is told that the outcome is unknown, not that it was declined.
    assert_eq!(
        run.intent.answer(Asked::Prepare).outcome,
        Some(Outcome::Unknown)
    );
}

#[test]
fn withdrawing_goes_back_to_prepared() {
    let mut run = Run::known();
    run.commit().on(Event::Withdraw);
    assert!(run.intent.ask().is_none());
    assert!(run.intent.end().is_none());
    assert_eq!(run.intent.answer(Asked::Look).outcome, None);
    assert_eq!(run.outcome(), Outcome::NotExecuted);
    assert_eq!(run.case(), "prepared");
    run.commit();
    assert_eq!(run.ask().kind, AskKind::First);
}

#[test]
fn withdrawing_a_resend_changes_nothing_else() {
    let mut run = Run::known();
    run.send().lose_answer().commit().on(Event::Withdraw);
    assert!(run.intent.ask().is_none());
    assert_eq!(run.outcome(), Outcome::Unknown);
    assert_eq!(run.refused(Event::Withdraw), TransitionError::NotExpected);
}

#[test]
fn an_ask_id_is_used_once() {
    let mut run = Run::known();
    let mut ids = Vec::new();
    for _ in 0..3 {
        run.commit();
        ids.push(run.ask().id);
        run.yes().on(Event::Lapse(Lapse::Locked));
        ids.push(run.ask().id);
        run.on(Event::Withdraw);
    }
    let mut unique = ids.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), ids.len());
    let late = Event::Yes {
        ask: ids[0],
        digest: FIRST,
        unlocked: true,
    };
    assert_eq!(run.refused(late), TransitionError::NotThisAsk);
}

#[test]
fn locking_makes_a_yes_lapse_and_drops_what_never_left() {
    let mut run = Run::known();
    run.commit().yes().start().sign();
    let ask = run.ask().id;
    run.on(Event::Lapse(Lapse::Locked));
    assert_ne!(run.ask().id, ask);
    assert_eq!(run.ask().yes, None);
    assert_eq!(run.ask().lapsed, Some(Lapse::Locked));
    assert!(run.intent.envelopes()[0].void);
    assert_eq!(run.effect_name(), "wait");
    assert_eq!(run.outcome(), Outcome::AwaitingConfirmation);
    assert_eq!(run.case(), "yes_lapsed");
    let request_id = run.last_request();
    assert_eq!(
        run.refused(Event::HandedOver { request_id }),
        TransitionError::NotExpected
    );
}

#[test]
fn locking_does_not_touch_a_live_envelope() {
    let mut run = Run::known();
    run.send();
    assert_eq!(
        run.refused(Event::Lapse(Lapse::Locked)),
        TransitionError::NotExpected
    );
    assert_eq!(run.effect_name(), "submit");
}

#[test]
fn a_yes_lapses_two_minutes_after_it_by_certified_time() {
    let mut run = Run::known();
    run.commit().yes();
    run.at(120);
    assert_eq!(run.effect_name(), "read_start");
    run.at(121);
    assert_eq!(run.effect(), Some(Effect::Look));
    run.look();
    assert_eq!(run.ask().yes, None);
    assert_eq!(run.ask().lapsed, Some(Lapse::Late));
}

#[test]
fn approved_while_the_worker_dies_for_a_day_signs_nothing_and_asks_again() {
    let mut run = Run::known();
    run.commit().yes();
    run.now = Now {
        certified: None,
        life: 2,
    };
    assert_eq!(run.effect_name(), "read_start");
    // S0 comes back a day later: the yes is far too old, and 12 hours is the deadline.
    let mut day = run.clone();
    day.at(86_400);
    let start = day.start_event();
    day.on(start);
    assert_eq!(day.end(), &EndKind::Expired);
    // An hour later it is asked again.
    run.at(3_600);
    let start = run.start_event();
    run.on(start);
    assert_eq!(run.ask().yes, None);
    assert_eq!(run.ask().lapsed, Some(Lapse::Late));
    assert_eq!(run.effect_name(), "wait");
}

#[test]
fn s0_late_after_the_yes_is_a_lapse_even_where_no_other_time_is_known() {
    let mut run = Run::known();
    run.commit().yes();
    run.at(300);
    let start = run.start_event();
    run.now.certified = None;
    run.on(start);
    assert_eq!(run.ask().lapsed, Some(Lapse::Late));
}

#[test]
fn a_signed_envelope_is_not_handed_over_on_a_lapsed_yes() {
    let mut run = Run::known();
    run.commit().yes().start().sign();
    run.at(121);
    let request_id = run.last_request();
    run.on(Event::HandedOver { request_id });
    assert_eq!(run.ask().lapsed, Some(Lapse::Late));
    assert!(!run.intent.may_have_executed());
    assert!(run.intent.envelopes()[0].void);
}

#[test]
fn a_hand_over_is_judged_by_certified_time_only() {
    let mut run = Run::known();
    run.commit().yes().start().sign();
    run.now.certified = None;
    assert_eq!(run.effect_name(), "read_time");
    let request_id = run.last_request();
    assert_eq!(
        run.refused(Event::HandedOver { request_id }),
        TransitionError::TimeNeeded
    );
}

#[test]
fn an_envelope_with_less_than_a_minute_left_is_dropped_and_s0_read_again() {
    let mut run = Run::known();
    run.commit().at(1).yes().start().sign();
    run.at(61);
    assert_eq!(run.effect_name(), "hand_over");
    run.at(62).look();
    assert!(run.intent.envelopes()[0].void);
    assert_eq!(run.effect_name(), "read_start");
    run.start().sign().hand_over();
    assert_eq!(run.intent.envelopes().len(), 2);
    assert_eq!(run.effect_name(), "submit");
}

#[test]
fn s0_that_leaves_no_minute_to_hand_over_is_read_again() {
    let mut run = Run::known();
    run.commit().at(100).yes();
    // A node of the subnet is behind the one that was read before.
    let late = run.at(39).start_event();
    let in_time = run.at(40).start_event();
    run.at(100);
    assert_eq!(run.refused(late), TransitionError::NotExpected);
    assert_eq!(run.effect_name(), "read_start");
    run.on(in_time).sign();
    assert_eq!(run.effect_name(), "hand_over");
}

#[test]
fn one_yes_covers_one_envelope() {
    let mut run = Run::known();
    run.send().later(121).status(CertifiedStatus::Absent);
    assert!(run.intent.ask().is_none());
    assert_eq!(run.effect_name(), "wait");
    assert_eq!(
        run.intent.commit_plan(&run.now, run.evidence),
        CommitPlan::Ask(AskKind::First)
    );
}

#[test]
fn a_yes_to_words_about_the_ledger_that_no_longer_hold_signs_nothing() {
    let mut run = Run::known();
    run.commit().yes();
    run.evidence = Evidence::Claimed;
    run.start();
    assert!(run.intent.ask().is_none());
    assert_eq!(run.outcome(), Outcome::NotExecuted);
    assert_eq!(run.case(), "changed");
}

#[test]
fn a_resend_is_not_signed_where_the_module_no_longer_carries_the_evidence() {
    let mut run = Run::known();
    run.send().lose_answer().commit().yes();
    run.evidence = Evidence::Claimed;
    run.start();
    assert!(run.intent.ask().is_none());
    assert_eq!(run.effect_name(), "reconcile");
    assert_eq!(run.outcome(), Outcome::Unknown);
}

#[test]
fn a_stamp_ahead_of_the_ledger_is_not_signed() {
    let mut early = prepared();
    early.stamp = early.stamp.map(|stamp| Stamp {
        at: at(61),
        ..stamp
    });
    let mut run = Run::of(early, Evidence::Known);
    run.commit().yes();
    assert_eq!(run.refused(run.start_event()), TransitionError::NotExpected);
    run.at(1).start();
}

#[test]
fn a_preview_never_committed_ends_after_an_hour() {
    let mut run = Run::known();
    assert_eq!(
        run.effect(),
        Some(Effect::Wait {
            until: Some(at(3_600)),
            on: WaitFor::Agent
        })
    );
    run.at(3_599).look();
    assert!(run.intent.end().is_none());
    run.at(3_600).look();
    assert_eq!(run.end(), &EndKind::Expired);
    assert_eq!(run.intent.prepare_again(), PrepareAgain::New);
}

#[test]
fn a_deadline_is_the_earliest_of_grant_half_window_and_five_minutes_before_a_time() {
    let deadline = |change: fn(&mut Prepared)| {
        let mut prepared = prepared();
        change(&mut prepared);
        Intent::new(prepared, Evidence::Known).map(|intent| intent.deadline())
    };
    assert_eq!(deadline(|_| ()), Ok(at(12 * 3_600)));
    assert_eq!(deadline(|p| p.stamp = None), Ok(at(7 * 86_400)));
    assert_eq!(
        deadline(|p| p.ask_limit = Span::from_hours(1)),
        Ok(at(3_600))
    );
    assert_eq!(
        deadline(|p| p.earliest_time = Some(at(7_200))),
        Ok(at(6_900))
    );
    assert_eq!(
        deadline(|p| p.earliest_time = Some(at(300))),
        Err(PrepareError::DeadlinePast)
    );
}

#[test]
fn the_deadline_settles_what_cannot_have_executed() {
    let mut run = Run::known();
    run.commit().at(12 * 3_600);
    let late = run.yes_event();
    run.on(late);
    assert_eq!(run.end(), &EndKind::Expired);
    assert_eq!(run.outcome(), Outcome::Declined);
    assert_eq!(run.case(), "expired");
    assert_eq!(run.told().retry, Retry::NewPrepare);
    assert!(!run.told().is_error());
}

#[test]
fn the_deadline_between_yes_and_hand_over_sends_nothing() {
    let mut run = Run::known();
    run.commit().at(12 * 3_600 - 1).yes().start().sign();
    run.at(12 * 3_600);
    let request_id = run.last_request();
    run.on(Event::HandedOver { request_id });
    assert_eq!(run.end(), &EndKind::Expired);
}

#[test]
fn a_resend_can_be_asked_until_the_window_ends_and_no_longer() {
    let mut run = Run::known();
    run.send().lose_answer();
    // Past the deadline of a first yes: the other half of the window is for re-sends.
    run.at(13 * 3_600).commit();
    assert_eq!(run.ask().kind, AskKind::Resend);
    assert_eq!(run.intent.ask_closes(), Some(at(86_400 - 120)));
    run.at(86_400 - 120).look();
    assert!(run.intent.ask().is_none());
    assert!(run.intent.end().is_none());
    assert_eq!(
        run.intent.commit_plan(&run.now, run.evidence),
        CommitPlan::Reconcile
    );
    assert_eq!(run.effect_name(), "reconcile");
}

#[test]
fn an_error_before_hand_over_says_so_and_changes_nothing_else() {
    for hitch in Hitch::ALL {
        let mut run = Run::known();
        run.commit().yes().start().sign().on(Event::Stopped(hitch));
        assert!(run.intent.ask().is_none(), "no effect follows what is told");
        assert!(run.intent.envelopes()[0].void);
        assert_eq!(run.outcome(), Outcome::NotExecuted);
        assert_eq!(run.case(), hitch.case().as_str());
        assert_eq!(run.told().retry, Retry::CommitPreview);
        assert!(run.told().code.is_some());
        run.commit();
        assert_eq!(run.ask().kind, AskKind::First);
    }
}

#[test]
fn an_error_before_the_hand_over_of_a_second_envelope_is_unknown() {
    for hitch in Hitch::ALL {
        let mut run = Run::known();
        run.send()
            .lose_answer()
            .commit()
            .yes()
            .on(Event::Stopped(hitch));
        assert_eq!(run.outcome(), Outcome::Unknown);
        assert_eq!(run.case(), hitch.case().as_str());
        assert_eq!(run.told().retry, Retry::CommitPreview);
    }
}

#[test]
fn nothing_stops_what_is_on_its_way() {
    let mut run = Run::known();
    run.send();
    assert_eq!(
        run.refused(Event::Stopped(Hitch::StoreRefused)),
        TransitionError::NotExpected
    );
}

#[test]
fn another_interface_or_module_settles_what_cannot_have_executed() {
    let mut run = Run::known();
    run.commit().yes().start().sign().on(Event::Differs);
    assert_eq!(run.end(), &EndKind::Differs);
    assert_eq!(run.outcome(), Outcome::Fail);
    assert_eq!(run.case(), "differs");
    let mut run = Run::known();
    run.commit().yes();
    let start = Start {
        s0: run.time(),
        log: None,
    };
    let other = Event::StartRead {
        start,
        module: None,
        evidence: Evidence::Known,
    };
    run.on(other);
    assert_eq!(run.end(), &EndKind::Differs);
}

#[test]
fn another_module_forbids_a_new_envelope_and_lets_the_search_go_on() {
    let mut run = Run::known();
    run.send().lose_answer().commit().on(Event::Differs);
    assert!(run.intent.ask().is_none());
    assert_eq!(
        run.intent.commit_plan(&run.now, run.evidence),
        CommitPlan::Reconcile
    );
    assert_eq!(run.effect_name(), "reconcile");
    assert_eq!(run.outcome(), Outcome::Unknown);
    // An envelope on its way is followed all the same.
    let mut run = Run::known();
    run.send().on(Event::Differs);
    assert_eq!(run.effect_name(), "submit");
    run.replied(Class::Success, "Ok");
    assert_eq!(run.outcome(), Outcome::Success);
}

#[test]
fn another_filled_value_supersedes_only_what_cannot_have_executed() {
    let successor = PreviewId::from_bytes([0x77; 16]);
    let mut run = Run::known();
    run.commit().on(Event::Superseded { successor });
    assert_eq!(
        run.end(),
        &EndKind::Superseded {
            successor,
            after: None
        }
    );
    assert!(!run.intent.holds_identity());
    let told = run.intent.answer(Asked::LateCommit);
    assert_eq!(told.outcome, Some(Outcome::RetryNew));
    assert_eq!(told.preview, successor);
    let mut run = Run::known();
    run.send();
    assert_eq!(
        run.refused(Event::Superseded { successor }),
        TransitionError::MayHaveExecuted
    );
    let mut run = Run::known();
    run.commit().yes();
    assert_eq!(
        run.refused(Event::Superseded { successor }),
        TransitionError::AlreadyDecided
    );
}

#[test]
fn certified_time_never_goes_back_for_an_intent() {
    let mut run = Run::known();
    run.commit().at(12 * 3_600 - 10).yes();
    run.at(5).look();
    assert_eq!(run.intent.clock(), at(12 * 3_600 - 10));
    run.at(0);
    assert_eq!(run.effect_name(), "read_start");
    run.at(12 * 3_600).look();
    assert_eq!(run.end(), &EndKind::Expired);
    assert_eq!(run.refused(Event::Look), TransitionError::Ended);
}
