/** The doors that MCP is served at, each with the oldest and the newest way to speak it, by clients of the SDK. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ENTRY } from './command.js';
import type { TestHost } from './host.js';
import { doorOf } from './mcp-http.js';

export const DOORS = ['stdio, 2025-11-25', 'stdio, 2026-07-28', 'HTTP, 2025-11-25', 'HTTP, 2026-07-28'] as const;
export type Door = (typeof DOORS)[number];

export interface DoorOptions {
  capabilities?: ConstructorParameters<typeof Client>[1] extends infer O | undefined
    ? O extends { capabilities?: infer C }
      ? C
      : never
    : never;
  args?: string[];
  query?: string;
  /** Called before the client connects. */
  prepare?(client: Client): void;
}

/** The host must serve HTTP. */
export async function openClient(started: TestHost, door: Door, options: DoorOptions = {}): Promise<Client> {
  const { capabilities, args = [], query = '', prepare } = options;
  const modern = door.endsWith('2026-07-28');
  const client = new Client(
    { name: 'door-client', version: '1.0.0' },
    {
      ...(capabilities === undefined ? {} : { capabilities }),
      ...(modern ? { versionNegotiation: { mode: 'auto' as const } } : {}),
    },
  );
  prepare?.(client);
  await client.connect(door.startsWith('stdio') ? overStdio(started, args) : overHttp(started, query));
  return client;
}

function overStdio({ home, workspace }: TestHost, args: string[]) {
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', CHAPERONE_HOME: home };
  return new StdioClientTransport({
    command: process.execPath,
    args: [ENTRY, 'mcp', ...args],
    env,
    cwd: workspace,
    stderr: 'ignore',
  });
}

function overHttp(started: TestHost, query: string) {
  const { url, token } = doorOf(started);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  return new StreamableHTTPClientTransport(new URL(`${url}${query}`), { requestInit });
}
