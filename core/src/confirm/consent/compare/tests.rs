//! The real ledger's own words, from its own library, beside what the wallet shows; and lies.

use super::super::{markup, wire};
use super::*;
use crate::confirm::view::Role as Concern;
use candid::Nat;
use icrc_ledger_types::icrc1::account::Account as Codec;
use icrc_ledger_types::icrc1::transfer::TransferArg;
use icrc_ledger_types::icrc2::approve::ApproveArgs;
use icrc_ledger_types::icrc2::transfer_from::TransferFromArgs;
use icrc_ledger_types::icrc21::lib::build_icrc21_consent_info_for_icrc1_and_icrc2_endpoints as info;
use icrc_ledger_types::icrc21::requests::{
    ConsentMessageMetadata, ConsentMessageRequest, ConsentMessageSpec, DisplayMessageType,
};
use proptest::prelude::*;

const PAYEE: &str = "k2t6j-2nvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6ae";
const OTHER: &str = "2vxsx-fae";
const FROM: &str = "rrkah-fqaaa-aaaaa-aaaaq-cai";
const LEDGER: &str = "ryjl3-tyaaa-aaaaa-aaaba-cai";

fn codec(text: &str) -> Codec {
    text.parse().unwrap()
}

fn amount(number: &str) -> Amount {
    Amount {
        number: number.to_owned(),
        unit: "TKA".to_owned(),
    }
}

/// The sender: a principal that no other test text holds.
fn sender() -> Principal {
    Principal::self_authenticating("sender")
}

/// What the wallet shows: so much to the payee, by this effect.
fn call(effect: Effect, number: &str) -> Ours {
    let role = match effect {
        Effect::Allowance => Concern::Spender,
        Effect::Transfer | Effect::TransferFrom | Effect::Other => Concern::Payee,
    };
    let from = match effect {
        Effect::TransferFrom => Some(FROM.to_owned()),
        Effect::Transfer | Effect::Allowance | Effect::Other => None,
    };
    Ours {
        effect,
        party: Some(Party {
            role,
            address: PAYEE.to_owned(),
            from,
        }),
        amount: Some(amount(number)),
        fee: Some(amount("0.0001")),
        total: None,
        sender: sender().to_text(),
        canister: LEDGER.to_owned(),
    }
}

fn pay(number: &str) -> Ours {
    call(Effect::Transfer, number)
}

/// The production ledger's words, as they come over the wire.
fn words(
    method: &str,
    arg: Vec<u8>,
    decimals: u8,
    device: Option<DisplayMessageType>,
) -> Vec<Block> {
    let request = ConsentMessageRequest {
        method: method.to_owned(),
        arg,
        user_preferences: ConsentMessageSpec {
            metadata: ConsentMessageMetadata {
                language: "en".to_owned(),
                utc_offset_minutes: None,
            },
            device_spec: device,
        },
    };
    let fee = Nat::from(10_u64.pow(u32::from(decimals) - 4));
    let info = info(
        request,
        sender(),
        fee,
        "TKA".to_owned(),
        "Token A".to_owned(),
        decimals,
    );
    match wire::read(&candid::encode_one(info).unwrap()) {
        Ok(wire::Answer::Message(message)) => message.blocks,
        other => panic!("{other:?}"),
    }
}

fn transfer(to: &str, units: u128, memo: Option<&str>) -> Vec<u8> {
    candid::encode_one(TransferArg {
        from_subaccount: None,
        to: codec(to),
        fee: None,
        created_at_time: Some(1),
        memo: memo.map(|memo| memo.as_bytes().to_vec().into()),
        amount: units.into(),
    })
    .unwrap()
}

const DEVICES: [Option<DisplayMessageType>; 3] = [
    None,
    Some(DisplayMessageType::GenericDisplay),
    Some(DisplayMessageType::FieldsDisplay),
];

fn differs(compared: &Compared) -> Vec<(Aspect, Vec<String>)> {
    match compared {
        Compared::Differs(differences) => (differences.iter())
            .map(|one| (one.what, one.theirs.clone()))
            .collect(),
        Compared::Agrees | Compared::NothingToCompare => panic!("{compared:?}"),
    }
}

fn said(text: &str) -> Vec<Block> {
    markup::read(text)
}

