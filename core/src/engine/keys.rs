//! The vault in use: made once, unlocked by the passphrase, locked by wiping it.
//!
//! The open vault lives in memory. Between two lives of the worker one half of what opens it is in
//! the browser's session memory and the other in the journal; the phrase is in neither.

use super::Wallet;
use super::drive::TellError;
use super::journal::{SENT, VAULT_FILE, installation_of};
use super::record::{self, Record, RecordError, Stored, Writer};
use super::records::{Account, Installation, Sealed, SessionHalfRow};
use crate::confirm::picture::Mark;
use crate::ids::{InstallationId, NetworkId, PreviewId, Principal};
use crate::intent::{Event, Lapse};
use crate::ports::store::{Batch, CommitError, Query, Store as _, Write};
use crate::ports::{Clock as _, Mirror as _, Ports, Session as _, Texts as _};
use crate::vault::sealed::Cost;
use crate::vault::{
    OpenError, OpenVault, Passphrase, PassphraseError, Phrase, SealEntropy, SealedVault,
    SessionEntropy, SessionHalf, SessionSeal,
};
use thiserror::Error;

/// Why the vault could not be made, opened or used.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum KeyError {
    /// There is a wallet already.
    #[error("this browser has a wallet already")]
    Exists,
    /// There is no wallet, but what is kept of one outside the journal is there.
    #[error("the journal is gone, and a copy of an earlier wallet is still here")]
    Earlier,
    /// There is no wallet yet.
    #[error("there is no wallet yet")]
    None,
    /// The wallet is locked.
    #[error("the wallet is locked")]
    Locked,
    /// The passphrase cannot be taken.
    #[error(transparent)]
    Passphrase(#[from] PassphraseError),
    /// The vault does not open.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The journal cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The journal was not written.
    #[error(transparent)]
    Commit(#[from] CommitError),
    /// The second copy was not written.
    #[error(transparent)]
    Mirror(#[from] crate::ports::MirrorError),
    /// A yes from before the lock cannot be taken back.
    #[error(transparent)]
    Lapse(#[from] TellError),
}

impl<P: Ports> Wallet<P> {
    /// Who writes: this installation, drawn and stored at its first start.
    ///
    /// # Errors
    ///
    /// The journal cannot be read or written.
    pub(super) async fn writer(&self) -> Result<Writer, RecordError> {
        if let Some(writer) = self.memory.borrow().writer {
            return Ok(writer);
        }
        let stored: Option<Stored<Installation>> = self.load(Installation::KEY).await?;
        let writer = match stored {
            Some(Stored { record, .. }) => Writer {
                installation: record.id,
                epoch: record.epoch,
            },
            None => {
                let id = InstallationId::from_bytes(self.random());
                let record = Installation { id, epoch: 1 };
                let writer = Writer {
                    installation: id,
                    epoch: 1,
                };
                let now = self.ports.clock().host();
                let writes = vec![record::add(writer, now, &record)];
                match self
                    .ports
                    .store()
                    .commit(Batch {
                        writes,
                        audit: Vec::new(),
                    })
                    .await
                {
                    Ok(()) => writer,
                    // Another worker was first, or nobody knows: what is stored decides.
                    Err(_) => match self.load::<Installation>(Installation::KEY).await? {
                        Some(Stored { record, .. }) => Writer {
                            installation: record.id,
                            epoch: record.epoch,
                        },
                        None => {
                            let lost = crate::ports::store::StoreError::Unavailable;
                            return Err(RecordError::Store(lost));
                        }
                    },
                }
            }
        };
        self.memory.borrow_mut().writer = Some(writer);
        Ok(writer)
    }

    /// The record with this key.
    pub(super) async fn load<T: Record>(
        &self,
        key: &str,
    ) -> Result<Option<Stored<T>>, RecordError> {
        let row = self.ports.store().get(T::TABLE, key).await?;
        row.as_ref().map(record::read).transpose()
    }

    /// All records of a table that can be read.
    pub(super) async fn load_all<T: Record>(&self) -> Result<Vec<Stored<T>>, RecordError> {
        let rows = self.ports.store().list(T::TABLE, Query::All).await?;
        rows.iter().map(record::read).collect()
    }

    /// Stores records in one transaction.
    pub(super) async fn put(&self, writes: Vec<Write>, event: &str) -> Result<(), CommitError> {
        let audit = super::intents::audit_line(self.ports.clock().host(), event, "");
        self.ports.store().commit(Batch { writes, audit }).await
    }

    /// The sealed vault; `None` where there is no wallet yet.
    pub(super) async fn sealed(&self) -> Result<Option<Stored<Sealed>>, RecordError> {
        self.load(Sealed::KEY).await
    }

    /// Makes the wallet: a phrase nobody has seen, sealed under the passphrase, unlocked at once.
    ///
    /// # Errors
    ///
    /// See [`KeyError`].
    pub async fn create(&self, passphrase: &str, mark: Mark) -> Result<(), KeyError> {
        if std::mem::replace(&mut self.memory.borrow_mut().creating, true) {
            return Err(KeyError::Exists);
        }
        let created = self.create_first(passphrase, mark).await;
        self.memory.borrow_mut().creating = false;
        created
    }

    /// As [`Self::create`], one at a time: the second copy must be of the vault that is kept.
    async fn create_first(&self, passphrase: &str, mark: Mark) -> Result<(), KeyError> {
        if self.sealed().await?.is_some() {
            return Err(KeyError::Exists);
        }
        // The second copy is all that is left of that wallet, and of the calls it has sent.
        let files = self.ports.mirror().names().await?;
        if files
            .iter()
            .any(|name| name == VAULT_FILE || name.starts_with(SENT))
        {
            return Err(KeyError::Earlier);
        }
        let writer = self.writer().await?;
        let phrase = Phrase::from_entropy(&self.random::<16>())
            .expect("16 bytes are the entropy of a phrase of 12 words");
        let entropy = SealEntropy {
            salt: self.random(),
            key_nonce: self.random(),
            phrase_nonce: self.random(),
        };
        let (vault, open) = SealedVault::create(
            phrase,
            &self.normal(passphrase),
            Cost::FLOOR,
            writer.installation,
            u64::from(writer.epoch),
            self.random(),
            &entropy,
        )?;
        let record = Sealed {
            bytes: vault.to_bytes(),
            mark,
        };
        let mainnet = self.mainnet();
        let account = first_account(&open, mainnet.id());
        let now = self.ports.clock().host();
        let writes = vec![
            record::add(writer, now, &record),
            record::add(writer, now, &mainnet),
            record::add(writer, now, &account),
        ];
        self.put(writes, "create").await?;
        self.keep_copy(&record).await;
        self.begin_session(&vault, open).await;
        Ok(())
    }

    /// Unlocks with the passphrase.
    ///
    /// # Errors
    ///
    /// See [`KeyError`].
    pub async fn unlock(&self, passphrase: &str) -> Result<(), KeyError> {
        let stored = self.sealed().await?.ok_or(KeyError::None)?;
        let vault = SealedVault::from_bytes(&stored.record.bytes)?;
        let open = vault.open(&self.normal(passphrase))?;
        if !self.is_unlocked() {
            self.lapse_yeses().await?;
        }
        let thaws = self.thaws().await?;
        let was_frozen = thaws.is_some();
        if let Some(write) = thaws {
            self.put(vec![write], "thaw").await?;
        }
        self.keep_copy(&stored.record).await;
        self.begin_session(&vault, open).await;
        // A freeze that began meanwhile holds.
        if self.frozen().await?.is_some() {
            self.lock().await;
            return Err(KeyError::Locked);
        }
        if was_frozen {
            self.count_asks().await;
            self.access_changed().await;
        }
        Ok(())
    }

    fn normal(&self, passphrase: &str) -> Passphrase {
        Passphrase::new(passphrase, |typed| self.ports.texts().nfkd(typed))
    }

    /// Keeps the second copy of the vault. It is written after the journal, so that a copy without
    /// a journal is always of a wallet that was lost; where that fails, the next unlock does it.
    async fn keep_copy(&self, sealed: &Sealed) {
        match self.ports.mirror().read(VAULT_FILE).await {
            Ok(Some(copy)) if copy == sealed.bytes => {}
            // Of another wallet: it may be all that is left of it.
            Ok(Some(copy))
                if installation_of(&copy)
                    .is_some_and(|of| Some(of) != installation_of(&sealed.bytes)) => {}
            Ok(_) | Err(_) => {
                let _ = self.ports.mirror().write(VAULT_FILE, &sealed.bytes).await;
            }
        }
    }

    /// Keeps the open vault, and what opens it again for the next worker. Without the latter the
    /// next worker is locked, which is safe.
    async fn begin_session(&self, vault: &SealedVault, open: OpenVault) {
        let entropy = SessionEntropy {
            half: self.random(),
            nonce: self.random(),
        };
        let (half, seal) = open.begin_session(vault, entropy);
        self.memory.borrow_mut().vault = Some(open);
        let stored = async {
            let writer = self.writer().await.ok()?;
            let row = SessionHalfRow {
                seal: seal.to_bytes(),
            };
            let now = self.ports.clock().host();
            let before = self
                .load::<SessionHalfRow>(SessionHalfRow::KEY)
                .await
                .ok()?;
            let write = match before {
                None => record::add(writer, now, &row),
                Some(before) => record::change(writer, now, before.rev, &row),
            };
            self.put(vec![write], "unlock").await.ok()
        };
        if stored.await.is_some() {
            let _ = self.ports.session().put(half.as_bytes()).await;
        }
    }

    /// Opens the vault with the two halves of a session that an earlier worker began.
    pub(super) async fn resume_session(&self) {
        let opened = async {
            if self.frozen().await.ok()?.is_some() {
                return None;
            }
            let half = self.ports.session().get().await.ok()??;
            let half = SessionHalf::from_bytes(&half).ok()?;
            let seal = self
                .load::<SessionHalfRow>(SessionHalfRow::KEY)
                .await
                .ok()??;
            let seal = SessionSeal::from_bytes(&seal.record.seal).ok()?;
            let stored = self.sealed().await.ok()??;
            SealedVault::from_bytes(&stored.record.bytes)
                .ok()?
                .resume_session(&half, &seal)
                .ok()
        };
        let opened = opened.await;
        self.memory.borrow_mut().vault = opened;
    }

    /// Locks: the open vault and both halves of the session are wiped, yeses that were not carried
    /// out lapse.
    pub async fn lock(&self) {
        self.memory.borrow_mut().vault = None;
        let _ = self.ports.session().clear().await;
        if let Ok(Some(stored)) = self.load::<SessionHalfRow>(SessionHalfRow::KEY).await {
            let write = record::remove(&stored.record, stored.rev);
            let _ = self.put(vec![write], "lock").await;
        }
        // What cannot be stored now lapses before the next unlock.
        for preview in self.lapse_yeses().await.unwrap_or_default() {
            self.drive(preview).await;
        }
        self.views_changed();
    }

    /// Every yes that was not carried out lapses. At a lock, and again before an unlock: the worker
    /// may have died in between, or the browser ended.
    async fn lapse_yeses(&self) -> Result<Vec<PreviewId>, TellError> {
        let mut lapsed = Vec::new();
        for open in self.open_intents().await? {
            let preview = open.intent.preview();
            match self
                .tell_intent(&preview, Event::Lapse(Lapse::Locked))
                .await
            {
                Ok(_) => lapsed.push(preview),
                // It has no yes that could lapse.
                Err(TellError::Refused(_) | TellError::Gone) => {}
                Err(error @ (TellError::Record(_) | TellError::Commit(_))) => return Err(error),
            }
        }
        Ok(lapsed)
    }

    /// Whether the wallet can sign now.
    #[must_use]
    pub fn is_unlocked(&self) -> bool {
        self.memory.borrow().vault.is_some()
    }

    /// The accounts, in the order of their numbers.
    pub(super) async fn accounts(&self) -> Result<Vec<Account>, RecordError> {
        Ok(self
            .load_all::<Account>()
            .await?
            .into_iter()
            .map(|stored| stored.record)
            .collect())
    }

    /// The account of this principal on this network.
    pub(super) async fn account_of(
        &self,
        network: &NetworkId,
        principal: &Principal,
    ) -> Result<Option<Account>, RecordError> {
        let accounts = self.accounts().await?;
        Ok(accounts
            .into_iter()
            .find(|a| a.network == *network && a.principal == *principal))
    }

    /// A new account on a network: the next index there.
    ///
    /// # Errors
    ///
    /// See [`KeyError`].
    pub(super) async fn new_account(
        &self,
        network: NetworkId,
        name: &str,
    ) -> Result<(Account, Write), KeyError> {
        let accounts = self.accounts().await?;
        let number = accounts
            .iter()
            .map(|account| account.number)
            .max()
            .map_or(1, |n| n + 1);
        let on_network = accounts.iter().filter(|account| account.network == network);
        let index = on_network
            .map(|account| account.index)
            .max()
            .map_or(0, |i| i + 1);
        let derived = {
            let memory = self.memory.borrow();
            let vault = memory.vault.as_ref().ok_or(KeyError::Locked)?;
            // One index in 2^127 has no key; the next one is taken then.
            (index..).find_map(|i| vault.account(network, i).ok())
        };
        let derived = derived.ok_or(KeyError::None)?;
        let account = Account {
            number,
            network,
            index: derived.index,
            name: name.to_owned(),
            principal: derived.principal,
        };
        let writer = self.writer().await?;
        let write = record::add(writer, self.ports.clock().host(), &account);
        Ok((account, write))
    }
}

/// The first account on a network.
fn first_account(vault: &OpenVault, network: NetworkId) -> Account {
    let derived = (0..)
        .find_map(|index| vault.account(network, index).ok())
        .expect("one index in 2^127 has no key");
    Account {
        number: 1,
        network,
        index: derived.index,
        name: "Account 1".to_owned(),
        principal: derived.principal,
    }
}
