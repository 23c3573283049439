/** Methods of our own, for the shim: the same tools, with MCP's descriptors and results word for word. Called by the GABP server. */
import * as z from 'zod';
import { claimOf } from '../../protocol/gabp.js';
import { mcpDescriptor } from '../../calls/descriptors.js';
import type { CallOptions, CallToolResult } from '../../calls/types.js';
import { isPlainResult } from '../../mcp/results.js';
import { withProgress } from './call-progress.js';
import { PROGRESS, type GabpIdentity, type GabpMethod, type MethodDependencies } from './method.js';
import { parseParams } from './standard-methods.js';

const describeSchema = z.object({
  client: z.unknown().optional(),
  cwd: z.string().nullish(),
  /** Only of a shim on another machine. */
  session: z.string().min(32).max(256).nullish(),
  /** What that machine calls itself. */
  machine: z.string().max(255).nullish(),
});
const toolsSchema = z.object({ profile: z.enum(['full', 'core']).default('full') });
const callId = z.string().min(1).max(256);
/** The peer passes the result on without reading it. */
const relay = z.boolean().default(false);
const callSchema = z.object({ callId, name: z.string(), arguments: z.unknown().optional(), relay });
const resumeSchema = z.object({ callId, relay });
const pathSchema = z.object({ path: z.string() });
const completeSchema = z.object({ argument: z.string().max(100), value: z.string().max(1_000) });
const answerSchema = z.object({ callId, text: z.string().min(1) });
/** `left`: whoever called reads no result any more, also where it was written already. */
const cancelSchema = z.object({ callId, mode: z.enum(['detach', 'abort']), left: z.boolean().default(false) });

export function agentMethods(
  options: MethodDependencies & { identity: GabpIdentity; url: string },
): Map<string, GabpMethod> {
  const { calls, connectionCalls, events, caller, identity, url } = options;
  const run = async (
    id: string,
    { callId: label, relay }: { callId: string; relay: boolean },
    call: (options: CallOptions) => Promise<CallToolResult>,
  ): Promise<CallToolResult | { relay: CallToolResult }> => {
    const result = await connectionCalls.run({ id, label }, (signal) =>
      withProgress(
        (progress) => events.send(PROGRESS, progress),
        (onProgress) => call({ signal, onProgress }),
      ),
    );
    return relay && isPlainResult(result) ? { relay: result } : result;
  };

  return new Map<string, GabpMethod>([
    [
      'agent/describe',
      (params) => {
        const { client, cwd, session, machine } = parseParams(describeSchema, params);
        const claim = [claimOf(client), machine].filter((part) => part != null && part !== '').join(' @ ') || null;
        identity.describe({ claim, cwd: cwd ?? null, session: session ?? null });
        const { id, name } = caller().agent;
        return { agent: { id, name }, url };
      },
    ],
    ['agent/tools', (params) => ({ tools: calls.tools(parseParams(toolsSchema, params).profile).map(mcpDescriptor) })],
    [
      'agent/call',
      (params, { id }, onWritten) => {
        const call = parseParams(callSchema, params);
        onWritten(() => calls.resultWritten(caller(), call.callId));
        const made = { callId: call.callId, name: call.name, arguments: call.arguments ?? {} };
        return run(id, call, (options) => calls.callTool(caller(), made, options));
      },
    ],
    [
      'agent/resume',
      (params, { id }, onWritten) => {
        const call = parseParams(resumeSchema, params);
        onWritten(() => calls.resultWritten(caller(), call.callId));
        return run(id, call, (options) => calls.resume(caller(), call.callId, options));
      },
    ],
    [
      'agent/cancel',
      (params) => {
        const { callId: label, mode, left } = parseParams(cancelSchema, params);
        if (left) calls.notReceived(caller(), label);
        const known = calls.cancel(caller(), label, mode);
        const waited = connectionCalls.abandon(label, mode === 'abort' ? 'withdraw' : 'detach');
        return { cancelled: known || waited };
      },
    ],
    ['agent/resources', () => ({ resources: calls.resources(caller()), templates: calls.resourceTemplates() })],
    ['agent/resource', (params) => ({ target: calls.resource(caller(), parseParams(pathSchema, params).path) })],
    [
      'agent/answer',
      (params) => {
        const { callId: label, text } = parseParams(answerSchema, params);
        return { answered: calls.answer(caller(), label, text) };
      },
    ],
    [
      'agent/complete',
      async (params) => {
        const { argument, value } = parseParams(completeSchema, params);
        return { values: await calls.complete(caller(), argument, value) };
      },
    ],
    ['agent/screens', async () => ({ screens: await calls.screens() })],
  ]);
}
