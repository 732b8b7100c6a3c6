// The confirm window as released, under a hand: real presses of the browser on a page whose worker
// the test plays. Focus, blur and the moving of windows are not real here (there is no window
// manager); they are in `tests/press`.
// Usage: node tests/e2e/press.mjs <folder of the artefact>

import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { open, serve, views } from '../gallery/pages.mjs';
import { artefact, run, test } from './suite.mjs';

const { origin, stop } = await serve(artefact());
const browser = await chromium.launch({
  executablePath: process.env.COUNTERSIGN_CHROMIUM ?? '/usr/bin/chromium',
});

const call = views.ask.view.view.screen.ask.what.call;
const approve = {
  ask: views.ask.view.view.screen.ask.id,
  preview: call.preview,
  digest: call.digest,
  acknowledged: [],
};

/** Opens the ask of this name and hands its page to `body`. */
async function on(name, body) {
  const context = await browser.newContext({ viewport: { width: 400, height: 640 } });
  const page = await context.newPage();
  const yes = page.locator('#yes');
  const commands = () =>
    page.evaluate(() => window.sent.filter(frame => frame.do).map(frame => frame.do.command));
  const hint = text => page.locator('#yes-hint', { hasText: text }).waitFor();
  const toEnd = () => page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  /** Where the middle of the button is. */
  const middle = async () => {
    const { x, y, width, height } = await yes.boundingBox();
    return [x + width / 2, y + height / 2];
  };
  const away = () => page.mouse.move(5, 5);
  /** Comes to the button, presses and lets go. */
  const presses = async () => {
    await page.mouse.move(...(await middle()));
    await page.mouse.down();
    await page.mouse.up();
  };
  try {
    await open(page, origin, name);
    await yes.waitFor();
    await body({ page, yes, commands, hint, toEnd, middle, away, presses });
  } finally {
    await context.close();
  }
}

test('a press and release on the armed button is the yes to exactly what is shown', () =>
  on('ask', async ({ page, commands, hint, toEnd, middle, away }) => {
    await away();
    await toEnd();
    await hint('Ready');
    await page.mouse.move(...(await middle()));
    await page.mouse.down();
    assert.deepEqual(await commands(), []);
    await page.mouse.up();
    assert.deepEqual(await commands(), [{ approve }]);
  }));

test('the button is dead until the end was read', () =>
  on('ask', async ({ page, yes, commands, hint, middle }) => {
    await hint('Read to the end first');
    assert.equal(await yes.getAttribute('aria-disabled'), 'true');
    await page.mouse.click(...(await middle()));
    await hint('Read to the end first');
    assert.deepEqual(await commands(), []);
  }));

test('10,000 presses in a row decide nothing', () =>
  on('ask', async ({ page, commands, toEnd, middle }) => {
    await toEnd();
    const [x, y] = await middle();
    await page.mouse.move(x, y);
    for (let press = 0; press < 10_000; press += 1) {
      await page.mouse.down();
      await page.mouse.up();
    }
    assert.deepEqual(await commands(), []);
  }));

test('a pointer that was there before has to leave and come back', () =>
  on('ask', async ({ page, commands, hint, toEnd, middle, away, presses }) => {
    await toEnd();
    await page.mouse.move(...(await middle()));
    await hint('Move the pointer off the button and back');
    await page.mouse.down();
    await page.mouse.up();
    assert.deepEqual(await commands(), []);
    await away();
    await presses();
    assert.deepEqual(await commands(), [{ approve }]);
  }));

test('a press that ends elsewhere, or began elsewhere, decides nothing', () =>
  on('ask', async ({ page, commands, hint, toEnd, middle, away }) => {
    await away();
    await toEnd();
    await hint('Ready');
    await page.mouse.move(...(await middle()));
    await page.mouse.down();
    await away();
    await page.mouse.up();
    await page.mouse.down();
    await page.mouse.move(...(await middle()));
    await page.mouse.up();
    assert.deepEqual(await commands(), []);
  }));

test('the keyboard comes to Decline first and can say yes', () =>
  on('ask', async ({ page, commands, hint, toEnd }) => {
    await toEnd();
    await hint('Ready');
    const decline = page.getByRole('button', { name: 'Decline' });
    await decline.focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.deepEqual(await commands(), [{ approve }]);
  }));

