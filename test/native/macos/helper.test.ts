import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TreeLimits } from '../../../src/native/desktop.js';
import { openHelperClient, type HelperClient, type HelperOptions } from '../../../src/native/macos/helper/client.js';
import { createPermissions } from '../../../src/native/macos/open.js';
import type { ToHelper } from '../../../src/native/macos/helper/messages.js';
import { forkHelper, type HelperProcess } from '../../../src/native/macos/helper/process.js';
import {
  createMaximizing,
  createServed,
  createServedCapture,
  createServedInput,
} from '../../../src/native/macos/helper/served.js';
import { rejectionOf } from '../../support/macos/errors.js';
import { holdTimers } from '../../support/held-timers.js';
import { compileStandin, standinPaths } from '../../support/macos/standin.js';

const ENTRY = join(import.meta.dirname, '../../support/macos/helper-process.mjs');
const LIMITS: TreeLimits = { maxDepth: 60, maxNodes: 5000, timeoutMs: 20_000 };
const library = compileStandin();
const { signal } = new AbortController();

interface Faults {
  block?: number;
  crash?: number;
  untrusted?: boolean;
}

let client: HelperClient | null = null;
let options: HelperOptions;
/** Ids of the calls that were sent. */
let posted: number[] = [];
/** Their members, and which helper each was sent to. */
let sent: [helper: number, member: string][] = [];
/** Signs of life that came. */
let alive = 0;
/** Of the newest helper. */
let hang: () => void;
afterEach(() => {
  client?.close();
  posted = [];
  sent = [];
  alive = 0;
});

/** `faults` of the first helper, of the second …; those after them have none. */
function open(faults: Faults[] = [], libraries = standinPaths(library), every?: HelperOptions['every']): HelperClient {
  let starts = 0;
  const start = (): HelperProcess => {
    const number = ++starts;
    const helper = forkHelper(ENTRY);
    hang = () => helper.post({ type: 'hang' } as never);
    helper.onMessage(({ type }) => void (alive += Number(type === 'alive')));
    helper.post({ type: 'script', ...faults.shift() } as never);
    const post = (message: ToHelper): void => {
      helper.post(message);
      if (message.type !== 'call') return;
      posted.push(message.id);
      sent.push([number, message.member]);
    };
    return { ...helper, post };
  };
  options = { start, libraries, ...(every === undefined ? {} : { every }) };
  client = openHelperClient(options);
  return client;
}

const firstTree = (of: HelperClient, pid = 5_000_501, limitMs = 5000) =>
  of.call('tree', [{ pid }, LIMITS], limitMs, signal);

