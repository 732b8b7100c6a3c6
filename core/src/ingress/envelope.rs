//! Sealed requests: the bytes that are stored before they are sent, and sent as they are stored.

use std::borrow::Cow;

use thiserror::Error;

use super::{
    cbor,
    reads::Path,
    request::{CallRequest, ReadStateRequest, Request},
};
use crate::ids::{Principal, RequestId};
use crate::intent::{INGRESS_SPAN, READ_MARGIN, STATUS_SPAN};
use crate::time::{Span, Timestamp};

/// How long after S0 (the certified time read before signing) a call may still begin.
pub const CALL_VALID: Span = INGRESS_SPAN;

/// How long after S0 the read of the call's status is answered: a little less than the network
/// keeps a status, so that one which is absent from the answer was never there.
pub const STATUS_VALID: Span = Span::from_nanos(STATUS_SPAN.as_nanos() - READ_MARGIN.as_nanos());

/// Why a request cannot be sealed.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum SealError {
    /// The key's principal is not the request's sender: the network would refuse it.
    #[error("this key does not sign for the sender of this request")]
    NotTheSender,
    /// A request without a signature, from a sender that must sign.
    #[error("only the anonymous sender sends without a signature")]
    NotAnonymous,
}

/// Whoever signs for one sender: a public key in DER, and its signatures.
pub trait SignRequest {
    /// The public key, in DER.
    fn public_key_der(&self) -> &[u8];

    /// The key's signature over the message.
    fn sign(&self, message: &[u8]) -> Vec<u8>;
}

/// A sealed request.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Envelope {
    /// The request id of what is inside.
    pub request_id: RequestId,
    /// What is posted.
    pub bytes: Vec<u8>,
}

impl Envelope {
    /// Seals a request of the anonymous sender, which has no signature.
    ///
    /// # Errors
    ///
    /// Another sender.
    pub fn anonymous(request: &impl Request) -> Result<Self, SealError> {
        if request.sender() == Principal::anonymous() {
            Ok(Self::seal(request, None, None))
        } else {
            Err(SealError::NotAnonymous)
        }
    }

    /// Signs and seals a request.
    ///
    /// # Errors
    ///
    /// The key's principal is not the request's sender.
    pub fn signed(request: &impl Request, signer: &impl SignRequest) -> Result<Self, SealError> {
        let key = signer.public_key_der();
        if request.sender() == Principal::self_authenticating(key) {
            let signature = signer.sign(&request.bytes_to_sign());
            Ok(Self::seal(request, Some(key.to_vec()), Some(signature)))
        } else {
            Err(SealError::NotTheSender)
        }
    }

    fn seal(request: &impl Request, key: Option<Vec<u8>>, signature: Option<Vec<u8>>) -> Self {
        let envelope = ic_transport_types::Envelope {
            content: Cow::Owned(request.content()),
            sender_pubkey: key,
            sender_sig: signature,
            sender_delegation: None,
        };
        Self {
            request_id: request.request_id(),
            bytes: cbor::encode(&envelope),
        }
    }
}

/// A signed call with the signed read of its own status: all that is needed, without a key, to
/// submit it and to learn what became of it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SignedCall {
    /// The call's request id.
    pub request_id: RequestId,
    /// The call's content map in CBOR.
    pub content: Vec<u8>,
    /// The call's envelope.
    pub envelope: Vec<u8>,
    /// The envelope of the `read_state` for the call's status.
    pub read_status: Vec<u8>,
    /// The call's ingress expiry (E).
    pub ingress_expiry: Timestamp,
    /// Until when the status can be read with [`Self::read_status`].
    pub status_expiry: Timestamp,
}

impl SignedCall {
    /// When a call signed at certified time S0 expires: S0 and [`CALL_VALID`].
    #[must_use]
    pub const fn expiry(certified: Timestamp) -> Timestamp {
        certified.plus(CALL_VALID)
    }

    /// Signs the call, and the read of its status valid until S0 and [`STATUS_VALID`].
    ///
    /// `certified` is S0. The call's own expiry is in the call ([`Self::expiry`]).
    ///
    /// # Errors
    ///
    /// The key's principal is not the call's sender.
    pub fn sign(
        call: &CallRequest,
        certified: Timestamp,
        signer: &impl SignRequest,
    ) -> Result<Self, SealError> {
        let envelope = Envelope::signed(call, signer)?;
        let read = ReadStateRequest {
            paths: vec![Path::request_status(&envelope.request_id)],
            sender: call.sender,
            ingress_expiry: certified.plus(STATUS_VALID),
        };
        Ok(Self {
            request_id: envelope.request_id,
            content: call.content_bytes(),
            read_status: Envelope::signed(&read, signer)?.bytes,
            envelope: envelope.bytes,
            ingress_expiry: call.ingress_expiry,
            status_expiry: read.ingress_expiry,
        })
    }
}

#[cfg(test)]
mod tests {
    use k256::ecdsa::{Signature, SigningKey, signature::Signer as _};
    use k256::pkcs8::EncodePublicKey as _;

    use super::*;
    use crate::ids::to_hex;
    use crate::ingress::Nonce;

