// Every state of every page, in the artefact itself, driven there by hand: in light and dark,
// narrow and wide. The pictures lie in target/shots with a page that shows them all. What a screen reader
// says in each state is a golden file in tests/golden/shots.
// Usage: node tests/shots/run.mjs <folder of the extension> [--bless]

import { fileURLToPath } from 'node:url';
import { Stage } from '../e2e/stage.mjs';
import { Album } from './album.mjs';
import * as adding from './adding.mjs';
import * as confirming from './confirming.mjs';
import * as crowding from './crowding.mjs';
import * as settings from './settings.mjs';
import * as wallet from './wallet.mjs';

const here = path => fileURLToPath(new URL(path, import.meta.url));
const album = new Album({
  pictures: here('../../target/shots/'),
  golden: here('../golden/shots/'),
  bless: process.argv.includes('--bless'),
  states: [
    ...wallet.FIRST,
    ...confirming.CONNECTING,
    ...wallet.CONNECTED,
    ...confirming.PAYING,
    ...confirming.IN_DOUBT,
    ...wallet.OVER,
    ...adding.ADDING,
    ...crowding.CROWDING,
    ...settings.SETTINGS,
  ],
});

// Pages are in the browser's language, and times in its zone.
process.env.TZ = 'UTC';
const stage = await Stage.open({ odd: true, browser: { args: ['--lang=en-US'] } });
let error;
try {
  const shown = { album, stage, shoot: album.shoot.bind(album) };
  await wallet.first(shown);
  const shop = await confirming.connecting(shown);
  await wallet.connected(shown, shop);
  await confirming.paying(shown, shop);
  await confirming.inDoubt(shown, shop);
  await wallet.over(shown, shop);
  await adding.adding(shown);
  await crowding.crowding(shown, shop);
  await settings.settings(shown, shop);
} catch (failure) {
  error = failure;
}
const code = await album.end(error);
await stage.close().catch(() => {});
process.exit(code);
