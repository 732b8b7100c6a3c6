// The demo's web server: the agent's page, and a mint for the local network.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { build } from 'esbuild';
import { code } from '../clients/integrate.mjs';

const here = name => new URL(name, import.meta.url).pathname;

/** The page's script, with the code of extension/INTEGRATE.md under the name `integrate`. */
async function script() {
  const integrate = {
    name: 'integrate',
    setup(at) {
      at.onResolve({ filter: /^integrate$/ }, () => ({ path: 'integrate', namespace: 'integrate' }));
      at.onLoad({ filter: /.*/, namespace: 'integrate' },
        () => ({ contents: code, loader: 'ts', resolveDir: here('.') }));
    },
  };
  const { outputFiles } = await build({
    entryPoints: [here('agent.mjs')],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'chrome123',
    logLevel: 'error',
    plugins: [integrate],
  });
  return outputFiles[0].text;
}

/**
 * Serves the page on loopback. Whoever connects is given units of each ledger, once.
 * @param {{units: Record<string, bigint>, network: import('../agents/localnet.mjs').Localnet}} of
 */
export async function serveAgent({ network, units }) {
  const files = {
    '/': { type: 'text/html; charset=utf-8', body: readFileSync(here('agent.html')) },
    '/agent.css': { type: 'text/css', body: readFileSync(here('agent.css')) },
    '/agent.js': { type: 'text/javascript; charset=utf-8', body: await script() },
  };
  const given = new Set();
  const fund = async body => {
    const { account } = JSON.parse(body);
    if (given.has(account)) return;
    given.add(account);
    for (const [ledger, amount] of Object.entries(units)) await network.mint(ledger, account, amount);
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://x');
    if (request.method === 'POST' && pathname === '/fund') {
      let body = '';
      request.on('data', more => (body += more));
      request.on('end', () => fund(body).then(
        () => response.writeHead(204).end(),
        error => response.writeHead(500).end(error.message)));
      return;
    }
    const file = files[pathname];
    if (!file) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': file.type }).end(file.body);
  });
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}
