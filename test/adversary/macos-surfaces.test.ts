/** What the window server shows and accessibility names in no list of windows: overlays, sheets, menus, popovers. On the stand-ins, through host and shim. */
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.js';
import type { Mac } from '../support/macos/mac.js';
import { macTools } from '../support/macos/mac-tools.js';
import { addApp, addControl, addSurface, addWindow, at } from '../support/macos/scene.js';
import { MODE } from '../support/macos/standin.js';
import { cardOf, settle, type Person } from '../support/person.js';

const PID = 5_000_650;
const NUMBER = 920;
const SURFACE = 921;
const WINDOW = at(700, 100, 400, 300);
const BESIDE = at(900, 420, 300, 200);
const PRESS = { AXPress: MODE.does };

let mac: Mac;
let person: Person;
let agent: TestAgent;

macTools((made) => ({ mac, person, agent } = made));

function openVault(policy = 0): { app: number; window: number } {
  const app = addApp(mac.script, { pid: PID, name: 'Vault', bundle: 'com.example.vault', policy });
  const window = addWindow(mac.script, { app, pid: PID, number: NUMBER, title: 'Vault', frame: WINDOW });
  mac.script.raise(NUMBER);
  mac.script.setFront(PID);
  mac.script.focus(PID, window, 0);
  return { app, window };
}
/** The person allows it, once. */
async function allowed(tool: string, given: Record<string, unknown>): Promise<string> {
  const running = agent.call(tool, given);
  await settle(person, await cardOf(person, running), 'allow');
  const { isError, text } = await running;
  return isError === true ? text : 'done';
}
const presses = (): string[] => mac.script.journal().filter((line) => line.includes(' down at'));

/** The colours of that part in a picture of the display. */
async function coloursIn(part: ReturnType<typeof at>): Promise<number> {
  const { images } = await agent.call('capture_screenshot', {});
  const { data, info } = await sharp(Buffer.from(images[0]?.data ?? '', 'base64')).removeAlpha().raw().toBuffer({ resolveWithObject: true }); // prettier-ignore
  const scale = info.width / 1440;
  const colours = new Set<string>();
  for (let y = part.y + 4; y < part.y + part.height - 4; y += 7)
    for (let x = part.x + 4; x < part.x + part.width - 4; x += 7) {
      const from = (Math.round(y * scale) * info.width + Math.round(x * scale)) * info.channels;
      colours.add(data.subarray(from, from + 3).toString('hex'));
    }
  return colours.size;
}

describe('a click', () => {
  test('[req:MA-6] reaches the window below what the Dock and Screenshot lay over the display', async () => {
    openVault();
    expect(await allowed('click', { x: 800, y: 200 })).toBe('done');
    expect(presses()).toHaveLength(1);
  });

  test.each([
    ['a sheet', 'AXSheet', 0, at(650, 200, 500, 150)],
    ['a popover beside it', 'AXPopover', 0, BESIDE],
    ['a menu', 'AXMenu', 101, BESIDE],
    ['a list of completions', 'AXList', 101, BESIDE],
  ])('[req:MA-7] reaches %s of a window, and its elements are found', async (_, role, level, frame) => {
    const { app, window } = openVault();
    const surface = addSurface(mac.script, role === 'AXList' ? app : window, { role, frame, number: SURFACE, level });
    const place = at(frame.x + 10, frame.y + 10, 80, 20);
    const item = role === 'AXMenu' ? 'AXMenuItem' : 'AXButton';
    addControl(mac.script, surface, { role: item, title: 'Save', frame: place, actions: PRESS });
    expect(await allowed('click', { x: place.x + 5, y: place.y + 5 })).toBe('done');
    expect(presses()).toHaveLength(1);
    const found = await agent.call('find_region_elements', { ...place });
    expect(found.text).toContain('Save');
    expect(await allowed('click_element', { parent: `applications/${PID}`, title: 'Save' })).toBe('done');
  });
});

