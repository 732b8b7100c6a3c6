// A small client of the X protocol: the hand of a person at a real screen, and the window manager's
// ear. What it sends passes through the display server (extension XTEST), the window manager and the
// whole of Chromium's input, as what a mouse or keyboard sends does; focus, blur, moves and sizes
// are the window manager's. Input that is dispatched over CDP is trusted too, but enters below all
// of that: it reaches windows that have no focus, and its held keys do not repeat by themselves.

import { createConnection } from 'node:net';
import { join } from 'node:path';

const EVENT = { keyDown: 2, keyUp: 3, buttonDown: 4, buttonUp: 5, motion: 6 };

/** The requests of the core protocol that are used. */
const OP = { internAtom: 16, getProperty: 20, sendEvent: 25, getInputFocus: 43, queryExtension: 98,
  keyboardMapping: 101 };

/** XTEST's request that makes up an event. */
const FAKE_INPUT = 2;

/** Keys by what they are called in X. */
const KEYSYM = { Return: 0xff0d, Tab: 0xff09, space: 0x20, F5: 0xffc2, w: 0x77,
  Control_L: 0xffe3, Alt_L: 0xffe9, f: 0x66,
  Shift_L: 0xffe1 };

/** Where every display listens, whatever folder is for temporary files. */
const SOCKETS = join('/', 'tmp', '.X11-unix');

const LEFT = 1;

/** The wheel, turned towards the hand, is a button too. */
const WHEEL = 5;

/** To whom a message for the window manager goes: whoever minds the root's children. */
const SUBSTRUCTURE = 0x00180000;

const padded = length => (length + 3) & ~3;

/** A connection to one display. */
export class X {
  #socket;
  #rest = Buffer.alloc(0);
  #sequence = 0;
  #waiting = [];
  #ready;
  #atoms = new Map();

  /** Connects to a local display that asks for no key, as one that this user started. */
  static async connect(display) {
    const x = new X();
    x.#socket = createConnection(join(SOCKETS, `X${display}`));
    x.#socket.on('data', bytes => x.#take(bytes));
    const ready = new Promise((done, failed) => {
      x.#ready = done;
      x.#socket.once('error', failed);
    });
    x.#socket.write(Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
    await ready;
    x.#socket.on('error', () => {});
    const xtest = await x.#asks(OP.queryExtension, 0, x.#text('XTEST'));
    if (!xtest[8]) throw new Error('the display has no extension XTEST');
    x.xtest = xtest[9];
    x.keys = await x.#keycodes();
    return x;
  }

