import { readFileSync } from 'node:fs';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { CLIENT_IDS, clientIdSchema, type ClientId, type Status } from '../protocol/index.js';
import { CLIENT_NAMES } from './registration.js';

export interface ClientsSeen {
  /** By the kernel's word, not by what a client calls itself. */
  connected(client: ClientId): boolean;
  lastSeen(client: ClientId): string | null;
  close(): Promise<void>;
}

export interface ClientsSeenOptions {
  file: string;
  status: { now(): Status; on(listener: () => void): () => void };
  now(): Date;
  log(thrown: unknown): void;
}

const keptSchema = z.partialRecord(clientIdSchema, z.iso.datetime()).catch({});

/** When each coding agent was last connected, over restarts too. */
export function watchClients({ file, status, now, log }: ClientsSeenOptions): ClientsSeen {
  const times = readKept(file);
  let here = new Set<ClientId>();
  let saving: Promise<unknown> = Promise.resolve();

  function look() {
    const names = new Set(status.now().agents.map(({ name }) => name));
    const next = new Set(CLIENT_IDS.filter((id) => names.has(CLIENT_NAMES[id])));
    const changed = CLIENT_IDS.filter((id) => next.has(id) !== here.has(id));
    here = next;
    if (changed.length === 0) return;
    for (const id of changed) times[id] = now().toISOString();
    const text = JSON.stringify(times);
    saving = saving.then(() => writeFileAtomic(file, text, { mode: 0o600 })).catch(log);
  }

  look();
  const end = status.on(look);
  return {
    connected: (client) => here.has(client),
    lastSeen: (client) => times[client] ?? null,
    async close() {
      end();
      await saving;
    },
  };
}

function readKept(file: string): Partial<Record<ClientId, string>> {
  try {
    return keptSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}
