// Asks that are made to be hard to read: several at once, text that would turn or hide what stands
// beside it, and values as long as they can be. And what a person does who has had enough.

import { crc32 } from 'node:zlib';
import { Principal } from '@icp-sdk/core/principal';
import { PAYEE, TKA } from '../e2e/stage.mjs';
import { armed, spoken, unfold, within } from './confirming.mjs';

export const CROWDING = ['ask-queue-of-three', 'ask-turned-text', 'ask-long-values',
  'unlock-frozen'];

/** Right to left, hidden, and of the block of tags: of each a few. */
const TURNED = '\u202eAKT 005\u202c \u2067ok\u2069';
const WHY = 'Refund \u202efo lluf\u202c of 9\u200b9 TKA \u{e0050}\u{e0041}\u{e0059}';

/** The text of an account with a subaccount: ICRC-1's, with its check sum. */
function account(owner, subaccount) {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(Buffer.concat([Principal.fromText(owner).toUint8Array(), subaccount])));
  const bits = [...sum].map(byte => byte.toString(2).padStart(8, '0')).join('').padEnd(35, '0');
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
  const check = bits.match(/.{5}/g).map(five => alphabet[parseInt(five, 2)]).join('');
  return `${owner}-${check}.${subaccount.toString('hex').replace(/^0+/, '')}`;
}

export async function crowding({ stage, shoot }, shop) {
  const { person } = stage;
  await person.clears();
  await shop.hand.front();

  /** What waits is declined, one after the other. */
  const declined = async (window, answers) => {
    for (let left = answers.length; left > 0; left--) {
      await window.press('button', 'Decline');
      if (left === 1) break;
      await window.find('heading', 'Declined');
      await window.press('button', /^Next/);
    }
    await Promise.all(answers);
    await person.gone();
    await shop.hand.front();
  };

  const wishes = [];
  for (const [amount, memo] of [['1 TKA', 'starter'], ['2 TKA', 'main course'], ['3 TKA', 'dessert']])
    wishes.push(await shop.prepared(TKA, amount, memo));
  const answers = [shop.commit(wishes[0])];
  let window = await person.window();
  let picture = within(shoot, window);
  await window.find('button', 'Pay 1 TKA');
  for (const wish of wishes.slice(1)) answers.push(shop.commit(wish));
  await window.reads('1 of 3');
  await spoken(window);
  await picture('ask-queue-of-three', armed('Pay 1 TKA'));
  await declined(window, answers);

  const turned = await shop.call('prepare_icrc1_transfer',
    { canister_id: TKA, to: PAYEE, amount: '0.5 TKA', memo: TURNED },
    { meta: { 'countersign/why': WHY } });
  const answer = shop.commit(turned.preview.preview_id);
  window = await person.window();
  picture = within(shoot, window);
  await window.reads('→');
  await spoken(window);
  await picture('ask-turned-text', armed('Pay 0.5 TKA'));
  await declined(window, [answer]);

  const long = await shop.call('prepare_icrc2_approve', {
    canister_id: TKA,
    spender: account(PAYEE, Buffer.from('f0e1d2c3'.repeat(8), 'hex')),
    amount: `${'9'.repeat(60)}.87654321 TKA`,
    memo: 'W'.repeat(32),
  }, { meta: { 'countersign/why': `${'So that every lunch is paid. '.repeat(6)}${'w'.repeat(82)}` } });
  const last = shop.commit(long.preview.preview_id);
  window = await person.window();
  picture = within(shoot, window);
  await window.reads('→');
  // The ledger rounds an amount of this length, which is one more thing to be acknowledged.
  await spoken(window);
  await unfold(window);
  await picture('ask-long-values', armed(/^Allow/));
  await declined(window, [last]);

  const home = await person.home();
  await home.press('button', 'Freeze');
  await home.find('button', 'Unlock');
  await shoot('unlock-frozen', home);
  await person.unlocks();
  await shop.hand.front();
}
