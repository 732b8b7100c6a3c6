//! Every hostile input ends in a refusal, or does no harm, and the next call is answered. What each
//! took is printed. In WebAssembly the set runs inside a service worker, as the wallet does.

use countersign_proof::hostile::{self, Verdict};

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_service_worker);

/// Milliseconds from some point in time.
#[cfg(target_arch = "wasm32")]
fn now() -> f64 {
    js_sys::Date::now()
}

#[cfg(not(target_arch = "wasm32"))]
fn now() -> f64 {
    use std::{sync::LazyLock, time::Instant};
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64() * 1_000.0
}

#[cfg(target_arch = "wasm32")]
fn say(line: &str) {
    wasm_bindgen_test::console_log!("{line}");
}

#[cfg(not(target_arch = "wasm32"))]
#[expect(clippy::print_stdout, reason = "a table for a person")]
fn say(line: &str) {
    println!("{line}");
}

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
fn hostile_inputs_are_refused_or_do_no_harm_and_the_next_call_is_answered() {
    let mut harm = Vec::new();
    let mut slowest = 0.0_f64;
    let all = hostile::all();
    for (at, hostile) in all.iter().enumerate() {
        let attempt = hostile.prepare();
        let start = now();
        let verdict = attempt();
        let took = now() - start;
        slowest = slowest.max(took);
        let word = match &verdict {
            Verdict::Refused(code) => code.clone(),
            Verdict::Harmless(why) => format!("({why})"),
            Verdict::Harm(what) => {
                harm.push(format!("{}: {what}", hostile.name));
                "HARM".to_owned()
            }
        };
        say(&format!("{took:>8.1} ms  {}  {word}", hostile.name));
        if at % 10 == 0 {
            hostile::the_next_call_is_answered();
        }
    }
    hostile::the_next_call_is_answered();
    say(&format!(
        "{} hostile inputs, the slowest in {slowest:.1} ms",
        all.len()
    ));
    assert!(harm.is_empty(), "{}", harm.join("\n"));
}
