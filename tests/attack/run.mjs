// Attacks on the packed extension in a real browser, with a local network and a person: a hostile
// page, frame, canister, profile, extension and disk, a file each. `tests/SECURITY.md` says which
// attack is played by which scenario, and what is not promised.
// Usage: node tests/attack/run.mjs [folder of the extension]
//
// A line `ok NAME` is an attack that did not succeed. The last line counts them.

import { artefact, run } from '../e2e/suite.mjs';
import { canister } from './canister.mjs';
import { device } from './device.mjs';
import { extension, loaded } from './extension.mjs';
import { frames } from './frames.mjs';
import { Ground, closing } from './ground.mjs';
import { page } from './page.mjs';
import { profile } from './profile.mjs';
import { renderer } from './renderer.mjs';

const hostile = loaded(artefact());
const ground = await Ground.open({ args: hostile.args });
for (const attacker of [page, frames, renderer, extension, profile, canister]) attacker(ground, hostile);
// The last: it ends the browser, and starts it again with what it did to the disk.
device(ground);

await run({
  tidy: () => ground.tidy(),
  after: async () => {
    await ground.close();
    hostile.clear();
    console.log(closing());
  },
});
