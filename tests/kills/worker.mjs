// Ends the extension's worker at a point of its work that is named from outside.
//
// The browser attaches this to each new worker before that runs its first line, and what the
// worker reaches out by (`fetch`, the journal's transactions, the second copy's files) is wrapped
// there. So the artefact is as released, and holds no switch for any of this. An attached debugger
// keeps a worker alive for longer than the browser would: how one that idles is stopped is seen in
// `tests/e2e/life.mjs`.

import { until } from '../e2e/cdp.mjs';

/**
 * Runs in the worker before its own script. A *step* is either side of each thing it does outside
 * itself: `fetch` and `answer`, `store` and `stored` (a transaction of the journal, told apart by
 * the line it adds to the log of events, or else by its table), `file` (the second copy).
 *
 * `meetAt(plan)` says where the worker is to report itself: at the step with number `nth` from now,
 * or at the first that is `step` with this `event`, `last` having been stored of an intent before
 * it. Where it `parks`, it does nothing more from there on.
 */
function wrap() {
  const never = new Promise(() => {});
  const said = new WeakMap();
  let last = null;
  let plan = null;
  let parked = false;
  let files = false;

  const met = (step, event) => {
    if (parked) return true;
    if (!plan) return false;
    plan.nth -= 1;
    const fits = plan.step === step && (plan.event ?? event) === event
      && (plan.last ?? last) === last;
    if (plan.step === undefined ? plan.nth > 0 : !fits) return false;
    parked = plan.parks;
    plan = null;
    met_at(JSON.stringify({ step, event, last }));
    return parked;
  };

  self.meetAt = wanted => {
    plan = wanted;
  };

  const { fetch } = self;
  self.fetch = async (request, ...options) => {
    // The worker's own wasm is asked for by its address.
    if (!(request instanceof Request)) return fetch(request, ...options);
    if (met('fetch', new URL(request.url).pathname.split('/').at(-1))) await never;
    const answer = await fetch(request);
    if (met('answer')) await never;
    return answer;
  };

  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (...options) {
    wrapFiles();
    const begun = transaction.apply(this, options);
    if (begun.mode !== 'readwrite') return begun;
    const writes = { tables: [] };
    said.set(begun, writes);
    begun.addEventListener('complete', () => {
      if (writes.tables.includes('intents')) last = writes.event;
      met('stored', writes.event ?? writes.tables[0]);
    });
    return begun;
  };

  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (row, ...key) {
    const writes = said.get(this.transaction);
    writes?.tables.push(this.name);
    if (this.name === 'audit' && writes)
      writes.event = new TextDecoder().decode(row.body).split(' ')[1];
    return put.call(this, row, ...key);
  };

  const { commit } = IDBTransaction.prototype;
  IDBTransaction.prototype.commit = function () {
    const writes = said.get(this);
    if (!writes || !met('store', writes.event ?? writes.tables[0])) return commit.call(this);
    // A transaction that is asked for more does not end, until its worker does.
    const more = () => {
      this.objectStore(this.objectStoreNames[0]).get('').onsuccess = more;
    };
    return more();
  };

  // The browser has not made this one yet where the worker has not run its first line.
  function wrapFiles() {
    if (files || !self.FileSystemFileHandle) return;
    files = true;
    const { createWritable } = FileSystemFileHandle.prototype;
    FileSystemFileHandle.prototype.createWritable = async function (...options) {
      if (met('file')) await never;
      return createWritable.apply(this, options);
    };
  }
}

/** The worker of a browser's extension, as something that can be killed. */
export class Victim {
  #session = null;
  #plan = null;
  #met = null;

  static async of(browser) {
    const victim = new Victim();
    victim.browser = browser;
    const { connection } = browser;
    connection.listen(({ method, params, sessionId }) => {
      if (method === 'Target.attachedToTarget') victim.#came(params);
      if (method === 'Target.detachedFromTarget' && params.sessionId === victim.#session)
        victim.#session = null;
      if (method === 'Runtime.bindingCalled' && sessionId === victim.#session) {
        victim.#plan = null;
        victim.#met?.(JSON.parse(params.payload));
      }
    });
    await connection.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true,
      flatten: true, filter: [{ type: 'service_worker' }] });
    return victim;
  }

  async #came({ sessionId, targetInfo: { type, url } }) {
    if (type !== 'service_worker' || new URL(url).host !== this.browser.id) return;
    this.#session = sessionId;
    const tell = (method, params) => this.browser.connection.send(method, params, sessionId);
    try {
      await tell('Runtime.enable');
      await tell('Runtime.addBinding', { name: 'met_at' });
      await tell('Runtime.evaluate', { expression: `(${wrap})()` });
      if (this.#plan) await tell('Runtime.evaluate', { expression: this.#order });
      await tell('Runtime.runIfWaitingForDebugger');
    } catch {
      // A worker that is gone before it was told all of it is followed by another.
    }
  }

  get #order() {
    return `meetAt(${JSON.stringify(this.#plan)})`;
  }

  /** Gives `met`, which resolves once the worker, this one or one that follows, meets the plan. */
  async meets(plan) {
    this.#plan = plan;
    const met = new Promise(done => (this.#met = done));
    if (this.#session)
      await this.browser.connection
        .send('Runtime.evaluate', { expression: this.#order }, this.#session)
        .catch(() => {});
    return { met };
  }

  /** There is no plan any more. */
  async forget() {
    await this.meets(null);
    this.#met = null;
  }

  /** Kills the worker. It counts where another was started after it, by its own count of starts. */
  async kill(person) {
    const before = await person.starts();
    const sessionId = this.#session;
    this.#session = null;
    // A worker that is attached to would be kept, and started anew as the same target.
    if (sessionId)
      await this.browser.connection.send('Target.detachFromTarget', { sessionId }).catch(() => {});
    await this.browser.killWorker();
    await until(async () => (await person.starts()) > before, 'the next start of the worker');
  }
}
