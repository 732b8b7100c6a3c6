//! Reading the log: ICRC-3, and the older calls of the production ledger. Nothing is archived.

use super::{Ledger, types::SupportedBlockType};
use crate::{canisters::Call, network::leb128};
use candid::Nat;
use ic_certification::{HashTree, hash_tree};
use icrc_ledger_types::icrc3::{
    archive::{ArchiveInfo, GetArchivesArgs, GetArchivesResult},
    blocks::{
        BlockWithId, DataCertificate, GetBlocksRequest, GetBlocksResponse, GetBlocksResult,
        ICRC3DataCertificate,
    },
    transactions::{GetTransactionsRequest, GetTransactionsResponse},
};
use serde_bytes::ByteBuf;

/// How many blocks one answer of `icrc3_get_blocks` holds.
const ICRC3_BLOCKS: u64 = 100;
/// How many blocks or transactions one answer of the older calls holds.
const OLDER_BLOCKS: u64 = 2_000;

impl Ledger {
    /// The tree whose hash the ledger has certified: index and hash of the last block.
    pub(super) fn tip(&self) -> HashTree {
        match self.log.last() {
            None => hash_tree::empty(),
            Some((index, block)) => hash_tree::fork(
                hash_tree::label("last_block_hash", hash_tree::leaf(block.hash)),
                hash_tree::label("last_block_index", hash_tree::leaf(leb128(index))),
            ),
        }
    }

    fn tip_bytes(&self) -> ByteBuf {
        let mut bytes = vec![0xd9, 0xd9, 0xf7];
        ciborium::into_writer(&self.tip(), &mut bytes).expect("writing to memory does not fail");
        ByteBuf::from(bytes)
    }

    pub(super) fn icrc3_get_tip_certificate(
        &self,
        call: &Call<'_>,
    ) -> Option<ICRC3DataCertificate> {
        self.log.last()?;
        Some(ICRC3DataCertificate {
            certificate: ByteBuf::from(call.certificate?()),
            hash_tree: self.tip_bytes(),
        })
    }

    pub(super) fn get_data_certificate(&self, call: &Call<'_>) -> DataCertificate {
        DataCertificate {
            certificate: call.certificate.map(|make| ByteBuf::from(make())),
            hash_tree: self.tip_bytes(),
        }
    }

    pub(super) fn icrc3_get_blocks(
        &self,
        _: &Call<'_>,
        ranges: Vec<GetBlocksRequest>,
    ) -> GetBlocksResult {
        let mut blocks = Vec::new();
        for GetBlocksRequest { start, length } in ranges {
            let room = ICRC3_BLOCKS - blocks.len() as u64;
            for (block, offset) in self.log.range(&start, &length, room).iter().zip(0u64..) {
                blocks.push(BlockWithId {
                    id: start.clone() + offset,
                    block: block.value.clone().into(),
                });
            }
        }
        GetBlocksResult {
            log_length: self.log.len().into(),
            blocks,
            archived_blocks: vec![],
        }
    }

    pub(super) fn icrc3_get_archives(&self, _: &Call<'_>, _: GetArchivesArgs) -> GetArchivesResult {
        vec![]
    }

    pub(super) fn icrc3_supported_block_types(&self, _: &Call<'_>) -> Vec<SupportedBlockType> {
        let of = |block_type: &str, standard: &str| SupportedBlockType {
            block_type: block_type.into(),
            url: standard_url(standard),
        };
        vec![
            of("1burn", "ICRC-1"),
            of("1mint", "ICRC-1"),
            of("1xfer", "ICRC-1"),
            of("2approve", "ICRC-2"),
            of("2xfer", "ICRC-2"),
        ]
    }

    pub(super) fn archives(&self, _: &Call<'_>) -> Vec<ArchiveInfo> {
        vec![]
    }

    pub(super) fn get_blocks(&self, call: &Call<'_>, arg: GetBlocksRequest) -> GetBlocksResponse {
        let found = self.log.range(&arg.start, &arg.length, OLDER_BLOCKS);
        GetBlocksResponse {
            first_index: arg.start.clone(),
            chain_length: self.log.len(),
            certificate: call.certificate.map(|make| ByteBuf::from(make())),
            blocks: found.iter().map(|block| block.value.clone()).collect(),
            archived_blocks: vec![],
        }
    }

    pub(super) fn get_transactions(
        &self,
        _: &Call<'_>,
        arg: GetTransactionsRequest,
    ) -> GetTransactionsResponse {
        let found = self.log.range(&arg.start, &arg.length, OLDER_BLOCKS);
        GetTransactionsResponse {
            log_length: Nat::from(self.log.len()),
            first_index: arg.start.clone(),
            transactions: found
                .iter()
                .map(|block| block.transaction.clone())
                .collect(),
            archived_transactions: vec![],
        }
    }
}

/// Where a standard is written down.
pub(super) fn standard_url(name: &str) -> String {
    let repository = match name {
        "ICRC-1" | "ICRC-2" | "ICRC-3" => "ICRC-1/tree/main/standards",
        _ => "ICRC/blob/main/ICRCs",
    };
    format!("https://github.com/dfinity/{repository}/{name}")
}
