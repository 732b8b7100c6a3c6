//! When the button that says yes may be believed: a pure machine, events in, armed or decided out.
//!
//! A window can appear under a hand that is already clicking, be covered, be moved, or change while
//! it is read. So the button is dead until everything was painted, read to its end, and in focus
//! for [`ARMING_TIME`] without a press anywhere; and then only a press *and* a release on the
//! button count, after the pointer (or the keyboard's focus) came to it since it was armed.
//! Whatever could have changed what the person sees makes it dead again. Losing focus never
//! decides.

use crate::time::Span;

/// How long the window must be in focus, whole and unpressed, before the button works.
pub const ARMING_TIME: Span = Span::from_millis(500);

/// What a press is made with.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Hand {
    /// Mouse, pen or finger.
    Pointer,
    /// A key that activates a button, or any other key.
    Key,
}

/// What happened in the window.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Event {
    /// All of the content is on the screen or can be scrolled to.
    Painted,
    /// The end of the content is, or was since it was painted, in sight.
    EndSeen,
    /// The window has the focus.
    Focused,
    /// The window lost the focus or was hidden.
    Blurred,
    /// The window was moved.
    Moved,
    /// The window's size changed: the end has to be seen again.
    Resized,
    /// What is shown changed: it has to be painted and seen again.
    ContentChanged,
    /// The pointer came onto the button, or the keyboard's focus reached it.
    Entered(Hand),
    /// The pointer left the button, or the keyboard's focus did.
    Left(Hand),
    /// A press anywhere in the window.
    Pressed {
        /// With what.
        hand: Hand,
        /// Whether it was on the button.
        on_button: bool,
    },
    /// The end of a press, anywhere in the window.
    Released {
        /// With what.
        hand: Hand,
        /// Whether it was on the button.
        on_button: bool,
    },
    /// The browser took the press away (a scroll gesture, a dialog).
    Cancelled,
    /// Time went by. Only this arms.
    Tick,
}

/// Why the button is not armed: the first of these that holds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Waiting {
    /// The content is not painted yet.
    Paint,
    /// The end of the content was not in sight yet.
    End,
    /// The window is not in focus.
    Focus,
    /// The time is running.
    Time,
}

/// Where the button stands.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum State {
    /// Presses do nothing but start the time anew.
    Unarmed(Waiting),
    /// A press and a release on the button decide.
    Armed {
        /// Whether the pointer stands on the button since before it was armed: it has to leave and
        /// come back.
        come_back: bool,
    },
    /// The yes was given. It is given once, until the content changes.
    Decided,
}

/// The machine. Made anew for each ask; time is monotonic, since any fixed point.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Arming {
    painted: bool,
    end_seen: bool,
    focused: bool,
    /// Since when everything has held without a press.
    since: Option<Span>,
    armed: bool,
    decided: bool,
    pointer: Presence,
    key: Presence,
}

/// Where one hand stands.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct Presence {
    on_button: bool,
    /// Came onto the button since it was armed and has not left it.
    entered: bool,
    /// Pressed the button since it was armed and has not let go.
    pressing: bool,
}

impl Default for Arming {
    fn default() -> Self {
        Self::new()
    }
}

impl Arming {
    /// A window of which nothing is known yet.
    #[must_use]
    pub const fn new() -> Self {
        const NOWHERE: Presence = Presence {
            on_button: false,
            entered: false,
            pressing: false,
        };
        Self {
            painted: false,
            end_seen: false,
            focused: false,
            since: None,
            armed: false,
            decided: false,
            pointer: NOWHERE,
            key: NOWHERE,
        }
    }

    /// Takes an event at the time `now`. True exactly when this event is the person's yes.
    #[must_use = "true is the person's yes"]
    pub fn apply(&mut self, now: Span, event: Event) -> bool {
        match event {
            Event::Painted => self.painted = true,
            Event::EndSeen => self.end_seen = true,
            Event::Focused => self.focused = true,
            Event::Blurred => {
                self.focused = false;
                self.disarm();
            }
            Event::Moved => self.disarm(),
            Event::Resized => {
                self.end_seen = false;
                self.disarm();
            }
            Event::ContentChanged => {
                self.painted = false;
                self.end_seen = false;
                self.decided = false;
                self.disarm();
            }
            Event::Entered(hand) => {
                let armed = self.armed;
                let presence = self.presence(hand);
                // A second `Entered` without a `Left` is no new coming.
                presence.entered |= armed && !presence.on_button;
                presence.on_button = true;
            }
            Event::Left(hand) => *self.presence(hand) = Presence::default(),
            Event::Pressed { hand, on_button } => {
                if self.armed {
                    let presence = self.presence(hand);
                    presence.pressing = on_button && presence.entered;
                } else {
                    self.since = None;
                }
            }
            Event::Released { hand, on_button } => {
                let presence = self.presence(hand);
                let whole = presence.pressing && presence.entered && on_button;
                presence.pressing = false;
                if self.armed && whole && !self.decided {
                    self.decided = true;
                    self.disarm();
                    return true;
                }
            }
            Event::Cancelled => {
                self.pointer.pressing = false;
                self.key.pressing = false;
            }
            Event::Tick => {}
        }
        self.run(now, event == Event::Tick);
        false
    }

    /// Where the button stands now.
    #[must_use]
    pub const fn state(&self) -> State {
        if self.decided {
            State::Decided
        } else if self.armed {
            State::Armed {
                come_back: self.pointer.on_button && !self.pointer.entered,
            }
        } else if !self.painted {
            State::Unarmed(Waiting::Paint)
        } else if !self.end_seen {
            State::Unarmed(Waiting::End)
        } else if !self.focused {
            State::Unarmed(Waiting::Focus)
        } else {
            State::Unarmed(Waiting::Time)
        }
    }

    /// Starts the time where everything holds, and arms where it has run out.
    fn run(&mut self, now: Span, may_arm: bool) {
        if !(self.painted && self.end_seen && self.focused) || self.decided || self.armed {
            return;
        }
        let since = *self.since.get_or_insert(now);
        let passed = now.as_nanos().saturating_sub(since.as_nanos());
        if may_arm && passed >= ARMING_TIME.as_nanos() {
            self.armed = true;
            self.pointer.pressing = false;
            self.key.pressing = false;
        }
    }

    /// Makes the button dead. Where the hands stand is kept, that they came there is not.
    const fn disarm(&mut self) {
        self.armed = false;
        self.since = None;
        self.pointer.entered = false;
        self.pointer.pressing = false;
        self.key.entered = false;
        self.key.pressing = false;
    }

    const fn presence(&mut self, hand: Hand) -> &mut Presence {
        match hand {
            Hand::Pointer => &mut self.pointer,
            Hand::Key => &mut self.key,
        }
    }
}

#[cfg(test)]
mod tests;
