/** The host's side: one helper at a time, a limit for each call, and a new helper where one hangs or ends. */
import { createEmitter } from '../../../base/emitter.js';
import { abortable } from '../../../base/poll.js';
import { DesktopError } from '../../desktop.js';
import { message, type Message } from '../../../messages/index.js';
import type { LibraryPaths } from '../calls/libraries.js';
import type { FromHelper, Given, Result, ServedName, Told } from './messages.js';
import type { HelperProcess } from './process.js';

export interface HelperClient {
  /** Rejects with `not_responding` after `limitMs`: the helper is ended then, and another one answers the next call. */
  call<Name extends ServedName>(
    member: Name,
    given: Given<Name>,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<Result<Name>>;
  /** Ends the helper, calls that wait included, and starts another: it sees what this process has been allowed meanwhile. */
  renew(): void;
  /** Told without being asked. */
  onTold(listener: (told: Told) => void): () => void;
  /** A helper is ready: the first, and each that takes its place (`again`). */
  onReady(listener: (again: boolean) => void): () => void;
  /** No helper can be had any more. */
  onLost(listener: (reason: Message) => void): () => void;
  /** Calls reject with the reason from then on. */
  close(reason?: Message): void;
}

export interface HelperOptions {
  start(): HelperProcess;
  /** Of stand-ins, in tests. */
  libraries?: LibraryPaths;
  /** When each helper is asked for a sign of life; tests do it by hand. */
  every?: Every;
}

interface Running {
  process: HelperProcess;
  /** Resolves once it is ready; rejects where it cannot work or has ended. */
  ready: Promise<void>;
  /** By the ids of their calls. */
  waiting: Map<number, Waiting>;
  /** Once it is ready. */
  heartbeat: Heartbeat | null;
}

interface Waiting {
  answered(reply: FromHelper<never>): void;
  failed(error: DesktopError): void;
}

/** In a row, without one that became ready. */
const MOST_FAILED_STARTS = 3;
const START_LIMIT_MS = 10_000;

export function openHelperClient({ start, libraries, every }: HelperOptions): HelperClient {
  const losses = createEmitter<Message>();
  const tellings = createEmitter<Told>();
  const starts = createEmitter<boolean>();
  let wasReady = false;
  let generation = 0;
  let nextId = 1;
  let failedStarts = 0;
  let lost: DesktopError | null = null;
  let current: Running = startOne();

  return {
    onLost: losses.on,
    onTold: tellings.on,
    onReady: starts.on,
    async call(member, given, limitMs, signal) {
      signal.throwIfAborted();
      if (lost !== null) throw lost;
      const running = current;
      await abortable(running.ready, signal);
      return send<Result<typeof member>>(running, member, given, limitMs, signal);
    },
    renew() {
      if (lost !== null) return;
      failedStarts = 0;
      replace(current, new DesktopError('failed', message('native.helper_replaced')));
    },
    close(reason = message('display.closed')) {
      lost ??= new DesktopError('lost', reason);
      end(current, lost);
    },
  };

  function startOne(): Running {
    const process = start();
    const waiting = new Map<number, Waiting>();
    let becomeReady: () => void = () => undefined;
    let fail: (error: DesktopError) => void = () => undefined;
    const ready = new Promise<void>((resolve, reject) => ([becomeReady, fail] = [resolve, reject]));
    // It is told to who calls, and perhaps nobody does.
    ready.catch(() => undefined);
    const running: Running = { process, ready, waiting, heartbeat: null };
    const limit = setTimeout(() => replace(running, ended('no answer')), START_LIMIT_MS);
    process.onMessage((reply) => {
      running.heartbeat?.heard();
      if (reply.type === 'ready') {
        running.heartbeat = beat(running);
        clearTimeout(limit);
        failedStarts = 0;
        becomeReady();
        starts.emit(wasReady);
        wasReady = true;
      } else if (reply.type === 'told') tellings.emit(reply.told);
      else if (reply.type === 'unusable') lose(message('native.helper_unusable', { why: reply.why }));
      else if (reply.type !== 'alive') waiting.get(reply.id)?.answered(reply);
    });
    process.onEnd((how) => {
      clearTimeout(limit);
      const error = lost ?? ended(how);
      replace(running, error);
      fail(lost ?? error);
    });
    process.post({ type: 'open', generation: ++generation, ...(libraries === undefined ? {} : { libraries }) });
    return running;
  }

  function beat(running: Running): Heartbeat {
    return createHeartbeat({
      ask: () => running.process.post({ type: 'ping' }),
      busy: () => running.waiting.size > 0,
      onSilent: () => replace(running, new DesktopError('failed', message('native.helper_replaced'))),
      every,
    });
  }

  function lose(reason: Message): void {
    if (lost !== null) return;
    lost = new DesktopError('lost', reason);
    end(current, lost);
    losses.emit(reason);
  }

  /** Only once for each: one that was ended for hanging ends a moment later. */
  function replace(running: Running, error: DesktopError): void {
    end(running, error);
    if (running !== current || lost !== null) return;
    if (++failedStarts > MOST_FAILED_STARTS) lose(error.text);
    else current = startOne();
  }

  function end({ process, waiting, heartbeat }: Running, error: DesktopError): void {
    heartbeat?.stop();
    process.kill();
    const all = [...waiting.values()];
    waiting.clear();
    for (const each of all) each.failed(error);
  }

  function send<Value>(
    running: Running,
    member: ServedName,
    given: unknown[],
    limitMs: number,
    signal: AbortSignal,
  ): Promise<Value> {
    const { process, waiting } = running;
    const id = nextId++;
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        failed(new DesktopError('not_responding', message('native.app_silent')));
        replace(running, new DesktopError('failed', message('native.helper_replaced')));
      }, limitMs);
      const settle = (): void => {
        clearTimeout(limit);
        signal.removeEventListener('abort', abort);
        waiting.delete(id);
      };
      const failed = (error: DesktopError): void => {
        settle();
        reject(error);
      };
      // Its limit goes on: a helper that hangs in it could answer nothing else.
      const abort = (): void => {
        process.post({ type: 'abort', id });
        reject(signal.reason);
      };
      const answered = (reply: FromHelper<never>): void => {
        settle();
        if (reply.type === 'result') resolve(reply.value);
        else reject(errorOf(reply));
      };
      waiting.set(id, { answered, failed });
      signal.addEventListener('abort', abort, { once: true });
      process.post({ type: 'call', id, member, given });
    });
  }
}

