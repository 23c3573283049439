import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../src/main/approvals/request.js';
import { createPairingRequests, type PairingRequestsOptions } from '../../../src/main/serve/pairing/requests.js';
import { createPairing } from '../../../src/main/serve/pairing/index.js';
import type { ProcessIdentity } from '../../../src/native/peer/types.js';
import { clock, tempFile } from '../../chat/support.js';
import { createPageKey } from '../../host/support.js';

const never = new AbortController().signal;
const shell: ProcessIdentity = { pid: 41, startTime: '1', uid: 1000, executable: '/bin/bash', script: null, cwd: '/home/me', parentPid: 1 }; // prettier-ignore
const browser: ProcessIdentity = { ...shell, pid: 42, executable: '/usr/bin/chromium' };
const timing = { at: '2026-11-22T10:00:00.000Z', waitedMs: 0, approvalId: 'card' };
const ALLOWED: Decision = { ...timing, kind: 'allowed', by: 'person', grantId: null, where: 'page', who: 'key' };
const DENIED: Decision = { ...timing, kind: 'denied', reason: 'denied', by: 'page', message: null };

function start(over: Partial<PairingRequestsOptions> = {}, decision: Decision = ALLOWED) {
  const pairing = createPairing({ file: tempFile('pairings.json'), now: clock().now, running: () => 0 });
  const asked: unknown[] = [];
  const lines: string[] = [];
  const requests = createPairingRequests({
    pairing,
    approvals: {
      askPerson: async (request) => {
        asked.push(request);
        return decision;
      },
    },
    recorder: { recordPairing: async ({ event }) => void lines.push(event) },
    person: { redeemerDoubt: () => null },
    popover: false,
    log: () => undefined,
    ...over,
  });
  const redeem = async (by: 'cli' | 'terminal' | 'popover', client: ProcessIdentity | null = browser) => {
    const { publicKey } = await createPageKey();
    const { code } = pairing.issue(by, by === 'cli' ? [shell] : []);
    return requests.redeem({ code, publicKey, client }, () => undefined, never);
  };
  return { pairing, requests, asked, lines, redeem };
}

describe('[req:PW-5] a link of `chaperone pair`', () => {
  it('pairs the first page without asking', async () => {
    const { pairing, asked, lines, redeem } = start();
    const keyId = await redeem('cli');
    expect(pairing.list().map((page) => page.keyId)).toEqual([keyId]);
    expect([asked, lines]).toEqual([[], ['paired']]);
  });

  it('pairs a further page only once a person allowed it, as a dangerous request that names who asked', async () => {
    const { pairing, asked, lines, redeem } = start();
    await redeem('popover');
    await redeem('cli');
    expect(pairing.list()).toHaveLength(2);
    expect(asked).toMatchObject([{ action: { effect: 'dangerous' }, alwaysAsk: true, caller: { peer: { pid: 41 } } }]);
    expect(JSON.stringify(asked)).toContain('/usr/bin/chromium');
    expect(lines).toEqual(['paired', 'asked', 'paired']);
  });

  it('pairs nothing when the person said no', async () => {
    const { pairing, lines, redeem } = start({}, DENIED);
    await redeem('popover');
    await expect(redeem('cli')).rejects.toMatchObject({ code: 'pairing_denied' });
    expect(pairing.list()).toHaveLength(1);
    expect(lines.at(-1)).toBe('refused');
  });

  it('pairs nothing when nobody answers in time, and says that it ran out', async () => {
    const { pairing, lines, redeem } = start({}, { ...DENIED, reason: 'timeout', by: 'host' });
    await redeem('popover');
    await expect(redeem('cli')).rejects.toMatchObject({ code: 'pairing_expired' });
    expect(pairing.list()).toHaveLength(1);
    expect(lines).toEqual(['paired', 'asked', 'refused']);
  });

  it('is spent as soon as the person is asked', async () => {
    const { pairing, requests, redeem } = start({}, DENIED);
    await redeem('popover');
    const { publicKey } = await createPageKey();
    const { code } = pairing.issue('cli', [shell]);
    const again = () => requests.redeem({ code, publicKey, client: browser }, () => undefined, never);
    await expect(again()).rejects.toMatchObject({ code: 'pairing_denied' });
    await expect(again()).rejects.toMatchObject({ code: 'wrong_code' });
  });
});

it('[req:PW-2] a browser that an agent or a command started pairs with no link at all', async () => {
  const { pairing, redeem, lines } = start({ person: { redeemerDoubt: () => 'command' } });
  for (const by of ['cli', 'terminal', 'popover'] as const)
    await expect(redeem(by)).rejects.toMatchObject({ code: 'pairing_not_here' });
  expect(pairing.list()).toEqual([]);
  expect(lines).toEqual(['refused', 'refused', 'refused']);
});

it('[req:PW-6] nothing is paired that cannot be recorded', async () => {
  const full = async () => {
    throw new Error('the disk is full');
  };
  const { pairing, redeem } = start({ recorder: { recordPairing: full } });
  await expect(redeem('terminal')).rejects.toMatchObject({ code: 'not_saved' });
  expect(pairing.list()).toEqual([]);
});

it('a client that the kernel does not name is confirmed wherever somebody can', async () => {
  const { asked, redeem } = start();
  await redeem('terminal', null);
  expect(asked).toEqual([]);
  await redeem('terminal', null);
  expect(asked).toHaveLength(1);
});
