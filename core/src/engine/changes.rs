//! Canisters that run other code than the person accepted: their tools are withheld until the
//! person has seen the change, and every site that has them is told.

use super::Wallet;
use super::reads::ReadFailure;
use super::record::{self, Stored};
use super::records::Canister;
use crate::ids::{ContentHash, NetworkId, Principal};
use crate::ingress::Path;
use crate::policy::Grant;
use crate::ports::{Clock as _, Ports};
use crate::time::{Span, Timestamp};

/// How long what was read of a canister's code is taken to stand, within one life of the worker.
const CODE_STANDS: Span = Span::from_mins(1);

impl<P: Ports> Wallet<P> {
    /// The code that a canister runs, with the certified time of that.
    pub(super) async fn read_module(
        &self,
        network: &NetworkId,
        id: Principal,
    ) -> Result<(Timestamp, Option<ContentHash>), ReadFailure> {
        let paths = vec![Path::time(), Path::module_hash(id)];
        let certified = self.read_state(network, id, paths).await?;
        let module = certified
            .module_hash(id)
            .map_err(|_| ReadFailure::NoAnswer)?;
        let uptime = self.ports.clock().monotonic();
        self.memory
            .borrow_mut()
            .modules_read
            .insert((*network, id), uptime);
        Ok((certified.time(), module))
    }

    /// The certified time at a canister, carried where its code was read within the last minute.
    /// `None` where it runs other code than the person accepted: its tools are withheld then.
    pub(super) async fn time_if_unchanged(
        &self,
        network: &NetworkId,
        id: Principal,
    ) -> Result<Option<Timestamp>, ReadFailure> {
        let uptime = self.ports.clock().monotonic();
        let read = self
            .memory
            .borrow()
            .modules_read
            .get(&(*network, id))
            .copied();
        let lately = read.is_some_and(|read| {
            uptime.as_nanos().saturating_sub(read.as_nanos()) < CODE_STANDS.as_nanos()
        });
        if let Some(now) = self.carried_time(network, id).filter(|_| lately) {
            return Ok(Some(now));
        }
        let (now, module) = self.read_module(network, id).await?;
        let accepted = self.load::<Canister>(&Canister::key_of(network, &id)).await;
        match accepted {
            Ok(Some(stored)) if stored.record.module != module => {
                self.withhold(&stored).await;
                Ok(None)
            }
            Ok(_) | Err(_) => Ok(Some(now)),
        }
    }

    /// A canister runs other code than was accepted: no site has its tools until the person has
    /// seen it anew.
    async fn withhold(&self, stored: &Stored<Canister>) {
        let Ok(writer) = self.writer().await else {
            return;
        };
        let withheld = Canister {
            withheld: true,
            ..stored.record.clone()
        };
        let now = self.ports.clock().host();
        let write = record::change(writer, now, stored.rev, &withheld);
        // What is not stored is read again at the next call, which is not carried out either.
        self.memory
            .borrow_mut()
            .modules_read
            .remove(&(withheld.network, withheld.id));
        if self.put(vec![write], "withhold").await.is_ok() {
            self.canister_changed(&withheld.network, &withheld.id).await;
        }
    }

    /// What is accepted of a canister changed: every site that has it is told that its list did.
    pub(super) async fn canister_changed(&self, network: &NetworkId, id: &Principal) {
        let grants = self.load_all::<Grant>().await.unwrap_or_default();
        for grant in grants {
            if grant.record.network == *network && grant.record.holds(id) {
                self.tools_changed(&grant.record.site);
            }
        }
        self.views_changed();
    }
}
