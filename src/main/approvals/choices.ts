/** The grants that a card offers, with their texts. The first is always this one time. */
import { basename } from 'node:path';
import type { App } from '../../native/desktop.js';
import type { Effect, Grant, GrantChoice } from '../protocol/index.js';
import { INTERPRETERS, NEVER_ALWAYS, isListed, isOneOf } from './app-kinds.js';
import { effectsOf, isInFolder, isKnownProgram, namesOf, type RequestFacts } from './request-facts.js';
import { message, type Message } from '../../messages/index.js';

export type StoredGrantKind = Exclude<Grant['kind'], 'once'>;

export const TIME_MS = 10 * 60_000;
export const SESSION_MS = 12 * 3_600_000;

/** What a grant given on this card covers; null where there can be none. */
interface GrantScope {
  app: NonNullable<RequestFacts['app']>;
  origin: string | null;
  effects: Effect[];
  /** Files that dialogs may be given; undefined: none. */
  folder?: string;
}

export function grantScope(asked: RequestFacts): GrantScope | null {
  const effects = EFFECTS_OF.get(asked.effect);
  if (effects === undefined || asked.app === null || asked.app.id === '') return null;
  if (!isKnownProgram(asked.agent) || asked.agent.demo === true) return null;
  if (asked.browser && asked.origin === null) return null;
  // The kernel does not say which program it is; of a browser that is opened at a site it does once it runs.
  if (asked.app.program === '' && (asked.opens === undefined || asked.origin === null)) return null;
  if (isListed(NEVER_ALWAYS.get('Chaperone itself') ?? [], ...namesOf(asked.app))) return null;
  const { folder } = asked;
  const files = folder === undefined || asked.origin !== null || !effects.includes('input') ? {} : { folder };
  if (asked.file !== undefined && !isInFolder(files.folder, asked.file)) return null;
  return { app: asked.app, origin: asked.origin, effects: [...effects], ...files };
}

/** What a grant for each effect covers: who clicks and types also sees there; nothing includes dangerous acts. */
const EFFECTS_OF: ReadonlyMap<Effect, readonly Effect[]> = new Map<Effect, readonly Effect[]>([
  ['disclose', ['disclose']],
  ['pointer', ['pointer']],
  ['input', ['disclose', 'pointer', 'input']],
]);

/** One of the file managers that this program knows by name. */
export const isFileManager = ({ id, name, otherIds = [] }: App): boolean =>
  isListed(NEVER_ALWAYS.get('file manager') ?? [], id, name, ...otherIds);

export function mayBeAlways({ agent, app }: Pick<RequestFacts, 'agent' | 'app'>): boolean {
  if (app === null || app.program === '' || agent.executable === '' || agent.demo === true) return false;
  if (isOneOf(NEVER_ALWAYS, namesOf(app))) return false;
  return agent.script !== null || !isListed(INTERPRETERS, basename(agent.executable));
}

/** `remembered`: under this policy an Allow is remembered for the session. `grants`: the policy permits grants; `always`: the programs can be told from others. */
export function choicesFor(
  asked: RequestFacts,
  past: RequestFacts[],
  policy: { remembered: boolean; grants: boolean; always?: boolean },
): GrantChoice[] {
  if (asked.effect === 'dangerous') return [];
  // Whatever was given would not hold: requests of this kind are asked every time.
  if (asked.alwaysAsk) return [ONCE];
  const first = policy.remembered && asked.file === undefined ? rememberedOnce(asked) : ONCE;
  const scope = policy.grants ? grantScope(asked) : null;
  if (scope === null) return [first];
  const lasting: StoredGrantKind[] = policy.remembered && asked.effect === 'disclose' ? [] : ['time', 'session'];
  const kinds: StoredGrantKind[] = policy.always !== false && mayBeAlways(asked) ? [...lasting, 'always'] : lasting;
  const covered = coverage(scope, past);
  return [first, ...kinds.map((kind) => ({ ...choiceWords(kind, asked, scope), covered }))];
}

const ONCE: GrantChoice = {
  kind: 'once',
  label: message('grant.once'),
  consequence: message('grant.once.means'),
  covered: null,
};

function rememberedOnce({ agent, effect, app, memory }: RequestFacts): GrantChoice {
  const who = { agent: safeName(agent.name) };
  const what = effect === 'disclose' ? disclosed(memory, app) : 'kind';
  return {
    kind: 'once',
    label: message('grant.remembered', who),
    consequence: message('grant.remembered.means', { ...who, what, app: app === null ? '' : safeName(app.name) }),
    covered: null,
  };
}

/** From the first word of {@link RequestFacts.memory}. */
function disclosed(memory: string, app: RequestFacts['app']) {
  const word = memory.replace(/:.*$/su, '');
  if (word === 'screen' || word === 'area' || word === 'titles') return word;
  return app === null ? 'other' : 'app';
}

