// Whoever has the disk: reads the profile's folder, or puts an old journal back under the wallet.

import { createECDH, randomBytes } from 'node:crypto';
import { cpSync, existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Cbor } from '@icp-sdk/core/agent';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { PASSPHRASE } from '../e2e/person.mjs';
import { TKA } from '../e2e/stage.mjs';
import { Ground, assert, attack } from './ground.mjs';

const WORDS = new Set(wordlist);

/** Every file under a folder. */
const files = folder => readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile())
  .map(entry => join(entry.parentPath ?? entry.path, entry.name));

/** A text as it may lie on a disk. */
const written = text => [Buffer.from(text, 'utf8'), Buffer.from(text, 'utf16le'),
  Buffer.from(Buffer.from(text).toString('base64').replace(/=+$/, '')), Buffer.from(Buffer.from(text).toString('hex'))];

/** Whether a row of twelve words of the phrase list stands in these bytes. */
function hasPhrase(bytes) {
  for (const [row] of bytes.toString('latin1').matchAll(/(?:[a-z]{3,8}[ ,\n"]{1,3}){11}[a-z]{3,8}/g)) {
    const words = row.match(/[a-z]+/g);
    for (let at = 0; at + 12 <= words.length; at++)
      if (words.slice(at, at + 12).every(word => WORDS.has(word))) return true;
  }
  return false;
}

/**
 * Whether the secret of this secp256k1 key stands in these bytes: every 32 in a row are tried, but
 * for those that were `tried` before, as a journal writes most of a row again and again.
 */
function hasSecret(bytes, publicKey, tried = new Set()) {
  const curve = createECDH('secp256k1');
  for (let at = 0; at + 32 <= bytes.length; at++) {
    const candidate = bytes.subarray(at, at + 32);
    // Text and zeros are no key: of 32 random bytes some have their highest bit, and most differ.
    if (!candidate.some(byte => byte > 0x7f) || new Set(candidate).size < 22) continue;
    const text = candidate.toString('latin1');
    if (tried.has(text)) continue;
    tried.add(text);
    try {
      curve.setPrivateKey(candidate);
    } catch {
      continue;
    }
    if (curve.getPublicKey(null, 'compressed').equals(publicKey)) return true;
  }
  return false;
}

export function device(ground) {
  const { stage, shop } = ground;

  /** The files of a profile that belong to the extension. */
  const ours = ({ data, id }) => files(data).filter(file =>
    file.includes(`chrome-extension_${id}`) || /\/(File System|Local Storage|(Local|Sync) Extension Settings)\//.test(file));

  /** Ends the browser, does something to its profile, and starts it again. */
  const between = work => stage.restarts({ between: work });

  const again = async () => {
    await stage.person.unlocks();
    Object.assign(shop, await stage.agent(shop.url), { account: shop.account });
  };

  // It would succeed if the passphrase, a phrase, what unlocks in this session, or the account's
  // secret key stood in a file of the profile. The profile is one of its own, in which one payment
  // was made: to try all rows of bytes of a long life takes minutes, and shows no more.
  attack('no file of the profile holds passphrase, phrase, key or what the session unlocks with', async () => {
    const own = await Ground.open();
    await searches(own).finally(() => own.close().catch(() => {}));
  });

  async function searches(own) {
    const { answer, window } = await own.asked('1.5 TKA', 'a key is used');
    await own.person.approves(window);
    assert.equal((await answer).outcome, 'success');
    await own.person.clears();
    const [{ body }] = own.stage.envelopes('a key is used');
    const der = Buffer.from(Cbor.decode(new Uint8Array(body)).sender_pubkey);
    const point = der.subarray(-65);
    assert.equal(point[0], 4, 'the account\'s key is of another form');
    const compressed = Buffer.concat([Buffer.from([2 + (point[64] & 1)]), point.subarray(1, 33)]);
    const home = await own.person.home();
    const session = await home.page.evaluate(() => chrome.storage.session.get(null));
    // Each way of looking finds what is there: else the attack was not played.
    const curve = createECDH('secp256k1');
    const planted = Buffer.concat([randomBytes(500), curve.generateKeys() && curve.getPrivateKey(), randomBytes(99)]);
    if (!hasSecret(planted, curve.getPublicKey(null, 'compressed'))) throw new Error('the search for keys is blind');
    if (!hasPhrase(Buffer.from(`\0${wordlist.slice(7, 19).join(' ')}\0`))) throw new Error('the search for phrases is blind');
    // Half of what unlocks in this session is in the browser's memory; the disk has the other.
    const half = Buffer.from(session.half ?? []);
    if (half.length < 16) throw new Error(`no half of the session: ${Object.keys(session)}`);
    const secrets = [...written(PASSPHRASE), half, ...written(half.toString('hex')), Buffer.from(half.toString('base64'))];
    await own.browser.ends();
    for (const file of files(own.browser.data)) {
      const bytes = readFileSync(file);
      for (const secret of secrets) assert.ok(!bytes.includes(secret), `${file} holds a secret`);
    }
    let seen = 0;
    const tried = new Set();
    for (const file of ours(own.browser)) {
      const bytes = readFileSync(file);
      assert.ok(!hasPhrase(bytes), `${file} holds a phrase`);
      assert.ok(!hasSecret(bytes, compressed, tried), `${file} holds the account's key`);
      seen += bytes.length;
    }
    if (seen < 1000) throw new Error('the wallet\'s files were not found');
  }

  // It would succeed if a browser that is started again were unlocked, or showed a balance.
  attack('whoever starts the browser again finds the wallet locked, and it signs nothing', async () => {
    await between(() => {});
    const home = await stage.person.home();
    await home.find('button', 'Unlock');
    assert.equal(await home.sees('button', 'Networks'), false);
    const text = await home.text();
    assert.ok(!text.includes('TKA') && !text.includes(shop.account), text);
    const before = await ground.moved();
    const agent = await stage.agent(shop.url);
    const told = await agent.prepare(TKA, '1.5 TKA', 'locked out');
    const end = await agent.commit(told.preview.preview_id, { wait: 2 });
    assert.equal(end.outcome, 'awaiting_confirmation', JSON.stringify(end));
    const window = await stage.person.window();
    await window.find('textbox', 'Passphrase');
    await stage.person.unlocks(window, 'password');
    await window.reads('does not open your wallet');
    assert.equal(await ground.moved(), before);
    await stage.person.clears();
    await agent.page.close();
    await again();
    await shop.call('wallet_cancel', { preview_id: told.preview.preview_id });
  });

  // It would succeed if the old journal, in which the call was not sent, were believed: the same
  // wish was then signed and paid again without a new yes, or said not to have been paid.
  attack('an old journal put back under the wallet pays nothing a second time', async () => {
    const memo = 'before the old journal';
    const preview = await shop.prepared(TKA, '1.5 TKA', memo);
    const journal = data => join(data, 'Default', 'IndexedDB', `chrome-extension_${ground.browser.id}_0.indexeddb.leveldb`);
    await between(data => {
      if (!existsSync(journal(data))) throw new Error('there is no journal');
      cpSync(journal(data), join(data, 'old journal'), { recursive: true });
    });
    await again();
    const answer = shop.commit(preview);
    await stage.person.approves();
    assert.equal((await answer).outcome, 'success');
    await stage.person.clears();
    await between(data => {
      rmSync(journal(data), { recursive: true });
      cpSync(join(data, 'old journal'), journal(data), { recursive: true });
    });
    await again();
    const told = await shop.commit(preview, { wait: 5 });
    assert.ok(!['not_executed', 'declined', 'fail'].includes(told.outcome), JSON.stringify(told));
    assert.equal((await stage.transfers(TKA, memo)).length, 1);
    assert.equal(stage.envelopes(memo).length, 1, 'it was signed again');
  });
}
