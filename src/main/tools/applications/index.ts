import * as z from 'zod';
import { defineAction } from '../../pipeline/define.js';
import type { App, Window } from '../../../native/desktop.js';
import { subjectWithoutPlace, title } from '../../protocol/index.js';
import { invalidRequest, unpublished } from '../parameters.js';
import { appName, withPid, resolveParent } from '../places.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import { listSubject, lookUpSubject, planTitles } from '../listing.js';
import { openApplication } from './open.js';
import { moreLines, pageFields, pageResult } from '../paging.js';
import { quitApplication } from './quit.js';
import { message } from '../../../messages/index.js';

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

export function applicationTools(deps: Pick<ToolDeps, 'commandEnv' | 'opened' | 'pages' | 'references'>): Tool[] {
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
  return [...openApplication(deps), ...rest, ...quitApplication(deps)];
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
