import { expect, it } from 'vitest';
import type { ClipboardContent } from '../../../src/native/desktop.js';
import type { Bench } from '../bench.js';

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
