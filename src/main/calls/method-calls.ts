import * as z from 'zod';
import type { AnyAction } from '../pipeline/action.js';
import { parseInput } from '../pipeline/define.js';
import type { Caller } from '../approvals/request.js';
import type { Recorder } from '../evidence/recorder.js';
import type { Runner } from '../pipeline/run.js';
import { isControlEffect, WireError } from '../protocol/index.js';
import { confirmSchema, requestMetaSchema, NEED_CONFIRM } from '../bridge/method.js';
import type { AttentionBoard } from '../agents/attention.js';
import type { ConfirmationGate } from './confirmation.js';
import { assertKnownOutcome, recordRefusal } from './tool-calls.js';
import { resultFields } from './results.js';
import { message } from '../../messages/index.js';

export interface MethodCallsOptions {
  methods: readonly AnyAction[];
  runner: Pick<Runner, 'run'>;
  recorder: Pick<Recorder, 'interrupted' | 'refused'>;
  attention: Pick<AttentionBoard, 'assertClear'>;
  confirmation: ConfirmationGate;
  digest(value: unknown): string;
  /** Folders that serve only callers without a workspace; naming one is refused like any other folder outside the root. */
  reserved: readonly string[];
}

/** `id`: the JSON-RPC id, by which `abort` can name the call. */
export interface MethodCall {
  id: string;
  method: string;
  params: unknown;
}

const headSchema = z.looseObject({ meta: requestMetaSchema, confirm: confirmSchema.optional() });
const requestIdSchema = z.looseObject({ meta: z.looseObject({ requestId: z.string().max(200) }) });

/** desktop.* calls from JSON-RPC. Meta and confirmation are handled here for all methods. */
export function createMethodCalls(options: MethodCallsOptions) {
  const { runner, recorder, attention, confirmation, digest } = options;
  const table = new Map(options.methods.map((action) => [action.name, action]));

  async function callMethod(caller: Caller, { id, method, params }: MethodCall, signal: AbortSignal): Promise<unknown> {
    const who = { caller, tool: method.slice(0, 100), requestId: requestIdIn(params) };
    const { action, meta, confirm, rest, callId } = await recordRefusal(recorder, who, () => admit(method, params));
    const gate = NEED_CONFIRM.has(method)
      ? confirmation({ caller, method, params: rest, requestId: meta.requestId, confirm })
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
    });
    return resultFields(result);
  }

  /** All checks that refuse a call before it runs. */
  async function admit(method: string, params: unknown) {
    const action = table.get(method);
    if (action === undefined)
      throw new WireError(
        'DESKTOP_INVALID_REQUEST',
        message('error.no_such_method', { method: method.slice(0, 100) }),
        {
          reason: 'unknown_method',
          methods: [...table.keys()],
        },
      );
    const { meta, confirm, ...rest } = parseInput(headSchema, params, method);
    if (options.reserved.includes(meta.workspacePath))
      throw new WireError('DESKTOP_WORKSPACE_FORBIDDEN', message('error.own_folder', { path: meta.workspacePath }), {
        reason: 'outside',
      });
    const callId = digest([method, meta.requestId, rest]);
    await assertKnownOutcome(recorder, callId);
    if (isControlEffect(action.effect) || action.effect === 'disclose') attention.assertClear();
    return { action, meta, confirm, rest, callId };
  }

  return { callMethod, names: [...table.keys()] };
}

function requestIdIn(params: unknown): string {
  const read = requestIdSchema.safeParse(params);
  return read.success ? read.data.meta.requestId : '';
}
