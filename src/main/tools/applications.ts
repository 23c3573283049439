import * as z from 'zod';
import { defineAction } from '../action/define.js';
import { alias, appName } from './common.js';
import type { Tool } from './common.js';
import { listPlan, listing } from './listing.js';

const appSchema = z.object({
  name: z.string(),
  application_id: z.string(),
  display_name: z.string(),
  frontmost: z.boolean(),
});
const applicationId = z.string().min(1).max(500).describe('Id, name or path of the executable.');

export function applicationTools(): Tool[] {
  const open = defineAction({
    name: 'open_application',
    title: 'Open application',
    description: 'Opens an application, or brings it to the front, and waits until it is usable.',
    effect: (given) => ((given.application_id ?? given.id ?? '').includes('/') ? 'dangerous' : 'input'),
    needs: ['accessibility'],
    evidence: 'folder',
    input: z
      .object({ application_id: applicationId.optional(), id: alias(applicationId) })
      .strict()
      .refine((given) => (given.application_id ?? given.id) !== undefined, 'give application_id')
      .meta({ required: ['application_id'] }),
    output: z.object({ application: appSchema }),
    subject: (given) => ({
      verb: 'Open',
      done: 'Opened',
      target: given.application_id ?? given.id ?? null,
      app: null,
      place: null,
    }),
    async plan({ desktop }, given, signal) {
      const target = given.application_id ?? given.id ?? '';
      const plan = await listPlan(desktop, target, signal);
      return { ...plan, text: target, subject: { verb: 'Open', done: 'Opened', target, app: null, place: null } };
    },
    async run(ctx, given, signal) {
      const before = (await ctx.desktop.apps(signal)).map((app) => app.pid);
      const app = await ctx.desktop.launch(given.application_id ?? given.id ?? '', signal);
      const fresh = !before.includes(app.pid);
      ctx.verified(
        fresh || app.frontmost ? 'confirmed' : 'no_change',
        { running: !fresh },
        { running: true, frontmost: app.frontmost },
      );
      return {
        application: { name: appName(app), application_id: app.id, display_name: app.name, frontmost: app.frontmost },
      };
    },
    text: ({ application: app }) => `${app.name} ${app.display_name} (${app.application_id})`,
  });

  const applications = defineAction({
    name: 'list_applications',
    title: 'List applications',
    description: 'Running applications, with the names other tools take as parent.',
    effect: 'disclose',
    needs: ['accessibility'],
    evidence: 'line',
    input: z.object({}).strict(),
    output: z.object({ applications: z.array(appSchema) }),
    subject: () => listing('applications'),
    plan: ({ desktop }, _input, signal) => listPlan(desktop, 'the names of running applications', signal),
    run: async ({ desktop }, _input, signal) => ({
      applications: (await desktop.apps(signal)).map((app) => ({
        name: appName(app),
        application_id: app.id,
        display_name: app.name,
        frontmost: app.frontmost,
      })),
    }),
    text: ({ applications: all }) =>
      all
        .map((one) => `${one.name} ${one.display_name} (${one.application_id})${one.frontmost ? ', in front' : ''}`)
        .join('\n'),
  });

  return [open, applications].map((action) => ({ group: 'application', core: true, action }));
}
