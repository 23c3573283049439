import { title, subjectWithoutPlace, rectSchema, WireError } from '../../protocol/index.js';
import * as z from 'zod';
import { planWindow, centre } from '../../pipeline/target/plans.js';
import type { References } from '../../pipeline/target/references.js';
import type { RunContext } from '../../pipeline/context.js';
import { defineAction } from '../../pipeline/define.js';
import type { Plan } from '../../approvals/plan.js';
import {
  DesktopError,
  type Window,
  type DesktopReader,
  type Display,
  type WindowState,
} from '../../../native/desktop.js';
import { windowsOfProcess, whyStillOpen } from '../applications/close.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import { message } from '../../../messages/index.js';
import { contains } from '../../../base/rect.js';
import { nullIfGone } from '../../pipeline/failures.js';
import { unpublished } from '../parameters.js';
import { resolveParent, resolveWindow, windowName } from '../places.js';
import { frameText } from '../geometry.js';

export const nameField = z.string().min(1).max(500).describe('From list_windows.');

/** Result of every window act: the window's reported frame and state. */
export const placedSchema = z.object({
  /** The current name; ids may change. */
  name: z.string(),
  frame: unpublished(rectSchema),
  visible: unpublished(z.boolean()),
  minimized: unpublished(z.boolean()),
  maximized: unpublished(z.boolean().nullable()),
  focused: unpublished(z.boolean()),
});
export type Placed = z.infer<typeof placedSchema>;

/** Reads the window again; one that got a new id is found as the only one of its process with its title. */
export async function readPlaced(
  desktop: DesktopReader,
  { id, app, title }: Window,
  signal: AbortSignal,
): Promise<Placed> {
  const own = (await desktop.windows(signal)).filter((window) => window.app.pid === app.pid);
  const titled = own.filter((window) => window.title === title);
  const now = own.find((window) => window.id === id) ?? (titled.length === 1 ? titled[0] : undefined);
  if (now === undefined)
    throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.window_closed', { title }), {
      reason: 'window_gone',
      next: 'See list_windows for what is open now.',
    });
  return describePlaced(now, await desktop.windowState(now.id, signal));
}

export function describePlaced(window: Window, { maximized }: WindowState): Placed {
  const { frame, visible, minimized, focused } = window;
  return { name: windowName(window), frame, visible, minimized, maximized, focused };
}

export function placedText(one: Placed): string {
  const flags = [
    ...(one.visible || one.minimized ? [] : ['not on screen']),
    ...(one.minimized ? ['minimised'] : []),
    ...(one.maximized === true ? ['maximised'] : []),
    ...(one.focused ? ['focused'] : []),
  ];
  return [frameText(one.frame), ...flags].join(', ');
}

/** Also accepts upstream's `…/state` suffix. */
export const findWindow = (desktop: DesktopReader, name: string, signal: AbortSignal): Promise<Window> =>
  resolveWindow(desktop, name.replace(/\/state$/, ''), signal);

/** The windows of one application, or of all. Windows that close meanwhile are left out. */
export async function windowsIn(
  desktop: DesktopReader,
  parent: string | undefined,
  signal: AbortSignal,
): Promise<{ window: Window; state: WindowState }[]> {
  const { app } = await resolveParent(desktop, parent, signal);
  const all = (await desktop.windows(signal)).filter((one) => app === null || one.app.pid === app.pid);
  const found = await Promise.all(
    all.map(async (window) => {
      const state = await desktop.windowState(window.id, signal).catch(nullIfGone);
      return state === null ? [] : [{ window, state }];
    }),
  );
  return found.flat();
}

/** The display with the centre of the window; null where there is none. */
export function displayOf(displays: readonly Display[], { frame }: Window): string | null {
  const found = displays.find((display) => contains(display.frame, centre(frame)));
  return found === undefined ? null : `displays/${found.id}`;
}

const CLOSE = title('title.close');
export const FORCE = {
  title: title('title.force_quit'),
  note: message('note.ends_application'),
};

export function closeWindow({ references }: Pick<ToolDeps, 'references'>): Tool[] {
  const close = defineAction({
    name: 'close_window',
    title: 'Close window',
    step: 'lasting',
    does: 'window',
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
