//! Start and wake-ups: everything that is open is driven from storage alone. Extension update,
//! browser restart and a killed worker are the same case; nothing is signed without a fresh yes.

use super::Wallet;
use super::asks::Queued;
use super::drive::WATCH;
use super::together::together;
use crate::policy::SiteKey;
use crate::ports::{Alarms as _, Pages as _, Ports};

impl<P: Ports> Wallet<P> {
    /// The worker started: takes up the session of an earlier worker, and all that is open.
    pub async fn boot(&self) {
        self.take_up().await;
        self.wake().await;
    }

    /// The first half of [`boot`](Self::boot): takes up the session of an earlier worker. Quick, as
    /// it reads storage alone; until it is done, an unlocked wallet looks locked.
    pub async fn take_up(&self) {
        // Where it cannot be done now, it is tried again before anything is driven.
        self.is_compared().await;
        self.resume_session().await;
        // What an earlier worker brought up does not come up again by itself.
        if let Ok(queue) = self.queue().await {
            let asks = queue.iter().filter_map(Queued::id);
            self.memory.borrow_mut().raised.extend(asks);
        }
    }

    /// An alarm or a timer: looks at everything that is open.
    pub async fn wake(&self) {
        self.keep_frozen().await;
        self.tend_calls().await;
        self.tend_connects().await;
        self.wake_open().await;
        self.tend_calls().await;
        self.show_asks().await;
        self.push_views().await;
    }

    /// Drives every intent that has not ended.
    pub(super) async fn wake_open(&self) {
        let Ok(open) = self.open_intents().await else {
            // The journal cannot be read: nothing is done, and it is tried again.
            self.ports.alarms().wake_after(WATCH);
            return;
        };
        // Together: a network that does not answer keeps no other network's calls waiting.
        together(
            open.iter()
                .map(|stored| self.drive(stored.intent.preview()))
                .collect(),
        )
        .await;
    }

    /// Which life of the worker this is: a number that no other life has had.
    pub(super) fn life(&self) -> u64 {
        if let Some(life) = self.memory.borrow().life {
            return life;
        }
        let life = u64::from_le_bytes(self.random());
        self.memory.borrow_mut().life = Some(life);
        life
    }

    /// Whether a tab of this site is in front of the person and has had the person's input.
    pub(super) async fn is_attended(&self, site: &SiteKey) -> bool {
        let ports = self.memory.borrow().pages.ports_of(site);
        for port in ports {
            if self.ports.pages().is_attended(port).await {
                return true;
            }
        }
        false
    }
}
