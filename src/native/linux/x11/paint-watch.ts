/**
 * When windows were last painted. Comes in: reports of the DAMAGE extension on children of the root. Goes out: generations, one for each paint or more.
 * A window is watched from the first look at it until KEEP_MS after the last.
 */
import type { XDamage, XGeometry } from 'x11';
import { createEmitter } from '../../../base/emitter.js';
import type { XConnection } from './connection.js';

export interface Paints {
  /** Another one after each paint. */
  generation: string;
  /** Since the last paint, or since the window is watched. */
  unpaintedMs: number;
}

export interface PaintWatch {
  /** Everything that was painted up to now; null where the server cannot tell. */
  look(top: number): Promise<Paints | null>;
  /** The next paint of a window that was looked at. Returns a function that stops listening. */
  onPaint(top: number, painted: () => void): () => void;
  close(): void;
}

/** Reports of one window come at most this often, so that a video does not keep the host busy. */
const REPORT_INTERVAL_MS = 16;
const KEEP_MS = 10_000;
const DESTROYED = 'DestroyNotify';

export async function openPaintWatch(x: XConnection): Promise<PaintWatch> {
  const extension = await x.extension('damage');
  const watched = new Map<number, WatchedWindow>();

  const forget = (top: number): void => {
    watched.get(top)?.close();
    watched.delete(top);
  };

  const stopListening = x.onEvent((event) => {
    if (event.name === DESTROYED && event.wid !== undefined) return forget(event.wid);
    if (event.name !== 'DamageNotify') return;
    for (const one of watched.values()) if (one.damage === event.damage) one.reported();
  });

  const watch = (damage: XDamage, top: number): WatchedWindow => {
    const known = watched.get(top);
    if (known !== undefined) return known;
    const made = watchWindow(x, damage, top, () => forget(top));
    watched.set(top, made);
    return made;
  };

  return {
    async look(top) {
      if (extension === null) return null;
      const paints = await watch(extension, top).look();
      if (paints === null) forget(top);
      return paints;
    },
    onPaint: (top, painted) => watched.get(top)?.onPaint(painted) ?? (() => {}),
    close() {
      stopListening();
      for (const top of [...watched.keys()]) forget(top);
    },
  };
}

interface WatchedWindow {
  readonly damage: number;
  reported(): void;
  look(): Promise<Paints | null>;
  onPaint(painted: () => void): () => void;
  close(): void;
}

/** The server reports one paint, and no other until the damage is taken away ("armed"). */
function watchWindow(x: XConnection, extension: XDamage, top: number, expired: () => void): WatchedWindow {
  const damage = x.client.AllocID();
  const painted = createEmitter<void>();
  const letGo = setTimeout(expired, KEEP_MS).unref();
  let [count, reports, paintedAt, armedAt] = [0, 0, 0, -Infinity];
  let armed = false;
  let arming: Promise<void> | null = null;
  let nextArming: NodeJS.Timeout | null = null;

  const paintedNow = (): void => {
    count += 1;
    paintedAt = performance.now();
  };

  const takeAway = async (): Promise<void> => {
    const before = reports;
    if (nextArming !== null) clearTimeout(nextArming);
    nextArming = null;
    armedAt = performance.now();
    extension.Subtract(damage, 0, 0);
    await x.sync();
    // What was painted from the report on until now was not reported.
    paintedNow();
    armed = reports === before;
  };
  const arm = (): Promise<void> => (arming ??= takeAway().finally(() => (arming = null)));

  extension.Create(damage, top, extension.ReportLevel.NonEmpty);
  // The server reports the whole window at once, unless the window is gone.
  const created = x.sync().then(() => reports > 0);

  return {
    damage,
    onPaint: painted.on,
    reported() {
      reports += 1;
      armed = false;
      paintedNow();
      painted.emit();
      const wait = Math.max(0, armedAt + REPORT_INTERVAL_MS - performance.now());
      nextArming ??= setTimeout(() => void arm().catch(() => {}), wait).unref();
    },
    async look() {
      if (!(await created)) return null;
      letGo.refresh();
      if (armed) await x.sync();
      if (!armed) await arm();
      if (!armed) paintedNow();
      return { generation: `${damage}.${count}`, unpaintedMs: performance.now() - paintedAt };
    },
    close() {
      clearTimeout(letGo);
      if (nextArming !== null) clearTimeout(nextArming);
      painted.clear();
      void destroy(x, extension, damage, top);
    },
  };
}

async function destroy(x: XConnection, extension: XDamage, damage: number, top: number): Promise<void> {
  // With its window the damage is gone already.
  const there = await x.query<XGeometry>((reply) => x.client.GetGeometry(top, reply)).catch(() => null);
  if (there !== null) extension.Destroy(damage);
  x.client.ReleaseID(damage);
}
