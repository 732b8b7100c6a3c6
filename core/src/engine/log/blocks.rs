//! Blocks of a range, from the ledger and its archives.
//!
//! A block that came by a query is one node's word until a chain of hashes joins it to a certified
//! tip; one that came by a replicated call is certified.

use super::icp;
use super::transaction::Block;
use super::value::{bytes, case, field, given, whole};
use crate::engine::Wallet;
use crate::engine::reads::ReadFailure;
use crate::ids::{ContentHash, NetworkId, Principal};
use crate::ingress::Tip;
use crate::intent::Unreadable;
use crate::interface::{IDLValue, Interface, Tuple};
use crate::ports::{Clock as _, Ports};
use crate::time::{Span, Timestamp};
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
    /// When, by the worker's clock, nothing more is asked in this look.
    pub(super) until: Span,
}

/// By which methods a log is read.
pub(super) struct Methods {
    /// The certificate of the last block; where there is none that names its index, blocks come by
    /// replicated calls.
    tip: Option<&'static str>,
    /// Blocks of ranges.
    blocks: &'static str,
    /// The canisters that keep older blocks.
    archives: &'static str,
    /// The shape of ranges and blocks.
    pub(super) shape: Shape,
}

/// The shape of a log.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Shape {
    /// ICRC-3: blocks carry their numbers, ranges come as a list.
    Icrc3,
    /// The calls of ledgers that are older than it, with the same blocks.
    Older,
    /// The ICP ledger's blocks.
    Icp,
}

const METHODS: [Methods; 3] = [
    Methods {
        tip: Some("icrc3_get_tip_certificate"),
        blocks: "icrc3_get_blocks",
        archives: "icrc3_get_archives",
        shape: Shape::Icrc3,
    },
    Methods {
        tip: Some("get_data_certificate"),
        blocks: "get_blocks",
        archives: "archives",
        shape: Shape::Older,
    },
    Methods {
        tip: None,
        blocks: "query_blocks",
        archives: "archives",
        shape: Shape::Icp,
    },
];

/// The methods by which archives are asked. Another one could have an effect.
const ARCHIVE_METHODS: [&str; 2] = ["icrc3_get_blocks", "get_blocks"];

/// How many archives one answer may name.
const MOST_PARTS: usize = 16;

impl Methods {
    /// How many blocks are asked for at once: about what ledgers give in one answer.
    pub(super) const fn page(&self) -> u64 {
        match self.shape {
            Shape::Icrc3 => 100,
            Shape::Older | Shape::Icp => 1_000,
        }
    }

    /// The methods of this interface, if it has a log that can be read.
    pub(super) fn of(interface: &Interface) -> Option<&'static Self> {
        METHODS.iter().find(|methods| {
            let has = |method: &str| interface.methods.contains_key(method);
            methods.tip.is_none_or(has) && has(methods.blocks)
        })
    }
}

/// The certified end of a log.
pub(super) struct End {
    /// Number of blocks.
    pub(super) length: u64,
    /// Hash of the last one, where it is certified: blocks joined to it by their hashes are.
    pub(super) hash: Option<ContentHash>,
    /// Certified time that is not later than the state.
    pub(super) at: Timestamp,
}

