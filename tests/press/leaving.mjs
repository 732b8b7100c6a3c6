// The page that asked goes, and what becomes of its ask: it stays, and the person decides it. And the
// shortcut that declines every ask.

import { TKA } from '../e2e/stage.mjs';
import { assert, scenario, until } from './desk.mjs';

export function leaving(desk) {
  const { person, stage, x } = desk;

  scenario('a page that is reloaded finds its ask again, and hears what was decided', async () => {
    const window = await desk.asked('3.01 TKA', 'reloaded');
    const { payment } = window;
    await desk.shows();
    const loaded = desk.shop.page.event('Page.loadEventFired');
    x.key('F5');
    await loaded;
    await desk.shop.connects('v2');
    await window.undecided();
    const again = await desk.shop.prepare(TKA, payment.amount, payment.memo);
    assert.deepEqual([again.status, again.preview.preview_id], ['repeated', payment.preview]);
    payment.answer = desk.shop.commit(payment.preview);
    await desk.screen.activates(window.id);
    assert.equal((await person.browser.extensionPages('confirm.html')).length, 1);
    await window.isReady();
    await window.isPaid();
  });

  for (const [name, says, amount] of [
    ['a tab that is closed leaves its ask to the person, whose yes counts', 'yes', '3.02 TKA'],
    ['a tab that is closed leaves its ask to the person, whose no counts', 'no', '3.03 TKA'],
  ])
    scenario(name, async () => {
      const guest = await stage.agent(desk.shop.url);
      await desk.shows(guest);
      const memo = `closed, ${says}`;
      const payment = await desk.prepares(amount, memo, guest);
      const window = await desk.asks(payment);
      await desk.shows(guest);
      const { targetId } = guest.page;
      x.keyWith(['Control_L'], 'w');
      await until(async () => !(await stage.browser.targets()).some(target => target.targetId === targetId),
        'the tab to be closed');
      payment.agent = desk.shop;
      await window.undecided();
      await desk.screen.activates(window.id);
      await window.isReady();
      if (says === 'yes') {
        await window.comesTo();
        x.clicks();
        await stage.executed(TKA, memo);
      } else {
        await window.hand.press('button', 'Decline');
      }
      await person.clears();
      await desk.shows();
      const told = await desk.shop.call('wallet_intent', { preview_id: payment.preview });
      assert.equal(told.outcome, says === 'yes' ? 'success' : 'declined', JSON.stringify(told));
      assert.equal((await stage.transfers(TKA, memo)).length, says === 'yes' ? 1 : 0);
    });

  scenario('the shortcut freezes: what was asked is declined, and the passphrase ends it', async () => {
    const { payment } = await desk.asked('3.04 TKA', 'frozen');
    await desk.shows();
    x.keyWith(['Alt_L', 'Shift_L'], 'f');
    const home = await person.home();
    await home.find('button', 'Unlock');
    await home.reads('Frozen');
    await person.unlocks();
    const told = await desk.shop.call('wallet_intent', { preview_id: payment.preview });
    assert.equal(told.outcome, 'declined', JSON.stringify(told));
    assert.equal((await stage.transfers(TKA, 'frozen')).length, 0);
  });
}
