//! What a replica checks before it looks at a message: shape, sender, signature, delegations,
//! and the window of its expiry (interface specification, "Authentication" and "Request: call").

use super::{Refusal, keys::ED25519_DER_PREFIX, rfc3339};
use crate::Nanos;
use candid::Principal;
use ed25519_dalek::{Signature as Ed25519Signature, VerifyingKey as Ed25519Key};
use ic_transport_types::{DelegationPermissions, Envelope, EnvelopeContent, SignedDelegation};
use k256::ecdsa::{
    Signature as EcdsaSignature, VerifyingKey as EcdsaKey, signature::Verifier as _,
};
use std::time::Duration;

/// How far ahead an expiry may lie.
pub const MAX_INGRESS_TTL: Nanos = Duration::from_secs(5 * 60).as_nanos() as Nanos;
/// What the check allows beyond that, for clocks that differ.
pub const PERMITTED_DRIFT: Nanos = Duration::from_secs(30).as_nanos() as Nanos;

/// DER prefix of an uncompressed secp256k1 public key (65 bytes follow; RFC 5480).
const SECP256K1_DER_PREFIX: [u8; 23] = [
    0x30, 0x56, 0x30, 0x10, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x05, 0x2b,
    0x81, 0x04, 0x00, 0x0a, 0x03, 0x42, 0x00,
];

/// Checks that the sender said this, and said it for now.
///
/// As a replica does, it leaves the expiry of anonymous queries and reads alone: whoever has no
/// clock yet can read one.
pub(super) fn check(envelope: &Envelope<'_>, now: Nanos) -> Result<(), Refusal> {
    let content = envelope.content.as_ref();
    let is_call = matches!(content, EnvelopeContent::Call { .. });
    let anonymous = *content.sender() == Principal::anonymous();
    if is_call || !anonymous {
        check_expiry(content.ingress_expiry(), now)?;
    }
    if let EnvelopeContent::Call { nonce, .. } | EnvelopeContent::Query { nonce, .. } = content
        && nonce.as_ref().is_some_and(|nonce| nonce.len() > 32)
    {
        return Err(Refusal::bad_request("Nonce too long: at most 32 bytes"));
    }
    check_sender(envelope, now)
}

fn check_expiry(expiry: Nanos, now: Nanos) -> Result<(), Refusal> {
    let latest = now
        .saturating_add(MAX_INGRESS_TTL)
        .saturating_add(PERMITTED_DRIFT);
    if (now..=latest).contains(&expiry) {
        return Ok(());
    }
    Err(Refusal::bad_request(format!(
        "Invalid request expiry: Specified ingress_expiry not within expected range: \
         Minimum allowed expiry: {}, Maximum allowed expiry: {}, Provided expiry: {}",
        rfc3339(now),
        rfc3339(latest),
        rfc3339(expiry),
    )))
}

fn check_sender(envelope: &Envelope<'_>, now: Nanos) -> Result<(), Refusal> {
    let content = envelope.content.as_ref();
    let (Some(public_key), Some(signature)) = (&envelope.sender_pubkey, &envelope.sender_sig)
    else {
        return if *content.sender() != Principal::anonymous() {
            Err(Refusal::bad_request("Missing signature from user"))
        } else if envelope.sender_pubkey.is_some() || envelope.sender_sig.is_some() {
            Err(Refusal::bad_request(
                "Signature is not expected for the anonymous user",
            ))
        } else {
            Ok(())
        };
    };
    if Principal::self_authenticating(public_key) != *content.sender() {
        return Err(Refusal::bad_request(
            "The user id does not match the public key",
        ));
    }
    let mut key = public_key.as_slice();
    let delegations = envelope.sender_delegation.as_deref().unwrap_or_default();
    if delegations.len() > 20 {
        return Err(Refusal::bad_request("Chain of delegations is too long"));
    }
    for signed in delegations {
        check_delegation(signed, key, content, now)?;
        key = &signed.delegation.pubkey;
    }
    verify(key, &content.to_request_id().signable(), signature)
}

