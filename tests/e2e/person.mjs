// The person whose wallet it is: makes it, adds a network, connects sites, reads what is asked and
// says yes or no, all in the wallet's own windows.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { until } from './cdp.mjs';
import { Hand } from './hand.mjs';

export const PASSPHRASE = 'correct horse battery staple';

/** The page of the whole wallet. */
const HOME = 'home.html';

/** The page that asks. */
const CONFIRM = 'confirm.html';

/** The button of the confirm window that says yes, whatever it says. */
const YES = /^(Pay|Allow|Move|Send|Call|Connect|Add)\b/;

/** What a window says while it carries out a step. */
const WORKING = /^Checking/;

/**
 * What a window says whose step did not reach a worker, or not its end, or was meant for what it
 * showed before: a person reads again and presses again.
 */
const AGAIN = /^(The wallet restarted|The request changed before your answer arrived)/;

/** Ticks each warning in a window that must be acknowledged before a yes. */
export async function acknowledge(window) {
  const open = await window.page.evaluate(
    () => document.querySelectorAll('main .risk input:not(:checked)').length).catch(() => 0);
  if (!open) return;
  for (const box of await window.all('checkbox', 'I have checked this').catch(() => [])) {
    const ticked = await window.with(box, function () { return this.checked; }).catch(() => true);
    const at = ticked ? null : await window.at(box).catch(() => null);
    if (at) await window.click(at);
  }
}

export class Person {
  /** @param {import('./browser.mjs').Browser} browser */
  constructor(browser) {
    this.browser = browser;
  }

  /** The tab of the whole wallet, which opened when the extension was installed. */
  async home() {
    this.tab ??= new Hand(await this.browser.extensionPage(HOME));
    await this.tab.front();
    return this.tab;
  }

  /** Opens the whole wallet in a new tab, by the button in the toolbar. */
  async opens() {
    const before = new Set((await this.browser.extensionPages(HOME)).map(page => page.targetId));
    await this.browser.pressToolbarButton();
    const page = await this.browser.extensionPage(HOME, 15, ({ targetId }) => !before.has(targetId));
    this.tab = new Hand(page);
    return this.home();
  }

  /** First run. */
  async creates(passphrase = PASSPHRASE) {
    const home = await this.home();
    await home.fill('Passphrase', passphrase);
    await home.fill('The same once more', passphrase);
    await home.press('button', 'Make wallet');
    await home.find('button', 'Networks');
  }

  async locks() {
    const home = await this.home();
    await home.press('button', 'Lock');
    await home.find('button', 'Unlock');
  }

  /** Unlocks, in the tab or in the window that asks for it. */
  async unlocks(hand, passphrase = PASSPHRASE) {
    const at = hand ?? (await this.home());
    await at.fill('Passphrase', passphrase);
    await at.press('button', 'Unlock');
    if (!hand) await at.find('button', 'Networks');
  }

  /**
   * Adds a network by its address, having compared the root key that is shown.
   * @param {{url: string, rootKeyBytes: Uint8Array}} network
   */
  async adds(network, name, url = network.url) {
    const home = await this.home();
    await home.press('button', 'Networks');
    await home.fill('Address', url);
    await home.press('button', 'Read its root key');
    await home.find('heading', 'Is this its root key?');
    const shown = await home.page.evaluate(
      () => document.querySelector('.root-key').textContent.replace(/\s/g, ''));
    assert.equal(shown, createHash('sha256').update(network.rootKeyBytes).digest('hex'));
    await home.fill('Your name for it', name);
    await home.press('button', 'Add network');
    await home.find('heading', name);
  }

  /** Says of a ledger on an added network that it is known to drop repeats. */
  async vouches(name, ledger) {
    const home = await this.home();
    await home.press('button', 'Networks');
    await home.find('heading', name);
    await home.page.evaluate(name => {
      for (const card of document.querySelectorAll('article'))
        if (card.querySelector('h2').textContent === name) card.querySelector('details').open = true;
    }, name);
    await home.fill('Canister id of the ledger', ledger);
    await home.press('button', 'Add ledger');
    await home.find('button', `Remove ${ledger}`);
  }

  /** The confirm window that came up. */
  async window(seconds) {
    return new Hand(await this.browser.extensionPage(CONFIRM, seconds));
  }

  /** Whether a confirm window is open. */
  async isAsked() {
    return (await this.browser.extensionPages(CONFIRM)).length > 0;
  }

