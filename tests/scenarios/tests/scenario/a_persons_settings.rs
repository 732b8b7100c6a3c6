//! How the pages look is set by the person, kept, and read by the pages alone; where it cannot be
//! read, the pages look as at first, and nothing else is the worse for it.

use countersign_core::confirm::view::Asked;
use countersign_core::ports::store::{Batch, Expect, Query, Store as _, Table, Write};
use countersign_core::testing::{Meddling, run_native};
use countersign_core::wire::ui::{Command, Failure, Language, Place, Screen, Settings, Theme};
use countersign_scenarios::lunch::{SHOP, asked, lunch, paid};
use countersign_scenarios::{Person, Stage};
use serde_json::{Value, json};

const CHINESE: Option<Language> = Some(Language::SimplifiedChinese);

/// What the newest view of a window says of how it looks.
fn look(person: &Person) -> Settings {
    let newest = person.seen().last().expect("the window shows something");
    newest.settings
}

/// A wallet that was made, and its page.
fn made() -> (Stage, Person) {
    let mut stage = Stage::new();
    let mut home = Person::at_home(&mut stage);
    home.creates(&stage);
    (stage, home)
}

fn sets(person: &mut Person, stage: &Stage, language: Option<Language>, theme: Theme) {
    person.must(stage, Command::SetLanguage(language));
    person.must(stage, Command::SetTheme(theme));
}

/// Cuts the stored settings off, or has them written by a newer version.
fn spoil(stage: &Stage, newer: bool) {
    let store = stage.world.memory();
    let mut row = run_native(store.get(Table::Settings, Settings::KEY))
        .expect("it can be read")
        .expect("settings are stored");
    let expect = Expect::Rev(row.rev);
    row.rev += 1;
    if newer {
        row.v += 1;
    } else {
        row.body.truncate(row.body.len() / 2);
    }
    let table = Table::Settings;
    let batch = Batch {
        writes: vec![Write::Put { table, expect, row }],
        audit: Vec::new(),
    };
    run_native(store.commit(batch)).expect("it can be written");
}

#[test]
fn until_something_is_set_browser_and_system_decide() {
    let mut stage = Stage::new();
    let mut home = Person::at_home(&mut stage);
    assert!(matches!(home.screen(), Screen::FirstRun(_)));
    assert_eq!(look(&home), Settings::default());
    home.creates(&stage);
    assert_eq!(look(&home), Settings::default());
    home.must(&stage, Command::Show(Place::Settings));
    assert_eq!(home.screen(), &Screen::Settings);
    // What is set to what it is anyway leaves no trace.
    sets(&mut home, &stage, None, Theme::System);
    assert_eq!(look(&home), Settings::default());
}

#[test]
fn what_is_set_holds_in_every_window_and_for_every_worker_and_browser_after() {
    let mut stage = Stage::new();
    let (_page, _, _, mut asks) = asked(&mut stage);
    let mut home = Person::at_home(&mut stage);
    sets(&mut home, &stage, CHINESE, Theme::Dark);
    let set = Settings {
        language: CHINESE,
        theme: Theme::Dark,
    };
    assert_eq!(look(&home), set);
    asks.look(&stage);
    assert_eq!(look(&asks), set);
    stage.kill_worker();
    asks.connect(&mut stage);
    assert_eq!(look(&asks), set);
    stage.restart_browser();
    let mut home = Person::at_home(&mut stage);
    assert!(matches!(home.screen(), Screen::Unlock(_)));
    assert_eq!(look(&home), set);
    home.unlocks(&stage);
    sets(&mut home, &stage, None, Theme::System);
    assert_eq!(look(&home), Settings::default());
}

#[test]
fn two_windows_that_set_at_once_are_both_obeyed() {
    let (mut stage, mut one) = made();
    let mut other = Person::at_home(&mut stage);
    one.press(&stage, Command::SetLanguage(CHINESE));
    other.press(&stage, Command::SetTheme(Theme::Dark));
    stage.settle();
    for window in [&mut one, &mut other] {
        window.look(&stage);
        assert_eq!(window.failure(), None);
        let set = Settings {
            language: CHINESE,
            theme: Theme::Dark,
        };
        assert_eq!(look(window), set);
    }
}

#[test]
fn wherever_the_worker_dies_the_old_or_the_new_is_there_whole() {
    let mut both = [false, false];
    for turns in 0.. {
        let (mut stage, mut home) = made();
        sets(&mut home, &stage, CHINESE, Theme::Light);
        home.press(&stage, Command::SetTheme(Theme::Dark));
        stage.turns(turns);
        stage.kill_worker();
        home.connect(&mut stage);
        let after = look(&home);
        assert_eq!(after.language, CHINESE);
        match after.theme {
            Theme::Light => both[0] = true,
            Theme::Dark => both[1] = true,
            Theme::System => panic!("nobody set this"),
        }
        if both[1] {
            break;
        }
    }
    assert_eq!(both, [true, true]);
}

