// The states of the window that asks: connecting, paying, and payments whose answer was lost.

import { until } from '../e2e/cdp.mjs';
import { acknowledge } from '../e2e/person.mjs';
import { NETWORK, PAYEE, TKA } from '../e2e/stage.mjs';
import { key } from './wallet.mjs';

export const CONNECTING = ['connect-reading', 'connect-payments', 'connect-everything',
  'connected-next', 'connect-nothing-read'];

export const PAYING = ['ask-reading', 'ask-unread-to-the-end', 'ask-focus', 'ask-armed',
  'ask-working', 'ask-network-down', 'ask-queue', 'declined-next',
  'approved-under-way', 'paid-next', 'ask-to-acknowledge', 'ask-allowance', 'ask-short', 'refused',
  'ask-canister-differs', 'ask-locked', 'ask-withdrawn'];

export const IN_DOUBT = ['home-no-answer', 'call-no-answer', 'ask-second', 'declined-second',
  'call-answer-gone', 'call-sure', 'call-unclear'];

const MINUTE = 60_000;

/** A canister id where there is no canister. */
const NOBODY = 'br5f7-7uaaa-aaaaa-qaaca-cai';

/** The button that says yes is ready, the page having been read to its end. */
export const armed = name => async window => {
  await window.mouse('mouseMoved', { x: 5, y: 5 });
  await window.front();
  await until(async () => {
    await acknowledge(window);
    await window.mouse('mouseMoved', { x: 5, y: 5 });
    await window.mouse('mouseWheel', { x: 5, y: 200 }, { deltaX: 0, deltaY: 6000 });
    const [button] = await window.all('button', name).catch(() => []);
    return button && window.with(button,
      function () { return this.getAttribute('aria-disabled') === 'false'; }).catch(() => false);
  }, `${name} to be ready`).catch(async error => {
    throw new Error(`${error.message}; the window says:\n${await window.text()}`);
  });
};

/** The ledger's own words have come: they change the page, and the button waits again. */
export const spoken = window => window.reads('The canister says');

/** They have come, and agree. */
const described = window => window.reads('as this wallet decoded');

/** The hint beside the button says this. */
const hinted = text => window => window.reads(text);

/** Opens the folds of a page: all, or all but those of single tools. */
export const unfold = (window, which = 'details') => window.page.evaluate(which => {
  for (const fold of document.querySelectorAll(which)) fold.open = true;
}, which);

/** Hands a window and what must stand before each of its pictures to the album. */
export const within = (shoot, window) => (state, settled, more = {}) =>
  shoot(state, window, { settled: () => settled(window), ...more });

export async function connecting({ stage, shoot, album }) {
  const { person, proxy, network } = stage;
  const shop = await stage.agent();
  const guest = await stage.agent();
  await shop.hand.front();
  await shop.hand.press('heading', 'An agent');
  const why = { meta: { 'countersign/why': 'To pay for your lunches' } };
  proxy.pause();
  const asked = shop.call('wallet_connect', { canisters: [{ id: TKA }] }, why);
  const window = await person.window();
  const picture = within(shoot, window);
  await window.find('heading', 'Wants to connect');
  await window.press('radio', new RegExp(NETWORK));
  await picture('connect-reading', hinted('Still reading the canisters'));
  proxy.resume();
  await window.find('heading', 'TKA');
  await picture('connect-payments', armed('Connect'));
  await window.press('radio', /^Everything/);
  await window.reads('28 tools');
  await unfold(window, 'details[class]:not(li *)');
  await picture('connect-everything', armed('Connect'));
  const late = guest.call('wallet_connect', { canisters: [{ id: NOBODY }] });
  await window.reads('1 of 2');
  await person.says(window, /^Connect$/);
  await window.find('heading', 'Connected');
  await picture('connected-next', async () => {});
  const { account } = await asked;
  shop.account = account;
  album.calls(account, '<my account>');
  await network.mint(TKA, account, 1_000_000_000n);
  await window.press('button', /^Next/);
  await window.press('radio', new RegExp(NETWORK));
  await window.reads(`There is no such canister on ${NETWORK}`);
  await picture('connect-nothing-read', hinted('None of its canisters could be read'));
  await window.press('button', 'Decline');
  await person.gone();
  await late;
  await guest.page.close();
  await shop.hand.front();
  return shop;
}

