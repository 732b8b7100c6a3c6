//! Reading envelopes. The types of `ic-transport-types` can be written by any CBOR library, but
//! read back only by one that lends its bytes; these are the shapes to read.

use super::{Refusal, cbor};
use crate::Nanos;
use candid::Principal;
use ic_transport_types::{
    Delegation, DelegationPermissions, Envelope, EnvelopeContent, SignedDelegation,
};
use serde::Deserialize;
use serde_bytes::ByteBuf;
use std::borrow::Cow;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEnvelope {
    content: RawContent,
    #[serde(default)]
    sender_pubkey: Option<ByteBuf>,
    #[serde(default)]
    sender_sig: Option<ByteBuf>,
    #[serde(default)]
    sender_delegation: Option<Vec<RawSignedDelegation>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawContent {
    request_type: String,
    sender: ByteBuf,
    ingress_expiry: Nanos,
    #[serde(default)]
    nonce: Option<ByteBuf>,
    #[serde(default)]
    canister_id: Option<ByteBuf>,
    #[serde(default)]
    method_name: Option<String>,
    #[serde(default)]
    arg: Option<ByteBuf>,
    #[serde(default)]
    paths: Option<Vec<Vec<ByteBuf>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSignedDelegation {
    delegation: RawDelegation,
    signature: ByteBuf,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDelegation {
    pubkey: ByteBuf,
    expiration: Nanos,
    #[serde(default)]
    targets: Option<Vec<ByteBuf>>,
    #[serde(default)]
    permissions: Option<String>,
}

fn wrong(text: impl std::fmt::Display) -> Refusal {
    Refusal::bad_request(format!("Could not parse body: {text}"))
}

fn principal(bytes: &[u8]) -> Result<Principal, Refusal> {
    Principal::try_from_slice(bytes).map_err(wrong)
}

fn present<T>(name: &str, value: Option<T>) -> Result<T, Refusal> {
    value.ok_or_else(|| wrong(format!("missing field {name}")))
}

/// Reads an envelope.
pub(super) fn parse(body: &[u8]) -> Result<Envelope<'static>, Refusal> {
    let raw: RawEnvelope = cbor::decode(body).map_err(wrong)?;
    let delegations = raw
        .sender_delegation
        .map(|chain| chain.into_iter().map(signed_delegation).collect())
        .transpose()?;
    Ok(Envelope {
        content: Cow::Owned(content(raw.content)?),
        sender_pubkey: raw.sender_pubkey.map(ByteBuf::into_vec),
        sender_sig: raw.sender_sig.map(ByteBuf::into_vec),
        sender_delegation: delegations,
    })
}

fn content(raw: RawContent) -> Result<EnvelopeContent, Refusal> {
    let sender = principal(&raw.sender)?;
    let ingress_expiry = raw.ingress_expiry;
    let nonce = raw.nonce.map(ByteBuf::into_vec);
    if raw.request_type == "read_state" {
        let paths = present("paths", raw.paths)?;
        return Ok(EnvelopeContent::ReadState {
            ingress_expiry,
            sender,
            paths: paths
                .into_iter()
                .map(|path| {
                    path.into_iter()
                        .map(|label| label.into_vec().into())
                        .collect()
                })
                .collect(),
        });
    }
    let canister_id = principal(&present("canister_id", raw.canister_id)?)?;
    let method_name = present("method_name", raw.method_name)?;
    let arg = present("arg", raw.arg)?.into_vec();
    match raw.request_type.as_str() {
        "call" => Ok(EnvelopeContent::Call {
            nonce,
            ingress_expiry,
            sender,
            canister_id,
            method_name,
            arg,
            sender_info: None,
        }),
        "query" => Ok(EnvelopeContent::Query {
            nonce,
            ingress_expiry,
            sender,
            canister_id,
            method_name,
            arg,
            sender_info: None,
        }),
        other => Err(wrong(format!("unknown request type {other:?}"))),
    }
}

fn signed_delegation(raw: RawSignedDelegation) -> Result<SignedDelegation, Refusal> {
    let targets = raw
        .delegation
        .targets
        .map(|targets| targets.iter().map(|id| principal(id)).collect())
        .transpose()?;
    let permissions = match raw.delegation.permissions.as_deref() {
        None => None,
        Some("queries") => Some(DelegationPermissions::Queries),
        Some("all") => Some(DelegationPermissions::All),
        Some(other) => return Err(wrong(format!("unknown permissions {other:?}"))),
    };
    Ok(SignedDelegation {
        delegation: Delegation {
            pubkey: raw.delegation.pubkey.into_vec(),
            expiration: raw.delegation.expiration,
            targets,
            permissions,
        },
        signature: raw.signature.into_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_envelope_reads_back_as_it_was_written() {
        let delegation = Delegation {
            pubkey: vec![1],
            expiration: 5,
            targets: Some(vec![Principal::anonymous()]),
            permissions: Some(DelegationPermissions::Queries),
        };
        let envelope = Envelope {
            content: Cow::Owned(EnvelopeContent::Call {
                nonce: Some(vec![1, 2]),
                ingress_expiry: u64::MAX,
                sender: Principal::anonymous(),
                canister_id: Principal::management_canister(),
                method_name: "m".into(),
                arg: vec![0; 300],
                sender_info: None,
            }),
            sender_pubkey: Some(vec![2]),
            sender_sig: Some(vec![3]),
            sender_delegation: Some(vec![SignedDelegation {
                delegation,
                signature: vec![4],
            }]),
        };
        let read = parse(&envelope.encode_bytes()).unwrap();
        assert_eq!(read.encode_bytes(), envelope.encode_bytes());
        assert_eq!(
            read.content.to_request_id(),
            envelope.content.to_request_id()
        );

        let read_state = Envelope {
            content: Cow::Owned(EnvelopeContent::ReadState {
                ingress_expiry: 1,
                sender: Principal::anonymous(),
                paths: vec![vec!["time".into()], vec![[1; 32].into(), "x".into()]],
            }),
            sender_pubkey: None,
            sender_sig: None,
            sender_delegation: None,
        };
        let read = parse(&read_state.encode_bytes()).unwrap();
        assert_eq!(read.encode_bytes(), read_state.encode_bytes());
    }

    #[test]
    fn what_is_not_an_envelope_is_refused() {
        for body in [&b""[..], b"{}", b"\xa0", b"\xd9\xd9\xf7\xa1\x67content\xa0"] {
            assert_eq!(parse(body).unwrap_err().status, 400);
        }
    }
}
