import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import * as z from 'zod';
import { targetChanged } from '../action/compare.js';
import { defineAction } from '../action/define.js';
import type { PlanContext, RunContext } from '../action/context.js';
import type { Plan } from '../action/plan.js';
import { ShellError } from '../../native/shell/index.js';
import type { Ran } from '../../native/shell/index.js';
import { WireError } from '../protocol/index.js';
import { argvOf, commandText, quoted } from './command-line.js';
import type { Asked } from './command-line.js';
import { textOf, visible } from './command-output.js';
import { isWhole, plain } from './common.js';
import type { Tool, ToolDeps } from './common.js';
import { appleTools, validateScript } from './scripts.js';

const MOST_ARGUMENT = 100_000;
const MOST_TOGETHER = 1_000_000;
/** Bytes of each stream: kept as evidence, and given to the agent. */
const KEPT = 256 * 1024;
const GIVEN = 48 * 1024;

const word = z
  .string()
  .max(MOST_ARGUMENT)
  .refine((one) => !one.includes('\0'), 'holds a NUL, which no argument can')
  .refine(isWhole, 'holds half a character');
const inputSchema = z
  .object({
    command: word.min(1).describe('A program; with shell, a script.'),
    args: z.array(word).max(1000).default([]).describe('Passed as they are.'),
    working_directory: word.min(1).optional().describe('Default: your own folder.'),
    environment: z
      .record(
        z
          .string()
          .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'no name of a variable')
          .max(200),
        word,
      )
      .default({}),
    timeout: z.number().positive().max(3600).default(30).describe('Seconds.'),
    stdin: z.string().max(MOST_TOGETHER).refine(isWhole, 'holds half a character').optional(),
    shell: z.boolean().default(false).describe('Run by /bin/sh.'),
  })
  .strict()
  .refine((given) => sizeOf(given) <= MOST_TOGETHER, 'is too long altogether');
type Given = z.infer<typeof inputSchema>;

const outputSchema = z.object({
  exit_code: z.number().int().nullable(),
  signal: z.string().nullable(),
  timed_out: z.boolean(),
  stdout: z.string(),
  stderr: z.string(),
  stdout_bytes: plain(z.number().int()),
  stderr_bytes: plain(z.number().int()),
  truncated: z.boolean(),
  binary: plain(z.boolean()),
  left_running: plain(z.boolean()),
  duration_ms: plain(z.number().int()),
});
type Told = z.infer<typeof outputSchema>;

export function scriptingTools(deps: ToolDeps): Tool[] {
  const { shell, commandEnv } = deps;
  const execute = defineAction({
    name: 'execute_shell_command',
    title: 'Run a command',
    description: 'Runs a program after the person has agreed to exactly this; tells exit code and both outputs.',
    effect: 'dangerous',
    offDesktop: true,
    needs: [],
    evidence: 'folder',
    input: inputSchema,
    output: outputSchema,
    subject: ({ command, shell: script }) => running(command, script),
    plan: async (ctx, given) => planOf(await askedOf(ctx, given), given),
    async run(ctx, given, signal) {
      const asked = await askedOf(ctx, given);
      // A link on the way to the folder may be another since it was compared.
      const now = commandText(asked);
      if (now !== ctx.plan?.text) throw targetChanged([{ what: 'command', approved: ctx.plan?.text, now }]);
      const { folder, environment, stdin } = asked;
      const env = { ...commandEnv, ...environment };
      const timeoutMs = Math.ceil(given.timeout * 1000);
      const command = {
        executionId: ctx.executionId,
        argv: argvOf(asked),
        cwd: folder,
        env,
        stdin,
        timeoutMs,
        cap: KEPT,
      };
      const ran = await shell.run(command, signal).catch((thrown: unknown) => {
        throw thrown instanceof ShellError ? notStarted(thrown, asked) : thrown;
      });
      keep(ctx, ran);
      const { exitCode, signal: by, timedOut } = ran;
      ctx.verified(exitCode === 0 && !timedOut ? 'confirmed' : 'unverified', null, { exit_code: exitCode, signal: by });
      return told(ran);
    },
    text: shown,
  });
  return [execute, ...appleTools(), validateScript(deps)].map((action) => ({
    group: 'scripting',
    core: false,
    action,
  }));
}

function sizeOf({ command, args, environment }: Pick<Asked, 'command' | 'args' | 'environment'>): number {
  const words = [command, ...args, ...Object.entries(environment).flat()];
  return words.reduce((sum, one) => sum + Buffer.byteLength(one), 0);
}