describe('[req:MA-8] a picture', () => {
  const exclude = async (on: boolean): Promise<void> => {
    person.send({ type: 'exclude', appId: 'com.example.vault', on });
    await person.next('policy', ({ policy }) => policy.excludedApps?.includes('com.example.vault') === on);
  };
  /** What shows there has several colours while it is not covered. */
  const addSecret = (parent: number, role: string, level: number): void => {
    const surface = addSurface(mac.script, parent, { role, frame: BESIDE, number: SURFACE, level });
    addControl(mac.script, surface, { role: 'AXStaticText', value: 'hunter2', frame: at(920, 440, 100, 50) });
  };

  test.each([
    ['the sheet of its window', 'AXSheet', 0, 0],
    ['the popover of its window', 'AXPopover', 3, 0],
    ['its menu', 'AXMenu', 101, 0],
    ['a panel of its icon in the menu bar', 'AXGroup', 25, 1],
    ['a tooltip', 'AXHelpTag', 200, 0],
  ])('does not show %s, of an excluded application', async (_, role, level, policy) => {
    const { app, window } = openVault(policy);
    if (policy === 1) mac.script.showWindow(NUMBER, 0);
    addSecret(policy === 1 ? app : window, role, level);
    expect(await coloursIn(BESIDE)).toBeGreaterThan(1);
    await exclude(true);
    expect(await coloursIn(BESIDE)).toBe(1);
    expect(await agent.call('click', { x: 930, y: 450 })).toMatchObject({ isError: true });
    expect((await agent.call('find_region_elements', { ...BESIDE })).text).not.toContain('hunter2');
    await exclude(false);
  });

  test.each([0, 1, 2])('does not show an excluded application that names no windows (%s)', async (how) => {
    const { window } = openVault(how === 1 ? 1 : 0);
    mac.script.windowless(PID, how);
    mac.script.removeElement(window);
    addSecret(window, 'AXGroup', 0);
    await exclude(true);
    expect([await coloursIn(WINDOW), await coloursIn(BESIDE)]).toEqual([1, 1]);
    await exclude(false);
  });

  const IN_BUNDLE = '/Applications/Vault.app/Contents/Library/LoginItems/Helper.app/Contents/MacOS/Helper';
  test.each<[string, string, number, string]>([
    ['in its bundle', IN_BUNDLE, 0, 'AXHelpTag'],
    ['that it answers for', '/Library/Helpers/Helper', PID, 'AXHelpTag'],
    ['by its icon in the menu bar', IN_BUNDLE, 0, 'AXMenuBar'],
  ])(
    '[req:MA-13] does not show what a helper shows of an excluded application, %s',
    async (_, program, responsible, role) => {
      openVault();
      mac.script.install('/Applications/Vault.app', 'com.example.vault', 'Vault', 0);
      mac.script.showWindow(NUMBER, 0);
      const helper = addApp(mac.script, { pid: PID + 1, name: 'Helper', bundle: 'com.example.other', policy: 1 });
      mac.script.program(PID + 1, program);
      mac.script.responsible(PID + 1, responsible);
      const surface = addSurface(mac.script, helper, { role, frame: BESIDE, number: SURFACE, level: 200 });
      addControl(mac.script, surface, { role: 'AXStaticText', value: 'hunter2', frame: at(920, 440, 100, 50) });
      expect(await coloursIn(BESIDE)).toBeGreaterThan(1);
      await exclude(true);
      expect(await coloursIn(BESIDE)).toBe(1);
      mac.script.hang(PID + 1, 1);
      expect(await coloursIn(BESIDE)).toBe(1);
      mac.script.hang(PID + 1, 0);
      expect((await agent.call('find_region_elements', { ...BESIDE })).text).not.toContain('hunter2');
      expect((await agent.call('get_element_tree', { parent: `applications/${PID + 1}` })).text).not.toContain(
        'hunter2',
      );
      await exclude(false);
    },
  );

  test('shows an application that another one has started', async () => {
    openVault();
    const started = addApp(mac.script, { pid: PID + 2, name: 'Started', bundle: 'com.example.started' });
    mac.script.responsible(PID + 2, PID);
    addSecret(started, 'AXGroup', 0);
    await exclude(true);
    expect(await coloursIn(BESIDE)).toBeGreaterThan(1);
    await exclude(false);
  });

  test('does not show our own popover, also where it counts as another window of ours', async () => {
    const app = addApp(mac.script, { pid: process.pid, name: 'Chaperone', bundle: 'com.example.chaperone', policy: 1 });
    const window = addWindow(mac.script, { app, pid: process.pid, number: NUMBER, title: 'Evidence', frame: WINDOW });
    // An Allow of the page, whose process this is too, counts only where nothing covers it.
    mac.script.raise(NUMBER);
    addSecret(window, 'AXPopover', 0);
    expect(await coloursIn(BESIDE)).toBe(1);
    expect(await agent.call('click', { x: 930, y: 450 })).toMatchObject({ isError: true });
    expect(presses()).toEqual([]);
  });

  test('does not show our own popover, also where our process does not answer', async () => {
    const app = addApp(mac.script, { pid: process.pid, name: 'Chaperone', bundle: 'com.example.chaperone', policy: 1 });
    expect(await coloursIn(BESIDE)).toBeGreaterThan(1);
    addSecret(app, 'AXGroup', 101);
    mac.script.hang(process.pid, 1);
    expect(await coloursIn(BESIDE)).toBe(1);
    expect(await agent.call('click', { x: 930, y: 450 })).toMatchObject({ isError: true });
    expect(presses()).toEqual([]);
  });
});
