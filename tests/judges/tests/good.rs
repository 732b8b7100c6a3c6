//! What the wallet makes is taken by a network and by `ic-agent`, and what they make is taken by
//! the wallet.

#![allow(clippy::unwrap_used, reason = "a test, helpers included")]

use candid::{Encode, Principal};
use countersign_core::ids::to_hex;
use countersign_core::ingress::{
    Envelope, Path, QueryReply, QueryRequest, ReadAnswer, RequestStatus, RootKey, Subnet, Trust,
};
use countersign_core::time::{Span, Timestamp};
use countersign_judges::{Wallet, icp_sdk_core};
use countersign_localnet::config::tka_id;
use countersign_localnet::network::Topology;
use countersign_localnet::{Config, Localnet};
use ic_agent::Agent;
use ic_agent::agent::{CallResponse, RequestStatusResponse};

const TOPOLOGIES: [Topology; 2] = [Topology::Root, Topology::Delegated];

fn config(topology: Topology) -> Config {
    Config {
        topology,
        ..Config::default()
    }
}

const HOUR: u64 = 3_600_000_000_000;

#[test]
fn a_call_runs_and_its_status_is_read_without_a_key() {
    for topology in TOPOLOGIES {
        let mut network = config(topology).network();
        network.pass_time(500_000 * HOUR);
        let mut wallet = Wallet::new(network.root_key());
        let subnet = wallet.subnet(&mut network, tka_id()).unwrap();
        assert_eq!(subnet.id(), network.subnet_id());
        assert_eq!(subnet.time().as_nanos(), network.now());

        let arg = Encode!().unwrap();
        let call = wallet.sign(tka_id(), "icrc1_symbol", &arg, subnet.time(), 1);
        assert_eq!(
            wallet.status(&mut network, tka_id(), &call),
            Ok(RequestStatus::Absent)
        );
        let reply = Ok(RequestStatus::Replied(Encode!(&"TKA").unwrap()));
        assert_eq!(wallet.submit(&mut network, tka_id(), &call), reply);
        assert_eq!(wallet.status(&mut network, tka_id(), &call), reply);
        // Sent again it is the same call.
        assert_eq!(wallet.submit(&mut network, tka_id(), &call), reply);
        assert_eq!(network.counters(tka_id()).calls_executed, 1);
    }
}

#[test]
fn a_query_and_the_interface_are_read() {
    for topology in TOPOLOGIES {
        let mut network = config(topology).network();
        network.pass_time(500_000 * HOUR);
        let mut wallet = Wallet::new(network.root_key());
        let arg = Encode!().unwrap();
        assert_eq!(
            wallet.query(&mut network, tka_id(), "icrc1_symbol", &arg),
            // The root subnet's ranges come with the read of its nodes.
            Ok(QueryReply::Replied(Encode!(&"TKA").unwrap()))
        );
        let paths = vec![
            Path::metadata(tka_id(), "candid:service"),
            Path::module_hash(tka_id()),
        ];
        let certified = wallet.read_state(&mut network, tka_id(), paths).unwrap();
        let text = certified
            .metadata(tka_id(), "candid:service")
            .unwrap()
            .unwrap();
        assert!(
            String::from_utf8(text.to_vec())
                .unwrap()
                .contains("icrc1_transfer")
        );
        assert!(certified.module_hash(tka_id()).unwrap().is_some());
    }
}

#[tokio::test]
async fn an_agent_sends_what_the_wallet_sealed_and_reads_the_same_answers() {
    for topology in TOPOLOGIES {
        let net = Localnet::start(config(topology)).unwrap();
        let mut wallet = Wallet::new(&net.root_key);
        let subnet = wallet.subnet(&mut net.network(), tka_id()).unwrap();
        let agent = Agent::builder().with_url(&net.url).build().unwrap();
        agent.set_root_key(net.root_key.clone());

        let arg = Encode!().unwrap();
        let symbol = Encode!(&"TKA").unwrap();
        let call = wallet.sign(tka_id(), "icrc1_symbol", &arg, subnet.time(), 1);
        let CallResponse::Response(reply) = agent
            .update_signed(tka_id(), call.envelope.clone())
            .await
            .unwrap()
        else {
            panic!("the agent is to poll");
        };
        assert_eq!(reply, symbol);
        let id = ic_agent::RequestId::new(call.request_id.as_bytes());
        let (status, _) = agent
            .request_status_signed(&id, tka_id(), call.read_status.clone())
            .await
            .unwrap();
        let RequestStatusResponse::Replied(reply) = status else {
            panic!("{status:?}");
        };
        assert_eq!(reply.arg, symbol);

        let query = QueryRequest {
            canister: tka_id(),
            method: "icrc1_symbol".to_owned(),
            arg,
            sender: Principal::anonymous(),
            ingress_expiry: subnet.time().plus(Span::from_mins(1)),
            nonce: None,
        };
        let envelope = Envelope::anonymous(&query).unwrap();
        assert_eq!(
            agent.query_signed(tka_id(), envelope.bytes).await.unwrap(),
            symbol
        );
    }
}

#[test]
fn icp_sdk_core_finds_the_same_request_id_sender_and_signature() {
    let network = Config::default().network();
    let wallet = Wallet::new(network.root_key());
    let certified = Timestamp::from_nanos(500_000 * HOUR);
    for nonce in 1..4 {
        let arg = vec![nonce; usize::from(nonce) * 100];
        let call = wallet.sign(tka_id(), "icrc1_transfer", &arg, certified, nonce);
        assert_eq!(
            icp_sdk_core("envelope.mjs", &[&to_hex(&call.envelope)]),
            call.request_id.to_string()
        );
        assert_eq!(
            icp_sdk_core("envelope.mjs", &[&to_hex(&call.read_status)]).len(),
            64
        );
    }
}

