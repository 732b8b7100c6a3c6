// A small client of the Chrome DevTools Protocol over the browser's pipe.
//
// It attaches to pages only, never to a service worker: an attached debugger keeps a worker alive,
// and then nobody sees what happens when the browser stops it.

import { setTimeout as after } from 'node:timers/promises';

const connections = new Set();

/** What browsers were asked and have not answered. */
export const unanswered = () => [...connections].flatMap(connection => connection.unanswered());

/** The connection to one browser: messages are JSON, each ended by a zero byte. */
export class Connection {
  #last = 0;
  #waiting = new Map();
  #listeners = new Set();
  #rest = [];
  #out;
  #ended;
  closed;

  /** @param {import('node:child_process').ChildProcess} browser with pipes at 3 (in) and 4 (out) */
  constructor(browser) {
    this.#out = browser.stdio[3];
    this.#out.on('error', () => {});
    browser.stdio[4].on('data', bytes => this.#take(bytes));
    connections.add(this);
    this.closed = new Promise(done => {
      browser.once('exit', (code, signal) => {
        connections.delete(this);
        this.#ended = new Error(`the browser ended (${signal ?? code})`);
        for (const { reject } of this.#waiting.values()) reject(this.#ended);
        this.#waiting.clear();
        done();
      });
    });
  }

  #take(bytes) {
    for (let end; (end = bytes.indexOf(0)) >= 0; bytes = bytes.subarray(end + 1)) {
      const text = Buffer.concat([...this.#rest, bytes.subarray(0, end)]).toString();
      this.#rest = [];
      const message = JSON.parse(text);
      if (message.method === 'Target.detachedFromTarget') this.#left(message.params.sessionId);
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (!waiting) for (const listener of [...this.#listeners]) listener(message);
      else if (message.error)
        waiting.reject(new Error(`${waiting.method}: ${message.error.message}`));
      else waiting.resolve(message.result);
    }
    this.#rest.push(bytes);
  }

  /** A page is gone: what was asked of it is not answered any more. */
  #left(sessionId) {
    for (const [id, waiting] of this.#waiting) {
      if (waiting.sessionId !== sessionId) continue;
      this.#waiting.delete(id);
      waiting.reject(new PageGone(waiting.method));
    }
  }

  /** Sends a command to the browser, or to the target of a session. */
  send(method, params = {}, sessionId) {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = ++this.#last;
    this.#out.write(JSON.stringify({ id, method, params, sessionId }) + '\0');
    return new Promise((resolve, reject) =>
      this.#waiting.set(id, { resolve, reject, method, params, sessionId }));
  }

  unanswered() {
    return [...this.#waiting.values()].map(({ method, params }) =>
      `${method} ${JSON.stringify(params)}`.slice(0, 300));
  }

  /** Calls `listener` with `{ method, params, sessionId }` of every event; gives its remover. */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** A page was closed before it did what it was asked. */
export class PageGone extends Error {
  constructor(method) {
    super(`${method}: the page is gone`);
  }
}

/** One page, window or frame that is attached to. */
export class Page {
  /** The main world of each frame of this process; the page's own under its target's id. */
  #worlds = new Map();
  #bindings = new Map();

  static async attach(connection, targetId) {
    const { sessionId } =
      await connection.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page();
    Object.assign(page, { connection, targetId, sessionId, errors: [] });
    connection.listen(event => event.sessionId === sessionId && page.#heard(event));
    await page.send('Page.enable');
    await page.send('Runtime.enable');
    return page;
  }

  #heard({ method, params }) {
    if (method === 'Runtime.executionContextCreated' && params.context.auxData?.isDefault)
      this.#worlds.set(params.context.auxData.frameId, params.context.id);
    if (method === 'Runtime.executionContextDestroyed')
      for (const [frame, world] of this.#worlds)
        if (world === params.executionContextId) this.#worlds.delete(frame);
    if (method === 'Runtime.exceptionThrown')
      this.errors.push(params.exceptionDetails.exception?.description ?? 'unknown');
    if (method === 'Runtime.bindingCalled')
      this.#bindings.get(params.name)?.(JSON.parse(params.payload));
  }

  send(method, params) {
    return this.connection.send(method, params, this.sessionId);
  }

  /** Loads a page and waits for its load event. */
  async goto(url) {
    const loaded = this.event('Page.loadEventFired');
    const { errorText } = await this.send('Page.navigate', { url });
    if (errorText) throw new Error(`${url}: ${errorText}`);
    await loaded;
  }

  /** The next event of this kind. */
  event(method, fits = () => true) {
    return new Promise(done => {
      const stop = this.connection.listen(event => {
        if (event.sessionId !== this.sessionId || event.method !== method) return;
        if (!fits(event.params)) return;
        stop();
        done(event.params);
      });
    });
  }

  /** Runs an expression. A document that is replaced before it runs leaves it to its successor. */
  async #run(expression) {
    for (;;) {
      const world = () => this.#worlds.get(this.targetId);
      const contextId = await until(world, 'the page\'s world');
      try {
        return await this.send('Runtime.evaluate', {
          expression,
          awaitPromise: true,
          returnByValue: true,
          allowUnsafeEvalBlockedByCSP: false,
          contextId,
        });
      } catch (error) {
        if (!/Cannot find context/.test(error.message)) throw error;
        if (world() === contextId) this.#worlds.delete(this.targetId);
      }
    }
  }

  /** Runs a function with JSON arguments in the page's own world and gives what it resolves to. */
  evaluate(work, ...args) {
    return this.evaluates(`(${work})(...${JSON.stringify(args)})`);
  }

  /** Runs an expression in the page's own world and gives what it resolves to. */
  async evaluates(expression) {
    const { result, exceptionDetails } = await this.#run(expression);
    if (exceptionDetails)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Gives the page a function `name(value)` that calls `work` here with the JSON of `value`. */
  async expose(name, work) {
    const raw = `${name}_json`;
    this.#bindings.set(raw, work);
    await this.send('Runtime.addBinding', { name: raw });
    const source = `globalThis.${name} = value => ${raw}(JSON.stringify(value))`;
    await this.send('Page.addScriptToEvaluateOnNewDocument', { source });
  }

  /** A trusted click in the middle of the first element that the selector finds. */
  async click(selector) {
    const { x, y } = await until(
      () => this.evaluate(selector => {
        const element = document.querySelector(selector);
        if (!element || element.disabled) return null;
        element.scrollIntoView({ block: 'nearest' });
        const { x, y, width, height } = element.getBoundingClientRect();
        return width && height ? { x: x + width / 2, y: y + height / 2 } : null;
      }, selector),
      `an enabled, visible ${selector}`,
    );
    const mouse = (type, more) =>
      this.send('Input.dispatchMouseEvent', { type, x, y, ...more });
    await mouse('mouseMoved');
    await mouse('mousePressed', { button: 'left', clickCount: 1 });
    await mouse('mouseReleased', { button: 'left', clickCount: 1 });
  }

  /** Types into the element that has the focus. */
  type(text) {
    return this.send('Input.insertText', { text });
  }

  /** A PNG of what is seen. */
  async screenshot() {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(data, 'base64');
  }

  close() {
    return this.connection.send('Target.closeTarget', { targetId: this.targetId });
  }
}

/** Polls until `look` gives something; fails after `seconds`, saying what was waited for. */
export async function until(look, what, seconds = 15) {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > end) throw new Error(`waited ${seconds} s for ${what}`);
    await after(20);
  }
}
