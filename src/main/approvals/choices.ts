/** Which grants a card offers, in words. The first is always this one time. */
import { basename } from 'node:path';
import type { Effect, Grant, GrantChoice } from '../protocol/index.js';
import { INTERPRETERS, NEVER_ALWAYS, inTable } from './apps.js';
import { effectsOf, namesOf } from './asked.js';
import type { Asked } from './asked.js';

export type GrantKind = Exclude<GrantChoice['kind'], 'once'>;

export const TIME_MS = 10 * 60_000;
export const SESSION_MS = 12 * 3_600_000;

/** What a grant given on this card covers; null where there can be none. */
export interface GrantScope {
  app: NonNullable<Asked['app']>;
  origin: string | null;
  effects: Effect[];
}

export function grantScope(asked: Asked): GrantScope | null {
  const effects = EFFECTS_OF.get(asked.effect);
  if (effects === undefined || asked.app === null || asked.app.id === '') return null;
  if (asked.agent.executable === '' || asked.agent.demo === true) return null;
  if (asked.browser && asked.origin === null) return null;
  // The kernel does not tell what it is.
  if (asked.app.program === '') return null;
  if (inTable(NEVER_ALWAYS.get('Chaperone itself') ?? [], ...namesOf(asked.app))) return null;
  return { app: asked.app, origin: asked.origin, effects: [...effects] };
}

/** Clicks and typing include the pointer; disclosure and dangerous acts never come along. */
const EFFECTS_OF: ReadonlyMap<Effect, readonly Effect[]> = new Map<Effect, readonly Effect[]>([
  ['disclose', ['disclose']],
  ['pointer', ['pointer']],
  ['input', ['pointer', 'input']],
]);

const WORDS: ReadonlyMap<Effect, string> = new Map<Effect, string>([
  ['disclose', 'what it shows'],
  ['pointer', 'pointer and windows'],
  ['input', 'clicks and typing'],
]);

export function mayBeAlways({ agent, app }: Pick<Asked, 'agent' | 'app'>): boolean {
  if (app === null || agent.executable === '' || agent.demo === true) return false;
  for (const table of NEVER_ALWAYS.values()) if (inTable(table, ...namesOf(app))) return false;
  return agent.script !== null || !inTable(INTERPRETERS, basename(agent.executable));
}

/** `remembered`: the policy keeps an Allow for the session by itself. `grants`: the policy lets grants be given. */
export function choicesFor(
  asked: Asked,
  past: Asked[],
  policy: { remembered: boolean; grants: boolean },
): GrantChoice[] {
  if (asked.effect === 'dangerous') return [];
  const first = policy.remembered ? rememberedOnce(asked) : ONCE;
  const scope = policy.grants ? grantScope(asked) : null;
  if (scope === null) return [first];
  const lasting: GrantKind[] = policy.remembered && asked.effect === 'disclose' ? [] : ['time', 'session'];
  const kinds: GrantKind[] = mayBeAlways(asked) ? [...lasting, 'always'] : lasting;
  const covered = coverage(scope, past);
  return [first, ...kinds.map((kind) => ({ ...choiceWords(kind, asked, scope), covered }))];
}

/** By the first word of {@link Asked.memory}. */
const DISCLOSED: ReadonlyMap<string, string> = new Map([
  ['screen', 'everything on your screen'],
  ['area', 'this part of the screen'],
  ['titles', 'the names of applications and the titles of windows'],
]);

const ONCE: GrantChoice = {
  kind: 'once',
  label: 'Only this time',
  consequence: 'Allow acts once.',
  covered: null,
};

function rememberedOnce({ agent, effect, app, memory }: Asked): GrantChoice {
  const disclosed =
    DISCLOSED.get(memory.replace(/:.*$/su, '')) ?? (app === null ? 'this' : `everything ${named(app.name)} shows`);
  const what = effect === 'disclose' ? disclosed : 'requests of this kind';
  const until = `until ${named(agent.name)} quits`;
  return {
    kind: 'once',
    label: `From now ${until}`,
    consequence: `Allow covers ${what} ${until}.`,
    covered: null,
  };
}

function choiceWords(kind: GrantKind, { agent, effect }: Asked, scope: GrantScope): Omit<GrantChoice, 'covered'> {
  const where = scope.origin === null ? `in ${named(scope.app.name)}` : `on ${scope.origin}`;
  const what = `${scope.origin === null ? 'This app' : 'This site'}, ${WORDS.get(effect) ?? effect}`;
  const who = named(agent.name);
  if (kind === 'time') return { kind, label: `${what}, 10 minutes`, consequence: `Allow gives 10 minutes ${where}.` };
  if (kind === 'session')
    return {
      kind,
      label: `${what}, until ${who} quits`,
      consequence: `Allow lasts ${where} until ${who} quits, 12 hours at most.`,
    };
  return {
    kind,
    label: `${what}, always`,
    consequence: `Allow lasts ${where} for every ${who} (${agent.script ?? agent.executable}) until you remove it in Settings.`,
  };
}

/** One line for the list of grants. */
export function grantLabel(kind: GrantKind, asked: Asked, scope: GrantScope): string {
  const length = { time: '10 minutes', session: `until ${named(asked.agent.name)} quits`, always: 'always' }[kind];
  const where = scope.origin ?? named(scope.app.name);
  return `${named(asked.agent.name)} in ${where}: ${WORDS.get(asked.effect) ?? asked.effect}, ${length}`;
}

function coverage(scope: GrantScope, past: Asked[]): GrantChoice['covered'] {
  if (past.length === 0) return null;
  const would = past.filter((one) => !one.alwaysAsk && covers({ appId: scope.app.id, appProgram: scope.app.program, origin: scope.origin, effects: scope.effects }, one)); // prettier-ignore
  return { would: would.length, of: past.length };
}

/** The same application, the same origin (or none in both), one of its classes. Never what is dangerous. */
export function covers(
  grant: Pick<Grant, 'appId' | 'appProgram' | 'origin' | 'effects'>,
  asked: Pick<Asked, 'app' | 'origin' | 'browser' | 'effect' | 'steps'>,
): boolean {
  if (asked.effect === 'dangerous' || asked.app === null || asked.app.id === '') return false;
  if (asked.browser && asked.origin === null) return false;
  if (grant.appId !== asked.app.id || grant.origin !== asked.origin) return false;
  if (asked.app.program === '' || grant.appProgram !== asked.app.program) return false;
  return effectsOf(asked).every((effect) => HARMLESS.has(effect) || grant.effects.includes(effect));
}

/** What is never asked about by itself: a wait among the steps. */
const HARMLESS: ReadonlySet<Effect> = new Set<Effect>(['read', 'bookkeeping']);

/** A name in a sentence: no characters that hide or turn around what follows. */
function named(name: string): string {
  const plain = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD').trim();
  return plain.length > 60 ? `${plain.slice(0, 59)}…` : plain;
}
