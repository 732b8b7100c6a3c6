//! The public ICRC-1 test suite, over HTTP, with `ic-agent`.

#![allow(clippy::unwrap_used, reason = "a test, helpers included")]
#![allow(clippy::print_stdout, reason = "the suite's own report")]

use anyhow::Context as _;
use async_trait::async_trait;
use candid::{
    Principal,
    utils::{ArgumentDecoder, ArgumentEncoder, decode_args, encode_args},
};
use countersign_localnet::{
    Config, Localnet,
    config::{gem_id, tka_id},
};
use ic_agent::{
    Agent,
    identity::{BasicIdentity, Identity as _},
};
use icrc1_test_env::LedgerEnv;
use icrc1_test_suite::{Outcome, execute_tests, icrc1_test_tx_deduplication, test_suite};
use std::{
    fmt::Debug,
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
    time::{Duration, SystemTime},
};

#[derive(Clone)]
struct Env {
    agent: Agent,
    ledger: Principal,
    /// How many identities there are.
    forks: Arc<AtomicU8>,
}

impl Env {
    fn identity(n: u8) -> BasicIdentity {
        BasicIdentity::from_raw_key(&[n; 32])
    }
}

#[async_trait(?Send)]
impl LedgerEnv for Env {
    fn fork(&self) -> Self {
        let n = self.forks.fetch_add(1, Ordering::SeqCst) + 1;
        let mut agent = self.agent.clone();
        agent.set_identity(Self::identity(n));
        Self {
            agent,
            ..self.clone()
        }
    }

    fn principal(&self) -> Principal {
        self.agent.get_principal().unwrap()
    }

    async fn time(&self) -> SystemTime {
        SystemTime::now()
    }

    async fn query<Input, Output>(&self, method: &str, input: Input) -> anyhow::Result<Output>
    where
        Input: ArgumentEncoder + Debug,
        Output: for<'a> ArgumentDecoder<'a>,
    {
        let reply = self
            .agent
            .query(&self.ledger, method)
            .with_arg(encode_args(input)?)
            .call()
            .await?;
        decode_args(&reply).context("the reply does not decode")
    }

    async fn update<Input, Output>(&self, method: &str, input: Input) -> anyhow::Result<Output>
    where
        Input: ArgumentEncoder + Debug,
        Output: for<'a> ArgumentDecoder<'a>,
    {
        let reply = self
            .agent
            .update(&self.ledger, method)
            .with_arg(encode_args(input)?)
            .call_and_wait()
            .await?;
        decode_args(&reply).context("the reply does not decode")
    }
}

async fn passes(ledger: Principal) {
    let net = Localnet::start(Config::default()).unwrap();
    let identity = Env::identity(1);
    {
        let mut network = net.network();
        let now = network.now();
        let funds = 10u128.pow(15);
        let ledger = network.ledger_mut(ledger).unwrap();
        let me = identity.sender().unwrap();
        ledger.mint(me.into(), funds, now).unwrap();
    }
    let agent = Agent::builder()
        .with_url(&net.url)
        .with_identity(identity)
        .with_ingress_expiry(Duration::from_secs(120))
        .build()
        .unwrap();
    agent.fetch_root_key().await.unwrap();
    let env = Env {
        agent,
        ledger,
        forks: Arc::new(AtomicU8::new(1)),
    };
    println!("# icrc1-test-suite on {ledger}");
    assert!(execute_tests(test_suite(env.clone()).await).await);
    // The suite counts a ledger without deduplication as skipped; ours must pass.
    assert!(matches!(
        icrc1_test_tx_deduplication(env).await.unwrap(),
        Outcome::Passed
    ));
}

#[tokio::test]
async fn the_public_icrc1_test_suite_passes_on_the_first_ledger() {
    passes(tka_id()).await;
}

#[tokio::test]
async fn the_public_icrc1_test_suite_passes_on_the_second_ledger() {
    passes(gem_id()).await;
}
