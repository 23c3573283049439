import pLimit from 'p-limit';
import { DesktopError, type Rect } from '../../desktop.js';
import type { Windows } from '../windows.js';
import { type AccessibilityBus, idOf, type Ref } from './bus.js';
import { type MatchRule, searchBelow } from './queries.js';
import { frameOf } from './describe.js';
import type { AppContext } from './app-context.js';
import { isSecure } from './element-reader.js';
import { ROLE, type AccessibleObject, has, STATE, type StateSet } from './accessible-object.js';
import type { AccessibleTree } from './accessible-tree.js';
import type { ObjectSnapshot, SnapshotLimits } from './object-reader.js';
import { shownPart } from './visible-children.js';
import { message } from '../../../messages/index.js';

/**
 * The areas of all password fields on the screen, and of what could not be searched for them: a container that is too large, or all
 * windows of an application that does not answer in time.
 */
type SecureAreas = (signal: AbortSignal) => Promise<Rect[]>;

interface Application {
  root: Ref;
  pid: number;
}

/** What was found, and what could not be searched. */
interface Searched {
  fields: readonly FoundField[];
  unread: ObjectSnapshot['unread'];
}

interface FoundField {
  ref: Ref;
  /** null where the search does not show it. */
  path: number[] | null;
}

const SEARCH_TIMEOUT_MS = 5000;
/** For this time an application that did not answer is not asked again, so that one capture waits for it once at most. */
const UNRESPONSIVE_RETRY_MS = 3000;
const MAX_NODES = 100_000;
/** They search a page with all its parts, and it never has parts that it does not show yet. */
const SEARCHING_TOOLKITS: ReadonlySet<string> = new Set(['chromium', 'gecko', 'webkitgtk']);
/**
 * What these draw in a table is no field. What they tell of an element is as of now, so an element that shows for the first time is
 * painted before or when they tell of it; a browser tells of it later.
 */
const OWN_PROCESS_TOOLKITS: ReadonlySet<string> = new Set(['gtk', 'qt']);
const PASSWORDS: MatchRule = { states: [0, 0], roles: new Set([ROLE.passwordText]) };

type LastPaint = (top: number) => Promise<{ generation: string } | null>;

/** A search holds for as long as no window of the application is painted, moved or shown: until then no other field can show. */
class KnownSearches {
  /** By bus name. */
  private readonly known = new Map<string, { look: string; found: Searched }>();

  constructor(
    private readonly windows: Pick<Windows, 'list'>,
    private readonly lastPaint: LastPaint,
    onEnd: (listener: () => void) => unknown,
  ) {
    // Another bus gives the same names to other applications.
    onEnd(() => this.known.clear());
  }

  async of(bus: string, pid: number, search: () => Promise<Searched>): Promise<Searched> {
    const look = await this.lookOf(pid);
    const before = this.known.get(bus);
    if (look !== null && before?.look === look) return before.found;
    this.known.delete(bus);
    const found = await search();
    if (look !== null) this.known.set(bus, { look, found });
    return found;
  }

  forgetOthers(present: ReadonlySet<string>): void {
    for (const bus of this.known.keys()) if (!present.has(bus)) this.known.delete(bus);
  }

  /** null where it cannot be told. */
  private async lookOf(pid: number): Promise<string | null> {
    const own = (await this.windows.list()).filter((window) => window.pid === pid && window.shown);
    const paints = await Promise.all(own.map(({ top }) => this.lastPaint(top)));
    if (own.length === 0 || paints.includes(null)) return null;
    return JSON.stringify(own.map(({ id, frame }, index) => [id, frame, paints[index]?.generation]));
  }
}

