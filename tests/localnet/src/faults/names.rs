//! The faults that have a name.

use super::{BadCertificate, Execution, Fault, Forget, Kind, Reply, Shown};
use crate::canisters::ledger::{Change, Stamps};
use thiserror::Error;

/// No fault has this name.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("no fault is named {0:?}")]
pub struct UnknownFaultError(pub String);

/// A call that is not executed as ever.
fn executed(execute: Execution, reply: Reply) -> Fault {
    Fault {
        execute,
        reply,
        ..Fault::on(Kind::Call)
    }
}

/// A call that is executed and answered otherwise.
fn after(reply: Reply) -> Fault {
    executed(Execution::Yes, reply)
}

/// A call whose status is lost.
fn forgotten(what: Forget, reply: Reply) -> Fault {
    Fault {
        forget: Some(what),
        ..after(reply)
    }
}

/// A call whose ledger is changed before.
fn changed(ledger: Change) -> Fault {
    Fault {
        ledger: Some(ledger),
        ..Fault::on(Kind::Call)
    }
}

/// Every query.
fn queries() -> Fault {
    Fault {
        times: None,
        ..Fault::on(Kind::Query)
    }
}

/// Every query of an archive.
fn archives() -> Fault {
    Fault {
        archive: true,
        ..queries()
    }
}

/// Makes a fault.
type Make = fn() -> Fault;

/// Names and faults.
const TABLE: [(&str, Make); 34] = [
    ("drop_before", || executed(Execution::No, Reply::Drop)),
    ("drop_after", || after(Reply::Drop)),
    ("drop_reads", || Fault {
        times: None,
        reply: Reply::Drop,
        ..Fault::on(Kind::ReadState)
    }),
    ("delay", || Fault {
        delay_ms: 2_000,
        ..Fault::on(Kind::Call)
    }),
    ("http_503_after", || after(Reply::Http(503))),
    ("http_404_after", || after(Reply::Http(404))),
    ("http_400_after", || after(Reply::Http(400))),
    ("reject_uncertified", || after(Reply::UncertifiedReject)),
    ("accept_only", || after(Reply::Accepted)),
    ("accept_never", || executed(Execution::No, Reply::Accepted)),
    ("old_state", || Fault {
        behind_ms: 10_000,
        ..Fault::on(Kind::ReadState)
    }),
    ("hold_received", || {
        executed(Execution::HoldReceived, Reply::Normal)
    }),
    ("hold_processing", || {
        executed(Execution::HoldProcessing, Reply::Normal)
    }),
    ("forget_reply", || forgotten(Forget::Reply, Reply::Normal)),
    ("prune_status", || forgotten(Forget::Status, Reply::Drop)),
    ("reject_before", || {
        executed(Execution::RejectBefore, Reply::Normal)
    }),
    ("reject_after_write", || {
        executed(Execution::RejectAfter, Reply::Normal)
    }),
    ("reject_unlisted", || Fault {
        reject_stated: Some(6),
        ..executed(Execution::RejectAfter, Reply::Normal)
    }),
    ("wrong_signature", || {
        after(Reply::Bad(BadCertificate::TamperedSignature))
    }),
    ("change_fee", || {
        changed(Change {
            fee: Some(20_000),
            ..Change::default()
        })
    }),
    ("throttle", || {
        changed(Change {
            unavailable: Some(1),
            ..Change::default()
        })
    }),
    ("stamps_ignored", || {
        changed(Change {
            stamps: Some(Stamps::Ignored),
            ..Change::default()
        })
    }),
    ("stamps_not_remembered", || {
        changed(Change {
            stamps: Some(Stamps::Checked),
            ..Change::default()
        })
    }),
    ("stamps_too_old", || {
        changed(Change {
            stamps: Some(Stamps::TooOld),
            ..Change::default()
        })
    }),
    ("forget_transactions", || {
        changed(Change {
            upgrade: true,
            forget: true,
            ..Change::default()
        })
    }),
    ("clock_forward", || {
        changed(Change {
            clock_ms: Some(600_000),
            ..Change::default()
        })
    }),
    ("clock_back", || {
        changed(Change {
            clock_ms: Some(-600_000),
            ..Change::default()
        })
    }),
    ("reinstall", || {
        changed(Change {
            reinstall: true,
            ..Change::default()
        })
    }),
    ("undeliverable", || {
        changed(Change {
            undeliverable: Some(1),
            ..Change::default()
        })
    }),
    ("archive_missing", || Fault {
        reply: Reply::Drop,
        ..archives()
    }),
    ("archive_altered", || Fault {
        shown: Shown::Altered(1),
        ..archives()
    }),
    ("archive_resent", || Fault {
        shown: Shown::Resent(1),
        ..archives()
    }),
    ("old_node", || Fault {
        shown: Shown::Behind(1),
        ..queries()
    }),
    ("tip_stale", || Fault {
        certificate: Some(BadCertificate::Stale),
        ..queries()
    }),
];

impl Fault {
    /// The names by which faults can be ordered, those of [`BadCertificate`] among them.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let bad = BadCertificate::ALL.into_iter();
        let named = TABLE.into_iter().map(|(name, _)| name);
        named.chain(bad.map(BadCertificate::name))
    }

    /// The fault with this name.
    ///
    /// # Errors
    ///
    /// A name that is not one of [`Self::names`].
    pub fn named(name: &str) -> Result<Self, UnknownFaultError> {
        let named = TABLE.into_iter().find(|(known, _)| *known == name);
        let bad = || {
            let mut bad = BadCertificate::ALL.into_iter();
            bad.find(|case| case.name() == name).map(Self::bad)
        };
        named
            .map(|(_, make)| make())
            .or_else(bad)
            .ok_or_else(|| UnknownFaultError(name.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_name_gives_a_fault_of_its_own() {
        let names: BTreeSet<_> = Fault::names().collect();
        assert_eq!(names.len(), TABLE.len() + BadCertificate::ALL.len());
        let mut faults = Vec::new();
        for name in names {
            let fault = Fault::named(name).unwrap();
            assert!(!faults.contains(&fault), "{name}");
            faults.push(fault);
        }
        assert!(Fault::named("no such fault").is_err());
    }
}
