use super::*;
use crate::canisters::ledger::{DRIFT, WINDOW};
use candid::{Decode, Encode};
use icrc_ledger_types::icrc1::transfer::{Memo, TransferArg, TransferError as Icrc1Error};
use serde::de::DeserializeOwned;

const NOW: Nanos = 1_700_000_000_000_000_000;
const SECOND: Nanos = 1_000_000_000;

fn ledger_id() -> Principal {
    Principal::from_text("ryjl3-tyaaa-aaaaa-aaaba-cai").unwrap()
}

fn principal(n: u8) -> Principal {
    Principal::self_authenticating([n])
}

fn id(n: u8) -> AccountId {
    of_principal(principal(n))
}

fn call(now: Nanos) -> Call<'static> {
    Call {
        caller: principal(1),
        now,
        certificate: None,
        ask: None,
        shown: Shown::Whole,
    }
}

/// A ledger on which account 1 has a million.
fn icp() -> Icp {
    let mut icp = Icp::new(ledger_id(), Archiving::default());
    icp.mint(id(1), 1_000_000, NOW - SECOND);
    icp
}

fn ask<A: CandidType, R: CandidType + DeserializeOwned>(
    icp: &mut Icp,
    now: Nanos,
    method: &str,
    arg: &A,
) -> Result<R, Reject> {
    let reply = icp.update(&call(now), method, &Encode!(arg).unwrap())?;
    Ok(Decode!(&reply, R).unwrap())
}

/// 1,000 from 1 to 2, stamped now.
fn legacy() -> TransferArgs {
    TransferArgs {
        memo: 0,
        amount: Tokens { e8s: 1_000 },
        fee: Tokens { e8s: FEE },
        from_subaccount: None,
        to: id(2),
        created_at_time: Some(blocks::TimeStamp {
            timestamp_nanos: NOW,
        }),
    }
}

/// The same.
fn icrc1() -> TransferArg {
    TransferArg {
        from_subaccount: None,
        to: Account::from(principal(2)),
        fee: None,
        created_at_time: Some(NOW),
        memo: None,
        amount: 1_000u64.into(),
    }
}

type Legacy = Result<u64, TransferError>;
type Icrc1 = Result<Nat, Icrc1Error>;

fn pay(icp: &mut Icp, now: Nanos, arg: &TransferArgs) -> Legacy {
    ask(icp, now, "transfer", arg).expect("no trap")
}

fn pay_icrc1(icp: &mut Icp, now: Nanos, arg: &TransferArg) -> Icrc1 {
    ask(icp, now, "icrc1_transfer", arg).expect("no trap")
}

fn duplicate(of: u64) -> Icrc1 {
    Err(Icrc1Error::Duplicate {
        duplicate_of: of.into(),
    })
}

#[test]
fn one_meaning_is_one_transaction_whichever_method_says_it() {
    let mut icp = icp();
    assert_eq!(pay(&mut icp, NOW, &legacy()), Ok(1));
    assert_eq!(pay_icrc1(&mut icp, NOW, &icrc1()), duplicate(1));
    assert_eq!(
        pay(&mut icp, NOW, &legacy()),
        Err(TransferError::TxDuplicate { duplicate_of: 1 })
    );
    assert_eq!(icp.balance_of(&id(1)), 1_000_000 - 1_000 - FEE);
    assert_eq!(icp.balance_of(&id(2)), 1_000);
}

#[test]
fn what_is_left_out_is_what_it_stands_for() {
    let zeros = Some([0; 32]);
    let with_fee = TransferArg {
        fee: Some(FEE.into()),
        ..icrc1()
    };
    let from_zeros = TransferArg {
        from_subaccount: zeros,
        ..icrc1()
    };
    let to_zeros = TransferArg {
        to: Account {
            owner: principal(2),
            subaccount: zeros,
        },
        ..icrc1()
    };
    for same in [with_fee, from_zeros, to_zeros] {
        let mut icp = icp();
        assert_eq!(pay_icrc1(&mut icp, NOW, &icrc1()), Ok(1u64.into()));
        assert_eq!(pay_icrc1(&mut icp, NOW, &same), duplicate(1), "{same:?}");
    }
}

#[test]
fn another_memo_of_either_kind_is_another_transaction() {
    let mut icp = icp();
    assert_eq!(pay(&mut icp, NOW, &legacy()), Ok(1));
    let numbered = TransferArgs {
        memo: 1,
        ..legacy()
    };
    assert_eq!(pay(&mut icp, NOW, &numbered), Ok(2));
    let empty = TransferArg {
        memo: Some(Memo(ByteBuf::new())),
        ..icrc1()
    };
    assert_eq!(pay_icrc1(&mut icp, NOW, &empty), Ok(3u64.into()));
}

