/** Macros in a private file, written atomically and validated when read. An unreadable file is moved aside and reported. */
import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import * as z from 'zod';
import { readPrivate, writePrivate } from '../approvals/files.js';
import { WireError, type Agent } from '../protocol/index.js';
import { formatEnglish, message, type Message } from '../../messages/index.js';

export const MAX_STEPS = 20;
export const MAX_PARAMETERS = 20;
const MAX_MACROS = 200;
/** Limit for one program, so that others have room. */
const MAX_MACROS_OF_PROGRAM = 100;
const LONGEST = 50_000;

export const parameterName = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,39}$/);
const macroSchema = z.strictObject({
  name: z.string().regex(/^macros\/[0-9a-f-]{36}$/),
  display_name: z.string().min(1).max(200),
  description: z.string().max(2000),
  parameters: z
    .array(
      z.strictObject({
        name: parameterName,
        description: z.string().max(500),
        default: z.string().max(10_000).nullable(),
      }),
    )
    .max(MAX_PARAMETERS),
  steps: z
    .array(z.strictObject({ tool: z.string().max(100), arguments: z.record(z.string(), z.json()) }))
    .min(1)
    .max(MAX_STEPS),
  created_at: z.iso.datetime(),
  by: z.strictObject({ name: z.string(), executable: z.string(), script: z.string().nullable() }),
});
export type Macro = z.infer<typeof macroSchema>;

const fileSchema = z.strictObject({ version: z.literal(1), macros: z.array(macroSchema).max(MAX_MACROS) });

/** Macros contain typed text, so they belong to the program that recorded them, like grants; to other programs they are unknown. */
export type Macros = ReturnType<typeof createMacros>;

/** As the kernel reports it. */
type Program = Pick<Agent, 'executable' | 'script'>;

interface MacrosOptions {
  /** null: kept in memory only. */
  file: string | null;
  now(): number;
  log(message: string, thrown: unknown): void;
}

export function createMacros({ file, now, log }: MacrosOptions) {
  const { macros: last, problem, stuck } = load(file, now, log);
  let macros = last;

  function save(next: Macro[]): void {
    if (stuck !== null) throw new WireError('DESKTOP_HOST_NOT_READY', stuck, { reason: 'macros_unreadable' });
    if (file !== null) writePrivate(file, { version: 1, macros: next });
    macros = next;
  }

  function get(name: string, agent: Program | undefined): Macro {
    const found = macros.find((one) => one.name === name && sameProgram(one.by, agent));
    if (found !== undefined) return structuredClone(found);
    throw new WireError('DESKTOP_INVALID_REQUEST', message('error.no_such_macro', { name }), {
      reason: 'unknown_macro',
      next: 'See list_macros.',
    });
  }

  return {
    /** What was wrong with the file when the host started. */
    problem: problem === null ? null : formatEnglish(problem),
    get,
    /** Oldest first. */
    list: (agent: Program): Macro[] => structuredClone(macros.filter(({ by }) => sameProgram(by, agent))),
    create(draft: Omit<Macro, 'name' | 'created_at' | 'by'>, { name, executable, script }: Agent): Macro {
      if (executable === '') throw unknownProgram();
      const by = { name, executable, script };
      const macro = macroSchema.parse({ ...draft, name: `macros/${randomUUID()}`, created_at: iso(now()), by });
      if (JSON.stringify(macro).length > LONGEST) throw tooMuch(message('error.macro_too_long', { max: LONGEST }));
      if (macros.length >= MAX_MACROS) throw tooMuch(message('error.too_many_macros', { count: MAX_MACROS }));
      if (macros.filter((one) => sameProgram(one.by, by)).length >= MAX_MACROS_OF_PROGRAM)
        throw tooMuch(message('error.too_many_own_macros', { count: MAX_MACROS_OF_PROGRAM }));
      save([...macros, macro]);
      return structuredClone(macro);
    },
    remove(name: string, agent: Agent): Macro {
      const macro = get(name, agent);
      save(macros.filter((one) => one.name !== name));
      return macro;
    },
  };
}

const iso = (time: number): string => new Date(time).toISOString();

const sameProgram = (one: Program, other: Program | undefined): boolean =>
  other !== undefined && one.executable === other.executable && one.script === other.script;

const unknownProgram = (): WireError =>
  new WireError('DESKTOP_INVALID_REQUEST', message('error.unknown_program'), {
    reason: 'unknown_program',
    next: 'Use run_plan.',
  });

const tooMuch = (text: Message): WireError =>
  new WireError('DESKTOP_INVALID_REQUEST', text, {
    reason: 'too_many',
    next: 'Delete one with delete_macro, or make this one smaller.',
  });

interface Loaded {
  macros: Macro[];
  problem: Message | null;
  /** The problem where writing would destroy content that could not be read. */
  stuck: Message | null;
}

function load(file: string | null, now: () => number, log: MacrosOptions['log']): Loaded {
  if (file === null) return { macros: [], problem: null, stuck: null };
  try {
    const content = readPrivate(file);
    return { macros: content === null ? [] : fileSchema.parse(content).macros, problem: null, stuck: null };
  } catch (thrown) {
    log(`${file} could not be read`, thrown);
    return { macros: [], ...putAside(file, now, log) };
  }
}

function putAside(file: string, now: () => number, log: MacrosOptions['log']): Omit<Loaded, 'macros'> {
  const aside = `${file}.unreadable-${now()}`;
  try {
    renameSync(file, aside);
    return { problem: message('error.macros_put_aside', { file: aside }), stuck: null };
  } catch (thrown) {
    log(`${file} could not be put aside`, thrown);
    const problem = message('error.macros_unreadable', { file });
    return { problem, stuck: problem };
  }
}
