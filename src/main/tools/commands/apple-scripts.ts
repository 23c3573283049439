/** AppleScript and JavaScript for Automation: run by osascript, or only compiled. Their programs are injected; elsewhere than on macOS there are none. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import * as z from 'zod';
import type { AnyAction } from '../../pipeline/action.js';
import type { ReadContext } from '../../pipeline/context.js';
import { defineAction } from '../../pipeline/define.js';
import { planWithoutTarget } from '../../approvals/plan.js';
import { WireError, subjectWithoutPlace, title } from '../../protocol/index.js';
import { message, type Message } from '../../../messages/index.js';
import type { FinishedCommand } from '../../../native/process/index.js';
import type { ToolDeps } from '../tool.js';
import {
  decodeOutput,
  visible,
  commandResult,
  commandResultSchema,
  commandResultText,
  keepEvidence,
  MAX_KEPT_BYTES,
} from './result.js';
import { runOrRefuse, scriptSchema } from './run.js';
import type { ScriptPrograms } from './command-line.js';

export type Language = 'applescript' | 'javascript';
export const LANGUAGES = { applescript: 'AppleScript', javascript: 'JavaScript for Automation' } as const;

export type ScriptDeps = Pick<ToolDeps, 'shell' | 'commandEnv' | 'scripting'>;

export function appleTools(deps: ScriptDeps): AnyAction[] {
  return [tool(deps, 'execute_apple_script', 'applescript'), tool(deps, 'execute_javascript', 'javascript')];
}

const inputSchema = z
  .object({
    script: scriptSchema,
    timeout: z.number().positive().max(3600).default(30),
    compile_only: z.boolean().default(false),
  })
  .strict();
type Given = z.infer<typeof inputSchema>;

function tool(deps: ScriptDeps, name: string, language: Language): AnyAction {
  const subject = () => subjectWithoutPlace(title('title.run_script', { language: LANGUAGES[language] }));
  return defineAction({
    name,
    title: `Run ${LANGUAGES[language]}`,
    does: 'command',
    description: `Runs ${LANGUAGES[language]} on macOS; elsewhere DESKTOP_UNSUPPORTED.`,
    effect: 'dangerous',
    needs: [],
    offDesktop: true,
    input: inputSchema,
    output: commandResultSchema.extend({ result: z.string() }),
    subject,
    // Thrown before the person is asked for something that cannot be done.
    async plan(_ctx, given) {
      programsOf(deps, language);
      deps.shell.prepare();
      return {
        ...planWithoutTarget(subject()),
        text: given.script,
        notes: notesOf(given),
        covers: coversOf(given.script),
        alwaysAsk: true,
      };
    },
    async act(ctx, given, signal) {
      const ran = given.compile_only
        ? await compile(deps, ctx, language, given.script, given.timeout, signal)
        : await execute(deps, ctx, language, given, signal);
      keepEvidence(ctx, ran);
      const told = commandResult(ran);
      const refused = ran.exitCode === 0 ? null : automationRefusal(told.stderr);
      if (refused !== null) throw refused;
      const confirmed = ran.exitCode === 0 && !ran.timedOut;
      return {
        value: { ...told, result: visible(told.stdout.replace(/\n$/, '')) },
        effect: { effect: confirmed ? 'confirmed' : 'unverified', before: null, after: { exit_code: ran.exitCode } },
      };
    },
    text: commandResultText,
  });
}

/** The script goes through the input: other programs of this user could read an argument. */
function execute(
  deps: ScriptDeps,
  ctx: ReadContext,
  language: Language,
  { script, timeout }: Given,
  signal: AbortSignal,
): Promise<FinishedCommand> {
  const { osascript } = programsOf(deps, language);
  const dialect = language === 'applescript' ? 'AppleScript' : 'JavaScript';
  return runProgram(deps, ctx, { argv: [osascript, '-l', dialect], stdin: script, timeout }, signal);
}

