import * as z from 'zod';
import { defineAction } from '../../pipeline/define.js';
import { WireError, subjectWithoutPlace, title } from '../../protocol/index.js';
import { alias } from '../parameters.js';
import { coordinate, placeFields } from './parameters.js';
import { message } from '../../../messages/index.js';

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