export async function paying({ stage, shoot }, shop) {
  const { person, proxy, network } = stage;
  const why = { meta: { 'countersign/why': 'Lunch order 118' } };
  const { preview: { preview_id: first } } = await shop.call('prepare_icrc1_transfer',
    { canister_id: TKA, to: PAYEE, amount: '1.5 TKA', memo: 'order 118' }, why);
  proxy.pause();
  let answer = shop.commit(first);
  let window = await person.window();
  let picture = within(shoot, window);
  await window.find('button', 'Pay 1.5 TKA');
  await picture('ask-reading', hinted('Reading what the ledger certifies'));
  proxy.resume();
  await window.reads('→');
  await described(window);
  await picture('ask-unread-to-the-end', hinted('Read to the end first'), { whole: false });
  await key(window, 'Tab');
  await picture('ask-focus', hinted('Read to the end first'), { whole: false });
  await window.page.evaluate(() => document.activeElement.blur());
  await picture('ask-armed', armed('Pay 1.5 TKA'));
  proxy.pause();
  const pressed = person.says(window);
  await window.reads('Checking and sending');
  await picture('ask-working', hinted('Checking and sending'));
  proxy.down = true;
  proxy.resume();
  await pressed;
  await window.reads('The network did not answer');
  await picture('ask-network-down', armed('Pay 1.5 TKA'));
  proxy.down = false;
  await person.closes(window);
  await answer;

  const [one, two] = [await shop.prepared(TKA, '2 TKA', 'one'),
    await shop.prepared(TKA, '3 TKA', 'two')];
  answer = shop.commit(one);
  window = await person.window();
  picture = within(shoot, window);
  await window.find('button', 'Pay 2 TKA');
  const second = shop.commit(two);
  await window.reads('1 of 2');
  await described(window);
  await picture('ask-queue', armed('Pay 2 TKA'));
  await window.press('button', 'Decline');
  await window.find('heading', 'Declined');
  await picture('declined-next', async () => {});
  await answer;
  await window.press('button', /^Next/);
  await window.find('button', 'Pay 3 TKA');
  const allowance = await shop.call('prepare_icrc2_approve',
    { canister_id: TKA, spender: PAYEE, amount: '25 TKA', memo: 'allowance' });
  const third = shop.commit(allowance.preview.preview_id);
  await window.reads('1 of 2');
  await network.fault({ on: 'call', method: 'icrc1_transfer', execute: 'hold_processing' });
  await person.says(window);
  await window.find('heading', 'Approved');
  await window.reads('no answer yet');
  await picture('approved-under-way', async () => {});
  await network.release();
  await window.reads('paid');
  await picture('paid-next', async () => {});
  await second;
  await window.press('button', /^Next/);
  await window.find('button', 'Allow 25 TKA');
  await described(window);
  await picture('ask-to-acknowledge', hinted('Tick each warning above first'));
  await picture('ask-allowance', armed('Allow 25 TKA'));
  await person.approves(window);
  await third;
  await person.gone();

  const much = await shop.prepared(TKA, '4000 TKA', 'too much');
  answer = shop.commit(much);
  window = await person.window();
  picture = within(shoot, window);
  await window.reads('does not cover it');
  await described(window);
  await picture('ask-short', armed('Pay 4000 TKA'));
  await person.says(window);
  await window.reads('refused by the canister');
  await picture('refused', async () => {});
  await answer;
  await person.closes(window);

  await network.change(TKA, { describing: 'other_payee' });
  const untrue = await shop.prepared(TKA, '6 TKA', 'untrue');
  answer = shop.commit(untrue);
  window = await person.window();
  picture = within(shoot, window);
  await window.reads('The canister says something else');
  await picture('ask-canister-differs', hinted('Tick each warning above first'));
  await window.press('button', 'Decline');
  await person.gone();
  await answer;
  await network.change(TKA, { describing: 'truly' });

  const locked = await shop.prepared(TKA, '5 TKA', 'locked');
  answer = shop.commit(locked);
  window = await person.window();
  picture = within(shoot, window);
  await window.find('button', 'Pay 5 TKA');
  await person.locks();
  await window.front();
  await window.find('textbox', 'Passphrase');
  await picture('ask-locked', async () => {});
  await person.unlocks(window);
  await window.find('button', 'Pay 5 TKA');
  await shop.call('wallet_cancel', { preview_id: locked });
  await window.find('heading', 'This request has ended');
  await picture('ask-withdrawn', async () => {});
  await answer;
  await person.closes(window);
  await shop.hand.front();
}

