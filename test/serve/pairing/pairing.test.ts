import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import {
  createPairing,
  LINK_MS,
  MAX_PAIRED,
  PairingRefused,
  type Pairing,
} from '../../../src/main/serve/pairing/index.js';
import { clock, tempFile } from '../../chat/support.js';
import { createPageKey } from '../../host/support.js';

const ORIGIN = 'http://localhost:4100';
const HOST = 'localhost:4100';

function start() {
  const file = tempFile('pairings.json');
  const time = clock();
  return { file, time, pairing: createPairing({ file, now: time.now, running: () => 0 }) };
}

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof PairingRefused) return error.code;
    throw error;
  }
  return 'accepted';
}

async function pair(pairing: Pairing) {
  const key = await createPageKey();
  return { key, keyId: pairing.redeem(pairing.issue('popover').code, key.publicKey) };
}

describe('link codes', () => {
  it('are 256 bits, never the same, and appear nowhere on disk', async () => {
    const { pairing, file } = start();
    const codes = Array.from({ length: 50 }, () => pairing.issue('terminal').code);
    expect(new Set(codes).size).toBe(50);
    for (const code of codes) expect(Buffer.from(code, 'base64url')).toHaveLength(32);
    pairing.redeem(codes[0] ?? '', (await createPageKey()).publicKey);
    for (const code of codes) expect(readFileSync(file, 'utf8')).not.toContain(code);
  });

  it('[req:DS-7-15] work once', async () => {
    const { pairing } = start();
    const { code } = pairing.issue('cli');
    const { publicKey } = await createPageKey();
    pairing.redeem(code, publicKey);
    expect(refusal(() => pairing.redeem(code, publicKey))).toBe('wrong_code');
    expect(pairing.list()).toHaveLength(1);
  });

  it('[req:DS-7-15] work for two minutes, and captures are refused exactly that long', async () => {
    const { pairing, time } = start();
    const { publicKey } = await createPageKey();
    expect(pairing.unspent()).toBe(false);
    const { code, expiresAt } = pairing.issue('popover');
    expect(Date.parse(expiresAt)).toBe(time.now() + LINK_MS);
    time.advance(LINK_MS - 1);
    expect(pairing.unspent()).toBe(true);
    time.advance(1);
    expect(pairing.unspent()).toBe(false);
    expect(refusal(() => pairing.redeem(code, publicKey))).toBe('wrong_code');
  });

  it('leave captures refused while another link is unspent', async () => {
    const { pairing } = start();
    const first = pairing.issue('popover');
    const second = pairing.issue('terminal');
    pairing.redeem(first.code, (await createPageKey()).publicKey);
    expect(pairing.unspent()).toBe(true);
    pairing.redeem(second.code, (await createPageKey()).publicKey);
    expect(pairing.unspent()).toBe(false);
  });

  it('cannot be guessed on: after ten wrong ones a source waits a minute, even with the right one', async () => {
    const { pairing, time } = start();
    const { publicKey } = await createPageKey();
    const { code } = pairing.issue('popover');
    for (let n = 0; n < 10; n += 1)
      expect(refusal(() => pairing.redeem(`wrong${n}`, publicKey, 'agent'))).toBe('wrong_code');
    expect(refusal(() => pairing.redeem(code, publicKey, 'agent'))).toBe('too_many_attempts');
    expect(refusal(() => pairing.redeem(code, publicKey, 'person'))).toBe('accepted');
    const next = pairing.issue('popover');
    time.advance(60_000);
    expect(refusal(() => pairing.redeem(next.code, publicKey, 'agent'))).toBe('accepted');
  });

  it('cannot be guessed on from many sources together', async () => {
    const { pairing } = start();
    const { publicKey } = await createPageKey();
    for (let n = 0; n < 100; n += 1) refusal(() => pairing.redeem('wrong', publicKey, `source ${n}`));
    expect(refusal(() => pairing.redeem('wrong', publicKey, 'another'))).toBe('too_many_attempts');
  });

  it('are not spent on a key that is none', async () => {
    const { pairing } = start();
    const { code } = pairing.issue('popover');
    const { publicKey } = await createPageKey();
    const offCurve = { ...publicKey, y: Buffer.alloc(32, 1).toString('base64url') };
    for (const bad of [offCurve, { ...publicKey, crv: 'P-384' }, { kty: 'oct', k: 'AAAA' }, null])
      expect(refusal(() => pairing.redeem(code, bad))).toBe('bad_key');
    expect(refusal(() => pairing.redeem(code, publicKey))).toBe('accepted');
  });
});

