// Presses that a person does not mean, and windows that change under the hand: on a real screen, by
// a real hand, in the packed extension. None decides, and each scenario ends with a press that is
// meant, in the same window and at the same place, which does: so each can fail both ways.
// Usage: node tests/press/run.mjs [folder of the extension]
//
// Needs Xvfb and openbox. The last line counts the presses that reached a window that asked.

import { run } from '../e2e/suite.mjs';
import { Desk, closing } from './desk.mjs';
import { leaving } from './leaving.mjs';
import { pressing } from './pressing.mjs';
import { turning } from './turning.mjs';

const desk = await Desk.open();
turning(desk);
pressing(desk);
leaving(desk);

await run({
  tidy: () => desk.tidy(),
  after: async () => {
    await desk.close();
    console.log(closing());
  },
});
