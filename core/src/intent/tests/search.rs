//! Reconciliation: what a look at the log proves, when it happens, and settling by hand.

use num_bigint::BigUint;

use super::*;

/// The log's tip when S0 was read.
fn mark() -> (u64, ContentHash) {
    (1042, ContentHash::from_bytes([0xcc; 32]))
}

/// A scan from before the first submission to a tip at this time, without a match.
fn scan(tip: Timestamp) -> Scan {
    Scan {
        first: 1042,
        before: Some(PREPARED),
        length: 1050,
        tip_at: tip,
        marks: vec![mark()],
    }
}

/// A claimed ledger's intent whose only envelope was given up and read absent after its window.
fn given_up() -> Run {
    let mut run = Run::claimed();
    run.send().lose_answer().status(CertifiedStatus::Absent);
    run
}

fn reason(finding: &Finding) -> Option<Unreadable> {
    match finding {
        Finding::Unreadable { reason } => Some(*reason),
        Finding::Found { .. } | Finding::Absent(_) | Finding::NotYet { .. } => None,
    }
}

fn rule(finding: &Finding) -> Option<AbsenceRule> {
    match finding {
        Finding::Absent(proof) => Some(proof.rule()),
        Finding::Found { .. } | Finding::NotYet { .. } | Finding::Unreadable { .. } => None,
    }
}

#[test]
fn found_is_done() {
    let mut run = given_up();
    assert_eq!(run.effect(), Some(Effect::Reconcile));
    run.on(Event::Reconciled(Finding::Found {
        block: "1043".into(),
    }));
    assert_eq!(
        run.end(),
        &EndKind::Found {
            block: "1043".into()
        }
    );
    assert_eq!(run.outcome(), Outcome::AlreadyDone);
    assert_eq!(run.case(), "found");
    assert_eq!(run.told().finding.unwrap()["block"], "1043");
}

#[test]
fn absent_settles_and_lets_the_call_be_prepared_anew() {
    let mut run = given_up();
    let finding = scan(run.time().plus(Span::from_secs(1))).judge(&run.intent);
    assert_eq!(rule(&finding), Some(AbsenceRule::EnvelopesExpired));
    run.on(Event::Reconciled(finding));
    assert_eq!(run.outcome(), Outcome::NotExecuted);
    assert_eq!(run.case(), "absent");
    assert_eq!(run.told().retry, Retry::NewPrepare);
    assert_eq!(run.told().finding.unwrap()["status"], "absent");
    assert_eq!(run.told().next.unwrap().tool, "prepare_icrc1_transfer");
}

#[test]
fn not_yet_is_looked_at_again_and_told_with_a_time() {
    let mut run = given_up();
    run.on(Event::Reconciled(Finding::NotYet { after: None }));
    assert_eq!(run.outcome(), Outcome::Reconcile);
    assert_eq!(run.told().retry, Retry::CommitPreview);
    assert_eq!(run.told().next.unwrap().after_s, Some(60));
    let due = run.time().plus(Span::from_mins(1));
    assert_eq!(
        run.effect(),
        Some(Effect::Wait {
            until: Some(due),
            on: WaitFor::Reconciliation
        })
    );
    run.later(60);
    assert_eq!(run.effect(), Some(Effect::Reconcile));
}

#[test]
fn unreadable_waits_for_the_person_and_is_still_looked_at() {
    let mut run = given_up();
    run.on(Event::Reconciled(Finding::Unreadable {
        reason: Unreadable::NoAnswer,
    }));
    assert_eq!(run.outcome(), Outcome::Reconcile);
    assert_eq!(run.told().retry, Retry::AfterPerson);
    assert_eq!(run.told().finding.unwrap()["reason"], "no_answer");
    assert_eq!(run.effect_name(), "wait");
    assert!(!run.intent.is_under_way());
    run.commit();
    assert_eq!(run.effect(), Some(Effect::Reconcile));
    // The commit waits for what the look comes to.
    assert!(run.intent.is_under_way());
    run.on(Event::Reconciled(Finding::NotYet { after: None }));
    assert!(!run.intent.is_under_way());
}

