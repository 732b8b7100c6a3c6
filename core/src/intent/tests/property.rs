//! What holds for every sequence of events. A failing case prints its seed and its events.

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;

use super::*;

/// One move of the world, made concrete against the intent it meets.
#[derive(Clone, Copy, Debug)]
enum Move {
    /// Certified time passes, by this many seconds.
    Pass(u64),
    /// Certified time is lost, and the worker with it.
    Die,
    /// The next step from a commit to the hand-over, whichever it is.
    Send,
    /// The pending effect is run and answered in this way.
    Work(u8),
    /// A certified status of some envelope, however old.
    Status(u8, u8, u64),
    Commit(Evidence),
    Yes {
        right: bool,
        unlocked: bool,
    },
    No,
    Withdraw,
    Lapse,
    Stop,
    Differs,
    Supersede,
    ByHand(HandWord),
    Told {
        names_end: bool,
    },
    Restore,
    Find(u8),
}

/// Histories whose network answers in one way more often than in others, from a start that has a
/// stamp or none and stands somewhere in a line of renewals.
fn histories(longest: usize) -> impl Strategy<Value = (Run, Vec<Move>)> {
    let start = (prop::bool::weighted(0.8), 0_u8..3).prop_map(|(stamped, renewals)| {
        let line = Line {
            renewals,
            predecessor: None,
        };
        let (prepared, evidence) = if stamped {
            (prepared(), Evidence::Known)
        } else {
            (unstamped(), Evidence::None)
        };
        Run::of(Prepared { line, ..prepared }, evidence)
    });
    let steps =
        any::<u8>().prop_flat_map(move |mood| prop::collection::vec(moves(mood), 1..longest));
    (start, steps)
}

fn moves(mood: u8) -> impl Strategy<Value = Move> {
    let evidence = prop_oneof![
        12 => Just(Evidence::Known),
        1 => Just(Evidence::Claimed),
        1 => Just(Evidence::None)
    ];
    let word = prop_oneof![
        Just(HandWord::Happened),
        Just(HandWord::DidNotHappen),
        Just(HandWord::AskAgain)
    ];
    let pass = prop_oneof![
        20 => 0_u64..5,
        20 => 20_u64..130,
        40 => 100_u64..400,
        1 => 3_000_u64..50_000
    ];
    prop_oneof![
        80 => pass.prop_map(Move::Pass),
        10 => Just(Move::Die),
        100 => Just(Move::Send),
        150 => any::<u8>().prop_map(Move::Work),
        150 => Just(Move::Work(mood)),
        60 => (any::<u8>(), any::<u8>(), 0_u64..400).prop_map(|(e, s, t)| Move::Status(e, s, t)),
        60 => evidence.prop_map(Move::Commit),
        60 => (prop::bool::weighted(0.9), prop::bool::weighted(0.9))
            .prop_map(|(right, unlocked)| Move::Yes { right, unlocked }),
        5 => Just(Move::No),
        10 => Just(Move::Withdraw),
        10 => Just(Move::Lapse),
        5 => Just(Move::Stop),
        2 => Just(Move::Differs),
        4 => Just(Move::Supersede),
        2 => word.prop_map(Move::ByHand),
        10 => any::<bool>().prop_map(|names_end| Move::Told { names_end }),
        2 => Just(Move::Restore),
        10 => any::<u8>().prop_map(Move::Find),
    ]
}

fn status_of(pick: u8) -> CertifiedStatus {
    let classed = |class, case, authority| {
        CertifiedStatus::Replied(Reply {
            authority,
            ..reply(class, case)
        })
    };
    match pick % 20 {
        0..=3 => CertifiedStatus::Absent,
        4 => CertifiedStatus::Received,
        5 => CertifiedStatus::Processing,
        6 => CertifiedStatus::Done,
        7 => classed(Class::Success, "Ok", Authority::Pack),
        8 => classed(Class::Success, "Ok", Authority::Profile),
        9..=11 => classed(
            Class::RetrySame,
            "Err.TemporarilyUnavailable",
            Authority::Pack,
        ),
        12 => classed(Class::RetryNew, "Err.TooOld", Authority::Pack),
        13 => classed(Class::FixInput, "Err.BadFee", Authority::Pack),
        14 => classed(Class::Fail, "Err.GenericError", Authority::Profile),
        15 => CertifiedStatus::Replied(duplicate()),
        16 => CertifiedStatus::Undecodable { reply: vec![1] },
        17 => reject(2),
        18 => reject(4),
        _ => reject(5),
    }
}