impl End {
    /// How blocks below it are asked for.
    pub(super) const fn how(&self) -> How {
        match self.hash {
            Some(_) => How::Query,
            None => How::Replicated,
        }
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
        if self.ports.clock().monotonic() > log.until {
            return Err(Unreadable::TooLong);
        }
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
    pub(super) async fn read_end(&self, log: Log<'_>) -> Result<End, Unreadable> {
        if log.methods.tip.is_some() {
            let tip = self.read_tip(log).await?;
            return Ok(End {
                length: tip.length,
                hash: Some(tip.hash),
                at: tip.at,
            });
        }
        // The call is executed after this time, and its answer is certified.
        let at = self.certified_time(log.network, log.ledger).await;
        let at = at.map_err(|_| Unreadable::NoAnswer)?;
        let nothing = (&BigUint::ZERO, &BigUint::ZERO);
        let tuples = log.own_tuples().ok_or(Unreadable::NoStrategy)?;
        let method = log.methods.blocks;
        let answer = self
            .ask_range(How::Replicated, log, log.ledger, method, &tuples, nothing)
            .await?;
        let length = field(&answer, "chain_length").and_then(number);
        Ok(End {
            length: length.ok_or(Unreadable::NoAnswer)?,
            hash: None,
            at,
        })
    }

    /// The tip that a ledger certifies.
    pub(super) async fn read_tip(&self, log: Log<'_>) -> Result<Tip, Unreadable> {
        let method = log.methods.tip.ok_or(Unreadable::NoStrategy)?;
        let value = self.ask_plainly(How::Query, log, method, &[]).await?;
        let value = given(&value).ok_or(Unreadable::NoAnswer)?;
        let part = |name| {
            field(value, name)
                .and_then(bytes)
                .ok_or(Unreadable::NoAnswer)
        };
        let (certificate, tree) = (part("certificate")?, part("hash_tree")?);
        let certified = self.admit(log.network, log.ledger, &certificate).await;
        let certified = certified.map_err(|_| Unreadable::NoAnswer)?;
        certified
            .tip(log.ledger, &tree)
            .map_err(|_| Unreadable::NoAnswer)
    }

    /// Asks the ledger by one of its methods; its one value.
    async fn ask_plainly(
        &self,
        how: How,
        log: Log<'_>,
        method: &str,
        args: &[IDLValue],
    ) -> Result<IDLValue, Unreadable> {
        let arg = log.interface.args(method);
        let arg = arg.and_then(|tuple| tuple.encode(args).ok());
        let arg = arg.ok_or(Unreadable::NoStrategy)?;
        let reply = self.ask_log(how, log, log.ledger, method, &arg).await?;
        let results = log.interface.results(method);
        let values = results.and_then(|results| results.decode(&reply).ok());
        only(values).ok_or(Unreadable::NoAnswer)
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
            let (mut came, elsewhere) = self.read_own(how, log, (&start, &length)).await?;
            if elsewhere.len() > MOST_PARTS {
                return Err(Unreadable::NoAnswer);
            }
            if !elsewhere.is_empty() {
                let archives = self.archives(how, log).await?;
                for part in elsewhere {
                    let method = part.method.as_str();
                    if !archives.contains(&part.canister) || !ARCHIVE_METHODS.contains(&method) {
                        return Err(Unreadable::NoAnswer);
                    }
                    came.extend(self.read_archived(how, log, &part).await?);
                }
            }
            let mut is_nearer = false;
            for (index, block) in came {
                let at = index
                    .checked_sub(first)
                    .and_then(|at| usize::try_from(at).ok());
                if let Some(place @ None) = at.and_then(|at| blocks.get_mut(at)) {
                    *place = Some(log.block(&block).ok_or(Unreadable::Ambiguous)?);
                    is_nearer = true;
                }
            }
            if !is_nearer {
                return Err(Unreadable::NoAnswer);
            }
        }
        Ok(blocks.into_iter().flatten().collect())
    }

    /// The blocks of a range that the ledger has itself, and where the others are.
    async fn read_own(
        &self,
        how: How,
        log: Log<'_>,
        range: (&BigUint, &BigUint),
    ) -> Result<(Vec<(u64, IDLValue)>, Vec<Archived>), Unreadable> {
        let tuples = log.own_tuples().ok_or(Unreadable::NoStrategy)?;
        let method = log.methods.blocks;
        let answer = self
            .ask_range(how, log, log.ledger, method, &tuples, range)
            .await?;
        let first = match log.methods.shape {
            Shape::Icrc3 => None,
            Shape::Older => field(&answer, "first_index").and_then(number),
            Shape::Icp => field(&answer, "first_block_index").and_then(number),
        };
        let read = log.numbered(&answer, first).zip(log.archived(&answer));
        read.ok_or(Unreadable::NoAnswer)
    }

    /// The blocks that an archive keeps. One that names another is asked no further.
    async fn read_archived(
        &self,
        how: How,
        log: Log<'_>,
        part: &Archived,
    ) -> Result<Vec<(u64, IDLValue)>, Unreadable> {
        let method = log.methods.blocks;
        let tuples = log
            .interface
            .callback(method, "archived_blocks", "callback");
        let tuples = tuples.ok_or(Unreadable::NoStrategy)?;
        let range = (&part.start, &part.length);
        let answer = self
            .ask_range(how, log, part.canister, &part.method, &tuples, range)
            .await?;
        let answer = match log.methods.shape {
            Shape::Icrc3 | Shape::Older => Some(answer),
            Shape::Icp => case(&answer, "Ok").cloned(),
        };
        let first = u64::try_from(&part.start).ok();
        let blocks = answer.and_then(|answer| log.numbered(&answer, first));
        blocks.ok_or(Unreadable::NoAnswer)
    }