describe('authentication', () => {
  it('accepts the page’s own signature, also after a host restart', async () => {
    const { pairing, file, time } = start();
    const { key, keyId } = await pair(pairing);
    const proof = { keyId, origin: ORIGIN, host: HOST, nonce: 'n1', signature: await key.sign(ORIGIN, HOST, 'n1') };
    expect(pairing.authenticate(proof)).toBe(true);
    expect(createPairing({ file, now: time.now }).authenticate(proof)).toBe(true);
  });

  it('[req:DS-7-14] refuses a signature made for another origin, host or nonce, by another key, or forged', async () => {
    const { pairing } = start();
    const { key, keyId } = await pair(pairing);
    const other = await pair(pairing);
    const good = { keyId, origin: ORIGIN, host: HOST, nonce: 'n1' };
    const accepts = (signature: string, proof = good) => pairing.authenticate({ ...proof, signature });
    const own = await key.sign(ORIGIN, HOST, 'n1');
    expect(accepts(own)).toBe(true);
    expect(accepts(await key.sign('http://localhost:9999', HOST, 'n1'))).toBe(false);
    expect(accepts(await key.sign(ORIGIN, '127.0.0.1:4100', 'n1'))).toBe(false);
    expect(accepts(await key.sign(ORIGIN, HOST, 'n2'))).toBe(false);
    expect(accepts(await other.key.sign(ORIGIN, HOST, 'n1'))).toBe(false);
    expect(accepts(own, { ...good, keyId: other.keyId })).toBe(false);
    expect(accepts(own, { ...good, keyId: 'nobody' })).toBe(false);
    expect(accepts(own, { ...good, keyId: '__proto__' })).toBe(false);
    expect(accepts(own.slice(0, -4))).toBe(false);
    expect(accepts(Buffer.alloc(64).toString('base64url'))).toBe(false);
    expect(accepts('')).toBe(false);
  });

  it('[req:DS-7-17] refuses a revoked key at once and for good', async () => {
    const { pairing, file, time } = start();
    const told = vi.fn();
    pairing.on(told);
    const { key, keyId } = await pair(pairing);
    const proof = { keyId, origin: ORIGIN, host: HOST, nonce: 'n', signature: await key.sign(ORIGIN, HOST, 'n') };
    expect(pairing.revoke(keyId)).toBe(true);
    expect(pairing.revoke(keyId)).toBe(false);
    expect(told.mock.calls).toEqual([[{ keyId, change: 'paired' }], [{ keyId, change: 'revoked' }]]);
    expect(pairing.authenticate(proof)).toBe(false);
    expect(createPairing({ file, now: time.now }).authenticate(proof)).toBe(false);
  });
});

describe('the list', () => {
  it('[req:DS-7-17] says who issued the link and when the page was last here, and not the key', async () => {
    const { pairing, time } = start();
    const { key, keyId } = await pair(pairing);
    time.advance(3_600_000);
    pairing.authenticate({
      keyId,
      origin: ORIGIN,
      host: HOST,
      nonce: 'n',
      signature: await key.sign(ORIGIN, HOST, 'n'),
    });
    expect(pairing.list()).toEqual([
      {
        keyId,
        by: 'popover',
        browser: null,
        pairedAt: '2026-01-01T00:00:00.000Z',
        lastSeenAt: '2026-01-01T01:00:00.000Z',
      },
    ]);
  });

  it('is bounded', async () => {
    const { pairing } = start();
    for (let n = 0; n < MAX_PAIRED; n += 1) await pair(pairing);
    const { publicKey } = await createPageKey();
    expect(refusal(() => pairing.redeem(pairing.issue('cli').code, publicKey))).toBe('too_many_pages');
  });
});

describe('the file', () => {
  it('is private', async () => {
    const { pairing, file } = start();
    await pair(pairing);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each(['not json', '{"version":1,"keys":[{"keyId":"x"}]}', '[]'])('is moved aside when it holds %s', (text) => {
    const file = tempFile('pairings.json');
    writeFileSync(file, text, { mode: 0o600 });
    expect(createPairing({ file, now: Date.now }).list()).toEqual([]);
    expect(existsSync(`${file}.broken`)).toBe(true);
  });

  it('is not believed when others could have written it', async () => {
    const { pairing, file, time } = start();
    await pair(pairing);
    chmodSync(file, 0o666);
    expect(createPairing({ file, now: time.now }).list()).toEqual([]);
  });
});
