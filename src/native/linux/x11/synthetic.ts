/** Which input devices are no hardware. Comes in: a device's name as the X server gives it. Called by person.ts. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const XTEST = / XTEST (pointer|keyboard)$/;
/** Where the kernel lists devices that programs made through uinput. */
const MADE = '/sys/devices/virtual/input';

/** Names of the kernel's input devices that no hardware stands behind. */
export async function virtualDevices(folder = MADE): Promise<string[]> {
  const entries = await readdir(folder).catch(() => []);
  const names = await Promise.all(
    entries.map((entry) => readFile(join(folder, entry, 'name'), 'utf8').catch(() => '')),
  );
  return names.map((name) => name.trim()).filter((name) => name !== '');
}

/** The X server calls a device what the kernel calls it, at times with something behind it: “Some device (keyboard)”. */
export function isSynthetic(name: string, made: readonly string[]): boolean {
  return XTEST.test(name) || made.some((one) => name === one || name.startsWith(`${one} `));
}
