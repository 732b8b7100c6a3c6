use super::*;
use crate::{
    canisters::{
        Canister as _,
        ledger::{Change, DRIFT, Settings, Stamps, WINDOW},
    },
    config::cycles,
    faults::Shown,
};
use candid::{Decode, Encode};
use icrc_ledger_types::icrc1::transfer::{TransferArg, TransferError};
use serde::de::DeserializeOwned;

const NOW: Nanos = 1_700_000_000_000_000_000;
const FEE: Tokens = 100_000_000;
const RICH: Tokens = 1_000 * FEE;

fn principal(n: u8) -> Principal {
    Principal::self_authenticating([n])
}

fn account(n: u8) -> Account {
    principal(n).into()
}

fn canister() -> Principal {
    crate::network::canister_id(7)
}

fn ledger() -> Ledger {
    let mut ledger = Ledger::new(cycles());
    ledger.mint(account(1), RICH, NOW).unwrap();
    ledger
}

fn ask<A: CandidType, R: CandidType + DeserializeOwned>(
    ledger: &mut Ledger,
    now: Nanos,
    method: &str,
    arg: &A,
) -> Result<R, Reject> {
    let call = Call {
        caller: principal(1),
        now,
        certificate: None,
        ask: None,
        shown: Shown::Whole,
    };
    let reply = ledger.update(&call, method, &Encode!(arg).unwrap())?;
    Ok(Decode!(&reply, R).unwrap())
}

/// Ten fees' worth to a canister, stamped now.
fn order() -> WithdrawArgs {
    WithdrawArgs {
        amount: (10 * FEE).into(),
        from_subaccount: None,
        to: canister(),
        created_at_time: Some(NOW),
    }
}

type Withdrawn = Result<Nat, WithdrawError>;
type Created = Result<CreateCanisterSuccess, CreateCanisterError>;
type Paid = Result<Nat, TransferError>;

fn withdraw(ledger: &mut Ledger, now: Nanos, arg: &WithdrawArgs) -> Withdrawn {
    ask(ledger, now, "withdraw", arg).expect("no trap")
}

fn creation() -> CreateCanisterArgs {
    CreateCanisterArgs {
        from_subaccount: None,
        created_at_time: Some(NOW),
        amount: (10 * FEE).into(),
        creation_args: None,
    }
}

fn create(ledger: &mut Ledger, arg: &CreateCanisterArgs) -> Created {
    ask(ledger, NOW, "create_canister", arg).expect("no trap")
}

fn fail_next(ledger: &mut Ledger) {
    ledger.change(&Change {
        undeliverable: Some(1),
        ..Change::default()
    });
}

mod withdrawals {
    use super::*;

    #[test]
    fn it_burns_amount_and_fee_and_the_amount_arrives() {
        let mut ledger = ledger();
        assert_eq!(withdraw(&mut ledger, NOW, &order()), Ok(1u64.into()));
        assert_eq!(ledger.balance(&account(1)), RICH - 11 * FEE);
        assert_eq!(ledger.delivered(canister()), 10 * FEE);
        let burn = ledger.blocks()[1].transaction.burn.clone().unwrap();
        let memo = burn.memo.unwrap().0;
        assert_eq!(
            memo.as_slice(),
            [&[0x81, 0x4a][..], canister().as_slice()].concat()
        );
        let twice = Err(WithdrawError::Duplicate {
            duplicate_of: 1u64.into(),
        });
        assert_eq!(withdraw(&mut ledger, NOW, &order()), twice);
        assert_eq!(ledger.delivered(canister()), 10 * FEE);
    }

