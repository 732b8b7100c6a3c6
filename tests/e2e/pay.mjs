// The main job and its refusals, through the packed extension in a real browser.
// Usage: node tests/e2e/pay.mjs [folder of the extension]

import assert from 'node:assert/strict';
import { until } from './cdp.mjs';
import { GEM, NETWORK, PAYEE, Stage, TKA } from './stage.mjs';
import { run, test } from './suite.mjs';

const stage = await Stage.open();
const { network, person } = stage;
await stage.ready({ known: [TKA] });
const shop = await stage.connected(TKA);
const UNITS = '150000000';

/** The intents that the wallet's own list of activity has. */
async function activity() {
  const home = await person.home();
  await home.press('button', 'Activity');
  await home.find('heading', 'Activity');
  return home.text();
}

test('a connected site has 22 tools beside the wallet\'s own', async () => {
  const names = await shop.names();
  const own = names.filter(name => name.startsWith('wallet_'));
  assert.deepEqual(own, ['wallet_call', 'wallet_cancel', 'wallet_connect', 'wallet_find_tools',
    'wallet_intent', 'wallet_status']);
  assert.equal(names.length - own.length, 22, names.join(' '));
  assert.deepEqual(names, [...names].sort());
  assert.ok(names.includes('commit'));
});

test('the five methods without a tool stand in wallet_status with their reasons', async () => {
  const { canisters } = await shop.call('wallet_status');
  const start = 'no rule for a nat position without a value tag or a describe';
  assert.deepEqual(canisters, [{ id: TKA, skipped: [
    { method: 'get_blocks', reason: `start: ${start}` },
    { method: 'get_transactions', reason: `start: ${start}` },
    { method: 'icrc103_get_allowances', reason: `take: ${start}` },
    { method: 'icrc21_canister_call_consent_message',
      reason: 'an update method needs the intent tag' },
    { method: 'icrc3_get_blocks', reason: `(0)[].start: ${start}` },
  ] }]);
});

test('a payment that the person approves is in the log once, and a second commit sends nothing',
  async () => {
    const preview = await shop.prepared(TKA, '1.5 TKA', 'pays once');
    const answer = shop.commit(preview);
    await person.approves();
    const told = await answer;
    assert.equal(told.outcome, 'success', JSON.stringify(told));
    assert.equal(told.retry, 'never');
    await person.gone();
    const log = await stage.transfers(TKA, 'pays once');
    assert.deepEqual(log.map(({ to, amount, from }) => ({ to, amount, from })),
      [{ to: PAYEE, amount: UNITS, from: shop.account }]);
    const before = stage.posts;
    const again = await shop.commit(preview);
    assert.equal(again.outcome, 'already_done');
    assert.equal(stage.posts, before);
    assert.equal((await stage.transfers(TKA, 'pays once')).length, 1);
  });

test('a decline sends nothing', async () => {
  const before = stage.posts;
  const preview = await shop.prepared(TKA, '1.5 TKA', 'declined');
  const answer = shop.commit(preview);
  await person.declines();
  const told = await answer;
  assert.equal(told.outcome, 'declined', JSON.stringify(told));
  await person.gone();
  assert.equal(stage.posts, before);
});

test('closing the window is a decline', async () => {
  const before = stage.posts;
  const preview = await shop.prepared(TKA, '1.5 TKA', 'closed');
  const answer = shop.commit(preview);
  const window = await person.window();
  await window.find('button', /^Pay 1\.5 TKA$/);
  await person.closes(window);
  const told = await answer;
  assert.equal(told.outcome, 'declined', JSON.stringify(told));
  assert.equal(stage.posts, before);
});

test('preparing the same wish in other digits gives the same preview', async () => {
  const preview = await shop.prepared(TKA, '2.5 TKA', 'same wish');
  for (const amount of ['2.50', '2.5 tka', '2.500 TKA']) {
    const told = await shop.prepare(TKA, amount, 'same wish');
    assert.equal(told.status, 'repeated', amount);
    assert.equal(told.preview.preview_id, preview);
  }
});

