use super::*;
use candid::{Encode, Nat};
use countersign_core::confirm::consent;
use icrc_ledger_types::{
    icrc1::transfer::{TransferArg, TransferError},
    icrc2::{
        approve::{ApproveArgs, ApproveError},
        transfer_from::{TransferFromArgs, TransferFromError},
    },
    icrc3::blocks::GetBlocksRequest,
    icrc103::get_allowances::GetAllowancesArgs,
    icrc106::errors::Icrc106Error,
};
use serde_bytes::ByteBuf;

const NOW: Nanos = 1_700_000_000_000_000_000;
const SECOND: Nanos = 1_000_000_000;
const FEE: Tokens = 10_000;

fn principal(n: u8) -> Principal {
    Principal::self_authenticating([n])
}

fn account(n: u8) -> Account {
    principal(n).into()
}

fn call(caller: u8, now: Nanos) -> Call<'static> {
    Call {
        caller: principal(caller),
        now,
        certificate: None,
        ask: None,
        shown: Shown::Whole,
    }
}

fn memo(bytes: &[u8]) -> Option<Memo> {
    Some(Memo(ByteBuf::from(bytes)))
}

/// A ledger on which account 1 has a million and account 9 is the minter.
fn ledger() -> Ledger {
    let mut ledger = Ledger::new(Settings {
        minting_account: account(9),
        ..crate::config::tka()
    });
    ledger.mint(account(1), 1_000_000, NOW).unwrap();
    ledger
}

/// 1,000 from 1 to 2, stamped now.
fn arg() -> TransferArg {
    TransferArg {
        from_subaccount: None,
        to: account(2),
        fee: None,
        created_at_time: Some(NOW),
        memo: None,
        amount: 1_000u64.into(),
    }
}

fn pay(ledger: &mut Ledger, now: Nanos, arg: &TransferArg) -> Result<Nat, TransferError> {
    ledger
        .icrc1_transfer(&call(1, now), arg.clone())
        .expect("no trap")
}

fn spend_arg() -> TransferFromArgs {
    TransferFromArgs {
        spender_subaccount: None,
        from: account(1),
        to: account(2),
        amount: 1_000u64.into(),
        fee: None,
        memo: None,
        created_at_time: Some(NOW),
    }
}

fn spend(
    ledger: &mut Ledger,
    now: Nanos,
    arg: &TransferFromArgs,
) -> Result<Nat, TransferFromError> {
    ledger
        .icrc2_transfer_from(&call(3, now), arg.clone())
        .expect("no trap")
}

/// 1 lets 3 spend 100,000, stamped now.
fn approval() -> ApproveArgs {
    ApproveArgs {
        from_subaccount: None,
        spender: account(3),
        amount: 100_000u64.into(),
        expected_allowance: None,
        expires_at: None,
        fee: None,
        memo: None,
        created_at_time: Some(NOW),
    }
}

fn approve(ledger: &mut Ledger, now: Nanos, arg: &ApproveArgs) -> Result<Nat, ApproveError> {
    ledger
        .icrc2_approve(&call(1, now), arg.clone())
        .expect("no trap")
}

fn duplicate(of: u64) -> Result<Nat, TransferError> {
    Err(TransferError::Duplicate {
        duplicate_of: of.into(),
    })
}

mod what_a_transfer_does {
    use super::*;

    #[test]
    fn it_moves_the_amount_and_burns_the_fee() {
        let mut ledger = ledger();
        assert_eq!(pay(&mut ledger, NOW, &arg()), Ok(1u64.into()));
        assert_eq!(ledger.balance(&account(1)), 1_000_000 - 1_000 - FEE);
        assert_eq!(ledger.balance(&account(2)), 1_000);
        assert_eq!(ledger.book.supply(), 1_000_000 - FEE);
    }

