// Who is let in, who is not, and what a locked wallet and a false network do.
// Usage: node tests/e2e/gates.mjs [folder of the extension]

import assert from 'node:assert/strict';
import { Localnet } from '../agents/localnet.mjs';
import { serve } from './browser.mjs';
import { NETWORK, PAYEE, Stage, TKA, localnet, site } from './stage.mjs';
import { run, test } from './suite.mjs';

const stage = await Stage.open();
const { network, person, browser } = stage;
const ask = { canisters: [{ id: TKA }], tools: ['all'] };

test('before there is a wallet an ask opens no window and is found later', async () => {
  const early = await stage.agent();
  const told = await early.call('wallet_connect', ask, { wait: 1 });
  assert.equal(told.outcome, 'awaiting_confirmation', JSON.stringify(told));
  assert.equal(await person.isAsked(), false);
  await person.creates();
  await person.adds(network, NETWORK, stage.proxy.url);
  const home = await person.home();
  await home.press('button', 'Home');
  await home.press('button', 'Look at it');
  const window = await person.window();
  await window.find('heading', 'Wants to connect');
  await person.declines(window);
  await person.gone();
  await early.page.close();
});

test('an ask of a page that nobody has looked at opens no window, only the badge counts',
  async () => {
    const served = await site();
    const page = await browser.open(served.url);
    const home = await person.home();
    await page.evaluate(async () => { globalThis.client = await agent.connect('v2'); });
    const told = await page.evaluate(
      ask => client.callTool({ name: 'wallet_connect', arguments: ask,
        _meta: { 'countersign/wait_s': 1 } }), ask);
    assert.equal(told.structuredContent.outcome, 'awaiting_confirmation');
    assert.equal(await person.isAsked(), false);
    const badge = await home.page.evaluate(() => chrome.action.getBadgeText({}));
    assert.equal(badge, '1');
    await home.press('button', 'Look at it');
    await person.declines();
    await person.gone();
    await page.close();
    served.close();
  });

test('what a page is told before it is connected is the same, locked or not', async () => {
  const stranger = await stage.agent();
  const constant = async () => [
    JSON.stringify(await stranger.page.evaluate(() => client.listTools())),
    ...await Promise.all(['commit', 'wallet_status', 'wallet_intent', 'wallet_cancel',
      'wallet_find_tools', 'wallet_call'].map(async name => JSON.stringify(
      await stranger.result(name, {})))),
    JSON.stringify(await stranger.page.evaluate(() => agent.errorOf(
      client.callTool({ name: 'icrc1_balance_of', arguments: {} })))),
  ];
  const unlocked = await constant();
  assert.equal(new Set(unlocked.slice(1, 7)).size, 1, unlocked.join('\n'));
  await person.locks();
  await stranger.hand.front();
  assert.deepEqual(await constant(), unlocked);
  await person.unlocks();
  await stranger.page.close();
});

test('a page that is not connected raises no passphrase field', async () => {
  const stranger = await stage.agent();
  await person.locks();
  await stranger.hand.front();
  await stranger.hand.press('heading', 'An agent');
  const told = await stranger.call('wallet_connect', ask, { wait: 2 });
  assert.equal(told.outcome, 'awaiting_confirmation', JSON.stringify(told));
  assert.equal(await person.isAsked(), false);
  await person.unlocks();
  const home = await person.home();
  await home.press('button', 'Look at it');
  const window = await person.window();
  await window.find('heading', 'Wants to connect');
  await person.declines(window);
  await person.gone();
  await stranger.page.close();
});

let shop;

test('a page that the person looks at connects, and asks again without being asked', async () => {
  shop = await stage.connected(TKA);
  const told = await shop.call('wallet_connect', ask);
  assert.equal(told.outcome, 'success');
  assert.equal(told.account, shop.account);
  assert.equal(await person.isAsked(), false);
});

test('hostile inputs are refused by the packed worker, which answers the next call', async () => {
  const deep = depth => (depth === 0 ? [] : [deep(depth - 1)]);
  const many = Object.fromEntries(Array.from({ length: 15_000 }, (_, n) => [`f${n}`, 1]));
  const pay = { canister_id: TKA, to: PAYEE, amount: '1' };
  for (const [what, input] of Object.entries({
    'an amount of 200,000 digits': { ...pay, amount: '9'.repeat(200_000) },
    'hidden characters beside an amount': { ...pay, amount: '1\u202e\u200b' },
    'hidden characters in an account': { ...pay, to: `${PAYEE}\u2066` },
    'an account of 200,000 characters': { ...pay, to: 'a'.repeat(200_000) },
    'a subaccount of 200,000 digits': { ...pay, from_subaccount: '9'.repeat(200_000) },
    'lists 60 deep': { ...pay, memo: deep(60) },
    'lists 500 deep': { ...pay, memo: deep(500) },
    '15,000 inputs that there are not': { ...pay, ...many },
    'more than a message may hold': { ...pay, memo: 'a'.repeat(300_000) },
  })) {
    const begun = performance.now();
    const refused = await shop.result('prepare_icrc1_transfer', input)
      .then(({ isError }) => isError === true, () => true);
    console.log(`  ${(performance.now() - begun).toFixed(0)} ms  ${what}`);
    assert.equal(refused, true, what);
    const { reply } = await shop.call('icrc1_symbol', { canister_id: TKA });
    assert.equal(reply.untrusted, 'TKA', what);
  }
});

