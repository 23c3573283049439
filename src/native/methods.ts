/**
 * Every member of a desktop with its rules, side by side. A new member does not compile until it has a row, and what has no row
 * counts as what shows most. Comes in: a desktop. Goes out: the same desktop with a rule applied. Knows no agents and no approvals.
 */
import type { DesktopActs, DesktopBackend, DesktopInput, DesktopReader } from './desktop.js';
import * as limit from './length-limits.js';

/** What reading tells: facts of the machine, that something changed, where the pointer is, what is installed, or what is open. */
export type Reveals = 'machine' | 'changes' | 'pointer' | 'installed' | 'desktop';

/** What is checked right before an act: its element, its process, the call alone, or where the pointer goes. Input is checked before each event. */
export type Guard = 'element' | 'process' | 'call' | 'pointer';

/** `guard`: whoever checks the act looks at its target. `process`: it ends or starts one, so what is hidden is looked for first. */
export type ActMask = 'guard' | 'process';

type Resolved<Name extends keyof DesktopBackend> =
  NonNullable<DesktopBackend[Name]> extends (...given: never[]) => Promise<infer Result> ? Result : never;

type Rules<Name> = Name extends keyof DesktopReader
  ? { kind: 'reader'; reveals: Reveals }
  : Name extends keyof DesktopInput
    ? { kind: 'input' }
    : Name extends keyof DesktopActs
      ? { kind: 'act'; mask: ActMask; guard: Guard }
      : { kind: 'host' };

type Row<Name extends keyof DesktopBackend> = Rules<Name> & {
  /** Cuts the names in a result, because they appear on cards, in evidence, in results and on the page. */
  limit: ((result: Resolved<Name>) => Resolved<Name>) | null;
  /** How long macOS's helper for elements may take; null: it does not serve this member. */
  helperMs: number | null;
};

/** An application that hangs costs a second a call; a list of all windows asks several. */
export const READ_MS = 8000;
/** All windows in a picture are searched for password fields, each application as long as it may take. */
const SEARCH_MS = 20_000;
/** Acts are also waited for until they are confirmed. */
const ACT_MS = 10_000;
/** Closing is waited for 5 s, with looks that each may cost a second. */
export const WINDOW_MS = 15_000;
/** 30 s until the system has started it, 30 s until it is usable, and looks that each may cost a second. */
const LAUNCH_MS = 75_000;

const facts = { kind: 'reader', reveals: 'machine', limit: null, helperMs: null } as const;
const news = { kind: 'reader', reveals: 'changes', limit: null, helperMs: null } as const;
const read = { kind: 'reader', reveals: 'desktop', limit: null, helperMs: READ_MS } as const;
const element = { ...read, limit: limit.limitOrNull } as const;
const onElement = { kind: 'act', mask: 'guard', guard: 'element', limit: null, helperMs: ACT_MS } as const;
const onWindow = { kind: 'act', mask: 'guard', guard: 'call', limit: null, helperMs: WINDOW_MS } as const;
const event = { kind: 'input', limit: null, helperMs: null } as const;
const host = { kind: 'host', limit: null, helperMs: null } as const;

