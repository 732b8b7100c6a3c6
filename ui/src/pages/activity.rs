//! Activity: everything that was asked, newest first.

use countersign_core::wire::ui::Screen;
use leptos::prelude::*;

use crate::app::App;
use crate::parts::rows::Rows;
use crate::t;

/// Activity.
#[component]
pub(super) fn ActivityPage() -> impl IntoView {
    let app = App::of_page();
    let activity = move || {
        app.screen(|screen| {
            if let Screen::Activity(activity) = screen {
                Some(activity.clone())
            } else {
                None
            }
        })
    };
    let body = move || {
        activity().map(|activity| {
            let older = activity
                .more
                .then(|| view! { <p class="dim">{t!("activity-older")}</p> });
            let rows = if activity.rows.is_empty() {
                view! { <p class="empty">{t!("home-nothing")}</p> }.into_any()
            } else {
                view! { <Rows rows=activity.rows /> }.into_any()
            };
            view! { {rows} {older} }
        })
    };
    view! {
        <h1>{t!("activity-title")}</h1>
        {body}
    }
}
