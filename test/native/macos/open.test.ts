import { fork } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import type { DesktopBackend, TreeLimits } from '../../../src/native/desktop.js';
import { EVENT_FLAG } from '../../../src/native/macos/calls/events.js';
import type { ToHelper } from '../../../src/native/macos/helper/messages.js';
import type { InputEvent } from '../../../src/native/macos/input/events.js';
import { forkHelper, type HelperProcess } from '../../../src/native/macos/helper/process.js';
import { openMacos } from '../../../src/native/macos/open.js';
import { rejectionOf } from '../../support/macos/errors.js';
import { helpersInProcess } from '../../support/macos/helper-in-process.js';
import { buildScene, MAIN } from '../../support/macos/scene.js';
import { compileStandin, openScript, standinPaths } from '../../support/macos/standin.js';

const ENTRY = join(import.meta.dirname, '../../support/macos/helper-process.mjs');
const LIMITS: TreeLimits = { maxDepth: 60, maxNodes: 5000, timeoutMs: 20_000 };
const library = compileStandin();
const libraries = standinPaths(library);
const { signal } = new AbortController();
const free = async (): Promise<void> => undefined;

let desktop: DesktopBackend | null = null;
afterEach(() => desktop?.close());

interface Started extends HelperProcess {
  sent: string[];
  given: unknown[];
}

/** `faults` of the first process, of the second …; those after them have none. */
async function openOnProcesses(faults: object[] = []) {
  const started: Started[] = [];
  const start = (): HelperProcess => {
    const helper = forkHelper(ENTRY);
    const [sent, given]: [string[], unknown[]] = [[], []];
    helper.post({ type: 'script', ...faults[started.length] } as never);
    const post: HelperProcess['post'] = (message) => {
      if (message.type === 'call') {
        sent.push(message.member);
        given.push(message.given);
      }
      helper.post(message);
    };
    started.push({ ...helper, post, sent, given });
    return { ...helper, post };
  };
  desktop = await openMacos({ start, libraries });
  return { desktop, started };
}

const WITNESS = join(import.meta.dirname, '../../support/macos/helper-witness.mjs');

/** A helper by its own entry; resolves to what it answers, and then to what is held at its end. */
function openWitness(...given: string[]) {
  const child = fork(WITNESS, [library, ...given], { serialization: 'advanced', silent: true, execArgv: [] });
  const ended = child.stderr === null ? Promise.resolve('') : text(child.stderr);
  const answer = (message: ToHelper): Promise<unknown> =>
    new Promise((resolve) => {
      child.once('message', resolve);
      child.send(message);
    });
  return { child, ended, answer, open: () => answer({ type: 'open', generation: 1, libraries }) };
}

describe('a helper by its own entry', () => {
  it('lets go of what is held where the host ended without a word', async () => {
    const { child, ended, answer, open } = openWitness();
    expect(await open()).toEqual({ type: 'ready' });
    const key: InputEvent = { kind: 'key', code: 0x37, down: true, flags: EVENT_FLAG.command };
    const terms = { until: null, layout: null };
    expect(await answer({ type: 'call', id: 1, member: 'post', given: [[key], terms] })).toMatchObject({
      id: 1,
      type: 'result',
    });
    child.disconnect();
    expect(await ended).toBe('held: 0');
  });

  it('is served through the port of a utility process of Electron', async () => {
    const { child, ended, answer, open } = openWitness('port');
    expect(await open()).toEqual({ type: 'ready' });
    expect(await answer({ type: 'call', id: 1, member: 'systemVersion', given: [] })).toEqual({
      type: 'result',
      id: 1,
      value: '15.3.1',
    });
    child.kill('SIGKILL');
    await ended;
  });
});

