/** Methods of our own, for the shim: the same tools, with MCP's descriptors and results word for word. Called by the GABP server. */
import * as z from 'zod';
import { claimOf } from '../../protocol/gabp.js';
import { mcpDescriptor } from '../../calls/descriptors.js';
import type { CallOptions, CallToolResult } from '../../calls/types.js';
import { withProgress } from './call-progress.js';
import { PROGRESS, type GabpIdentity, type GabpMethod, type MethodDependencies } from './method.js';
import { parseParams } from './standard-methods.js';

const describeSchema = z.object({ client: z.unknown().optional(), cwd: z.string().nullish() });
const toolsSchema = z.object({ profile: z.enum(['full', 'core']).default('full') });
const callId = z.string().min(1).max(256);
const callSchema = z.object({ callId, name: z.string(), arguments: z.unknown().optional() });
const resumeSchema = z.object({ callId });
const cancelSchema = z.object({ callId, mode: z.enum(['detach', 'abort']) });

export function agentMethods(
  options: MethodDependencies & { identity: GabpIdentity; url: string },
): Map<string, GabpMethod> {
  const { calls, connectionCalls, events, caller, identity, url } = options;
  const run = (id: string, label: string, call: (options: CallOptions) => Promise<CallToolResult>) =>
    connectionCalls.run({ id, label }, (signal) =>
      withProgress(
        (progress) => events.send(PROGRESS, progress),
        (onProgress) => call({ signal, onProgress }),
      ),
    );

  return new Map<string, GabpMethod>([
    [
      'agent/describe',
      (params) => {
        const { client, cwd } = parseParams(describeSchema, params);
        identity.describe(claimOf(client), cwd ?? null);
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
        const made = { ...call, arguments: call.arguments ?? {} };
        return run(id, call.callId, (options) => calls.callTool(caller(), made, options));
      },
    ],
    [
      'agent/resume',
      (params, { id }, onWritten) => {
        const { callId: label } = parseParams(resumeSchema, params);
        onWritten(() => calls.resultWritten(caller(), label));
        return run(id, label, (options) => calls.resume(caller(), label, options));
      },
    ],
    [
      'agent/cancel',
      (params) => {
        const { callId: label, mode } = parseParams(cancelSchema, params);
        const known = calls.cancel(caller(), label, mode);
        const waited = connectionCalls.abandon(label, mode === 'abort' ? 'withdraw' : 'detach');
        return { cancelled: known || waited };
      },
    ],
    ['agent/screens', async () => ({ screens: await calls.screens() })],
  ]);
}
