//! Wake-ups: a timer for as long as the worker lives, and an alarm for when it does not.

use super::chrome::{alarms_create, begun, object};
use super::clock::Clock;
use super::timer::Timer;
use countersign_core::ports::{self, Clock as _};
use countersign_core::time::Span;
use std::cell::RefCell;
use std::rc::Rc;

/// The one alarm's name.
pub const WAKE: &str = "wake";

/// The shortest that the browser's alarms count (Chrome 120 and later).
const SHORTEST_ALARM: Span = Span::from_secs(30);

/// When something is due, on the worker's monotonic clock.
#[derive(Default)]
struct Due {
    /// The timer that was set last. It may have fired.
    timer: Option<Timer>,
    /// When it fires; `None` once it has.
    wake: Option<Span>,
    /// An alarm of an earlier worker is not known here. It needs not be: its reason is stored, and
    /// the start of this worker looked at all of it.
    alarm: Option<Span>,
}

/// `setTimeout` and `alarms`.
pub struct Alarms {
    wake: Rc<dyn Fn()>,
    due: Rc<RefCell<Due>>,
}

impl Alarms {
    /// `wake` is called at each wake-up by a timer, and must not call back before it returns. Those
    /// by an alarm come as events of the worker.
    pub fn new(wake: impl Fn() + 'static) -> Self {
        Self {
            wake: Rc::new(wake),
            due: Rc::default(),
        }
    }

    fn set_timer(&self, due: Span, span: Span) {
        let mut set = self.due.borrow_mut();
        if matches!(set.wake, Some(earlier) if earlier <= due) {
            return;
        }
        let (wake, slot) = (Rc::clone(&self.wake), Rc::clone(&self.due));
        let timer = Timer::new(span.as_millis().saturating_add(1), move || {
            slot.borrow_mut().wake = None;
            wake();
        });
        set.timer = Some(timer);
        set.wake = Some(due);
    }

    fn set_alarm(&self, now: Span, span: Span) {
        let span = span.max(SHORTEST_ALARM);
        let due = plus(now, span);
        let mut set = self.due.borrow_mut();
        if matches!(set.alarm, Some(earlier) if earlier <= due && earlier > now) {
            return;
        }
        set.alarm = Some(due);
        #[allow(
            clippy::cast_precision_loss,
            reason = "the browser counts alarms in such minutes"
        )]
        let minutes = span.as_millis() as f64 / 60_000.0;
        begun(alarms_create(
            WAKE,
            &object(&[("delayInMinutes", minutes.into())]),
        ));
    }
}

const fn plus(a: Span, b: Span) -> Span {
    Span::from_nanos(a.as_nanos().saturating_add(b.as_nanos()))
}

impl ports::Alarms for Alarms {
    fn wake_after(&self, span: Span) {
        let now = Clock.monotonic();
        self.set_timer(plus(now, span), span);
        self.set_alarm(now, span);
    }
}
