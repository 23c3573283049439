import * as z from 'zod';
import { planWindow } from '../../pipeline/target/plans.js';
import type { References } from '../../pipeline/target/references.js';
import type { RunContext } from '../../pipeline/context.js';
import { defineAction } from '../../pipeline/define.js';
import { DesktopError, type App, type DesktopReader, type Window } from '../../../native/desktop.js';
import { WireError, subjectWithoutPlace, title } from '../../protocol/index.js';
import { windowsOfProcess, whyStillOpen } from './close.js';
import { appName, resolveParent } from '../places.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import { FORCE, titles, toApplication } from '../windows/close.js';
import { message } from '../../../messages/index.js';

const QUIT = title('title.quit');

export function quitApplication({ references }: Pick<ToolDeps, 'references'>): Tool[] {
  const quit = defineAction({
    name: 'quit_application',
    title: 'Quit application',
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
