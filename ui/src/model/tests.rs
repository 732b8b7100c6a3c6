use super::*;
use countersign_core::confirm::picture::Mark;
use countersign_core::wire::ui::Decided;

fn view(screen: Screen) -> View {
    View {
        mark: Mark::from_entropy([1, 2, 3, 4, 5]),
        waiting: 0,
        clock_off_s: None,
        settings: Settings::default(),
        screen,
    }
}

fn frame(seq: u64, handled: u64, failure: Option<Failure>, screen: Screen) -> Msg {
    let view = Box::new(view(screen));
    Msg::Received(to_json(&ToWindow::View {
        seq,
        handled,
        failure,
        view,
    }))
}

fn hello(place: Place) -> String {
    to_json(&ToWorker::Hello {
        v: VERSION,
        token: "t".into(),
        place,
    })
}

/// A window that shows `screen`.
fn open(place: Place, screen: Screen) -> Model {
    let mut model = Model::new("t".into(), place, Language::English);
    assert_eq!(
        model.update(Msg::Started),
        [Effect::Connect(0, hello(place))]
    );
    let _ = model.update(frame(1, 0, None, screen));
    model
}

fn decided(decision: Decision) -> Screen {
    Screen::Decided(Decided {
        decision,
        row: None,
        next: None,
    })
}

#[test]
fn a_window_says_hello_with_its_token_and_place() {
    let model = open(Place::Asks, Screen::NoAsk);
    assert_eq!(model.kind(), Kind::NoAsk);
    assert!(model.is_confirm());
}

#[test]
fn what_is_set_goes_before_what_the_browser_says() {
    let mut model = open(Place::Settings, Screen::Settings);
    assert_eq!(model.kind(), Kind::Settings);
    assert_eq!(model.language(), Language::English);
    assert_eq!(model.theme(), Theme::System);
    let settings = Settings {
        language: Some(Language::SimplifiedChinese),
        theme: Theme::Dark,
    };
    let view = Box::new(View {
        settings,
        ..view(Screen::Settings)
    });
    let _ = model.update(Msg::Received(to_json(&ToWindow::View {
        seq: 2,
        handled: 0,
        failure: None,
        view,
    })));
    assert_eq!(model.language(), Language::SimplifiedChinese);
    assert_eq!(model.browser(), Language::English);
    assert_eq!(model.theme(), Theme::Dark);
    assert_eq!(model.shell().settings, settings);
}

#[test]
fn the_newest_view_is_all_a_window_knows() {
    let mut model = open(Place::Asks, Screen::NoAsk);
    let _ = model.update(frame(3, 0, None, Screen::NoIntent));
    let _ = model.update(frame(2, 0, None, Screen::NoAsk));
    assert_eq!(model.kind(), Kind::NoIntent);
}

#[test]
fn commands_are_numbered_and_sent_one_at_a_time() {
    let mut model = open(Place::Home, Screen::NoAsk);
    let lock = |n, seq| {
        Effect::Send(to_json(&ToWorker::Do {
            n,
            seq,
            command: Command::Lock,
        }))
    };
    assert_eq!(model.update(Msg::Did(Command::Lock)), [lock(1, 1)]);
    assert!(model.shell().busy);
    assert_eq!(model.update(Msg::Did(Command::Lock)), []);
    let _ = model.update(frame(2, 0, None, Screen::NoAsk));
    assert!(
        model.shell().busy,
        "a view that came meanwhile is no answer"
    );
    let _ = model.update(frame(3, 1, None, Screen::NoAsk));
    assert!(!model.shell().busy);
    assert_eq!(model.update(Msg::Did(Command::Lock)), [lock(2, 3)]);
}

#[test]
fn a_failure_stands_until_the_next_step() {
    let mut model = open(Place::Home, Screen::NoAsk);
    let _ = model.update(Msg::Did(Command::Lock));
    let _ = model.update(frame(2, 1, Some(Failure::NotNow), Screen::NoAsk));
    assert_eq!(model.failure, Some(Failure::NotNow));
    let _ = model.update(frame(3, 1, None, Screen::NoAsk));
    assert_eq!(model.failure, Some(Failure::NotNow));
    let _ = model.update(Msg::Did(Command::Lock));
    assert_eq!(model.failure, None);
}

#[test]
fn a_dead_worker_is_greeted_anew_and_no_command_is_sent_again() {
    let mut model = open(Place::Home, Screen::NoAsk);
    let _ = model.update(Msg::Did(Command::Show(Place::Networks)));
    assert_eq!(
        model.update(Msg::Dropped),
        [Effect::Connect(0, hello(Place::Networks))]
    );
    assert!(model.interrupted && !model.shell().busy);
    // The new worker counts its views from 1 again.
    let _ = model.update(frame(1, 0, None, Screen::NoIntent));
    assert_eq!(model.kind(), Kind::NoIntent);
    assert!(model.interrupted);
}

