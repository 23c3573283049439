/** `execute_shell_command`: what only reads runs at once, what a rule covers runs as it was judged, and all else as the person allowed it. */
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import * as z from 'zod';
import { fileDrift, targetChanged } from '../../pipeline/compare.js';
import { defineAction } from '../../pipeline/define.js';
import type { AnyAction } from '../../pipeline/action.js';
import type { PlanContext, ReadContext } from '../../pipeline/context.js';
import { planWithoutTarget, type Plan, type PlannedFile } from '../../approvals/plan.js';
import { createSandbox, type BackgroundLabel, type Sandbox } from '../../../native/process/index.js';
import { stepsInside } from '../../approvals/files.js';
import { subjectWithoutPlace, title, WireError } from '../../protocol/index.js';
import { ruleError } from '../../protocol/input-errors.js';
import { commandFileIdentities } from './command-files.js';
import { argvOf, commandText, shellQuote, type CommandInput } from './command-line.js';
import { desktopVariableIn } from './environment.js';
import { agentWorkspace, judgeCommand, type JudgedCommand } from './judge-command.js';
import { commandResult, commandResultSchema, commandResultText, keepEvidence, MAX_KEPT_BYTES } from './result.js';
import { invalidRequest, isWellFormed } from '../parameters.js';
import type { ToolDeps } from '../tool.js';
import { runOrRefuse } from './run.js';
import { message } from '../../../messages/index.js';

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
    sandbox: z.boolean().default(false).describe('No network; reads and writes only your own folder (Linux).'),
  })
  .strict()
  .refine(
    ({ sandbox, desktop, keep_running: keeps }) => !sandbox || !(desktop || keeps),
    ruleError('input.sandbox_alone'),
  )
  .refine((given) => sizeOf(given) <= MAX_TOTAL_LENGTH, ruleError('input.too_long'));
type Given = z.infer<typeof inputSchema>;

