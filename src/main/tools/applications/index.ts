import * as z from 'zod';
import { defineAction } from '../../pipeline/define.js';
import { type App, type Window, DesktopError, type DesktopReader } from '../../../native/desktop.js';
import { subjectWithoutPlace, title, WireError } from '../../protocol/index.js';
import { invalidRequest, unpublished, listSubject, lookUpSubject, planTitles } from '../parameters.js';
import { appName, withPid, resolveParent } from '../places.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import { openApplication } from './open.js';
import { openUrl } from './open-url.js';
import { moreLines, pageFields, pageResult } from '../paging.js';
import { message } from '../../../messages/index.js';
import { planWindow } from '../../pipeline/target/plans.js';
import type { References } from '../../pipeline/target/references.js';
import type { RunContext } from '../../pipeline/context.js';
import { windowsOfProcess, whyStillOpen } from './close.js';
import { FORCE, titles, toApplication } from '../windows/close.js';

const QUIT = title('title.quit');

function quitApplication({ references }: Pick<ToolDeps, 'references'>): Tool[] {
  const quit = defineAction({
    name: 'quit_application',
    title: 'Quit application',
    step: 'lasting',
    does: 'app',
    description: 'Closes all windows of an application and waits until its process has ended.',
    effect: 'dangerous',
    needs: ['accessibility'],
    input: z
      .object({
        name: z.string().min(1).max(500).describe('applications/{pid} or application id'),
        force: z.boolean().default(false).describe('Unsaved work is lost.'),
      })
      .strict(),
    output: z.object({ ended: z.literal(true), name: z.string() }),
    subject: ({ name, force }) => subjectWithoutPlace(force ? FORCE.title : QUIT, name),
    async plan({ desktop }, { name, force }, signal) {
      const { windows, first } = await openWindows(desktop, name, signal);
      const act = force ? FORCE.title : QUIT;
      return toApplication(
        await planWindow(first, { title: act, text: titles(windows), notes: force ? [FORCE.note] : [] }),
      );
    },
    async act(ctx, { name, force }, signal) {
      const { app, windows, first } = await openWindows(ctx.desktop, name, signal);
      if (force) await ctx.desktop.killWindow(first.id, signal);
      await askToQuit(ctx, references(ctx.caller.agent.id), app, windows, signal);
      return {
        value: { ended: true as const, name: appName(app) },
        effect: { effect: 'confirmed', before: { windows: windows.length }, after: { windows: 0, process: 'ended' } },
      };
    },
    text: ({ name }) => `${name} has ended.`,
  });
  return toolGroup('application', { more: [quit] });
}

async function openWindows(desktop: DesktopReader, name: string, signal: AbortSignal) {
  const { app } = await resolveParent(desktop, name, signal);
  const windows = app === null ? [] : await windowsOfProcess(desktop, app.pid, signal);
  const first = windows.find((window) => window.normal) ?? windows[0];
  if (app !== null && first !== undefined) return { app, windows, first };
  throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.no_window_to_close', { app: name }), {
    reason: 'no_window',
    next: 'Use an application from list_applications that has windows.',
  });
}

async function askToQuit(
  { desktop }: RunContext,
  references: References,
  app: App,
  before: readonly Window[],
  signal: AbortSignal,
): Promise<void> {
  try {
    await desktop.quitApp(app.pid, signal);
  } catch (thrown) {
    if (!(thrown instanceof DesktopError)) throw thrown;
    // It has ended already.
    if (thrown.code === 'not_found') return;
    if (thrown.code !== 'failed' || thrown.details['reason'] !== 'still_open') throw thrown;
    throw await whyStillOpen(desktop, references, { title: app.name, pid: app.pid, before }, thrown, signal);
  }
}

const applicationField = z.string().min(1).max(500).describe('applications/{pid} or application id');

