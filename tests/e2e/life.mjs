// What takes a person longer than a worker lives. Nothing here attaches to the worker, which would
// keep it alive. The waits run side by side, each in a browser of its own.
// Usage: node tests/e2e/life.mjs [folder of the extension]

import assert from 'node:assert/strict';
import { setTimeout as after } from 'node:timers/promises';
import { Stage, TKA } from './stage.mjs';
import { run, test } from './suite.mjs';

/** Starts something now and lets a test wait for it later. */
function begun(work) {
  const done = work().then(() => null, error => error);
  return async () => {
    const error = await done;
    if (error) throw error;
  };
}

/** Asks, lets the person think that long, approves. Gives what the client was told, and how often. */
async function approvedAfter(seconds, kind) {
  const stage = await (await Stage.open()).ready();
  try {
    const shop = await stage.connected(TKA, { kind });
    const preview = await shop.prepared(TKA, '1.5 TKA', `after ${seconds}`);
    const starts = await stage.person.starts();
    const targets = new Set();
    const before = (await stage.browser.worker())?.targetId;
    const asked = performance.now();
    // The client waits as its page does by INTEGRATE.md: a call that is answered before the person
    // decided is made again.
    const answer = shop.page.evaluate(async preview_id => {
      const told = [];
      for (;;) {
        const { structuredContent } =
          await client.callTool({ name: 'commit', arguments: { preview_id } });
        told.push(structuredContent);
        if (structuredContent.outcome !== 'awaiting_confirmation') return told;
      }
    }, preview);
    const window = await stage.person.window();
    await window.find('button', 'Pay 1.5 TKA');
    while (performance.now() - asked < seconds * 1000) {
      const worker = await stage.browser.worker();
      if (worker) targets.add(worker.targetId);
      await after(500);
    }
    targets.delete(before);
    const more = (await stage.person.starts()) - starts;
    assert.ok(more >= 1, `the worker was started ${more} times more`);
    assert.ok(targets.size >= 1, 'the browser shows no other worker');
    await stage.person.says(window);
    const told = await answer;
    assert.equal(told.at(-1).outcome, 'success', JSON.stringify(told));
    assert.equal((await stage.transfers(TKA, `after ${seconds}`)).length, 1);
    const stray = await shop.page.evaluate(() => client.stray);
    assert.deepEqual(stray, []);
    return told;
  } finally {
    await stage.close();
  }
}

const forty = begun(async () => {
  const told = await approvedAfter(40, 'v2');
  assert.equal(told.length, 1, 'the one call gets the answer');
});
const hundred = begun(async () => {
  const told = await approvedAfter(100, 'v1');
  assert.equal(told.length, 3);
  for (const { outcome, next } of told.slice(0, -1))
    assert.deepEqual([outcome, next.tool], ['awaiting_confirmation', 'commit']);
});
const real = begun(async () => {
  const stage = await (await Stage.open()).ready();
  try {
    const shop = await stage.connected(TKA);
    const preview = await shop.prepared(TKA, '1.5 TKA', 'for real');
    await stage.network.fault({ on: 'call', method: 'icrc1_transfer', reply: 'drop',
      delay_ms: 1500, times: null });
    const answer = shop.commit(preview);
    const asked = performance.now();
    await stage.person.approves();
    await stage.executed(TKA, 'for real');
    await stage.network.fault({ name: 'drop_reads' });
    const told = await answer;
    const took = (performance.now() - asked) / 1000;
    assert.ok(took > 40, `answered after ${took} s`);
    assert.deepEqual([told.outcome, told.case], ['unknown', 'in_flight'], JSON.stringify(told));
    const again = await shop.prepare(TKA, '1.50', 'for real');
    assert.deepEqual([again.status, again.preview.preview_id], ['repeated', preview],
      JSON.stringify(again));
    await stage.network.clearFaults();
    assert.equal((await shop.commit(preview)).outcome, 'success');
    assert.equal(stage.envelopes('for real').length, 1);
    assert.equal((await stage.transfers(TKA, 'for real')).length, 1);
    assert.equal((await shop.commit(preview)).outcome, 'already_done');
  } finally {
    await stage.close();
  }
});

test('approved after 40 s, the worker having been stopped: the call that waits gets its answer',
  forty);
test('reply and reads dropped for longer than 45 s: the call is answered unknown, and then settled',
  real);
test('approved after 100 s, the worker having been stopped: the client goes on and is answered',
  hundred);

await run();
