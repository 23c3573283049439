/** Starts applications, or brings them to the front; resolves once they are usable. */
import { poll, withTimeout } from '../../../base/poll.js';
import { DesktopError, type App, type Launched, type LaunchOptions } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import { nullWithoutAnswer } from '../accessibility/answers.js';
import { ATTRIBUTE } from '../accessibility/names.js';
import { focusWindow, type ActParts } from '../window-acts/focus.js';
import { type Bundles, urlRef, type Bundle } from './bundles.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';

export interface LaunchParts extends ActParts {
  bundles: Bundles;
}

/** What was in front before. */
interface Front {
  pid: number | null;
  window: string | null;
}

const USABLE_LIMIT_MS = 30_000;
/** Some applications open no window when they start: they are usable by their menus. */
const WITHOUT_WINDOW_MS = 5000;
/** Applications may bring themselves to the front although they were not asked to, until so long after their start. */
const FRONT_WATCH_MS = 2500;
const FRONT_LIMIT_MS = 2000;
const LOOK_MS = 50;

export async function launch(
  parts: LaunchParts,
  application: string,
  options: LaunchOptions,
  signal: AbortSignal,
): Promise<Launched> {
  const { apps, bundles, core, windows } = parts;
  const bundle = await bundles.find(application);
  signal.throwIfAborted();
  core.runLoop.turn();
  const isOurs = ({ pid, id }: { pid: number; id: string }): boolean =>
    id === bundle.id && core.processes.startTime(pid) !== null;
  const running = options.newInstance ? undefined : apps.running().find(isOurs);
  if (running !== undefined && options.background) {
    return { app: requireApp(parts, running.pid), how: 'running', focus: 'kept' };
  }
  const before: Front = { pid: apps.frontPid(), window: windows.frontmost().window?.id ?? null };
  const pid = await openApplication(core, bundle, options, signal);
  const focus = options.background
    ? await untilUsableBehind(parts, pid, before, signal)
    : await untilUsableInFront(parts, pid, before, signal);
  return { app: requireApp(parts, pid), how: running === undefined ? 'started' : 'activated', focus };
}

function requireApp({ apps }: LaunchParts, pid: number): App {
  const app = apps.of(pid);
  if (app === null) throw endedAtOnce();
  return app;
}

const endedAtOnce = (): DesktopError =>
  new DesktopError('failed', message('native.ended_at_once', { how: 'its process is gone' }));

async function untilUsableInFront(parts: LaunchParts, pid: number, before: Front, signal: AbortSignal) {
  await untilUsable(parts, pid, 0, async () => undefined, signal);
  const inFront = await poll(async () => parts.apps.frontPid() === pid || null, FRONT_LIMIT_MS, signal, LOOK_MS);
  const window = inFront === null ? windowOf(parts, pid) : null;
  if (window !== null) await focusWindow(parts, window, signal);
  if (parts.apps.frontPid() !== pid) throw new DesktopError('failed', message('native.focus_not_given'));
  return before.pid === pid ? ('kept' as const) : ('moved' as const);
}

/** Gives the front back as often as the application takes it. */
async function untilUsableBehind(parts: LaunchParts, pid: number, before: Front, signal: AbortSignal) {
  let taken = false;
  const giveBack = async (): Promise<void> => {
    if (parts.apps.frontPid() !== pid) return;
    taken = true;
    await bringBack(parts, before, signal);
  };
  await untilUsable(parts, pid, FRONT_WATCH_MS, giveBack, signal);
  if (parts.apps.frontPid() === pid) return 'moved';
  return taken ? 'given_back' : 'kept';
}

/** That it did not come back is told by what is in front afterwards. */
async function bringBack(parts: LaunchParts, { pid, window }: Front, signal: AbortSignal): Promise<void> {
  const { ax, making, scoped } = parts.core;
  try {
    if (window !== null) await focusWindow(parts, window, signal);
    else if (pid !== null) {
      scoped((scope) => ax.trySet(ax.application(scope, pid), ATTRIBUTE.frontmost, making.boolean(true)));
    }
  } catch (thrown) {
    signal.throwIfAborted();
    if (!(thrown instanceof DesktopError)) throw thrown;
  }
}

