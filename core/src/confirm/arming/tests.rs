use super::*;
use core::cell::Cell;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

fn ms(millis: u64) -> Span {
    Span::from_millis(millis)
}

const PRESS: Event = Event::Pressed {
    hand: Hand::Pointer,
    on_button: true,
};
const RELEASE: Event = Event::Released {
    hand: Hand::Pointer,
    on_button: true,
};
const ENTER: Event = Event::Entered(Hand::Pointer);
const LEAVE: Event = Event::Left(Hand::Pointer);

/// A machine that was given these events, and whether any of them was the yes.
fn after(events: &[(u64, Event)]) -> (Arming, bool) {
    let mut machine = Arming::new();
    let mut yes = false;
    for (at, event) in events {
        yes |= machine.apply(ms(*at), *event);
    }
    (machine, yes)
}

/// A machine armed at 500 ms with the pointer elsewhere.
fn armed() -> Arming {
    let (machine, yes) = after(&[
        (0, Event::Painted),
        (0, Event::EndSeen),
        (0, Event::Focused),
        (500, Event::Tick),
    ]);
    assert_eq!(machine.state(), State::Armed { come_back: false });
    assert!(!yes);
    machine
}

#[test]
fn a_press_and_release_on_a_button_that_was_come_to_since_is_the_yes() {
    let mut machine = armed();
    assert!(!machine.apply(ms(600), ENTER));
    assert!(!machine.apply(ms(610), PRESS));
    assert!(machine.apply(ms(700), RELEASE));
    assert_eq!(machine.state(), State::Decided);
}

#[test]
fn the_keyboard_decides_too_once_its_focus_reached_the_button() {
    let mut machine = armed();
    assert!(!machine.apply(ms(600), Event::Entered(Hand::Key)));
    assert!(!machine.apply(
        ms(610),
        Event::Pressed {
            hand: Hand::Key,
            on_button: true
        }
    ));
    assert!(machine.apply(
        ms(650),
        Event::Released {
            hand: Hand::Key,
            on_button: true
        }
    ));
}

#[test]
fn the_yes_is_given_once() {
    let mut machine = armed();
    let _ = machine.apply(ms(600), ENTER);
    let _ = machine.apply(ms(610), PRESS);
    assert!(machine.apply(ms(620), RELEASE));
    for at in 630..2_000 {
        for event in [LEAVE, ENTER, PRESS, RELEASE, Event::Tick] {
            assert!(!machine.apply(ms(at), event), "{at} {event:?}");
        }
    }
}

#[test]
fn it_waits_for_paint_then_the_end_then_focus_then_time() {
    let mut machine = Arming::new();
    assert_eq!(machine.state(), State::Unarmed(Waiting::Paint));
    let _ = machine.apply(ms(0), Event::Painted);
    assert_eq!(machine.state(), State::Unarmed(Waiting::End));
    let _ = machine.apply(ms(0), Event::EndSeen);
    assert_eq!(machine.state(), State::Unarmed(Waiting::Focus));
    let _ = machine.apply(ms(0), Event::Focused);
    assert_eq!(machine.state(), State::Unarmed(Waiting::Time));
    let _ = machine.apply(ms(499), Event::Tick);
    assert_eq!(machine.state(), State::Unarmed(Waiting::Time));
    let _ = machine.apply(ms(500), Event::Tick);
    assert_eq!(machine.state(), State::Armed { come_back: false });
}

#[test]
fn a_press_anywhere_while_it_is_dead_starts_the_time_anew() {
    let ready = [
        (0, Event::Painted),
        (0, Event::EndSeen),
        (0, Event::Focused),
    ];
    for hand in [Hand::Pointer, Hand::Key] {
        for on_button in [true, false] {
            let (mut machine, _) = after(&ready);
            let _ = machine.apply(ms(400), Event::Pressed { hand, on_button });
            let _ = machine.apply(ms(899), Event::Tick);
            assert_eq!(machine.state(), State::Unarmed(Waiting::Time));
            let _ = machine.apply(ms(900), Event::Tick);
            assert!(matches!(machine.state(), State::Armed { .. }));
        }
    }
}

#[test]
fn a_person_who_clicks_five_times_a_second_decides_nothing() {
    let (mut machine, _) = after(&[
        (0, Event::Painted),
        (0, Event::EndSeen),
        (0, Event::Focused),
    ]);
    let _ = machine.apply(ms(0), ENTER);
    for click in 0..2_000 {
        let at = click * 200;
        assert!(!machine.apply(ms(at), PRESS));
        assert!(!machine.apply(ms(at + 60), RELEASE));
        assert!(!machine.apply(ms(at + 100), Event::Tick));
    }
}

