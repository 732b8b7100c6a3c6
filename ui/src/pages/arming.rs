//! The window's events, told to the arming machine of `confirm`. Nothing is decided here.

use countersign_core::confirm::arming::{Arming, Event, Hand, State};
use countersign_core::time::Span;
use leptos::ev;
use leptos::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

/// How often time is looked at.
const TICK: Duration = Duration::from_millis(50);

/// Ids of the elements that the machine is told about.
pub(super) const BUTTON: &str = "yes";
pub(super) const END: &str = "end";
pub(super) const FOOT: &str = "foot";

/// Where the button stands, and the ways by which the page tells what only it knows.
#[derive(Clone, Copy)]
pub(super) struct Hands {
    /// Where the button stands.
    pub(super) state: RwSignal<State>,
    machine: StoredValue<Rc<RefCell<Machine>>, LocalStorage>,
}

struct Machine {
    arming: Arming,
    keys: Keys,
    place: (f64, f64),
    on_yes: Rc<dyn Fn()>,
}

/// Whether a key that presses buttons is down. A browser clicks the button for such a key, with each
/// repeat of Enter and at the end of Space: by itself, such a click looks like a screen reader's.
#[derive(Clone, Copy, Default)]
struct Keys {
    down: bool,
    /// How often one went down, so that an end is told from that of an earlier press.
    presses: u32,
}

impl Hands {
    /// A machine over this window's events, for as long as the page stands. `on_yes` is called when
    /// the person's yes is given.
    pub(super) fn over_window(on_yes: impl Fn() + 'static) -> Self {
        let machine = Machine {
            arming: Arming::new(),
            keys: Keys::default(),
            place: place(),
            on_yes: Rc::new(on_yes),
        };
        let hands = Self {
            state: RwSignal::new(machine.arming.state()),
            machine: StoredValue::new_local(Rc::new(RefCell::new(machine))),
        };
        if document().has_focus().unwrap_or(false) {
            hands.tell(Event::Focused);
        }
        let listeners = [
            window_event_listener(ev::focus, move |_| hands.tell(Event::Focused)),
            window_event_listener(ev::blur, move |_| {
                // A key that is let go elsewhere is not heard of here.
                hands.key_up();
                hands.tell(Event::Blurred);
            }),
            window_event_listener(ev::resize, move |_| hands.tell(Event::Resized)),
            window_event_listener(ev::pointercancel, move |_| hands.tell(Event::Cancelled)),
            window_event_listener(ev::pointerdown, move |event| {
                hands.tell_trusted(
                    &event,
                    Event::Pressed {
                        hand: Hand::Pointer,
                        on_button: event.button() == 0 && is_on_button(&event),
                    },
                );
            }),
            window_event_listener(ev::pointerup, move |event| {
                hands.tell_trusted(
                    &event,
                    Event::Released {
                        hand: Hand::Pointer,
                        on_button: event.button() == 0 && is_on_button(&event),
                    },
                );
            }),
            window_event_listener(ev::keydown, move |event| {
                if activates(&event.key()) {
                    hands.key_down();
                }
                hands.tell_trusted(
                    &event,
                    Event::Pressed {
                        hand: Hand::Key,
                        on_button: activates(&event.key())
                            && !event.repeat()
                            && is_on_button(&event),
                    },
                );
            }),
            window_event_listener(ev::keyup, move |event| {
                if activates(&event.key()) {
                    hands.key_up();
                }
                hands.tell_trusted(
                    &event,
                    Event::Released {
                        hand: Hand::Key,
                        on_button: activates(&event.key()) && is_on_button(&event),
                    },
                );
            }),
            window_event_listener(ev::visibilitychange, move |_| {
                if document().hidden() {
                    hands.tell(Event::Blurred);
                }
            }),
        ];
        let ticking = set_interval_with_handle(move || hands.tick(), TICK);
        on_cleanup(move || {
            for listener in listeners {
                listener.remove();
            }
            if let Ok(ticking) = ticking {
                ticking.clear();
            }
        });
        hands
    }

