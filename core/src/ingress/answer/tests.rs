use serde::Serialize;

use super::*;

#[derive(Serialize, Default)]
struct Out {
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certificate: Option<ByteBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<OutReply>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reject_code: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reject_message: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    root_key: Option<ByteBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replica_health_status: Option<&'static str>,
}

#[derive(Serialize)]
struct OutReply {
    arg: ByteBuf,
}

fn cut_off() -> NoFact {
    NoFact::Unreadable(cbor::CborError::Malformed)
}

#[test]
fn a_certificate_is_handed_on_unread() {
    let body = cbor::encode(&Out {
        status: Some("replied"),
        certificate: Some(ByteBuf::from([1, 2])),
        ..Out::default()
    });
    assert_eq!(
        CallAnswer::read(200, &body),
        CallAnswer::Certificate(vec![1, 2])
    );
    let body = cbor::encode(&Out {
        certificate: Some(ByteBuf::from([1, 2])),
        ..Out::default()
    });
    assert_eq!(
        ReadAnswer::read(200, &body),
        Ok(ReadAnswer {
            certificate: vec![1, 2]
        })
    );
}

#[test]
fn an_accepted_call_is_only_accepted_whatever_the_body_says() {
    assert_eq!(CallAnswer::read(202, b""), CallAnswer::Accepted);
    assert_eq!(CallAnswer::read(202, b"waiting"), CallAnswer::Accepted);
}

#[test]
fn a_rejection_by_one_node_is_uncertified() {
    let reject = Reject {
        code: RejectCode::SysTransient,
        message: Untrusted::new("busy"),
        error_code: None,
    };
    for status in [Some("non_replicated_rejection"), None] {
        let body = cbor::encode(&Out {
            status,
            reject_code: Some(2),
            reject_message: Some("busy"),
            ..Out::default()
        });
        assert_eq!(
            CallAnswer::read(200, &body),
            CallAnswer::Uncertified(reject.clone())
        );
    }
}

#[test]
fn what_is_unclear_says_nothing() {
    for (status, body, expected) in [
        (200, b"".as_slice(), cut_off()),
        (200, b"\xa0", cut_off()),
        (200, b"<html>", cut_off()),
        (
            400,
            b"Invalid request expiry",
            NoFact::Refused {
                status: 400,
                text: Untrusted::new("Invalid request expiry"),
            },
        ),
        (
            404,
            b"\xff",
            NoFact::Refused {
                status: 404,
                text: Untrusted::new("\u{fffd}"),
            },
        ),
        (503, b"", NoFact::Unavailable { status: 503 }),
        (204, b"", NoFact::Unavailable { status: 204 }),
        (301, b"", NoFact::Unavailable { status: 301 }),
    ] {
        assert_eq!(
            CallAnswer::read(status, body),
            CallAnswer::Nothing(expected.clone()),
            "{status}"
        );
        assert_eq!(ReadAnswer::read(status, body), Err(expected.clone()));
        assert_eq!(QueryAnswer::read(status, body), Err(expected.clone()));
        assert_eq!(read_status(status, body), Err(expected));
    }
    let without_certificate = cbor::encode(&Out {
        status: Some("replied"),
        ..Out::default()
    });
    assert_eq!(
        CallAnswer::read(200, &without_certificate),
        CallAnswer::Nothing(cut_off())
    );
    let other_word = cbor::encode(&Out {
        status: Some("maybe"),
        certificate: Some(ByteBuf::from([1])),
        reject_code: Some(3),
        reject_message: Some("?"),
        ..Out::default()
    });
    assert_eq!(
        CallAnswer::read(200, &other_word),
        CallAnswer::Nothing(cut_off())
    );
}

#[test]
fn a_query_that_is_both_reply_and_reject_is_neither() {
    let both = cbor::encode(&Out {
        status: Some("replied"),
        reply: Some(OutReply {
            arg: ByteBuf::from([1]),
        }),
        reject_code: Some(3),
        reject_message: Some("?"),
        ..Out::default()
    });
    assert_eq!(QueryAnswer::read(200, &both), Err(cut_off()));
}

#[test]
fn a_status_gives_the_root_key_and_nothing_less() {
    let key = RootKey::mainnet();
    let body = cbor::encode(&Out {
        root_key: Some(ByteBuf::from(key.as_der())),
        replica_health_status: Some("healthy"),
        ..Out::default()
    });
    assert_eq!(read_status(200, &body), Ok(key));
    let odd = cbor::encode(&Out {
        root_key: Some(ByteBuf::from([1, 2, 3])),
        ..Out::default()
    });
    assert_eq!(read_status(200, &odd), Err(cut_off()));
}

#[test]
fn reject_codes_keep_their_numbers() {
    for number in 0..10 {
        assert_eq!(RejectCode::from_number(number).number(), number);
    }
}
