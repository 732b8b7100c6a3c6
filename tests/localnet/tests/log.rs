//! The log, read with `ic-agent` as ICRC-3 has it: up to a certified tip, through the archives,
//! every hash checked. What a lying or lagging node, archive or certificate does to that.

#![allow(clippy::unwrap_used, reason = "a test, helpers included")]

mod certified;

use candid::{CandidType, Decode, Encode, Nat, Principal, utils::ArgumentEncoder};
use certified::{map_of, tree_of};
use ciborium::Value;
use countersign_localnet::{
    Config, Handle, Localnet,
    canisters::ledger::{Archive, Archiving},
    config::tka_id,
    faults::{BadCertificate, Fault, Kind, Shown},
    network::Topology,
};
use ic_agent::{Agent, AgentError};
use ic_certification::{Certificate, Delegation, HashTree, LookupResult};
use icrc_ledger_types::{
    icrc::generic_value::ICRC3Value,
    icrc1::account::Account,
    icrc3::{
        archive::{ArchiveInfo, GetArchivesArgs, GetArchivesResult},
        blocks::{
            BlockRange, GetBlocksRequest, GetBlocksResponse, GetBlocksResult, ICRC3DataCertificate,
        },
        transactions::{GetTransactionsRequest, GetTransactionsResponse, TransactionRange},
    },
};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

/// A network whose first ledger has so many blocks, a second apart.
fn start(topology: Topology, archiving: Archiving, blocks: u64) -> Handle {
    let mut config = Config {
        topology,
        ..Config::default()
    };
    config.ledgers[0].archiving = archiving;
    let net = Localnet::start(config).unwrap();
    write(&net, blocks);
    net
}

fn by_itself() -> Archiving {
    Archiving {
        trigger: 20,
        at_once: 10,
        capacity: 25,
    }
}

/// Mints 1, 2, 3 … base units: one block each, one moment each.
fn write(net: &Handle, blocks: u64) {
    let mut network = net.network();
    let now = network.now();
    let ledger = network.ledger_mut(tka_id()).unwrap();
    let to = Account::from(Principal::self_authenticating(b"you"));
    for n in 0..blocks {
        ledger.mint(to, u128::from(n + 1), now - 1_000 + n).unwrap();
    }
}

async fn agent(net: &Handle) -> Agent {
    let agent = Agent::builder().with_url(&net.url).build().unwrap();
    agent.fetch_root_key().await.unwrap();
    agent
}

async fn query<R: CandidType + DeserializeOwned>(
    agent: &Agent,
    canister: Principal,
    method: &str,
    arg: impl ArgumentEncoder,
) -> Result<R, AgentError> {
    let arg = candid::encode_args(arg).unwrap();
    let reply = agent.query(&canister, method).with_arg(arg).call().await?;
    Ok(Decode!(&reply, R).unwrap())
}

/// Why a log is not believed.
#[derive(Debug)]
enum Refused {
    /// Nobody answered, or not so that one may believe it.
    Agent(AgentError),
    /// What is certified is not the tree that came with it.
    NotCertified,
    /// An archive is named that the ledger does not list.
    Stranger,
    /// A block is not there.
    Missing(u64),
    /// A block has another hash than the next one, or the tip, says.
    Broken(u64),
}

impl From<AgentError> for Refused {
    fn from(error: AgentError) -> Self {
        Self::Agent(error)
    }
}

fn range(start: u64, length: u64) -> GetBlocksRequest {
    GetBlocksRequest {
        start: start.into(),
        length: length.into(),
    }
}

fn leb128(bytes: &[u8]) -> u64 {
    let digits = bytes.iter().rev();
    digits.fold(0, |n, byte| (n << 7) | u64::from(byte & 0x7f))
}

fn certificate_of(bytes: &[u8]) -> Certificate {
    let map = map_of(bytes);
    let bytes = |value: &Value| value.as_bytes().unwrap().clone();
    let delegation = map.get("delegation").map(|delegation| {
        let of = |key: &str| {
            let mut fields = delegation.as_map().unwrap().iter();
            bytes(&fields.find(|(k, _)| k.as_text() == Some(key)).unwrap().1)
        };
        Delegation {
            subnet_id: of("subnet_id"),
            certificate: of("certificate"),
        }
    });
    Certificate {
        tree: tree_of(&map["tree"]),
        signature: bytes(&map["signature"]),
        delegation,
    }
}

