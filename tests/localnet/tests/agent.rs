//! `ic-agent`, unmodified and with every check on, against the network over HTTP.

#![allow(clippy::unwrap_used, reason = "a test, helpers included")]

use candid::{Decode, Encode, Nat, Principal};
use countersign_localnet::{
    Config, Handle, Localnet,
    config::{gem_id, tka_id},
    network::Topology,
};
use ic_agent::{
    Agent, AgentError,
    agent::EffectiveId,
    identity::{AnonymousIdentity, BasicIdentity, Identity, Secp256k1Identity},
};
use icrc_ledger_types::icrc1::{
    account::Account,
    transfer::{TransferArg, TransferError},
};

fn start(topology: Topology) -> Handle {
    Localnet::start(Config {
        topology,
        ..Config::default()
    })
    .unwrap()
}

async fn agent(net: &Handle, identity: impl Identity + 'static) -> Agent {
    let agent = Agent::builder()
        .with_url(&net.url)
        .with_identity(identity)
        .build()
        .unwrap();
    agent.fetch_root_key().await.unwrap();
    assert_eq!(agent.read_root_key(), net.root_key);
    agent
}

fn account(owner: Principal) -> Account {
    Account {
        owner,
        subaccount: None,
    }
}

fn transfer(to: Principal, amount: u64) -> TransferArg {
    TransferArg {
        from_subaccount: None,
        to: account(to),
        fee: None,
        created_at_time: None,
        memo: None,
        amount: amount.into(),
    }
}

async fn pays_and_reads(net: &Handle, identity: impl Identity + 'static) {
    let me = identity.sender().unwrap();
    let you = Principal::self_authenticating(b"you");
    let ledger = tka_id();
    {
        let mut network = net.network();
        let now = network.now();
        let ledger = network.ledger_mut(ledger).unwrap();
        ledger.mint(account(me), 1_000_000_000, now).unwrap();
    }
    let agent = agent(net, identity).await;

    let balance = agent
        .query(&ledger, "icrc1_balance_of")
        .with_arg(Encode!(&account(me)).unwrap())
        .call()
        .await
        .unwrap();
    assert_eq!(Decode!(&balance, Nat).unwrap(), 1_000_000_000u64);

    let reply = agent
        .update(&ledger, "icrc1_transfer")
        .with_arg(Encode!(&transfer(you, 150_000_000)).unwrap())
        .call_and_wait()
        .await
        .unwrap();
    let block = Decode!(&reply, Result<Nat, TransferError>)
        .unwrap()
        .unwrap();
    assert_eq!(block, 1u64);

    // A query as an update.
    let replicated = agent
        .update(&ledger, "icrc1_balance_of")
        .with_arg(Encode!(&account(you)).unwrap())
        .call_and_wait()
        .await
        .unwrap();
    assert_eq!(Decode!(&replicated, Nat).unwrap(), 150_000_000u64);

    let text = agent
        .read_state_canister_metadata(ledger, "candid:service")
        .await
        .unwrap();
    assert!(String::from_utf8(text).unwrap().contains("icrc1_transfer"));
    let hash = agent
        .read_state_canister_info(ledger, "module_hash")
        .await
        .unwrap();
    assert_eq!(hash.len(), 32);
}

#[tokio::test]
async fn an_unmodified_agent_pays_and_reads_on_the_root_subnet() {
    let net = start(Topology::Root);
    pays_and_reads(&net, BasicIdentity::from_raw_key(&[7; 32])).await;
}

#[tokio::test]
async fn an_unmodified_agent_pays_and_reads_through_a_delegation() {
    let net = start(Topology::Delegated);
    let key = k256::SecretKey::from_slice(&[9; 32]).unwrap();
    pays_and_reads(&net, Secp256k1Identity::from_private_key(key)).await;
}

#[tokio::test]
async fn an_agent_finds_subnet_nodes_and_time() {
    for topology in [Topology::Root, Topology::Delegated] {
        let net = start(topology);
        let agent = agent(&net, AnonymousIdentity).await;
        let subnet = agent.fetch_subnet_by_canister(&gem_id()).await.unwrap();
        assert_eq!(subnet.id(), net.network().subnet_id());
        assert!(subnet.contains_canister(&tka_id()));
        agent.fetch_subnet_by_id(&subnet.id()).await.unwrap();
        let id = EffectiveId::Canister(tka_id());
        let certificate = agent
            .read_state_raw(vec![vec!["time".into()]], id)
            .await
            .unwrap();
        agent.verify(&certificate, tka_id()).unwrap();
    }
}

