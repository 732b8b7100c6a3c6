// Lost answers, a killed worker, a locked wallet: nothing is paid twice and nothing is forgotten.
// Usage: node tests/e2e/faults.mjs [folder of the extension]

import assert from 'node:assert/strict';
import { until } from './cdp.mjs';
import { Stage, TKA } from './stage.mjs';
import { run, test } from './suite.mjs';

const HOUR = 3_600_000;
const stage = await Stage.open();
const { network, proxy, person, browser } = stage;
await stage.ready({ known: [TKA] });
const shop = await stage.connected(TKA);

/** One envelope was signed for it and one transfer came of it. */
async function paidOnce(memo) {
  assert.equal(stage.envelopes(memo).length, 1, 'envelopes');
  assert.equal((await stage.transfers(TKA, memo)).length, 1, 'transfers in the log');
}

/** The next transfer's answer is kept back, and then lost. */
const loseReply = () => proxy.holds('icrc1_transfer');

/** From now on no answer to a transfer comes, and none to a read of what is certified. */
async function loseAll() {
  await network.fault({ on: 'call', method: 'icrc1_transfer', reply: 'drop', times: null });
  await network.fault({ name: 'drop_reads' });
}

/** Asks, and does not wait for the person: what asks then is only the wallet. */
async function asks(agent, preview) {
  const told = await agent.commit(preview, { wait: 1 });
  assert.equal(told.outcome, 'awaiting_confirmation', JSON.stringify(told));
}

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
    const reply = loseReply();
    const answer = shop.commit(preview);
    await person.approves();
    await reply.executed;
    await between();
    reply.drop();
    const told = await answer;
    assert.equal(told.outcome, 'success', JSON.stringify(told));
    await paidOnce(memo);
  });

for (const kind of ['v1', 'v2', 'v2 auto'])
  test(`the worker was killed in flight: the client ${kind} gets the answer to the call it made`,
    async () => {
      const memo = `killed ${kind}`;
      const guest = await stage.agent(shop.url, kind);
      const preview = await guest.prepared(TKA, '1.5 TKA', memo);
      const starts = await person.starts();
      const reply = loseReply();
      const asked = guest.page.evaluate(async preview_id => {
        const { structuredContent } =
          await client.callTool({ name: 'commit', arguments: { preview_id } });
        return { told: structuredContent, stray: client.stray };
      }, preview);
      asked.catch(() => {});
      await person.approves();
      await reply.executed;
      await browser.killWorker();
      await until(async () => (await person.starts()) > starts, 'another worker');
      reply.drop();
      const { told, stray } = await asked;
      assert.equal(told.outcome, 'success', JSON.stringify(told));
      assert.deepEqual(stray, []);
      await paidOnce(memo);
      await guest.page.close();
    });

for (const [what, between] of Object.entries(BETWEEN))
  test(`(b) reply and reads were dropped ${what}: unknown, then success without a second call`,
    async () => {
      const memo = `b: ${what}`;
      const preview = await shop.prepared(TKA, '1.5 TKA', memo);
      const reply = loseReply();
      await asks(shop, preview);
      await person.approves();
      await reply.executed;
      await loseAll();
      await between();
      reply.drop();
      const told = await shop.commit(preview, { wait: 2 });
      assert.deepEqual([told.outcome, told.case, told.retry, told.next?.tool],
        ['unknown', 'in_flight', 'commit_preview', 'commit'], JSON.stringify(told));

      const again = await shop.prepare(TKA, '1.50', memo);
      assert.deepEqual([again.status, again.preview.preview_id, again.outcome],
        ['repeated', preview, 'unknown'], JSON.stringify(again));
      const still = await shop.commit(preview, { wait: 1 });
      assert.equal(still.outcome, 'unknown', JSON.stringify(still));

      // It waits before the reads come back: the wallet can reach the end alone, and whoever asks
      // after that is told `already_done`. What is asked after it is answered, so it was received.
      const waits = shop.commit(preview);
      assert.equal((await shop.commit(preview, { wait: 1 })).outcome, 'unknown');
      await network.clearFaults();
      const end = await waits;
      assert.equal(end.outcome, 'success', JSON.stringify(end));
      await paidOnce(memo);
      const { posts } = stage;
      assert.equal((await shop.commit(preview)).outcome, 'already_done');
      assert.equal(stage.posts, posts);
    });

