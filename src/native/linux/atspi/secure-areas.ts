import pLimit from 'p-limit';
import { DesktopError, type Rect } from '../../desktop.js';
import type { Windows } from '../windows.js';
import { idOf, type Ref, refs } from './bus.js';
import { frameOf } from './describe.js';
import type { AppContext } from './app-context.js';
import { isSecure } from './element-reader.js';
import { ROLE } from './roles.js';
import type { AccessibleTree } from './accessible-tree.js';
import { type SnapshotLimits } from './object-reader.js';
import type { AccessibleObject } from './accessible-object.js';
import { has, STATE, type StateSet } from './states.js';
import { message } from '../../../messages/index.js';

/** The areas of all password fields on the screen. Of an application that does not answer in time, all windows. */
type SecureAreas = (signal: AbortSignal) => Promise<Rect[]>;

interface Application {
  root: Ref;
  pid: number;
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
const ALL = 1;
const ANY = 2;
/** A Collection match rule: one role (a bit of the mask) with any state, attribute and interface; in tree order, at any depth, without limit. */
const PASSWORD_MATCH_RULE = {
  signature: '(aiia{ss}iaiiasib)uib',
  body: [[[], ALL, [], ALL, [0, 1 << (ROLE.passwordText - 32), 0, 0], ANY, [], ALL, false], ALL, 0, true],
};

export function openSecureAreas(
  accessibleTree: Pick<AccessibleTree, 'bus' | 'reader' | 'allRoots' | 'toolkitOf' | 'context' | 'pathOf'>,
  windows: Pick<Windows, 'list'>,
): SecureAreas {
  const { bus, reader } = accessibleTree;
  const { passwords } = reader;
  const unresponsiveUntil = new Map<number, number>();
  /** Connections of applications without the Collection interface. */
  const withoutSearch = new Set<string>();
  let applications: readonly Application[] = [];

  /** The application searches, in one call, because each capture needs the areas twice. `null` where it cannot (Qt, GTK 4). */
  const searchInApplication = async (root: Ref, signal: AbortSignal): Promise<Ref[] | null> => {
    if (withoutSearch.has(root.bus)) return null;
    const options = { ...PASSWORD_MATCH_RULE, timeout: SEARCH_TIMEOUT_MS, signal };
    try {
      return refs((await bus.call(root, 'Collection.GetMatches', options))[0]);
    } catch (error) {
      if (isOneOf(error, 'unsupported')) withoutSearch.add(root.bus);
      if (isOneOf(error, 'unsupported', 'failed', 'stale')) return null;
      throw error;
    }
  };

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
  const searchTree = async (root: Ref, signal: AbortSignal): Promise<FoundField[]> => {
    const limits: SnapshotLimits = {
      maxDepth: 200,
      maxNodes: MAX_NODES,
      deadline: Date.now() + SEARCH_TIMEOUT_MS,
      // With Qt, descendants of a hidden object are hidden too, and its tree is read object by object.
      prune: (await accessibleTree.toolkitOf(root, signal)).name === 'qt',
      rolesOnly: true,
      // Rather too much is covered than too little.
      foreign: true,
    };
    const snapshot = await reader.snapshot(root, [], limits, signal);
    if (snapshot.truncated.time) throw new DesktopError('not_responding', message('native.app_slow'));
    return snapshot.nodes.filter((node) => isSecure(snapshot, node)).map(({ item, path }) => ({ ref: item.ref, path }));
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

  const searchFields = async (root: Ref, signal: AbortSignal): Promise<FoundField[]> => {
    // The ping finds out soon when the application hangs; the search itself has a long time limit.
    const [, now] = await Promise.all([reader.ping(root, signal), searchInApplication(root, signal)]);
    if (now === null) return searchTree(root, signal);
    now.forEach(passwords.remember);
    return unique([...now, ...passwords.of(root.bus)]).map((ref) => ({ ref, path: null }));
  };

  const areasIn = async ({ root, pid }: Application, signal: AbortSignal): Promise<Rect[]> => {
    if (Date.now() < (unresponsiveUntil.get(pid) ?? 0)) return wholeWindows(pid);
    // Its windows may belong to another process id, e.g. behind a bus proxy: then what can be found is covered.
    const whole = passwords.overflowed(root.bus) ? await wholeWindows(pid) : [];
    if (whole.length > 0) return whole;
    const found = await searchFields(root, signal);
    if (found.length === 0) return [];
    const app = await accessibleTree.context(root, pid, signal);
    const fields = await Promise.all(found.map((field) => readField(field, app, signal)));
    const shown = fields.filter((item) => item !== null).filter(({ states }) => has(states, STATE.showing));
    const limitReads = pLimit(64);
    const frames = await Promise.all(
      shown.map((item) => limitReads(() => areaOf(app, item, signal).catch(nullWhenGone))),
    );
    return frames.filter((frame) => frame !== null);
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
    for (const name of withoutSearch) if (!present.has(name)) withoutSearch.delete(name);
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

const unique = (all: readonly Ref[]): Ref[] => [...new Map(all.map((ref) => [idOf(ref), ref])).values()];

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
