import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ChangeHint, Point } from '../../../src/native/desktop.js';
import { openMacos } from '../../../src/native/macos/open.js';
import type { SeenInput } from '../../../src/native/macos/helper/messages.js';
import type { HelperProcess } from '../../../src/native/macos/helper/process.js';
import { EVENT_MARKER } from '../../../src/native/macos/input/post.js';
import { openChangeWatch, type ChangeWatch } from '../../../src/native/macos/watching/changes.js';
import { openInputTap, type InputTap } from '../../../src/native/macos/watching/input-tap.js';
import { rejectionOf } from '../../support/macos/errors.js';
import { helpersInProcess } from '../../support/macos/helper-in-process.js';
import { openInput, type OpenedInput } from '../../support/macos/input.js';
import type { Opened } from '../../support/macos/reader.js';
import { buildScene, MAIN, SECOND, type Scene } from '../../support/macos/scene.js';
import { standinPaths } from '../../support/macos/standin.js';
import { withScene } from '../../support/macos/with-scene.js';

const { signal } = new AbortController();
const free = async (): Promise<void> => undefined;

/** What becomes of events on their way to taps. */
const [DELIVERED, HELD_UP, DROPPED] = [0, 1, 2];

let opened: Opened;
let scene: Scene;
const { script, library } = withScene((started) => ({ opened, scene } = started));

describe('input', () => {
  let tap: InputTap;
  let own: OpenedInput;
  let heard: SeenInput[];
  const places = () => heard.map(({ from, at }) => [from, at]);
  beforeEach(() => {
    heard = [];
    own = openInput(opened, (until) => tap.arrived(until));
    tap = openInputTap(opened.core, {
      marker: EVENT_MARKER,
      posted: own.posts.seen,
      tell: (seen) => heard.push(seen),
    });
  });
  afterEach(() => {
    script.taps(DELIVERED);
    tap.close();
    own.posts.close();
    script.drain();
  });
  const turn = () => opened.core.runLoop.turn();

  it('of the person is told from that of programs; keys have no place', () => {
    expect(tap.start()).toBe(true);
    script.personMoves(30, 40);
    script.personTypes(10);
    script.personTypes(12);
    script.otherProgramMoves(50, 60);
    expect(heard).toEqual([]);
    turn();
    expect(places()).toEqual([
      ['person', { x: 30, y: 40 }],
      ['person', null],
      ['person', null],
      ['program', { x: 50, y: 60 }],
    ]);
  });

  it('of Chaperone is never the person’s', async () => {
    tap.start();
    const { input } = own;
    await input.typeText('a世', free, signal);
    await input.movePointer({ x: 100, y: 100 }, signal);
    await input.button('left', true, free, signal);
    await input.button('left', false, free, signal);
    await input.scroll({ x: 0, y: 1 }, free, signal);
    turn();
    expect(heard.length).toBeGreaterThan(6);
    expect(new Set(heard.map(({ from }) => from))).toEqual(new Set(['program']));
  });

  /** `done()` turns true once the act has ended. */
  const begun = async (act: () => Promise<void>) => {
    let done = false;
    const ended = act().then(() => (done = true));
    await expect.poll(() => own.posted.length).toBeGreaterThan(0);
    for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    return { ended, done: () => done };
  };

  it('[req:MT-INPUT-1] is done when the system has let its events through', async () => {
    // Its patience does not end, however slow the machine.
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    tap.start();
    script.taps(HELD_UP);
    const typing = await begun(() => own.input.typeText('as', free, signal));
    expect(typing.done()).toBe(false);
    expect(heard).toEqual([]);
    script.taps(DELIVERED);
    await typing.ended;
    expect(heard).toHaveLength(4);
  });

  it('that another program drops is waited for once, and not again', async () => {
    tap.start();
    script.taps(DROPPED);
    await own.input.key('a', true, free, signal);
    expect(heard).toEqual([]);
    own.posted.length = 0;
    script.taps(DELIVERED);
    const later = await begun(() => own.input.key('a', false, free, signal));
    expect(later.done()).toBe(true);
    expect(heard).toHaveLength(1);
  });

  it('in password fields, of which no tap is told, is not waited for; nor is it without a tap', async () => {
    const unheard = await begun(() => own.input.key('a', true, free, signal));
    expect(unheard.done()).toBe(true);
    await own.input.key('a', false, free, signal);
    tap.start();
    script.secureInput(1);
    own.posted.length = 0;
    const secret = await begun(() => own.input.key('a', true, free, signal));
    expect(secret.done()).toBe(true);
    script.secureInput(0);
    await own.input.releaseAll();
  });

  it('is heard again where the system has ended the tap', () => {
    tap.start();
    script.disableTaps();
    script.personMoves(1, 1);
    turn();
    // What came meanwhile could have been a program's.
    expect(places()).toEqual([['program', null]]);
    script.personMoves(2, 2);
    turn();
    expect(places().slice(1)).toEqual([['person', { x: 2, y: 2 }]]);
  });

  it('[req:MW-1] of the person that presses is told from movements, releases and modifiers', () => {
    tap.start();
    script.personPresses(30, 40);
    script.personTypes(10);
    script.personTypes(11);
    script.personTypes(12);
    script.otherProgramPresses(50, 60);
    turn();
    expect(heard.filter(({ pressed }) => pressed)).toEqual([
      { from: 'person', at: { x: 30, y: 40 }, pressed: true },
      { from: 'person', at: null, pressed: true },
      { from: 'program', at: { x: 50, y: 60 }, pressed: true },
    ]);
    expect(heard).toHaveLength(8);
  });

  it('is not asked for without the permission', () => {
    script.trust(0);
    expect(tap.start()).toBe(false);
    script.trust(1);
    expect(tap.start()).toBe(true);
  });
});