#[test]
fn without_a_stamp_transfer_takes_the_ledgers_time_and_icrc1_transfer_none() {
    let mut icp = icp();
    let unstamped = TransferArgs {
        created_at_time: None,
        ..legacy()
    };
    assert_eq!(pay(&mut icp, NOW, &unstamped), Ok(1));
    // In one round it is a duplicate, of the one with that stamp too; in the next it pays.
    let twice = Err(TransferError::TxDuplicate { duplicate_of: 1 });
    assert_eq!(pay(&mut icp, NOW, &unstamped), twice);
    assert_eq!(pay_icrc1(&mut icp, NOW, &icrc1()), duplicate(1));
    assert_eq!(pay(&mut icp, NOW + 1, &unstamped), Ok(2));
    let unstamped = TransferArg {
        created_at_time: None,
        ..icrc1()
    };
    for block in [3u64, 4] {
        assert_eq!(pay_icrc1(&mut icp, NOW, &unstamped), Ok(block.into()));
    }
}

#[test]
fn a_changed_fee_hides_the_first_try_and_a_fee_left_out_makes_another() {
    let mut icp = icp();
    assert_eq!(pay(&mut icp, NOW, &legacy()), Ok(1));
    icp.change(&Change {
        fee: Some(20_000),
        ..Change::default()
    });
    assert_eq!(
        pay(&mut icp, NOW, &legacy()),
        Err(TransferError::BadFee {
            expected_fee: Tokens { e8s: 20_000 }
        })
    );
    // The fee is part of what it is recognised by, stated or not.
    assert_eq!(pay_icrc1(&mut icp, NOW, &icrc1()), Ok(2u64.into()));
}

#[test]
fn the_window_is_told_and_the_ledgers_time_is_not() {
    let mut icp = icp();
    let at = |timestamp_nanos| TransferArgs {
        created_at_time: Some(blocks::TimeStamp { timestamp_nanos }),
        ..legacy()
    };
    assert_eq!(
        pay(&mut icp, NOW, &at(NOW - WINDOW - 1)),
        Err(TransferError::TxTooOld {
            allowed_window_nanos: WINDOW
        })
    );
    let future = Err(TransferError::TxCreatedInFuture);
    assert_eq!(pay(&mut icp, NOW, &at(NOW + DRIFT + 1)), future);
    assert_eq!(pay(&mut icp, NOW, &at(NOW - WINDOW)), Ok(1));
    assert_eq!(pay(&mut icp, NOW, &at(NOW + DRIFT)), Ok(2));
    let future = TransferArg {
        created_at_time: Some(NOW + DRIFT + 1),
        ..icrc1()
    };
    assert_eq!(
        pay_icrc1(&mut icp, NOW, &future),
        Err(Icrc1Error::CreatedInFuture { ledger_time: NOW })
    );
}

#[test]
fn what_transfer_has_no_case_for_traps() {
    let mut icp = icp();
    let minting = *icp.minting_account();
    let burn = |e8s, fee| TransferArgs {
        to: minting,
        amount: Tokens { e8s },
        fee: Tokens { e8s: fee },
        ..legacy()
    };
    let unsound = TransferArgs {
        to: [1; 32],
        ..legacy()
    };
    let trap = |icp: &mut Icp, arg: &TransferArgs| -> String {
        let asked: Result<Legacy, Reject> = ask(icp, NOW, "transfer", arg);
        asked.expect_err("it traps").message
    };
    assert!(trap(&mut icp, &burn(FEE - 1, 0)).contains("Burns lower than"));
    assert!(trap(&mut icp, &burn(FEE, FEE)).contains("should be zero"));
    assert!(trap(&mut icp, &unsound).contains("account identifier"));
    icp.change(&Change {
        unavailable: Some(2),
        ..Change::default()
    });
    assert!(trap(&mut icp, &legacy()).contains("throttling"));
    assert_eq!(
        pay_icrc1(&mut icp, NOW, &icrc1()),
        Err(Icrc1Error::TemporarilyUnavailable)
    );
    assert_eq!(pay(&mut icp, NOW, &burn(FEE, 0)), Ok(1));
    assert_eq!(icp.balance_of(&id(1)), 1_000_000 - FEE);

    let anonymous = Call {
        caller: Principal::anonymous(),
        ..call(NOW)
    };
    let arg = Encode!(&legacy()).unwrap();
    assert!(icp.update(&anonymous, "transfer", &arg).is_err());
}

