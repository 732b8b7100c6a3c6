// The states of adding canisters: what they and a site say of themselves, what the person gives by
// hand, and what comes of it in the window that asks.

import { until } from '../e2e/cdp.mjs';
import { KIOSK, LOOKALIKE, NETWORK, TILL, site } from '../e2e/stage.mjs';
import { armed, spoken, unfold, within } from './confirming.mjs';

export const ADDING = ['connect-profiles', 'connect-profiles-open', 'connect-profile-trusted',
  'connect-no-interface', 'connect-bad-interface', 'connect-pasted', 'canisters',
  'canisters-bad-id', 'connect-look-alike', 'connect-pasted-differs', 'canisters-look-alike',
  'ask-pasted', 'ask-look-alike', 'canisters-withheld'];

/** What a site says of the kiosk: less than the kiosk itself, and no truer. */
const OF_SITE = {
  format: 'candid-profile',
  format_version: 0,
  name: 'Lunch, made easy',
  methods: {
    checkout: {
      intent: 'Order your lunch',
      outcome: { Ok: 'success', Err: 'fix_input' },
      at: {
        amount: { describe: 'Price', value: { kind: 'amount', decimals: 8, symbol: 'TKA' } },
        note: { describe: 'What you want to eat', text: { max_len: 80 } },
      },
    },
  },
};

/** Opens the fold of what is given by hand for a canister. */
const byHand = (window, id) => window.page.evaluate(id => {
  for (const card of document.querySelectorAll('article'))
    if (card.textContent.includes(id)) [...card.querySelectorAll('details')].at(-1).open = true;
}, id);

export async function adding({ album, stage, shoot }) {
  const { person, network, browser } = stage;
  const home = await person.opens();
  // What was left for later would come before every ask here.
  await home.press('button', 'Look at it');
  await person.declines(await person.window());
  await person.gone();
  const canisters = async () => {
    await home.front();
    await home.press('button', 'Activity');
    await home.find('heading', 'Activity');
    await home.press('button', 'Canisters');
    await home.find('heading', 'Canisters');
  };
  // By a name that stands behind the other site's, whatever their ports.
  const served = await site();
  stage.with(() => served.close());
  const agent = await stage.agent(served.url.replace('127.0.0.1', 'localhost'));
  album.calls(new URL(agent.url).host, '<diner>');
  await agent.hand.front();
  await agent.hand.press('heading', 'An agent');

  let asked = agent.call('wallet_connect',
    { canisters: [{ id: KIOSK, profile: OF_SITE }], tools: ['all'] });
  let window = await person.window();
  let picture = within(shoot, window);
  await window.press('radio', new RegExp(NETWORK));
  await window.find('heading', 'The site’s profile');
  await picture('connect-profiles', armed('Connect'));
  await unfold(window);
  await picture('connect-profiles-open', armed('Connect'));
  await window.press('button', 'Trust this profile');
  await window.reads('trusted by you');
  await unfold(window);
  await picture('connect-profile-trusted', armed('Connect'));
  await window.press('button', 'Trust it no longer');
  await window.find('button', 'Connect');
  await person.says(window, /^Connect$/);
  await person.decided(window, 'Connected');
  await person.gone();
  const { account } = await asked;
  album.calls(account, '<diner’s account>');

  await agent.hand.front();
  asked = agent.call('wallet_connect', { canisters: [{ id: TILL }], tools: ['all'] });
  window = await person.window();
  picture = within(shoot, window);
  await window.reads('It publishes no interface');
  await picture('connect-no-interface', armed('Connect'));
  const paste = async text => {
    await window.fill('Its interface, as Candid text', text);
    await window.press('button', 'Use this interface');
  };
  await paste('service : {');
  await window.reads('This is no Candid interface that can be read');
  await picture('connect-bad-interface', armed('Connect'));
  await paste(await network.interface(TILL));
  await window.find('heading', 'TIL');
  await picture('connect-pasted', armed('Connect'));
  await person.says(window, /^Connect$/);
  await person.decided(window, 'Connected');
  await person.gone();
  await asked;
  await network.mint(TILL, account, 1_000_000_000n);

  await canisters();
  await shoot('canisters', home);
  const { host } = new URL(agent.url);
  const add = async id => {
    await home.fill(`Canister id to add for ${host}`, id);
    // Beside the field that has a text: the others are dead.
    await home.click(await until(async () => {
      for (const button of await home.all('button', 'Add a canister')) {
        const at = await home.at(button);
        if (at) return at;
      }
    }, 'a button that adds'));
  };
  await add('bkyz2-fmaaa');
  await home.reads('This is no canister id');
  await shoot('canisters-bad-id', home);
  await add(LOOKALIKE);
  window = await person.window();
  picture = within(shoot, window);
  await window.reads('This is not ICP.');
  await picture('connect-look-alike', armed('Add it'));
  await byHand(window, LOOKALIKE);
  const other = (await network.interface(LOOKALIKE)).replaceAll(' to :', ' refund_to_6id4ubh :');
  await paste(other);
  await window.reads('It differs here');
  await picture('connect-pasted-differs', armed('Add it'));
  await window.press('button', 'Take the interface back');
  await person.says(window, /^Add it$/);
  await person.decided(window, 'Connected');
  await person.gone();
  await network.mint(LOOKALIKE, account, 1_000_000_000n);
  await canisters();
  await shoot('canisters-look-alike', home);

  for (const [ledger, state, amount] of [[TILL, 'ask-pasted', '1 TIL'],
    [LOOKALIKE, 'ask-look-alike', '1']]) {
    await agent.hand.front();
    const told = await agent.prepare(ledger, amount, 'lunch');
    const answer = agent.commit(told.preview.preview_id);
    window = await person.window();
    picture = within(shoot, window);
    await window.reads('→');
    await spoken(window);
    await picture(state, armed(/^Pay/));
    await window.press('button', 'Decline');
    await person.gone();
    await answer;
  }

  await network.change(TILL, { upgrade: true });
  // What was read of its code stands for a minute, within one life of the worker.
  await browser.killWorker();
  await agent.hand.front();
  await agent.prepare(TILL, '2 TIL', 'supper');
  await canisters();
  await until(async () => (await home.text()).includes('It changed since'), 'the change');
  await shoot('canisters-withheld', home);
}
