// Payments whose worker is killed, again and again, at points that are named and at random: the
// packed extension in a real browser, a local network, an unchanged MCP client, a person's presses.
// Usage: node tests/kills/run.mjs [folder of the extension] [--count N] [--seed S]
//
// The seed draws where each kill is and what else happens; how the browser's threads take turns it
// cannot draw. A line `ok NAME` or `not ok NAME` is printed for each point; the last line counts
// the kills, and the faults by the ledger's log.

import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { until } from '../e2e/cdp.mjs';
import { Stage, TKA } from '../e2e/stage.mjs';
import { does } from '../e2e/suite.mjs';
import { closing, judge } from './judge.mjs';
import { NAMED, RANDOM, rounds } from './points.mjs';
import { Round, World } from './round.mjs';

/** The wallet's page lists the latest hundred; it is read before there are more. */
const LISTED = 50;

/** Of the payments that nobody declined, so many must be paid, in percent. */
const PAID = 95;

const { values: options } = parseArgs({
  options: { count: { type: 'string', default: '30' }, seed: { type: 'string' } },
  allowPositionals: true,
});
const count = Number(options.count);
const seed = Number(options.seed ?? randomInt(2 ** 32));
if (!(Number.isInteger(count) && count > 0 && Number.isInteger(seed) && seed >= 0))
  throw new Error('--count and --seed take whole numbers');
console.log(`kills: seed ${seed}`);

const begun = performance.now();
const stage = await Stage.open();
// Whether the person said of the ledger that it is known to drop repeats.
await stage.ready({ known: seed % 2 ? [TKA] : [] });
const world = await World.of(stage, await stage.connected(TKA));

const played = [];
const kills = () => played.flatMap(round => round.kills);
let unlisted = [];
let failed = false;

for (const drawn of rounds(seed, count)) {
  const left = count - kills().length;
  if (left === 0) break;
  does(`round ${drawn.number} of seed ${seed}, killed ${drawn.point}`);
  const round = new Round(world, left === 1 ? { ...drawn, second: null } : drawn);
  const start = performance.now();
  await round.play();
  played.push(round);
  unlisted.push(round);
  if (process.env.COUNTERSIGN_TRACE) trace(round, (performance.now() - start) / 1000);
  if (round.error) {
    // What state it left is not known; what it came to is judged with the others.
    console.log(`seed ${seed}, round ${drawn.number}, killed ${drawn.point}: ${round.error.stack}`);
    if (round.scene) console.log(`the window says:\n${round.scene}`);
    failed = true;
    break;
  }
  if (unlisted.length >= LISTED) await lists();
}
does('the end');
await lists().catch(error => {
  failed = true;
  console.log(error.message);
});

/** Notes which payments the wallet's own page lists. */
async function lists() {
  const home = await stage.person.home();
  await until(async () => {
    // A press while no worker was there is made again.
    await home.press('button', 'Activity');
    return home.find('heading', 'Activity', 3).catch(() => null);
  }, 'the wallet\'s activity');
  const text = (await home.text()).replace(/\s+/g, ' ');
  for (const round of unlisted) round.listed = text.includes(round.amount);
  unlisted = [];
  await world.shop.hand.front();
}

function trace({ number, point, plan, twist, reached, lookedFor, kills, answers }, seconds) {
  const told = answers.map(({ told }) => told.outcome ?? told.status ?? told.code);
  const parts = [`${kills.length} killed ${point}`, plan && JSON.stringify(plan), twist,
    !reached && 'not reached', lookedFor && 'looked for', told.join(' '), `${seconds.toFixed(1)} s`];
  console.log(`  ${number}: ${parts.filter(Boolean).join(', ')}`);
}

// The log as it is in the end, with whatever still came.
const log = await stage.network.blocks(TKA);
await stage.close();
const faults = played.flatMap(round => judge(round, log).map(fault => ({ ...fault, round })));
for (const { kind, says, round } of faults) {
  console.log(`${kind}: ${says} (seed ${seed}, round ${round.number})`);
  for (const { tool, told } of round.answers) console.log(`  ${tool}: ${JSON.stringify(told)}`);
}

const at = point => kills().filter(kill => kill === point).length;
for (const point of [...Object.keys(NAMED), RANDOM]) {
  const wrong = faults.some(({ round }) => round.point === point)
    || played.some(round => round.error && round.point === point)
    // Fewer kills than two of each cannot be at every point.
    || (at(point) < count / 20 && count >= 2 * Object.keys(NAMED).length);
  console.log(`${wrong ? 'not ok' : 'ok'} killed ${point}: ${at(point)} times`);
  failed ||= wrong;
}
const told = (...outcomes) =>
  played.filter(({ known }) => outcomes.includes(known?.outcome)).length;
const paid = told('success', 'already_done');
const wanted = played.filter(({ declines }) => !declines).length;
const twisted = (...twists) => played.filter(({ twist }) => twists.includes(twist)).length;
const resumed = played.flatMap(round => round.resumed);
console.log([
  `${played.length} payments: ${paid} of ${wanted} paid, ${told('declined')} declined, `
    + `${played.filter(({ held }) => held).length} held`,
  `${resumed.length} calls open at a kill in a page that stayed: `
    + `${resumed.filter(Boolean).length} got their answer, the others were to be made again`,
  `pages reloaded ${twisted('reloaded', 'reloaded before')}, browsers restarted `
    + `${twisted('restarted')}, crashed ${twisted('crashed')}`,
  `asks whose window did not come up, found by the badge: `
    + `${played.filter(({ lookedFor }) => lookedFor).length}`,
  `${((performance.now() - begun) / 60_000).toFixed(1)} minutes`,
].join('\n'));
if (faults.length || kills().length !== count || paid < (wanted * PAID) / 100) failed = true;
console.log(closing(kills().length, faults));
process.exit(failed ? 1 : 0);
