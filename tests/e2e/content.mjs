// The content script alone, in a window and with a worker that the test plays: what it sends when
// its port is lost, and what it does when there is no worker any more.
// Usage: node tests/e2e/content.mjs

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import vm from 'node:vm';
import { run, test } from './suite.mjs';

const source = readFileSync(new URL('../../extension/js/content.js', import.meta.url), 'utf8');

/** A list of listeners as `chrome.*` events have them. */
function event() {
  const listeners = [];
  return {
    addListener: listener => listeners.push(listener),
    fire: (...args) => listeners.forEach(listener => listener(...args)),
    count: () => listeners.length,
  };
}

/** A document with the script in it. `ports` are those it opened, the latest last. */
function document(origin = 'https://shop.example') {
  const listeners = {};
  const ports = [];
  const posted = [];
  const wake = event();
  const state = { now: 0, works: true, active: false };
  const window = {
    origin,
    addEventListener: (type, listener) => (listeners[type] ??= []).push(listener),
    postMessage: (data, target) => posted.push({ ...structuredClone(data), target }),
  };
  const connect = ({ name }) => {
    if (!state.works) throw new Error('Extension context invalidated.');
    const port = { name, sent: [], onMessage: event(), onDisconnect: event() };
    port.postMessage = text => port.sent.push(JSON.parse(text));
    ports.push(port);
    return port;
  };
  const chrome = { runtime: { connect, onMessage: wake } };
  const performance = { now: () => state.now };
  const navigator = { userActivation: { get hasBeenActive() { return state.active; } } };
  vm.runInNewContext(source, { window, navigator, chrome, performance, TextEncoder });
  const page = (payload, more = {}) => {
    const data = { channel: 'countersign', type: 'mcp', direction: 'client-to-server', payload,
      ...more };
    for (const listener of listeners.message) listener({ source: window, origin, data });
  };
  // What was posted comes round to every listener of the window, after what was posted before it.
  let round = 0;
  const comeRound = () => {
    for (const { target, ...data } of posted.slice(round))
      for (const listener of listeners.message) listener({ source: window, origin, data });
    round = posted.length;
  };
  const worker = frame => ports.at(-1).onMessage.fire(JSON.stringify(frame));
  const answer = (msg, more) =>
    worker({ t: 'post', channel: 'countersign', msg: JSON.stringify(msg), ...more });
  const lose = () => ports.at(-1).onDisconnect.fire();
  const back = () => listeners.pageshow.forEach(listener => listener({ persisted: true }));
  const sent = () => ports.at(-1).sent;
  return { ports, posted, wake, state, page, comeRound, worker, answer, lose, back, sent, listeners };
}

const call = id => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'commit' } });
const listen = { jsonrpc: '2.0', id: 's', method: 'subscriptions/listen' };
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const ready = { t: 'ready', v: 1 };
const hello = { t: 'hello', v: 1 };
const rpc = payload => ({ t: 'rpc', channel: 'countersign', msg: JSON.stringify(payload) });
const resume = (payload, age_ms) => ({ ...rpc(payload), t: 'resume', age_ms });

test('the script is at most 6 kB', () => assert.ok(Buffer.byteLength(source) <= 6000));

test('until a page speaks to us there is one listener and no port', () => {
  const at = document();
  assert.deepEqual(Object.keys(at.listeners), ['message']);
  assert.equal(at.listeners.message.length, 1);
  at.page('mcp-check-ready');
  at.page(call(1), { channel: 'mcp-default' });
  assert.equal(at.ports.length, 0);
  assert.equal(at.wake.count(), 0);
  assert.deepEqual(at.posted, [{ channel: 'countersign', type: 'mcp',
    direction: 'server-to-client', payload: 'mcp-server-ready', target: 'https://shop.example' }]);
});

test('a message from another window or origin is not heard', () => {
  const at = document();
  const data = { channel: 'countersign', type: 'mcp', direction: 'client-to-server',
    payload: call(1) };
  for (const from of [{ source: {}, origin: 'https://shop.example' },
    { source: null, origin: 'https://shop.example' }])
    at.listeners.message[0]({ ...from, data });
  assert.equal(at.ports.length, 0);
});

test('messages go over one port, which the first of them opens', () => {
  const at = document();
  at.page(call(1));
  at.page(call(2));
  assert.equal(at.ports.length, 1);
  assert.equal(at.ports[0].name, 'page');
  assert.deepEqual(at.sent(), [hello, rpc(call(1)), rpc(call(2))]);
});

test('a numbered post is acknowledged once it came round, another is not', () => {
  const at = document();
  at.page(call(1));
  at.answer({ jsonrpc: '2.0', id: 1, result: {} }, { n: 9 });
  at.answer({ jsonrpc: '2.0', method: 'notifications/progress' });
  assert.deepEqual(at.posted.map(({ payload }) => payload.id ?? payload.method),
    [1, 'notifications/progress']);
  assert.deepEqual(at.sent().slice(2), []);
  at.comeRound();
  at.comeRound();
  assert.deepEqual(at.sent().slice(2), [{ t: 'ack', n: 9 }]);
});

