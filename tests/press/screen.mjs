// A screen of its own, with a window manager: Xvfb and openbox.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { until } from '../e2e/cdp.mjs';
import { X } from './x.mjs';

/** So large that a browser's window and a window beside it overlap nowhere. */
const SIZE = '1800x1100x24';

/** A program that ends with this one, and what it ends with where it does so by itself. */
function starts(program, args, options) {
  const child = spawn(program, args, options);
  process.once('exit', () => child.kill());
  const ended = new Promise((_, failed) => {
    child.once('error', error => failed(new Error(`${program} is needed, and could not be started: ${error.message}`)));
    child.once('exit', code => failed(new Error(`${program} ended with ${code}`)));
  });
  ended.catch(() => {});
  return { child, ended };
}

export class Screen {
  /** Starts a display under a free number, and the window manager on it. */
  static async open() {
    // The display says its number where it is told to: there it is free, and listens.
    const server = starts('Xvfb', ['-displayfd', '3', '-screen', '0', SIZE, '-nolisten', 'tcp'],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    const [display] = await Promise.race([
      once(createInterface({ input: server.child.stdio[3] }), 'line'), server.ended]);
    const screen = new Screen();
    const x = await X.connect(display);
    Object.assign(screen, { server, x, display: `:${display}` });
    screen.manager = starts('openbox', ['--sm-disable'],
      { stdio: 'ignore', env: { ...process.env, DISPLAY: screen.display } });
    await Promise.race([
      until(async () => (await x.property(x.root, '_NET_SUPPORTING_WM_CHECK')).length > 0,
        'the window manager'),
      screen.manager.ended,
    ]);
    return screen;
  }

  /** The windows that the window manager has, the oldest first. */
  windows() {
    return this.x.property(this.x.root, '_NET_CLIENT_LIST');
  }

  /** The window that has the focus. */
  async active() {
    return (await this.x.property(this.x.root, '_NET_ACTIVE_WINDOW'))[0] || null;
  }

  /** Raises a window and gives it the focus, as a task bar does; waits until it has it. */
  async activates(window) {
    await this.x.tells(window, '_NET_ACTIVE_WINDOW', [2, 0, 0]);
    await until(async () => (await this.active()) === window, 'the window to have the focus');
  }

  /** Moves a window, or gives it a size, as a pager does. */
  places(window, { x, y, width, height }) {
    const set = [x, y, width, height].reduce((flags, value, n) =>
      (value === undefined ? flags : flags | (1 << (8 + n))), 2 << 12);
    return this.x.tells(window, '_NET_MOVERESIZE_WINDOW', [set, x ?? 0, y ?? 0, width ?? 0, height ?? 0]);
  }

  close() {
    this.x.close();
    this.manager.child.kill();
    this.server.child.kill();
  }
}
