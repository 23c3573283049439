import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { CodeSignatures } from './macos-signatures.js';
import type { ProcessIdentity } from './types.js';

type Process = Pick<ProcessIdentity, 'pid' | 'startTime'>;

/** An agent can run a program under conditions of its choice; an application is only acted on. */
export type Role = 'agent' | 'application';

/** What tells a program from every other, or why it cannot be told. */
export type Identified = { identity: string } | { untold: Untold };

export interface Untold {
  reason:
    | 'namespace'
    | 'traced'
    | 'interpreter'
    | 'variable'
    | 'option'
    | 'missing'
    | 'modules'
    | 'place'
    | 'script'
    | 'library'
    | 'written'
    | 'unknown';
  /** '' where not even its path is known. */
  program: string;
  /** The variable, option or file. */
  what: string;
}

/** Tells whether a process runs the program that something was granted to, whatever lies at its path by now. */
export interface ProgramIdentities {
  of(process: Process, role: Role): Identified;
  isSame(process: Process, role: Role, identity: string): boolean;
}

export const untold = (reason: Untold['reason'], program: string, what = ''): { untold: Untold } => ({
  untold: { reason, program, what },
});

const CODE = 'code ';
const FILE = 'file ';

/** By the code's signature; of a program without one by the content of its file, where that is older than the process. */
export function createProgramIdentities(
  signatures: CodeSignatures,
  lookup: (pid: number) => ProcessIdentity | null,
): ProgramIdentities {
  /** Between two looks at the process, so that the answer is not another one's. */
  function whileSame<T>({ pid, startTime }: Process, none: T, ask: (found: ProcessIdentity) => T): T {
    const found = lookup(pid);
    if (found?.startTime !== startTime) return none;
    const answer = ask(found);
    const after = lookup(pid);
    return after?.startTime === startTime && after.executable === found.executable ? answer : none;
  }

  return {
    of: (process) =>
      whileSame<Identified>(process, untold('unknown', ''), (found) => {
        const requirement = signatures.requirementOf(found.pid);
        if (requirement !== null) return { identity: CODE + requirement };
        const hash = hashOfFile(found);
        return hash === null ? untold('unknown', found.executable) : { identity: FILE + hash };
      }),
    isSame: (process, _role, identity) =>
      whileSame(process, false, (found) => {
        if (identity.startsWith(CODE)) return signatures.satisfies(found.pid, identity.slice(CODE.length));
        return signatures.requirementOf(found.pid) === null && identity === FILE + hashOfFile(found);
      }),
  };
}

/** null for a file that may have been written since the process began: the process could run what was there before. */
function hashOfFile({ executable, startTime }: ProcessIdentity): string | null {
  try {
    if (statSync(executable).ctimeMs / 1000 >= Number(startTime)) return null;
    return createHash('sha256').update(readFileSync(executable)).digest('hex');
  } catch {
    return null;
  }
}