    #[test]
    fn null_and_zero_subaccount_are_one_balance() {
        let mut ledger = ledger();
        let zeros = Account {
            owner: principal(2),
            subaccount: Some([0; 32]),
        };
        pay(&mut ledger, NOW, &TransferArg { to: zeros, ..arg() }).unwrap();
        assert_eq!(ledger.balance(&account(2)), 1_000);
    }

    #[test]
    fn to_the_minting_account_it_burns_without_fee() {
        let mut ledger = ledger();
        let burn = TransferArg {
            to: account(9),
            amount: FEE.into(),
            ..arg()
        };
        assert_eq!(pay(&mut ledger, NOW, &burn), Ok(1u64.into()));
        assert_eq!(ledger.balance(&account(1)), 1_000_000 - FEE);
        assert_eq!(ledger.book.supply(), 1_000_000 - FEE);
    }

    #[test]
    fn from_the_minting_account_it_mints_without_fee() {
        let mut ledger = ledger();
        let minted = ledger.icrc1_transfer(&call(9, NOW), arg()).unwrap();
        assert_eq!(minted, Ok(1u64.into()));
        assert_eq!(ledger.balance(&account(2)), 1_000);
        assert_eq!(ledger.book.supply(), 1_001_000);
    }

    #[test]
    fn a_balance_that_does_not_cover_the_fee_too_is_insufficient() {
        let mut ledger = ledger();
        let all = TransferArg {
            amount: 1_000_000u64.into(),
            ..arg()
        };
        let refused = Err(TransferError::InsufficientFunds {
            balance: 1_000_000u64.into(),
        });
        assert_eq!(pay(&mut ledger, NOW, &all), refused);
        let most = TransferArg {
            amount: (1_000_000 - FEE).into(),
            ..arg()
        };
        assert!(pay(&mut ledger, NOW, &most).is_ok());
        assert_eq!(ledger.balance(&account(1)), 0);
    }

    #[test]
    fn wide_tokens_hold_what_64_bits_do_not() {
        let mut ledger = Ledger::new(crate::config::gem());
        let thousand = 1_000 * 10u128.pow(18);
        ledger.mint(account(1), thousand, NOW).unwrap();
        let amount = thousand / 2 + 1;
        let order = TransferArg {
            amount: amount.into(),
            ..arg()
        };
        assert!(pay(&mut ledger, NOW, &order).is_ok());
        assert_eq!(ledger.balance(&account(2)), amount);
    }
}

mod order_of_checks {
    use super::*;

    #[test]
    fn a_long_memo_traps_before_anything_is_looked_at() {
        let mut ledger = ledger();
        let bad = TransferArg {
            memo: memo(&[0; 33]),
            fee: Some(1u64.into()),
            created_at_time: Some(1),
            ..arg()
        };
        let reject = ledger.icrc1_transfer(&call(1, NOW), bad).unwrap_err();
        assert_eq!(reject.error_code, "IC0503");
        assert_eq!(ledger.blocks().len(), 1);
        let longest = TransferArg {
            memo: memo(&[0; 32]),
            ..arg()
        };
        assert!(pay(&mut ledger, NOW, &longest).is_ok());
    }

    #[test]
    fn an_amount_beyond_the_token_type_is_insufficient_funds_before_the_fee_is_looked_at() {
        let mut ledger = ledger();
        let bad = TransferArg {
            amount: (u128::from(u64::MAX) + 1).into(),
            fee: Some(1u64.into()),
            ..arg()
        };
        assert!(matches!(
            pay(&mut ledger, NOW, &bad),
            Err(TransferError::InsufficientFunds { .. })
        ));
    }

