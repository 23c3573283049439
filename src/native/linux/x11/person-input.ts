import type { XInput } from 'x11';
import { createEmitter } from '../../../base/emitter.js';
import type { Point } from '../../desktop.js';
import type { XConnection } from './connection.js';
import type { Pointer } from './pointer.js';
import { isSynthetic, virtualDevices } from './synthetic.js';

export interface InputEars {
  /** Presses and moves of real devices. */
  onPerson(listener: (at: Point | null) => void): () => void;
  /** Presses, moves and releases of synthetic devices: XTEST's, which our own injecting uses too, and those that programs make in the kernel. */
  onSynthetic(listener: () => void): () => void;
  /** Resolves when everything that the server had taken at the call has been told. */
  heard(): Promise<void>;
}

const ON_POINTER = new Set(['XIRawMotion', 'XIRawButtonPress', 'XIRawTouchBegin', 'XIRawTouchUpdate']);
const KEY = 'XIRawKeyPress';
const RELEASES = new Set(['XIRawKeyRelease', 'XIRawButtonRelease', 'XIRawTouchEnd']);
const HIERARCHY = 'XIHierarchyChanged';

/** Hears input through XInput2 raw events. `null` where the server has no XInput2: then nothing can be heard. */
export async function openInputEars(x: XConnection, pointer: Pointer): Promise<InputEars | null> {
  const input = await x.extension('xinput');
  if (input === null || input.xi2 === null) return null;
  const persons = createEmitter<Point | null>();
  const synthetic = createEmitter<void>();
  let devices = await lookAtDevices(x, input);
  let looking: Promise<void> = Promise.resolve();
  let asking = false;

  const { RawKeyPress, RawKeyRelease, RawButtonPress, RawButtonRelease, RawMotion, ...masks } = input.EventMask;
  const touches = masks.RawTouchBegin | masks.RawTouchUpdate | masks.RawTouchEnd;
  const mask = RawKeyPress | RawKeyRelease | RawButtonPress | RawButtonRelease | RawMotion | touches;
  input.XISelectEvents(x.root, [
    { deviceId: input.AllMasterDevices, mask },
    { deviceId: input.AllDevices, mask: masks.HierarchyChanged },
  ]);
  await x.sync();

  function personDid(moved: boolean): void {
    if (!moved) return persons.emit(null);
    // Motion comes by the hundred; one question about the place is enough at a time.
    if (asking) return;
    asking = true;
    pointer
      .position()
      .then(persons.emit, () => {})
      .finally(() => (asking = false));
  }

  x.onEvent((event) => {
    if (event.name === HIERARCHY) {
      looking = looking
        .then(() => lookAtDevices(x, input))
        .then(
          (found) => void (devices = found),
          () => {},
        );
    }
    const moved = ON_POINTER.has(event.name);
    const pressed = moved || event.name === KEY;
    if ((!pressed && !RELEASES.has(event.name)) || event.sourceId === undefined) return;
    // A device that is not known yet has just been made.
    if (devices.get(event.sourceId) ?? true) synthetic.emit();
    else if (pressed && persons.size > 0) personDid(moved);
  });

  return {
    onPerson: persons.on,
    onSynthetic: synthetic.on,
    async heard() {
      await x.sync();
      await looking;
    },
  };
}

/** Each device, and whether it is a synthetic one. */
async function lookAtDevices(x: XConnection, input: XInput): Promise<Map<number, boolean>> {
  const [devices, made] = await Promise.all([
    x.ask<{ deviceId: number; use: number; name: string }[]>((r) => input.XIQueryDevice(input.AllDevices, r)),
    virtualDevices(),
  ]);
  return new Map(devices.map(({ deviceId, name }) => [deviceId, isSynthetic(name, made)]));
}
