//! Ledgers with rules of their own, over HTTP, with `ic-agent`.

#![allow(clippy::unwrap_used, reason = "a test, helpers included")]

mod certified;

use candid::{CandidType, Decode, Encode, Nat, Principal};
use certified::map_of;
use countersign_localnet::{
    Config, Handle, Localnet,
    canisters::{
        icp::{
            BlockRange, GetBlocksArgs, Icp, QueryArchiveError, QueryBlocksResponse,
            QueryEncodedBlocksResponse, TransferArgs, TransferError,
            account::of_principal,
            blocks::{TimeStamp, Tokens},
        },
        ledger::{Change, WithdrawArgs, WithdrawError},
        minter::{Listed, Minter, RetrieveArgs, RetrieveError, RetrieveOk},
    },
    config::{cycles_id, icp_id, minted_id, minter_id},
    faults::{Fault, Kind, Shown},
};
use ic_agent::{Agent, AgentError, identity::BasicIdentity};
use ic_certification::{Certificate, LookupResult};
use icrc_ledger_types::{
    icrc1::account::Account,
    icrc2::{
        allowance::{Allowance, AllowanceArgs},
        approve::{ApproveArgs, ApproveError},
    },
};
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};

async fn start() -> (Handle, Agent, Principal) {
    let net = Localnet::start(Config::default().with_special_ones()).unwrap();
    let agent = Agent::builder()
        .with_url(&net.url)
        .with_identity(BasicIdentity::from_raw_key(&[7; 32]))
        .build()
        .unwrap();
    agent.fetch_root_key().await.unwrap();
    let me = agent.get_principal().unwrap();
    (net, agent, me)
}

async fn update<A: CandidType, R: CandidType + DeserializeOwned>(
    agent: &Agent,
    canister: Principal,
    method: &str,
    arg: &A,
) -> Result<R, AgentError> {
    let call = agent.update(&canister, method);
    let reply = call.with_arg(Encode!(arg).unwrap()).call_and_wait().await?;
    Ok(Decode!(&reply, R).unwrap())
}

async fn query<A: CandidType, R: CandidType + DeserializeOwned>(
    agent: &Agent,
    canister: Principal,
    method: &str,
    arg: &A,
) -> R {
    let query = agent.query(&canister, method);
    let reply = query.with_arg(Encode!(arg).unwrap()).call().await.unwrap();
    Decode!(&reply, R).unwrap()
}

mod icp_ledger {
    use super::*;

    fn order(net: &Handle, e8s: u64) -> TransferArgs {
        TransferArgs {
            memo: 0,
            amount: Tokens { e8s },
            fee: Tokens { e8s: 10_000 },
            from_subaccount: None,
            to: of_principal(Principal::self_authenticating(b"you")),
            created_at_time: Some(TimeStamp {
                timestamp_nanos: net.now(),
            }),
        }
    }

    fn fund(net: &Handle, me: Principal) {
        let mut network = net.network();
        let now = network.now();
        let icp = network.installed_mut::<Icp>(icp_id()).unwrap();
        icp.mint(of_principal(me), 1_000_000, now);
    }