    #[test]
    fn a_burn_with_a_fee_is_a_bad_fee_before_a_bad_burn() {
        let mut ledger = ledger();
        let burn = TransferArg {
            to: account(9),
            amount: 1u64.into(),
            ..arg()
        };
        let with_fee = TransferArg {
            fee: Some(FEE.into()),
            ..burn.clone()
        };
        assert_eq!(
            pay(&mut ledger, NOW, &with_fee),
            Err(TransferError::BadFee {
                expected_fee: 0u64.into()
            })
        );
        assert_eq!(
            pay(&mut ledger, NOW, &burn),
            Err(TransferError::BadBurn {
                min_burn_amount: FEE.into()
            })
        );
    }

    #[test]
    fn a_bad_burn_hides_that_the_first_try_was_recorded() {
        let mut ledger = ledger();
        let burn = TransferArg {
            to: account(9),
            amount: FEE.into(),
            ..arg()
        };
        pay(&mut ledger, NOW, &burn).unwrap();
        ledger.set_fee(FEE * 2);
        assert!(matches!(
            pay(&mut ledger, NOW, &burn),
            Err(TransferError::BadBurn { .. })
        ));
    }

    #[test]
    fn a_changed_fee_hides_that_the_first_try_was_recorded() {
        let mut ledger = ledger();
        let stated = TransferArg {
            fee: Some(FEE.into()),
            ..arg()
        };
        pay(&mut ledger, NOW, &stated).unwrap();
        ledger.set_fee(FEE * 2);
        assert_eq!(
            pay(&mut ledger, NOW, &stated),
            Err(TransferError::BadFee {
                expected_fee: (FEE * 2).into()
            })
        );
    }

    #[test]
    fn a_fee_left_out_is_a_duplicate_whatever_the_fee_has_become() {
        let mut ledger = ledger();
        pay(&mut ledger, NOW, &arg()).unwrap();
        ledger.set_fee(FEE * 2);
        assert_eq!(pay(&mut ledger, NOW, &arg()), duplicate(1));
    }

    #[test]
    fn unavailable_is_said_after_the_fee_and_before_the_stamp() {
        let mut ledger = ledger();
        pay(&mut ledger, NOW, &arg()).unwrap();
        ledger.set_unavailable(2);
        let bad_fee = TransferArg {
            fee: Some(1u64.into()),
            ..arg()
        };
        assert!(matches!(
            pay(&mut ledger, NOW, &bad_fee),
            Err(TransferError::BadFee { .. })
        ));
        let too_old = TransferArg {
            created_at_time: Some(1),
            ..arg()
        };
        for order in [too_old, arg()] {
            assert_eq!(
                pay(&mut ledger, NOW, &order),
                Err(TransferError::TemporarilyUnavailable)
            );
        }
        assert_eq!(pay(&mut ledger, NOW, &arg()), duplicate(1));
    }

    #[test]
    fn too_old_hides_that_the_first_try_was_recorded() {
        let mut ledger = ledger();
        pay(&mut ledger, NOW, &arg()).unwrap();
        assert_eq!(pay(&mut ledger, NOW + WINDOW, &arg()), duplicate(1));
        assert_eq!(
            pay(&mut ledger, NOW + WINDOW + 1, &arg()),
            Err(TransferError::TooOld)
        );
    }

    #[test]
    fn created_in_future_tells_the_ledgers_time() {
        let mut ledger = ledger();
        for stamp in [NOW + DRIFT + 1, u64::MAX] {
            let early = TransferArg {
                created_at_time: Some(stamp),
                ..arg()
            };
            assert_eq!(
                pay(&mut ledger, NOW, &early),
                Err(TransferError::CreatedInFuture { ledger_time: NOW })
            );
        }
    }

    #[test]
    fn a_duplicate_is_told_before_missing_funds() {
        let mut ledger = ledger();
        let all = TransferArg {
            amount: (1_000_000 - FEE).into(),
            ..arg()
        };
        pay(&mut ledger, NOW, &all).unwrap();
        assert_eq!(pay(&mut ledger, NOW, &all), duplicate(1));
    }