/** The agent's own folder is where it works; the place of its evidence may be another. */
async function askedOf(ctx: PlanContext, given: Given): Promise<Asked> {
  const { command, args, environment, stdin = null, shell } = given;
  const named = resolve(ctx.caller.agent.cwd ?? homedir(), given.working_directory ?? '.');
  const folder = await realpath(named).catch(() => named);
  const facts = await stat(folder).catch(() => null);
  if (facts?.isDirectory() !== true)
    throw new WireError('DESKTOP_INVALID_REQUEST', `working_directory: ${folder} is no folder.`, {
      reason: 'no_folder',
      next: 'Name a folder that exists.',
    });
  return { command, args, folder, environment, stdin, shell };
}

function running(command: string, script: boolean) {
  const [first = ''] = command.trim().split('\n');
  const name = script ? 'a shell script' : quoted(first.length > 80 ? `${first.slice(0, 79)}…` : first);
  return { verb: 'Run', done: 'Ran', target: name, app: null, place: null };
}

function planOf(asked: Asked, { timeout }: Given): Plan {
  const { command, folder, shell, stdin } = asked;
  return {
    subject: { ...running(command, shell), place: folder },
    target: { kind: 'none' },
    window: null,
    ancestors: [],
    text: commandText(asked),
    notes: [
      'It runs as you, outside any sandbox.',
      shell
        ? 'A shell reads this as a script.'
        : 'No shell reads this; quotes here only show where a word begins and ends.',
      ...(stdin === null ? [] : [`It is given ${[...stdin].length} characters of input.`]),
      `It is ended after ${timeout} s.`,
    ],
    look: null,
    needsFocus: false,
    alwaysAsk: true,
    pixels: null,
  };
}

function keep(ctx: RunContext, { stdout, stderr, exitCode, signal, timedOut, durationMs }: Ran): void {
  ctx.trace({ step: 'ended', exitCode, signal, timedOut, durationMs });
  for (const [name, output] of [
    ['stdout', stdout],
    ['stderr', stderr],
  ] as const)
    // prettier-ignore
    ctx.trace({ step: name, bytes: output.bytes, ...textOf(output, KEPT) });
}

function told({ exitCode, signal, timedOut, stdout, stderr, durationMs, heldOpen }: Ran): Told {
  const [out, err] = [textOf(stdout, GIVEN), textOf(stderr, GIVEN)];
  return {
    exit_code: exitCode,
    signal,
    timed_out: timedOut,
    stdout: out.text,
    stderr: err.text,
    stdout_bytes: stdout.bytes,
    stderr_bytes: stderr.bytes,
    truncated: out.truncated || err.truncated,
    binary: out.binary || err.binary,
    left_running: heldOpen,
    duration_ms: durationMs,
  };
}

function shown(ran: Told): string {
  const { exit_code: code, signal, stdout, stderr } = ran;
  const end = ran.timed_out
    ? 'Ended at its time limit'
    : code === null
      ? `Ended by ${signal ?? 'a signal'}`
      : `Exit code ${code}`;
  return [
    `${end}, after ${ran.duration_ms} ms.`,
    ...(ran.left_running ? ['Something it started goes on running.'] : []),
    ...(ran.truncated ? [`It wrote ${ran.stdout_bytes} and ${ran.stderr_bytes} bytes; the middle is left out.`] : []),
    ...(ran.binary ? ['Bytes that are no UTF-8 text are shown as \ufffd.'] : []),
    ...(stdout === '' ? [] : ['Output:', visible(stdout)]),
    ...(stderr === '' ? [] : ['Errors:', visible(stderr)]),
  ].join('\n');
}

const REASONS = new Map([
  ['ENOENT', 'There is no such program'],
  ['EACCES', 'It may not be run'],
  ['ENOEXEC', 'It is no program'],
  ['E2BIG', 'Its arguments are too long'],
]);

function notStarted({ code, message }: ShellError, { command, shell }: Asked): WireError {
  return new WireError(
    'DESKTOP_INVALID_REQUEST',
    `command: ${REASONS.get(code) ?? message}: ${shell ? '/bin/sh' : quoted(command)}. Nothing ran.`,
    { reason: code, next: 'Give a program on the PATH or its whole path, and its arguments in args; or use shell.' },
  );
}