    /// Verifies the certificate of an answer, and says what the ledger had certified.
    fn certified(agent: &Agent, certificate: Option<serde_bytes::ByteBuf>) -> Vec<u8> {
        let map = map_of(&certificate.expect("a query has one"));
        let certificate = Certificate {
            tree: certified::tree_of(&map["tree"]),
            signature: map["signature"].as_bytes().unwrap().clone(),
            delegation: None,
        };
        agent.verify(&certificate, icp_id()).unwrap();
        let id = icp_id();
        let path: [&[u8]; 3] = [b"canister", id.as_slice(), b"certified_data"];
        match certificate.tree.lookup_path(path) {
            LookupResult::Found(bytes) => bytes.to_vec(),
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn its_blocks_are_read_through_archives_up_to_the_certified_hash_of_the_last() {
        let (net, agent, me) = start().await;
        fund(&net, me);
        for e8s in 1..=5 {
            let paid: Result<u64, TransferError> =
                update(&agent, icp_id(), "transfer", &order(&net, e8s))
                    .await
                    .unwrap();
            assert_eq!(paid, Ok(e8s));
        }
        let archive = Change {
            archive: Some(2),
            ..Change::default()
        };
        net.network().faults.order(Fault {
            ledger: Some(archive),
            ..Fault::on(Kind::Call)
        });
        let paid: Result<u64, TransferError> =
            update(&agent, icp_id(), "transfer", &order(&net, 6))
                .await
                .unwrap();
        assert_eq!(paid, Ok(6));

        let all = GetBlocksArgs {
            start: 0,
            length: 100,
        };
        let got: QueryEncodedBlocksResponse =
            query(&agent, icp_id(), "query_encoded_blocks", &all).await;
        assert_eq!((got.chain_length, got.first_block_index), (7, 2));
        let part = &got.archived_blocks[0];
        let args = GetBlocksArgs {
            start: part.start,
            length: part.length,
        };
        let (of, method) = (part.callback.canister_id, &part.callback.method);
        let old: Result<Vec<serde_bytes::ByteBuf>, QueryArchiveError> =
            query(&agent, of, method, &args).await;
        let hashes: Vec<[u8; 32]> = old
            .unwrap()
            .iter()
            .chain(&got.blocks)
            .map(|bytes| Sha256::digest(bytes).into())
            .collect();
        assert_eq!(hashes.len(), 7);
        assert_eq!(certified(&agent, got.certificate), hashes[6]);

        let shown: QueryBlocksResponse = query(&agent, icp_id(), "query_blocks", &all).await;
        let part = &shown.archived_blocks[0];
        let (of, method) = (part.callback.canister_id, &part.callback.method);
        let old: Result<BlockRange, QueryArchiveError> = query(&agent, of, method, &args).await;
        let blocks = old.unwrap().blocks.into_iter().chain(shown.blocks);
        for (n, block) in blocks.enumerate().skip(1) {
            assert_eq!(block.parent_hash.unwrap().as_slice(), hashes[n - 1]);
        }
        assert_eq!(certified(&agent, shown.certificate), hashes[6]);
    }

    #[tokio::test]
    async fn an_old_node_certifies_an_old_last_block() {
        let (net, agent, me) = start().await;
        fund(&net, me);
        let _: Result<u64, TransferError> = update(&agent, icp_id(), "transfer", &order(&net, 1))
            .await
            .unwrap();
        net.network().faults.order(Fault {
            shown: Shown::Behind(1),
            ..Fault::on(Kind::Query)
        });
        let all = GetBlocksArgs {
            start: 0,
            length: 100,
        };
        let old: QueryBlocksResponse = query(&agent, icp_id(), "query_blocks", &all).await;
        assert_eq!((old.chain_length, old.blocks.len()), (1, 1));
        let first = {
            let network = net.network();
            network.installed::<Icp>(icp_id()).unwrap().blocks()[0].hash()
        };
        assert_eq!(certified(&agent, old.certificate), first);
    }
}

mod cycles_ledger {
    use super::*;

    #[tokio::test]
    async fn a_withdrawal_that_fails_after_the_burn_is_a_duplicate_afterwards() {
        let (net, agent, me) = start().await;
        let trillion = 10u128.pow(12);
        {
            let mut network = net.network();
            let now = network.now();
            let ledger = network.ledger_mut(cycles_id()).unwrap();
            ledger.mint(me.into(), 10 * trillion, now).unwrap();
        }
        net.network()
            .faults
            .order(Fault::named("undeliverable").unwrap());
        let order = WithdrawArgs {
            amount: trillion.into(),
            from_subaccount: None,
            to: icp_id(),
            created_at_time: Some(net.now()),
        };
        let told: Result<Nat, WithdrawError> = update(&agent, cycles_id(), "withdraw", &order)
            .await
            .unwrap();
        assert!(matches!(told, Err(WithdrawError::FailedToWithdraw { .. })));
        let told: Result<Nat, WithdrawError> = update(&agent, cycles_id(), "withdraw", &order)
            .await
            .unwrap();
        assert!(matches!(told, Err(WithdrawError::Duplicate { .. })));
        let network = net.network();
        assert_eq!(network.ledger(cycles_id()).unwrap().delivered(icp_id()), 0);
    }
}

mod a_minter {
    use super::*;

    const ADDRESS: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

    fn fund(net: &Handle, me: Principal) {
        let mut network = net.network();
        let now = network.now();
        let ledger = network.ledger_mut(minted_id()).unwrap();
        ledger.mint(me.into(), 100_000, now).unwrap();
    }

    async fn approve(agent: &Agent, amount: u64) {
        let arg = ApproveArgs {
            from_subaccount: None,
            spender: minter_id().into(),
            amount: amount.into(),
            expected_allowance: None,
            expires_at: None,
            fee: None,
            memo: None,
            created_at_time: None,
        };
        let done: Result<Nat, ApproveError> = update(agent, minted_id(), "icrc2_approve", &arg)
            .await
            .unwrap();
        done.unwrap();
    }

    fn order(amount: u64) -> RetrieveArgs {
        RetrieveArgs {
            address: ADDRESS.into(),
            amount,
            from_subaccount: None,
        }
    }

    async fn retrieve(agent: &Agent, arg: &RetrieveArgs) -> Result<RetrieveOk, RetrieveError> {
        let method = "retrieve_btc_with_approval";
        update(agent, minter_id(), method, arg).await.unwrap()
    }

    fn promised(net: &Handle) -> usize {
        let network = net.network();
        let minter = network.installed::<Minter>(minter_id()).unwrap();
        minter.withdrawals().len()
    }

    #[tokio::test]
    async fn asked_twice_it_withdraws_twice() {
        let (net, agent, me) = start().await;
        fund(&net, me);
        approve(&agent, 50_000).await;
        for block in [2, 3] {
            let done = retrieve(&agent, &order(5_000)).await;
            assert_eq!(done, Ok(RetrieveOk { block_index: block }));
        }
        assert_eq!(promised(&net), 2);
        let balance = {
            let network = net.network();
            network.ledger(minted_id()).unwrap().balance(&me.into())
        };
        // A burn to the minting account has no fee; the approval had one.
        assert_eq!(balance, 100_000 - 10 - 2 * 5_000);
    }

    #[tokio::test]
    async fn an_allowance_of_exactly_the_amount_is_used_once() {
        let (net, agent, me) = start().await;
        fund(&net, me);
        approve(&agent, 5_000).await;
        assert!(retrieve(&agent, &order(5_000)).await.is_ok());
        assert_eq!(
            retrieve(&agent, &order(5_000)).await,
            Err(RetrieveError::InsufficientAllowance { allowance: 0 })
        );
        assert_eq!(promised(&net), 1);
        let asked = AllowanceArgs {
            account: me.into(),
            spender: minter_id().into(),
        };
        let left: Allowance = query(&agent, minted_id(), "icrc2_allowance", &asked).await;
        assert_eq!(left.allowance, 0u64);
    }

    #[tokio::test]
    async fn a_trap_after_the_burn_is_a_reject_and_the_burn_stands() {
        let (net, agent, me) = start().await;
        fund(&net, me);
        approve(&agent, 5_000).await;
        net.network().faults.order(Fault {
            canister: Some(minter_id()),
            ..Fault::named("reject_after_write").unwrap()
        });
        let method = "retrieve_btc_with_approval";
        let told: Result<Result<RetrieveOk, RetrieveError>, _> =
            update(&agent, minter_id(), method, &order(5_000)).await;
        assert!(matches!(told, Err(AgentError::CertifiedReject { .. })));
        assert_eq!(promised(&net), 1);
        let own: Option<Account> = None;
        let listed: Vec<Listed> = query(
            &agent,
            minter_id(),
            "retrieve_btc_status_v2_by_account",
            &own,
        )
        .await;
        assert_eq!(listed.len(), 1);
    }

    #[tokio::test]
    async fn what_it_does_not_take_burns_nothing() {
        let (net, agent, me) = start().await;
        fund(&net, me);
        approve(&agent, 50_000).await;
        let low = retrieve(&agent, &order(1)).await;
        assert!(matches!(low, Err(RetrieveError::AmountTooLow(1_000))));
        let nowhere = RetrieveArgs {
            address: "nowhere".into(),
            ..order(5_000)
        };
        let nowhere = retrieve(&agent, &nowhere).await;
        assert!(matches!(nowhere, Err(RetrieveError::MalformedAddress(_))));
        let much = retrieve(&agent, &order(60_000)).await;
        let allowance = RetrieveError::InsufficientAllowance { allowance: 50_000 };
        assert_eq!(much, Err(allowance));
        assert_eq!(promised(&net), 0);
    }
}