    #[test]
    fn a_missing_allowance_is_told_before_missing_funds() {
        let mut ledger = ledger();
        let everything = TransferFromArgs {
            amount: 10_000_000u64.into(),
            ..spend_arg()
        };
        assert_eq!(
            spend(&mut ledger, NOW, &everything),
            Err(TransferFromError::InsufficientAllowance {
                allowance: 0u64.into()
            })
        );
        let wide = ApproveArgs {
            amount: 100_000_000u64.into(),
            ..approval()
        };
        approve(&mut ledger, NOW, &wide).unwrap();
        assert!(matches!(
            spend(&mut ledger, NOW, &everything),
            Err(TransferFromError::InsufficientFunds { .. })
        ));
    }
}

mod deduplication {
    use super::*;

    #[test]
    fn the_same_argument_is_recorded_once() {
        let mut ledger = ledger();
        assert_eq!(pay(&mut ledger, NOW, &arg()), Ok(1u64.into()));
        assert_eq!(pay(&mut ledger, NOW + SECOND, &arg()), duplicate(1));
        assert_eq!(ledger.balance(&account(2)), 1_000);
    }

    #[test]
    fn without_a_stamp_every_delivery_pays() {
        let mut ledger = ledger();
        let unstamped = TransferArg {
            created_at_time: None,
            ..arg()
        };
        assert_eq!(pay(&mut ledger, NOW, &unstamped), Ok(1u64.into()));
        assert_eq!(pay(&mut ledger, NOW, &unstamped), Ok(2u64.into()));
    }

    #[test]
    fn the_argument_counts_as_it_was_written_not_as_it_is_meant() {
        let zeros = Some([0; 32]);
        let written = [
            arg(),
            TransferArg {
                fee: Some(FEE.into()),
                ..arg()
            },
            TransferArg {
                from_subaccount: zeros,
                ..arg()
            },
            TransferArg {
                to: Account {
                    subaccount: zeros,
                    ..account(2)
                },
                ..arg()
            },
            TransferArg {
                memo: memo(b""),
                ..arg()
            },
            TransferArg {
                created_at_time: Some(NOW + 1),
                ..arg()
            },
        ];
        let mut ledger = ledger();
        for (written, block) in written.iter().zip(1u64..) {
            assert_eq!(pay(&mut ledger, NOW, written), Ok(block.into()));
        }
        for (written, block) in written.iter().zip(1u64..) {
            assert_eq!(pay(&mut ledger, NOW, written), duplicate(block));
        }
    }

    #[test]
    fn another_callers_same_argument_is_another_transaction() {
        let mut ledger = ledger();
        ledger.mint(account(4), 1_000_000, NOW).unwrap();
        pay(&mut ledger, NOW, &arg()).unwrap();
        assert!(ledger.icrc1_transfer(&call(4, NOW), arg()).unwrap().is_ok());
    }

    #[test]
    fn a_transfer_and_a_spenders_transfer_are_two() {
        let mut ledger = ledger();
        approve(&mut ledger, NOW, &approval()).unwrap();
        pay(&mut ledger, NOW, &arg()).unwrap();
        assert!(spend(&mut ledger, NOW, &spend_arg()).is_ok());
        assert!(matches!(
            spend(&mut ledger, NOW, &spend_arg()),
            Err(TransferFromError::Duplicate { .. })
        ));
    }

    #[test]
    fn a_refused_transaction_may_be_tried_again_with_its_stamp() {
        let mut ledger = ledger();
        let dear = TransferArg {
            amount: 2_000_000u64.into(),
            ..arg()
        };
        assert!(matches!(
            pay(&mut ledger, NOW, &dear),
            Err(TransferError::InsufficientFunds { .. })
        ));
        ledger.mint(account(1), 2_000_000, NOW).unwrap();
        assert!(pay(&mut ledger, NOW, &dear).is_ok());
    }

