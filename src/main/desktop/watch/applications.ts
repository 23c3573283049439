import type { App, DesktopReader } from '../../../native/desktop.js';
import type { Happening, Wish } from './model.js';

export interface AppsSeen {
  byPid: ReadonlyMap<number, App>;
  /** Some are there only because their processes still run. */
  lingering: boolean;
}

/** `alive`: the process of an application that is not listed any more still runs (it has no window, or is not open to agents). */
export async function seeApps(
  desktop: DesktopReader,
  alive: (app: App) => boolean,
  { place }: Wish,
  before: AppsSeen | null,
  signal: AbortSignal,
): Promise<AppsSeen> {
  const all = (await desktop.apps(signal)).filter(({ pid }) => place.app === null || pid === place.app.pid);
  const byPid = new Map(all.map((app) => [app.pid, app]));
  const lingering = [...(before?.byPid.values() ?? [])].filter((app) => !byPid.has(app.pid) && alive(app));
  for (const app of lingering) byPid.set(app.pid, { ...app, frontmost: false });
  return { byPid, lingering: lingering.length > 0 };
}

export const appsKey = ({ byPid }: AppsSeen): string =>
  JSON.stringify([...byPid.values()].map(({ pid, frontmost }) => [pid, frontmost]).sort());

export function compareApps(before: AppsSeen, after: AppsSeen): Happening[] {
  const found: Happening[] = [];
  // Of a process that is just ending the kernel tells no start time any more.
  const same = (one: App, other: App | undefined) =>
    other !== undefined && (one.startTime === other.startTime || one.startTime === '' || other.startTime === '');
  for (const [pid, app] of before.byPid) if (!same(app, after.byPid.get(pid))) found.push(tell(app, 'terminated'));
  for (const [pid, app] of after.byPid) {
    const was = before.byPid.get(pid);
    const known = same(app, was);
    if (!known) found.push(tell(app, 'launched'));
    const wasInFront = known && was?.frontmost === true;
    if (wasInFront !== app.frontmost) found.push(tell(app, app.frontmost ? 'activated' : 'deactivated'));
  }
  return found;
}

function tell(app: App, event: string): Happening {
  const { pid, id, name } = app;
  return { kind: 'application_event', event, app, fields: { application: `applications/${pid}`, id, title: name } };
}
