// Unchanged MCP clients in real pages, against the packed extension.
// Usage: node tests/clients/run.mjs [folder of the extension]

import assert from 'node:assert/strict';
import { Browser, serve } from '../e2e/browser.mjs';
import { until } from '../e2e/cdp.mjs';
import { artefact, run, test } from '../e2e/suite.mjs';
import { bundle } from './bundle.mjs';
import { code, integrate } from './integrate.mjs';

const CLIENTS = ['v1', 'v2', 'v2 auto'];
const ALWAYS = ['commit', 'wallet_call', 'wallet_cancel', 'wallet_connect', 'wallet_find_tools',
  'wallet_intent', 'wallet_status'];

const script = await bundle();
const html = '<!doctype html><title>agent</title><script src="/agent.js"></script>';
// A page that holds an embedded one, and keeps what that one reports.
const holder = attributes => `<!doctype html><script>
  globalThis.told = new Promise(done => addEventListener('message', ({ data }) => {
    if (data?.told) done(data.told);
  }));
</script><iframe src="/embedded" ${attributes}></iframe>`;
const csp = value => ({ 'content-security-policy': value });
const site = await serve({
  '/': { body: html },
  '/agent.js': { body: script, type: 'text/javascript' },
  '/no-eval': { body: html, headers: csp("default-src 'none'; script-src 'self'") },
  '/nothing': { body: '<!doctype html><title>nothing</title>', headers: csp("default-src 'none'") },
  '/framed': { body: holder('') },
  '/sandboxed': { body: holder('sandbox="allow-scripts"') },
  '/embedded': {
    body: `${html}<script>(${refusals})().then(told => parent.postMessage({ told }, '*'))</script>`,
  },
  '/sandboxed-by-header': { body: html, headers: csp('sandbox allow-scripts') },
});
const browser = await Browser.launch({ extension: artefact() });

/** Opens a page and closes it when the work is done. */
async function on(path, work) {
  const page = await browser.open(site.url + path);
  try {
    return await work(page);
  } finally {
    await page.close();
  }
}

/** What an agent does first: connect, list, call. */
const first = async (kind, channel) => {
  const client = await agent.connect(kind, channel);
  const { tools } = await client.listTools();
  const status = await client.callTool({ name: 'wallet_status', arguments: {} });
  const unknown = await agent.errorOf(client.callTool({ name: 'nope', arguments: {} }));
  const version = client.getNegotiatedProtocolVersion?.();
  await client.close();
  return {
    version,
    names: tools.map(tool => tool.name),
    schemas: tools.filter(tool => tool.outputSchema).map(tool => tool.name),
    status,
    unknown,
    stray: client.stray,
  };
};

/** Whether the page's policy really keeps scripts from making code of text. */
const forbidsEval = () => {
  try {
    return !Function('return true')();
  } catch {
    return true;
  }
};

function judge(kind, seen) {
  assert.deepEqual(ALWAYS.filter(name => !seen.names.includes(name)), []);
  assert.deepEqual(seen.names, [...seen.names].sort());
  assert.equal(seen.unknown.code, -32602);
  assert.deepEqual(seen.stray, []);
  const [sentence, twin] = seen.status.content;
  assert.equal(seen.status.content.length, 2);
  assert.equal(sentence.type, 'text');
  assert.deepEqual(JSON.parse(twin.text), seen.status.structuredContent);
  if (kind === 'v2') assert.equal(seen.version, '2025-11-25');
  if (kind === 'v2 auto') assert.equal(seen.version, '2026-07-28');
  if (kind !== 'v2 auto') assert.deepEqual(seen.schemas, []);
}

for (const kind of CLIENTS)
  test(`client ${kind} connects, lists and calls`, () =>
    on('/', async page => judge(kind, await page.evaluate(first, kind, 'countersign'))));

for (const kind of CLIENTS)
  test(`client ${kind} does so on a channel of its own`, () =>
    on('/', async page => judge(kind, await page.evaluate(first, kind, 'countersign:a-1'))));

for (const kind of CLIENTS)
  test(`client ${kind} does so on a page that forbids eval`, () =>
    on('/no-eval', async page => {
      assert.ok(await page.evaluate(forbidsEval));
      judge(kind, await page.evaluate(first, kind, 'countersign'));
    }));

test('a page whose policy allows nothing is served', () =>
  on('/nothing', async page => {
    await page.send('Runtime.evaluate', { expression: script, allowUnsafeEvalBlockedByCSP: false });
    assert.ok(await page.evaluate(forbidsEval));
    for (const kind of CLIENTS) judge(kind, await page.evaluate(first, kind, 'countersign'));
  }));

test('two clients on two channels get only their own answers', () =>
  on('/', async page => {
    const seen = await page.evaluate(async () => {
      const clients = await Promise.all(
        ['countersign:a', 'countersign:b'].map(channel => agent.connect('v2', channel)));
      const calls = [];
      for (let i = 0; i < 5; i++)
        calls.push(...await Promise.all([
          clients[0].listTools().then(({ tools }) => Array.isArray(tools)),
          clients[1].callTool({ name: 'wallet_status', arguments: {} })
            .then(({ structuredContent }) => structuredContent !== undefined),
        ]));
      return { calls, stray: clients.flatMap(client => client.stray) };
    });
    assert.deepEqual(seen, { calls: Array(10).fill(true), stray: [] });
  }));

