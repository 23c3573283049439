import { title as heading, subjectWithoutPlace, type Title } from '../../protocol/index.js';
import * as z from 'zod';
import { planWindow } from '../../pipeline/target/plans.js';
import type { RunContext } from '../../pipeline/context.js';
import { defineAction } from '../../pipeline/define.js';
import type { AnyAction } from '../../pipeline/action.js';
import type { Rect, Window } from '../../../native/desktop.js';
import { toolGroup, type Tool } from '../tool.js';
import { nameField, describePlaced, readPlaced, placedSchema, placedText, findWindow, type Placed } from './close.js';
import { message, type Message } from '../../../messages/index.js';
import { ruleError } from '../../protocol/input-errors.js';

interface Named {
  name: string;
}

interface WindowAct<I extends Named> {
  name: string;
  title: string;
  description: string;
  heading: Title;
  input: z.ZodType<I>;
  act(ctx: RunContext, window: Window, input: I, signal: AbortSignal): Promise<void>;
  /** Whether the window is as requested; null where frame and flags cannot say. */
  asAsked(now: Placed, input: I): boolean;
}

/** X11 and macOS use 16-bit window coordinates. */
const coordinate = z
  .number()
  .refine((value) => Math.abs(value) <= 32_000, ruleError('input.between', { min: -32_000, max: 32_000 }));
const side = z
  .number()
  .refine((value) => value >= 1 && value <= 32_000, ruleError('input.between', { min: 1, max: 32_000 }));
const onlyName = z.object({ name: nameField }).strict();
const TOLERANCE_POINTS = 1;
const near = (now: Partial<Rect>, asked: Partial<Rect>) =>
  (['x', 'y', 'width', 'height'] as const).every(
    (key) => asked[key] === undefined || Math.abs((now[key] ?? 0) - asked[key]) <= TOLERANCE_POINTS,
  );

export function windowActs(): Tool[] {
  const more = [moveWindow(), resizeWindow(), minimizeWindow(), restoreWindow(), maximizeWindow()];
  return toolGroup('window', { core: [focusWindow()], more });
}

function focusWindow(): AnyAction {
  return windowAct({
    name: 'focus_window',
    title: 'Focus window',
    description: 'Brings a window to the front and gives it the focus, from wherever it is.',
    heading: heading('title.switch_to'),
    input: onlyName,
    act: ({ desktop }, { id }, _input, signal) => desktop.focusWindow(id, signal),
    asAsked: ({ focused }) => focused,
  });
}

function moveWindow(): AnyAction {
  return windowAct({
    name: 'move_window',
    title: 'Move window',
    description: 'Moves a window’s top left corner; returns where it is.',
    heading: heading('title.move'),
    input: onlyName.extend({ x: coordinate, y: coordinate }),
    act: async ({ desktop }, { id }, { x, y }, signal) => void (await desktop.setWindowFrame(id, { x, y }, signal)),
    asAsked: ({ frame }, { x, y }) => near(frame, { x, y }),
  });
}

function resizeWindow(): AnyAction {
  return windowAct({
    name: 'resize_window',
    title: 'Resize window',
    description: 'Resizes a window, borders included; the answer is the size it then has.',
    heading: heading('title.resize'),
    input: onlyName.extend({ width: side, height: side }),
    act: async ({ desktop }, { id }, { width, height }, signal) =>
      void (await desktop.setWindowFrame(id, { width, height }, signal)),
    asAsked: ({ frame }, { width, height }) => near(frame, { width, height }),
  });
}

function minimizeWindow(): AnyAction {
  return windowAct({
    name: 'minimize_window',
    title: 'Minimize window',
    description: 'Minimises a window.',
    heading: heading('title.minimise'),
    input: onlyName,
    act: ({ desktop }, { id }, _input, signal) => desktop.setWindowMinimized(id, true, signal),
    asAsked: ({ minimized }) => minimized,
  });
}

function restoreWindow(): AnyAction {
  return windowAct({
    name: 'restore_window',
    title: 'Restore window',
    description: 'Brings a minimised window back; gives a maximised one its size back.',
    heading: heading('title.restore'),
    input: onlyName,
    async act({ desktop }, { id, minimized }, _input, signal) {
      if (minimized) return desktop.setWindowMinimized(id, false, signal);
      if ((await desktop.windowState(id, signal)).maximized === true)
        await desktop.setWindowMaximized(id, false, signal);
    },
    asAsked: ({ minimized, visible }) => !minimized && visible,
  });
}

function maximizeWindow(): AnyAction {
  return windowAct({
    name: 'maximize_window',
    title: 'Maximize window',
    description: 'Maximises a window, also a minimised one.',
    heading: heading('title.maximise'),
    input: onlyName,
    async act({ desktop }, { id, minimized }, _input, signal) {
      if (minimized) await desktop.setWindowMinimized(id, false, signal);
      await desktop.setWindowMaximized(id, true, signal);
    },
    asAsked: ({ maximized }) => maximized === true,
  });
}

function windowAct<I extends Named>(spec: WindowAct<I>): AnyAction {
  const { name, title, description, heading: act, input } = spec;
  return defineAction({
    name,
    title,
    step: 'lasting',
    does: 'window',
    description,
    effect: 'pointer',
    needs: ['accessibility'],
    input,
    output: placedSchema.extend({ as_asked: z.boolean(), next: z.string().optional() }),
    subject: (given) => subjectWithoutPlace(act, given.name),
    plan: async ({ desktop }, given, signal) =>
      planWindow(await findWindow(desktop, given.name, signal), { title: act, notes: notesOf(given) }),
    async act(ctx, given, signal) {
      const window = await findWindow(ctx.desktop, given.name, signal);
      const before = describePlaced(window, await ctx.desktop.windowState(window.id, signal));
      await spec.act(ctx, window, given, signal);
      const after = await readPlaced(ctx.desktop, window, signal);
      const asked = spec.asAsked(after, given);
      return {
        value: { ...after, as_asked: asked, ...(asked ? {} : { next: nextOf(after) }) },
        effect: {
          effect: same(before, after) ? 'no_change' : 'confirmed',
          before: comparableState(before),
          after: comparableState(after),
        },
      };
    },
    text: ({ next, ...now }) =>
      `${now.name}: ${placedText(now)}${next === undefined ? '' : ` – not what was asked for. ${next}`}.`,
  });
}

/** The requested position or size, for the card. */
function notesOf(given: Named & Partial<Rect>): Message[] {
  const { x, y, width, height } = given;
  if (x !== undefined && y !== undefined) return [message('note.to_point', { x, y })];
  return width !== undefined && height !== undefined ? [message('note.to_size', { width, height })] : [];
}

/** The next step where the window is not as requested. */
function nextOf({ visible, minimized, maximized }: Placed): string {
  if (minimized) return 'It is minimised: restore_window brings it back';
  if (!visible) return 'It is on another desktop: focus_window goes there';
  if (maximized === true) return 'It is maximised: restore_window first gives it a place and size of its own';
  return 'The window manager or the application keeps it so: go on with what it is now';
}

const same = (one: Placed, other: Placed) =>
  JSON.stringify(comparableState(one)) === JSON.stringify(comparableState(other));

function comparableState({ frame, visible, minimized, maximized, focused }: Placed) {
  return { frame, visible, minimized, maximized, focused };
}
