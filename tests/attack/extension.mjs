// Another extension in the same browser, with as many permissions as one may ask for.

import { createHash } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Page, until } from '../e2e/cdp.mjs';
import { Hand } from '../e2e/hand.mjs';
import { TKA } from '../e2e/stage.mjs';
import { assert, attack } from './ground.mjs';

const MANIFEST = {
  manifest_version: 3,
  name: 'Hostile',
  version: '1',
  permissions: ['tabs', 'scripting', 'storage', 'webNavigation', 'management'],
  host_permissions: ['<all_urls>'],
  content_scripts: [{ matches: ['http://127.0.0.1/*'], js: ['content.js'], run_at: 'document_start' }],
};

/** Makes the extension, and says how a browser loads it beside ours. */
export function loaded(ours) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-hostile-')));
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(MANIFEST));
  writeFileSync(join(folder, 'content.js'), 'globalThis.hostile = true;');
  writeFileSync(join(folder, 'page.html'), '<!doctype html><title>hostile</title><h1>hostile</h1>');
  // A browser names an unpacked extension after its folder.
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 32);
  const id = [...digest].map(digit => String.fromCharCode(97 + parseInt(digit, 16))).join('');
  const both = `${resolve(ours)},${folder}`;
  return {
    id,
    args: [`--disable-extensions-except=${both}`, `--load-extension=${both}`],
    clear: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function extension(ground, hostile) {
  const { person, shop, browser } = ground;
  const own = `chrome-extension://${hostile.id}/page.html`;

  // It would succeed if the worker took a message or a connection from any extension but its own.
  attack('another extension can neither connect nor send a message to the wallet', async () => {
    const told = await ground.on(own, page => page.evaluate(async id => {
      const told = [];
      for (const message of ['attended', 'wake', { hello: { v: 1, token: '', place: 'home' } }])
        told.push(await chrome.runtime.sendMessage(id, message).then(
          answer => `answered ${JSON.stringify(answer)}`, error => error.message));
      for (const name of ['ui', 'page', ''])
        told.push(await new Promise(done => {
          const port = chrome.runtime.connect(id, { name });
          port.onMessage.addListener(text => done(`answered ${text}`));
          port.onDisconnect.addListener(() => done(chrome.runtime.lastError?.message ?? 'closed'));
          try { port.postMessage(JSON.stringify({ t: 'hello', v: 1 })); } catch {}
          setTimeout(() => done('open'), 1500);
        }));
      return told;
    }, browser.id));
    for (const text of told) assert.match(text, /Could not establish connection|Receiving end does not exist/);
  });

  // It would succeed if a page of ours that others open were served: they can open one, and guess.
  attack('a page of the wallet that another extension opens is not served', async () => {
    const used = (await browser.targets()).filter(({ url }) => url.includes(browser.id) && url.includes('#'))
      .map(({ url }) => new URL(url).hash);
    await ground.on(own, async page => {
      for (const hash of ['', '#', `#${'0'.repeat(32)}`, ...used])
        for (const path of ['confirm.html', 'home.html']) {
          const before = new Set((await browser.targets()).map(({ targetId }) => targetId));
          await page.evaluate(url => chrome.tabs.create({ url, active: true }).then(() => {}),
            `chrome-extension://${browser.id}/${path}${hash}`);
          const target = await until(async () => (await browser.targets())
            .find(({ targetId, url }) => !before.has(targetId) && url.includes(browser.id)), 'the page');
          const opened = new Hand(await Page.attach(browser.connection, target.targetId));
          await opened.front();
          // The browser refuses to load it, or the worker to serve it.
          await until(async () => (await opened.page.evaluate(() => location.protocol)) === 'chrome-error:'
            || (await opened.text()).includes('This window is not connected'), 'what is shown');
          const said = await opened.text();
          assert.ok(!said.includes(shop.account), said);
          for (const button of ['Lock', 'Networks', 'Home']) assert.equal(await opened.sees('button', button), false);
          await opened.page.close();
        }
    });
  });

  // It would succeed if it could run a script in a window of ours, or read one through its tab.
  attack('another extension runs no script in a window of the wallet',
    async () => {
      const { answer, window } = await ground.asked('1.5 TKA', 'scripted');
      const before = await ground.moved();
      const told = await ground.on(own, page => page.evaluate(async id => {
        const told = [];
        for (const tab of await chrome.tabs.query({})) {
          if (!tab.url?.includes(id)) continue;
          told.push(await chrome.scripting.executeScript({ target: { tabId: tab.id }, func: () => document.body.innerText })
            .then(([{ result }]) => `read ${result}`, error => `refused: ${error.message}`));
          told.push(await chrome.tabs.sendMessage(tab.id, 'attended').then(
            answer => `answered ${answer}`, error => `refused: ${error.message}`));
        }
        return told;
      }, browser.id));
      assert.ok(told.length > 0, 'no window of ours was found');
      for (const text of told) assert.match(text, /^refused/, text);
      assert.ok(await window.sees('button', 'Pay 1.5 TKA'));
      assert.equal(await ground.moved(), before);
      await person.declines(window);
      await answer;
    });

  // It would succeed if what stands in our content script's world, or a message to it, were open to
  // the script of another extension in the same page.
  attack('another extension\'s script in a connected page has no more than the page', async () => {
    const told = await ground.on(own, page => page.evaluate(async (id, url) => {
      const [tab] = await chrome.tabs.query({ url: `${url}/*` });
      const seen = await chrome.scripting.executeScript({ target: { tabId: tab.id }, args: [id], func: async id => {
        const told = [typeof globalThis.hostile];
        told.push(await Promise.resolve().then(() => chrome.runtime.sendMessage(id, 'x'))
          .then(answer => `answered ${answer}`, error => error.message));
        told.push(await new Promise(done => {
          const port = chrome.runtime.connect(id, { name: 'page' });
          port.onMessage.addListener(() => done('answered'));
          port.onDisconnect.addListener(() => done(chrome.runtime.lastError?.message ?? 'closed'));
          setTimeout(() => done('open'), 1500);
        }));
        return told;
      } });
      return [...seen[0].result, await chrome.tabs.sendMessage(tab.id, 'attended')
        .then(answer => `answered ${answer}`, error => error.message)];
    }, browser.id, shop.url));
    assert.equal(told[0], 'boolean', 'its script did not run');
    for (const text of told.slice(1)) assert.match(text, /Could not establish connection|Receiving end does not exist/);
    const { reply } = await (await shop.hand.front(), shop.call('icrc1_symbol', { canister_id: TKA }));
    assert.equal(reply.untrusted, 'TKA');
  });
}
