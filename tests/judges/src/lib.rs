//! The wallet's own reading of a network, as the judged party: envelopes made by `ingress` and
//! `vault`, posted in process to a local network, and its answers judged by `ingress`.
//!
//! The tests of this crate hold other people's agents beside it.

#![forbid(unsafe_code)]

use countersign_core::ids::Principal;
use countersign_core::ingress::{
    CallAnswer, CallRequest, Certified, Endpoint, Envelope, Nonce, Path, QueryAnswer, QueryReply,
    QueryRequest, ReadAnswer, ReadStateRequest, RequestStatus, RootKey, SignedCall, Subnet, Trust,
};
use countersign_core::time::{Span, Timestamp};
use countersign_core::vault::sealed::Cost;
use countersign_core::vault::{OpenVault, Passphrase, Phrase, SealEntropy, SealedVault};
use countersign_localnet::network::{Answer, Network};

/// Time since the wallet's worker started: the same for a whole test, so that the certified time
/// it has read is the time it knows.
const UPTIME: Span = Span::from_secs(1);

/// A wallet that knows one network by its root key.
pub struct Wallet {
    trust: Trust,
    vault: OpenVault,
    endpoint: Endpoint,
}

/// Why the wallet refuses, by the stable code of the refusal.
pub type Refusal = &'static str;

impl Wallet {
    /// A wallet with a phrase of its own, for the network with this root key.
    ///
    /// # Panics
    ///
    /// The key is no root key.
    #[must_use]
    pub fn new(root_key_der: &[u8]) -> Self {
        let key = RootKey::from_der(root_key_der).expect("a root key");
        let phrase = Phrase::from_entropy(&[1; 16]).expect("16 bytes make a phrase");
        let entropy = SealEntropy {
            salt: [2; 16],
            key_nonce: [3; 24],
            phrase_nonce: [4; 24],
        };
        let here = countersign_core::ids::InstallationId::from_bytes([5; 16]);
        let (_, vault) = SealedVault::create(
            phrase,
            &Passphrase::new("a passphrase", str::to_owned),
            Cost::FLOOR,
            here,
            1,
            [6; 32],
            &entropy,
        )
        .expect("the passphrase is long enough");
        Self {
            trust: Trust::new(key),
            vault,
            endpoint: Endpoint::parse("http://localhost").expect("an address"),
        }
    }

    /// What it knows of the network.
    #[must_use]
    pub const fn trust(&self) -> &Trust {
        &self.trust
    }

    /// The principal it signs as.
    ///
    /// # Panics
    ///
    /// Never: the first account exists.
    #[must_use]
    pub fn principal(&self) -> Principal {
        self.vault
            .account(self.trust.network(), 0)
            .expect("the first account exists")
            .principal
    }

    /// Checks a certificate that answers for the canister.
    ///
    /// # Errors
    ///
    /// The code of the refusal.
    pub fn admit(&mut self, certificate: &[u8], canister: Principal) -> Result<Certified, Refusal> {
        self.trust
            .admit(certificate, canister, UPTIME)
            .map_err(|error| error.code())
    }

    /// Reads paths of the state tree.
    ///
    /// # Errors
    ///
    /// The code of the refusal.
    pub fn read_state(
        &mut self,
        network: &mut Network,
        canister: Principal,
        paths: Vec<Path>,
    ) -> Result<Certified, Refusal> {
        let request = ReadStateRequest {
            paths,
            sender: Principal::anonymous(),
            ingress_expiry: Timestamp::default(),
        };
        let envelope = Envelope::anonymous(&request).expect("the sender is anonymous");
        let url = self.endpoint.read_state(canister);
        let (status, body) = post(network, &url, &envelope.bytes)?;
        let answer = ReadAnswer::read(status, &body).map_err(|_| "no fact")?;
        self.admit(&answer.certificate, canister)
    }

    /// Reads the canister's subnet: its nodes, its time, and whether it is the canister's.
    ///
    /// # Errors
    ///
    /// The code of the refusal.
    pub fn subnet(
        &mut self,
        network: &mut Network,
        canister: Principal,
    ) -> Result<Subnet, Refusal> {
        let certified = self.read_state(network, canister, Path::subnet_and_ranges())?;
        Subnet::read(&certified).map_err(|_| "no nodes")
    }

