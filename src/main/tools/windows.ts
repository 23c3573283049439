import * as z from 'zod';
import { planWindow } from '../action/context/plans.js';
import { defineAction } from '../action/define.js';
import { rectSchema } from '../protocol/index.js';
import { frameText, parentSchema, scopeOf, windowByName, windowName } from './common.js';
import type { Tool } from './common.js';
import { listPlan, listing } from './listing.js';

const windowSchema = z.object({
  name: z.string(),
  title: z.string(),
  application: z.string(),
  frame: rectSchema,
  focused: z.boolean(),
  minimized: z.boolean(),
});

export function windowTools(): Tool[] {
  const windows = defineAction({
    name: 'list_windows',
    title: 'List windows',
    description: 'Windows, topmost first, with the names other tools take.',
    effect: 'disclose',
    needs: ['accessibility'],
    evidence: 'line',
    input: z.object({ parent: parentSchema }).strict(),
    output: z.object({ windows: z.array(windowSchema) }),
    subject: () => listing('windows'),
    plan: ({ desktop }, _input, signal) => listPlan(desktop, 'the titles of windows', signal),
    async run({ desktop }, { parent }, signal) {
      const { app } = await scopeOf(desktop, parent, signal);
      const all = (await desktop.windows(signal)).filter((one) => app === null || one.app.pid === app.pid);
      return {
        windows: all.map((one) => ({
          name: windowName(one),
          title: one.title,
          application: one.app.id,
          frame: one.frame,
          focused: one.focused,
          minimized: one.minimized,
        })),
      };
    },
    text: ({ windows: all }) =>
      all.length === 0
        ? 'No windows.'
        : all
            .map(
              (one) =>
                `${one.name} “${one.title}” (${one.application}) ${frameText(one.frame)}${one.focused ? ', focused' : ''}${one.minimized ? ', minimised' : ''}`,
            )
            .join('\n'),
  });

  const focus = defineAction({
    name: 'focus_window',
    title: 'Focus window',
    description: 'Brings a window to the front and gives it the focus.',
    effect: 'pointer',
    needs: ['accessibility'],
    evidence: 'folder',
    input: z.object({ name: z.string().min(1).max(500).describe('Window name from list_windows.') }).strict(),
    output: z.object({ focused: z.boolean(), window: z.string() }),
    subject: ({ name }) => ({
      verb: 'Bring to the front',
      done: 'Brought to the front',
      target: name,
      app: null,
      place: null,
    }),
    plan: async ({ desktop }, { name }, signal) =>
      planWindow(await windowByName(desktop, name, signal), {
        verb: 'Bring to the front',
        done: 'Brought to the front',
      }),
    async run(ctx, { name }, signal) {
      const window = await windowByName(ctx.desktop, name, signal);
      await ctx.desktop.focusWindow(window.id, signal);
      const now = await windowByName(ctx.desktop, name, signal);
      ctx.verified(
        now.focused ? (window.focused ? 'no_change' : 'confirmed') : 'unverified',
        { focused: window.focused },
        { focused: now.focused },
      );
      return { focused: now.focused, window: windowName(now) };
    },
    text: ({ focused, window }) => `${window} ${focused ? 'has the focus' : 'was raised, but has not got the focus'}.`,
  });

  return [windows, focus].map((action) => ({ group: 'window', core: true, action }));
}
