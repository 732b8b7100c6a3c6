#[wasm_bindgen(js_namespace = ["chrome", "storage"])]
extern "C" {}
