// `@icp-sdk/core` reads messages that the wallet encoded, by types and values made at random.
//
//   node random.mjs <file>
//
// A line of the file is `{ "types": { "definitions", "args" }, "hex" }`. Prints for each what the
// values mean, as the same JSON that the other side writes; or `{ "error" }`.

import { IDL } from '@icp-sdk/core/candid';
import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';

const hex = bytes => Buffer.from(bytes).toString('hex');
const PRIMITIVE = {
  null: IDL.Null, bool: IDL.Bool, nat: IDL.Nat, int: IDL.Int, nat8: IDL.Nat8, nat16: IDL.Nat16,
  nat32: IDL.Nat32, nat64: IDL.Nat64, int8: IDL.Int8, int16: IDL.Int16, int32: IDL.Int32,
  int64: IDL.Int64, float32: IDL.Float32, float64: IDL.Float64, text: IDL.Text,
  reserved: IDL.Reserved, empty: IDL.Empty, principal: IDL.Principal,
};

function reader({ definitions, args }) {
  const named = definitions.map(() => IDL.Rec());
  const members = list => Object.fromEntries(list.map(([key, , type]) => [key, made(type)]));
  const func = ({ args, rets, mode }) =>
    IDL.Func(args.map(made), rets.map(made), mode === null ? [] : [mode]);
  function made(type) {
    if (typeof type === 'string') return PRIMITIVE[type];
    if ('name' in type) return named[type.name];
    if ('opt' in type) return IDL.Opt(made(type.opt));
    if ('vec' in type) return IDL.Vec(made(type.vec));
    if ('record' in type) return IDL.Record(members(type.record));
    if ('variant' in type) return IDL.Variant(members(type.variant));
    if ('func' in type) return func(type.func);
    return IDL.Service(Object.fromEntries(type.service.map(([name, of]) => [name, func(of)])));
  }
  definitions.forEach((type, index) => named[index].fill(made(type)));

  const resolved = type => (type.name === undefined ? type : resolved(definitions[type.name]));
  const float = value => {
    if (Number.isNaN(value)) return 'nan';
    const bits = Buffer.alloc(8);
    bits.writeDoubleBE(value);
    return `f:${hex(bits)}`;
  };
  function meaning(of, value) {
    const type = resolved(of);
    switch (type) {
      case 'null': case 'reserved': return null;
      case 'bool': return value;
      case 'float32': case 'float64': return float(value);
      case 'text': return `t:${value}`;
      case 'principal': return `p:${hex(value.toUint8Array())}`;
      default:
    }
    if (typeof type === 'string') return value.toString();
    if (type.opt !== undefined) return value.map(held => meaning(type.opt, held));
    if (type.vec !== undefined) {
      return resolved(type.vec) === 'nat8'
        ? { b: hex(value) }
        : { v: Array.from(value, held => meaning(type.vec, held)) };
    }
    if (type.record !== undefined) {
      return { r: type.record.map(([key, , field]) => meaning(field, value[key])) };
    }
    if (type.variant !== undefined) {
      const [name] = Object.keys(value);
      const [, id, held] = type.variant.find(([key]) => key === name);
      return { c: [id, meaning(held, value[name])] };
    }
    if (type.func !== undefined) return { f: [hex(value[0].toUint8Array()), value[1]] };
    return { s: hex(value.toUint8Array()) };
  }

  return bytes => {
    const values = IDL.decode(args.map(made), bytes);
    return args.map((type, index) => meaning(type, values[index]));
  };
}

for (const line of readFileSync(process.argv[2], 'utf8').split('\n').filter(Boolean)) {
  const { types, hex: text } = JSON.parse(line);
  let said;
  try {
    said = reader(types)(Uint8Array.from(Buffer.from(text, 'hex')));
  } catch (error) {
    said = { error: String(error) };
  }
  console.log(JSON.stringify(said));
}
