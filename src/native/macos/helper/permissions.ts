/** Permissions as the host asks for them: a change is seen by a new process only, so one is asked where something is not granted. */
import type { DesktopBackend } from '../../desktop.js';
import { openHelperClient, type HelperClient, type HelperOptions } from './client.js';

/** Several applications are asked, each as long as it may take. */
const LIMIT_MS = 8000;

/** `renewed` is called where a new process is allowed something else: only new helpers profit from it. */
export function createPermissions(
  client: HelperClient,
  options: HelperOptions,
  renewed: () => void,
): Pick<DesktopBackend, 'permissions' | 'automation'> {
  return {
    automation: (signal) => client.call('automation', [], LIMIT_MS, signal),
    async permissions(signal) {
      const known = await client.call('permissions', [], LIMIT_MS, signal);
      if (Object.values(known).every((state) => state === 'granted')) return known;
      const fresh = openHelperClient(options);
      try {
        const now = await fresh.call('permissions', [], LIMIT_MS, signal);
        if (now.accessibility !== known.accessibility || now.screenRecording !== known.screenRecording) renewed();
        return now;
      } finally {
        fresh.close();
      }
    },
  };
}