/// What a certificate says that the agent has verified.
struct Tip {
    time: u64,
    /// Index and hash of the last block.
    last: Option<(u64, Vec<u8>)>,
}

async fn tip(agent: &Agent, ledger: Principal) -> Result<Tip, Refused> {
    let method = "icrc3_get_tip_certificate";
    let Some(got): Option<ICRC3DataCertificate> = query(agent, ledger, method, ()).await? else {
        return Ok(Tip {
            time: 0,
            last: None,
        });
    };
    let certificate = certificate_of(&got.certificate);
    agent.verify(&certificate, ledger)?;
    let Value::Tag(55799, tree) = ciborium::from_reader(&got.hash_tree[..]).unwrap() else {
        panic!("the self-describing tag is in front");
    };
    let tree = tree_of(&tree);
    let path: [&[u8]; 3] = [b"canister", ledger.as_slice(), b"certified_data"];
    if certificate.tree.lookup_path(path) != LookupResult::Found(&tree.digest()) {
        return Err(Refused::NotCertified);
    }
    let leaf = |tree: &HashTree, label: &str| match tree.lookup_path([label]) {
        LookupResult::Found(bytes) => bytes.to_vec(),
        other => panic!("{label}: {other:?}"),
    };
    Ok(Tip {
        time: leb128(&leaf(&certificate.tree, "time")),
        last: Some((
            leb128(&leaf(&tree, "last_block_index")),
            leaf(&tree, "last_block_hash"),
        )),
    })
}

/// Reads the whole log as ICRC-3 has it, and believes nothing that is not certified or chained.
async fn read(agent: &Agent, ledger: Principal) -> Result<(Tip, Vec<ICRC3Value>), Refused> {
    let tip = tip(agent, ledger).await?;
    let Some((last, hash)) = tip.last.clone() else {
        return Ok((tip, vec![]));
    };
    let from = GetArchivesArgs { from: None };
    let archives: GetArchivesResult = query(agent, ledger, "icrc3_get_archives", (from,)).await?;
    let mut found: BTreeMap<u64, ICRC3Value> = BTreeMap::new();
    let index = |id: &Nat| u64::try_from(id.0.clone()).unwrap();
    while let Some(next) = (0..=last).find(|id| !found.contains_key(id)) {
        let ranges = vec![range(next, last + 1 - next)];
        let before = found.len();
        let got: GetBlocksResult = query(agent, ledger, "icrc3_get_blocks", (ranges,)).await?;
        found.extend(got.blocks.into_iter().map(|b| (index(&b.id), b.block)));
        for part in got.archived_blocks {
            let archive = part.callback.canister_id;
            if !archives.iter().any(|known| known.canister_id == archive) {
                return Err(Refused::Stranger);
            }
            let method = &part.callback.method;
            let got: GetBlocksResult = query(agent, archive, method, (part.args,)).await?;
            found.extend(got.blocks.into_iter().map(|b| (index(&b.id), b.block)));
        }
        if found.len() == before {
            return Err(Refused::Missing(next));
        }
    }
    let mut expected = hash;
    for (id, block) in found.range(..=last).rev() {
        if block.clone().hash().as_slice() != expected {
            return Err(Refused::Broken(*id));
        }
        let ICRC3Value::Map(map) = block else {
            panic!("a block is a map");
        };
        match map.get("phash") {
            Some(ICRC3Value::Blob(before)) => expected = before.to_vec(),
            other => assert!(*id == 0 && other.is_none(), "{id}: {other:?}"),
        }
    }
    Ok((tip, found.into_values().collect()))
}

/// What the log is, without asking anyone.
fn truth(net: &Handle) -> Vec<ICRC3Value> {
    let network = net.network();
    let blocks = network.ledger(tka_id()).unwrap().blocks().iter();
    blocks.map(|block| block.value.clone().into()).collect()
}

fn archive(number: u64) -> Principal {
    Archive::id_of(tka_id(), number)
}

fn always(fault: Fault) -> Fault {
    Fault {
        times: None,
        ..fault
    }
}

