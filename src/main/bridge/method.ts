import * as z from 'zod';
import type { AnyAction } from '../pipeline/action.js';
import { ofRecord } from '../pipeline/audience.js';
import { findPlace, type Place, type DesktopRoute } from '../pipeline/target/scope.js';
import type { HidingReader } from '../pipeline/masked.js';
import { waitUntilStarted, type AgeOf } from '../pipeline/target/wait-until-started.js';
import type { ReferencesOf } from '../pipeline/target/references.js';
import type { ReadContext } from '../pipeline/context.js';
import type { Caller } from '../approvals/request.js';
import type { Executions } from '../pipeline/executions.js';
import { type Message, message } from '../../messages/index.js';
import type { DesktopReader } from '../../native/desktop.js';
import { defineAction } from '../pipeline/define.js';
import { TOKEN_TTL_MS } from '../approvals/tokens.js';
import { WireError, subjectWithoutPlace, title } from '../protocol/index.js';

const CONFIRMED = ['desktop.click', 'desktop.typeText', 'desktop.hotkey'] as const;

/** Methods the contract refuses without a token or phrase. */
export const NEED_CONFIRM: ReadonlySet<string> = new Set(CONFIRMED);

export function confirmActions(deps: BridgeDeps, methods: readonly AnyAction[]): AnyAction[] {
  const abort = defineAction({
    name: 'desktop.abort',
    title: 'Abort',
    description: 'Stops a running or waiting call of the same peer, by execution id, request id or JSON-RPC id.',
    needs: [],
    effect: 'bookkeeping',
    input: z.object({ meta: requestMetaSchema, executionId: z.string().min(1).max(200) }),
    output: z.object({ aborted: z.literal(true), executionId: z.string() }),
    subject: ({ executionId }) => subjectWithoutPlace(title('title.abort'), executionId),
    async run(ctx, { executionId }) {
      try {
        return { aborted: true as const, executionId: deps.executions.abort(ctx.caller, executionId).executionId };
      } catch (thrown) {
        if (!deps.withdraw(ctx.caller, executionId)) throw thrown;
        return { aborted: true as const, executionId };
      }
    },
  });

  const issue = defineAction({
    name: 'desktop.confirm.issue',
    title: 'Issue a confirmation token',
    description:
      'Resolves a click, typeText or hotkey, has the person decide, and returns a one-time token for exactly that.',
    needs: [],
    effect: 'bookkeeping',
    input: z.object({
      meta: requestMetaSchema,
      intent: z.object({ method: z.string().min(1).max(100), params: z.record(z.string(), z.unknown()) }),
      ttlMs: z.number().int().min(1).max(TOKEN_TTL_MS.max).default(TOKEN_TTL_MS.default),
    }),
    output: z.object({
      token: z.uuidv4(),
      expiresAt: z.iso.datetime(),
      scope: z.object({ method: z.string(), paramsDigest: z.string() }),
      peer: peerSchema,
    }),
    subject: ({ intent }) => subjectWithoutPlace(title('title.ask_in_advance', { method: intent.method })),
    async run(ctx, { meta, intent, ttlMs }) {
      const { method, params } = intent;
      const action = NEED_CONFIRM.has(method) ? methods.find(({ name }) => name === method) : undefined;
      if (action === undefined)
        throw new WireError(
          'DESKTOP_INVALID_REQUEST',
          message('error.takes_no_confirmation', { method, methods: CONFIRMED.join(', ') }),
          { reason: 'no_confirm', methods: [...CONFIRMED] },
        );
      const issued = await deps.issue({ ctx, meta, action, params, ttlMs });
      const peer = { pid: ctx.caller.peer.pid, auditTokenDigest: deps.auditTokenDigest(ctx.caller) };
      return {
        token: issued.token,
        expiresAt: issued.expiresAt,
        scope: { method, paramsDigest: issued.paramsDigest },
        peer,
      };
    },
  });

  return [abort, issue];
}

/** Parameter of every method. */
export const requestMetaSchema = z.object({
  schemaVersion: z.literal(1),
  requestId: z.string().min(1).max(200),
  workspacePath: z.string().min(1).max(4096),
  timeoutMs: z.number().int().min(1).max(86_400_000),
});
type Meta = z.infer<typeof requestMetaSchema>;

/** Parameter of click, typeText and hotkey; checked before the pipeline acts. */
export const confirmSchema = z.object({
  token: z.string().max(200).optional(),
  phrase: z.string().max(500).optional(),
  approvedAt: z.string().max(100).optional(),
  approver: z.string().max(500).optional(),
});
export type Confirm = z.infer<typeof confirmSchema>;

export const peerSchema = z.object({ pid: z.number().int(), auditTokenDigest: z.string() });

export const executionIdSchema = ofRecord(z.string());

export const evidenceSchema = ofRecord(
  z.object({
    dir: z.string(),
    screenshotPath: z.string().optional(),
    axPath: z.string().optional(),
    beforeScreenshot: z.string().optional(),
    afterScreenshot: z.string().optional(),
  }),
);

/** Absolute folder with a closing slash, as the contract writes it. */
export function evidenceOf(
  ctx: ReadContext,
  files: Omit<z.infer<typeof evidenceSchema>, 'dir'> = {},
): z.infer<typeof evidenceSchema> {
  return { dir: ctx.evidenceDir === null ? '' : `${ctx.evidenceDir}/`, ...files };
}

export const BEFORE_AND_AFTER = { beforeScreenshot: 'before.png', afterScreenshot: 'after.png' };

interface IssueRequest {
  ctx: ReadContext;
  meta: Meta;
  action: AnyAction;
  params: Record<string, unknown>;
  ttlMs: number;
}

/** What the methods need besides their context. */
export interface BridgeDeps {
  version: string;
  desktop: DesktopReader;
  references: ReferencesOf;
  executions: Executions;
  ageOf: AgeOf;
  withdraw(caller: Caller, id: string): boolean;
  auditTokenDigest(caller: Caller): string;
  /** Why the Mach service is not open; null where it is. */
  serviceClosed(): Message | null;
  issue(request: IssueRequest): Promise<{ token: string; expiresAt: string; paramsDigest: string }>;
}

/** Resolves the route; waits for an application that is starting. */
export const findStartedRoute = (
  desktop: HidingReader,
  ageOf: AgeOf,
  route: DesktopRoute | undefined,
  signal: AbortSignal,
): Promise<Place> => waitUntilStarted(desktop, ageOf, undefined, () => findPlace(desktop, route, signal), signal);

export function routeLabel(route: DesktopRoute | undefined): string | null {
  return route?.app?.bundleId ?? route?.window?.titlePattern ?? null;
}
