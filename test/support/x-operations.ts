/** What programs, a person and the window manager do with windows, as arbitrary operations on a real display. */
import { execFileSync, spawn } from 'node:child_process';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { readProperties } from '../../src/native/linux/x11/connection.js';
import { eventually } from './linux-desktop.js';
import { openXApplication, type XApplication, type XPlacement } from './x-application.js';

interface Scene {
  applications: XApplication[];
  /** All that were ever opened. */
  windows: { id: number; application: number }[];
  session: Record<string, string>;
}

export type Operation = (scene: Scene) => Promise<void>;

interface Target {
  app: XApplication;
  id: number;
}

type Place = Required<Pick<XPlacement, 'x' | 'y' | 'width' | 'height'>>;

export async function openScene(session: Record<string, string>): Promise<Scene> {
  return { applications: [await openXApplication(session), await openXApplication(session)], windows: [], session };
}

export async function closeScene({ applications }: Scene): Promise<void> {
  await Promise.all(applications.map((app) => app.close()));
}

const index = fc.nat({ max: 100 });
const title = fc.string({ maxLength: 8 });
const desktop = fc.integer({ min: 0, max: 3 });
const place: fc.Arbitrary<Place> = fc.record({
  x: fc.integer({ min: -50, max: 500 }),
  y: fc.integer({ min: -50, max: 350 }),
  width: fc.integer({ min: 1, max: 300 }),
  height: fc.integer({ min: 1, max: 300 }),
});

type Named = [name: string, choice: { arbitrary: fc.Arbitrary<Operation>; weight: number }];

function named<T>(
  name: string,
  given: fc.Arbitrary<T>,
  run: (scene: Scene, given: T) => Promise<void>,
  weight = 2,
): Named {
  const operation = (value: T): Operation => {
    const text = `${name} ${fc.stringify(value)}`;
    return Object.assign((scene: Scene) => run(scene, value), { [fc.toStringMethod]: () => text });
  };
  return [name, { arbitrary: given.map(operation), weight }];
}

const onWindow = (name: string, apply: (target: Target) => Promise<void>, weight = 2): Named =>
  named(name, index, (scene, at) => withWindow(scene, at, apply), weight);

const onWindowWith = <T>(
  name: string,
  given: fc.Arbitrary<T>,
  apply: (target: Target, given: T) => Promise<void>,
): Named =>
  named(
    name,
    fc.tuple(index, given),
    (scene, [at, value]) => withWindow(scene, at, (target) => apply(target, value)),
    3,
  );

const configure = (name: string, values: fc.Arbitrary<XPlacement>): Named =>
  onWindowWith(name, values, ({ app, id }, wanted) =>
    app.request((done) => app.x.client.ConfigureWindow(id, wanted, done)),
  );

/** By name, with how often each is to come. */
export const OPERATIONS: ReadonlyMap<string, Named[1]> = new Map([
  named('open', fc.tuple(index, place, title), (scene, [by, at, text]) => openWindow(scene, by, at, text, false), 8),
  named(
    'open menu',
    fc.tuple(index, place, title),
    (scene, [by, at, text]) => openWindow(scene, by, at, text, true),
    4,
  ),
  named('open inside', fc.tuple(index, index, place), openInside, 4),
  named('reparent', fc.tuple(index, index, place), reparent),
  named('end application', index, endApplication, 1),
  named('restart the manager', fc.constant(null), ({ session }) => restartManager(session), 1),
  named('switch desktop', desktop, async ({ applications: [app] }, wanted) =>
    app?.ask(app.x.root, '_NET_CURRENT_DESKTOP', [wanted, 0]),
  ),
  onWindowWith('to desktop', desktop, ({ app, id }, wanted) => app.ask(id, '_NET_WM_DESKTOP', [wanted, 2])),
  onWindowWith('retitle', title, ({ app, id }, text) => app.setText(id, '_NET_WM_NAME', text)),
  onWindowWith('retitle the old way', title, ({ app, id }, text) => app.setText(id, 'WM_NAME', text)),
  onWindowWith('pid', index, ({ app, id }, pid) => app.setNumbers(id, '_NET_WM_PID', 'CARDINAL', [pid])),
  configure('place', place),
  configure('restack', fc.record({ stackMode: fc.integer({ min: 0, max: 1 }) })),
  configure('border', fc.record({ borderWidth: fc.integer({ min: 0, max: 5 }) })),
  onWindow('destroy', ({ app, id }) => app.request((done) => app.x.client.DestroyWindow(id, done))),
  onWindow('map', ({ app, id }) => app.request((done) => app.x.client.MapWindow(id, done))),
  onWindow('unmap', ({ app, id }) => app.request((done) => app.x.client.UnmapWindow(id, done))),
  onWindow('minimise', ({ app, id }) => app.ask(id, 'WM_CHANGE_STATE', [3])),
  onWindow('activate', ({ app, id }) => app.ask(id, '_NET_ACTIVE_WINDOW', [2, 0, 0])),
  onWindow('maximise', maximise),
  onWindow('type', async ({ app, id }) =>
    app.setNumbers(id, '_NET_WM_WINDOW_TYPE', 'ATOM', [await app.x.atom('_NET_WM_WINDOW_TYPE_TOOLTIP')]),
  ),
  onWindow('class', ({ app, id }) => app.setText(id, 'WM_CLASS', 'other\0Other\0')),
  onWindow('shadow', ({ app, id }) => app.setNumbers(id, '_GTK_FRAME_EXTENTS', 'CARDINAL', [3, 3, 2, 5])),
  onWindow('shape', shape),
  onWindow('circulate', ({ app }) => app.request((done) => app.x.client.CirculateWindow(app.x.root, 0, done))),
  onWindow('forge events', forgeEvents),
  onWindow('flood', flood, 1),
]);

