import type { App, DesktopReader } from '../../../native/desktop.js';
import type { DetectedChange, WatchRequest } from './model.js';

export interface AppsSnapshot {
  byPid: ReadonlyMap<number, App>;
  /** Some are no longer listed, but their processes still run. */
  lingering: boolean;
}

/** An application that is no longer listed is kept while `isRunning`: it may have no window, or be hidden from agents. */
export async function readApps(
  desktop: DesktopReader,
  isRunning: (app: App) => boolean,
  { scope }: WatchRequest,
  before: AppsSnapshot | null,
  signal: AbortSignal,
): Promise<AppsSnapshot> {
  const all = (await desktop.apps(signal)).filter(({ pid }) => scope.app === null || pid === scope.app.pid);
  const byPid = new Map(all.map((app) => [app.pid, app]));
  const lingering = [...(before?.byPid.values() ?? [])].filter((app) => !byPid.has(app.pid) && isRunning(app));
  for (const app of lingering) byPid.set(app.pid, { ...app, frontmost: false });
  return { byPid, lingering: lingering.length > 0 };
}

export const appsKey = ({ byPid }: AppsSnapshot): string =>
  JSON.stringify([...byPid.values()].map(({ pid, frontmost }) => [pid, frontmost]).sort());

export function compareApps(before: AppsSnapshot, after: AppsSnapshot): DetectedChange[] {
  const found: DetectedChange[] = [];
  // The kernel gives no start time for a process that is ending.
  const same = (one: App, other: App | undefined) =>
    other !== undefined && (one.startTime === other.startTime || one.startTime === '' || other.startTime === '');
  for (const [pid, app] of before.byPid) if (!same(app, after.byPid.get(pid))) found.push(appEvent(app, 'terminated'));
  for (const [pid, app] of after.byPid) {
    const was = before.byPid.get(pid);
    const known = same(app, was);
    if (!known) found.push(appEvent(app, 'launched'));
    const wasInFront = known && was?.frontmost === true;
    if (wasInFront !== app.frontmost) found.push(appEvent(app, app.frontmost ? 'activated' : 'deactivated'));
  }
  return found;
}

function appEvent(app: App, event: string): DetectedChange {
  const { pid, id, name } = app;
  return { kind: 'application_event', event, app, fields: { application: `applications/${pid}`, id, title: name } };
}
