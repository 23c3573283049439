/** Commands of these tests, and what they leave behind. */
import { randomUUID } from 'node:crypto';
import type { CommandRequest } from '../../../src/native/process/index.js';

/** In that folder, with no environment but a path. */
export const commandIn = (
  folder: string,
  argv: [string, ...string[]],
  more: Partial<CommandRequest> = {},
): CommandRequest => ({
  executionId: randomUUID(),
  argv,
  cwd: folder,
  env: { PATH: '/usr/bin:/bin' },
  stdin: null,
  timeoutMs: 30_000,
  maxStreamBytes: 1000,
  keep: null,
  ...more,
});

export const outputOf = ({ head, tail }: { head: Buffer; tail: Buffer }): string =>
  Buffer.concat([head, tail]).toString();

/** Says its pid, waits for `go`, then acts. */
export const STRAY = `echo $$ > pid; while [ ! -e go ]; do sleep 0.02; done; touch acted`;
/** Waits until it has said its pid. */
export const STARTED = '\nuntil [ -s pid ]; do sleep 0.02; done';

/** Starts the stray in the command's own group and session. */
export const IN_BACKGROUND = `sh -c '${STRAY}' > /dev/null 2>&1 < /dev/null &`;
/** In a session of its own. */
export const IN_SESSION = `setsid -f sh -c '${STRAY}' > /dev/null 2>&1 < /dev/null`;
/** Also without its parent, and with an empty environment. */
export const FORKED_TWICE = `setsid -f env -i setsid -f /bin/sh -c 'PATH=/usr/bin:/bin; ${STRAY}' > /dev/null 2>&1 < /dev/null`;
