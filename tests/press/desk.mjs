// What every scenario of presses stands on: a screen with a window manager, a browser on it that is
// not headless, a wallet with a connected shop, and a hand whose every press is the display's.
//
// Headless Chromium has neither focus nor blur, and drivers like Playwright pretend to a focus: so
// nothing here is dispatched over CDP but what makes ready for a scenario (`tests/e2e/person.mjs`);
// CDP also says what came of it. Beside it the window keeps a log of its own of what reached it.

import assert from 'node:assert/strict';
import { until } from '../e2e/cdp.mjs';
import { Hand } from '../e2e/hand.mjs';
import { acknowledge } from '../e2e/person.mjs';
import { Stage, TKA } from '../e2e/stage.mjs';
import { test } from '../e2e/suite.mjs';
import { Screen } from './screen.mjs';

export { assert, until };

/** How long the window has to be left alone until its button works: `ARMING_TIME` of core. */
const ARMING = 500;

/** A clock of whole milliseconds beside one of fractions. */
const ROUNDED = 1;

/** Where the agents' window lies, and the windows that ask: apart, so that each can be pressed. */
const AGENTS = { x: 20, y: 40, width: 800, height: 900 };
const ASIDE = { x: 1100, y: 60 };

const played = { scenarios: 0, presses: 0, accidents: 0, broken: 0 };

/** Adds a scenario; its name says what must hold. */
export function scenario(name, work) {
  test(name, async () => {
    played.scenarios += 1;
    const { accidents } = played;
    try {
      await work();
    } catch (error) {
      if (played.accidents === accidents) played.broken += 1;
      throw error;
    }
  });
}

/** The last line of a run. */
export function closing() {
  const { scenarios, presses, accidents, broken } = played;
  const rest = broken ? `, ${broken} not played to the end` : '';
  return `press: ${scenarios} scenarios, ${presses} presses, ${accidents} decisions by accident${rest}`;
}

/** Runs in the window that asks: notes what reaches it, with its time, and what the button says. */
function keepLog() {
  const log = [];
  const note = what => {
    log.push([what, performance.now()]);
    if (what === 'release') let_go('');
  };
  const heard = {
    pointerdown: event => (event.button === 0 ? 'press' : null),
    pointerup: event => (event.button === 0 ? 'release' : null),
    keydown: event => (event.repeat ? 'repeat' : 'press'),
    keyup: () => 'release',
    focus: event => (event.target === window ? 'focus' : null),
    blur: event => (event.target === window ? 'blur' : null),
    resize: () => 'resize',
  };
  for (const [type, names] of Object.entries(heard))
    addEventListener(type, event => {
      const name = event.isTrusted ? names(event) : null;
      if (name) note(name);
    }, true);
  const place = () => `${screenX},${screenY}`;
  let here = place();
  setInterval(() => {
    if (here === (here = place())) return;
    note('move');
  }, 10);
  const armed = () => document.getElementById('yes')?.dataset.armed === 'true';
  let was = false;
  const look = () => {
    if (armed() === was) return;
    was = !was;
    note(was ? 'armed' : 'disarmed');
  };
  new MutationObserver(look).observe(document.documentElement,
    { subtree: true, childList: true, attributes: true, attributeFilter: ['data-armed'] });
  look();
  globalThis.heard = { log, armed, count: name => log.filter(([what]) => what === name).length };
}

export class Desk {
  /** With these arguments for the browser. */
  static async open(args = []) {
    const desk = new Desk();
    desk.screen = await Screen.open();
    // The browser finds its screen where every program does.
    process.env.DISPLAY = desk.screen.display;
    desk.stage = await Stage.open({
      browser: { headless: false, args: ['--ozone-platform=x11', '--disable-gpu', ...args] },
    });
    await desk.stage.ready({ known: [TKA] });
    desk.shop = await desk.stage.connected(TKA);
    [desk.agents] = await desk.screen.windows();
    await desk.screen.places(desk.agents, AGENTS);
    return desk;
  }

  get x() { return this.screen.x; }
  get person() { return this.stage.person; }

  /** The agents' window has the focus, with this agent's page in front. */
  async shows(agent = this.shop) {
    await agent.hand.front();
    await this.screen.activates(this.agents);
  }