#[test]
fn a_pointer_that_stood_there_before_has_to_leave_and_come_back() {
    let (mut machine, _) = after(&[
        (0, Event::Painted),
        (0, Event::EndSeen),
        (0, Event::Focused),
        (10, ENTER),
        (600, Event::Tick),
    ]);
    assert_eq!(machine.state(), State::Armed { come_back: true });
    for event in [PRESS, RELEASE, ENTER, PRESS, RELEASE] {
        assert!(!machine.apply(ms(700), event));
    }
    for event in [LEAVE, ENTER, PRESS] {
        assert!(!machine.apply(ms(800), event));
    }
    assert!(machine.apply(ms(900), RELEASE));
}

#[test]
fn half_a_click_is_none() {
    let halves: [&[Event]; 6] = [
        &[ENTER, RELEASE],
        &[ENTER, PRESS, LEAVE, ENTER, RELEASE],
        &[ENTER, PRESS, Event::Cancelled, RELEASE],
        &[
            ENTER,
            PRESS,
            Event::Released {
                hand: Hand::Pointer,
                on_button: false,
            },
            RELEASE,
        ],
        &[
            ENTER,
            PRESS,
            Event::Released {
                hand: Hand::Key,
                on_button: true,
            },
        ],
        &[
            ENTER,
            Event::Pressed {
                hand: Hand::Pointer,
                on_button: false,
            },
            RELEASE,
        ],
    ];
    for half in halves {
        let mut machine = armed();
        for event in half {
            assert!(!machine.apply(ms(700), *event), "{half:?}");
        }
    }
}

#[test]
fn what_may_change_the_sight_makes_it_dead() {
    for event in [
        Event::Blurred,
        Event::Moved,
        Event::Resized,
        Event::ContentChanged,
    ] {
        let mut machine = armed();
        for before in [ENTER, PRESS, event] {
            assert!(!machine.apply(ms(700), before));
        }
        assert!(matches!(machine.state(), State::Unarmed(_)), "{event:?}");
        assert!(!machine.apply(ms(700), RELEASE), "{event:?}");
    }
}

#[test]
fn a_changed_content_has_to_be_painted_and_seen_again() {
    let mut machine = armed();
    let _ = machine.apply(ms(700), Event::ContentChanged);
    let _ = machine.apply(ms(5_000), Event::Tick);
    assert_eq!(machine.state(), State::Unarmed(Waiting::Paint));
    let _ = machine.apply(ms(5_000), Event::Painted);
    assert_eq!(machine.state(), State::Unarmed(Waiting::End));
}

#[test]
fn a_new_size_needs_the_end_to_be_seen_again() {
    let mut machine = armed();
    let _ = machine.apply(ms(700), Event::Resized);
    assert_eq!(machine.state(), State::Unarmed(Waiting::End));
}

#[test]
fn only_time_arms() {
    let (machine, _) = after(&[
        (0, Event::Painted),
        (0, Event::EndSeen),
        (0, Event::Focused),
        (5_000, ENTER),
    ]);
    assert_eq!(machine.state(), State::Unarmed(Waiting::Time));
}

#[test]
fn a_clock_that_runs_backwards_never_arms() {
    let (machine, _) = after(&[
        (900, Event::Painted),
        (900, Event::EndSeen),
        (900, Event::Focused),
        (100, Event::Tick),
    ]);
    assert_eq!(machine.state(), State::Unarmed(Waiting::Time));
}

fn any_event() -> impl Strategy<Value = Event> {
    let hand = || prop_oneof![Just(Hand::Pointer), Just(Hand::Key)];
    let press = (hand(), any::<bool>());
    prop_oneof![
        2 => Just(Event::Painted),
        2 => Just(Event::EndSeen),
        2 => Just(Event::Focused),
        1 => Just(Event::Blurred),
        1 => Just(Event::Moved),
        1 => Just(Event::Resized),
        1 => Just(Event::ContentChanged),
        4 => hand().prop_map(Event::Entered),
        2 => hand().prop_map(Event::Left),
        4 => press.clone().prop_map(|(hand, on_button)| Event::Pressed { hand, on_button }),
        4 => press.prop_map(|(hand, on_button)| Event::Released { hand, on_button }),
        1 => Just(Event::Cancelled),
        8 => Just(Event::Tick),
    ]
}

