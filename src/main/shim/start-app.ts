/** On a Mac the app is what is started where it is installed: permissions are then its own, and not those of the agent's terminal. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hostEnvironment, settingsRelocated } from './environment.js';
import type { StartedHost } from './start.js';

export interface AppPlace {
  platform: string;
  env: Readonly<Record<string, string | undefined>>;
  /** From the system's user database. */
  home: string;
  execPath: string;
  /** Holds the applications of all users; default `/Applications`. */
  applications?: string;
  /** The system's program that starts applications. */
  opener?: string;
}

const NAME = 'Chaperone.app';
const BUNDLE = /^(.*\/Chaperone\.app)\/Contents\//;
/** The app is the person's: an agent sets neither its port nor its workspace. */
const NOT_FOR_THE_APP: ReadonlySet<string> = new Set(['PORT', 'WORKSPACE_ROOT']);

/** Path of the bundle; null where a host in the background is to be started. */
export function appToStart({ platform, env, home, execPath, applications = '/Applications' }: AppPlace): string | null {
  // The app reads the person's own settings, and shows the real desktop.
  if (platform !== 'darwin' || env['CHAPERONE_BACKEND'] === 'simulated' || settingsRelocated(env, home)) return null;
  const own = BUNDLE.exec(execPath)?.[1];
  const places = [join(applications, NAME), join(home, 'Applications', NAME)];
  return own ?? places.find((place) => existsSync(place)) ?? null;
}

/** By the system, as from the Finder and without coming to the front; what a shim starts itself would answer for the agent's terminal. */
export function startApp(bundle: string, { platform, env, home, opener = '/usr/bin/open' }: AppPlace): StartedHost {
  const given = Object.entries(hostEnvironment(env, home, platform)).filter(([name]) => !NOT_FOR_THE_APP.has(name));
  const options = { cwd: '/', env: Object.fromEntries(given) };
  const ended = new Promise<Awaited<StartedHost['ended']>>((resolve) => {
    execFile(opener, ['-g', '-a', bundle], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ code, output: `${stdout}${stderr}`.trim() || (error?.message ?? '') });
    });
  });
  return { ended };
}
