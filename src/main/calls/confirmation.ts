import type { Caller, Decision } from '../approvals/request.js';
import type { TokenStore } from '../approvals/tokens.js';
import type { Consent } from '../pipeline/dependencies.js';
import type { Confirm, BridgeDeps } from '../bridge/method.js';
import { WireError } from '../protocol/index.js';
import { message, type Message } from '../../messages/index.js';
import type { Runner } from '../pipeline/run.js';

interface ConfirmationOptions {
  tokens: TokenStore;
  /** What a correct phrase is worth now. */
  phraseRule(): 'ask' | 'accept' | 'reject';
  /** The decision an accepted phrase stands for; null where the person is asked all the same. */
  phrase(caller: Caller): Decision | null;
  paramsDigest(params: unknown): string;
}

interface ConfirmedCall {
  caller: Caller;
  method: string;
  /** Without `meta` and `confirm`. */
  params: Record<string, unknown>;
  requestId: string;
  confirm: Confirm | undefined;
}

/** What the pipeline asks once parameters and workspace are valid. */
export type ConfirmationGate = (call: ConfirmedCall) => (workspace: string) => Consent;

/** The contract's gate: a token (wins over a phrase) or one of the two phrases. By default a phrase opens this gate only; the person is still asked. */
export function createConfirmationGate(options: ConfirmationOptions): ConfirmationGate {
  const { tokens, phraseRule, phrase, paramsDigest } = options;
  return ({ caller, method, params, requestId, confirm }) =>
    (workspace) => {
      if (confirm?.token !== undefined) {
        const approved = tokens.spend({
          token: confirm.token,
          caller,
          method,
          paramsDigest: paramsDigest(params),
          workspace,
        });
        return { approved, phrase: null };
      }
      if (confirm?.phrase === undefined) throw refused('missing', message('error.no_confirmation', { method }));
      if (confirm.phrase !== 'CONFIRM' && confirm.phrase !== `CONFIRM:${requestId}`)
        throw refused('mismatch', message('error.wrong_phrase'));
      if (phraseRule() === 'reject') throw refused('policy', message('error.no_phrases'));
      return { approved: null, phrase: phraseRule() === 'accept' ? phrase(caller) : null };
    };
}

const refused = (reason: string, text: Message) => new WireError('DESKTOP_CONFIRM_REQUIRED', text, { reason });

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
