import type { ProcessTable } from '../../native/peer/types.js';
import { connectUnix } from '../transport/client.js';
import type { FramedTransport, FrameLimits } from '../transport/frames.js';
import { connectLoopback } from '../transport/loopback-client.js';
import type { Address } from './bridge-file.js';

/** A list of 100,000 tools is one message. */
const MAX_BODY = 32 * 1024 * 1024;

export const APP_LIMITS: Partial<FrameLimits> = {
  maxBody: MAX_BODY,
  first: { maxBody: 1024 * 1024, ms: 15_000 },
  asciiOnly: true,
};

export async function dial(
  address: Address,
  processes: Pick<ProcessTable, 'peerOf' | 'tcpClient'>,
  signal: AbortSignal,
): Promise<FramedTransport> {
  if (address.kind === 'tcp') return connectLoopback({ port: address.port, processes, limits: APP_LIMITS, signal });
  const { transport } = await connectUnix({
    path: address.path,
    processes,
    signal,
    anyFolder: true,
    limits: APP_LIMITS,
  });
  return transport;
}