/** At least `leastMs` long; `look` runs each time. */
async function untilUsable(
  parts: LaunchParts,
  pid: number,
  leastMs: number,
  look: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const start = performance.now();
  const usable = await poll(
    async () => {
      await look();
      const passed = performance.now() - start;
      return isUsable(parts, pid, passed) && passed >= leastMs ? true : null;
    },
    USABLE_LIMIT_MS,
    signal,
    LOOK_MS,
  );
  if (usable !== null) return;
  throw new DesktopError('failed', message('native.no_window_in_time', { seconds: USABLE_LIMIT_MS / 1000 }));
}

function isUsable(parts: LaunchParts, pid: number, passedMs: number): boolean {
  const { core } = parts;
  if (core.processes.startTime(pid) === null) throw endedAtOnce();
  core.runLoop.turn();
  if (windowOf(parts, pid) !== null) return true;
  if (passedMs < WITHOUT_WINDOW_MS || !hasFinishedLaunching(parts, pid)) return false;
  const { ax, scoped } = core;
  return (
    nullWithoutAnswer(() => scoped((scope) => ax.attribute(scope, ax.application(scope, pid), ATTRIBUTE.role))) !== null
  );
}

/** The topmost one that shows, on the screen and to accessibility. */
function windowOf({ rows, windows }: LaunchParts, pid: number): string | null {
  const shown = rows.onScreen().filter((row) => row.pid === pid && row.level === rows.levels.normal);
  if (shown.length === 0) return null;
  const known = nullWithoutAnswer(() => windows.numbersOf(pid));
  const row = shown.find(({ number }) => known?.has(number) === true);
  return row === undefined ? null : String(row.number);
}

function hasFinishedLaunching({ core: { bound, pooled } }: LaunchParts, pid: number): boolean {
  return pooled(() => {
    const found = bound.objectiveC.objc_getClass('NSRunningApplication');
    const application = found === null ? null : bound.send(found, 'runningApplicationWithProcessIdentifier:', pid);
    return application !== null && bound.send(application, 'isFinishedLaunching') !== 0;
  });
}

const OPEN = 'openApplicationAtURL:configuration:completionHandler:';
const OPEN_PAGES = 'openURLs:withApplicationAtURL:configuration:completionHandler:';
const OPEN_LIMIT_MS = 30_000;

/** The pid, of a new process or of the one that ran already. */
async function openApplication(
  core: Core,
  bundle: Bundle,
  options: LaunchOptions,
  signal: AbortSignal,
): Promise<number> {
  const { blocks, bound, pooled } = core;
  const opened = blocks.completed(
    (block) => pooled(() => ask(core, bundle, options, block)),
    (application, error) =>
      pooled(() => {
        if (application !== null) return bound.send(application, 'processIdentifier');
        throw notStarted(bundle, error === null ? 'no process' : `error ${bound.send(error, 'code')}`);
      }),
  );
  const pid = await withTimeout(opened, OPEN_LIMIT_MS, signal);
  signal.throwIfAborted();
  if (pid === null) throw notStarted(bundle, `no answer in ${OPEN_LIMIT_MS / 1000} s`);
  return pid;
}

const notStarted = ({ program }: Bundle, why: string): DesktopError =>
  new DesktopError('failed', message('native.not_started', { program, why }));

function ask(core: Core, bundle: Bundle, { background, newInstance, address }: LaunchOptions, block: bigint): void {
  const { bound, making, scoped } = core;
  const found = (name: string): Ref | null => bound.objectiveC.objc_getClass(name);
  const [workspaceClass, settingsClass] = [found('NSWorkspace'), found('NSWorkspaceOpenConfiguration')];
  scoped((scope) => {
    const workspace = workspaceClass === null ? null : bound.send(workspaceClass, 'sharedWorkspace');
    const settings = settingsClass === null ? null : bound.send(settingsClass, 'configuration');
    const url = urlRef(core, scope, bundle.url);
    if (workspace === null || settings === null || url === null) throw notStarted(bundle, 'no workspace');
    bound.send(settings, 'setActivates:', Number(!background));
    bound.send(settings, 'setAddsToRecentItems:', 0);
    // A question of the system would wait for the person without a word to anybody.
    bound.send(settings, 'setPromptsUserIfNeeded:', 0);
    bound.send(settings, 'setCreatesNewApplicationInstance:', Number(newInstance));
    if (address === undefined) return bound.send(workspace, OPEN, url, settings, block);
    const page = urlRef(core, scope, address);
    const pages = page === null ? null : making.list(scope, [page]);
    if (pages === null) throw notStarted(bundle, 'no address');
    bound.send(workspace, OPEN_PAGES, pages, url, settings, block);
  });
}
