/** The helper's side: answers calls, each with its result or its error. */
import { DesktopError } from '../../desktop.js';
import { verbatim } from '../../../messages/index.js';
import { openCore, type Core } from '../core.js';
import { createMembers, type Members } from './members.js';
import type { ErrorMessage, FromHelper, OpenMessage, ServedName, ToHelper } from './messages.js';

export interface HelperChannel {
  post(message: FromHelper): void;
  onMessage(listener: (message: ToHelper<never>) => void): void;
}

type Handler = (...given: never[]) => Promise<unknown>;

interface Running {
  abort: AbortController;
  ended: Promise<void>;
}

export function serveHelper(channel: HelperChannel) {
  let core: Core | null = null;
  let members: Members | null = null;
  const running = new Map<number, Running>();

  const open = (message: OpenMessage): void => {
    try {
      core = openCore(message);
      core.runLoop.start();
      members = createMembers(core, (told) => channel.post({ type: 'told', told }));
      channel.post({ type: 'ready' });
    } catch (thrown) {
      channel.post({ type: 'unusable', why: String(thrown) });
    }
  };
  const call = async (id: number, member: ServedName, given: readonly never[], signal: AbortSignal): Promise<void> => {
    try {
      const handler: Handler | undefined = members?.served[member];
      if (handler === undefined) throw new Error(`${member} was called before the helper was ready`);
      const value: unknown = await Reflect.apply(handler, null, [...given, signal]);
      channel.post({ type: 'result', id, value });
    } catch (thrown) {
      channel.post(errorMessage(id, thrown));
    }
  };
  channel.onMessage((message) => {
    if (message.type === 'open') open(message);
    else if (message.type === 'ping') channel.post({ type: 'alive' });
    else if (message.type === 'abort') running.get(message.id)?.abort.abort();
    else {
      const abort = new AbortController();
      const { id, member, given } = message;
      const ended = call(id, member, given, abort.signal).finally(() => running.delete(id));
      running.set(id, { abort, ended });
    }
  });
  return {
    /** Nothing stays pressed where the host ended without a word. */
    letGo: (): void => members?.letGo(),
    /** Lets calls that run end, then gives back to the system what it holds for this process. */
    async close(): Promise<void> {
      for (const { abort } of running.values()) abort.abort();
      await Promise.all([...running.values()].map(({ ended }) => ended));
      members?.close();
      core?.close();
      [members, core] = [null, null];
    },
  };
}

function errorMessage(id: number, thrown: unknown): ErrorMessage {
  if (thrown instanceof DesktopError) {
    return { type: 'error', id, code: thrown.code, text: thrown.text, details: thrown.details };
  }
  return { type: 'error', id, code: null, text: verbatim(String(thrown)), details: {} };
}
