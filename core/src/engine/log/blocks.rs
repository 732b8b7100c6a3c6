//! Blocks of a range, from the ledger and its archives.
//!
//! A block that came by a query is one node's word until a chain of hashes joins it to a certified
//! tip; one that came by a replicated call is certified.

use super::transaction::Block;
use super::value::{bytes, field, given, whole};
use crate::engine::Wallet;
use crate::engine::reads::ReadFailure;
use crate::ids::{NetworkId, Principal};
use crate::ingress::Tip;
use crate::intent::Unreadable;
use crate::interface::{IDLValue, Interface};
use crate::ports::Ports;
use candid::types::Label;
use candid::types::value::IDLField;
use num_bigint::BigUint;

/// The block log of one ledger.
#[derive(Clone, Copy)]
pub(super) struct Log<'a> {
    pub(super) network: &'a NetworkId,
    pub(super) ledger: Principal,
    pub(super) interface: &'a Interface,
    pub(super) methods: &'static Methods,
}

/// By which methods a log is read.
pub(super) struct Methods {
    /// The certificate of the last block.
    tip: &'static str,
    /// Blocks of ranges.
    blocks: &'static str,
    /// Whether blocks carry their numbers and ranges come as a list (ICRC-3).
    numbered: bool,
}

/// ICRC-3, and the calls of ledgers that are older than it.
const METHODS: [Methods; 2] = [
    Methods {
        tip: "icrc3_get_tip_certificate",
        blocks: "icrc3_get_blocks",
        numbered: true,
    },
    Methods {
        tip: "get_data_certificate",
        blocks: "get_blocks",
        numbered: false,
    },
];

impl Methods {
    /// The methods of this interface, if it has a log that can be read.
    pub(super) fn of(interface: &Interface) -> Option<&'static Self> {
        METHODS.iter().find(|methods| {
            let has = |method: &str| interface.methods.contains_key(method);
            has(methods.tip) && has(methods.blocks)
        })
    }
}

/// How a canister is asked.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum How {
    /// By a query: one node answers, at once.
    Query,
    /// As an update: the answer is certified.
    Replicated,
}

/// A run of blocks that another canister keeps.
struct Archived {
    canister: Principal,
    method: String,
    start: BigUint,
    length: BigUint,
}

impl<P: Ports> Wallet<P> {
    async fn ask_log(
        &self,
        how: How,
        log: Log<'_>,
        canister: Principal,
        method: &str,
        arg: &[u8],
    ) -> Result<Vec<u8>, Unreadable> {
        let answer: Result<Vec<u8>, ReadFailure> = match how {
            How::Query => self.query(log.network, canister, method, arg).await,
            How::Replicated => {
                self.replicated_read(log.network, canister, method, arg)
                    .await
            }
        };
        answer.map_err(|_| Unreadable::NoAnswer)
    }

    /// The certified end of a log.
    pub(super) async fn read_tip(&self, log: Log<'_>) -> Result<Tip, Unreadable> {
        let method = log.methods.tip;
        let tuple = log.interface.args(method);
        let arg = tuple.and_then(|tuple| tuple.encode(&[]).ok());
        let arg = arg.ok_or(Unreadable::NoStrategy)?;
        let reply = self
            .ask_log(How::Query, log, log.ledger, method, &arg)
            .await?;
        let values = log.interface.results(method);
        let values = values.and_then(|results| results.decode(&reply).ok());
        let parts = values.as_deref().and_then(|values| {
            let [value] = values else { return None };
            let value = given(value)?;
            let certificate = field(value, "certificate").and_then(bytes)?;
            Some((certificate, field(value, "hash_tree").and_then(bytes)?))
        });
        let (certificate, tree) = parts.ok_or(Unreadable::NoAnswer)?;
        let certified = self.admit(log.network, log.ledger, &certificate).await;
        let certified = certified.map_err(|_| Unreadable::NoAnswer)?;
        certified
            .tip(log.ledger, &tree)
            .map_err(|_| Unreadable::NoAnswer)
    }

    /// So many blocks from `first` on, in order.
    pub(super) async fn read_blocks(
        &self,
        how: How,
        log: Log<'_>,
        first: u64,
        count: usize,
    ) -> Result<Vec<Block>, Unreadable> {
        let mut blocks: Vec<Option<Block>> = Vec::new();
        blocks.resize_with(count, || None);
        while let Some(gap) = blocks.iter().position(Option::is_none) {
            let missing = blocks.iter().skip(gap).take_while(|block| block.is_none());
            let (start, length) = (BigUint::from(first) + gap, BigUint::from(missing.count()));
            let mut came = Vec::new();
            let elsewhere = self
                .read_range(
                    how,
                    log,
                    log.ledger,
                    log.methods.blocks,
                    (&start, &length),
                    &mut came,
                )
                .await?;
            if !elsewhere.is_empty() {
                let archives = self.archives(how, log).await?;
                for part in elsewhere {
                    if !archives.contains(&part.canister) {
                        return Err(Unreadable::NoAnswer);
                    }
                    let range = (&part.start, &part.length);
                    // An archive that names another one is asked no further.
                    self.read_range(how, log, part.canister, &part.method, range, &mut came)
                        .await?;
                }
            }
            let mut is_nearer = false;
            for (index, block) in came {
                let at = index
                    .checked_sub(first)
                    .and_then(|at| usize::try_from(at).ok());
                if let Some(place @ None) = at.and_then(|at| blocks.get_mut(at)) {
                    *place = Some(Block::read(&block).ok_or(Unreadable::Ambiguous)?);
                    is_nearer = true;
                }
            }
            if !is_nearer {
                return Err(Unreadable::NoAnswer);
            }
        }
        Ok(blocks.into_iter().flatten().collect())
    }