    #[test]
    fn what_left_the_window_is_purged_and_too_old() {
        let mut ledger = ledger();
        let late = TransferArg {
            created_at_time: Some(NOW + DRIFT),
            ..arg()
        };
        pay(&mut ledger, NOW, &late).unwrap();
        let last = NOW + DRIFT + WINDOW;
        assert_eq!(pay(&mut ledger, last, &late), duplicate(1));
        assert_eq!(ledger.dedup.len(), 1);
        assert_eq!(
            pay(&mut ledger, last + 1, &late),
            Err(TransferError::TooOld)
        );
        assert_eq!(ledger.dedup.len(), 0);
    }

    #[test]
    fn a_ledger_without_it_records_the_stamp_and_ignores_it() {
        let mut ledger = ledger();
        ledger.set_stamps(Stamps::Ignored);
        let ancient = TransferArg {
            created_at_time: Some(1),
            ..arg()
        };
        for _ in 0..2 {
            assert!(pay(&mut ledger, NOW, &ancient).is_ok());
        }
        let tx = &ledger.blocks()[1].transaction;
        assert_eq!(
            tx.transfer.as_ref().and_then(|t| t.created_at_time),
            Some(1)
        );
    }
}

mod allowances {
    use super::*;

    #[test]
    fn an_approval_replaces_the_one_before_and_costs_a_fee() {
        let mut ledger = ledger();
        approve(&mut ledger, NOW, &approval()).unwrap();
        spend(&mut ledger, NOW, &spend_arg()).unwrap();
        let left = 100_000 - 1_000 - FEE;
        let allowance = |ledger: &Ledger| ledger.allowance(&account(1), &account(3), NOW).amount;
        assert_eq!(allowance(&ledger), left);
        let again = ApproveArgs {
            created_at_time: None,
            ..approval()
        };
        approve(&mut ledger, NOW, &again).unwrap();
        assert_eq!(allowance(&ledger), 100_000);
        assert_eq!(ledger.balance(&account(1)), 1_000_000 - 1_000 - 3 * FEE);
    }

    #[test]
    fn a_repeated_approval_with_its_stamp_does_not_fill_it_up_again() {
        let mut ledger = ledger();
        approve(&mut ledger, NOW, &approval()).unwrap();
        spend(&mut ledger, NOW, &spend_arg()).unwrap();
        assert_eq!(
            approve(&mut ledger, NOW, &approval()),
            Err(ApproveError::Duplicate {
                duplicate_of: 1u64.into()
            })
        );
        assert_eq!(
            ledger.allowance(&account(1), &account(3), NOW).amount,
            100_000 - 1_000 - FEE
        );
    }

    #[test]
    fn it_covers_amount_and_fee() {
        let mut ledger = ledger();
        let exact = ApproveArgs {
            amount: (1_000 + FEE - 1).into(),
            ..approval()
        };
        approve(&mut ledger, NOW, &exact).unwrap();
        assert_eq!(
            spend(&mut ledger, NOW, &spend_arg()),
            Err(TransferFromError::InsufficientAllowance {
                allowance: (1_000 + FEE - 1).into()
            })
        );
    }

    #[test]
    fn a_burn_by_a_spender_needs_the_amount_only() {
        let mut ledger = ledger();
        let exact = ApproveArgs {
            amount: FEE.into(),
            ..approval()
        };
        approve(&mut ledger, NOW, &exact).unwrap();
        let burn = TransferFromArgs {
            to: account(9),
            amount: FEE.into(),
            ..spend_arg()
        };
        assert!(spend(&mut ledger, NOW, &burn).is_ok());
        assert_eq!(
            ledger.allowance(&account(1), &account(3), NOW),
            Allowance::default()
        );
    }

    #[test]
    fn the_owner_as_spender_needs_none() {
        let mut ledger = ledger();
        let own = ledger
            .icrc2_transfer_from(&call(1, NOW), spend_arg())
            .unwrap();
        assert!(own.is_ok());
    }

