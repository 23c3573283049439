import { expect, it } from 'vitest';
import { codeOf, free, refusing, until, type Bench } from '../bench.js';

export function typing(bench: () => Bench): void {
  const typed = async (text: string): Promise<void> => {
    const { desktop, signal } = bench();
    await desktop.typeText(text, free, signal);
  };
  const key = async (...keys: string[]): Promise<void> => {
    for (const each of keys) await bench().chord(each);
  };

  /** And nothing of it is on the clipboard. */
  const refusesPaste = async (): Promise<void> => {
    const { desktop, apps, signal, settled, journal } = bench();
    await desktop.writeClipboard({ text: 'mine' }, signal);
    expect(await codeOf(desktop.paste('stray', apps.pid, free, signal))).toBe('unsupported');
    await settled();
    expect(await journal('entry', 'changed')).toEqual([]);
    expect((await desktop.readClipboard(signal)).text).toBe('mine');
  };

  /** Nothing of it is typed, also not what the layout has. */
  const refusesForeign = async (): Promise<void> => {
    expect(await codeOf(typed('Zoë 世界'))).toBe('unsupported');
    await bench().settled();
    expect(await bench().journal('entry', 'changed')).toEqual([]);
  };

  it('types letters, digits and signs', async () => {
    await typed('Ab9 _-+"\'\\/@#%{}[]<>|~^`');
    await bench().told('entry', 'changed', 'Ab9 _-+"\'\\/@#%{}[]<>|~^`');
  });

  it('types any Unicode: accents, Chinese, emoji', async () => {
    if (bench().fixture.takesAllText === false) return refusesForeign();
    await typed('Zoë 世界 👋 €');
    await bench().told('entry', 'changed', 'Zoë 世界 👋 €');
  });

  it('types line breaks into a text of several lines', async () => {
    const { focus, chord, fixture, told } = bench();
    await focus('area');
    await chord(fixture.shortcut, 'a');
    await typed('one\ntwo');
    await told('area', 'changed', 'one\ntwo');
    await key('enter');
    await typed('three');
    await told('area', 'changed', 'one\ntwo\nthree');
  });

  it('types into a password without telling it', async () => {
    const { desktop, signal, focus, chord, fixture, told } = bench();
    const { id } = await focus('password');
    await chord(fixture.shortcut, 'a');
    await typed('pw1');
    await told('password', 'changed', 'pw1');
    expect((await desktop.element(id, signal)).value).toBeNull();
  });

  it('asks the guard before every character', async () => {
    const { desktop, signal, told } = bench();
    const counting = refusing(1_000);
    await desktop.typeText('abcdef', counting.guard, signal);
    await told('entry', 'changed', 'abcdef');
    expect(counting.calls()).toBeGreaterThanOrEqual(6);
  });

  it('stops where the guard says no, with the guard’s own error', async () => {
    const { desktop, signal, told, settled, journal } = bench();
    const no = refusing(3);
    await expect(desktop.typeText('abcdef', no.guard, signal)).rejects.toBe(no.error);
    // An application may handle a press through accessibility before keys that came earlier.
    await told('entry', 'changed', 'ab');
    await settled();
    expect((await journal('entry', 'changed')).at(-1)).toBe('ab');
    expect(no.calls()).toBe(3);
  });

  it('stops soon after an abort, with its reason', async () => {
    const { desktop, settled, journal } = bench();
    const abort = new AbortController();
    const reason = new Error('enough');
    let calls = 0;
    const guard = (): Promise<void> => {
      calls += 1;
      if (calls === 3) abort.abort(reason);
      return Promise.resolve();
    };
    await expect(desktop.typeText('abcdef', guard, abort.signal)).rejects.toBe(reason);
    await settled();
    const [last = ''] = (await journal('entry', 'changed')).slice(-1);
    expect('abc'.startsWith(last)).toBe(true);
    expect(calls).toBe(3);
  });

  it('sends no key after a no', async () => {
    const { desktop, signal, settled, journal } = bench();
    const no = refusing(1);
    await expect(desktop.key('a', true, no.guard, signal)).rejects.toBe(no.error);
    await expect(desktop.typeText('a', no.guard, signal)).rejects.toBe(no.error);
    await settled();
    expect(await journal('entry', 'changed')).toEqual([]);
  });

  it('knows editing and moving keys', async () => {
    const { told } = bench();
    await typed('abcd');
    await key('backspace', 'left', 'left', 'delete');
    await told('entry', 'changed', 'ac');
    await key('home');
    await typed('1');
    await key('end');
    await typed('2');
    await told('entry', 'changed', '1ac2');
    await key('right', 'space');
    await told('entry', 'changed', '1ac2 ');
  });

  it('holds modifiers: selecting, replacing, capital letters', async () => {
    const { chord, told, fixture } = bench();
    await typed('first');
    await chord(fixture.shortcut, 'a');
    await typed('second');
    await told('entry', 'changed', 'second');
    await chord('shift', 'left');
    await chord('shift', 'z');
    await told('entry', 'changed', 'seconZ');
  });

  it('moves the focus with tab, and back', async () => {
    const { desktop, signal, chord } = bench();
    const from = await desktop.focusedElement(signal);
    await key('tab');
    await until(async () => expect((await desktop.focusedElement(signal))?.id).not.toBe(from?.id));
    await chord('shift', 'tab');
    await until(async () => expect((await desktop.focusedElement(signal))?.id).toBe(from?.id));
  });

  it('copies and pastes by keys, through the clipboard', async () => {
    const { desktop, signal, chord, fixture, told } = bench();
    await typed('copied');
    await chord(fixture.shortcut, 'a');
    await chord(fixture.shortcut, 'c');
    await until(async () => expect((await desktop.readClipboard(signal)).text).toBe('copied'));
    await desktop.writeClipboard({ text: 'from outside' }, signal);
    await chord(fixture.shortcut, 'v');
    await told('entry', 'changed', 'from outside');
  });

  it('refuses a key that it does not have', async () => {
    const { desktop, signal, settled, journal } = bench();
    expect(await codeOf(desktop.key('hyperdrive', true, free, signal))).toBe('unsupported');
    await settled();
    expect(await journal('entry', 'changed')).toEqual([]);
  });

  it('lifts what is held, also after an abort, and never rejects', async () => {
    const { desktop, told } = bench();
    await desktop.releaseAll();
    const abort = new AbortController();
    await desktop.key('shift', true, free, abort.signal);
    abort.abort(new Error('stop'));
    await expect(desktop.key('a', true, free, abort.signal)).rejects.toThrow('stop');
    await desktop.releaseAll();
    await desktop.releaseAll();
    await key('a');
    await told('entry', 'changed', 'a');
  });

  it('pastes to the named process and gives the clipboard back', async () => {
    const { desktop, apps, signal, told } = bench();
    if (bench().fixture.bindsPaste === false) return refusesPaste();
    await desktop.writeClipboard({ text: 'mine' }, signal);
    const result = await desktop.paste('pasted 世界 👋', apps.pid, free, signal);
    await told('entry', 'changed', 'pasted 世界 👋');
    expect(result).toEqual({ restored: true });
    expect((await desktop.readClipboard(signal)).text).toBe('mine');
  });

  it('[req:DS-4-19] pastes nowhere else', async () => {
    const { desktop, apps, signal, settled, journal } = bench();
    if (bench().fixture.bindsPaste === false) return refusesPaste();
    await desktop.writeClipboard({ text: 'mine' }, signal);
    expect(await codeOf(desktop.paste('stray', apps.secondPid, free, signal))).toBe('failed');
    await settled();
    expect(await journal('entry', 'changed')).toEqual([]);
    expect((await desktop.readClipboard(signal)).text).toBe('mine');
  });

  it('pastes nothing after a no, and gives the clipboard back', async () => {
    const { desktop, apps, signal, settled, journal } = bench();
    if (bench().fixture.bindsPaste === false) return refusesPaste();
    await desktop.writeClipboard({ text: 'mine' }, signal);
    const no = refusing(1);
    await expect(desktop.paste('stray', apps.pid, no.guard, signal)).rejects.toBe(no.error);
    await settled();
    expect(await journal('entry', 'changed')).toEqual([]);
    expect((await desktop.readClipboard(signal)).text).toBe('mine');
  });
}
