// Streamable HTTP on one side, a page with the packed extension on the other, so that the official
// conformance suite, which speaks HTTP only, judges the wallet's own wire.
//
// Every HTTP session (legacy era) or request (modern era) has a channel of its own, so that ids of
// different clients never meet, and the channels are spread over several documents. What only HTTP
// demands (hosts, headers, sessions, status codes) is done here and is no merit of the wallet.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { serve } from '../e2e/browser.mjs';

const MODERN = '2026-07-28';
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const STATUS = { [-32601]: 404, [-32602]: 400, [-32020]: 400, [-32021]: 400, [-32022]: 400 };
const NAMED_BY = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };

const isLoopback = host => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host ?? '');
const problem = (id, code, message) =>
  ({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error: { code, message } });

/** The wallet takes 20 messages a second from a document; the suite's bursts need several. */
const DOCUMENTS = 12;

/** A document that posts, and hands what it hears to the channel's listener. */
async function openDocument(browser, url, listeners) {
  const page = await browser.open();
  await page.expose('heard', ({ channel, payload }) => listeners.get(channel)?.(payload));
  await page.goto(url);
  await page.evaluate(() => addEventListener('message', ({ source, data }) => {
    if (source === window && data?.direction === 'server-to-client') heard(data);
  }));
  return (channel, payload) => page.evaluate((channel, payload) => postMessage(
    { channel, type: 'mcp', direction: 'client-to-server', payload }, origin), channel, payload);
}

/** Channels of documents, one document after the other. */
async function pageSide(browser) {
  const site = await serve({ '/': { body: '<!doctype html><title>bridge</title>' } });
  const listeners = new Map();
  const documents = [];
  while (documents.length < DOCUMENTS)
    documents.push(await openDocument(browser, `${site.url}/`, listeners));
  return {
    open(listener) {
      const channel = `countersign:${randomUUID()}`;
      const post = documents.shift();
      documents.push(post);
      listeners.set(channel, listener);
      return { send: payload => post(channel, payload), close: () => listeners.delete(channel) };
    },
    close: () => site.close(),
  };
}

/** A response that is JSON if it is one message, and a stream of events if it is more. */
class Stream {
  started = false;

  constructor(response) {
    this.response = response;
  }

  push(message) {
    if (!this.started) this.response.writeHead(200, { 'content-type': 'text/event-stream' });
    this.started = true;
    this.response.write(`data: ${JSON.stringify(message)}\n\n`);
  }
}

const json = (response, status, body, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(body === undefined ? '' : JSON.stringify(body));

const isAnswerTo = (id, message) => message.method === undefined && message.id === id;

/** The legacy era: a session, begun by `initialize`, and a stream for each request. */
class Session {
  id = randomUUID();
  #open = new Map();

  constructor(page) {
    this.channel = page.open(message => {
      if (message.method === undefined) this.#open.get(message.id)?.(message);
      // A notification belongs to the session; it goes out on whatever stream is open.
      else [...this.#open.values()].at(-1)?.(message);
    });
  }

  async take(message, response, headers) {
    if (message.id === undefined || message.method === undefined) {
      await this.channel.send(message);
      return json(response, 202);
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
    this.#open.set(message.id, answer => {
      response.write(`data: ${JSON.stringify(answer)}\n\n`);
      if (!isAnswerTo(message.id, answer)) return;
      this.#open.delete(message.id);
      response.end();
    });
    response.on('close', () => this.#open.delete(message.id));
    await this.channel.send(message);
  }
}

/** The modern era: a request stands alone; to hang up is to cancel. */
async function takeModern(page, message, response) {
  const stream = new Stream(response);
  let answered = message.id === undefined;
  const channel = page.open(answer => {
    if (!isAnswerTo(message.id, answer) && answer.id !== undefined) return;
    if (answer.method !== undefined) return stream.push(answer);
    answered = true;
    if (stream.started) {
      stream.push(answer);
      response.end();
    } else json(response, answer.error ? STATUS[answer.error.code] ?? 200 : 200, answer);
  });
  response.on('close', () => {
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled',
      params: { requestId: message.id } };
    if (!answered) channel.send(cancel).catch(() => {});
    channel.close();
  });
  await channel.send(message);
  if (message.id === undefined) json(response, 202);
}

/** The headers that must repeat what a modern request says (2026-07-28, "Transports"). */
function headersAgree({ headers }, { method, params }) {
  const version = params?._meta?.[VERSION_KEY];
  if (version === undefined) return true;
  const name = params?.[NAMED_BY[method]];
  return headers['mcp-protocol-version'] === version && headers['mcp-method'] === method &&
    (name === undefined || headers['mcp-name'] === name);
}

/** Starts the bridge. `url` is what to give to the suite. */
export async function startBridge(browser) {
  const page = await pageSide(browser);
  const sessions = new Map();

  const handle = async (request, response) => {
    const { host, origin, 'mcp-session-id': sessionId } = request.headers;
    if (!isLoopback(host) || (origin && !isLoopback(new URL(origin).host)))
      return json(response, 403, problem(undefined, -32600, 'This host is not served.'));
    const session = sessions.get(sessionId);
    if (request.method === 'DELETE') {
      sessions.delete(sessionId);
      session?.channel.close();
      return json(response, session ? 200 : 404);
    }
    if (request.method !== 'POST')
      return json(response, 405, problem(undefined, -32600, 'POST only.'), { allow: 'POST, DELETE' });

    let text = '';
    for await (const chunk of request) text += chunk;
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return json(response, 400, problem(undefined, -32700, 'This is not JSON.'));
    }
    if (Array.isArray(message))
      return json(response, 400, problem(undefined, -32600, 'Batches are not served.'));

    const version = message.params?._meta?.[VERSION_KEY];
    const begins = message.method === 'initialize' && version === undefined &&
      request.headers['mcp-protocol-version'] !== MODERN;
    if (session) return session.take(message, response);
    if (begins) {
      const begun = new Session(page);
      sessions.set(begun.id, begun);
      return begun.take(message, response, { 'mcp-session-id': begun.id });
    }
    if (sessionId !== undefined)
      return json(response, 404, problem(message.id, -32600, 'There is no such session.'));
    if (message.id !== undefined && !headersAgree(request, message))
      return json(response, 400, problem(message.id, -32020, 'Headers and body disagree.'));
    return takeModern(page, message, response);
  };

  const server = createServer((request, response) => handle(request, response).catch(error => {
    console.error(error);
    if (!response.headersSent) json(response, 500, problem(undefined, -32603, 'The bridge failed.'));
  }));
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    close: () => {
      server.close();
      server.closeAllConnections();
      page.close();
    },
  };
}
