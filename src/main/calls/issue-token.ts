import type { AnyAction } from '../pipeline/action.js';
import type { Tokens } from '../pipeline/ports.js';
import type { Runner } from '../pipeline/run.js';
import type { BridgeDeps } from '../bridge/common.js';
import { WireError } from '../protocol/index.js';

export interface IssuerOptions {
  runner: Runner;
  tokens: Tokens;
  paramsDigest(params: unknown): string;
}

/** desktop.confirm.issue: the named call is planned, decided, and frozen into a token. The table it looks in is given once it is built. */
export function createIssuer({ runner, tokens, paramsDigest }: IssuerOptions): {
  serve(actions: AnyAction[]): void;
  issue: BridgeDeps['issue'];
} {
  const table = new Map<string, AnyAction>();

  return {
    serve(actions) {
      for (const action of actions) table.set(action.name, action);
    },
    async issue({ ctx, meta, method, params, ttlMs }) {
      const action = table.get(method);
      if (action === undefined)
        throw new WireError('DESKTOP_INVALID_REQUEST', `There is no method ${method.slice(0, 100)}.`, {
          reason: 'unknown_method',
        });
      const { meta: _meta, confirm: _confirm, ...rest } = params;
      const { plan, decision } = await runner.approve(action, {
        callId: `${ctx.callId}:issue`,
        requestId: meta.requestId,
        aliases: [],
        caller: ctx.caller,
        input: { ...rest, meta },
        arguments: rest,
        workspace: ctx.workspace,
        timeoutMs: null,
        gate: null,
        signal: ctx.wait,
        onProgress: (state, message) => ctx.progress(state, message),
      });
      const digest = paramsDigest(rest);
      const issued = tokens.issue({
        caller: ctx.caller,
        method,
        paramsDigest: digest,
        plan,
        workspace: ctx.workspace,
        ttlMs,
        decision,
      });
      return { ...issued, paramsDigest: digest.slice(0, 16) };
    },
  };
}
