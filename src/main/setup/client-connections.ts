import { readFileSync } from 'node:fs';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { CLIENT_IDS, CLIENT_NAMES, clientIdSchema, type ClientId, type Status } from '../protocol/index.js';

export type ClientConnections = ReturnType<typeof watchClientConnections>;

export interface ClientConnectionsOptions {
  file: string;
  status: { now(): Status; on(listener: () => void): () => void };
  now(): Date;
  log(thrown: unknown): void;
}

const timesSchema = z.partialRecord(clientIdSchema, z.iso.datetime()).catch({});

/** Records when each coding agent was last connected; kept in a file. */
export function watchClientConnections({ file, status, now, log }: ClientConnectionsOptions) {
  const times = readTimes(file);
  let connected = new Set<ClientId>();
  let saving: Promise<unknown> = Promise.resolve();

  function update() {
    const names = new Set(status.now().agents.map(({ name }) => name));
    const next = new Set(CLIENT_IDS.filter((id) => names.has(CLIENT_NAMES[id])));
    const changed = CLIENT_IDS.filter((id) => next.has(id) !== connected.has(id));
    connected = next;
    if (changed.length === 0) return;
    for (const id of changed) times[id] = now().toISOString();
    const text = JSON.stringify(times);
    saving = saving.then(() => writeFileAtomic(file, text, { mode: 0o600 })).catch(log);
  }

  update();
  const unsubscribe = status.on(update);
  return {
    /** By the process that the kernel reports, not by the client's own name. */
    connected: (client: ClientId): boolean => connected.has(client),
    lastSeen: (client: ClientId): string | null => times[client] ?? null,
    async close(): Promise<void> {
      unsubscribe();
      await saving;
    },
  };
}

function readTimes(file: string): Partial<Record<ClientId, string>> {
  try {
    return timesSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}
