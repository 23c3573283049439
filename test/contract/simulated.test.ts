import { openSimulated } from '../../src/native/simulated/index.js';
import type { AppSpec, JournalEntry } from '../../src/native/simulated/index.js';
import { describeDesktop } from './desktop-contract.js';
import { MAIN_TITLE, SECOND_TITLE, SECRET, STORY } from './fixture.js';
import type { Control, Entry, Fixture } from './fixture.js';

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
