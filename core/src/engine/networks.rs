//! Networks: added by URL, known by root key. The key is read once, shown, stored, never read again.

use super::Wallet;
use super::keys::KeyError;
use super::memory::LiveNetwork;
use super::reads::ReadFailure;
use super::record::{self, RecordError, Stored};
use super::records::{Account, DropsRepeats, Network};
use crate::confirm::view::NetworkLabel;
use crate::ids::{NetworkId, Principal};
use crate::ingress::{Endpoint, Path, RootKey, Trust};
use crate::intent::{Evidence, Intent};
use crate::policy::known_ledgers;
use crate::ports::store::{CommitError, Write};
use crate::ports::{Clock as _, Ports};
use crate::wire::ui::{Adding, ReadFailure as Shown};

/// Where mainnet is reached.
const MAINNET_URL: &str = "https://icp-api.io";

/// How often a change is made anew where somebody else stored first.
const CHANGE_TRIES: u32 = 16;

/// Mainnet's name.
pub(super) const MAINNET_NAME: &str = "Internet Computer";

/// The first canister id there is: every network's ranges say who runs it.
const FIRST_CANISTER: [u8; 10] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1];

/// A network on its way in. In memory: reading it again is safe.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    /// What the person is shown of it.
    pub(super) shown: Adding,
    /// What was read, once it was.
    pub(super) read: Option<(Endpoint, RootKey)>,
}

/// How a network is called.
#[must_use]
pub(super) fn label_of(network: &Network) -> NetworkLabel {
    let id = network.id();
    let mainnet = id == RootKey::mainnet_network();
    NetworkLabel {
        id,
        name: network.name.clone(),
        mainnet,
    }
}

impl<P: Ports> Wallet<P> {
    /// Mainnet's record, as it is stored with a new wallet.
    pub(super) fn mainnet(&self) -> Network {
        Network {
            trust: Trust::new(RootKey::mainnet()),
            name: MAINNET_NAME.to_owned(),
            endpoints: vec![
                Endpoint::parse(MAINNET_URL).expect("the address is one of https and a host"),
            ],
            deduplicating: Vec::new(),
            added: self.ports.clock().host(),
        }
    }

    /// The networks, mainnet first, then in the order they were added.
    pub(super) async fn networks(&self) -> Result<Vec<Stored<Network>>, RecordError> {
        let mut networks = self.load_all::<Network>().await?;
        let mainnet = RootKey::mainnet_network();
        networks.sort_by_key(|n| (n.record.id() != mainnet, n.record.added, n.record.id()));
        Ok(networks)
    }

    /// The network with this id.
    pub(super) async fn network(
        &self,
        id: &NetworkId,
    ) -> Result<Option<Stored<Network>>, RecordError> {
        self.load(&id.to_string()).await
    }

    /// The root key of a network, from memory or the journal, never from an endpoint.
    pub(super) async fn root_key(&self, id: &NetworkId) -> Result<RootKey, ReadFailure> {
        let stored = self.network(id).await?.ok_or(ReadFailure::NoNetwork)?;
        Ok(stored.record.trust.root_key().clone())
    }

    /// What is known of a ledger's habit of dropping repeats.
    pub(super) async fn evidence(
        &self,
        network: &NetworkId,
        canister: &Principal,
        intent: &Intent,
    ) -> Evidence {
        if intent.prepared().stamp.is_none() {
            return Evidence::None;
        }
        self.ledger_evidence(network, canister).await
    }

    /// What is known of a ledger, for a call that carries a stamp.
    pub(super) async fn ledger_evidence(
        &self,
        network: &NetworkId,
        canister: &Principal,
    ) -> Evidence {
        // What cannot be read is not known.
        let listed = if *network == RootKey::mainnet_network() {
            known_ledgers::deduplicates(canister)
        } else {
            let stored = self.network(network).await.ok().flatten();
            stored.is_some_and(|stored| stored.record.deduplicating.contains(canister))
        };
        if listed || self.was_seen_to_drop_repeats(network, canister).await {
            Evidence::Known
        } else {
            Evidence::Claimed
        }
    }

    /// Whether a ledger dropped a repeat of ours while it ran the code that it was accepted with.
    async fn was_seen_to_drop_repeats(&self, network: &NetworkId, id: &Principal) -> bool {
        let key = DropsRepeats::key_of(network, id);
        let Ok(Some(seen)) = self.load::<DropsRepeats>(&key).await else {
            return false;
        };
        let accepted = self.accepted_canister(network, id).await;
        accepted.is_some_and(|accepted| accepted.module == Some(seen.record.module))
    }

    /// Reads the root key of the network at a URL, and whether what it certifies verifies under
    /// it.
    pub(super) async fn read_network(&self, url: &str) -> Result<(), crate::wire::ui::Failure> {
        use crate::wire::ui::Failure;
        let endpoint = Endpoint::parse(url).map_err(|_| Failure::BadUrl)?;
        let url = endpoint.to_string();
        let reading = Reading {
            shown: Adding::Reading { url: url.clone() },
            read: None,
        };
        self.memory.borrow_mut().adding = Some(reading);
        self.views_changed();
        let failed = |why| Reading {
            shown: Adding::Failed {
                url: url.clone(),
                why,
            },
            read: None,
        };
        let reading = match self.read_root_key(&endpoint).await {
            Err(ReadFailure::NoAnswer) => failed(Shown::NoAnswer),
            Err(_) => failed(Shown::NotANetwork),
            Ok(key) => {
                let known = self.network(&key.network()).await.ok().flatten();
                match self.certifies(&key, &endpoint).await {
                    false => failed(Shown::NotCertified),
                    true => Reading {
                        shown: Adding::Read {
                            url: url.clone(),
                            id: key.network(),
                            name: "Local network".to_owned(),
                            known: known.map(|stored| label_of(&stored.record)),
                        },
                        read: Some((endpoint, key)),
                    },
                }
            }
        };
        self.memory.borrow_mut().adding = Some(reading);
        self.views_changed();
        Ok(())
    }

