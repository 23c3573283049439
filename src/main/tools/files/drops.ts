import * as z from 'zod';
import { verifyEffect } from '../../pipeline/verify/effect.js';
import { centre, nameOf, plannedElement } from '../../pipeline/target/plans.js';
import { movePointerAlong } from '../../desktop/pointer.js';
import { defineAction } from '../../pipeline/define.js';
import type { DesktopReader, Element, Point } from '../../../native/desktop.js';
import { WireError, subjectWithoutPlace, title } from '../../protocol/index.js';
import { alias, invalidRequest } from '../parameters.js';
import type { ToolDeps } from '../tool.js';
import { createTargets, type GivenTarget } from '../elements/target.js';
import { fileIdentities } from '../../pipeline/file-identity.js';
import { message } from '../../../messages/index.js';
import { ruleError } from '../../protocol/input-errors.js';
import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';

/** Checks of paths in parameters: absolute, normalized, existing. */
export const pathSchema = z
  .string()
  .min(1)
  .max(4096)
  .refine((path) => isAbsolute(path) && !/\p{Cc}/u.test(path), ruleError('input.absolute_path'));

export async function assertPathsExist(paths: readonly string[]): Promise<void> {
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
  const missing = paths.filter((_, index) => found[index] === null);
  if (missing.length > 0)
    throw invalidRequest(message('error.no_such_file', { path: missing.slice(0, 5).join(', ') }), 'no_such_file');
}

export async function assertFile(path: string): Promise<void> {
  await assertPathsExist([path]);
  if (!(await stat(path)).isFile()) throw invalidRequest(message('error.no_file', { path }), 'no_file');
}

/** Throws unless the folder exists and the path is no folder itself. */
export async function assertSavable(path: string): Promise<void> {
  const folder = await stat(dirname(normalize(path))).catch(() => null);
  if (folder === null || !folder.isDirectory())
    throw invalidRequest(message('error.no_such_folder', { path: dirname(path) }), 'no_such_folder');
  const now = await stat(path).catch(() => null);
  // A write would create the file somewhere else.
  if (now === null && (await lstat(path).catch(() => null)) !== null)
    throw invalidRequest(message('error.dangling_link', { path }), 'dangling_link');
  if (now !== null && !now.isFile()) throw invalidRequest(message('error.exists_no_file', { path }), 'no_file');
}

/** Free of links, also for a file that is not there yet. */
export const realPath = (path: string): Promise<string> =>
  realpath(path).catch(async () => join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path)));

/** The path for the card, with the target of links. Compared again before the act, like any text. */
export async function shownPath(path: string): Promise<string> {
  const real = await realPath(path);
  return real === normalize(path) ? path : `${path}\n  → ${real}`;
}

export const shownPaths = async (paths: readonly string[]): Promise<string> =>
  (await Promise.all(paths.map(shownPath))).join('\n');

const DEFAULT_MOVE_S = 0.5;
const id = z.string().min(1).max(500);

export function dropTool(deps: ToolDeps) {
  const targets = createTargets(deps);
  const input = z
    .object({
      element_id: id.optional(),
      file_paths: z.array(pathSchema).min(1).max(100).describe('absolute'),
      duration: z.number().positive().max(10).default(DEFAULT_MOVE_S).describe('seconds'),
      target_element_id: alias(id),
      application: alias(id),
    })
    .strict()
    .refine((given) => (given.element_id ?? given.target_element_id) !== undefined, ruleError('input.drop_place'));
  type Given = z.infer<typeof input>;
  const targetOf = ({ element_id, target_element_id, application }: Given): GivenTarget => ({
    element_id: element_id ?? target_element_id,
    parent: application,
  });
  const dropTitle = ({ file_paths: { length: count } }: Given) => title('title.drop_files', { count });

  return defineAction({
    name: 'drag_files',
    title: 'Drop files',
    step: 'now',
    does: 'drag',
    description: 'Drops files on an element, as if dragged there from a file manager; the application must take them.',
    effect: 'input',
    needs: ['accessibility'],
    input,
    output: z.object({ dropped: z.literal(true), files: z.number().int(), element: z.string() }),
    subject: (given) => subjectWithoutPlace(dropTitle(given), targetOf(given).element_id ?? null),
    async plan(ctx, given, signal) {
      await assertPathsExist(given.file_paths);
      const element = await targets.findToAct(ctx, targetOf(given), signal, given);
      // A grant for an application does not say which files it may be given.
      const more = {
        text: await shownPaths(given.file_paths),
        needsFocus: true,
        alwaysAsk: true,
        does: { kind: 'nothing' as const },
      };
      const plan = await targets.plan(ctx, element, { title: dropTitle(given), ...more }, signal);
      return { ...plan, files: await fileIdentities(given.file_paths) };
    },
    async act(ctx, given, signal) {
      const element = plannedElement(ctx.plan);
      const windowId = ctx.plan?.window?.id;
      if (windowId === undefined) throw notOnScreen(element);
      const at = await visiblePointOf(ctx.desktop, element, signal);
      let accepted = false;
      const drop = async () => {
        const from = await ctx.desktop.pointer(signal);
        await movePointerAlong(ctx.desktop, [from, at], given.duration * 1000, signal);
        ({ accepted } = await ctx.desktop.dropFiles(given.file_paths, windowId, signal));
      };
      const seen = await verifyEffect(ctx, drop, signal);
      ctx.trace({ step: 'drop', files: given.file_paths.length, accepted });
      if (!accepted)
        throw new WireError('DESKTOP_UNSUPPORTED', message('error.drop_refused', { name: nameOf(element) }), {
          reason: 'not_accepted',
          next: 'Open them with the application’s own open command and automate_open_file_dialog.',
        });
      const after = seen.effect === 'confirmed' ? seen.after : ['the application took them'];
      return {
        value: { dropped: true as const, files: given.file_paths.length, element: nameOf(element) },
        effect: { effect: 'confirmed', before: seen.before, after },
      };
    },
    text: ({ files, element }) => `${files} file${files === 1 ? '' : 's'} dropped on “${element}”, which took them.`,
  });
}

/** Its centre, if a hit test there finds the element or a descendant. */
async function visiblePointOf(desktop: DesktopReader, element: Element, signal: AbortSignal): Promise<Point> {
  if (element.frame === null) throw notOnScreen(element);
  const at = centre(element.frame);
  const hit = await desktop.elementAt(at, signal);
  const above = hit === null ? [] : [hit, ...(await desktop.ancestors(hit.id, signal))];
  if (above.some((one) => one.id === element.id)) return at;
  throw new WireError('DESKTOP_TARGET_CHANGED', message('error.something_else_there', { name: nameOf(element) }), {
    reason: 'hit_test',
    point: at,
  });
}

const notOnScreen = (element: Element) =>
  new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.no_place_to_drop', { name: nameOf(element) }), {
    reason: 'no_place',
  });
