import { DesktopError } from '../../../src/native/desktop.js';
import { message } from '../../../src/messages/index.js';
import { describe, expect, test, vi } from 'vitest';
import {
  createPressCheck,
  reportSyntheticInput,
  syntheticInputIssues,
} from '../../../src/main/serve/page/press-check.js';
import { openSimulated } from '../../../src/native/simulated/index.js';
import type { ProcessIdentity } from '../../../src/native/peer/types.js';

const BROWSER = 4000;
const RENDERER = 4001;

describe('whether the page is on another display [req:PR-2]', () => {
  /** The renderer's parent is the browser; `shows`: one of the browser's windows is on this display. */
  function scene(name: string, shows: boolean) {
    const desktop = openSimulated();
    const pid = desktop.world.addApp({ id: 'b', name: 'B', executable: '/b', windows: [{ title: 'Page', frame: { x: 0, y: 0, width: 90, height: 90 } }] }); // prettier-ignore
    const parent = { pid: shows ? pid : BROWSER } as ProcessIdentity;
    return createPressCheck({ desktop, name }, { lineage: (of) => (of === RENDERER ? [parent] : []) });
  }

  test('is believed only of a private display, on which the page’s browser shows no window', async () => {
    expect(await scene('linux (virtual)', false).isOnOtherDisplay(RENDERER)).toBe(true);
    expect(await scene('linux (virtual)', true).isOnOtherDisplay(RENDERER)).toBe(false);
    expect(await scene('linux (virtual)', false).isOnOtherDisplay(null)).toBe(false);
    expect(await scene('linux', false).isOnOtherDisplay(RENDERER)).toBe(false);
  });
});

test('another program’s input reaches approvals unless the host accepts it, and Health says so then [req:PR-3]', () => {
  const { world, ...desktop } = openSimulated();
  const injected = vi.fn();
  const dispose = [
    reportSyntheticInput(desktop, { acceptSyntheticInput: true }, { injected }),
    reportSyntheticInput(desktop, {}, { injected }),
  ];
  world.syntheticInput();
  expect(injected.mock.calls).toEqual([['program']]);
  dispose.forEach((end) => end());
  world.syntheticInput();
  expect(injected).toHaveBeenCalledOnce();
  expect(syntheticInputIssues({})).toEqual([]);
  expect(syntheticInputIssues({ acceptSyntheticInput: true })).toHaveLength(1);
});

test('where input cannot be heard no press counts, unless synthetic input is accepted [req:PR-2] [req:PR-3]', async () => {
  const desktop = { ...openSimulated(), flushInputEvents: () => Promise.reject(new Error('deaf')) };
  const heard = (acceptSyntheticInput: boolean) =>
    createPressCheck({ desktop, name: 'linux' }, { lineage: () => [] }, { acceptSyntheticInput }).inputFlushed({ pid: 7, where: 'browser' }, AbortSignal.timeout(1000)); // prettier-ignore
  await expect(heard(false)).rejects.toThrow('deaf');
  await expect(heard(true)).resolves.toBeUndefined();
});

test('where no program is told of others’ input, a press counts in the popover and on another display only [req:PR-2]', async () => {
  const untold = new DesktopError('unsupported', message('display.no_input_events_wayland'));
  const desktop = { ...openSimulated(), flushInputEvents: () => Promise.reject(untold) };
  const [shown] = await desktop.windows(AbortSignal.timeout(1000));
  const heard = (name: string, where: string, pid: number) =>
    createPressCheck({ desktop, name }, { lineage: () => [] }).inputFlushed({ pid, where }, AbortSignal.timeout(1000));
  await expect(heard('linux', 'browser', 7)).rejects.toBe(untold);
  await expect(heard('linux (virtual)', 'browser', shown?.app.pid ?? 0)).rejects.toBe(untold);
  await expect(heard('linux (virtual)', 'browser', 7)).resolves.toBeUndefined();
  await expect(heard('linux', 'popover', 7)).resolves.toBeUndefined();
});