fn check_delegation(
    signed: &SignedDelegation,
    key: &[u8],
    content: &EnvelopeContent,
    now: Nanos,
) -> Result<(), Refusal> {
    let delegation = &signed.delegation;
    verify(key, &delegation.signable(), &signed.signature)?;
    if delegation.expiration < now {
        return Err(Refusal::bad_request("Invalid delegation: it has expired"));
    }
    let (target, is_call) = match content {
        EnvelopeContent::Call { canister_id, .. } => (Some(canister_id), true),
        EnvelopeContent::Query { canister_id, .. } => (Some(canister_id), false),
        EnvelopeContent::ReadState { .. } => (None, false),
    };
    if let (Some(targets), Some(target)) = (&delegation.targets, target)
        && !targets.contains(target)
    {
        return Err(Refusal::bad_request(
            "Invalid delegation: the canister is not among its targets",
        ));
    }
    match delegation.permissions {
        Some(DelegationPermissions::Queries) if is_call => Err(Refusal::bad_request(
            "Invalid delegation: it permits queries only",
        )),
        Some(DelegationPermissions::Queries | DelegationPermissions::All) | None => Ok(()),
    }
}

/// Verifies a signature by a key in DER: Ed25519, or ECDSA on secp256k1 with SHA-256.
fn verify(key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), Refusal> {
    let wrong = || Refusal::bad_request("Invalid signature: Invalid basic signature");
    if let Some(raw) = key.strip_prefix(&ED25519_DER_PREFIX) {
        let raw = <&[u8; 32]>::try_from(raw).map_err(|_| wrong())?;
        let key = Ed25519Key::from_bytes(raw).map_err(|_| wrong())?;
        let signature = Ed25519Signature::from_slice(signature).map_err(|_| wrong())?;
        key.verify_strict(message, &signature).map_err(|_| wrong())
    } else if let Some(raw) = key.strip_prefix(&SECP256K1_DER_PREFIX) {
        let key = EcdsaKey::from_sec1_bytes(raw).map_err(|_| wrong())?;
        let signature = EcdsaSignature::from_slice(signature).map_err(|_| wrong())?;
        key.verify(message, &signature).map_err(|_| wrong())
    } else {
        Err(Refusal::bad_request(
            "Invalid signature: this network takes Ed25519 and secp256k1 keys",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ed25519_dalek::{Signer as _, SigningKey};
    use std::borrow::Cow;

    const NOW: Nanos = 1_700_000_000_000_000_000;
    const SECOND: Nanos = 1_000_000_000;

    struct Key(SigningKey);

    impl Key {
        fn new(seed: u8) -> Self {
            Self(SigningKey::from_bytes(&[seed; 32]))
        }
        fn der(&self) -> Vec<u8> {
            [&ED25519_DER_PREFIX[..], self.0.verifying_key().as_bytes()].concat()
        }
        fn sign(&self, message: &[u8]) -> Vec<u8> {
            self.0.sign(message).to_bytes().to_vec()
        }
    }

    fn call(sender: Principal, expiry: Nanos) -> EnvelopeContent {
        EnvelopeContent::Call {
            nonce: None,
            ingress_expiry: expiry,
            sender,
            canister_id: Principal::management_canister(),
            method_name: "m".into(),
            arg: vec![],
            sender_info: None,
        }
    }

    fn signed(key: &Key, expiry: Nanos) -> Envelope<'static> {
        let content = call(Principal::self_authenticating(key.der()), expiry);
        let signature = key.sign(&content.to_request_id().signable());
        Envelope {
            content: Cow::Owned(content),
            sender_pubkey: Some(key.der()),
            sender_sig: Some(signature),
            sender_delegation: None,
        }
    }

    fn message(result: Result<(), Refusal>) -> String {
        result.expect_err("must be refused").text
    }

    #[test]
    fn the_expiry_window_is_now_to_five_and_a_half_minutes() {
        let key = Key::new(1);
        let latest = NOW + 330 * SECOND;
        assert!(check(&signed(&key, NOW), NOW).is_ok());
        assert!(check(&signed(&key, latest), NOW).is_ok());
        for outside in [NOW - 1, latest + 1] {
            let text = message(check(&signed(&key, outside), NOW));
            assert!(
                text.starts_with(
                    "Invalid request expiry: Specified ingress_expiry not within expected range: \
                     Minimum allowed expiry: 2023-11-14T22:13:20Z, Maximum allowed expiry: \
                     2023-11-14T22:18:50Z, Provided expiry: 2023-11-14T22:"
                ),
                "{text}"
            );
        }
    }

    #[test]
    fn an_anonymous_query_may_carry_any_expiry_and_an_anonymous_call_may_not() {
        let read = EnvelopeContent::ReadState {
            ingress_expiry: 1,
            sender: Principal::anonymous(),
            paths: vec![],
        };
        let unsigned = |content| Envelope {
            content: Cow::Owned(content),
            sender_pubkey: None,
            sender_sig: None,
            sender_delegation: None,
        };
        assert!(check(&unsigned(read), NOW).is_ok());
        assert!(check(&unsigned(call(Principal::anonymous(), NOW)), NOW).is_ok());
        assert!(check(&unsigned(call(Principal::anonymous(), 1)), NOW).is_err());
    }

    #[test]
    fn a_message_that_the_sender_did_not_sign_is_refused() {
        let key = Key::new(1);
        let mut missing = signed(&key, NOW);
        missing.sender_sig = None;
        assert!(check(&missing, NOW).is_err());

        let mut other_key = signed(&key, NOW);
        other_key.sender_pubkey = Some(Key::new(2).der());
        assert!(check(&other_key, NOW).is_err());

        let mut flipped = signed(&key, NOW);
        if let Some(signature) = &mut flipped.sender_sig {
            signature[0] ^= 1;
        }
        assert!(check(&flipped, NOW).is_err());

        let mut changed = signed(&key, NOW);
        changed.content = Cow::Owned(call(*changed.content.sender(), NOW + 1));
        assert!(check(&changed, NOW).is_err());
    }

    #[test]
    fn a_secp256k1_signature_is_verified() {
        use k256::ecdsa::{SigningKey, signature::Signer as _};
        let secret = SigningKey::from_slice(&[7; 32]).unwrap();
        let point = secret.verifying_key().to_encoded_point(false);
        let der = [&SECP256K1_DER_PREFIX[..], point.as_bytes()].concat();
        let content = call(Principal::self_authenticating(&der), NOW);
        let signature: EcdsaSignature = secret.sign(&content.to_request_id().signable());
        let mut envelope = Envelope {
            content: Cow::Owned(content),
            sender_pubkey: Some(der),
            sender_sig: Some(signature.to_bytes().to_vec()),
            sender_delegation: None,
        };
        assert!(check(&envelope, NOW).is_ok());
        if let Some(signature) = &mut envelope.sender_sig {
            signature[10] ^= 1;
        }
        assert!(check(&envelope, NOW).is_err());
    }

    fn delegated(change: impl FnOnce(&mut ic_transport_types::Delegation)) -> Envelope<'static> {
        let (main, session) = (Key::new(1), Key::new(2));
        let mut delegation = ic_transport_types::Delegation {
            pubkey: session.der(),
            expiration: NOW,
            targets: None,
            permissions: None,
        };
        change(&mut delegation);
        let content = call(Principal::self_authenticating(main.der()), NOW);
        let signature = session.sign(&content.to_request_id().signable());
        Envelope {
            content: Cow::Owned(content),
            sender_pubkey: Some(main.der()),
            sender_sig: Some(signature),
            sender_delegation: Some(vec![SignedDelegation {
                signature: main.sign(&delegation.signable()),
                delegation,
            }]),
        }
    }

    #[test]
    fn a_delegation_counts_until_it_expires_for_its_targets_and_permissions() {
        assert!(check(&delegated(|_| ()), NOW).is_ok());
        assert!(check(&delegated(|d| d.expiration = NOW - 1), NOW).is_err());
        assert!(check(&delegated(|d| d.targets = Some(vec![])), NOW).is_err());
        assert!(
            check(
                &delegated(|d| d.permissions = Some(DelegationPermissions::Queries)),
                NOW
            )
            .is_err()
        );
        let mut forged = delegated(|_| ());
        if let Some(chain) = &mut forged.sender_delegation {
            chain[0].delegation.expiration += 1;
        }
        assert!(check(&forged, NOW).is_err());
    }
}
