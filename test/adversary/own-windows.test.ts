import { once } from 'node:events';
import sharp from 'sharp';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { DesktopBackend, Window } from '../../src/native/desktop.js';
import { openGabp, type Gabp, type ToolAnswer } from '../support/gabp.js';
import { connectAs } from '../support/other.js';
import { settle } from '../support/person.js';
import { openRpc } from '../support/rpc.js';
import { CONFIRM, NOTES, startScene, type Scene } from '../support/world.js';

let scene: Scene;
let agent: Gabp;
afterEach(async () => {
  agent.close();
  await scene.close();
});

async function start(seen?: (desktop: DesktopBackend) => DesktopBackend): Promise<Window> {
  scene = await startScene({}, seen);
  agent = await openGabp(scene);
  const windows = await scene.desktop.windows(AbortSignal.timeout(5000));
  const notes = windows.find((one) => one.title === 'Shopping');
  if (notes === undefined) throw new Error('no window of Notes');
  return notes;
}

const words = (answer: ToolAnswer) => answer.content.map(({ text }) => text ?? '').join('\n');
const inside = ({ frame }: Window) => ({ x: frame.x + 200, y: frame.y + 150 });
/** What reached the window, under whatever title; keys let go do nothing. */
const reached = (window: Window) =>
  scene.world.journal().filter(({ pid, event }) => pid === window.app.pid && event !== 'focused' && event !== 'keyup');

/** `callers`: where there are several, they share the calls. */
async function refusedEverywhere(window: Window, callers = [scene.rpc]): Promise<void> {
  scene.world.raiseWindow(window.id);
  const note = { selector: { byRole: 'AXTextArea' } };
  expect(words(await agent.tool('click', inside(window)))).toContain('protected');
  expect(words(await agent.tool('type_text', { text: 'y' }))).toContain('DESKTOP_ELEMENT_NOT_FOUND');
  expect(words(await agent.tool('press_key', { key: 'enter' }))).toContain('DESKTOP_ELEMENT_NOT_FOUND');
  const calls: [string, object][] = [
    ['desktop.click', { route: NOTES, target: { selector: { byRole: 'AXCheckBox' } } }],
    ['desktop.typeText', { route: NOTES, target: note, text: 'y' }],
    ['desktop.hotkey', { route: NOTES, keys: ['enter'] }],
  ];
  const refused = calls.map(([method, params], index) =>
    callers[index % callers.length]?.error(method, { ...params, confirm: CONFIRM }),
  );
  for (const error of await Promise.all(refused)) expect(error).toMatchObject({ code: 'DESKTOP_ELEMENT_NOT_FOUND' });
  expect(reached(window)).toEqual([]);
  const acts = scene.person.seen.filter(
    (one) => one.type === 'approvalRequested' && one.approval.effect !== 'disclose',
  );
  expect(acts).toEqual([]);
}

describe('an agent that would press Allow by itself [req:DS-6-28]', () => {
  test('gets no input and no sight of a window that shows the page, under any of its addresses', async () => {
    const window = await start();
    // What is not there for an agent is told only to one that may look.
    scene.person.allowLooking();
    const { port } = new URL(scene.host.url);
    for (const address of [
      `${scene.host.url}/`,
      scene.host.url,
      `http://127.0.0.1:${port}/#settings`,
      `http://[::1]:${port}/any/path?x=1`,
      `http://someone@localhost:${port}/`,
      `HTTP://LOCALHOST:${port}/`,
      `view-source:http://localhost:${port}/`,
    ]) {
      scene.world.retitleWindow(window.id, 'Weather', address);
      await refusedEverywhere(window);
    }
    scene.world.retitleWindow(window.id, 'Weather', `http://localhost:${port}0/`);
    const call = agent.tool('click', inside(window));
    await scene.person.answer('allow');
    expect((await call).isError).not.toBe(true);
  });

  test('nor of a window with our name in a browser that has the page open, or had it a moment ago', async () => {
    let pids: { from: number; to: number } | null = null;
    const window = await start((desktop) => withPids(desktop, () => pids));
    scene.person.allowLooking();
    const { port } = new URL(scene.host.url);
    const browser = connectAs({ host: '127.0.0.1', port: Number(port) });
    const socket = new WebSocket(`ws://localhost:${port}/ws`, {
      origin: `http://localhost:${port}`,
      createConnection: () => browser.stream,
    });
    await once(socket, 'message');
    pids = { from: window.app.pid, to: browser.pid };
    scene.world.retitleWindow(window.id, 'Chaperone – Allow? – Browser');
    // Each looks for a while for what an application that has just started does not show yet.
    const second = connectAs({ path: scene.host.socketPath });
    await refusedEverywhere(window, [scene.rpc, await openRpc(second.stream, scene.workspace)]);
    await second.close();
    await browser.close();
    await refusedEverywhere(window);
  });

  test('gets its keys stopped when the page comes to the front while it types', async () => {
    const window = await start();
    const front = (await scene.desktop.windows(AbortSignal.timeout(5000))).find((one) => one.title === 'New Message');
    if (front === undefined) throw new Error('no window of Mail');
    scene.world.raiseWindow(front.id);
    scene.world.retitleWindow(window.id, 'Weather', `${scene.host.url}/`);
    const call = scene.rpc.call('desktop.hotkey', {
      keys: ['a', 'b', 'c'],
      options: { delayMs: 400 },
      confirm: CONFIRM,
    });
    const { approval } = await scene.person.next('approvalRequested');
    await settle(scene.person, approval, 'allow');
    const typed = () => scene.world.journal().filter(({ event }) => event === 'key');
    while (typed().length === 0) await new Promise((resolve) => setImmediate(resolve));
    scene.world.raiseWindow(window.id);
    expect((await call).error).toMatchObject({ code: 'DESKTOP_TARGET_CHANGED' });
    expect(reached(window)).toEqual([]);
  });
});