test('a locked wallet opens the unlock page for a connected site, and nothing is lost', async () => {
  const memo = 'locked';
  const preview = await shop.prepared(TKA, '1.5 TKA', memo);
  await person.locks();
  await shop.hand.front();
  const answer = shop.commit(preview);
  const window = await person.window();
  await window.find('textbox', 'Passphrase');
  assert.equal(await window.sees('button', /^Pay/), false);
  await person.unlocks(window, 'not the passphrase');
  await window.reads('does not open your wallet');
  await person.unlocks(window);
  await window.find('button', 'Pay 1.5 TKA');
  await person.approves(window);
  assert.equal((await answer).outcome, 'success');
  assert.equal((await stage.transfers(TKA, memo)).length, 1);
  await person.gone();
});

test('a locked wallet lists, reads and prepares for a connected site as an unlocked one', async () => {
  const names = await shop.names();
  await person.locks();
  await shop.hand.front();
  assert.deepEqual(await shop.names(), names);
  const { reply } = await shop.call('icrc1_symbol', { canister_id: TKA });
  assert.deepEqual(reply, { untrusted: 'TKA', from: 'reply of icrc1_symbol' });
  await person.unlocks();
});

test('frames, sandboxed and opaque documents are refused with one constant', async () => {
  const script = await (await fetch(`${shop.url}/agent.js`)).text();
  const refusals = `(async () => {
    const answers = await agent.raw('countersign', [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } },
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
      { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'wallet_connect' } },
      { jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'nope' } },
    ], { count: 4 });
    parent.postMessage({ told: answers.map(({ error }) => JSON.stringify(error ?? 'served')) }, '*');
  })()`;
  const holder = attributes => `<!doctype html><script>
    globalThis.told = new Promise(done => addEventListener('message', ({ data }) => {
      if (data?.told) done(data.told);
    }));</script><iframe ${attributes}></iframe>`;
  const embedded = { body: `<!doctype html><script src="/agent.js"></script><script>${refusals}</script>` };
  const other = await serve({ '/agent.js': { body: script, type: 'text/javascript' }, '/': embedded });
  const pages = await serve({
    '/agent.js': { body: script, type: 'text/javascript' },
    '/embedded': embedded,
    '/same': { body: holder('src="/embedded"') },
    '/cross': { body: holder(`src="${other.url}/"`) },
    '/sandboxed': { body: holder('src="/embedded" sandbox="allow-scripts"') },
  });
  const told = [];
  for (const path of ['/same', '/cross', '/sandboxed']) {
    const page = await browser.open(pages.url + path);
    told.push(...await page.evaluate(() => globalThis.told));
    await page.close();
  }
  assert.equal(told.length, 12);
  assert.match(told[0], /not_served/);
  assert.equal(new Set(told).size, 1, told.join('\n'));
  other.close();
  pages.close();
});

test('a body signed on one network moves nothing of the wallet\'s on another', async () => {
  const other = await Localnet.start(localnet(), ['--seed', 'another']);
  stage.with(() => other.stop());
  await person.adds(other, 'Elsewhere');
  const abroad = await stage.agent();
  const asked = abroad.call('wallet_connect', ask);
  await person.connects('Elsewhere');
  const { account } = await asked;
  assert.notEqual(account, shop.account);
  await other.mint(TKA, account, 1_000_000_000n);

  const body = await signedBody('posted elsewhere');
  const answer = await fetch(`${other.url}${body.path}`, { method: 'POST',
    headers: { 'content-type': 'application/cbor' }, body: body.body });
  await answer.arrayBuffer();
  assert.equal(await other.balance(TKA, account), 1_000_000_000n);
  const log = (await other.blocks(TKA)).filter(block => block.kind !== 'mint');
  assert.deepEqual(log, []);
  await abroad.page.close();
});

/** The body of a call that the wallet signed and sent, taken on its way. */
async function signedBody(memo) {
  const preview = await shop.prepared(TKA, '1.5 TKA', memo);
  const answer = shop.commit(preview);
  await person.approves();
  assert.equal((await answer).outcome, 'success');
  const [sent] = stage.envelopes(memo);
  return sent;
}

test('an endpoint that serves its own root key, with signatures valid under it, is refused',
  async () => {
    const memo = 'false network';
    const preview = await shop.prepared(TKA, '1.5 TKA', memo);
    const { port } = new URL(network.url);
    await network.stop();
    const impostor = await Localnet.start(localnet(), ['--seed', 'impostor', '--port', port]);
    stage.with(() => impostor.stop());
    await impostor.mint(TKA, shop.account, 1_000_000_000n);
    // So that nothing is carried over from the network that was there before.
    await browser.killWorker();
    await shop.hand.front();
    const read = await shop.result('icrc1_balance_of', { canister_id: TKA, account: shop.account });
    assert.equal(read.isError, true);
    assert.equal(read.structuredContent.reply, undefined);
    const told = await shop.commit(preview, { wait: 5 });
    assert.ok(['not_executed', 'awaiting_confirmation'].includes(told.outcome), JSON.stringify(told));
    assert.deepEqual(stage.envelopes(memo), []);
    const log = (await impostor.blocks(TKA)).filter(block => block.kind !== 'mint');
    assert.deepEqual(log, []);
  });

await run({
  tidy: async () => {
    await person.clears();
    await shop?.hand.front();
  },
  after: () => stage.close(),
});
