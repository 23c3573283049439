import pLimit from 'p-limit';
import { DesktopError, type Rect } from '../../desktop.js';
import type { Windows } from '../x11/windows.js';
import { idOf, type Ref, refs } from './bus.js';
import { frameOf } from './describe.js';
import type { AppContext } from './app-context.js';
import { isSecure } from './looking.js';
import { ROLE } from './roles.js';
import type { Scene } from './scene.js';
import { type SnapshotLimits } from './snapshot.js';
import type { Item } from './item.js';
import { has, STATE } from './states.js';

/** Where passwords show, on the whole screen. An application that does not say in time is hidden whole. */
export type SecureAreas = (signal: AbortSignal) => Promise<Rect[]>;

interface Secret {
  item: Item;
  path: number[];
}

const PATIENCE = 5000;
/** So long one that did not answer is not asked again: nobody waits twice for it in one picture. */
const SILENCE = 3000;
const MOST_NODES = 100_000;
const ALL = 1;
const ANY = 2;
/** Any state, attribute and interface; the one role, as the bit of its number. In tree order, without limit, through all levels. */
const PASSWORDS = {
  signature: '(aiia{ss}iaiiasib)uib',
  body: [[[], ALL, [], ALL, [0, 1 << (ROLE.passwordText - 32), 0, 0], ANY, [], ALL, false], ALL, 0, true],
};

export function openSecrets(
  scene: Pick<Scene, 'bus' | 'reader' | 'allRoots' | 'context' | 'pathOf'>,
  windows: Pick<Windows, 'list'>,
): SecureAreas {
  const { bus, reader } = scene;
  const { passwords } = reader;
  const silent = new Map<number, number>();

  /** The application looks itself, in one call: captures need this twice. `null`: it has no such search (Qt, GTK 4). */
  const matched = async (root: Ref, signal: AbortSignal): Promise<Ref[] | null> => {
    try {
      return refs((await bus.call(root, 'Collection.GetMatches', { ...PASSWORDS, timeout: PATIENCE, signal }))[0]);
    } catch (error) {
      if (isOneOf(error, 'unsupported', 'failed', 'stale')) return null;
      throw error;
    }
  };

  const forgetting =
    (ref: Ref) =>
    (error: unknown): never => {
      if (isGone(error)) passwords.forget(ref);
      throw error;
    };

  const found = async (ref: Ref, signal: AbortSignal): Promise<Secret[]> => {
    try {
      const [item, path] = await Promise.all([
        reader.item(ref, signal).catch(forgetting(ref)),
        scene.pathOf(ref, signal),
      ]);
      return [{ item, path }];
    } catch (error) {
      if (isOneOf(error, 'stale')) return [];
      throw error;
    }
  };

  const searched = async (root: Ref, app: AppContext, signal: AbortSignal): Promise<Secret[]> => {
    const limits: SnapshotLimits = {
      maxDepth: 200,
      maxNodes: MOST_NODES,
      deadline: Date.now() + PATIENCE,
      // What Qt hides hides what is in it, and its tree is read object by object.
      prune: app.toolkit.name === 'qt',
    };
    const snapshot = await reader.snapshot(root, [], limits, signal);
    if (snapshot.truncated.time) throw new DesktopError('not_responding', 'The application is too slow.');
    return snapshot.nodes.filter((node) => isSecure(snapshot, node));
  };

  const hiddenWhole = async (pid: number): Promise<Rect[]> => {
    const all = await windows.list();
    return all.filter((window) => window.pid === pid && window.shown).map(({ frame }) => frame);
  };

  const coverOf = async (app: AppContext, item: Item, signal: AbortSignal): Promise<Rect | null> => {
    if (app.placing === null) return frameOf(bus, app, item, signal);
    const cover = await app.placing.cover(item.ref, signal);
    return cover === null ? null : app.scaling.toScreen(cover);
  };

  const secureIn = async (root: Ref, pid: number, signal: AbortSignal): Promise<Rect[]> => {
    if (Date.now() < (silent.get(pid) ?? 0)) return hiddenWhole(pid);
    // The search itself may take longer than anyone waits for a picture.
    await reader.ping(root, signal);
    // Its windows may belong to another process id, e.g. behind a bus proxy: then what can be found is covered.
    const whole = passwords.overflowed(root.bus) ? await hiddenWhole(pid) : [];
    if (whole.length > 0) return whole;
    const now = await matched(root, signal);
    const matches = now === null ? null : unique([...now, ...passwords.of(root.bus)]);
    if (matches?.length === 0) return [];
    const app = await scene.context(root, pid, signal);
    const secrets =
      matches === null
        ? await searched(root, app, signal)
        : (await Promise.all(matches.map((ref) => found(ref, signal)))).flat();
    const seen = secrets.map(({ item, path }) => ({ item: app.seen(item, path), path }));
    const shown = seen.filter(({ item }) => has(item.states, STATE.showing));
    const lane = pLimit(64);
    const frames = await Promise.all(shown.map(({ item }) => lane(() => coverOf(app, item, signal).catch(whenGone))));
    return frames.filter((frame) => frame !== null);
  };

  /** An application that only left the registry may come back, its passwords shown. */
  const forgetEnded = async (present: ReadonlySet<string>): Promise<void> => {
    const absent = passwords.connections().filter((name) => !present.has(name));
    for (const name of absent) if (await bus.hasLeft(name)) passwords.ended(name);
  };

  return async (signal) => {
    const roots = await scene.allRoots(signal);
    await forgetEnded(new Set(roots.map(({ root }) => root.bus)));
    const areas = await Promise.all(
      roots.map(({ root, pid }) =>
        secureIn(root, pid, signal).catch(async (error: unknown) => {
          if (isOneOf(error, 'stale')) return [];
          if (!isOneOf(error, 'not_responding')) throw error;
          silent.set(pid, Date.now() + SILENCE);
          return hiddenWhole(pid);
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

/** Not where the application gave no answer, or refused one. */
const isGone = (error: unknown): boolean =>
  error instanceof DesktopError &&
  error.code === 'stale' &&
  /^$|\.(?:Unknown\w+|ServiceUnknown|NameHasNoOwner)$/.test(String(error.details['error'] ?? ''));

function whenGone(error: unknown): null {
  if (isOneOf(error, 'stale', 'unsupported', 'failed')) return null;
  throw error;
}
