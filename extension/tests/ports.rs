//! The small ports, inside a service worker. What the browser gives only to extensions is played by
//! the test.
#![cfg(target_arch = "wasm32")]

use countersign_core::ports::{
    Alarms as _, Clock as _, Entropy as _, Exchange, Mirror as _, Prompter as _, Replica as _,
    Session as _, SessionError, Texts as _, Window, WindowId,
};
use countersign_core::time::Span;
use countersign_extension::ports::{
    Alarms, Clock, Entropy, FetchReplica, OpfsMirror, Prompter, Session, Texts,
};
use js_sys::{Array, Function, JSON};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_service_worker);

/// Calls a function of JavaScript with this body.
fn script(body: &str) -> JsValue {
    Function::new_no_args(body)
        .call0(&JsValue::NULL)
        .expect("the script does not throw")
}

fn json(value: &JsValue) -> String {
    JSON::stringify(value).expect("JSON").into()
}

/// Puts `chrome` in place: every function notes its name and arguments in the list that is given
/// back, and gives what `answers` has for it.
fn chrome(answers: &str) -> Array {
    let body = format!(
        "const heard = [];
         const answers = {answers};
         const at = path => new Proxy(() => {{}}, {{
           get: (_, name) => at([...path, name]),
           apply: (_, __, given) => {{
             heard.push([path.join('.'), ...given]);
             return (answers[path.join('.')] ?? (async () => undefined))(...given);
           }},
         }});
         globalThis.chrome = at([]);
         return heard;"
    );
    script(&body).into()
}

/// Puts a `fetch` in place that notes how it was called and answers by this body of a function of
/// `request`.
fn fetch(answer: &str) -> Array {
    let body = format!(
        "const heard = [];
         globalThis.fetch = async request => {{
           heard.push([request.method, request.url, request.redirect, request.credentials,
             request.cache, request.referrerPolicy, request.headers.get('content-type'),
             [...new Uint8Array(await request.clone().arrayBuffer())]]);
           {answer}
         }};
         return heard;"
    );
    script(&body).into()
}

#[wasm_bindgen_test]
async fn a_request_is_sent_once_without_cookies_cache_redirects_or_referrer() {
    let heard = fetch("return new Response(new Uint8Array([9, 8]), { status: 202 });");
    let url = "http://127.0.0.1:9/api";
    let answer = FetchReplica.post(url, &[1, 2, 3]).await;
    let (status, body) = (202, vec![9, 8]);
    assert_eq!(answer, Exchange::Answer { status, body });
    let posted = r#"["POST","http://127.0.0.1:9/api","error","omit","no-store","no-referrer","application/cbor",[1,2,3]]"#;
    assert_eq!(json(&heard), format!("[{posted}]"));
    FetchReplica.get(url).await;
    let got = r#"["GET","http://127.0.0.1:9/api","error","omit","no-store","no-referrer",null,[]]"#;
    assert_eq!(json(&heard), format!("[{posted},{got}]"));
}

#[wasm_bindgen_test]
async fn whatever_goes_wrong_with_a_request_is_no_answer_and_is_not_tried_again() {
    let url = "http://127.0.0.1:9/api";
    let broken = "return new Response(new ReadableStream({
        pull(c) { this.n = (this.n ?? 0) + 1; if (this.n > 1) c.error(new Error('cut off'));
          else c.enqueue(new Uint8Array(10)); } }));";
    let endless = "return new Response(new ReadableStream({
        pull(c) { c.enqueue(new Uint8Array(65536)); } }));";
    for answer in ["throw new TypeError('Failed to fetch');", broken, endless] {
        let heard = fetch(answer);
        assert_eq!(FetchReplica.post(url, b"x").await, Exchange::NoAnswer);
        assert_eq!(heard.length(), 1);
    }
    let heard = fetch("return new Response();");
    assert_eq!(FetchReplica.get("http://").await, Exchange::NoAnswer);
    assert_eq!(heard.length(), 0);
}

#[wasm_bindgen_test]
async fn an_answer_without_a_body_is_an_answer() {
    fetch("return new Response(null, { status: 204 });");
    let (status, body) = (204, vec![]);
    let answer = FetchReplica.get("http://127.0.0.1:9/").await;
    assert_eq!(answer, Exchange::Answer { status, body });
}

#[wasm_bindgen_test]
async fn the_mirror_keeps_replaces_lists_and_removes_files() {
    let folder = format!("test-{}", js_sys::Math::random());
    let mirror = OpfsMirror::new(&folder);
    assert_eq!(mirror.names().await, Ok(vec![]));
    assert_eq!(mirror.read("a").await, Ok(None));
    assert_eq!(mirror.remove("a").await, Ok(()));
    assert_eq!(mirror.write("a", b"one, longer").await, Ok(()));
    assert_eq!(mirror.write("a", b"two").await, Ok(()));
    assert_eq!(mirror.write("b", b"three").await, Ok(()));
    // As a worker leaves it that dies between making a file and closing what it wrote.
    assert_eq!(mirror.write("cut off", b"").await, Ok(()));
    assert_eq!(mirror.read("cut off").await, Ok(None));
    assert_eq!(mirror.remove("cut off").await, Ok(()));
    let again = OpfsMirror::new(&folder);
    assert_eq!(again.read("a").await, Ok(Some(b"two".to_vec())));
    assert_eq!(again.read("b").await, Ok(Some(b"three".to_vec())));
    let mut names = again.names().await.expect("the names are read");
    names.sort();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(again.remove("a").await, Ok(()));
    assert_eq!(mirror.read("a").await, Ok(None));
}

