/** What an agent names in a request for a task, as programs and origins. */
import { DesktopError, type App, type InstalledApp } from '../../../native/desktop.js';
import { isBrowser, isNeverInTasks, taskAppOf } from '../../approvals/tasks.js';
import type { HidingReader } from '../../pipeline/masked.js';
import { TASK_EFFECTS, WireError, type TaskApp, type TaskScope } from '../../protocol/index.js';
import { similarNames } from '../../protocol/closest-name.js';
import { invalidRequest } from '../parameters.js';
import { message, type Message } from '../../../messages/index.js';

interface Places {
  desktop: HidingReader;
  excludes(app: Pick<App, 'id' | 'name' | 'otherIds'>): boolean;
  /** Whether the agent may know what runs: an error must not tell it. */
  seen: boolean;
}

/** As the agent wrote it. */
interface Named {
  name: string;
  /** null: it has no entry as an application, but may run. */
  installed: InstalledApp | null;
  /** Names of installed applications, where it is none. */
  known: readonly string[];
}

type Given = Omit<TaskScope, 'apps'> & { apps: string[] };

/** Throws for a name that is none, and for what no task can hold: as far as possible before anything is looked at, so that nobody is asked whether the agent may know. */
export async function resolveScope(places: Places, given: Given, signal: AbortSignal): Promise<TaskScope> {
  const { desktop } = places;
  const sites = [...new Set(given.sites.map(originOf))];
  const named: Named[] = [];
  for (const name of new Set(given.apps)) named.push(await installedAs(places, name, signal));
  const installed = named.flatMap((one) => one.installed ?? []);
  if (installed.length === named.length) assertSites(installed, sites);
  const running = await desktop.apps(signal);
  const apps = named.map((one) => resolveApp(places, one, running));
  assertSites(apps, sites);
  const effects = TASK_EFFECTS.filter((one) => given.effects.includes(one));
  const known = [...new Map(apps.map((app) => [app.id, app])).values()];
  return { apps: known, sites, effects, minutes: given.minutes, acts: given.acts };
}

function assertSites(apps: readonly Pick<App, 'id' | 'name'>[], sites: readonly string[]): void {
  const browser = apps.find(isBrowser);
  if (browser !== undefined && sites.length === 0)
    throw invalidRequest(message('error.task_no_sites', { app: browser.name }), 'no_sites', 'Name them in sites.');
  if (browser === undefined && sites.length > 0)
    throw invalidRequest(message('error.task_no_browser'), 'no_browser', 'Name the browser in apps.');
}

function originOf(site: string): string {
  const url = URL.canParse(site) ? new URL(site) : null;
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url.origin;
  throw invalidRequest(
    message('error.task_bad_site', { site }),
    'no_site',
    'Write https://example.com or http://localhost:8080.',
  );
}

function resolveApp(places: Places, { name, installed, known }: Named, apps: readonly App[]): TaskApp {
  const running = runningAs(apps, name, installed);
  const [first] = running;
  if (first === undefined && installed !== null) return { id: installed.id, name: installed.name, program: null };
  if (first === undefined) throw unknown(name, known);
  assertMayBe(places, first);
  if (first.program === '') throw refused(message('error.task_program_untold', { app: first.name }));
  if (running.some(({ program }) => program !== first.program)) throw refused(message('error.task_several', { name }));
  return taskAppOf(first);
}

function assertMayBe({ excludes }: Places, app: Pick<App, 'id' | 'name' | 'otherIds'>): void {
  if (isNeverInTasks(app)) throw refused(message('error.task_app_never', { app: app.name }));
  if (excludes(app)) throw refused(message('error.task_app_excluded', { app: app.name }));
}

/** Throws for what is not installed where it cannot be told whether it runs. */
async function installedAs(places: Places, name: string, signal: AbortSignal): Promise<Named> {
  const { desktop, seen } = places;
  const found = await desktop.findApplication(name, signal).catch((thrown: unknown) => {
    if (!(thrown instanceof DesktopError) || thrown.code !== 'not_found') throw thrown;
    const { known } = thrown.details;
    return { known: Array.isArray(known) ? known.map(String) : [] };
  });
  if ('installed' in found) assertMayBe(places, found);
  if ('installed' in found && found.installed) return { name, installed: found, known: [] };
  const known = 'known' in found ? found.known : [];
  if (!seen) throw unknown(name, known);
  return { name, installed: null, known };
}

function runningAs(apps: readonly App[], name: string, installed: InstalledApp | null): App[] {
  const names = [name, ...(installed === null ? [] : [installed.id])].map((one) => one.toLowerCase());
  return apps.filter(({ id, name: called }) => [id, called].some((one) => names.includes(one.toLowerCase())));
}

const unknown = (name: string, known: readonly string[]): WireError =>
  new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.no_such_app', { name }), {
    reason: 'no_such_application',
    nearest: similarNames(name, known),
    next: 'Use one of the nearest names in details, or open the application first.',
  });

const refused = (why: Message): WireError => invalidRequest(why, 'not_in_tasks', 'Leave it out of the task.');
