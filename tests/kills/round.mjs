// One payment whose worker is killed: an agent that asks until it is answered, a person who decides
// whatever is asked, and the kill.

import { setTimeout as after } from 'node:timers/promises';
import { until } from '../e2e/cdp.mjs';
import { Hand } from '../e2e/hand.mjs';
import { PAYEE, TKA } from '../e2e/stage.mjs';
import { RANDOM } from './points.mjs';
import { Victim } from './worker.mjs';

const METHOD = 'icrc1_transfer';

/** Network and person are fair but for a moment: what has no end after so many seconds is stuck. */
const FAIR = 90;

/** So many seconds the badge says that something waits before a person looks what it is. */
const PATIENCE = 3;

/** `call_lost` of extension/INTEGRATE.md: the same call is to be made again. */
const CALL_LOST = -31003;

/** The button of the window that says yes to a payment. */
const YES = /^(Pay|Send)\b/;

/** The document that asked is gone, and was not told. */
class Left extends Error {}

/** A browser whose worker is killed, with the page of the agent. */
export class World {
  /** How many calls were made in it. */
  made = 0;

  static async of(stage, shop) {
    const world = new World();
    Object.assign(world, { stage, url: shop.url });
    world.victim = await Victim.of(stage.browser);
    await world.#meets(shop);
    return world;
  }

  /** From now on this page is the agent's. What it is told it remembers, even as it goes. */
  async #meets(shop) {
    this.shop = shop;
    await shop.page.expose('remember', ({ number, end }) => (this.heard = { number, end }));
  }

  /** Calls a tool. Gives `{ told }` or `{ error }`. */
  async calls(name, input, number) {
    return this.shop.page.evaluate(async (name, input, number) => {
      const end = await client.callTool({ name, arguments: input }).then(
        ({ structuredContent }) => ({ told: structuredContent }),
        ({ code, message }) => ({ error: { code, message } }),
      );
      remember_json(JSON.stringify({ number, end }));
      return end;
    }, name, input, number);
  }

  /** The page is loaded anew: a new document, and another client in it. */
  async reloads(client) {
    await this.shop.page.goto(this.url);
    await this.shop.connects(client);
  }

  /** The browser ends and starts again, the person unlocks the wallet and opens the page. */
  async restarts(how, client) {
    await this.stage.restarts(how);
    this.victim = await Victim.of(this.stage.browser);
    await this.stage.person.unlocks();
    await this.#meets(await this.stage.agent(this.url, client));
  }
}

/** What happens in one round, as `rounds` drew it. */
export class Round {
  /** What the agent was told, and when: `{ at, tool, told }`. */
  answers = [];
  /** What the person pressed: `{ at, yes, preview, accepted }`. */
  presses = [];
  /** The points of the kills that counted. */
  kills = [];
  /** Calls that were open when the worker was killed: whether their client was told their end. */
  resumed = [];
  /** Whether the agent's calls came to their end. */
  ended = false;
  /** Whether only the person can end it now. */
  held = false;
  /** Whether the person looked for the ask, as no window came up. */
  lookedFor = false;
  /** Whether the agent may have been told the end and not know: a crash takes its memory. */
  get forgets() {
    return this.twist === 'crashed';
  }
  #over = false;
  #open = null;
  #away = null;
  #windows = new Map();

  constructor(world, drawn) {
    const { number } = drawn;
    // Nothing of what others pay begins like it.
    const amount = `1.${String(number).padStart(4, '0')}1 TKA`;
    Object.assign(this, drawn, { world, memo: `kill ${number}`, amount });
    this.mayPress = new Promise(done => (this.letsPress = done));
  }

