import { describe, expect, it } from 'vitest';
import { createPageKey } from '../../host/support.js';
import { HOST, ORIGIN, startPages, uuid } from './support.js';

describe('pairing a page', () => {
  it('[req:DS-7-6] with a link makes it paired at once, and it sees what waits', async () => {
    const { openPaired, pairing } = await startPages();
    const page = await openPaired();
    expect(page.got().map(({ type }) => type)).toEqual([
      'connected',
      'paired',
      'connected',
      'pairings',
      'commands',
      'gabpApps',
    ]);
    expect(page.last('connected')).toMatchObject({
      role: 'paired', approvals: [{ id: uuid(1) }], activity: [{ seq: 7 }], policy: { preset: 'standard' }, status: { agents: [{ id: 'secret-agent' }] },
    }); // prettier-ignore
    expect(page.last('pairings').pairings).toMatchObject([{ keyId: page.keyId, here: true, by: 'popover' }]);
    expect(pairing.unspent()).toBe(false);
  });

  it('refuses a link that was used, has expired or never was', async () => {
    const { open, openPaired, pairing, time } = await startPages();
    const { publicKey } = await createPageKey();
    const { code } = pairing.issue('popover');
    await open().says({ type: 'pair', code, publicKey });
    const late = pairing.issue('terminal').code;
    time.advance(120_000);
    for (const bad of [code, late, 'guess']) {
      const page = open();
      await page.says({ type: 'pair', code: bad, publicKey: (await createPageKey()).publicKey });
      expect(page.last('error').code).toBe('wrong_code');
      await page.says({ type: 'pause', on: false });
      expect(page.last('error').code).toBe('pairing_needed');
    }
    expect((await openPaired()).last('connected').role).toBe('paired');
  });

  it('signs in again with its key on the next connection', async () => {
    const { open, openPaired } = await startPages();
    const { key, keyId } = await openPaired();
    const page = open();
    await page.signIn(key, keyId);
    expect(page.last('connected').role).toBe('paired');
    expect(page.last('connected').nonce).not.toBe(page.all('connected')[0]?.nonce);
  });

  it('does not accept a replayed, forged or transplanted signature', async () => {
    const { open, openPaired } = await startPages();
    const { key, keyId } = await openPaired();
    const victim = open();
    const signature = await key.sign(ORIGIN, HOST, victim.last('connected').nonce);
    await victim.says({ type: 'authenticate', keyId, signature });
    expect(victim.last('connected').role).toBe('paired');

    const thief = open();
    await thief.says({ type: 'authenticate', keyId, signature });
    const nonce = thief.last('connected').nonce;
    await thief.says({ type: 'authenticate', keyId, signature: await key.sign(ORIGIN, HOST, nonce) });
    expect(thief.all('error').map(({ code }) => code)).toEqual(['not_paired', 'not_paired']);

    for (const [origin, host] of [
      ['http://localhost:9999', HOST],
      [ORIGIN, '127.0.0.1:4100'],
      ['http://evil.test', 'evil.test'],
    ] as const) {
      const page = open();
      await page.says({
        type: 'authenticate',
        keyId,
        signature: await key.sign(origin, host, page.last('connected').nonce),
      });
      expect(page.last('error').code).toBe('not_paired');
      expect(page.last('connected').role).toBe('unpaired');
    }
    const forger = open();
    const own = await createPageKey();
    await forger.signIn(own, keyId);
    expect(forger.last('error').code).toBe('not_paired');
  });

  it('takes a fresh nonce after a failed try only when the page asks again', async () => {
    const { open, openPaired } = await startPages();
    const { key, keyId } = await openPaired();
    const page = open();
    await page.says({ type: 'authenticate', keyId, signature: 'AAAA' });
    await page.says({ type: 'resume', cursor: 0 });
    await page.signIn(key, keyId);
    expect(page.last('connected').role).toBe('paired');
  });

  it('slows guessing down', async () => {
    const { open, pairing } = await startPages();
    const { publicKey } = await createPageKey();
    const page = open();
    const { code } = pairing.issue('popover');
    for (let n = 0; n < 5; n += 1) await page.says({ type: 'pair', code: `guess${n}`, publicKey });
    await page.says({ type: 'pair', code, publicKey });
    expect(page.last('error').code).toBe('too_many');
    expect(pairing.list()).toEqual([]);
  });
});
