/** Every way in for agents and programs, with its rules. A door that is not in this table cannot be served. Pages have their own (`page/table.ts`). */
import { createHash, timingSafeEqual } from 'node:crypto';

export type Door = 'unix' | 'service' | 'tcp' | 'stdio' | 'http';

interface DoorRules {
  /** What may be spoken. */
  spoken: readonly ('jsonrpc' | 'gabp' | 'mcp')[];
  /** Whether the command line's `admin/*` methods are served. */
  admin: boolean;
  /** How a peer shows that it may come in. `kernel`: by its user. */
  proof: 'kernel' | 'hello' | 'bearer';
}

export const DOORS = {
  unix: { spoken: ['jsonrpc', 'gabp', 'mcp'], admin: true, proof: 'kernel' },
  service: { spoken: ['jsonrpc'], admin: false, proof: 'kernel' },
  tcp: { spoken: ['gabp'], admin: false, proof: 'hello' },
  stdio: { spoken: ['gabp'], admin: false, proof: 'hello' },
  http: { spoken: ['mcp'], admin: false, proof: 'bearer' },
} as const satisfies Readonly<Record<Door, DoorRules>>;

/** Digests are compared, so that neither content nor length shows in the time taken. */
export function createTokenCheck(token: string): (given: string) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = digest(token);
  return (given) => timingSafeEqual(digest(given), expected);
}
