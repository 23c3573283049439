import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Stop } from '../lib/run.mjs';

/** The longest a timer takes. */
const NO_TIMEOUT = { timeout: 2 ** 31 - 1 };

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
  return { call: (name, args) => callUntilAnswered(client, name, args) };
}

/** Repeats the call where its request expired unanswered. */
async function callUntilAnswered(client, name, args) {
  for (;;) {
    const result = await callOnce(client, name, args);
    if (result.isError !== true) return result;
    if (!hasTimedOut(result)) throw new Stop(`✗ ${name}: ${result.content.map((block) => block.text).join('\n')}`);
    console.log('  agent: nobody answered, and the request has ended; it asks again');
  }
}

const hasTimedOut = ({ _meta }) => _meta?.['dev.chaperone/error']?.details?.reason === 'timeout';

/** Resumes the call until it gives a result. */
async function callOnce(client, name, args) {
  console.log(`  agent: ${name} ${JSON.stringify(args)}`);
  let result = await client.callTool({ name, arguments: args }, NO_TIMEOUT);
  while (
    result.isError !== true &&
    result.structuredContent?.callId !== undefined &&
    result.structuredContent.status !== undefined
  ) {
    const { callId, status } = result.structuredContent;
    console.log(`  agent: ${status}; waiting again`);
    result = await client.callTool({ name: 'resume_call', arguments: { call_id: callId } }, NO_TIMEOUT);
  }
  return result;
}
