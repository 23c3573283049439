/** Windows inside windows: what shows in them, and programs that hold or put them. */
import type { Window } from '../../src/native/desktop.js';
import { openXApplication, type XApplication } from './x-application.js';

const isMagenta = (rgb: Uint8Array, at: number) => rgb[at] === 255 && rgb[at + 1] === 0 && rgb[at + 2] === 255;

/** How many pixels of an RGB picture are magenta. */
export function magentaIn(rgb: Uint8Array): number {
  let found = 0;
  for (let at = 0; at + 2 < rgb.length; at += 3) if (isMagenta(rgb, at)) found += 1;
  return found;
}

/** Puts the window into another, and shows it there. */
export async function put(x: XApplication, window: Window, into: number, at = { x: 0, y: 60 }): Promise<void> {
  const id = Number(window.id);
  await x.request((done) => x.x.client.ReparentWindow(id, into, at.x, at.y, done));
  await x.request((done) => x.x.client.MapWindow(id, done));
}

export async function withXApplication(
  env: Record<string, string>,
  work: (x: XApplication) => Promise<void>,
): Promise<void> {
  const x = await openXApplication(env);
  try {
    await work(x);
  } finally {
    await x.close();
  }
}

/** A system tray: docks every icon that asks. */
export async function openTray(x: XApplication): Promise<number> {
  const tray = await x.create(x.x.root, { x: 0, y: 0, width: 200, height: 64 });
  await x.setText(tray, 'WM_NAME', 'Tray');
  const [selection, opcode] = await Promise.all([x.x.atom('_NET_SYSTEM_TRAY_S0'), x.x.atom('_NET_SYSTEM_TRAY_OPCODE')]);
  x.x.onEvent(({ name, rawData }) => {
    if (name !== 'ClientMessage' || rawData?.readUInt32LE(8) !== opcode || rawData.readUInt32LE(16) !== 0) return;
    const icon = rawData.readUInt32LE(20);
    void x.request((done) => x.x.client.ReparentWindow(icon, tray, 8, 8, done));
    void x.request((done) => x.x.client.ConfigureWindow(icon, { width: 48, height: 48 }, done));
    void x.request((done) => x.x.client.MapWindow(icon, done));
  });
  await x.request((done) => x.x.client.MapWindow(tray, done));
  await x.request((done) => x.x.client.SetSelectionOwner(tray, selection, 0, done));
  return tray;
}

/** A window, "Full", with more windows in it than anybody looks through; gives the id of its lowest one. */
export async function openCrowded(x: XApplication): Promise<number> {
  const top = await x.create(x.x.root, { x: 0, y: 0, width: 400, height: 400 });
  await x.setText(top, 'WM_NAME', 'Full');
  const lowest = await x.create(top, { x: 0, y: 0, width: 400, height: 400 });
  await Promise.all(Array.from({ length: 1100 }, () => x.create(top, { x: 0, y: 0, width: 1, height: 1 })));
  for (const id of [lowest, top]) await x.request((done) => x.x.client.MapWindow(id, done));
  return lowest;
}
