import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import * as z from 'zod';
import { fileDrift, targetChanged } from '../../pipeline/compare.js';
import { defineAction } from '../../pipeline/define.js';
import type { PlanContext, ReadContext } from '../../pipeline/context.js';
import { planWithoutTarget, type Plan, type PlannedFile } from '../../approvals/plan.js';
import type { BackgroundLabel } from '../../../native/process/index.js';
import { subjectWithoutPlace, title, WireError } from '../../protocol/index.js';
import { commandFileIdentities } from './command-files.js';
import { argvOf, commandText, shellQuote, type CommandInput } from './command-line.js';
import { desktopVariableIn } from './desktop-variables.js';
import { commandResult, commandResultSchema, commandResultText, keepEvidence, MAX_KEPT_BYTES } from './result.js';
import { invalidRequest, isWellFormed } from '../parameters.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import { runOrRefuse } from './run.js';
import { appleTools, complaints, compile, type Language, type ScriptDeps } from './apple-scripts.js';
import { message } from '../../../messages/index.js';
import { ruleError } from '../../protocol/input-errors.js';
import type { AnyAction } from '../../pipeline/action.js';
import { scriptSchema } from './script-schema.js';

// Syntax checks of scripts, without running them.

const CHECK_MS = 10_000;
const MAX_OUTPUT_BYTES = 16 * 1024;
/** Compiling these loads applications or libraries, or works out a first value. */
const REACHES_OUT = /\b(app|apps|application|applications|use|using|property|prop|script)\b|«/i;

function validateScript(deps: ScriptDeps): AnyAction {
  const { shell, commandEnv } = deps;
  return defineAction({
    name: 'validate_script',
    title: 'Check a script',
    description: 'Checks whether a script is well formed, without running any of it.',
    effect: 'bookkeeping',
    needs: [],
    offDesktop: true,
    input: z
      .object({
        type: z.enum(['shell', 'applescript', 'javascript']),
        script: scriptSchema,
        compile_only: z.literal(true).default(true).meta({ unpublished: true }),
      })
      .strict(),
    output: z.object({ valid: z.boolean(), errors: z.array(z.string()) }),
    subject: ({ type }) => subjectWithoutPlace(title('title.check_script', { language: type })),
    async run(ctx, { type, script: text }, signal) {
      if (type !== 'shell') return checkApple(deps, ctx, type, text, signal);
      const { PATH = '/usr/bin:/bin' } = commandEnv.plain;
      // -n checks without running. ENV and similar variables are removed, so that no startup file is read.
      const command = {
        executionId: ctx.executionId,
        argv: ['/bin/sh', '-n'] as const,
        cwd: '/',
        env: { PATH, LC_ALL: 'C' },
        stdin: text,
        timeoutMs: CHECK_MS,
        maxStreamBytes: MAX_OUTPUT_BYTES,
        keep: null,
      };
      const ran = await runOrRefuse(shell, command, '/bin/sh', signal);
      if (ran.timedOut) throw new WireError('DESKTOP_TIMEOUT', message('error.script_not_checked'));
      return verdict(ran.exitCode === 0, complaints(ran, MAX_OUTPUT_BYTES));
    },
    text: ({ valid, errors }) =>
      valid ? 'The script is well formed.' : ['It is not well formed:', ...errors].join('\n'),
  });
}

async function checkApple(deps: ScriptDeps, ctx: ReadContext, language: Language, text: string, signal: AbortSignal) {
  if (deps.scripting !== null && language === 'applescript' && REACHES_OUT.test(text))
    throw new WireError('DESKTOP_INVALID_REQUEST', message('error.script_needs_allow'), {
      reason: 'reaches_out',
      next: 'Use execute_apple_script with compile_only: true; the person is asked.',
    });
  const ran = await compile(deps, ctx, language, text, CHECK_MS / 1000, signal);
  if (ran.timedOut) throw new WireError('DESKTOP_TIMEOUT', message('error.script_not_checked'));
  return verdict(ran.exitCode === 0, complaints(ran, MAX_OUTPUT_BYTES));
}

function verdict(valid: boolean, errors: string[]) {
  return { valid, errors: valid ? [] : errors.length > 0 ? errors : ['It is not well formed.'] };
}

const MAX_ARGUMENT_LENGTH = 100_000;
const MAX_TOTAL_LENGTH = 1_000_000;
/** Longest label of a background command in Home. */
const MAX_LABEL_LENGTH = 300;

const word = z
  .string()
  .max(MAX_ARGUMENT_LENGTH)
  .refine((one) => !one.includes('\0'), ruleError('input.nul'))
  .refine(isWellFormed, ruleError('input.half_character'));
const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
  .max(200);
const inputSchema = z
  .object({
    command: word.min(1).describe('A program; with shell, a script.'),
    args: z.array(word).max(1000).default([]),
    working_directory: word.min(1).optional().describe('Default: your own folder.'),
    environment: z.record(variableName, word).default({}),
    timeout: z.number().positive().max(3600).default(30).describe('Seconds.'),
    stdin: z.string().max(MAX_TOTAL_LENGTH).refine(isWellFormed, ruleError('input.half_character')).optional(),
    shell: z.boolean().default(false).describe('Run by /bin/sh.'),
    keep_running: z
      .boolean()
      .default(false)
      .describe('Child processes run on after it exits; by default they are killed.'),
    desktop: z.boolean().default(false).describe('Give it the display and the session bus.'),
  })
  .strict()
  .refine((given) => sizeOf(given) <= MAX_TOTAL_LENGTH, ruleError('input.too_long'));
