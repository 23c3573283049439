import { title, subjectWithoutPlace } from '../../protocol/index.js';
import * as z from 'zod';
import { planWindow } from '../../pipeline/target/plans.js';
import type { References } from '../../pipeline/target/references.js';
import type { RunContext } from '../../pipeline/context.js';
import { defineAction } from '../../pipeline/define.js';
import type { Plan } from '../../approvals/plan.js';
import { DesktopError, type Window } from '../../../native/desktop.js';
import { windowsOfProcess, whyStillOpen } from '../applications/close.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import { nameField, findWindow } from './placing.js';
import { message } from '../../../messages/index.js';

const CLOSE = title('title.close');
export const FORCE = {
  title: title('title.force_quit'),
  note: message('note.ends_application'),
};

export function closeWindow({ references }: Pick<ToolDeps, 'references'>): Tool[] {
  const close = defineAction({
    name: 'close_window',
    title: 'Close window',
    description: 'Closes a window. If a dialog asks, the error names it and its buttons.',
    effect: 'dangerous',
    needs: ['accessibility'],
    input: z
      .object({
        name: nameField,
        force: z.boolean().default(false).describe('Ends the application, unsaved work lost.'),
      })
      .strict(),
    output: z.object({ closed: z.literal(true), name: z.string(), windows_left: z.number().int() }),
    subject: ({ name, force }) => subjectWithoutPlace(force ? FORCE.title : CLOSE, name),
    async plan({ desktop }, { name, force }, signal) {
      const window = await findWindow(desktop, name, signal);
      if (!force) return planWindow(window, { title: CLOSE });
      const all = await windowsOfProcess(desktop, window.app.pid, signal);
      return toApplication(await planWindow(window, { title: FORCE.title, text: titles(all), notes: [FORCE.note] }));
    },
    async act(ctx, { name, force }, signal) {
      const window = await findWindow(ctx.desktop, name, signal);
      const before = await windowsOfProcess(ctx.desktop, window.app.pid, signal);
      if (force) await ctx.desktop.killWindow(window.id, signal);
      else await askToClose(ctx, references(ctx.caller.agent.id), window, before, signal);
      const left = await windowsOfProcess(ctx.desktop, window.app.pid, signal);
      return {
        value: { closed: true as const, name, windows_left: left.length },
        effect: { effect: 'confirmed', before: { windows: before.length }, after: { windows: left.length } },
      };
    },
    text: ({ name, windows_left: left }) =>
      `Closed ${name}. ${left === 0 ? 'Its application has no window any more' : `Its application has ${left} left`}.`,
  });
  return toolGroup('window', { more: [close] });
}

async function askToClose(
  { desktop }: RunContext,
  references: References,
  { id, title, app }: Window,
  before: readonly Window[],
  signal: AbortSignal,
): Promise<void> {
  try {
    await desktop.closeWindow(id, signal);
  } catch (thrown) {
    if (!(thrown instanceof DesktopError) || thrown.code !== 'failed') throw thrown;
    const still = (await windowsOfProcess(desktop, app.pid, signal)).some((window) => window.id === id);
    if (still) throw await whyStillOpen(desktop, references, { title, pid: app.pid, before }, thrown, signal);
  }
}

/** The title names the application; the card's text lists the windows that close with it. */
export const toApplication = (plan: Plan): Plan => ({ ...plan, subject: { ...plan.subject, target: null } });

/** Window titles as lines for the card. Sorted, because a change of their order must not count as drift. */
export const titles = (windows: readonly Window[]): string =>
  windows
    .filter((window) => window.normal)
    .map((window) => window.title)
    .toSorted()
    .join('\n');
