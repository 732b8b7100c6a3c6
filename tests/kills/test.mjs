// The counting of `kills`, on logs that are made up: each kind of fault is found where it is, and
// none where none is. And what a seed draws.
// Usage: node tests/kills/test.mjs

import assert from 'node:assert/strict';
import { run, test } from '../e2e/suite.mjs';
import { KINDS, closing, judge } from './judge.mjs';
import { NAMED, RANDOM, rounds } from './points.mjs';

const MEMO = 'kill 7';
const block = (memo = MEMO, kind = 'transfer') =>
  ({ kind, memo: Buffer.from(memo).toString('hex') });
const told = (at, outcome, more = {}) => ({ at, tool: 'commit', told: { outcome, ...more } });
const yes = (at, more = {}) => ({ at, yes: true, preview: 'a', accepted: true, ...more });
const no = at => ({ at, yes: false, preview: 'a' });

/** A payment that was approved at 10, sent at 20 and told at 30, as changed. */
const round = change => ({
  memo: MEMO,
  presses: [yes(10)],
  sent: [{ at: 20 }],
  answers: [told(5, 'awaiting_confirmation'), told(30, 'success')],
  known: { outcome: 'success' },
  listed: true,
  ended: true,
  ...change,
});

const others = [block('', 'mint'), block('kill 77'), block('kill 70')];
const kinds = (round, log) => judge(round, [...others, ...log]).map(({ kind }) => kind);

const without = {
  'a payment that was approved and is in the log once': [round(), [block()]],
  'a payment that was declined and is not in the log':
    [round({ presses: [no(10)], sent: [], answers: [told(30, 'declined')],
      known: { outcome: 'declined' }, listed: false }), []],
  'a payment that was asked twice, as its first yes lapsed':
    [round({ presses: [yes(10), yes(15)] }), [block()]],
  'a payment that was told unknown before it was found':
    [round({ answers: [told(25, 'unknown'), told(30, 'already_done')] }), [block()]],
  'a payment of which nothing was left for the first answer, and that was approved and sent anew':
    [round({ presses: [yes(1), yes(10)], answers: [told(5, 'not_executed'), told(30, 'success')] }),
      [block()]],
  'a no to sending again, which leaves the first attempt open':
    [round({ presses: [yes(10), no(28)],
      answers: [told(30, 'declined', { earlier_outcome: 'unknown' })],
      known: { outcome: 'unknown' } }), [block()]],
  'two payments by the same words, each approved, as the agent forgot that the first was told':
    [round({ forgets: true, presses: [yes(10), yes(40, { preview: 'b' })] }), [block(), block()]],
};
for (const [what, [round, log]] of Object.entries(without))
  test(`no fault is counted of ${what}`, () => assert.deepEqual(kinds(round, log), []));

const faulty = {
  'a second transfer of one approved payment': ['duplicated', round(), [block(), block()]],
  'a second transfer, though the ask came twice':
    ['duplicated', round({ presses: [yes(10), yes(15)] }), [block(), block()]],
  'a second transfer, as the agent was given another preview before it was told the first\'s end':
    ['duplicated', round({ presses: [yes(10), yes(25, { preview: 'b' })] }), [block(), block()]],
  'a transfer that nobody approved':
    ['duplicated', round({ presses: [], sent: [] }), [block()]],
  'an accepted yes that the wallet does not know of':
    ['lost', round({ sent: [], known: { code: 'E_PREVIEW' } }), []],
  'an envelope that left and that the wallet does not know of':
    ['lost', round({ presses: [yes(10, { accepted: false })], known: undefined }), [block()]],
  'an envelope that left and that the wallet does not list':
    ['lost', round({ listed: false }), [block()]],
  'an accepted yes that ended as a decline, with no no':
    ['lost', round({ sent: [], answers: [told(30, 'declined')],
      known: { outcome: 'declined' } }), []],
  'a success that is not in the log': ['lost', round(), []],
  'a payment told as not executed whose envelope had left':
    ['false failed', round({ answers: [told(25, 'not_executed'), told(30, 'already_done')] }),
      [block()]],
  'a payment told as not executed that was sent later, with no other yes':
    ['false failed', round({ answers: [told(15, 'not_executed'), told(30, 'already_done')] }),
      [block()]],
  'a payment told as failed in the end':
    ['false failed', round({ answers: [told(30, 'fail')] }), [block()]],
  'a payment told as declined though the person approved it':
    ['false failed', round({ answers: [told(30, 'declined')] }), [block()]],
  'a call that has no end': ['stuck', round({ ended: false }), [block()]],
};
for (const [what, [kind, round, log]] of Object.entries(faulty))
  test(`${kind}: ${what}`, () => assert.deepEqual(kinds(round, log), [kind]));

test('each kind of fault has an example, and the last line counts them', () => {
  const found = Object.values(faulty).flatMap(([, round, log]) => judge(round, log));
  assert.deepEqual([...new Set(found.map(({ kind }) => kind))].sort(), [...KINDS].sort());
  assert.equal(closing(3, found),
    'kills: 3 kills, 4 duplicated, 5 lost, 4 false failed, 1 stuck');
  assert.equal(closing(300, []), 'kills: 300 kills, 0 duplicated, 0 lost, 0 false failed, 0 stuck');
});

test('a seed draws one plan, in which each named point has at least a twentieth of the kills', () => {
  for (const count of [30, 100, 300])
    for (let seed = 0; seed < 50; seed++) {
      const drawn = rounds(seed, count);
      assert.deepEqual(rounds(seed, count), drawn);
      assert.notDeepEqual(rounds(seed + 1, count), drawn);
      for (const name of Object.keys(NAMED)) {
        const here = drawn.filter(({ point }) => point === name);
        assert.ok(here.length >= count / 20, `seed ${seed}: ${here.length} ${name}`);
        const { plans = [] } = NAMED[name];
        const met = new Set(here.map(({ plan }) => JSON.stringify(plan)));
        assert.equal(met.size, plans.length || 1);
      }
      // What is not killed twice is made up for by the last rounds.
      const seconds = drawn.filter(({ second }) => second).length;
      assert.equal(drawn.length, count);
      assert.ok(drawn.slice(-seconds).every(({ point }) => point === RANDOM));
      for (const twists of [['reloaded', 'reloaded before'], ['restarted', 'crashed']])
        assert.ok(drawn.slice(0, -seconds).some(({ twist }) => twists.includes(twist)));
      assert.ok(drawn.some(({ declines }) => declines));
    }
});

test('what a run of few kills draws is as many', () => {
  for (let count = 1; count < 30; count++) assert.equal(rounds(1, count).length, count);
});

await run();
