import { expect, it } from 'vitest';
import type { ChangeHint } from '../../../src/native/desktop.js';
import { until, type Bench } from '../bench.js';

export function noticing(bench: () => Bench): void {
  it('says that it is worth looking again when an element changed, in the right process or in any', async () => {
    const { desktop, apps, signal, control } = bench();
    const heard = listen(desktop.onChange);
    await desktop.performAction((await control('toggle')).id, 'AXPress', signal);
    await until(async () =>
      expect(heard.hints).toContainEqual(expect.objectContaining({ kind: 'elements', pid: heard.known(apps.pid) })),
    );
    heard.stop();
  });

  it('says so when a window moved, was minimised, came and went', async () => {
    const { desktop, apps, signal, second } = bench();
    const { id, frame } = await second();
    const heard = listen(desktop.onChange);
    const noticed = (kind: ChangeHint['kind']) =>
      until(async () => expect(heard.hints.map((hint) => hint.kind)).toContain(kind));
    const acts = [
      () => desktop.setWindowFrame(id, { x: frame.x + 20 }, signal),
      () => desktop.setWindowMinimized(id, true, signal),
      () => desktop.setWindowMinimized(id, false, signal),
      () => desktop.focusWindow(id, signal),
    ];
    for (const act of acts) {
      heard.hints.length = 0;
      await act();
      await noticed('windows');
    }
    heard.hints.length = 0;
    await desktop.closeWindow(id, signal);
    await noticed('windows');
    await noticed('applications');
    expect((await desktop.apps(signal)).map((app) => app.pid)).toContain(apps.pid);
    heard.stop();
  });

  it('says nothing more to who has stopped listening, and goes on telling others', async () => {
    const { desktop, signal, main } = bench();
    const { id, frame } = await main();
    const [first, other] = [listen(desktop.onChange), listen(desktop.onChange)];
    const move = async (by: number) => {
      other.hints.length = 0;
      await desktop.setWindowFrame(id, { x: frame.x + by }, signal);
      await until(async () => expect(other.hints.map((hint) => hint.kind)).toContain('windows'));
    };
    await move(10);
    first.stop();
    first.stop();
    first.hints.length = 0;
    await move(20);
    expect(first.hints).toEqual([]);
    other.stop();
  });
}

function listen(onChange: (listener: (hint: ChangeHint) => void) => () => void) {
  const hints: ChangeHint[] = [];
  const stop = onChange((hint) => hints.push(hint));
  /** A backend that cannot tell whose a change is says null. */
  const known = (pid: number) => (hints.some((hint) => hint.kind === 'elements' && hint.pid === null) ? null : pid);
  return { hints, stop, known };
}