    /// Tells an event.
    pub(super) fn tell(self, event: Event) {
        let told = self.machine.try_with_value(|machine| {
            let mut machine = machine.borrow_mut();
            let yes = machine.arming.apply(now(), event);
            (
                machine.arming.state(),
                yes.then(|| Rc::clone(&machine.on_yes)),
            )
        });
        let Some((state, yes)) = told else {
            return;
        };
        if self.state.try_get_untracked() != Some(state) {
            let _ = self.state.try_set(state);
        }
        if let Some(yes) = yes {
            yes();
        }
    }

    /// Tells that the content changed, and, once it is on the screen, that it was painted.
    pub(super) fn content_changed(self) {
        self.tell(Event::ContentChanged);
        // The first frame lays the new content out, the second comes after it was painted.
        request_animation_frame(move || {
            request_animation_frame(move || {
                self.tell(Event::Painted);
                self.tick();
            });
        });
    }

    /// A click that no hand made: how a screen reader presses a button.
    pub(super) fn clicked(self, event: &ev::MouseEvent) {
        let by_reader = event.is_trusted() && event.detail() == 0;
        let by_key = self
            .machine
            .with_value(|machine| machine.borrow().keys.down);
        if by_reader && !by_key {
            self.tell(Event::Pressed {
                hand: Hand::Key,
                on_button: true,
            });
            self.tell(Event::Released {
                hand: Hand::Key,
                on_button: true,
            });
        }
    }

    fn key_down(self) {
        self.machine.with_value(|machine| {
            let keys = &mut machine.borrow_mut().keys;
            keys.down = true;
            keys.presses = keys.presses.wrapping_add(1);
        });
    }

    /// The click that Space ends with comes after the event that says so, and before the next task.
    fn key_up(self) {
        let presses = self
            .machine
            .with_value(|machine| machine.borrow().keys.presses);
        set_timeout(
            move || {
                self.machine.try_with_value(|machine| {
                    let keys = &mut machine.borrow_mut().keys;
                    if keys.presses == presses {
                        keys.down = false;
                    }
                });
            },
            Duration::ZERO,
        );
    }

    /// What a script makes up is no press.
    fn tell_trusted(self, origin: &web_sys::Event, event: Event) {
        if origin.is_trusted() {
            self.tell(event);
        }
    }

    /// Looks at what has no event of its own.
    fn tick(self) {
        let here = place();
        let moved = self.machine.try_with_value(|machine| {
            core::mem::replace(&mut machine.borrow_mut().place, here) != here
        });
        if moved == Some(true) {
            self.tell(Event::Moved);
        }
        if is_end_in_sight() {
            self.tell(Event::EndSeen);
        }
        self.tell(Event::Tick);
    }
}

/// Monotonic time since the page was loaded.
fn now() -> Span {
    let millis = window()
        .performance()
        .map_or(0.0, |performance| performance.now());
    Span::from_millis(millis as u64)
}

/// Where the window is on the screen.
fn place() -> (f64, f64) {
    let at = |value: Result<JsValue, JsValue>| value.ok().and_then(|value| value.as_f64());
    (
        at(window().screen_x()).unwrap_or(0.0),
        at(window().screen_y()).unwrap_or(0.0),
    )
}

/// Whether a key presses a button.
fn activates(key: &str) -> bool {
    matches!(key, "Enter" | " ")
}

/// Whether an event is on the button.
fn is_on_button(event: &web_sys::Event) -> bool {
    event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok())
        .and_then(|element| element.closest(&format!("#{BUTTON}")).ok().flatten())
        .is_some()
}

/// Whether the end of the content is above the foot of the window.
fn is_end_in_sight() -> bool {
    let edge = |id: &str| {
        document()
            .get_element_by_id(id)
            .map(|e| e.get_bounding_client_rect())
    };
    match (edge(END), edge(FOOT)) {
        // A pixel for layouts that end between two.
        (Some(end), Some(foot)) => end.bottom() <= foot.top() + 1.0,
        (None, _) | (_, None) => false,
    }
}
