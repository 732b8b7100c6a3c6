//! The stored form.

use super::*;
use crate::ids::to_hex;

/// An intent with something in every field.
fn full() -> Run {
    let mut run = Run::known();
    run.send();
    let request_id = run.last_request();
    let rejected = Submission::UncertifiedReject {
        code: 2,
        message: "busy".into(),
    };
    run.on(Event::Submitted {
        request_id,
        result: rejected,
    });
    run.at(10).status(CertifiedStatus::Processing);
    run.lose_answer();
    run.status(CertifiedStatus::Done);
    run.send()
        .later(3)
        .status(CertifiedStatus::Replied(duplicate()));
    let request_id = run.last_request();
    run.on(Event::BlockRead {
        request_id,
        verdict: BlockVerdict::Another,
    });
    run.on(Event::Reconciled(Finding::NotYet {
        after: Some(at(9_000)),
    }));
    run.on(Event::Told {
        answer: ContentHash::from_bytes([0xdd; 32]),
        names_end: NamesEnd::No,
    });
    run
}

#[test]
fn a_record_reads_back_what_it_stores() {
    for run in [Run::known(), Run::unstamped(), full()] {
        assert_eq!(Intent::decode(&run.intent.encode()), Ok(run.intent));
    }
}

#[test]
fn the_names_of_its_values_are_stored_with_it_and_none_take_no_place() {
    let mut prepared = prepared();
    let without = Intent::new(prepared.clone(), Evidence::None).unwrap();
    prepared.names.note("account", "4", "Savings");
    let with = Intent::new(prepared, Evidence::None).unwrap();
    let read = Intent::decode(&with.encode()).unwrap();
    let name = read.prepared().names.label_of("account", "4");
    assert_eq!(name.unwrap().as_str(), "Savings");
    let has_names = |intent: &Intent| intent.encode().windows(5).any(|bytes| bytes == b"names");
    assert_eq!((has_names(&with), has_names(&without)), (true, false));
    assert!(
        Intent::decode(&without.encode())
            .unwrap()
            .prepared()
            .names
            .is_empty()
    );
}

#[test]
fn the_stored_form_is_the_golden_one() {
    let mut lines = String::new();
    for run in [Run::known(), full()] {
        lines += &to_hex(&run.intent.encode());
        lines.push('\n');
    }
    golden(
        "intent_v1.hex",
        include_str!("../../../tests/golden/intent_v1.hex"),
        &lines,
    );
}

#[test]
fn golden_records_of_version_1_still_read() {
    let golden = include_str!("../../../tests/golden/intent_v1.hex");
    let records: Vec<Intent> = golden
        .lines()
        .map(|line| Intent::decode(&crate::ids::from_hex(line).unwrap()).unwrap())
        .collect();
    assert_eq!(records, [Run::known().intent, full().intent]);
}

#[test]
fn a_record_from_before_the_yes_was_kept_with_its_envelope_still_reads() {
    let golden = include_str!("../../../tests/golden/intent_v1_before_yes.hex");
    let record = Intent::decode(&crate::ids::from_hex(golden.trim()).unwrap()).unwrap();
    let times = |e: &Envelope| (e.asked_at, e.approved_at);
    assert_eq!(
        record.envelopes().iter().map(times).collect::<Vec<_>>(),
        [(None, None); 2]
    );
}

#[test]
fn a_newer_version_is_refused_before_anything_of_it_is_read() {
    let mut newer = Vec::new();
    let value = std::collections::BTreeMap::from([("v", 2), ("what", 1)]);
    ciborium::into_writer(&value, &mut newer).unwrap();
    assert_eq!(
        Intent::decode(&newer),
        Err(DecodeError::Newer { version: 2 })
    );
}

#[test]
fn a_damaged_record_is_refused() {
    let stored = full().intent.encode();
    assert_eq!(Intent::decode(&[]), Err(DecodeError::Corrupt));
    assert_eq!(Intent::decode(b"null"), Err(DecodeError::Corrupt));
    for end in 0..stored.len() {
        assert_eq!(
            Intent::decode(&stored[..end]),
            Err(DecodeError::Corrupt),
            "{end}"
        );
    }
}

#[test]
fn an_unknown_field_is_refused_and_not_dropped() {
    let mut stored = Run::known().intent.encode();
    let field = b"deadline";
    let at = stored
        .windows(field.len())
        .position(|window| window == field)
        .unwrap();
    stored[at] = b'D';
    assert_eq!(Intent::decode(&stored), Err(DecodeError::Corrupt));
}
