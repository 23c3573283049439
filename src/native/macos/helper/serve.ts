/** The helper's side: answers calls, each with its result or its error. */
import { DesktopError } from '../../desktop.js';
import { verbatim } from '../../../messages/index.js';
import { openCore, type Core } from '../core.js';
import { createMembers } from './members.js';
import type { ErrorMessage, FromHelper, OpenMessage, ServedName, ToHelper } from './messages.js';

export interface HelperChannel {
  post(message: FromHelper): void;
  onMessage(listener: (message: ToHelper<never>) => void): void;
}

type Handler = (...given: never[]) => Promise<unknown>;

export function serveHelper(channel: HelperChannel): void {
  let members: Record<ServedName, Handler> | null = null;
  const running = new Map<number, AbortController>();

  const open = (message: OpenMessage): void => {
    try {
      const core: Core = openCore(message);
      core.runLoop.start();
      members = createMembers(core);
      channel.post({ type: 'ready' });
    } catch (thrown) {
      channel.post({ type: 'unusable', why: String(thrown) });
    }
  };
  const call = async (id: number, member: ServedName, given: readonly never[]): Promise<void> => {
    const abort = new AbortController();
    running.set(id, abort);
    try {
      const handler = members?.[member];
      if (handler === undefined) throw new Error(`${member} was called before the helper was ready`);
      const value: unknown = await Reflect.apply(handler, null, [...given, abort.signal]);
      channel.post({ type: 'result', id, value });
    } catch (thrown) {
      channel.post(errorMessage(id, thrown));
    } finally {
      running.delete(id);
    }
  };
  channel.onMessage((message) => {
    if (message.type === 'open') open(message);
    else if (message.type === 'abort') running.get(message.id)?.abort();
    else void call(message.id, message.member, message.given);
  });
}

function errorMessage(id: number, thrown: unknown): ErrorMessage {
  if (thrown instanceof DesktopError) {
    return { type: 'error', id, code: thrown.code, text: thrown.text, details: thrown.details };
  }
  return { type: 'error', id, code: null, text: verbatim(String(thrown)), details: {} };
}
