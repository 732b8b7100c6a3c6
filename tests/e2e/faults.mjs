// Lost answers, a killed worker, a locked wallet: nothing is paid twice and nothing is forgotten.
// Usage: node tests/e2e/faults.mjs [folder of the extension]

import assert from 'node:assert/strict';
import { until } from './cdp.mjs';
import { Stage, TKA } from './stage.mjs';
import { run, test } from './suite.mjs';

const MINUTE = 60_000;
const stage = await Stage.open();
const { network, proxy, person, browser } = stage;
await stage.ready({ known: [TKA] });
const shop = await stage.connected(TKA);

/** Drops every read of a status, and of everything else that is certified. */
const dropReads = () => network.fault({ name: 'drop_reads' });

/** One envelope was signed for it and one transfer came of it. */
async function paidOnce(memo) {
  assert.equal(stage.envelopes(memo).length, 1, 'envelopes');
  assert.equal((await stage.transfers(TKA, memo)).length, 1, 'transfers in the log');
}

/** Holds back the answer to a transfer, which is executed, and then drops it. */
const loseReply = more => network.fault(
  { on: 'call', method: 'icrc1_transfer', reply: 'drop', delay_ms: 1500, ...more });

/** What is done between the hand-over and the answer. */
const BETWEEN = {
  'and nothing more': async () => {},
  'and the worker was killed': () => browser.killWorker(),
  'and the wallet was locked': () => person.locks(),
};

/** Makes the wallet usable again after what was done in between. */
async function mended() {
  const home = await person.home();
  await until(async () => (await home.sees('button', 'Unlock')) || (await home.sees('button', 'Lock')),
    'the wallet\'s page');
  if (await home.sees('button', 'Unlock')) await person.unlocks();
  await shop.hand.front();
}

for (const [what, between] of Object.entries(BETWEEN))
  test(`(a) the reply was dropped ${what}: success by the status, one call`, async () => {
    const memo = `a: ${what}`;
    const preview = await shop.prepared(TKA, '1.5 TKA', memo);
    await loseReply();
    const answer = shop.commit(preview);
    await person.approves();
    await stage.executed(TKA, memo);
    await between();
    const told = await answer;
    assert.equal(told.outcome, 'success', JSON.stringify(told));
    await paidOnce(memo);
  });

for (const [what, between] of Object.entries(BETWEEN).filter(([what]) => !/killed/.test(what)))
  test(`(b) reply and reads were dropped ${what}: unknown, then success without a second call`,
    async () => {
      const memo = `b: ${what}`;
      const preview = await shop.prepared(TKA, '1.5 TKA', memo);
        await loseReply({ times: null });
      const answer = shop.commit(preview, { wait: 12 });
      await person.approves();
      await stage.executed(TKA, memo);
      await dropReads();
      await between();
      const told = await answer;
      assert.deepEqual([told.outcome, told.case, told.retry, told.next.tool],
        ['unknown', 'in_flight', 'commit_preview', 'commit'], JSON.stringify(told));

      const again = await shop.prepare(TKA, '1.50', memo);
      assert.deepEqual([again.status, again.preview.preview_id, again.outcome],
        ['repeated', preview, 'unknown'], JSON.stringify(again));
      const still = await shop.commit(preview, { wait: 2 });
      assert.equal(still.outcome, 'unknown', JSON.stringify(still));

      await network.clearFaults();
      const end = await shop.commit(preview);
      assert.equal(end.outcome, 'success', JSON.stringify(end));
      await paidOnce(memo);
      const { posts } = stage;
      assert.equal((await shop.commit(preview)).outcome, 'already_done');
      assert.equal(stage.posts, posts);
    });

test('(d) the agent looked away: the wallet reached the end alone, and the next prepare says it',
  async () => {
    const memo = 'the agent looked away';
    const guest = await stage.agent(shop.url);
    const preview = await guest.prepared(TKA, '1.5 TKA', memo);
    await loseReply();
    guest.commit(preview).catch(() => {});
    await person.approves();
    await stage.executed(TKA, memo);
    await guest.page.close();
    // It closes itself once the payment is done.
    await person.gone();
    await paidOnce(memo);
    const told = await shop.prepare(TKA, '1.5 TKA', memo);
    assert.deepEqual([told.status, told.outcome, told.preview.preview_id],
      ['repeated', 'already_done', preview], JSON.stringify(told));
    const next = await shop.prepare(TKA, '1.5 TKA', memo);
    assert.equal(next.status, 'prepared', JSON.stringify(next));
    assert.notEqual(next.preview.preview_id, preview);
  });

test('approved while the network was down and the worker dead for half a day: nothing is signed, ' +
  'and it is asked again', async () => {
  const memo = 'down';
  const preview = await shop.prepared(TKA, '1.5 TKA', memo);
  const answer = shop.commit(preview, { wait: 10 });
  const window = await person.window();
  await window.find('button', 'Pay 1.5 TKA');
  proxy.down = true;
  await person.says(window);
  const told = await answer;
  assert.ok(['awaiting_confirmation', 'not_executed'].includes(told.outcome), JSON.stringify(told));
  await browser.killWorker();
  await network.advance(11 * 60 * MINUTE);
  proxy.down = false;
  await shop.hand.front();
  const second = shop.commit(preview);
  const asked = await person.window();
  await asked.find('button', 'Pay 1.5 TKA');
  assert.deepEqual(stage.envelopes(memo), []);
  await person.approves(asked);
  assert.equal((await second).outcome, 'success');
  assert.equal((await stage.transfers(TKA, memo)).length, 1);
});

await run({
  tidy: async () => {
    proxy.down = false;
    await network.clearFaults();
    await person.clears();
    await mended();
  },
  after: () => stage.close(),
});