    #[test]
    fn nobody_may_approve_himself_or_the_minters_tokens() {
        let mut ledger = ledger();
        let own = ApproveArgs {
            spender: Account {
                owner: principal(1),
                subaccount: Some([1; 32]),
            },
            ..approval()
        };
        assert!(ledger.icrc2_approve(&call(1, NOW), own).is_err());
        assert!(ledger.icrc2_approve(&call(9, NOW), approval()).is_err());
        let minted = TransferFromArgs {
            from: account(9),
            ..spend_arg()
        };
        assert!(ledger.icrc2_transfer_from(&call(3, NOW), minted).is_err());
    }

    #[test]
    fn it_ends_at_its_time() {
        let mut ledger = ledger();
        let short = ApproveArgs {
            expires_at: Some(NOW + SECOND),
            ..approval()
        };
        approve(&mut ledger, NOW, &short).unwrap();
        let stands = |at| ledger.allowance(&account(1), &account(3), at).amount;
        assert_eq!(stands(NOW + SECOND - 1), 100_000);
        assert_eq!(stands(NOW + SECOND), 0);
        let past = ApproveArgs {
            expires_at: Some(NOW),
            memo: memo(b"2"),
            ..approval()
        };
        assert_eq!(
            approve(&mut ledger, NOW, &past),
            Err(ApproveError::Expired { ledger_time: NOW })
        );
    }

    #[test]
    fn the_expected_allowance_is_compared_last_and_a_refusal_costs_nothing() {
        let mut ledger = ledger();
        let wrong = ApproveArgs {
            expected_allowance: Some(5u64.into()),
            expires_at: Some(NOW),
            created_at_time: Some(1),
            ..approval()
        };
        assert_eq!(approve(&mut ledger, NOW, &wrong), Err(ApproveError::TooOld));
        let wrong = ApproveArgs {
            created_at_time: None,
            ..wrong
        };
        assert!(matches!(
            approve(&mut ledger, NOW, &wrong),
            Err(ApproveError::Expired { .. })
        ));
        let wrong = ApproveArgs {
            expires_at: None,
            ..wrong
        };
        let changed = Err(ApproveError::AllowanceChanged {
            current_allowance: 0u64.into(),
        });
        assert_eq!(approve(&mut ledger, NOW, &wrong), changed);
        assert_eq!(ledger.balance(&account(1)), 1_000_000);

        // One that fits no token type is refused before anything else about the stamp.
        let beyond = ApproveArgs {
            expected_allowance: Some((u128::from(u64::MAX) + 1).into()),
            fee: Some(1u64.into()),
            created_at_time: Some(1),
            ..approval()
        };
        assert_eq!(approve(&mut ledger, NOW, &beyond), changed);
    }

    #[test]
    fn an_amount_beyond_the_token_type_is_cut_to_it() {
        let mut ledger = ledger();
        let endless = ApproveArgs {
            amount: u128::MAX.into(),
            ..approval()
        };
        approve(&mut ledger, NOW, &endless).unwrap();
        assert_eq!(
            ledger.allowance(&account(1), &account(3), NOW).amount,
            u128::from(u64::MAX)
        );
    }

    #[test]
    fn they_are_listed_by_account_and_spender_a_page_at_a_time() {
        let mut ledger = ledger();
        let mut spenders: Vec<u8> = vec![3, 4, 5];
        for spender in &spenders {
            let to = ApproveArgs {
                spender: account(*spender),
                ..approval()
            };
            approve(&mut ledger, NOW, &to).unwrap();
        }
        spenders.sort_by_key(|n| principal(*n));
        let list = |after: Option<u8>, take: Option<u64>| -> Vec<Principal> {
            let arg = GetAllowancesArgs {
                from_account: None,
                prev_spender: after.map(account),
                take: take.map(Nat::from),
            };
            let listed = ledger.icrc103_get_allowances(&call(1, NOW), arg).unwrap();
            listed.iter().map(|line| line.to_spender.owner).collect()
        };
        let all: Vec<Principal> = spenders.iter().map(|n| principal(*n)).collect();
        assert_eq!(list(None, None), all);
        assert_eq!(list(None, Some(2)), all[..2]);
        assert_eq!(list(Some(spenders[0]), None), all[1..]);
    }
}