#[test]
fn the_ledgers_words_of_a_transfer_agree() {
    for device in DEVICES {
        for memo in [
            None,
            Some("order 118"),
            Some("Amount: 9 TKA to me"),
            Some("a`b"),
        ] {
            let words = words(
                "icrc1_transfer",
                transfer(PAYEE, 150_000_000, memo),
                8,
                device.clone(),
            );
            let compared = compare(&words, &pay("1.5"));
            assert_eq!(compared, Compared::Agrees, "{memo:?} {words:#?}");
            let compared = compare(&words, &pay("1.51"));
            let theirs = vec!["1.5 TKA".to_owned()];
            assert_eq!(differs(&compared), [(Aspect::Amount, theirs)]);
        }
    }
}

#[test]
fn the_ledgers_words_of_a_transfer_to_another_differ() {
    for device in DEVICES {
        for to in [OTHER, FROM, LEDGER, &format!("{PAYEE}-6cc627i.1")] {
            let words = words(
                "icrc1_transfer",
                transfer(to, 150_000_000, None),
                8,
                device.clone(),
            );
            let compared = compare(&words, &pay("1.5"));
            assert_eq!(differs(&compared), [(Aspect::Party, vec![to.to_owned()])]);
        }
    }
}

#[test]
fn the_ledgers_words_of_an_allowance_agree() {
    let arg = |spender: &str| {
        candid::encode_one(ApproveArgs {
            from_subaccount: None,
            spender: codec(spender),
            amount: 2_500_000_000_u64.into(),
            expected_allowance: Some(700_000_000_u64.into()),
            expires_at: Some(1_791_547_201_000_000_000),
            fee: None,
            memo: None,
            created_at_time: Some(1),
        })
        .unwrap()
    };
    for device in DEVICES {
        let told = words("icrc2_approve", arg(PAYEE), 8, device.clone());
        let shown = call(Effect::Allowance, "25");
        assert_eq!(compare(&told, &shown), Compared::Agrees, "{told:#?}");
        let told = words("icrc2_approve", arg(OTHER), 8, device);
        assert_eq!(
            differs(&compare(&told, &shown)),
            [(Aspect::Party, vec![OTHER.to_owned()])]
        );
        let compared = compare(&told, &call(Effect::Allowance, "7"));
        assert_eq!(
            differs(&compared).len(),
            2,
            "what stands already is not what is asked for"
        );
    }
}

#[test]
fn the_ledgers_words_of_a_transfer_by_allowance_agree() {
    let arg = |from: &str, to: &str| {
        candid::encode_one(TransferFromArgs {
            spender_subaccount: None,
            from: codec(from),
            to: codec(to),
            amount: 150_000_000_u64.into(),
            fee: None,
            memo: None,
            created_at_time: Some(1),
        })
        .unwrap()
    };
    let mut to_self = call(Effect::TransferFrom, "1.5");
    let mine = sender().to_text();
    to_self.party.as_mut().unwrap().address.clone_from(&mine);
    for device in DEVICES {
        let told = words("icrc2_transfer_from", arg(FROM, PAYEE), 8, device.clone());
        let shown = call(Effect::TransferFrom, "1.5");
        assert_eq!(compare(&told, &shown), Compared::Agrees, "{told:#?}");
        // The two changed places.
        let told = words("icrc2_transfer_from", arg(PAYEE, FROM), 8, device.clone());
        assert_eq!(
            differs(&compare(&told, &shown)),
            [(Aspect::Party, vec![FROM.to_owned()])]
        );
        // To the one who moves them: it is the sender's account, and it is labelled.
        let told = words("icrc2_transfer_from", arg(FROM, &mine), 8, device);
        assert_eq!(compare(&told, &to_self), Compared::Agrees, "{told:#?}");
    }
}

#[test]
fn what_a_ledger_rounds_is_a_difference() {
    // 1.234567890123456789 with 18 decimals, which the ledger's library computes in floats.
    let arg = transfer(PAYEE, 1_234_567_890_123_456_789, None);
    let told = words(
        "icrc1_transfer",
        arg.clone(),
        18,
        Some(DisplayMessageType::GenericDisplay),
    );
    let shown = pay("1.234567890123456789");
    let theirs = vec!["1.2345678901234567 TKA".to_owned()];
    assert_eq!(differs(&compare(&told, &shown)), [(Aspect::Amount, theirs)]);
    let told = words(
        "icrc1_transfer",
        arg,
        18,
        Some(DisplayMessageType::FieldsDisplay),
    );
    assert_eq!(compare(&told, &shown), Compared::Agrees);
}