test('a held key decides nothing', () =>
  on('ask', async ({ page, yes, commands, hint, toEnd }) => {
    await toEnd();
    await yes.focus();
    await page.keyboard.down('Enter');
    await hint('Ready');
    await page.keyboard.up('Enter');
    assert.deepEqual(await commands(), []);
  }));

for (const [key, called] of [['Enter', 'Enter'], [' ', 'the space bar']])
  test(`a key that is held on the armed button decides nothing, pressed and let go it does: ${called}`, () =>
    on('ask', async ({ page, commands, hint, toEnd }) => {
      await toEnd();
      await hint('Ready');
      await page.getByRole('button', { name: 'Decline' }).focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      // Each further one is a repeat of the first: the browser clicks for it by itself.
      for (let repeat = 0; repeat < 20; repeat++) await page.keyboard.down(key);
      assert.deepEqual(await commands(), []);
      await page.keyboard.up(key);
      assert.deepEqual(await commands(), []);
      await page.keyboard.press(key);
      assert.deepEqual(await commands(), [{ approve }]);
    }));

test('what changes under the hand makes the button dead', () =>
  on('ask', async ({ page, commands, hint, toEnd, middle, away }) => {
    await away();
    await toEnd();
    await hint('Ready');
    await page.mouse.move(...(await middle()));
    await page.mouse.down();
    await page.evaluate(frame => window.show(frame), views['ask-changed']);
    await page.getByText('Something changed since you looked').waitFor();
    await page.mouse.up();
    assert.deepEqual(await commands(), []);
  }));

test('an ask that comes to the queue meanwhile leaves the button as it is', () =>
  on('ask', async ({ page, commands, hint, toEnd, away, presses }) => {
    await away();
    await toEnd();
    await hint('Ready');
    const more = structuredClone(views.ask);
    more.view.view.screen.ask.place.of = 5;
    more.view.view.waiting = 5;
    await page.evaluate(frame => window.show(frame), more);
    await page.getByText('1 of 5').waitFor();
    await presses();
    assert.deepEqual(await commands(), [{ approve }]);
  }));

test('after a failed step the button is armed anew', () =>
  on('ask', async ({ page, commands, hint, toEnd, away, presses }) => {
    for (const times of [1, 2]) {
      await away();
      await toEnd();
      await hint('Ready');
      await presses();
      assert.equal((await commands()).length, times);
      await page.getByText('That is not possible as things stand now.').waitFor();
    }
  }));

for (const name of ['ask-working', 'connect-reading'])
  test(`${name}: what cannot be said yes to takes no press`, () =>
    on(name, async ({ page, yes, commands, toEnd, away, presses }) => {
      await away();
      await toEnd();
      await page.locator('#yes[data-armed=true]').waitFor();
      assert.equal(await yes.getAttribute('aria-disabled'), 'true');
      await presses();
      assert.deepEqual(await commands(), []);
    }));

test('what must be acknowledged holds the button, and a tick makes it wait anew', () =>
  on('ask-findings', async ({ page, yes, commands, hint, toEnd, away, presses }) => {
    const boxes = page.locator('main .risk input[type=checkbox]');
    const loud = await boxes.count();
    assert.ok(loud > 1);
    for (let nth = 0; nth < loud; nth += 1) {
      await toEnd();
      await hint('Tick each warning above first');
      await page.locator('#yes[data-armed=true]').waitFor();
      await presses();
      assert.deepEqual(await commands(), []);
      await boxes.nth(nth).click();
      assert.equal(await yes.getAttribute('data-armed'), 'false');
    }
    await away();
    await toEnd();
    await hint('Ready');
    await presses();
    const [{ approve: said }] = await commands();
    const { findings } = views['ask-findings'].view.view.screen.ask.what.call;
    assert.deepEqual(said.acknowledged, findings.slice(0, loud));
  }));

test('what a script clicks is no press', () =>
  on('ask', async ({ yes, commands, hint, toEnd }) => {
    await toEnd();
    await hint('Ready');
    await yes.focus();
    await yes.evaluate(button => button.click());
    assert.deepEqual(await commands(), []);
  }));

await run({
  after: async () => {
    await browser.close();
    stop();
  },
});
