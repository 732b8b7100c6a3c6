//! All versions of the answer, and answers that are none.

use super::*;
use candid::{Deserialize, Nat};
use icrc_ledger_types::icrc21::errors::{ErrorInfo, Icrc21Error};
use icrc_ledger_types::icrc21::requests::{
    ConsentMessageMetadata, ConsentMessageRequest, ConsentMessageSpec, DisplayMessageType,
};
use icrc_ledger_types::icrc21::responses::{
    ConsentInfo, ConsentMessage, FieldsDisplay, Value as Typed,
};
use proptest::prelude::*;

fn info<M: CandidType>(message: M) -> Vec<u8> {
    #[derive(CandidType)]
    struct Info<M> {
        consent_message: M,
        metadata: ConsentMessageMetadata,
    }
    #[derive(CandidType)]
    enum Response<M> {
        Ok(Info<M>),
        #[expect(dead_code, reason = "the type has to be whole")]
        Err(Icrc21Error),
    }
    let metadata = ConsentMessageMetadata {
        language: "en".to_owned(),
        utc_offset_minutes: None,
    };
    candid::encode_one(Response::Ok(Info {
        consent_message: message,
        metadata,
    }))
    .unwrap()
}

fn blocks(reply: &[u8]) -> Vec<Block> {
    match read(reply) {
        Ok(Answer::Message(message)) => message.blocks,
        other => panic!("{other:?}"),
    }
}

fn lines(lines: &[&str]) -> Block {
    let lines = lines
        .iter()
        .map(|line| vec![Span::Plain((*line).to_owned())]);
    Block::Paragraph(lines.collect())
}

#[test]
fn the_question_is_what_the_standard_states() {
    let bytes = request("icrc1_transfer", b"DIDL\0\0", "zh-CN");
    let read: ConsentMessageRequest = candid::decode_one(&bytes).unwrap();
    assert_eq!(
        read,
        ConsentMessageRequest {
            method: "icrc1_transfer".to_owned(),
            arg: b"DIDL\0\0".to_vec(),
            user_preferences: ConsentMessageSpec {
                metadata: ConsentMessageMetadata {
                    language: "zh-CN".to_owned(),
                    utc_offset_minutes: None,
                },
                device_spec: Some(DisplayMessageType::GenericDisplay),
            },
        }
    );
}

#[test]
fn the_first_versions_message_is_read() {
    #[derive(CandidType, Deserialize)]
    enum First {
        GenericDisplayMessage(String),
        LineDisplayMessage { pages: Vec<Page> },
    }
    #[derive(CandidType, Deserialize)]
    struct Page {
        lines: Vec<String>,
    }
    let generic = First::GenericDisplayMessage("# Pay\n\nAll.".to_owned());
    let title = Block::Heading(vec![Span::Plain("Pay".to_owned())]);
    assert_eq!(blocks(&info(generic)), [title, lines(&["All."])]);
    let page = |words: [&str; 2]| Page {
        lines: words.map(ToOwned::to_owned).to_vec(),
    };
    let pages = vec![page(["Pay", "**all**"]), page(["to", "\u{202e}me"])];
    assert_eq!(
        blocks(&info(First::LineDisplayMessage { pages })),
        [lines(&["Pay", "**all**"]), lines(&["to", "\\u{202e}me"])],
        "what is no Markdown is not read as such"
    );
    let empty = |count| (0..count).map(|_| Page { lines: Vec::new() });
    let pages = empty(5).chain([page(["to", "me"])]).collect();
    assert_eq!(
        blocks(&info(First::LineDisplayMessage { pages })),
        [lines(&["to", "me"])]
    );
    let pages = empty(MAX_LINES + 1).collect();
    let reply = info(First::LineDisplayMessage { pages });
    assert_eq!(read(&reply), Err(ConsentError::TooLong));

    #[derive(CandidType)]
    enum Text {
        LineDisplayMessage(String),
    }
    let text = Text::LineDisplayMessage("Pay\nall".to_owned());
    assert_eq!(blocks(&info(text)), [lines(&["Pay", "all"])]);
}

#[test]
fn the_second_versions_fields_are_read() {
    #[derive(CandidType)]
    enum Second {
        FieldsDisplayMessage {
            intent: String,
            fields: Vec<(String, String)>,
        },
    }
    let message = Second::FieldsDisplayMessage {
        intent: "Send".to_owned(),
        fields: vec![("Amount".to_owned(), "1.5 TKA".to_owned())],
    };
    assert_eq!(
        blocks(&info(message)),
        [
            Block::Heading(vec![Span::Plain("Send".to_owned())]),
            Block::Field {
                label: "Amount".to_owned(),
                value: FieldValue::Text("1.5 TKA".to_owned()),
            },
        ]
    );
}

