import { createRequire } from 'node:module';

/** As another library reads them, of the process that answers for this one. `listening`: Input Monitoring. */
export interface SeenPermissions {
  accessibility: string;
  screen: string;
  listening: string;
}

/** null where the library is not installed or was not built: it is optional. It answers these three rightly, and raises no question for them. */
export function readMacPermissions(
  load: (name: string) => unknown = createRequire(import.meta.url),
): SeenPermissions | null {
  let library: unknown;
  try {
    library = load('node-mac-permissions');
  } catch {
    return null;
  }
  const read: unknown = Reflect.get(Object(library), 'getAuthStatus');
  if (typeof read !== 'function') return null;
  const status = (type: string): string => String(Reflect.apply(read, library, [type]));
  return { accessibility: status('accessibility'), screen: status('screen'), listening: status('input-monitoring') };
}

interface Told {
  accessibility: string;
  screenRecording: string;
}

/** Whether what the backend says fits it. A stale entry counts as allowed for the system; what is unknown fits anything. */
export function permissionsAgree(seen: SeenPermissions, told: Told): boolean {
  const fits = (status: string, state: string): boolean =>
    state === 'unknown' || (status === 'authorized') === (state !== 'missing');
  return fits(seen.accessibility, told.accessibility) && fits(seen.screen, told.screenRecording);
}