const appSchema = z.object({
  name: z.string(),
  application_id: z.string(),
  display_name: unpublished(z.string()),
  pid: unpublished(z.number().int()),
  windows: unpublished(z.number().int()),
  frontmost: z.boolean(),
  /** Opened by this agent. */
  opened: unpublished(z.boolean()),
});
type Listed = z.infer<typeof appSchema>;

const NAMES = title('title.read_names');

export function applicationTools(
  deps: Pick<ToolDeps, 'commandEnv' | 'opened' | 'pages' | 'references' | 'tasks'>,
): Tool[] {
  const { opened, pages } = deps;
  const describe = (owner: string, app: App, windows: readonly Window[]): Listed => ({
    name: appName(app),
    application_id: app.id,
    display_name: app.name,
    pid: app.pid,
    windows: windows.filter((window) => window.app.pid === app.pid && window.normal).length,
    frontmost: app.frontmost,
    opened: opened.has(owner, app),
  });

  const list = defineAction({
    name: 'list_applications',
    title: 'List applications',
    description: 'Running applications, whoever started them; `opened` marks those you opened.',
    effect: 'disclose',
    needs: ['accessibility'],
    input: z.object(pageFields).strict(),
    output: z.object({ applications: z.array(appSchema), ...pageResult }),
    subject: () => listSubject('applications'),
    plan: async () => planTitles(NAMES),
    async run({ desktop, caller }, given, signal) {
      const { items, ...page } = await pages.page(caller, 'list_applications', given, async () => {
        const [apps, windows] = await Promise.all([desktop.apps(signal), desktop.windows(signal)]);
        return apps.map((app) => describe(caller.agent.id, app, windows));
      });
      return { applications: items, ...page };
    },
    text: ({ applications: all, next_page_token: next }) =>
      [...(all.length === 0 ? ['No applications.'] : all.map(line)), ...moreLines(next)].join('\n'),
  });

  const get = defineAction({
    name: 'get_application',
    title: 'Get application',
    description: 'One running application.',
    effect: 'disclose',
    needs: ['accessibility'],
    input: z.object({ name: applicationField }).strict(),
    output: appSchema,
    subject: () => lookUpSubject('application'),
    plan: async () => planTitles(NAMES),
    async run({ desktop, caller }, { name }, signal) {
      const [{ app }, windows] = await Promise.all([resolveParent(desktop, name, signal), desktop.windows(signal)]);
      if (app === null) throw notAnApplication(name);
      return describe(caller.agent.id, app, windows);
    },
    text: line,
  });

  const remove = defineAction({
    name: 'delete_application',
    title: 'Delete application',
    description: 'Removes the mark `opened` from an application, which keeps running.',
    needs: [],
    effect: 'bookkeeping',
    input: z.object({ name: z.string().min(1).max(500).describe('applications/{pid or id}') }).strict(),
    output: z.object({ name: z.string(), was_opened: z.boolean() }),
    subject: ({ name }) => subjectWithoutPlace(title('title.forget_opened'), name),
    async run({ desktop, caller }, { name }, signal) {
      const pid = /^applications\/(\d{1,15})$/.exec(await withPid(desktop, name, signal))?.[1];
      if (pid === undefined) throw notAnApplication(name);
      return { name: `applications/${pid}`, was_opened: opened.forget(caller.agent.id, Number(pid)) };
    },
    text: ({ name, was_opened: was }) =>
      `${name} ${was ? 'is no longer marked as opened by you' : 'was not marked as opened by you'}. It was not ended.`,
  });

  const rest = toolGroup('application', { core: [list], more: [get, remove] });
  return [...openApplication(deps), ...openUrl(deps), ...rest, ...quitApplication(deps)];
}

function line(one: Listed): string {
  const marks = [one.frontmost ? ', in front' : '', one.opened ? ', opened by you' : ''].join('');
  return `${one.name} ${one.display_name} (${one.application_id}), ${one.windows} window${one.windows === 1 ? '' : 's'}${marks}`;
}

const notAnApplication = (name: string) =>
  invalidRequest(
    message('error.no_application_name', { name }),
    'invalid_params',
    'Use a name from list_applications.',
  );
