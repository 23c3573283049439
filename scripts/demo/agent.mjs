import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Stop } from '../lib/run.mjs';

/** The longest a timer takes: a person may take as long as they need. */
const PATIENCE = { timeout: 2 ** 31 - 1 };

/** A scripted MCP client that starts the real shim over stdio, as any coding agent does. */
export async function startAgent({ entry, env, workspace }, own) {
  const client = new Client({ name: 'chaperone-demo', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  own(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [entry, 'mcp'],
      env,
      cwd: workspace,
      stderr: 'ignore',
    }),
  );
  await client.listTools();
  return { call: (name, args) => callToTheEnd(client, name, args) };
}

/** Calls, and goes on waiting for as long as the answer is only a status. */
async function callToTheEnd(client, name, args) {
  for (;;) {
    const result = await callOnce(client, name, args);
    if (result.isError !== true) return result;
    if (!endedUnanswered(result)) throw new Stop(`✗ ${name}: ${result.content.map((block) => block.text).join('\n')}`);
    console.log('  agent: nobody answered, and the request has ended; it asks again');
  }
}

const endedUnanswered = ({ _meta }) => _meta?.['dev.chaperone/error']?.details?.reason === 'timeout';

async function callOnce(client, name, args) {
  console.log(`  agent: ${name} ${JSON.stringify(args)}`);
  let result = await client.callTool({ name, arguments: args }, PATIENCE);
  while (
    result.isError !== true &&
    result.structuredContent?.callId !== undefined &&
    result.structuredContent.status !== undefined
  ) {
    const { callId, status } = result.structuredContent;
    console.log(`  agent: ${status}; waiting again`);
    result = await client.callTool({ name: 'resume_call', arguments: { call_id: callId } }, PATIENCE);
  }
  return result;
}
