import { expect, it } from 'vitest';
import { codeOf, until, type Bench } from '../bench.js';

export function acting(bench: () => Bench): void {
  it('presses a button once', async () => {
    const { settled, journal } = bench();
    await settled();
    expect(await journal('send', 'pressed')).toHaveLength(1);
  });

  it('presses a check box, which then is checked', async () => {
    const { desktop, signal, control, told } = bench();
    const { id } = await control('toggle');
    await desktop.performAction(id, 'AXPress', signal);
    await told('toggle', 'toggled', 'true');
    await until(async () => expect((await desktop.element(id, signal)).states.checked).toBe(true));
    await desktop.performAction(id, 'AXPress', signal);
    await told('toggle', 'toggled', 'false');
  });

  it('refuses an action that the element does not have', async () => {
    const { desktop, signal, control, settled, journal } = bench();
    const { id } = await control('send');
    expect(await codeOf(desktop.performAction(id, 'AXFly', signal))).toBe('unsupported');
    await settled();
    expect(await journal('send', 'pressed')).toHaveLength(1);
  });

  it('does not press what is disabled, and says so', async () => {
    const { desktop, signal, control, settled, journal } = bench();
    const { id } = await control('disabled');
    expect(['failed', 'unsupported']).toContain(await codeOf(desktop.performAction(id, 'AXPress', signal)));
    await settled();
    expect(await journal('disabled', 'pressed')).toEqual([]);
  });

  it('sets a value, which replaces the one before', async () => {
    const { desktop, signal, control, told } = bench();
    const { id } = await control('entry');
    await desktop.setValue(id, 'first', signal);
    await told('entry', 'changed', 'first');
    await desktop.setValue(id, 'Grüße 👋 世界', signal);
    await told('entry', 'changed', 'Grüße 👋 世界');
    expect((await desktop.element(id, signal)).value).toBe('Grüße 👋 世界');
  });

  it('sets a value of several lines', async () => {
    const { desktop, signal, control, told } = bench();
    const { id } = await control('area');
    await desktop.setValue(id, 'one\ntwo\n\nfour', signal);
    await told('area', 'changed', 'one\ntwo\n\nfour');
    expect((await desktop.element(id, signal)).value).toBe('one\ntwo\n\nfour');
  });

  it('sets a password without telling it', async () => {
    const { desktop, signal, control, told } = bench();
    const { id } = await control('password');
    await desktop.setValue(id, 'another secret', signal);
    await told('password', 'changed', 'another secret');
    expect((await desktop.element(id, signal)).value).toBeNull();
  });

  it('inserts text at the caret', async () => {
    const { desktop, signal, told, chord, focus } = bench();
    const { id } = await focus('entry');
    // A character after each key shows that the key has arrived.
    const type = (text: string) => desktop.typeText(text, () => Promise.resolve(), signal);
    await desktop.setValue(id, 'c', signal);
    await told('entry', 'changed', 'c');
    await chord('end');
    await type('d');
    await told('entry', 'changed', 'cd');
    await desktop.insertText(id, 'e👋', signal);
    await told('entry', 'changed', 'cde👋');
    await chord('home');
    await type('a');
    await told('entry', 'changed', 'acde👋');
    await desktop.insertText(id, 'b', signal);
    await told('entry', 'changed', 'abcde👋');
  });

  it('refuses text where there is none', async () => {
    const { desktop, signal, control } = bench();
    const { id } = await control('send');
    expect(await codeOf(desktop.setValue(id, 'x', signal))).toBe('unsupported');
    expect(await codeOf(desktop.insertText(id, 'x', signal))).toBe('unsupported');
  });

  it('gives an element the focus, and keys go there', async () => {
    const { desktop, signal, focus, told, chord, fixture } = bench();
    await focus('area');
    await chord(fixture.shortcut, 'a');
    await desktop.typeText('here', () => Promise.resolve(), signal);
    await told('area', 'changed', 'here');
  });

  it('says so when an element does not take the focus', async () => {
    const { desktop, signal, control } = bench();
    const { id } = await control('disabled');
    expect(['failed', 'unsupported']).toContain(await codeOf(desktop.focusElement(id, signal)));
    expect((await desktop.focusedElement(signal))?.title).toBe('Name');
  });
}
