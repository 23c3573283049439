import { type Tool, type ToolDeps, toolGroup } from '../tool.js';
import { windowActs } from './acts.js';
import {
  closeWindow,
  displayOf,
  nameField,
  describePlaced,
  placedSchema,
  placedText,
  findWindow,
  windowsIn,
} from './close.js';
import { title } from '../../protocol/index.js';
import * as z from 'zod';
import { quote } from '../../../base/text.js';
import { defineAction } from '../../pipeline/define.js';
import { unpublished, listSubject, lookUpSubject, planTitles } from '../parameters.js';
import { appName, parentSchema, windowName } from '../places.js';
import { moreLines, pageFields, pageResult } from '../paging.js';

export function windowTools(deps: Pick<ToolDeps, 'pages' | 'references'>): Tool[] {
  return [...windowReads(deps), ...windowActs(), ...closeWindow(deps)];
}

const listed = placedSchema.extend({
  title: z.string(),
  application: z.string(),
  /** A menu or tooltip, which closes by itself. */
  popup: unpublished(z.boolean()),
});
const kindOf = ({ popup }: { popup: boolean }): string => (popup ? ', a menu or tooltip' : '');
const flag = unpublished(z.boolean().nullable());

function windowReads({ pages }: Pick<ToolDeps, 'pages'>): Tool[] {
  const list = defineAction({
    name: 'list_windows',
    title: 'List windows',
    does: 'window',
    description: 'Windows, topmost first, also those on other desktops; names are what other tools take.',
    effect: 'disclose',
    needs: ['accessibility'],
    input: z.object({ parent: parentSchema.describe('default: all'), ...pageFields }).strict(),
    output: z.object({ windows: z.array(listed), ...pageResult }),
    subject: () => listSubject('windows'),
    plan: async () => planTitles(title('title.read_titles')),
    async run({ desktop, caller }, given, signal) {
      const { items, ...page } = await pages.page(caller, 'list_windows', given, async () =>
        (await windowsIn(desktop, given.parent, signal)).map(({ window, state }) => ({
          ...describePlaced(window, state),
          title: window.title,
          application: window.app.id,
          popup: !window.normal,
        })),
      );
      return { windows: items, ...page };
    },
    text: ({ windows, next_page_token: next }) =>
      windows.length === 0
        ? 'No windows.'
        : [
            ...windows.map(
              (one) => `${one.name} ${quote(one.title)} (${one.application}) ${placedText(one)}${kindOf(one)}`,
            ),
            ...moreLines(next),
          ].join('\n'),
  });

  const get = defineAction({
    name: 'get_window',
    title: 'Get window',
    does: 'window',
    description: 'One window: title, place, display and stacking position, 0 topmost.',
    effect: 'disclose',
    needs: ['accessibility'],
    input: z.object({ name: nameField }).strict(),
    output: listed.extend({
      application_id: unpublished(z.string()),
      z_index: z.number().int(),
      display: unpublished(z.string().nullable()),
    }),
    subject: () => lookUpSubject('window'),
    plan: async () => planTitles(title('title.read_titles')),
    async run({ desktop }, { name }, signal) {
      const window = await findWindow(desktop, name, signal);
      const [all, state, displays] = await Promise.all([
        desktop.windows(signal),
        desktop.windowState(window.id, signal),
        desktop.displays(signal),
      ]);
      return {
        ...describePlaced(window, state),
        title: window.title,
        application: appName(window.app),
        application_id: window.app.id,
        popup: !window.normal,
        z_index: all.findIndex((one) => one.id === window.id),
        display: displayOf(displays, window),
      };
    },
    text: (one) =>
      `${one.name} ${quote(one.title)} (${one.application_id}) ${placedText(one)}${kindOf(one)}, z ${one.z_index}, ${one.display ?? 'on no display'}`,
  });

  const state = defineAction({
    name: 'get_window_state',
    title: 'Get window state',
    does: 'window',
    description:
      'Flags: resizable, minimizable, closable, modal, floating, hidden, minimized, maximized, fullscreen, focused; null: unknown.',
    effect: 'disclose',
    needs: ['accessibility'],
    input: z.object({ name: nameField }).strict(),
    output: z.object({
      name: z.string(),
      resizable: flag,
      minimizable: flag,
      closable: flag,
      modal: flag,
      floating: flag,
      hidden: flag,
      minimized: flag,
      maximized: flag,
      fullscreen: flag,
      focused: flag,
    }),
    subject: () => lookUpSubject('state'),
    plan: async () => planTitles(title('title.read_titles')),
    async run({ desktop }, { name }, signal) {
      const window = await findWindow(desktop, name, signal);
      return { name: `${windowName(window)}/state`, ...(await desktop.windowState(window.id, signal)) };
    },
    text: ({ name, ...flags }) =>
      `${name}: ${Object.entries(flags)
        .map(([flagName, value]) => `${flagName} ${value === null ? 'unknown' : value ? 'yes' : 'no'}`)
        .join(', ')}`,
  });

  return toolGroup('window', { core: [list], more: [get, state] });
}
