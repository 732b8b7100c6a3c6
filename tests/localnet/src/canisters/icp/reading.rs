//! Reading the ICP ledger's log: `query_blocks`, whose certificate is over the last block's hash
//! alone, and the archives it names.

use super::{
    Icp,
    blocks::{Block, ShownBlock},
};
use crate::{
    canisters::{
        Call, Canister,
        log::{self, Elsewhere, asked_plainly},
        service::{Builder, Service},
    },
    faults::Shown,
    network::Reject,
};
use candid::{CandidType, Deserialize, Principal};
use icrc_ledger_types::icrc3::archive::QueryArchiveFn;
use serde_bytes::ByteBuf;
use sha2::{Digest as _, Sha256};
use std::sync::LazyLock;

/// How many blocks one answer holds.
const BLOCKS: u64 = 2_000;

/// Which blocks.
#[derive(CandidType, Clone, Copy, Debug, Deserialize)]
pub struct GetBlocksArgs {
    /// The index of the first.
    pub start: u64,
    /// How many.
    pub length: u64,
}

/// Why an archive gives none.
#[derive(CandidType, Clone, Debug, Deserialize, Eq, PartialEq)]
pub enum QueryArchiveError {
    /// They begin before the archive does.
    BadFirstBlockIndex {
        /// Where they begin.
        requested_index: u64,
        /// Where the archive does.
        first_valid_index: u64,
    },
    /// Something else.
    Other {
        /// Its number.
        error_code: u64,
        /// What it is.
        error_message: String,
    },
}

/// Blocks in a row.
#[derive(CandidType, Clone, Debug, Deserialize)]
pub struct BlockRange {
    /// The blocks.
    pub blocks: Vec<ShownBlock>,
}

type Shows = Result<BlockRange, QueryArchiveError>;
type Encoded = Result<Vec<ByteBuf>, QueryArchiveError>;

/// A part of a log that lies in an archive, and whom to ask for it.
#[derive(CandidType, Clone, Debug, Deserialize)]
pub struct ArchivedRange<R: CandidType> {
    /// Its first index.
    pub start: u64,
    /// Its length.
    pub length: u64,
    /// Whom to ask.
    pub callback: QueryArchiveFn<GetBlocksArgs, R>,
}

/// The answer of `query_blocks`.
#[derive(CandidType, Clone, Debug, Deserialize)]
pub struct QueryBlocksResponse {
    /// How many blocks there are.
    pub chain_length: u64,
    /// A certificate over the hash of the last one.
    pub certificate: Option<ByteBuf>,
    /// Those that the ledger itself has.
    pub blocks: Vec<ShownBlock>,
    /// The index of the first of them.
    pub first_block_index: u64,
    /// Where the others are.
    pub archived_blocks: Vec<ArchivedRange<Shows>>,
}

/// The answer of `query_encoded_blocks`.
#[derive(CandidType, Clone, Debug, Deserialize)]
pub struct QueryEncodedBlocksResponse {
    /// How many blocks there are.
    pub chain_length: u64,
    /// A certificate over the hash of the last one.
    pub certificate: Option<ByteBuf>,
    /// Those that the ledger itself has: what is hashed.
    pub blocks: Vec<ByteBuf>,
    /// The index of the first of them.
    pub first_block_index: u64,
    /// Where the others are.
    pub archived_blocks: Vec<ArchivedRange<Encoded>>,
}

/// The answer of `tip_of_chain`.
#[derive(CandidType, Clone, Debug, Deserialize)]
pub struct TipOfChain {
    /// A certificate over the hash of the last block.
    pub certification: Option<ByteBuf>,
    /// Its index.
    pub tip_index: u64,
}

/// The answer of `archives`.
#[derive(CandidType, Clone, Debug, Deserialize)]
pub(super) struct Archives {
    /// One each.
    archives: Vec<ArchiveInfo>,
}

/// An archive.
#[derive(CandidType, Clone, Debug, Deserialize)]
pub(super) struct ArchiveInfo {
    /// Which canister it is.
    canister_id: Principal,
}

fn archived<R: CandidType>(parts: Vec<Elsewhere>, method: &str) -> Vec<ArchivedRange<R>> {
    let parts = parts.into_iter();
    parts
        .map(|(archive, part)| ArchivedRange {
            start: part.start,
            length: part.end - part.start,
            callback: QueryArchiveFn::new(archive, method),
        })
        .collect()
}

fn certified(call: &Call<'_>) -> Option<ByteBuf> {
    call.certificate.map(|make| ByteBuf::from(make()))
}

