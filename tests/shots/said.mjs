// What a screen reader says of a page: a line a thing, indented as they stand in one another.

/** Roles that say nothing of themselves: what they hold stands in their place. */
const SILENT = new Set(['none', 'generic', 'RootWebArea', 'paragraph', 'LayoutTable',
  'LayoutTableRow', 'LayoutTableCell', 'ListMarker', 'rowgroup', 'strong', 'emphasis']);

/** Roles whose name says all that they hold. */
const WHOLE = new Set(['button', 'heading', 'image', 'img', 'textbox', 'radio', 'checkbox', 'link',
  'DisclosureTriangle', 'rowheader', 'tab',
  'term']);

/** Roles whose name only says again what they hold. */
const UNNAMED = new Set(['cell', 'row', 'listitem']);

/** Roles that stand in a line of text. */
const INLINE = new Set(['none', 'strong', 'emphasis', 'code', 'superscript', 'subscript', 'time',
  'mark', 'LineBreak', 'insertion', 'deletion']);

/** @param {import('../e2e/cdp.mjs').Page} page */
export async function said(page) {
  const { nodes } = await page.send('Accessibility.getFullAXTree');
  const byId = new Map(nodes.map(node => [node.nodeId, node]));
  const lines = [];
  let text = '';
  let indent = 0;
  const flush = () => {
    const line = plain(text);
    if (line) lines.push('  '.repeat(indent) + line);
    text = '';
  };
  const walk = (node, depth) => {
    if (!node) return;
    const role = node.role?.value ?? 'none';
    if (role === 'InlineTextBox') return;
    if (role === 'StaticText') {
      if (!text) indent = depth;
      text += node.name?.value ?? '';
      return;
    }
    if (role === 'LineBreak') text += ' ';
    const inline = node.ignored || INLINE.has(role);
    const silent = node.ignored || SILENT.has(role) || inline;
    if (!inline) flush();
    if (!silent) {
      const states = (node.properties ?? []).map(property => state(role, property)).filter(Boolean);
      const name = UNNAMED.has(role) ? '' : plain(node.name?.value ?? '');
      const value = role === 'textbox' ? plain(node.value?.value ?? '') : '';
      lines.push('  '.repeat(depth)
        + [role, name && JSON.stringify(name), value && `= ${value}`, ...states]
          .filter(Boolean).join(' '));
    }
    if (silent || !WHOLE.has(role))
      for (const id of node.childIds ?? []) walk(byId.get(id), silent ? depth : depth + 1);
    if (!inline) flush();
  };
  walk(nodes.find(node => !node.parentId), 0);
  flush();
  return `${lines.join('\n')}\n`;
}

/** On one line, without the spaces that stand only where a line may break. */
const plain = text => text
  .replace(/\s+/g, ' ')
  .replace(/ ?· ?/g, ' · ')
  .replace(/\b([a-z2-7]{5})- (?=[a-z2-7]{2,5}\b)/g, '$1-')
  .trim();

function state(role, { name, value: { value } }) {
  if (name === 'disabled' && value) return 'disabled';
  if (name === 'checked' && value !== 'false') return 'checked';
  if (name === 'expanded') return value ? 'open' : 'closed';
  if (name === 'level' && role === 'heading') return String(value);
  return null;
}

/** Texts that differ from run to run, by what they are. */
const VARYING = [
  [/\b[0-9a-f]{64}\b/g, '<hash>'],
  [/\b[0-9a-f]{80,}\b/g, '<bytes>'],
  [/\b(?:[a-z2-7]{5}-){10}[a-z2-7]{3}\b/g, '<principal>'],
  [/\b[a-z2-7]{5}…[a-z2-7]{3}\b/g, '<account>'],
  [/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>'],
  [/[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d{2}(:\d{2})?\s?[AP]M/g, '<time>'],
  [/\d{4}年\d{1,2}月\d{1,2}日 \d{2}:\d{2}(:\d{2})?/g, '<time>'],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( ?UTC|Z)?/g, '<time>'],
  [/\b\d(_?\d){18}\b/g, '<nanoseconds>'],
];

/** The same with what varies replaced by what it is; `named` are pairs of a text and its name. */
export function steady(text, named = []) {
  for (const [varies, name] of named) text = text.replaceAll(varies, name);
  for (const [pattern, name] of VARYING) text = text.replace(pattern, name);
  return text;
}
