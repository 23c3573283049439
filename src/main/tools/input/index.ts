import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import { dragTool } from './drag.js';
import { openDialogTool, saveDialogTool } from '../files/dialogs.js';
import { dropTool } from '../files/drops.js';
import { downTool, upTool } from './hold.js';
import { holdTool, pressTool, typeTool } from './keys.js';
import { clickTool, hoverTool, moveTool } from './pointer.js';
import * as z from 'zod';
import { defineAction } from '../../pipeline/define.js';
import { WireError, subjectWithoutPlace, title } from '../../protocol/index.js';
import { alias, invalidRequest } from '../parameters.js';
import {
  coordinate,
  placeFields,
  assertApplication,
  heldKeyFields,
  heldKeys,
  heldText,
  optionalPointFields,
  pointOrPointer,
  pointSchema,
  reachesWindowManager,
} from './parameters.js';
import { message } from '../../../messages/index.js';
import { withKeys } from '../../desktop/click.js';
import { planPoint, formatPoint } from '../../pipeline/target/plans.js';
import { verifyEffect } from '../../pipeline/verify/effect.js';
import { delay } from '../../../base/poll.js';
import type { Point, Platform } from '../../../native/desktop.js';

export function inputTools(deps: ToolDeps): Tool[] {
  const core = [clickTool(deps), typeTool(), pressTool(), scrollTool(deps), dragTool(deps)];
  const more = [moveTool(deps), hoverTool(deps), gestureTool(), holdTool(deps), downTool(deps), upTool(deps)];
  const files = [dropTool(deps), openDialogTool(deps), saveDialogTool(deps)];
  return [...toolGroup('input', { core, more }), ...toolGroup('file', { more: files })];
}

const TYPES = ['pinch', 'zoom', 'rotate', 'swipe', 'force_touch'] as const;
const INSTEAD: Readonly<Record<(typeof TYPES)[number], string>> = {
  pinch: 'Zoom with scroll and modifiers ["ctrl"], or press_key ctrl and + or -.',
  zoom: 'Zoom with scroll and modifiers ["ctrl"], or press_key ctrl and + or -.',
  rotate: 'Use the application’s own rotate command: find_elements, then click_element.',
  swipe: 'Use scroll for moving content, or press_key alt+left and alt+right for going back and forward.',
  force_touch: 'Use click with button "right", or double-click.',
};

/** No supported system can inject trackpad gestures for all applications, so the tool only names alternatives. */
export function gestureTool() {
  const unsupported = ({ gesture_type: type }: { gesture_type: (typeof TYPES)[number] }) =>
    new WireError('DESKTOP_UNSUPPORTED', message('error.no_gesture', { gesture: type }), {
      reason: 'gesture',
      next: INSTEAD[type],
    });
  return defineAction({
    name: 'gesture',
    title: 'Trackpad gesture',
    step: 'now',
    does: 'drag',
    description: 'Trackpad gestures cannot be injected here: the error says what to use instead.',
    effect: 'input',
    needs: [],
    evidence: 'line',
    input: z
      .object({
        center_x: coordinate,
        center_y: coordinate,
        gesture_type: z.enum(TYPES),
        scale: alias(z.number().positive().max(10)),
        rotation: alias(z.number().min(-360).max(360)),
        finger_count: alias(z.number().int().min(1).max(5)),
        direction: alias(z.enum(['up', 'down', 'left', 'right'])),
        application: placeFields.application,
      })
      .strict(),
    output: z.object({}),
    subject: ({ gesture_type: gesture }) => subjectWithoutPlace(title('title.gesture', { gesture })),
    plan: (_ctx, input) => Promise.reject(unsupported(input)),
    run: (_ctx, input) => Promise.reject(unsupported(input)),
  });
}

/** Applications scroll 25 to 120 pixels per wheel step. Too few steps show less; too many skip content. */
const PIXELS_PER_STEP = 100;
const MAX_STEPS = 100;
const delta = z
  .number()
  .min(-MAX_STEPS * PIXELS_PER_STEP)
  .max(MAX_STEPS * PIXELS_PER_STEP);