#[test]
fn looks_grow_rarer_but_the_end_of_the_stamp_is_not_missed() {
    let mut run = given_up();
    let mut looks = Vec::new();
    while run.time() < at(3 * 86_400) {
        match run.effect() {
            Some(Effect::Reconcile) => {
                looks.push(run.time().since(PREPARED).as_secs());
                run.on(Event::Reconciled(Finding::NotYet { after: None }));
            }
            Some(Effect::Wait {
                until: Some(until), ..
            }) => {
                run.now.certified = Some(until);
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(
        looks,
        [
            301, 361, 661, 2_461, 9_661, 52_861, 86_461, 129_661, 172_861, 216_061
        ]
    );
}

#[test]
fn a_claimed_ledger_never_gets_a_second_envelope_of_a_call_that_may_have_executed() {
    for evidence in [Evidence::Claimed, Evidence::None] {
        let mut run = Run::of(prepared(), evidence);
        run.send().lose_answer();
        assert_eq!(
            run.intent.commit_plan(&run.now, evidence),
            CommitPlan::Reconcile
        );
        run.commit();
        assert!(run.intent.ask().is_none());
        assert_eq!(run.effect(), Some(Effect::Reconcile));
    }
}

#[test]
fn a_finding_of_a_known_ledger_that_settles_nothing_does_not_forbid_the_resend() {
    let mut run = Run::known();
    run.send().lose_answer();
    run.on(Event::Reconciled(Finding::Unreadable {
        reason: Unreadable::NoStrategy,
    }));
    assert_eq!(run.outcome(), Outcome::Unknown);
    run.commit();
    assert_eq!(run.ask().kind, AskKind::Resend);
}

#[test]
fn the_search_goes_on_while_a_resend_is_asked() {
    let mut run = Run::known();
    run.send().lose_answer().commit();
    assert_eq!(run.effect(), Some(Effect::Reconcile));
    run.on(Event::Reconciled(Finding::NotYet { after: None }));
    assert_eq!(
        run.effect(),
        Some(Effect::Wait {
            until: Some(run.time().plus(Span::from_mins(1))),
            on: WaitFor::Decision(run.ask().id),
        })
    );
    let request = run.ask();
    run.on(Event::Reconciled(Finding::Found { block: "7".into() }));
    assert_eq!(
        run.refused(Event::Yes {
            ask: request.id,
            digest: request.digest,
            unlocked: true
        }),
        TransitionError::Ended
    );
}

#[test]
fn nothing_is_reconciled_while_an_envelope_is_live_or_none_may_have_executed() {
    let found = || Event::Reconciled(Finding::Found { block: "7".into() });
    let mut run = Run::known();
    assert_eq!(run.refused(found()), TransitionError::NotExpected);
    run.send();
    assert_eq!(run.refused(found()), TransitionError::NotExpected);
}

#[test]
fn absence_by_expiry_needs_a_tip_after_every_expiry_and_status() {
    let run = given_up();
    let judge = |change: fn(&mut Scan)| {
        let mut scan = scan(at(302));
        change(&mut scan);
        scan.judge(&run.intent)
    };
    assert_eq!(rule(&judge(|_| ())), Some(AbsenceRule::EnvelopesExpired));
    // The status was read at 301 s: a tip before that may lack what ran in between.
    assert_eq!(rule(&judge(|s| s.tip_at = at(300))), None);
    assert_eq!(
        rule(&judge(|s| s.tip_at = at(301))),
        Some(AbsenceRule::EnvelopesExpired)
    );
    assert_eq!(
        reason(&judge(|s| s.length = 1041)),
        Some(Unreadable::Rewritten)
    );
    assert_eq!(
        reason(&judge(
            |s| s.marks = vec![(1042, ContentHash::from_bytes([0; 32]))]
        )),
        Some(Unreadable::Rewritten)
    );
    assert_eq!(
        reason(&judge(|s| s.marks.clear())),
        Some(Unreadable::BrokenChain)
    );
    // A scan that begins after the first submission proves nothing.
    assert_eq!(
        rule(&judge(|s| {
            s.first = 1043;
        })),
        None
    );
    // One that begins before any block the stamp could be in does.
    assert_eq!(
        rule(&judge(|s| {
            s.first = 1043;
            s.before = Some(PREPARED.minus(Span::from_secs(61)));
        })),
        Some(AbsenceRule::EnvelopesExpired)
    );
}

#[test]
fn absence_by_expiry_needs_the_status_of_every_envelope() {
    let mut run = Run::claimed();
    run.send().lose_answer();
    // Never read after its expiry: a call taken in before E may finish after it.
    assert_eq!(rule(&scan(at(4_000)).judge(&run.intent)), None);
    run.status(CertifiedStatus::Absent);
    assert_eq!(
        rule(&scan(at(4_000)).judge(&run.intent)),
        Some(AbsenceRule::EnvelopesExpired)
    );
    let mut busy = Run::claimed();
    busy.send().at(200).status(CertifiedStatus::Processing);
    assert_eq!(rule(&scan(at(4_000)).judge(&busy.intent)), None);
}

#[test]
fn absence_by_the_stamp_needs_a_known_window_that_has_passed() {
    let past = at(86_400 + 61);
    let whole = |tip_at| Scan {
        first: 0,
        before: None,
        ..scan(tip_at)
    };
    let mut run = Run::claimed();
    run.send().lose_answer();
    assert_eq!(
        rule(&whole(past).judge(&run.intent)),
        Some(AbsenceRule::StampRefused)
    );
    assert_eq!(
        whole(at(86_460)).judge(&run.intent),
        Finding::NotYet {
            after: Some(at(86_460).plus(Span::from_nanos(1)))
        }
    );
    let mut claimed = prepared();
    claimed.stamp = claimed.stamp.map(|stamp| Stamp {
        window_known: false,
        ..stamp
    });
    let mut run = Run::of(claimed, Evidence::Claimed);
    run.send().lose_answer();
    assert_eq!(
        reason(&whole(past).judge(&run.intent)),
        Some(Unreadable::WindowUnknown)
    );
}

#[test]
fn without_a_stamp_no_log_proves_anything() {
    let mut run = Run::unstamped();
    run.send().lose_answer().status(CertifiedStatus::Absent);
    let whole = Scan {
        first: 0,
        before: None,
        ..scan(at(400_000))
    };
    assert_eq!(
        reason(&whole.judge(&run.intent)),
        Some(Unreadable::NoStrategy)
    );
}

#[test]
fn a_proof_of_absence_does_not_cover_an_envelope_that_left_after_it() {
    let mut run = Run::known();
    run.send().lose_answer().status(CertifiedStatus::Absent);
    let finding = scan(run.time()).judge(&run.intent);
    assert!(rule(&finding).is_some());
    run.send().lose_answer();
    assert_eq!(
        run.refused(Event::Reconciled(finding)),
        TransitionError::NotExpected
    );
}

#[test]
fn a_transaction_is_found_only_when_every_part_is_equal() {
    let expected = Transaction {
        kind: "xfer".into(),
        from: Some(vec![1]),
        to: Some(vec![2]),
        spender: None,
        amount: BigUint::from(150_000_000_u64),
        fee: None,
        memo: Some(b"lunch".to_vec()),
        stamp: Some(PREPARED),
        expected_allowance: None,
        expires_at: None,
    };
    assert!(expected.is(&expected.clone()));
    for change in [
        (|t: &mut Transaction| t.kind = "approve".into()) as fn(&mut Transaction),
        |t| t.from = None,
        |t| t.to = Some(vec![3]),
        |t| t.spender = Some(vec![4]),
        |t| t.amount += 1_u8,
        |t| t.fee = Some(BigUint::from(10_000_u32)),
        |t| t.memo = None,
        |t| t.stamp = Some(at(1)),
        |t| t.expected_allowance = Some(BigUint::ZERO),
        |t| t.expires_at = Some(1),
    ] {
        let mut logged = expected.clone();
        change(&mut logged);
        assert!(!expected.is(&logged), "{logged:?}");
    }
    let unstamped = Transaction {
        stamp: None,
        ..expected
    };
    assert!(!unstamped.is(&unstamped.clone()));
}

/// A payment of the account with owner `7` and no subaccount.
fn payment() -> Transaction {
    Transaction {
        kind: "xfer".into(),
        from: Some(vec![1, 7]),
        to: Some(vec![1, 8]),
        spender: None,
        amount: BigUint::from(150_000_000_u64),
        fee: None,
        memo: None,
        stamp: Some(PREPARED),
        expected_allowance: None,
        expires_at: None,
    }
}

/// Ledgers differ in what they write down: what cannot be told from the payment leaves it open.
#[test]
fn a_transaction_that_a_ledger_may_have_written_otherwise_could_be_ours() {
    let zeros = [vec![1, 7], vec![0; 32]].concat();
    for same in [
        (|_| ()) as fn(&mut Transaction),
        |t| t.fee = Some(BigUint::from(10_000_u32)),
        |t| t.memo = Some(vec![1]),
        |t| t.amount += 1_u8,
        |t| t.to = None,
        |t| t.kind = "burn".into(),
        |t| t.stamp = None,
        |t| t.stamp = Some(Timestamp::from_nanos(PREPARED.as_nanos() / 1_000_000)),
        |t| {
            t.stamp = None;
            t.amount += 1_u8;
        },
    ] {
        let mut logged = payment();
        same(&mut logged);
        assert!(payment().could_be(&logged), "{logged:?}");
        logged.from = Some(zeros.clone());
        assert!(payment().could_be(&logged), "{logged:?}");
    }
    // A mint names no payer.
    let mut minted = payment();
    (minted.kind, minted.from) = ("mint".into(), None);
    assert!(payment().could_be(&minted));
    minted.stamp = None;
    assert!(payment().could_be(&minted));
    for other in [
        (|t| t.stamp = Some(at(1))) as fn(&mut Transaction),
        |t| t.from = Some(vec![1, 9]),
        |t| t.from = Some([vec![1, 7], vec![1; 32]].concat()),
        |t| {
            t.stamp = None;
            t.amount += 1_u8;
            t.to = Some(vec![1, 9]);
        },
        // A mint to somebody else, and one of another amount.
        |t| {
            (t.from, t.stamp) = (None, None);
            t.to = Some(vec![1, 9]);
        },
        |t| {
            (t.from, t.stamp) = (None, None);
            t.amount += 1_u8;
        },
    ] {
        let mut logged = payment();
        other(&mut logged);
        assert!(!payment().could_be(&logged), "{logged:?}");
    }
}

#[test]
fn a_log_is_read_from_the_mark_or_from_before_the_stamp() {
    let mut stamp = prepared().stamp.expect("it has one");
    stamp.window_known = true;
    let before = LogFloor::Before(stamp.at.minus(stamp.drift));
    let run = given_up();
    let soon = run.time().plus(Span::from_secs(1));
    assert_eq!(run.intent.log_floor(soon), Some(LogFloor::Block(1042)));
    let late = stamp.refused_after().plus(Span::from_secs(1));
    assert_eq!(run.intent.log_floor(late), Some(LogFloor::Block(1042)));
    // Its status was never read after its expiry: only the ledger's refusal of the stamp settles it.
    let mut unread = Run::claimed();
    unread.send().lose_answer();
    assert_eq!(unread.intent.log_floor(soon), Some(LogFloor::Block(1042)));
    assert_eq!(unread.intent.log_floor(late), Some(before));
    // Another copy may have sent it before the mark.
    let mut restored_run = given_up();
    restored_run.on(restored());
    assert_eq!(restored_run.intent.log_floor(soon), Some(before));
    assert_eq!(Run::unstamped().intent.log_floor(soon), None);
}

#[test]
fn a_person_settles_by_hand_what_may_have_executed() {
    let by_hand = |word| Event::ByHand {
        word,
        evidence: "balance unchanged".into(),
    };
    let mut run = Run::unstamped();
    assert_eq!(
        run.refused(by_hand(HandWord::Happened)),
        TransitionError::NotExpected
    );
    run.send();
    assert_eq!(
        run.refused(by_hand(HandWord::Happened)),
        TransitionError::NotExpected
    );
    run.later(3).status(reject(5));
    // E has not passed on certified time.
    assert_eq!(
        run.refused(by_hand(HandWord::DidNotHappen)),
        TransitionError::MayStillRun
    );
    let mut happened = run.clone();
    happened.on(by_hand(HandWord::Happened));
    assert_eq!(happened.outcome(), Outcome::AlreadyDone);
    assert_eq!(happened.case(), "by_hand");
    let mut again = run.clone();
    again.on(by_hand(HandWord::AskAgain));
    assert_eq!(again.outcome(), Outcome::Declined);
    assert_eq!(again.told().earlier_outcome, Some(Outcome::Unknown));
    assert_eq!(again.told().retry, Retry::NewPrepare);
    run.at(121).on(by_hand(HandWord::DidNotHappen));
    assert_eq!(run.outcome(), Outcome::NotExecuted);
    assert_eq!(run.case(), "absent");
    assert_eq!(
        run.end(),
        &EndKind::ByHand {
            word: HandWord::DidNotHappen,
            evidence: "balance unchanged".into()
        }
    );
}

fn restored() -> Event {
    Event::Restored {
        installation: InstallationId::from_bytes([0x99; 16]),
        epoch: 2,
    }
}

#[test]
fn a_restored_journal_holds_what_was_open() {
    let mut run = Run::known();
    run.commit().yes().start().sign().on(restored());
    assert!(run.intent.ask().is_none());
    assert!(run.intent.envelopes()[0].void);
    assert_eq!(run.held(), Some(Held::Restored));
    assert_eq!(run.outcome(), Outcome::Reconcile);
    assert_eq!(run.case(), "restored");
    assert_eq!(run.intent.prepared().epoch, 2);
    run.commit();
    assert!(run.intent.ask().is_none(), "no new envelope");
    assert_eq!(run.effect(), Some(Effect::Reconcile));
    let mut run = Run::known();
    run.send()
        .on(restored())
        .later(3)
        .replied(Class::FixInput, "Err.BadFee");
    assert_eq!(
        run.held(),
        Some(Held::Restored),
        "another copy may have sent it, too"
    );
}

#[test]
fn absence_in_a_restored_journal_needs_the_ledgers_own_refusal() {
    let mut run = Run::known();
    run.send()
        .lose_answer()
        .status(CertifiedStatus::Absent)
        .on(restored());
    assert_eq!(rule(&scan(at(4_000)).judge(&run.intent)), None);
    let whole = Scan {
        first: 0,
        before: None,
        ..scan(at(86_461))
    };
    assert_eq!(
        rule(&whole.judge(&run.intent)),
        Some(AbsenceRule::StampRefused)
    );
}

#[test]
fn a_person_cannot_deny_what_another_copy_may_still_send() {
    let mut run = Run::known();
    run.on(restored());
    let deny = || Event::ByHand {
        word: HandWord::DidNotHappen,
        evidence: String::new(),
    };
    run.at(330).look();
    assert_eq!(run.refused(deny()), TransitionError::MayStillRun);
    run.at(331).on(deny());
}
