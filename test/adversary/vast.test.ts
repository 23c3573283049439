/** Windows with tables and lists of many rows: looking at them costs their application little, and what shows in them is read. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { contains } from '../../src/base/rect.js';
import type { Rect, Window } from '../../src/native/desktop.js';
import { startAgent, type TestAgent } from '../support/agent.js';
import { APPS, startApp, type DesktopApp } from '../support/desktop-app.js';
import { startHost, type TestHost } from '../support/host.js';
import { eventually, openLinuxDesktop, type LinuxDesktop } from '../support/linux-desktop.js';
import { openPage, settle, type Person } from '../support/person.js';
import { usedBy } from '../support/process-use.js';

const SOFFICE = '/usr/bin/soffice';
const LIMITS = { maxDepth: 60, maxNodes: 5000, timeoutMs: 5000 };
/** Asking for all rows takes ten times as much at least. */
const MOST_CPU_MS = 2500;
const MOST_MEMORY_MB = 60;
const never = new AbortController().signal;
let linux: LinuxDesktop;
let chaperone: TestHost;
let person: Person;
let agent: TestAgent;
let app: DesktopApp | null = null;

beforeEach(async () => {
  linux = await openLinuxDesktop();
  chaperone = await startHost({ backend: 'linux', display: 'current', env: linux.session.env });
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
  person.allowLooking();
});
afterEach(async () => {
  await agent.close();
  person.close();
  await app?.close();
  app = null;
  await chaperone.close();
  await linux.close();
});

async function open(kit: 'gtk' | 'qt', ...args: string[]): Promise<{ started: DesktopApp; window: Window }> {
  const started = await startApp(kit, linux.session.env, args, join(APPS, `${kit}-vast.py`));
  app = started;
  const window = await linux.window(({ app: { pid } }) => pid === started.pid);
  return { started, window };
}

const centre = ({ x, y, width, height }: Rect) => ({ x: x + width / 2, y: y + height / 2 });
const secretAreas = () => linux.desktop.secureAreas(never);

/** All that an agent can ask of a window, twice: what is asked a second time must not cost more. */
async function lookAround(pid: number, { frame }: Window): Promise<void> {
  const parent = `applications/${pid}`;
  const at = { x: Math.round(frame.x + frame.width / 2), y: Math.round(frame.y + frame.height * 0.55) };
  for (let round = 0; round < 2; round += 1) {
    const picture = await agent.call('capture_screenshot');
    expect([picture.isError, picture.images.length]).toEqual([false, 1]);
    const tree = await agent.call('get_element_tree', { parent });
    expect(tree.text).toContain('Press me');
    const found = await agent.call('find_elements', { parent, title: 'Press me' });
    expect(found.text).toContain('1 found');
    expect((await linux.desktop.elementAt(at, never))?.role).toBe('AXCell');
  }
}

describe.each<[string, 'gtk' | 'qt', string[], string]>([
  ['GTK 3 table of 100,000 rows', 'gtk', ['100000', '0'], 'row 0'],
  ['Qt table of 1,048,576 × 1,024 cells', 'qt', [], 'r0c0'],
])('a %s', { timeout: 180_000 }, (_, kit, args, cell) => {
  test('[req:HA-1] costs its application little, whatever is asked', async () => {
    const { started, window } = await open(kit, ...args);
    const used = await usedBy(started.pid, () => lookAround(started.pid, window));
    expect(used.cpuMs).toBeLessThan(MOST_CPU_MS);
    expect(used.memoryMb).toBeLessThan(MOST_MEMORY_MB);
  });

  test('[req:HA-1] is read as far as it shows, and a search says that there is more', async () => {
    const { started } = await open(kit, ...args);
    const cells = { roles: ['AXCell'], visibleOnly: true };
    const { elements, matched, truncated } = await linux.desktop.find({ pid: started.pid }, cells, 500, LIMITS, never);
    expect(truncated.nodes).toBe(true);
    expect([matched > 10, matched < 500, elements[0]?.title]).toEqual([true, true, cell]);
    const hit = await linux.desktop.elementAt(centre(elements[0]?.frame ?? { x: 0, y: 0, width: 0, height: 0 }), never);
    expect(hit?.title).toBe(cell);
    const again = await linux.desktop.element(hit?.id ?? '', never);
    expect(again.title).toBe(cell);
  });

  test('[req:HA-1] makes no secret of a button beside it: what the press submits can be read', async () => {
    const { started } = await open(kit, ...args);
    const pressing = agent.call('click_element', { parent: `applications/${started.pid}`, title: 'Press me' });
    const { approval } = await person.next('approvalRequested', ({ approval: { tool } }) => tool === 'click_element');
    await settle(person, approval, 'allow');
    expect((await pressing).isError).toBe(false);
    expect(await started.journal()).toMatchObject([{ event: 'clicked' }]);
  });

  test('[req:HA-1] leaves the passwords beside it covered, and nothing else', async () => {
    const { window } = await open(kit, ...args);
    const [area, ...others] = await secretAreas();
    expect(others).toEqual([]);
    expect(area?.width).toBeLessThan(window.frame.width + 1);
    expect(area?.height).toBeLessThan(60);
  });
});

