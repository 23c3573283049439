/** macOS's audit token, which names one run of one program: <bsm/audit.h>. */
import type { ProcessIdentity } from './types.js';

export const TOKEN_BYTES = 32;
const TOKEN_EUID = 4;
const TOKEN_PID = 20;

/** Throws where the token is none. */
function readAuditToken(token: Uint8Array): { pid: number; uid: number; hex: string } {
  const bytes = Buffer.from(token);
  const pid = bytes.length === TOKEN_BYTES ? bytes.readUInt32LE(TOKEN_PID) : 0;
  if (pid === 0) throw new Error('the kernel names no process for this connection');
  return { pid, uid: bytes.readUInt32LE(TOKEN_EUID), hex: bytes.toString('hex') };
}

/** The process that a token names. `still` says, after the process was read, whether the token is valid. Throws where it is not. */
export function identityOfToken(
  token: Uint8Array,
  lookup: (pid: number) => ProcessIdentity | null,
  still: () => boolean,
): ProcessIdentity {
  const { pid, uid, hex } = readAuditToken(token);
  const identity = lookup(pid);
  if (identity === null || !still()) throw new Error(`process ${pid} has already ended`);
  return { ...identity, uid, auditToken: hex };
}
