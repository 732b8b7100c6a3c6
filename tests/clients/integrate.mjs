// The code of extension/INTEGRATE.md, taken out of the page that developers read.

import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

const CLIENTS = {
  v1: '@modelcontextprotocol/sdk/client/index.js',
  v2: '@modelcontextprotocol/client',
};

const text = readFileSync(new URL('../../extension/INTEGRATE.md', import.meta.url), 'utf8');

/** The code as it stands there. */
export const code = text.match(/```ts\n([^]*?)```/)[1];

/** A script that puts its functions into `globalThis.integrate`, for the client `v1` or `v2`. */
export async function integrate(kind) {
  const { outputFiles } = await build({
    stdin: {
      contents: code.replace(CLIENTS.v2, CLIENTS[kind]),
      loader: 'ts',
      resolveDir: new URL('.', import.meta.url).pathname,
    },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'integrate',
    platform: 'browser',
    target: 'chrome123',
    logLevel: 'error',
  });
  return outputFiles[0].text;
}
