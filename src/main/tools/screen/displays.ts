import * as z from 'zod';
import { defineAction } from '../../pipeline/define.js';
import { rectSchema, subjectWithoutPlace, title } from '../../protocol/index.js';
import { contains } from '../../../base/rect.js';
import type { Display } from '../../../native/desktop.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import { resolveDisplay } from '../geometry.js';
import { listSubject, lookUpSubject } from '../listing.js';
import { moreLines, pageFields, pageResult } from '../paging.js';

const displaySchema = z.object({ name: z.string(), frame: rectSchema, scale: z.number(), main: z.boolean() });
type Shown = z.infer<typeof displaySchema>;

const shown = ({ id, frame, scale, main }: Display): Shown => ({ name: `displays/${id}`, frame, scale, main });
const line = ({ name, frame: { x, y, width, height }, scale, main }: Shown): string =>
  `${name} ${width}×${height} at (${x}, ${y}), scale ${scale}${main ? ', main' : ''}`;

export function displayTools({ pages }: ToolDeps): Tool[] {
  const list = defineAction({
    name: 'list_displays',
    title: 'List displays',
    description: 'Displays with frame (global points, may be negative) and scale (pixels per point).',
    effect: 'read',
    needs: [],
    input: z.object(pageFields).strict(),
    output: z.object({ displays: z.array(displaySchema), ...pageResult }),
    subject: () => listSubject('displays'),
    async run({ desktop, caller }, given, signal) {
      const all = async () => (await desktop.displays(signal)).map(shown);
      const { items, ...page } = await pages.page(caller, 'list_displays', given, all);
      return { displays: items, ...page };
    },
    text: ({ displays, next_page_token: next }) => [...displays.map(line), ...moreLines(next)].join('\n'),
  });

  const get = defineAction({
    name: 'get_display',
    title: 'Get display',
    description: 'One display: frame in global points, scale in pixels per point.',
    effect: 'read',
    needs: [],
    input: z.object({ name: z.string().min(1).max(200).describe('displays/{id}') }).strict(),
    output: displaySchema,
    subject: ({ name }) => lookUpSubject('display', name),
    run: async ({ desktop }, { name }, signal) => shown(await resolveDisplay(desktop, name, signal)),
    text: line,
  });

  const cursor = defineAction({
    name: 'cursor_position',
    title: 'Pointer position',
    description: 'Where the pointer is, in global points, and on which display.',
    effect: 'read',
    needs: [],
    input: z.object({}).strict(),
    output: z.object({ x: z.number(), y: z.number(), display: z.string().nullable() }),
    subject: () => subjectWithoutPlace(title('title.look_for_pointer')),
    async run({ desktop }, _input, signal) {
      const [{ x, y }, displays] = await Promise.all([desktop.pointer(signal), desktop.displays(signal)]);
      const on = displays.find(({ frame }) => contains(frame, { x, y }));
      return { x, y, display: on === undefined ? null : `displays/${on.id}` };
    },
    text: ({ x, y, display }) => `(${x}, ${y}) on ${display ?? 'no display'}.`,
  });

  return toolGroup('screen', { more: [list, get, cursor] });
}