  /** Somebody asks for a payment: its memo is its name. */
  async prepares(amount, memo, agent = this.shop) {
    return { agent, memo, amount, preview: await agent.prepared(TKA, amount, memo) };
  }

  /** It is committed, and its window comes up where the window manager has it; then it is read. */
  async asks(payment) {
    const before = new Set(await this.screen.windows());
    payment.answer = payment.agent.commit(payment.preview);
    const window = await this.comes(payment, before);
    await window.isAcknowledged();
    return window;
  }

  /** The window that comes up for a payment. */
  async comes(payment, before) {
    const hand = await this.person.window();
    await hand.page.send('Runtime.addBinding', { name: 'let_go' });
    await hand.page.evaluate(keepLog);
    await hand.find('button', `Pay ${payment.amount}`);
    const id = await until(async () =>
      (await this.screen.windows()).find(window => !before.has(window)), 'the window on the screen');
    await until(async () => (await this.screen.active()) === id, 'the window to have the focus');
    return new Asking(this, payment, hand, id);
  }

  /** A payment is asked for in a window that lies beside the agents'. */
  async asked(amount, memo) {
    await this.shows();
    const window = await this.asks(await this.prepares(amount, memo));
    await this.screen.places(window.id, ASIDE);
    await until(async () => (await window.place()).x === ASIDE.x, 'the window beside the other');
    return window;
  }

  /** Declines what a scenario that failed left, and lets go of everything. */
  async tidy() {
    this.x.releases();
    for (const key of ['Return', 'space']) this.x.keyUp(key);
    while (await this.person.isAsked()) {
      const window = await this.person.window();
      if (!(await window.sees('button', 'Decline'))) break;
      await this.person.declines(window);
      if (!(await this.person.isOpen(window)) || !(await window.sees('button', /^Next/))) break;
      await window.press('button', /^Next/);
    }
    await this.person.clears();
  }

  async close() {
    await this.stage.close();
    this.screen.close();
  }
}

/** A window that asks, on the screen. */
export class Asking {
  constructor(desk, payment, hand, id) {
    Object.assign(this, { desk, payment, hand, id, page: hand.page, counted: 0 });
  }

  get x() { return this.desk.x; }

  /** Where its content begins on the screen, and how large that is. */
  place() {
    return this.page.evaluate(() => ({ x: screenX, y: screenY + outerHeight - innerHeight,
      width: innerWidth, height: innerHeight }));
  }

  /** Where a button's middle is on the screen. */
  async at(id = 'yes') {
    const { x, y } = await this.place();
    const middle = await this.page.evaluate(id => {
      const { x, y, width, height } = document.getElementById(id).getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    }, id);
    return { x: x + middle.x, y: y + middle.y };
  }

  /** Brings the pointer onto the button, and sees that it is there. */
  async comesTo() {
    this.x.moves(await this.at());
    await until(() => this.page.evaluate(() => document.querySelector('#yes:hover') !== null),
      'the pointer on the button');
  }

  /** Takes the pointer off the button, to the middle of the window. */
  async leaves() {
    const { x, y, width, height } = await this.place();
    this.x.moves({ x: x + width / 2, y: y + height / 3 });
    await until(() => this.page.evaluate(() => document.querySelector('#yes:hover') === null),
      'the pointer off the button');
  }

  /** Turns the wheel until the end is in sight; the pointer stands where the wheel turns it. */
  async readsToTheEnd() {
    await until(async () => {
      this.x.turns();
      return this.page.evaluate(() => document.getElementById('end').getBoundingClientRect().bottom
        <= document.getElementById('foot').getBoundingClientRect().top + 1);
    }, 'the end in sight');
  }

  /** Drags the window by a point beside its content, which is the window manager's, so far. */
  async isDragged(by, so) {
    const before = await this.place();
    const hold = { x: before.x + by.x, y: before.y + by.y };
    this.x.moves(hold);
    this.x.presses();
    // The window manager takes a while to take hold of it: the hand goes on, and then to the end.
    let step = 0;
    const far = async () => {
      const now = await this.place();
      return ['x', 'y', 'width', 'height'].map(name => now[name] - before[name]);
    };
    await until(async () => {
      step = (step + 1) % 10;
      this.x.moves({ x: hold.x + so.x * step / 10, y: hold.y + so.y * step / 10 });
      return (await far()).some(pixels => pixels !== 0);
    }, 'the window to follow the hand');
    this.x.moves({ x: hold.x + so.x, y: hold.y + so.y });
    const whole = `${so.x},${so.y}`;
    await until(async () => [`${whole},0,0`, `0,0,${whole}`].includes((await far()).join()),
      'the window where the hand is');
    this.x.releases();
  }