#[test]
fn what_is_not_stored_is_told_and_changes_nothing() {
    for (with, stored) in [
        (Meddling::Full, false),
        (Meddling::Closed, false),
        // Nobody heard of it, so it is looked at again.
        (Meddling::StoredUnheard, true),
        (Meddling::LostUnheard, true),
    ] {
        let (stage, mut home) = made();
        stage.world.memory().meddle(0, 1, with);
        home.does(&stage, Command::SetTheme(Theme::Dark));
        stage.world.memory().meddle(0, 0, with);
        let theme = if stored { Theme::Dark } else { Theme::System };
        assert_eq!(home.failure().is_none(), stored, "{with:?}");
        assert_eq!(look(&home).theme, theme, "{with:?}");
        home.must(&stage, Command::SetTheme(Theme::Light));
        assert_eq!(look(&home).theme, Theme::Light, "{with:?}");
    }
}

#[test]
fn a_damaged_row_stands_for_the_defaults_and_is_replaced() {
    let mut stage = Stage::new();
    let (mut page, _, _, mut asks) = asked(&mut stage);
    let mut home = Person::at_home(&mut stage);
    sets(&mut home, &stage, CHINESE, Theme::Dark);
    spoil(&stage, false);
    stage.kill_worker();
    page.connect(&mut stage);
    asks.connect(&mut stage);
    assert_eq!(look(&asks), Settings::default());
    stage.settle();
    asks.look(&stage);
    asks.approve(&stage);
    assert_eq!(paid(&stage), 1);
    home.connect(&mut stage);
    home.must(&stage, Command::SetTheme(Theme::Light));
    let set = Settings {
        language: None,
        theme: Theme::Light,
    };
    assert_eq!(look(&home), set);
}

#[test]
fn a_row_of_a_newer_version_stands_for_the_defaults_and_is_left_alone() {
    let (mut stage, mut home) = made();
    sets(&mut home, &stage, CHINESE, Theme::Dark);
    spoil(&stage, true);
    stage.kill_worker();
    home.connect(&mut stage);
    assert_eq!(look(&home), Settings::default());
    home.does(&stage, Command::SetTheme(Theme::Light));
    assert_eq!(home.failure(), Some(&Failure::NotNow));
    assert_eq!(look(&home), Settings::default());
}

#[test]
fn a_locked_wallet_looks_as_it_was_set_and_lets_nothing_be_set() {
    let (stage, mut home) = made();
    sets(&mut home, &stage, CHINESE, Theme::Dark);
    home.must(&stage, Command::Lock);
    home.must(&stage, Command::Show(Place::Settings));
    assert!(matches!(home.screen(), Screen::Unlock(_)));
    for command in [Command::SetLanguage(None), Command::SetTheme(Theme::Light)] {
        home.does(&stage, command);
        assert_eq!(home.failure(), Some(&Failure::Locked));
    }
    home.unlocks(&stage);
    assert_eq!(home.screen(), &Screen::Settings);
    assert_eq!(look(&home).language, CHINESE);
    assert_eq!(look(&home).theme, Theme::Dark);
}

/// All that an agent is told on the way to an ask, and what is signed and shown then, but for how the
/// page looks.
fn way_to_an_ask(language: Option<Language>, theme: Theme) -> (Vec<Value>, Value) {
    let mut stage = Stage::new();
    let (mut page, payer) = stage.connected(SHOP, &[Stage::tka()]);
    stage.mint(Stage::tka(), payer, 1_000_000_000);
    let mut home = Person::at_home(&mut stage);
    sets(&mut home, &stage, language, theme);
    let list = page.request(&stage, "tools/list", json!({}));
    stage.settle();
    let mut told = vec![page.answer(&stage, list).expect("the list is answered")];
    told.push(page.call(&stage, "wallet_status", json!({})));
    told.push(page.call(&stage, "prepare_icrc1_transfer", lunch("1.5 TKA")));
    told.push(page.call(&stage, "prepare_icrc1_transfer", lunch("none")));
    let preview = &told[2]["preview"]["preview_id"];
    let commit = page.begin(&stage, "commit", json!({ "preview_id": preview }));
    stage.settle();
    let mut person = Person::at_asks(&mut stage);
    let mut screen = person.screen().clone();
    if let Screen::Ask(ask) = &mut screen
        && let Asked::Call(call) = &mut ask.what
    {
        // The canister is asked for its words in the language that was set.
        call.consent = None;
    }
    let screen = serde_json::to_value(screen).expect("it is JSON");
    // As stored before the yes: the answer's certificate also tells of what a canister was asked.
    let rows = run_native(stage.world.memory().list(Table::Intents, Query::All));
    let rows = rows.expect("it can be read");
    let bodies: Vec<_> = rows.iter().map(|row| format!("{:?}", row.body)).collect();
    person.approve(&stage);
    stage.settle();
    told.push(page.told(&stage, commit).expect("the commit is answered"));
    (told, json!({ "screen": screen, "stored": bodies }))
}

#[test]
fn no_digest_no_record_and_no_word_to_an_agent_depends_on_it() {
    let plain = way_to_an_ask(Some(Language::English), Theme::Light);
    let other = way_to_an_ask(CHINESE, Theme::Dark);
    assert_eq!(plain, other);
}
