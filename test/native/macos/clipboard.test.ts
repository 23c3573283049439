import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { message } from '../../../src/messages/index.js';
import { DesktopError, type ClipboardContent } from '../../../src/native/desktop.js';
import { focusedText } from '../../../src/native/macos/accessibility/element-reader.js';
import { createClipboard, type Clipboard, createPaste } from '../../../src/native/macos/clipboard/clipboard.js';
import { openPasteboard, type Pasteboard, openLending } from '../../../src/native/macos/clipboard/pasteboard.js';
import { createServedClipboard } from '../../../src/native/macos/helper/served.js';
import { codeFrom, rejectionOf } from '../../support/macos/errors.js';
import type { Opened } from '../../support/macos/reader.js';
import { MAIN, SECOND, SECRET, type Scene } from '../../support/macos/scene.js';
import { withScene } from '../../support/macos/with-scene.js';

const { signal } = new AbortController();

let opened: Opened;
let pasteboard: Pasteboard;
let clipboard: Clipboard;
let scene: Scene;
const { script } = withScene((started) => ({ opened, scene } = started));
beforeEach(() => {
  pasteboard = openPasteboard(opened.core);
  const lending = openLending(opened.core);
  clipboard = createClipboard({
    readClipboard: async () => pasteboard.read(),
    putOnClipboard: async (content) => pasteboard.write(content),
    clipboardCount: async () => pasteboard.count(),
    lendText: async (text) => lending.lend(text),
    giveBackClipboard: async () => lending.giveBack(),
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

  it('[req:RA-11] gives nothing of a secret that is copied while it reads what was there before', () => {
    const { core } = opened;
    const { send } = core.bound;
    script.copy(0, 'public.utf8-plain-text', 'before');
    const meanwhile: typeof send = (to, selector, ...given) => {
      if (selector === 'stringForType:') {
        script.copy(0, 'public.utf8-plain-text', SECRET);
        script.also(0, 'org.nspasteboard.ConcealedType', '');
      }
      return send(to, selector, ...given);
    };
    const watched = openPasteboard({ ...core, bound: { ...core.bound, send: meanwhile } });
    expect(watched.read()).toEqual({ concealed: true });
  });

  it.each([1, 3])('that may not be read, or not unasked, is no empty one: %i', (behavior) => {
    script.copy(0, 'public.utf8-plain-text', 'there');
    script.clipboardAccess(behavior, 0);
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

describe('a text that is lent', () => {
  const nothing = async (): Promise<void> => undefined;
  const lend = (work: () => Promise<void> = nothing) => clipboard.whileLent('lent', signal, work);

  it('is there meanwhile, marked as passing and secret, and all that was there comes back', async () => {
    script.copy(0, 'public.utf8-plain-text', 'mine');
    script.also(0, 'com.example.own', 'own form');
    script.copy(1, 'public.file-url', 'file:///tmp/zwei.txt');
    const before = pasteboard.read();
    expect(await lend(async () => {
      expect(script.pasted()).toBe('lent');
      expect(pasteboard.read()).toEqual({ concealed: true });
    })).toEqual({ restored: true });
    expect(pasteboard.read()).toEqual(before);
    expect(script.pasted()).toBe('mine');
  }); // prettier-ignore

  it('leaves what another program copies meanwhile', async () => {
    script.copy(0, 'public.utf8-plain-text', 'mine');
    const copies = async (): Promise<void> => void script.copy(0, 'public.utf8-plain-text', 'theirs');
    expect(await lend(copies)).toEqual({ restored: false });
    expect(pasteboard.read()).toEqual({ text: 'theirs' });
  });

  it.each<[string, () => void]>([
    ['is marked as secret', () => script.also(0, 'org.nspasteboard.ConcealedType', '')],
    ['may not be read', () => script.clipboardAccess(3, 0)],
    ['may not be read unasked', () => script.clipboardAccess(1, 0)],
    ['is promised and never given', () => script.clipboardPromised(1)],
  ])('[req:MA-11] takes the place of nothing that %s', async (_, prepare) => {
    script.copy(0, 'public.utf8-plain-text', SECRET);
    prepare();
    const [count, work] = [pasteboard.count(), vi.fn(nothing)];
    expect(await rejectionOf(lend(work))).toMatchObject({ code: 'failed', text: { code: 'native.clipboard_kept' } });
    expect([pasteboard.count(), script.pasted()]).toEqual([count, SECRET]);
    expect(work).not.toHaveBeenCalled();
    expect(script.journal().filter((line) => line.includes('read')).length).toBeLessThan(2);
  });

  it('takes the place of nothing before all of it was read: a question of the system may end the helper there', () => {
    const { core } = opened;
    const { send } = core.bound;
    script.copy(0, 'public.utf8-plain-text', 'mine');
    const asking: typeof send = (to, selector, ...given) => {
      if (selector === 'dataForType:') throw new Error('ended');
      return send(to, selector, ...given);
    };
    const lending = openLending({ ...core, bound: { ...core.bound, send: asking } });
    expect(() => lending.lend('lent')).toThrow('ended');
    expect(script.pasted()).toBe('mine');
  });

  it('that comes to nobody, as any reading, is told as a permission that may be asked for', async () => {
    const unused = { renew: vi.fn(), onTold: () => nothing, onReady: () => nothing, onLost: () => nothing, close: vi.fn() };
    const call = () => Promise.reject(new DesktopError('not_responding', message('native.app_silent')));
    const silent = createServedClipboard({ ...unused, call });
    for (const reading of [silent.readClipboard(signal), silent.whileLent('lent', signal, nothing)])
      expect(await rejectionOf(reading)).toMatchObject({ code: 'permission', text: { code: 'native.clipboard_silent' } });
    silent.close();
  }); // prettier-ignore

  it('goes away also where the work fails, and writes wait for it', async () => {
    script.copy(0, 'public.utf8-plain-text', 'mine');
    const told: unknown[] = [];
    const stop = clipboard.onClipboardChange((written) => told.push(written));
    const failing = rejectionOf(lend(() => Promise.reject(new Error('no'))));
    const writing = clipboard.writeClipboard({ text: 'next' }, signal);
    expect(await failing).toMatchObject({ message: 'no' });
    await writing;
    expect(pasteboard.read()).toEqual({ text: 'next' });
    stop();
    expect(told).toEqual([{ text: 'next' }]);
  });

  it('is not pasted where another program takes the clipboard at that moment', async () => {
    script.clipboardTaken(1);
    const work = vi.fn(nothing);
    expect(await rejectionOf(lend(work))).toMatchObject({ code: 'failed', text: { code: 'native.clipboard_taken' } });
    expect(work).not.toHaveBeenCalled();
  });
});

describe('pasting', () => {
  interface Scripted {
    front?: (number | null)[];
    texts?: (string | null)[];
  }
  /** The last value stays. */
  const values =
    <T>(given: T[]) =>
    async (): Promise<T> =>
      (given.length > 1 ? given.shift() : given[0]) as T;
  const pasting = ({ front = [MAIN.pid], texts = ['before', 'after'] }: Scripted) => {
    const pressed: string[] = [];
    const shortcut = async (name: string, guard: () => Promise<void>): Promise<void> => {
      await guard();
      pressed.push(`${name} ${script.pasted()}`);
    };
    const { paste } = createPaste({ clipboard, shortcut, frontPid: values(front), focusedText: values(texts) });
    return { pressed, done: paste('lent', MAIN.pid, async () => undefined, signal) };
  };

  it('presses once, with the text there, and is done once the field has another text', async () => {
    const { pressed, done } = pasting({});
    expect(await done).toEqual({ restored: true });
    expect(pressed).toEqual(['v lent']);
  });

  it.each<[string, Scripted, string]>([
    ['is not in front', { front: [SECOND.pid] }, 'native.paste_not_in_front'],
    ['is no longer in front when the keys are due', { front: [MAIN.pid, SECOND.pid] }, 'native.paste_not_in_front'],
    ['has no text with the focus', { texts: [null] }, 'native.nothing_takes_text'],
  ])('presses nothing where the application %s', async (_, scripted, code) => {
    const { pressed, done } = pasting(scripted);
    expect(await rejectionOf(done)).toMatchObject({ code: 'failed', text: { code } });
    expect(pressed).toEqual([]);
    expect(script.pasted()).toBe('');
  });

  it('that changes nothing is an error, not a success', async () => {
    const { done } = pasting({ texts: ['before'] });
    expect(await rejectionOf(done)).toMatchObject({ code: 'failed', text: { code: 'native.paste_not_taken' } });
  });
});

describe('the text that has the focus', () => {
  it('is told from another by what it is; a password only by its length', () => {
    const told = (): string | null => focusedText(opened.core, MAIN.pid);
    const before = told();
    script.text(scene.entry, 'AXValue', 'other', 1);
    expect(told()).not.toBe(before);
    script.focus(MAIN.pid, scene.window, scene.password);
    script.number(scene.password, 'AXNumberOfCharacters', 5, 0);
    expect(told()).toBe('5');
    script.focus(MAIN.pid, scene.window, 0);
    expect(told()).toBeNull();
  });
});
