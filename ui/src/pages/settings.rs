//! Settings: how the pages look. What is chosen holds at once, in every window.

use countersign_core::wire::ui::{Command, Language, Settings, Theme};
use leptos::prelude::*;

use crate::app::App;
use crate::look::own_name;
use crate::parts::plain::{nothing, small};
use crate::t;

/// Settings.
#[component]
pub(super) fn SettingsPage() -> impl IntoView {
    let app = App::of_page();
    let browser = own_name(app.browser());
    let languages = std::iter::once(None).chain(Language::ALL.map(Some));
    let languages = languages
        .map(|language| {
            let (name, tag, note) = match language {
                None => {
                    let now = t!("settings-language-browser-note", language = browser);
                    (t!("settings-language-browser"), None, small(now))
                }
                Some(language) => (
                    own_name(language).to_owned(),
                    Some(language.tag()),
                    nothing(),
                ),
            };
            choice(Choice {
                group: "language",
                id: format!("language-{}", tag.unwrap_or("browser")),
                name,
                lang: tag,
                note,
                is_set: Box::new(move |settings| settings.language == language),
                command: Command::SetLanguage(language),
            })
        })
        .collect_view();
    let themes = [Theme::System, Theme::Light, Theme::Dark]
        .map(|theme| {
            let (id, name) = match theme {
                Theme::System => ("theme-system", t!("settings-theme-system")),
                Theme::Light => ("theme-light", t!("settings-theme-light")),
                Theme::Dark => ("theme-dark", t!("settings-theme-dark")),
            };
            choice(Choice {
                group: "theme",
                id: id.to_owned(),
                name,
                lang: None,
                note: nothing(),
                is_set: Box::new(move |settings| settings.theme == theme),
                command: Command::SetTheme(theme),
            })
        })
        .collect_view();
    view! {
        <h1>{t!("settings-title")}</h1>
        <p class="lead">{t!("settings-lead")}</p>
        <fieldset>
            <legend>{t!("settings-language")}</legend>
            <div class="choices beside">{languages}</div>
        </fieldset>
        <fieldset>
            <legend>{t!("settings-theme")}</legend>
            <div class="choices beside">{themes}</div>
        </fieldset>
    }
}

/// One of several that exclude each other.
struct Choice {
    /// What it is one of.
    group: &'static str,
    /// Its element: a page in another language is drawn anew, and the focus finds it by this.
    id: String,
    /// What it is called.
    name: String,
    /// The language of its name, where that is not the page's.
    lang: Option<&'static str>,
    /// What stands beside its name.
    note: AnyView,
    /// Whether it is the one.
    is_set: Box<dyn Fn(&Settings) -> bool + Send>,
    /// What chooses it.
    command: Command,
}

fn choice(choice: Choice) -> AnyView {
    let app = App::of_page();
    let Choice {
        group,
        id,
        name,
        lang,
        note,
        is_set,
        command,
    } = choice;
    let checked = move || {
        // A press that came to nothing leaves the mark where the browser put it: it is put back.
        let _ = app.round();
        app.shell(|shell| is_set(&shell.settings))
    };
    view! {
        <label class="choice">
            <input
                type="radio"
                name=group
                id=id
                prop:checked=checked
                on:change=move |_| app.send(command.clone())
            />
            <span class="choice-text"><b lang=lang>{name}</b>{note}</span>
        </label>
    }
    .into_any()
}
