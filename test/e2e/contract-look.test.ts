/** health, doctor, observe, find: what a caller learns, and the words it uses to say where. */
import { createHash } from 'node:crypto';
import { readFile, readdir, readlink } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CONFIRM, MAIL, NOTES, startScene, type Scene } from '../support/world.js';

interface Ref {
  elementId: string;
  fingerprint: string;
  role: string;
  title: string;
  value: string | null;
  frame: { x: number; y: number; width: number; height: number } | null;
}

let scene: Scene;
beforeEach(async () => {
  scene = await startScene({ policy: 'unattended' });
});
afterEach(() => scene.close());

const signal = () => AbortSignal.timeout(5000);
const find = async (selector: object, route?: object) => {
  const result = await scene.rpc.result('desktop.find', { selector, ...(route === undefined ? {} : { route }) });
  return { ...result, refs: result['elementRefs'] as Ref[], matched: result['matched'] as number };
};
const titles = async (selector: object, route?: object) => (await find(selector, route)).refs.map(({ title }) => title);
const dirOf = (result: Record<string, unknown>) => (result['evidence'] as { dir: string }).dir;
const json = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
async function windowId(title: string): Promise<string> {
  const found = (await scene.desktop.windows(signal())).find((window) => window.title === title);
  if (found === undefined) throw new Error(`no window ${title}`);
  return found.id;
}
/** Worked out here, from what the kernel says of this very process. */
async function self(): Promise<{ pid: number; auditTokenDigest: string }> {
  const startTime = (await readFile('/proc/self/stat', 'utf8')).split(') ')[1]?.split(' ')[19];
  const facts = JSON.stringify([process.pid, startTime, process.getuid?.(), await readlink('/proc/self/exe')]);
  return { pid: process.pid, auditTokenDigest: createHash('sha256').update(facts).digest('hex').slice(0, 16) };
}

describe('desktop.health and desktop.doctor', () => {
  test('[req:BC-5.1-1] [req:BC-7-1] [req:BC-1-2] [req:DS-4-24] [req:DS-3-6] health tells host, system, permissions, bridge and caller', async () => {
    expect(await scene.rpc.result('desktop.health')).toEqual({
      hostVersion: '0.1.0',
      macos: 'n/a',
      platform: 'simulated, Simulated desktop',
      permissions: { accessibility: 'granted', screenRecording: 'granted' },
      bridge: {
        service: 'com.msgcode.desktop.bridge',
        schemaVersion: 1,
        doors: ['socket'],
        serviceClosed: 'The bridge service exists on macOS only.',
      },
      peer: await self(),
    });
    scene.world.setPermission('screenRecording', 'missing');
    expect(await scene.rpc.result('desktop.health')).toMatchObject({
      permissions: { accessibility: 'granted', screenRecording: 'missing' },
    });
  });

  test('[req:BC-5.2-1] [req:BC-5.2-2] [req:BC-5.2-3] doctor says what each permission is for, and is healthy when none is missing', async () => {
    const permission = (granted: boolean) => ({ granted, required: true, purpose: expect.stringMatching(/\w+ \w+/) });
    expect(await scene.rpc.result('desktop.doctor')).toEqual({
      permissions: { accessibility: permission(true), screenRecording: permission(true) },
      issues: [],
      healthy: true,
      peer: await self(),
    });
    scene.world.setPermission('accessibility', 'missing');
    expect(await scene.rpc.result('desktop.doctor')).toMatchObject({
      permissions: { accessibility: permission(false), screenRecording: permission(true) },
      issues: ['Accessibility permission denied'],
      healthy: false,
    });
  });
});

