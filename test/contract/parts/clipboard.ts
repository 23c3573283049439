import { expect, it } from 'vitest';
import type { ClipboardContent } from '../../../src/native/desktop.js';
import { free, until, type Bench } from '../bench.js';

const PNG = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);

export function clipboard(bench: () => Bench): void {
  it('gives back the text that was put there', async () => {
    const { desktop, signal } = bench();
    for (const text of ['plain', 'Größe 世界 👋\nsecond line', 'x'.repeat(700_000)]) {
      await desktop.writeClipboard({ text }, signal);
      expect((await desktop.readClipboard(signal)).text).toBe(text);
    }
  });

  it('replaces everything, and can be emptied', async () => {
    const { desktop, signal } = bench();
    await desktop.writeClipboard({ text: 'old' }, signal);
    await desktop.writeClipboard({}, signal);
    const { text, html, png, files } = await desktop.readClipboard(signal);
    expect([text ?? '', html ?? '', png ?? null, files ?? []]).toEqual(['', '', null, []]);
  });

  it('takes twenty writes at once, and the last one wins', async () => {
    const { desktop, signal } = bench();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => desktop.writeClipboard({ text: `write ${index}` }, signal)),
    );
    expect(await desktop.readClipboard(signal)).toEqual({ text: 'write 19' });
  });

  it('tells of what it was asked to write, and no more once nobody listens', async () => {
    const { desktop, signal } = bench();
    const told: (ClipboardContent | null)[] = [];
    const stop = desktop.onClipboardChange((written) => told.push(written));
    await desktop.writeClipboard({ text: 'told' }, signal);
    await desktop.writeClipboard({}, signal);
    stop();
    await desktop.writeClipboard({ text: 'not told' }, signal);
    await desktop.readClipboard(signal);
    expect(told).toEqual([{ text: 'told' }, {}]);
  });

  it('tells of what the person copies', async () => {
    const { desktop, signal, chord, fixture, told } = bench();
    let copies = 0;
    const stop = desktop.onClipboardChange((written) => void (copies += written === null ? 1 : 0));
    await desktop.typeText('by hand', free, signal);
    await told('entry', 'changed', 'by hand');
    await chord(fixture.shortcut, 'a');
    await chord(fixture.shortcut, 'c');
    await until(async () => expect((await desktop.readClipboard(signal)).text).toBe('by hand'));
    await until(async () => expect(copies).toBeGreaterThan(0));
    stop();
  });

  it('tells nothing of a paste, neither of what it lends nor of what it gives back', async () => {
    const { desktop, apps, signal, told } = bench();
    if (bench().fixture.bindsPaste === false) return;
    await desktop.writeClipboard({ text: 'mine' }, signal);
    let changes = 0;
    const stop = desktop.onClipboardChange(() => void (changes += 1));
    await desktop.paste('lent', apps.pid, free, signal);
    await told('entry', 'changed', 'lent');
    expect((await desktop.readClipboard(signal)).text).toBe('mine');
    expect(changes).toBe(0);
    await desktop.writeClipboard({ text: 'heard' }, signal);
    await until(async () => expect(changes).toBe(1));
    stop();
  });

  const kinds: [string, ClipboardContent][] = [
    ['html', { html: '<b>bold</b>', text: 'bold' }],
    ['png', { png: PNG }],
    ['files', { files: ['/tmp/one file.txt', '/tmp/zwei.txt'] }],
  ];
  it.each(kinds)('gives back %s, or says that it cannot', async (_, content) => {
    const { desktop, signal } = bench();
    try {
      await desktop.writeClipboard(content, signal);
    } catch (thrown) {
      expect(thrown).toMatchObject({ name: 'DesktopError', code: 'unsupported' });
      return;
    }
    expect(await desktop.readClipboard(signal)).toMatchObject(content);
  });
}
