/** Opens a web page in a browser, as one act for which the person is asked by its site. */
import * as z from 'zod';
import { defineAction } from '../../pipeline/define.js';
import { fileDrift, targetChanged } from '../../pipeline/compare.js';
import { fileIdentities } from '../../pipeline/file-identity.js';
import { planWithoutTarget, type Plan, type PlannedFile } from '../../approvals/plan.js';
import { subjectWithoutPlace, title, WireError, type RunningTask } from '../../protocol/index.js';
import { type InstalledApp, DesktopError, type App, type DesktopReader, type Window } from '../../../native/desktop.js';
import type { PlanContext, RunContext } from '../../pipeline/context.js';
import { commandFileIdentities } from '../commands/command-files.js';
import { shellQuote } from '../commands/command-line.js';
import { unpublished, invalidRequest } from '../parameters.js';
import { appName, windowName } from '../places.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import { message } from '../../../messages/index.js';
import { isBrowser, isNeverInTasks } from '../../approvals/tasks.js';
import { delay } from '../../../base/poll.js';
import { kindNamed } from '../../pipeline/consequence/naming.js';

/** The address of a page that an agent wants opened: an ordinary web address, or an error that says what to do. Pure. */
const MAX_ADDRESS_CHARS = 2_000;
/** Invisible, or what a browser takes for something else: it reads `\` as `/`. */
const DOUBTFUL = /[\p{C}\p{Z}\s\\]/u;
const BEGINS = /^[a-z][\w+.-]*:/i;

const NEXT = {
  scheme: 'Write the whole address, as in https://example.com/page or http://localhost:8080.',
  login: 'Leave the user name and the password out; the person types them.',
  signs: 'Write such characters percent-encoded.',
  length: `Use one of at most ${MAX_ADDRESS_CHARS} characters.`,
  other: 'Write the whole address, as in https://example.com/page or http://localhost:8080.',
} as const;

const refused = (problem: keyof typeof NEXT): WireError =>
  invalidRequest(message('error.bad_address', { problem }), 'bad_address', NEXT[problem]);

/** As browsers write it: without anything that only looks like another one. It begins with its scheme, so no program takes it for an option. */
export function webAddress(given: string): URL {
  if (given.length > MAX_ADDRESS_CHARS) throw refused('length');
  if (DOUBTFUL.test(given)) throw refused('signs');
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null) throw refused(BEGINS.test(given) ? 'scheme' : 'other');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused('scheme');
  if (!/^https?:\/\/[^/]/i.test(given) || url.hostname === '') throw refused('other');
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?#]*@/i.test(given)) throw refused('login');
  if (url.href.length > 3 * MAX_ADDRESS_CHARS) throw refused('length');
  return url;
}

/** A part of it that names something that is done, such as `delete`; null without one. Pages are bought on, so orders do not count. */
export function saysMore({ pathname, searchParams }: URL): string | null {
  const parts = [...pathname.split('/').map(readable), ...[...searchParams].flat()];
  const found = parts.find((part) => {
    const kind = part === '' ? null : kindNamed(part);
    return kind !== null && kind !== 'buy';
  });
  return found?.slice(0, 80) ?? null;
}