  /** Waits until no confirm window is open. */
  gone() {
    return until(async () => !(await this.isAsked()), 'the end of the confirm window')
      .catch(async error => {
        const window = await this.window(1).catch(() => null);
        throw new Error(`${error.message}; it says:\n${await window?.text()}`);
      });
  }

  /** Connects the site that asks: this network's account, this preset. */
  async connects(network, preset = 'Everything') {
    const window = await this.window();
    await window.press('radio', new RegExp(network));
    await window.press('radio', new RegExp(`^${preset}`));
    await this.says(window, /^Connect$/);
    await this.decided(window, 'Connected');
    await this.gone();
  }

  /** Waits until the window says that this was decided, or has closed itself. */
  decided(window, title) {
    return until(
      async () => (await window.sees('heading', title)) || !(await this.isOpen(window)),
      `the window to say ${title}`,
    ).catch(async error => {
      throw new Error(`${error.message}; it says:\n${await window.text()}`);
    });
  }

  async isOpen(window) {
    return (await this.browser.targets()).some(target => target.targetId === window.page.targetId);
  }

  /**
   * Presses the button that says yes, as a person has to: reads to the end, comes to the button
   * from elsewhere, waits until it is ready; and again where the window changed under the press,
   * which then counts for nothing.
   */
  async says(window, yes = YES, seconds = 20) {
    const aside = { x: 5, y: 200 };
    let noted;
    const end = performance.now() + seconds * 1000;
    do {
      if (performance.now() > end)
        throw new Error(`no press was taken; the window says:\n${await window.text()}`);
      await window.mouse('mouseMoved', aside);
      const at = await until(async () => {
        await acknowledge(window);
        await window.mouse('mouseMoved', aside);
        await window.mouse('mouseWheel', aside, { deltaX: 0, deltaY: 600 });
        const [button] = await window.all('button', yes).catch(() => []);
        return button && window.with(button, function () {
          const { x, y, width, height } = this.getBoundingClientRect();
          const ready = this.getAttribute('aria-disabled') === 'false' && !this.disabled;
          return ready ? { x: x + width / 2, y: y + height / 2 } : null;
        }).catch(() => null);
      }, `the button ${yes} to be ready`, seconds).catch(async error => {
        throw new Error(`${error.message}; the window says:\n${await window.text()}`);
      });
      noted = await window.page.evaluate(
        () => document.querySelector('[role=alert]')?.textContent);
      await window.click(at);
    } while (!(await this.isTaken(window, noted)));
  }

  /**
   * Whether a press on the button was taken: something came of it, or the window says why not, and
   * said something else when it was `noted`.
   */
  async isTaken(window, noted) {
    const seen = async () => {
      const now = await window.page.evaluate(() => {
        const said = where => document.querySelector(where)?.textContent;
        return { gone: !document.getElementById('yes'), hint: said('#yes-hint'),
          note: said('[role=alert]') };
      }).catch(async error => {
        if (await this.isOpen(window)) throw error;
        return { gone: true };
      });
      if (now.gone) return 'taken';
      if (WORKING.test(now.hint)) return null;
      return now.note && now.note !== noted && !AGAIN.test(now.note) ? 'taken' : 'not taken';
    };
    const told = await until(seen, 'what comes of the press', 30).catch(async error => {
      throw new Error(`${error.message}; the window says:\n${await window.text()}`);
    });
    return told === 'taken';
  }

  /** Says yes to the call that is asked, and leaves the window as it is then. */
  async approves(window) {
    const at = window ?? (await this.window());
    await this.says(at);
    await this.decided(at, 'Approved');
    return at;
  }

  async declines(window) {
    const at = window ?? (await this.window());
    await at.press('button', 'Decline');
    await this.decided(at, 'Declined');
  }

  /** Closes a window by its frame, as one closes any window. */
  async closes(window) {
    await window.page.close();
    await this.gone();
  }

  /** Closes whatever windows of asks are open. */
  async clears() {
    for (const { targetId } of await this.browser.extensionPages(CONFIRM))
      await this.browser.connection.send('Target.closeTarget', { targetId }).catch(() => {});
    await this.gone();
  }

  /** How often the worker was started, as the extension itself counts. Wakes nothing. */
  async starts() {
    const home = this.tab ?? (await this.home());
    const { starts } = await home.page.evaluate(() => chrome.storage.session.get('starts'));
    return starts;
  }
}
