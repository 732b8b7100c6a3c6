// What axe finds on a page with its whole rule set.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * One line a rule and element.
 * @param {(expression: string) => Promise<unknown>} evaluate Runs an expression in the page's own
 * world, past its policy, and gives what it resolves to.
 */
export async function found(evaluate) {
  await evaluate(`${source}; 0`);
  const { violations } = await evaluate(
    "axe.run(document, { resultTypes: ['violations'] })");
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(node => `${id}: ${node.target} ${node.failureSummary}`));
}
