import type { XInput } from 'x11';
import { createEmitter } from '../../../base/emitter.js';
import type { Point } from '../../desktop.js';
import type { InputEvents } from '../display-server.js';
import type { XConnection } from './connection.js';
import type { Pointer } from './pointer.js';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

// Which input devices are not hardware. Comes in: the name of a device as the X server gives it.

const XTEST = / XTEST (pointer|keyboard)$/;
/** Where the kernel lists devices that programs created through uinput. */
const VIRTUAL_DEVICES = '/sys/devices/virtual/input';

/** Names of the kernel's input devices without hardware. */
async function virtualDevices(folder = VIRTUAL_DEVICES): Promise<string[]> {
  const entries = await readdir(folder).catch(() => []);
  const names = await Promise.all(
    entries.map((entry) => readFile(join(folder, entry, 'name'), 'utf8').catch(() => '')),
  );
  return names.map((name) => name.trim()).filter((name) => name !== '');
}

/** The X server uses the kernel's name of a device, sometimes with a suffix: “Some device (keyboard)”. */
function isSynthetic(name: string, virtualNames: readonly string[]): boolean {
  return XTEST.test(name) || virtualNames.some((one) => name === one || name.startsWith(`${one} `));
}

const POINTER_EVENTS = new Set(['XIRawMotion', 'XIRawButtonPress', 'XIRawTouchBegin', 'XIRawTouchUpdate']);
const KEY_PRESS = 'XIRawKeyPress';
const RELEASE_EVENTS = new Set(['XIRawKeyRelease', 'XIRawButtonRelease', 'XIRawTouchEnd']);
const DEVICES_CHANGED = 'XIHierarchyChanged';

/** Listens to XInput2 raw events. `null` where the server has no XInput2: then input cannot be noticed. */
export async function openInputEvents(x: XConnection, pointer: Pointer): Promise<InputEvents | null> {
  const input = await x.extension('xinput');
  if (input === null || input.xi2 === null) return null;
  const personInput = createEmitter<Point | null>();
  const synthetic = createEmitter<void>();
  let devices = await readDevices(x, input);
  let readingDevices: Promise<void> = Promise.resolve();
  let readingPosition = false;

  const { RawKeyPress, RawKeyRelease, RawButtonPress, RawButtonRelease, RawMotion, ...masks } = input.EventMask;
  const touches = masks.RawTouchBegin | masks.RawTouchUpdate | masks.RawTouchEnd;
  const mask = RawKeyPress | RawKeyRelease | RawButtonPress | RawButtonRelease | RawMotion | touches;
  input.XISelectEvents(x.root, [
    { deviceId: input.AllMasterDevices, mask },
    { deviceId: input.AllDevices, mask: masks.HierarchyChanged },
  ]);
  await x.sync();

  function emitPersonInput(moved: boolean): void {
    if (!moved) return personInput.emit(null);
    // There are hundreds of motion events; one position request at a time is enough.
    if (readingPosition) return;
    readingPosition = true;
    pointer
      .position()
      .then(personInput.emit, () => {})
      .finally(() => (readingPosition = false));
  }

  x.onEvent((event) => {
    if (event.name === DEVICES_CHANGED) {
      readingDevices = readingDevices
        .then(() => readDevices(x, input))
        .then(
          (found) => void (devices = found),
          () => {},
        );
    }
    const moved = POINTER_EVENTS.has(event.name);
    const pressed = moved || event.name === KEY_PRESS;
    if ((!pressed && !RELEASE_EVENTS.has(event.name)) || event.sourceId === undefined) return;
    // An unknown device has just been created: it counts as synthetic until the list has been read.
    if (devices.get(event.sourceId) ?? true) synthetic.emit();
    else if (pressed && personInput.size > 0) emitPersonInput(moved);
  });

  return {
    onPerson: personInput.on,
    onSynthetic: synthetic.on,
    async flush() {
      await x.sync();
      await readingDevices;
    },
  };
}

/** Device ids, and whether each is synthetic. */
async function readDevices(x: XConnection, input: XInput): Promise<Map<number, boolean>> {
  const [devices, virtualNames] = await Promise.all([
    x.query<{ deviceId: number; use: number; name: string }[]>((r) => input.XIQueryDevice(input.AllDevices, r)),
    virtualDevices(),
  ]);
  return new Map(devices.map(({ deviceId, name }) => [deviceId, isSynthetic(name, virtualNames)]));
}