/// Steps with the time before each: single events, and the beginnings of what a person does, so
/// that many histories come close to a yes and a good part of them reaches one.
fn steps() -> impl Strategy<Value = Vec<(u64, Event)>> {
    let ready = [
        (0, Event::Painted),
        (5, Event::EndSeen),
        (5, Event::Focused),
    ];
    let click = [(10, LEAVE), (90, ENTER), (90, PRESS), (60, RELEASE)];
    let chunk = prop_oneof![
        6 => (0_u64..700, any_event()).prop_map(|step| vec![step]),
        2 => Just(ready.to_vec()),
        2 => (400_u64..700).prop_map(|wait| vec![(wait, Event::Tick)]),
        2 => (1_usize..=4).prop_map(move |length| click[..length].to_vec()),
    ];
    prop::collection::vec(chunk, 0..40).prop_map(|chunks| chunks.concat())
}

/// The rule told backwards from a yes, over the bare list of events, without the machine.
fn every_yes_has_what_it_needs(steps: &[(u64, Event)]) -> Result<u32, TestCaseError> {
    let mut machine = Arming::new();
    let mut now = 0;
    let mut past: Vec<(u64, Event)> = Vec::new();
    let mut given = 0;
    let mut yeses = 0;
    for &(gap, event) in steps {
        now += gap;
        let yes = machine.apply(ms(now), event);
        past.push((now, event));
        if event == Event::ContentChanged {
            given = 0;
        }
        if !yes {
            continue;
        }
        given += 1;
        yeses += 1;
        prop_assert_eq!(given, 1, "one yes for one content: {:?}", past);
        let Event::Released {
            hand,
            on_button: true,
        } = event
        else {
            return Err(TestCaseError::fail(format!("a yes by {event:?}")));
        };
        let before = &past[..past.len() - 1];
        let last = |wanted: &dyn Fn(Event) -> bool| before.iter().rposition(|(_, e)| wanted(*e));
        let press = last(&|e| matches!(e, Event::Pressed { hand: h, .. } if h == hand)).unwrap();
        prop_assert_eq!(
            before[press].1,
            Event::Pressed {
                hand,
                on_button: true
            }
        );
        prop_assert!(last(&|e| e == Event::Cancelled).is_none_or(|at| at < press));
        let let_go = last(&|e| matches!(e, Event::Released { hand: h, .. } if h == hand));
        prop_assert!(let_go.is_none_or(|at| at < press));

        // The hand came from elsewhere onto the button, and stayed until the press.
        let enter = last(&|e| e == Event::Entered(hand)).unwrap();
        let left = last(&|e| e == Event::Left(hand));
        prop_assert!(enter < before.len() && left.is_none_or(|at| at < press));

        // Since the last breach everything was there at once, and then, up to some moment before
        // the hand came, 500 ms went by without a press.
        let breach = last(&|e| {
            matches!(
                e,
                Event::Blurred | Event::Moved | Event::Resized | Event::ContentChanged
            )
        })
        .unwrap_or(0);
        let from = |reset: &dyn Fn(Event) -> bool, wanted: Event| {
            let start = last(reset).map_or(0, |at| at + 1);
            let found = before.iter().skip(start).position(|(_, e)| *e == wanted);
            start + found.unwrap()
        };
        let ready = [
            from(&|e| e == Event::ContentChanged, Event::Painted),
            from(
                &|e| matches!(e, Event::ContentChanged | Event::Resized),
                Event::EndSeen,
            ),
            from(&|e| e == Event::Blurred, Event::Focused),
        ];
        let ready = ready.into_iter().fold(breach, usize::max);
        let came = before
            .iter()
            .enumerate()
            .skip(left.map_or(0, |at| at + 1))
            .filter(|(_, (_, e))| *e == Event::Entered(hand))
            .map(|(at, _)| at)
            .collect::<Vec<_>>();
        let quiet = (ready..press).any(|start| {
            let pressed = (start + 1..press)
                .find(|at| matches!(before[*at].1, Event::Pressed { .. }))
                .unwrap_or(press);
            (start..pressed).any(|end| {
                before[end].1 == Event::Tick
                    && before[end].0 - before[start].0 >= 500
                    && came.iter().any(|at| *at > end)
            })
        });
        prop_assert!(quiet, "no quiet half second before {:?}", past);
    }
    Ok(yeses)
}

#[test]
fn every_yes_of_any_history_has_what_it_needs_before_it() {
    let mut runner = TestRunner::new(ProptestConfig {
        cases: 4_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let yeses = Cell::new(0);
    let outcome = runner.run(&steps(), |steps| {
        yeses.set(yeses.get() + every_yes_has_what_it_needs(&steps)?);
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
    assert!(
        yeses.get() > 400,
        "only {} histories reached a yes",
        yeses.get()
    );
}
