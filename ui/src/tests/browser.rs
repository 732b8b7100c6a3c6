//! The pages in a browser, found as a person or a screen reader finds them: by role and name.

use countersign_core::confirm::view::Preset;
use countersign_core::wire::ui::{
    Action, Command, Failure, Language, Place, ToWindow, ToWorker, from_json, to_json,
};
use leptos::mount::mount_to;
use leptos::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Element, HtmlElement, HtmlInputElement};

use super::views;
use crate::app::App;
use crate::bridge::{Bridge, Gone, PortEvent};
use crate::model::Model;
use crate::pages::Window;

wasm_bindgen_test_configure!(run_in_browser);

mod adding;
mod ask;
mod forms;
mod looks;
mod whole;

/// Where a port's events go.
type Events = Rc<dyn Fn(PortEvent)>;

/// A worker that pushes one made-up view, records what it is sent, and does nothing of it.
struct Pretended {
    frame: ToWindow,
    events: RefCell<Option<Events>>,
    /// The frames that were sent, oldest first.
    sent: Rc<RefCell<Vec<ToWorker>>>,
}

impl Pretended {
    /// A worker that says this frame.
    fn saying(frame: ToWindow) -> Self {
        Self {
            frame,
            events: RefCell::new(None),
            sent: Rc::default(),
        }
    }

    /// Says a frame.
    fn say(&self, frame: &ToWindow) {
        self.say_text(&to_json(frame));
    }

    /// Says anything.
    fn say_text(&self, text: &str) {
        let events = self.events.borrow().clone();
        if let Some(events) = events {
            events(PortEvent::Received(text.to_owned()));
        }
    }
}

impl Bridge for Pretended {
    fn connect(&self, events: Rc<dyn Fn(PortEvent)>) -> Result<(), Gone> {
        self.events.replace(Some(events));
        Ok(())
    }

    fn send(&self, frame: &str) {
        let frame: ToWorker = from_json(frame).expect("a page sends frames");
        self.sent.borrow_mut().push(frame.clone());
        match (frame, self.frame.clone()) {
            (ToWorker::Do { n, .. }, ToWindow::View { view, .. }) => self.say(&ToWindow::View {
                seq: 1 + n,
                handled: n,
                failure: Some(Failure::NotNow),
                view,
            }),
            (_, frame) => self.say(&frame),
        }
    }
}

/// A page on its own part of the document, gone when dropped.
struct Page {
    root: HtmlElement,
    worker: Rc<Pretended>,
    _mounted: Box<dyn core::any::Any>,
}

impl Drop for Page {
    fn drop(&mut self) {
        self.root.remove();
    }
}

impl Page {
    /// The page of a made-up view, by its name.
    fn of(name: &str) -> Self {
        let (_, frame) = views::all()
            .into_iter()
            .find(|(known, _)| *known == name)
            .expect("the gallery has a view of this name");
        Self::saying(frame)
    }

    fn saying(frame: ToWindow) -> Self {
        Self::read_by(Language::English, frame)
    }

    /// The page as it is in a browser of this language.
    fn read_by(browser: Language, frame: ToWindow) -> Self {
        let root: HtmlElement = document().create_element("div").unwrap().unchecked_into();
        document().body().unwrap().append_child(&root).unwrap();
        let worker = Rc::new(Pretended::saying(frame));
        let bridge = Rc::clone(&worker);
        let model = Model::new("token".into(), Place::Asks, browser);
        let mounted = mount_to(root.clone(), move || {
            provide_context(App::start(model, bridge));
            view! { <Window /> }
        });
        Self {
            root,
            worker,
            _mounted: Box::new(mounted),
        }
    }

    /// All elements that match.
    fn all(&self, selector: &str) -> Vec<HtmlElement> {
        let found = self.root.query_selector_all(selector).unwrap();
        (0..found.length())
            .filter_map(|at| found.get(at))
            .map(JsCast::unchecked_into)
            .collect()
    }

    /// The one button of this name.
    fn button(&self, name: &str) -> HtmlElement {
        let mut found: Vec<_> = self
            .all("button")
            .into_iter()
            .filter(|button| self.name_of(button) == name)
            .collect();
        assert_eq!(found.len(), 1, "buttons called {name}");
        found.remove(0)
    }

    /// The one field of this name.
    fn field(&self, name: &str) -> HtmlInputElement {
        let mut found: Vec<_> = self
            .all("input")
            .into_iter()
            .filter(|field| self.name_of(field) == name)
            .collect();
        assert_eq!(found.len(), 1, "fields called {name}");
        found.remove(0).unchecked_into()
    }

    /// The accessible name, as far as these pages give names: a label, a reference, or the content.
    fn name_of(&self, element: &Element) -> String {
        if let Some(label) = element.get_attribute("aria-label") {
            return label;
        }
        if let Some(id) = element.get_attribute("aria-labelledby") {
            return self.text_of(&format!("#{id}"));
        }
        if matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA") {
            return element
                .closest("label")
                .unwrap()
                .map(|label| {
                    let bold = label.query_selector("b").unwrap();
                    let first = bold.or_else(|| label.query_selector("span").unwrap());
                    first.map(|named| text(&named)).unwrap_or_default()
                })
                .unwrap_or_default();
        }
        text(element)
    }

    /// The text of the first element that matches.
    fn text_of(&self, selector: &str) -> String {
        self.root
            .query_selector(selector)
            .unwrap()
            .map(|found| text(&found))
            .unwrap_or_default()
    }

    /// Types into a field.
    fn type_into(&self, name: &str, typed: &str) {
        let field = self.field(name);
        field.set_value(typed);
        let event = web_sys::Event::new("input").unwrap();
        field.dispatch_event(&event).unwrap();
    }

    /// The commands that were sent, oldest first.
    fn commands(&self) -> Vec<Command> {
        let sent: &RefCell<Vec<ToWorker>> = &self.worker.sent;
        sent.borrow()
            .iter()
            .filter_map(|frame| match frame {
                ToWorker::Hello { .. } => None,
                ToWorker::Do { command, .. } => Some(command.clone()),
            })
            .collect()
    }
}

/// The text of an element, with every run of white space as one space.
fn text(element: &Element) -> String {
    let text = element
        .text_content()
        .unwrap_or_default()
        .replace('\u{a0}', " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Lets effects and animation frames run.
async fn settled() {
    for _ in 0..3 {
        let frame = js_sys::Promise::new(&mut |done, _| {
            request_animation_frame(move || {
                let _ = done.call0(&wasm_bindgen::JsValue::NULL);
            });
        });
        wasm_bindgen_futures::JsFuture::from(frame).await.unwrap();
    }
}
