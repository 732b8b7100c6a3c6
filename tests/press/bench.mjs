// From a page's call to a window that is painted: `commit` and the window that asks, beside a page's
// message to an extension that does nothing but open a window of the same size. In one browser, on
// one screen, one after the other in turn; so the ratio means something, on whatever machine.
// Usage: node tests/press/bench.mjs [folder of the extension]
//
// A window counts as painted with the second frame after it has its content: of the window that
// asks all that is decoded from the bytes to be signed. What the ledger certifies comes later.

import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Page, until } from '../e2e/cdp.mjs';
import { TKA } from '../e2e/stage.mjs';
import { artefact } from '../e2e/suite.mjs';
import { Desk, assert } from './desk.mjs';

const PAIRS = 25;

/** The first few pay for what is done once. */
const WARM = 3;

/** How many milliseconds later than a bare window one that asks should be there. It is told, not held. */
const TARGET = 60;

/** The size of the window that asks. */
const [WIDTH, HEIGHT] = [420, 720];

/** An extension that opens a window of the same size when a page asks. */
function bare() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-bare-')));
  const files = {
    'manifest.json': JSON.stringify({
      manifest_version: 3, name: 'Bare', version: '1',
      background: { service_worker: 'bare.js' },
      content_scripts: [{ matches: ['http://127.0.0.1/*'], js: ['content.js'] }],
    }),
    'bare.js': `chrome.runtime.onMessage.addListener(() => {
      chrome.windows.create({ url: 'popup.html', type: 'popup', focused: true,
        width: ${WIDTH}, height: ${HEIGHT} });
    });`,
    'content.js': `addEventListener('message', ({ data }) => {
      if (data === 'bare') chrome.runtime.sendMessage('open');
    });`,
    'popup.html': '<!doctype html><meta charset="utf-8"><title>bare</title><button id="yes">Yes</button>',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const both = `${resolve(artefact())},${folder}`;
  return {
    args: [`--disable-extensions-except=${both}`, `--load-extension=${both}`],
    clear: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Runs in each new page before its own scripts: says when its content was painted. */
const WATCH = `(() => {
  let seen = false;
  const look = () => {
    if (seen || !document.getElementById('yes')) return;
    seen = true;
    requestAnimationFrame(() => requestAnimationFrame(() =>
      painted(String(performance.timeOrigin + performance.now()))));
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true });
})()`;

const other = bare();
const desk = await Desk.open(other.args);
const { stage, shop } = desk;
const { connection } = stage.browser;

const window = await desk.asked('1 TKA', 'size');
const size = await window.page.evaluate(() => [outerWidth, outerHeight]);
assert.deepEqual(size, [WIDTH, HEIGHT]);
await window.hand.press('button', 'Decline');
await stage.person.clears();

// New windows wait until they are watched: both kinds for as long.
const painted = new Map();
connection.listen(async ({ method, params, sessionId }) => {
  if (method === 'Runtime.bindingCalled' && params.name === 'painted')
    painted.get(sessionId)?.(Number(params.payload));
  if (method !== 'Target.attachedToTarget' || !params.waitingForDebugger) return;
  const session = params.sessionId;
  for (const [method, with_] of [['Runtime.enable'], ['Page.enable'],
    ['Runtime.addBinding', { name: 'painted' }],
    ['Page.addScriptToEvaluateOnNewDocument', { source: WATCH }],
    ['Runtime.runIfWaitingForDebugger']])
    connection.send(method, with_, session).catch(() => {});
  coming?.(params);
});
let coming;

/** How long it takes from `call`, which the page makes, to a window that is painted. */
async function took(call, ...args) {
  await desk.shows();
  await connection.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true,
    flatten: true, filter: [{ type: 'page' }] });
  const shown = new Promise(done => { coming = params =>
    painted.set(params.sessionId, when => done({ when, targetId: params.targetInfo.targetId })); });
  const asked = await shop.page.evaluate(call, ...args);
  const { when, targetId } = await shown;
  await connection.send('Target.setAutoAttach', { autoAttach: false, waitForDebuggerOnStart: false,
    flatten: true });
  return { millis: when - asked, page: await Page.attach(connection, targetId) };
}

const times = { ours: [], bare: [] };
for (let pair = 0; pair < WARM + PAIRS; pair++) {
  const preview = await shop.prepared(TKA, '1 TKA', `pair ${pair}`);
  const ours = await took(preview_id => {
    const now = performance.timeOrigin + performance.now();
    globalThis.answer = client.callTool({ name: 'commit', arguments: { preview_id } });
    return now;
  }, preview);
  await stage.person.declines();
  await stage.person.clears();
  const theirs = await took(() => {
    const now = performance.timeOrigin + performance.now();
    postMessage('bare', '*');
    return now;
  });
  await theirs.page.close();
  await until(async () => (await desk.screen.windows()).length === 1, 'the bare window\'s end');
  if (pair < WARM) continue;
  times.ours.push(ours.millis);
  times.bare.push(theirs.millis);
}

const sorted = values => [...values].sort((a, b) => a - b);
const median = values => sorted(values)[Math.floor(values.length / 2)];
const worst = values => sorted(values)[Math.floor(values.length * 0.95)];
const ms = value => `${value.toFixed(1)} ms`;
console.log(`call to painted window, ${PAIRS} pairs   median       19 of 20 within`);
for (const [name, values] of [['the window that asks', times.ours], ['a bare window', times.bare]])
  console.log(`${name.padEnd(34)} ${ms(median(values)).padStart(9)}   ${ms(worst(values)).padStart(9)}`);
const more = median(times.ours) - median(times.bare);
console.log(`${ms(more)} more (target: at most ${TARGET} ms), ${(median(times.ours) / median(times.bare)).toFixed(2)} times`);
other.clear();
await desk.close();
process.exit(0);
