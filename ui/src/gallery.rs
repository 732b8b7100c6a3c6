//! Every page in every state, on views made up for looking at them: `app.html#gallery=home`.
//!
//! Only in builds with feature `gallery`, which are never released. The bridge here answers
//! every step with a failure.

use countersign_core::confirm::digest::RetryClass;
use countersign_core::confirm::picture::Mark;
use countersign_core::confirm::site::SiteName;
use countersign_core::confirm::view::*;
use countersign_core::ids::{AskDigest, AskId, ContentHash, NetworkId, PreviewId};
use countersign_core::time::Timestamp;
use countersign_core::wire::ui::*;
use std::cell::RefCell;
use std::rc::Rc;

use crate::bridge::{Bridge, Gone, PortEvent};

pub(crate) mod views;

/// Where a port's events go.
type Events = Rc<dyn Fn(PortEvent)>;

/// A worker that pushes one made-up view, records what it is sent, and does nothing of it.
pub(crate) struct Pretended {
    frame: ToWindow,
    events: RefCell<Option<Events>>,
    /// The frames that were sent, oldest first.
    pub(crate) sent: Rc<RefCell<Vec<ToWorker>>>,
}

impl Pretended {
    /// A worker that says this frame.
    pub(crate) fn saying(frame: ToWindow) -> Self {
        Self {
            frame,
            events: RefCell::new(None),
            sent: Rc::default(),
        }
    }

    /// Says a frame.
    fn say(&self, frame: &ToWindow) {
        self.say_text(&to_json(frame));
    }

    /// Says anything.
    pub(crate) fn say_text(&self, text: &str) {
        let events = self.events.borrow().clone();
        if let Some(events) = events {
            events(PortEvent::Received(text.to_owned()));
        }
    }
}

impl Bridge for Pretended {
    fn connect(&self, events: Rc<dyn Fn(PortEvent)>) -> Result<(), Gone> {
        self.events.replace(Some(events));
        Ok(())
    }

    fn send(&self, frame: &str) {
        let frame: ToWorker = from_json(frame).expect("a page sends frames");
        self.sent.borrow_mut().push(frame.clone());
        match (frame, self.frame.clone()) {
            (ToWorker::Do { n, .. }, ToWindow::View { view, .. }) => self.say(&ToWindow::View {
                seq: 1 + n,
                handled: n,
                failure: Some(Failure::NotNow),
                view,
            }),
            (_, frame) => self.say(&frame),
        }
    }
}

/// The bridge of a gallery page; `None` where the fragment names none.
#[cfg(feature = "gallery")]
pub(crate) fn bridge(fragment: &str) -> Option<Rc<dyn Bridge>> {
    let name = fragment.strip_prefix("gallery=")?;
    let (_, frame) = views::all().into_iter().find(|(known, _)| *known == name)?;
    Some(Rc::new(Pretended::saying(frame)))
}