#[test]
fn an_account_is_known_in_each_of_its_forms() {
    let account = format!("{PAYEE}-6cc627i.1");
    let id = AccountId::of(&account::read(&account).unwrap()).to_string();
    let shows = |address: &str| {
        let mut call = pay("1.5");
        call.party.as_mut().unwrap().address = address.to_owned();
        call
    };
    let says = |to: &str| said(&format!("**To:**\n`{to}`\n\n**Amount:** `1.5 TKA`"));
    for (ours, theirs) in [
        (&account, &id),
        (&id, &account),
        (&id, &id),
        (&account, &account),
    ] {
        assert_eq!(compare(&says(theirs), &shows(ours)), Compared::Agrees);
    }
    let upper = id.to_uppercase();
    assert_eq!(compare(&says(&upper), &shows(&account)), Compared::Agrees);
    // Its owner's default account is another account.
    let compared = compare(&says(PAYEE), &shows(&account));
    assert_eq!(
        differs(&compared),
        [(Aspect::Party, vec![PAYEE.to_owned()])]
    );
}

#[test]
fn agreement_needs_both_whole_and_no_others() {
    let payee = format!("{PAYEE}.");
    for (text, compared) in [
        // In a sentence, without labels.
        (format!("Pay 1.50 TKA to {payee}"), Compared::Agrees),
        (
            format!("Pay 1.5TKA ({PAYEE}), fee 0.0001 TKA"),
            Compared::Agrees,
        ),
        (format!("To: {PAYEE}\nAmount: 1.5 TKA"), Compared::Agrees),
        (
            format!("- To: {PAYEE}\n- Amount: 1.5 TKA"),
            Compared::Agrees,
        ),
        // One of them is missing.
        ("Pay 1.5 TKA".to_owned(), Compared::NothingToCompare),
        (format!("Pay {PAYEE}"), Compared::NothingToCompare),
        ("Pay somebody".to_owned(), Compared::NothingToCompare),
        (format!("Pay 1.5 to {PAYEE}"), Compared::NothingToCompare),
        // Not whole, not exact, or it could be read in two ways.
        (
            format!("Pay 1.5 TKA to {}…", PAYEE.get(..12).unwrap()),
            Compared::NothingToCompare,
        ),
        (
            format!("Pay 1.5... TKA to {PAYEE}"),
            Compared::NothingToCompare,
        ),
        (
            format!("Pay ~1.5 TKA to {PAYEE}"),
            Compared::NothingToCompare,
        ),
        (
            format!("**Amount:** `1,5 TKA`\n\n**To:** `{PAYEE}`"),
            Compared::NothingToCompare,
        ),
        (
            format!("**Amount:** `150000000`\n\n**To:** `{PAYEE}`"),
            Compared::NothingToCompare,
        ),
        (
            format!("Pay 1.5\u{a0}TKA to {PAYEE}"),
            Compared::NothingToCompare,
        ),
        // Others stand beside them.
        (
            format!("Pay 1.5 TKA to {PAYEE} or {OTHER}"),
            Compared::NothingToCompare,
        ),
        (
            format!("Pay 1.5 TKA or 2 TKA to {PAYEE}"),
            Compared::NothingToCompare,
        ),
        (
            format!("**To:** `{PAYEE}`\n\n**Amount:** `1.5 TKA`\n\nLater 9 TKA more."),
            Compared::NothingToCompare,
        ),
        (
            format!("**From:** `{OTHER}`\n\n**To:** `{PAYEE}`\n\n**Amount:** `1.5 TKA`"),
            Compared::NothingToCompare,
        ),
        // Ours are there, and something else in whatever unit and writing.
        (
            format!("To: {PAYEE}\nAmount: 1.5 TKA\nAmount: 1000 GEM"),
            Compared::NothingToCompare,
        ),
        (
            format!("**To:** `{PAYEE}`\n\n**Amount:** `1.5 TKA`\n\nYou also allow 1000 e8s."),
            Compared::NothingToCompare,
        ),
        (
            format!("Pay 1.5 TKA and 1'000 TKA to {PAYEE}"),
            Compared::NothingToCompare,
        ),
        (
            format!("Pay 1.5 TKA, that is $9000, to {PAYEE}"),
            Compared::NothingToCompare,
        ),
        (
            format!("**To:** `{PAYEE}`\n\n**Amount:** `1.5 TKA`\n\n**Expires:**\n7 Oct 2027"),
            Compared::Agrees,
        ),
        // A memo is the site's.
        (
            format!("**Memo:**\n`1.5 TKA {PAYEE}`"),
            Compared::NothingToCompare,
        ),
        (
            format!("**Memo:**\nTo: {PAYEE}\nAmount: 1.5 TKA"),
            Compared::NothingToCompare,
        ),
    ] {
        assert_eq!(compare(&said(&text), &pay("1.5")), compared, "{text}");
    }
}

