/** Which browser opens a page, and what it then shows. */
import { isBrowser, isNeverInTasks } from '../../approvals/tasks.js';
import { delay } from '../../../base/poll.js';
import { DesktopError, type App, type DesktopReader, type InstalledApp, type Window } from '../../../native/desktop.js';
import { WireError, type RunningTask } from '../../protocol/index.js';
import { invalidRequest } from '../parameters.js';
import { message } from '../../../messages/index.js';

/** Where none is named and none runs. */
const USUAL = [
  ...['chromium', 'google-chrome', 'firefox-esr', 'firefox', 'org.mozilla.firefox', 'brave-browser'],
  ...['microsoft-edge', 'vivaldi-stable', 'org.gnome.Epiphany', 'com.apple.Safari'],
];

const isPlainBrowser = ({ id, name }: Pick<App, 'id' | 'name'>): boolean =>
  isBrowser({ id, name }) && !isNeverInTasks({ id, name });

/** The one that is named, that the agent's task is for, that runs, or that is installed. Throws where it is none. */
export async function findBrowser(
  desktop: DesktopReader,
  wanted: string | undefined,
  task: RunningTask | null,
  signal: AbortSignal,
): Promise<InstalledApp> {
  if (wanted !== undefined) {
    const named = await installed(desktop, wanted, signal);
    if (named !== null) return named;
    throw invalidRequest(
      message('error.not_a_browser', { app: wanted }),
      'not_a_browser',
      'Leave application out, or name an installed browser, as in list_applications.',
    );
  }
  const running = (await desktop.windows(signal)).map(({ app }) => app).filter(isPlainBrowser);
  const names = [...(task?.apps ?? []).filter(isPlainBrowser), ...running].map(({ id }) => id);
  for (const name of new Set([...names, ...USUAL])) {
    const found = await installed(desktop, name, signal);
    if (found !== null) return found;
  }
  throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.no_browser'), {
    reason: 'no_browser',
    next: 'Ask the person with send_message which program shows pages here.',
  });
}

async function installed(desktop: DesktopReader, name: string, signal: AbortSignal): Promise<InstalledApp | null> {
  try {
    const found = await desktop.findApplication(name, signal);
    return found.installed && isPlainBrowser(found) ? found : null;
  } catch (thrown) {
    if (thrown instanceof DesktopError && thrown.code === 'not_found') return null;
    throw thrown;
  }
}

/** The process that runs as this browser. Where it is not one, its program is not known, so that nothing given for a program counts. */
export async function processOf(desktop: DesktopReader, { id, name }: InstalledApp, signal: AbortSignal) {
  const apps = (await desktop.windows(signal)).map(({ app }) => app).filter((app) => app.id === id);
  const [first] = apps;
  if (first !== undefined && apps.every(({ pid }) => pid === first.pid)) return first;
  return { id, name, program: '' };
}

/** `site`: a page of that origin. Of any other page nothing is told. */
export type Showing = 'site' | 'other_site' | 'nothing';

const SHOWN_MS = 20_000;
/** A browser shows at once that it opens a page, unless it shows that very page already. */
const UNCHANGED_MS = 4_000;
const LOOK_MS = 250;
const STILL_EMPTY = /^(?:about:blank|about:newtab|about:home|chrome(?:-search)?:\/\/new-?tab.*|)$/;

interface Shown {
  showing: Showing;
  /** null where no window of it has changed. */
  window: Window | null;
}

/** What the windows of the browser show, each as a text that changes with the page. */
export const pagesOf = (windows: readonly Window[], appId: string): ReadonlyMap<string, string> =>
  new Map(windows.filter(({ app }) => app.id === appId).map((window) => [window.id, pageIn(window)]));

const pageIn = ({ title, documentUrl, documents }: Window): string =>
  JSON.stringify([title, documents?.urls ?? documentUrl]);

/** Waits until a window has changed since `before` and shows the same page twice. */
export async function untilShown(
  desktop: DesktopReader,
  { app, origin, before }: { app: App; origin: string; before: ReadonlyMap<string, string> },
  signal: AbortSignal,
): Promise<Shown> {
  const start = performance.now();
  let last: string | null = null;
  for (;;) {
    const windows = (await desktop.windows(signal)).filter((one) => one.app.id === app.id && one.normal);
    const changed = windows.filter((one) => before.get(one.id) !== pageIn(one));
    const window = changed.find((one) => shows(one, origin)) ?? changed[0] ?? null;
    const page = window === null ? null : `${window.id} ${pageIn(window)}`;
    const isLoaded = window !== null && isTold(window) && page === last;
    if (isLoaded) return { showing: shows(window, origin) ? 'site' : 'other_site', window };
    const passed = performance.now() - start;
    if (passed > SHOWN_MS || (window === null && passed > UNCHANGED_MS)) return late(windows, window, origin);
    last = page;
    await delay(LOOK_MS, signal);
  }
}

/** The page may have shown before, so that nothing has changed. */
function late(windows: readonly Window[], changed: Window | null, origin: string): Shown {
  const showing = windows.some((one) => shows(one, origin)) ? 'site' : 'nothing';
  return { showing, window: changed !== null && shows(changed, origin) ? changed : null };
}

const isTold = ({ documentUrl, documents }: Window): boolean =>
  documents?.complete !== false && !STILL_EMPTY.test(documentUrl ?? '');

const shows = ({ documentUrl }: Window, origin: string): boolean =>
  documentUrl !== null && URL.canParse(documentUrl) && new URL(documentUrl).origin === origin;
