/** The tool that reads whole element trees. */
import * as z from 'zod';
import { parseRole } from '../../desktop/roles.js';
import { defineAction } from '../../pipeline/define.js';
import type { ReadContext } from '../../pipeline/context.js';
import { alias } from '../parameters.js';
import { parentSchema } from '../places.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import { findSearchPlace, processReadingPlan, readingPlan, readingSubject } from '../elements/query.js';
import { createTargets } from '../elements/target.js';
import { changesTool } from './changes.js';
import { answerOf, answerSchema, answerText } from './answer.js';
import { readTree } from './read.js';
import type { TreeQuery } from './snapshots.js';

export function treeTools(deps: ToolDeps): Tool[] {
  return toolGroup('element', { core: [treeTool(deps)], more: [changesTool(deps)] });
}

const treeTool = (deps: ToolDeps) => {
  const { snapshots } = deps;
  const targets = createTargets(deps);
  return defineAction({
    name: 'get_element_tree',
    title: 'Read elements as a tree',
    description: 'The elements of an application, window or element as indented text, each with its elementId.',
    effect: 'disclose',
    needs: ['accessibility'],
    input: z
      .object({
        parent: parentSchema,
        name: alias(z.string().max(500)),
        element_id: z.string().min(1).max(500).optional().describe('Only what is below it.'),
        max_depth: z.number().int().min(0).max(200).default(60),
        max_nodes: z.number().int().min(1).max(5000).default(500),
        timeout: z.number().min(0.1).max(60).default(10),
        visible_only: z.boolean().default(true),
        roles: z.array(z.string().min(1).max(200)).max(50).optional(),
        format: z.enum(['text', 'nodes']).default('text'),
        since: z.string().min(1).max(100).optional().describe('A snapshot you have: returns what changed since.'),
        activate: alias(z.literal(false)),
      })
      .strict(),
    output: answerSchema,
    subject: readingSubject,
    async plan(ctx, { parent, name, element_id: id }, signal) {
      if (id === undefined) return readingPlan(ctx.desktop, deps.ageOf, parent ?? name, signal);
      const { pid } = await targets.findToRead(ctx, { element_id: id, parent: parent ?? name }, signal);
      return processReadingPlan(ctx.desktop, pid, signal);
    },
    async run(ctx, given, signal) {
      const references = deps.references(ctx.caller.agent.id);
      const parent = given.parent ?? given.name;
      const query: TreeQuery = {
        parent,
        scope: await scopeFor(ctx, parent, given.element_id, signal),
        maxDepth: given.max_depth,
        maxNodes: given.max_nodes,
        timeoutMs: given.timeout * 1000,
        visibleOnly: given.visible_only,
        roles: given.roles?.flatMap(parseRole) ?? null,
      };
      const read = await readTree(ctx.desktop, references, query, signal);
      return answerOf(read, given, { owner: ctx.caller.agent.id, references, snapshots });
    },
    text: answerText,
  });

  async function scopeFor(
    ctx: ReadContext,
    parent: string | undefined,
    id: string | undefined,
    signal: AbortSignal,
  ): Promise<TreeQuery['scope']> {
    if (id === undefined) return (await findSearchPlace(ctx.desktop, parent, ctx.plan?.window ?? null, signal)).scope;
    const element = await targets.findToRead(ctx, { element_id: id, parent }, signal);
    return { pid: element.pid, elementId: element.id };
  }
};
