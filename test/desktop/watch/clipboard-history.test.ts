import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { maskedReader } from '../../../src/main/pipeline/masked.js';
import { createImaging } from '../../../src/main/evidence/index.js';
import { createClipboardHistory, type ClipboardHistory } from '../../../src/main/desktop/watch/index.js';
import { openSimulated, type SimulatedDesktop } from '../../../src/native/simulated/index.js';

const ME = 'agent-1';
const signal = new AbortController().signal;
let desktop: SimulatedDesktop;
let history: ClipboardHistory;
let excluded: Set<string>;
let blind: boolean;
let reads: number;

beforeEach(() => {
  desktop = openSimulated();
  excluded = new Set();
  blind = false;
  reads = 0;
  const masked = maskedReader(desktop, {
    protection: {
      isProtected: () => false,
      hintFor: () => null,
      hidesDocument: () => false,
      isPairingLinkOpen: () => blind,
    },
    imaging: createImaging(),
    excludedApps: () => excluded,
  });
  const counted = {
    ...masked,
    readClipboard: (given: AbortSignal) => {
      reads += 1;
      return masked.readClipboard(given);
    },
  };
  history = createClipboardHistory({
    desktop: counted,
    real: desktop,
    excluded: ({ id }) => excluded.has(id),
    now: () => new Date(0),
  });
});
afterEach(async () => {
  history.close();
  await desktop.close();
});

const texts = async () => (await history.entries(ME)).map(({ text }) => text);
const copy = (text: string) => desktop.world.setClipboard({ text });
const frontApp = async () => {
  const { app } = await desktop.frontmost(signal);
  if (app === null) throw new Error('expected an application in front');
  return app;
};

/** Each is looked at before the next comes. */
async function copyEach(all: readonly string[]): Promise<void> {
  for (const text of all) {
    copy(text);
    await history.entries(ME);
  }
}

