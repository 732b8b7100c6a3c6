//! Blocks of the ICP ledger: encoded with protobuf, chained by the hash of the encoding. ICRC-3 it
//! has not.

use super::account::AccountId;
use crate::{Nanos, canisters::log::Written};
use candid::{CandidType, Deserialize};
use serde_bytes::ByteBuf;
use sha2::{Digest as _, Sha256};

/// An amount of base units.
#[derive(CandidType, Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
pub struct Tokens {
    /// Base units.
    pub e8s: u64,
}

/// A point of time.
#[derive(CandidType, Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
pub struct TimeStamp {
    /// Nanoseconds since 1970.
    pub timestamp_nanos: Nanos,
}

/// What a transaction does.
#[derive(CandidType, Clone, Debug, Deserialize, Eq, PartialEq)]
pub enum Operation {
    /// From nobody.
    Mint {
        /// Who gets it.
        to: AccountId,
        /// How much.
        amount: Tokens,
    },
    /// To nobody.
    Burn {
        /// Whose it was.
        from: AccountId,
        /// Who did it in his place.
        spender: Option<AccountId>,
        /// How much.
        amount: Tokens,
    },
    /// From one to another.
    Transfer {
        /// Whose it was.
        from: AccountId,
        /// Who gets it.
        to: AccountId,
        /// How much.
        amount: Tokens,
        /// What it cost, stated by the caller or not.
        fee: Tokens,
        /// Who did it in his place.
        spender: Option<ByteBuf>,
    },
}

/// A transaction: what makes it the one it is. An account without subaccount and the one of zero
/// bytes are one account here, and a fee that was left out is the fee.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Transaction {
    /// What it does.
    pub operation: Operation,
    /// The number of `transfer`; 0 where the call was `icrc1_transfer`.
    pub memo: u64,
    /// The stamp.
    pub created_at_time: Option<Nanos>,
    /// The memo of `icrc1_transfer`.
    pub icrc1_memo: Option<Vec<u8>>,
}

/// A block.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Block {
    /// The hash of the one before.
    pub parent_hash: Option<[u8; 32]>,
    /// When it was written.
    pub timestamp: Nanos,
    /// What was done.
    pub transaction: Transaction,
}

/// A field of a protobuf message: bytes, with their length in front.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![(number << 3) | 2];
    out.extend(crate::network::leb128(bytes.len() as u64));
    out.extend_from_slice(bytes);
    out
}

/// A message whose one field is a number; nothing where it is zero.
fn number(n: u64) -> Vec<u8> {
    if n == 0 {
        return vec![];
    }
    [vec![1 << 3], crate::network::leb128(n)].concat()
}

fn account(number: u8, id: &[u8]) -> Vec<u8> {
    field(number, &field(1, id))
}

fn tokens(at: u8, tokens: Tokens) -> Vec<u8> {
    field(at, &number(tokens.e8s))
}

impl Transaction {
    /// Protobuf, as it stands in a block.
    fn encode(&self) -> Vec<u8> {
        let mut out = match &self.operation {
            Operation::Burn {
                from,
                spender,
                amount,
            } => {
                let mut burn = [account(1, from), tokens(3, *amount)].concat();
                burn.extend(spender.iter().flat_map(|spender| account(4, spender)));
                field(1, &burn)
            }
            Operation::Mint { to, amount } => {
                field(2, &[account(2, to), tokens(3, *amount)].concat())
            }
            Operation::Transfer {
                from,
                to,
                amount,
                fee,
                spender,
            } => {
                let parties = [account(1, from), account(2, to)].concat();
                let mut send = [parties, tokens(3, *amount), tokens(4, *fee)].concat();
                send.extend(spender.iter().flat_map(|spender| account(5, spender)));
                field(3, &send)
            }
        };
        out.extend(field(4, &number(self.memo)));
        if let Some(stamp) = self.created_at_time {
            out.extend(field(6, &number(stamp)));
        }
        if let Some(memo) = &self.icrc1_memo {
            out.extend(field(8, &field(1, memo)));
        }
        out
    }

    /// What it is recognised by.
    pub(super) fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.encode()).into()
    }
}

impl Block {
    /// Protobuf: what is stored and hashed.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        if let Some(parent) = &self.parent_hash {
            out.extend(field(1, &field(1, parent)));
        }
        out.extend(field(2, &number(self.timestamp)));
        out.extend(field(3, &self.transaction.encode()));
        out
    }

    /// The hash that the next block carries, and that the ledger has certified.
    #[must_use]
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.encode()).into()
    }
}

impl Written for Block {
    fn timestamp(&self) -> Nanos {
        self.timestamp
    }

    fn altered(&self) -> Self {
        let mut altered = self.clone();
        let (Operation::Mint { amount, .. }
        | Operation::Burn { amount, .. }
        | Operation::Transfer { amount, .. }) = &mut altered.transaction.operation;
        amount.e8s = amount.e8s.wrapping_add(1);
        altered
    }
}

/// A block as queries show it.
#[derive(CandidType, Clone, Debug, Deserialize, Eq, PartialEq)]
pub struct ShownBlock {
    /// The hash of the one before.
    pub parent_hash: Option<ByteBuf>,
    /// What was done.
    pub transaction: ShownTransaction,
    /// When it was written.
    pub timestamp: TimeStamp,
}

/// A transaction as queries show it.
#[derive(CandidType, Clone, Debug, Deserialize, Eq, PartialEq)]
pub struct ShownTransaction {
    /// The number of `transfer`.
    pub memo: u64,
    /// The memo of `icrc1_transfer`.
    pub icrc1_memo: Option<ByteBuf>,
    /// What it does.
    pub operation: Option<Operation>,
    /// The stamp; 0 where there is none.
    pub created_at_time: TimeStamp,
}

impl From<Block> for ShownBlock {
    fn from(block: Block) -> Self {
        let transaction = block.transaction;
        Self {
            parent_hash: block.parent_hash.map(|hash| ByteBuf::from(hash.to_vec())),
            transaction: ShownTransaction {
                memo: transaction.memo,
                icrc1_memo: transaction.icrc1_memo.map(ByteBuf::from),
                operation: Some(transaction.operation),
                created_at_time: TimeStamp {
                    timestamp_nanos: transaction.created_at_time.unwrap_or_default(),
                },
            },
            timestamp: TimeStamp {
                timestamp_nanos: block.timestamp,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_encoded_as_its_messages_are_numbered() {
        let block = Block {
            parent_hash: Some([7; 32]),
            timestamp: 300,
            transaction: Transaction {
                operation: Operation::Mint {
                    to: [9; 32],
                    amount: Tokens { e8s: 5 },
                },
                memo: 0,
                created_at_time: Some(1),
                icrc1_memo: Some(vec![0xaa]),
            },
        };
        let expected = [
            &[0x0a, 34, 0x0a, 32][..],
            &[7; 32],
            &[0x12, 3, 0x08, 0xac, 0x02],
            &[0x1a, 53],
            &[0x12, 40, 0x12, 34, 0x0a, 32],
            &[9; 32],
            &[0x1a, 2, 0x08, 5],
            &[0x22, 0],
            &[0x32, 2, 0x08, 1],
            &[0x42, 3, 0x0a, 1, 0xaa],
        ]
        .concat();
        assert_eq!(block.encode(), expected);
    }
}