fn encoded(block: &Block) -> ByteBuf {
    ByteBuf::from(block.encode())
}

impl Icp {
    /// What it has certified: the hash of the last block, and nothing of its index.
    pub(super) fn tip(&self, shown: Shown) -> Vec<u8> {
        let last = self.log.before(self.log.shown_len(shown));
        last.map_or_else(Vec::new, |block| block.hash().to_vec())
    }

    pub(super) fn query_blocks(&self, call: &Call<'_>, arg: GetBlocksArgs) -> QueryBlocksResponse {
        let chain_length = self.log.shown_len(call.shown);
        let range = asked_plainly(arg.start, arg.length, u64::MAX, chain_length);
        let (first_block_index, own, rest) = self.log.parts(call.shown, &range, BLOCKS);
        QueryBlocksResponse {
            chain_length,
            certificate: certified(call),
            blocks: own.into_iter().map(|(_, block)| block.into()).collect(),
            first_block_index,
            archived_blocks: archived(rest, "get_blocks"),
        }
    }

    pub(super) fn query_encoded_blocks(
        &self,
        call: &Call<'_>,
        arg: GetBlocksArgs,
    ) -> QueryEncodedBlocksResponse {
        let chain_length = self.log.shown_len(call.shown);
        let range = asked_plainly(arg.start, arg.length, u64::MAX, chain_length);
        let (first_block_index, own, rest) = self.log.parts(call.shown, &range, BLOCKS);
        QueryEncodedBlocksResponse {
            chain_length,
            certificate: certified(call),
            blocks: own.iter().map(|(_, block)| encoded(block)).collect(),
            first_block_index,
            archived_blocks: archived(rest, "get_encoded_blocks"),
        }
    }

    pub(super) fn tip_of_chain(&self, call: &Call<'_>) -> TipOfChain {
        TipOfChain {
            certification: certified(call),
            tip_index: self.log.shown_len(call.shown).saturating_sub(1),
        }
    }

    pub(super) fn archives(&self, _: &Call<'_>) -> Archives {
        let archives = self.log.archives().iter();
        Archives {
            archives: archives
                .map(|archive| ArchiveInfo {
                    canister_id: archive.id(),
                })
                .collect(),
        }
    }
}

/// An archive of this ledger.
pub type Archive = log::Archive<Block>;

impl Archive {
    fn found(
        &self,
        call: &Call<'_>,
        arg: GetBlocksArgs,
    ) -> Result<Vec<(u64, Block)>, QueryArchiveError> {
        let range = self.range();
        if arg.start < range.start {
            return Err(QueryArchiveError::BadFirstBlockIndex {
                requested_index: arg.start,
                first_valid_index: range.start,
            });
        }
        let range = asked_plainly(arg.start, arg.length, BLOCKS, range.end);
        Ok(self.shown(&range, call.shown))
    }

    fn get_blocks(&self, call: &Call<'_>, arg: GetBlocksArgs) -> Shows {
        let found = self.found(call, arg)?.into_iter();
        let blocks = found.map(|(_, block)| block.into()).collect();
        Ok(BlockRange { blocks })
    }

    fn get_encoded_blocks(&self, call: &Call<'_>, arg: GetBlocksArgs) -> Encoded {
        let found = self.found(call, arg)?;
        Ok(found.iter().map(|(_, block)| encoded(block)).collect())
    }
}

static SERVICE: LazyLock<Service<Archive>> = LazyLock::new(|| {
    let service = Builder::new()
        .query("get_blocks", Archive::get_blocks)
        .query("get_encoded_blocks", Archive::get_encoded_blocks);
    service.build()
});

impl Canister for Archive {
    fn id(&self) -> Principal {
        self.id()
    }

    fn fork(&self) -> Box<dyn Canister> {
        Box::new(self.clone())
    }

    fn candid(&self) -> Option<String> {
        Some(SERVICE.candid().to_owned())
    }

    fn module_hash(&self) -> [u8; 32] {
        Sha256::digest("countersign-localnet icp archive").into()
    }

    fn certified_data(&self) -> Vec<u8> {
        vec![]
    }

    fn query(&self, call: &Call<'_>, method: &str, arg: &[u8]) -> Result<Vec<u8>, Reject> {
        SERVICE.answer(self, call, method, arg)
    }

    fn update(&mut self, call: &Call<'_>, method: &str, arg: &[u8]) -> Result<Vec<u8>, Reject> {
        SERVICE.execute(self, call, method, arg)
    }
}