describe('changes', () => {
  let watch: ChangeWatch;
  let hints: ChangeHint[];
  beforeEach(() => {
    hints = [];
    watch = openChangeWatch(opened.core, opened.rows, opened.apps, (hint) => hints.push(hint));
    opened.core.runLoop.start();
  });
  afterEach(() => {
    watch.close();
    script.drain();
  });

  it('of elements are told by the process that notifies, once for a burst', async () => {
    watch.start();
    const { reader, core } = opened;
    for (let press = 0; press < 5; press += 1) core.ax.perform(core.elements.refOf(idOf('Remind me')), 'AXPress');
    await expect.poll(() => hints).toEqual([{ kind: 'elements', pid: MAIN.pid }]);
    expect(reader.focused()?.title).toBe('Name');
  });
  const idOf = (title: string): string => {
    const limits = { maxDepth: 20, maxNodes: 500, timeoutMs: 5000 };
    const { elements } = opened.reader.find({ pid: MAIN.pid }, { titleContains: title }, 1, limits);
    return elements[0]?.id ?? '';
  };

  it('of windows and processes are seen where nobody notifies of them', async () => {
    watch.start();
    script.showWindow(SECOND.window, 0);
    await expect.poll(() => hints).toEqual([{ kind: 'windows', pid: null }]);
    script.addApp(5_000_777, 'Third', 'com.example.third', 0);
    await expect.poll(() => hints.map(({ kind }) => kind)).toContain('applications');
  });

  it('of an application that hangs cost one call, and others are told all the same', async () => {
    script.hang(SECOND.pid, 1);
    const before = script.hungCalls();
    watch.start();
    script.showWindow(SECOND.window, 0);
    await expect.poll(() => hints.map(({ kind }) => kind)).toContain('windows');
    script.showWindow(SECOND.window, 1);
    hints.length = 0;
    await expect.poll(() => hints.map(({ kind }) => kind)).toContain('windows');
    expect(script.hungCalls() - before).toBe(1);
    script.hang(SECOND.pid, 0);
  });

  it('are not followed in a process that has ended', async () => {
    watch.start();
    script.endApp(SECOND.pid);
    await expect.poll(() => hints.map(({ kind }) => kind)).toContain('applications');
    expect(scene.second).toBeGreaterThan(0);
  });
});

describe('listeners', () => {
  it('outlive the helpers that tell, and hear that something may have changed meanwhile', async () => {
    const helpers = helpersInProcess();
    const started: HelperProcess[] = [];
    const start = (): HelperProcess => {
      const helper = helpers.start();
      started.push(helper);
      return helper;
    };
    buildScene(script);
    const desktop = await openMacos({ start, libraries: standinPaths(library) });
    const [hints, moves]: [string[], (Point | null)[]] = [[], []];
    desktop.onChange(({ kind }) => hints.push(kind));
    desktop.onPersonInput((at) => moves.push(at));
    await desktop.flushInputEvents(signal);
    for (const each of [...started]) each.kill();
    await expect.poll(() => hints).toEqual(expect.arrayContaining(['windows', 'applications', 'elements']));
    await desktop.flushInputEvents(signal);
    script.personMoves(7, 8);
    await desktop.flushInputEvents(signal);
    expect(moves).toEqual([{ x: 7, y: 8 }]);
    await desktop.close();
    await helpers.ended();
    script.drain();
  });

  it('of input that may not be seen are told so by a flush', async () => {
    const helpers = helpersInProcess();
    script.trust(0);
    const desktop = await openMacos({ start: helpers.start, libraries: standinPaths(library) });
    expect(await rejectionOf(desktop.flushInputEvents(signal))).toMatchObject({ code: 'permission' });
    await desktop.close();
    await helpers.ended();
    script.trust(1);
  });
});
