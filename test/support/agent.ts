import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { join } from 'node:path';

const COMMAND = join(import.meta.dirname, '../../dist/main/cli/index.js');

export interface ToolAnswer {
  isError: boolean;
  text: string;
  value: Record<string, unknown>;
  images: { data: string; mimeType: string }[];
}

export interface TestAgent {
  client: Client;
  call(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  /** Stops its program while `work` runs: with a call that waits it would start a host as soon as it finds none. */
  whileStopped(work: () => Promise<void>): Promise<void>;
  /** As `whileStopped`, and ends it then. */
  stopForGood(work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

const START_SHIM = `require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' })`;

interface AgentOptions {
  cwd?: string;
  env?: Record<string, string>;
  name?: string;
  ownProcess?: boolean;
  /** More options of `mcp`. */
  args?: readonly string[];
  /** Instead of the shim of this machine. */
  command?: readonly [string, ...string[]];
}

/** Almost as long as the client below waits: on a slow machine a test's call gets its answer and no handle. */
const CALL_LIMIT = ['--call-limit', '115'];

function started({ ownProcess, args = [], command }: AgentOptions): { command: string; args: string[] } {
  const [program, ...rest] = command ?? [process.execPath, ...(ownProcess === true ? ['-e', START_SHIM] : []), COMMAND, 'mcp', ...CALL_LIMIT, ...args]; // prettier-ignore
  return { command: program, args: rest };
}

/** A real MCP client that starts the real shim, as a coding agent does. `ownProcess`: another agent than those that this process starts. */
export async function startAgent(home: string, more: AgentOptions = {}): Promise<TestAgent> {
  const client = new Client({ name: more.name ?? 'test-agent', version: '1.0.0' });
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', CHAPERONE_HOME: home, ...more.env };
  const transport = new StdioClientTransport({
    ...started(more),
    env,
    stderr: 'ignore',
    ...(more.cwd === undefined ? {} : { cwd: more.cwd }),
  });
  await client.connect(transport);
  return {
    client,
    async call(name, args = {}) {
      const result = await client.callTool({ name, arguments: args }, { timeout: 120_000 });
      const blocks = result.content as { type: string; text?: string; data?: string; mimeType?: string }[];
      return {
        isError: result.isError === true,
        text: blocks.map((block) => block.text ?? '').join('\n'),
        value: (result.structuredContent ?? {}) as Record<string, unknown>,
        images: blocks.flatMap(({ data, mimeType }) =>
          data === undefined || mimeType === undefined ? [] : [{ data, mimeType }],
        ),
      };
    },
    whileStopped: (work) => stopped(transport.pid, work, 'SIGCONT'),
    stopForGood: (work) => stopped(transport.pid, work, 'SIGKILL'),
    close: () => client.close(),
  };
}

async function stopped(pid: number | null, work: () => Promise<void>, then: 'SIGCONT' | 'SIGKILL'): Promise<void> {
  if (pid === null) throw new Error('the agent has ended');
  process.kill(pid, 'SIGSTOP');
  try {
    await work();
  } finally {
    process.kill(pid, then);
  }
}
