/** Pointer and keys as they come in, seen and never held up: those of the person, and those that programs post. */
import koffi from 'koffi';
import type { Point } from '../../desktop.js';
import {
  EVENT_FIELD,
  KEY_EVENTS,
  LISTEN_ONLY,
  SESSION_TAP,
  TAP_DISABLED,
  TAP_TAIL,
  TAPPED_EVENTS,
} from '../calls/events.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';

export interface InputTap {
  /** False where this process may not see input. Nothing asks the person for it. */
  start(): boolean;
  readonly running: boolean;
  close(): void;
}

interface Tap {
  port: Ref;
  source: Ref;
  callback: bigint;
}

/** `marker` is in the events that Chaperone posts. */
export function openInputTap(
  core: Core,
  marker: number,
  tell: (from: 'person' | 'program', at: Point | null) => void,
): InputTap {
  const { bound, scoped } = core;
  const { coreGraphics: cg, coreFoundation: cf, accessibility } = bound;
  const mode = bound.object('coreFoundation', 'kCFRunLoopDefaultMode');
  let tap: Tap | null = null;

  const taken = (type: number, event: Ref | null): void => {
    if (TAP_DISABLED.has(type)) {
      if (tap !== null) cg.CGEventTapEnable(tap.port, true);
    } else if (event !== null) {
      const ours = Number(cg.CGEventGetIntegerValueField(event, EVENT_FIELD.userData)) === marker;
      const posted = Number(cg.CGEventGetIntegerValueField(event, EVENT_FIELD.sourcePid)) !== 0;
      tell(ours || posted ? 'program' : 'person', KEY_EVENTS.has(type) ? null : cg.CGEventGetLocation(event));
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
      if (tap === null && accessibility.AXIsProcessTrusted() !== 0) tap = open();
      return tap !== null;
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
