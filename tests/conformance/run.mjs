// The official MCP conformance suite against the packed test build, in both eras, and beside it
// what the suite does not ask of the legacy era.
// Usage: node tests/conformance/run.mjs [folder of the test build]

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../clients/bundle.mjs';
import { Browser, serve } from '../e2e/browser.mjs';
import { artefact, run, test } from '../e2e/suite.mjs';
import { startBridge } from './bridge.mjs';

/** The features whose lack may excuse a scenario. Tools, progress and discovery are not here. */
const LACKING = ['completion', 'elicitation', 'logging', 'multi-round requests', 'prompts',
  'resources', 'roots', 'sampling'];

/** What no golden file can excuse. */
const MUST_PASS = {
  '2026-07-28': ['server-stateless', 'tools-list', 'tools-call-simple-text', 'tools-call-image',
    'tools-call-audio', 'tools-call-embedded-resource', 'tools-call-mixed-content',
    'tools-call-error', 'tools-call-with-progress', 'server-sse-multiple-streams'],
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'tools-call-simple-text',
    'tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource',
    'tools-call-mixed-content', 'tools-call-error', 'tools-call-with-progress',
    'server-sse-multiple-streams'],
};

const modules = new URL('../node_modules/', import.meta.url).pathname;
const suite = join(modules, '@modelcontextprotocol/conformance/dist/index.js');
const scratch = mkdtempSync(join(tmpdir(), 'countersign-conformance-'));

/** A Node of 22 or newer, which the suite needs: this one, or that of the npm project. */
function node() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const packed = join(modules, `node-${process.platform}-${process.arch}/bin/node`);
  if (existsSync(packed)) return packed;
  throw new Error('the conformance suite needs Node 22: run this script with Node 22 or newer');
}

/** The golden file of an era: `[{ feature, scenario }]`. */
function lacking(era) {
  const text = readFileSync(new URL(`${era}.txt`, import.meta.url), 'utf8');
  return text.split('\n').filter(line => line && !line.startsWith('#')).map(line => {
    const [feature, scenario] = line.split(': ');
    assert.ok(LACKING.includes(feature), `${era}.txt: ${feature} is no feature the wallet lacks`);
    assert.ok(!MUST_PASS[era].includes(scenario), `${era}.txt: ${scenario} must pass`);
    return { feature, scenario };
  });
}

/** Runs the suite and gives its exit code and what it wrote. */
async function judge(era, url) {
  const expected = join(scratch, `${era}.yml`);
  const lines = lacking(era).map(({ scenario }) => `  - ${scenario}\n`);
  writeFileSync(expected, `server:\n${lines.join('')}`);
  const child = spawn(node(), [suite, 'server', '--url', url, '--requirements', era,
    '--expected-failures', expected, '-o', join(scratch, era)]);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', more => (text += more));
  const code = await new Promise(done => child.once('close', done));
  return { code, text };
}

/** Passed by the bridge, not by the wallet. */
const OF_HTTP = ['dns-rebinding-protection', 'http-header-validation', 'server-session-lifecycle'];

/** The scenarios that the wallet passed in full and for which it is not excused. */
function passed(era, text) {
  const others = [...OF_HTTP, ...lacking(era).map(({ scenario }) => scenario)];
  const summary = text.slice(text.indexOf('=== SUMMARY ==='));
  return [...summary.matchAll(/^✓ ([a-z0-9-]+): ([0-9]+) passed, 0 failed/gm)]
    .filter(([, , count]) => count !== '0')
    .map(([, name]) => name)
    .filter(name => !others.includes(name));
}

const site = await serve({
  '/': { body: '<!doctype html><script src="/agent.js"></script>' },
  '/agent.js': { body: await bundle(), type: 'text/javascript' },
});
const browser = await Browser.launch({ extension: artefact() });
const bridge = await startBridge(browser);
const totals = [];

for (const era of Object.keys(MUST_PASS)) {
  const { code, text } = await judge(era, bridge.url);
  const names = passed(era, text);
  const excused = lacking(era).length;
  test(`${era}: nothing fails but what the wallet lacks on purpose`, () =>
    assert.equal(code, 0, text));
  for (const scenario of new Set([...MUST_PASS[era], ...names]))
    test(`${era}: ${scenario}`, () => assert.ok(names.includes(scenario), text));
  totals.push(`${era} ${names.length} pass, ${excused} lack a feature`);
}

for (const kind of ['v1', 'v2', 'v2 auto'])
  test(`client ${kind} hears that the list of tools changed`, async () => {
    const page = await browser.open(`${site.url}/`);
    const seen = await page.evaluate(async kind => {
      let heard;
      const changed = new Promise(done => (heard = done));
      const listChanged = {
        tools: { autoRefresh: false, debounceMs: 0, onChanged: error => heard(error ?? 'heard') },
      };
      const client = await agent.connect(kind, 'countersign:changes', { listChanged });
      await client.callTool({ name: 'test_trigger_tool_change', arguments: {} });
      return changed;
    }, kind);
    assert.equal(seen, 'heard');
    await page.close();
  });

for (const kind of ['v1', 'v2', 'v2 auto'])
  test(`client ${kind} hears of progress`, async () => {
    const page = await browser.open(`${site.url}/`);
    const seen = await page.evaluate(async kind => {
      const client = await agent.connect(kind);
      const heard = [];
      const onprogress = ({ progress }) => heard.push(progress);
      const call = { name: 'test_tool_with_progress', arguments: {} };
      await (kind === 'v1'
        ? client.callTool(call, undefined, { onprogress })
        : client.callTool(call, { onprogress }));
      return heard;
    }, kind);
    assert.deepEqual(seen, [0, 50, 100]);
    await page.close();
  });

await run({
  after: async failed => {
    bridge.close();
    site.close();
    await browser.close();
    rmSync(scratch, { recursive: true, force: true });
    if (!failed) console.log(`conformance: ok ${totals.join('; ')}`);
  },
});
