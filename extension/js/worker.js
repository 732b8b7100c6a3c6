// Entry of the service worker. The browser wakes it for events whose listeners must stand before
// the first turn ends, long before the wasm is loaded: so they are registered here, and what
// comes early waits in order. It decides nothing: each event is an export of the wasm
// (`extension/src`), and a port is known there by its number.
import init, * as wasm from './worker_glue.js';

const ports = new Map();
let lastPort = 0;
let early = [];
let broken = false;

const call = (name, args) => {
  try {
    wasm[name](...args);
  } catch (error) {
    console.error(`countersign: ${name} failed`, error);
  }
};

const pass = (name, ...args) => {
  if (early) early.push([name, args]);
  else call(name, args);
};

chrome.runtime.onConnect.addListener(port => {
  if (broken) return port.disconnect();
  const number = ++lastPort;
  ports.set(number, port);
  port.onMessage.addListener(text => pass('port_message', number, text));
  port.onDisconnect.addListener(() => {
    // Read, so that the browser does not report it: a page that is gone is no fault.
    void chrome.runtime.lastError;
    ports.delete(number);
    pass('port_closed', number);
  });
  pass('port_opened', number, port);
});
chrome.runtime.onInstalled.addListener(({ reason }) => pass('installed', reason));
chrome.runtime.onStartup.addListener(() => pass('browser_started'));
chrome.alarms.onAlarm.addListener(({ name }) => pass('alarm', name));
chrome.windows.onRemoved.addListener(id => pass('window_removed', id));

init({ module_or_path: new URL('worker.wasm', import.meta.url) }).then(
  () => {
    const waiting = early;
    early = null;
    for (const [name, args] of waiting) call(name, args);
  },
  error => {
    // Nothing works without it. Closing the ports lets pages tell their callers at once.
    console.error('countersign: the worker cannot start', error);
    broken = true;
    for (const port of ports.values()) port.disconnect();
  },
);
