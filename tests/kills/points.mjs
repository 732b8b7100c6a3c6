// Where a worker is killed, and what else happens: all of it drawn from a seed.

/**
 * Points of a payment that have a name, in its order, and who sees them: the window, the network's
 * endpoint, or the worker itself (`worker.mjs`), which does nothing more from there on.
 */
export const NAMED = {
  'while the window is open': { by: 'window' },
  'after the yes, before signing': {
    by: 'worker',
    // Before certified time is read for it; before what was read is stored.
    plans: [{ step: 'fetch', last: 'yes' }, { step: 'store', event: 'start_read' }],
  },
  'after signing, before the hand-over': {
    by: 'worker',
    // Before the second copy is written; before the hand-over is stored.
    plans: [{ step: 'file', last: 'signed' }, { step: 'store', event: 'handed_over' }],
  },
  'after the hand-over, before it is submitted': {
    by: 'worker',
    plans: [{ step: 'fetch', last: 'handed_over' }],
  },
  'after it was submitted': { by: 'network', plans: ['passed on', 'lost'] },
  'before its reply': { by: 'reply' },
  'after its reply, before that is stored': {
    by: 'worker',
    plans: [{ step: 'answer', last: 'handed_over' }, { step: 'store', event: 'status' }],
  },
  'after the end is stored, before it is told': {
    by: 'worker',
    plans: [{ step: 'store', event: 'calls', last: 'status' }],
  },
};

export const RANDOM = 'at random';

/** A payment that nothing happens to takes about so many steps, from its preparation to its end. */
export const STEPS = 64;

/** What is left after a kill takes fewer. */
const STEPS_AFTER = 12;

/** A source of choices that a seed decides (splitmix32). */
export function chance(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  return {
    /** A whole number from 0, below `end`. */
    below: end => Math.floor((next() / 2 ** 32) * end),
    /** One of a list. */
    of: list => list[Math.floor((next() / 2 ** 32) * list.length)],
  };
}

function shuffled(list, { below }) {
  const left = [...list];
  return list.map(() => left.splice(below(left.length), 1)[0]);
}

/**
 * The rounds of a run of `count` kills, half of which are at the named points, each as often as the
 * others. A round is one payment. Some are killed once more on their way back (`second`), if it is
 * long enough: so there are more rounds than are needed, the last of them at random.
 */
export function rounds(seed, count) {
  const choice = chance(seed);
  const names = Object.keys(NAMED);
  const each = Math.min(Math.ceil(count / 2 / names.length), Math.floor(count / names.length));
  const named = names.flatMap(name => Array(each).fill(name));
  const random = count - named.length;
  const seconds = Math.floor(random / 4);
  const needed = shuffled([...named, ...Array(random - seconds).fill(RANDOM)], choice);
  const doubled = new Set(shuffled([...needed.keys()], choice).slice(0, seconds));
  const seen = {};
  const reloads = choice.below(4);
  const restarts = choice.below(10);
  const drawn = end => ({ nth: 1 + choice.below(end), parks: choice.of([true, false]) });
  return [...needed, ...Array(seconds).fill(RANDOM)].map((point, i) => {
    const turn = (seen[point] = (seen[point] ?? -1) + 1);
    const { by = 'worker', plans } = NAMED[point] ?? {};
    return {
      number: i + 1,
      point,
      by,
      plan: point === RANDOM ? drawn(STEPS) : plans?.[turn % plans.length],
      // Every other one that is killed while the person reads is declined.
      declines: by === 'window' && turn % 2 === 1,
      twist: i % 10 === restarts ? choice.of(['restarted', 'crashed'])
        : i % 4 === reloads ? choice.of(['reloaded before', 'reloaded']) : null,
      second: doubled.has(i) ? drawn(STEPS_AFTER) : null,
      client: choice.of(['v1', 'v2', 'v2 auto']),
    };
  });
}
