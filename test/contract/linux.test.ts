import { openLinuxDesktop, type FixtureApp } from '../support/linux-desktop.js';
import { moveAsPerson } from '../support/person-device.js';
import { describeDesktop } from './desktop-contract.js';
import { MAIN_TITLE, SECOND_TITLE, SECRET, STORY, type Control, type Entry, type Fixture } from './fixture.js';

const CONTROLS: readonly Control[] = ['send', 'toggle', 'entry', 'password', 'area', 'disabled', 'removed'];
const EVENTS: readonly Entry['event'][] = ['pressed', 'toggled', 'changed', 'scrolled', 'pointer'];

describeDesktop('linux, GTK 3', () => openFixture('gtk'));
describeDesktop('linux, Qt 5', () => openFixture('qt'));

async function openFixture(kit: 'gtk' | 'qt'): Promise<Fixture> {
  const linux = await openLinuxDesktop();
  const { desktop, session } = linux;
  const signal = new AbortController().signal;
  let running: FixtureApp[] = [];
  const end = async (): Promise<void> => {
    await Promise.all(running.map((app) => app.end()));
    running = [];
  };

  return {
    desktop,
    shortcut: 'ctrl',
    launchable: 'galculator',
    start: async () => {
      await end();
      const [second, main] = await Promise.all([
        linux.fixture({ kit, title: SECOND_TITLE, second: true, place: { x: 700, y: 60 } }),
        linux.fixture({ kit, title: MAIN_TITLE, secret: SECRET, story: STORY, place: { x: 60, y: 60 } }),
      ]);
      running = [second, main];
      const window = await linux.window((one) => one.app.pid === main.pid);
      await desktop.focusWindow(window.id, signal);
      return {
        pid: main.pid,
        secondPid: second.pid,
        journal: async () => (await main.journal()).flatMap(toEntry),
      };
    },
    controls: async () => {
      const app = await linux.controls(kit);
      const told = async (control: string, event: string) =>
        (await app.journal()).filter((one) => one.control === control && one.event === event).map((one) => one.value);
      return {
        pid: app.pid,
        selected: () => told('fruits', 'selected'),
        expanded: kit === 'gtk' ? () => told('more', 'expanded') : null,
        end: app.end,
      };
    },
    rows: () => linux.fixture({ kit, title: 'Rows', rows: 40 }),
    endLaunched: async (pid) => void process.kill(pid, 'SIGKILL'),
    personMoves: (to) => moveAsPerson(session.display, session.env, to),
    lose: () => session.close(),
    close: async () => {
      await end();
      await linux.close();
    },
  };
}

function toEntry({ control, event, value }: { control: string; event: string; value: string }): Entry[] {
  const [known, what] = [CONTROLS.find((one) => one === control), EVENTS.find((one) => one === event)];
  return known === undefined || what === undefined ? [] : [{ control: known, event: what, value }];
}
