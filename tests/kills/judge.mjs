// What a payment under kills came to, counted from the ledger's log and from what was said.

/** Outcomes that say: nothing came of it, and nothing will. */
const DENIES = new Set(['declined', 'expired', 'fail', 'fix_input', 'not_executed', 'retry_new',
  'retry_same']);

/** Outcomes that say: it is in the log. */
const DONE = new Set(['success', 'already_done']);

export const KINDS = ['duplicated', 'lost', 'false failed', 'stuck'];

/**
 * Judges one round against the ledger's log, by the memo that only this round has.
 *
 * - `presses`: what the person pressed, `{ at, yes, preview, accepted }`; `accepted` where the
 *   window said so afterwards;
 * - `sent`: the distinct envelopes that left, `{ at }`, each when it was first seen;
 * - `answers`: what the agent was told, `{ at, told }`, oldest first;
 * - `known`: what `wallet_intent` says in the end; `listed`: whether the wallet lists it;
 * - `ended`: whether the agent's calls came to an end;
 * - `forgets`: whether the agent may have been told the end and not know, so that it asked anew.
 *
 * Gives the faults found, `{ kind, says }`.
 */
export function judge({ memo, presses, sent, answers, known, listed, ended, forgets }, log) {
  const hex = Buffer.from(memo).toString('hex');
  const transfers = log.filter(block => block.kind === 'transfer' && block.memo === hex).length;
  const yeses = presses.filter(({ yes }) => yes);
  const previews = new Set(yeses.map(({ preview }) => preview)).size;
  const approved = forgets ? previews : Math.min(previews, 1);
  const faults = [];
  const fault = (kind, says) => faults.push({ kind, says: `${memo}: ${says}` });

  for (let more = approved; more < transfers; more++)
    fault('duplicated', `${transfers} transfers, ${approved} approved`);

  const last = answers.at(-1)?.told;
  if (presses.some(({ yes, accepted }) => yes && accepted) || sent.length) {
    if (!known?.outcome) fault('lost', `wallet_intent says ${JSON.stringify(known)}`);
    else if (!listed) fault('lost', 'the wallet\'s activity does not list it');
    else if (ended && transfers === 0 && !presses.some(({ yes }) => !yes))
      fault('lost', `it ended as ${JSON.stringify(last)} without a transfer and without a no`);
  }
  if (!faults.some(({ kind }) => kind === 'lost') && transfers === 0
    && [known, last].some(told => DONE.has(told?.outcome)))
    fault('lost', `told ${JSON.stringify(known)}, and no transfer is in the log`);

  for (const { at, told } of answers) {
    if (!DENIES.has(told?.outcome) || told.earlier_outcome || transfers === 0) continue;
    // What was approved and sent after it is another matter.
    const anew = yeses.some(press => press.at > at) && sent.some(envelope => envelope.at > at);
    if (!anew) fault('false failed', `told ${JSON.stringify(told)}, and it is in the log`);
  }

  if (!ended) fault('stuck', `last told ${JSON.stringify(last)}`);
  return faults;
}

/** The line a run ends with. */
export function closing(kills, faults) {
  const counts = KINDS.map(kind => `${faults.filter(fault => fault.kind === kind).length} ${kind}`);
  return `kills: ${[`${kills} kills`, ...counts].join(', ')}`;
}