mod the_log {
    use super::*;
    use ic_certification::LookupResult;
    use icrc_ledger_types::icrc::generic_value::{ICRC3Value, Value};

    fn map(value: &Value) -> std::collections::BTreeMap<String, Value> {
        value.clone().as_map().unwrap()
    }

    #[test]
    fn every_block_carries_the_hash_of_the_one_before() {
        let mut ledger = ledger();
        pay(&mut ledger, NOW, &arg()).unwrap();
        let blocks = ledger.blocks();
        assert!(!map(&blocks[0].value).contains_key("phash"));
        assert_eq!(
            map(&blocks[1].value).get("phash"),
            Some(&Value::blob(blocks[0].value.hash()))
        );
    }

    #[test]
    fn a_block_has_the_transaction_as_it_was_written() {
        let mut ledger = ledger();
        pay(&mut ledger, NOW + 5, &arg()).unwrap();
        let block = map(&ledger.blocks()[1].value);
        assert_eq!(block.get("ts"), Some(&Value::Nat64(NOW + 5)));
        assert_eq!(block.get("fee"), Some(&Value::Nat64(10_000)));
        let tx = map(block.get("tx").unwrap());
        assert_eq!(tx.get("op"), Some(&Value::text("xfer")));
        assert_eq!(tx.get("ts"), Some(&Value::Nat64(NOW)));
        assert_eq!(tx.get("amt"), Some(&Value::Nat64(1_000)));
        assert!(!tx.contains_key("fee") && !tx.contains_key("memo"));

        let stated = TransferArg {
            fee: Some(FEE.into()),
            memo: memo(b"m"),
            ..arg()
        };
        pay(&mut ledger, NOW, &stated).unwrap();
        let block = map(&ledger.blocks()[2].value);
        assert!(!block.contains_key("fee"), "the caller's fee stands in tx");
        let tx = map(block.get("tx").unwrap());
        assert_eq!(tx.get("fee"), Some(&Value::Nat64(10_000)));
        assert_eq!(tx.get("memo"), Some(&Value::blob(*b"m")));
    }

    #[test]
    fn a_value_has_the_hash_that_the_standard_gives() {
        // Vectors of ICRC-3, HASHINGVALUES.
        let hex = |value: ICRC3Value| -> String {
            value.hash().iter().map(|b| format!("{b:02x}")).collect()
        };
        assert!(hex(ICRC3Value::Nat(42u64.into())).starts_with("684888c0"));
        assert!(hex(ICRC3Value::Text("Hello, World!".into())).starts_with("dffd6021"));
    }

    #[test]
    fn the_tip_is_certified() {
        let mut ledger = ledger();
        pay(&mut ledger, NOW, &arg()).unwrap();
        let tip = ledger.tip(Shown::Whole);
        assert_eq!(ledger.certified_data(), tip.digest());
        assert_eq!(
            tip.lookup_path(["last_block_index"]),
            LookupResult::Found(&[1])
        );
        assert_eq!(
            tip.lookup_path(["last_block_hash"]),
            LookupResult::Found(&ledger.blocks()[1].hash)
        );
    }