#[test]
fn a_difference_names_what_the_canister_says() {
    for (text, theirs) in [
        (
            format!("Pay 2 TKA to {PAYEE}"),
            vec![(Aspect::Amount, vec!["2 TKA".to_owned()])],
        ),
        (
            format!("Pay 1.5 TKA to {OTHER}"),
            vec![(Aspect::Party, vec![OTHER.to_owned()])],
        ),
        (
            format!("**To:** `{PAYEE}`\n\n**Amount:** `1.5 GEM`"),
            vec![(Aspect::Amount, vec!["1.5 GEM".to_owned()])],
        ),
        // Bold words in a memo do not make the canister's plain labels none.
        (
            format!("To: {OTHER}\nAmount: 1.5 TKA\nMemo: **a:** b {PAYEE}"),
            vec![(Aspect::Party, vec![OTHER.to_owned()])],
        ),
        (
            format!("Recipient: {OTHER}\n\nAmount: 2 TKA\n\nMemo:\n**a:** 1.5 TKA {PAYEE}"),
            vec![
                (Aspect::Party, vec![OTHER.to_owned()]),
                (Aspect::Amount, vec!["2 TKA".to_owned()]),
            ],
        ),
        // A label that is repeated in a memo does not win over the true one.
        (
            format!(
                "**To:** `{OTHER}`\n\n**Amount:** `1.5 TKA`\n\n**Memo:**\n`x\n\n**To:** `{PAYEE}`"
            ),
            vec![(Aspect::Party, vec![OTHER.to_owned()])],
        ),
        (
            format!("**To:** `{OTHER}`\n\n**Amount:** `2 TKA`"),
            vec![
                (Aspect::Party, vec![OTHER.to_owned()]),
                (Aspect::Amount, vec!["2 TKA".to_owned()]),
            ],
        ),
    ] {
        assert_eq!(
            differs(&compare(&said(&text), &pay("1.5"))),
            theirs,
            "{text}"
        );
    }
}

#[test]
fn what_has_no_payee_or_no_symbol_is_not_compared() {
    let text = format!("**To:** `{PAYEE}`\n\n**Amount:** `1.5 TKA`");
    let mut nobody = pay("1.5");
    nobody.party = None;
    assert_eq!(compare(&said(&text), &nobody), Compared::NothingToCompare);
    let mut nothing = pay("1.5");
    nothing.amount = None;
    assert_eq!(compare(&said(&text), &nothing), Compared::NothingToCompare);
    let mut unnamed = pay("1.5");
    unnamed.amount.as_mut().unwrap().unit = LEDGER.to_owned();
    assert_eq!(compare(&said(&text), &unnamed), Compared::NothingToCompare);
}

#[test]
fn without_a_label_the_senders_own_account_is_nobodys() {
    let mut mine = pay("1.5");
    mine.party.as_mut().unwrap().address = sender().to_text();
    let text = format!("Pay 1.5 TKA from {}", sender());
    assert_eq!(compare(&said(&text), &mine), Compared::NothingToCompare);
    let mut moved = call(Effect::TransferFrom, "1.5");
    moved.party.as_mut().unwrap().from = Some(FROM.to_owned());
    let text = format!("Move 1.5 TKA from {PAYEE} to {FROM}");
    assert_eq!(compare(&said(&text), &moved), Compared::NothingToCompare);
}

proptest! {
    #[test]
    fn any_words_are_compared_without_a_panic(text in any::<String>(), wild in "[*`#:. 0-9A-Z\\-\n]{0,60}") {
        for text in [text, wild] {
            let compared = compare(&said(&text), &pay("1.5"));
            prop_assert_ne!(compared, Compared::Agrees, "the payee is not in it");
        }
    }

    /// Whatever stands around them, the ledger's words of another call never agree.
    #[test]
    fn another_amount_never_agrees(units in 1_u64..=u64::MAX, memo in "[a-zA-Z0-9*`# :\n]{0,32}") {
        prop_assume!(units != 150_000_000);
        let words = words("icrc1_transfer", transfer(PAYEE, units.into(), Some(&memo)), 8, None);
        prop_assert_ne!(compare(&words, &pay("1.5")), Compared::Agrees);
    }
}