describe('the history of the clipboard', () => {
  it('looks at no copy before it is allowed, and knows nothing of earlier ones then', async () => {
    copy('before');
    await history.entries(ME);
    expect(reads).toBe(0);
    expect(history.record(ME)).toBe('1970-01-01T00:00:00.000Z');
    expect(await texts()).toEqual([]);
    await copyEach(['after']);
    expect(await texts()).toEqual(['after']);
  });

  it('begins for each agent when it is allowed that, whatever others were allowed before', async () => {
    history.record(ME);
    await copyEach(['between me and mine', 'again']);
    expect(await history.entries('agent-2')).toEqual([]);
    history.record('agent-2');
    expect(await history.entries('agent-2')).toEqual([]);
    await copyEach(['for both']);
    expect((await history.entries('agent-2')).map(({ text }) => text)).toEqual(['for both']);
    expect(await texts()).toEqual(['for both', 'again', 'between me and mine']);
    await copyEach(['again']);
    expect((await history.entries('agent-2')).map(({ text }) => text)).toEqual(['again', 'for both']);
  });

  it('has the person’s copies and what was written, newest first, the person’s with the application in front', async () => {
    history.record(ME);
    await copyEach(['by hand']);
    await desktop.writeClipboard({ html: '<b>written</b>' }, signal);
    await desktop.writeClipboard({ files: ['/a', '/b c'] }, signal);
    await desktop.writeClipboard({ text: 'both', html: '<i>both</i>' }, signal);
    const { name, id } = await frontApp();
    expect(await history.entries(ME)).toEqual(
      [
        { types: ['text', 'html'], text: 'both', application: null },
        { types: ['files'], text: '/a\n/b c', application: null },
        { types: ['html'], text: '<b>written</b>', application: null },
        { types: ['text'], text: 'by hand', application: { id, name } },
      ].map((one) => ({ ...one, copiedAt: '1970-01-01T00:00:00.000Z', truncated: false })),
    );
  });

  it('keeps a hundred, each once, the same content again as the newest', async () => {
    history.record(ME);
    await copyEach(Array.from({ length: 120 }, (_, index) => `copy ${index}`));
    expect(await texts()).toEqual(Array.from({ length: 100 }, (_, index) => `copy ${119 - index}`));
    await copyEach(['copy 50', 'copy 50']);
    const now = await texts();
    expect([now.length, now[0], now.filter((one) => one === 'copy 50').length]).toEqual([100, 'copy 50', 1]);
  });

  it('is bounded in size, each entry and all together', async () => {
    history.record(ME);
    await copyEach(Array.from({ length: 30 }, (_, index) => `${index}`.padEnd(300_000, '.')));
    const entries = await history.entries(ME);
    expect(entries.every(({ text, truncated }) => text.length === 100_000 && truncated)).toBe(true);
    expect(entries.map(({ text }) => text.slice(0, 2))).toEqual(
      Array.from({ length: 20 }, (_, index) => `${29 - index}`),
    );
  });

  it('leaves out what is marked as secret, what is empty, and what a paste lends', async () => {
    history.record(ME);
    await copyEach(['shown']);
    desktop.world.setClipboard({ text: 'hunter2', concealed: true });
    await history.entries(ME);
    desktop.world.setClipboard({});
    await history.entries(ME);
    expect(await texts()).toEqual(['shown']);
  });

  it('leaves out what is copied in an excluded application, and what was copied in one excluded later', async () => {
    history.record(ME);
    const app = await frontApp();
    await copyEach(['in the open']);
    expect(await history.isRestricted()).toBe(false);
    excluded.add(app.id);
    expect(await texts()).toEqual([]);
    await copyEach(['in private']);
    expect(await history.isRestricted()).toBe(true);
    excluded.clear();
    expect(await texts()).toEqual(['in the open']);
    await copyEach(['open again']);
    expect(await history.isRestricted()).toBe(false);
  });

  it('never lists what was there before the host, or was copied in private, when a clipboard manager puts it there again', async () => {
    history.close();
    copy('from before');
    history = createClipboardHistory({
      desktop,
      real: desktop,
      excluded: ({ id }) => excluded.has(id),
      now: () => new Date(0),
    });
    history.record(ME);
    expect(await texts()).toEqual([]);
    await copyEach(['in the open', 'from before', 'in the open']);
    expect(await history.isRestricted()).toBe(false);
    expect(await texts()).toEqual(['in the open']);
    await desktop.writeClipboard({ text: 'from before' }, signal);
    expect(await texts()).toEqual(['from before', 'in the open']);
  });

  it('never lists what was there before and could not be read then, whoever puts it there again', async () => {
    desktop.world.setClipboard({ text: 'from before' });
    history.close();
    let deaf = true;
    history = createClipboardHistory({
      desktop: {
        ...desktop,
        readClipboard: (given) => (deaf ? Promise.reject(new Error('no answer')) : desktop.readClipboard(given)),
      },
      real: desktop,
      excluded: () => false,
      now: () => new Date(0),
    });
    history.record(ME);
    expect(await texts()).toEqual([]);
    deaf = false;
    await copyEach(['from before', 'in the open', 'from before']);
    expect(await texts()).toEqual(['in the open']);
  });

  it('leaves out what is copied while a pairing link is open', async () => {
    history.record(ME);
    blind = true;
    await copyEach(['http://localhost/#pair=secret']);
    expect(await history.isRestricted()).toBe(true);
    blind = false;
    expect(await texts()).toEqual([]);
  });

  it('looks once at a storm of copies', async () => {
    history.record(ME);
    for (let count = 0; count < 1000; count += 1) copy(`storm ${count}`);
    expect(await texts()).toEqual(['storm 999']);
    expect(reads).toBeLessThan(10);
  });

  it('forgets everything at its end, and hears nothing more', async () => {
    history.record(ME);
    await copyEach(['kept']);
    history.close();
    copy('late');
    expect(await texts()).toEqual([]);
  });
});
