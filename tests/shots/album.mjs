// The pictures of a run, what was said in each state, and what comes of both.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { found } from '../e2e/axe.mjs';
import { said, steady } from './said.mjs';

/** Width and least height of a picture, in CSS pixels. */
const SIZES = { 360: [360, 640], 720: [720, 720] };
const SCHEMES = ['light', 'dark'];

export class Album {
  #pictures = new Map();
  #states = [];
  #failed = false;

  /**
   * @param {{pictures: string, golden: string, bless: boolean, states: string[]}} options
   * Folders of the pictures and of the golden files, and every state that is to be reached.
   */
  constructor(options) {
    Object.assign(this, options, { named: [] });
    rmSync(this.pictures, { recursive: true, force: true });
    for (const folder of [this.pictures, this.golden]) mkdirSync(folder, { recursive: true });
  }

  /** A text or pattern that differs from run to run, and what is written in its place. */
  calls(text, name) {
    this.named.push([text, name]);
  }

  /** A line for a test: `ok NAME`, or `not ok NAME` and why. */
  async #judge(name, work) {
    try {
      await work();
      console.log(`ok ${name}`);
    } catch (error) {
      this.#failed = true;
      console.log(`not ok ${name}`);
      console.log(String(error?.message ?? error).replace(/^/gm, '  '));
    }
  }

  /**
   * Takes the pictures of a state and compares what is said in it. `settled` waits until the page
   * is in its state again: a window that changes its size asks the person to look anew. `whole`
   * is as high as the page, else as high as a small window. `schemes` are what the system is set to.
   */
  async shoot(state, hand, { settled = async () => {}, whole = true, schemes = SCHEMES } = {}) {
    assert.equal(this.states[this.#states.length], state, 'the states in their order');
    const { page } = hand;
    await hand.front();
    const emulate = (what, parameters) => page.send(`Emulation.${what}`, parameters);
    const heard = new Set();
    const wide = [];
    const broken = new Set();
    const taken = [];
    await emulate('setScrollbarsHidden', { hidden: true });
    for (const [size, [width, least]] of Object.entries(SIZES)) {
      const fit = height => emulate('setDeviceMetricsOverride',
        { width, height, deviceScaleFactor: 1, mobile: false });
      const tall = async () =>
        (whole ? page.evaluate(() => document.documentElement.scrollHeight) : least);
      for (let [height, needed] = [0, least]; needed > height;) {
        height = needed;
        await fit(height);
        needed = await tall();
        if (needed > height) continue;
        await settled();
        needed = await tall();
      }
      await painted(page);
      wide.push(...await page.evaluate(tooWide));
      heard.add(steady(await said(page), this.named));
      for (const value of schemes) {
        await emulate('setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
        await painted(page);
        const picture = await page.screenshot();
        const name = `${state}-${size}-${value}`;
        writeFileSync(join(this.pictures, `${name}.png`), picture);
        taken.push([name, createHash('sha256').update(picture).digest('hex')]);
        for (const line of await found(text => page.evaluates(text))) broken.add(line);
      }
    }
    await emulate('setScrollbarsHidden', { hidden: false });
    await emulate('clearDeviceMetricsOverride');
    await emulate('setEmulatedMedia', { features: [] });
    this.#states.push([state, taken.map(([name]) => name)]);
    const texts = [...heard];
    const file = join(this.golden, `${state}.txt`);
    if (this.bless) writeFileSync(file, texts[0]);
    await this.#judge(`shots: ${state}`, () => {
      assert.deepEqual(wide, [], 'nothing is wider than the window');
      assert.deepEqual([...broken], [], 'what axe finds');
      assert.deepEqual(page.errors, [], 'errors of the page');
      for (const [name, hash] of taken) {
        assert.equal(this.#pictures.get(hash), undefined, `${name} is a picture of its own`);
        this.#pictures.set(hash, name);
      }
      assert.equal(texts[1] ?? texts[0], texts[0], 'the same is said at every width');
      assert.ok(existsSync(file), `no ${state}.txt: look at the pictures, then --bless`);
      assert.equal(texts[0], readFileSync(file, 'utf8'));
    });
  }

  /** Ends the run: `error` is what kept it from going on, if anything did. Gives the exit code. */
  async end(error) {
    const missing = this.states.slice(this.#states.length);
    for (const [i, state] of missing.entries())
      await this.#judge(`shots: ${state}`, () => {
        throw new Error(i ? `not reached, as ${missing[0]}` : `not reached: ${error?.stack}`);
      });
    if (this.bless && !error)
      for (const name of this.#stray()) rmSync(join(this.golden, name));
    await this.#judge('shots: every golden file is of a state',
      () => assert.deepEqual(this.#stray(), []));
    writeFileSync(join(this.pictures, 'index.html'), index(this.#states));
    return this.#failed ? 1 : 0;
  }

  #stray() {
    const known = new Set(this.states.map(state => `${state}.txt`));
    return readdirSync(this.golden).filter(name => !known.has(name));
  }
}

/** Waits until what stands in the page is on the screen. */
const painted = page => page.evaluate(() => new Promise((done, failed) => {
  requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
  setTimeout(() => failed(new Error('the page is not painted')), 15_000);
}));

/** What is wider than the window, or than a box that cuts it off. */
function tooWide() {
  const width = document.documentElement.clientWidth;
  const cut = element => getComputedStyle(element).overflowX !== 'visible'
    && element.scrollWidth > element.clientWidth + 1 && !element.matches('input');
  return [...document.body.querySelectorAll('*')]
    // What a closed fold holds is not laid out, and stands where it last stood.
    .filter(element => element.checkVisibility() && !element.closest('.unseen'))
    .filter(element => element.getBoundingClientRect().right > width + 0.5 || cut(element))
    .map(element => element.outerHTML.slice(0, 160));
}

/** A page that shows every picture. */
function index(states) {
  const shown = names => names.map(name =>
    `<a href="${name}.png"><img src="${name}.png" alt="${name}" loading="lazy"></a>`).join('');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Every state of every page</title>
<style>body{margin:24px;font:15px/1.4 system-ui;background:#777;color:#fff}h2{margin:32px 0 8px}
div{display:flex;gap:12px;align-items:flex-start;overflow-x:auto}img{display:block}</style>
<h1>Every state of every page</h1>
${states.map(([state, names]) => `<h2 id="${state}">${state}</h2><div>${shown(names)}</div>`)
    .join('\n')}
</html>
`;
}
