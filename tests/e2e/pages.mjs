// Every page as released, in every state that `ui/golden/views.json` has: judged by axe with its
// whole rule set, light and dark, and looked at for what is cut off or breaks the page's policy.
// Usage: node tests/e2e/pages.mjs <folder of the artefact>

import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { open, serve, views } from '../gallery/pages.mjs';
import { found } from './axe.mjs';
import { artefact, run, test } from './suite.mjs';

const { origin, stop } = await serve(artefact());
const browser = await chromium.launch({
  executablePath: process.env.COUNTERSIGN_CHROMIUM ?? '/usr/bin/chromium',
});

/** Opens the page of a view, hands it to `body`, and says what the browser complained about. */
async function on(name, options, body) {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on('pageerror', error => complaints.push(error.message));
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  try {
    await open(page, origin, name);
    await page.locator('h1').first().waitFor({ state: 'attached' });
    await body(page);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

/** What is wider than its window, or than the box that would cut it off. */
function cutOff(page) {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const clips = element => getComputedStyle(element).overflowX !== 'visible';
    return [...document.body.querySelectorAll('*')]
      .filter(element => !element.closest('.unseen'))
      .filter(element =>
        element.getBoundingClientRect().right > width + 0.5
        || (clips(element) && element.scrollWidth > element.clientWidth + 1))
      .map(element => element.outerHTML.slice(0, 160));
  });
}

/** Whatever still moves, or would. */
function moving(page) {
  return page.evaluate(() => {
    const longest = times => Math.max(...times.split(',').map(time =>
      parseFloat(time) * (time.trim().endsWith('ms') ? 1 : 1000)));
    const moves = (element, part) => {
      const style = getComputedStyle(element, part);
      return longest(style.transitionDuration) > 1 || longest(style.animationDuration) > 1;
    };
    return [...document.querySelectorAll('*')]
      .filter(element => [null, '::before', '::after'].some(part => moves(element, part)))
      .map(element => element.outerHTML.slice(0, 160));
  });
}

/**
 * What Tab comes to, in its order: of each, what it is, whether it shows that it has the focus, and
 * whether it is in sight.
 */
async function tabbed(page) {
  const reached = [];
  const most = await page.evaluate(() => document.querySelectorAll('*').length);
  // Tab goes on from where the page put the focus: over its end once, and round to there.
  for (let presses = 0; presses <= most; presses++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const all = [...document.querySelectorAll('*')];
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      const { top, bottom } = element.getBoundingClientRect();
      return {
        at: all.indexOf(element),
        what: element.outerHTML.slice(0, 120),
        marked: (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none',
        inSight: bottom > 0 && top < innerHeight,
      };
    });
    if (!at) continue;
    if (reached.some(one => one.at === at.at)) return reached;
    reached.push(at);
  }
  throw new Error('Tab never comes back');
}

/** Everything that a mouse can press or fill; of radio buttons the one that Tab comes to. */
function pressable(page) {
  return page.evaluate(() => {
    const all = [...document.querySelectorAll('*')];
    const groups = new Set();
    return all
      .filter(element => element.matches('a[href], button, input, select, textarea, summary'))
      .filter(element => !element.disabled && element.checkVisibility())
      .filter(element => {
        if (element.type !== 'radio') return true;
        const group = [...document.getElementsByName(element.name)];
        const chosen = group.find(({ checked }) => checked);
        if (chosen) return chosen === element;
        return !groups.has(element.name) && groups.add(element.name);
      })
      .map(element => ({ at: all.indexOf(element), what: element.outerHTML.slice(0, 120) }));
  });
}

for (const name of Object.keys(views)) {
  test(`${name} satisfies axe in light and dark`, async () => {
    for (const colorScheme of ['light', 'dark']) {
      const options = { colorScheme, viewport: { width: 760, height: 900 } };
      await on(name, options, async page =>
        assert.deepEqual(await found(expression => page.evaluate(expression)), []));
    }
  });
  test(`${name} is whole at 360 px`, () =>
    on(name, { viewport: { width: 360, height: 640 } }, async page => {
      await page.evaluate(() => {
        for (const fold of document.querySelectorAll('details')) fold.open = true;
      });
      assert.deepEqual(await cutOff(page), []);
    }));
  test(`${name} is whole at 200 % zoom, where little movement is wished nothing moves`, () =>
    on(name, {
      viewport: { width: 320, height: 400 }, deviceScaleFactor: 2, reducedMotion: 'reduce',
    }, async page => {
      assert.deepEqual(await cutOff(page), []);
      assert.deepEqual(await moving(page), []);
    }));
  test(`${name} is worked by keyboard alone, Decline before the yes`, () =>
    on(name, { viewport: { width: 400, height: 640 } }, async page => {
      const [reached, wanted] = [await tabbed(page), await pressable(page)];
      const missed = wanted.filter(({ at }) => !reached.some(one => one.at === at));
      assert.deepEqual(missed.map(({ what }) => what), [], 'Tab comes to everything');
      assert.deepEqual(reached.filter(({ marked }) => !marked), [], 'the focus is seen');
      assert.deepEqual(reached.filter(({ inSight }) => !inSight), [], 'and in sight');
      const place = word => reached.find(({ what }) => what.includes(word))?.at;
      const yes = place('id="yes"');
      if (yes) assert.ok(place('>Decline<') < yes, 'Decline is first');
    }));
}

await run({
  after: async () => {
    await browser.close();
    stop();
  },
});
