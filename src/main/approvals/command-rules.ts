/**
 * Rules for commands: exactly these words, or all commands that start with some of them, in one folder and for one process of an agent.
 * Comes in: a request about a command, as the host judged it. Goes out: the rule that covers it. Kept on disk as grants are.
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { createEmitter } from '../../base/emitter.js';
import { grantSchema, type Grant, type GrantChoice, type RuleKind } from '../protocol/index.js';
import { message, MessageError } from '../../messages/index.js';
import { SESSION_MS, TIME_MS, safeName } from './choices.js';
import type { Clock } from './clock.js';
import { createDurableWriter, readPrivate, writePrivate } from './files.js';
import { isFor, type GrantStore } from './grants.js';
import { isKnownProgram, type RequestFacts } from './request-facts.js';

const MAX_RULES = 200;
const commandSchema = z.strictObject({
  words: z.array(z.string()),
  /** Only these words; otherwise all commands that start with them. */
  exact: z.boolean(),
  folder: z.string(),
  program: z.string(),
  identity: z.string(),
  sandbox: z.boolean(),
});
const ruleSchema = z.strictObject({ grant: grantSchema, command: commandSchema });
type Rule = z.infer<typeof ruleSchema>;
/** What the person said no to, which no rule made before or after covers. */
const deniedSchema = z.strictObject({ agentId: z.string(), folder: z.string(), words: z.array(z.string()) });
type Denied = z.infer<typeof deniedSchema>;
const fileSchema = z.strictObject({
  version: z.literal(1),
  rules: z.array(ruleSchema).max(MAX_RULES),
  denied: z.array(deniedSchema).max(MAX_RULES),
});

type Command = NonNullable<RequestFacts['command']>;

const LENGTHS: Readonly<Record<RuleKind, number>> = { exact: SESSION_MS, prefix: SESSION_MS, prefix_time: TIME_MS };
const isRuleKind = (kind: string): kind is RuleKind => Object.hasOwn(LENGTHS, kind);

/** The rules that a request about a command offers, besides this one time. */
export function ruleChoices(asked: RequestFacts): GrantChoice[] {
  const { command, agent } = asked;
  if (command?.rule == null || asked.alwaysAsk || !isKnownProgram(agent) || agent.demo === true) return [];
  const kinds: RuleKind[] = command.rule.prefix === null ? ['exact'] : ['exact', 'prefix_time', 'prefix'];
  return kinds.map((kind) => {
    const words = {
      agent: safeName(agent.name),
      which: kind === 'exact' ? 'exact' : 'other',
      start: shownWords(command.rule?.prefix ?? command.words),
      length: kind === 'prefix_time' ? 'time' : 'other',
    } as const;
    const means = message('rule.means', { ...words, folder: command.folder });
    return { kind, label: message('rule.choice', words), consequence: means, covered: null };
  });
}

const shownWords = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./^~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');

export function createCommandRules({ file, clock, log }: { file: string; clock: Clock; log(thrown: unknown): void }) {
  let { rules, denied } = load(file, clock, log);
  const uses = createEmitter<void>(log);
  const list = () => rules.filter(({ grant }) => !hasEnded(grant, clock));
  const save = (kept: Rule[], no: Denied[]) =>
    writePrivate(file, { version: 1, rules: kept.filter(outlivesConnection), denied: no });
  const saved = createDurableWriter(() => save(list(), denied));

  /** What was taken back must not come back with the next start, so a failed write is tried again. */
  function flush(): void {
    try {
      saved.write();
    } catch (thrown) {
      log(thrown);
    }
  }

  function change(next: Rule[]): boolean {
    const changed = next.length !== rules.length;
    rules = next;
    if (changed) flush();
    return changed;
  }

  return {
    /** The rule that covers this command. A denial of just these words goes before every rule. */
    match(asked: RequestFacts): Grant | null {
      const { command } = asked;
      if (command?.rule == null || asked.alwaysAsk || denied.some((one) => isDenial(one, asked, command))) return null;
      return list().find((rule) => isFor(rule.grant, asked) && covers(rule.command, command))?.grant ?? null;
    },
    /** Throws where there can be none, or where it cannot be written. */
    add(kind: RuleKind, asked: RequestFacts): Grant {
      const { command } = asked;
      if (command === undefined || !ruleChoices(asked).some((choice) => choice.kind === kind))
        throw new MessageError(message('rule.none_for_this'));
      const made = make(kind, asked, command, clock);
      const others = list().filter((one) => !isSame(one, made));
      if (others.length >= MAX_RULES) throw new MessageError(message('grant.too_many', { count: MAX_RULES }));
      const allowed = denied.filter((one) => !isDenial(one, asked, command));
      save([...others, made], allowed);
      [rules, denied] = [[...others, made], allowed];
      return made.grant;
    },
    /** The person denied this: no rule covers it until it is allowed by a rule of its own. */
    deny(asked: RequestFacts): void {
      const { command, agent } = asked;
      if (command === undefined) return;
      const others = denied.filter((one) => !isDenial(one, asked, command));
      denied = [...others, { agentId: agent.id, folder: command.folder, words: command.words }].slice(-MAX_RULES);
      flush();
    },
    use(id: string): boolean {
      const rule = list().find(({ grant }) => grant.id === id);
      if (rule === undefined) return false;
      const used = { ...rule, grant: { ...rule.grant, used: (rule.grant.used ?? 0) + 1 } };
      rules = rules.map((one) => (one === rule ? used : one));
      flush();
      uses.emit();
      return true;
    },
    revoke: (id: string): boolean => change(rules.filter(({ grant }) => grant.id !== id)),
    endConnection: (startTime: string): boolean =>
      change(rules.filter(({ grant: { agent } }) => agent.via === undefined || agent.startTime !== startTime)),
    expire(): boolean {
      if (saved.isPending()) flush();
      return change(list());
    },
    live: (id: string): boolean => list().some(({ grant }) => grant.id === id),
    list: (): Grant[] => structuredClone(list().map(({ grant }) => grant)),
    onUse: uses.on,
  };
}

