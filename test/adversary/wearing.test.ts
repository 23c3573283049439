import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { presetPolicy, type Policy } from '../../src/main/approvals/index.js';
import { createPairing } from '../../src/main/serve/pairing/index.js';
import { agentOf, call, press, tempDir, world } from '../approvals/support.js';

describe('a person is not worn down', () => {
  test('by a script that is started anew for every call: three times No pauses it as well [req:DS-6-25]', async () => {
    const w = world();
    for (const pid of [101, 102, 103]) {
      const one = call(w.approvals, { agent: agentOf({ pid }) });
      press(w, 'deny');
      await one.decision;
    }
    expect(w.approvals.pauseOfAgent('agent-101')).toBeNull();
    expect(w.approvals.pauseOfAgent('agent-103')).not.toBeNull();
  });

  test('by more cards than anybody could read, and other programs have room left', async () => {
    const w = world();
    const swarm = Array.from({ length: 60 }, (_, index) =>
      call(w.approvals, { agent: agentOf({ pid: 1000 + index }) }),
    );
    expect(w.approvals.cards()).toHaveLength(50);
    await expect(swarm[50]?.decision).rejects.toMatchObject({ code: 'DESKTOP_HOST_NOT_READY', retryable: true });
    const other = call(w.approvals, { agent: agentOf({ pid: 2000, executable: '/usr/bin/codex' }) });
    expect(await other.state()).toBe('pending');
    swarm[0]?.end('detach');
    expect([w.approvals.waitingAgents().size, w.approvals.waitingAgents().has('agent-1000')]).toEqual([50, false]);
  });

  test('by a full disk and a restart: a pause and a stricter policy are kept as soon as the disk takes them [req:DS-6-34]', () => {
    const saved: Policy[] = [];
    let full = true;
    const w = world({
      savePolicy(policy) {
        if (full) throw new Error('ENOSPC');
        saved.push(policy);
      },
    });
    rmSync(w.dir, { recursive: true });
    writeFileSync(w.dir, 'in the way');
    w.approvals.pause({ on: true, by: 'key-1', where: 'page' });
    w.approvals.setPolicy(presetPolicy('readonly'), { by: 'key-1', where: 'page' });
    rmSync(w.dir);
    mkdirSync(w.dir);
    full = false;
    w.pass(500);
    expect(w.again().pauseOfAll()).not.toBeNull();
    expect(saved.map(({ preset }) => preset)).toEqual(['readonly']);
  });
});

test('a page that was unpaired on a full disk is out at once, and stays out [req:DS-7-17]', () => {
  const dir = tempDir();
  const file = join(dir, 'pairings.json');
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pairing = createPairing({ file, now: Date.now });
  const keyId = pairing.redeem(pairing.issue('cli').code, publicKey.export({ format: 'jwk' }));
  const kept = readFileSync(file);
  rmSync(file);
  mkdirSync(file);
  expect(pairing.revoke(keyId)).toBe(true);
  expect(pairing.list()).toEqual([]);
  rmSync(file, { recursive: true });
  writeFileSync(file, kept, { mode: 0o600 });
  expect(pairing.list()).toEqual([]);
  expect(createPairing({ file, now: Date.now }).list()).toEqual([]);
});

test('a pairing link lasts no longer because the clock was set back [req:DS-7-15]', () => {
  const time = { wall: Date.now(), running: 0 };
  const pairing = createPairing({
    file: join(tempDir(), 'pairings.json'),
    now: () => time.wall,
    running: () => time.running,
  });
  pairing.issue('cli');
  expect(pairing.unspent()).toBe(true);
  time.wall -= 3_600_000;
  time.running += 121_000;
  expect(pairing.unspent()).toBe(false);
});
