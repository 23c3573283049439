import { basename } from 'node:path';

/** Servers and clients of SSH, which connect to a socket for programs elsewhere: `ssh -L` by the server, `ssh -R` by the client. */
const SSH_PROGRAMS: ReadonlySet<string> = new Set(['sshd', 'sshd-session', 'ssh', 'dropbear', 'dbclient']);

interface Program {
  /** '' where the kernel will not tell. */
  executable: string;
  uid: number;
  /** What the process calls itself; null where the system does not tell. Any process can choose it. */
  name: string | null;
  /** User of its parent; null where there is none. */
  parentUid: number | null;
}

/**
 * Whether a process forwards what others say. A server of SSH keeps its files from the user it serves, so there its name counts,
 * together with a parent of another user: a program that poses as one is only trusted less.
 */
export function forwarderOf({ executable, uid, name, parentUid }: Program): 'ssh' | undefined {
  const program = executable === '' ? name : basename(executable.replace(/ \(deleted\)$/, ''));
  if (program === null || !SSH_PROGRAMS.has(program)) return undefined;
  return executable !== '' || (parentUid !== null && parentUid !== uid) ? 'ssh' : undefined;
}
