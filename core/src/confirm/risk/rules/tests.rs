//! Each rule: where it speaks, where it is silent, and its borders.

use super::super::Severity;
use super::*;

const LEDGER: &str = "bkyz2-fmaaa-aaaaa-qaaaq-cai";
const PAYEE: &str = "k2t6j-2nvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6ae";
const OTHER: &str = "hpikg-6exdt-jn33w-ndty3-fc7jc-tl2lr-buih3-cs3y7-tftkp-sfp62-gqe";
const DAY: Timestamp = Timestamp::from_nanos(1_790_000_000_000_000_000);

fn n(units: u64) -> BigUint {
    BigUint::from(units)
}

fn shown(units: &BigUint) -> Option<Amount> {
    Some(Amount {
        number: units.to_string(),
        unit: "TKA".to_owned(),
    })
}

/// A payment of 1,000 out of 100,000 to somebody who was paid before by this site.
struct Case {
    effect: Effect,
    payee: Option<Payee>,
    amount: Option<BigUint>,
    fee: Option<BigUint>,
    balance: Option<BigUint>,
    change: Box<dyn Fn(&mut Facts<'_>)>,
}

impl Default for Case {
    fn default() -> Self {
        Self {
            effect: Effect::Transfer,
            payee: Some(Payee::of(PAYEE)),
            amount: Some(n(1_000)),
            fee: Some(n(10)),
            balance: Some(n(100_000)),
            change: Box::new(|_| {}),
        }
    }
}

impl Case {
    fn found(self) -> Vec<Finding> {
        let mut facts = Facts {
            now: DAY,
            ledger: Principal::from_text(LEDGER).unwrap(),
            looks_like: None,
            pasted: false,
            effect: self.effect,
            payee: self.payee,
            amount: self.amount.as_ref(),
            fee: self.fee.as_ref(),
            balance: self.balance.as_ref(),
            has_end: true,
            texts: Vec::new(),
            twins: Vec::new(),
            earlier: Earlier {
                paid: true,
                paid_by_site: true,
                same_amount_at: None,
            },
            known: Vec::new(),
            heard: Heard::Never,
            gainsaid: &[],
            usual: Vec::new(),
            shown: &shown,
        };
        (self.change)(&mut facts);
        findings(&facts)
    }
}

fn with(change: impl Fn(&mut Facts<'_>) + 'static) -> Vec<Finding> {
    Case {
        change: Box::new(change),
        ..Case::default()
    }
    .found()
}

fn pays(amount: u64, fee: u64, balance: u64) -> Vec<Finding> {
    Case {
        amount: Some(n(amount)),
        fee: Some(n(fee)),
        balance: Some(n(balance)),
        ..Case::default()
    }
    .found()
}

fn allows(amount: u64, balance: u64, has_end: bool) -> Vec<Finding> {
    Case {
        effect: Effect::Allowance,
        amount: Some(n(amount)),
        balance: Some(n(balance)),
        change: Box::new(move |facts| facts.has_end = has_end),
        ..Case::default()
    }
    .found()
}

#[test]
fn an_ordinary_payment_has_no_finding() {
    assert_eq!(with(|_| {}), []);
}

#[test]
fn every_call_that_may_have_done_the_same_is_said_by_itself() {
    let found = with(|facts| {
        for site in ["https://a.example", "https://b.example"] {
            facts.twins.push(OpenTwin {
                site: site.to_owned(),
                at: Some(DAY),
            });
        }
    });
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(Finding::must_be_acknowledged));
}

#[test]
fn a_ledger_that_passes_for_a_known_one_is_said_with_the_known_one() {
    let known = KnownLedger {
        symbol: "ICP".to_owned(),
        id: "ryjl3-tyaaa-aaaaa-aaaba-cai".to_owned(),
    };
    let icp = known.clone();
    let found = with(move |facts| facts.looks_like = Some(icp.clone()));
    assert_eq!(found, [Finding::LookAlikeLedger(known)]);
}

/// An address that begins and ends as another, made by searching keys, is stood in for by the ends
/// of an account identifier, which can be written down.
#[test]
fn a_payee_that_looks_as_a_known_one_is_said_until_it_was_paid_itself() {
    let known = format!("1a2b{}9f0e", "0".repeat(56));
    let alike = format!("1a2b{}9f0e", "7".repeat(56));
    let other = format!("1a2c{}9f0e", "7".repeat(56));
    let to = |payee: &str, paid: bool| {
        let known = known.clone();
        Case {
            payee: Some(Payee::of(payee)),
            change: Box::new(move |facts| {
                facts.known = vec![Payee::of(OTHER), Payee::of(&known)];
                facts.earlier.paid = paid;
                facts.earlier.paid_by_site = paid;
            }),
            ..Case::default()
        }
        .found()
    };
    let look_alike = Finding::LookAlikePayee {
        known: known.clone(),
    };
    assert!(to(&alike, false).contains(&look_alike));
    assert!(!to(&alike, true).contains(&look_alike));
    assert!(!to(&other, false).contains(&look_alike));
    assert!(!to(&known, false).contains(&look_alike));
}

#[test]
fn another_account_of_the_same_owner_is_no_look_alike() {
    let owner = Principal::from_text(PAYEE).unwrap();
    let sub = Account::new(owner, crate::format::subaccount::read("0x01").ok());
    let (whole, sub) = (Payee::of(PAYEE), Payee::of(&sub.to_string()));
    assert_ne!(whole.text, sub.text);
    assert_eq!(whole.ends(), sub.ends());
    assert!(!sub.could_be_taken_for(&whole));
}

#[test]
fn a_payee_out_of_a_text_of_others_is_said_until_this_site_has_paid_it() {
    let heard = |by_site: bool| {
        with(move |facts| {
            facts.heard = Heard::Surely;
            facts.earlier.paid_by_site = by_site;
        })
    };
    assert!(heard(false).contains(&Finding::PayeeFromText));
    assert!(!heard(true).contains(&Finding::PayeeFromText));
    let maybe = |by_site: bool| {
        with(move |facts| {
            facts.heard = Heard::Maybe;
            facts.earlier.paid_by_site = by_site;
        })
    };
    assert!(maybe(false).contains(&Finding::PayeeMayBeFromText));
    assert_eq!(maybe(true), []);
}

#[test]
fn ledgers_and_minters_are_no_payees_and_other_canisters_are_noted() {
    let to = |payee: &str| {
        Case {
            payee: Some(Payee::of(payee)),
            ..Case::default()
        }
        .found()
    };
    for lost in [
        LEDGER,
        "ryjl3-tyaaa-aaaaa-aaaba-cai",
        "mqygn-kiaaa-aaaar-qaadq-cai",
    ] {
        assert_eq!(to(lost), [Finding::PayeeIsLedger], "{lost}");
    }
    assert_eq!(
        to("rwlgt-iiaaa-aaaaa-aaaaa-cai"),
        [Finding::PayeeIsCanister]
    );
    assert_eq!(to(PAYEE), []);
    assert_eq!(to(&"0".repeat(64)), []);
    let sub = |owner: &str| {
        let owner = Principal::from_text(owner).unwrap();
        Account::new(owner, crate::format::subaccount::read("0x01").ok()).to_string()
    };
    // A stake, a withdrawal.
    // The same, by the identifier that older methods take.
    let icp = Principal::from_text("ryjl3-tyaaa-aaaaa-aaaba-cai").unwrap();
    assert_eq!(to(&Payee::default_of(icp)), [Finding::PayeeIsLedger]);
    let stake = sub("rrkah-fqaaa-aaaaa-aaaaq-cai");
    assert_eq!(to(&stake), [Finding::PayeeIsCanister]);
    assert_eq!(to(&sub(LEDGER)), [Finding::PayeeIsLedger]);
}

#[test]
fn a_spender_that_is_a_canister_or_a_ledger_is_paid_nothing() {
    let case = Case {
        effect: Effect::Allowance,
        payee: Some(Payee::of(LEDGER)),
        ..Case::default()
    };
    assert_eq!(case.found(), []);
}

#[test]
fn the_first_payment_anywhere_and_the_first_of_a_site_are_two_findings() {
    let earlier = |paid, paid_by_site| {
        with(move |facts| {
            facts.earlier.paid = paid;
            facts.earlier.paid_by_site = paid_by_site;
        })
    };
    assert_eq!(earlier(false, false), [Finding::FirstPayment]);
    assert_eq!(earlier(true, false), [Finding::NewForSite]);
    assert_eq!(earlier(true, true), []);
}

#[test]
fn ten_times_the_median_of_three_payments_is_far_above_the_usual() {
    let after = |usual: &'static [u64], amount: u64| {
        Case {
            amount: Some(n(amount)),
            change: Box::new(move |facts| facts.usual = usual.iter().map(|u| n(*u)).collect()),
            ..Case::default()
        }
        .found()
        .into_iter()
        .find(|found| matches!(found, Finding::FarAboveUsual { .. }))
    };
    let usual = shown(&n(100)).unwrap();
    assert_eq!(
        after(&[1, 100, 9_000], 1_000),
        Some(Finding::FarAboveUsual { usual })
    );
    assert_eq!(after(&[1, 100, 9_000], 999), None);
    assert_eq!(after(&[1, 100], 1_000_000), None);
    assert_eq!(after(&[0, 0, 0], 0), None);
}

