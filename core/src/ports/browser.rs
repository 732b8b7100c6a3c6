//! Windows the person sees, and the documents and windows that can be spoken to now.

use serde::{Deserialize, Serialize};

/// One live connection of a page's document or of one of our windows. Made up by the extension,
/// never reused within one worker.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct PortId(pub u32);

/// A window of the browser.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub struct WindowId(pub i32);

/// Which of our pages a window shows.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub enum Window {
    /// The confirm window: the queue of asks, locked or not.
    Confirm,
}

/// Opens windows and sets the toolbar button's badge. Never decides when.
pub trait Prompter {
    /// Opens the page in a window of its own and gives its id. `token` goes into the URL's
    /// fragment and nowhere else. `None` where the browser opens no window now.
    async fn open(&self, window: Window, token: &str) -> Option<WindowId>;

    /// Brings a window to the front. `false` where it is gone.
    async fn focus(&self, window: WindowId) -> bool;

    /// Closes a window; nothing where it is gone.
    async fn close(&self, window: WindowId);

    /// Shows how many decisions wait; 0 clears the badge.
    fn badge(&self, waiting: usize);
}

/// Sends texts to connected documents and windows.
pub trait Pages {
    /// Posts one frame. Nothing is promised: the other end may be gone. What counts as delivered
    /// is acknowledged by a frame that comes back.
    fn post(&self, port: PortId, frame: &str);

    /// Ends a connection.
    fn close(&self, port: PortId);

    /// Asks the content scripts of all tabs to connect again if their page listens for changes.
    fn wake(&self);

    /// Whether the document's tab is the one in front of the person, and the document has had the
    /// person's input. `false` where that cannot be told.
    async fn is_attended(&self, port: PortId) -> bool;
}
