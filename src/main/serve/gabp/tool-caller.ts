import type { Signal } from '../../../base/signal.js';
import { randomUUID } from 'node:crypto';
import type { Progress } from '../../calls/types.js';
import type { GabpRequest } from '../../protocol/gabp.js';
import { withProgress } from './call-progress.js';
import { PROGRESS, type GabpMethod, type MethodDependencies } from './method.js';
import { toolOutput } from './output.js';

/** Calls a tool for a request, and gives its structured result. Rejects with the tool's failure. */
export type CallTool = (tool: string, args: unknown) => Promise<unknown>;

/** Work that calls tools for one request: their progress carries its id, and its answer confirms what they delivered. */
export const createToolCaller =
  ({ calls, events, caller }: Pick<MethodDependencies, 'calls' | 'events' | 'caller'>) =>
  <T>(
    { id }: GabpRequest,
    onWritten: Parameters<GabpMethod>[2],
    work: (call: CallTool) => Promise<T>,
  ): ((signal: Signal) => Promise<T>) => {
    const tell = (progress: Progress): void => events.publish(PROGRESS, { ...progress, callId: id });
    return (signal) =>
      work(async (name, args) => {
        // Request ids may come again on another connection; a call's id never may, for results are kept by it.
        const made = { callId: randomUUID(), name, arguments: args };
        onWritten(() => calls.resultWritten(caller(), made.callId));
        return toolOutput(
          await withProgress(tell, (onProgress) => calls.callTool(caller(), made, { signal, onProgress })),
        );
      });
  };