/// Else the button of a confirm window would stay as it was pressed, and nothing come of it.
#[test]
fn a_step_made_while_the_worker_restarts_is_told_and_can_be_made_again() {
    let mut model = open(Place::Asks, Screen::NoAsk);
    let _ = model.update(Msg::Dropped);
    let before = model.round;
    assert_eq!(model.update(Msg::Did(Command::Next)), []);
    assert!(model.interrupted && !model.shell().busy);
    assert_ne!(model.round, before);
    let _ = model.update(frame(1, 0, None, Screen::NoAsk));
    assert_eq!(model.update(Msg::Did(Command::Next)).len(), 1);
}

#[test]
fn a_worker_that_stays_away_is_waited_for_and_then_given_up() {
    let mut model = open(Place::Home, Screen::NoAsk);
    let waits: Vec<_> = (0..PATIENCE)
        .flat_map(|_| model.update(Msg::Dropped))
        .map(|effect| match effect {
            Effect::Connect(after, _) => after,
            Effect::Send(_) | Effect::Close(_) => panic!("{effect:?}"),
        })
        .collect();
    assert_eq!(waits, [0, 500, 1_000, 2_000, 4_000, 4_000]);
    assert_eq!(model.update(Msg::Dropped), []);
    assert_eq!(model.kind(), Kind::Cut(Link::Lost));
}

#[test]
fn a_worker_that_ends_every_half_minute_is_never_given_up() {
    let mut model = open(Place::Home, Screen::NoAsk);
    for _ in 0..100 {
        assert_eq!(
            model.update(Msg::Dropped),
            [Effect::Connect(0, hello(Place::Home))]
        );
        let _ = model.update(frame(1, 0, None, Screen::NoAsk));
    }
}

#[test]
fn nothing_is_sent_while_there_is_no_worker() {
    let mut model = open(Place::Home, Screen::NoAsk);
    let _ = model.update(Msg::Dropped);
    assert_eq!(model.update(Msg::Did(Command::Lock)), []);
    assert!(!model.shell().busy);
}

#[test]
fn a_refusal_is_the_end() {
    for why in [
        Refused::Token,
        Refused::Version,
        Refused::NewerData,
        Refused::NoStore,
    ] {
        let mut model = open(Place::Home, Screen::NoAsk);
        let _ = model.update(Msg::Received(to_json(&ToWindow::Refused(why))));
        assert_eq!(model.update(Msg::Dropped), []);
        assert_eq!(model.kind(), Kind::Cut(Link::Refused(why)));
    }
}

#[test]
fn a_frame_of_another_build_ends_the_window() {
    let mut model = open(Place::Home, Screen::NoAsk);
    let _ = model.update(Msg::Received("{}".into()));
    assert_eq!(model.kind(), Kind::Cut(Link::Refused(Refused::Version)));
}

#[test]
fn an_updated_extension_ends_the_window() {
    let mut model = open(Place::Home, Screen::NoAsk);
    let _ = model.update(Msg::Gone);
    assert_eq!(model.kind(), Kind::Cut(Link::Gone));
    assert_eq!(model.update(Msg::Dropped), []);
}

#[test]
fn the_confirm_window_closes_when_nothing_is_left_to_see() {
    let closes = |decision| {
        let mut model = open(Place::Asks, Screen::NoAsk);
        model.update(frame(2, 0, None, decided(decision)))
    };
    assert_eq!(closes(Decision::Declined), [Effect::Close(0)]);
    assert_eq!(closes(Decision::Later), [Effect::Close(0)]);
    assert_eq!(closes(Decision::Connected), [Effect::Close(1_200)]);
    // What was sent is looked at until its end, and what is unclear is read.
    assert_eq!(closes(Decision::Approved), []);
    assert_eq!(closes(Decision::DeclinedResend), []);
}

#[test]
fn a_window_that_was_about_to_close_stays_for_a_new_ask() {
    let mut model = open(Place::Asks, Screen::NoAsk);
    let _ = model.update(frame(2, 0, None, decided(Decision::Connected)));
    assert!(model.may_close());
    let _ = model.update(frame(3, 0, None, Screen::NoAsk));
    assert!(!model.may_close());
}

#[test]
fn how_many_others_wait_is_no_part_of_what_is_read() {
    let ask = |of| {
        let frame = crate::tests::views::all()
            .into_iter()
            .find(|(name, _)| *name == "ask");
        let Some((_, ToWindow::View { view, .. })) = frame else {
            panic!("the gallery has an ask");
        };
        let Screen::Ask(mut ask) = view.screen else {
            panic!("it is an ask");
        };
        ask.place = QueuePlace { nth: 1, of };
        open(Place::Asks, Screen::Ask(ask))
    };
    assert_eq!(ask(1).screen(), ask(5).screen());
    assert_eq!(ask(5).shell().place, Some(QueuePlace { nth: 1, of: 5 }));
}
