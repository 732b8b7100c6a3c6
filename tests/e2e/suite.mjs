// Runs named tests one after the other and prints a line for each, which `cargo xtask test` reads:
// `ok NAME` or `not ok NAME`.

import { unanswered } from './cdp.mjs';

/** How many seconds getting ready, or one test, may take before the whole is ended. */
const LIMIT = 240;

const tests = [];
let doing;
let watch;

/** Notes what is being done now, which ends the process where it takes too long. */
export function does(what) {
  doing = what;
  clearTimeout(watch);
  watch = setTimeout(() => {
    console.log(`not ok ${doing}`);
    console.log([`it took more than ${LIMIT} s; unanswered:`, ...unanswered()].join('\n  '));
    process.exit(1);
  }, LIMIT * 1000);
}

does(`${process.argv[1].split('/').at(-1)} gets ready`);

/** Adds a test. Its name says what behaviour it shows. */
export function test(name, work) {
  tests.push({ name, work });
}

/**
 * Runs all tests, `tidy()` after each, then `after(failed)`, then ends the process: with 1 if one
 * failed or there was none.
 */
export async function run({ tidy = async () => {}, after = async () => {} } = {}) {
  let failed = tests.length === 0;
  const only = process.env.COUNTERSIGN_ONLY;
  for (const { name, work } of tests) {
    if (only && !name.includes(only)) continue;
    const begun = performance.now();
    does(name);
    try {
      await work();
      await tidy();
      console.log(`ok ${name}`);
    } catch (error) {
      failed = true;
      console.log(`not ok ${name}`);
      console.log(String(error?.stack ?? error).replace(/^/gm, '  '));
      await tidy().catch(error => console.log(`  afterwards: ${error.message}`));
    }
    if (process.env.COUNTERSIGN_TRACE)
      console.log(`  ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  }
  await after(failed);
  process.exit(failed ? 1 : 0);
}

/** The folder of the extension under test: the first argument, or the release build. */
export function artefact() {
  return process.argv[2] ?? new URL('../../dist/chrome', import.meta.url).pathname;
}
