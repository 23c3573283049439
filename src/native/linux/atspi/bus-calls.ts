/** Method calls over one connection. Called by bus.ts and direct-connections.ts. */
import { errno } from '../../../base/errno.js';
import type { MessageBus } from 'dbus-native';
import { DesktopError } from '../../desktop.js';
import { message } from '../../../messages/index.js';

/** One listener for each signal, however many calls wait with it: a signal searches all its listeners whenever one is added. */
interface AbortListeners {
  /** Calls `onAbort` when the signal is aborted, until the returned function is called. */
  add(signal: AbortSignal, onAbort: () => void): () => void;
}

interface Waiting {
  listeners: Set<() => void>;
  callAll(): void;
}

export function createAbortListeners(): AbortListeners {
  const bySignal = new WeakMap<AbortSignal, Waiting>();

  function waitingWith(signal: AbortSignal): Waiting {
    const known = bySignal.get(signal);
    if (known !== undefined) return known;
    const listeners = new Set<() => void>();
    const waiting = { listeners, callAll: () => [...listeners].forEach((listener) => listener()) };
    bySignal.set(signal, waiting);
    signal.addEventListener('abort', waiting.callAll, { once: true });
    return waiting;
  }

  return {
    add(signal, onAbort) {
      const { listeners, callAll } = waitingWith(signal);
      listeners.add(onAbort);
      return () => {
        listeners.delete(onAbort);
        if (listeners.size > 0) return;
        // Node keeps a signal that was made of others for as long as somebody listens to it.
        signal.removeEventListener('abort', callAll);
        bySignal.delete(signal);
      };
    },
  };
}

/** An accessible object: the bus name of its application and its path there. */
export interface Ref {
  bus: string;
  path: string;
}

export interface CallOptions {
  signature?: string;
  body?: unknown[];
  /** Milliseconds; {@link CALL_TIMEOUT_MS} when left out. */
  timeout?: number;
  signal?: AbortSignal;
}

export type Invoke = (ref: Ref, member: string, options?: CallOptions) => Promise<unknown[]>;

export const CALL_TIMEOUT_MS = 2000;

/** `isDirect`: the connection is to the application itself, so where it ends the application has gone. */
export function createInvoke(bus: MessageBus, isDirect = false): Invoke {
  const aborts = createAbortListeners();
  return async (ref, member, { signature, body = [], timeout = CALL_TIMEOUT_MS, signal } = {}) => {
    signal?.throwIfAborted();
    const dot = member.lastIndexOf('.');
    const call = {
      ...(isDirect ? {} : { destination: ref.bus }),
      path: ref.path,
      interface: member.slice(0, dot),
      member: member.slice(dot + 1),
      ...(signature === undefined ? {} : { signature, body }),
    };
    return new Promise((resolve, reject) => {
      const stop = signal === undefined ? null : aborts.add(signal, () => reject(signal.reason));
      bus.invoke(call, { timeout }, (error: unknown, ...values: unknown[]) => {
        stop?.();
        if (error === null || error === undefined) return resolve(values);
        reject(isDirect && errno(error) === 'ECONNCLOSED' ? gone(ref, member) : translate(error, ref, member));
      });
    });
  };
}

const GONE_ERRORS = new Set(['ServiceUnknown', 'NameHasNoOwner', 'UnknownObject', 'Disconnected']);

const gone = ({ bus, path }: Ref, member: string): DesktopError =>
  new DesktopError('stale', message('native.element_or_app_gone'), { bus, path, member });

function translate(error: unknown, ref: Ref, member: string): DesktopError {
  const text = error instanceof Error ? error.message : String(error);
  const named = error instanceof Error && 'dbusName' in error ? String(error.dbusName) : '';
  const short = named.slice(named.lastIndexOf('.') + 1);
  const timedOut = errno(error) === 'ETIMEDOUT';
  const details = { bus: ref.bus, path: ref.path, member, error: named };
  if (timedOut) {
    return new DesktopError('not_responding', message('native.app_silent'), details);
  }
  if (short === 'NoReply' || GONE_ERRORS.has(short)) {
    return new DesktopError('stale', message('native.element_or_app_gone'), details);
  }
  if (short.startsWith('Unknown') || short === 'NotSupported' || short === 'InvalidArgs') {
    return new DesktopError('unsupported', message('native.element_cannot', { why: text }), details);
  }
  return new DesktopError('failed', message('native.app_refused', { why: text }), details);
}
