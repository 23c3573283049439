import { basename } from 'node:path';
import type { MacosCalls } from './macos-calls.js';

/** The program that the system's settings list for what a process is allowed. */
export interface Grantee {
  /** As the settings list it. */
  name: string;
  /** What can be dragged into that list: the app, or else the program itself. */
  path: string;
}

/** null where the system does not tell. Another program answers for what it has started, such as a terminal. */
export function readGrantee(calls: Pick<MacosCalls, 'responsible' | 'processPath'>, pid: number): Grantee | null {
  const responsible = calls.responsible(pid);
  const program = responsible === null ? null : calls.processPath(responsible);
  if (program === null) return null;
  const path = appOf(program);
  return { name: basename(path, '.app'), path };
}

/** An app's program and its helpers lie within it. */
export const appOf = (program: string): string => /^.*?\.app(?=\/)/.exec(program)?.[0] ?? program;