type ScrollDirection = 'down' | 'up' | 'left' | 'right';
const scrollInput = z
  .object({
    ...optionalPointFields,
    delta_x: delta.optional().describe('right > 0'),
    delta_y: delta.optional().describe('down > 0'),
    unit: z.enum(['lines', 'pixels']).default('lines'),
    ...heldKeyFields,
    horizontal: alias(delta),
    vertical: alias(delta),
    duration: alias(z.number().min(0).max(10)),
  })
  .strict();

function scrollTool({ images }: ToolDeps) {
  return defineAction({
    name: 'scroll',
    title: 'Scroll',
    step: 'now',
    does: 'scroll',
    description: 'Turns the wheel at a point, or where the pointer is. A wheel has steps: pixels are rounded to them.',
    effect: 'input',
    needs: ['accessibility'],
    input: scrollInput,
    output: z.object({ steps_x: z.number().int(), steps_y: z.number().int(), point: pointSchema }),
    subject: (input) => subjectWithoutPlace(scrollTitle(input, null)),
    async plan(ctx, input, signal) {
      const { desktop } = ctx;
      const at = await pointOrPointer(input, images, ctx, signal);
      const alwaysAsk = reachesWindowManager(heldKeys(input, desktop.platform), desktop);
      const plan = await planPoint(
        desktop,
        at,
        { title: scrollTitle(input, desktop.platform), alwaysAsk, does: { kind: 'nothing' } },
        signal,
      );
      return assertApplication(desktop, input.application, plan, signal);
    },
    async act(ctx, input, signal) {
      const steps = stepsOf(input);
      const point = await pointOrPointer(input, images, ctx, signal);
      const total = Math.abs(steps.x) + Math.abs(steps.y);
      const rest = ((input.duration ?? 0) * 1000) / total;
      const turn = async () => {
        await ctx.desktop.movePointer(point, signal);
        await withKeys(ctx.desktop, heldKeys(input, ctx.desktop.platform), signal, async () => {
          for (const one of singleSteps(steps)) {
            await ctx.desktop.scroll(one, signal);
            if (rest > 0) await delay(rest, signal);
          }
        });
      };
      const effect = await verifyEffect(ctx, turn, signal);
      return { value: { steps_x: steps.x, steps_y: steps.y, point }, effect };
    },
    text: ({ steps_x, steps_y, point }) =>
      `Scrolled at ${formatPoint(point)}: ${[direction(steps_y, 'down', 'up'), direction(steps_x, 'right', 'left')].filter((one) => one !== '').join(', ')}.`,
  });
}

function stepsOf(input: z.infer<typeof scrollInput>): Point {
  if ((input.delta_x ?? input.horizontal) === undefined && (input.delta_y ?? input.vertical) === undefined)
    throw invalidRequest(message('error.no_scroll_distance'));
  const size = input.unit === 'pixels' ? PIXELS_PER_STEP : 1;
  const whole = (amount: number) => {
    const steps = Math.sign(amount) * Math.max(1, Math.round(Math.abs(amount) / size));
    if (Math.abs(steps) > MAX_STEPS) throw invalidRequest(message('error.too_many_steps', { max: MAX_STEPS }));
    return amount === 0 ? 0 : steps;
  };
  // The alias counts upwards.
  const steps = { x: whole(input.delta_x ?? input.horizontal ?? 0), y: whole(input.delta_y ?? -(input.vertical ?? 0)) };
  if (steps.x === 0 && steps.y === 0) throw invalidRequest(message('error.scroll_of_nothing'));
  return steps;
}

function scrollTitle(input: z.infer<typeof scrollInput>, platform: Platform | null) {
  const { x, y } = stepsOf(input);
  const way = (steps: number, forward: ScrollDirection, back: ScrollDirection) =>
    steps === 0 ? [] : [message('title_part.steps', { count: Math.abs(steps), way: steps > 0 ? forward : back })];
  const ways = [...way(y, 'down', 'up'), ...way(x, 'right', 'left')];
  return title('title.scroll', { keys: heldText(heldKeys(input, platform)), ways });
}

const direction = (steps: number, forward: string, back: string): string =>
  steps === 0 ? '' : `${Math.abs(steps)} ${steps > 0 ? forward : back}`;

function singleSteps({ x, y }: Point): Point[] {
  const down = Array.from({ length: Math.abs(y) }, () => ({ x: 0, y: Math.sign(y) }));
  return [...down, ...Array.from({ length: Math.abs(x) }, () => ({ x: Math.sign(x), y: 0 }))];
}