#[test]
fn a_balance_that_does_not_cover_is_said_and_one_that_is_half_gone_is_too() {
    assert_eq!(pays(1_000, 10, 1_009), [Finding::Short]);
    assert_eq!(
        pays(1_000, 10, 1_010),
        [Finding::MostOfBalance { percent: 100 }]
    );
    assert_eq!(
        pays(1_000, 10, 2_020),
        [Finding::MostOfBalance { percent: 50 }]
    );
    assert_eq!(pays(1_000, 10, 2_021), []);
    let unread = Case {
        balance: None,
        ..Case::default()
    };
    assert_eq!(unread.found(), []);
}

#[test]
fn amounts_beyond_any_machine_word_are_judged_as_others() {
    let huge = BigUint::from(10_u32).pow(60);
    let case = Case {
        amount: Some(huge.clone()),
        balance: Some(huge * 3_u32),
        ..Case::default()
    };
    assert_eq!(case.found(), []);
    assert_eq!(
        per_cent(&BigUint::from(10_u32).pow(60), &n(1)),
        Some(u32::MAX)
    );
}

#[test]
fn an_allowance_is_held_to_the_balance_and_to_an_end() {
    assert_eq!(allows(100_000, 100_000, true), []);
    assert_eq!(
        allows(100_001, 100_000, true),
        [Finding::AllowanceAboveBalance]
    );
    assert_eq!(allows(1, 100_000, false), [Finding::AllowanceWithoutEnd]);
    assert_eq!(
        allows(10, 9, false),
        [
            Finding::AllowanceAboveBalance,
            Finding::Short,
            Finding::AllowanceWithoutEnd
        ]
    );
}