function choiceWords(kind: StoredGrantKind, asked: RequestFacts, scope: GrantScope): Omit<GrantChoice, 'covered'> {
  const agent = safeName(asked.agent.name);
  const where = whatOf(asked, scope);
  const label = message('grant.choice', { agent, scope: where.scope, place: hostOf(where.place), length: kind });
  if (kind === 'time') return { kind, label, consequence: message('grant.time.means', where) };
  if (kind === 'session') return { kind, label, consequence: message('grant.session.means', { agent, ...where }) };
  const program = asked.agent.script ?? asked.agent.executable;
  return { kind, label, consequence: message('grant.always.means', { agent, program, ...where }) };
}

/** The button has room for the host; what it gives names the whole origin. */
const hostOf = (place: string): string => (URL.canParse(place) ? new URL(place).host || place : place);

const effectOf = ({ effect }: RequestFacts): 'disclose' | 'pointer' | 'other' =>
  effect === 'disclose' || effect === 'pointer' ? effect : 'other';

/** One line for the list of grants. */
export const grantMessage = (kind: StoredGrantKind, asked: RequestFacts, scope: GrantScope): Message =>
  message('grant.given', {
    agent: safeName(asked.agent.name),
    ...whatOf(asked, scope),
    length: kind,
  });

/** What it lets the agent do, and where. */
const whatOf = (asked: RequestFacts, { app, origin, folder }: GrantScope) => ({
  scope: origin === null ? ('other' as const) : ('site' as const),
  place: origin ?? safeName(app.name),
  effect: effectOf(asked),
  files: folder === undefined ? ('other' as const) : ('yes' as const),
  folder: folder ?? '',
});

/** How many of the past requests this one would have covered. */
function coverage(scope: GrantScope, past: RequestFacts[]): GrantChoice['covered'] {
  const grant = { ...scope, appId: scope.app.id, appProgram: scope.app.program };
  const would = past.filter((one) => !one.alwaysAsk && grantCovers(grant, one)).length;
  return would === 0 ? null : { would, of: past.length };
}

/** Why this is asked although its agent has grants for the application; null where it has none, or one covers it. Pure. */
export function whyAskedAnyway(grants: readonly Grant[], asked: RequestFacts): Message | null {
  const there = grants.filter(({ appId }) => appId === asked.app?.id);
  const first = there.find(({ effects }) => effects.includes('input')) ?? there[0];
  if (first === undefined) return null;
  const isCovered = !asked.alwaysAsk && there.some((grant) => grantCovers(grant, asked));
  if (isCovered) return null;
  return message('note.asked_anyway', {
    allowed: allowedBy(first),
    scope: first.origin === null ? 'other' : 'site',
    place: first.origin ?? safeName(first.appName ?? first.appId),
    why: reasonOf(asked, there),
  });
}

function reasonOf(asked: RequestFacts, grants: readonly Grant[]) {
  if (asked.effect === 'dangerous') return 'dangerous';
  if (asked.alwaysAsk) return asked.asksFor ?? 'kind';
  if (grants.every(({ origin }) => origin !== asked.origin)) return 'site';
  const { file } = asked;
  return file !== undefined && grants.every(({ folder }) => !isInFolder(folder, file)) ? 'folder' : 'other';
}

const allowedBy = ({ effects }: Pick<Grant, 'effects'>) =>
  effects.includes('input') ? 'other' : effects.includes('pointer') ? 'pointer' : 'disclose';

/** Whether the grant covers the request: same application, same origin, all effects granted. Never for dangerous acts. */
export function grantCovers(
  grant: Pick<Grant, 'appId' | 'appProgram' | 'origin' | 'effects' | 'folder'>,
  asked: Pick<RequestFacts, 'app' | 'origin' | 'browser' | 'effect' | 'steps' | 'file'>,
): boolean {
  if (asked.effect === 'dangerous' || asked.app === null || asked.app.id === '') return false;
  if (asked.browser && asked.origin === null) return false;
  if (grant.appId !== asked.app.id || grant.origin !== asked.origin) return false;
  if (asked.app.program === '' || grant.appProgram !== asked.app.program) return false;
  if (asked.file !== undefined && !isInFolder(grant.folder, asked.file)) return false;
  return effectsOf(asked).every((effect) => HARMLESS.has(effect) || grant.effects.includes(effect));
}

/** Effects that need no approval, such as a wait among the steps. */
const HARMLESS: ReadonlySet<Effect> = new Set<Effect>(['read', 'bookkeeping']);

/** Makes a name safe within a sentence: no hidden characters, and none that change the text direction. */
export function safeName(name: string): string {
  const plain = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD').trim();
  return plain.length > 60 ? `${plain.slice(0, 59)}…` : plain;
}