fn shown(by: Principal, shown: Shown) -> Fault {
    always(Fault {
        canister: Some(by),
        shown,
        ..Fault::on(Kind::Query)
    })
}

#[tokio::test]
async fn the_whole_log_is_read_through_the_archives_up_to_the_certified_tip() {
    for topology in [Topology::Root, Topology::Delegated] {
        for (archiving, blocks, archives) in [
            (Archiving::default(), 0, 0),
            (Archiving::default(), 250, 0),
            (by_itself(), 19, 0),
            (by_itself(), 20, 1),
            (by_itself(), 330, 13),
        ] {
            let net = start(topology, archiving, blocks);
            let (tip, log) = read(&agent(&net).await, tka_id()).await.unwrap();
            assert_eq!(log.len() as u64, blocks);
            assert_eq!(tip.last.map(|(last, _)| last), blocks.checked_sub(1));
            assert_eq!(log, truth(&net));
            let network = net.network();
            let ledger = network.ledger(tka_id()).unwrap();
            assert_eq!(ledger.archive_canisters().len(), archives);
        }
    }
}

#[tokio::test]
async fn a_response_has_a_hundred_blocks_and_what_is_archived_is_cut_to_as_many() {
    let net = start(Topology::Root, Archiving::default(), 400);
    net.network().ledger_mut(tka_id()).unwrap().archive(250);
    let agent = agent(&net).await;
    let ask = async |of: Principal, ranges: Vec<GetBlocksRequest>| -> GetBlocksResult {
        query(&agent, of, "icrc3_get_blocks", (ranges,))
            .await
            .unwrap()
    };
    let ids =
        |got: &GetBlocksResult| -> (usize, Nat) { (got.blocks.len(), got.blocks[0].id.clone()) };
    let parts = |got: &GetBlocksResult| -> Vec<GetBlocksRequest> {
        got.archived_blocks
            .iter()
            .flat_map(|part| {
                assert_eq!(part.callback.canister_id, archive(0));
                assert_eq!(part.callback.method, "icrc3_get_blocks");
                part.args.clone()
            })
            .collect()
    };

    let got = ask(tka_id(), vec![range(0, 400)]).await;
    assert_eq!(got.log_length, 400u64);
    assert!(got.blocks.is_empty());
    assert_eq!(parts(&got), [range(0, 100)]);

    let got = ask(tka_id(), vec![range(200, 400)]).await;
    assert_eq!(ids(&got), (50, 250u64.into()));
    assert_eq!(parts(&got), [range(200, 50)]);

    // What is archived does not use up the hundred; what is not, does.
    let got = ask(tka_id(), vec![range(0, 60), range(0, 70), range(240, 80)]).await;
    assert_eq!(ids(&got), (70, 250u64.into()));
    assert_eq!(parts(&got), [range(0, 60), range(0, 70), range(240, 10)]);
    let got = ask(tka_id(), vec![range(300, 90), range(0, 70), range(300, 90)]).await;
    assert_eq!(ids(&got), (100, 300u64.into()));
    assert_eq!(parts(&got), [range(0, 10)]);

    // The archive knows only itself, and gives a hundred too.
    let got = ask(archive(0), vec![range(10, 60), range(100, 400)]).await;
    assert_eq!(got.log_length, 250u64);
    assert_eq!(ids(&got), (100, 10u64.into()));
    assert_eq!(got.blocks[60].id, 100u64);
}

#[tokio::test]
async fn an_archive_traps_below_its_first_block_and_is_empty_above_its_last() {
    let net = start(Topology::Root, by_itself(), 60);
    let agent = agent(&net).await;
    let ask = async |start| -> Result<GetBlocksResult, AgentError> {
        let ranges = vec![range(start, 10)];
        query(&agent, archive(1), "icrc3_get_blocks", (ranges,)).await
    };
    assert!(matches!(
        ask(24).await,
        Err(AgentError::UncertifiedReject { .. })
    ));
    assert_eq!(ask(25).await.unwrap().blocks[0].id, 25u64);
    assert!(ask(900).await.unwrap().blocks.is_empty());
    let none: Option<ICRC3DataCertificate> =
        query(&agent, archive(1), "icrc3_get_tip_certificate", ())
            .await
            .unwrap();
    assert!(none.is_none(), "only the ledger certifies");
}

