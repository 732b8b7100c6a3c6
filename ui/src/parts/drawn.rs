//! Drawings: pictures of sites and of the person, and a few icons.

use countersign_core::confirm::picture::Picture;
use leptos::prelude::*;

use crate::present::{self, Tone};

/// A picture drawn from its cells. It says nothing that words do not say.
#[component]
pub(crate) fn Drawn(picture: Picture) -> impl IntoView {
    view! {
        <svg class=format!("picture hue-{}", picture.hue) viewBox="-0.5 -0.5 6 6" aria-hidden="true">
            <path d=present::outline(picture) fill="currentColor" shape-rendering="crispEdges" />
        </svg>
    }
}

/// The wallet's own sign: a signature over a line.
#[component]
pub(crate) fn Seal() -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-linecap="round">
            <path d="M4 15.5c3.4.4 4.4-8.7 7-8.7 2.5 0-.5 7.6 2.1 7.6 1.8 0 2.5-3.4 4-3.4 1.2 0 .9 2 2.9 2" stroke-width="1.9" />
            <path d="M4 19.5h16" stroke-width="1.4" opacity=".5" />
        </svg>
    }
}

/// A triangle with a stroke: look here first.
#[component]
pub(crate) fn Warning() -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round">
            <path d="M8 2 14.5 13.5h-13z" />
            <path d="M8 6.5v3M8 11.6v.1" />
        </svg>
    }
}

/// How something came out, large. Words beside it say the same.
#[component]
pub(crate) fn Sign(tone: Tone) -> impl IntoView {
    let (class, path) = match tone {
        Tone::Good => ("sign good", "M7.5 12.5l3 3 6-6.5"),
        Tone::Open => ("sign open", "M12 7v5.2l3.2 2"),
        Tone::Quiet => ("sign", "M8 12h8"),
    };
    view! {
        <svg class=class viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round">
            <path d=path />
        </svg>
    }
}

/// A shield: what protects the person.
#[component]
pub(crate) fn Shield() -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.4" stroke-linejoin="round">
            <path d="M8 1.7 13.4 4v4.1c0 3.1-2.2 5.2-5.4 6.1-3.2-.9-5.4-3-5.4-6.1V4z" />
        </svg>
    }
}
