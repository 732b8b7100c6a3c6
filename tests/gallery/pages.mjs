// The wallet's pages without the extension: the built folder, served on loopback under the very
// policy that the manifest gives them, and a worker that shows one made-up view.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize, resolve } from "node:path";

const VIEWS = new URL("../../ui/golden/views.json", import.meta.url);
const MANIFEST = new URL("../../manifest.json", import.meta.url);
const TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
};

/** The made-up views: a frame by its name. */
export const views = JSON.parse(await readFile(VIEWS, "utf8"));

/** Whether a view belongs into the confirm window. */
export const isConfirm = (name) => /^(ask|connect|decided|dead|no-ask)/.test(name);

/** Serves `folder`; gives the origin and a way to stop. */
export async function serve(folder) {
  const manifest = JSON.parse(await readFile(MANIFEST, "utf8"));
  const policy = manifest.content_security_policy.extension_pages;
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, "http://localhost").pathname);
    try {
      const body = await readFile(join(resolve(folder), path));
      response.writeHead(200, {
        "content-type": TYPES[extname(path)] ?? "application/octet-stream",
        "content-security-policy": policy,
      });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { origin: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}

/** Opens the page of a view. What the page sends stands in `window.sent`; `window.show(frame)`
 * shows another view; every step is answered with a failure. */
export async function open(page, origin, name) {
  await page.addInitScript((frame) => {
    window.sent = [];
    let tell = () => {};
    let last = 0;
    window.show = (next) => {
      last += 1;
      frame = { view: { ...next.view, seq: last } };
      tell(JSON.stringify(frame));
    };
    const runtime = {
      connect: () => ({
        disconnect() {},
        onDisconnect: { addListener() {} },
        onMessage: { addListener: (listener) => (tell = listener) },
        postMessage(text) {
          const sent = JSON.parse(text);
          window.sent.push(sent);
          if (sent.hello) {
            last = frame.view?.seq ?? 0;
            setTimeout(() => tell(JSON.stringify(frame)));
          } else {
            window.show({ view: { ...frame.view, handled: sent.do.n, failure: "not_now" } });
          }
        },
      }),
    };
    window.chrome = { runtime };
  }, views[name]);
  const file = isConfirm(name) ? "confirm.html" : "home.html";
  await page.goto(`${origin}/${file}#token`);
  await page.locator("main").first().waitFor();
}