    /// Whether an endpoint gives a certificate that verifies under a root key. It is read as a
    /// network of its own: what is under way on the network that has this key never goes to an
    /// address that nobody has accepted.
    async fn certifies(&self, key: &RootKey, endpoint: &Endpoint) -> bool {
        let id = NetworkId::from_bytes(self.random());
        let live = LiveNetwork::new(Trust::new(key.clone()), vec![endpoint.clone()]);
        self.memory.borrow_mut().networks.insert(id, live);
        let canister = Principal::from_slice(&FIRST_CANISTER);
        let read = self.read_state(&id, canister, vec![Path::time()]).await;
        self.memory.borrow_mut().networks.remove(&id);
        read.is_ok()
    }

    /// Adds the network that was read and shown, with a first account on it; or one more address
    /// of a network that is known.
    pub(super) async fn add_network(&self, id: NetworkId, name: &str) -> Result<(), AddError> {
        let read = self
            .memory
            .borrow()
            .adding
            .as_ref()
            .and_then(|adding| adding.read.clone());
        let (endpoint, key) = read
            .filter(|(_, key)| key.network() == id)
            .ok_or(AddError::Gone)?;
        let (writer, now) = (self.writer().await?, self.ports.clock().host());
        if self.network(&id).await?.is_some() {
            self.change_network(id, "add_endpoint", |network| {
                network.endpoints.retain(|known| *known != endpoint);
                network.endpoints.insert(0, endpoint.clone());
            })
            .await?;
        } else {
            let name = self.free_name(name).await?;
            let network = Network {
                trust: Trust::new(key),
                name,
                endpoints: vec![endpoint],
                deduplicating: Vec::new(),
                added: now,
            };
            let (_, account): (Account, Write) = self.new_account(id, "Account 1").await?;
            let writes = vec![record::add(writer, now, &network), account];
            self.put(writes, "add_network").await?;
        }
        self.forget_network(&id);
        self.memory.borrow_mut().adding = None;
        self.views_changed();
        Ok(())
    }

    /// The name, if it can be a network's and no other network has it.
    async fn free_name(&self, name: &str) -> Result<String, AddError> {
        let name = name.trim();
        let fits =
            (1..=40).contains(&name.chars().count()) && name.chars().all(crate::text::is_plain);
        let networks = self.networks().await?;
        if !fits
            || networks
                .iter()
                .any(|n| n.record.name.eq_ignore_ascii_case(name))
        {
            return Err(AddError::Name);
        }
        Ok(name.to_owned())
    }

    /// Says of a ledger on an added network that it is known to drop repeats, or takes it back.
    pub(super) async fn set_deduplicating(
        &self,
        id: NetworkId,
        ledger: &str,
        known: bool,
    ) -> Result<(), AddError> {
        let ledger = Principal::from_text(ledger.trim()).map_err(|_| AddError::Canister)?;
        if id == RootKey::mainnet_network() {
            return Err(AddError::Mainnet);
        }
        self.change_network(id, "set_deduplicating", |network| {
            network.deduplicating.retain(|held| *held != ledger);
            if known {
                network.deduplicating.push(ledger);
            }
        })
        .await?;
        self.views_changed();
        Ok(())
    }

    /// Changes a network's record. A worker that reads stores what certificates tell it of the
    /// network, in the same record: whoever loses that race changes what is there then.
    async fn change_network(
        &self,
        id: NetworkId,
        event: &'static str,
        change: impl Fn(&mut Network),
    ) -> Result<(), AddError> {
        let writer = self.writer().await?;
        let mut last = CommitError::OutcomeUnknown;
        for _ in 0..CHANGE_TRIES {
            let mut stored = self.network(&id).await?.ok_or(AddError::Gone)?;
            change(&mut stored.record);
            let now = self.ports.clock().host();
            let write = record::change(writer, now, stored.rev, &stored.record);
            match self.put(vec![write], event).await {
                Ok(()) => return Ok(()),
                Err(error @ CommitError::Conflict { .. }) => last = error,
                Err(error) => return Err(error.into()),
            }
        }
        Err(last.into())
    }
}

/// Why a network was not added or changed.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub(super) enum AddError {
    /// What was read is gone, or is another network.
    #[error("read the network again")]
    Gone,
    /// The name is empty, too long, hidden or taken.
    #[error("choose another name")]
    Name,
    /// Not a canister id.
    #[error("not a canister id")]
    Canister,
    /// Mainnet's list is compiled in.
    #[error("mainnet's ledgers are compiled in")]
    Mainnet,
    /// The journal cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The journal was not written.
    #[error(transparent)]
    Commit(#[from] CommitError),
    /// No account could be made.
    #[error(transparent)]
    Key(#[from] KeyError),
}
