// The window loses the focus, is moved, and gets another size: each makes the button dead, and the
// time begins anew.

import { assert, scenario, until } from './desk.mjs';

export function turning(desk) {
  const { screen } = desk;

  scenario('a window that loses the focus is disarmed, and the focus\'s return starts the time anew',
    async () => {
      const window = await desk.asked('1.01 TKA', 'blur');
      await window.isReady();
      await window.comesTo();
      await window.once('disarmed', () => screen.activates(desk.agents));
      await window.hinted('Click into this window first');
      assert.ok(await window.count('blur') >= 1);
      await window.once('armed', () => window.once('focus', () => screen.activates(window.id)));
      // The pointer is where it was; that it came there was before.
      await window.hinted('Move the pointer off the button and back');
      await window.clicked();
      await window.undecided();
      await window.isReady();
      await window.isPaid();
    });

  scenario('the press that brings the focus back is no yes', async () => {
    const window = await desk.asked('1.02 TKA', 'first press');
    await window.isReady();
    await window.once('blur', () => screen.activates(desk.agents));
    await window.once('armed', () =>
      window.once('release', async () => {
        await window.comesTo();
        desk.x.clicks();
      }));
    assert.equal(await screen.active(), window.id);
    await window.undecided();
    await window.isReady();
    await window.isPaid();
  });

  scenario('a window that is dragged elsewhere is disarmed', async () => {
    const window = await desk.asked('1.03 TKA', 'moved');
    await window.isReady();
    const [from, blurs, sizes] = [await window.place(), await window.count('blur'), await window.count('resize')];
    // By its title, which is the window manager's.
    await window.once('armed', () => window.once('disarmed', () => window.once('move', () =>
      window.isDragged({ x: from.width / 2, y: -8 }, { x: 80, y: 40 }))));
    // Neither of these made it dead.
    assert.deepEqual([await window.count('blur'), await window.count('resize')], [blurs, sizes]);
    await window.undecided();
    await window.isReady();
    await window.isPaid();
  });

  scenario('a window that gets another size is disarmed, and has to be read to its end again', async () => {
    const window = await desk.asked('1.04 TKA', 'resized');
    await window.isReady();
    const { width, height } = await window.place();
    const blurs = await window.count('blur');
    // By its lower edge.
    await window.once('disarmed', () => window.once('resize', () =>
      window.isDragged({ x: width / 2, y: height + 2 }, { x: 0, y: -100 })));
    await window.hinted('Read to the end first');
    assert.equal(await window.isArmed(), false);
    assert.equal(await window.count('blur'), blurs);
    await window.undecided();
    await window.isReady();
    await window.isPaid();
  });

  scenario('a window that is moved under a pressing hand takes no press', async () => {
    const window = await desk.asked('1.05 TKA', 'moved under a hand');
    await window.isReady();
    await window.comesTo();
    const at = await window.place();
    await window.once('disarmed', async () => {
      await window.once('press', () => desk.x.presses());
      await screen.places(window.id, { x: at.x + 3, y: at.y + 2 });
    });
    await window.once('release', () => desk.x.releases());
    await window.undecided();
    await until(async () => (await screen.active()) === window.id, 'the window to have the focus');
    await window.isReady();
    await window.isPaid();
  });
}