export function openSecureAreas(
  accessibleTree: Pick<AccessibleTree, 'bus' | 'reader' | 'allRoots' | 'toolkitOf' | 'context' | 'pathOf'>,
  windows: Pick<Windows, 'list'>,
  lastPaint: LastPaint,
): SecureAreas {
  const { bus, reader } = accessibleTree;
  const { passwords } = reader;
  const unresponsiveUntil = new Map<number, number>();
  const known = new KnownSearches(windows, lastPaint, bus.onEnd);
  let applications: readonly Application[] = [];

  const forgetWhenGone =
    (ref: Ref) =>
    (error: unknown): never => {
      if (isGone(error)) passwords.forget(ref);
      throw error;
    };

  /** Null where it is gone. */
  const readField = async (
    { ref, path: known }: FoundField,
    app: AppContext,
    signal: AbortSignal,
  ): Promise<AccessibleObject | null> => {
    try {
      const [states, path] = await Promise.all([
        reader.states(ref, signal).catch(forgetWhenGone(ref)),
        known ?? (app.corrects ? accessibleTree.pathOf(ref, signal) : []),
      ]);
      return app.correct(passwordField(ref, states), path);
    } catch (error) {
      if (isOneOf(error, 'stale')) return null;
      throw error;
    }
  };

  /** Reads the whole tree, with the role and the states of each element only. */
  const searchTree = async (root: Ref, toolkit: string, signal: AbortSignal): Promise<Searched> => {
    const limits: SnapshotLimits = {
      maxDepth: 200,
      maxNodes: MAX_NODES,
      deadline: Date.now() + SEARCH_TIMEOUT_MS,
      // With Qt, descendants of a hidden object are hidden too, and its tree is read object by object.
      prune: toolkit === 'qt',
      rolesOnly: true,
      withoutCells: OWN_PROCESS_TOOLKITS.has(toolkit),
      // Rather too much is covered than too little.
      foreign: true,
    };
    const snapshot = await reader.snapshot(root, [], limits, signal);
    if (snapshot.truncated.time || snapshot.nodes.length >= MAX_NODES)
      throw new DesktopError('not_responding', message('native.app_slow'));
    const fields = snapshot.nodes
      .filter((node) => isSecure(snapshot, node))
      .map(({ item, path }) => ({ ref: item.ref, path }));
    return { fields, unread: snapshot.unread };
  };

  const wholeWindows = async (pid: number): Promise<Rect[]> => {
    const all = await windows.list();
    return all.filter((window) => window.pid === pid && window.shown).map(({ frame }) => frame);
  };

  const areaOf = async (app: AppContext, item: AccessibleObject, signal: AbortSignal): Promise<Rect | null> => {
    if (app.gtk4Layout === null) return frameOf(bus, app, item, signal);
    const cover = await app.gtk4Layout.coverOf(item.ref, signal);
    return cover === null ? null : app.scaling.toScreen(cover);
  };

  const search = async ({ root, pid }: Application, signal: AbortSignal): Promise<Searched> => {
    const toolkit = (await accessibleTree.toolkitOf(root, signal)).name;
    if (OWN_PROCESS_TOOLKITS.has(toolkit)) return known.of(root.bus, pid, () => searchTree(root, toolkit, signal));
    if (!SEARCHING_TOOLKITS.has(toolkit)) return searchTree(root, toolkit, signal);
    // The ping finds out soon when the application hangs; the search itself has a long time limit.
    const searching = { bus, deadline: Date.now() + SEARCH_TIMEOUT_MS };
    const [, now] = await Promise.all([reader.ping(root, signal), searchBelow(searching, root, PASSWORDS, signal)]);
    if (now === null) return searchTree(root, toolkit, signal);
    return { fields: now.map((ref) => ({ ref, path: null })), unread: [] };
  };

  /** With those that show their text by now. */
  const searchAll = async (application: Application, signal: AbortSignal): Promise<Searched> => {
    const { root } = application;
    const { fields, unread } = await search(application, signal);
    for (const { ref } of fields) passwords.remember(ref);
    const found = new Set(fields.map(({ ref }) => idOf(ref)));
    const before = passwords.of(root.bus).filter((ref) => !found.has(idOf(ref)));
    return { fields: [...fields, ...before.map((ref) => ({ ref, path: null }))], unread };
  };

  const areasIn = async (application: Application, signal: AbortSignal): Promise<Rect[]> => {
    const { root, pid } = application;
    if (Date.now() < (unresponsiveUntil.get(pid) ?? 0)) return wholeWindows(pid);
    // Its windows may belong to another process id, e.g. behind a bus proxy: then what can be found is covered.
    const whole = passwords.overflowed(root.bus) ? await wholeWindows(pid) : [];
    if (whole.length > 0) return whole;
    const { fields: found, unread } = await searchAll(application, signal);
    if (found.length === 0 && unread.length === 0) return [];
    const app = await accessibleTree.context(root, pid, signal);
    const fields = await Promise.all(found.map((field) => readField(field, app, signal)));
    const unsearched = await Promise.all(unread.map((line) => coverOf(bus, app, line, signal)));
    const shown = fields.filter((item) => item !== null).filter(({ states }) => has(states, STATE.showing));
    const limitReads = pLimit(64);
    const frames = await Promise.all(
      shown.map((item) => limitReads(() => areaOf(app, item, signal).catch(nullWhenGone))),
    );
    // A field that shows, though not where, is in one of its windows.
    const untold = app.origins !== null && frames.includes(null);
    const rest = untold || unsearched.includes(null) ? await wholeWindows(pid) : [];
    return [...frames, ...unsearched, ...rest].filter((frame) => frame !== null);
  };

  const areasOf = (application: Application, signal: AbortSignal): Promise<Rect[]> =>
    areasIn(application, signal).catch(async (error: unknown) => {
      if (isOneOf(error, 'stale')) return [];
      if (!isOneOf(error, 'not_responding')) throw error;
      unresponsiveUntil.set(application.pid, Date.now() + UNRESPONSIVE_RETRY_MS);
      return wholeWindows(application.pid);
    });

  /** An application that is only absent from the registry may return, with its passwords shown. */
  const forgetEnded = async (present: ReadonlySet<string>): Promise<void> => {
    known.forgetOthers(present);
    const absent = passwords.connections().filter((name) => !present.has(name));
    for (const name of absent) if (await bus.hasLeft(name)) passwords.forgetConnection(name);
  };

  const readAreas: SecureAreas = async (signal) => {
    // Applications known from the last time are asked together with the registry, which knows those that came since.
    const begun = new Map(applications.map((one) => [idOf(one.root), areasOf(one, signal)]));
    for (const areas of begun.values()) areas.catch(() => {});
    applications = await accessibleTree.allRoots(signal);
    await forgetEnded(new Set(applications.map(({ root }) => root.bus)));
    const areas = await Promise.all(applications.map((one) => begun.get(idOf(one.root)) ?? areasOf(one, signal)));
    return areas.flat();
  };

  return (signal) => bus.reading(['secure areas'], signal, () => readAreas(signal));
}