export type CommandRules = ReturnType<typeof createCommandRules>;
type StoredKind = Parameters<GrantStore['add']>[0];

/** Grants and rules as one store: they are asked, listed, counted and taken back alike. */
export function withCommandRules(grants: GrantStore, rules: CommandRules) {
  return {
    ...grants,
    match: (asked: RequestFacts) => (asked.command === undefined ? grants.match(asked) : rules.match(asked)),
    add: (kind: StoredKind | RuleKind, asked: RequestFacts, uses?: number) =>
      isRuleKind(kind) ? rules.add(kind, asked) : grants.add(kind, asked, uses),
    deny: rules.deny,
    use: (id: string, count?: number) => (rules.live(id) ? rules.use(id) : grants.use(id, count)),
    revoke: (id: string) => rules.revoke(id) || grants.revoke(id),
    endConnection: (startTime: string) => [rules, grants].map((one) => one.endConnection(startTime)).some(Boolean),
    expire: () => [rules, grants].map((one) => one.expire()).some(Boolean),
    live: (id: string) => rules.live(id) || grants.live(id),
    list: () => [...grants.list(), ...rules.list()],
    onUse(listener: () => void) {
      const ends = [grants.onUse(listener), rules.onUse(listener)];
      return () => ends.forEach((end) => end());
    },
  };
}

export type GrantsAndRules = ReturnType<typeof withCommandRules>;

/** The same program, folder and sandbox; and the same words, or such that the host found nothing but mild words behind the start. */
function covers(rule: Rule['command'], asked: Command): boolean {
  const { folder, program, identity, sandbox } = rule;
  if (folder !== asked.folder || program !== asked.program || identity !== asked.identity) return false;
  if (sandbox !== asked.sandbox) return false;
  return isDeepStrictEqual(rule.words, rule.exact ? asked.words : asked.rule?.prefix);
}

const isDenial = (one: Denied, { agent }: Pick<RequestFacts, 'agent'>, { folder, words }: Command): boolean =>
  one.agentId === agent.id && one.folder === folder && isDeepStrictEqual(one.words, words);

const isSame = (one: Rule, other: Rule): boolean =>
  one.grant.agent.id === other.grant.agent.id &&
  one.grant.kind === other.grant.kind &&
  isDeepStrictEqual(one.command, other.command);

const hasEnded = ({ expiresAt }: Grant, clock: Clock): boolean =>
  expiresAt === null || clock.read() >= Date.parse(expiresAt);

/** One for a program of another machine is never written: its connection ends with the host, if not before. */
const outlivesConnection = ({ grant }: Rule): boolean => grant.agent.via === undefined;

function make(kind: RuleKind, { agent, effect }: RequestFacts, asked: Command, clock: Clock): Rule {
  const exact = kind === 'exact';
  const words = exact ? asked.words : (asked.rule?.prefix ?? asked.words);
  const { name, executable, script, pid, startTime, id, via } = agent;
  const { folder, program, identity, sandbox } = asked;
  const at = clock.read();
  const label = message('rule.given', {
    agent: safeName(name),
    which: exact ? 'exact' : 'other',
    start: shownWords(words),
    folder,
    sandbox: sandbox ? 'yes' : 'other',
  });
  return {
    grant: {
      id: randomUUID(),
      kind: kind === 'prefix_time' ? 'time' : 'session',
      agent: { name, executable, script, pid, startTime, id, ...(via === undefined ? {} : { via }) },
      appId: '',
      appName: folder,
      origin: null,
      effects: [effect],
      label,
      createdAt: new Date(at).toISOString(),
      expiresAt: new Date(at + LENGTHS[kind]).toISOString(),
      usesLeft: null,
    },
    command: { words: [...words], exact, folder, program, identity, sandbox },
  };
}

/** A file that cannot be trusted, or a rule from the future or for too long, gives nothing. */
function load(file: string, clock: Clock, log: (thrown: unknown) => void): { rules: Rule[]; denied: Denied[] } {
  try {
    const content = readPrivate(file);
    if (content === null) return { rules: [], denied: [] };
    const { rules, denied } = fileSchema.parse(content);
    return { rules: rules.filter(({ grant }) => isSound(grant, clock.read())), denied };
  } catch (thrown) {
    log(thrown);
    return { rules: [], denied: [] };
  }
}

function isSound({ kind, agent, createdAt, expiresAt }: Grant, time: number): boolean {
  if ((kind !== 'time' && kind !== 'session') || agent.via !== undefined || expiresAt === null) return false;
  const created = Date.parse(createdAt);
  const longest = kind === 'time' ? TIME_MS : SESSION_MS;
  return created <= time && Date.parse(expiresAt) - created <= longest && agent.pid !== null && agent.id !== undefined;
}