#[tokio::test]
async fn the_archives_are_listed_with_their_first_and_last_block() {
    let net = start(Topology::Root, by_itself(), 60);
    let agent = agent(&net).await;
    let list = async |from| -> Vec<(Principal, Nat, Nat)> {
        let arg = GetArchivesArgs { from };
        let got: GetArchivesResult = query(&agent, tka_id(), "icrc3_get_archives", (arg,))
            .await
            .unwrap();
        got.into_iter()
            .map(|info| (info.canister_id, info.start, info.end))
            .collect()
    };
    let first = (archive(0), 0u64.into(), 24u64.into());
    let second = (archive(1), 25u64.into(), 49u64.into());
    assert_eq!(list(None).await, [first, second.clone()]);
    assert_eq!(list(Some(archive(0))).await, [second]);
    assert!(list(Some(archive(1))).await.is_empty());
    let older: Vec<ArchiveInfo> = query(&agent, tka_id(), "archives", ()).await.unwrap();
    assert_eq!(older.len(), 2);
    assert_eq!(older[1].block_range_end, 49u64);
}

#[tokio::test]
async fn the_older_calls_name_archives_too() {
    let net = start(Topology::Root, Archiving::default(), 30);
    net.network().ledger_mut(tka_id()).unwrap().archive(12);
    let agent = agent(&net).await;
    let got: GetBlocksResponse = query(&agent, tka_id(), "get_blocks", (range(5, 20),))
        .await
        .unwrap();
    assert_eq!(
        (got.first_index.clone(), got.blocks.len()),
        (12u64.into(), 13)
    );
    let [part] = got.archived_blocks.as_slice() else {
        panic!("{:?}", got.archived_blocks);
    };
    assert_eq!(
        (part.start.clone(), part.length.clone()),
        (5u64.into(), 7u64.into())
    );
    let arg = range(5, 7);
    let archived: BlockRange = query(&agent, part.callback.canister_id, "get_blocks", (arg,))
        .await
        .unwrap();
    let whole = truth(&net);
    let both = archived.blocks.into_iter().chain(got.blocks);
    let both: Vec<ICRC3Value> = both.map(ICRC3Value::from).collect();
    assert_eq!(both, whole[5..25]);

    let arg = GetTransactionsRequest {
        start: 5u64.into(),
        length: 20u64.into(),
    };
    let got: GetTransactionsResponse = query(&agent, tka_id(), "get_transactions", (arg,))
        .await
        .unwrap();
    let [part] = got.archived_transactions.as_slice() else {
        panic!("{:?}", got.archived_transactions);
    };
    let arg = GetTransactionsRequest {
        start: part.start.clone(),
        length: part.length.clone(),
    };
    let (of, method) = (part.callback.canister_id, &part.callback.method);
    let archived: TransactionRange = query(&agent, of, method, (arg,)).await.unwrap();
    let amounts = archived.transactions.into_iter().chain(got.transactions);
    let amounts: Vec<Nat> = amounts.map(|tx| tx.mint.unwrap().amount).collect();
    assert_eq!(amounts, (6..=25u64).map(Nat::from).collect::<Vec<_>>());
}

#[tokio::test]
async fn an_archive_that_does_not_answer_leaves_the_log_unread() {
    let net = start(Topology::Root, by_itself(), 60);
    let agent = agent(&net).await;
    net.network()
        .faults
        .order(Fault::named("archive_missing").unwrap());
    let refused = read(&agent, tka_id()).await.err().unwrap();
    assert!(
        matches!(refused, Refused::Agent(AgentError::TransportError(_))),
        "{refused:?}"
    );
    // The ledger itself still answers, and so does the archive once the order is gone.
    assert_eq!(tip(&agent, tka_id()).await.unwrap().last.unwrap().0, 59);
    net.network().faults.clear();
    assert!(read(&agent, tka_id()).await.is_ok());
}

