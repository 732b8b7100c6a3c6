// Carries messages between the MCP clients of a page and the worker. It runs in the isolated world
// of every page and decides nothing: who may ask, and for what, the worker knows. Until the page
// posts a message on a channel of ours, nothing here runs and the worker sleeps.
//
// The page's side is the envelope of @mcp-b/transports. The worker's side is `wire::page` of
// countersign-core: each frame one string of JSON, and inside it the page's message as a string.
(() => {
  'use strict';

  const VERSION = 1;
  const CHANNEL = /^countersign(:[A-Za-z0-9_-]{1,64})?$/;
  const MAX_BYTES = 256 * 1024;
  // A sandboxed document has no origin that could be named. It is told nothing but that it is not
  // served.
  const TARGET = window.origin === 'null' ? '*' : window.origin;

  // Messages to send again on a new port when this one is lost: requests without an answer, and
  // what makes a client a listener (`waits: false`), for which alone no port is opened again.
  const open = new Map();
  // Answers posted and not yet heard: each is acknowledged when it comes round to our own listener,
  // which it does after whatever the page had said by then, as that it waits no longer.
  const unheard = new Map();
  let port = null;
  let met = false;
  // Ports in a row that closed before the worker said it was there. A worker that is just being
  // stopped closes one; two mean that it does not start.
  let misses = 0;

  const post = (channel, payload) =>
    window.postMessage({ channel, type: 'mcp', direction: 'server-to-client', payload }, TARGET);

  const keyOf = (channel, id) => JSON.stringify([channel, id]);
  const isId = id => typeof id === 'string' || Number.isSafeInteger(id);

  const fail = (channel, id, code, message, data) =>
    post(channel, {
      jsonrpc: '2.0',
      ...(isId(id) ? { id } : {}),
      error: { code, message, ...(data ? { data } : {}) },
    });

  // The worker cannot be reached from this document any more, or does not start.
  const gone = () => {
    const left = [...open.values()];
    open.clear();
    for (const { channel, id, waits } of left)
      if (waits)
        fail(channel, id, -31003, 'Countersign was updated or cannot start; reload this page, ' +
          'then make the call again with the same inputs: a payment that is under way is found, ' +
          'not made twice.', { code: 'call_lost', retry: 'again' });
  };

  const attempt = work => {
    try {
      work();
    } catch {
      port = null;
      gone();
    }
  };

  const connect = () => {
    if (port) return;
    const mine = chrome.runtime.connect({ name: 'page' });
    const send = frame => mine.postMessage(JSON.stringify(frame));
    mine.onMessage.addListener(text => {
      const frame = JSON.parse(text);
      if (frame.t === 'ready') misses = 0;
      if (frame.t !== 'post') return;
      const payload = JSON.parse(frame.msg);
      const key = keyOf(frame.channel, payload.id);
      if (payload.method === undefined) open.delete(key);
      if (frame.n !== undefined)
        unheard.set(key, () => mine === port && attempt(() => send({ t: 'ack', n: frame.n })));
      post(frame.channel, payload);
    });
    mine.onDisconnect.addListener(() => {
      if (mine !== port) return;
      port = null;
      if (misses < 2) resume();
      else gone();
    });
    port = mine;
    misses += 1;
    send({ t: 'hello', v: VERSION });
    const now = performance.now();
    for (const { channel, msg, at } of open.values())
      send({ t: 'resume', channel, msg, age_ms: Math.round(now - at) });
    if (met) return;
    met = true;
    chrome.runtime.onMessage.addListener((word, _, answer) => {
      if (word === 'wake' && open.size > 0) attempt(connect);
      if (word === 'attended') answer(navigator.userActivation.hasBeenActive);
    });
    // A document that comes back from the browser's cache has lost its port unheard.
    window.addEventListener('pageshow', ({ persisted }) => {
      if (!persisted) return;
      port = null;
      resume();
    });
  };

  const resume = () => {
    if ([...open.values()].some(({ waits }) => waits)) attempt(connect);
  };

  window.addEventListener('message', ({ source, origin, data }) => {
    if (source !== window || origin !== window.origin || !data) return;
    const { channel, type, direction, payload } = data;
    if (type !== 'mcp' || payload == null) return;
    if (typeof channel !== 'string' || !CHANNEL.test(channel)) return;
    if (direction === 'server-to-client') {
      const key = keyOf(channel, payload.id);
      unheard.get(key)?.();
      unheard.delete(key);
      return;
    }
    if (direction !== 'client-to-server') return;
    if (payload === 'mcp-check-ready') return post(channel, 'mcp-server-ready');

    const { id, method, params } = payload;
    let msg;
    try {
      msg = JSON.stringify(payload);
    } catch {
      return fail(channel, id, -32600, 'The message cannot be written as JSON.');
    }
    if (new TextEncoder().encode(msg).length > MAX_BYTES)
      return fail(channel, id, -32600, 'The message is longer than 256 KiB; send less.');

    const at = performance.now();
    const request = method !== undefined && isId(id);
    const entry = { channel, id, msg, at, waits: request && method !== 'subscriptions/listen' };
    const listens = method === 'notifications/initialized';
    attempt(() => {
      try {
        connect();
      } finally {
        if (request || listens) open.set(keyOf(channel, request ? id : null), entry);
        if (method === 'notifications/cancelled')
          for (const map of [open, unheard]) map.delete(keyOf(channel, params?.requestId));
      }
      port.postMessage(JSON.stringify({ t: 'rpc', channel, msg }));
    });
  });
})();
