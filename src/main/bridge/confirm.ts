import * as z from 'zod';
import type { AnyAction } from '../pipeline/action.js';
import { defineAction } from '../pipeline/define.js';
import { TOKEN_TTL_MS } from '../approvals/tokens.js';
import { WireError, subjectWithoutPlace, title } from '../protocol/index.js';
import { requestMetaSchema, peerSchema, type BridgeDeps } from './method.js';
import { message } from '../../messages/index.js';

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
