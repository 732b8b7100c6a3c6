// What a journey through the real thing needs: the packed extension in a real browser, a local
// network in a process of its own, sites of agents, and a person.

import { fileURLToPath } from 'node:url';
import { bundle } from '../clients/bundle.mjs';
import { Localnet } from '../agents/localnet.mjs';
import { Browser, serve } from './browser.mjs';
import { until } from './cdp.mjs';
import { Hand } from './hand.mjs';
import { Person } from './person.mjs';
import { Proxy } from './proxy.mjs';
import { artefact } from './suite.mjs';

export { GEM, KIOSK, LOOKALIKE, TILL, TKA } from '../agents/localnet.mjs';

/** Somebody who is paid. Nobody has this principal's key. */
export const PAYEE = 'k2t6j-2nvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6ae';

/** The name the person gives the local network. */
export const NETWORK = 'Workbench';

/** The program of the local network. */
export const localnet = () => process.env.COUNTERSIGN_LOCALNET
  ?? fileURLToPath(new URL('../../target/debug/countersign-localnet', import.meta.url));

const script = await bundle();
const html = '<!doctype html><meta charset="utf-8"><title>agent</title>'
  + '<script src="/agent.js"></script><h1>An agent</h1><p>Press anywhere.</p>';

/** A site whose only page is an agent's. Its origin is its own. */
export const site = () => serve({
  '/': { body: html },
  '/agent.js': { body: script, type: 'text/javascript; charset=utf-8' },
});

/** A browser with the wallet, a local network, and a person. */
export class Stage {
  #closers = [];

  static async open({ seed = 'countersign', odd = false, browser: options } = {}) {
    const stage = new Stage();
    const [network, browser] = await Promise.all([
      Localnet.start(localnet(), ['--seed', seed, ...odd ? ['--odd'] : []]),
      Browser.launch({ extension: artefact(), ...options }),
    ]);
    const proxy = await Proxy.before(network.url);
    stage.#closers.push(() => stage.browser.close(), () => proxy.close(), () => network.stop());
    const person = new Person(browser);
    // It opens by itself, and would come before whatever was opened earlier.
    await person.home();
    return Object.assign(stage, { network, proxy, browser, person });
  }

  /** Makes the wallet and adds the local network; of `known` ledgers a repeat is dropped. */
  async ready({ known = [] } = {}) {
    await this.person.creates();
    await this.person.adds(this.network, NETWORK, this.proxy.url);
    for (const ledger of known) await this.person.vouches(NETWORK, ledger);
    return this;
  }

  /** Another browser with the profile of this one, which ends. The wallet is locked in it. */
  async restarts(how) {
    this.browser = await this.browser.again(how);
    this.person = new Person(this.browser);
    await this.person.opens();
  }

  /** Closes something of a test's own together with the stage. */
  with(closer) {
    this.#closers.push(closer);
  }

  async close() {
    for (const close of this.#closers) await close();
  }

  /** A new site with its page open and an MCP client in it. */
  async agent(at, kind = 'v2', channel = 'countersign') {
    let url = at;
    if (!url) {
      const served = await site();
      this.with(() => served.close());
      url = served.url;
    }
    const page = await this.browser.open(url);
    const agent = new Agent(this, page, url);
    await agent.connects(kind, channel);
    return agent;
  }

  /** A site that is connected to the account on the local network, funded, with every tool. */
  async connected(ledger, { units = 1_000_000_000_000n, preset, kind } = {}) {
    const agent = await this.agent(undefined, kind);
    const asked = agent.call('wallet_connect', { canisters: [{ id: ledger }], tools: ['all'] });
    await this.person.connects(NETWORK, preset);
    const { account } = await asked;
    agent.account = account;
    if (units) await this.network.mint(ledger, account, units);
    return agent;
  }

  /** The transfers with this memo in a ledger's log. */
  async transfers(ledger, memo) {
    const hex = Buffer.from(memo).toString('hex');
    return (await this.network.blocks(ledger))
      .filter(block => block.kind !== 'mint' && block.memo === hex);
  }

  /** How often a transfer was posted, the same envelope again counted again. */
  get posts() {
    return this.proxy.posts('icrc1_transfer').length;
  }

  /** The signed envelopes of transfers with this memo, each once. */
  envelopes(memo) {
    return this.proxy.envelopes('icrc1_transfer', memo);
  }

  /** Waits until a transfer with this memo is in the ledger's log. */
  executed(ledger, memo) {
    return until(async () => (await this.transfers(ledger, memo)).length > 0, `the transfer ${memo}`);
  }
}

/** An agent in a page, with its MCP client. */
export class Agent {
  constructor(stage, page, url) {
    Object.assign(this, { stage, page, url, hand: new Hand(page) });
  }

  /** The person looks at the page and presses somewhere; then the agent's client connects. */
  async connects(kind, channel = 'countersign') {
    await this.hand.front();
    await this.hand.press('heading', 'An agent');
    await this.page.evaluate(async (kind, channel) => {
      globalThis.client = await agent.connect(kind, channel);
    }, kind, channel);
  }

  /** The whole result of a tool call. `wait` is how long it waits, in seconds. */
  result(name, args = {}, { wait, meta = {} } = {}) {
    if (wait !== undefined) meta['countersign/wait_s'] = wait;
    const answer = this.page.evaluate(
      (name, args, meta) => client.callTool({ name, arguments: args, _meta: meta }),
      name, args, meta);
    // A test that fails earlier waits for it no more.
    answer.catch(() => {});
    return answer;
  }

  /** What a tool call answers. */
  call(name, args, options) {
    const told = this.result(name, args, options).then(result => result.structuredContent);
    told.catch(() => {});
    return told;
  }

  prepare(ledger, amount, memo, more = {}) {
    const args = { canister_id: ledger, to: PAYEE, amount, memo, ...more };
    return this.call('prepare_icrc1_transfer', args);
  }

  /** Prepares a payment that was not prepared before, and gives its preview id. */
  async prepared(ledger, amount, memo) {
    const told = await this.prepare(ledger, amount, memo);
    if (told.status !== 'prepared') throw new Error(`not prepared: ${JSON.stringify(told)}`);
    return told.preview.preview_id;
  }

  commit(preview, options) {
    return this.call('commit', { preview_id: preview }, options);
  }

  async names() {
    const { tools } = await this.page.evaluate(() => client.listTools());
    return tools.map(tool => tool.name);
  }
}
