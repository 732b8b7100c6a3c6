// Presses in rows, in rhythms, held, and halves of presses.

import { setTimeout as after } from 'node:timers/promises';
import { assert, scenario } from './desk.mjs';

/** Presses in a row: so many clicks, and so many of each key. */
const CLICKS = 6000;
const EACH_KEY = 2000;

/** So many presses of a key are sent at once. */
const PART = 100;

/** Presses of a hand that leaves the button in between. */
const HASTY = 200;

/** A game has the person click at this pace, and so often in the window that asks. */
const EVERY = 200;
const TIMES = 10_000 / EVERY;

export function pressing(desk) {
  const { x } = desk;

  scenario('a row of 10,000 presses of the display decides nothing', async () => {
    const window = await desk.asked('2.01 TKA', 'row');
    await window.leaves();
    await window.readsToTheEnd();
    await window.comesTo();
    // One after the other: the window manager looks at each click before the window has it, and of
    // many at once some get lost.
    for (let n = 0; n < CLICKS; n++) await window.clicked();
    // The keyboard's focus is on the button now.
    assert.equal(await window.page.evaluate(() => document.activeElement.id), 'yes');
    for (const key of ['space', 'Return'])
      for (let sent = 0; sent < EACH_KEY; sent += PART) {
        const before = await window.count('release');
        for (let n = 0; n < PART; n++) x.key(key);
        await window.counts('release', before + PART);
      }
    assert.equal(await window.count('press'), CLICKS + 2 * EACH_KEY);
    await window.undecided();
    await window.isReady();
    await window.isPaid();
  });

  scenario('a hand that comes to the button anew for each of its hasty presses decides nothing', async () => {
    const window = await desk.asked('2.07 TKA', 'tremble');
    await window.leaves();
    await window.readsToTheEnd();
    const on = await window.at();
    const off = { x: on.x, y: on.y - 300 };
    // Nothing but the presses themselves keeps the button dead.
    for (let n = 0; n < HASTY; n++) {
      x.moves(off);
      x.moves(on);
      await window.clicked();
    }
    await window.undecided();
    await window.isReady();
    await window.isPaid();
  });

  scenario('a window that comes up under a hand that clicks five times a second is not decided', async () => {
    await desk.shows();
    // Where its button will be: the window manager puts each window that asks in the same place.
    const first = await desk.asks(await desk.prepares('2.02 TKA', 'place'));
    const [at, frame] = [await first.at(), await first.place()];
    await first.hand.press('button', 'Decline');
    await desk.person.clears();
    await desk.shows();
    const payment = await desk.prepares('2.02 TKA', 'rhythm');
    const before = new Set(await desk.screen.windows());
    // The page itself sees to it that the game goes on while the window comes up.
    await desk.shop.page.evaluate(preview_id => {
      let clicks = 0;
      globalThis.game = new Promise(done => addEventListener('click', () => {
        clicks += 1;
        if (clicks === 5)
          done(client.callTool({ name: 'commit', arguments: { preview_id } })
            .then(({ structuredContent }) => structuredContent));
      }));
    }, payment.preview);
    payment.answer = desk.shop.page.evaluate(() => globalThis.game);
    payment.answer.catch(() => {});
    const coming = desk.comes(payment, before);
    coming.catch(() => {});
    x.moves(at);
    let window;
    coming.then(came => { window = came; }, () => {});
    const begun = performance.now();
    let pressed = 0;
    for (let n = 1; pressed < TIMES; n++) {
      x.clicks();
      // While it waits, the hand also reads on: only its presses keep the button dead.
      if (window) x.turns();
      await after(begun + n * EVERY - performance.now());
      if (window) pressed = await window.count('press');
    }
    assert.deepEqual(await window.place(), frame);
    await window.undecided();
    // The hand rests where it is until the button is armed, and goes on: it has to leave first.
    await window.armed();
    await window.hinted('Move the pointer off the button and back');
    await window.clicked();
    await window.undecided();
    await window.isReady();
    await window.isPaid();
  });

  for (const [name, key, amount] of [
    ['a Return key that is held decides nothing, before or after the button is armed', 'Return', '2.03 TKA'],
    ['a space bar that is held decides nothing, before or after the button is armed', 'space', '2.04 TKA'],
  ])
    scenario(name,
      async () => {
        const window = await desk.asked(amount, `held ${key}`);
        await window.leaves();
        await window.readsToTheEnd();
        const isThere = () => window.page.evaluate(() => document.activeElement.id === 'yes');
        // As a person comes there by the keyboard: past Decline and Later. From the button itself
        // back, and to it again.
        const tabs = async () => {
          if (await isThere()) await window.once('release', () => x.keyWith(['Shift_L'], 'Tab'));
          while (!(await isThere())) await window.once('release', () => x.key('Tab'));
        };
        await tabs();
        x.keyDown(key);
        await window.counts('repeat', 40);
        await window.once('release', () => x.keyUp(key));
        await window.undecided();
        await window.armed();
        await tabs();
        assert.equal(await window.isArmed(), true);
        x.keyDown(key);
        await window.counts('repeat', 80);
        await window.undecided();
        await window.once('release', () => x.keyUp(key));
        await window.undecided();
        // Pressed and let go it is a yes.
        await window.armed();
        await tabs();
        await window.armed();
        x.key(key);
        await window.wasPaid();
      });

  scenario('a press that began before the button was armed decides nothing when it ends', async () => {
    const window = await desk.asked('2.05 TKA', 'half before');
    await window.comesTo();
    await window.once('press', () => x.presses());
    // It was not read to its end until now.
    await window.once('armed', () => window.readsToTheEnd());
    await window.once('release', () => x.releases());
    await window.undecided();
    // Nor where the hand left and came back meanwhile. The press is also what brings the focus back.
    await window.once('disarmed', () => desk.screen.activates(desk.agents));
    await window.once('armed', () => window.once('press', () => x.presses()));
    await window.leaves();
    await window.comesTo();
    await window.once('release', () => x.releases());
    await window.undecided();
    await window.isReady();
    await window.isPaid();
  });

  scenario('a key that was pressed in the page and is let go in the window decides nothing', async () => {
    await desk.shows();
    const payment = await desk.prepares('2.06 TKA', 'half elsewhere');
    x.keyDown('Return');
    const window = await desk.asks(payment);
    await window.counts('repeat', 10);
    await window.once('release', () => x.keyUp('Return'));
    await window.undecided();
    await window.isReady();
    await window.isPaid();
  });
}
