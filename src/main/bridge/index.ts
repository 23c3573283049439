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
  peerSchema,
  findStartedRoute,
} from './method.js';
import { controlActions } from './control.js';
import { title, subjectWithoutPlace, WireError } from '../protocol/index.js';
import * as z from 'zod';
import { axTree, axMatches } from '../desktop/outline.js';
import { planDisclosure, planWindow, planReading } from '../pipeline/target/plans.js';
import { findPlace, routeSchema, type DesktopRoute } from '../pipeline/target/scope.js';
import { defineAction } from '../pipeline/define.js';
import type { Caller } from '../approvals/request.js';
import { readPermissions } from '../pipeline/permissions.js';
import { BRIDGE_SERVICE } from '../protocol/local-command.js';
import { formatEnglish, type Message, message } from '../../messages/index.js';
import { elementRefSchema } from '../pipeline/target/references.js';
import { nullIfNotFound } from '../pipeline/failures.js';
import type { AgeOf } from '../pipeline/target/wait-until-started.js';
import { findAll, selectorSchema } from '../pipeline/target/selector.js';
import type { PlanContext } from '../pipeline/context.js';
import { poll } from '../../base/poll.js';

/** The plan for disclosing the text of controls. A wait may begin before its application runs. */
async function readingPlan(
  { desktop }: PlanContext,
  route: DesktopRoute | undefined,
  ageOf: AgeOf | 'waits',
  signal: AbortSignal,
) {
  const place = await (ageOf === 'waits'
    ? findPlace(desktop, route, signal).catch(nullIfNotFound)
    : findStartedRoute(desktop, ageOf, route, signal));
  const name = routeLabel(route) ?? (place === null ? 'the application in front' : `${place.app.id} ${place.app.pid}`);
  return planReading(desktop, name, place, signal);
}

const words = (route: DesktopRoute | undefined) => ({
  ...subjectWithoutPlace(title('title.read_controls')),
  app: routeLabel(route),
});

export function findActions({ references, ageOf }: Pick<BridgeDeps, 'references' | 'ageOf'>): AnyAction[] {
  const find = defineAction({
    name: 'desktop.find',
    title: 'Find',
    description: 'Elements that fit a selector, starting in the routed application or else the one in front.',
    effect: 'disclose',
    needs: ['accessibility'],
    evidence: 'folder',
    input: z.object({ meta: requestMetaSchema, route: routeSchema.optional(), selector: selectorSchema }),
    output: z.object({
      executionId: z.string(),
      elementRefs: z.array(elementRefSchema),
      matched: z.number().int(),
      truncated: z.object({ depth: z.boolean(), nodes: z.boolean(), time: z.boolean() }),
      evidence: evidenceSchema,
    }),
    subject: ({ route }) => words(route),
    plan: (ctx, { route }, signal) => readingPlan(ctx, route, ageOf, signal),
    async run(ctx, { route, selector }, signal) {
      const found = await findAll(ctx.desktop, route, selector, signal, ctx.plan?.window);
      await ctx.saveEvidence('ax.json', JSON.stringify(axMatches(found.elements, found, found.place), null, 1));
      const elementRefs = found.elements.map(references(ctx.caller.agent.id).refer);
      return {
        executionId: ctx.executionId,
        elementRefs,
        matched: found.matched,
        truncated: found.truncated,
        evidence: evidenceOf(ctx, { axPath: 'ax.json' }),
      };
    },
  });

  const waitUntil = defineAction({
    name: 'desktop.waitUntil',
    title: 'Wait until',
    description: 'Waits until an element that fits a selector exists; DESKTOP_TIMEOUT when the time is over.',
    effect: 'disclose',
    needs: ['accessibility'],
    evidence: 'folder',
    input: z.object({
      meta: requestMetaSchema,
      route: routeSchema.optional(),
      condition: z.object({ selectorExists: selectorSchema }).strict(),
      pollMs: z.number().int().min(10).max(60_000).default(500),
      timeoutMs: z.number().int().min(1).max(86_400_000),
    }),
    output: z.object({
      executionId: z.string(),
      ok: z.literal(true),
      matched: z.number().int(),
      elapsedMs: z.number().int(),
      evidence: evidenceSchema,
    }),
    subject: ({ route }) => words(route),
    plan: (ctx, { route }, signal) => readingPlan(ctx, route, 'waits', signal),
    async run(ctx, { route, condition, pollMs, timeoutMs }, signal) {
      const start = performance.now();
      const elapsed = () => Math.round(performance.now() - start);
      const look = async () => {
        const { selectorExists } = condition;
        const found = await findAll(ctx.desktop, route, selectorExists, signal, ctx.plan?.window).catch(nullIfNotFound);
        return found !== null && found.matched > 0 ? found : null;
      };
      const found = await poll(look, timeoutMs, signal, pollMs);
      if (found === null)
        throw new WireError('DESKTOP_TIMEOUT', message('error.none_in_time', { limit: timeoutMs }), {
          reason: 'condition',
          timeoutMs,
          elapsedMs: elapsed(),
          executionId: ctx.executionId,
        });
      await ctx.saveEvidence('ax.json', JSON.stringify(axMatches(found.elements, found, found.place), null, 1));
      return {
        executionId: ctx.executionId,
        ok: true as const,
        matched: found.matched,
        elapsedMs: elapsed(),
        evidence: evidenceOf(ctx, { axPath: 'ax.json' }),
      };
    },
  });

  return [find, waitUntil];
}

