//! The table of the room, row by row, and what must hold for every sequence of events.

mod answers;
mod asks;
mod ends;
mod histories;
mod identity;
mod property;
mod search;
mod stored;

use super::*;
use crate::format::name::NameSets;
use crate::ids::{
    AskDigest, AskId, ContentHash, IdentityHash, InstallationId, NetworkId, PreviewId, Principal,
    RequestId,
};
use crate::profile::Class;
use crate::time::{Span, Timestamp};

/// Certified time of the preparation in every test.
const PREPARED: Timestamp = Timestamp::from_nanos(1_791_547_201_000_000_000);

const FIRST: AskDigest = AskDigest::from_bytes([1; 32]);
const RESEND: AskDigest = AskDigest::from_bytes([2; 32]);

/// `secs` after the preparation.
const fn at(secs: u64) -> Timestamp {
    PREPARED.plus(Span::from_secs(secs))
}

fn ledger() -> Principal {
    Principal::from_text("bkyz2-fmaaa-aaaaa-qaaaq-cai").unwrap()
}

fn module() -> Option<ContentHash> {
    Some(ContentHash::from_bytes([0xaa; 32]))
}

fn prepared() -> Prepared {
    Prepared {
        preview: PreviewId::from_bytes([7; 16]),
        ask_seed: ContentSeed::from_bytes([8; 16]),
        installation: InstallationId::from_bytes([9; 16]),
        epoch: 1,
        network: NetworkId::from_bytes([3; 32]),
        door: Door::Mcp,
        origin: "https://shop.example".into(),
        top_origin: "https://shop.example".into(),
        identity: IdentityHash::from_bytes([4; 32]),
        canister: ledger(),
        effective_canister: ledger(),
        method: "icrc1_transfer".into(),
        tool: "prepare_icrc1_transfer".into(),
        inputs: br#"{"amount":"1.5 TKA"}"#.to_vec(),
        arg: b"DIDL\0\0".to_vec(),
        stamp: Some(Stamp {
            at: PREPARED,
            window: Span::from_hours(24),
            drift: Span::from_secs(60),
            window_known: true,
        }),
        sender: Principal::from_text(
            "k2t6j-2nvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6ae",
        )
        .unwrap(),
        shown: b"{}".to_vec(),
        names: NameSets::default(),
        why: None,
        interface: ContentHash::from_bytes([5; 32]),
        module: module(),
        resolved: ContentHash::from_bytes([6; 32]),
        prepared_at: PREPARED,
        ask_limit: Span::from_hours(7 * 24),
        earliest_time: None,
        profiles: Vec::new(),
        pasted: false,
        line: Line::default(),
    }
}

fn unstamped() -> Prepared {
    Prepared {
        stamp: None,
        method: "retrieve_btc".into(),
        ..prepared()
    }
}

fn reply(class: Class, case: &str) -> Reply {
    Reply {
        class,
        authority: Authority::Pack,
        case: Some(case.into()),
        details: Some("\"1042\"".into()),
        duplicate_of: None,
        ledger_time: None,
        block: None,
        bytes: b"DIDL\0\0".to_vec(),
    }
}

fn duplicate() -> Reply {
    Reply {
        duplicate_of: Some("1042".into()),
        ..reply(Class::AlreadyDone, "Err.Duplicate")
    }
}

fn reject(code: u64) -> CertifiedStatus {
    CertifiedStatus::Rejected(Reject {
        code,
        message: "IC0503: trapped\u{202e}".into(),
        error_code: Some("IC0503".into()),
    })
}

/// An intent with a clock, driven by hand.
#[derive(Clone, Debug)]
struct Run {
    intent: Intent,
    now: Now,
    evidence: Evidence,
    signed: u8,
}

impl Run {
    fn of(prepared: Prepared, evidence: Evidence) -> Self {
        Self {
            intent: Intent::new(prepared, evidence).unwrap(),
            now: Now {
                certified: Some(PREPARED),
                life: 1,
            },
            evidence,
            signed: 0,
        }
    }

    fn known() -> Self {
        Self::of(prepared(), Evidence::Known)
    }

    fn claimed() -> Self {
        Self::of(prepared(), Evidence::Claimed)
    }

    fn unstamped() -> Self {
        Self::of(unstamped(), Evidence::None)
    }

    fn at(&mut self, secs: u64) -> &mut Self {
        self.now.certified = Some(at(secs));
        self
    }

    fn later(&mut self, secs: u64) -> &mut Self {
        let now = self.now.certified.unwrap_or(self.intent.clock());
        self.now.certified = Some(now.plus(Span::from_secs(secs)));
        self
    }

    fn time(&self) -> Timestamp {
        self.now.certified.unwrap()
    }

    fn offer(&self, event: Event) -> Result<Intent, TransitionError> {
        let before = self.intent.clone();
        let result = self.intent.apply(&self.now, event);
        assert_eq!(self.intent, before, "apply leaves its intent as it was");
        result
    }