    /// Asks one canister for a range; its one value.
    async fn ask_range(
        &self,
        how: How,
        log: Log<'_>,
        canister: Principal,
        method: &str,
        (args, results): &(Tuple, Tuple),
        range: (&BigUint, &BigUint),
    ) -> Result<IDLValue, Unreadable> {
        let arg = log.range(range).ok_or(Unreadable::NoAnswer)?;
        let arg = args.encode(&[arg]).map_err(|_| Unreadable::NoStrategy)?;
        let reply = self.ask_log(how, log, canister, method, &arg).await?;
        only(results.decode(&reply).ok()).ok_or(Unreadable::NoAnswer)
    }

    /// The canisters that the ledger names as its archives. An answer that names another one to ask
    /// is not believed.
    async fn archives(&self, how: How, log: Log<'_>) -> Result<Vec<Principal>, Unreadable> {
        let nobody = IDLValue::Record(vec![named("from", IDLValue::None)]);
        let args = match log.methods.shape {
            Shape::Icrc3 => vec![nobody],
            Shape::Older | Shape::Icp => Vec::new(),
        };
        let method = log.methods.archives;
        let answer = self.ask_plainly(how, log, method, &args).await?;
        let archives = match &answer {
            IDLValue::Vec(archives) => Some(archives.as_slice()),
            answer => list(answer, "archives"),
        };
        let id = |archive| match field(archive, "canister_id") {
            Some(IDLValue::Principal(id)) => Some(*id),
            Some(_) | None => None,
        };
        let archives = archives.ok_or(Unreadable::NoAnswer)?;
        Ok(archives.iter().filter_map(id).collect())
    }
}

impl Log<'_> {
    /// What the ledger takes and gives where it is asked for blocks.
    fn own_tuples(&self) -> Option<(Tuple, Tuple)> {
        let method = self.methods.blocks;
        self.interface
            .args(method)
            .zip(self.interface.results(method))
    }

    /// The value that asks for a range.
    fn range(&self, (start, length): (&BigUint, &BigUint)) -> Option<IDLValue> {
        let n = |n: &BigUint| match self.methods.shape {
            Shape::Icrc3 | Shape::Older => Some(IDLValue::Nat(candid::Nat(n.clone()))),
            Shape::Icp => u64::try_from(n).ok().map(IDLValue::Nat64),
        };
        let range = vec![named("start", n(start)?), named("length", n(length)?)];
        let range = IDLValue::Record(range);
        Some(match self.methods.shape {
            Shape::Icrc3 => IDLValue::Vec(vec![range]),
            Shape::Older | Shape::Icp => range,
        })
    }

    fn block(&self, value: &IDLValue) -> Option<Block> {
        match self.methods.shape {
            Shape::Icrc3 | Shape::Older => Block::read(value),
            Shape::Icp => icp::block(value),
        }
    }

    /// The blocks in an answer, with their numbers: their own, or from `first` on.
    fn numbered(&self, answer: &IDLValue, first: Option<u64>) -> Option<Vec<(u64, IDLValue)>> {
        let blocks = list(answer, "blocks")?.iter();
        match self.methods.shape {
            Shape::Icrc3 => blocks
                .map(|b| Some((number(field(b, "id")?)?, field(b, "block")?.clone())))
                .collect(),
            Shape::Older | Shape::Icp => Some((first?..).zip(blocks.cloned()).collect()),
        }
    }

    /// The runs of blocks that an answer says are elsewhere.
    fn archived(&self, answer: &IDLValue) -> Option<Vec<Archived>> {
        let mut archived = Vec::new();
        for part in list(answer, "archived_blocks")? {
            let IDLValue::Func(canister, method) = field(part, "callback")? else {
                return None;
            };
            let ranges = match self.methods.shape {
                Shape::Icrc3 => list(part, "args")?,
                Shape::Older | Shape::Icp => std::slice::from_ref(part),
            };
            for range in ranges {
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

fn number(n: &IDLValue) -> Option<u64> {
    whole(n).and_then(|n| u64::try_from(n).ok())
}

fn only(values: Option<Vec<IDLValue>>) -> Option<IDLValue> {
    let mut values = values?.into_iter();
    values.next().filter(|_| values.next().is_none())
}

fn list<'a>(record: &'a IDLValue, name: &str) -> Option<&'a [IDLValue]> {
    match field(record, name)? {
        IDLValue::Vec(items) => Some(items),
        _ => None,
    }
}
