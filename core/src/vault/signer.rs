//! One account's key, in use on the account's network and nowhere else.

use thiserror::Error;

use super::{derive::Account, key::SecretKey};
use crate::ids::NetworkId;
use crate::ingress::{
    CallRequest, Envelope, QueryRequest, ReadStateRequest, Request, SignedCall, envelope::SealError,
};
use crate::time::Timestamp;

/// Why nothing is signed.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum SignError {
    /// The account belongs to another network.
    #[error("This account belongs to another network. Choose an account of this one.")]
    OtherNetwork,
    /// The account's key is not in this vault.
    #[error("This account's key is not in this wallet.")]
    OtherVault,
    /// The request's sender is not the account.
    #[error("The request is not from this account.")]
    OtherSender,
}

impl SignError {
    /// The stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::OtherNetwork => "E_ACCOUNT_NETWORK",
            Self::OtherVault => "E_ACCOUNT_KEY",
            Self::OtherSender => "E_ACCOUNT_SENDER",
        }
    }
}

impl From<SealError> for SignError {
    fn from(error: SealError) -> Self {
        match error {
            SealError::NotTheSender | SealError::NotAnonymous => Self::OtherSender,
        }
    }
}

/// An account's key. Wiped when dropped. Every use names the network it is for.
pub struct Signer {
    account: Account,
    key: SecretKey,
}

impl Signer {
    pub(super) const fn new(account: Account, key: SecretKey) -> Self {
        Self { account, key }
    }

    /// The account that signs.
    #[must_use]
    pub const fn account(&self) -> Account {
        self.account
    }

    /// Signs a call with the read of its status. `certified` is S0.
    ///
    /// # Errors
    ///
    /// Another network than the account's, or another sender than the account.
    pub fn call(
        &self,
        network: NetworkId,
        call: &CallRequest,
        certified: Timestamp,
    ) -> Result<SignedCall, SignError> {
        self.only_on(network)?;
        Ok(SignedCall::sign(call, certified, &self.key)?)
    }

    /// Signs a query.
    ///
    /// # Errors
    ///
    /// As for [`Self::call`].
    pub fn query(&self, network: NetworkId, query: &QueryRequest) -> Result<Envelope, SignError> {
        self.seal(network, query)
    }

    /// Signs a read of the state tree.
    ///
    /// # Errors
    ///
    /// As for [`Self::call`].
    pub fn read_state(
        &self,
        network: NetworkId,
        read: &ReadStateRequest,
    ) -> Result<Envelope, SignError> {
        self.seal(network, read)
    }

    fn seal(&self, network: NetworkId, request: &impl Request) -> Result<Envelope, SignError> {
        self.only_on(network)?;
        Ok(Envelope::signed(request, &self.key)?)
    }

    fn only_on(&self, network: NetworkId) -> Result<(), SignError> {
        if self.account.network == network {
            Ok(())
        } else {
            Err(SignError::OtherNetwork)
        }
    }
}