fn finding_of(pick: u8, run: &Run) -> Finding {
    match pick % 16 {
        0 => Finding::Found { block: "7".into() },
        1 => Finding::NotYet { after: None },
        2 => Finding::Unreadable {
            reason: Unreadable::NoAnswer,
        },
        _ => Scan {
            first: 0,
            before: None,
            length: 2_000,
            tip_at: run.now.certified.unwrap_or(run.intent.clock()),
            marks: vec![(1042, ContentHash::from_bytes([0xcc; 32]))],
        }
        .judge(&run.intent),
    }
}

impl Run {
    /// The event of a move, where it has one.
    fn event_of(&mut self, step: Move) -> Option<Event> {
        match step {
            Move::Pass(secs) => {
                self.later(secs);
                None
            }
            Move::Die => {
                self.now = Now {
                    certified: None,
                    life: self.now.life + 1,
                };
                None
            }
            Move::Send => match self.intent.pending_effect(&self.now)? {
                Effect::Wait {
                    on: WaitFor::Decision(_),
                    ..
                } => Some(self.yes_event()),
                Effect::Wait { .. } => Some(self.commit_event()),
                Effect::ReadStatus { .. } | Effect::Submit { .. } | Effect::Reconcile => {
                    self.later(310);
                    None
                }
                _ => self.work(1),
            },
            Move::Work(pick) => self.work(pick),
            Move::Status(which, pick, age) => {
                let envelopes = self.intent.envelopes();
                let envelope = envelopes.get(usize::from(which) % envelopes.len().max(1))?;
                let now = self.now.certified.unwrap_or(self.intent.clock());
                Some(Event::Status {
                    request_id: envelope.signed.request_id,
                    status: status_of(pick),
                    at: now.minus(Span::from_secs(age)).max(envelope.signed.s0),
                    certificate: vec![],
                })
            }
            Move::Commit(evidence) => {
                self.evidence = evidence;
                Some(self.commit_event())
            }
            Move::Yes { right, unlocked } => {
                let ask = self.intent.ask()?;
                let digest = if right {
                    ask.digest
                } else {
                    AskDigest::from_bytes([0; 32])
                };
                Some(Event::Yes {
                    ask: ask.id,
                    digest,
                    unlocked,
                })
            }
            Move::No => Some(Event::No {
                ask: self.intent.ask()?.id,
            }),
            Move::Withdraw => Some(Event::Withdraw),
            Move::Lapse => Some(Event::Lapse(Lapse::Locked)),
            Move::Stop => Some(Event::Stopped(Hitch::StoreRefused)),
            Move::Differs => Some(Event::Differs),
            Move::Supersede => Some(Event::Superseded {
                successor: PreviewId::from_bytes([0x77; 16]),
            }),
            Move::ByHand(word) => Some(Event::ByHand {
                word,
                evidence: String::new(),
            }),
            Move::Told { names_end } => {
                let told = self.told();
                Some(Event::Told {
                    answer: told.hash(),
                    names_end: if names_end {
                        told.names_end
                    } else {
                        NamesEnd::No
                    },
                })
            }
            Move::Restore => Some(Event::Restored {
                installation: InstallationId::from_bytes([0x99; 16]),
                epoch: 2,
            }),
            Move::Find(pick) => Some(Event::Reconciled(finding_of(pick, self))),
        }
    }

