// What every attack stands on: one stage for all of them, whoever attacks a site of their own, and
// the ways to look at what came of it from outside the wallet.
//
// An attack is a test whose body fails where the attack succeeded, or where it could not be played:
// both end the run with 1. What is judged is what matters: the ledger's log, what the wallet's
// window says, what a page could read. That nothing was thrown is no judgement.

import assert from 'node:assert/strict';
import { serve } from '../e2e/browser.mjs';
import { until } from '../e2e/cdp.mjs';
import { Hand } from '../e2e/hand.mjs';
import { NETWORK, Stage, TKA } from '../e2e/stage.mjs';
import { test } from '../e2e/suite.mjs';

export { assert };

const played = { scenarios: 0, succeeded: 0, broken: 0 };

/** Adds an attack. `work` throws an assertion where it succeeded. */
export function attack(name, work) {
  test(name, async () => {
    played.scenarios += 1;
    try {
      await work();
    } catch (error) {
      played[error instanceof assert.AssertionError ? 'succeeded' : 'broken'] += 1;
      throw error;
    }
  });
}

/** The last line of a run. */
export function closing() {
  const { scenarios, succeeded, broken } = played;
  const rest = broken ? `, ${broken} not played to the end` : '';
  return `attack: ${scenarios} scenarios, ${succeeded} succeeded${rest}`;
}

/** The stage, with a wallet, the odd canisters of the network, and a shop that is connected. */
export class Ground {
  static async open(browser) {
    const ground = new Ground();
    ground.stage = await Stage.open({ odd: true, browser });
    await ground.stage.ready({ known: [TKA] });
    ground.shop = await ground.stage.connected(TKA);
    return ground;
  }

  get browser() { return this.stage.browser; }
  get person() { return this.stage.person; }
  get network() { return this.stage.network; }

  /** The ids of the confirm windows that are open. */
  async windows() {
    return (await this.browser.extensionPages('confirm.html')).map(({ targetId }) => targetId);
  }

  /** How many blocks ledgers have that are no mint. */
  async moved(ledger = TKA) {
    return (await this.network.blocks(ledger)).filter(({ kind }) => kind !== 'mint').length;
  }

  /** Serves pages for one attack and closes them after it. */
  async served(pages, work) {
    const site = await serve(pages);
    try {
      return await work(site);
    } finally {
      site.close();
    }
  }

  /** Opens a page for one attack and closes it after it. */
  async on(url, work) {
    const page = await this.browser.open(url);
    try {
      return await work(page, new Hand(page));
    } finally {
      await page.close().catch(() => {});
    }
  }

  /** The shop asks for a payment, and the window that came up for it. */
  async asked(amount, memo, more) {
    await this.shop.hand.front();
    const told = await this.shop.prepare(TKA, amount, memo, more);
    assert.ok(told.preview, JSON.stringify(told));
    const preview = told.preview.preview_id;
    const answer = this.shop.commit(preview);
    const window = await this.person.window();
    await window.find('button', /^(Pay|Send)\b/);
    return { preview, answer, window, told };
  }

  /**
   * A page that connects with everything that these canisters offer: its agent, and what the window
   * said of them.
   */
  async connects(canisters) {
    const agent = await this.stage.agent();
    const asked = agent.call('wallet_connect', { canisters, tools: ['all'] });
    const window = await this.person.window();
    await window.press('radio', new RegExp(NETWORK));
    await window.press('radio', /^Everything/);
    await until(async () => !/reading/i.test(await window.text()), 'the canisters to be read');
    const said = await tight(window);
    await this.person.says(window, /^Connect$/);
    await this.person.decided(window, 'Connected');
    await this.person.gone();
    agent.account = (await asked).account;
    return { agent, said };
  }

  /** The person's mark, which stands on every window of the wallet. */
  async mark() {
    const home = await this.person.home();
    return home.page.evaluate(() => document.querySelector('.mark b').textContent.trim());
  }

  /** Puts things back as the next attack expects them. */
  async tidy() {
    this.stage.proxy.mend();
    await this.network.clearFaults();
    await this.person.clears();
    const home = await this.person.home();
    if (await home.sees('button', 'Unlock')) await this.person.unlocks();
    await this.#declinesAll();
    await this.shop.hand.front();
  }

  /** The window of asks, brought up by hand; null where nothing waits. */
  async looks() {
    const home = await this.person.home();
    await home.press('button', 'Home');
    return until(async () => {
      if ((await this.windows()).length > 0) return { window: await this.person.window() };
      if (!(await home.sees('button', 'Look at it'))) return { window: null };
      // A page that is drawn anew under a press takes none: a person presses again.
      await home.press('button', 'Look at it', 1).catch(() => {});
      await until(async () => (await this.windows()).length > 0, 'the window', 2).catch(() => {});
      return null;
    }, 'the window of asks').then(({ window }) => window);
  }

  /** Declines what an attack left in the queue. */
  async #declinesAll() {
    const window = await this.looks();
    if (!window) return;
    const asks = () => until(async () => {
      if (await window.sees('button', 'Decline')) return 'asks';
      return /Nothing waits/.test(await window.text()) ? 'rests' : null;
    }, 'what waits');
    while (await asks() === 'asks') {
      await this.person.declines(window);
      if (!(await this.person.isOpen(window)) || !(await window.sees('button', /^Next/))) break;
      await window.press('button', /^Next/);
    }
    await this.person.clears();
  }

  close() {
    return this.stage.close();
  }
}

export { NETWORK };

/** All text of a window, white space taken away: what wraps is still whole. */
export const tight = async window => (await window.page.evaluate(() => {
  for (const fold of document.querySelectorAll('details')) fold.open = true;
  return document.body.textContent;
})).replace(/\s/gu, '');