describe('desktop.observe', () => {
  test('[req:BC-5.3-1] [req:BC-5.3-3] writes picture and tree as asked, and says what it looked at', async () => {
    const both = await scene.rpc.result('desktop.observe');
    expect(both).toMatchObject({
      executionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      routeResolved: { frontmostBundleId: 'simulated.mail', windowTitle: 'New Message' },
      evidence: { screenshotPath: 'observe.png', axPath: 'ax.json' },
    });
    const files = async (options: object) => {
      const { evidence } = await scene.rpc.result('desktop.observe', { options });
      const { dir, ...named } = evidence as { dir: string };
      return { named, kept: (await readdir(dir)).filter((name) => name === 'observe.png' || name === 'ax.json') };
    };
    expect(await files({ includeScreenshot: false })).toEqual({ named: { axPath: 'ax.json' }, kept: ['ax.json'] });
    expect(await files({ includeAxTree: false })).toEqual({
      named: { screenshotPath: 'observe.png' },
      kept: ['observe.png'],
    });
    expect(await files({ includeScreenshot: false, includeAxTree: false })).toEqual({ named: {}, kept: [] });
  });

  test('[req:BC-5.3-2] its tree ends where it was told, and says so', async () => {
    const look = async (options: object) => {
      const result = await scene.rpc.result('desktop.observe', { options: { includeScreenshot: false, ...options } });
      const tree = await json(`${dirOf(result)}ax.json`);
      return { told: result['truncated'], written: tree['truncated'], nodes: tree['nodes'] as number, tree };
    };
    const whole = await look({});
    expect(whole.told).toEqual({ depth: false, nodes: false, time: false });
    const few = await look({ axMaxNodes: 4 });
    expect(few).toMatchObject({ nodes: 4, told: { nodes: true }, written: { nodes: true } });
    const flat = await look({ axMaxDepth: 1 });
    expect(flat).toMatchObject({ told: { depth: true }, written: { depth: true } });
    expect(flat.nodes).toBeLessThan(whole.nodes);
    expect(JSON.stringify(flat.tree)).not.toContain('Subject');
  });
});

describe('desktop.find', () => {
  test('[req:BC-5.4-1] [req:BC-5.4-2] [req:BC-4.5-1] gives references and the tree on disk, and presses nothing', async () => {
    const found = await find({ byRole: 'AXButton', titleContains: 'Send' }, MAIL);
    const frame = { x: 492, y: 482, width: 108, height: 32 };
    expect(found).toMatchObject({
      executionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      matched: 1,
      evidence: { dir: expect.any(String), axPath: 'ax.json' },
    });
    expect(found.refs).toEqual([
      {
        elementId: expect.stringMatching(/^e:\d+$/),
        fingerprint: `AXButton|Send|x=${frame.x},y=${frame.y},w=108,h=32`,
        role: 'AXButton',
        title: 'Send',
        value: null,
        frame,
      },
    ]);
    expect(await json(`${dirOf(found)}ax.json`)).toMatchObject({
      app: { id: 'simulated.mail' },
      matched: 1,
      elements: [{ role: 'AXButton', title: 'Send' }],
    });
    expect(scene.world.journal()).toEqual([]);
  });

  test('[req:BC-4.4-1] matches the role exactly and titles and values in part, all that is given', async () => {
    expect(await titles({ byRole: 'AXButton' })).toEqual(['Sign in', 'Send']);
    expect(await titles({ byRole: 'AXBut' })).toEqual([]);
    expect(await titles({ titleContains: 'end' })).toEqual(['Sender gets a copy', 'Send']);
    expect(await titles({ titleContains: 'end', byRole: 'AXButton' })).toEqual(['Send']);
    expect(await titles({ valueContains: 'd' })).toEqual(['User name']);
    expect(await titles({ valueContains: 'd', byRole: 'AXTextArea' })).toEqual([]);
    expect(await titles({ valueContains: 'ead\nA birth' }, NOTES)).toEqual(['Note']);
  });

  test('[req:BC-4.4-2] gives ten candidates unless told otherwise, and says how many there are', async () => {
    const calculator = { app: { bundleId: 'simulated.calculator' } };
    const ten = await find({ byRole: 'AXButton' }, calculator);
    expect(ten.refs).toHaveLength(10);
    expect(ten.matched).toBe(19);
    expect((await find({ byRole: 'AXButton', limit: 3 }, calculator)).refs).toHaveLength(3);
    expect((await find({ byRole: 'AXButton', limit: 19 }, calculator)).refs).toHaveLength(19);
  });

  test('[req:BC-4.4-3] [req:DS-4-15] starts in front, or where the route says, and sees no other application', async () => {
    expect(await titles({ byRole: 'AXTextArea' })).toEqual(['Body']);
    expect(await titles({ byRole: 'AXTextArea' }, NOTES)).toEqual(['Note']);
    scene.world.raiseWindow(await windowId('Shopping'));
    expect(await titles({ byRole: 'AXTextArea' })).toEqual(['Note']);
    expect(await titles({ titleContains: 'Send' })).toEqual([]);
    const account = { ...MAIL, window: { titlePattern: '^Acc.*' } };
    expect(await titles({ byRole: 'AXButton' }, account)).toEqual(['Sign in']);
  });

  test('[req:BC-4.3-1] a route names application, window by pattern, and how the focus is treated', async () => {
    expect(await titles({ byRole: 'AXButton' }, { ...NOTES, focusPolicy: 'focusIfNeeded' })).toEqual(['Undo']);
    expect((await scene.desktop.frontmost(AbortSignal.timeout(5000))).app?.id).toBe('simulated.mail');
    expect(await titles({ byRole: 'AXButton' }, { window: { titlePattern: 'Shop.*g$' } })).toEqual(['Undo']);
    for (const [route, message] of [
      [{ app: { bundleId: 'com.nobody' } }, 'com.nobody'],
      [{ window: { titlePattern: '^hopping' } }, '\\^hopping'],
    ] as const)
      expect(await scene.rpc.error('desktop.find', { route, selector: {} })).toMatchObject({
        code: 'DESKTOP_ELEMENT_NOT_FOUND',
        message: expect.stringMatching(message),
      });
    for (const focusPolicy of ['never', 'always', 'steal'])
      expect(await scene.rpc.error('desktop.find', { route: { focusPolicy }, selector: {} })).toMatchObject({
        code: 'DESKTOP_INVALID_REQUEST',
        message: expect.stringContaining('focusPolicy'),
      });
    for (const route of [{ window: { titlePattern: '(' } }, { app: {} }])
      expect(await scene.rpc.error('desktop.find', { route, selector: {} })).toMatchObject({
        code: 'DESKTOP_INVALID_REQUEST',
      });
  });

  test('[req:DS-4-26] frames are points from the top left of the main display', async () => {
    const [send] = (await find({ titleContains: 'Send', byRole: 'AXButton' })).refs;
    const frame = send?.frame;
    if (frame == null) throw new Error('no frame');
    const hit = await scene.desktop.elementAt({ x: frame.x + 1, y: frame.y + 1 }, signal());
    expect(hit?.title).toBe('Send');
    expect((await scene.desktop.elementAt({ x: frame.x - 1, y: frame.y - 1 }, signal()))?.title).not.toBe('Send');
  });
});

