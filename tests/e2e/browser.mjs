// Starts Chromium with the built extension, in a profile of its own that is gone afterwards.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { Connection, Page, until } from './cdp.mjs';

const NAMES = ['chromium', 'chromium-browser', 'chrome-for-testing'];

function chromium() {
  if (process.env.COUNTERSIGN_CHROMIUM) return process.env.COUNTERSIGN_CHROMIUM;
  for (const name of NAMES)
    for (const folder of (process.env.PATH ?? '').split(delimiter))
      if (existsSync(join(folder, name))) return join(folder, name);
  throw new Error('no Chromium on the path: install it, or name one in COUNTERSIGN_CHROMIUM');
}

// So that a browser never outlives its test, however that ends.
const running = new Set();
process.once('exit', () => running.forEach(child => child.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

/** A running browser with one extension. */
export class Browser {
  /**
   * @param {{extension: string, headless?: boolean, profile?: string, args?: string[]}} options
   * `extension` is the folder that holds the manifest. A `profile` that is given is kept.
   */
  static async launch({ extension, headless = true, profile, args = [] }) {
    const folder = resolve(extension);
    readFileSync(join(folder, 'manifest.json'));
    const data = profile ?? mkdtempSync(join(tmpdir(), 'countersign-'));
    const child = spawn(chromium(), [
      // Scripts look for English words, whatever this machine speaks.
      ...(headless ? ['--headless=new', '--accept-lang=en-US'] : []),
      // Root cannot use the sandbox; only machines that are thrown away run tests as root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      `--user-data-dir=${data}`,
      `--disable-extensions-except=${folder}`,
      `--load-extension=${folder}`,
      '--remote-debugging-pipe',
      '--no-first-run',
      '--no-default-browser-check',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--password-store=basic',
      '--use-mock-keychain',
      ...args,
      'about:blank',
    ], { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
    const browser = new Browser();
    const connection = new Connection(child);
    Object.assign(browser, { child, connection, data, kept: profile !== undefined, log: '',
      extension, options: { headless, args } });
    child.stderr.on('data', text => (browser.log = (browser.log + text).slice(-20_000)));
    running.add(child);
    child.once('exit', () => running.delete(child));
    const worker = await until(() => browser.worker(), 'the extension\'s worker').catch(error => {
      throw new Error(`${error.message}\n${browser.log}`);
    });
    browser.id = new URL(worker.url).host;
    return browser;
  }

  /** What the browser has open: pages, frames, workers. Looking attaches to nothing. */
  async targets() {
    return (await this.connection.send('Target.getTargets')).targetInfos;
  }

  /** The extension's service worker, if it runs now. Of extensions beside it none is called so. */
  async worker() {
    const ours = ({ type, url }) => type === 'service_worker'
      && url.startsWith('chrome-extension://') && url.endsWith('/worker.js');
    return (await this.targets()).find(ours);
  }

  /** Ends the worker as the browser may at any moment, and waits until it is gone. */
  async killWorker() {
    const worker = await this.worker();
    if (!worker) return;
    await this.connection.send('Target.closeTarget', { targetId: worker.targetId });
    await until(async () => (await this.worker())?.targetId !== worker.targetId, 'the worker\'s end');
  }

  /** Opens a tab and loads a page in it. */
  async open(url) {
    const { targetId } = await this.connection.send('Target.createTarget', { url: 'about:blank' });
    const page = await Page.attach(this.connection, targetId);
    if (url) await page.goto(url);
    return page;
  }

  /** The pages of the extension whose path begins so. */
  async extensionPages(path) {
    const start = `chrome-extension://${this.id}/${path}`;
    return (await this.targets()).filter(t => t.type === 'page' && t.url.startsWith(start));
  }

  /** Attaches to the page of the extension whose path begins so, once it is there. */
  async extensionPage(path, seconds, fits = () => true) {
    const page = await until(
      async () => (await this.extensionPages(path)).find(fits),
      `the page ${path}`,
      seconds,
    );
    return Page.attach(this.connection, page.targetId);
  }

  /** Presses the extension's button in the toolbar. */
  async pressToolbarButton() {
    const { targetInfos } = await this.connection.send('Target.getTargets',
      { filter: [{ type: 'tab', exclude: false }] });
    const [{ targetId }] = targetInfos;
    await this.connection.send('Extensions.triggerAction', { id: this.id, targetId });
  }

  async close() {
    await this.ends();
    if (!this.kept) rmSync(this.data, { recursive: true, force: true, maxRetries: 5 });
  }

  /**
   * Ends it, as a person does or by a crash, and starts another with its profile, to whose folder
   * something may be done `between`.
   */
  async again({ crash = false, between = () => {} } = {}) {
    await this.ends(crash);
    await between(this.data);
    const { extension, options, data, kept } = this;
    const next = await Browser.launch({ ...options, extension, profile: data });
    return Object.assign(next, { kept });
  }

  /** Ends it, and waits until it has written everything. */
  async ends(crash) {
    if (crash) this.child.kill('SIGKILL');
    else await this.connection.send('Browser.close').catch(() => {});
    await this.connection.closed;
  }
}

/**
 * Serves pages on loopback. `pages` maps a path to `{ body, type?, headers? }`.
 * @returns {Promise<{url: string, close: () => void}>} `url` ends without a slash
 */
export async function serve(pages, host = '127.0.0.1') {
  const server = createServer((request, response) => {
    const page = pages[new URL(request.url, 'http://x').pathname];
    if (!page) return response.writeHead(404).end();
    const type = page.type ?? 'text/html; charset=utf-8';
    response.writeHead(200, { 'content-type': type, ...page.headers }).end(page.body);
  });
  await new Promise(done => server.listen(0, host, done));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://${host}:${server.address().port}`, close };
}