    #[test]
    fn icrc3_gives_a_hundred_blocks_at_most_over_all_ranges() {
        let mut ledger = ledger();
        for n in 0..150 {
            ledger.mint(account(5), n + 1, NOW).unwrap();
        }
        let range = |start: u64, length: u64| GetBlocksRequest {
            start: start.into(),
            length: length.into(),
        };
        let ask = |ranges| ledger.icrc3_get_blocks(&call(1, NOW), ranges);
        let ids = |ranges| -> Vec<Nat> {
            let result = ask(ranges);
            assert_eq!(result.log_length, 151u64);
            result.blocks.into_iter().map(|block| block.id).collect()
        };
        assert_eq!(ids(vec![range(0, 1_000)]).len(), 100);
        assert_eq!(ids(vec![range(0, 60), range(100, 60)]).len(), 100);
        assert_eq!(ids(vec![range(149, 5)]), vec![149u64, 150u64]);
        assert!(ids(vec![range(151, 5), range(u64::MAX, 5)]).is_empty());
        let huge = GetBlocksRequest {
            start: Nat::from(u128::MAX),
            length: Nat::from(u128::MAX),
        };
        assert!(ask(vec![huge]).blocks.is_empty());
    }
}

#[test]
fn the_ledger_says_what_it_supports_and_that_it_is_ready() {
    let ledger = ledger();
    let names: Vec<String> = ledger
        .supported_standards(&call(1, NOW))
        .into_iter()
        .map(|standard| standard.name)
        .collect();
    assert_eq!(
        names,
        [
            "ICRC-1", "ICRC-2", "ICRC-3", "ICRC-10", "ICRC-21", "ICRC-103", "ICRC-106"
        ]
    );
    assert_eq!(
        ledger.icrc106_get_index_principal(&call(1, NOW)),
        Err(Icrc106Error::IndexPrincipalNotSet)
    );
}

/// What it says of a transfer of 1,000 base units, as the wallet reads it.
fn says(describing: Describing) -> Result<consent::wire::Answer, consent::wire::ConsentError> {
    let mut ledger = ledger();
    ledger.set_describing(describing);
    let question = consent::wire::request("icrc1_transfer", &Encode!(&arg()).unwrap(), "en");
    let reply = ledger.update(&call(1, NOW), consent::wire::METHOD, &question);
    consent::wire::read(&reply.unwrap())
}

#[test]
fn calls_are_described_in_each_form_that_the_wallet_reads() {
    for (describing, payee, amount) in [
        (Describing::Truly, account(2), "0.00001 TKA"),
        (Describing::AsFields, account(2), "0.00001 TKA"),
        (Describing::AsTexts, account(2), "0.00001 TKA"),
        (Describing::AsLines, account(2), "0.00001 TKA"),
        (
            Describing::OtherPayee,
            Principal::anonymous().into(),
            "0.00001 TKA",
        ),
        (Describing::OtherAmount, account(2), "0.0001 TKA"),
    ] {
        let Ok(consent::wire::Answer::Message(message)) = says(describing) else {
            panic!("{describing:?}: {:?}", says(describing))
        };
        let blocks = &message.blocks;
        assert!(blocks.len() >= 5, "{blocks:?}");
        let told = serde_json::to_string(blocks).unwrap();
        assert!(told.contains(&format!("\"{payee}\"")), "{told}");
        let (number, unit) = amount.split_once(' ').unwrap();
        let typed = serde_json::json!({ "number": number, "unit": unit }).to_string();
        let written = told.contains(&format!("\"{amount}\"")) || told.contains(&typed);
        assert!(written, "{told}");
    }
}

#[test]
fn calls_can_stay_undescribed() {
    use consent::wire::{Answer, ConsentError};
    assert!(matches!(says(Describing::Refusing), Ok(Answer::Refused(_))));
    assert_eq!(says(Describing::Garbage), Err(ConsentError::Malformed));
    let lists = |describing| {
        let mut ledger = ledger();
        ledger.set_describing(describing);
        let arg = Encode!().unwrap();
        let reply = ledger.query(&call(1, NOW), consent::wire::STANDARDS, &arg);
        consent::wire::advertises(&reply.unwrap())
    };
    assert_eq!(lists(Describing::Truly), Ok(true));
    assert_eq!(lists(Describing::Unlisted), Ok(false));
}
