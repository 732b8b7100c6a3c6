// Bundles the page's script, with the clients as npm has them.

import { build } from 'esbuild';

/** The script as text. */
export async function bundle(entry = new URL('page.mjs', import.meta.url).pathname) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'chrome123',
    logLevel: 'error',
  });
  return outputFiles[0].text;
}
