// Starts a page: everything else is in ui.wasm.
import start from "./ui_glue.js";

await start();