#[test]
fn the_newest_versions_fields_are_read() {
    let field = |label: &str, value| (label.to_owned(), value);
    let message = ConsentMessage::FieldsDisplayMessage(FieldsDisplay {
        intent: "Send".to_owned(),
        fields: vec![
            field(
                "Amount",
                Typed::TokenAmount {
                    decimals: 18,
                    amount: u64::MAX,
                    symbol: "TKA".to_owned(),
                },
            ),
            field("At", Typed::TimestampSeconds { amount: 1 }),
            field("For", Typed::DurationSeconds { amount: 90 }),
            field(
                "Memo",
                Typed::Text {
                    content: "a\u{200b}b".to_owned(),
                },
            ),
        ],
    });
    let read = blocks(&info(message));
    let values: Vec<_> = read
        .iter()
        .filter_map(|block| match block {
            Block::Field { value, .. } => Some(value.clone()),
            Block::Heading(_) | Block::Paragraph(_) | Block::List(_) => None,
        })
        .collect();
    assert_eq!(
        values,
        [
            FieldValue::Amount(Amount {
                number: "18.446744073709551615".to_owned(),
                unit: "TKA".to_owned(),
            }),
            FieldValue::Time(Timestamp::from_nanos(1_000_000_000)),
            FieldValue::Seconds(90),
            FieldValue::Text("a\\u{200b}b".to_owned()),
        ]
    );
}

#[test]
fn every_error_gives_its_description_as_words_from_outside() {
    let words = || ErrorInfo {
        description: "no \"words\"".to_owned(),
    };
    for error in [
        Icrc21Error::UnsupportedCanisterCall(words()),
        Icrc21Error::ConsentMessageUnavailable(words()),
        Icrc21Error::InsufficientPayment(words()),
        Icrc21Error::GenericError {
            error_code: Nat::from(7_u8),
            description: "no \"words\"".to_owned(),
        },
    ] {
        let answer: Result<ConsentInfo, Icrc21Error> = Err(error);
        let Ok(Answer::Refused(words)) = read(&candid::encode_one(&answer).unwrap()) else {
            panic!("{answer:?} is a refusal")
        };
        assert_eq!(words.as_str(), "no \\u{22}words\\u{22}");
    }
}

#[test]
fn what_is_too_long_is_refused_and_not_cut() {
    let generic = |words: String| info(ConsentMessage::GenericDisplayMessage(words));
    let fits = "é".repeat(MAX_CHARS);
    assert!(read(&generic(fits.clone())).is_ok());
    for words in [fits + "é", "\n".repeat(MAX_LINES), "x".repeat(MAX_BYTES)] {
        assert_eq!(read(&generic(words)), Err(ConsentError::TooLong));
    }
    let fields = vec![
        (
            "a".to_owned(),
            Typed::Text {
                content: "b".to_owned()
            }
        );
        MAX_LINES
    ];
    let message = ConsentMessage::FieldsDisplayMessage(FieldsDisplay {
        intent: "Send".to_owned(),
        fields,
    });
    assert_eq!(read(&info(message)), Err(ConsentError::TooLong));
}

#[test]
fn what_is_no_message_is_refused() {
    // Options in one another, without end but for the bytes'.
    let mut nested = b"DIDL\x01\x6e\x00\x01\x00".to_vec();
    nested.extend([1; 20_000]);
    nested.push(0);
    for reply in [
        Vec::new(),
        b"DIDL".to_vec(),
        b"DIDL\0\0".to_vec(),
        nested,
        // A vector of 2^30 nulls in 14 bytes.
        b"DIDL\x01\x6d\x7f\x01\x00\x80\x80\x80\x80\x04".to_vec(),
        candid::encode_one("Pay").unwrap(),
        candid::encode_one(Nat::from(1_u8)).unwrap(),
        info("Pay"),
        info(ConsentMessage::GenericDisplayMessage(String::new())),
        info(ConsentMessage::GenericDisplayMessage("\n \n".to_owned())),
    ] {
        assert_eq!(read(&reply), Err(ConsentError::Malformed), "{reply:02x?}");
        assert_eq!(advertises(&reply), Err(ConsentError::Malformed));
    }
}

#[test]
fn only_the_standards_own_name_advertises_it() {
    #[derive(CandidType)]
    struct Standard {
        name: &'static str,
        url: &'static str,
    }
    let lists = |names: &[&'static str]| {
        let standards: Vec<_> = (names.iter())
            .map(|name| Standard { name, url: "" })
            .collect();
        advertises(&candid::encode_one(standards).unwrap())
    };
    assert_eq!(lists(&["ICRC-1", "ICRC-21"]), Ok(true));
    assert_eq!(
        lists(&["ICRC-1", "ICRC-2", "ICRC-211", "icrc-21"]),
        Ok(false)
    );
    assert_eq!(lists(&[]), Ok(false));
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut message = b"DIDL".to_vec();
        message.extend(&bytes);
        for bytes in [bytes, message] {
            let _ = read(&bytes);
            let _ = advertises(&bytes);
        }
    }

    #[test]
    fn a_damaged_answer_is_read_without_a_panic(
        words in any::<String>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        keeps in any::<prop::sample::Index>(),
    ) {
        let mut bytes = info(ConsentMessage::FieldsDisplayMessage(FieldsDisplay {
            intent: words.clone(),
            fields: vec![(words.clone(), Typed::TokenAmount { decimals: 8, amount: 1, symbol: words })],
        }));
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let _ = read(&bytes);
        bytes.truncate(keeps.index(bytes.len()));
        let _ = read(&bytes);
    }
}