test('(c) the status was pruned and no log is read: asked again with a warning, sent again, found to be a duplicate',
  async () => {
    const memo = 'its status was pruned';
    const preview = await shop.prepared(TKA, '1.5 TKA', memo);
    await network.fault({ name: 'prune_status', method: 'icrc1_transfer' });
    // Else the wallet finds the payment in the ledger's log by itself.
    await network.fault({ on: 'query', method: 'icrc3_get_tip_certificate', reply: 'drop', times: null });
    const reply = loseReply();
    await asks(shop, preview);
    const first = await person.approves();
    await reply.executed;
    proxy.down = true;
    reply.drop();
    const told = await shop.commit(preview, { wait: 2 });
    assert.deepEqual([told.outcome, told.case], ['unknown', 'in_flight'], JSON.stringify(told));
    await first.press('button', 'Close');
    await person.gone();
    // Past the time for which the absence of a status proves anything. A worker's own clock does
    // not jump, so no worker lives through it.
    await browser.killWorker();
    await network.advance(HOUR / 10);
    await browser.killWorker();
    proxy.down = false;

    const second = shop.commit(preview);
    const window = await person.window();
    await window.find('heading', 'An earlier attempt may have executed');
    await window.find('button', 'Send 1.5 TKA again');
    await person.approves(window);
    const end = await second;
    assert.deepEqual([end.outcome, end.case], ['already_done', 'Err.Duplicate'], JSON.stringify(end));
    assert.equal((await stage.transfers(TKA, memo)).length, 1);
    const sent = stage.envelopes(memo);
    assert.equal(sent.length, 2, 'envelopes');
    const [one, two] = sent;
    assert.deepEqual(Buffer.from(one.arg), Buffer.from(two.arg));
    assert.notEqual(one.ingress_expiry, two.ingress_expiry);
    const { posts } = stage;
    assert.equal((await shop.commit(preview)).outcome, 'already_done');
    assert.equal(stage.posts, posts);
    await network.clearFaults();
  });

test('(d) the agent looked away: the wallet reached the end alone, and the next prepare says it',
  async () => {
    const memo = 'the agent looked away';
    const guest = await stage.agent(shop.url);
    const preview = await guest.prepared(TKA, '1.5 TKA', memo);
    const reply = loseReply();
    guest.commit(preview).catch(() => {});
    await person.approves();
    await reply.executed;
    await guest.page.close();
    reply.drop();
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

for (const kind of ['v1', 'v2'])
  test(`(d) the client ${kind} that waited is closed: the next one is told, and nothing is paid twice`,
    async () => {
      const memo = `a closed client ${kind}`;
      const guest = await stage.agent(shop.url, kind);
      const preview = await guest.prepared(TKA, '1.5 TKA', memo);
      guest.commit(preview).catch(() => {});
      const window = await person.window();
      // The client drops what it waits for, and says so to nobody; its document lives on.
      await guest.page.evaluate(() => client.close());
      await person.approves(window);
      await stage.executed(TKA, memo);
      await person.gone();
      await guest.connects(kind);
      const told = await guest.prepare(TKA, '1.5 TKA', memo);
      assert.deepEqual([told.status, told.outcome, told.preview.preview_id],
        ['repeated', 'already_done', preview], JSON.stringify(told));
      await paidOnce(memo);
      await guest.page.close();
    });

test('approved while the network was down and the worker dead for half a day: nothing is signed, ' +
  'and it is asked again', async () => {
  const memo = 'down';
  const preview = await shop.prepared(TKA, '1.5 TKA', memo);
  await asks(shop, preview);
  const window = await person.window();
  await window.find('button', 'Pay 1.5 TKA');
  proxy.down = true;
  await person.says(window);
  await window.reads('The network did not answer, so nothing was signed or sent.');
  await browser.killWorker();
  await network.advance(11 * HOUR);
  await browser.killWorker();
  proxy.down = false;
  await shop.hand.front();
  const second = shop.commit(preview);
  await window.find('button', 'Pay 1.5 TKA');
  assert.deepEqual(stage.envelopes(memo), []);
  await person.approves(window);
  assert.equal((await second).outcome, 'success');
  await paidOnce(memo);
});

test('a preview whose time ran out while nobody was there is told so, and nothing was signed',
  async () => {
    const memo = 'a day later';
    const preview = await shop.prepared(TKA, '1.5 TKA', memo);
    await asks(shop, preview);
    const window = await person.window();
    await window.find('button', 'Pay 1.5 TKA');
    await browser.killWorker();
    await network.advance(24 * HOUR);
    await browser.killWorker();
    const told = await shop.commit(preview);
    assert.deepEqual([told.outcome, told.case, told.retry], ['declined', 'expired', 'new_prepare'],
      JSON.stringify(told));
    assert.deepEqual(stage.envelopes(memo), []);
  });

await run({
  tidy: async () => {
    proxy.mend();
    await network.clearFaults();
    await person.clears();
    await mended();
  },
  after: () => stage.close(),
});
