//! Reading the log: ICRC-3, and the older calls of the production ledger. What lies in an archive is
//! answered by where to ask for it.

use super::{Ledger, types::SupportedBlockType};
use crate::{
    canisters::{
        Call, Past,
        log::{Elsewhere, asked},
    },
    faults::Shown,
    network::leb128,
};
use candid::{CandidType, Nat, Principal};
use ic_certification::{HashTree, hash_tree};
use icrc_ledger_types::icrc3::{
    archive::{
        ArchiveInfo, ArchivedRange, GetArchivesArgs, GetArchivesResult, ICRC3ArchiveInfo,
        QueryArchiveFn,
    },
    blocks::{
        ArchivedBlocks, BlockWithId, DataCertificate, GetBlocksRequest, GetBlocksResponse,
        GetBlocksResult, ICRC3DataCertificate,
    },
    transactions::{GetTransactionsRequest, GetTransactionsResponse},
};
use serde_bytes::ByteBuf;
use std::collections::BTreeMap;

/// How many blocks one answer of `icrc3_get_blocks` holds.
pub(super) const ICRC3_BLOCKS: u64 = 100;
/// How many blocks or transactions one answer of the older calls holds.
pub(super) const OLDER_BLOCKS: u64 = 2_000;

impl Ledger {
    /// The tree whose hash the ledger has certified: index and hash of the last block.
    pub(super) fn tip(&self, shown: Shown) -> HashTree {
        let len = self.log.shown_len(shown);
        match self.log.before(len) {
            None => hash_tree::empty(),
            Some(block) => hash_tree::fork(
                hash_tree::label("last_block_hash", hash_tree::leaf(block.hash)),
                hash_tree::label("last_block_index", hash_tree::leaf(leb128(len - 1))),
            ),
        }
    }

    /// What was certified when there were at least so many blocks fewer.
    pub(super) fn tip_before(&self, blocks: u64) -> Option<Past> {
        Some(Past {
            time: self.log.moment_before(blocks)?,
            certified_data: self.tip(Shown::Behind(blocks)).digest().to_vec(),
        })
    }

    fn tip_bytes(&self, shown: Shown) -> ByteBuf {
        let mut bytes = vec![0xd9, 0xd9, 0xf7];
        ciborium::into_writer(&self.tip(shown), &mut bytes)
            .expect("writing to memory does not fail");
        ByteBuf::from(bytes)
    }

    pub(super) fn icrc3_get_tip_certificate(
        &self,
        call: &Call<'_>,
    ) -> Option<ICRC3DataCertificate> {
        self.log.before(self.log.shown_len(call.shown))?;
        Some(ICRC3DataCertificate {
            certificate: ByteBuf::from(call.certificate?()),
            hash_tree: self.tip_bytes(call.shown),
        })
    }

    pub(super) fn get_data_certificate(&self, call: &Call<'_>) -> DataCertificate {
        DataCertificate {
            certificate: call.certificate.map(|make| ByteBuf::from(make())),
            hash_tree: self.tip_bytes(call.shown),
        }
    }

    pub(super) fn icrc3_get_blocks(
        &self,
        call: &Call<'_>,
        ranges: Vec<GetBlocksRequest>,
    ) -> GetBlocksResult {
        let len = self.log.shown_len(call.shown);
        let mut blocks = Vec::new();
        let mut archived: BTreeMap<Principal, Vec<GetBlocksRequest>> = BTreeMap::new();
        for GetBlocksRequest { start, length } in ranges {
            // What lies in archives is cut to the same hundred, but does not use them up.
            let room = ICRC3_BLOCKS.saturating_sub(blocks.len() as u64);
            let range = asked(&start, &length, room, len);
            let (_, own, elsewhere) = self.log.parts(call.shown, &range, room);
            blocks.extend(own.into_iter().map(|(id, block)| BlockWithId {
                id: id.into(),
                block: block.value.into(),
            }));
            for (archive, part) in elsewhere {
                archived.entry(archive).or_default().push(GetBlocksRequest {
                    start: part.start.into(),
                    length: (part.end - part.start).into(),
                });
            }
        }
        let archived = archived.into_iter().map(|(archive, args)| ArchivedBlocks {
            args,
            callback: QueryArchiveFn::new(archive, "icrc3_get_blocks"),
        });
        GetBlocksResult {
            log_length: len.into(),
            blocks,
            archived_blocks: archived.collect(),
        }
    }

