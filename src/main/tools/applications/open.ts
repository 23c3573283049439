import * as z from 'zod';
import { defineAction } from '../../pipeline/define.js';
import { DesktopError, type DesktopReader, type InstalledApp } from '../../../native/desktop.js';
import { WireError, subjectWithoutPlace, title } from '../../protocol/index.js';
import { fileDrift, targetChanged } from '../../pipeline/compare.js';
import type { RunContext } from '../../pipeline/context.js';
import type { PlannedFile } from '../../approvals/plan.js';
import { commandFileIdentities } from '../commands/command-files.js';
import { shellQuote } from '../commands/command-line.js';
import { alias, unpublished, planTitles } from '../parameters.js';
import { appName } from '../places.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import { similarNames, ruleError } from '../../protocol/input-errors.js';
import { message } from '../../../messages/index.js';

const applicationId = z.string().min(1).max(500).describe('Id, name or absolute path.');
const STATUS = { started: 'started', activated: 'activated', running: 'already_running' } as const;

interface Asked {
  application_id?: string | undefined;
  id?: string | undefined;
}

const applicationOf = ({ application_id: given, id }: Asked): string => given ?? id ?? '';

export function openApplication({
  opened,
  tasks,
  commandEnv,
}: Pick<ToolDeps, 'opened' | 'tasks' | 'commandEnv'>): Tool[] {
  const filesOf = ({ command }: InstalledApp): Promise<PlannedFile[]> =>
    commandFileIdentities(command, { folder: '/', path: commandEnv.desktop['PATH'] });
  const open = defineAction({
    name: 'open_application',
    title: 'Open application',
    step: 'lasting',
    opens: (given) => applicationOf(given),
    does: 'app',
    description: 'Opens an application, or brings a running one to the front, and waits until it is usable.',
    effect: (given) => (applicationOf(given).includes('/') ? 'dangerous' : 'input'),
    needs: ['accessibility'],
    evidence: 'folder',
    input: z
      .object({
        application_id: applicationId.optional(),
        id: alias(applicationId),
        background: z.boolean().default(false).describe('Leave the focus where it is.'),
        new_instance: z.boolean().default(false),
      })
      .strict()
      .refine(
        (given) => (given.application_id ?? given.id) !== undefined,
        ruleError('input.give', { name: 'application_id' }),
      )
      .meta({ required: ['application_id'] }),
    output: z.object({
      name: z.string(),
      application_id: unpublished(z.string()),
      display_name: unpublished(z.string()),
      status: z.enum(['started', 'activated', 'already_running']),
      frontmost: unpublished(z.boolean()),
      /** Focus of the previously focused window. */
      focus: z.enum(['kept', 'given_back', 'moved']),
    }),
    subject: (given) => subjectWithoutPlace(title('title.open'), applicationOf(given)),
    async plan({ desktop }, given, signal) {
      const found = await findInstalled(desktop, applicationOf(given), signal);
      return { ...planTitles(title('title.open')), ...planOf(found, given), files: await filesOf(found) };
    },
    async act(ctx, given, signal) {
      const { background, new_instance: newInstance } = given;
      const { app: front } = await ctx.desktop.frontmost(signal);
      await assertSameCommand(ctx, await findInstalled(ctx.desktop, applicationOf(given), signal), filesOf);
      const launched = await ctx.desktop.launch(applicationOf(given), { background, newInstance }, signal);
      const { app, how, focus } = launched;
      if (how === 'started') {
        opened.add(ctx.caller.agent.id, app);
        tasks.opened(ctx.caller.agent.id, app);
      }
      const changed = how === 'started' || front?.pid !== (await ctx.desktop.frontmost(signal)).app?.pid;
      const { id, name, frontmost } = app;
      return {
        value: { name: appName(app), application_id: id, display_name: name, status: STATUS[how], frontmost, focus },
        effect: {
          effect: changed ? 'confirmed' : 'no_change',
          before: { running: how !== 'started', frontmost: front?.pid === app.pid },
          after: { running: true, frontmost },
        },
      };
    },
    text: (one) => `${one.name} ${one.display_name} (${one.application_id}): ${one.status}, ${focusText(one)}.`,
  });
  return toolGroup('application', { core: [open] });
}

function focusText({ frontmost, focus }: { frontmost: boolean; focus: 'kept' | 'given_back' | 'moved' }): string {
  if (frontmost) return 'in front';
  return {
    kept: 'behind the others; the focus stayed where it was',
    given_back: 'behind the others; it took the focus for a moment, which was given back',
    moved: 'not in front',
  }[focus];
}

/** Throws for an unknown application before the person is asked. */
async function findInstalled(desktop: DesktopReader, application: string, signal: AbortSignal): Promise<InstalledApp> {
  try {
    return await desktop.findApplication(application, signal);
  } catch (thrown) {
    if (!(thrown instanceof DesktopError) || thrown.code !== 'not_found') throw thrown;
    const names = Array.isArray(thrown.details['known']) ? thrown.details['known'].map(String) : [];
    const nearest = similarNames(application, names);
    throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.no_such_app', { name: application }), {
      reason: 'no_such_application',
      nearest,
      next:
        nearest.length === 0
          ? 'No installed application has a similar name. Give the path of its program.'
          : 'Use one of the nearest names in details, or an absolute path of a program.',
    });
  }
}

/** What it is found by, or what lies there, may have changed since the comparison. */
async function assertSameCommand(
  { plan }: Pick<RunContext, 'plan'>,
  found: InstalledApp,
  filesOf: (found: InstalledApp) => Promise<PlannedFile[]>,
): Promise<void> {
  const now = commandText(found);
  if (plan === null || now !== plan.text) throw targetChanged([{ part: 'command', approved: plan?.text ?? null, now }]);
  const changed = fileDrift(plan, { files: await filesOf(found) });
  if (changed.length > 0) throw targetChanged(changed);
}

const commandText = ({ command }: InstalledApp): string => command.map(shellQuote).join(' ');

/** Shows the exact command on the card; a change of it counts as another target. */
function planOf(app: InstalledApp, { background }: { background: boolean }) {
  const { name, installed } = app;
  const notes = [
    ...(installed ? [] : [message('note.not_installed')]),
    ...(background ? [message('note.stays_behind')] : []),
  ];
  const known = installed ? { target: null, app: name } : { target: name };
  const subject = { ...subjectWithoutPlace(title('title.open')), ...known };
  return { subject, text: commandText(app), notes, alwaysAsk: !installed, ...(installed ? { opens: app } : {}) };
}
