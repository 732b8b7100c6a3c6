// A principal whose text begins and ends as another's: what a person who looks at the ends of an
// account would take for the other.

import { Principal } from '@icp-sdk/core/principal';

const TABLE = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  return c >>> 0;
});

const crc = bytes => {
  let c = 0xffffffff;
  for (const byte of bytes) c = (TABLE[(c ^ byte) & 0xff] ^ (c >>> 8)) >>> 0;
  return (c ^ 0xffffffff) >>> 0;
};

/** Where the four bytes stand that make the check sum come out. */
const AT = 8;

/**
 * The text begins with the check sum, which is linear in the bytes: so four of them can be chosen
 * that give it any value. The last bytes are the other's own.
 */
export function alike(text) {
  const real = Principal.fromText(text).toUint8Array();
  const bytes = Uint8Array.from(real);
  for (let n = 0; n < AT; n++) bytes[n] ^= 0x5a;
  const wanted = crc(real);
  const base = crc(bytes) ^ wanted;
  const effects = Array.from({ length: 32 }, (_, bit) => {
    const changed = Uint8Array.from(bytes);
    changed[AT + (bit >> 3)] ^= 1 << (bit & 7);
    return { sum: (crc(changed) ^ crc(bytes)) >>> 0, bits: 2n ** BigInt(bit) };
  });
  // Gauss: which bits, changed together, change the check sum by `base`.
  let rest = base >>> 0;
  let chosen = 0n;
  for (let bit = 31; bit >= 0; bit--) {
    const mask = (1 << bit) >>> 0;
    const pivot = effects.findIndex(effect => (effect.sum & mask) !== 0);
    if (pivot < 0) continue;
    const [{ sum, bits }] = effects.splice(pivot, 1);
    for (const effect of effects)
      if (effect.sum & mask) {
        effect.sum = (effect.sum ^ sum) >>> 0;
        effect.bits ^= bits;
      }
    if (rest & mask) {
      rest = (rest ^ sum) >>> 0;
      chosen ^= bits;
    }
  }
  if (rest !== 0) throw new Error('no four bytes give this check sum');
  for (let bit = 0; bit < 32; bit++)
    if (chosen & (2n ** BigInt(bit))) bytes[AT + (bit >> 3)] ^= 1 << (bit & 7);
  return Principal.fromUint8Array(bytes).toText();
}
