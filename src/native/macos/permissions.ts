/** What this process is allowed, by what works, without ever raising a question. The system answers a process the same until it ends. */
import { DesktopError, type Permission, type PermissionState, type AutomationGrant } from '../desktop.js';
import { ATTRIBUTE } from './accessibility/names.js';
import type { Core } from './core.js';
import type { Apps } from './screen/apps.js';
import type { WindowRows } from './screen/window-rows.js';
import type { Windows } from './screen/windows.js';

export interface PermissionParts {
  core: Core;
  rows: WindowRows;
  apps: Apps;
  windows: Windows;
}

/** They always run and always answer. */
const ASKED_FIRST: ReadonlySet<string> = new Set(['com.apple.finder', 'com.apple.dock']);
const MOST_ASKED = 5;

export function readPermissions(parts: PermissionParts): Record<Permission, PermissionState> {
  return { accessibility: accessibility(parts), screenRecording: screenRecording(parts) };
}

/** Trusted, and refused by several all the same: the entry in the settings is of another signature. */
function accessibility(parts: PermissionParts): PermissionState {
  const { core, apps } = parts;
  core.runLoop.turn();
  if (core.bound.accessibility.AXIsProcessTrusted() === 0) return 'missing';
  const others = apps.running().filter(({ pid }) => pid !== process.pid);
  const ordered = others.toSorted((a, b) => Number(ASKED_FIRST.has(b.id)) - Number(ASKED_FIRST.has(a.id)));
  for (const { pid } of ordered.slice(0, MOST_ASKED)) {
    const outcome = ask(core, pid);
    if (outcome === null) return 'granted';
    if (outcome === 'permission') return 'stale';
  }
  return 'unknown';
}

/** null where it answered. */
function ask({ ax, scoped }: Core, pid: number): string | null {
  try {
    scoped((scope) => ax.attribute(scope, ax.application(scope, pid), ATTRIBUTE.role));
    return null;
  } catch (thrown) {
    if (thrown instanceof DesktopError) return thrown.code;
    throw thrown;
  }
}

/** Names of windows of other programs are told only where the screen may be recorded; that there are none proves nothing. */
function screenRecording({ core, rows, windows }: PermissionParts): PermissionState {
  if (!core.bound.coreGraphics.CGPreflightScreenCaptureAccess()) return 'missing';
  const foreign = rows.onScreen().filter(({ pid }) => pid !== process.pid);
  if (foreign.some(({ name }) => name !== '')) return 'granted';
  return hasTitles(windows) ? 'stale' : 'unknown';
}

function hasTitles(windows: Windows): boolean {
  try {
    return windows.list().some(({ title, visible, app }) => visible && title !== '' && app.pid !== process.pid);
  } catch (thrown) {
    if (thrown instanceof DesktopError) return false;
    throw thrown;
  }
}

/** Such as `15.3.1`; '' where the system does not tell. */
export function systemVersion({ bound }: Core): string {
  const [text, length] = [Buffer.alloc(64), new BigUint64Array([64n])];
  if (bound.processes.sysctlbyname('kern.osproductversion', text, length, null, 0) !== 0) return '';
  return text.toString('utf8', 0, Math.max(0, Number(length[0]) - 1));
}

// Which applications this process may send scripts to, without ever raising a question.

/** Most scripts go through it, and it has no window. */
const SYSTEM_EVENTS = { id: 'com.apple.systemevents', name: 'System Events' };
const MOST_APPLICATIONS = 60;
const LIMIT_MS = 1000;

const fourCharacters = (code: string): number => Buffer.from(code, 'latin1').readUInt32BE();
const BUNDLE_ID = fourCharacters('bund');
/** Opening an application or a document may be allowed where reading from it is not. */
const GET_DATA = [fourCharacters('core'), fourCharacters('getd')] as const;
const NEVER_ASK = 0;
const STATES: ReadonlyMap<number, AutomationGrant['state']> = new Map([
  [0, 'granted'],
  /** errAEEventNotPermitted. */
  [-1743, 'missing'],
]);

/** Applications that run and about which the person has decided; the others are asked about when a script first needs them. */
export function readAutomation(core: Core, apps: Apps): AutomationGrant[] {
  const targets = new Map([SYSTEM_EVENTS, ...apps.list()].map(({ id, name }) => [id, name]));
  const until = performance.now() + LIMIT_MS;
  const grants: AutomationGrant[] = [];
  for (const [id, application] of [...targets].slice(0, MOST_APPLICATIONS)) {
    if (performance.now() > until) break;
    const state = STATES.get(askAbout(core, id));
    if (state !== undefined) grants.push({ application, state });
  }
  return grants;
}

function askAbout({ bound: { coreServices } }: Core, id: string): number {
  const bytes = Buffer.from(id);
  const target = new BigUint64Array(2);
  const failed = coreServices.AECreateDesc(BUNDLE_ID, bytes, bytes.length, target);
  if (failed !== 0) return failed;
  try {
    return coreServices.AEDeterminePermissionToAutomateTarget(target, ...GET_DATA, NEVER_ASK);
  } finally {
    coreServices.AEDisposeDesc(target);
  }
}