#[test]
fn the_compiled_in_root_key_is_the_agents() {
    let agent = Agent::builder()
        .with_url("http://localhost")
        .build()
        .unwrap();
    assert_eq!(agent.read_root_key(), RootKey::mainnet().as_der());
}

/// Answers of the main network to a read of the state tree, with canister, time and subnet; kept
/// from ic-agent 0.49.3's own tests.
const MAINNET: [(&[u8], &str, &str, &str); 3] = [
    (
        include_bytes!("../mainnet/time-sharded-ranges.cbor"),
        "ivg37-qiaaa-aaaab-aaaga-cai",
        "2025-11-22T07:34:56.688941908Z",
        "qxesv-zoxpm-vc64m-zxguk-5sj74-35vrb-tbgwg-pcird-5gr26-62oxl-cae",
    ),
    (
        include_bytes!("../mainnet/time-flat-ranges.cbor"),
        "ivg37-qiaaa-aaaab-aaaga-cai",
        "2022-02-23T07:38:00.652705378Z",
        "qxesv-zoxpm-vc64m-zxguk-5sj74-35vrb-tbgwg-pcird-5gr26-62oxl-cae",
    ),
    (
        include_bytes!("../mainnet/subnet-nodes.cbor"),
        "224od-giaaa-aaaao-ae5vq-cai",
        "2025-12-08T17:14:22.097800265Z",
        "o3ow2-2ipam-6fcjo-3j5vt-fzbge-2g7my-5fz2m-p4o2t-dwlc4-gt2q7-5ae",
    ),
];

#[test]
fn the_main_networks_certificates_are_taken() {
    for (body, canister, time, subnet) in MAINNET {
        let certificate = ReadAnswer::read(200, body).unwrap().certificate;
        let mut trust = Trust::new(RootKey::mainnet());
        let canister = canister.parse().unwrap();
        let certified = trust.admit(&certificate, canister, Span::ZERO).unwrap();
        assert_eq!(certified.time().to_string(), time);
        assert_eq!(certified.subnet().to_text(), subnet);

        // Not for a canister of another subnet.
        let ledger = "ryjl3-tyaaa-aaaaa-aaaba-cai".parse().unwrap();
        let refused = trust.admit(&certificate, ledger, Span::ZERO).unwrap_err();
        assert_eq!(refused.code(), "E_CERTIFICATE_OUT_OF_RANGE");

        // Nor under the root key of another network.
        let other = Config::seeded("another").network();
        let mut other = Trust::new(RootKey::from_der(other.root_key()).unwrap());
        let refused = other.admit(&certificate, canister, Span::ZERO).unwrap_err();
        assert_eq!(refused.code(), "E_DELEGATION_SIGNATURE");
    }
}

#[test]
fn the_main_networks_nodes_are_read() {
    let (body, canister, ..) = MAINNET[2];
    let certificate = ReadAnswer::read(200, body).unwrap().certificate;
    let certified = Trust::new(RootKey::mainnet())
        .admit(&certificate, canister.parse().unwrap(), Span::ZERO)
        .unwrap();
    assert_eq!(Subnet::read(&certified).unwrap().size(), 13);
}

#[test]
fn a_network_that_serves_its_own_root_key_is_refused() {
    let mut ours = Config::seeded("a").network();
    let mut theirs = Config::seeded("b").network();
    for network in [&mut ours, &mut theirs] {
        network.pass_time(500_000 * HOUR);
    }
    let mut wallet = Wallet::new(ours.root_key());
    let subnet = wallet.subnet(&mut ours, tka_id()).unwrap();
    assert_eq!(
        wallet.subnet(&mut theirs, tka_id()).unwrap_err(),
        "E_CERTIFICATE_SIGNATURE"
    );
    let call = wallet.sign(
        tka_id(),
        "icrc1_symbol",
        &Encode!().unwrap(),
        subnet.time(),
        1,
    );
    assert_eq!(
        wallet.submit(&mut theirs, tka_id(), &call),
        Err("E_CERTIFICATE_SIGNATURE")
    );
    // The same wallet has other accounts there.
    assert_ne!(
        wallet.principal(),
        Wallet::new(theirs.root_key()).principal()
    );
}

#[test]
fn a_call_that_was_never_sent_is_absent_after_its_expiry_while_its_status_can_still_be_read() {
    for topology in TOPOLOGIES {
        let mut network = config(topology).network();
        network.pass_time(500_000 * HOUR);
        let mut wallet = Wallet::new(network.root_key());
        let certified = wallet.subnet(&mut network, tka_id()).unwrap().time();
        let arg = Encode!().unwrap();
        let call = wallet.sign(tka_id(), "icrc1_symbol", &arg, certified, 1);

        let past_expiry = call.ingress_expiry.plus(Span::from_secs(1));
        network.pass_time(past_expiry.as_nanos());
        assert_eq!(
            wallet.status(&mut network, tka_id(), &call),
            Ok(RequestStatus::Absent)
        );
        let highest = wallet.trust().highest_time(network.subnet_id());
        assert_eq!(highest, Some(past_expiry));
        // Sent only now it does not run any more.
        assert_eq!(
            wallet.submit(&mut network, tka_id(), &call),
            Err("no certificate")
        );
        assert_eq!(network.counters(tka_id()).calls_executed, 0);

        // The signed read is refused before the network forgets what has ended.
        network.pass_time(call.status_expiry.as_nanos() + 1);
        assert_eq!(wallet.status(&mut network, tka_id(), &call), Err("no fact"));
        assert!(call.status_expiry < certified.plus(Span::from_mins(5)));
    }
}
