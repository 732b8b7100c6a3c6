//! Elements that pages are made of, each built in one place. What a page builds in its own code is a
//! type of its own, and those types are most of the module.

use leptos::prelude::*;

use super::drawn::Warning;
use super::texts::Pieces;
use crate::app::App;

/// Views one after another.
pub(crate) fn row(views: Vec<AnyView>) -> AnyView {
    views.into_any()
}

/// Nothing.
pub(crate) fn nothing() -> AnyView {
    ().into_any()
}

/// A text from outside.
#[inline(never)]
pub(crate) fn text(text: String) -> AnyView {
    view! { <bdi>{text}</bdi> }.into_any()
}

/// A text of ours.
#[inline(never)]
pub(crate) fn say(text: String) -> AnyView {
    text.into_any()
}

/// Words of somebody else, in quotes.
#[inline(never)]
pub(crate) fn quoted(words: String) -> AnyView {
    view! { <q><bdi>{words}</bdi></q> }.into_any()
}

/// A name of the interface, or a place in it.
#[inline(never)]
pub(crate) fn code(name: String) -> AnyView {
    view! { <code>{name}</code> }.into_any()
}

/// A paragraph.
#[inline(never)]
pub(crate) fn p(class: &'static str, inner: AnyView) -> AnyView {
    view! { <p class=class>{inner}</p> }.into_any()
}

/// A block.
#[inline(never)]
pub(crate) fn block(class: &'static str, inner: AnyView) -> AnyView {
    view! { <div class=class>{inner}</div> }.into_any()
}

/// An item of a list.
#[inline(never)]
pub(crate) fn item(inner: AnyView) -> AnyView {
    view! { <li>{inner}</li> }.into_any()
}

/// A list of items.
#[inline(never)]
pub(crate) fn list(class: &'static str, items: Vec<AnyView>) -> AnyView {
    view! { <ul class=class>{items}</ul> }.into_any()
}

/// A name and its value, for a list of them.
#[inline(never)]
pub(crate) fn line(name: AnyView, value: AnyView) -> AnyView {
    view! { <div><dt>{name}</dt><dd>{value}</dd></div> }.into_any()
}

/// A list of names and values.
#[inline(never)]
pub(crate) fn lines(class: &'static str, lines: Vec<AnyView>) -> AnyView {
    view! { <dl class=class>{lines}</dl> }.into_any()
}

/// A row of a table: what it is, and what it says.
#[inline(never)]
pub(crate) fn cells(name: AnyView, value: AnyView) -> AnyView {
    view! { <tr><th scope="row">{name}</th><td>{value}</td></tr> }.into_any()
}

/// A table of rows.
#[inline(never)]
pub(crate) fn table(class: &'static str, rows: Vec<AnyView>) -> AnyView {
    view! { <table class=class><tbody>{rows}</tbody></table> }.into_any()
}

/// A long text, whole, in pieces.
#[inline(never)]
pub(crate) fn pieces(text: String) -> AnyView {
    view! { <Pieces text=text /> }.into_any()
}

/// A sign that warns, and words.
#[inline(never)]
pub(crate) fn warned(words: String) -> AnyView {
    row(vec![view! { <Warning /> }.into_any(), say(words)])
}

/// A text in smaller type.
#[inline(never)]
pub(crate) fn small(words: String) -> AnyView {
    view! { <small>{words}</small> }.into_any()
}

/// What a fold is called, and a note on it.
#[inline(never)]
pub(crate) fn noted(name: String, note: String) -> AnyView {
    row(vec![say(name + " "), small(note)])
}

/// A heading.
#[inline(never)]
pub(crate) fn heading(level: u8, words: String) -> AnyView {
    match level {
        2 => view! { <h2>{words}</h2> }.into_any(),
        3 => view! { <h3>{words}</h3> }.into_any(),
        _ => view! { <h4>{words}</h4> }.into_any(),
    }
}

/// A word about a thing.
#[inline(never)]
pub(crate) fn chip(class: &'static str, words: String) -> AnyView {
    view! { <span class=class>{words}</span> }.into_any()
}

/// A note with its sign.
#[inline(never)]
pub(crate) fn note(class: &'static str, inner: AnyView) -> AnyView {
    view! { <div class=class><Warning /><div>{inner}</div></div> }.into_any()
}

/// A part that folds.
#[inline(never)]
pub(crate) fn fold(class: &'static str, open: bool, summary: AnyView, inner: AnyView) -> AnyView {
    view! { <details class=class open=open><summary>{summary}</summary>{inner}</details> }
        .into_any()
}

/// A button, dead while a step is on its way.
pub(crate) fn button(class: &'static str, label: String, press: impl Fn(App) + 'static) -> AnyView {
    pressed(class, label, Box::new(press))
}

#[inline(never)]
fn pressed(class: &'static str, label: String, press: Box<dyn Fn(App)>) -> AnyView {
    let app = App::of_page();
    view! {
        <button
            type="button"
            class=class
            disabled=move || app.is_busy()
            on:click=move |_| press(app)
        >
            {label}
        </button>
    }
    .into_any()
}
