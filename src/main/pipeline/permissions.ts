import {
  DesktopError,
  type AutomationGrant,
  type DesktopBackend,
  type DesktopReader,
  type Permission,
  type PermissionState,
} from '../../native/desktop.js';
import type { Message } from '../../messages/index.js';

/** A lost desktop reports unknown permissions and its error. */
export async function readPermissions(
  desktop: Pick<DesktopReader, 'permissions'>,
  signal: AbortSignal,
): Promise<{ permissions: Record<Permission, PermissionState>; trouble: Message | null }> {
  try {
    return { permissions: await desktop.permissions(signal), trouble: null };
  } catch (thrown) {
    if (!(thrown instanceof DesktopError)) throw thrown;
    return { permissions: { accessibility: 'unknown', screenRecording: 'unknown' }, trouble: thrown.text };
  }
}

/** None where they cannot be read. */
export async function readAutomation(
  { automation }: Pick<DesktopBackend, 'automation'>,
  signal: AbortSignal,
): Promise<AutomationGrant[]> {
  try {
    return (await automation?.(signal)) ?? [];
  } catch (thrown) {
    if (thrown instanceof DesktopError) return [];
    throw thrown;
  }
}
