// Documents that are not what a tab shows: framed, sandboxed, without an origin, prerendered, kept
// in the browser's cache; and our own pages in the frames of others.

import { readdirSync } from 'node:fs';
import { until } from '../e2e/cdp.mjs';
import { artefact } from '../e2e/suite.mjs';
import { TKA } from '../e2e/stage.mjs';
import { assert, attack } from './ground.mjs';

/** What an embedded document asks for, and tells whoever holds it. */
const asks = preview => `(async () => {
  const calls = [
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'wallet_status', arguments: {} } },
    { jsonrpc: '2.0', id: 3, method: 'tools/call',
      params: { name: 'commit', arguments: { preview_id: '${preview}' } } },
  ];
  const heard = await agent.raw('countersign', calls, { ms: 2500 });
  const told = heard.map(({ error, result }) => (error ? JSON.stringify(error) : 'served ' + JSON.stringify(result)));
  globalThis.told = told;
  parent.postMessage({ told }, '*');
})()`;

const holder = frame => ({ body: `<!doctype html><meta charset="utf-8"><title>holder</title><script>
  globalThis.told = new Promise(done => addEventListener('message', ({ data }) => {
    if (data?.told) done(data.told);
  }));</script>${frame}` });

export function frames(ground) {
  const { stage, person, shop, browser } = ground;

  // It would succeed if the shop's grant were used by a document that no person sees as the shop:
  // framed by another, framed by itself, sandboxed, or made of a text.
  attack('a connected site in a frame, sandboxed or of another origin\'s making, is not served',
    async () => {
      await shop.hand.front();
      const preview = await shop.prepared(TKA, '1.5 TKA', 'framed');
      const before = await ground.moved();
      const script = { body: await (await fetch(`${shop.url}/agent.js`)).text(), type: 'text/javascript' };
      const embedded = { body: `<!doctype html><script src="/agent.js"></script><script>${asks(preview)}</script>` };
      const text = embedded.body.replace('src="/agent.js"', 'src="URL/agent.js"');
      const pages = await ground.served({ '/agent.js': script, '/in': embedded }, other => ground.served({
        '/agent.js': script,
        '/in': embedded,
        '/same': holder('<iframe src="/in"></iframe>'),
        '/cross': holder(`<iframe src="${other.url}/in"></iframe>`),
        '/sandboxed': holder('<iframe src="/in" sandbox="allow-scripts"></iframe>'),
        '/sandboxed-same': holder('<iframe src="/in" sandbox="allow-scripts allow-same-origin"></iframe>'),
        '/srcdoc': holder(`<iframe srcdoc='${text.replace('URL', '').replaceAll('\'', '&#39;')}'></iframe>`),
        '/object': holder('<object data="/in" type="text/html"></object>'),
      }, async pages => {
        const told = {};
        for (const path of ['/same', '/cross', '/sandboxed', '/sandboxed-same', '/srcdoc', '/object'])
          told[path] = await ground.on(pages.url + path, page => page.evaluate(() => Promise.race([
            globalThis.told,
            new Promise(done => setTimeout(() => done(['no document']), 8000)),
          ])));
        return told;
      }));
      for (const [path, told] of Object.entries(pages))
        for (const answer of told) assert.match(answer, /not_served/, `${path}: ${answer}`);
      assert.ok(pages['/same'].length === 3, 'no frame was there');
      assert.deepEqual(await ground.windows(), []);
      assert.equal(await ground.moved(), before);
    });

  // It would succeed if a page could lay anything over a window of ours, or read one.
  attack('no page holds a page or file of the wallet, whatever it holds it in', async () => {
    const files = readdirSync(artefact(), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => `${entry.parentPath ?? entry.path}/${entry.name}`.slice(artefact().length).replace(/^\/+/, ''));
    assert.ok(files.includes('confirm.html') && files.includes('home.html'), files.join(' '));
    const start = `chrome-extension://${browser.id}/`;
    const told = await ground.on(shop.url, async (page, hand) => {
      await hand.front();
      const read = await page.evaluate(async (start, files) => {
        const read = [];
        for (const file of files) {
          await fetch(start + file).then(() => read.push(`fetch ${file}`), () => {});
          await new Promise(done => {
            const image = new Image();
            image.onload = () => (read.push(`image ${file}`), done());
            image.onerror = done;
            image.src = start + file;
          });
          await import(start + file).then(() => read.push(`import ${file}`), () => {});
        }
        for (const tag of ['iframe', 'object', 'embed'])
          for (const file of ['confirm.html', 'home.html']) {
            const holder = document.createElement(tag);
            holder[tag === 'object' ? 'data' : 'src'] = start + file;
            document.body.append(holder);
            await new Promise(done => setTimeout(done, 300));
          }
        return read;
      }, start, files);
      const { frameTree } = await page.send('Page.getFrameTree', {});
      const held = (frameTree.childFrames ?? []).map(({ frame }) => frame.url);
      const targets = (await browser.targets()).filter(({ type, url }) => type === 'iframe' && url.startsWith(start));
      return { read, held: held.filter(url => url.startsWith(start)), targets: targets.length };
    });
    assert.deepEqual(told, { read: [], held: [], targets: 0 });
  });

  // It would succeed if a window that a page opened of ours were served, or could be read.
  attack('a page that opens a page of the wallet gets nothing of it', async () => {
    const start = `chrome-extension://${browser.id}/`;
    await ground.on(shop.url, async (page, hand) => {
      await hand.front();
      await hand.press('heading', 'An agent');
      const read = await page.evaluate(start => {
        const read = [];
        for (const path of ['confirm.html', 'home.html', 'confirm.html#0123456789abcdef0123456789abcdef']) {
          try {
            const opened = open(start + path);
            try { read.push(opened?.document.body.innerText); } catch {}
            opened?.close();
          } catch {}
        }
        return read.filter(Boolean);
      }, start);
      assert.deepEqual(read, []);
      await page.send('Page.navigate', { url: shop.url });
    });
    assert.deepEqual(await ground.windows(), []);
  });

  // It would succeed if a document that nobody sees any more heard an answer, or if coming back
  // made the payment a second time.
  attack('a document in the browser\'s cache hears nothing, and coming back pays nothing again',
    async () => {
      const guest = await stage.agent(shop.url);
      const memo = 'cached';
      const preview = await guest.prepared(TKA, '1.5 TKA', memo);
      guest.commit(preview).catch(() => {});
      const window = await person.window();
      await window.find('button', 'Pay 1.5 TKA');
      await guest.page.evaluate(() => addEventListener('pageshow', ({ persisted }) => (globalThis.back = persisted)));
      await ground.served({ '/': { body: '<!doctype html><title>elsewhere</title>' } }, async other => {
        await guest.page.goto(other.url);
        // What a person would decide on behalf of a page that is not there.
        const still = await window.sees('button', 'Pay 1.5 TKA');
        if (still) await person.declines(window);
        await person.clears();
        await guest.page.evaluate(() => history.back());
        await until(() => guest.page.evaluate(() => location.origin).then(origin => origin === new URL(shop.url).origin)
          .catch(() => false), 'the page again');
      });
      const seen = await guest.page.evaluate(() => globalThis.back ?? 'loaded anew');
      if (process.env.COUNTERSIGN_TRACE) console.log(`  from the cache: ${seen}`);
      assert.equal((await stage.transfers(TKA, memo)).length, 0);
      assert.deepEqual(await ground.windows(), []);
      await guest.page.close();
    });
}
