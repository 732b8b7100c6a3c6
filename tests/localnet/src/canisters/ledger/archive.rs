//! An archive: the canister that a ledger made for the oldest of its blocks. It certifies nothing,
//! and knows only its own blocks.

use super::{
    blocks::Block,
    reading::{ICRC3_BLOCKS, OLDER_BLOCKS, block_types},
    types::SupportedBlockType,
};
use crate::{
    canisters::{
        Call, Canister,
        log::{self, asked},
        service::{Builder, Service},
    },
    network::Reject,
};
use candid::{Nat, Principal};
use icrc_ledger_types::icrc3::{
    archive::{GetArchivesArgs, GetArchivesResult},
    blocks::{BlockRange, BlockWithId, GetBlocksRequest, GetBlocksResult, ICRC3DataCertificate},
    transactions::{GetTransactionsRequest, Transaction, TransactionRange},
};
use sha2::{Digest as _, Sha256};
use std::sync::LazyLock;

/// An archive of this ledger.
pub type Archive = log::Archive<Block>;

impl Archive {
    /// What is shown of a range, which must not begin before the archive does.
    fn found(
        &self,
        call: &Call<'_>,
        start: &Nat,
        length: &Nat,
        cap: u64,
    ) -> Result<Vec<(u64, Block)>, Reject> {
        let first = self.range().start;
        if *start < first {
            return Err(Reject::trap(format!(
                "requested index {start} is less than the minimal index {first} this archive serves"
            )));
        }
        let range = asked(start, length, cap, self.range().end);
        Ok(self.shown(&range, call.shown))
    }

    fn icrc3_get_blocks(
        &self,
        call: &Call<'_>,
        ranges: Vec<GetBlocksRequest>,
    ) -> Result<GetBlocksResult, Reject> {
        let mut blocks = Vec::new();
        for GetBlocksRequest { start, length } in ranges {
            let room = ICRC3_BLOCKS.saturating_sub(blocks.len() as u64);
            for (id, block) in self.found(call, &start, &length, room)? {
                blocks.push(BlockWithId {
                    id: id.into(),
                    block: block.value.into(),
                });
            }
        }
        Ok(GetBlocksResult {
            // It has never heard of the others.
            log_length: self.len().into(),
            blocks,
            archived_blocks: vec![],
        })
    }

    fn get_blocks(&self, call: &Call<'_>, arg: GetBlocksRequest) -> Result<BlockRange, Reject> {
        let found = self.found(call, &arg.start, &arg.length, OLDER_BLOCKS)?;
        let blocks = found.into_iter().map(|(_, block)| block.value).collect();
        Ok(BlockRange { blocks })
    }

    fn get_transactions(
        &self,
        call: &Call<'_>,
        arg: GetTransactionsRequest,
    ) -> Result<TransactionRange, Reject> {
        let found = self.found(call, &arg.start, &arg.length, OLDER_BLOCKS)?;
        let transactions = found.into_iter().map(|(_, block)| block.transaction);
        Ok(TransactionRange {
            transactions: transactions.collect(),
        })
    }

    fn get_transaction(&self, call: &Call<'_>, index: u64) -> Option<Transaction> {
        let found = self.found(call, &index.into(), &1u8.into(), 1).ok()?;
        found.into_iter().map(|(_, block)| block.transaction).next()
    }
}

/// The production archive's interface without `append_blocks`, which only its ledger may call.
static SERVICE: LazyLock<Service<Archive>> = LazyLock::new(|| {
    let service = Builder::new()
        .installed_with::<Principal>()
        .installed_with::<u64>()
        .installed_with::<Option<u64>>()
        .installed_with::<Option<u64>>()
        .query_or_trap("get_blocks", Archive::get_blocks)
        .query("get_transaction", Archive::get_transaction)
        .query_or_trap("get_transactions", Archive::get_transactions)
        .query("icrc3_get_archives", |_, _, _: GetArchivesArgs| {
            GetArchivesResult::new()
        })
        .query_or_trap("icrc3_get_blocks", Archive::icrc3_get_blocks)
        .read("icrc3_get_tip_certificate", |_, _| {
            None::<ICRC3DataCertificate>
        })
        .read(
            "icrc3_supported_block_types",
            |_, _| -> Vec<SupportedBlockType> { block_types() },
        )
        .read("remaining_capacity", |_, _| u64::MAX);
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
        Sha256::digest("countersign-localnet archive").into()
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
