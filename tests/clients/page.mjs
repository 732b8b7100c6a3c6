// What a test page has: other people's clients, unchanged, and a way to post raw envelopes.

import { TabClientTransport } from '@mcp-b/transports';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';

const info = { name: 'agent', version: '1' };

/** Connects a client: `v1`, `v2` (its default), or `v2 auto`. */
async function connect(kind, channelId = 'countersign', options = {}) {
  const auto = kind === 'v2 auto' ? { versionNegotiation: { mode: 'auto' } } : {};
  const Client = kind === 'v1' ? ClientV1 : ClientV2;
  const client = new Client(info, { ...options, ...auto });
  client.stray = [];
  client.onerror = error => client.stray.push(error.message);
  await client.connect(new TabClientTransport({ targetOrigin: location.origin, channelId }));
  return client;
}

const errorOf = promise => promise.then(() => null, ({ code, message }) => ({ code, message }));

/**
 * Posts payloads on a channel as they are, and gives what comes back: `count` messages, or those
 * of `ms` milliseconds where no count is known.
 */
function raw(channel, payloads, { count, ms }) {
  return new Promise((done, failed) => {
    const heard = [];
    const listener = ({ source, data }) => {
      if (source !== window || data?.direction !== 'server-to-client') return;
      if (data.channel !== channel) return;
      heard.push(data.payload);
      if (heard.length === count) finish(done);
    };
    const finish = settle => {
      removeEventListener('message', listener);
      clearTimeout(timer);
      settle(heard);
    };
    const timer = setTimeout(() => {
      if (count === undefined) finish(done);
      else finish(() => failed(new Error(`${heard.length} of ${count} answers came`)));
    }, ms ?? 10_000);
    addEventListener('message', listener);
    for (const payload of payloads)
      postMessage({ channel, type: 'mcp', direction: 'client-to-server', payload }, '*');
  });
}

globalThis.agent = { connect, errorOf, raw };