const ended = (how: string): DesktopError => new DesktopError('failed', message('native.helper_ended', { how }));

function errorOf(reply: FromHelper): Error {
  if (reply.type !== 'error') return new Error('the helper answered another call');
  if (reply.code !== null) return new DesktopError(reply.code, reply.text, reply.details);
  return new Error('the helper failed', { cause: reply.text });
}

/** Notices a helper that hangs while it is asked nothing. */

interface Heartbeat {
  /** Anything that came from the helper is a sign of life. */
  heard(): void;
  stop(): void;
}

interface HeartbeatOptions {
  /** Has the helper give a sign; one that works in a call gives it after that. */
  ask(): void;
  /** A call runs: it has a limit of its own, however long it takes. */
  busy(): boolean;
  /** Called once. */
  onSilent(): void;
  /** Calls `beat` again and again until it is stopped; tests beat by hand. */
  every?: Every | undefined;
}

type Every = (beat: () => void) => () => void;

const BEAT_MS = 5000;
/** One may pass while the host itself was held up. */
const MOST_SILENT_BEATS = 2;

const everyBeat: Every = (beat) => {
  const timer = setInterval(beat, BEAT_MS);
  timer.unref();
  return () => clearInterval(timer);
};

function createHeartbeat({ ask, busy, onSilent, every = everyBeat }: HeartbeatOptions): Heartbeat {
  let silent = 0;
  let stopped = false;
  const stopBeating = every(() => {
    if (stopped || busy()) return;
    if (silent >= MOST_SILENT_BEATS) {
      stop();
      return onSilent();
    }
    silent++;
    ask();
  });
  function stop(): void {
    stopped = true;
    stopBeating();
  }
  return { heard: () => void (silent = 0), stop };
}

/** One process for each kind of call that must not wait behind another kind: an application that hangs holds up elements only. */
export type Helpers = ReturnType<typeof openHelpers>;

export function openHelpers(options: HelperOptions) {
  const losses = createEmitter<Message>();
  const elements = openHelperClient(options);
  const events = openHelperClient(options);
  const clipboard = openHelperClient(options);
  const pictures = openHelperClient(options);
  const changes = openHelperClient(options);
  const all = [elements, events, clipboard, pictures, changes];
  let lost = false;
  const close = (reason?: Message): void => all.forEach((each) => each.close(reason));
  for (const each of all) {
    each.onLost((reason) => {
      if (lost) return;
      lost = true;
      close(reason);
      losses.emit(reason);
    });
  }
  return {
    elements,
    /** Pointer and keys. */
    events,
    clipboard,
    pictures,
    /** Of windows, applications and elements. */
    changes,
    all,
    /** All of them anew: they see what this process has been allowed meanwhile. */
    renew: (): void => all.forEach((each) => each.renew()),
    /** Once, when the first of them cannot be had any more; the others have ended by then. */
    onLost: losses.on,
    close: (): void => close(),
  };
}
