// Canisters that lie, and whoever answers for them on the network.

import { Localnet } from '../agents/localnet.mjs';
import { Proxy } from '../e2e/proxy.mjs';
import { KIOSK, LOOKALIKE, NETWORK, TILL, TKA, localnet } from '../e2e/stage.mjs';
import { assert, attack, tight } from './ground.mjs';

/** Certificates that nobody must believe. */
const BAD = {
  'a certificate whose tree was tampered with ends no payment': 'tampered_tree',
  'a certificate with another state\'s signature ends no payment': 'tampered_signature',
  'a certificate of another root key ends no payment': 'wrong_root_key',
  'a certificate of a subnet that has not the canister ends no payment': 'wrong_delegation_range',
  'a certificate from ten minutes ago ends no payment': 'stale',
  'a certificate from ten minutes ahead ends no payment': 'future',
};

export function canister(ground) {
  const { stage, person, network, shop } = ground;

  // It would succeed if "ICP" stood beside an amount of the impostor's, or no word told it from
  // the real one.
  attack('a ledger that calls itself ICP is told from the real one wherever its amounts stand', async () => {
    const { agent, said } = await ground.connects([{ id: LOOKALIKE }]);
    assert.ok(said.includes('ThisisnotICP.') && said.includes('ryjl3-tyaaa-aaaaa-aaaba-cai'), said);
    await network.mint(LOOKALIKE, agent.account, 1_000_000_000n);
    const told = await agent.prepare(LOOKALIKE, '1', 'false gold');
    assert.ok(!/"1 ICP"/.test(JSON.stringify(told)), JSON.stringify(told));
    const answer = agent.commit(told.preview.preview_id);
    const window = await person.window();
    await window.find('button', `Pay 1 ${LOOKALIKE}`);
    const shown = await tight(window);
    assert.ok(shown.includes('ThisisnotICP.'), shown);
    assert.ok(!/\dICP/.test(shown), shown);
    await person.declines(window);
    await answer;
    // Its profile and its words reach no model.
    const list = JSON.stringify(await agent.page.evaluate(() => client.listTools()));
    assert.ok(!/CANARY|"ICP"/.test(list), list);
    await agent.page.close();
  });

  // It would succeed if what a canister replies stood in a sentence of ours, or beyond its field.
  attack('what a canister replies stands in fields of its own, cut and escaped', async () => {
    const { agent } = await ground.connects([{ id: KIOSK }]);
    const { structuredContent, content } = await agent.result('people', { canister_id: KIOSK });
    const outside = JSON.stringify(structuredContent, (key, value) => (key === 'untrusted' ? undefined : value));
    assert.ok(JSON.stringify(structuredContent).includes('untrusted'), JSON.stringify(structuredContent));
    assert.ok(!/CANARY|mum|ignore/i.test(outside), outside);
    assert.deepEqual(JSON.parse(content[1].text), structuredContent);
    assert.ok(!/CANARY|ignore/i.test(content[0].text), content[0].text);
    await agent.page.close();
  });

  // It would succeed if a pasted interface could swap who is paid and who is refunded where the
  // canister says itself what it has, or did so unmarked where it says nothing.
  attack('a pasted interface whose labels collide cannot swap payee and refund', async () => {
    const colliding = (await network.interface(TILL)).replaceAll(' to :', ' refund_to_6id4ubh :')
      .replaceAll(' from_subaccount :', ' recipient_4whejf :');
    const paste = async (window, text) => {
      await window.page.evaluate(() => {
        for (const fold of document.querySelectorAll('details')) fold.open = true;
      });
      await window.fill('Its interface, as Candid text', text);
      await window.press('button', 'Use this interface');
    };
    const agent = await stage.agent();
    agent.call('wallet_connect', { canisters: [{ id: LOOKALIKE }], tools: ['all'] }, { wait: 1 });
    let window = await person.window();
    await window.find('heading', 'Wants to connect');
    await window.reads('This is not ICP.');
    await paste(window, colliding);
    await window.reads('It differs here');
    await person.declines(window);
    await person.clears();
    await agent.page.close();
    const second = await stage.agent();
    second.call('wallet_connect', { canisters: [{ id: TILL }], tools: ['all'] }, { wait: 1 });
    window = await person.window();
    await window.reads('It publishes no interface');
    await paste(window, colliding);
    await window.reads('the canister vouches for none of it');
    assert.match(await tight(window), /nameswiththeirhashes/);
    await person.declines(window);
    await person.clears();
    await second.page.close();
  });

  // It would succeed if an answer that nobody must believe ended a payment: told as done or as not
  // done, or made again.
  for (const [name, bad] of Object.entries(BAD))
    attack(name,
      async () => {
        const memo = `bad ${bad}`;
        const { preview, answer, window } = await ground.asked('1.5 TKA', memo);
        await network.fault({ on: 'call', method: 'icrc1_transfer', reply: { bad }, times: null });
        // The bad answer is kept back until no other tells the end.
        const reply = stage.proxy.holds('icrc1_transfer');
        await person.says(window);
        await reply.executed;
        await network.fault({ on: 'read_state', reply: { bad }, times: null });
        reply.pass();
        await shop.hand.front();
        const told = await shop.commit(preview, { wait: 3 });
        assert.equal((await stage.transfers(TKA, memo)).length, 1, 'the call was not made');
        assert.equal(told.outcome, 'unknown', JSON.stringify(told));
        await network.clearFaults();
        const end = await answer;
        const last = end.outcome === 'unknown' ? await shop.commit(preview) : end;
        assert.ok(['success', 'already_done'].includes(last.outcome), JSON.stringify(last));
        assert.equal((await stage.transfers(TKA, memo)).length, 1, 'paid twice');
        assert.equal(stage.envelopes(memo).length, 1, 'signed twice');
      });

  // It would succeed if what a node alone says were told as a fact of the network's.
  attack('a query whose node signature is bad tells nothing', async () => {
    await shop.hand.front();
    await network.fault({ on: 'query', reply: { bad: 'tampered_query_signature' }, times: null });
    const told = await shop.result('icrc1_balance_of', { canister_id: TKA, account: shop.account });
    assert.equal(told.isError, true, JSON.stringify(told));
    assert.equal(told.structuredContent.reply, undefined);
  });

  // It would succeed if a canister that became another after the preview were still paid by it.
  attack('a canister that changes between prepare and approve is paid nothing', async () => {
    const { agent } = await ground.connects([{ id: LOOKALIKE }]);
    const told = await agent.prepare(LOOKALIKE, '1', 'changed under it');
    const before = await ground.moved(LOOKALIKE);
    await network.change(LOOKALIKE, { upgrade: true });
    // What was read of its code stands for a minute, within one life of the worker.
    await ground.browser.killWorker();
    await agent.hand.front();
    const end = await agent.commit(told.preview.preview_id, { wait: 3 });
    assert.notEqual(end.outcome, 'success');
    assert.equal(await ground.moved(LOOKALIKE), before);
    assert.ok(!(await agent.names()).some(name => name.startsWith('prepare_')), 'it kept its tools');
    await agent.page.close();
  });

  // It would succeed if the bytes that were signed for one network moved anything on another, where
  // the same canister id has a ledger and the same keys would have an account.
  attack('a call that was signed for a false network is worth nothing on the real one', async () => {
    const evil = await Localnet.start(localnet(), ['--seed', 'evil']);
    const tap = await Proxy.before(evil.url);
    stage.with(() => (tap.close(), evil.stop()));
    await person.adds(evil, 'Evil Testnet', tap.url);
    const agent = await stage.agent();
    const asked = agent.call('wallet_connect', { canisters: [{ id: TKA }], tools: ['all'] });
    await person.connects('Evil Testnet');
    const { account } = await asked;
    await evil.mint(TKA, account, 100_000_000_000n);
    const memo = 'replayed';
    const real = await network.balance(TKA, shop.account);
    const told = await agent.prepare(TKA, '1 TKA', memo);
    const answer = agent.commit(told.preview.preview_id);
    const window = await person.window();
    await window.reads('Evil Testnet');
    await person.approves(window);
    assert.equal((await answer).outcome, 'success');
    // Whoever keeps the false network has the signed bytes, and posts them to the real one.
    const [{ path, body }] = tap.envelopes('icrc1_transfer', memo);
    const posted = await fetch(`${network.url}${path}`, { method: 'POST',
      headers: { 'content-type': 'application/cbor' }, body });
    await posted.arrayBuffer();
    assert.equal(await network.balance(TKA, shop.account), real);
    assert.deepEqual(await stage.transfers(TKA, memo), []);
    await agent.page.close();
  });
}
