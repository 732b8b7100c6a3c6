//! The digest: one hash over everything that a person's yes is a yes to.

use crate::ids::{AskDigest, ContentHash, PreviewId, Principal};
use crate::time::Span;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The first part of every digest, so that its bytes can be taken for nothing else.
const DOMAIN: &[u8] = b"countersign-ask-1";

/// What happens when the answer to a call is lost, as it stood when the person was asked.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RetryClass {
    /// The call carries a stamp, and its ledger is known to drop repeats: sending the same bytes
    /// again cannot pay twice.
    Known,
    /// The call carries a stamp, and its ledger claims to drop repeats, which nobody has proved
    /// for this network: the wallet reads the ledger's blocks and never sends twice on a claim.
    Claimed,
    /// The call carries no stamp: it is sent a second time only where the first is proved never
    /// to have run.
    Unstamped,
}

impl RetryClass {
    /// The word that stands in the digest.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Known => "known",
            Self::Claimed => "claimed",
            Self::Unstamped => "unstamped",
        }
    }
}

/// How long the envelope that a yes leads to is valid.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExpiryRule {
    /// This long after the certified time that is read after the yes (S0).
    AfterReading(Span),
}

impl ExpiryRule {
    /// The text that stands in the digest: `s0+` and the span in nanoseconds.
    #[must_use]
    pub fn code(self) -> String {
        match self {
            Self::AfterReading(span) => format!("s0+{}", span.as_nanos()),
        }
    }
}

/// The parts of a digest, in their order. A part that a door lacks is empty, never left
/// out.
#[derive(Clone, Copy, Debug)]
pub struct AskParts<'a> {
    /// Root key of the network, DER.
    pub root_key: &'a [u8],
    /// The canister that is called.
    pub canister: Principal,
    /// The canister that decides the route (another one only for the management canister).
    pub effective_canister: Principal,
    /// Method name, exactly as in the interface.
    pub method: &'a str,
    /// The frozen argument bytes.
    pub arg: &'a [u8],
    /// Nonce of the envelope; empty where the envelope has none.
    pub nonce: &'a [u8],
    /// Who signs.
    pub sender: Principal,
    /// How long the envelope is valid.
    pub expiry: ExpiryRule,
    /// What was said about a lost answer.
    pub retry: RetryClass,
    /// Hash of the resolved form by which the arguments were shown.
    pub resolved: ContentHash,
    /// The intent.
    pub intent: PreviewId,
}

impl AskParts<'_> {
    /// SHA-256 over the domain and the parts, each preceded by its length as four bytes, most
    /// significant first.
    ///
    /// The kernel holds arguments far below four gigabytes; a length beyond that would be cut off
    /// at the largest number, in which case the bytes still differ.
    #[must_use]
    pub fn digest(&self) -> AskDigest {
        let expiry = self.expiry.code();
        let parts: [&[u8]; 12] = [
            DOMAIN,
            self.root_key,
            self.canister.as_slice(),
            self.effective_canister.as_slice(),
            self.method.as_bytes(),
            self.arg,
            self.nonce,
            self.sender.as_slice(),
            expiry.as_bytes(),
            self.retry.code().as_bytes(),
            self.resolved.as_bytes(),
            self.intent.as_bytes(),
        ];
        let mut hash = Sha256::new();
        for part in parts {
            let length = u32::try_from(part.len()).unwrap_or(u32::MAX);
            hash.update(length.to_be_bytes());
            hash.update(part);
        }
        AskDigest::from_bytes(hash.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts() -> AskParts<'static> {
        AskParts {
            root_key: &[0x30, 0x81, 0x82],
            canister: Principal::from_text("bkyz2-fmaaa-aaaaa-qaaaq-cai").unwrap(),
            effective_canister: Principal::from_text("bkyz2-fmaaa-aaaaa-qaaaq-cai").unwrap(),
            method: "icrc1_transfer",
            arg: b"DIDL\x00\x00",
            nonce: &[7; 16],
            sender: Principal::from_text("2vxsx-fae").unwrap(),
            expiry: ExpiryRule::AfterReading(Span::from_mins(2)),
            retry: RetryClass::Known,
            resolved: ContentHash::from_bytes([9; 32]),
            intent: PreviewId::from_bytes([1; 16]),
        }
    }

    /// The vector of the MCP door. It was computed apart from this code, from the text of the
    /// rule: a few lines of Python over `hashlib`.
    #[test]
    fn the_digest_of_the_mcp_door_is_the_golden_one() {
        assert_eq!(
            parts().digest().to_string(),
            "89ef3d0036bf686c1325fc44dcb3635679721c3fbef46705c07b86b7ef82b4b0"
        );
    }

    #[test]
    fn every_part_counts() {
        let base = parts();
        let other = Principal::management_canister();
        let variants = [
            AskParts {
                root_key: &[],
                ..base
            },
            AskParts {
                canister: other,
                ..base
            },
            AskParts {
                effective_canister: other,
                ..base
            },
            AskParts {
                method: "icrc1_transfe",
                ..base
            },
            AskParts {
                arg: b"DIDL\x00\x01",
                ..base
            },
            AskParts { nonce: &[], ..base },
            AskParts {
                sender: other,
                ..base
            },
            AskParts {
                expiry: ExpiryRule::AfterReading(Span::from_mins(3)),
                ..base
            },
            AskParts {
                retry: RetryClass::Claimed,
                ..base
            },
            AskParts {
                resolved: ContentHash::from_bytes([8; 32]),
                ..base
            },
            AskParts {
                intent: PreviewId::from_bytes([2; 16]),
                ..base
            },
        ];
        let mut seen = std::collections::BTreeSet::from([base.digest()]);
        for variant in variants {
            assert!(seen.insert(variant.digest()), "{variant:?}");
        }
    }

    #[test]
    fn a_byte_cannot_wander_from_one_part_to_the_next() {
        let one = AskParts {
            method: "ab",
            arg: b"c",
            ..parts()
        };
        let two = AskParts {
            method: "a",
            arg: b"bc",
            ..parts()
        };
        assert_ne!(one.digest(), two.digest());
    }
}
