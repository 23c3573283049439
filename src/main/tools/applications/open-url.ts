/** Opens a web page in a browser, as one act for which the person is asked by its site. */
import * as z from 'zod';
import { defineAction } from '../../pipeline/define.js';
import { fileDrift, targetChanged } from '../../pipeline/compare.js';
import { fileIdentities } from '../../pipeline/file-identity.js';
import { planWithoutTarget, type Plan, type PlannedFile } from '../../approvals/plan.js';
import { subjectWithoutPlace, title } from '../../protocol/index.js';
import type { InstalledApp } from '../../../native/desktop.js';
import type { PlanContext, RunContext } from '../../pipeline/context.js';
import { commandFileIdentities } from '../commands/command-files.js';
import { shellQuote } from '../commands/command-line.js';
import { unpublished } from '../parameters.js';
import { appName, windowName } from '../places.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import { message } from '../../../messages/index.js';
import { findBrowser, pagesOf, processOf, untilShown, type Showing } from './browsers.js';
import { saysMore, webAddress } from './web-address.js';

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
