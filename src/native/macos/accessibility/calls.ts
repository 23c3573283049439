/**
 * The accessibility calls with values and errors of ours. A call to an application that hangs costs the time limit and then says
 * `not_responding`: whoever reads stops at the first.
 */
import { DesktopError, type Point } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import { AX_ERROR } from '../calls/accessibility.js';
import type { Bound } from '../calls/bind.js';
import type { Ref } from '../calls/types.js';
import type { ConstantTexts, Value, ValueMaking, ValueReading } from '../foundation/values.js';
import type { Scope, Scoped } from '../foundation/scope.js';
import type { Processes } from '../processes.js';

export interface AccessibilityCalls {
  /** Lives until `close`. */
  readonly systemWide: Ref;
  /** Rejects with `not_found` where no such process runs, which accessibility itself cannot tell from one that hangs. */
  application(scope: Scope, pid: number): Ref;
  /** One for each name, an error where it could not be read; what they refer to is borrowed for the scope. */
  attributes(scope: Scope, element: Ref, names: readonly string[]): Value[];
  attribute(scope: Scope, element: Ref, name: string): Value | null;
  /** null where the element has no such attribute with a parameter. */
  attributeFor(scope: Scope, element: Ref, name: string, parameter: Ref): Value | null;
  settable(element: Ref, name: string): boolean;
  actions(element: Ref): string[];
  /** The value is given as an object. Resolves to false where the application says that it has no such attribute, or refuses. */
  set(element: Ref, name: string, value: Ref): boolean;
  /** As `set`, without an error for an application that does not answer. */
  trySet(element: Ref, name: string, value: Ref): 'done' | 'unsupported' | 'refused';
  /**
   * `unknown` where the application did not answer in time: it may have done it, and wait for a dialog that it opened. Such an act
   * must not be repeated.
   */
  perform(element: Ref, action: string): 'done' | 'unsupported' | 'unknown';
  pidOf(element: Ref): number;
  /** The number of the window whose element it is; null for other elements. */
  windowNumber(element: Ref): number | null;
  /** Below the application given, or of any below `systemWide`. */
  elementAt(scope: Scope, from: Ref, point: Point): Ref | null;
  close(): void;
}

export interface AccessibilityParts {
  bound: Bound;
  scoped: Scoped;
  reading: ValueReading;
  making: ValueMaking;
  texts: ConstantTexts;
  processes: Processes;
}

/** How long one call waits for an application; the system's default is 6 s. */
const CALL_LIMIT_SECONDS = 1;

/** One application may say that accessibility is off for reasons of its own; where the system says that it is on, so many must. */
const SEVERAL = 3;

const NO_VALUE: ReadonlySet<number> = new Set([
  AX_ERROR.attributeUnsupported,
  AX_ERROR.noValue,
  AX_ERROR.parameterUnsupported,
  AX_ERROR.notImplemented,
  AX_ERROR.failure,
  AX_ERROR.illegalArgument,
]);

