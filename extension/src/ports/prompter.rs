//! Windows of our own, and the toolbar button's badge.

use super::chrome::{
    BrowserWindow, begun, object, runtime_url, set_badge_text, settled, tabs_create,
    windows_create, windows_remove, windows_update,
};
use countersign_core::ports::{self, Window, WindowId};
use wasm_bindgen::JsCast as _;

/// The page that shows the whole wallet.
const HOME: &str = "home.html";

/// Outer size of the confirm window in CSS pixels: one phone column, as tall as small screens show.
const CONFIRM_SIZE: (i32, i32) = (420, 720);

/// `windows`, `tabs` and `action`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Prompter;

impl Prompter {
    /// Opens the page of the whole wallet in a tab. An empty token opens it all the same: the page
    /// is told why it is not served.
    pub(crate) async fn open_home(self, token: &str) {
        let url = runtime_url(&format!("{HOME}#{token}"));
        // Where no window takes a tab, the person has none to look at either.
        let _ = settled(tabs_create(&object(&[("url", url.into())]))).await;
    }
}

const fn page(window: Window) -> (&'static str, (i32, i32)) {
    match window {
        Window::Confirm => ("confirm.html", CONFIRM_SIZE),
    }
}

impl ports::Prompter for Prompter {
    async fn open(&self, window: Window, token: &str) -> Option<WindowId> {
        let (page, (width, height)) = page(window);
        let options = object(&[
            ("url", runtime_url(&format!("{page}#{token}")).into()),
            ("type", "popup".into()),
            ("width", width.into()),
            ("height", height.into()),
            ("focused", true.into()),
        ]);
        let opened = settled(windows_create(&options)).await.ok()?;
        let opened: BrowserWindow = opened.unchecked_into();
        opened.browser_window_id().map(WindowId)
    }

    async fn focus(&self, window: WindowId) -> bool {
        let options = object(&[("focused", true.into()), ("drawAttention", true.into())]);
        settled(windows_update(window.0, &options)).await.is_ok()
    }

    async fn close(&self, window: WindowId) {
        let _ = settled(windows_remove(window.0)).await;
    }

    fn badge(&self, waiting: usize) {
        let text = match waiting {
            0 => String::new(),
            // More digits than three are cut off by the browser.
            1..=999 => waiting.to_string(),
            _ => "999+".to_owned(),
        };
        begun(set_badge_text(&object(&[("text", text.into())])));
    }
}