    /// Runs the pending effect and reports what came of it.
    fn work(&mut self, pick: u8) -> Option<Event> {
        match self.intent.pending_effect(&self.now)? {
            Effect::Look => Some(Event::Look),
            Effect::ReadTime => {
                self.now.certified = Some(self.intent.clock().plus(Span::from_secs(pick.into())));
                None
            }
            Effect::ReadStart { .. } => {
                let base = self.now.certified.unwrap_or(self.intent.clock());
                self.now.certified = Some(base.plus(Span::from_millis(pick.into())));
                Some(self.start_event())
            }
            Effect::Sign { .. } => {
                self.signed += 1;
                Some(self.signed_event())
            }
            Effect::HandOver { request_id } => Some(Event::HandedOver { request_id }),
            Effect::Submit { request_id } | Effect::ReadStatus { request_id, .. } => {
                if pick.is_multiple_of(3) {
                    return Some(Event::Submitted {
                        request_id,
                        result: Submission::NoAnswer,
                    });
                }
                Some(self.status_event(status_of(pick)))
            }
            Effect::ReadBlock { request_id, .. } => Some(match pick % 3 {
                0 => Event::BlockRead {
                    request_id,
                    verdict: BlockVerdict::Ours,
                },
                1 => Event::BlockRead {
                    request_id,
                    verdict: BlockVerdict::Another,
                },
                _ => Event::Reconciled(Finding::NotYet { after: None }),
            }),
            Effect::Renew { .. } => Some(if pick.is_multiple_of(4) {
                Event::RenewRefused
            } else {
                Event::Superseded {
                    successor: PreviewId::from_bytes([0x77; 16]),
                }
            }),
            Effect::Reconcile => Some(Event::Reconciled(finding_of(pick, self))),
            Effect::Wait { .. } => None,
        }
    }

    /// What must hold of every stored intent.
    fn check(&self) -> Result<(), TestCaseError> {
        let intent = &self.intent;
        let stored = intent.encode();
        prop_assert!(
            Intent::decode(&stored).as_ref() == Ok(intent),
            "stored form"
        );
        let effect = intent.pending_effect(&self.now);
        prop_assert_eq!(&effect, &intent.pending_effect(&self.now), "pending effect");
        prop_assert_eq!(effect.is_none(), intent.end().is_some());
        if effect == Some(Effect::Look) {
            let looked = self.offer(Event::Look).expect("a look is taken");
            prop_assert!(
                looked.pending_effect(&self.now) != Some(Effect::Look),
                "looks for ever"
            );
        }
        let rests = matches!(effect, Some(Effect::Wait { on, .. })
            if !matches!(on, WaitFor::Decision(_)));
        prop_assert!(
            !(rests && intent.is_under_way()),
            "waited for and never moved"
        );

        let live = intent
            .envelopes()
            .iter()
            .filter(|e| e.fate(intent.is_ordinary()) == Fate::Live);
        prop_assert!(live.count() <= 1, "two live envelopes");
        let unsent = intent
            .envelopes()
            .iter()
            .filter(|e| e.handed_over.is_none() && !e.void);
        prop_assert!(unsent.count() <= 1, "two unsent envelopes");

        if let Some(Effect::Sign {
            ask, digest, s0, ..
        }) = effect
        {
            let open = intent.ask().expect("an ask");
            let yes = open.yes.as_ref().expect("a yes");
            prop_assert_eq!(
                (open.id, open.digest),
                (ask, digest),
                "signed for another ask"
            );
            prop_assert!(s0 <= yes.at.plus(YES_SPAN), "signed on a lapsed yes");
            prop_assert!(intent.live().is_none());
        }
        if let Some(Effect::HandOver { .. }) = effect {
            let yes = intent
                .ask()
                .and_then(|ask| ask.yes.as_ref())
                .expect("a yes");
            prop_assert!(self.time().max(intent.clock()) <= yes.at.plus(YES_SPAN));
        }
        if let Some(ask) = intent.ask() {
            prop_assert_eq!(ask.kind == AskKind::Resend, intent.may_have_executed());
            if ask.kind == AskKind::Resend {
                prop_assert!(intent.prepared().stamp.is_some(), "re-send without a stamp");
                prop_assert_eq!(
                    ask.evidence,
                    Evidence::Known,
                    "re-send to a ledger not known"
                );
                prop_assert_eq!(intent.held(), None, "re-send of a held intent");
            }
        }

        for asked in [
            Asked::Commit,
            Asked::LateCommit,
            Asked::Prepare,
            Asked::Look,
        ] {
            let told = intent.answer(asked);
            prop_assert_eq!(told.names_end != NamesEnd::No, intent.end().is_some());
            if intent.end().is_none() && intent.may_have_executed() {
                let outcome = told.outcome.expect("an outcome while in doubt");
                let owned_up =
                    told.earlier_outcome == Some(Outcome::Unknown) && outcome == Outcome::Declined;
                prop_assert!(
                    !outcome.denies_execution() || owned_up,
                    "{outcome:?} denies it"
                );
                prop_assert!(!matches!(outcome, Outcome::Success | Outcome::AlreadyDone));
            }
            if intent.end().is_none() && told.retry == Retry::NewPrepare {
                return Err(TestCaseError::fail("an open intent asks for a new one"));
            }
        }
        Ok(())
    }