test('an answer to a call that the page had given up by then is not acknowledged', () => {
  const at = document();
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  at.page(call(1));
  at.answer({ jsonrpc: '2.0', id: 1, result: {} }, { n: 9 });
  at.page(cancelled);
  at.comeRound();
  assert.deepEqual(at.sent().slice(2), [rpc(cancelled)]);
});

test('an answer that comes round when its port is lost is not acknowledged on another', () => {
  const at = document();
  at.page(call(1));
  at.page(call(2));
  at.worker(ready);
  at.answer({ jsonrpc: '2.0', id: 1, result: {} }, { n: 9 });
  at.lose();
  at.comeRound();
  assert.deepEqual(at.sent(), [hello, resume(call(2), 0)]);
});

test('a lost port is opened again at once for open calls, which are sent again with their age', () => {
  const at = document();
  at.page(initialized);
  at.state.now = 1000;
  at.page(call(1));
  at.page(call('b'));
  at.worker(ready);
  at.answer({ jsonrpc: '2.0', id: 1, result: {} });
  at.state.now = 31_500;
  at.lose();
  assert.equal(at.ports.length, 2);
  assert.deepEqual(at.sent(), [hello, resume(initialized, 31_500), resume(call('b'), 30_500)]);
});

test('progress and another channel\'s answer leave a call open', () => {
  const at = document();
  at.page(call(1));
  at.worker(ready);
  at.answer({ jsonrpc: '2.0', method: 'notifications/progress', params: {} });
  at.answer({ jsonrpc: '2.0', id: 1, result: {} }, { channel: 'countersign:b' });
  at.answer({ jsonrpc: '2.0', id: '1', result: {} });
  at.lose();
  assert.deepEqual(at.sent(), [hello, resume(call(1), 0)]);
});

test('a lost port stays closed where nobody waits', () => {
  const at = document();
  at.page(initialized);
  at.page(listen);
  at.page(call(1));
  at.page({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  at.worker(ready);
  at.lose();
  assert.equal(at.ports.length, 1);
});

test('the next message takes up subscriptions again, before itself', () => {
  const at = document();
  at.page(listen);
  at.worker(ready);
  at.lose();
  at.page(call(1));
  assert.deepEqual(at.sent(), [hello, resume(listen, 0), rpc(call(1))]);
});

test('a wake-up opens the port of a page that listens, and of no other', () => {
  const listening = document();
  listening.page(listen);
  listening.worker(ready);
  listening.lose();
  listening.wake.fire('wake');
  listening.wake.fire('wake');
  assert.equal(listening.ports.length, 2);
  const quiet = document();
  quiet.page({ jsonrpc: '2.0', id: 1, method: 'ping' });
  quiet.worker(ready);
  quiet.answer({ jsonrpc: '2.0', id: 1, result: {} });
  quiet.lose();
  quiet.wake.fire('wake');
  assert.equal(quiet.ports.length, 1);
});

test('whether the page has had a person\'s input is answered as it is then', () => {
  const at = document();
  at.page(call(1));
  const answers = [];
  for (at.state.active of [false, true])
    at.wake.fire('attended', {}, answer => answers.push(answer));
  at.wake.fire('wake', {}, () => answers.push('to a wake-up'));
  assert.deepEqual(answers, [false, true]);
});

test('a document back from the browser\'s cache takes up its open calls', () => {
  const at = document();
  at.page(call(1));
  at.worker(ready);
  at.back();
  assert.deepEqual(at.sent(), [hello, resume(call(1), 0)]);
});

test('a worker that does not start is tried twice, then open calls are told', () => {
  const at = document();
  at.page(call(1));
  at.page(listen);
  at.lose();
  assert.equal(at.ports.length, 2);
  at.lose();
  assert.equal(at.ports.length, 2);
  assert.deepEqual(at.posted.map(({ payload }) => [payload.id, payload.error.code]),
    [[1, -31003]]);
  at.page(call(2));
  assert.equal(at.ports.length, 3);
  at.worker(ready);
  at.lose();
  assert.deepEqual(at.sent(), [hello, resume(call(2), 0)]);
});

test('a call after the extension was updated is told so, as is the one before', () => {
  const at = document();
  at.page(call(1));
  at.worker(ready);
  at.state.works = false;
  at.lose();
  at.page(call(2));
  assert.deepEqual(at.posted.map(({ payload }) => [payload.id, payload.error.code]),
    [[1, -31003], [2, -31003]]);
});

test('a sandboxed document is answered, though its origin has no name', () => {
  const at = document('null');
  at.page('mcp-check-ready');
  assert.equal(at.posted[0].target, '*');
});

await run();
