import type { XInput } from 'x11';
import type { Point } from '../../desktop.js';
import type { XConnection } from './connection.js';
import type { Pointer } from './pointer.js';

const ON_POINTER = new Set(['XIRawMotion', 'XIRawButtonPress', 'XIRawTouchBegin', 'XIRawTouchUpdate']);
const KEY = 'XIRawKeyPress';
const HIERARCHY = 'XIHierarchyChanged';

/**
 * Hears real input through XInput2 raw events. What XTEST injects, ours or another program's, comes from devices of
 * its own and is left out. `null` where the server has no XInput2: then nothing can be heard.
 */
export async function openPersonInput(
  x: XConnection,
  pointer: Pointer,
): Promise<((listener: (at: Point | null) => void) => () => void) | null> {
  const input = await x.extension('xinput');
  if (input === null || input.xi2 === null) return null;
  const listeners = new Set<(at: Point | null) => void>();
  let injected = await injectedDevices(x, input);
  let asking = false;

  const masks = input.EventMask;
  const mask = masks.RawKeyPress | masks.RawButtonPress | masks.RawMotion | masks.RawTouchBegin | masks.RawTouchUpdate;
  input.XISelectEvents(x.root, [
    { deviceId: input.AllMasterDevices, mask },
    { deviceId: input.AllDevices, mask: masks.HierarchyChanged },
  ]);
  await x.sync();

  const tell = (at: Point | null): void => {
    for (const listener of listeners) listener(at);
  };

  x.onEvent((event) => {
    if (event.name === HIERARCHY) {
      injectedDevices(x, input).then(
        (devices) => (injected = devices),
        () => {},
      );
    }
    const moved = ON_POINTER.has(event.name);
    if (listeners.size === 0 || (!moved && event.name !== KEY)) return;
    if (event.sourceId === undefined || injected.has(event.sourceId)) return;
    if (!moved) return tell(null);
    // Motion comes by the hundred; one question about the place is enough at a time.
    if (asking) return;
    asking = true;
    pointer
      .position()
      .then(tell, () => {})
      .finally(() => (asking = false));
  });

  return (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
}

async function injectedDevices(x: XConnection, input: XInput): Promise<Set<number>> {
  const devices = await x.ask<{ deviceId: number; use: number; name: string }[]>((r) =>
    input.XIQueryDevice(input.AllDevices, r),
  );
  return new Set(devices.filter(({ name }) => / XTEST (pointer|keyboard)$/.test(name)).map(({ deviceId }) => deviceId));
}