type Given = z.infer<typeof inputSchema>;

export function scriptingTools(deps: ToolDeps): Tool[] {
  const { shell, commandEnv } = deps;
  const execute = defineAction({
    name: 'execute_shell_command',
    title: 'Run a command',
    description: 'Runs a program after the person has agreed to exactly this; returns exit code and both outputs.',
    effect: 'dangerous',
    needs: [],
    offDesktop: true,
    input: inputSchema,
    output: commandResultSchema,
    subject: ({ command }) => runSubject(command),
    async plan(ctx, given) {
      // Started early, so that it is ready when the person has decided.
      shell.prepare();
      const asked = await resolveCommand(ctx, given);
      return { ...planOf(asked, given), files: await filesOf(asked, commandEnv.plain['PATH']) };
    },
    async act(ctx, given, signal) {
      const asked = await resolveCommand(ctx, given);
      // A link in the folder's path may have changed since the comparison.
      const now = commandText(asked);
      const { folder, environment, stdin } = asked;
      if (now !== ctx.plan?.text || folder !== ctx.plan.subject.place)
        throw targetChanged([{ part: 'command', approved: ctx.plan?.text, now }]);
      const changed = fileDrift(ctx.plan, { files: await filesOf(asked, commandEnv.plain['PATH']) });
      if (changed.length > 0) throw targetChanged(changed);
      const env = { ...(given.desktop ? commandEnv.desktop : commandEnv.plain), ...environment };
      const timeoutMs = Math.ceil(given.timeout * 1000);
      const command = {
        executionId: ctx.executionId,
        argv: argvOf(asked),
        cwd: folder,
        env,
        stdin,
        timeoutMs,
        maxStreamBytes: MAX_KEPT_BYTES,
        keep: backgroundLabel(ctx, given),
      };
      const ran = await runOrRefuse(shell, command, given.shell ? '/bin/sh' : shellQuote(given.command), signal);
      keepEvidence(ctx, ran);
      const { exitCode, signal: by, timedOut } = ran;
      const effect = exitCode === 0 && !timedOut ? 'confirmed' : 'unverified';
      return {
        value: commandResult(ran),
        effect: { effect, before: null, after: { exit_code: exitCode, signal: by } },
      };
    },
    text: commandResultText,
  });
  return toolGroup('scripting', { more: [execute, ...appleTools(deps), validateScript(deps)] });
}

function sizeOf({ command, args, environment }: Pick<CommandInput, 'command' | 'args' | 'environment'>): number {
  const words = [command, ...args, ...Object.entries(environment).flat()];
  return words.reduce((sum, one) => sum + Buffer.byteLength(one), 0);
}

/** Commands run in the agent's working folder; its evidence may be elsewhere. */
async function resolveCommand(ctx: PlanContext, given: Given): Promise<CommandInput> {
  const { command, args, environment, stdin = null, shell } = given;
  const variable = desktopVariableIn(environment);
  if (variable !== undefined && !given.desktop) throw needsDesktop(variable);
  const named = resolve(ctx.caller.agent.cwd ?? homedir(), given.working_directory ?? '.');
  const folder = await realpath(named).catch(() => named);
  const facts = await stat(folder).catch(() => null);
  if (facts?.isDirectory() !== true)
    throw invalidRequest(message('error.no_working_directory', { folder }), 'no_folder', 'Name a folder that exists.');
  return { command, args, folder, environment, stdin, shell };
}

const PLAIN_LINE = /^[\w@%+=:,./ -]+$/;

/** Of a shell's script only a plain line of words can be read. */
function filesOf({ command, args, folder, environment, shell }: CommandInput, path?: string): Promise<PlannedFile[]> {
  const line = PLAIN_LINE.test(command) ? command.trim().split(/ +/) : [];
  return commandFileIdentities(shell ? line : [command, ...args], { folder, path: environment['PATH'] ?? path });
}

/** The target is for activity lists; the card shows the whole command below its title. */
function runSubject(command: string) {
  const [first = ''] = command.trim().split('\n');
  const target = first.length > 80 ? `${first.slice(0, 79)}…` : first;
  return subjectWithoutPlace(title('title.run_shell_command'), target);
}

function planOf(asked: CommandInput, { timeout, keep_running: keeps, desktop }: Given): Plan {
  const { command, folder } = asked;
  return {
    ...planWithoutTarget({ ...runSubject(command), place: folder }),
    text: commandText(asked),
    notes: [message('note.outside_sandbox'), message('note.ended_after', { seconds: timeout })],
    covers: [...(keeps ? [message('note.left_running')] : []), ...(desktop ? [message('note.reaches_desktop')] : [])],
    alwaysAsk: true,
  };
}

/** The label that Home shows for a background command. */
function backgroundLabel({ caller }: ReadContext, given: Given): BackgroundLabel | null {
  if (!given.keep_running) return null;
  const [line = ''] = given.command.trim().split('\n');
  const words = given.shell ? [line] : [line, ...given.args].map(shellQuote);
  return { agent: caller.agent.name, command: words.join(' ').slice(0, MAX_LABEL_LENGTH) };
}

const needsDesktop = (variable: string): WireError =>
  invalidRequest(
    message('error.desktop_variable', { variable }),
    'desktop_variable',
    'Leave it out, or set desktop: true; the person sees that on the card.',
  );
