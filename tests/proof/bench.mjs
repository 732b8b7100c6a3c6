// How long `@icp-sdk/core` takes for the argument of an `icrc1_transfer`.
//
//   node bench.mjs <the wallet's bytes, hex>
//
// Prints one line of JSON: microseconds a run, and whether its bytes mean what the wallet's do.

import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { Buffer } from 'node:buffer';
import { performance } from 'node:perf_hooks';

const Account = IDL.Record({ owner: IDL.Principal, subaccount: IDL.Opt(IDL.Vec(IDL.Nat8)) });
const types = [
  IDL.Record({
    to: Account,
    fee: IDL.Opt(IDL.Nat),
    memo: IDL.Opt(IDL.Vec(IDL.Nat8)),
    from_subaccount: IDL.Opt(IDL.Vec(IDL.Nat8)),
    created_at_time: IDL.Opt(IDL.Nat64),
    amount: IDL.Nat,
  }),
];
const payee = 'k2t6j-2nvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6ae';
const values = () => [
  {
    to: { owner: Principal.fromText(payee), subaccount: [] },
    fee: [],
    memo: [new TextEncoder().encode('lunch')],
    from_subaccount: [],
    created_at_time: [1_791_547_201_000_000_000n],
    amount: BigInt('150000000'),
  },
];
const built = values();
const text = decoded =>
  JSON.stringify(decoded, (_, value) => (typeof value === 'bigint' ? `${value}` : value));

// As many runs as fill a tenth of a second; the median of nine such, after two to warm up.
function perRun(run) {
  const times = [];
  for (let batch = 0; batch < 11; batch += 1) {
    const start = performance.now();
    let runs = 0;
    while (performance.now() - start < 100) {
      run();
      runs += 1;
    }
    times.push(((performance.now() - start) * 1_000) / runs);
  }
  return times.slice(2).sort((a, b) => a - b)[4];
}

const theirs = IDL.decode(types, Uint8Array.from(Buffer.from(process.argv[2], 'hex')));
console.log(JSON.stringify({
  same: text(IDL.decode(types, IDL.encode(types, built))) === text(theirs),
  encode: perRun(() => IDL.encode(types, built)),
  from_texts: perRun(() => IDL.encode(types, values())),
  back: perRun(() => IDL.decode(types, IDL.encode(types, built))),
}));