/** JavaScript is only parsed, which needs no program; AppleScript is compiled into a file that is thrown away. */
export async function compile(
  deps: ScriptDeps,
  ctx: ReadContext,
  language: Language,
  script: string,
  timeout: number,
  signal: AbortSignal,
): Promise<FinishedCommand> {
  const { osacompile } = programsOf(deps, language);
  if (language === 'javascript') return parsed(script);
  const folder = await mkdtemp(join(tmpdir(), 'chaperone-script-'));
  try {
    const argv = [osacompile, '-l', 'AppleScript', '-o', join(folder, 'script.scpt')] as const;
    return await runProgram(deps, ctx, { argv, stdin: script, timeout }, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function parsed(script: string): FinishedCommand {
  const empty = { bytes: 0, head: Buffer.alloc(0), tail: Buffer.alloc(0) };
  const ended = { signal: null, timedOut: false, durationMs: 0, stdout: empty };
  const leftBehind = { ended: [], kept: [], remaining: [], complete: true };
  try {
    new Script(script);
    return { ...ended, exitCode: 0, stderr: empty, leftBehind };
  } catch (error) {
    const head = Buffer.from(error instanceof Error ? error.message : String(error));
    return { ...ended, exitCode: 1, stderr: { ...empty, bytes: head.length, head }, leftBehind };
  }
}

function runProgram(
  { shell, commandEnv }: ScriptDeps,
  ctx: ReadContext,
  given: { argv: readonly [string, ...string[]]; stdin: string; timeout: number },
  signal: AbortSignal,
): Promise<FinishedCommand> {
  const { argv, stdin, timeout } = given;
  const command = {
    executionId: ctx.executionId,
    argv,
    cwd: '/',
    env: commandEnv.plain,
    stdin,
    timeoutMs: Math.ceil(timeout * 1000),
    maxStreamBytes: MAX_KEPT_BYTES,
    keep: null,
  };
  return runOrRefuse(shell, command, argv[0], signal);
}

function programsOf({ scripting }: Pick<ScriptDeps, 'scripting'>, language: Language): ScriptPrograms {
  if (scripting !== null) return scripting;
  throw new WireError('DESKTOP_UNSUPPORTED', message('error.no_such_language', { language: LANGUAGES[language] }), {
    reason: 'no_such_language',
    next: 'Use execute_shell_command, or the elements of the application (find_elements, perform_element_action).',
  });
}

const NAMED = /\b(?:application|app)\s*(?:id\s*)?\(?\s*(["'])((?:\\.|(?!\1).){1,100})\1/gi;
const RUNS_COMMANDS = /\bdo\s+shell\s+script\b|\bdoShellScript\b/i;

function notesOf({ timeout, compile_only: only }: Given): Message[] {
  const limit = message('note.ended_after', { seconds: timeout });
  return only ? [message('note.only_compiled'), limit] : [message('note.outside_sandbox'), limit];
}

/** What macOS asks the person about, once for each application, and what a reader of the card may overlook. */
function coversOf(script: string): Message[] {
  const applications = [...new Set([...script.matchAll(NAMED)].map(([, , name = '']) => name))];
  return [
    ...(applications.length > 0 ? [message('note.script_controls', { applications })] : []),
    ...(RUNS_COMMANDS.test(script) ? [message('note.script_runs_commands')] : []),
  ];
}

/** errAEEventNotPermitted and errAEEventWouldRequireUserConsent. */
function automationRefusal(stderr: string): WireError | null {
  if (!/\(-174[34]\)\s*$/m.test(stderr)) return null;
  const [, application = ''] = /Apple events to (.{1,100}?)\.? \(-174/.exec(stderr) ?? [];
  const known = application === '' ? 'other' : 'yes';
  return new WireError('DESKTOP_PERMISSION_MISSING', message('error.no_automation', { known, application }), {
    reason: 'automation',
    application,
    next: 'Ask the person to allow it in System Settings, Privacy & Security, Automation, where the script may be listed as osascript; then make the call again.',
  });
}

/** First lines of what a compiler said. */
export const complaints = ({ stderr }: FinishedCommand, most: number): string[] =>
  visible(decodeOutput(stderr, most).text)
    .split('\n')
    .filter((line) => line.trim() !== '');
