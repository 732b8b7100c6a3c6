// `@icp-sdk/core` reads arguments of `icrc1_transfer` that the wallet encoded, and encodes the
// same values itself.
//
//   node candid.mjs <arguments, hex> ...
//
// Prints one line of JSON: for each, the values as text and its own bytes in hex.

import { IDL } from '@icp-sdk/core/candid';
import { Buffer } from 'node:buffer';

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

const optional = (values, show) => (values.length === 0 ? null : show(values[0]));
const hex = bytes => Buffer.from(bytes).toString('hex');

console.log(JSON.stringify(process.argv.slice(2).map(text => {
  const values = IDL.decode(types, Uint8Array.from(Buffer.from(text, 'hex')));
  const [{ to, fee, memo, from_subaccount, created_at_time, amount }] = values;
  return {
    values: {
      to: { owner: to.owner.toText(), subaccount: optional(to.subaccount, hex) },
      fee: optional(fee, String),
      memo: optional(memo, hex),
      from_subaccount: optional(from_subaccount, hex),
      created_at_time: optional(created_at_time, String),
      amount: amount.toString(),
    },
    bytes: hex(IDL.encode(types, values)),
  };
})));
