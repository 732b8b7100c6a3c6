// What is driven is what was built: each file of the artefact against the record of the build.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The files of the artefact, by name. */
export function files(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .map(path => [path.slice(folder.length).replace(/^\//, ''), readFileSync(path)]);
}

/** The artefact's hash, after every file was found to be as the build left it. */
export function hash(folder) {
  const record = JSON.parse(readFileSync(join(folder, '../BUILD.json'), 'utf8'));
  const names = [];
  for (const [name, bytes] of files(folder)) {
    names.push(name);
    assert.equal(createHash('sha256').update(bytes).digest('hex'), record.files[name]?.sha256,
      `${name} is not as the build left it`);
  }
  assert.deepEqual(names.sort(), Object.keys(record.files).sort());
  return record.sha256;
}

/** The files of the artefact in which a principal occurs, as text or as bytes. */
export function holding(folder, principal) {
  const base32 = principal.replaceAll('-', '').toUpperCase();
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...base32].map(c => alphabet.indexOf(c).toString(2).padStart(5, '0')).join('');
  const bytes = Buffer.from(bits.match(/.{8}/g).map(byte => parseInt(byte, 2))).subarray(4);
  assert.equal(bytes.length, 10);
  return files(folder)
    .filter(([, content]) => content.includes(principal) || content.includes(bytes))
    .map(([name]) => name);
}