#[test]
fn a_fee_above_one_per_cent_is_said() {
    assert_eq!(pays(1_000, 10, 100_000), []);
    assert_eq!(pays(999, 10, 100_000), [Finding::HighFee { percent: 1 }]);
    assert_eq!(pays(10, 10, 100_000), [Finding::HighFee { percent: 100 }]);
    assert_eq!(pays(0, 10, 100_000), []);
}

#[test]
fn an_equal_payment_counts_for_a_day() {
    let paid = |ago: Span| {
        with(move |facts| {
            facts.now = DAY.plus(ago);
            facts.earlier.same_amount_at = Some(DAY);
        })
    };
    let found = [Finding::PaidBefore { at: DAY }];
    assert_eq!(paid(Span::from_hours(23)), found);
    assert_eq!(paid(Span::from_hours(24)), []);
}

#[test]
fn a_pasted_interface_is_said() {
    assert_eq!(
        with(|facts| facts.pasted = true),
        [Finding::PastedInterface]
    );
}

#[test]
fn hidden_and_mixed_letters_are_said_of_each_text_that_has_them() {
    let memo = || Place::Argument("memo".to_owned());
    let said = |text: &'static str| with(move |facts| facts.texts = vec![(memo(), text)]);
    assert_eq!(said("lunch"), []);
    assert_eq!(said("Привет"), []);
    assert_eq!(said("lunch\\u{202e}"), [Finding::HiddenCharacters(memo())]);
    assert_eq!(said("Привет\\u{202e}"), [Finding::HiddenCharacters(memo())]);
    assert_eq!(said("раypal"), [Finding::MixedScripts(memo())]);
    let both = with(move |facts| {
        facts.texts = vec![(Place::Why, "а\\u{200b}b"), (memo(), "αb")];
    });
    assert_eq!(
        both,
        [
            Finding::HiddenCharacters(Place::Why),
            Finding::MixedScripts(Place::Why),
            Finding::MixedScripts(memo())
        ]
    );
}

#[test]
fn the_loudest_come_first() {
    let found = with(|facts| {
        facts.earlier = Earlier {
            paid: false,
            paid_by_site: false,
            same_amount_at: None,
        };
        facts.pasted = true;
        facts.heard = Heard::Surely;
    });
    let severities: Vec<Severity> = found.iter().map(Finding::severity).collect();
    assert_eq!(
        severities,
        [Severity::High, Severity::Caution, Severity::Note]
    );
}

#[test]
fn what_the_canister_says_otherwise_must_be_acknowledged_as_it_says_it() {
    use super::super::super::consent::Aspect;
    static OTHERWISE: std::sync::LazyLock<Vec<Difference>> = std::sync::LazyLock::new(|| {
        vec![Difference {
            what: Aspect::Party,
            ours: PAYEE.to_owned(),
            theirs: vec![OTHER.to_owned()],
        }]
    });
    let found = with(|facts| facts.gainsaid = &OTHERWISE);
    assert_eq!(found, [Finding::CanisterDiffers(OTHERWISE.clone())]);
    assert_eq!(found[0].severity(), Severity::High);
}