    /// What must hold between an intent and the next.
    fn check_step(&self, before: &Intent) -> Result<(), TestCaseError> {
        let after = &self.intent;
        prop_assert!(after.clock() >= before.clock(), "time went back");
        prop_assert_eq!(
            &after.prepared().arg,
            &before.prepared().arg,
            "frozen bytes"
        );
        prop_assert_eq!(after.prepared().stamp, before.prepared().stamp);
        prop_assert!(
            after.envelopes().len() >= before.envelopes().len(),
            "envelope forgotten"
        );
        for (old, new) in before.envelopes().iter().zip(after.envelopes()) {
            prop_assert_eq!(&old.signed, &new.signed, "signed bytes changed");
            prop_assert!(new.handed_over.is_some() || old.handed_over.is_none());
            prop_assert!(
                !(old.void && new.handed_over.is_some()),
                "a dropped envelope left"
            );
            prop_assert!(old.end.is_none() || old.end == new.end || old.reply().is_some());
        }
        if let Some(end) = before.end() {
            prop_assert_eq!(
                after.end().map(|end| &end.kind),
                Some(&end.kind),
                "an end changed"
            );
        }
        let more = after.envelopes().len() > before.envelopes().len();
        if more && before.may_have_executed() {
            prop_assert_eq!(before.ask().map(|ask| ask.kind), Some(AskKind::Resend));
        }
        if let (None, Some(end)) = (before.end(), after.end())
            && matches!(
                end.kind,
                EndKind::Superseded { .. } | EndKind::Expired | EndKind::Declined
            )
        {
            let ordinary = after.is_ordinary();
            prop_assert!(
                !after
                    .envelopes()
                    .iter()
                    .any(|e| e.may_have_executed(ordinary)),
                "gave way although it may have executed"
            );
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_sequence_of_events_keeps_the_rules(
        (start, steps) in histories(80)
    ) {
        let mut run = start;
        run.check()?;
        for step in steps {
            let before = run.intent.clone();
            if let Some(event) = run.event_of(step)
                && let Ok(next) = run.offer(event)
            {
                run.intent = next;
            }
            run.check_step(&before)?;
            run.check()?;
        }
    }

    #[test]
    fn every_intent_can_still_end(
        (start, steps) in histories(60)
    ) {
        let mut run = start;
        for step in steps {
            if let Some(event) = run.event_of(step)
                && let Ok(next) = run.offer(event)
            {
                run.intent = next;
            }
        }
        // The network, the ledger and the person are fair from now on.
        for _ in 0..100 {
            if run.now.certified.is_none() {
                run.now.certified = Some(run.intent.clock());
            }
            let event = match run.intent.pending_effect(&run.now) {
                None => break,
                Some(Effect::Wait { until: Some(until), .. }) => {
                    run.now.certified = Some(until.max(run.time()));
                    Event::Look
                }
                Some(Effect::Wait { until: None, .. }) => {
                    run.later(400);
                    Event::ByHand { word: HandWord::DidNotHappen, evidence: String::new() }
                }
                Some(Effect::Submit { request_id } | Effect::ReadStatus { request_id, .. }) => {
                    run.later(1);
                    Event::Status {
                        request_id,
                        status: CertifiedStatus::Replied(reply(Class::Success, "Ok")),
                        at: run.time(),
                        certificate: vec![],
                    }
                }
                Some(Effect::ReadBlock { request_id, .. }) => {
                    Event::BlockRead { request_id, verdict: BlockVerdict::Ours }
                }
                Some(Effect::Reconcile) => {
                    Event::Reconciled(Finding::Found { block: "7".into() })
                }
                Some(_) => match run.work(1) {
                    Some(event) => event,
                    None => continue,
                },
            };
            run.intent = run.offer(event).map_err(|error| TestCaseError::fail(error.to_string()))?;
        }
        prop_assert!(run.intent.end().is_some(), "stuck: {:?}", run.intent);
    }
}

#[test]
fn random_histories_reach_every_event_effect_fate_and_end() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let histories = histories(80);
    let mut met = std::collections::BTreeMap::<String, u32>::new();
    let mut count = |kind: &str, name: &str| {
        *met.entry(format!("{kind} {name}")).or_default() += 1;
    };
    for _ in 0..2_000 {
        let (mut run, steps) = histories.new_tree(&mut runner).unwrap().current();
        for step in steps {
            if run.intent.end().is_some_and(|end| end.told) {
                break;
            }
            let Some(event) = run.event_of(step) else {
                continue;
            };
            let name = event.name();
            match run.offer(event) {
                Ok(next) => {
                    count("event", name);
                    run.intent = next;
                }
                Err(error) => count("error", error.code()),
            }
            count("effect", run.effect_name());
            for envelope in run.intent.envelopes() {
                let fate = envelope.fate(run.intent.is_ordinary());
                count("fate", &format!("{fate:?}"));
            }
            if let Some(held) = run.held() {
                count("held", held.case().as_str());
            }
            if let Some(ask) = run.intent.ask() {
                count("ask", &format!("{:?}", ask.kind));
            }
            let told = run.told();
            count("told", told.outcome.map_or("nothing", Outcome::as_str));
        }
        if let Some(end) = run.intent.end() {
            let kind = format!("{:?}", end.kind);
            let name: String = kind.chars().take_while(char::is_ascii_alphabetic).collect();
            count("end", &name);
        }
    }
    let expected = "\
ask First
ask Resend
effect hand_over
effect look
effect none
effect read_block
effect read_start
effect read_status
effect read_time
effect reconcile
effect renew
effect sign
effect submit
effect wait
end Absent
end ByHand
end Declined
end Differs
end Done
end Expired
end Found
end Refused
end RenewRefused
end RetriesSpent
end Superseded
event block_read
event by_hand
event commit
event differs
event handed_over
event lapse
event look
event no
event reconciled
event renew_refused
event restored
event signed
event start_read
event status
event stopped
event submitted
event superseded
event told
event withdraw
event yes
fate Answered
fate Live
fate NeverRan
fate Open
fate Signed
held answered_after_unknown
held other_block
held rejects_spent
held restored
held retries_spent
held unstamped
held untrusted_class
told already_done
told awaiting_confirmation
told declined
told fail
told fix_input
told not_executed
told reconcile
told retry_new
told retry_same
told success
told unknown";
    let missing: Vec<_> = expected
        .lines()
        .filter(|name| !met.contains_key(*name))
        .collect();
    assert!(missing.is_empty(), "never met: {missing:?}\n{met:#?}");
}