  isArmed() {
    return this.page.evaluate(() => heard.armed());
  }

  async armed() {
    await until(() => this.isArmed(), 'the button to be armed').catch(async error => {
      throw new Error(`${error.message}; the window says:\n${await this.hand.text()}`);
    });
  }

  /** How often this reached the window. */
  count(name) {
    return this.#asks(name => heard.count(name), name);
  }

  /** Asks the window's own log. A window whose ask was decided closes itself: then it was. */
  #asks(what, ...args) {
    return this.page.evaluate(what, ...args).catch(async error => {
      if (await this.desk.person.isOpen(this.hand)) throw error;
      played.accidents += 1;
      assert.fail('it was decided: the window is gone');
    });
  }

  /** Waits until this reached the window so often. */
  counts(name, least, seconds = 60) {
    return until(async () => (await this.count(name)) >= least, `${least} times ${name}`, seconds);
  }

  /** Waits until this reaches the window once more than by now, which `work` should bring about. */
  async once(name, work) {
    const before = await this.count(name);
    await work();
    await this.counts(name, before + 1, 15);
  }

  /** Clicks where the pointer stands, and waits until the window has it. */
  async clicked() {
    const released = this.page.event('Runtime.bindingCalled', ({ name }) => name === 'let_go');
    this.x.clicks();
    await released;
  }

  hinted(text) {
    return this.hand.reads(text);
  }

  /** What the wallet warns of is acknowledged, once the ledger was read; else no press could decide. */
  async isAcknowledged() {
    const { hand, desk } = this;
    await until(async () => !(await hand.text()).includes('Reading what the ledger certifies'),
      'the ledger to be read');
    await until(async () => {
      await acknowledge(hand);
      return this.page.evaluate(() => !document.querySelector('main .risk input:not(:checked)'));
    }, 'each warning to be acknowledged');
  }

  /** Ready for a yes: read to the end, armed, and the pointer elsewhere. */
  async isReady() {
    await this.isAcknowledged();
    await this.leaves();
    await this.readsToTheEnd();
    await this.armed();
    await this.hinted('Ready');
  }

  /**
   * Judges that nothing was decided: the window still asks, the wallet waits, and nothing was sent.
   * And the button was never armed earlier than it may be after whatever reached the window.
   */
  async undecided() {
    const { payment, desk } = this;
    const log = await this.#asks(() => heard.log);
    const pressed = log.filter(([what]) => what === 'press' || what === 'repeat').length;
    played.presses += pressed - this.counted;
    this.counted = pressed;
    let last = -Infinity;
    for (const [what, when] of log) {
      if (what === 'armed')
        assert.ok(when - last >= ARMING - ROUNDED, `armed ${when - last} ms after it was touched`);
      if (['press', 'repeat', 'blur', 'focus', 'resize'].includes(what)) last = when;
    }
    const told = await payment.agent.call('wallet_intent', { preview_id: payment.preview });
    const decided = told.outcome !== 'awaiting_confirmation'
      || desk.stage.envelopes(payment.memo).length > 0
      || !(await this.hand.sees('button', `Pay ${payment.amount}`));
    if (decided) {
      played.accidents += 1;
      assert.fail(`it was decided: ${JSON.stringify(told)}; the window says:\n${await this.hand.text()}`);
    }
  }

  /** The person means it: comes to the button and presses it. It is paid, once. */
  async isPaid() {
    await this.comesTo();
    this.x.clicks();
    await this.wasPaid();
  }

  async wasPaid() {
    const { payment, desk } = this;
    const told = await payment.answer;
    assert.equal(told.outcome, 'success', JSON.stringify(told));
    assert.equal((await desk.stage.transfers(TKA, payment.memo)).length, 1);
    assert.equal(desk.stage.envelopes(payment.memo).length, 1);
    await desk.person.clears();
  }
}
