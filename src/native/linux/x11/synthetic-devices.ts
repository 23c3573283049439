/** Which input devices are not hardware. Comes in: the name of a device as the X server gives it. Called by person-input.ts. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const XTEST = / XTEST (pointer|keyboard)$/;
/** Where the kernel lists devices that programs created through uinput. */
const VIRTUAL_DEVICES = '/sys/devices/virtual/input';

/** Names of the kernel's input devices without hardware. */
export async function virtualDevices(folder = VIRTUAL_DEVICES): Promise<string[]> {
  const entries = await readdir(folder).catch(() => []);
  const names = await Promise.all(
    entries.map((entry) => readFile(join(folder, entry, 'name'), 'utf8').catch(() => '')),
  );
  return names.map((name) => name.trim()).filter((name) => name !== '');
}

/** The X server uses the kernel's name of a device, sometimes with a suffix: “Some device (keyboard)”. */
export function isSynthetic(name: string, virtualNames: readonly string[]): boolean {
  return XTEST.test(name) || virtualNames.some((one) => name === one || name.startsWith(`${one} `));
}
