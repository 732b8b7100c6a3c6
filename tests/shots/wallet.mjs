// The states of the whole wallet's page: first run, unlock, home, networks, activity, one call.

import { until } from '../e2e/cdp.mjs';
import { PASSPHRASE } from '../e2e/person.mjs';
import { NETWORK, TKA, site } from '../e2e/stage.mjs';

/** Before any site is connected. */
export const FIRST = ['first-run', 'first-run-too-short', 'first-run-too-regular',
  'first-run-differ', 'first-run-ready', 'home-new', 'activity-new', 'canisters-none', 'networks',
  'networks-bad-address', 'networks-no-answer', 'networks-no-network', 'networks-root-key',
  'networks-bad-name', 'networks-known', 'networks-ledgers', 'networks-bad-ledger', 'unlock',
  'unlock-wrong'];

/** With a site that has the account. */
export const CONNECTED = ['home-reading', 'home-balance', 'home-unread'];

/** After all that was asked. */
export const OVER = ['home-activity', 'activity', 'call-paid', 'call-refused', 'call-prepared',
  'window-refused'];

export async function first({ album, stage, shoot }) {
  const { network, person, proxy } = stage;
  const home = await person.home();
  await home.find('button', 'Make wallet');
  for (const name of await home.page.evaluate(
    () => document.querySelector('.big-mark b').innerText.split('\n')))
    album.calls(new RegExp(`\\b${name}\\b`, 'g'), '<mark>');
  await shoot('first-run', home);
  await home.fill('Passphrase', 'otter');
  await shoot('first-run-too-short', home);
  await home.fill('Passphrase', '123456123456');
  await shoot('first-run-too-regular', home);
  await home.fill('Passphrase', PASSPHRASE);
  await home.fill('The same once more', 'correct horse battery');
  await home.press('checkbox', 'Show what I type');
  await shoot('first-run-differ', home);
  await home.fill('The same once more', PASSPHRASE);
  await home.press('checkbox', 'Show what I type');
  await shoot('first-run-ready', home);
  await home.press('button', 'Make wallet');
  await home.find('button', 'Networks');
  await home.find('heading', 'Latest');
  await shoot('home-new', home);
  await home.press('button', 'Activity');
  await home.find('heading', 'Activity');
  await shoot('activity-new', home);

  await home.press('button', 'Canisters');
  await home.find('heading', 'Canisters');
  await shoot('canisters-none', home);

  await home.press('button', 'Networks');
  await home.find('textbox', 'Address');
  await shoot('networks', home);
  const read = async address => {
    await home.fill('Address', address);
    await home.press('button', 'Read its root key');
  };
  await read('127.0.0.1');
  await home.reads('This is no address of a network.');
  await shoot('networks-bad-address', home);
  proxy.down = true;
  await read(proxy.url);
  await home.reads('Nothing answers');
  await shoot('networks-no-answer', home);
  proxy.down = false;
  await home.press('button', 'Try another address');
  const other = await site();
  await read(other.url);
  await home.reads('is no Internet Computer network');
  await shoot('networks-no-network', home);
  other.close();
  await home.press('button', 'Try another address');
  await read(proxy.url);
  await home.find('heading', 'Is this its root key?');
  await shoot('networks-root-key', home);
  await home.fill('Your name for it', 'Internet Computer');
  await home.press('button', 'Add network');
  await home.reads('that no other network has');
  await shoot('networks-bad-name', home);
  await home.press('button', 'Cancel');
  await person.adds(network, NETWORK, proxy.url);
  await read(network.url);
  await home.reads(`This is ${NETWORK}, which you have.`);
  await shoot('networks-known', home);
  await home.press('button', 'Cancel');
  await person.vouches(NETWORK, TKA);
  await shoot('networks-ledgers', home);
  await home.fill('Canister id of the ledger', 'bkyz2-fmaaa');
  await home.press('button', 'Add ledger');
  await home.reads('This is no canister id');
  await shoot('networks-bad-ledger', home);

  await person.locks();
  await shoot('unlock', home);
  await person.unlocks(home, 'not the passphrase');
  await home.reads('does not open your wallet');
  await shoot('unlock-wrong', home);
  await person.unlocks();
}

/** A key that is pressed and released. */
export async function key(hand, name) {
  const code = { Tab: 9, Enter: 13 }[name];
  for (const type of ['rawKeyDown', 'keyUp'])
    await hand.page.send('Input.dispatchKeyEvent',
      { type, key: name, code: name, windowsVirtualKeyCode: code });
}

export async function connected({ stage, shoot }) {
  const { person, proxy } = stage;
  const home = await person.home();
  proxy.pause();
  await home.press('button', 'Home');
  await home.reads('being read…');
  await shoot('home-reading', home);
  proxy.resume();
  await home.reads('TKA');
  await until(async () => !(await home.text()).includes('being read…'), 'the balance');
  await shoot('home-balance', home);
  proxy.down = true;
  await home.press('button', 'Networks');
  await home.find('heading', NETWORK);
  await home.press('button', 'Home');
  await home.reads('could not be read');
  await shoot('home-unread', home);
  proxy.down = false;
}

export async function over({ stage, shoot }, shop) {
  const { person } = stage;
  await shop.hand.front();
  const later = await shop.prepared(TKA, '6 TKA', 'later');
  const answer = shop.commit(later, { wait: 10 });
  const window = await person.window();
  await window.press('button', 'Later');
  await person.gone();
  await shop.prepared(TKA, '7 TKA', 'only prepared');
  const home = await person.home();
  await home.press('button', 'Home');
  await home.find('heading', 'Latest');
  await until(async () => !(await home.text()).includes('being read…'), 'the balance');
  await shoot('home-activity', home);
  await home.press('button', 'Activity');
  await home.find('heading', 'Activity');
  await shoot('activity', home);
  const call = async (name, state) => {
    // From elsewhere, so that the page that comes tells that the step before was taken.
    await home.press('button', 'Home');
    await home.find('heading', 'Latest');
    await home.press('button', 'Activity');
    await home.find('heading', 'Activity');
    await home.press('button', name);
    await home.find('heading', 'What happened');
    await shoot(state, home);
  };
  await call(/^3 TKA/, 'call-paid');
  await call(/^4000 TKA/, 'call-refused');
  await call(/^7 TKA/, 'call-prepared');
  await home.page.send('Page.reload');
  await home.find('heading', 'This window is not connected');
  await shoot('window-refused', home);
  await answer;
}
