/**
 * The desktop.* methods of the bridge contract, as actions. `host/` builds them; `calls/` runs them for JSON-RPC clients through the
 * pipeline. A method never asks for approval, writes evidence or acts on the desktop except through its context.
 */
import type { AnyAction } from '../pipeline/action.js';
import {
  type BridgeDeps,
  evidenceOf,
  evidenceSchema,
  requestMetaSchema,
  routeLabel,
  confirmActions,
} from './method.js';
import { controlActions } from './control.js';
import { findActions } from './find.js';
import { healthActions } from './health.js';
import { title, subjectWithoutPlace } from '../protocol/index.js';
import * as z from 'zod';
import { axTree } from '../desktop/outline.js';
import { planDisclosure, planWindow } from '../pipeline/target/plans.js';
import { findPlace, routeSchema } from '../pipeline/target/scope.js';
import { defineAction } from '../pipeline/define.js';

export function bridgeActions(deps: BridgeDeps): AnyAction[] {
  const control = controlActions(deps);
  return [...healthActions(deps), observe, ...findActions(deps), ...control, ...confirmActions(deps, control)];
}

const options = z.object({
  includeScreenshot: z.boolean().default(true),
  includeAxTree: z.boolean().default(true),
  axMaxDepth: z.number().int().min(1).max(200).default(8),
  axMaxNodes: z.number().int().min(1).max(50_000).default(2000),
});

const TREE_MS = 10_000;

const observe = defineAction({
  name: 'desktop.observe',
  title: 'Observe',
  description: 'A screenshot and the accessibility tree of an application, written to evidence.',
  effect: 'disclose',
  needs: ['accessibility', 'screenRecording'],
  evidence: 'folder',
  input: z.object({ meta: requestMetaSchema, route: routeSchema.optional(), options: options.optional() }),
  output: z.object({
    executionId: z.string(),
    routeResolved: z.object({ frontmostBundleId: z.string(), windowTitle: z.string().nullable() }),
    evidence: evidenceSchema,
    truncated: z.object({ depth: z.boolean(), nodes: z.boolean(), time: z.boolean() }).nullable(),
  }),
  subject: ({ route }) => ({ ...subjectWithoutPlace(title('title.look_at_screen')), app: routeLabel(route) }),
  async plan({ desktop }, { route }, signal) {
    const { app, window } = await findPlace(desktop, route, signal);
    if (route !== undefined && window !== null) return planWindow(window, { title: title('title.look_at_window') });
    const display = (await desktop.displays(signal)).find((one) => one.main);
    const rect = display?.frame ?? { x: 0, y: 0, width: 0, height: 0 };
    return planDisclosure(
      { title: title('title.look_at_screen') },
      { app: app.name, place: window?.title ?? null, rect },
    );
  },
  async run(ctx, { route, options: given }, signal) {
    const chosen = options.parse(given ?? {});
    const place = await findPlace(ctx.desktop, route, signal);
    const { app, window } = place;
    const files: { screenshotPath?: string; axPath?: string } = {};
    let truncated = null;
    if (chosen.includeAxTree) {
      const limits = { maxDepth: chosen.axMaxDepth, maxNodes: chosen.axMaxNodes, timeoutMs: TREE_MS };
      const tree = await ctx.desktop.tree(place.scope, limits, signal);
      truncated = tree.truncated;
      await ctx.saveEvidence('ax.json', JSON.stringify(axTree(tree, place), null, 1));
      files.axPath = 'ax.json';
    }
    if (chosen.includeScreenshot) {
      const target =
        route !== undefined && window !== null
          ? { kind: 'window' as const, windowId: window.id }
          : { kind: 'display' as const };
      const picture = await ctx.desktop.capture(target, signal);
      await ctx.saveEvidence('observe.png', await ctx.imaging.png(picture));
      picture.rgb.release?.();
      files.screenshotPath = 'observe.png';
    }
    const routeResolved = { frontmostBundleId: app.id, windowTitle: window?.title ?? null };
    return { executionId: ctx.executionId, routeResolved, evidence: evidenceOf(ctx, files), truncated };
  },
});
