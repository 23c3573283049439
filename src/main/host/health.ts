import type { DesktopBackend, Permission, PermissionState } from '../../native/desktop.js';
import { readAutomation, readPermissions } from '../pipeline/permissions.js';
import type { Health } from '../protocol/index.js';
import type { Grantee } from '../../native/peer/macos-calls.js';
import type { AttentionBoard } from '../agents/attention.js';
import { createEmitter } from '../../base/emitter.js';
import { message, verbatim, type Message } from '../../messages/index.js';

export type HealthWatch = ReturnType<typeof watchHealth>;

interface HealthOptions {
  desktop: Pick<DesktopBackend, 'permissions' | 'automation' | 'platform' | 'version' | 'onLost'>;
  version: string;
  backend: string;
  /** State of the display itself. */
  display: string;
  note: Message | null;
  /** The note is not a problem. */
  harmless: boolean;
  attention: AttentionBoard;
  /** Whom the person grants permissions to; null where that is not told. */
  grantee?: Grantee | null;
  /** Of the display server. */
  provides?: Health['provides'];
  /** Doors that were opened because somebody asked for them. */
  doors?: readonly Message[];
  /** Other warnings for the person, for example that the hotkey is in use. */
  more?(): Health['issues'];
  log(thrown: unknown): void;
}

const CHECK_INTERVAL_MS = 15_000;
const CHECK_TIMEOUT_MS = 5_000;
export const PERMISSION_NAMES: Readonly<Record<Permission, Message>> = {
  accessibility: message('permission.accessibility'),
  screenRecording: message('permission.screen_recording'),
};

/** Checks permissions regularly without raising a prompt. A lost permission opens attention, a restored one ends it. */
export function watchHealth(options: HealthOptions) {
  const { desktop, version, backend, display: displayName, note, harmless, attention, doors = [], more, log } = options;
  const grantee = options.grantee ?? null;
  const changes = createEmitter<Health | null>(log);
  let health: Health | null = null;
  let relaunch = false;

  async function refresh(): Promise<void> {
    const { permissions, trouble } = await readPermissions(desktop, AbortSignal.timeout(CHECK_TIMEOUT_MS));
    const automation = await readAutomation(desktop, AbortSignal.timeout(CHECK_TIMEOUT_MS));
    const missing = (Object.keys(PERMISSION_NAMES) as Permission[]).filter((name) => permissions[name] !== 'granted');
    const lacking = missing.map((name) => ({
      title: message('health.permission', { permission: PERMISSION_NAMES[name], state: stateOf(permissions[name]) }),
      fix: fixFor(desktop.platform, PERMISSION_NAMES[name], permissions[name], grantee),
      about: name,
    }));
    relaunch ||= desktop.platform === 'macos' && wasGivenNow(health, permissions);
    const issues = trouble === null ? lacking : [{ title: trouble, fix: message('health.start_again') }];
    const display = note === null || harmless ? [] : [{ title: note, fix: message('health.run_doctor') }];
    const next: Health = {
      hostVersion: version,
      platform: desktop.version,
      backend,
      display: desktop.platform === 'simulated' ? message('display.in_memory') : verbatim(displayName),
      permissions,
      ...(automation.length === 0 ? {} : { automation }),
      ...(relaunch ? { relaunch } : {}),
      ...(grantee === null ? {} : { grantee }),
      issues: [...issues, ...display, ...(more?.() ?? [])],
      note: harmless ? note : null,
      ...(options.provides === undefined ? {} : { provides: options.provides }),
      ...(doors.length === 0 ? {} : { doors: [...doors] }),
      system: desktop.platform,
      screen: screenOf(desktop.platform, backend),
    };
    attention.set(
      'permission',
      missing.length === 0 || trouble !== null
        ? null
        : message('attention.not_granted', { permissions: missing.map((name) => PERMISSION_NAMES[name]) }),
    );
    if (JSON.stringify(next) === JSON.stringify(health)) return;
    health = next;
    changes.emit(health);
  }

  const timer = setInterval(() => void refresh().catch(log), CHECK_INTERVAL_MS);
  timer.unref();
  const stopListening = desktop.onLost(() => void refresh().catch(log));
  return {
    now: (): Health | null => health,
    on: changes.on,
    refresh,
    close(): void {
      clearInterval(timer);
      stopListening();
    },
  };
}

/** Pictures of the screen; what else is given is seen by each new helper. */
function wasGivenNow(before: Health | null, { screenRecording }: Record<Permission, PermissionState>): boolean {
  const known = before?.permissions['screenRecording'];
  return screenRecording === 'granted' && (known === 'missing' || known === 'stale');
}

function screenOf(platform: DesktopBackend['platform'], backend: string): Health['screen'] {
  if (platform === 'simulated') return 'simulated';
  return backend.includes('virtual') ? 'virtual' : 'real';
}

/** For messages. */
export const stateOf = (state: PermissionState) => (state === 'unknown' ? 'other' : state);

function fixFor(
  platform: DesktopBackend['platform'],
  permission: Message,
  state: PermissionState,
  grantee: Grantee | null,
): Message {
  if (platform !== 'macos') return message('health.check_display');
  const app = grantee?.name ?? 'Chaperone';
  return message(state === 'stale' ? 'health.renew_in_settings' : 'health.grant_in_settings', { permission, app });
}
