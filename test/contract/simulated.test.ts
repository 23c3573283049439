import { openSimulated, type AppSpec, type JournalEntry } from '../../src/native/simulated/index.js';
import { describeDesktop } from './desktop-contract.js';
import { MAIN_TITLE, SECOND_TITLE, SECRET, STORY, type Control, type Entry, type Fixture } from './fixture.js';

const CONTROLS: readonly Control[] = ['send', 'toggle', 'entry', 'password', 'area', 'disabled', 'removed'];

describeDesktop('simulated', () => Promise.resolve(openFixture()));

function openFixture(): Fixture {
  const desktop = openSimulated({ apps: [] });
  const { world } = desktop;
  let running: number[] = [];
  world.addApp({ ...secondApp(), id: 'fixture.launchable', name: 'Launchable' }, { start: false });

  return {
    desktop,
    shortcut: 'ctrl',
    launchable: 'Launchable',
    async start() {
      const open = (await desktop.apps(new AbortController().signal)).map((app) => app.pid);
      for (const pid of running.filter((one) => open.includes(one))) world.kill(pid);
      world.clearJournal();
      const secondPid = world.addApp(secondApp());
      const pid = world.addApp(mainApp(() => world.removeElement(world.find('removed') ?? '')));
      running = [pid, secondPid];
      const journal = (): Promise<Entry[]> =>
        Promise.resolve(
          world
            .journal()
            .filter((each) => each.pid === pid)
            .flatMap(toEntry),
        );
      return { pid, secondPid, journal };
    },
    controls() {
      const pid = world.addApp(controlsApp());
      const told = async (event: string, of: readonly string[]) =>
        world.journal().filter((one) => one.pid === pid && one.event === event && of.includes(one.control)); // prettier-ignore
      return Promise.resolve({
        pid,
        selected: async () => (await told('selected', FRUITS)).map((one) => (one.value === 'true' ? one.control : '')),
        expanded: async () => (await told('expanded', ['More'])).map((one) => one.value),
        end: () => Promise.resolve(world.kill(pid)),
      });
    },
    rows() {
      const pid = world.addApp(rowsApp());
      return Promise.resolve({ pid, end: () => Promise.resolve(world.kill(pid)) });
    },
    endLaunched: (pid) => Promise.resolve(world.kill(pid)),
    personMoves: (to) => Promise.resolve(world.person.move(to)),
    lose: () => Promise.resolve(world.lose('the display went away')),
    close: () => desktop.close(),
  };
}

function toEntry({ control, event, value }: JournalEntry): Entry[] {
  if (event === 'pointer')
    return control === 'send' ? [{ control: 'send', event, value: value.split(' ')[0] ?? '' }] : [];
  if (event === 'pressed' || event === 'toggled' || event === 'changed' || event === 'scrolled') {
    const known = CONTROLS.find((each) => each === control);
    return known === undefined ? [] : [{ control: known, event, value }];
  }
  return [];
}

function mainApp(onRemove: () => void): AppSpec {
  return {
    id: 'fixture.main',
    name: 'Fixture',
    executable: '/simulated/bin/fixture',
    windows: [
      {
        title: MAIN_TITLE,
        frame: { x: 100, y: 100, width: 480, height: 460 },
        focus: 'entry',
        elements: [
          { role: 'AXTextField', title: 'Name', identifier: 'entry', frame: { x: 20, y: 20, width: 300, height: 28 } },
          {
            role: 'AXTextField',
            title: 'Secret',
            identifier: 'password',
            secure: true,
            value: SECRET,
            frame: { x: 20, y: 60, width: 300, height: 28 },
          },
          { role: 'AXCheckBox', title: 'Remind me', identifier: 'toggle', frame: { x: 20, y: 100, width: 160, height: 24 } },
          {
            role: 'AXGroup',
            title: 'Buttons',
            frame: { x: 10, y: 130, width: 400, height: 50 },
            children: [
              { role: 'AXButton', title: 'Send', identifier: 'send', frame: { x: 20, y: 140, width: 100, height: 30 } },
              { role: 'AXButton', title: 'Locked', identifier: 'disabled', enabled: false, frame: { x: 130, y: 140, width: 100, height: 30 } },
              { role: 'AXButton', title: 'Temporary', identifier: 'removed', onPress: onRemove, frame: { x: 240, y: 140, width: 100, height: 30 } },
            ],
          },
          { role: 'AXTextArea', title: 'Story', identifier: 'area', value: STORY, frame: { x: 20, y: 190, width: 400, height: 200 } },
        ],
      },
    ],
  }; // prettier-ignore
}

const FRUITS = ['Apple', 'Banana', 'Cherry'];

function controlsApp(): AppSpec {
  const rows = FRUITS.map((title, index) => ({
    role: 'AXRow' as const,
    title,
    frame: { x: 20, y: 20 + index * 24, width: 200, height: 24 },
  }));
  return {
    id: 'fixture.controls',
    name: 'Controls',
    executable: '/simulated/bin/controls',
    windows: [
      {
        title: 'Controls',
        frame: { x: 200, y: 200, width: 300, height: 300 },
        elements: [
          { role: 'AXList', title: 'Fruits', frame: { x: 20, y: 20, width: 200, height: 72 }, children: rows },
          {
            role: 'AXDisclosureTriangle',
            title: 'More',
            frame: { x: 20, y: 110, width: 200, height: 24 },
            children: [
              { role: 'AXStaticText', title: 'Hidden words', frame: { x: 20, y: 140, width: 200, height: 24 } },
            ],
          },
        ],
      },
    ],
  };
}

function rowsApp(): AppSpec {
  const children = Array.from({ length: 40 }, (_, index) => ({
    role: 'AXRow' as const,
    title: `Row ${index + 1}`,
    frame: { x: 20, y: 20 + index * 24, width: 200, height: 24 },
    outOfView: index >= 10,
  }));
  const list = { role: 'AXList' as const, title: 'Rows', frame: { x: 20, y: 20, width: 200, height: 240 }, children };
  const frame = { x: 200, y: 200, width: 300, height: 320 };
  const windows = [{ title: 'Rows', frame, elements: [list] }];
  return { id: 'fixture.rows', name: 'Rows', executable: '/simulated/bin/rows', windows };
}

function secondApp(): AppSpec {
  return {
    id: 'fixture.second',
    name: 'Second',
    executable: '/simulated/bin/second',
    windows: [
      {
        title: SECOND_TITLE,
        frame: { x: 700, y: 120, width: 300, height: 220 },
        elements: [
          { role: 'AXButton', title: 'Other', identifier: 'other', frame: { x: 20, y: 20, width: 100, height: 30 } },
        ],
      },
    ],
  };
}
