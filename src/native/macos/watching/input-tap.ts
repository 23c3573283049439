/** Pointer and keys as they come in, seen and never held up: those of the person, and those that programs post. */
import koffi from 'koffi';
import { poll } from '../../../base/poll.js';
import {
  EVENT_FIELD,
  KEY_EVENTS,
  LISTEN_ONLY,
  PRESS_EVENTS,
  SESSION_TAP,
  TAP_DISABLED,
  TAP_TAIL,
  TAPPED_EVENTS,
} from '../calls/events.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { SeenInput } from '../helper/messages.js';

export interface InputTap {
  /** False where this process may not see input. Nothing asks the person for it. */
  start(): boolean;
  readonly running: boolean;
  /** Resolves when all that was posted has come back, which it does a moment later; what the system drops is waited for once. */
  arrived(signal: AbortSignal): Promise<void>;
  close(): void;
}

interface Tap {
  port: Ref;
  source: Ref;
  callback: bigint;
}

export interface InputTapOptions {
  /** In the events that Chaperone posts. */
  marker: number;
  /** How many of those a tap can see, so far. */
  posted(): number;
  tell(seen: SeenInput): void;
}

const RETURN_LIMIT_MS = 300;
const LOOK_MS = 2;

export function openInputTap(core: Core, { marker, posted, tell }: InputTapOptions): InputTap {
  const { bound, scoped } = core;
  const { coreGraphics: cg, coreFoundation: cf, accessibility } = bound;
  const mode = bound.object('coreFoundation', 'kCFRunLoopDefaultMode');
  let tap: Tap | null = null;
  let returned = 0;

  const taken = (type: number, event: Ref | null): void => {
    if (TAP_DISABLED.has(type)) {
      if (tap !== null) cg.CGEventTapEnable(tap.port, true);
      // Nobody knows what came meanwhile.
      tell({ from: 'program', at: null, pressed: false });
    } else if (event !== null) {
      const ours = Number(cg.CGEventGetIntegerValueField(event, EVENT_FIELD.userData)) === marker;
      const injected = Number(cg.CGEventGetIntegerValueField(event, EVENT_FIELD.sourcePid)) !== 0;
      if (ours) returned = Math.min(returned + 1, posted());
      tell({
        from: ours || injected ? 'program' : 'person',
        at: KEY_EVENTS.has(type) ? null : cg.CGEventGetLocation(event),
        pressed: PRESS_EVENTS.has(type),
      });
    }
  };
  const open = (): Tap | null => {
    const callback = koffi.register(
      (_proxy: unknown, type: number, event: bigint | null) => {
        taken(type, event);
        return event;
      },
      koffi.pointer(koffi.proto('void *', ['void *', 'uint32_t', 'void *', 'void *'])),
    );
    const made = scoped((scope) => {
      const port = scope.own(cg.CGEventTapCreate(SESSION_TAP, TAP_TAIL, LISTEN_ONLY, TAPPED_EVENTS, callback, null));
      const source = port === null ? null : scope.own(cf.CFMachPortCreateRunLoopSource(null, port, 0));
      if (port === null || source === null) return null;
      cf.CFRetain(port);
      cf.CFRetain(source);
      return { port, source, callback };
    });
    if (made === null) koffi.unregister(callback);
    else cf.CFRunLoopAddSource(cf.CFRunLoopGetMain(), made.source, mode);
    return made;
  };

  return {
    get running() {
      return tap !== null;
    },
    start() {
      // Without the permission the system would ask the person, and keep a no.
      if (tap !== null || accessibility.AXIsProcessTrusted() === 0) return tap !== null;
      returned = posted();
      tap = open();
      return tap !== null;
    },
    async arrived(signal) {
      const all = async (): Promise<true | null> => {
        core.runLoop.turn();
        return tap === null || returned >= posted() ? true : null;
      };
      if ((await poll(all, RETURN_LIMIT_MS, signal, LOOK_MS)) === null) returned = posted();
    },
    close() {
      if (tap === null) return;
      const { port, source, callback } = tap;
      tap = null;
      cg.CGEventTapEnable(port, false);
      // One that is only released stays with the system.
      cf.CFMachPortInvalidate(port);
      cf.CFRunLoopRemoveSource(cf.CFRunLoopGetMain(), source, mode);
      cf.CFRelease(source);
      cf.CFRelease(port);
      koffi.unregister(callback);
    },
  };
}
