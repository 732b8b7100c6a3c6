//! Every bad certificate, and a bad signature of a query, put to `ic-agent`, `@icp-sdk/core` and
//! the wallet: one table.

#![allow(clippy::unwrap_used, reason = "a test, helpers included")]

use std::io::Write as _;

use candid::Encode;
use countersign_core::ids::to_hex;
use countersign_judges::Wallet;
use countersign_localnet::config::tka_id;
use countersign_localnet::faults::{BadCertificate, Fault, Kind};
use countersign_localnet::network::Topology;
use countersign_localnet::{Config, Handle, Localnet};
use ic_agent::{Agent, AgentError};

/// What a judge says: nothing where it accepts, else the reason.
type Verdict = Result<(), String>;

/// Why the wallet refuses a case.
const fn expected_of_wallet(case: BadCertificate) -> &'static str {
    match case {
        BadCertificate::TamperedTree
        | BadCertificate::TamperedSignature
        | BadCertificate::WrongRootKey => "E_CERTIFICATE_SIGNATURE",
        BadCertificate::WrongDelegationRange => "E_CERTIFICATE_OUT_OF_RANGE",
        BadCertificate::Stale => "E_CERTIFICATE_STALE",
        BadCertificate::Future => "E_CERTIFICATE_FUTURE",
        BadCertificate::TamperedQuerySignature => "E_QUERY_SIGNATURE",
    }
}

/// Why ic-agent 0.49 refuses it. It has no bound for the future, and accepts that.
const fn expected_of_ic_agent(case: BadCertificate) -> Option<&'static str> {
    match case {
        BadCertificate::TamperedTree
        | BadCertificate::TamperedSignature
        | BadCertificate::WrongRootKey => Some("signature"),
        BadCertificate::WrongDelegationRange => Some("not authorized"),
        BadCertificate::Stale => Some("outdated"),
        BadCertificate::Future => None,
        BadCertificate::TamperedQuerySignature => Some("query signature"),
    }
}

/// Why @icp-sdk/core 6.1 refuses it.
const fn expected_of_icp_sdk_core(case: BadCertificate) -> &'static str {
    match case {
        BadCertificate::TamperedTree
        | BadCertificate::TamperedSignature
        | BadCertificate::WrongRootKey => "CertificateVerificationErrorCode",
        BadCertificate::WrongDelegationRange => "CertificateNotAuthorizedErrorCode",
        BadCertificate::Stale => "CertificateTimeErrorCode",
        BadCertificate::Future => "FutureCertificate",
        BadCertificate::TamperedQuerySignature => "QuerySignatureVerificationFailedErrorCode",
    }
}

fn wallet(net: &Handle, kind: Kind, nonce: u8) -> Verdict {
    let mut network = net.network();
    let mut wallet = Wallet::new(&net.root_key);
    let arg = Encode!().unwrap();
    let answer = if kind == Kind::Query {
        wallet
            .query(&mut network, tka_id(), "icrc1_symbol", &arg)
            .map(|_| ())
    } else {
        let subnet = wallet.subnet(&mut network, tka_id()).unwrap();
        let call = wallet.sign(tka_id(), "icrc1_symbol", &arg, subnet.time(), nonce);
        wallet.submit(&mut network, tka_id(), &call).map(|_| ())
    };
    answer.map_err(str::to_owned)
}

async fn ic_agent(net: &Handle, kind: Kind) -> Verdict {
    let agent = Agent::builder().with_url(&net.url).build().unwrap();
    agent.set_root_key(net.root_key.clone());
    let arg = Encode!().unwrap();
    let answer = if kind == Kind::Query {
        let query = agent.query(&tka_id(), "icrc1_symbol").with_arg(arg);
        query.call().await
    } else {
        let update = agent.update(&tka_id(), "icrc1_symbol").with_arg(arg);
        update.call_and_wait().await
    };
    answer.map(|_| ()).map_err(|error| match error {
        AgentError::CertificateVerificationFailed() => "signature".to_owned(),
        AgentError::CertificateNotAuthorized() => "not authorized".to_owned(),
        AgentError::CertificateOutdated(_) => "outdated".to_owned(),
        AgentError::QuerySignatureVerificationFailed => "query signature".to_owned(),
        other => format!("{other:?}"),
    })
}

