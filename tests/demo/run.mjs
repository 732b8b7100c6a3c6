// The main job, from the agent's page to the ledger's log and back.
// Usage: node tests/demo/run.mjs [--headless] [--break decline|drop|badsig] [folder of the extension]
//
// With a display it opens a browser and says what to do. Headless it does all of it, by pressing
// what a person would press, and its last line starts with `demo: ok`; with --break something
// goes wrong on purpose, and it must fail.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { GEM, Localnet, TKA } from '../agents/localnet.mjs';
import { Browser } from '../e2e/browser.mjs';
import { until } from '../e2e/cdp.mjs';
import { Hand } from '../e2e/hand.mjs';
import { Person } from '../e2e/person.mjs';
import { Proxy } from '../e2e/proxy.mjs';
import { hash, holding } from './artefact.mjs';
import { serveAgent } from './server.mjs';

const BREAKS = ['decline', 'drop', 'badsig'];
const PAYEE = 'k2t6j-2nvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6ae';
const NETWORK = 'Workbench';
const TEN = { [TKA]: 1_000_000_000n, [GEM]: 10_000_000_000_000_000_000n };

const { values: options, positionals } = parseArgs({
  options: { headless: { type: 'boolean' }, break: { type: 'string' } },
  allowPositionals: true,
});
if (options.break !== undefined && !BREAKS.includes(options.break))
  throw new Error(`--break takes one of ${BREAKS.join(', ')}`);
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = resolve(positionals[0] ?? join(root, 'dist/chrome'));
const shots = join(root, 'target/demo');
const localnet = process.env.COUNTERSIGN_LOCALNET ?? join(root, 'target/debug/countersign-localnet');

const built = hash(folder);
const network = await Localnet.start(localnet);
const proxy = await Proxy.before(network.url);
const agent = await serveAgent({ network, units: TEN });
const headless = options.headless === true;
const browser = await Browser.launch({ extension: folder, headless }).catch(async error => {
  console.log(error.message);
  console.log('demo: failed no browser could be opened; where there is no display, add --headless');
  await network.stop();
  process.exit(1);
});
// What is to fail is not waited for longer than it takes to see that it does.
const soon = options.break ? { wait: 2 } : {};
const pageFor = (ledger, amount) =>
  `${agent.url}/?${new URLSearchParams({ ledger, to: PAYEE, amount, memo: 'lunch', ...soon })}`;

const end = async code => {
  await browser.close();
  agent.close();
  proxy.close();
  await network.stop();
  process.exit(code);
};

if (headless) {
  try {
    await job();
    await end(0);
  } catch (error) {
    if (process.env.COUNTERSIGN_TRACE) console.log(error.stack);
    console.log(`demo: failed ${error.message}`);
    await end(1);
  }
} else {
  await browser.open(pageFor(TKA, '1.5 TKA'));
  console.log(`Countersign ${built.slice(0, 12)} runs in the browser that opened, with a local network.
1. In the tab Countersign: choose a passphrase. Then Networks: add ${network.url}
   Its root key, to compare: ${createHash('sha256').update(network.rootKeyBytes).digest('hex')}
2. In the tab Lunch agent: press Connect. In the window that comes up choose the account on that
   network, and Everything. The account is given 10 TKA and 10 GEM.
3. List tools, Read balance, Prepare, Commit: approve it, or do not. Close the browser to end.
The second ledger: ${pageFor(GEM, '1.5 GEM')}`);
  await browser.connection.closed;
  await end(0);
}

/** The agent's page with the person in front of it. */
async function at(url) {
  const hand = new Hand(await browser.open(url));
  await hand.front();
  const begin = step => hand.press('button', step);
  /** What the wallet answered to the latest press of a step. */
  const told = async (name, seconds = 30) => JSON.parse(await until(
    () => hand.page.evaluate(name => [...document.querySelectorAll(`[data-step=${name}]`)]
      .at(-1)?.dataset.told ?? null, name),
    `what the wallet answers to ${name}`,
    seconds,
  ));
  return { hand, begin, told };
}

