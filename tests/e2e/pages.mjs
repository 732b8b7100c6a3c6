// Every page as released, in every state that `ui/golden/views.json` has: judged by axe with its
// whole rule set, light and dark, and looked at for what is cut off or breaks the page's policy.
// Usage: node tests/e2e/pages.mjs <folder of the artefact>

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';
import { open, serve, views } from '../gallery/pages.mjs';
import { artefact, run, test } from './suite.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
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

/** What axe finds, one line a rule and element. */
async function judged(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document));
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(node => `${id}: ${node.target} ${node.failureSummary}`));
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

for (const name of Object.keys(views)) {
  test(`${name} satisfies axe in light and dark`, async () => {
    for (const colorScheme of ['light', 'dark']) {
      const options = { colorScheme, viewport: { width: 760, height: 900 } };
      await on(name, options, async page => assert.deepEqual(await judged(page), []));
    }
  });
  test(`${name} is whole at 360 px`, () =>
    on(name, { viewport: { width: 360, height: 640 } }, async page => {
      await page.evaluate(() => {
        for (const fold of document.querySelectorAll('details')) fold.open = true;
      });
      assert.deepEqual(await cutOff(page), []);
    }));
}

await run({
  after: async () => {
    await browser.close();
    stop();
  },
});