#[tokio::test]
async fn blocks_that_were_altered_sent_again_or_left_out_break_the_chain() {
    let net = start(Topology::Root, by_itself(), 60);
    let agent = agent(&net).await;
    // 7 and 30 lie in archives, 55 and the last one in the ledger.
    for (by, index) in [
        (archive(0), 7),
        (archive(1), 30),
        (tka_id(), 55),
        (tka_id(), 59),
    ] {
        net.network().faults.order(shown(by, Shown::Altered(index)));
        let refused = read(&agent, tka_id()).await.err().unwrap();
        assert!(
            matches!(refused, Refused::Broken(id) if id == index),
            "{refused:?}"
        );
        net.network().faults.clear();

        net.network().faults.order(shown(by, Shown::Resent(index)));
        let refused = read(&agent, tka_id()).await.err().unwrap();
        assert!(
            matches!(refused, Refused::Broken(id) if id >= index),
            "{refused:?}"
        );
        net.network().faults.clear();

        net.network().faults.order(shown(by, Shown::LeftOut(index)));
        let refused = read(&agent, tka_id()).await.err().unwrap();
        assert!(
            matches!(refused, Refused::Missing(id) if id == index),
            "{refused:?}"
        );
        net.network().faults.clear();
    }
    for name in ["archive_altered", "archive_resent"] {
        net.network().faults.order(Fault::named(name).unwrap());
        let refused = read(&agent, tka_id()).await.err().unwrap();
        assert!(matches!(refused, Refused::Broken(_)), "{refused:?}");
        net.network().faults.clear();
    }
    assert!(read(&agent, tka_id()).await.is_ok());
}

#[tokio::test]
async fn an_answer_with_fewer_blocks_than_asked_for_is_asked_again() {
    let net = start(Topology::Root, by_itself(), 60);
    for by in [tka_id(), archive(0), archive(1)] {
        net.network().faults.order(shown(by, Shown::Short(3)));
    }
    let (_, log) = read(&agent(&net).await, tka_id()).await.unwrap();
    assert_eq!(log, truth(&net));
}

#[tokio::test]
async fn an_archive_that_the_ledger_does_not_list_is_not_asked() {
    let net = start(Topology::Root, by_itself(), 60);
    let elsewhere = Principal::from_slice(&[0, 0, 0, 0, 0, 0, 0, 7, 1, 1]);
    let fault = shown(tka_id(), Shown::Elsewhere(elsewhere));
    net.network().faults.order(fault);
    let refused = read(&agent(&net).await, tka_id()).await.err().unwrap();
    assert!(matches!(refused, Refused::Stranger), "{refused:?}");
    assert_eq!(net.network().counters(elsewhere).queries, 0);
}

#[tokio::test]
async fn an_old_node_shows_and_certifies_a_log_of_its_time() {
    let net = start(Topology::Root, by_itself(), 60);
    let agent = agent(&net).await;
    let mut blocks = net.network().ledger(tka_id()).unwrap().blocks().to_vec();
    let written = blocks.remove(40).transaction.timestamp;
    net.network()
        .faults
        .order(shown(tka_id(), Shown::Behind(20)));
    let (tip, log) = read(&agent, tka_id()).await.unwrap();
    assert_eq!(log, truth(&net)[..40]);
    assert_eq!(tip.time, written - 1, "the last moment without the next");
    // A call is answered by the state.
    net.network().faults.clear();
    net.network().faults.order(always(Fault {
        shown: Shown::Behind(20),
        ..Fault::on(Kind::Call)
    }));
    let reply = agent
        .update(&tka_id(), "icrc3_get_blocks")
        .with_arg(Encode!(&vec![range(59, 9)]).unwrap())
        .call_and_wait()
        .await
        .unwrap();
    let got = Decode!(&reply, GetBlocksResult).unwrap();
    assert_eq!((got.log_length, got.blocks.len()), (60u64.into(), 1));
}

#[tokio::test]
async fn blocks_of_one_moment_are_seen_together() {
    let net = start(Topology::Root, Archiving::default(), 10);
    {
        let mut network = net.network();
        let now = network.now();
        let ledger = network.ledger_mut(tka_id()).unwrap();
        let to = Account::from(Principal::self_authenticating(b"you"));
        for _ in 0..5 {
            ledger.mint(to, 7, now).unwrap();
        }
    }
    net.network()
        .faults
        .order(shown(tka_id(), Shown::Behind(2)));
    let (_, log) = read(&agent(&net).await, tka_id()).await.unwrap();
    assert_eq!(log.len(), 10);
}