    /// Signs a call at a certified time, with the read of its status.
    ///
    /// # Panics
    ///
    /// Never: the account is this wallet's, on this network.
    #[must_use]
    pub fn sign(
        &self,
        canister: Principal,
        method: &str,
        arg: &[u8],
        certified: Timestamp,
        nonce: u8,
    ) -> SignedCall {
        let network = self.trust.network();
        let account = self
            .vault
            .account(network, 0)
            .expect("the first account exists");
        let call = CallRequest {
            canister,
            method: method.to_owned(),
            arg: arg.to_vec(),
            sender: account.principal,
            ingress_expiry: SignedCall::expiry(certified),
            nonce: Some(Nonce::from_entropy([nonce; 16])),
        };
        self.vault
            .signer(account, network)
            .and_then(|signer| signer.call(network, &call, certified))
            .expect("the account is this wallet's, on this network")
    }

    /// Posts a signed call and gives what its certificate says about it.
    ///
    /// # Errors
    ///
    /// The code of the refusal, or that no certificate came.
    pub fn submit(
        &mut self,
        network: &mut Network,
        canister: Principal,
        call: &SignedCall,
    ) -> Result<RequestStatus, Refusal> {
        let (status, body) = post(network, &self.endpoint.call(canister), &call.envelope)?;
        match CallAnswer::read(status, &body) {
            CallAnswer::Certificate(certificate) => self
                .admit(&certificate, canister)?
                .request_status(&call.request_id)
                .map_err(|error| error.code()),
            CallAnswer::Accepted | CallAnswer::Uncertified(_) | CallAnswer::Nothing(_) => {
                Err("no certificate")
            }
        }
    }

    /// Reads the status of a call with the read that was signed with it.
    ///
    /// # Errors
    ///
    /// The code of the refusal.
    pub fn status(
        &mut self,
        network: &mut Network,
        canister: Principal,
        call: &SignedCall,
    ) -> Result<RequestStatus, Refusal> {
        let url = self.endpoint.read_state(canister);
        let (status, body) = post(network, &url, &call.read_status)?;
        let answer = ReadAnswer::read(status, &body).map_err(|_| "no fact")?;
        self.admit(&answer.certificate, canister)?
            .request_status(&call.request_id)
            .map_err(|error| error.code())
    }

    /// Asks a query of the anonymous sender and checks who answers.
    ///
    /// # Errors
    ///
    /// The code of the refusal.
    pub fn query(
        &mut self,
        network: &mut Network,
        canister: Principal,
        method: &str,
        arg: &[u8],
    ) -> Result<QueryReply, Refusal> {
        let subnet = self.subnet(network, canister)?;
        let request = QueryRequest {
            canister,
            method: method.to_owned(),
            arg: arg.to_vec(),
            sender: Principal::anonymous(),
            ingress_expiry: subnet.time(),
            nonce: None,
        };
        let envelope = Envelope::anonymous(&request).expect("the sender is anonymous");
        let (status, body) = post(network, &self.endpoint.query(canister), &envelope.bytes)?;
        QueryAnswer::read(status, &body)
            .map_err(|_| "no fact")?
            .verify(&envelope.request_id, &subnet, subnet.time())
            .map_err(|error| error.code())
    }
}

/// Runs one of this folder's scripts, which use `@icp-sdk/core`, and gives the line it prints.
///
/// # Panics
///
/// Node or the package is not installed, or the script fails.
#[must_use]
pub fn icp_sdk_core(script: &str, args: &[&str]) -> String {
    script_with("@icp-sdk/core", script, args)
}

/// Runs one of this folder's scripts, which use a package, and gives the line it prints.
///
/// # Panics
///
/// Node or the package is not installed, or the script fails.
#[must_use]
pub fn script_with(package: &str, script: &str, args: &[&str]) -> String {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(
        here.join("../node_modules").join(package).is_dir(),
        "{package} is not installed: run `cargo xtask setup`"
    );
    let output = std::process::Command::new("node")
        .arg(here.join(script))
        .args(args)
        .output()
        .expect("Node is installed: `cargo xtask setup` says how");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{script}: {errors}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// One POST, in process, at the network's time.
fn post(network: &mut Network, url: &str, body: &[u8]) -> Result<(u16, Vec<u8>), Refusal> {
    let path = url
        .strip_prefix("http://localhost")
        .expect("the address above");
    let now = network.now();
    match network.handle("POST", path, body, now).answer {
        Answer::Http { status, body, .. } => Ok((status, body)),
        Answer::Dropped => Err("no answer"),
    }
}