describe('what an agent sees of the page [req:DS-6-29]', () => {
  test('is a blank where the window lies, and no tree, title or element', async () => {
    const window = await start();
    const note = scene.world.find('note') ?? '';
    const look = async (text: string) => {
      scene.world.change(note, { value: text });
      return areaOf(await agent.tool('capture_screenshot'), window);
    };
    const first = agent.tool('capture_screenshot');
    await scene.person.answer('allow');
    await first;
    expect(await look('one thing')).not.toEqual(await look('ANOTHER THING WITH MORE IN IT'));
    scene.world.retitleWindow(window.id, 'Pair: 1234', `${scene.host.url}/#pair=secret`);
    expect(await look('one thing')).toEqual(await look('ANOTHER THING WITH MORE IN IT'));
    const tools = ['list_windows', 'list_applications', 'find_elements', 'get_element'];
    const asked = tools.map((name) => agent.tool(name, name === 'find_elements' ? { parent: 'simulated.notes' } : {}));
    scene.person.send({ type: 'pause', on: true });
    for (const answer of await Promise.all(asked))
      expect(JSON.stringify(answer)).not.toMatch(/1234|secret|ANOTHER THING/);
  });

  test('is nothing at all while a pairing link is open [req:DS-7-18]', async () => {
    await start();
    scene.host.pairingLink();
    for (const tool of ['capture_screenshot', 'get_clipboard', 'get_element_tree'])
      expect(words(await agent.tool(tool, {})), tool).toContain('DESKTOP_HOST_NOT_READY');
    expect(await scene.rpc.error('desktop.observe', { route: NOTES })).toMatchObject({
      details: { reason: 'pairing' },
    });
    expect(await scene.rpc.error('desktop.find', { route: NOTES, selector: {} })).toMatchObject({
      details: { reason: 'pairing' },
    });
  });
});

async function areaOf(answer: ToolAnswer, { frame }: Window): Promise<Buffer> {
  const image = answer.content.find(({ type }) => type === 'image') as { data?: string } | undefined;
  const { x: left, y: top, width, height } = frame;
  return sharp(Buffer.from(image?.data ?? '', 'base64'))
    .extract({ left, top, width, height })
    .raw()
    .toBuffer();
}

/** The desktop, with one process under another's number: no simulated process is a real browser. */
function withPids(desktop: DesktopBackend, pids: () => { from: number; to: number } | null): DesktopBackend {
  const swap = (value: unknown, from: number, to: number): unknown => {
    if (value === from) return to;
    if (Array.isArray(value)) return value.map((each) => swap(each, from, to));
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, swap(each, from, to)]));
  };
  return new Proxy(desktop, {
    get(target, name, self) {
      const member: unknown = Reflect.get(target, name, self);
      const known = pids();
      if (typeof member !== 'function' || known === null) return member;
      return (...given: unknown[]) => {
        const result: unknown = Reflect.apply(
          member,
          target,
          given.map((each) => swap(each, known.to, known.from)),
        );
        if (!(result instanceof Promise)) return result;
        return result.then((value) => swap(value, known.from, known.to));
      };
    },
  });
}
