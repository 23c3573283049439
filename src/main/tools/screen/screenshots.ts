import { title, subjectWithoutPlace } from '../../protocol/index.js';
import * as z from 'zod';
import { planDisclosure } from '../../pipeline/target/plans.js';
import { defineAction } from '../../pipeline/define.js';
import type { ReadContext } from '../../pipeline/context.js';
import type { Window } from '../../../native/desktop.js';
import { alias } from '../parameters.js';
import { resolveWindow } from '../places.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import { appsIn, areaPlan, displayId, windowOrFront, windowPlan } from './disclosing.js';
import { resolveDisplay, clipToDisplays, regionFields } from '../geometry.js';
import { areaOf, captureWithPopups } from '../../desktop/window-picture.js';
import { marksIn } from './marks.js';
import {
  deliverPicture,
  encodeAhead,
  ifChangedField,
  pictureFields,
  pictureResultSchema,
  pictureText,
  qualityField,
  sizeFields,
  type PictureInput,
} from './picture.js';
import { message } from '../../../messages/index.js';

const windowName = z.string().min(1).max(500);
const marks = z.boolean().default(false).describe('Numbers controls; "mark:N@<image id>" is an element_id.');

export function screenshotTools(deps: ToolDeps): Tool[] {
  const screenshot = defineAction({
    name: 'capture_screenshot',
    title: 'Take a screenshot',
    description: 'Takes a screenshot of a display, or of a window even if covered. Use its id as `space` of a click.',
    effect: 'disclose',
    needs: ['screenRecording'],
    evidence: 'folder',
    input: z
      .object({
        display_id: displayId.optional().describe('From list_displays; default: main'),
        display: alias(displayId),
        window_id: windowName.optional().describe('From list_windows.'),
        ...pictureFields,
        ...sizeFields,
        ...ifChangedField,
        marks,
      })
      .strict(),
    output: pictureResultSchema,
    subject: () => subjectWithoutPlace(title('title.picture_screen')),
    async plan({ desktop }, { window_id: name, display_id: id, display, marks: numbered }, signal) {
      if (name !== undefined) return windowPlan(await resolveWindow(desktop, name, signal), numbered);
      const shown = await resolveDisplay(desktop, id ?? display, signal);
      const { frame } = shown;
      const several = (await desktop.displays(signal)).length > 1;
      return planDisclosure(
        {
          title: title(several ? 'title.picture_display' : 'title.picture_screen'),
          covers: numbered ? [message('note.reads_controls_in_it')] : [],
        },
        {
          ...(several ? { target: shown.name } : {}),
          app: await appsIn(desktop, frame, signal),
          place: null,
          rect: frame,
        },
      );
    },
    async run(ctx, input, signal) {
      const window = ctx.plan?.window ?? null;
      if (window !== null) return windowShot(ctx, deps, window, input, [], signal);
      const display = await resolveDisplay(ctx.desktop, input.display_id ?? input.display, signal);
      const begin = input.marks ? undefined : encodeAhead(ctx, input);
      const capture = await ctx.desktop.capture({ kind: 'display', displayId: display.id }, signal, begin);
      const windows = input.marks ? await ctx.desktop.windows(signal) : [];
      const found = input.marks ? await marksIn(ctx.desktop, windows, display.frame, true, signal) : {};
      return deliverPicture(ctx, deps, { capture, ...found }, input, signal);
    },
    text: pictureText,
  });

  const window = defineAction({
    name: 'capture_window_screenshot',
    title: 'Picture a window',
    description: 'Takes a screenshot of one whole window, even if covered.',
    effect: 'disclose',
    needs: ['screenRecording'],
    evidence: 'folder',
    input: z
      .object({
        window: windowName.optional().describe('From list_windows; default: in front'),
        name: alias(windowName),
        window_id: alias(windowName),
        ...pictureFields,
        ...qualityField,
        marks,
        include_shadow: z.boolean().default(false),
      })
      .strict(),
    output: pictureResultSchema,
    subject: ({ window: given, name, window_id: id }) =>
      subjectWithoutPlace(title('title.picture_window'), given ?? name ?? id ?? null),
    async plan({ desktop }, { window: given, name, window_id: id, marks: numbered }, signal) {
      return windowPlan(await windowOrFront(desktop, given ?? name ?? id, signal), numbered);
    },
    async run(ctx, input, signal) {
      if (ctx.plan?.window == null) throw new Error('a window plan was expected');
      const notes = input.include_shadow ? ['Pictures of windows have no shadow here.'] : [];
      return windowShot(ctx, deps, ctx.plan.window, input, notes, signal);
    },
    text: pictureText,
  });

  const region = defineAction({
    name: 'capture_region_screenshot',
    title: 'Picture a region',
    description: 'A screenshot of a rectangle of the screen, in global points, also across displays.',
    effect: 'disclose',
    needs: ['screenRecording'],
    evidence: 'folder',
    input: z
      .object({
        ...regionFields,
        display_id: displayId.optional().describe('Only what lies on it.'),
        display: alias(displayId),
        ...pictureFields,
      })
      .strict(),
    output: pictureResultSchema,
    subject: () => subjectWithoutPlace(title('title.picture_part')),
    async plan({ desktop }, { display_id: id, display, ...rect }, signal) {
      return areaPlan(desktop, await clipToDisplays(desktop, rect, id ?? display, signal), signal);
    },
    async run(ctx, { display_id: id, display, ...input }, signal) {
      const rect = await clipToDisplays(ctx.desktop, input, id ?? display, signal);
      const capture = await ctx.desktop.capture({ kind: 'region', rect }, signal, encodeAhead(ctx, input));
      return deliverPicture(ctx, deps, { capture }, input, signal);
    },
    text: pictureText,
  });

  return toolGroup('screen', { core: [screenshot], more: [window, region] });
}

async function windowShot(
  ctx: ReadContext,
  deps: ToolDeps,
  window: Window,
  asked: PictureInput & { marks: boolean },
  notes: string[],
  signal: AbortSignal,
) {
  const begin = asked.marks ? undefined : encodeAhead(ctx, asked);
  const { capture, popups } = await captureWithPopups(ctx.desktop, window, signal, begin);
  // The picture shows the window with its popups alone, so nothing else covers its controls.
  const shown = [...popups, window];
  const found = asked.marks
    ? await marksIn(ctx.desktop, shown, areaOf(capture), popups.length > 0, signal)
    : { marks: [], notes: [] };
  return deliverPicture(ctx, deps, { capture, marks: found.marks, notes: [...notes, ...found.notes] }, asked, signal);
}
