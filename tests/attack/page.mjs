// A hostile page: one that is connected and lies, one that is a stranger, and one that holds
// another page's window.

import { PAYEE, TKA, site } from '../e2e/stage.mjs';
import { assert, attack, tight } from './ground.mjs';
import { alike } from './alike.mjs';

/** Characters that are not seen, or turn what is seen around. */
const UNSEEN = /[\u{E0000}-\u{E007F}\u202a-\u202e\u2066-\u2069\u200b-\u200f\u2060\ufeff]/u;


export function page(ground) {
  const { stage, person, shop } = ground;

  // It would succeed if anything given to `commit`, or changed in the page after the call was
  // posted, reached the bytes: the log then had another amount or payee than the window.
  attack('arguments changed between prepare and approve change nothing that is signed', async () => {
    const memo = 'changed later';
    await shop.hand.front();
    const told = await shop.prepare(TKA, '1.5 TKA', memo);
    const preview = told.preview.preview_id;
    const answer = shop.page.evaluate(async preview_id => {
      globalThis.posted = { preview_id };
      return (await client.callTool({ name: 'commit', arguments: posted })).structuredContent;
    }, preview);
    answer.catch(() => {});
    const window = await person.window();
    await window.find('button', 'Pay 1.5 TKA');
    const own = stage.network;
    await shop.page.evaluate(() => Object.assign(posted, { amount: '9 TKA', to: 'aaaaa-aa' }));
    // What it says of the same preview meanwhile.
    for (const more of [{ amount: '9 TKA' }, { to: shop.account }, { arg_hex: '4449444c' }])
      await shop.call('commit', { preview_id: preview, ...more }, { wait: 0 });
    await shop.call('prepare_icrc1_transfer',
      { canister_id: TKA, to: PAYEE, amount: '9 TKA', memo, preview_id: preview });
    await window.find('button', 'Pay 1.5 TKA');
    assert.ok((await tight(window)).includes('150_000_000'), 'the raw amount is not shown');
    await person.approves(window);
    await answer;
    const log = (await own.blocks(TKA)).filter(block => block.memo === Buffer.from(memo).toString('hex'));
    assert.deepEqual(log.map(({ to, amount }) => ({ to, amount })),
      [{ to: PAYEE, amount: '150000000' }]);
  });

  // It would succeed if an answer told another site's preview from none, if a window came up for
  // it, or if the shop's own call ended by it.
  attack('another site neither commits, reads, cancels nor renames a preview that is not its own',
    async () => {
      await shop.hand.front();
      const memo = 'of the shop';
      const preview = await shop.prepared(TKA, '1.5 TKA', memo);
      const thief = await stage.connected(TKA, { units: 0n });
      const before = await ground.moved();
      const answers = async id => JSON.stringify(await Promise.all(
        ['commit', 'wallet_intent', 'wallet_cancel'].map(tool => thief.call(tool, { preview_id: id }, { wait: 0 }))));
      assert.equal(await answers(preview), await answers('cd'.repeat(16)));
      assert.deepEqual(await ground.windows(), []);
      assert.equal(await ground.moved(), before);
      const status = JSON.stringify(await thief.call('wallet_status'));
      assert.ok(!status.includes(preview) && !status.includes(memo), status);
      await thief.page.close();
      await shop.hand.front();
      const told = await shop.call('wallet_intent', { preview_id: preview });
      assert.equal(told.retry, 'commit_preview', JSON.stringify(told));
    });

  // It would succeed if the window showed fewer characters than are signed, in another order, or
  // none at all for what was hidden.
  attack('tag characters, bidi controls and zero-width ones in a memo are seen by the person',
    async () => {
      const hidden = [...'pay mallory'].map(c => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join('');
      for (const memo of [`lunch${hidden}`, 'lunch \u202egnp.exe', 'lu\u200bnch', '\u2066a\u2069b']) {
        await shop.hand.front();
        const told = await shop.prepare(TKA, '1.5 TKA', memo);
        // To refuse it is as good.
        if (!told.preview) {
          assert.equal(told.code, 'E_INPUT', JSON.stringify(told));
          continue;
        }
        const answer = shop.commit(told.preview.preview_id);
        const window = await person.window();
        await window.find('button', 'Pay 1.5 TKA');
        const said = await tight(window);
        assert.ok(!UNSEEN.test(said), `something is hidden in: ${said}`);
        const bytes = [...Buffer.from(memo)];
        const odd = bytes.filter(byte => byte > 0x7e).map(byte => byte.toString(16));
        assert.ok(/\\u|u\{|U\+|\\[0-9a-f]{2}|0x/i.test(said) || said.includes(odd.join('')),
          `what was hidden is not made visible: ${said}`);
        await person.declines(window);
        await answer;
        await person.clears();
      }
    });

  // It would succeed if the window showed only the ends of an account, or did not warn: these two have
  // the same seven first characters and the same fifteen last ones, and the other one was paid before.
  attack('an account that begins and ends as another does is shown whole', async () => {
    const twin = alike(PAYEE);
    assert.notEqual(twin, PAYEE);
    assert.deepEqual([twin.slice(0, 7), twin.slice(-15)], [PAYEE.slice(0, 7), PAYEE.slice(-15)]);
    const known = await ground.asked('0.25 TKA', 'the known one');
    await person.approves(known.window);
    await known.answer;
    await person.clears();
    const { answer, window } = await ground.asked('1.5 TKA', 'a twin', { to: twin });
    const said = await tight(window);
    assert.ok(said.includes(twin), said);
    const [warning, rest] = said.split(PAYEE);
    assert.match(warning, /Thispayeelookslikeanotheraccount.*Theoneyouknow:$/);
    assert.ok(rest !== undefined && !rest.includes(PAYEE), said);
    // Also directly above the buttons, and with nothing cut off.
    const above = await window.page.evaluate(() => {
      const foot = document.querySelector('footer');
      const cut = [...foot.querySelectorAll('*')].filter(element =>
        getComputedStyle(element).overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1);
      return { said: foot.textContent.replace(/\s/g, ''), cut: cut.length };
    });
    assert.ok(above.said.includes(twin), above.said);
    assert.equal(above.cut, 0);
    await person.declines(window);
    await answer;
  });

  // It would succeed if an allowance were asked for like a payment, or hid who may take how much.
  attack('an approval of a spender is shown with token, spender and amount, and its yes says so',
    async () => {
      await shop.hand.front();
      const told = await shop.call('prepare_icrc2_approve',
        { canister_id: TKA, spender: PAYEE, amount: '25 TKA', memo: 'a login' });
      assert.ok(told.preview, JSON.stringify(told));
      const answer = shop.commit(told.preview.preview_id);
      const window = await person.window();
      await window.find('button', 'Allow 25 TKA');
      await window.find('heading', /^Approve a spender/);
      const said = await tight(window);
      for (const part of ['25TKA', PAYEE, TKA, '2_500_000_000'])
        assert.ok(said.includes(part), `${part} is not in: ${said}`);
      await person.declines(window);
      assert.equal((await answer).outcome, 'declined');
    });

  // It would succeed if the window cut the address of who asks.
  attack('a stranger that asks to connect is shown with its whole address', async () => {
    const stranger = await stage.agent();
    const asked = stranger.call('wallet_connect', { canisters: [{ id: TKA }], tools: ['all'] });
    const window = await person.window();
    await window.find('heading', 'Wants to connect');
    const said = await tight(window);
    assert.ok(said.includes(new URL(stranger.url).origin), said);
    await person.declines(window);
    await asked;
    await stranger.page.close();
  });

  // It would succeed if anything that a page can read held the person's mark, or our window did
  // not show it: then a page could paint a window like ours.
  attack('a window that a page paints like ours lacks the mark, which no page can learn', async () => {
    const mark = await ground.mark();
    assert.match(mark, /^\S+ \S+$/);
    const { answer, window, told } = await ground.asked('1.5 TKA', 'the mark');
    const shown = await window.page.evaluate(() => document.querySelector('.mark b').textContent.trim());
    assert.equal(shown, mark);
    const readable = [JSON.stringify(told)];
    for (const [tool, args] of [['wallet_status', {}], ['wallet_find_tools', { query: 'mark' }],
      ['icrc1_balance_of', { canister_id: TKA, account: shop.account }]])
      readable.push(JSON.stringify(await shop.result(tool, args)));
    readable.push(JSON.stringify(await shop.page.evaluate(async () => ({
      tools: await client.listTools(),
      page: document.documentElement.outerHTML.replace(/<script.*<\/script>/s, ''),
      local: { ...localStorage }, session: { ...sessionStorage }, cookie: document.cookie,
      databases: await indexedDB.databases(), caches: await caches.keys(),
      names: Object.getOwnPropertyNames(globalThis).filter(name => /countersign|wallet/i.test(name)),
      opened: performance.getEntries().map(({ name }) => name),
    }))));
    const [first, second] = mark.split(' ');
    for (const text of readable) assert.ok(!text.includes(`${first} ${second}`), text);
    await person.declines(window);
    await answer;
  });

  // It would succeed if each ask brought up a window of its own, or one were lost.
  attack('a flood of asks brings up one window, and each is answered', async () => {
    await shop.hand.front();
    const previews = [];
    // Within the limit of messages a second, which is not what is attacked here.
    for (let n = 1; n <= 4; n++) previews.push(await shop.prepared(TKA, `0.0${n} TKA`, 'flood'));
    const before = await ground.moved();
    const answers = Promise.all(previews.map(preview => shop.commit(preview, { wait: 2 })));
    answers.catch(() => {});
    const window = await person.window();
    await window.reads(' of ');
    const told = await answers;
    assert.equal((await ground.windows()).length, 1);
    for (const { outcome, code } of told)
      assert.ok(outcome === 'awaiting_confirmation' || code === 'busy', `${outcome} ${code}`);
    await person.clears();
    assert.equal(await ground.moved(), before);
    for (const preview of previews) await shop.call('wallet_cancel', { preview_id: preview });
  });

  // It would succeed if a stranger could keep the person busy: more windows than one, or another
  // one after a no.
  attack('a stranger that asks again and again has one window, and none after a no', async () => {
    const stranger = await stage.agent();
    const ask = { canisters: [{ id: TKA }], tools: ['all'] };
    for (let n = 0; n < 5; n++) stranger.call('wallet_connect', ask, { wait: 1 });
    const window = await person.window();
    await window.find('heading', 'Wants to connect');
    assert.equal((await ground.windows()).length, 1);
    await person.declines(window);
    await person.gone();
    await stranger.hand.front();
    await stranger.hand.press('heading', 'An agent');
    for (let n = 0; n < 5; n++) await stranger.call('wallet_connect', ask, { wait: 0 });
    assert.deepEqual(await ground.windows(), []);
    await stranger.page.close();
  });

  // It would succeed if one page's noise kept the worker from another page, or ended it.
  attack('a page that floods the wallet with messages and sizes is cut off, and another is served',
    async () => {
      const noisy = await stage.agent();
      const heard = await noisy.page.evaluate(async () => {
        const call = (id, big) => ({ jsonrpc: '2.0', id, method: 'tools/call',
          params: { name: 'wallet_status', arguments: big ? { big: 'x'.repeat(big) } : {} } });
        const many = Array.from({ length: 400 }, (_, n) => call(`n${n}`));
        const sizes = [200_000, 262_000, 300_000, 5_000_000].map((big, n) => call(`s${n}`, big));
        const answers = await agent.raw('countersign:noise', [...many, ...sizes], { ms: 3000 });
        return answers.map(({ id, error, result }) => ({ id, code: error?.code, ok: !!result }));
      });
      const served = heard.filter(({ ok }) => ok).length;
      assert.ok(served <= 20 * 5, `${served} of a flood were served`);
      const begun = performance.now();
      await shop.hand.front();
      const { reply } = await shop.call('icrc1_symbol', { canister_id: TKA });
      assert.equal(reply.untrusted, 'TKA');
      assert.ok(performance.now() - begun < 10_000);
      await noisy.page.close();
    });

  // It would succeed if what a page does to its own built-ins, or puts into an envelope, reached
  // the content script: an answer `result`, a window, or a call the page may not make.
  attack('forged envelopes and a poisoned prototype get no further than the page', async () => {
    const stranger = await stage.agent();
    const told = await stranger.page.evaluate(async () => {
      const heard = [];
      addEventListener('message', ({ data }) => {
        if (data?.direction === 'server-to-client') heard.push(data.payload);
      });
      const post = window.postMessage.bind(window);
      const take = heard.push;
      Object.prototype.toJSON = function () { return { t: 'hello', v: 1 }; };
      Object.prototype.waits = true;
      Array.prototype.values = () => [][Symbol.iterator]();
      Map.prototype.get = () => () => {};
      JSON.stringify = () => '{"t":"rpc"}';
      TextEncoder.prototype.encode = () => ({ length: 0 });
      Object.defineProperty(Object.prototype, 'n', { get: () => 1, set() {}, configurable: true });
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'icrc1_symbol', arguments: {} } };
      const base = { channel: 'countersign', type: 'mcp', direction: 'client-to-server' };
      const forged = [
        { ...base, payload: call },
        { ...base, payload: { ...call, id: 2 }, sender: { origin: 'https://trusted.example' }, origin: 'https://trusted.example' },
        { ...base, payload: { t: 'resume', channel: 'countersign', msg: '{}', age_ms: 0 } },
        { ...base, payload: { t: 'hello', v: 1, token: 'x', place: 'home' } },
        { ...base, payload: { do: { n: 1, seq: 1, command: 'lock' } } },
        { ...base, channel: 'ui', payload: { ...call, id: 3 } },
        { ...base, channel: 'countersign:../ui', payload: { ...call, id: 4 } },
        { ...base, channel: ['countersign'], payload: { ...call, id: 5 } },
        { ...base, payload: [{ ...call, id: 6 }] },
        { ...base, direction: 'server-to-client', payload: { jsonrpc: '2.0', id: 7, result: { forged: true } } },
        { ...base, payload: { ...call, id: { toString: () => 'x' } } },
        { ...base, payload: { ...call, id: 8, params: { ['__proto__']: { name: 'commit' } } } },
      ];
      for (const message of forged) try { post(message, '*'); } catch {}
      const end = performance.now() + 2000;
      await new Promise(done => {
        const look = () => (performance.now() > end ? done() : requestAnimationFrame(look));
        look();
      });
      delete Object.prototype.n;
      delete Object.prototype.toJSON;
      delete Object.prototype.waits;
      return heard.filter(message => message.result && !message.result.forged && !message.result.isError)
        .map(({ id }) => String(id));
    });
    assert.deepEqual(told, []);
    assert.deepEqual(await ground.windows(), []);
    await stranger.page.close();
  });

  // It would succeed if the ask stayed with the tab: the next document heard the answer, or the
  // window named the next site.
  attack('a page that leaves while its ask is open leaves the answer to nobody else', async () => {
    const guest = await stage.agent(shop.url);
    const memo = 'left';
    const preview = await guest.prepared(TKA, '1.5 TKA', memo);
    guest.commit(preview).catch(() => {});
    const window = await person.window();
    await window.find('button', 'Pay 1.5 TKA');
    const next = await site();
    await guest.page.goto(next.url);
    await guest.page.evaluate(() => {
      globalThis.heard = [];
      addEventListener('message', ({ data }) => data?.payload && heard.push(data));
    });
    const said = await window.text();
    assert.ok(!said.includes(new URL(next.url).host), said);
    if (await window.sees('button', 'Decline')) await person.declines(window);
    await person.clears();
    const heard = await guest.page.evaluate(() => heard);
    assert.deepEqual(heard.filter(({ direction }) => direction === 'server-to-client'), []);
    assert.equal((await stage.transfers(TKA, memo)).length, 0);
    await guest.page.close();
    next.close();
  });

  // It would succeed if a message from another window counted as the page's own: the shop's right
  // were then anybody's who holds its window.
  attack('a page that holds a connected page\'s window cannot speak in its name', async () => {
    await shop.hand.front();
    const memo = 'in its name';
    const preview = await shop.prepared(TKA, '1.5 TKA', memo);
    const before = await ground.moved();
    const told = await ground.served({ '/': { body: '<!doctype html><title>thief</title><h1>x</h1>' } },
      thief => ground.on(thief.url, async (page, hand) => {
        await hand.front();
        return page.evaluate(async (url, preview_id) => {
          const heard = [];
          addEventListener('message', ({ data }) => data?.payload && heard.push(data.payload));
          const held = document.createElement('iframe');
          held.src = url;
          document.body.append(held);
          await new Promise(done => held.addEventListener('load', done));
          const opened = open(url);
          if (opened) await new Promise(done => setTimeout(done, 1000));
          const payload = { jsonrpc: '2.0', id: 'stolen', method: 'tools/call',
            params: { name: 'commit', arguments: { preview_id } } };
          for (const target of [held.contentWindow, opened].filter(Boolean))
            for (const direction of ['client-to-server', 'server-to-client'])
              target.postMessage({ channel: 'countersign', type: 'mcp', direction, payload }, '*');
          await new Promise(done => setTimeout(done, 1500));
          opened?.close();
          return heard;
        }, shop.url, preview);
      }));
    assert.deepEqual(told, []);
    assert.deepEqual(await ground.windows(), []);
    assert.equal(await ground.moved(), before);
    const { retry } = await shop.call('wallet_intent', { preview_id: preview });
    assert.equal(retry, 'commit_preview');
  });

  // It would succeed if a name that only the person knows, or another site's, could be told apart
  // from none by what is refused.
  attack('a page cannot find out the person\'s names or networks by asking for them', async () => {
    await shop.hand.front();
    const told = [];
    for (const to of ['Workbench', 'Account 1', 'nobody at all', 'Mum']) {
      const answer = await shop.prepare(TKA, '1.5 TKA', 'who', { to });
      assert.equal(answer.code, 'E_INPUT', JSON.stringify(answer));
      told.push(JSON.stringify(answer.issues).replaceAll(to, ''));
    }
    assert.equal(new Set(told).size, 1, told.join('\n'));
    const all = JSON.stringify([await shop.call('wallet_status'), await shop.names()]);
    assert.ok(!all.includes('Workbench'), all);
  });

  // It would succeed if a page that scripts itself could press for the person, or its pressing
  // gave it the standing of a page that a person has touched.
  attack('a page that clicks itself raises no window', async () => {
    const served = await site();
    await ground.on(served.url, async (page, hand) => {
      await hand.front();
      const told = await page.evaluate(async TKA => {
        for (let n = 0; n < 50; n++) {
          document.querySelector('h1').click();
          document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
        }
        const client = await agent.connect('v2');
        return client.callTool({ name: 'wallet_connect',
          arguments: { canisters: [{ id: TKA }], tools: ['all'] }, _meta: { 'countersign/wait_s': 1 } });
      }, TKA);
      assert.equal(told.structuredContent.outcome, 'awaiting_confirmation');
      assert.deepEqual(await ground.windows(), []);
      await person.declines(await ground.looks());
      await person.gone();
    });
    served.close();
  });
}
