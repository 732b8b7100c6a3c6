// Entry of the service worker. The browser wakes it for events whose listeners must stand before
// the first turn ends, long before the wasm is loaded: so they are registered here, and what
// comes early waits in order. It decides nothing: each event is an export of the wasm
// (`extension/src`), and a port is known there by its number.
import init, * as wasm from './worker_glue.js';

const ports = new Map();
let lastPort = 0;
let early = [];
let broken = false;

// Nothing works any more in this life of the worker. Closing the ports lets pages tell their
// callers at once; a worker without ports is soon ended, and the next starts from what is stored.
const give_up = error => {
  console.error('countersign: the worker cannot go on', error);
  broken = true;
  for (const port of ports.values()) port.disconnect();
  ports.clear();
};

const call = (name, args) => {
  if (broken) return;
  try {
    wasm[name](...args);
  } catch (error) {
    give_up(error);
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
chrome.commands.onCommand.addListener(name => pass('shortcut', name));
chrome.action.onClicked.addListener(() => pass('action_clicked'));
// A trap leaves the wasm's memory in no known state. What was awaited shows it only here.
for (const event of ['error', 'unhandledrejection'])
  self.addEventListener(event, ({ error, reason }) => {
    const thrown = error ?? reason;
    if (thrown instanceof WebAssembly.RuntimeError) give_up(thrown);
  });

init({ module_or_path: new URL('worker.wasm', import.meta.url) }).then(
  () => {
    const waiting = early;
    early = null;
    for (const [name, args] of waiting) call(name, args);
  },
  give_up,
);