test('a yes counts only where the button was ready and the press is a person\'s', async () => {
  const preview = await shop.prepared(TKA, '1.5 TKA', 'made-up presses');
  const answer = shop.commit(preview);
  const window = await person.window();
  const button = await window.find('button', /^Pay/);
  await window.with(button, function () {
    for (let i = 0; i < 20; i++) {
      for (const type of ['pointerenter', 'pointerdown', 'pointerup', 'click'])
        this.dispatchEvent(new PointerEvent(type, { bubbles: true, detail: 1 }));
      this.click();
    }
  });
  assert.ok(await window.sees('button', /^Pay/));
  await person.declines(window);
  assert.equal((await answer).outcome, 'declined');
  assert.equal((await stage.transfers(TKA, 'made-up presses')).length, 0);
});

const table = [
  ['an amount with more digits than the token has', { amount: '1.123456789 TKA' }, 'amount', 'E_EXCESS_PRECISION'],
  ['an amount as a JSON number', { amount: 1.5 }, 'amount', 'E_TYPE'],
  ['an amount in another token', { amount: '1.5 GEM' }, 'amount', 'E_SYMBOL'],
  ['an amount with a sign', { amount: '-1' }, 'amount', 'E_SYNTAX'],
  ['an amount with an exponent', { amount: '1e3' }, 'amount', 'E_SYNTAX'],
  ['a payee with a bad checksum', { to: PAYEE.replace(/^k/, 'm') }, 'to', 'E_ACCOUNT'],
  ['a payee that is no text', { to: { owner: PAYEE } }, 'to', 'E_TYPE'],
  ['an input that the tool does not have', { gift: 'yes' }, 'gift', 'E_UNKNOWN_PARAM'],
  ['a payment without payee', { to: undefined }, 'to', 'E_MISSING'],
  ['a canister that the site was not given', { canister_id: GEM }, 'canister_id', null],
];
for (const [what, change, param, code] of table)
  test(`${what} is refused, nothing is sent and nothing is stored`, async () => {
    const before = [stage.posts, await activity()];
    await shop.hand.front();
    const args = { canister_id: TKA, to: PAYEE, amount: '1.5 TKA', memo: `refused ${param}`, ...change };
    const { isError, structuredContent: told } = await shop.result('prepare_icrc1_transfer', args);
    assert.equal(isError, true);
    assert.equal(told.code, 'E_INPUT', JSON.stringify(told));
    const issue = told.issues.find(issue => issue.param === param);
    assert.ok(issue, JSON.stringify(told.issues));
    if (code) assert.equal(issue.code, code);
    assert.ok(issue.message.length > 5);
    assert.equal(told.retry, 'new_prepare');
    assert.deepEqual([stage.posts, await activity()], before);
  });

test('everything that is wrong with an input is said at once', async () => {
  const args = { canister_id: TKA, to: 'nobody', amount: 1, memo: 'all at once' };
  const { issues } = await shop.call('prepare_icrc1_transfer', args);
  assert.deepEqual(issues.map(({ param }) => param).sort(), ['amount', 'to']);
});

test('an unknown tool and an unknown method are errors of the protocol', async () => {
  const heard = await shop.page.evaluate(() => agent.raw('countersign:raw', [
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'icrc1_mint', arguments: {} } },
    { jsonrpc: '2.0', id: 2, method: 'tools/steal', params: {} },
    { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 5, arguments: {} } },
    { jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'commit', arguments: 'x' } },
    { jsonrpc: '2.0', id: 5, method: 'tools/call', params: [] },
  ], { count: 5 }));
  const codes = Object.fromEntries(heard.map(({ id, error }) => [id, error?.code]));
  assert.deepEqual(codes, { 1: -32602, 2: -32601, 3: -32602, 4: -32602, 5: -32602 });
});