#[tokio::test]
async fn an_agent_sees_rejects_as_rejects() {
    let net = start(Topology::Root);
    let agent = agent(&net, BasicIdentity::from_raw_key(&[7; 32])).await;
    let error = agent
        .query(&tka_id(), "no_such_method")
        .with_arg(Encode!().unwrap())
        .call()
        .await
        .unwrap_err();
    assert!(
        matches!(error, AgentError::UncertifiedReject { .. }),
        "{error:?}"
    );
    let error = agent
        .update(&tka_id(), "icrc1_transfer")
        .with_arg(b"not Candid".to_vec())
        .call_and_wait()
        .await
        .unwrap_err();
    assert!(
        matches!(error, AgentError::CertifiedReject { .. }),
        "{error:?}"
    );
    let nobody = Principal::from_slice(&[0, 0, 0, 0, 0, 0, 0, 1, 1, 1]);
    let error = agent
        .update(&nobody, "icrc1_transfer")
        .with_arg(Encode!().unwrap())
        .call_and_wait()
        .await
        .unwrap_err();
    assert!(
        matches!(error, AgentError::UncertifiedReject { .. }),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_signed_envelope_runs_once_however_often_it_is_sent() {
    let net = start(Topology::Root);
    let identity = BasicIdentity::from_raw_key(&[7; 32]);
    let me = identity.sender().unwrap();
    {
        let mut network = net.network();
        let now = network.now();
        let ledger = network.ledger_mut(tka_id()).unwrap();
        ledger.mint(account(me), 1_000_000, now).unwrap();
    }
    let agent = agent(&net, identity).await;
    let signed = agent
        .update(&tka_id(), "icrc1_transfer")
        .with_arg(Encode!(&transfer(Principal::self_authenticating(b"you"), 5)).unwrap())
        .sign()
        .unwrap();
    let mut replies = Vec::new();
    for _ in 0..3 {
        let sent = agent
            .update_signed(tka_id(), signed.signed_update.clone())
            .await;
        replies.push(format!("{:?}", sent.unwrap()));
    }
    assert_eq!(replies[0], replies[1]);
    assert_eq!(replies[1], replies[2]);
    let network = net.network();
    let counters = network.counters(tka_id());
    assert_eq!(
        (
            counters.calls_posted,
            counters.calls_admitted,
            counters.calls_executed
        ),
        (3, 1, 1)
    );
    assert_eq!(network.ledger(tka_id()).unwrap().blocks().len(), 2);
}

#[tokio::test]
async fn the_second_ledger_answers_by_its_own_parameters() {
    let net = start(Topology::Root);
    let agent = agent(&net, AnonymousIdentity).await;
    let ask = async |ledger, method: &str| {
        agent
            .query(&ledger, method)
            .with_arg(Encode!().unwrap())
            .call()
            .await
    };
    let decimals = ask(gem_id(), "icrc1_decimals").await.unwrap();
    assert_eq!(Decode!(&decimals, u8).unwrap(), 18);
    let symbol = ask(gem_id(), "icrc1_symbol").await.unwrap();
    assert_eq!(Decode!(&symbol, String).unwrap(), "GEM");
    assert!(ask(gem_id(), "holder_count").await.is_ok());
    assert!(ask(tka_id(), "holder_count").await.is_err());
}

#[tokio::test]
async fn two_seeds_are_two_networks() {
    let a = Localnet::start(Config::seeded("a")).unwrap();
    let b = Localnet::start(Config::seeded("b")).unwrap();
    assert_ne!(a.root_key, b.root_key);
    let agent = Agent::builder().with_url(&b.url).build().unwrap();
    agent.set_root_key(a.root_key.clone());
    let error = agent
        .read_state_canister_info(tka_id(), "module_hash")
        .await
        .unwrap_err();
    assert!(
        matches!(error, AgentError::CertificateVerificationFailed()),
        "{error:?}"
    );
}