const input = z.object({ meta: requestMetaSchema });
const state = z.enum(['granted', 'missing', 'stale', 'unknown']);
const detail = z.object({ granted: z.boolean(), required: z.boolean(), purpose: z.string() });

const PURPOSES = { accessibility: 'Read and operate windows and controls', screenRecording: 'Take screenshots' };

function healthActions(deps: BridgeDeps): AnyAction[] {
  const peer = (caller: Caller) => ({ pid: caller.peer.pid, auditTokenDigest: deps.auditTokenDigest(caller) });

  const health = defineAction({
    name: 'desktop.health',
    title: 'Health',
    description: 'Host version, platform and permission states. Never raises a prompt.',
    needs: [],
    effect: 'read',
    input,
    output: z.object({
      hostVersion: z.string(),
      macos: z.string(),
      platform: z.string(),
      permissions: z.object({ accessibility: state, screenRecording: state }),
      bridge: z.object({
        service: z.string(),
        schemaVersion: z.literal(1),
        doors: z.array(z.enum(['service', 'socket'])),
        serviceClosed: z.string().nullable(),
      }),
      peer: peerSchema,
    }),
    subject: () => subjectWithoutPlace(title('title.check_health')),
    async run(ctx, _input, signal) {
      const { platform, version } = deps.desktop;
      const { permissions } = await readPermissions(deps.desktop, signal);
      const macos = platform === 'macos' ? version : 'n/a';
      return {
        hostVersion: deps.version,
        macos,
        platform: `${platform}, ${version}`,
        permissions,
        bridge: { service: BRIDGE_SERVICE, schemaVersion: 1 as const, ...doors(deps.serviceClosed()) },
        peer: peer(ctx.caller),
      };
    },
  });

  const doctor = defineAction({
    name: 'desktop.doctor',
    title: 'Doctor',
    description: 'Each permission with its purpose, what is wrong, and who is calling.',
    needs: [],
    effect: 'read',
    input,
    output: z.object({
      permissions: z.object({ accessibility: detail, screenRecording: detail }),
      issues: z.array(z.string()),
      healthy: z.boolean(),
      peer: peerSchema,
    }),
    subject: () => subjectWithoutPlace(title('title.check_permissions')),
    async run(ctx, _input, signal) {
      const { permissions: states, trouble } = await readPermissions(deps.desktop, signal);
      const describe = (name: keyof typeof PURPOSES) => ({
        granted: states[name] === 'granted',
        required: true,
        purpose: PURPOSES[name],
      });
      const names = { accessibility: 'Accessibility', screenRecording: 'Screen Recording' };
      const lacking = (['accessibility', 'screenRecording'] as const)
        .filter((name) => states[name] !== 'granted')
        .map(
          (name) =>
            `${names[name]} permission ${states[name] === 'stale' ? 'stale: it is listed for an older build; remove it and grant it again' : 'denied'}`,
        );
      const issues = trouble === null ? lacking : [formatEnglish(trouble)];
      const permissions = { accessibility: describe('accessibility'), screenRecording: describe('screenRecording') };
      return { permissions, issues, healthy: issues.length === 0, peer: peer(ctx.caller) };
    },
  });

  return [health, doctor];
}

/** How callers reach this host. */
function doors(serviceClosed: Message | null) {
  const socket = 'socket' as const;
  return {
    doors: serviceClosed === null ? ['service' as const, socket] : [socket],
    serviceClosed: serviceClosed === null ? null : formatEnglish(serviceClosed),
  };
}

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
