import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClipboardContent } from '../../../src/native/desktop.js';
import { createClipboard } from '../../../src/native/macos/clipboard/clipboard.js';
import { openPasteboard, type Pasteboard } from '../../../src/native/macos/clipboard/pasteboard.js';
import { codeFrom, rejectionOf } from '../../support/macos/errors.js';
import type { Opened } from '../../support/macos/reader.js';
import { SECRET } from '../../support/macos/scene.js';
import { withScene } from '../../support/macos/with-scene.js';

const { signal } = new AbortController();

let opened: Opened;
let pasteboard: Pasteboard;
let clipboard: ReturnType<typeof createClipboard>;
const { script } = withScene((started) => ({ opened } = started));
beforeEach(() => {
  pasteboard = openPasteboard(opened.core);
  clipboard = createClipboard({
    readClipboard: async () => pasteboard.read(),
    putOnClipboard: async (content) => pasteboard.write(content),
    clipboardCount: async () => pasteboard.count(),
  });
});
afterEach(() => {
  clipboard.close();
});

describe('the clipboard', () => {
  it.each<ClipboardContent>([
    { text: 'Grüße 👋\n世界 \ud83d' },
    { text: 'bold', html: '<b>bold</b>' },
    { png: Uint8Array.of(137, 80, 78, 71, 0, 255) },
    { files: ['/tmp/ein Bild ü%.png'] },
    {},
  ])('gives back what was put there: %j', async (content) => {
    await clipboard.writeClipboard({ text: 'old', html: 'old' }, signal);
    await clipboard.writeClipboard(content, signal);
    expect(await clipboard.readClipboard(signal)).toEqual(content);
  });

  it('has all files, one in each item, and names what it does not read', () => {
    script.copy(0, 'public.file-url', 'file:///tmp/one%20file.txt');
    script.also(0, 'com.apple.finder.node', 'x');
    script.also(0, 'dyn.ah62d4', 'x');
    script.copy(1, 'public.file-url', 'file:///tmp/zwei.txt');
    expect(pasteboard.read()).toEqual({ files: ['/tmp/one file.txt', '/tmp/zwei.txt'], others: ['com.apple.finder.node'] });
    script.copy(0, 'public.file-url', 'file:///.file/id=6571367.1');
    expect(pasteboard.read()).toEqual({ others: ['public.file-url'] });
  }); // prettier-ignore

  it.each(['org.nspasteboard.ConcealedType', 'com.agilebits.onepassword'])('never reads what is marked %s', (mark) => {
    script.copy(0, 'public.utf8-plain-text', SECRET);
    script.also(0, mark, '');
    expect(pasteboard.read()).toEqual({ concealed: true });
    expect(script.journal()).toEqual([]);
  });

  it('that may not be read is no empty one', () => {
    script.copy(0, 'public.utf8-plain-text', 'there');
    script.clipboardAccess(3, 0);
    expect(codeFrom(() => pasteboard.read())).toBe('permission');
  });

  it('of a system that has no such setting is read', () => {
    script.copy(0, 'public.utf8-plain-text', 'there');
    script.clipboardAccess(0, 1);
    expect(pasteboard.read()).toEqual({ text: 'there' });
  });

  it('that another program takes meanwhile is not called written; nor are several files', async () => {
    expect(await rejectionOf(clipboard.writeClipboard({ files: ['/a', '/b'] }, signal))).toMatchObject({ code: 'unsupported' }); // prettier-ignore
    script.clipboardTaken(1);
    expect(await rejectionOf(clipboard.writeClipboard({ text: 'lost' }, signal))).toMatchObject({ code: 'failed' });
  });

  it('takes writes one after the other, and the last one wins', async () => {
    const all = Array.from({ length: 20 }, (_, index) => clipboard.writeClipboard({ text: `write ${index}` }, signal));
    await Promise.all(all);
    expect(pasteboard.read()).toEqual({ text: 'write 19' });
  });
});

describe('changes', () => {
  it('are told once: our own with their content, those of others without, and nothing is read for it', async () => {
    const told: (ClipboardContent | null)[] = [];
    const looked = new Promise<void>((resolve) => {
      const count = pasteboard.count;
      pasteboard = { ...pasteboard, count: () => (resolve(), count()) };
    });
    const stop = clipboard.onClipboardChange((written) => told.push(written));
    await looked;
    await clipboard.writeClipboard({ text: 'ours' }, signal);
    script.copy(0, 'public.utf8-plain-text', 'theirs');
    await expect.poll(() => told).toEqual([{ text: 'ours' }, null]);
    await clipboard.writeClipboard({}, signal);
    stop();
    await clipboard.writeClipboard({ text: 'not told' }, signal);
    expect(told).toEqual([{ text: 'ours' }, null, {}]);
    expect(script.journal()).toEqual([]);
  });
});
