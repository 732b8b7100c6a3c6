//! The pages of Countersign: views in, decisions out.
//!
//! A page shows the view that the worker pushed and sends the commands that a person gives. It
//! holds no key, makes no request, decides nothing and keeps nothing. `bridge` is the only file
//! that knows `chrome.runtime`; `model` is pure; components lay out.

#![forbid(unsafe_code)]

mod app;
mod bridge;
mod look;
mod model;
mod pages;
mod parts;
mod present;
#[cfg(test)]
mod tests;
mod titles;
mod when;
mod words;

use countersign_core::wire::ui::Place;
use leptos::prelude::*;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

use crate::app::App;
use crate::bridge::ChromeBridge;
use crate::model::Model;
use crate::pages::Window;

/// Mounts the page. Called when the module is loaded.
#[wasm_bindgen(start)]
pub fn start() {
    let location = window().location();
    // The token stands in the fragment, which is sent nowhere.
    let fragment = location.hash().unwrap_or_default();
    let token = fragment.trim_start_matches('#').to_owned();
    let place = match location.pathname() {
        Ok(path) if path.ends_with("/confirm.html") => Place::Asks,
        Ok(_) | Err(_) => Place::Home,
    };
    let browser = look::language_of(&look::browser_tags());
    let model = Model::new(token, place, browser);
    mount_to_body(move || {
        provide_context(App::start(model, Rc::new(ChromeBridge::default())));
        view! { <Window /> }
    });
}
