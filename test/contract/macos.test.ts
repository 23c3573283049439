import { openMacos } from '../../src/native/macos/open.js';
import type { Display } from '../../src/native/desktop.js';
import { helpersInProcess } from '../support/macos/helper-in-process.js';
import { addControlsApp, addMainApp, addRowsApp, addSecondApp, end, type AppContext } from '../support/macos/kit/contract-apps.js'; // prettier-ignore
import { createKit } from '../support/macos/kit/kit.js';
import { compileStandin, openScript, standinPaths } from '../support/macos/standin.js';
import { describeDesktop } from './desktop-contract.js';
import type { Entry, Fixture } from './fixture.js';

const library = compileStandin();

const NOT_YET = [
  'pastes to the named process and gives the clipboard back',
  'pastes nowhere else',
  'pastes nothing after a no, and gives the clipboard back',
  'tells nothing of a paste, neither of what it lends nor of what it gives back',
  'does not take its own input for the person’s, and hears the person',
  'launches an application and answers when it is usable',
  'launches behind what is in front, leaves what runs alone, and brings it forward when asked',
  'says what would be launched, and so when there is no such application',
  'says that it is worth looking again when an element changed, in the right process or in any',
  'says so when a window moved, was minimised, came and went',
  'says nothing more to who has stopped listening, and goes on telling others',
];

describeDesktop('macos, on stand-in libraries', openFixture, { tellsPaints: false, notYet: NOT_YET });

async function openFixture(): Promise<Fixture> {
  const script = openScript(library);
  const helpers = helpersInProcess();
  script.reset();
  const desktop = await openMacos({ start: helpers.start, libraries: standinPaths(library) });
  let stopListening = (): void => undefined;
  let next = 500;
  let main = 0;
  let kit = createKit(script).kit;
  const context = (): AppContext => {
    next += 1;
    return { script, kit, pid: next, number: next };
  };
  const start: Fixture['start'] = async () => {
    stopListening();
    script.reset();
    script.addDisplay(1, 'Built-in Display', 0, 0, 1440, 900, 2, 0);
    const entries: Entry[] = [];
    const made = createKit(script);
    kit = made.kit;
    stopListening = script.listen(made.listener);
    const [first, second] = [context(), context()];
    main = first.pid;
    addMainApp(first, (entry) => entries.push(entry));
    addSecondApp(second);
    return { pid: first.pid, secondPid: second.pid, journal: async () => [...entries] };
  };
  /** In front of the others. */
  const added = <T>(add: (of: AppContext) => T) => {
    const of = context();
    const told = add(of);
    script.raise(of.number);
    script.setFront(of.pid);
    return { told, pid: of.pid, end: async () => end(script, of.pid, main) };
  };

  return {
    desktop,
    shortcut: 'cmd',
    launchable: 'Launchable',
    roomOf: ({ frame }: Display) => ({ ...frame, y: frame.y + 25, height: frame.height - 25 }),
    dropsFiles: false,
    start,
    async controls() {
      const { told, ...app } = added(addControlsApp);
      return { ...app, selected: async () => told.selected, expanded: async () => told.expanded };
    },
    rows: async () => added(addRowsApp),
    endLaunched: async (pid) => end(script, pid, main),
    personMoves: null,
    lose: async () => helpers.end(),
    async close() {
      await desktop.close();
      await helpers.ended();
      stopListening();
      if (script.leaked() !== 0) throw new Error(`${script.leaked()} objects of the system were not released`);
    },
  };
}