for (const kind of CLIENTS)
  test(`client ${kind} goes on after the worker was killed`, () =>
    on('/', async page => {
      await page.evaluate(async kind => {
        globalThis.client = await agent.connect(kind);
        await client.callTool({ name: 'wallet_status', arguments: {} });
      }, kind);
      await browser.killWorker();
      const seen = await page.evaluate(async () => {
        const status = await client.callTool({ name: 'wallet_status', arguments: {} });
        return { status: status.structuredContent !== undefined, stray: client.stray };
      });
      assert.deepEqual(seen, { status: true, stray: [] });
    }));

test('the code for integrators has fewer than 40 lines', () =>
  assert.ok(code.split('\n').filter(line => line.trim()).length < 40));

for (const kind of ['v1', 'v2'])
  test(`the code for integrators detects, opens and calls with client ${kind}`, () =>
    on('/nothing', async page => {
      await page.send('Runtime.evaluate', {
        expression: `${await integrate(kind)};globalThis.integrate = integrate`,
        allowUnsafeEvalBlockedByCSP: false,
      });
      const seen = await page.evaluate(async () => {
        const { detect, open, use } = integrate;
        return { here: await detect(), status: await use(await open(), 'wallet_status', {}) };
      });
      assert.equal(seen.here, true);
      assert.equal(seen.status.retry, 'again');
    }));

const ping = id => ({ jsonrpc: '2.0', id, method: 'ping' });
const pong = id => ({ jsonrpc: '2.0', id, result: {} });

test('a check for readiness is answered and starts no worker', () =>
  on('/', async page => {
    // The wallet's own page, open since the installation, starts a worker whenever one ends.
    const home = await browser.extensionPage('home.html');
    await home.close();
    await until(async () => !(await browser.extensionPages('')).length, 'the end of that page');
    await browser.killWorker();
    const heard = await page.evaluate(
      () => agent.raw('countersign:c', ['mcp-check-ready'], { count: 1 }));
    assert.deepEqual(heard, ['mcp-server-ready']);
    assert.equal(await browser.worker(), undefined);
  }));

test('an envelope that is not ours is let pass in silence', () =>
  on('/', async page => {
    const heard = await page.evaluate(async ping => {
      const post = envelope => postMessage({ type: 'mcp', direction: 'client-to-server',
        channel: 'countersign', payload: ping, ...envelope }, '*');
      const answers = agent.raw('countersign', [], { ms: 400 });
      for (const envelope of [{ type: 'other' }, { direction: 'server-to-client' },
        { channel: 'mcp-default' }, { channel: 'countersign:' }, { channel: 'countersign:a b' },
        { channel: ['countersign'] }, { payload: null }]) post(envelope);
      postMessage('countersign', '*');
      postMessage(null, '*');
      return answers;
    }, ping(1));
    assert.deepEqual(heard.filter(payload => payload.method !== 'ping'), []);
  }));

test('a payload that cannot be JSON, or is too long, is refused under its id', () =>
  on('/', async page => {
    const heard = await page.evaluate(() => {
      const ring = { jsonrpc: '2.0', id: 'ring', method: 'ping' };
      ring.params = { ring };
      return agent.raw('countersign', [
        ring,
        { jsonrpc: '2.0', id: 2, method: 'ping', params: { big: 1n } },
        { jsonrpc: '2.0', id: 3, method: 'ping', params: { long: 'x'.repeat(256 * 1024) } },
        { jsonrpc: '2.0', id: 4, method: 'ping', params: { long: 'é'.repeat(140 * 1024) } },
      ], { count: 4 });
    });
    assert.deepEqual(heard.map(({ id, error }) => [id, error.code]),
      [['ring', -32600], [2, -32600], [3, -32600], [4, -32600]]);
  }));

test('a message that is no request is refused without an id, and the next is served', () =>
  on('/', async page => {
    const heard = await page.evaluate(payloads => agent.raw('countersign', payloads, { count: 4 }),
      ['hello', [ping(1)], { jsonrpc: '2.0', id: null, method: 'ping' }, ping(5)]);
    assert.deepEqual(heard.slice(0, 3).map(message => ['id' in message, message.error.code]),
      Array(3).fill([false, -32600]));
    assert.deepEqual(heard[3], pong(5));
  }));

test('what stands in a result of the page is never taken for a request', () =>
  on('/', async page => {
    const heard = await page.evaluate(payloads => agent.raw('countersign', payloads, { count: 1 }),
      [{ jsonrpc: '2.0', id: 1, result: {} }, { jsonrpc: '2.0', method: 'ping' }, ping(2)]);
    assert.deepEqual(heard, [pong(2)]);
  }));

/** What frames and sandboxed documents are told: one constant for every request. */
async function refusals() {
  const answers = await agent.raw('countersign', [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } },
    { jsonrpc: '2.0', id: 2, method: 'tools/list' },
    { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'wallet_connect' } },
    { jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'nope' } },
  ], { count: 4 });
  return answers.map(({ error }) => error && JSON.stringify(error));
}

const refused = [];
for (const path of ['/framed', '/sandboxed', '/sandboxed-by-header'])
  test(`the document of ${path} is refused with one constant`, () =>
    on(path, async page => {
      const embeds = path !== '/sandboxed-by-header';
      const told = await page.evaluate(embeds ? () => globalThis.told : refusals);
      refused.push(...told);
      assert.equal(told.length, 4);
      assert.ok(refused[0]);
      assert.deepEqual([...new Set(refused)], [refused[0]]);
    }));

await run({
  after: async () => {
    await browser.close();
    site.close();
  },
});
