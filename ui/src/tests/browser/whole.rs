//! What holds of every page in every state.

use super::*;

#[wasm_bindgen_test]
async fn every_page_has_one_main_part_and_one_first_heading() {
    for (name, frame) in views::all() {
        let page = Page::saying(frame);
        settled().await;
        assert_eq!(page.all("main").len(), 1, "{name}");
        assert_eq!(page.all("h1").len(), 1, "{name}");
    }
}

#[wasm_bindgen_test]
async fn everything_that_can_be_worked_has_a_name() {
    for (name, frame) in views::all() {
        let page = Page::saying(frame);
        settled().await;
        for worked in page.all("button, input, textarea, summary, nav, [role=img]") {
            let called = page.name_of(&worked);
            assert!(!called.is_empty(), "{name}: {}", worked.outer_html());
        }
    }
}

#[wasm_bindgen_test]
async fn no_page_carries_a_style_or_a_script_of_its_own() {
    for (name, frame) in views::all() {
        let page = Page::saying(frame);
        settled().await;
        assert!(
            page.all("[style], style, script, iframe, a[href], img")
                .is_empty(),
            "{name}"
        );
    }
}

#[wasm_bindgen_test]
async fn every_page_but_a_refused_one_begins_with_the_mark() {
    for (name, frame) in views::all() {
        let refused = matches!(frame, ToWindow::Refused(_));
        let page = Page::saying(frame);
        settled().await;
        let marks = page.all("[role=img]");
        let first = marks
            .first()
            .map(|mark| page.name_of(mark))
            .unwrap_or_default();
        assert_eq!(first == "Your mark: harbour heron", !refused, "{name}");
    }
}

#[wasm_bindgen_test]
async fn a_frame_of_another_build_leaves_a_page_that_says_so() {
    let page = Page::of("home");
    page.worker.say_text("{}");
    settled().await;
    assert_eq!(page.text_of("[role=alert] h1"), "Countersign was updated");
}

#[wasm_bindgen_test]
fn a_frame_reads_back_in_the_browser() {
    for (name, frame) in views::all() {
        assert_eq!(from_json::<ToWindow>(&to_json(&frame)), Ok(frame), "{name}");
    }
}
