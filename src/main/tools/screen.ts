import * as z from 'zod';
import { planDisclosure } from '../action/context/plans.js';
import { defineAction } from '../action/define.js';
import { WireError, rectSchema } from '../protocol/index.js';
import type { CaptureTarget, Desktop, Rect } from '../../native/desktop.js';
import { alias, imageSchema, windowByName } from './common.js';
import type { Tool, ToolDeps } from './common.js';
import { listing } from './listing.js';

const displaySchema = z.object({ name: z.string(), frame: rectSchema, scale: z.number(), main: z.boolean() });
const displayId = z.union([z.string(), z.number()]);
const MAX_SIDE = 1568;

export function screenTools({ images }: ToolDeps): Tool[] {
  const screenshot = defineAction({
    name: 'capture_screenshot',
    title: 'Take a screenshot',
    description:
      'A picture of a display, or of one window even where it is covered, with size, scale, origin and an id to click in it by `space`.',
    effect: 'disclose',
    needs: ['screenRecording'],
    evidence: 'folder',
    input: z
      .object({
        display_id: displayId.optional().describe('From list_displays; default: the main one.'),
        display: alias(displayId),
        window_id: z.string().max(500).optional().describe('Window name from list_windows.'),
        format: z.enum(['png', 'jpeg', 'webp']).default('png'),
        quality: z.number().int().min(1).max(100).default(85),
        max_width: z.number().int().min(16).max(8192).optional(),
        max_height: z.number().int().min(16).max(8192).optional(),
      })
      .strict(),
    output: z.object({ image: imageSchema }),
    subject: () => ({
      verb: 'Take a screenshot of',
      done: 'Took a screenshot of',
      target: 'the screen',
      app: null,
      place: null,
    }),
    async plan({ desktop }, input, signal) {
      const { what, rect, app } = await target(desktop, input, signal);
      return planDisclosure(
        { verb: 'Take a screenshot of', done: 'Took a screenshot of' },
        { target: what, app, place: null, rect },
      );
    },
    async run(ctx, input, signal) {
      const { capture: what } = await target(ctx.desktop, input, signal);
      const capture = await ctx.desktop.capture(what, signal);
      await ctx.keep('observe.png', await ctx.imaging.png(capture));
      const maxSide = Math.min(MAX_SIDE, input.max_width ?? MAX_SIDE, input.max_height ?? MAX_SIDE);
      const { bytes, mimeType, width, height } = await ctx.imaging.encode(capture, {
        maxSide,
        format: input.format,
        quality: input.quality,
      });
      const scale = (capture.scale * width) / capture.width;
      const native = { width: capture.width, height: capture.height, scale: capture.scale };
      const image = { bytes, mimeType, width, height, scale, origin: capture.origin, native, marks: [] };
      return { image: images.put(image, ctx.caller.agent.id) };
    },
    text: ({ image }) =>
      `${image.width}×${image.height} px, ${image.scale} px per point, top left at (${image.origin.x}, ${image.origin.y}). To click in it: space "image:${image.id}".`,
  });

  const displays = defineAction({
    name: 'list_displays',
    title: 'List displays',
    description: 'Displays with frame (global points, may be negative) and scale (pixels per point).',
    effect: 'read',
    needs: [],
    evidence: 'line',
    input: z.object({}).strict(),
    output: z.object({ displays: z.array(displaySchema) }),
    subject: () => listing('displays'),
    run: async ({ desktop }, _input, signal) => ({
      displays: (await desktop.displays(signal)).map(({ id, frame, scale, main }) => ({
        name: `displays/${id}`,
        frame,
        scale,
        main,
      })),
    }),
    text: ({ displays: all }) =>
      all
        .map(
          (one) =>
            `${one.name} ${one.frame.width}×${one.frame.height} at (${one.frame.x}, ${one.frame.y}), scale ${one.scale}${one.main ? ', main' : ''}`,
        )
        .join('\n'),
  });

  return [screenshot, displays].map((action) => ({ group: 'screen', core: true, action }));
}

interface Asked {
  display_id?: string | number | undefined;
  display?: string | number | undefined;
  window_id?: string | undefined;
}

async function target(
  desktop: Desktop,
  asked: Asked,
  signal: AbortSignal,
): Promise<{ what: string; app: string | null; rect: Rect; capture: CaptureTarget }> {
  if (asked.window_id !== undefined) {
    const window = await windowByName(desktop, asked.window_id, signal);
    return {
      what: window.title,
      app: window.app.name,
      rect: window.frame,
      capture: { kind: 'window', windowId: window.id },
    };
  }
  const all = await desktop.displays(signal);
  const wanted = asked.display_id ?? asked.display;
  const found =
    wanted === undefined
      ? (all.find((one) => one.main) ?? all[0])
      : all.find((one, index) => [one.id, `displays/${one.id}`, String(index)].includes(String(wanted)));
  if (found === undefined)
    throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', `There is no display ${String(wanted)}.`, {
      reason: 'no_such_display',
      displays: all.map((one) => one.id),
    });
  return {
    what: all.length > 1 ? found.name : 'the screen',
    app: null,
    rect: found.frame,
    capture: { kind: 'display', displayId: found.id },
  };
}