function readable(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

// Which browser opens a page, and what it then shows.

/** Where none is named and none runs. */
const USUAL = [
  ...['chromium', 'google-chrome', 'firefox-esr', 'firefox', 'org.mozilla.firefox', 'brave-browser'],
  ...['microsoft-edge', 'vivaldi-stable', 'org.gnome.Epiphany', 'com.apple.Safari'],
];

const isPlainBrowser = ({ id, name }: Pick<App, 'id' | 'name'>): boolean =>
  isBrowser({ id, name }) && !isNeverInTasks({ id, name });

/** The one that is named, that the agent's task is for, that runs, or that is installed. Throws where it is none. */
async function findBrowser(
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
async function processOf(desktop: DesktopReader, { id, name }: InstalledApp, signal: AbortSignal) {
  const apps = (await desktop.windows(signal)).map(({ app }) => app).filter((app) => app.id === id);
  const [first] = apps;
  if (first !== undefined && apps.every(({ pid }) => pid === first.pid)) return first;
  return { id, name, program: '' };
}

/** `site`: a page of that origin. Of any other page nothing is told. */
type Showing = 'site' | 'other_site' | 'nothing';

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
const pagesOf = (windows: readonly Window[], appId: string): ReadonlyMap<string, string> =>
  new Map(windows.filter(({ app }) => app.id === appId).map((window) => [window.id, pageIn(window)]));

const pageIn = ({ title, documentUrl, documents }: Window): string =>
  JSON.stringify([title, documents?.urls ?? documentUrl]);

/** Waits until a window has changed since `before` and shows the same page twice. */
async function untilShown(
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

const ACT = title('title.open_url');

const input = z
  .object({
    url: z.string().min(1).max(20_000).describe('http or https'),
    application: z.string().min(1).max(500).optional().describe('A browser'),
  })
  .strict();

const output = z.object({
  name: z.string(),
  application_id: unpublished(z.string()),
  display_name: unpublished(z.string()),
  /** Where the page shows. */
  window: unpublished(z.string().nullable()),
  site: z.string(),
  shows: z.enum(['site', 'other_site', 'nothing']),
});

type OpenDeps = Pick<ToolDeps, 'opened' | 'tasks' | 'commandEnv'>;
type Given = z.infer<typeof input>;

export function openUrl(deps: OpenDeps): Tool[] {
  const open = defineAction({
    name: 'open_url',
    title: 'Open a web page',
    description: 'Opens a web page, and waits until the browser shows that site. Use it in place of the address bar.',
    effect: 'input',
    needs: ['accessibility'],
    input,
    output,
    subject: ({ url }) => subjectWithoutPlace(ACT, hostIn(url)),
    plan: (ctx, given, signal) => planPage(deps, ctx, given, signal),
    act: (ctx, given, signal) => showPage(deps, ctx, given, signal),
    text: ({ name, display_name: app, site, shows }) => `${name} ${app}: ${SAYS[shows](site)}`,
  });
  return toolGroup('application', { core: [open] });
}

/** Of what it runs, and of the entry that says so. */
const filesOf = async ({ commandEnv }: OpenDeps, { command, entry }: InstalledApp): Promise<PlannedFile[]> => [
  ...(await commandFileIdentities(command, { folder: '/', path: commandEnv.desktop['PATH'] })),
  ...(await fileIdentities(entry === undefined ? [] : [entry])),
];

const browserFor = ({ tasks }: OpenDeps, { desktop, caller }: PlanContext, given: Given, signal: AbortSignal) =>
  findBrowser(desktop, given.application, tasks.of(caller.agent.id), signal);

async function planPage(deps: OpenDeps, ctx: PlanContext, given: Given, signal: AbortSignal): Promise<Plan> {
  const address = webAddress(given.url);
  const found = await browserFor(deps, ctx, given, signal);
  const running = await processOf(ctx.desktop, found, signal);
  return { ...planOf(address, found), application: running, files: await filesOf(deps, found) };
}

async function showPage(deps: OpenDeps, ctx: RunContext, given: Given, signal: AbortSignal) {
  const address = webAddress(given.url);
  const found = await browserFor(deps, ctx, given, signal);
  const changed = fileDrift(ctx.plan ?? {}, { files: await filesOf(deps, found) });
  if (changed.length > 0) throw targetChanged(changed);
  const before = pagesOf(await ctx.desktop.windows(signal), found.id);
  const options = { background: false, newInstance: false, address: address.href };
  const { app, how } = await ctx.desktop.launch(found.id, options, signal);
  if (how === 'started') {
    deps.opened.add(ctx.caller.agent.id, app);
    deps.tasks.opened(ctx.caller.agent.id, app);
  }
  const { showing, window } = await untilShown(ctx.desktop, { app, origin: address.origin, before }, signal);
  const shown = showing === 'site' ? window : null;
  const effect = shown === null ? ('unverified' as const) : ('confirmed' as const);
  return {
    value: {
      name: appName(app),
      application_id: app.id,
      display_name: app.name,
      window: shown === null ? null : windowName(shown),
      site: address.origin,
      shows: showing,
    },
    effect: { effect, before: null, after: { shows: showing } },
  };
}

const SAYS: Readonly<Record<Showing, (site: string) => string>> = {
  site: (site) => `it shows a page of ${site}.`,
  other_site: (site) =>
    `${site} led to another site, or to an error. Nothing of that is told: look at it with find_elements, and the person is asked.`,
  nothing: (site) => `it shows no page of ${site} so far. Look at the window, or go on with another address.`,
};

const hostIn = (url: string): string => (URL.canParse(url) ? new URL(url).host : '') || url.slice(0, 200);

/** A grant or a task covers it by its site; an address that names something that is done is asked for. */
function planOf(address: URL, found: InstalledApp): Plan {
  const word = saysMore(address);
  const command = found.command.map(shellQuote).join(' ');
  return {
    ...planWithoutTarget({ title: ACT, target: address.host, app: found.name, place: address.origin }),
    site: address.origin,
    opens: found,
    text: address.href,
    alwaysAsk: word !== null,
    notes: [
      ...(word === null ? [] : [message('note.address_says', { word })]),
      message('note.opened_with', { command }),
    ],
  };
}
