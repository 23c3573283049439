import { formatPoint } from '../../pipeline/target/plans.js';
import * as z from 'zod';
import { verifyEffect } from '../../pipeline/verify/effect.js';
import { movePointerAlong, describeHit, planDrag } from '../../desktop/pointer.js';
import type { RunContext } from '../../pipeline/context.js';
import { defineAction } from '../../pipeline/define.js';
import { delay } from '../../../base/poll.js';
import type { Point, Platform } from '../../../native/desktop.js';
import { subjectWithoutPlace, title } from '../../protocol/index.js';
import { toPoint } from '../images.js';
import { invalidRequest } from '../parameters.js';
import type { ToolDeps } from '../tool.js';
import {
  assertApplication,
  assertNotHeld,
  buttonSchema,
  coordinate,
  heldKeyFields,
  heldKeys,
  heldText,
  durationFields,
  durationMs,
  placeFields,
  pointSchema,
  pressInput,
  reachesWindowManager,
} from './parameters.js';
import { message } from '../../../messages/index.js';

const DEFAULT_DRAG_MS = 300;
/** Applications need a moment after the press to start a drag, and after the last move to accept its end. */
const PRESS_DELAY_MS = 60;

const dragInput = z
  .object({
    start_x: coordinate.optional(),
    start_y: coordinate.optional(),
    end_x: coordinate.optional(),
    end_y: coordinate.optional(),
    path: z.array(pointSchema.strict()).min(2).max(200).optional().describe('instead of start and end'),
    button: buttonSchema,
    ...heldKeyFields,
    ...durationFields,
    ...placeFields,
  })
  .strict();
type DragInput = z.infer<typeof dragInput>;

export function dragTool({ images, holds }: ToolDeps) {
  const points = (input: DragInput, owner: string): Point[] =>
    pathOf(input).map((point) => toPoint(images, point, input.space, owner));
  const dragTitle = (input: DragInput, path: readonly Point[], platform: Platform | null) =>
    title('title.drag', {
      button: input.button,
      keys: heldText(heldKeys(input, platform)),
      end: path.slice(-1).map(formatPoint).join(''),
    });

  async function dragAlong(
    ctx: RunContext,
    path: readonly Point[],
    input: DragInput,
    signal: AbortSignal,
  ): Promise<void> {
    const [start] = path;
    if (start === undefined) return;
    const { desktop } = ctx;
    const keys = heldKeys(input, desktop.platform);
    await desktop.movePointer(start, signal);
    for (const key of keys) await desktop.key(key, true, signal);
    await desktop.button(input.button, true, signal);
    const hold = holds.hold(ctx, { keys, buttons: [input.button] }, { at: start, window: ctx.plan?.window ?? null });
    try {
      await delay(PRESS_DELAY_MS, signal);
      await movePointerAlong(desktop, path, durationMs(input, DEFAULT_DRAG_MS), signal);
      await delay(PRESS_DELAY_MS, signal);
      await desktop.button(input.button, false, signal);
    } catch (thrown) {
      // Release at the start rather than over what came in the way.
      if (!signal.aborted) await desktop.movePointer(start, signal).catch(() => undefined);
      throw thrown;
    } finally {
      await hold.end();
    }
  }

  return defineAction({
    name: 'drag',
    title: 'Drag',
    step: 'now',
    does: 'drag',
    description: 'Drags with a button held from start to end, or through all points of `path`.',
    effect: 'input',
    needs: ['accessibility'],
    input: dragInput,
    output: z.object({ dragged: z.literal(true), from: pointSchema, to: pointSchema, element: z.string().nullable() }),
    subject: (input) => {
      const path = pathOf(input);
      return {
        ...subjectWithoutPlace(dragTitle(input, path, null)),
        point: path.slice(0, 1).map(formatPoint).join(''),
      };
    },
    async plan(ctx, input, signal) {
      const { desktop, caller } = ctx;
      assertNotHeld(holds, ctx, input.button);
      const alwaysAsk = reachesWindowManager(heldKeys(input, desktop.platform), desktop);
      const path = points(input, caller.agent.id);
      const plan = await planDrag(
        desktop,
        path,
        { title: dragTitle(input, path, desktop.platform), alwaysAsk, ...pressInput(input.button) },
        signal,
      );
      return assertApplication(desktop, input.application, plan, signal);
    },
    async act(ctx, input, signal) {
      const path = points(input, ctx.caller.agent.id);
      const effect = await verifyEffect(ctx, () => dragAlong(ctx, path, input, signal), signal);
      const [from, to] = [path[0], path.at(-1)];
      if (from === undefined || to === undefined) throw new Error('unreachable');
      return { value: { dragged: true as const, from, to, element: describeHit(ctx.plan) }, effect };
    },
    text: ({ from, to }) => `Dragged from ${formatPoint(from)} to ${formatPoint(to)}.`,
  });
}

function pathOf({ start_x, start_y, end_x, end_y, path }: DragInput): Point[] {
  const ends = [start_x, start_y, end_x, end_y];
  if (path !== undefined && ends.every((one) => one === undefined)) return path;
  if (
    path === undefined &&
    start_x !== undefined &&
    start_y !== undefined &&
    end_x !== undefined &&
    end_y !== undefined
  )
    return [
      { x: start_x, y: start_y },
      { x: end_x, y: end_y },
    ];
  throw invalidRequest(message('error.drag_points_or_path'));
}