/** The main job: on one ledger, then on another. */
async function job() {
  mkdirSync(shots, { recursive: true });
  let taken = 0;
  const shoot = async (name, page) => {
    taken += 1;
    writeFileSync(join(shots, `${String(taken).padStart(2, '0')}-${name}.png`), await page.screenshot());
  };
  const say = (what, ...more) => console.log(`${what}`, ...more);
  const person = new Person(browser);

  const home = await person.home();
  await home.find('button', 'Make wallet');
  await shoot('first-run', home.page);
  await person.creates();
  say('made a wallet with a passphrase');
  await person.adds(network, NETWORK, proxy.url);
  await shoot('networks', home.page);
  say(`added the network at ${proxy.url} after comparing its root key`);

  const paid = await pay(TKA, { symbol: 'TKA', units: 150_000_000n, fee: 10_000n });
  const again = await pay(GEM,
    { symbol: 'GEM', units: 1_500_000_000_000_000_000n, fee: 2_000_000_000_000n });
  await home.front();
  await home.press('button', 'Activity');
  await home.find('heading', 'Activity');
  await shoot('activity', home.page);
  assert.deepEqual(holding(folder, TKA), [], 'the first ledger\'s id is in the artefact');
  say('the first ledger\'s id is nowhere in the artefact');
  console.log(`demo: ok block ${paid.block} digest ${paid.digest}; on the second ledger block `
    + `${again.block} digest ${again.digest}; artefact ${built}`);

  async function pay(ledger, { symbol, units, fee }) {
    const { hand, begin, told } = await at(pageFor(ledger, `1.5 ${symbol}`));
    await begin('Connect');
    const asked = await person.window();
    await asked.press('radio', new RegExp(NETWORK));
    await asked.press('radio', /^Everything/);
    await asked.find('heading', new RegExp(symbol));
    await shoot(`connect-${symbol}`, asked.page);
    await person.says(asked, /^Connect$/);
    const { account } = await told('connect');
    await person.gone();
    say(`connected the agent's page to ${account}`);

    await hand.front();
    await begin('List tools');
    const { count, names } = await told('list');
    say(`tools: ${count}`);
    assert.ok(names.includes('prepare_icrc1_transfer') && names.includes('commit'));
    await begin('Read balance');
    const before = (await told('balance')).reply;
    say(`balance: ${before.text}`);
    assert.equal(before.text, `10 ${symbol}`);

    await begin('Prepare');
    const prepared = await told('prepare');
    assert.equal(prepared.status, 'prepared', JSON.stringify(prepared));
    say(`prepared 1.5 ${symbol}: preview ${prepared.preview.preview_id}`);

    const worse = options.break && (await trouble());
    await begin('Commit');
    const window = await person.window();
    await window.find('button', `Pay 1.5 ${symbol}`);
    await shoot(`confirm-${symbol}`, window.page);
    const digest = await digestIn(window);
    say(`the confirm window asks to pay 1.5 ${symbol}, digest ${digest}`);
    if (options.break) return broken({ hand, begin, told, window, worse });
    await person.says(window, `Pay 1.5 ${symbol}`);
    const done = await told('commit', 60);
    assert.equal(done.outcome, 'success',
      `commit answered ${done.outcome}, case ${done.case ?? done.code}`);
    say(`approved; commit answered ${done.outcome}`);
    if (await person.isOpen(window)) await shoot(`done-${symbol}`, window.page);
    await hand.front();
    await begin('Read balance');
    const left = BigInt((await told('balance')).reply.raw);
    assert.equal(left, BigInt(before.raw) - units - fee);
    await shoot(`agent-${symbol}`, hand.page);
    await person.gone();
    say(`balance: ${left} base units`);

    const log = (await network.blocks(ledger)).filter(block => block.kind !== 'mint');
    assert.deepEqual(log.map(({ to, amount }) => ({ to, amount })),
      [{ to: PAYEE, amount: String(units) }], 'the ledger\'s log');
    say(`the ledger's log has one transfer, of ${units}, in block ${log[0].index}`);
    return { block: log[0].index, digest };
  }

  /** What goes wrong with the payment itself. Gives what has to be done once it was approved. */
  async function trouble() {
    const call = { on: 'call', method: 'icrc1_transfer', times: null };
    if (options.break === 'drop') await network.fault({ ...call, execute: 'no', reply: 'drop' });
    if (options.break === 'badsig')
      await network.fault({ ...call, reply: { bad: 'tampered_signature' } });
    const reply = proxy.holds('icrc1_transfer');
    return async () => {
      // Without reads nothing would have been signed.
      await reply.executed;
      for (const [on, bad] of
        [['read_state', 'tampered_signature'], ['query', 'tampered_query_signature']])
        await network.fault({ on, times: null, reply: options.break === 'drop' ? 'drop' : { bad } });
      reply.pass();
    };
  }

  /** Goes on in a demo in which something goes wrong, and fails by what the agent is told of it. */
  async function broken({ hand, begin, told, window, worse }) {
    if (options.break === 'decline') await person.declines(window);
    else {
      await person.approves(window);
      await worse();
    }
    await hand.front();
    let done = await told('commit');
    while (done.outcome === 'awaiting_confirmation') {
      await begin('Commit');
      done = await told('commit');
    }
    await begin('Read balance');
    const read = await told('balance');
    throw new Error(`commit answered ${[done.outcome, done.case].filter(Boolean).join(', ')}; `
      + `balance then: ${read.reply?.text ?? read.code}`);
  }
}

/** The digest that the confirm window shows. */
function digestIn(window) {
  return window.page.evaluate(() => [...document.querySelectorAll('th')]
    .find(th => th.textContent.trim() === 'Digest of this request')
    .nextElementSibling.textContent.replace(/\s/g, ''));
}
