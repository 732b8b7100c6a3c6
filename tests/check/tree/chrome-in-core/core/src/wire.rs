#[wasm_bindgen(js_namespace = ["chrome", "tabs"])]
extern "C" {}
