/** The macOS backend on the stand-in libraries, with applications that tell what reached them. */
import type { Apps, Controls, Entry } from '../../contract/fixture.js';
import type { DesktopBackend } from '../../../src/native/desktop.js';
import { openMacos } from '../../../src/native/macos/open.js';
import { helpersInProcess } from './helper-in-process.js';
import {
  addControlsApp,
  addLaunchedApp,
  addMainApp,
  addRowsApp,
  addSecondApp,
  end,
  type AppContext,
} from './kit/contract-apps.js';
import { createKit } from './kit/kit.js';
import { addSystemSurfaces } from './scene.js';
import { compileStandin, openScript, standinPaths, type Runtime } from './standin.js';

/** What can be started. */
export const LAUNCHABLE = 'com.example.launchable';

export interface Mac {
  desktop: DesktopBackend;
  script: ReturnType<typeof openScript>;
  /** Both applications of the contract suite anew, and nothing else. */
  start(): Promise<Apps>;
  controls(): Controls;
  rows(): { pid: number; end(): Promise<void> };
  endApp(pid: number): void;
  /** All helpers end, and no others can be had. */
  lose(): void;
  /** Throws where objects of the system were not released. */
  close(): Promise<void>;
}

export async function openMac(runtime: Runtime = 'own'): Promise<Mac> {
  const library = compileStandin(runtime);
  const script = openScript(library);
  const helpers = helpersInProcess();
  script.reset();
  const desktop = await openMacos({ start: helpers.start, libraries: standinPaths(library) });
  let stopListening = (): void => undefined;
  let kit = createKit(script).kit;
  // Beyond what Linux hands out, as in the scenes: none may be the process of the tests itself.
  let next = 5_000_500;
  let main = 0;
  const context = (): AppContext => {
    next += 1;
    return { script, kit, pid: next, number: next };
  };
  const endApp = (pid: number): void => end(script, pid, main);
  /** In front of the others. */
  const added = <T>(add: (of: AppContext) => T) => {
    const of = context();
    const told = add(of);
    script.raise(of.number);
    script.setFront(of.pid);
    return { told, pid: of.pid, end: async () => endApp(of.pid) };
  };

  return {
    desktop,
    script,
    async start() {
      stopListening();
      script.reset();
      script.addDisplay(1, 'Built-in Display', 0, 0, 1440, 900, 2, 0);
      addSystemSurfaces(script);
      const entries: Entry[] = [];
      const made = createKit(script);
      kit = made.kit;
      script.install('/Applications/Launchable.app', LAUNCHABLE, 'Launchable', 0);
      stopListening = script.listen((what, pid, ...rest) => {
        if (what === 'launch') addLaunchedApp({ script, kit, pid, number: pid });
        else made.listener(what, pid, ...rest);
      });
      const [first, second] = [context(), context()];
      main = first.pid;
      addMainApp(first, (entry) => entries.push(entry));
      addSecondApp(second);
      return { pid: first.pid, secondPid: second.pid, journal: async () => [...entries] };
    },
    controls() {
      const { told, ...app } = added(addControlsApp);
      return { ...app, selected: async () => told.selected, expanded: async () => told.expanded };
    },
    rows: () => added(addRowsApp),
    endApp,
    lose: helpers.end,
    async close() {
      await desktop.close();
      await helpers.ended();
      stopListening();
      script.drain();
      if (script.leaked() !== 0) throw new Error(`${script.leaked()} objects of the system were not released`);
    },
  };
}
