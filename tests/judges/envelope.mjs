// `@icp-sdk/core` reads an envelope that the wallet sealed: request id, sender, signature.
//
//   node envelope.mjs <envelope, hex>
//
// Prints the request id in hex, if the sender is the key's principal and the signature is the key's.

import { Cbor, requestIdOf } from '@icp-sdk/core/agent';
import { Principal } from '@icp-sdk/core/principal';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { Buffer } from 'node:buffer';

const envelope = Cbor.decode(Uint8Array.from(Buffer.from(process.argv[2], 'hex')));
const { content, sender_pubkey: key, sender_sig: signature } = envelope;
const sender = Principal.selfAuthenticating(Uint8Array.from(key));
if (Buffer.compare(Buffer.from(sender.toUint8Array()), Buffer.from(content.sender)) !== 0) {
  throw new Error('the sender is not the principal of the key');
}
const id = requestIdOf(content);
const signed = Buffer.concat([Buffer.from('\x0Aic-request', 'latin1'), Buffer.from(id)]);
// The point is the last 65 bytes of the DER form. `verify` refuses a high s.
if (!secp256k1.verify(Uint8Array.from(signature), signed, Uint8Array.from(key).slice(-65))) {
  throw new Error('the signature is not the key\'s');
}
console.log(Buffer.from(id).toString('hex'));