describe('[req:DS-9-5] the macOS backend', () => {
  it('asks a process of its own for elements, for events, for the clipboard and for pictures', async () => {
    const { desktop, started } = await openOnProcesses();
    expect(desktop).toMatchObject({ platform: 'macos', version: 'macOS 15.3.1' });
    await desktop.windows(signal);
    await desktop.movePointer({ x: 40, y: 50 }, signal);
    await desktop.writeClipboard({ text: 'copied' }, signal);
    expect(await desktop.readClipboard(signal)).toEqual({ text: 'copied' });
    await desktop.capture({ kind: 'display' }, signal);
    const [elements, events, clipboard, pictures] = started.map(({ sent }) => [...new Set(sent)]);
    expect(elements).toEqual(['systemVersion', 'windows']);
    expect(events).toEqual(['pointer', 'post', 'inputArrived']);
    expect(clipboard).toEqual(['putOnClipboard', 'readClipboard']);
    expect(pictures).toEqual(['pictureSource', 'takePicture']);
  });

  it('[req:DS-1-5] serves events and the clipboard while an application hangs, elements again after it, and lets browsers sleep', async () => {
    const { desktop, started } = await openOnProcesses([{ block: 5_000_502, browser: true }]);
    const limits = { ...LIMITS, timeoutMs: 0 };
    const before = await desktop.tree({ pid: 5_000_501 }, LIMITS, signal);
    const hanging = rejectionOf(desktop.tree({ pid: 5_000_502 }, limits, signal));
    await desktop.movePointer({ x: 40, y: 50 }, signal);
    await desktop.key('a', true, free, signal);
    await desktop.writeClipboard({ text: 'meanwhile' }, signal);
    expect(started).toHaveLength(5);
    expect(await hanging).toMatchObject({ code: 'not_responding' });
    expect((await desktop.tree({ pid: 5_000_502 }, LIMITS, signal)).nodes).toHaveLength(5);
    expect(started).toHaveLength(6);
    const old = before.nodes[0]?.element.id ?? '';
    expect(await rejectionOf(desktop.element(old, signal))).toMatchObject({ code: 'stale' });
    expect(await desktop.readClipboard(signal)).toEqual({ text: 'meanwhile' });
    // A helper that hung has put back nothing.
    await desktop.close();
    expect(started[5]?.sent.at(-1)).toBe('letSleep');
    const browser = { pid: 5_000_501, attribute: 'AXEnhancedUserInterface' };
    expect(started[5]?.given.at(-1)).toEqual([[expect.objectContaining(browser)]]);
  });

  it('lets go of what is held when it is closed, and ends its processes', async () => {
    const { desktop, started } = await openOnProcesses();
    const ends = started.map((each) => new Promise((resolve) => each.onEnd(resolve)));
    await desktop.key('cmd', true, free, signal);
    await desktop.close();
    expect(started[1]?.sent).toEqual(['post', 'inputArrived', 'post']);
    expect(await Promise.all(ends)).toEqual(Array(5).fill('SIGKILL'));
    expect(await rejectionOf(desktop.displays(signal))).toMatchObject({ code: 'lost' });
    expect(await rejectionOf(desktop.key('a', true, free, signal))).toMatchObject({ code: 'lost' });
    await desktop.close();
  });

  it('[req:MT-HELD-1] lets go of what is held where the helper that pressed it ends', async () => {
    const script = openScript(library);
    buildScene(script);
    const helpers = helpersInProcess();
    const started: HelperProcess[] = [];
    const start = (): HelperProcess => {
      const helper = helpers.start();
      started.push(helper);
      return helper;
    };
    desktop = await openMacos({ start, libraries });
    await desktop.key('shift', true, free, signal);
    await desktop.button('left', true, free, signal);
    expect(script.heldKeys()).toBe(2);
    started[1]?.kill();
    await expect.poll(() => script.heldKeys()).toBe(0);
    await desktop.close();
    await helpers.ended();
  });

  it('does not open where its libraries are missing, and leaves no process', async () => {
    const ends: Promise<unknown>[] = [];
    const start = (): HelperProcess => {
      const helper = forkHelper(ENTRY);
      ends.push(new Promise((resolve) => helper.onEnd(resolve)));
      return helper;
    };
    const opening = openMacos({ start, libraries: { ...libraries, appKit: '/nowhere/AppKit' } });
    expect(await rejectionOf(opening)).toMatchObject({ code: 'lost', text: { code: 'native.helper_unusable' } });
    expect(await Promise.all(ends)).toEqual(Array(5).fill('SIGKILL'));
  });

  it('says that files cannot be dropped, and that no paint is told', async () => {
    const { desktop } = await openOnProcesses();
    expect(await rejectionOf(desktop.dropFiles(['/a'], '71', free, signal))).toMatchObject({ code: 'unsupported' });
    expect(await desktop.windowPaint('71', null, signal)).toBeNull();
  });

  it('keeps nothing of 3,000 acts', async () => {
    const script = openScript(library);
    buildScene(script);
    const helpers = helpersInProcess();
    desktop = await openMacos({ start: helpers.start, libraries });
    const mac = desktop;
    const idOf = async (role: string, titleContains: string): Promise<string> =>
      (await mac.find({ pid: MAIN.pid }, { role, titleContains }, 1, LIMITS, signal)).elements[0]?.id ?? '';
    const [send, entry] = [await idOf('AXButton', 'Send'), await idOf('AXTextField', 'Name')];
    const acts: (() => Promise<unknown>)[] = [
      () => mac.performAction(send, 'AXPress', signal),
      () => mac.setValue(entry, 'value', signal),
      () => mac.focusElement(entry, signal),
      () => mac.key('a', true, free, signal),
      () => mac.key('a', false, free, signal),
      () => mac.button('left', true, free, signal),
      () => mac.button('left', false, free, signal),
      () => mac.scroll({ x: 0, y: 1 }, free, signal),
      () => mac.typeText('é世', free, signal),
      () => mac.writeClipboard({ text: 'copied' }, signal),
    ];
    for (const act of acts) await act();
    const before = script.leaked();
    for (let round = 0; round < 300; round++) for (const act of acts) await act();
    expect(script.leaked()).toBe(before);
    await desktop.close();
    await helpers.ended();
    expect(script.leaked()).toBe(0);
  });

  it('keeps nothing of 10,000 calls', async () => {
    const script = openScript(library);
    buildScene(script);
    const helpers = helpersInProcess();
    desktop = await openMacos({ start: helpers.start, libraries });
    const read = desktop;
    const calls = [
      () => read.windows(signal),
      () => read.tree({ pid: MAIN.pid }, LIMITS, signal),
      () => read.elementAt({ x: 130, y: 250 }, signal),
      () => read.pointer(signal),
      () => read.readClipboard(signal),
    ];
    for (const call of calls) await call();
    const before = script.leaked();
    for (let round = 0; round < 2000; round++) for (const call of calls) await call();
    expect(script.leaked()).toBe(before);
    await desktop.close();
    await helpers.ended();
    expect(script.leaked()).toBe(0);
  });
});