  get #stage() {
    return this.world.stage;
  }

  /** Plays it; afterwards it can be judged. */
  async play() {
    const { proxy } = this.#stage;
    proxy.calls.length = 0;
    const point = await this.#point();
    const asking = this.#asks();
    const deciding = this.#decides();
    const stop = new AbortController();
    const late = after(FAIR * 1000, undefined, { signal: stop.signal }).then(() => {
      throw new Error(`no end within ${FAIR} s`);
    });
    // Only to be heard of where one fails; each is waited for in what follows.
    const failed = Promise.race([late, deciding.then(() => new Promise(() => {}))]);
    for (const work of [asking, deciding, late, failed]) work.catch(() => {});
    try {
      const due = [point.met.then(() => true), asking.then(() => false), failed];
      this.reached = await Promise.race(due);
      if (!this.reached && this.point !== RANDOM)
        throw new Error(`it ended, and never was ${this.point}`);
      await Promise.race([this.#kill(point, asking), failed]);
      await Promise.race([asking, failed]);
    } catch (error) {
      this.error = error;
      this.scene = await (await this.#targets().then(([target]) => target && this.#window(target))
        .catch(() => null))?.text().catch(() => null);
    } finally {
      stop.abort();
      this.#over = true;
      this.letsPress();
      point.fair();
      proxy.mend();
      await deciding.catch(() => {});
    }
    await this.#looksBack();
  }

  /** Makes ready for the kill: `met` resolves where it is due, `fair` undoes what was made. */
  async #point() {
    const { proxy } = this.#stage;
    if (this.by === 'window') {
      const met = new Promise(done => (this.sawAsk = done));
      return { met, fair: () => {} };
    }
    this.letsPress();
    if (this.by === 'network') {
      const { came, drop, pass } = proxy.keeps(METHOD);
      return { met: came, fair: this.plan === 'lost' ? drop : pass };
    }
    if (this.by === 'reply') {
      const { executed, drop } = proxy.holds(METHOD);
      return { met: executed, fair: drop };
    }
    const { met } = await this.world.victim.meets({ parks: true, ...this.plan });
    return { met, fair: () => {} };
  }

  async #kill(point, asking) {
    const { world, twist, client } = this;
    if (twist === 'reloaded before') await this.#leaves(() => world.reloads(client));
    await this.#kills(this.point);
    // A request that left is on its way, whatever became of who sent it.
    point.fair();
    this.letsPress();
    if (this.second && this.reached) {
      const { met } = await world.victim.meets(this.second);
      if (await Promise.race([met.then(() => true), asking.then(() => false)]))
        await this.#kills(RANDOM);
    }
    await world.victim.forget();
    if (twist === 'reloaded') await this.#leaves(() => world.reloads(client));
    if (twist === 'restarted' || twist === 'crashed')
      await this.#leaves(() => world.restarts({ crash: twist === 'crashed' }, client));
    // It had ended before: what was committed is committed once more.
    if (!this.reached) await this.#calls('commit', { preview_id: this.preview });
  }

  async #kills(point) {
    if (this.#open) this.#open.killed = true;
    await this.world.victim.kill(this.#stage.person);
    this.kills.push(point);
  }

  /** The document of the agent goes while something is done, and another is there after it. */
  async #leaves(work) {
    let back;
    this.#away = new Promise(done => (back = done));
    await work();
    this.#away = null;
    back();
  }

  /** Calls a tool and notes what it answers. A call of which no record is left is made again. */
  async #calls(tool, input) {
    for (;;) {
      const { told, error } = await this.#call(tool, input);
      this.answers.push({ at: performance.now(), tool, told: told ?? error });
      if (error?.code === CALL_LOST) continue;
      if (error) throw new Error(`${tool} was answered ${error.code}: ${error.message}`);
      this.preview = told.preview?.preview_id ?? this.preview;
      return told;
    }
  }

  async #call(tool, input) {
    const { world } = this;
    const call = { number: (world.made += 1), killed: false };
    this.#open = call;
    try {
      const end = await world.calls(tool, input, call.number);
      if (call.killed) this.resumed.push(end.told !== undefined);
      return end;
    } catch (error) {
      const away = this.#away;
      if (!away) throw error;
      await away;
      // What the document was told just before it went.
      if (world.heard?.number === call.number) return world.heard.end;
      throw new Left(error.message);
    } finally {
      this.#open = null;
    }
  }

  /**
   * Asks as an agent does: prepares, and then calls whatever the answer says comes next, until
   * nothing does. In a new document it begins anew, with the same inputs.
   */
  async #asks() {
    const input = { canister_id: TKA, to: PAYEE, amount: this.amount, memo: this.memo };
    let next = { tool: `prepare_${METHOD}`, input };
    while (next && !this.held) {
      try {
        const told = await this.#calls(next.tool, next.input);
        this.held = told.outcome === 'reconcile' && told.retry === 'after_person';
        next = told.next;
        if (next?.after_s) await after(next.after_s * 1000);
      } catch (error) {
        if (!(error instanceof Left)) throw error;
        next = { tool: `prepare_${METHOD}`, input };
      }
    }
    this.ended = true;
  }

  /** Decides whatever is asked, in whichever window, until the round is over. */
  async #decides() {
    while (!this.#over) {
      const { person } = this.#stage;
      let window;
      try {
        const target = await this.#asked(person);
        if (!target) return;
        window = await this.#window(target);
        await this.#decidesIn(person, window);
      } catch (error) {
        // A window that closed, or a browser that ended, was not decided in.
        const gone = this.#over || person !== this.#stage.person || this.#away
          || (window && !(await person.isOpen(window)));
        if (!gone) throw error;
      }
    }
  }

  /**
   * The window that asks, once there is one; none once the round is over. Where the badge says that
   * something waits and no window comes up, the person looks for it in the wallet.
   */
  async #asked(person) {
    let since = null;
    return until(async () => {
      if (this.#over) return { none: true };
      const [target] = await this.#targets();
      if (target) return target;
      since = (await this.#waits(person)) ? since ?? performance.now() : null;
      if (since === null || performance.now() - since < PATIENCE * 1000) return null;
      const home = await person.home();
      if (!(await home.sees('button', 'Look at it'))) await home.press('button', 'Home');
      await home.press('button', 'Look at it');
      this.lookedFor = true;
      since = null;
      return null;
    }, 'an ask', FAIR).then(({ none, ...target }) => (none ? null : target));
  }

  /** Whether the badge says that something waits for the person. */
  async #waits(person) {
    const badge = await person.tab?.page.evaluate(() => chrome.action.getBadgeText({}))
      .catch(() => '');
    return Boolean(badge);
  }

  /** The windows that ask; none while the browser is not there. */
  async #targets() {
    return this.#stage.browser.extensionPages('confirm.html').catch(() => []);
  }

  async #window({ targetId }) {
    if (!this.#windows.has(targetId)) {
      const page = await this.#stage.browser
        .extensionPage('confirm.html', 5, found => found.targetId === targetId);
      this.#windows.set(targetId, new Hand(page));
    }
    return this.#windows.get(targetId);
  }

  async #decidesIn(person, window) {
    const asked = await until(async () => {
      if (this.#over || !(await person.isOpen(window))) return 'nothing';
      if (await window.sees('button', 'Unlock')) return 'the passphrase';
      return (await window.sees('button', YES)) ? 'the payment' : null;
    }, 'something to decide', FAIR);
    if (asked === 'nothing') return;
    if (asked === 'the passphrase') return person.unlocks(window);
    this.sawAsk?.();
    await this.mayPress;
    const press = { at: performance.now(), yes: !this.declines, preview: this.preview };
    this.presses.push(press);
    if (this.declines) await this.#no(person, window);
    else press.accepted = await this.#yes(person, window);
  }

  /** A press that met no worker is made again. */
  async #no(person, window) {
    let noted;
    do {
      noted = await window.page.evaluate(() => document.querySelector('[role=alert]')?.textContent);
      await window.press('button', 'Decline');
    } while (!(await person.isTaken(window, noted)));
  }

  /** Whether the window said that the yes counts. */
  async #yes(person, window) {
    // Where the ask goes from the window meanwhile, there is no button to be ready.
    await person.says(window, YES, 5).catch(error => {
      if (!/to be ready|no press was taken/.test(error.message)) throw error;
    });
    return until(async () => {
      const open = await person.isOpen(window);
      if (!open || (await window.sees('heading', 'Approved'))) return 'yes';
      return this.#over || (await window.sees('button', YES)) ? 'no' : null;
    }, 'what became of the yes').then(seen => seen === 'yes');
  }

  /** What is known of it in the end, and what left for the network. */
  async #looksBack() {
    const { proxy, person } = this.#stage;
    const first = new Map();
    for (const { body, arg, at } of proxy.posts(METHOD)) {
      const key = body.toString('hex');
      if (Buffer.from(arg).includes(this.memo) && !first.has(key)) first.set(key, { at });
    }
    this.sent = [...first.values()];
    const { shop } = this.world;
    if (this.preview)
      this.known = await shop.call('wallet_intent', { preview_id: this.preview })
        .catch(error => ({ error: error.message }));
    if (this.error) return;
    await person.clears();
    await shop.hand.front();
  }
}
