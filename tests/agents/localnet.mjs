// A local network in a process of its own, and its control interface.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export const TKA = 'bkyz2-fmaaa-aaaaa-qaaaq-cai';
export const GEM = 'be2us-64aaa-aaaaa-qaabq-cai';
// Only with `--odd`: one whose own profile would do harm, a ledger that publishes no interface, a
// ledger that calls itself ICP.
export const KIOSK = 'c5kvi-uuaaa-aaaaa-qaaia-cai';
export const TILL = 'c2lt4-zmaaa-aaaaa-qaaiq-cai';
export const LOOKALIKE = 'ctiya-peaaa-aaaaa-qaaja-cai';

export class Localnet {
  /**
   * Starts the binary `countersign-localnet` with arguments of its own (`--seed b`, `--delegated`)
   * and waits until it listens.
   */
  static async start(binary, args = []) {
    const child = spawn(binary, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    // So that it never outlives the test, however that ends.
    process.once('exit', () => child.kill());
    const lines = createInterface({ input: child.stdout });
    const line = await new Promise((done, failed) => {
      lines.once('line', done);
      child.once('error', failed);
      child.once('exit', code => failed(new Error(`${binary} ended with ${code}`)));
    });
    const { url, control_url, root_key } = JSON.parse(line);
    return new Localnet(child, url, control_url, root_key);
  }

  constructor(child, url, controlUrl, rootKey) {
    Object.assign(this, { child, url, controlUrl, rootKey });
  }

  /** The root key's bytes. */
  get rootKeyBytes() {
    return Uint8Array.from(Buffer.from(this.rootKey, 'hex'));
  }

  /** Ends the process. */
  async stop() {
    if (this.child.exitCode !== null) return;
    const ended = new Promise(done => this.child.once('exit', done));
    this.child.kill('SIGINT');
    await ended;
  }

  /** A control request: its JSON answer, or an error with what is wrong. */
  async control(method, path, body) {
    const response = await fetch(this.controlUrl + path, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  status() { return this.control('GET', '/status'); }
  counters() { return this.control('GET', '/counters'); }
  resetCounters() { return this.control('DELETE', '/counters'); }
  advance(ms) { return this.control('POST', '/time', { advance_ms: ms }); }
  /** Orders a fault: `{ name, … }`, or in full. */
  fault(order) { return this.control('POST', '/faults', order); }
  clearFaults() { return this.control('DELETE', '/faults'); }
  release() { return this.control('POST', '/release'); }
  change(ledger, settings) { return this.control('POST', `/ledger/${ledger}`, settings); }
  mint(ledger, to, amount) {
    return this.control('POST', `/ledger/${ledger}/mint`, { to, amount: String(amount) });
  }
  async balance(ledger, account) {
    const { balance } = await this.control('GET', `/ledger/${ledger}/balance/${account}`);
    return BigInt(balance);
  }
  /** The text of a ledger's interface, whether it publishes that or not. */
  async interface(ledger) {
    const response = await fetch(`${this.controlUrl}/ledger/${ledger}/interface`);
    if (!response.ok) throw new Error(`no interface of ${ledger}: ${response.status}`);
    return response.text();
  }
  blocks(ledger) { return this.control('GET', `/ledger/${ledger}/blocks`); }
}
