import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { ProcessIdentity } from '../../src/native/peer/types.js';
import type { Transport } from '../../src/main/protocol/transport.js';

type Close = () => unknown;

/** What a test opened is closed after it, last first. */
export function createCleanup(): {
  later<T extends { close(): unknown }>(opened: T): T;
  after(close: Close): void;
  folder(): string;
} {
  const closes: Close[] = [];
  afterEach(async () => {
    for (const close of closes.splice(0).reverse()) await close();
  });
  return {
    later(opened) {
      closes.push(() => opened.close());
      return opened;
    },
    after: (close) => void closes.push(close),
    folder() {
      const folder = mkdtempSync(join(tmpdir(), 'ct-'));
      closes.push(() => rmSync(folder, { recursive: true, force: true }));
      return folder;
    },
  };
}

export function self(over: Partial<ProcessIdentity> = {}): ProcessIdentity {
  const uid = process.getuid?.() ?? 0;
  return {
    pid: process.pid,
    startTime: '1',
    uid,
    executable: process.execPath,
    script: null,
    cwd: process.cwd(),
    parentPid: process.ppid,
    ...over,
  };
}

/** What a transport received and how it ended. */
export function record(transport: Transport): { messages: unknown[]; ends: (string | null)[] } {
  const seen: { messages: unknown[]; ends: (string | null)[] } = { messages: [], ends: [] };
  transport.onMessage((message) => seen.messages.push(message));
  transport.onClose((reason) => seen.ends.push(reason));
  return seen;
}
