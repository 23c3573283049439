import { createRequire } from 'node:module';
import { addonFile } from './addon-file.js';

/** Of the package node-mac-permissions what it does rightly: it reads these three without a question, and asks for the screen at once. */
export class PermissionsLibrary {
  constructor(readonly native: Record<'getAuthStatus' | 'askForScreenCaptureAccess', (given: unknown) => unknown>) {}

  read() {
    const status = (type: string): string => String(this.native.getAuthStatus(type));
    return { accessibility: status('accessibility'), screen: status('screen'), listening: status('input-monitoring') };
  }

  /** Lists the program in Screen Recording, with the system's own question; opens no pane. Does nothing where it is allowed. */
  askForScreen(): void {
    this.native.askForScreenCaptureAccess(false);
  }
}

/** null where its native part was not built: it is optional. */
export function loadPermissionsLibrary(
  load: (file: string) => unknown = createRequire(import.meta.url),
): PermissionsLibrary | null {
  try {
    const library: unknown = load(addonFile('permissions.node'));
    return isNative(library) ? new PermissionsLibrary(library) : null;
  } catch {
    return null;
  }
}

function isNative(value: unknown): value is PermissionsLibrary['native'] {
  if (typeof value !== 'object' || value === null) return false;
  return ['getAuthStatus', 'askForScreenCaptureAccess'].every((name) => typeof Reflect.get(value, name) === 'function');
}