export async function inDoubt({ stage, shoot }, shop) {
  const { person, network, browser } = stage;
  const home = () => person.home();
  const opens = async (row, words) => {
    const at = await home();
    await at.press('button', 'Activity');
    await at.find('heading', 'Activity');
    await at.press('button', row);
    await at.find('heading', 'What happened');
    await at.reads(words);
    return at;
  };

  // Else the wallet finds the payments in the ledger's log by itself.
  await network.fault({ on: 'query', method: 'icrc3_get_tip_certificate', reply: 'drop', times: null });
  const lost = await shop.prepared(TKA, '1.25 TKA', 'lost');
  await network.fault({ name: 'prune_status', method: 'icrc1_transfer', delay_ms: 1500 });
  const unknown = shop.commit(lost, { wait: 5 });
  const approved = await person.approves();
  await stage.executed(TKA, 'lost');
  await unknown;
  await person.closes(approved);
  const at = await home();
  await at.press('button', 'Home');
  await at.find('heading', 'One payment has no answer yet');
  await at.reads('5.7497 TKA');
  await shoot('home-no-answer', at);
  await opens(/^1\.25 TKA/, 'Handed to the network');
  await shoot('call-no-answer', at);

  // Past the time in which an absent status would prove anything.
  await network.advance(8.5 * MINUTE);
  // So that the wallet looks at once, not when it next would.
  await browser.killWorker();
  await shop.hand.front();
  await until(async () => {
    await shop.commit(lost, { wait: 1 });
    return person.isAsked();
  }, 'the second ask', 60);
  const window = await person.window();
  const picture = within(shoot, window);
  await window.find('heading', 'An earlier attempt may have executed');
  await described(window);
  await picture('ask-second', armed('Send 1.25 TKA again'));
  await window.press('button', 'Decline');
  await window.find('heading', 'Declined');
  await picture('declined-second', async () => {});
  await person.closes(window);
  await opens(/^1\.25 TKA/, 'Ask me to send it again');
  await shoot('call-answer-gone', at);
  await at.press('button', 'It did not happen');
  await at.find('button', 'Yes, settle it');
  await shoot('call-sure', at);
  await at.press('button', 'Keep it as it is');
  await at.press('button', 'Ask me to send it again');
  await person.approves();
  await person.gone();

  await shop.hand.front();
  const trapped = await shop.prepared(TKA, '0.75 TKA', 'trapped');
  await network.fault({ name: 'reject_after_write', method: 'icrc1_transfer' });
  const unclear = shop.commit(trapped);
  await person.closes(await person.approves());
  await unclear;
  await opens(/^0\.75 TKA/, 'It happened');
  await shoot('call-unclear', at);
  await at.press('button', 'It happened');
  await at.press('button', 'Yes, settle it');
  await at.reads('settled: it happened');
  await network.clearFaults();
}
