/** `gabp-apps.json`: the applications that a person lets Chaperone connect to. Any fault in it is an error, and nothing in it is used. */
import { readFileSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { errno } from '../../base/type-guards.js';
import { message, MessageError, type textOf } from '../../messages/index.js';
import { describeIssues, joinIssues, ruleError } from '../protocol/input-errors.js';
import { GABP_NAME } from '../protocol/gabp.js';
import { readJson } from '../protocol/json.js';
import { Unreadable } from '../protocol/transport.js';

const MAX_BYTES = 256 * 1024;
const MAX_APPS = 20;

const word = z
  .string()
  .min(1)
  .max(10_000)
  .refine((text) => !text.includes('\0'), ruleError('input.nul'));
const path = word.refine(isAbsolute, ruleError('apps.absolute_path'));

const launchSchema = z.strictObject({
  /** Program and arguments; no shell reads them. */
  command: z.tuple([path], word).refine((list) => list.length <= 200, ruleError('input.too_long')),
  folder: path,
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), word).default({}),
  transport: z.enum(['stdio', 'tcp', 'socket']).default('stdio'),
});

/** An application that runs already: its bridge.json, as the specification has it or as known bridges write it. */
const attachSchema = z.strictObject({ bridgeFile: path });

export const appEntrySchema = z
  .strictObject({
    launch: launchSchema.optional(),
    attach: attachSchema.optional(),
    /** `auto`: with the host. */
    start: z.enum(['auto', 'manual']).default('manual'),
    /** Seconds that a call may take; absent: 30, or what the application says of itself. */
    timeout: z.number().positive().max(3600).optional(),
    /** The only way to a milder effect than being asked: for a tool, by the name that the application gives it. */
    effects: z.record(z.string().regex(GABP_NAME), z.enum(['read', 'disclose', 'input', 'dangerous'])).default({}),
  })
  .refine(
    ({ launch, attach }) => (launch === undefined) !== (attach === undefined),
    ruleError('apps.launch_or_attach'),
  );

export type AppEntry = z.infer<typeof appEntrySchema>;
export type LaunchEntry = z.infer<typeof launchSchema>;

/** Without an underscore, so that the name of a tool says whose it is. */
const APP_NAME = /^[a-z][a-z0-9]{0,15}$/;

const fileSchema = z.strictObject({
  version: z.literal(1),
  apps: z
    .record(
      z.string().refine((name) => APP_NAME.test(name), ruleError('apps.name_form')),
      appEntrySchema,
    )
    .refine((apps) => Object.keys(apps).length <= MAX_APPS, ruleError('input.too_long')),
});

/** Without a file there are none. Throws MessageError naming the fault. */
export function readAppEntries(file: string): Map<string, AppEntry> {
  const text = textOfFile(file);
  if (text === null) return new Map();
  const given = parse(text, file);
  const parsed = fileSchema.safeParse(given);
  if (parsed.success) return new Map(Object.entries(parsed.data.apps));
  throw badFile(file, joinIssues(describeIssues(fileSchema, parsed.error, given)));
}

const badFile = (file: string, why: ReturnType<typeof textOf>) =>
  new MessageError(message('apps.bad_file', { file, why }));

function textOfFile(file: string): string | null {
  try {
    const { mode, uid, size } = statSync(file);
    const own = process.getuid === undefined || uid === process.getuid();
    if (!own || (process.platform !== 'win32' && (mode & 0o022) !== 0))
      throw new MessageError(message('policy.others_write', { name: file }));
    if (size > MAX_BYTES) throw new MessageError(message('apps.too_large', { file }));
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    if (errno(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}

function parse(text: string, file: string): unknown {
  const value = readJson(text);
  if (value instanceof Unreadable) throw badFile(file, value.reason);
  return value;
}