    #[track_caller]
    fn on(&mut self, event: Event) -> &mut Self {
        let name = event.name();
        self.intent = match self.offer(event) {
            Ok(next) => next,
            Err(error) => panic!("{name}: {error}"),
        };
        self
    }

    #[track_caller]
    fn refused(&self, event: Event) -> TransitionError {
        self.offer(event).unwrap_err()
    }

    fn look(&mut self) -> &mut Self {
        self.on(Event::Look)
    }

    fn commit_event(&self) -> Event {
        Event::Commit {
            evidence: self.evidence,
            first: FIRST,
            resend: RESEND,
        }
    }

    #[track_caller]
    fn commit(&mut self) -> &mut Self {
        self.on(self.commit_event())
    }

    fn ask(&self) -> Ask {
        self.intent.ask().cloned().expect("an ask is open")
    }

    fn yes_event(&self) -> Event {
        let ask = self.ask();
        Event::Yes {
            ask: ask.id,
            digest: ask.digest,
            unlocked: true,
        }
    }

    #[track_caller]
    fn yes(&mut self) -> &mut Self {
        self.on(self.yes_event())
    }

    #[track_caller]
    fn no(&mut self) -> &mut Self {
        self.on(Event::No { ask: self.ask().id })
    }

    fn start_event(&self) -> Event {
        Event::StartRead {
            start: Start {
                s0: self.time(),
                log: Some(LogMark {
                    length: 1042,
                    tip: ContentHash::from_bytes([0xcc; 32]),
                }),
            },
            module: module(),
            evidence: self.evidence,
        }
    }

    #[track_caller]
    fn start(&mut self) -> &mut Self {
        self.on(self.start_event())
    }

    fn next_request(&self) -> RequestId {
        RequestId::from_bytes([self.signed; 32])
    }

    fn signed_event(&self) -> Event {
        let Some(Effect::Sign {
            ask,
            digest,
            s0,
            expiry,
            read_expiry,
        }) = self.intent.pending_effect(&self.now)
        else {
            panic!(
                "nothing is to be signed: {:?}",
                self.intent.pending_effect(&self.now)
            );
        };
        Event::Signed {
            ask,
            digest,
            envelope: Box::new(SignedEnvelope {
                request_id: self.next_request(),
                nonce: vec![self.signed],
                s0,
                expiry,
                read_expiry,
                content: vec![1],
                call: vec![2],
                read_state: vec![3],
            }),
        }
    }

    #[track_caller]
    fn sign(&mut self) -> &mut Self {
        self.signed += 1;
        self.on(self.signed_event())
    }

    fn last_request(&self) -> RequestId {
        self.intent
            .envelopes()
            .last()
            .expect("an envelope was signed")
            .signed
            .request_id
    }

    #[track_caller]
    fn hand_over(&mut self) -> &mut Self {
        let request_id = self.last_request();
        self.on(Event::HandedOver { request_id })
    }

    /// From a commit to the hand-over, in one instant.
    #[track_caller]
    fn send(&mut self) -> &mut Self {
        self.commit().yes().start().sign().hand_over()
    }

    fn status_event(&self, status: CertifiedStatus) -> Event {
        Event::Status {
            request_id: self.last_request(),
            status,
            at: self.time(),
            certificate: vec![0xce],
        }
    }

    #[track_caller]
    fn status(&mut self, status: CertifiedStatus) -> &mut Self {
        self.on(self.status_event(status))
    }

    #[track_caller]
    fn replied(&mut self, class: Class, case: &str) -> &mut Self {
        self.status(CertifiedStatus::Replied(reply(class, case)))
    }

    /// The window in which a status proves something passes without one.
    #[track_caller]
    fn lose_answer(&mut self) -> &mut Self {
        self.later(301).look()
    }

    fn effect(&self) -> Option<Effect> {
        self.intent.pending_effect(&self.now)
    }

    fn effect_name(&self) -> &'static str {
        self.effect().as_ref().map_or("none", Effect::name)
    }

    fn told(&self) -> Answer {
        self.intent.answer(Asked::Commit)
    }

    fn outcome(&self) -> Outcome {
        self.told()
            .outcome
            .expect("a commit is answered with an outcome")
    }

    fn case(&self) -> String {
        self.told().case.unwrap_or_default()
    }

    fn end(&self) -> &EndKind {
        &self.intent.end().expect("it has ended").kind
    }

    fn held(&self) -> Option<Held> {
        self.intent.held()
    }
}

/// Compares with a golden file of `core/tests/golden`. With `COUNTERSIGN_WRITE_GOLDEN` set in the
/// environment, the file is written instead.
#[track_caller]
fn golden(name: &str, golden: &str, actual: &str) {
    if std::env::var_os("COUNTERSIGN_WRITE_GOLDEN").is_some() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/golden")
            .join(name);
        std::fs::write(path, actual).unwrap();
    } else {
        assert!(
            actual == golden,
            "{name} differs; set COUNTERSIGN_WRITE_GOLDEN=1 to write it, then read what changed:\n{actual}"
        );
    }
}