    #[test]
    fn one_that_failed_was_given_back_less_a_fee_and_is_a_duplicate_all_the_same() {
        let mut ledger = ledger();
        fail_next(&mut ledger);
        let Err(WithdrawError::FailedToWithdraw {
            fee_block,
            rejection_code,
            ..
        }) = withdraw(&mut ledger, NOW, &order())
        else {
            panic!("it fails");
        };
        assert_eq!(fee_block, Some(2u64.into()));
        assert_eq!(rejection_code, RejectionCode::DestinationInvalid);
        // The fee of the burn, and one that is kept of what came back.
        assert_eq!(ledger.balance(&account(1)), RICH - 2 * FEE);
        let refund = ledger.blocks()[2].transaction.mint.clone().unwrap();
        assert_eq!(refund.amount, 9 * FEE);
        assert_eq!(refund.memo.unwrap().0.as_slice(), [0xff; 32]);
        assert_eq!(ledger.delivered(canister()), 0);

        let told = withdraw(&mut ledger, NOW, &order());
        let duplicate = Err(WithdrawError::Duplicate {
            duplicate_of: 1u64.into(),
        });
        assert_eq!(told, duplicate, "although nothing arrived");
        assert_eq!(ledger.delivered(canister()), 0);
        let stamped_anew = WithdrawArgs {
            created_at_time: Some(NOW + 1),
            ..order()
        };
        assert_eq!(withdraw(&mut ledger, NOW, &stamped_anew), Ok(3u64.into()));
        assert_eq!(ledger.delivered(canister()), 10 * FEE);
    }

    #[test]
    fn of_what_is_not_more_than_a_fee_nothing_comes_back() {
        let mut ledger = ledger();
        fail_next(&mut ledger);
        let small = WithdrawArgs {
            amount: FEE.into(),
            ..order()
        };
        let Err(WithdrawError::FailedToWithdraw { fee_block, .. }) =
            withdraw(&mut ledger, NOW, &small)
        else {
            panic!("it fails");
        };
        assert_eq!(fee_block, None);
        assert_eq!(ledger.balance(&account(1)), RICH - 2 * FEE);
    }

    #[test]
    fn a_person_is_no_receiver_and_another_canister_is_another_withdrawal() {
        let mut ledger = ledger();
        let to_a_person = WithdrawArgs {
            to: principal(2),
            ..order()
        };
        let refused = Err(WithdrawError::InvalidReceiver {
            receiver: principal(2),
        });
        assert_eq!(withdraw(&mut ledger, NOW, &to_a_person), refused);
        assert_eq!(withdraw(&mut ledger, NOW, &order()), Ok(1u64.into()));
        let elsewhere = WithdrawArgs {
            to: crate::network::canister_id(8),
            ..order()
        };
        assert_eq!(withdraw(&mut ledger, NOW, &elsewhere), Ok(2u64.into()));
    }
}

mod creations {
    use super::*;

    #[test]
    fn a_duplicate_names_the_canister_that_the_first_made() {
        let mut ledger = ledger();
        let made = create(&mut ledger, &creation()).unwrap();
        assert_eq!(ledger.created(), [made.canister_id]);
        assert_eq!(
            create(&mut ledger, &creation()),
            Err(CreateCanisterError::Duplicate {
                duplicate_of: made.block_id,
                canister_id: Some(made.canister_id),
            })
        );
    }

    #[test]
    fn a_duplicate_of_one_that_failed_names_none() {
        let mut ledger = ledger();
        fail_next(&mut ledger);
        let Err(CreateCanisterError::FailedToCreate {
            fee_block,
            refund_block,
            ..
        }) = create(&mut ledger, &creation())
        else {
            panic!("it fails");
        };
        assert_eq!(
            (fee_block, refund_block),
            (Some(1u64.into()), Some(2u64.into()))
        );
        assert_eq!(ledger.balance(&account(1)), RICH - 2 * FEE);
        assert_eq!(
            create(&mut ledger, &creation()),
            Err(CreateCanisterError::Duplicate {
                duplicate_of: 1u64.into(),
                canister_id: None,
            })
        );
        assert!(ledger.created().is_empty());
    }

