/**
 * Most of what a reading asks for was asked for by the last reading of the same kind, in the same order, each after the answer to the
 * one before. So that list is sent at once when a reading begins, and each of its requests takes the answer to that. Nothing is kept
 * from one reading to the next but what was asked. Called by bus.ts.
 */
import { LRUCache } from 'lru-cache';
import type { CallOptions, Invoke, Ref } from './bus-calls.js';

export interface ReadAhead {
  /** Sends what was not sent ahead. */
  invoke: Invoke;
  /**
   * `names`: of what is read, from the exact one to the most general; the first that is known counts. Calls belong to the reading by
   * `signal`, which no other reading has. One within another, once it is known what is read: what is new in its list is sent, too.
   */
  reading<T>(names: readonly string[], signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

type Send = (signal: AbortSignal) => Promise<unknown[]>;

interface Reading {
  /** By request; only the first of its kind in this reading, since a later one may be there to see a change. */
  asked: Map<string, Send>;
  ahead: Map<string, Promise<unknown[]>>;
}

const MAX_READINGS = 64;
/** A longer list is of a large tree, most of which is asked for in parallel anyway. */
const MAX_REQUESTS = 400;
/** After a longer reading its requests were given little time, too little for the next one. */
const MAX_READING_MS = 500;
/** No request that changes anything, in an application or in the answer to the next request, is ever sent ahead. */
const READS = /^org\.(?:a11y\.atspi\.\w+|freedesktop\.DBus\.Properties)\.Get\w*$/;

export function createReadAhead(send: Invoke): ReadAhead {
  const open = new WeakMap<AbortSignal, Reading>();
  const lists = new LRUCache<string, ReadonlyMap<string, Send>>({ max: MAX_READINGS });

  const sendAhead = (names: readonly string[], signal: AbortSignal, { asked, ahead }: Reading): void => {
    const known = names.map((name) => lists.get(name)).find((list) => list !== undefined) ?? new Map<string, Send>();
    for (const [request, ask] of known) {
      if (asked.has(request) || ahead.has(request)) continue;
      const answer = ask(signal);
      answer.catch(() => {});
      ahead.set(request, answer);
    }
  };

  return {
    invoke: (ref, member, options = {}) => {
      const reading = options.signal === undefined ? undefined : open.get(options.signal);
      if (reading === undefined || !READS.test(member)) return send(ref, member, options);
      const request = requestOf(ref, member, options);
      if (!reading.asked.has(request))
        reading.asked.set(request, (signal) => send(ref, member, { ...options, signal }));
      const answer = reading.ahead.get(request);
      reading.ahead.delete(request);
      return answer ?? send(ref, member, options);
    },
    reading: async (names, signal, work) => {
      const outer = open.get(signal);
      const own: Reading = outer ?? { asked: new Map(), ahead: new Map() };
      sendAhead(names, signal, own);
      const began = performance.now();
      open.set(signal, own);
      let list: Reading['asked'] | undefined;
      try {
        const found = await work();
        if (own.asked.size <= MAX_REQUESTS && performance.now() - began <= MAX_READING_MS) list = own.asked;
        return found;
      } finally {
        if (outer === undefined) open.delete(signal);
        for (const name of names) lists.set(name, list);
      }
    },
  };
}

const requestOf = ({ bus, path }: Ref, member: string, { body = [] }: CallOptions): string =>
  `${bus}${path} ${member} ${JSON.stringify(body)}`;