  #take(bytes) {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    while (this.#rest.length >= (this.root ? 32 : 8)) {
      const rest = this.#rest;
      const extra = this.root ? (rest[0] === 1 ? rest.readUInt32LE(4) * 4 : 0) : rest.readUInt16LE(6) * 4;
      const length = (this.root ? 32 : 8) + extra;
      if (rest.length < length) return;
      this.#rest = rest.subarray(length);
      if (this.root) this.#heard(rest.subarray(0, length));
      else this.#begun(rest.subarray(0, length));
    }
  }

  /** The display's first word: what it has. Of it the first screen's root is of use, and the keys. */
  #begun(setup) {
    if (setup[0] !== 1) throw new Error(`the display refused: ${setup.subarray(8, 8 + setup[1])}`);
    [this.first, this.last] = [setup[34], setup[35]];
    this.root = setup.readUInt32LE(40 + padded(setup.readUInt16LE(24)) + 8 * setup[29]);
    this.#ready();
  }

  #heard(message) {
    const [kind] = message;
    if (kind > 1) return;
    const sequence = message.readUInt16LE(2);
    const at = this.#waiting.findIndex(waiting => waiting.sequence === sequence);
    if (kind === 0) {
      const error = new Error(`the display refused request ${message[10]}: error ${message[1]}`);
      if (at < 0) throw error;
      return this.#waiting.splice(at, 1)[0].failed(error);
    }
    this.#waiting.splice(at, 1)[0].done(message);
  }

  /** A text as the last part of a request, after its length. */
  #text(text) {
    const body = Buffer.alloc(4 + padded(text.length));
    body.writeUInt16LE(text.length, 0);
    body.write(text, 4, 'latin1');
    return body;
  }

  #sends(op, detail, body = Buffer.alloc(0)) {
    const request = Buffer.alloc(4 + body.length);
    request.writeUInt8(op, 0);
    request.writeUInt8(detail, 1);
    request.writeUInt16LE(request.length / 4, 2);
    body.copy(request, 4);
    this.#socket.write(request);
    this.#sequence = (this.#sequence + 1) & 0xffff;
  }

  #asks(op, detail, body) {
    this.#sends(op, detail, body);
    return new Promise((done, failed) =>
      this.#waiting.push({ sequence: this.#sequence, done, failed }));
  }

  async #keycodes() {
    const range = Buffer.from([this.first, this.last - this.first + 1, 0, 0]);
    const reply = await this.#asks(OP.keyboardMapping, 0, range);
    const each = reply[1];
    const codes = {};
    for (let at = 32, code = this.first; at < reply.length; at += 4 * each, code++)
      for (const [name, sym] of Object.entries(KEYSYM))
        if (reply.readUInt32LE(at) === sym) codes[name] = code;
    return codes;
  }

  /** Waits until the display has done everything that it was sent. */
  async settled() {
    await this.#asks(OP.getInputFocus, 0);
  }

  #fakes(type, detail, { x = 0, y = 0 } = {}) {
    const body = Buffer.alloc(32);
    body.writeUInt8(type, 0);
    body.writeUInt8(detail, 1);
    body.writeInt16LE(Math.round(x), 20);
    body.writeInt16LE(Math.round(y), 22);
    this.#sends(this.xtest, FAKE_INPUT, body);
  }

  /** Moves the pointer to a place of the screen. */
  moves(at) { this.#fakes(EVENT.motion, 0, at); }

  /** Presses the left button, or lets go of it. */
  presses() { this.#fakes(EVENT.buttonDown, LEFT); }
  releases() { this.#fakes(EVENT.buttonUp, LEFT); }

  clicks() {
    this.presses();
    this.releases();
  }

  /** Turns the wheel by one notch, so that what lies below comes up. */
  turns() {
    this.#fakes(EVENT.buttonDown, WHEEL);
    this.#fakes(EVENT.buttonUp, WHEEL);
  }

  /** Presses a key by its name in X, or lets go of it. */
  keyDown(name) { this.#fakes(EVENT.keyDown, this.keys[name]); }
  keyUp(name) { this.#fakes(EVENT.keyUp, this.keys[name]); }

  key(name) {
    this.keyDown(name);
    this.keyUp(name);
  }

  /** Presses a key while others are held. */
  keyWith(held, name) {
    for (const one of held) this.keyDown(one);
    this.key(name);
    for (const one of held.toReversed()) this.keyUp(one);
  }

  async atom(name) {
    if (!this.#atoms.has(name)) {
      const reply = await this.#asks(OP.internAtom, 0, this.#text(name));
      this.#atoms.set(name, reply.readUInt32LE(8));
    }
    return this.#atoms.get(name);
  }

  /** The 32-bit values of a window's property; none where it has no such. */
  async property(window, name) {
    const body = Buffer.alloc(20);
    body.writeUInt32LE(window, 0);
    body.writeUInt32LE(await this.atom(name), 4);
    body.writeUInt32LE(1024, 16);
    const reply = await this.#asks(OP.getProperty, 0, body);
    if (reply[1] !== 32) return [];
    return Array.from({ length: reply.readUInt32LE(16) }, (_, n) => reply.readUInt32LE(32 + 4 * n));
  }

  /** Tells the window manager something about a window, as a task bar or a pager does. */
  async tells(window, name, values) {
    const body = Buffer.alloc(40);
    body.writeUInt32LE(this.root, 0);
    body.writeUInt32LE(SUBSTRUCTURE, 4);
    body.writeUInt8(33, 8);
    body.writeUInt8(32, 9);
    body.writeUInt32LE(window, 12);
    body.writeUInt32LE(await this.atom(name), 16);
    values.forEach((value, n) => body.writeUInt32LE(value >>> 0, 20 + 4 * n));
    this.#sends(OP.sendEvent, 0, body);
    await this.settled();
  }

  close() {
    this.#socket.destroy();
  }
}