export function createAccessibilityCalls(parts: AccessibilityParts): AccessibilityCalls {
  const { bound, scoped, reading, making, texts, processes } = parts;
  const { accessibility: ax, coreFoundation: cf } = bound;
  const systemWide: Ref | null = ax.AXUIElementCreateSystemWide();
  if (systemWide === null) throw new Error('there is no system-wide accessibility element');
  ax.AXUIElementSetMessagingTimeout(systemWide, CALL_LIMIT_SECONDS);
  const nameLists = openNameLists(parts);

  const pidOf = (element: Ref): number => {
    const pid = new Int32Array(1);
    ax.AXUIElementGetPid(element, pid);
    return pid[0] ?? 0;
  };
  /** Processes that refused since one answered. */
  const refusing = new Set<number>();
  const failure = (status: number, element: Ref): DesktopError => {
    const pid = pidOf(element);
    if (status === AX_ERROR.apiDisabled) refusing.add(pid);
    const untrusted = refusing.size >= SEVERAL || ax.AXIsProcessTrusted() === 0;
    return errorOf(status, { pid, untrusted }, processes);
  };
  /** Throws where the element or its application did not answer; false where there is no such value. */
  const answered = (status: number, element: Ref): boolean => {
    if (status !== AX_ERROR.success && !NO_VALUE.has(status)) throw failure(status, element);
    refusing.clear();
    return status === AX_ERROR.success;
  };

  return {
    systemWide,
    pidOf,
    application(scope, pid) {
      const application = processes.startTime(pid) === null ? null : scope.own(ax.AXUIElementCreateApplication(pid));
      if (application === null) throw new DesktopError('not_found', message('native.no_such_process', { pid }));
      return application;
    },
    attributes(scope, element, names) {
      const list = nameLists.of(names);
      const { status, ref } = scope.ownFrom((slot) =>
        ax.AXUIElementCopyMultipleAttributeValues(element, list, 0, slot),
      );
      if (!answered(status, element)) return names.map(() => ({ kind: 'error', code: status }));
      const values = reading.list(ref).map((each) => reading.read(each));
      return names.map((_, index) => values[index] ?? { kind: 'error', code: AX_ERROR.failure });
    },
    attribute(scope, element, name) {
      const { status, ref } = scope.ownFrom((slot) => ax.AXUIElementCopyAttributeValue(element, texts.of(name), slot));
      return answered(status, element) && ref !== null ? reading.read(ref) : null;
    },
    attributeFor(scope, element, name, parameter) {
      const { status, ref } = scope.ownFrom((slot) =>
        ax.AXUIElementCopyParameterizedAttributeValue(element, texts.of(name), parameter, slot),
      );
      return answered(status, element) && ref !== null ? reading.read(ref) : null;
    },
    settable(element, name) {
      const settable = new Uint8Array(1);
      const status = ax.AXUIElementIsAttributeSettable(element, texts.of(name), settable);
      return answered(status, element) && settable[0] !== 0;
    },
    actions: (element) =>
      scoped((scope) => {
        const { status, ref } = scope.ownFrom((slot) => ax.AXUIElementCopyActionNames(element, slot));
        if (!answered(status, element)) return [];
        return reading.list(ref).flatMap((each) => reading.text(each) ?? []);
      }),
    set: (element, name, value) => answered(ax.AXUIElementSetAttributeValue(element, texts.of(name), value), element),
    trySet(element, name, value) {
      const status = ax.AXUIElementSetAttributeValue(element, texts.of(name), value);
      if (status === AX_ERROR.success) return 'done';
      return status === AX_ERROR.attributeUnsupported ? 'unsupported' : 'refused';
    },
    perform(element, action) {
      const status = ax.AXUIElementPerformAction(element, texts.of(action));
      if (status === AX_ERROR.actionUnsupported) return 'unsupported';
      const gone = status === AX_ERROR.cannotComplete && processes.startTime(pidOf(element)) === null;
      if (status === AX_ERROR.cannotComplete && !gone) return 'unknown';
      if (status === AX_ERROR.success) return 'done';
      throw failure(status, element);
    },
    windowNumber(element) {
      const number = new Uint32Array(1);
      const status = ax._AXUIElementGetWindow(element, number);
      return answered(status, element) ? (number[0] ?? null) : null;
    },
    elementAt(scope, from, { x, y }) {
      const { status, ref } = scope.ownFrom((slot) => ax.AXUIElementCopyElementAtPosition(from, x, y, slot));
      return answered(status, from) ? ref : null;
    },
    close() {
      nameLists.close();
      cf.CFRelease(systemWide);
    },
  };

  function openNameLists({ texts: known }: AccessibilityParts) {
    const lists = new Map<readonly string[], Ref>();
    return {
      of(names: readonly string[]): Ref {
        const list = lists.get(names);
        if (list !== undefined) return list;
        const made = scoped((scope) => {
          const fresh = making.list(scope, names.map(known.of));
          if (fresh === null) throw new Error('out of memory');
          // The scope releases its own share.
          return cf.CFRetain(fresh) ?? fresh;
        });
        lists.set(names, made);
        return made;
      },
      close() {
        for (const list of lists.values()) cf.CFRelease(list);
      },
    };
  }
}

/** What a status of accessibility means for who asked. */
function errorOf(
  status: number,
  { pid, untrusted }: { pid: number; untrusted: boolean },
  processes: Processes,
): DesktopError {
  if (status === AX_ERROR.apiDisabled && untrusted) {
    return new DesktopError('permission', message('native.no_accessibility'), { permission: 'accessibility' });
  }
  if (status === AX_ERROR.invalidElement) return new DesktopError('stale', message('native.element_gone'));
  if (status === AX_ERROR.cannotComplete && pid !== 0) {
    if (processes.startTime(pid) === null) return new DesktopError('stale', message('native.element_or_app_gone'));
    return new DesktopError('not_responding', message('native.app_silent'), { pid });
  }
  return new DesktopError('failed', message('native.app_refused', { why: `AXError ${status}` }), { pid });
}
