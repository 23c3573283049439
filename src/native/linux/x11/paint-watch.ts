/**
 * When windows were last painted. Comes in: reports of the DAMAGE extension on children of the root. Goes out: a generation, which
 * differs after each paint. A window that nobody has asked about for QUIET_MS costs nothing: the server reports its next paint, and
 * no further one.
 */
import type { XDamage, XGeometry } from 'x11';
import { createEmitter } from '../../../base/emitter.js';
import type { WindowPaint } from '../../desktop.js';
import { type XConnection, STRUCTURE_NOTIFY } from './connection.js';

export type PaintWatch = Awaited<ReturnType<typeof openPaintWatch>>;

/** Reports of one window come at most this often, so that a video does not keep the host busy. */
const REPORT_INTERVAL_MS = 16;
const QUIET_MS = 10_000;
const MAX_WATCHED = 64;
const DESTROYED = 'DestroyNotify';

export async function openPaintWatch(x: XConnection) {
  const extension = await x.extension('damage');
  const watched = new Map<number, WatchedWindow>();
  /** Part of each generation, because ids of windows and of damages are used again. */
  let watches = 0;

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
    const one = watched.get(top) ?? watchWindow(x, damage, top, (watches += 1));
    // The last one asked about is the last of the map.
    watched.delete(top);
    watched.set(top, one);
    const [oldest = top] = watched.keys();
    if (watched.size > MAX_WATCHED) forget(oldest);
    return one;
  };

  return {
    /** As of now; null where the server cannot tell. */
    async lastPaint(top: number): Promise<WindowPaint | null> {
      if (extension === null) return null;
      const paint = await watch(extension, top).lastPaint();
      if (paint === null) forget(top);
      return paint;
    },
    /** Paints after a call of `lastPaint`. Returns a function that stops listening. */
    onPaint: (top: number, painted: () => void): (() => void) => watched.get(top)?.onPaint(painted) ?? (() => {}),
    close(): void {
      stopListening();
      for (const top of [...watched.keys()]) forget(top);
    },
  };
}

interface WatchedWindow {
  readonly damage: number;
  reported(): void;
  lastPaint(): Promise<WindowPaint | null>;
  onPaint(painted: () => void): () => void;
  close(): void;
}

/** The server reports one paint, and the next one only after the damage was subtracted ("armed"). */
function watchWindow(x: XConnection, extension: XDamage, top: number, serial: number): WatchedWindow {
  const damage = x.client.AllocID();
  const painted = createEmitter<void>();
  let askedAt = performance.now();
  let [count, reports, paintedAt, armedAt] = [0, 0, 0, -Infinity];
  let armed = false;
  let arming: Promise<void> | null = null;
  let nextArming: NodeJS.Timeout | null = null;

  const paintedNow = (): void => {
    count += 1;
    paintedAt = performance.now();
  };

  const subtractDamage = async (): Promise<void> => {
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
  const arm = (): Promise<void> => (arming ??= subtractDamage().finally(() => (arming = null)));

  // A later window may have the same id, so the end of this one must be heard of.
  x.send((done) => x.client.ChangeWindowAttributes(top, { eventMask: STRUCTURE_NOTIFY }, done)).catch(() => {});
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
      if (performance.now() - askedAt > QUIET_MS && painted.size === 0) return;
      const wait = Math.max(0, armedAt + REPORT_INTERVAL_MS - performance.now());
      nextArming ??= setTimeout(() => void arm().catch(() => {}), wait).unref();
    },
    async lastPaint() {
      askedAt = performance.now();
      if (!(await created)) return null;
      if (armed) await x.sync();
      if (!armed) await arm();
      if (!armed) paintedNow();
      return { generation: `${serial}.${count}`, unpaintedMs: performance.now() - paintedAt };
    },
    close() {
      if (nextArming !== null) clearTimeout(nextArming);
      painted.clear();
      void destroy(x, extension, damage, top);
    },
  };
}

async function destroy(x: XConnection, extension: XDamage, damage: number, top: number): Promise<void> {
  // The server destroys a damage with its window.
  const there = await x.query<XGeometry>((reply) => x.client.GetGeometry(top, reply)).catch(() => null);
  if (there !== null) extension.Destroy(damage);
  x.client.ReleaseID(damage);
}
