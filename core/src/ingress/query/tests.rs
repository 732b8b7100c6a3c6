use ed25519_dalek::{Signer as _, SigningKey};
use serde::Serialize;
use serde_bytes::ByteBuf;

use super::*;
use crate::ingress::Trust;
use crate::ingress::cbor;
use crate::ingress::testnet::{
    Key, at, bytes, canister, ed25519_der, ranges_leaf, time_leaf, tree,
};

const QUERY: RequestId = RequestId::from_bytes([0x55; 32]);

fn node(seed: u8) -> (SigningKey, Principal) {
    let key = SigningKey::from_bytes(&[seed; 32]);
    let id = Principal::self_authenticating(ed25519_der(&key));
    (key, id)
}

/// A subnet with nodes 1 and 2, read from a certificate.
fn subnet() -> Subnet {
    let root = Key::new(1);
    let id = root.public().subnet();
    let mut nodes = [node(1), node(2)];
    nodes.sort_by(|a, b| a.1.as_slice().cmp(b.1.as_slice()));
    let path = |node: usize| -> [&[u8]; 5] {
        [
            b"subnet",
            id.as_slice(),
            b"node",
            nodes[node].1.as_slice(),
            b"public_key",
        ]
    };
    let certificate = root.certify(
        tree(&[
            (
                &[b"subnet", id.as_slice(), b"canister_ranges"],
                ranges_leaf(&[(0, 9)]),
            ),
            (&path(0), ed25519_der(&nodes[0].0)),
            (&path(1), ed25519_der(&nodes[1].0)),
            (&[b"time"], time_leaf(at(1000))),
        ]),
        None,
    );
    let certified = Trust::new(root.public())
        .admit(&bytes(&certificate), canister(4), Span::from_secs(1))
        .unwrap();
    Subnet::read(&certified).unwrap()
}

fn replied() -> QueryAnswer {
    QueryAnswer {
        said: Said::Replied {
            arg: b"abc".to_vec(),
        },
        signatures: vec![],
    }
}

fn rejected() -> QueryAnswer {
    QueryAnswer {
        said: Said::Rejected {
            code: 5,
            message: "trapped".to_owned(),
            error_code: Some("IC0503".to_owned()),
        },
        signatures: vec![],
    }
}

/// Adds the signature of the node with this seed at this time.
fn signed(mut answer: QueryAnswer, seed: u8, secs: u64) -> QueryAnswer {
    let (key, id) = node(seed);
    let time = at(secs);
    let signature = key.sign(&answer.signed_bytes(&QUERY, time));
    answer.signatures.push(crate::ingress::answer::Signature {
        time,
        signature: signature.to_bytes().to_vec(),
        node: id,
    });
    answer
}

fn verify(answer: &QueryAnswer) -> Result<QueryReply, QueryError> {
    answer.verify(&QUERY, &subnet(), at(1000))
}

#[test]
fn a_nodes_signed_answer_is_believed() {
    assert_eq!(
        verify(&signed(replied(), 1, 1000)),
        Ok(QueryReply::Replied(b"abc".to_vec()))
    );
    assert_eq!(
        verify(&signed(rejected(), 2, 1000)),
        Ok(QueryReply::Rejected(Reject {
            code: RejectCode::CanisterError,
            message: Untrusted::new("trapped"),
            error_code: Some(Untrusted::new("IC0503")),
        }))
    );
    assert!(verify(&signed(signed(replied(), 1, 1000), 2, 1000)).is_ok());
}

#[test]
fn an_answer_that_no_node_signed_is_refused() {
    assert_eq!(verify(&replied()), Err(QueryError::Unsigned));
}

#[test]
fn a_changed_answer_is_refused() {
    let wrong = Err(QueryError::Signature(node(1).1));
    let mut answer = signed(replied(), 1, 1000);
    answer.said = Said::Replied {
        arg: b"abd".to_vec(),
    };
    assert_eq!(verify(&answer), wrong);
    answer.said = rejected().said;
    assert_eq!(verify(&answer), wrong);
    let mut answer = signed(rejected(), 1, 1000);
    answer.said = Said::Rejected {
        code: 5,
        message: "trapped".to_owned(),
        error_code: None,
    };
    assert_eq!(verify(&answer), wrong);
    let mut answer = signed(replied(), 1, 1000);
    answer.signatures[0].signature[7] ^= 1;
    assert_eq!(verify(&answer), wrong);
    let mut answer = signed(replied(), 1, 1000);
    answer.signatures[0].signature.pop();
    assert_eq!(verify(&answer), wrong);
    let mut answer = signed(replied(), 1, 1000);
    answer.signatures[0].time = at(1001);
    assert_eq!(verify(&answer), wrong);
}

#[test]
fn one_wrong_signature_among_good_ones_is_refused() {
    let mut answer = signed(signed(replied(), 1, 1000), 2, 1000);
    answer.signatures[1].signature[7] ^= 1;
    assert_eq!(verify(&answer), Err(QueryError::Signature(node(2).1)));
}

#[test]
fn an_answer_to_another_query_is_refused() {
    let answer = signed(replied(), 1, 1000);
    let other = RequestId::from_bytes([0x56; 32]);
    assert_eq!(
        answer.verify(&other, &subnet(), at(1000)),
        Err(QueryError::Signature(node(1).1))
    );
}

#[test]
fn an_answer_of_a_stranger_is_refused() {
    assert_eq!(
        verify(&signed(replied(), 3, 1000)),
        Err(QueryError::UnknownNode(node(3).1))
    );
}

#[test]
fn more_signatures_than_nodes_are_refused() {
    let answer = signed(signed(signed(replied(), 1, 1000), 2, 1000), 1, 1000);
    assert_eq!(verify(&answer), Err(QueryError::TooManySignatures));
}

#[test]
fn an_answer_far_from_the_certified_time_is_refused() {
    assert!(verify(&signed(replied(), 1, 700)).is_ok());
    assert_eq!(verify(&signed(replied(), 1, 699)), Err(QueryError::Stale));
    assert!(verify(&signed(replied(), 1, 1300)).is_ok());
    assert_eq!(verify(&signed(replied(), 1, 1301)), Err(QueryError::Future));
}

#[test]
fn an_answer_is_read_from_its_body() {
    #[derive(Serialize)]
    struct Out {
        status: &'static str,
        reply: OutReply,
        signatures: Vec<OutSignature>,
    }
    #[derive(Serialize)]
    struct OutReply {
        arg: ByteBuf,
    }
    #[derive(Serialize)]
    struct OutSignature {
        timestamp: u64,
        signature: ByteBuf,
        identity: Principal,
    }
    let expected = signed(replied(), 1, 1000);
    let body = cbor::encode(&Out {
        status: "replied",
        reply: OutReply {
            arg: ByteBuf::from(*b"abc"),
        },
        signatures: vec![OutSignature {
            timestamp: at(1000).as_nanos(),
            signature: ByteBuf::from(expected.signatures[0].signature.clone()),
            identity: node(1).1,
        }],
    });
    assert_eq!(QueryAnswer::read(200, &body), Ok(expected));
}
