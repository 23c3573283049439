import { beforeEach, describe, expect, it } from 'vitest';
import type { TreeLimits } from '../../../src/native/desktop.js';
import { openPageWaking, type PageWaking } from '../../../src/native/macos/accessibility/page-waking.js';
import { createMembers, type Members } from '../../../src/native/macos/helper/members.js';
import { rejectionOf } from '../../support/macos/errors.js';
import type { Opened } from '../../support/macos/reader.js';
import { addApp, addControl, addWindow, at, MAIN } from '../../support/macos/scene.js';
import { MODE } from '../../support/macos/standin.js';
import { withScene } from '../../support/macos/with-scene.js';

const PID = 5_000_651;
const LIMITS: TreeLimits = { maxDepth: 60, maxNodes: 5000, timeoutMs: 20_000 };
const { signal } = new AbortController();
const ELECTRON = '/Applications/Chat.app/Contents/Frameworks/Electron Framework.framework';

let opened: Opened;
let app: number;
let page: number;
const { script } = withScene((started) => ({ opened } = started));
const asked = (): string[] => script.journal().filter((line) => /AXManual|AXEnhanced/.test(line));

/** As such applications are before they were asked: a window with an empty page. */
function add(name: string): void {
  app = addApp(script, { pid: PID, name, bundle: `com.example.${name.replace(' ', '')}` });
  const window = addWindow(script, { app, pid: PID, number: 111, title: name, frame: at(0, 0, 400, 300) });
  page = addControl(script, addControl(script, window, { role: 'AXGroup' }), { role: 'AXWebArea' });
}
const fill = (): number => addControl(script, page, { role: 'AXButton', title: 'Send it' });
const waking = (more: Parameters<typeof openPageWaking>[1] = {}): PageWaking =>
  openPageWaking(opened.core, { exists: (path) => path === ELECTRON, readyMs: 20_000, ...more });

describe('[req:MA-1] an application built on Chromium', () => {
  it('is asked for its pages when it is first read, and they are waited for', async () => {
    add('Chat');
    script.boolean(app, 'AXManualAccessibility', 0, MODE.does);
    const wakes = waking();
    const ready = wakes.ready(PID, signal);
    expect(asked()).toEqual([`set ${app} AXManualAccessibility 1`]);
    fill();
    await ready;
    await wakes.ready(PID, signal);
    expect(asked()).toHaveLength(1);
  });

  it('is asked the older way only where it says that it does not know the newer one', async () => {
    add('Chat');
    script.boolean(app, 'AXEnhancedUserInterface', 0, MODE.does);
    await waking({ readyMs: 0 }).ready(PID, signal);
    expect(asked()).toEqual([`set ${app} AXEnhancedUserInterface 1`]);
  });

  it('that refuses is read as it is', async () => {
    add('Chat');
    script.boolean(app, 'AXManualAccessibility', 0, MODE.refuses);
    script.boolean(app, 'AXEnhancedUserInterface', 0, MODE.does);
    await waking({ readyMs: 0 }).ready(PID, signal);
    expect(asked()).toEqual([]);
  });

  it('that shows its pages already, or has ended, is not asked', async () => {
    add('Chat');
    fill();
    script.boolean(app, 'AXManualAccessibility', 0, MODE.does);
    await waking().ready(PID, signal);
    await waking().ready(5_999_999, signal);
    expect(asked()).toEqual([]);
  });

  it('that hangs costs one time limit, and is asked when it answers again', async () => {
    add('Chat');
    script.boolean(app, 'AXManualAccessibility', 0, MODE.does);
    script.hang(PID, 1);
    const wakes = waking({ readyMs: 0 });
    const before = script.hungCalls();
    expect(await rejectionOf(wakes.ready(PID, signal))).toMatchObject({ code: 'not_responding' });
    expect([script.hungCalls() - before, asked()]).toEqual([1, []]);
    script.hang(PID, 0);
    await wakes.ready(PID, signal);
    expect(asked()).toHaveLength(1);
  });

  it('is not waited for by whoever gives up', async () => {
    add('Chat');
    script.boolean(app, 'AXManualAccessibility', 0, MODE.does);
    const abort = new AbortController();
    const ready = waking().ready(PID, abort.signal);
    abort.abort(new Error('given up'));
    await expect(ready).rejects.toThrow('given up');
  });
});

it('[req:MA-1] other applications are asked nothing', async () => {
  add('Notes');
  for (const attribute of ['AXManualAccessibility', 'AXEnhancedUserInterface'])
    script.boolean(app, attribute, 0, MODE.does);
  await waking().ready(PID, signal);
  await waking().ready(MAIN.pid, signal);
  expect(asked()).toEqual([]);
});

describe('[req:MA-12] what was asked of it', () => {
  it.each(['AXManualAccessibility', 'AXEnhancedUserInterface'])('is put back at the end: %s', async (attribute) => {
    add('Chat');
    script.boolean(app, attribute, 0, MODE.does);
    await waking({ readyMs: 0 }).ready(PID, signal);
    opened.core.woken.putBack();
    opened.core.woken.putBack();
    expect(asked()).toEqual([`set ${app} ${attribute} 1`, `set ${app} ${attribute} 0`]);
  });

  it('stays where another program had switched it on', async () => {
    add('Chat');
    script.boolean(app, 'AXEnhancedUserInterface', 1, MODE.does);
    await waking({ readyMs: 0 }).ready(PID, signal);
    opened.core.woken.putBack();
    expect(asked()).toEqual([`set ${app} AXEnhancedUserInterface 1`]);
  });

  it('is put back for a helper before this one, and never in a later process with its number', async () => {
    add('Chat');
    script.boolean(app, 'AXEnhancedUserInterface', 1, MODE.does);
    const startTime = opened.core.processes.startTime(PID) ?? '';
    const before = { pid: PID, attribute: 'AXEnhancedUserInterface' };
    opened.core.woken.putBack([{ ...before, startTime: '1.000000' }]);
    expect(asked()).toEqual([]);
    opened.core.woken.putBack([{ ...before, startTime }]);
    expect(asked()).toEqual([`set ${app} AXEnhancedUserInterface 0`]);
  });
});

describe('[req:MA-1] the first reading of one', () => {
  let members: Members;
  beforeEach(() => {
    members = createMembers(opened.core, () => undefined);
    add('Google Chrome');
    script.boolean(app, 'AXManualAccessibility', 0, MODE.does);
  });

  it.each(['tree', 'find'] as const)('by %s has what is in its page', async (member) => {
    const { tree, find } = members.served;
    const reading =
      member === 'tree'
        ? tree({ pid: PID }, LIMITS, signal).then(({ nodes }) => nodes.map(({ element }) => element))
        : find({ pid: PID }, { titleContains: 'Send it' }, 5, LIMITS, signal).then(({ elements }) => elements);
    fill();
    const found = await reading;
    members.close();
    expect(found.map(({ title }) => title)).toContain('Send it');
  });
});