    /// A secp256k1 key made of one byte.
    struct Key(SigningKey, Vec<u8>);

    impl Key {
        fn new(seed: u8) -> Self {
            let key = SigningKey::from_slice(&[seed; 32]).unwrap();
            let public = k256::PublicKey::from(key.verifying_key());
            let der = public.to_public_key_der().unwrap().into_vec();
            Self(key, der)
        }

        fn principal(&self) -> Principal {
            Principal::self_authenticating(&self.1)
        }
    }

    impl SignRequest for Key {
        fn public_key_der(&self) -> &[u8] {
            &self.1
        }

        fn sign(&self, message: &[u8]) -> Vec<u8> {
            let signature: Signature = self.0.sign(message);
            signature.to_vec()
        }
    }

    const S0: Timestamp = Timestamp::from_nanos(1_800_000_000_000_000_000);

    fn call(sender: Principal) -> CallRequest {
        CallRequest {
            canister: Principal::from_text("bkyz2-fmaaa-aaaaa-qaaaq-cai").unwrap(),
            method: "icrc1_transfer".to_owned(),
            arg: b"DIDL\0\0".to_vec(),
            sender,
            ingress_expiry: SignedCall::expiry(S0),
            nonce: Some(Nonce::from_entropy([9; 16])),
        }
    }

    #[test]
    fn a_signed_call_has_these_bytes() {
        let key = Key::new(7);
        let signed = SignedCall::sign(&call(key.principal()), S0, &key).unwrap();
        assert_eq!(
            to_hex(&signed.envelope),
            concat!(
                "d9d9f7a367636f6e74656e74a76c726571756573745f747970656463616c6c656e6f6e63",
                "6550090909090909090909090909090909096e696e67726573735f6578706972791b18fa",
                "e2928442b0006673656e646572581debb18233c45a50841a64c0076e3ea4a3bfa332c603",
                "cb2362436985db026b63616e69737465725f69644a800000000010000101016b6d657468",
                "6f645f6e616d656e69637263315f7472616e7366657263617267464449444c00006d7365",
                "6e6465725f7075626b657958583056301006072a8648ce3d020106052b8104000a034200",
                "04989c0b76cb563971fdc9bef31ec06c3560f3249d6ee9e5d83c57625596e05f6f631f4d",
                "05b3ae518776ee08755a7703e64b2ebc32547504de0b55a142d4ecdf806a73656e646572",
                "5f7369675840288ed469faf79bda23799a870a9260beb405d6b10db23b7510abf77c0478",
                "d076518bc1afa1fccc3f048e572559118f4f7d566a5e127eb73cea8f2c30067e6ab2",
            )
        );
        assert_eq!(
            to_hex(&signed.read_status),
            concat!(
                "d9d9f7a367636f6e74656e74a46c726571756573745f747970656a726561645f73746174",
                "656e696e67726573735f6578706972791b18fae2bb4312c6006673656e646572581debb1",
                "8233c45a50841a64c0076e3ea4a3bfa332c603cb2362436985db0265706174687381824e",
                "726571756573745f7374617475735820f62de989d9d006bff2cb14ff01bed0d6383259f8",
                "e363f2c33612bc5fdc93c9126d73656e6465725f7075626b657958583056301006072a86",
                "48ce3d020106052b8104000a03420004989c0b76cb563971fdc9bef31ec06c3560f3249d",
                "6ee9e5d83c57625596e05f6f631f4d05b3ae518776ee08755a7703e64b2ebc32547504de",
                "0b55a142d4ecdf806a73656e6465725f736967584092787f434893361ec1799a89678086",
                "9a2bbb21fb5287c78776e55e566b37d4b042d1dd3bf51539ed796832fa48d2f5f3db5e38",
                "9d12194b5e99e857a071e18b76",
            )
        );
    }

    #[test]
    fn signing_twice_gives_the_same_bytes() {
        let key = Key::new(7);
        let sign = || SignedCall::sign(&call(key.principal()), S0, &key);
        assert_eq!(sign(), sign());
    }

    #[test]
    fn the_status_can_be_read_for_longer_than_the_call_can_begin() {
        let key = Key::new(7);
        let signed = SignedCall::sign(&call(key.principal()), S0, &key).unwrap();
        assert_eq!(signed.ingress_expiry, S0.plus(Span::from_secs(120)));
        assert_eq!(signed.status_expiry, S0.plus(Span::from_secs(295)));
        assert_eq!(signed.content, call(key.principal()).content_bytes());
    }

    #[test]
    fn a_key_seals_for_its_own_principal_only() {
        let sender = Key::new(7).principal();
        assert_eq!(
            Envelope::signed(&call(sender), &Key::new(8)),
            Err(SealError::NotTheSender)
        );
        assert_eq!(
            Envelope::anonymous(&call(sender)),
            Err(SealError::NotAnonymous)
        );
        assert!(Envelope::anonymous(&call(Principal::anonymous())).is_ok());
        assert_eq!(
            Envelope::signed(&call(Principal::anonymous()), &Key::new(8)),
            Err(SealError::NotTheSender)
        );
    }
}
