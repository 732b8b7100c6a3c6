// A network's endpoint that a test can look into and cut off. It changes no byte.

import { Cbor } from '@icp-sdk/core/agent';
import { createServer, request } from 'node:http';

/** What stands between the wallet and a network. */
export class Proxy {
  /** The calls that came, as they are, and when: `{ path, body, at }`. */
  calls = [];
  /** Whether nothing is let through. */
  down = false;
  #holds = [];
  #pause = null;

  static async before(url) {
    const proxy = new Proxy();
    const to = new URL(url);
    proxy.server = createServer((incoming, outgoing) => {
      const parts = [];
      incoming.on('data', part => parts.push(part));
      incoming.on('end', async () => {
        await proxy.#pause?.over;
        const body = Buffer.concat(parts);
        if (proxy.down) return incoming.socket.destroy();
        const isCall = /\/call$/.test(incoming.url);
        if (isCall) proxy.calls.push({ path: incoming.url, body, at: performance.now() });
        const hold = isCall ? proxy.#met(body) : undefined;
        if (hold?.early) {
          hold.reach();
          if (!(await hold.decided)) return incoming.socket.destroy();
        }
        const passed = request({ hostname: to.hostname, port: to.port, path: incoming.url,
          method: incoming.method, headers: incoming.headers }, answer => {
          const pass = () => {
            outgoing.writeHead(answer.statusCode, answer.headers);
            answer.pipe(outgoing);
          };
          if (hold && !hold.early) {
            hold.reach();
            hold.decided.then(passes => (passes ? pass() : incoming.socket.destroy()));
          } else pass();
          answer.on('error', () => incoming.socket.destroy());
        });
        passed.on('error', () => {
          if (!hold || hold.early) return incoming.socket.destroy();
          hold.reach();
          hold.decided.then(() => incoming.socket.destroy());
        });
        passed.end(body);
      });
    });
    await new Promise(done => proxy.server.listen(0, '127.0.0.1', done));
    proxy.url = `http://127.0.0.1:${proxy.server.address().port}`;
    return proxy;
  }

  /**
   * The next call of a method is passed on, and the network's answer to it is kept back: `executed`
   * resolves once there is one; then `drop` loses it, or `pass` hands it on.
   */
  holds(method) {
    const { reached: executed, drop, pass } = this.#hold(method, false);
    return { executed, drop, pass };
  }

  /**
   * The next call of a method is kept back before the network has it: `came` resolves once it is
   * here; then `drop` loses it, or `pass` passes it on.
   */
  keeps(method) {
    const { reached: came, drop, pass } = this.#hold(method, true);
    return { came, drop, pass };
  }

  #hold(method, early) {
    const hold = { method, early };
    hold.reached = new Promise(done => (hold.reach = done));
    hold.decided = new Promise(done => {
      hold.drop = () => done(false);
      hold.pass = () => done(true);
    });
    this.#holds.push(hold);
    return hold;
  }

  #met(body) {
    const { method_name } = Cbor.decode(new Uint8Array(body)).content;
    const at = this.#holds.findIndex(({ method }) => method === method_name);
    return at < 0 ? undefined : this.#holds.splice(at, 1)[0];
  }

  /** Lets everything through again. */
  mend() {
    this.down = false;
    this.#holds = [];
    this.resume();
  }

  /** Keeps back whatever comes, until `resume`. */
  pause() {
    if (this.#pause) return;
    this.#pause = {};
    this.#pause.over = new Promise(done => (this.#pause.end = done));
  }

  resume() {
    this.#pause?.end();
    this.#pause = null;
  }

  /** The calls of a method as they came, repeated ones among them: what each asks for. */
  posts(method) {
    return this.calls
      .map(call => ({ ...call, ...Cbor.decode(new Uint8Array(call.body)).content }))
      .filter(({ method_name }) => method_name === method);
  }

  /** The envelopes of a method's calls whose argument holds this text, each once. */
  envelopes(method, text) {
    const distinct = new Map(this.posts(method)
      .filter(({ arg }) => Buffer.from(arg).includes(text))
      .map(post => [post.body.toString('hex'), post]));
    return [...distinct.values()];
  }

  close() {
    this.server.close();
    this.server.closeAllConnections();
  }
}
