//! Randomness of the operating system.

use countersign_core::ports;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues)]
    fn get_random_values(out: &mut [u8]);
}

/// The most that the browser fills in one call (Web Cryptography, 10.1.1).
const MOST: usize = 65_536;

/// `crypto.getRandomValues`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entropy;

impl ports::Entropy for Entropy {
    fn fill(&self, out: &mut [u8]) {
        for part in out.chunks_mut(MOST) {
            get_random_values(part);
        }
    }
}
