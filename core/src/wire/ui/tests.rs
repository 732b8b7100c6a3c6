use super::*;
use crate::confirm::risk::Finding;
use crate::time::Timestamp;

fn hello() -> ToWorker {
    ToWorker::Hello {
        v: VERSION,
        token: "t0".into(),
        place: Place::Asks,
    }
}

#[test]
fn a_frame_reads_back_what_was_written() {
    let frames = [
        hello(),
        ToWorker::Do {
            n: 2,
            seq: 1,
            command: Command::Approve {
                ask: AskId::from_bytes([1; 16]),
                preview: PreviewId::from_bytes([2; 16]),
                digest: AskDigest::from_bytes([3; 32]),
                acknowledged: vec![Finding::PayeeIsLedger],
            },
        },
        ToWorker::Do {
            n: 3,
            seq: 1,
            command: Command::Unlock {
                passphrase: Passphrase::new("p".into()),
            },
        },
    ];
    for frame in frames {
        assert_eq!(from_json::<ToWorker>(&to_json(&frame)), Ok(frame));
    }
}

#[test]
fn a_frame_looks_as_it_always_did() {
    assert_eq!(
        to_json(&hello()),
        r#"{"hello":{"v":1,"token":"t0","place":"asks"}}"#
    );
    assert_eq!(
        to_json(&ToWindow::View {
            seq: 1,
            handled: 0,
            failure: Some(Failure::Other("E".into())),
            view: Box::new(View {
                mark: Mark::from_entropy([0; 5]),
                waiting: 0,
                clock_off_s: None,
                settings: Settings::default(),
                screen: Screen::NoAsk,
            }),
        }),
        r#"{"view":{"seq":1,"handled":0,"failure":{"other":"E"},"view":{"mark":{"picture":{"cells":32767,"hue":0},"first":"amber","second":"badger"},"waiting":0,"clock_off_s":null,"settings":{"language":null,"theme":"system"},"screen":"no_ask"}}}"#
    );
}

#[test]
fn a_frame_with_more_or_less_than_its_fields_is_refused() {
    for text in [
        "",
        "{}",
        r#"{"hello":{"v":1,"token":"t0"}}"#,
        r#"{"hello":{"v":1,"token":"t0","place":"asks","more":1}}"#,
        r#"{"hello":{"v":1,"token":"t0","place":"elsewhere"}}"#,
    ] {
        assert!(from_json::<ToWorker>(text).is_err(), "{text}");
    }
}

#[test]
fn a_time_survives_the_wire_to_the_nanosecond() {
    let known = Known::SentNoAnswer(Timestamp::from_nanos(u64::MAX));
    assert_eq!(from_json::<Known>(&to_json(&known)), Ok(known));
}

#[test]
fn a_passphrase_is_never_printed() {
    let command = Command::Unlock {
        passphrase: Passphrase::new("correct horse".into()),
    };
    assert!(!format!("{command:?}").contains("horse"));
}
