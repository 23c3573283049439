import type { TokenStore } from '../approvals/tokens.js';
import type { Runner } from '../pipeline/run.js';
import type { BridgeDeps } from '../bridge/method.js';

interface TokenIssuerOptions {
  runner: Pick<Runner, 'approve'>;
  tokens: Pick<TokenStore, 'issue'>;
  paramsDigest(params: unknown): string;
}

/** desktop.confirm.issue: plans and decides the named call, and binds it to a token. */
export function createTokenIssuer({ runner, tokens, paramsDigest }: TokenIssuerOptions): BridgeDeps['issue'] {
  return async ({ ctx, meta, action, params, ttlMs }) => {
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
      signal: ctx.waitSignal,
      onWaiting: ctx.setWaiting,
    });
    const digest = paramsDigest(rest);
    const { caller, workspace } = ctx;
    const issued = tokens.issue({
      caller,
      method: action.name,
      paramsDigest: digest,
      plan,
      workspace,
      ttlMs,
      decision,
    });
    return { ...issued, paramsDigest: digest.slice(0, 16) };
  };
}