#[wasm_bindgen_test]
async fn the_session_is_closed_to_pages_before_anything_is_put_there() {
    let heard = chrome("{}");
    let session = Session::default();
    assert_eq!(session.put(&[0, 255]).await, Ok(()));
    assert_eq!(session.clear().await, Ok(()));
    let calls = [
        r#"["storage.session.setAccessLevel",{"accessLevel":"TRUSTED_CONTEXTS"}]"#,
        r#"["storage.session.set",{"half":[0,255]}]"#,
        r#"["storage.session.remove","half"]"#,
    ];
    assert_eq!(json(&heard), format!("[{}]", calls.join(",")));
    let heard = chrome("{ 'storage.session.setAccessLevel': async () => { throw 1; } }");
    assert_eq!(Session::default().put(&[1]).await, Err(SessionError));
    assert_eq!(heard.length(), 1);
}

#[wasm_bindgen_test]
async fn the_session_gives_bytes_back_and_nothing_else() {
    for (kept, read) in [
        ("{ half: [0, 7, 255] }", Ok(Some(vec![0, 7, 255]))),
        ("{}", Ok(None)),
        ("{ half: [256] }", Err(SessionError)),
        ("{ half: [1.5] }", Err(SessionError)),
        ("{ half: 'text' }", Err(SessionError)),
    ] {
        chrome(&format!(
            "{{ 'storage.session.get': async () => ({kept}) }}"
        ));
        assert_eq!(Session::default().get().await, read, "{kept}");
    }
}

#[wasm_bindgen_test]
async fn a_window_opens_on_its_page_with_the_token_in_the_fragment() {
    let answers = "{ 'runtime.getURL': path => 'chrome-extension://us/' + path,
        'windows.create': async () => ({ id: 7 }) }";
    let heard = chrome(answers);
    let opened = Prompter.open(Window::Confirm, "0a1b").await;
    assert_eq!(opened, Some(WindowId(7)));
    let options = Array::from(&heard.get(1)).get(1);
    let get = |name: &str| js_sys::Reflect::get(&options, &name.into()).expect("an object");
    assert_eq!(get("url"), "chrome-extension://us/confirm.html#0a1b");
    assert_eq!(get("type"), "popup");
    let refused = "{ 'runtime.getURL': path => path, 'windows.create': async () => { throw 1; },
        'windows.update': async () => { throw 1; }, 'windows.remove': async () => { throw 1; } }";
    chrome(refused);
    assert_eq!(Prompter.open(Window::Confirm, "0a1b").await, None);
    assert!(!Prompter.focus(WindowId(7)).await);
    Prompter.close(WindowId(7)).await;
}

#[wasm_bindgen_test]
async fn the_badge_counts_and_is_cleared_by_nothing() {
    let heard = chrome("{}");
    for waiting in [2, 0, 1_000] {
        Prompter.badge(waiting);
    }
    Clock.pause(Span::from_millis(1)).await;
    let set = |text| format!(r#"["action.setBadgeText",{{"text":"{text}"}}]"#);
    let all = [set("2"), set(""), set("999+")].join(",");
    assert_eq!(json(&heard), format!("[{all}]"));
}

/// The alarms that were set, in minutes.
fn minutes(heard: &Array) -> Vec<f64> {
    let delay = |call: JsValue| {
        let options = Array::from(&call).get(2);
        js_sys::Reflect::get(&options, &"delayInMinutes".into())
            .ok()?
            .as_f64()
    };
    heard.iter().filter_map(delay).collect()
}

#[wasm_bindgen_test]
async fn the_earliest_wake_up_asked_for_comes_once_and_an_alarm_stands_behind_it() {
    let heard = chrome("{}");
    let woken = Rc::new(Cell::new(0));
    let count = Rc::clone(&woken);
    let alarms = Alarms::new(move || count.set(count.get() + 1));
    alarms.wake_after(Span::from_mins(10));
    alarms.wake_after(Span::from_millis(20));
    alarms.wake_after(Span::from_millis(10_000));
    Clock.pause(Span::from_millis(200)).await;
    assert_eq!(woken.get(), 1);
    assert_eq!(minutes(&heard), [10.0, 0.5]);
    alarms.wake_after(Span::from_millis(20));
    Clock.pause(Span::from_millis(200)).await;
    assert_eq!(woken.get(), 2);
    assert_eq!(minutes(&heard), [10.0, 0.5]);
}

#[wasm_bindgen_test]
async fn the_clocks_tell_the_time_and_go_on() {
    let host = Clock.host().as_nanos();
    // 2025, and 2100.
    assert!((1_735_689_600..4_102_444_800).contains(&(host / 1_000_000_000)));
    let before = Clock.monotonic();
    Clock.pause(Span::from_millis(5)).await;
    let passed = Clock.monotonic().as_nanos() - before.as_nanos();
    assert!(passed >= 4_000_000, "{passed}");
}

#[wasm_bindgen_test]
async fn every_byte_that_is_asked_for_is_drawn() {
    let mut bytes = vec![0; 200_000];
    Entropy.fill(&mut bytes);
    let zeros = bytes
        .chunks(64)
        .filter(|part| part.iter().all(|byte| *byte == 0));
    assert_eq!(zeros.count(), 0);
    let mut others = vec![0; 200_000];
    Entropy.fill(&mut others);
    assert_ne!(bytes, others);
}

#[wasm_bindgen_test]
fn every_keyboards_form_of_a_text_has_one_normal_form() {
    assert_eq!(Texts.nfkd("caf\u{e9} \u{fb01}"), "cafe\u{301} fi");
    assert_eq!(Texts.nfkd("cafe\u{301} fi"), "cafe\u{301} fi");
    assert_eq!(Texts.nfkd(""), "");
}
