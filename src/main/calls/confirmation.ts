import type { Caller, Decision } from '../approvals/request.js';
import type { TokenStore } from '../approvals/tokens.js';
import type { Consent } from '../pipeline/dependencies.js';
import type { Confirm } from '../bridge/method.js';
import { WireError } from '../protocol/index.js';
import { message, type Message } from '../../messages/index.js';

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
