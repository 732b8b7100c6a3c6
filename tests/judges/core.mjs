// One call or query of `@icp-sdk/core`, unmodified and with every check on, at a local network.
//
//   node core.mjs <url> <root key, hex> <canister> call|query
//
// Prints one line: `accepted`, or `refused` and why.

import { Actor, HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';

const [url, rootKey, canister, kind] = process.argv.slice(2);
const agent = await HttpAgent.create({
  host: url,
  rootKey: Uint8Array.from(Buffer.from(rootKey, 'hex')),
  verifyQuerySignatures: true,
  retryTimes: 0,
});
const modes = { call: [], query: ['query'] }[kind];
const ledger = Actor.createActor(
  () => IDL.Service({ icrc1_symbol: IDL.Func([], [IDL.Text], modes) }),
  { agent, canisterId: Principal.fromText(canister) },
);
try {
  await ledger.icrc1_symbol();
  console.log('accepted');
} catch (error) {
  const code = error?.cause?.code ?? error?.code;
  const future = /certificate is still too far in the future/.test(error?.message);
  console.log('refused', future ? 'FutureCertificate' : (code?.name ?? error?.name ?? 'unknown'));
}
