import * as z from 'zod';
import type { AnyAction } from '../pipeline/action.js';
import { parseInput } from '../pipeline/define.js';
import type { Caller, Recorder } from '../pipeline/ports.js';
import type { Runner } from '../pipeline/run.js';
import { isControl } from '../pipeline/dependencies.js';
import { confirmSchema, metaSchema } from '../bridge/common.js';
import { NEED_CONFIRM } from '../bridge/flow.js';
import { WireError } from '../protocol/index.js';
import type { AttentionBoard } from '../agents/attention.js';
import type { createConsent } from './consent.js';
import type { CallOptions } from './hub.js';
import { onRecord } from './record-refusal.js';
import { known } from './results.js';

export interface BridgeCallsOptions {
  actions: AnyAction[];
  runner: Runner;
  recorder: Pick<Recorder, 'interrupted' | 'refused'>;
  attention: AttentionBoard;
  consent: ReturnType<typeof createConsent>;
  digest(value: unknown): string;
  /** Folders that serve only callers without a workspace; naming one is refused like any other folder outside the root. */
  reserved: readonly string[];
}

const headSchema = z.looseObject({ meta: metaSchema, confirm: confirmSchema.optional() });
const namedSchema = z.looseObject({ meta: z.looseObject({ requestId: z.string().max(200) }) });

/** desktop.* calls as they come from JSON-RPC: meta and confirmation are taken off here, once, for every method. */
export function createBridgeCalls(options: BridgeCallsOptions) {
  const { runner, recorder, attention, consent, digest } = options;
  const table = new Map(options.actions.map((action) => [action.name, action]));

  async function bridge(
    caller: Caller,
    call: { id: string; method: string; params: unknown },
    { signal, onProgress }: CallOptions,
  ): Promise<unknown> {
    const { id, method, params } = call;
    const who = { caller, tool: method.slice(0, 100), requestId: requestIdIn(params) };
    const { action, meta, confirm, rest, callId } = await onRecord(recorder, who, () => admit(method, params));
    const gate = NEED_CONFIRM.has(method)
      ? consent({ caller, method, params: rest, requestId: meta.requestId, confirm })
      : null;
    const result = await runner.run(action, {
      callId,
      requestId: meta.requestId,
      aliases: [meta.requestId, id],
      caller,
      input: params,
      arguments: rest,
      workspace: meta.workspacePath,
      timeoutMs: meta.timeoutMs,
      gate,
      signal,
      onProgress: (state, message, approvalId) =>
        onProgress({ callId, state, message, ...(approvalId === undefined ? {} : { approvalId }) }),
    });
    return known(result);
  }

  /** Everything that refuses a call before it is run. */
  function admit(method: string, params: unknown) {
    const action = table.get(method);
    if (action === undefined)
      throw new WireError('DESKTOP_INVALID_REQUEST', `There is no method ${method.slice(0, 100)}.`, {
        reason: 'unknown_method',
        methods: [...table.keys()],
      });
    const { meta, confirm, ...rest } = parseInput(headSchema, params, method);
    if (options.reserved.includes(meta.workspacePath))
      throw new WireError('DESKTOP_WORKSPACE_FORBIDDEN', `${meta.workspacePath} is Chaperone’s own folder.`, {
        reason: 'outside',
      });
    const callId = digest([method, meta.requestId, rest]);
    assertKnownOutcome(callId);
    if (isControl(action.effect) || action.effect === 'disclose') attention.assertClear();
    return { action, meta, confirm, rest, callId };
  }

  /** A call that had begun to act when an earlier host died is never run again. */
  function assertKnownOutcome(callId: string): void {
    const before = recorder.interrupted(callId);
    if (before !== null) throw outcomeUnknown(before);
  }

  return { bridge, methods: () => [...table.keys()] };
}

function requestIdIn(params: unknown): string {
  const read = namedSchema.safeParse(params);
  return read.success ? read.data.meta.requestId : '';
}

export function outcomeUnknown({ executionId, startedAt }: { executionId: string; startedAt: string }): WireError {
  return new WireError(
    'DESKTOP_ABORTED',
    `This call began to act at ${startedAt}, and then the host ended; whether it took effect is not known. It was not run again.`,
    {
      reason: 'outcome_unknown',
      executionId,
      next: 'Look at the screen to see what was done, then make a new call (with a new id) for what is missing.',
    },
  );
}
