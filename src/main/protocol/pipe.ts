/**
 * What shim and host say to each other beside the agent's lines. First the shim's hello and the host's welcome, each a frame. Then
 * lines, both ways: from the shim the agent's as they are, counted from 1; from the host MCP's messages, or words of its own, which begin with a head.
 */
import { isRecord } from '../../base/type-guards.js';

export type Profile = 'full' | 'core';

export interface PipeHello {
  token: string;
  /** Of the shim. */
  version: string;
  /** Where the agent works, as a claim. */
  cwd: string;
  /** `own`: on a desktop of the agent's own, which the person is asked for. */
  desktop: 'own' | 'current';
  profile: Profile;
  /** Milliseconds until a waiting call is answered with a handle; null: by the client's name. */
  callLimitMs: number | null;
  /** A secret of this shim, the same for each of its connections: with it the host knows a repeated line, and a program of another machine. */
  session: string;
  /** What another machine calls itself. */
  machine: string | null;
  /** What the client calls itself, where it does not say so in MCP. */
  claim: string | null;
  /** Whether the shim wants to hear how much waits for the person. */
  counts: boolean;
  /** The lines that come first, in their order: what earlier connections left. The number of the line after them is `next`. */
  lines: readonly { number: number; state: LineState }[];
  next: number;
}

/** `sent`: to an earlier host, or on an earlier connection. `answered`: it is only read again, and answered to nobody. */
export type LineState = 'new' | 'sent' | 'answered';

/**
 * `=` with the number of a line: it is done with. `~`: it is answered, and the next host needs it again. `-`: not any more. `?` with
 * an id: the client is asked under it. `!`: not any more. `#` with how much waits for the person.
 */
export type HeadKind = '=' | '~' | '-' | '?' | '!' | '#';

/** A notification on a line of the shim's own: what waits for the person on a host of another machine. */
export const ELSEWHERE = 'notifications/chaperone/elsewhere';

interface HostLine {
  head: { kind: string; value: string } | null;
  /** For the client. */
  message: string | null;
}

export const hostLine = (kind: HeadKind, value: string | number, message?: string): string =>
  message === undefined ? `${kind}${value}` : `${kind}${value} ${message}`;

export function readHostLine(line: string): HostLine {
  if (line.startsWith('{') || line.startsWith('[')) return { head: null, message: line };
  const end = line.indexOf(' ');
  const head = { kind: line.slice(0, 1), value: end === -1 ? line.slice(1) : line.slice(1, end) };
  return { head, message: end === -1 ? null : line.slice(end + 1) };
}

/** The address of the person's page; null where it is no welcome. */
export function readWelcome(message: unknown): string | null {
  const pipe = isRecord(message) ? message['mcp'] : null;
  return isRecord(pipe) && typeof pipe['url'] === 'string' ? pipe['url'] : null;
}