    pub(super) fn icrc3_get_archives(
        &self,
        _: &Call<'_>,
        arg: GetArchivesArgs,
    ) -> GetArchivesResult {
        let archives = self.log.archives().iter();
        archives
            .filter(|archive| arg.from.is_none_or(|from| archive.id() > from))
            .map(|archive| ICRC3ArchiveInfo {
                canister_id: archive.id(),
                start: archive.range().start.into(),
                end: (archive.range().end - 1).into(),
            })
            .collect()
    }

    pub(super) fn icrc3_supported_block_types(&self, _: &Call<'_>) -> Vec<SupportedBlockType> {
        block_types()
    }

    pub(super) fn archives(&self, _: &Call<'_>) -> Vec<ArchiveInfo> {
        let archives = self.log.archives().iter();
        archives
            .map(|archive| ArchiveInfo {
                canister_id: archive.id(),
                block_range_start: archive.range().start.into(),
                block_range_end: (archive.range().end - 1).into(),
            })
            .collect()
    }

    pub(super) fn get_blocks(&self, call: &Call<'_>, arg: GetBlocksRequest) -> GetBlocksResponse {
        let len = self.log.shown_len(call.shown);
        let range = asked(&arg.start, &arg.length, u64::MAX, len);
        let (first, found, elsewhere) = self.log.parts(call.shown, &range, OLDER_BLOCKS);
        GetBlocksResponse {
            first_index: first.into(),
            chain_length: len,
            certificate: call.certificate.map(|make| ByteBuf::from(make())),
            blocks: found.into_iter().map(|(_, block)| block.value).collect(),
            archived_blocks: callbacks(elsewhere, "get_blocks"),
        }
    }

    pub(super) fn get_transactions(
        &self,
        call: &Call<'_>,
        arg: GetTransactionsRequest,
    ) -> GetTransactionsResponse {
        let len = self.log.shown_len(call.shown);
        let range = asked(&arg.start, &arg.length, u64::MAX, len);
        let (first, found, elsewhere) = self.log.parts(call.shown, &range, OLDER_BLOCKS);
        let transactions = found.into_iter().map(|(_, block)| block.transaction);
        GetTransactionsResponse {
            log_length: Nat::from(len),
            first_index: first.into(),
            transactions: transactions.collect(),
            archived_transactions: callbacks(elsewhere, "get_transactions"),
        }
    }
}

/// The parts in archives as the older calls tell them.
fn callbacks<I: CandidType, O: CandidType>(
    parts: Vec<Elsewhere>,
    method: &str,
) -> Vec<ArchivedRange<QueryArchiveFn<I, O>>> {
    let parts = parts.into_iter();
    parts
        .map(|(archive, part)| ArchivedRange {
            start: part.start.into(),
            length: (part.end - part.start).into(),
            callback: QueryArchiveFn::new(archive, method),
        })
        .collect()
}

/// The types of block that occur in the log.
pub(super) fn block_types() -> Vec<SupportedBlockType> {
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

/// Where a standard is written down.
pub(super) fn standard_url(name: &str) -> String {
    let repository = match name {
        "ICRC-1" | "ICRC-2" | "ICRC-3" => "ICRC-1/tree/main/standards",
        _ => "ICRC/blob/main/ICRCs",
    };
    format!("https://github.com/dfinity/{repository}/{name}")
}
