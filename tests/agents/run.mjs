// `@icp-sdk/core` and the ledger client of `@icp-sdk/canisters`, unmodified and with every check
// on, against a local network; and the network's control interface.
// Usage: node tests/agents/run.mjs <the binary countersign-localnet, or in COUNTERSIGN_LOCALNET>

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { IcrcLedgerCanister } from '@icp-sdk/canisters/ledger/icrc';
import { CanisterStatus, HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { Secp256k1KeyIdentity } from '@icp-sdk/core/identity/secp256k1';
import { Principal } from '@icp-sdk/core/principal';
import { run, test } from '../e2e/suite.mjs';
import { GEM, Localnet, TKA } from './localnet.mjs';

const binary = process.argv[2] ?? process.env.COUNTERSIGN_LOCALNET;
if (!binary) throw new Error('usage: node run.mjs <the binary countersign-localnet>');
const you = Ed25519KeyIdentity.generate(new Uint8Array(32).fill(2)).getPrincipal();

async function on(args, work) {
  const net = await Localnet.start(binary, args);
  try {
    return await work(net);
  } finally {
    await net.stop();
  }
}

function agentOf(net, identity, options = {}) {
  return HttpAgent.create({
    host: net.url,
    identity,
    rootKey: net.rootKeyBytes,
    verifyQuerySignatures: true,
    ...options,
  });
}

const identities = {
  'an Ed25519 key': () => Ed25519KeyIdentity.generate(new Uint8Array(randomBytes(32))),
  'a secp256k1 key': () => Secp256k1KeyIdentity.generate(new Uint8Array(randomBytes(32))),
};
const topologies = { 'the root subnet': [], 'a delegation': ['--delegated'] };

for (const [key, identity] of Object.entries(identities)) {
  for (const [topology, args] of Object.entries(topologies)) {
    test(`@icp-sdk/core pays and reads with ${key} through ${topology}`, () => on(args, async net => {
      const me = identity();
      await net.mint(TKA, me.getPrincipal().toText(), 1_000_000_000n);
      const agent = await agentOf(net, me);
      await agent.syncTime();
      const canisterId = Principal.fromText(TKA);
      const ledger = IcrcLedgerCanister.create({ agent, canisterId });

      // Queries, signed by the node; the same as updates, certified.
      for (const certified of [false, true]) {
        const balance = await ledger.balance({ owner: me.getPrincipal(), certified });
        assert.equal(balance, 1_000_000_000n);
      }
      const block = await ledger.transfer({
        to: { owner: you, subaccount: [] },
        amount: 150_000_000n,
        created_at_time: BigInt(Date.now()) * 1_000_000n,
      });
      assert.equal(block, 1n);
      assert.equal(await net.balance(TKA, you.toText()), 150_000_000n);
      const { blocks } = await ledger.getBlocks({ args: [{ start: 0n, length: 10n }] });
      assert.equal(blocks.length, 2);

      // State: the interface, the module's hash, the time; and the subnet's keys.
      const read = await CanisterStatus.request({
        canisterId,
        agent,
        paths: ['candid', 'module_hash', 'time'],
      });
      assert.match(read.get('candid'), /icrc1_transfer/);
      assert.match(read.get('module_hash'), /^[0-9a-f]{64}$/);
      assert.ok(Math.abs(read.get('time') - Date.now()) < 60_000);
    }));
  }
}

test('@icp-sdk/core reads the consent message of a transfer', () => on([], async net => {
  const agent = await agentOf(net, identities['an Ed25519 key']());
  const ledger = IcrcLedgerCanister.create({ agent, canisterId: Principal.fromText(GEM) });
  const { consent_message: message } = await ledger.consentMessage({
    method: 'icrc2_approve',
    arg: approveArgument(),
    userPreferences: { metadata: { language: 'en' }, deriveSpec: { GenericDisplay: null } },
  });
  assert.match(message.GenericDisplayMessage, /GEM/);
}));

function approveArgument() {
  const Account = IDL.Record({ owner: IDL.Principal, subaccount: IDL.Opt(IDL.Vec(IDL.Nat8)) });
  const type = IDL.Record({ spender: Account, amount: IDL.Nat });
  return new Uint8Array(IDL.encode([type], [{
    spender: { owner: you, subaccount: [] },
    amount: 1_500_000_000_000_000_000n,
  }]));
}

test('@icp-sdk/core does not believe a network under another root key', async () => {
  await on(['--seed', 'a'], a => on(['--seed', 'b'], async b => {
    const agent = await agentOf(b, undefined, { rootKey: a.rootKeyBytes, retryTimes: 0 });
    const ledger = IcrcLedgerCanister.create({ agent, canisterId: Principal.fromText(TKA) });
    await assert.rejects(ledger.balance({ owner: you, certified: true }));
    await assert.rejects(ledger.balance({ owner: you, certified: false }));
  }));
});

test('a page may call the network and not the control interface', () => on([], async net => {
  const preflight = await fetch(`${net.url}/api/v4/canister/${TKA}/call`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://page.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  });
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
  assert.match(preflight.headers.get('access-control-allow-headers'), /content-type/);
  const status = await fetch(`${net.url}/api/v2/status`);
  assert.equal(status.headers.get('access-control-allow-origin'), '*');

  const control = await fetch(`${net.controlUrl}/status`);
  assert.equal(control.headers.get('access-control-allow-origin'), null);
  // What a page can send without asking first is refused.
  const simple = await fetch(`${net.controlUrl}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: '{"name":"drop_after"}',
  });
  assert.equal(simple.status, 415);
}));

test('the control interface shows ledgers, balances, blocks and what was seen', () => on([], async net => {
  const status = await net.status();
  assert.equal(status.url, net.url);
  assert.equal(status.root_key, net.rootKey);
  const listed = Object.fromEntries(status.ledgers.map(ledger => [ledger.id, ledger]));
  assert.deepEqual(
    [TKA, GEM].map(id => [listed[id].symbol, listed[id].decimals, listed[id].deduplication]),
    [['TKA', 8, 'known'], ['GEM', 18, 'claimed']],
  );

  const minted = await net.mint(GEM, you.toText(), 10n ** 21n);
  assert.deepEqual(minted, { block: 0, balance: '1000000000000000000000' });
  assert.equal(await net.balance(GEM, you.toText()), 10n ** 21n);
  const [block] = await net.blocks(GEM);
  assert.equal(block.kind, 'mint');
  assert.equal(block.to, you.toText());
  assert.equal(block.amount, String(10n ** 21n));

  await net.change(TKA, { fee: '20000' });
  assert.equal((await net.status()).ledgers[0].fee, '20000');

  await fetch(`${net.url}/api/v3/canister/${TKA}/query`, { method: 'POST', body: 'x' });
  assert.equal((await net.counters())[TKA].queries, 1);
  await net.resetCounters();
  assert.equal((await net.counters())[TKA].queries, 0);
}));

test('time moves ahead only', () => on([], async net => {
  const before = BigInt((await net.status()).time_ns);
  const { time_ns: after } = await net.advance(3_600_000);
  assert.ok(BigInt(after) - before >= 3_600_000_000_000n);
  await net.control('POST', '/time', { set_ns: String(BigInt(after) + 10n ** 12n) });
  await assert.rejects(net.control('POST', '/time', { set_ns: '1' }), /never goes back/);
}));

test('a fault is ordered by name or in full, met as often as ordered, and cleared', () => on([], async net => {
  const read = () => fetch(`${net.url}/api/v2/status`).then(response => response.status);
  await net.fault({ on: 'status', reply: { http: 503 }, times: 2 });
  assert.deepEqual([await read(), await read(), await read()], [503, 503, 200]);
  await net.fault({ on: 'status', reply: 'drop', times: null });
  await assert.rejects(read());
  await assert.rejects(read());
  await net.clearFaults();
  assert.equal(await read(), 200);

  const [standing] = await net.fault({ name: 'drop_after', canister: TKA, times: 3 });
  assert.deepEqual([standing.on, standing.reply, standing.times], ['call', 'drop', 3]);
  await assert.rejects(net.fault({ name: 'no such fault' }), /no fault is named/);
  await assert.rejects(net.fault({ on: 'call', nonsense: true }), /422/);
  await assert.rejects(net.fault({ name: 'drop_after', nonsense: true }), /not a fault/);
}));

test('a call whose answer is lost has been executed', () => on([], async net => {
  const me = identities['an Ed25519 key']();
  await net.mint(TKA, me.getPrincipal().toText(), 1_000_000_000n);
  const agent = await agentOf(net, me, { retryTimes: 0 });
  const ledger = IcrcLedgerCanister.create({ agent, canisterId: Principal.fromText(TKA) });
  await net.fault({ name: 'drop_after' });
  await assert.rejects(ledger.transfer({ to: { owner: you, subaccount: [] }, amount: 5n }));
  assert.equal(await net.balance(TKA, you.toText()), 5n);
  const { calls_posted, calls_executed } = (await net.counters())[TKA];
  assert.deepEqual([calls_posted, calls_executed], [1, 1]);
}));

await run();