    /// Asks one canister for a range: the blocks that came, and where the others are.
    async fn read_range(
        &self,
        how: How,
        log: Log<'_>,
        canister: Principal,
        method: &str,
        range: (&BigUint, &BigUint),
        came: &mut Vec<(u64, IDLValue)>,
    ) -> Result<Vec<Archived>, Unreadable> {
        // An archive's method takes and gives what the ledger's does.
        let shape = log.methods.blocks;
        let arg = log.range_arg(range).ok_or(Unreadable::NoStrategy)?;
        let reply = self.ask_log(how, log, canister, method, &arg).await?;
        let results = log.interface.results(shape);
        let values = results.and_then(|results| results.decode(&reply).ok());
        let Some([value]) = values.as_deref() else {
            return Err(Unreadable::NoAnswer);
        };
        let read = log.numbered_blocks(value).zip(log.archived(value));
        let (blocks, elsewhere) = read.ok_or(Unreadable::NoAnswer)?;
        came.extend(blocks);
        Ok(elsewhere)
    }

    /// The canisters that the ledger names as its archives. An answer that names another one to ask
    /// is not believed.
    async fn archives(&self, how: How, log: Log<'_>) -> Result<Vec<Principal>, Unreadable> {
        const METHOD: &str = "icrc3_get_archives";
        let nobody = IDLValue::Record(vec![named("from", IDLValue::None)]);
        let arg = log.interface.args(METHOD);
        let arg = arg.and_then(|tuple| tuple.encode(&[nobody]).ok());
        let arg = arg.ok_or(Unreadable::NoAnswer)?;
        let reply = self.ask_log(how, log, log.ledger, METHOD, &arg).await?;
        let results = log.interface.results(METHOD);
        let values = results.and_then(|results| results.decode(&reply).ok());
        let Some([IDLValue::Vec(archives)]) = values.as_deref() else {
            return Err(Unreadable::NoAnswer);
        };
        let id = |archive| match field(archive, "canister_id") {
            Some(IDLValue::Principal(id)) => Some(*id),
            Some(_) | None => None,
        };
        Ok(archives.iter().filter_map(id).collect())
    }
}

impl Log<'_> {
    /// The argument that asks for a range.
    fn range_arg(&self, (start, length): (&BigUint, &BigUint)) -> Option<Vec<u8>> {
        let nat = |n: &BigUint| IDLValue::Nat(candid::Nat(n.clone()));
        let range = IDLValue::Record(vec![
            named("start", nat(start)),
            named("length", nat(length)),
        ]);
        let arg = if self.methods.numbered {
            IDLValue::Vec(vec![range])
        } else {
            range
        };
        self.interface
            .args(self.methods.blocks)?
            .encode(&[arg])
            .ok()
    }

    /// The blocks in an answer, with their numbers.
    fn numbered_blocks(&self, answer: &IDLValue) -> Option<Vec<(u64, IDLValue)>> {
        let blocks = list(answer, "blocks")?;
        let number = |n: &IDLValue| whole(n).and_then(|n| u64::try_from(n).ok());
        if self.methods.numbered {
            let blocks = blocks
                .iter()
                .map(|b| Some((number(field(b, "id")?)?, field(b, "block")?.clone())));
            return blocks.collect();
        }
        let first = field(answer, "first_index").and_then(number)?;
        Some((first..).zip(blocks.iter().cloned()).collect())
    }

    /// The runs of blocks that an answer says are elsewhere. The archives of ledgers older than
    /// ICRC-3 answer in another shape and are not read.
    fn archived(&self, answer: &IDLValue) -> Option<Vec<Archived>> {
        let parts = list(answer, "archived_blocks")?;
        if !self.methods.numbered {
            return parts.is_empty().then(Vec::new);
        }
        let mut archived = Vec::new();
        for part in parts {
            let IDLValue::Func(canister, method) = field(part, "callback")? else {
                return None;
            };
            for range in list(part, "args")? {
                archived.push(Archived {
                    canister: *canister,
                    method: method.clone(),
                    start: whole(field(range, "start")?)?,
                    length: whole(field(range, "length")?)?,
                });
            }
        }
        Some(archived)
    }
}

fn named(name: &str, val: IDLValue) -> IDLField {
    IDLField {
        id: Label::Named(name.to_owned()),
        val,
    }
}

fn list<'a>(record: &'a IDLValue, name: &str) -> Option<&'a [IDLValue]> {
    match field(record, name)? {
        IDLValue::Vec(items) => Some(items),
        _ => None,
    }
}
