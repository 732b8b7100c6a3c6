//! The machine the wallet runs on: clocks, randomness, wake-ups, and two places to keep bytes.

use crate::time::{Span, Timestamp};
use thiserror::Error;

/// The host's clocks. Neither decides about money: certified time does.
pub trait Clock {
    /// Wall-clock time as the host has it. May be wrong by any amount and may jump either way.
    fn host(&self) -> Timestamp;

    /// Time since this worker started. Never goes back; starts anew with each worker.
    fn monotonic(&self) -> Span;

    /// Ends after about `span`, if the worker lives that long. Only for the pause between two
    /// looks; whatever must happen in time is in a record, and [`Alarms`] wakes for it.
    async fn pause(&self, span: Span);
}

/// Randomness fit for keys.
pub trait Entropy {
    /// Fills `out` with random bytes from the operating system's generator.
    fn fill(&self, out: &mut [u8]);
}

/// What Unicode says of texts, in tables that every host has.
pub trait Texts {
    /// The text in Normalization Form KD (Unicode Standard Annex 15).
    fn nfkd(&self, text: &str) -> String;
}

/// Wake-ups. A wake-up only prompts a look at what is stored: every deadline is in a record.
pub trait Alarms {
    /// Asks that `Wallet::wake` runs after about `span`.
    ///
    /// While the worker lives the wake-up comes when asked; a worker that died is started for it
    /// no later than 30 seconds after it was due. Asking again before it came keeps the earlier of
    /// the two. Waking too often or for nothing is harmless.
    fn wake_after(&self, span: Span);
}

/// Why bytes could not be kept in or read from the mirror.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[error("the second copy cannot be reached: free disk space and start the browser again")]
pub struct MirrorError;

/// Small files outside the journal (in the browser: the origin-private file system): written when
/// the vault is made and before each hand-over, so that a journal that is lost or restored can be
/// told from the living one. The two are compared at every start.
pub trait Mirror {
    /// Writes the file whole. Once this returns `Ok`, [`read`](Self::read) gives `bytes`, also
    /// after a restart.
    ///
    /// # Errors
    /// The old content or the new one stands, never a mixture.
    async fn write(&self, name: &str, bytes: &[u8]) -> Result<(), MirrorError>;

    /// The file's content; `None` where there is no such file, or one whose first writing was cut
    /// off. No file is empty.
    async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, MirrorError>;

    /// Removes the file; no error where there is none.
    async fn remove(&self, name: &str) -> Result<(), MirrorError>;

    /// The names of all files, those among them whose first writing was cut off.
    async fn names(&self) -> Result<Vec<String>, MirrorError>;
}

/// Why the session memory could not be used.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[error("the browser's session memory cannot be reached: unlock the wallet again")]
pub struct SessionError;

/// Memory of this browser session: kept while workers come and go, gone when the browser ends.
///
/// Holds half of what unlocks, never a phrase or a key.
pub trait Session {
    /// The value last put; `None` where there is none.
    async fn get(&self) -> Result<Option<Vec<u8>>, SessionError>;

    /// Replaces the value.
    async fn put(&self, value: &[u8]) -> Result<(), SessionError>;

    /// Removes the value. On an error it must be taken to be still there.
    async fn clear(&self) -> Result<(), SessionError>;
}
