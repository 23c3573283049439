import * as z from 'zod';
import { axMatches } from '../desktop/outline.js';
import { planReading } from '../pipeline/target/plans.js';
import { elementRefSchema } from '../pipeline/target/references.js';
import { nullIfNotFound } from '../pipeline/failures.js';
import { findPlace, routeSchema, type DesktopRoute } from '../pipeline/target/scope.js';
import type { AgeOf } from '../pipeline/target/wait-until-started.js';
import { findAll, selectorSchema } from '../pipeline/target/selector.js';
import { defineAction } from '../pipeline/define.js';
import type { PlanContext } from '../pipeline/context.js';
import { poll } from '../../base/poll.js';
import { subjectWithoutPlace, title, WireError } from '../protocol/index.js';
import type { AnyAction } from '../pipeline/action.js';
import {
  evidenceOf,
  evidenceSchema,
  requestMetaSchema,
  routeLabel,
  findStartedRoute,
  type BridgeDeps,
} from './method.js';
import { message } from '../../messages/index.js';

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