async function withWindow(scene: Scene, at: number, apply: (target: Target) => Promise<void>): Promise<void> {
  const window = scene.windows[at % Math.max(1, scene.windows.length)];
  const app = window === undefined ? undefined : scene.applications[window.application];
  if (window !== undefined && app !== undefined) await apply({ app, id: window.id });
}

async function openWindow(scene: Scene, by: number, at: Place, text: string, menu: boolean): Promise<void> {
  const application = by % scene.applications.length;
  const app = scene.applications[application];
  if (app === undefined) return;
  const id = await app.create(app.x.root, at, menu);
  scene.windows.push({ id, application });
  await app.setText(id, 'WM_CLASS', 'scene\0Scene\0');
  await app.setText(id, '_NET_WM_NAME', text);
  await app.request((done) => app.x.client.MapWindow(id, done));
}

/** Also into a window of the other application. */
async function openInside(scene: Scene, [into, by, at]: [number, number, Place]): Promise<void> {
  const application = by % scene.applications.length;
  const app = scene.applications[application];
  const outer = scene.windows[into % Math.max(1, scene.windows.length)];
  if (app === undefined || outer === undefined) return;
  const id = await app.create(outer.id, at);
  scene.windows.push({ id, application });
  await app.request((done) => app.x.client.MapWindow(id, done));
}

/** Into another window, or to the root. */
async function reparent(scene: Scene, [at, into, { x, y }]: [number, number, Place]): Promise<void> {
  await withWindow(scene, at, async ({ app, id }) => {
    const outer = scene.windows[into % (2 * scene.windows.length)]?.id ?? app.x.root;
    await app.request((done) => app.x.client.ReparentWindow(id, outer, x, y, done));
  });
}

/** All its windows go with its connection; the next one may get the same ids. */
async function endApplication(scene: Scene, which: number): Promise<void> {
  const application = which % scene.applications.length;
  await scene.applications[application]?.close();
  scene.applications[application] = await openXApplication(scene.session);
}

/** A new one takes over from the old one, which ends. */
async function restartManager(session: Record<string, string>): Promise<void> {
  const manager = () => execFileSync('xprop', ['-root', '_NET_SUPPORTING_WM_CHECK'], { env: session }).toString();
  const before = manager();
  const env = { PATH: process.env['PATH'], ...session, LC_ALL: 'C' };
  spawn('openbox', ['--replace', '--sm-disable'], { env, stdio: 'ignore' }).unref();
  await eventually(async () => {
    const now = manager();
    expect(now).not.toBe(before);
    expect(now).toContain('0x');
  });
  // A message that it is to be replaced would be lost until it handles its first event.
  await managerHandledAll(session);
}

/** Resolves when the window manager has handled all that it was sent before, with an answer to one more message. */
export async function managerHandledAll(session: Record<string, string>): Promise<void> {
  const app = await openXApplication(session);
  const window = await app.create(app.x.root, { x: 0, y: 0, width: 20, height: 20 });
  const { numbers } = readProperties(app.x);
  await eventually(async () => {
    // What comes while it starts is lost.
    await app.ask(window, '_NET_REQUEST_FRAME_EXTENTS', [0]);
    expect(await numbers(window, '_NET_FRAME_EXTENTS')).toHaveLength(4);
  });
  await app.close();
}

async function maximise({ app, id }: Target): Promise<void> {
  const states = ['_NET_WM_STATE_MAXIMIZED_VERT', '_NET_WM_STATE_MAXIMIZED_HORZ'];
  const [vertical = 0, horizontal = 0] = await Promise.all(states.map((name) => app.x.atom(name)));
  const toggle = 2;
  await app.ask(id, '_NET_WM_STATE', [toggle, vertical, horizontal, 2]);
}

async function shape({ app, id }: Target): Promise<void> {
  const extension = await app.x.extension('shape');
  const areas = [[5, 5, 20, 20], [30, 5, 10, 50]]; // prettier-ignore
  extension?.Rectangles(0, extension.Kind.Bounding, id, 0, 0, areas);
  await app.x.sync();
}

/** Events that no server has sent: of the window's end, of its hiding, and of another place. */
export async function forgeEvents({ app, id }: Target): Promise<void> {
  const { client, root } = app.x;
  const structureEvents = 0xa0000;
  for (const to of [root, id]) {
    for (const type of [17, 18, 22]) {
      const event = Buffer.alloc(32);
      event.writeUInt8(type, 0);
      event.writeUInt32LE(to, 4);
      event.writeUInt32LE(id, 8);
      await app.request((done) => client.SendEvent(to, 0, structureEvents, event, done));
    }
  }
}

async function flood({ app, id }: Target): Promise<void> {
  for (let count = 0; count < 300; count += 1) await app.setText(id, '_NET_WM_NAME', `${count}`);
}