#[tokio::test]
async fn a_bad_certificate_of_the_tip_is_refused() {
    for topology in [Topology::Root, Topology::Delegated] {
        let net = start(topology, Archiving::default(), 3);
        let agent = agent(&net).await;
        for case in BadCertificate::ALL {
            let certificate = Some(case);
            net.network().faults.order(always(Fault {
                certificate,
                ..Fault::on(Kind::Query)
            }));
            let got = tip(&agent, tka_id()).await;
            net.network().faults.clear();
            let refused = match case {
                // ic-agent has no bound for the future, and a query's signature is not in it.
                BadCertificate::Future | BadCertificate::TamperedQuerySignature => {
                    assert!(got.is_ok());
                    continue;
                }
                BadCertificate::TamperedTree
                | BadCertificate::TamperedSignature
                | BadCertificate::WrongRootKey
                | BadCertificate::WrongDelegationRange
                | BadCertificate::Stale => got.err().unwrap(),
            };
            let said = match &refused {
                Refused::Agent(AgentError::CertificateVerificationFailed()) => "signature",
                Refused::Agent(AgentError::CertificateNotAuthorized()) => "range",
                Refused::Agent(AgentError::CertificateOutdated(_)) => "outdated",
                other => panic!("{case:?}: {other:?}"),
            };
            let expected = match case {
                BadCertificate::WrongDelegationRange => "range",
                BadCertificate::Stale => "outdated",
                _ => "signature",
            };
            assert_eq!(said, expected, "{case:?}");
        }
        net.network()
            .faults
            .order(Fault::named("tip_stale").unwrap());
        assert!(tip(&agent, tka_id()).await.is_err());
    }
}

#[tokio::test]
async fn a_reinstalled_ledger_has_another_log() {
    let net = start(Topology::Root, by_itself(), 60);
    let agent = agent(&net).await;
    let (before, log) = read(&agent, tka_id()).await.unwrap();
    net.network().ledger_mut(tka_id()).unwrap().reinstall();
    let (tip, empty) = read(&agent, tka_id()).await.unwrap();
    assert!(tip.last.is_none() && empty.is_empty());
    let gone: Result<GetBlocksResult, _> =
        query(&agent, archive(0), "icrc3_get_blocks", (vec![range(0, 1)],)).await;
    assert!(gone.is_err(), "its archives are gone too");

    net.advance(std::time::Duration::from_secs(60));
    write(&net, 80);
    let (after, other) = read(&agent, tka_id()).await.unwrap();
    assert!(after.last.unwrap().0 > before.last.unwrap().0);
    assert!(log.iter().zip(&other).all(|(was, is)| was != is));
}

#[tokio::test]
async fn the_control_interface_archives_and_reinstalls() {
    let net = start(Topology::Root, Archiving::default(), 30);
    let change = |body: &str| post(&net, &format!("/ledger/{}", tka_id()), body);
    assert!(change(r#"{"archive":12}"#).starts_with("HTTP/1.1 200"));
    let archives = |net: &Handle| {
        let network = net.network();
        let ledger = network.ledger(tka_id()).unwrap();
        let archives = ledger.archive_canisters().iter();
        let ranges = archives.map(Archive::range);
        ranges.map(|r| (r.start, r.end)).collect::<Vec<_>>()
    };
    assert_eq!(archives(&net), [(0, 12)]);
    assert!(change(r#"{"archive":5}"#).starts_with("HTTP/1.1 200"));
    assert_eq!(archives(&net), [(0, 17)]);
    let named = format!(
        r#"{{"name":"archive_missing","canister":"{}"}}"#,
        archive(0)
    );
    assert!(post(&net, "/faults", &named).contains(r#""archive":true"#));
    let lie = r#"{"on":"query","shown":{"altered":3}}"#;
    assert!(post(&net, "/faults", lie).contains(r#""shown":{"altered":3}"#));
    assert!(change(r#"{"reinstall":true}"#).starts_with("HTTP/1.1 200"));
    assert!(archives(&net).is_empty() && truth(&net).is_empty());
}

/// Posts JSON to the control interface; the whole answer.
fn post(net: &Handle, path: &str, body: &str) -> String {
    use std::io::{Read as _, Write as _};
    let host = net.control_url.strip_prefix("http://").unwrap();
    let mut stream = std::net::TcpStream::connect(host).unwrap();
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}