#[test]
fn funds_cover_amount_and_fee() {
    let mut icp = icp();
    let all = TransferArgs {
        amount: Tokens { e8s: 1_000_000 },
        ..legacy()
    };
    let refused = Err(TransferError::InsufficientFunds {
        balance: Tokens { e8s: 1_000_000 },
    });
    assert_eq!(pay(&mut icp, NOW, &all), refused);
    let most = TransferArgs {
        amount: Tokens {
            e8s: 1_000_000 - FEE,
        },
        ..legacy()
    };
    // A refused one leaves nothing by which it is recognised.
    assert_eq!(pay(&mut icp, NOW, &most), Ok(1));
    assert_eq!(icp.balance_of(&id(1)), 0);
}

#[test]
fn blocks_are_chained_by_the_hash_of_their_encoding_and_the_last_is_certified() {
    let mut icp = icp();
    pay(&mut icp, NOW, &legacy()).unwrap();
    pay_icrc1(
        &mut icp,
        NOW + 5,
        &TransferArg {
            memo: Some(Memo(ByteBuf::from(*b"m"))),
            ..icrc1()
        },
    )
    .unwrap();
    let blocks = icp.blocks();
    assert_eq!(blocks[0].parent_hash, None);
    for pair in blocks.windows(2) {
        let parent: [u8; 32] = Sha256::digest(pair[0].encode()).into();
        assert_eq!(pair[1].parent_hash, Some(parent));
    }
    assert_eq!(icp.certified_data(), blocks[2].hash());

    let whole = GetBlocksArgs {
        start: 0,
        length: 10,
    };
    let plain = icp.query_blocks(&call(NOW), whole);
    let encoded = icp.query_encoded_blocks(&call(NOW), whole);
    assert_eq!((plain.chain_length, plain.first_block_index), (3, 0));
    assert_eq!(encoded.blocks.len(), 3);
    for (bytes, block) in encoded.blocks.iter().zip(icp.blocks()) {
        assert_eq!(bytes.as_slice(), block.encode());
    }
    let last = &plain.blocks[2];
    assert_eq!(last.timestamp.timestamp_nanos, NOW + 5);
    assert_eq!(last.transaction.icrc1_memo, Some(ByteBuf::from(*b"m")));
    assert_eq!(last.transaction.created_at_time.timestamp_nanos, NOW);
    assert_eq!(
        plain.blocks[0].transaction.created_at_time.timestamp_nanos,
        0
    );
}

#[test]
fn what_lies_in_an_archive_is_asked_there() {
    let mut icp = icp();
    for n in 1..20 {
        icp.mint(id(3), n, NOW + n);
    }
    icp.change(&Change {
        archive: Some(12),
        ..Change::default()
    });
    let args = GetBlocksArgs {
        start: 5,
        length: 10,
    };
    let shown = icp.query_blocks(&call(NOW), args);
    assert_eq!((shown.first_block_index, shown.blocks.len()), (12, 3));
    let [part] = shown.archived_blocks.as_slice() else {
        panic!("{:?}", shown.archived_blocks);
    };
    assert_eq!((part.start, part.length), (5, 7));
    assert_eq!(part.callback.method, "get_blocks");
    let archive = icp.made_mut(part.callback.canister_id).unwrap();
    let mut get = |start| -> Result<BlockRange, QueryArchiveError> {
        let arg = Encode!(&GetBlocksArgs { start, length: 7 }).unwrap();
        let reply = archive.update(&call(NOW), "get_blocks", &arg).unwrap();
        Decode!(&reply, Result<BlockRange, QueryArchiveError>).unwrap()
    };
    assert_eq!(get(5).unwrap().blocks.len(), 7);
    assert_eq!(get(10).unwrap().blocks.len(), 2);
    let all: Vec<_> = get(0).unwrap().blocks;
    let whole = icp.blocks().iter().cloned().map(blocks::ShownBlock::from);
    assert_eq!(all, whole.take(7).collect::<Vec<_>>());
    assert_eq!(icp.archive_canisters().len(), 1);
}

#[test]
fn an_old_node_has_an_old_tip() {
    let mut icp = icp();
    pay(&mut icp, NOW, &legacy()).unwrap();
    let old = Call {
        shown: Shown::Behind(1),
        ..call(NOW)
    };
    let whole = GetBlocksArgs {
        start: 0,
        length: 10,
    };
    let shown = icp.query_blocks(&old, whole);
    assert_eq!((shown.chain_length, shown.blocks.len()), (1, 1));
    let past = icp.past(1).unwrap();
    assert_eq!(past.certified_data, icp.blocks()[0].hash());
    assert_eq!(past.time, NOW - 1);
}