/** Whatever it is called, its place is all that is asked for. */
const passwordField = (ref: Ref, states: StateSet): AccessibleObject => ({
  ref,
  role: ROLE.passwordText,
  name: '',
  description: '',
  states,
  interfaces: new Set(['Component']),
  childCount: 0,
});

/** Of a container that could not be searched; null where it is not known. */
async function coverOf(
  bus: AccessibilityBus,
  app: AppContext,
  line: readonly Ref[],
  signal: AbortSignal,
): Promise<Rect | null> {
  const shown = app.gtk4Layout === null && app.origins === null ? await shownPart(bus, line, signal) : null;
  return shown === null ? null : app.scaling.toScreen(shown);
}

function isOneOf(error: unknown, ...codes: DesktopError['code'][]): boolean {
  return error instanceof DesktopError && codes.includes(error.code);
}

/** False where the application did not answer, or refused to. */
const isGone = (error: unknown): boolean =>
  error instanceof DesktopError &&
  error.code === 'stale' &&
  /^$|\.(?:Unknown\w+|ServiceUnknown|NameHasNoOwner)$/.test(String(error.details['error'] ?? ''));

function nullWhenGone(error: unknown): null {
  if (isOneOf(error, 'stale', 'unsupported', 'failed')) return null;
  throw error;
}
