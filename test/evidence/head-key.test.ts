/** The head of the log with a key that only the app can read. */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { headState, verifyEvidence, type HeadKey } from '../../src/main/evidence/index.js';
import { places, type Place } from './support.js';

const place = places();
const key: HeadKey = { key: randomBytes(32), isNew: false };
const first: HeadKey = { ...key, isNew: true };
const LINE = {
  event: 'reset',
  keyId: null,
  link: null,
  askedBy: null,
  browser: null,
  decision: null,
  note: null,
} as const;

async function recorded(at: Place, headKey: HeadKey | undefined, lines = 3): Promise<void> {
  const recorder = await at.open(headKey === undefined ? {} : { headKey });
  for (let line = 0; line < lines; line += 1) await recorder.recordPairing(LINE);
  await recorder.close();
}
/** The last line goes, and the head says so; `code`: what it carries then. */
async function cutOff({ stateDir }: Place, code: (was: string | undefined) => string | undefined): Promise<void> {
  const [log, head] = [`${stateDir}/audit.jsonl`, `${stateDir}/audit.head.json`];
  const lines = (await readFile(log, 'utf8')).trimEnd().split('\n').slice(0, -1);
  const was = JSON.parse(await readFile(head, 'utf8')) as { code?: string };
  const { hash } = JSON.parse(lines.at(-1) ?? '') as { hash: string };
  await writeFile(log, `${lines.join('\n')}\n`);
  await writeFile(head, JSON.stringify({ v: 1, count: lines.length, hash, code: code(was.code) }));
}

describe('[req:MW-8] a head that the app’s key vouches for', () => {
  test('is right for the app, also in its next run, and says to others that they cannot check it', async () => {
    const at = await place();
    await recorded(at, first);
    await recorded(at, key);
    expect((await at.open({ headKey: key })).recovered).toBeNull();
    expect(await headState(at.stateDir, key)).toBe('right');
    expect(await headState(at.stateDir)).toBe('unchecked');
    expect(await verifyEvidence({ stateDir: at.stateDir })).toMatchObject({ ok: true, lines: 6 });
  });

  test.each<[string, (was: string | undefined) => string | undefined]>([
    ['no code', () => undefined],
    ['the code of before', (was) => was],
    ['a made-up code', () => 'a'.repeat(64)],
  ])('with %s tells that the log was cut off, although the chain is whole', async (_, code) => {
    const at = await place();
    await recorded(at, first);
    await cutOff(at, code);
    expect(await verifyEvidence({ stateDir: at.stateDir })).toMatchObject({ ok: true });
    expect(await headState(at.stateDir, key)).toBe('wrong');
    const recorder = await at.open({ headKey: key });
    expect(recorder.recovered).toMatchObject({ headMissing: true });
    expect(recorder.integrity()).toEqual({ state: 'changed' });
    expect(await verifyEvidence({ stateDir: at.stateDir })).toMatchObject({ ok: false });
  });

  test('begins with a key that is new, on a log of before; a code of another key is not of before', async () => {
    const at = await place();
    await recorded(at, undefined);
    expect(await headState(at.stateDir)).toBe('unsigned');
    const recorder = await at.open({ headKey: first });
    expect(recorder.recovered).toBeNull();
    await recorder.recordPairing(LINE);
    expect(await recorder.headState()).toBe('right');
    await recorder.close();
    const another = await at.open({ headKey: { key: randomBytes(32), isNew: true } });
    expect(another.recovered).toMatchObject({ headMissing: true });
  });
});