describe('an element reference', () => {
  const click = (ref: Ref | undefined) =>
    scene.rpc.call('desktop.click', { target: { elementRef: ref }, confirm: CONFIRM });
  const spec = (title: string, onPress: () => void) => ({
    role: 'AXButton' as const,
    title,
    frame: { x: 300, y: 10, width: 80, height: 30 },
    onPress,
  });

  test('[req:BC-4.5-2] [req:DS-4-17] is found again after its element was made anew elsewhere, and is stale when nothing or several fit', async () => {
    const window = await windowId('New Message');
    const pressed: string[] = [];
    const first = scene.world.addElement(
      window,
      spec('Archive', () => pressed.push('first')),
    );
    const [ref] = (await find({ titleContains: 'Archive' })).refs;
    scene.world.change(first, { frame: { x: 320, y: 40, width: 80, height: 30 } });
    expect((await click(ref)).result).toMatchObject({ clicked: true });
    scene.world.removeElement(first);
    const second = scene.world.addElement(
      window,
      spec('Archive', () => pressed.push('second')),
    );
    expect((await click(ref)).result).toMatchObject({ clicked: true });
    expect(pressed).toEqual(['first', 'second']);
    scene.world.removeElement(second);
    expect((await click(ref)).error).toMatchObject({
      code: 'DESKTOP_ELEMENT_NOT_FOUND',
      details: { reason: 'stale' },
      message: expect.stringContaining('stale'),
    });
    scene.world.addElement(window, { ...spec('Filler', () => undefined) });
    for (const name of ['third', 'fourth'])
      scene.world.addElement(
        window,
        spec('Archive', () => pressed.push(name)),
      );
    expect((await click(ref)).error).toMatchObject({
      code: 'DESKTOP_ELEMENT_NOT_FOUND',
      details: { reason: 'ambiguous' },
      message: expect.stringContaining('stale'),
    });
    expect(pressed).toEqual(['first', 'second']);
  });
});
