/** What a command is, before anybody is asked: whether it only reads, deserves red, and may be covered by a rule. */
import { realpath } from 'node:fs/promises';
import type { PlannedCommand } from '../../approvals/plan.js';
import { stepsInside } from '../../approvals/files.js';
import { fileIdentities } from '../../pipeline/file-identity.js';
import type { PlanContext } from '../../pipeline/context.js';
import { programFile } from './command-files.js';
import { coverable, isPlain } from './command-kinds.js';
import type { CommandInput } from './command-line.js';
import { readingCommand, type ReadingCommand } from './reading-commands.js';
import type { Place } from './reading-places.js';
import { readableWords, simpleCommand } from './shell-words.js';

export interface JudgedCommand {
  /** null: not one command of plain words in the agent's workspace, so that a person is asked each time. */
  planned: PlannedCommand | null;
  plain: boolean;
  /** What runs in its place where it only reads. */
  reading: ReadingCommand | null;
}

interface Asked extends CommandInput {
  desktop: boolean;
  keepsRunning: boolean;
  sandbox: boolean;
}

const UNKNOWN: JudgedCommand = { planned: null, plain: false, reading: null };

export async function judgeCommand(
  asked: Asked,
  workspace: string | null,
  env: Readonly<Record<string, string>>,
): Promise<JudgedCommand> {
  const words = plainWords(asked);
  const { folder, sandbox } = asked;
  if (words === null || workspace === null || stepsInside(workspace, folder) === null) return UNKNOWN;
  const place: Place = { root: workspace, folder };
  const reading = sandbox ? null : await readingCommand(words, place, env);
  const program = reading?.argv[0] ?? (await programFile(words[0] ?? '', { folder, path: env['PATH'] }));
  if (program === null) return { ...UNKNOWN, plain: isPlain(words, place) };
  const [file] = await fileIdentities([program]);
  const identity = `${file?.identity ?? ''} ${file?.sha256 ?? ''}`;
  const rule = coverable(words, place);
  return {
    planned: { words, folder, program, identity, reads: reading !== null, sandbox, rule },
    plain: isPlain(words, place),
    reading,
  };
}

/** Anything besides words and a folder can change what they do. */
function plainWords({ command, args, environment, stdin, shell, desktop, keepsRunning }: Asked): string[] | null {
  if (Object.keys(environment).length > 0 || stdin !== null || desktop || keepsRunning) return null;
  if (!shell) return readableWords([command, ...args]);
  return args.length > 0 ? null : simpleCommand(command);
}

/** The folder that the kernel reports for the agent, where its calls also keep their evidence: never the home folder itself. */
export async function agentWorkspace({
  caller,
  workspace,
}: Pick<PlanContext, 'caller' | 'workspace'>): Promise<string | null> {
  const { cwd } = caller.agent;
  if (cwd === null) return null;
  const [own, kept] = await Promise.all([cwd, workspace].map((path) => realpath(path).catch(() => null)));
  return own === kept ? (own ?? null) : null;
}