test('a preview of nobody\'s and a preview of another site are answered alike', async () => {
  const preview = await shop.prepared(TKA, '3 TKA', 'not yours');
  const other = await stage.connected(TKA, { units: 0n });
  const answers = [];
  for (const id of [preview, 'ab'.repeat(16), 'nonsense']) {
    for (const tool of ['commit', 'wallet_intent', 'wallet_cancel'])
      answers.push(JSON.stringify(await other.call(tool, { preview_id: id })));
  }
  assert.deepEqual([...new Set(answers)].length, 1, answers.join('\n'));
  await other.page.close();
});

test('two clients on two channels never get each other\'s answers', async () => {
  const previews = [await shop.prepared(TKA, '1 TKA', 'channel a'),
    await shop.prepared(TKA, '2 TKA', 'channel b')];
  const answers = shop.page.evaluate(async previews => {
    const clients = await Promise.all(
      ['countersign:one', 'countersign:two'].map(channel => agent.connect('v2', channel)));
    const told = await Promise.all(clients.map((client, i) =>
      client.callTool({ name: 'commit', arguments: { preview_id: previews[i] } })));
    return told.map(({ structuredContent }, i) => ({
      ...structuredContent, stray: clients[i].stray,
    }));
  }, previews);
  const window = await person.window();
  await window.find('button', /^Pay [12] TKA$/);
  const first = await window.sees('button', 'Pay 1 TKA') ? 0 : 1;
  await person.says(window);
  await window.press('button', /^Next/);
  await window.find('button', first === 0 ? 'Pay 2 TKA' : 'Pay 1 TKA');
  await person.declines(window);
  const told = await answers;
  assert.equal(told[first].outcome, 'success', JSON.stringify(told));
  assert.equal(told[1 - first].outcome, 'declined', JSON.stringify(told));
  assert.deepEqual(told.map(({ preview }) => preview.preview_id), previews);
  assert.deepEqual(told.flatMap(({ stray }) => stray), []);
});

test('the same job runs on a ledger with other id, symbol, decimals and one more method',
  async () => {
    const gallery = await stage.connected(GEM, { units: 10_000_000_000_000_000_000n });
    const names = await gallery.names();
    assert.equal(names.filter(name => !name.startsWith('wallet_')).length, 22 + 1, names.join(' '));
    const { reply } = await gallery.call('icrc1_balance_of',
      { canister_id: GEM, account: gallery.account });
    assert.equal(reply.text, '10 GEM');
    const preview = await gallery.prepared(GEM, '1.5 GEM', 'a gem');
    const answer = gallery.commit(preview);
    const window = await person.window();
    await window.find('button', 'Pay 1.5 GEM');
    await person.approves(window);
    assert.equal((await answer).outcome, 'success');
    const log = await stage.transfers(GEM, 'a gem');
    assert.deepEqual(log.map(({ amount }) => amount), ['1500000000000000000']);
    await gallery.page.close();
  });

test('asking for more tools asks the person again, and what was had stays', async () => {
  const before = await shop.names();
  const asked = shop.call('wallet_connect', { canisters: [{ id: GEM }], tools: ['all'] });
  const window = await person.window();
  await window.find('heading', 'Wants more than it has');
  await person.declines(window);
  assert.equal((await asked).outcome, 'declined');
  assert.deepEqual(await shop.names(), before);
});

test('a page of the wallet cannot fetch from a network, and the worker can', async () => {
  const home = await person.home();
  const own = await home.page.evaluate(
    url => fetch(`${url}/api/v2/status`).then(() => 'fetched', error => error.name), network.url);
  assert.equal(own, 'TypeError');
  const refused = await home.page.evaluate(async url => {
    const broken = new Promise(done => addEventListener('securitypolicyviolation',
      ({ effectiveDirective }) => done(effectiveDirective)));
    fetch(url).catch(() => {});
    return broken;
  }, network.url);
  assert.equal(refused, 'connect-src');
  assert.ok(stage.posts > 0);
});

await run({
  tidy: async () => {
    await person.clears();
    await shop.hand.front();
  },
  after: () => stage.close(),
});
