import { expect, it } from 'vitest';
import { centre, codeOf, frameOf, free, refusing, until, type Bench } from '../bench.js';

export function pointing(bench: () => Bench): void {
  it('moves the pointer and says where it is', async () => {
    const { desktop, signal } = bench();
    await desktop.movePointer({ x: 203, y: 117 }, signal);
    expect(await desktop.pointer(signal)).toEqual({ x: 203, y: 117 });
  });

  it('presses what it clicks', async () => {
    const { control, click, told, journal } = bench();
    await click(centre(frameOf(await control('send'))));
    await told('send', 'pressed');
    expect(await journal('send', 'pressed')).toHaveLength(1);
    expect(await journal('send', 'pointer')).toEqual(['left']);
  });

  it('knows the middle and the right button, which press nothing', async () => {
    const { control, click, journal, settled } = bench();
    const at = centre(frameOf(await control('send')));
    await click(at, 'middle');
    await click(at, 'right');
    await until(async () => expect(await journal('send', 'pointer')).toEqual(['middle', 'right']));
    await bench().chord('escape');
    await settled();
    expect(await journal('send', 'pressed')).toHaveLength(1);
  });

  it('presses nothing when the button is let go elsewhere', async () => {
    const { desktop, signal, control, settled, journal } = bench();
    await desktop.movePointer(centre(frameOf(await control('send'))), signal);
    await desktop.button('left', true, free, signal);
    await desktop.movePointer(centre(frameOf(await control('area'))), signal);
    await desktop.button('left', false, free, signal);
    await settled();
    expect(await journal('send', 'pressed')).toHaveLength(1);
  });

  it('gives the focus to what it clicks', async () => {
    const { desktop, signal, control, click } = bench();
    const area = await control('area');
    await click(centre(frameOf(area)));
    await until(async () => expect((await desktop.focusedElement(signal))?.id).toBe(area.id));
  });

  it('selects a word with a double click', async () => {
    const { desktop, signal, control, click, told } = bench();
    const entry = await control('entry');
    await desktop.setValue(entry.id, 'alpha beta', signal);
    await told('entry', 'changed', 'alpha beta');
    const { x, y, height } = frameOf(entry);
    await click({ x: x + 16, y: Math.round(y + height / 2) }, 'left', 2);
    await desktop.typeText('X', free, signal);
    await told('entry', 'changed', 'X beta');
  });

  it('scrolls the content up with positive lines, and down again', async () => {
    const { desktop, signal, control, journal } = bench();
    await desktop.movePointer(centre(frameOf(await control('area'))), signal);
    const offset = async (): Promise<number> => Number((await journal('area', 'scrolled')).at(-1) ?? 0);
    await desktop.scroll({ x: 0, y: 6 }, free, signal);
    await until(async () => expect(await offset()).toBeGreaterThan(0));
    await desktop.scroll({ x: 0, y: -30 }, free, signal);
    await until(async () => expect(await offset()).toBe(0));
  });

  it('injects nothing after a no', async () => {
    const { desktop, signal, control, settled, journal } = bench();
    await desktop.movePointer(centre(frameOf(await control('send'))), signal);
    const no = refusing(1);
    await expect(desktop.button('left', true, no.guard, signal)).rejects.toBe(no.error);
    await desktop.movePointer(centre(frameOf(await control('area'))), signal);
    await expect(desktop.scroll({ x: 0, y: 6 }, no.guard, signal)).rejects.toBe(no.error);
    await settled();
    expect(await journal('send', 'pointer')).toEqual([]);
    expect(await journal('area', 'scrolled')).toEqual([]);
  });

  it('lets a held button go', async () => {
    const { desktop, signal, control, click, told } = bench();
    await desktop.movePointer(centre(frameOf(await control('area'))), signal);
    await desktop.button('left', true, free, signal);
    await desktop.releaseAll();
    await click(centre(frameOf(await control('toggle'))));
    await told('toggle', 'toggled', 'true');
  });

  it('keeps down what is to stay when everything else is let go', async () => {
    const { desktop, signal, control, journal, settled, told } = bench();
    await desktop.movePointer(centre(frameOf(await control('send'))), signal);
    await desktop.key('shift', true, free, signal);
    await desktop.button('left', true, free, signal);
    await desktop.releaseAll({ keys: [], buttons: ['left'] });
    await settled();
    expect(await journal('send', 'pressed')).toHaveLength(1);
    await desktop.releaseAll();
    await told('send', 'pointer', 'left');
    await desktop.focusElement((await control('entry')).id, signal);
    await desktop.typeText('s', free, signal);
    await told('entry', 'changed', 's');
  });

  it('says so when nothing takes the files that are dropped on it, and drops none after a no', async () => {
    const { desktop, signal, control, fixture } = bench();
    const { window } = await desktop.frontmost(signal);
    await desktop.movePointer(centre(frameOf(await control('send'))), signal);
    const drop = (guard = free) => desktop.dropFiles(['/etc/hostname'], window?.id ?? '', guard, signal);
    if (fixture.dropsFiles === false) return expect(await codeOf(drop())).toBe('unsupported');
    expect(await drop()).toEqual({ accepted: false });
    const no = refusing(1);
    await expect(drop(no.guard)).rejects.toBe(no.error);
  });

  it('does not take its own input for the person’s, and hears the person', async () => {
    const { desktop, signal, control, click, told, fixture } = bench();
    const heard: unknown[] = [];
    const stop = desktop.onPersonInput((at) => heard.push(at));
    await desktop.typeText('a', free, signal);
    await told('entry', 'changed', 'a');
    await click(centre(frameOf(await control('send'))));
    await told('send', 'pressed');
    expect(heard).toEqual([]);
    if (fixture.personMoves !== null) {
      await fixture.personMoves({ x: 321, y: 123 });
      await until(() => Promise.resolve(expect(heard).toContainEqual({ x: 321, y: 123 })));
    }
    stop();
    const before = heard.length;
    await fixture.personMoves?.({ x: 222, y: 222 });
    await bench().settled();
    expect(heard).toHaveLength(before);
  });
}