fn icp_sdk_core(net: &Handle, kind: Kind) -> Verdict {
    let kind = if kind == Kind::Query { "query" } else { "call" };
    let (root_key, ledger) = (to_hex(&net.root_key), tka_id().to_text());
    let said = countersign_judges::icp_sdk_core("core.mjs", &[&net.url, &root_key, &ledger, kind]);
    match said.split_once(' ') {
        None if said == "accepted" => Ok(()),
        Some(("refused", why)) => Err(why.to_owned()),
        _ => panic!("{said}"),
    }
}

fn cell(verdict: &Verdict) -> String {
    match verdict {
        Ok(()) => "accepts".to_owned(),
        Err(why) => format!("refuses: {why}"),
    }
}

/// Puts a case to the three judges.
async fn judge(net: &Handle, kind: Kind, nonce: u8) -> [Verdict; 3] {
    [
        ic_agent(net, kind).await,
        icp_sdk_core(net, kind),
        wallet(net, kind, nonce),
    ]
}

async fn table(topology: Topology) {
    let net = Localnet::start(Config {
        topology,
        ..Config::default()
    })
    .unwrap();
    let mut rows = Vec::new();
    for kind in [Kind::Call, Kind::Query] {
        let verdicts = judge(&net, kind, 0).await;
        for verdict in &verdicts {
            assert_eq!(verdict, &Ok(()), "a good {kind:?} is to be accepted");
        }
        rows.push((format!("good {kind:?}").to_lowercase(), verdicts));
    }
    for (case, nonce) in BadCertificate::ALL.into_iter().zip(1..) {
        net.network().faults.order(Fault::bad(case));
        let verdicts = judge(&net, case.shown_by(), nonce).await;
        net.network().faults.clear();
        rows.push((case.name().to_owned(), verdicts));
    }

    print(&format!("{topology:?}"), &rows);

    for (case, (_, [agent, core, wallet])) in BadCertificate::ALL.into_iter().zip(&rows[2..]) {
        let refused = |why: &str| Err(why.to_owned());
        assert_eq!(wallet, &refused(expected_of_wallet(case)), "{case:?}");
        assert_eq!(core, &refused(expected_of_icp_sdk_core(case)), "{case:?}");
        let agents = expected_of_ic_agent(case).map_or(Ok(()), refused);
        assert_eq!(agent, &agents, "{case:?}");
    }
}

/// One line a case, one column a judge.
fn print(network: &str, rows: &[(String, [Verdict; 3])]) {
    let heads = ["ic-agent", "@icp-sdk/core", "wallet"].map(str::to_owned);
    let mut lines = vec![(format!("judges, {network}"), heads)];
    for (name, verdicts) in rows {
        lines.push((name.clone(), verdicts.each_ref().map(cell)));
    }
    let width = |column: usize| lines.iter().map(|line| line.1[column].len()).max();
    let widths = [0, 1, 2].map(|column| width(column).unwrap_or_default());
    let first = lines
        .iter()
        .map(|line| line.0.len())
        .max()
        .unwrap_or_default();
    // Straight to the output, which a test's `print` does not reach.
    let mut out = std::io::stdout().lock();
    writeln!(out).unwrap();
    for (name, cells) in &lines {
        write!(out, "{name:first$}").unwrap();
        for (cell, width) in cells.iter().zip(widths) {
            write!(out, "  {cell:width$}").unwrap();
        }
        writeln!(out).unwrap();
    }
}

#[tokio::test]
async fn each_judge_refuses_what_is_bad_on_the_root_subnet() {
    table(Topology::Root).await;
}

#[tokio::test]
async fn each_judge_refuses_what_is_bad_through_a_delegation() {
    table(Topology::Delegated).await;
}
