// The demo without a display: it does the main job, and where something goes wrong it fails by that.
// Usage: node tests/demo/test.mjs [folder of the extension]

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { artefact, run, test } from '../e2e/suite.mjs';
import { hash } from './artefact.mjs';

const script = new URL('run.mjs', import.meta.url).pathname;

/** Runs the demo. Gives the code it ended with, and its last line. */
const demo = (...options) => started(process.env, '--headless', ...options);

async function started(env, ...options) {
  const child = spawn(process.execPath, [script, ...options, artefact()],
    { stdio: ['ignore', 'pipe', 'inherit'], env });
  process.once('exit', () => child.kill());
  let said = '';
  child.stdout.on('data', text => (said += text));
  const code = await new Promise(done => child.once('close', done));
  return { code, said, last: said.trim().split('\n').at(-1) };
}

test('the demo does the main job on both ledgers and ends with blocks, digests and artefact',
  async () => {
    const { code, said, last } = await demo();
    assert.equal(code, 0, said);
    const [, artefactHash] = last.match(new RegExp('^demo: ok block \\d+ digest [0-9a-f]{64}; '
      + 'on the second ledger block \\d+ digest [0-9a-f]{64}; artefact ([0-9a-f]{64})$')) ?? [];
    assert.equal(artefactHash, hash(artefact()), last);
  });

const CAUSES = {
  decline: ['the person declines', 'declined', '10 TKA'],
  drop: ['no answer comes', 'unknown, in_flight', 'E_NO_ANSWER'],
  badsig: ['answers are signed wrongly', 'unknown, in_flight', 'E_QUERY_SIGNATURE'],
};
for (const [how, [what, outcome, balance]] of Object.entries(CAUSES))
  test(`the demo fails where ${what}, and by that`, async () => {
    const { code, said, last } = await demo('--break', how);
    assert.equal(code, 1, said);
    assert.equal(last, `demo: failed commit answered ${outcome}; balance then: ${balance}`, said);
  });

// Elsewhere a display is there without being named.
if (process.platform === 'linux')
  test('the demo for a person wants a display, and says what to do where there is none', async () => {
    const { DISPLAY, WAYLAND_DISPLAY, ...none } = process.env;
    const { code, last } = await started(none);
    assert.equal(code, 1);
    assert.match(last, /^demo: failed no browser could be opened; .*--headless$/);
  });

await run();