test('[req:HA-1] a list of which no row can be told apart is covered, and not the window', async () => {
  const { started, window } = await open('gtk', '10', '6000');
  await eventually(async () => expect(await started.journal()).toMatchObject([{ event: 'scrolled' }]));
  const areas = await secretAreas();
  expect(areas).toHaveLength(2);
  const list = areas.find(({ height }) => height > 100);
  expect(list?.height).toBeLessThan(window.frame.height / 2);
  const { x, y, width, height } = window.frame;
  expect(list !== undefined && contains(list, { x: x + width / 2, y: y + height * 0.75 })).toBe(true);
});

test('[req:HA-4] a button beside such a list is pressed once the person was asked, and told what was not read', async () => {
  const { started } = await open('gtk', '10', '6000');
  const pressing = agent.call('click_element', { parent: `applications/${started.pid}`, title: 'Press me' });
  const { approval } = await person.next('approvalRequested', ({ approval: { tool } }) => tool === 'click_element');
  expect(approval.notes.map(({ code }) => code)).toContain('note.not_whole');
  await settle(person, approval, 'allow');
  expect((await pressing).isError).toBe(false);
  expect(await started.journal()).toContainEqual(expect.objectContaining({ event: 'clicked' }));
});

test.skipIf(!existsSync(SOFFICE))('[req:HA-1] LibreOffice Calc answers after pictures, searches and keys', async () => {
  const file = join(linux.folder, 'sums.csv');
  await writeFile(file, 'a,b\n1,2\n');
  const profile = `-env:UserInstallation=file://${linux.folder}/office`;
  const quiet = ['--norestore', '--nologo', '--nofirststartwizard', profile];
  const csv = ['--calc', '--infilter=CSV:44,34,76,1', file];
  const env = { SAL_USE_VCLPLUGIN: 'gtk3', HOME: linux.folder };
  const office = linux.run(SOFFICE, [...quiet, ...csv], env);
  const { app: calc } = await linux.window(({ title }) => title.startsWith('sums.csv'));
  try {
    const cells = { role: 'AXCell', titleContains: 'B2' };
    await eventually(async () =>
      expect((await linux.desktop.find({ pid: calc.pid }, cells, 5, LIMITS, never)).matched).toBeGreaterThan(0),
    );
    const picture = () => agent.call('capture_screenshot');
    const used = await usedBy(calc.pid, async () => {
      for (let round = 0; round < 3; round += 1) expect((await picture()).images).toHaveLength(1);
    });
    expect(used.cpuMs).toBeLessThan(1000);
    expect(used.memoryMb).toBeLessThan(30);
    const asked = await usedBy(calc.pid, async () => {
      const { elements } = await linux.desktop.find({ pid: calc.pid }, cells, 5, LIMITS, never);
      expect((await linux.desktop.element(elements[0]?.id ?? '', never)).title).toBe('B2');
      expect((await agent.call('get_element_tree', { parent: `applications/${calc.pid}` })).isError).toBe(false);
    });
    expect(asked.cpuMs).toBeLessThan(3000);
  } finally {
    process.kill(calc.pid, 'SIGKILL');
    await office.end();
  }
});