describe('the helper process', () => {
  it('serves what the interface asks for, with the errors of the interface', async () => {
    const desktop = createServed(open());
    expect((await desktop.apps(signal)).map(({ id }) => id)).toEqual(['com.example.First', 'com.example.Second']);
    expect((await desktop.windows(signal)).map(({ title }) => title)).toEqual(['First window', 'Second window']);
    expect((await desktop.displays(signal))[0]).toMatchObject({ name: 'Built-in', scale: 2 });
    const { elements } = await desktop.find({ pid: 5_000_501 }, { role: 'AXTextField' }, 5, LIMITS, signal);
    const id = elements[0]?.id ?? '';
    await desktop.setValue(id, 'Grüße 👋 \ud83d', signal);
    expect((await desktop.element(id, signal)).value).toBe('Grüße 👋 \ud83d');
    expect(await rejectionOf(desktop.performAction(id, 'AXFly', signal))).toMatchObject({ code: 'unsupported' });
    expect(await rejectionOf(desktop.tree({ pid: 5_999_999 }, LIMITS, signal))).toMatchObject({
      name: 'DesktopError',
      code: 'not_found',
      text: { code: 'native.no_such_process', params: { pid: 5_999_999 } },
    });
  });

  it('leaves out hidden documents, in trees and in searches', async () => {
    const desktop = createServed(open());
    const hides = (url: string | null): boolean => url === 'https://hidden.example/';
    const roles = async (limits: TreeLimits) =>
      (await desktop.tree({ pid: 5_000_501 }, limits, signal)).nodes.map(({ element }) => element.role);
    expect(await roles(LIMITS)).toEqual(['AXApplication', 'AXWindow', 'AXTextField', 'AXWebArea', 'AXLink']);
    expect(await roles({ ...LIMITS, hides })).toEqual(['AXApplication', 'AXWindow', 'AXTextField']);
    const links = await desktop.find({ pid: 5_000_501 }, { role: 'AXLink' }, 5, { ...LIMITS, hides }, signal);
    expect(links).toMatchObject({ elements: [], matched: 0 });
  });

  it('that hangs is ended: its call says so, the others are told, and the next call is answered by another one', async () => {
    const opened = open([{ block: 5_000_502 }]);
    const before = await firstTree(opened);
    const [hanging, behind] = await Promise.all([
      rejectionOf(firstTree(opened, 5_000_502, 400)),
      rejectionOf(opened.call('apps', [], 30_000, signal)),
    ]);
    expect(hanging).toMatchObject({ code: 'not_responding' });
    expect(behind).toMatchObject({ code: 'failed', text: { code: 'native.helper_replaced' } });
    const after = await firstTree(opened, 5_000_502);
    expect(after.nodes).toHaveLength(5);
    const ids = [before, after].map(({ nodes }) => nodes[0]?.element.id ?? '');
    expect(ids.map((id) => id.split('.')[0])).toEqual(['1', '2']);
    expect(await rejectionOf(opened.call('element', [ids[0] ?? ''], 5000, signal))).toMatchObject({ code: 'stale' });
  });

  it('that hangs in a call which was aborted is ended all the same', async () => {
    const opened = open([{ block: 5_000_502 }]);
    await firstTree(opened);
    expect(posted).toEqual([1]);
    const abort = new AbortController();
    const limit = holdTimers(400);
    const hanging = rejectionOf(opened.call('tree', [{ pid: 5_000_502 }, LIMITS], 400, abort.signal));
    await expect.poll(() => posted).toEqual([1, 2]);
    abort.abort(new Error('no longer'));
    expect(await hanging).toMatchObject({ message: 'no longer' });
    const behind = rejectionOf(firstTree(opened, 5_000_501, 30_000));
    await expect.poll(() => posted).toEqual([1, 2, 3]);
    await limit.end();
    expect(await behind).toMatchObject({ text: { code: 'native.helper_replaced' } });
    expect((await firstTree(opened)).nodes).toHaveLength(5);
  });

  describe('[req:MA-3] that is asked for a sign of life', () => {
    const beats = new Set<() => void>();
    const every = (beat: () => void) => {
      beats.add(beat);
      return () => void beats.delete(beat);
    };
    const beat = () => [...beats].forEach((each) => each());
    const first = ([id = '']: string[]) => id.split('.')[0];
    const idsOf = async (of: HelperClient) => first((await firstTree(of)).nodes.map(({ element }) => element.id));

    it('and hangs while no call runs is replaced, once; one that answers is not', async () => {
      const opened = open([], standinPaths(library), every);
      const starts: boolean[] = [];
      opened.onReady((again) => starts.push(again));
      expect(await idsOf(opened)).toBe('1');
      for (let sign = 1; sign <= 5; sign++) {
        beat();
        await expect.poll(() => alive).toBe(sign);
      }
      expect(await idsOf(opened)).toBe('1');
      hang();
      for (let silent = 0; silent < 5; silent++) beat();
      await expect.poll(() => starts).toEqual([false, true]);
      expect(await idsOf(opened)).toBe('2');
      expect(beats.size).toBe(1);
    });

    it('and works in a long call is left alone until that ends', async () => {
      const opened = open([{ block: 5_000_502 }], standinPaths(library), every);
      expect(await idsOf(opened)).toBe('1');
      const long = rejectionOf(firstTree(opened, 5_000_502, 400));
      await expect.poll(() => posted).toHaveLength(2);
      for (let each = 0; each < 20; each++) beat();
      expect(await long).toMatchObject({ code: 'not_responding' });
    });
  });

  it('that ends in the middle of a call is an error, and another one answers the next', async () => {
    const opened = open([{ crash: 5_000_501 }, { crash: 5_000_501 }]);
    for (let round = 0; round < 2; round++) {
      expect(await rejectionOf(firstTree(opened))).toMatchObject({ code: 'failed', text: { code: 'native.helper_ended' } });
    }
    expect((await firstTree(opened)).nodes).toHaveLength(5);
  }); // prettier-ignore

  it('goes on where a call is aborted', async () => {
    const opened = open();
    const { nodes } = await firstTree(opened, 5_000_502);
    const field = nodes.find(({ element }) => element.role === 'AXTextField')?.element.id ?? '';
    const abort = new AbortController();
    const setting = rejectionOf(opened.call('setValue', [field, 'new'], 30_000, abort.signal));
    abort.abort(new Error('no longer'));
    expect(await setting).toMatchObject({ message: 'no longer' });
    expect((await firstTree(opened, 5_000_502)).nodes[0]?.element.id).toMatch(/^1\./);
    expect(await rejectionOf(opened.call('apps', [], 5000, abort.signal))).toMatchObject({ message: 'no longer' });
  });

  it('that ends leaves no key pressed: the next one lets go of it', async () => {
    const opened = open([{ crash: 5_000_501 }]);
    const input = createServedInput(opened, opened);
    await input.movePointer({ x: 40, y: 50 }, signal);
    expect(await input.pointer(signal)).toEqual({ x: 40, y: 50 });
    await input.key('cmd', true, async () => undefined, signal);
    expect(await rejectionOf(firstTree(opened))).toMatchObject({ text: { code: 'native.helper_ended' } });
    await input.releaseAll();
    expect(sent.filter(([, member]) => member === 'post')).toEqual([[1, 'post'], [1, 'post'], [2, 'post']]);
    await input.typeText('a世', async () => undefined, signal);
  }); // prettier-ignore

  it('takes pictures, whose pixels cross whole', async () => {
    const { capture } = createServedCapture(open());
    const [whole, window] = [await capture({ kind: 'display' }, signal), await capture({ kind: 'window', windowId: '71' }, signal)];
    expect(whole).toMatchObject({ width: 1600, height: 1200, scale: 2 });
    expect(whole.rgb).toHaveLength(1600 * 1200 * 3);
    expect(window).toMatchObject({ width: 800, height: 600, origin: { x: 10, y: 10 } });
  }); // prettier-ignore

  it('maximises windows; their frames from before are known to the host', async () => {
    const opened = open();
    const [desktop, maximizing] = [createServed(opened), createMaximizing(opened)];
    const frame = async () => (await desktop.windows(signal)).find(({ id }) => id === '71')?.frame;
    const before = await frame();
    await maximizing.setWindowMaximized('71', false, signal);
    await maximizing.setWindowMaximized('71', true, signal);
    expect(await frame()).toEqual({ x: 0, y: 25, width: 800, height: 575 });
    const stranger = createMaximizing(opened).setWindowMaximized('71', false, signal);
    expect(await rejectionOf(stranger)).toMatchObject({ code: 'failed', text: { code: 'native.frame_not_known' } });
    await maximizing.setWindowMaximized('71', false, signal);
    expect(await frame()).toEqual(before);
  });

  it('does not see what it is allowed meanwhile: another process is asked, and takes its place', async () => {
    const opened = open([{ untrusted: true }]);
    const renewed = vi.fn(opened.renew);
    const { permissions } = createPermissions(opened, options, renewed);
    expect(await rejectionOf(firstTree(opened))).toMatchObject({ code: 'permission' });
    expect(await permissions(signal)).toMatchObject({ accessibility: 'granted' });
    expect(renewed).toHaveBeenCalledOnce();
    expect((await firstTree(opened)).nodes).toHaveLength(5);
    expect(await permissions(signal)).toEqual({ accessibility: 'granted', screenRecording: 'granted' });
    expect(renewed).toHaveBeenCalledOnce();
    expect(sent.filter(([, member]) => member === 'permissions')).toEqual([[1, 'permissions'], [2, 'permissions'], [3, 'permissions']]);
  }); // prettier-ignore

  it('without its libraries is lost for good, and says so once', async () => {
    const opened = open([], { ...standinPaths(library), appKit: '/nowhere/AppKit' });
    const lost = vi.fn();
    opened.onLost(lost);
    expect(await rejectionOf(firstTree(opened))).toMatchObject({ code: 'lost' });
    expect(await rejectionOf(firstTree(opened))).toMatchObject({ code: 'lost' });
    expect(lost).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'native.helper_unusable' }));
  });

  it('that never gets ready is not started for ever', async () => {
    let starts = 0;
    client = openHelperClient({
      start: () => {
        starts++;
        return forkHelper('/nowhere/helper.mjs');
      },
    });
    const lost = new Promise((resolve) => client?.onLost(resolve));
    expect(await lost).toMatchObject({ code: 'native.helper_ended' });
    expect(starts).toBe(4);
    expect(await rejectionOf(firstTree(client))).toMatchObject({ code: 'lost' });
  });

  it('runs from its own entry, where no application runs', async () => {
    const start = () => forkHelper(join(import.meta.dirname, '../../../dist/native/macos/helper/helper-main.js'));
    client = openHelperClient({ start, libraries: standinPaths(library) });
    expect(await client.call('apps', [], 5000, signal)).toEqual([]);
  });

  it('ends with the desktop', async () => {
    let helper: HelperProcess | null = null;
    client = openHelperClient({ start: () => (helper = forkHelper(ENTRY)), libraries: standinPaths(library) });
    await firstTree(client);
    const end = new Promise((resolve) => helper?.onEnd(resolve));
    const waiting = rejectionOf(client.call('apps', [], 5000, signal));
    client.close();
    expect(await end).toBe('SIGKILL');
    expect(await waiting).toMatchObject({ code: 'lost' });
  });
});