    #[test]
    fn how_the_canister_is_to_be_does_not_make_another_creation() {
        let mut ledger = ledger();
        let made = create(&mut ledger, &creation()).unwrap();
        let otherwise = CreateCanisterArgs {
            creation_args: Some(CreationArgs {
                settings: Some(CanisterSettings {
                    controllers: Some(vec![principal(2)]),
                    ..CanisterSettings::default()
                }),
                subnet_selection: None,
            }),
            ..creation()
        };
        let Err(CreateCanisterError::Duplicate { canister_id, .. }) =
            create(&mut ledger, &otherwise)
        else {
            panic!("it is a duplicate");
        };
        assert_eq!(canister_id, Some(made.canister_id));
    }
}

mod order_of_checks {
    use super::*;

    fn transfer() -> TransferArg {
        TransferArg {
            from_subaccount: None,
            to: account(2),
            fee: Some(FEE.into()),
            created_at_time: Some(NOW),
            memo: None,
            amount: 1_000u64.into(),
        }
    }

    fn pay(ledger: &mut Ledger, now: Nanos, arg: &TransferArg) -> Paid {
        ask(ledger, now, "icrc1_transfer", arg).expect("no trap")
    }

    fn duplicate() -> Paid {
        Err(TransferError::Duplicate {
            duplicate_of: 1u64.into(),
        })
    }

    #[test]
    fn a_duplicate_is_told_before_a_fee_that_changed() {
        let mut ledger = ledger();
        assert_eq!(pay(&mut ledger, NOW, &transfer()), Ok(1u64.into()));
        ledger.set_fee(2 * FEE);
        assert_eq!(pay(&mut ledger, NOW, &transfer()), duplicate());
        // So here a bad fee means that no such transfer was recorded.
        let other = TransferArg {
            amount: 1_001u64.into(),
            ..transfer()
        };
        let bad = Err(TransferError::BadFee {
            expected_fee: (2 * FEE).into(),
        });
        assert_eq!(pay(&mut ledger, NOW, &other), bad);
    }

    #[test]
    fn a_duplicate_is_told_before_unavailable() {
        let mut ledger = ledger();
        assert_eq!(pay(&mut ledger, NOW, &transfer()), Ok(1u64.into()));
        ledger.set_unavailable(1);
        assert_eq!(pay(&mut ledger, NOW, &transfer()), duplicate());
    }

    #[test]
    fn missing_funds_hide_that_the_stamp_is_too_old() {
        let mut ledger = ledger();
        let old = TransferArg {
            created_at_time: Some(1),
            amount: (2 * RICH).into(),
            ..transfer()
        };
        let funds = Err(TransferError::InsufficientFunds {
            balance: RICH.into(),
        });
        assert_eq!(pay(&mut ledger, NOW, &old), funds);
        let old = TransferArg {
            amount: 1u64.into(),
            ..old
        };
        assert_eq!(pay(&mut ledger, NOW, &old), Err(TransferError::TooOld));
    }

    #[test]
    fn the_window_has_the_drift_on_its_old_side_too() {
        let mut ledger = ledger();
        assert_eq!(pay(&mut ledger, NOW, &transfer()), Ok(1u64.into()));
        let last = NOW + WINDOW + DRIFT;
        assert_eq!(pay(&mut ledger, last, &transfer()), duplicate());
        let other = TransferArg {
            amount: 2u64.into(),
            ..transfer()
        };
        assert_eq!(pay(&mut ledger, last, &other), Ok(2u64.into()));
        let too_late = TransferArg {
            amount: 3u64.into(),
            ..transfer()
        };
        let told = pay(&mut ledger, last + 1, &too_late);
        assert_eq!(told, Err(TransferError::TooOld));
    }

    #[test]
    fn what_it_is_like_is_a_setting_and_stamps_are_another() {
        let mut ledger = Ledger::new(Settings {
            stamps: Stamps::Checked,
            ..cycles()
        });
        ledger.mint(account(1), RICH, NOW).unwrap();
        for block in [1u64, 2] {
            assert_eq!(pay(&mut ledger, NOW, &transfer()), Ok(block.into()));
        }
    }
}
