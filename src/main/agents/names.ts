/**
 * What the person calls agents. A name belongs to a program in a folder, as the kernel reports both, and to one process of it at a
 * time. It is shown to the person and gives nothing: no rule, grant or record goes by it.
 */
import { basename } from 'node:path';
import * as z from 'zod';
import { createEmitter } from '../../base/emitter.js';
import { INTERPRETERS, isListed } from '../approvals/app-kinds.js';
import { createDurableWriter, readPrivate, writePrivate } from '../approvals/files.js';
import { lookOf } from '../chat/limits.js';
import {
  CLIENT_NAMES,
  MAX_AGENT_NAME_LENGTH,
  RECORDED_NAMES,
  reveal,
  type Agent,
  type GivenName,
} from '../protocol/index.js';
import { everyText } from '../../messages/catalogues.js';
import { message, type Message } from '../../messages/index.js';
import type { Agents } from './index.js';

const MAX_NAMES = 100;
/** Processes that had a name: so that what they did and said earlier still shows it. */
const MAX_IDS = 20;

const namedSchema = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(MAX_AGENT_NAME_LENGTH * 2),
  /** null: for this process only. */
  of: z.strictObject({ program: z.string(), folder: z.string() }).nullable(),
  /** Oldest first. */
  ids: z.array(z.string()).min(1).max(MAX_IDS),
});
type Named = z.infer<typeof namedSchema>;
const fileSchema = z.strictObject({ version: z.literal(1), names: z.array(namedSchema).max(MAX_NAMES) });

interface AgentNamesOptions {
  file: string;
  agents: Pick<Agents, 'callers' | 'has' | 'onContact'>;
  log(thrown: unknown): void;
}

export type AgentNames = ReturnType<typeof openAgentNames>;

export function openAgentNames({ file, agents, log }: AgentNamesOptions) {
  let all: readonly Named[] = load(file, log);
  const changes = createEmitter<void>(log);
  const saved = createDurableWriter(() =>
    writePrivate(file, { version: 1, names: all.filter(({ of }) => of !== null) }),
  );

  const entryOf = (id: string) => all.find(({ ids }) => ids.includes(id));
  const isHeld = ({ ids }: Named) => ids.some(agents.has);

  function change(next: readonly Named[]): void {
    // Those that were given last stay, and those of agents that are here.
    const kept = next.length <= MAX_NAMES ? next : [...next.filter(isHeld), ...next.filter((one) => !isHeld(one))];
    all = kept.slice(0, MAX_NAMES);
    try {
      saved.write();
    } catch (thrown) {
      log(thrown);
    }
    changes.emit();
  }

  /** The first process of the program in that folder has its name, until it is gone. */
  function recognise(agent: Agent): void {
    const of = lastingIdentity(agent);
    if (of === null || entryOf(agent.id) !== undefined) return;
    const waiting = all.find((one) => isSame(one.of, of) && !isHeld(one));
    if (waiting === undefined) return;
    change(all.map((one) => (one === waiting ? { ...one, ids: [...one.ids, agent.id].slice(-MAX_IDS) } : one)));
  }

  const takenBy = (agent: Agent): string[] => {
    const others = agents.callers().flatMap(({ agent: one }) => (one.id === agent.id ? [] : [one.name]));
    return [...others, ...all.filter(({ ids }) => !ids.includes(agent.id)).map(({ name }) => name)];
  };

  const close = agents.onContact(({ kind, caller }) => {
    if (kind === 'connected') recognise(caller.agent);
  });
  return {
    list: (): GivenName[] => all.flatMap(({ name, ids }) => ids.map((id) => ({ id, name }))),
    of: (id: string): string | null => entryOf(id)?.name ?? null,
    /** Returns why not; null: done. An empty name, or its program's own, takes the given one away. */
    rename(agent: Agent, given: string): Message | null {
      const name = given.trim();
      const known = entryOf(agent.id);
      const rest = all.filter((one) => one !== known);
      if (name === '' || name === agent.name) {
        if (known !== undefined) change(rest);
        return null;
      }
      const problem = nameProblem(name, takenBy(agent));
      if (problem !== null) return problem;
      const identity = lastingIdentity(agent);
      const of = rest.some((one) => isSame(one.of, identity)) ? null : identity;
      change([known === undefined ? { name, of, ids: [agent.id] } : { ...known, name }, ...rest]);
      return null;
    },
    onChange: changes.on,
    close(): void {
      close();
      saved.retry();
    },
  };
}

const PRODUCTS: ReadonlySet<string> = new Set(Object.values(CLIENT_NAMES));

/**
 * What stays the same when the agent is started again; null: nothing does. Some products are a new file with each update, and what an
 * interpreter runs without a script could be anything.
 */
function lastingIdentity({ name, executable, script, cwd, via, demo }: Agent): Named['of'] {
  if (executable === '' || cwd === null || via !== undefined || demo === true) return null;
  if (script === null && isListed(INTERPRETERS, basename(executable))) return null;
  return { program: PRODUCTS.has(name) ? name : JSON.stringify([executable, script]), folder: cwd };
}

const isSame = (one: Named['of'], other: Named['of']): boolean =>
  one !== null && other !== null && one.program === other.program && one.folder === other.folder;

/** What the person, and programs without a name of their own, are called in every language. */
const ROLES: ReadonlySet<string> = new Set(
  [
    ...Object.values(RECORDED_NAMES),
    ...everyText('asker.person_on_page'),
    ...everyText('asker.via_ssh'),
    ...['you', 'me', 'the person', 'the user', 'Sie', 'du', 'ich', 'die Person', 'der Nutzer', 'die Nutzerin'],
    ...['您', '你', '我', '本人', '用户'],
  ].flatMap((text) => [lookOf(text), lookOf(withoutSigns(text))]),
);
const OWN_LOOK = lookOf('Chaperone');

function withoutSigns(name: string): string {
  return name.replace(/[\p{P}\p{S}]+/gu, ' ');
}

/** Why an agent may not be called that; `taken`: what others are called. */
export function nameProblem(name: string, taken: readonly string[]): Message | null {
  if ([...name].length > MAX_AGENT_NAME_LENGTH) return message('name.too_long', { most: MAX_AGENT_NAME_LENGTH });
  if (reveal(name).segments.some(({ kind }) => kind !== 'text')) return message('name.unreadable');
  // Signs can be read as letters, or not at all.
  const looks = [lookOf(name), lookOf(withoutSigns(name))];
  if (looks.includes('')) return message('name.no_letters');
  if (looks.some((look) => ROLES.has(look) || look.includes(OWN_LOOK))) return message('name.imitates');
  const other = [...taken, ...PRODUCTS].find((one) => looks.includes(lookOf(one)));
  return other === undefined ? null : message('name.taken', { name: other });
}

function load(file: string, log: (thrown: unknown) => void): Named[] {
  try {
    const content = readPrivate(file);
    return content === null ? [] : fileSchema.parse(content).names;
  } catch (thrown) {
    log(thrown);
    return [];
  }
}
