// A page's process that was taken over: it has what our content script has in it, the extension's
// own interfaces of that isolated world, and no more.

import { TKA } from '../e2e/stage.mjs';
import { assert, attack } from './ground.mjs';

/** Runs a function in the world of our content script, as code that took the process over can. */
async function within(page, id, work, ...args) {
  const worlds = [];
  const stop = page.connection.listen(({ sessionId, method, params }) => {
    if (sessionId === page.sessionId && method === 'Runtime.executionContextCreated') worlds.push(params.context);
  });
  await page.send('Runtime.disable');
  await page.send('Runtime.enable');
  stop();
  const world = worlds.find(({ origin, auxData }) => auxData?.type === 'isolated' && origin.includes(id));
  if (!world) throw new Error('no world of the content script');
  const { result, exceptionDetails } = await page.send('Runtime.evaluate', {
    expression: `(${work})(...${JSON.stringify(args)})`, contextId: world.id, awaitPromise: true, returnByValue: true });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}

/** Sends frames on a port of this name, and gives what came back and whether it was closed. */
const speaks = (name, frames, ms) => new Promise(done => {
  const heard = [];
  const port = chrome.runtime.connect({ name });
  const end = closed => done({ heard, closed });
  port.onMessage.addListener(text => heard.push(text));
  port.onDisconnect.addListener(() => end(true));
  for (const frame of frames) port.postMessage(frame);
  setTimeout(() => end(false), ms);
});

export function renderer(ground) {
  const { stage, person, shop, browser } = ground;

  // It would succeed if a content script were served as a window: one view would be enough to read
  // the person's accounts, one command to decide.
  attack('a page\'s process that was taken over is no window of the wallet', async () => {
    const { answer, window } = await ground.asked('1.5 TKA', 'taken over');
    const before = await ground.moved();
    // Tokens that are used up, as whoever saw one would say them, and made-up ones.
    const tokens = (await browser.targets()).filter(({ url }) => url.includes('#')).map(({ url }) => new URL(url).hash.slice(1));
    const frames = [...tokens, 'f'.repeat(32), ''].flatMap(token => ['home', 'asks'].map(place =>
      JSON.stringify({ hello: { v: 1, token, place } })));
    frames.push(JSON.stringify({ do: { n: 1, seq: 1, command: 'lock' } }));
    for (const frame of frames) {
      const { heard } = await within(shop.page, browser.id, speaks, 'ui', [frame,
        JSON.stringify({ do: { n: 1, seq: 1, command: 'lock' } })], 150);
      for (const text of heard) assert.ok(!text.includes('"view"'), `${frame} was shown ${text}`);
    }
    assert.ok(await window.sees('button', 'Pay 1.5 TKA'), 'the window changed');
    assert.equal(await ground.moved(), before);
    await person.declines(window);
    await answer;
  });

  // It would succeed if frames could make the worker act for another document, start work by
  // resuming it, or end the worker.
  attack('forged frames of a content script act for no other page and start nothing', async () => {
    await shop.hand.front();
    const memo = 'resumed by a thief';
    const preview = await shop.prepared(TKA, '1.5 TKA', memo);
    const before = await ground.moved();
    const thief = await stage.agent();
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call',
      params: { name: 'commit', arguments: { preview_id: preview } } });
    const hello = JSON.stringify({ t: 'hello', v: 1 });
    const rpc = (t, more) => JSON.stringify({ t, channel: 'countersign', msg: call, ...more });
    const told = await within(thief.page, browser.id, speaks, 'page', [hello, rpc('resume', { age_ms: 0 }),
      rpc('resume', { age_ms: 1e15 }), rpc('rpc'),
      rpc('rpc', { origin: shop.url, document_id: 'x', frame_id: 0, sender: { origin: shop.url } })], 1500);
    const results = told.heard.map(text => JSON.parse(text)).filter(({ t }) => t === 'post').map(({ msg }) => JSON.parse(msg));
    for (const { error, result } of results)
      assert.ok(error || result?.isError || result?.structuredContent?.code, JSON.stringify({ error, result }));
    for (const frames of [['{'], ['null'], ['[]'], [hello.repeat(2)], [JSON.stringify({ t: 'ack', n: 1 })],
      [hello, JSON.stringify({ t: 'ack', n: Number.MAX_SAFE_INTEGER })], [{ t: 'hello' }], ['x'.repeat(3_000_000)],
      [JSON.stringify({ t: 'hello', v: 99 })], [hello, JSON.stringify({ t: 'rpc', channel: 'ui', msg: call })]])
      await within(thief.page, browser.id, speaks, 'page', frames, 150);
    assert.deepEqual(await ground.windows(), []);
    assert.equal(await ground.moved(), before);
    await thief.page.close();
    await shop.hand.front();
    const { reply } = await shop.call('icrc1_symbol', { canister_id: TKA });
    assert.equal(reply.untrusted, 'TKA');
    const { retry } = await shop.call('wallet_intent', { preview_id: preview });
    assert.equal(retry, 'commit_preview');
  });

  // It would succeed if anything of the wallet lay in a storage that content scripts can read.
  attack('a page\'s process that was taken over reads nothing in the extension\'s storage', async () => {
    const read = await within(shop.page, browser.id, async () => {
      const read = {};
      for (const area of ['local', 'sync', 'managed', 'session'])
        read[area] = await chrome.storage?.[area]?.get(null).catch(() => ({})) ?? {};
      return { ...read, api: Object.keys(chrome).sort() };
    });
    for (const area of ['local', 'sync', 'managed', 'session'])
      assert.deepEqual(read[area], {}, `${area}: ${JSON.stringify(read[area])}`);
    for (const dangerous of ['tabs', 'windows', 'alarms', 'action'])
      assert.ok(!read.api.includes(dangerous), read.api.join(' '));
  });
}
