//! Signing: the one place where the person's key is used.
//!
//! A call is signed only for the digest that a person said yes to, computed again here from the
//! stored bytes. Before a yes two things are signed besides: reads of a status, and the question to
//! a canister what a call would do.

use super::Wallet;
use crate::confirm::consent::wire::{METHOD, request};
use crate::confirm::digest::{AskParts, ExpiryRule, RetryClass};
use crate::ids::{AskDigest, NetworkId, Principal, RequestId};
use crate::ingress::envelope::CALL_VALID;
use crate::ingress::{CallRequest, Nonce, Path, ReadStateRequest, RootKey, SignedCall};
use crate::intent::{Evidence, Hitch, Intent, SignedEnvelope};
use crate::ports::Ports;
use crate::time::{Span, Timestamp};
use crate::vault;

/// How long after now a freshly signed status read is valid.
const FRESH_READ: Span = Span::from_mins(3);

/// The class of a lost answer, as a person is told it and says yes to it.
#[must_use]
pub(super) const fn retry_class(stamped: bool, evidence: Evidence) -> RetryClass {
    match (stamped, evidence) {
        (true, Evidence::Known) => RetryClass::Known,
        (true, Evidence::Claimed | Evidence::None) => RetryClass::Claimed,
        (false, _) => RetryClass::Unstamped,
    }
}

/// The digest of an ask: what a person says yes to, from the stored bytes.
///
/// The nonce is drawn when the envelope is signed, so it is empty here; what it changes is the
/// request id alone.
#[must_use]
pub(super) fn ask_digest(root_key: &RootKey, intent: &Intent, evidence: Evidence) -> AskDigest {
    let prepared = intent.prepared();
    AskParts {
        root_key: root_key.as_der(),
        canister: prepared.canister,
        effective_canister: prepared.effective_canister,
        method: &prepared.method,
        arg: &prepared.arg,
        nonce: &[],
        sender: prepared.sender,
        expiry: ExpiryRule::AfterReading(CALL_VALID),
        retry: retry_class(prepared.stamp.is_some(), evidence),
        resolved: prepared.resolved,
        intent: prepared.preview,
    }
    .digest()
}

impl<P: Ports> Wallet<P> {
    /// The account that signs, if the wallet is unlocked and has it.
    async fn signing_account(
        &self,
        network: &NetworkId,
        sender: &Principal,
    ) -> Result<vault::Account, Hitch> {
        // Another worker may have frozen the wallet since this one was unlocked.
        let frozen = self.frozen().await.map_err(|_| Hitch::StoreRefused)?;
        if frozen.is_some() || !self.is_unlocked() {
            return Err(Hitch::Locked);
        }
        let account = self
            .account_of(network, sender)
            .await
            .map_err(|_| Hitch::StoreRefused)?;
        let account = account.ok_or(Hitch::SignerRefused)?;
        Ok(vault::Account {
            network: *network,
            index: account.index,
            principal: *sender,
        })
    }

    /// The key of an account, if the wallet is unlocked now. Nothing may be awaited between this
    /// and the signature: a lock in between must find no key in use.
    fn signer(&self, account: vault::Account) -> Result<vault::Signer, Hitch> {
        let memory = self.memory.borrow();
        let vault = memory.vault.as_ref().ok_or(Hitch::Locked)?;
        vault
            .signer(account, account.network)
            .map_err(|_| Hitch::SignerRefused)
    }

    /// Signs the call and the read of its status for the digest that was said yes to. Gives the
    /// digest computed again, which the intent compares.
    pub(super) async fn sign_call(
        &self,
        intent: &Intent,
        evidence: Evidence,
        s0: Timestamp,
    ) -> Result<(AskDigest, SignedEnvelope), Hitch> {
        let prepared = intent.prepared();
        let account = self
            .signing_account(&prepared.network, &prepared.sender)
            .await?;
        let root_key = self
            .root_key(&prepared.network)
            .await
            .map_err(|_| Hitch::StoreRefused)?;
        let nonce = Nonce::from_entropy(self.random());
        let call = CallRequest {
            canister: prepared.canister,
            method: prepared.method.clone(),
            arg: prepared.arg.clone(),
            sender: prepared.sender,
            ingress_expiry: s0.plus(CALL_VALID),
            nonce: Some(nonce.clone()),
        };
        let signed = self
            .signer(account)?
            .call(prepared.network, &call, s0)
            .map_err(|_| Hitch::SignerRefused)?;
        let envelope = SignedEnvelope {
            request_id: signed.request_id,
            nonce: nonce.as_bytes().to_vec(),
            s0,
            expiry: signed.ingress_expiry,
            read_expiry: signed.status_expiry,
            content: signed.content,
            call: signed.envelope,
            read_state: signed.read_status,
        };
        Ok((ask_digest(&root_key, intent, evidence), envelope))
    }

    /// Signs the question to a call's canister what the call would do, in a language (BCP 47).
    ///
    /// ICRC-21 wants it from whoever will call, so that the canister can say what it does *for them*: it
    /// is the one update that is signed before a yes. The method is the standard's and no other; the
    /// call is in it as bytes that nobody executes. It is for the engine to see that the canister is one
    /// that the person accepted, and that it certified that it answers.
    pub(super) async fn sign_question(
        &self,
        intent: &Intent,
        language: &str,
        s0: Timestamp,
    ) -> Result<SignedCall, Hitch> {
        let prepared = intent.prepared();
        let account = self
            .signing_account(&prepared.network, &prepared.sender)
            .await?;
        let call = CallRequest {
            canister: prepared.canister,
            method: METHOD.to_owned(),
            arg: request(&prepared.method, &prepared.arg, language),
            sender: prepared.sender,
            ingress_expiry: s0.plus(CALL_VALID),
            nonce: Some(Nonce::from_entropy(self.random())),
        };
        self.signer(account)?
            .call(prepared.network, &call, s0)
            .map_err(|_| Hitch::SignerRefused)
    }

    /// Signs a new read of an envelope's status, where the wallet is unlocked.
    pub(super) async fn sign_status_read(
        &self,
        intent: &Intent,
        request_id: RequestId,
    ) -> Option<Vec<u8>> {
        let prepared = intent.prepared();
        let account = self
            .signing_account(&prepared.network, &prepared.sender)
            .await
            .ok()?;
        let now = self
            .canister_time(&prepared.network, prepared.effective_canister)
            .await
            .ok()?;
        let read = ReadStateRequest {
            paths: vec![Path::request_status(&request_id)],
            sender: prepared.sender,
            ingress_expiry: now.plus(FRESH_READ),
        };
        self.signer(account)
            .ok()?
            .read_state(prepared.network, &read)
            .ok()
            .map(|envelope| envelope.bytes)
    }
}
