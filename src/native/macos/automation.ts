/** Which applications this process may send scripts to, without ever raising a question. */
import type { AutomationGrant } from '../desktop.js';
import type { Core } from './core.js';
import type { Apps } from './screen/apps.js';

/** Most scripts go through it, and it has no window. */
const SYSTEM_EVENTS = { id: 'com.apple.systemevents', name: 'System Events' };
const MOST_ASKED = 60;
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
  for (const [id, application] of [...targets].slice(0, MOST_ASKED)) {
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