export const METHODS = {
  platform: facts,
  version: facts,
  permissions: facts,
  displays: { ...facts, helperMs: READ_MS },
  pointer: { ...facts, reveals: 'pointer', helperMs: READ_MS },
  findApplication: { ...facts, reveals: 'installed', limit: limit.limitInstalled, helperMs: READ_MS },
  onClipboardChange: news,
  onChange: news,
  apps: { ...read, limit: limit.each(limit.limitApp) },
  windows: { ...read, limit: limit.each(limit.limitWindow) },
  frontmost: { ...read, limit: limit.limitFrontmost },
  // These two keep to a limit of their own between the calls of the system.
  tree: { ...read, limit: limit.limitTree },
  find: { ...read, limit: limit.limitFound },
  element: { ...read, limit: (found) => limit.limitElement(found) },
  ancestors: { ...read, limit: limit.each((found) => limit.limitElement(found)) },
  elementAt: element,
  focusedElement: element,
  scrollerOf: element,
  windowAt: { ...read, limit: (found) => found && limit.limitWindow(found) },
  windowState: read,
  capture: { ...read, helperMs: null },
  windowPaint: { ...read, helperMs: null },
  untilApplication: { ...read, helperMs: null },
  readClipboard: { ...read, helperMs: null },

  performAction: onElement,
  setValue: onElement,
  insertText: onElement,
  setSelected: onElement,
  setExpanded: onElement,
  focusElement: onElement,
  scrollIntoView: onElement,
  focusWindow: onWindow,
  setWindowFrame: onWindow,
  setWindowMinimized: onWindow,
  setWindowMaximized: { ...onWindow, helperMs: null },
  closeWindow: onWindow,
  killWindow: { ...onWindow, mask: 'process' },
  quitApp: { ...onWindow, mask: 'process', guard: 'process' },
  launch: { ...onWindow, mask: 'process', limit: limit.limitLaunched, helperMs: LAUNCH_MS },
  writeClipboard: { ...onWindow, helperMs: null },
  movePointer: { ...onWindow, guard: 'pointer', helperMs: null },

  button: event,
  scroll: event,
  key: event,
  typeText: event,
  paste: event,
  dropFiles: event,

  automation: { ...host, limit: limit.each(limit.limitGrant) },
  secureAreas: { ...host, helperMs: SEARCH_MS },
  stack: { ...host, limit: limit.each(limit.limitTitle), helperMs: READ_MS },
  releaseAll: host,
  onPersonInput: host,
  onPersonPress: host,
  onSyntheticInput: host,
  flushInputEvents: host,
  onLost: host,
  close: host,
} as const satisfies { readonly [Name in keyof DesktopBackend]-?: Row<Name> };

type Methods = typeof METHODS;
export type MethodName = keyof Methods;
/** The members with this rule, e.g. `{ mask: 'process' }`. */
export type Ruled<Rule> = { [Name in MethodName]: Methods[Name] extends Rule ? Name : never }[MethodName];

/** Those that macOS's helper for elements serves. */
export type HelperServed = Ruled<{ helperMs: number }>;

const isMethod = (name: string | symbol): name is MethodName => Object.hasOwn(METHODS, name);

/** null for a name that no rule knows. */
export const methodOf = (name: string | symbol): Methods[MethodName] | null => (isMethod(name) ? METHODS[name] : null);

type Kind = Methods[MethodName]['kind'];
type OfKind<K extends Kind> = Ruled<{ kind: K }>;

function namesOf<K extends Kind>(kinds: readonly K[]): OfKind<K>[] {
  const wanted: readonly string[] = kinds;
  return (Object.keys(METHODS) as OfKind<K>[]).filter((name) => wanted.includes(METHODS[name].kind));
}

/** The members of these kinds, and no others. */
export const membersOf = <K extends Kind>(desktop: Pick<DesktopBackend, OfKind<K>>, ...kinds: readonly K[]) =>
  Object.fromEntries(namesOf(kinds).map((name) => [name, desktop[name]])) as Pick<DesktopBackend, OfKind<K>>;

/** All members of these kinds are this one. */
export const allOf = <K extends Kind, Member>(member: Member, ...kinds: readonly K[]) =>
  Object.fromEntries(namesOf(kinds).map((name) => [name, member])) as Record<OfKind<K>, Member>;

export type Method = (...given: unknown[]) => unknown;

/** The same members, each method as `rule` makes it; null: as it is. It is asked about every method that there is. */
export function withRule<T extends object>(members: T, rule: (name: string, method: Method) => Method | null): T {
  const made: Record<string, Method> = {};
  for (const name of Object.keys(members)) {
    // Looked up at each call: a desktop may exchange a method while it runs.
    const find = (): unknown => Reflect.get(members, name);
    if (typeof find() !== 'function') continue;
    const ruled = rule(name, (...given) => call(find(), members, given));
    if (ruled !== null) made[name] = ruled;
  }
  return Object.assign({}, members, made);
}

function call(method: unknown, members: object, given: readonly unknown[]): unknown {
  if (typeof method !== 'function') throw new TypeError('not a method');
  return Reflect.apply(method, members, given);
}

/** The same desktop, of which no name and no value is longer than is fit to be shown. */
export const withLengthLimits = (desktop: DesktopBackend): DesktopBackend =>
  withRule(desktop, (name, method) => {
    const cut: unknown = methodOf(name)?.limit;
    if (typeof cut !== 'function') return null;
    return async (...given) => {
      const result: unknown = await method(...given);
      return Reflect.apply(cut, undefined, [result]);
    };
  });
