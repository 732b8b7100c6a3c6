// The demo's agent: each button is one thing an agent does, with the code of extension/INTEGRATE.md
// and the unchanged client of npm. What the wallet answers is written below, as it is.

import { detect, open, use } from 'integrate';

const form = document.getElementById('wish').elements;
const log = document.getElementById('log');
for (const [name, value] of new URLSearchParams(location.search))
  if (form[name]) form[name].value = value;

// Whoever drives this page may want one answer soon, instead of the end.
const wait = Number(new URLSearchParams(location.search).get('wait'));

let client;
let account;
let preview;

const steps = {
  async connect() {
    if (!(await detect())) throw new Error('No Countersign in this browser, or reload this page.');
    client ??= await open();
    const told = await use(client, 'wallet_connect',
      { canisters: [{ id: form.ledger.value }], tools: ['all'], why: 'To pay for your lunch.' });
    account = told.account;
    // The demo's server has a mint for the local network, and knows whom to give to.
    if (account) await fetch('fund', { method: 'POST', body: JSON.stringify({ account }) });
    return told;
  },
  async list() {
    const { tools } = await client.listTools();
    return { count: tools.length, names: tools.map(({ name }) => name) };
  },
  balance: () => use(client, 'icrc1_balance_of', { canister_id: form.ledger.value, account }),
  async prepare() {
    // `use` would go on to commit by itself: here that is a button of its own.
    const { structuredContent: told } = await client.callTool({
      name: 'prepare_icrc1_transfer',
      arguments: { canister_id: form.ledger.value, to: form.to.value, amount: form.amount.value,
        ...(form.memo.value ? { memo: form.memo.value } : {}) },
    });
    preview = told.preview?.preview_id;
    return told;
  },
  async commit() {
    if (!wait) return use(client, 'commit', { preview_id: preview });
    const { structuredContent } = await client.callTool({ name: 'commit',
      arguments: { preview_id: preview }, _meta: { 'countersign/wait_s': wait } });
    return structuredContent;
  },
};

for (const [name, step] of Object.entries(steps)) {
  const button = document.getElementById(name);
  button.addEventListener('click', async () => {
    button.disabled = true;
    const line = log.appendChild(document.createElement('li'));
    line.append(button.textContent, '…');
    line.dataset.step = name;
    const told = await step().catch(error => ({ error: error.message }));
    line.replaceChildren(button.textContent);
    line.appendChild(document.createElement('pre')).textContent = JSON.stringify(told, null, 1);
    line.dataset.told = JSON.stringify(told);
    button.disabled = false;
  });
}
