#[wasm_bindgen(js_namespace = ["chrome", "runtime"])]
extern "C" {
    fn connect();
}