export function executeCommand({ shell, commandEnv }: Pick<ToolDeps, 'shell' | 'commandEnv'>): AnyAction {
  const sandbox = createSandbox();

  async function resolveAndJudge(ctx: PlanContext, given: Given): Promise<Resolved> {
    const asked = await resolveCommand(ctx, given);
    const workspace = await agentWorkspace(ctx);
    if (given.sandbox) await assertSandbox(sandbox, asked, workspace);
    const more = { desktop: given.desktop, keepsRunning: given.keep_running, sandbox: given.sandbox };
    const judged = await judgeCommand({ ...asked, ...more }, workspace, commandEnv.plain);
    const files = await filesOf(asked, judged, commandEnv.plain['PATH']);
    return { asked, judged, workspace, files };
  }

  /** With the folder and the program as they are now. */
  function startOf(ctx: ReadContext, given: Given, { asked, judged, workspace }: Resolved) {
    const { planned, reading } = judged;
    if (reading !== null) return reading;
    const isRuled = planned !== null && ctx.decision.kind === 'allowed' && ctx.decision.by === 'grant';
    const argv: [string, ...string[]] = isRuled ? [planned.program, ...planned.words.slice(1)] : argvOf(asked);
    const { environment, folder } = asked;
    // Its environment is set inside: a variable could make the sandbox's own program load something.
    if (given.sandbox && workspace !== null)
      return { argv: sandbox.wrap({ argv, workspace, folder, environment }), env: commandEnv.plain };
    return { argv, env: { ...(given.desktop ? commandEnv.desktop : commandEnv.plain), ...environment } };
  }

  return defineAction({
    name: 'execute_shell_command',
    title: 'Run a command',
    does: 'command',
    description:
      'Runs a program; returns exit code and both outputs. The person is asked, unless it only reads your own folder: one program with plain arguments, such as ls, cat, grep, find, git status or git diff.',
    effect: (given) => (given.sandbox ? 'input' : 'dangerous'),
    needs: [],
    offDesktop: true,
    input: inputSchema,
    output: commandResultSchema,
    subject: (given) => runSubject({ ...given, stdin: given.stdin ?? null, folder: '' }),
    async plan(ctx, given) {
      // Started early, so that it is ready when the person has decided.
      shell.prepare();
      return planOf(await resolveAndJudge(ctx, given), given);
    },
    async act(ctx, given, signal) {
      const resolved = await resolveAndJudge(ctx, given);
      assertAsPlanned(ctx.plan, resolved);
      const { folder, stdin } = resolved.asked;
      const command = {
        executionId: ctx.executionId,
        ...startOf(ctx, given, resolved),
        cwd: folder,
        stdin,
        timeoutMs: Math.ceil(given.timeout * 1000),
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
}

interface Resolved {
  asked: CommandInput;
  judged: JudgedCommand;
  /** Of the agent; null where it has none of its own. */
  workspace: string | null;
  files: PlannedFile[];
}

/** A link in the folder's path, a program or a repository may have changed since the comparison. */
function assertAsPlanned(plan: Plan | null, { asked, judged, files }: Resolved): void {
  const now = commandText(asked);
  const isSame = JSON.stringify(judged.planned ?? null) === JSON.stringify(plan?.command ?? null);
  if (now !== plan?.text || asked.folder !== plan.subject.place || !isSame)
    throw targetChanged([{ part: 'command', approved: plan?.text, now }]);
  const changed = fileDrift(plan, { files });
  if (changed.length > 0) throw targetChanged(changed);
}

async function assertSandbox(sandbox: Sandbox, { folder }: CommandInput, workspace: string | null): Promise<void> {
  const outside = workspace === null || stepsInside(workspace, folder) === null;
  const why = (await sandbox.missing()) ?? (outside ? 'folder' : null);
  if (why === null) return;
  throw new WireError('DESKTOP_UNSUPPORTED', message('error.no_sandbox', { why: why === 'platform' ? 'other' : why }), {
    reason: `sandbox_${why}`,
    next: NEXT_STEPS.get(why) ?? 'Leave out sandbox; the person is then asked.',
  });
}

const NEXT_STEPS = new Map([
  [
    'missing',
    'Ask the person to install bubblewrap (sudo apt install bubblewrap), or leave out sandbox; the person is then asked.',
  ],
  ['folder', 'Name a folder inside your own folder, or leave out sandbox; the person is then asked.'],
]);

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

/** Of a shell's script only a plain line of words can be read. What is only read may change meanwhile. */
function filesOf(asked: CommandInput, { reading }: JudgedCommand, path?: string): Promise<PlannedFile[]> {
  const { command, args, folder, environment, shell } = asked;
  if (reading !== null) return commandFileIdentities([reading.argv[0]], { folder });
  const line = PLAIN_LINE.test(command) ? command.trim().split(/ +/) : [];
  return commandFileIdentities(shell ? line : [command, ...args], { folder, path: environment['PATH'] ?? path });
}

/** Longest command in a title; the card shows a longer one whole below it. */
const MAX_TITLE_LENGTH = 80;

function runSubject(asked: CommandInput) {
  const [first = '', ...more] = commandText(asked).trim().split('\n');
  const isCut = first.length > MAX_TITLE_LENGTH || more.length > 0;
  const target = isCut ? `${first.slice(0, MAX_TITLE_LENGTH - 1)}…` : first;
  return subjectWithoutPlace(title('title.run_shell_command'), target);
}

function planOf({ asked, judged, files }: Resolved, { timeout, keep_running: keeps, desktop, sandbox }: Given): Plan {
  const { planned, plain } = judged;
  const where = sandbox ? message('note.in_sandbox') : message('note.outside_sandbox');
  return {
    ...planWithoutTarget({ ...runSubject(asked), place: asked.folder }),
    text: commandText(asked),
    notes: [where, message('note.ended_after', { seconds: timeout })],
    covers: [...(keeps ? [message('note.left_running')] : []), ...(desktop ? [message('note.reaches_desktop')] : [])],
    alwaysAsk: !(sandbox || planned?.reads === true || planned?.rule != null),
    files,
    ...(planned === null ? {} : { command: planned }),
    ...(plain ? { plain } : {}),
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
