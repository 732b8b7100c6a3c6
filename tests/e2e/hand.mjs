// What a person does at a page: looks for things by what they are and are called, as a screen
// reader says it, and presses and types with trusted input.

import { setTimeout as after } from 'node:timers/promises';
import { PageGone, until } from './cdp.mjs';

const named = (node, name) => {
  // An amount has a space that does not break.
  const said = (node.name?.value ?? '').replace(/\s+/g, ' ').trim();
  return name instanceof RegExp ? name.test(said) : said === name;
};

/** The hands and eyes of a person at one page. */
export class Hand {
  /** @param {import('./cdp.mjs').Page} page */
  constructor(page) {
    this.page = page;
  }

  /** Everything of a role with this name (a text, or a pattern) that is there now. */
  async all(role, name) {
    const { root } = await this.page.send('DOM.getDocument', { depth: 0 });
    const { nodes } = await this.#query({ nodeId: root.nodeId, role });
    return nodes.filter(node => !node.ignored && named(node, name));
  }

  /** A page that is not in front is not drawn, and a query of it not answered until it is. */
  async #query(what) {
    for (let asked = 0; asked < 10; asked++) {
      const query = this.page.send('Accessibility.queryAXTree', what);
      const answer = await Promise.race([query, after(1000)]);
      if (answer) return answer;
      query.catch(() => {});
      await this.front();
    }
    throw new Error('the browser does not say what is on the page');
  }

  /** Whether there is such a thing now. */
  async sees(role, name) {
    return (await this.all(role, name).catch(() => [])).length > 0;
  }

  /** The first such thing, once it is there. */
  async find(role, name, seconds) {
    const found = await until(
      async () => (await this.all(role, name).catch(() => []))[0],
      `${role} ${name} on ${await this.page.evaluate(() => location.pathname)}`,
      seconds,
    ).catch(async error => {
      throw new Error(`${error.message}; the page says:\n${await this.text()}`);
    });
    return found;
  }

  /** Runs a function on a thing, with it as `this`. */
  async with(node, work, ...args) {
    const { object } = await this.page.send('DOM.resolveNode', { backendNodeId: node.backendDOMNodeId });
    const { result, exceptionDetails } = await this.page.send('Runtime.callFunctionOn', {
      objectId: object.objectId,
      functionDeclaration: `function (...args) { return (${work}).apply(this, args); }`,
      arguments: args.map(value => ({ value })),
      returnByValue: true,
    });
    if (exceptionDetails)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Brings the page to the front, as a click on its tab does. */
  async front() {
    await until(async () => {
      await this.page.send('Page.bringToFront');
      return this.page.evaluate(() => document.visibilityState === 'visible');
    }, 'the page in front');
  }

  /** The text that is seen. */
  text() {
    return this.page.evaluate(() => document.body?.innerText ?? '');
  }

  /** Waits until the page says this. */
  reads(text) {
    return until(() => this.text().then(seen => seen.replace(/\s+/g, ' ').includes(text)),
      `the page to say: ${text}`).catch(async error => {
      throw new Error(`${error.message}; it says:\n${await this.text()}`);
    });
  }

  mouse(type, at, more = {}) {
    return this.page.send('Input.dispatchMouseEvent', { type, ...at, ...more });
  }

  /** Where to press a thing: its middle, which must not be covered. */
  at(node) {
    return this.with(node, function () {
      const choice = this.matches('input[type=radio], input[type=checkbox]');
      const target = choice ? this.closest('label') ?? this : this;
      if (this.disabled) return null;
      target.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { x, y, width, height } = target.getBoundingClientRect();
      const at = { x: x + width / 2, y: y + height / 2 };
      const hit = document.elementFromPoint(at.x, at.y);
      return width && height && hit && (target.contains(hit) || hit.contains(target)) ? at : null;
    });
  }

  /** Presses a thing, once it can be pressed. */
  async press(role, name, seconds) {
    const at = await until(async () => {
      const [node] = await this.all(role, name).catch(() => []);
      return node && this.at(node).catch(() => null);
    }, `${role} ${name} that can be pressed`, seconds).catch(async error => {
      throw new Error(`${error.message}; the page says:\n${await this.text()}`);
    });
    await this.click(at);
  }

  /** A trusted press and release. What is pressed may close the page. */
  async click(at) {
    await this.mouse('mouseMoved', at);
    await this.mouse('mousePressed', at, { button: 'left', clickCount: 1 });
    await this.mouse('mouseReleased', at, { button: 'left', clickCount: 1 }).catch(error => {
      if (!(error instanceof PageGone)) throw error;
    });
  }

  /** Types into a field, in place of what stands there. */
  async fill(name, text) {
    await this.press('textbox', name);
    const node = await this.find('textbox', name);
    await this.with(node, function () { this.select(); });
    await this.page.type(text);
    await until(() => this.with(node, function () { return this.value; }).then(now => now === text),
      `the text in ${name}`);
  }

  /** What stands beside a name in a list of names and values. */
  fact(name) {
    return this.page.evaluate(name => {
      const term = [...document.querySelectorAll('dt')].find(dt => dt.textContent.trim() === name);
      return term?.nextElementSibling?.textContent.trim() ?? null;
    }, name);
  }
}
