import pLimit from 'p-limit';
import { DesktopError, type Rect } from '../../desktop.js';
import type { Windows } from '../x11/windows.js';
import { idOf, type Ref, refs } from './bus.js';
import { frameOf } from './describe.js';
import type { AppContext } from './app-context.js';
import { isSecure } from './element-reader.js';
import { ROLE } from './roles.js';
import type { AccessibleTree } from './accessible-tree.js';
import { type SnapshotLimits } from './object-reader.js';
import type { AccessibleObject } from './accessible-object.js';
import { has, STATE } from './states.js';

/** The areas of all password fields on the screen. Of an application that does not answer in time, all windows. */
export type SecureAreas = (signal: AbortSignal) => Promise<Rect[]>;

interface PasswordElement {
  item: AccessibleObject;
  path: number[];
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
  accessibleTree: Pick<AccessibleTree, 'bus' | 'reader' | 'allRoots' | 'context' | 'pathOf'>,
  windows: Pick<Windows, 'list'>,
): SecureAreas {
  const { bus, reader } = accessibleTree;
  const { passwords } = reader;
  const unresponsiveUntil = new Map<number, number>();

  /** The application searches, in one call, because each capture needs the areas twice. `null` where it cannot (Qt, GTK 4). */
  const searchInApplication = async (root: Ref, signal: AbortSignal): Promise<Ref[] | null> => {
    try {
      return refs(
        (
          await bus.call(root, 'Collection.GetMatches', { ...PASSWORD_MATCH_RULE, timeout: SEARCH_TIMEOUT_MS, signal })
        )[0],
      );
    } catch (error) {
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

  const readField = async (ref: Ref, signal: AbortSignal): Promise<PasswordElement[]> => {
    try {
      const [item, path] = await Promise.all([
        reader.item(ref, signal).catch(forgetWhenGone(ref)),
        accessibleTree.pathOf(ref, signal),
      ]);
      return [{ item, path }];
    } catch (error) {
      if (isOneOf(error, 'stale')) return [];
      throw error;
    }
  };

  const searchSnapshot = async (root: Ref, app: AppContext, signal: AbortSignal): Promise<PasswordElement[]> => {
    const limits: SnapshotLimits = {
      maxDepth: 200,
      maxNodes: MAX_NODES,
      deadline: Date.now() + SEARCH_TIMEOUT_MS,
      // With Qt, descendants of a hidden object are hidden too, and its tree is read object by object.
      prune: app.toolkit.name === 'qt',
    };
    const snapshot = await reader.snapshot(root, [], limits, signal);
    if (snapshot.truncated.time) throw new DesktopError('not_responding', 'The application is too slow.');
    return snapshot.nodes.filter((node) => isSecure(snapshot, node));
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

  const areasIn = async (root: Ref, pid: number, signal: AbortSignal): Promise<Rect[]> => {
    if (Date.now() < (unresponsiveUntil.get(pid) ?? 0)) return wholeWindows(pid);
    // Finds out soon when the application hangs; the search itself has a long time limit.
    await reader.ping(root, signal);
    // Its windows may belong to another process id, e.g. behind a bus proxy: then what can be found is covered.
    const whole = passwords.overflowed(root.bus) ? await wholeWindows(pid) : [];
    if (whole.length > 0) return whole;
    const now = await searchInApplication(root, signal);
    const matches = now === null ? null : unique([...now, ...passwords.of(root.bus)]);
    if (matches?.length === 0) return [];
    const app = await accessibleTree.context(root, pid, signal);
    const fields =
      matches === null
        ? await searchSnapshot(root, app, signal)
        : (await Promise.all(matches.map((ref) => readField(ref, signal)))).flat();
    const seen = fields.map(({ item, path }) => ({ item: app.correct(item, path), path }));
    const shown = seen.filter(({ item }) => has(item.states, STATE.showing));
    const limitReads = pLimit(64);
    const frames = await Promise.all(
      shown.map(({ item }) => limitReads(() => areaOf(app, item, signal).catch(nullWhenGone))),
    );
    return frames.filter((frame) => frame !== null);
  };

  /** An application that is only absent from the registry may return, with its passwords shown. */
  const forgetEnded = async (present: ReadonlySet<string>): Promise<void> => {
    const absent = passwords.connections().filter((name) => !present.has(name));
    for (const name of absent) if (await bus.hasLeft(name)) passwords.forgetConnection(name);
  };

  return async (signal) => {
    const roots = await accessibleTree.allRoots(signal);
    await forgetEnded(new Set(roots.map(({ root }) => root.bus)));
    const areas = await Promise.all(
      roots.map(({ root, pid }) =>
        areasIn(root, pid, signal).catch(async (error: unknown) => {
          if (isOneOf(error, 'stale')) return [];
          if (!isOneOf(error, 'not_responding')) throw error;
          unresponsiveUntil.set(pid, Date.now() + UNRESPONSIVE_RETRY_MS);
          return wholeWindows(pid);
        }),
      ),
    );
    return areas.flat();
  };
}

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
