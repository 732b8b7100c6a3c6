// What takes longer than a worker lives, or than a call waits. Nothing here attaches to a worker,
// which would keep it alive. All of it runs side by side, so that it costs one long wait.
// Usage: node tests/e2e/life.mjs [folder of the extension]

import assert from 'node:assert/strict';
import { setTimeout as after } from 'node:timers/promises';
import { Stage, TKA } from './stage.mjs';
import { run, test } from './suite.mjs';

/** What was begun, so that it can be waited for later. */
const results = [];

/** Starts something now, and gives a test that waits for it. */
function begun(work) {
  const done = work().then(() => null, error => error);
  results.push(done);
  return async () => {
    const error = await done;
    if (error) throw error;
  };
}

/**
 * Commits as a page does by INTEGRATE.md: an answer that leaves the end open is followed by the
 * same call. Gives everything that was answered.
 */
const commits = (agent, preview) => agent.page.evaluate(async preview_id => {
  const told = [];
  for (;;) {
    const { structuredContent } =
      await client.callTool({ name: 'commit', arguments: { preview_id } });
    told.push(structuredContent);
    if (!['awaiting_confirmation', 'unknown'].includes(structuredContent.outcome))
      return { told, stray: client.stray };
  }
}, preview);

const patient = await (await Stage.open()).ready();
const { person, browser } = patient;
const lunch = { amount: '1.5 TKA', memo: 'after 40 s', seconds: 40 };
const dinner = { amount: '2.5 TKA', memo: 'after 100 s', seconds: 100 };
for (const [payment, kind] of [[lunch, 'v2'], [dinner, 'v1']]) {
  payment.shop = await patient.connected(TKA, { kind });
  payment.preview = await payment.shop.prepared(TKA, payment.amount, payment.memo);
}

/** Asks for a payment, and notes how often the worker was started by then. */
async function ask(payment) {
  payment.starts = await person.starts();
  payment.worker = await browser.worker();
  payment.asked = performance.now();
  payment.answer = commits(payment.shop, payment.preview);
  payment.answer.catch(() => {});
}

/** Lets the person think until so long after the ask, then approve; the client must hear the end. */
async function approvedLate(payment, window) {
  const { asked, seconds, amount, memo, answer } = payment;
  await window.find('button', `Pay ${amount}`);
  await after(asked + seconds * 1000 - performance.now());
  const more = (await person.starts()) - payment.starts;
  assert.ok(more >= 1, `the worker was started ${more} times more`);
  assert.notEqual((await browser.worker())?.targetId, payment.worker.targetId);
  await person.approves(window);
  const { told, stray } = await answer;
  assert.equal(told.at(-1).outcome, 'success', JSON.stringify(told));
  for (const { next } of told.slice(0, -1)) assert.equal(next.tool, 'commit');
  assert.deepEqual(stray, []);
  assert.equal((await patient.transfers(TKA, memo)).length, 1);
  return told;
}

const window = await (ask(lunch), person.window());
await window.find('button', `Pay ${lunch.amount}`);
await ask(dinner);
const forty = begun(() => approvedLate(lunch, window));
const hundred = begun(async () => {
  await results[0];
  await window.press('button', /^Next/);
  const told = await approvedLate(dinner, window);
  assert.ok(told.length > 1, 'it was answered before the person decided');
});

const unlucky = begun(async () => {
  const memo = 'for real';
  const stage = await (await Stage.open()).ready();
  try {
    const { network, proxy, person } = stage;
    const shop = await stage.connected(TKA);
    const preview = await shop.prepared(TKA, '1.5 TKA', memo);
    const reply = proxy.holds('icrc1_transfer');
    const asked = performance.now();
    const answer = shop.commit(preview);
    await person.approves();
    await reply.executed;
    await network.fault({ on: 'call', method: 'icrc1_transfer', reply: 'drop', times: null });
    await network.fault({ name: 'drop_reads' });
    reply.drop();
    const told = await answer;
    const took = (performance.now() - asked) / 1000;
    assert.ok(took >= 45, `answered after ${took} s`);
    assert.deepEqual([told.outcome, told.case], ['unknown', 'in_flight'], JSON.stringify(told));
    const again = await shop.prepare(TKA, '1.50', memo);
    assert.deepEqual([again.status, again.preview.preview_id], ['repeated', preview],
      JSON.stringify(again));
    await network.clearFaults();
    assert.equal((await shop.commit(preview)).outcome, 'success');
    assert.equal(stage.envelopes(memo).length, 1);
    assert.equal((await stage.transfers(TKA, memo)).length, 1);
    assert.equal((await shop.commit(preview)).outcome, 'already_done');
  } finally {
    await stage.close();
  }
});

const quitting = begun(async () => {
  const stage = await (await Stage.open()).ready();
  try {
    let shop = await stage.connected(TKA);
    const preview = await shop.prepared(TKA, '1.5 TKA', 'quits');
    const asks = async () => {
      assert.equal((await shop.commit(preview, { wait: 1 })).outcome, 'awaiting_confirmation');
      const window = await stage.person.window();
      await window.find('button', 'Pay 1.5 TKA');
      return window;
    };
    // Whether the worker hears of the window's end before its own is the browser's luck.
    for (let times = 0; times < 5; times++) {
      await asks();
      await stage.restarts();
      await stage.person.unlocks();
      shop = await stage.agent(shop.url);
      const told = await shop.call('wallet_intent', { preview_id: preview });
      assert.equal(told.outcome, 'awaiting_confirmation', JSON.stringify(told));
    }
    await stage.person.approves(await asks());
    await stage.executed(TKA, 'quits');
  } finally {
    await stage.close();
  }
});

test('approved after 40 s, the worker having been stopped: the unchanged client gets its answer',
  forty);
test('the browser was quit with a window open: that is no decline, and it is asked again', quitting);
test('reply and reads dropped for longer than 45 s: the call is answered unknown, and then settled',
  unlucky);
test('approved after 100 s, the worker having been stopped: the client goes on and is answered',
  hundred);

await run({ after: () => patient.close() });
