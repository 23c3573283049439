/** The configuration file of GABP: written for each application that is launched, read of those that run already. */
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import * as z from 'zod';
import { message, MessageError, textOf } from '../../messages/index.js';
import { readPrivate, writePrivate } from '../approvals/files.js';

/** Where an application listens. */
export type Address = { kind: 'tcp'; port: number } | { kind: 'socket'; path: string };

export interface BridgeFacts {
  token: string;
  launchId: string;
  address: Address | null;
}

/** As the specification has it, 0600 and whole or not at all. */
export function writeBridgeFile(file: string, { token, launchId, address }: BridgeFacts): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const metadata = { pid: process.pid, startTime: new Date().toISOString(), launchId };
  writePrivate(file, { token, transport: transportOf(address), metadata });
}

export const removeBridgeFile = (file: string): void => rmSync(file, { force: true });

function transportOf(address: Address | null) {
  if (address === null) return { type: 'stdio' };
  if (address.kind === 'tcp') return { type: 'tcp', address: String(address.port) };
  return { type: 'pipe', address: address.path };
}

const port = z.coerce.number().int().min(1).max(65_535);
const LOOPBACK_PORT = /^(?:(?:127\.0\.0\.1|\[::1\]|localhost):)?(\d{1,5})$/;

const specSchema = z.looseObject({
  token: z.string().min(1).max(4096),
  transport: z.looseObject({
    type: z.enum(['tcp', 'pipe', 'unix', 'socket']),
    address: z.union([z.string(), z.number()]),
  }),
  metadata: z.looseObject({ launchId: z.uuid().optional().catch(undefined) }).optional(),
});

/** What GABS writes beside a game. */
const gabsSchema = z.looseObject({ token: z.string().min(1).max(4096), port });

/** Throws MessageError where it cannot be read, others can read it, or it names another machine. */
export function readBridgeFile(file: string): { token: string; launchId: string | null; address: Address } {
  const given = read(file);
  const spec = specSchema.safeParse(given);
  if (spec.success) {
    const { token, transport, metadata } = spec.data;
    const address = addressOf(transport);
    if (address !== null) return { token, launchId: metadata?.launchId ?? null, address };
  }
  const gabs = gabsSchema.safeParse(given);
  if (gabs.success) return { token: gabs.data.token, launchId: null, address: { kind: 'tcp', port: gabs.data.port } };
  throw new MessageError(message('apps.bad_bridge_file', { file }));
}

function addressOf({ type, address }: z.infer<typeof specSchema>['transport']): Address | null {
  const text = String(address);
  if (type !== 'tcp')
    return isAbsolute(text) || text.startsWith('\\\\.\\pipe\\') ? { kind: 'socket', path: text } : null;
  const parsed = port.safeParse(LOOPBACK_PORT.exec(text)?.[1]);
  return parsed.success ? { kind: 'tcp', port: parsed.data } : null;
}

function read(file: string): unknown {
  try {
    return readPrivate(file);
  } catch (thrown) {
    throw new MessageError(message('apps.unreadable_bridge_file', { file, why: textOf(thrown) }));
  }
}
