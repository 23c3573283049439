/** A model API on this machine that plays the model: the calls of its script one after the other, then a word. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { MODEL_APIS, type ToolReading } from './model-apis.js';

type Arguments = Record<string, unknown>;

export interface ScriptedCall {
  tool: string;
  /** Made of what was read before, where it needs that. */
  args?: Arguments | ((readings: readonly ToolReading[]) => Arguments);
  /** The call is not made before. */
  after?: Promise<unknown>;
}

export interface ScriptedModel {
  url: string;
  /** Every tool that it was offered, as `mcp__server__tool`. */
  tools(): string[];
  /** What came back for its calls. */
  readings(): ToolReading[];
  close(): Promise<void>;
}

/** The tools are those of the MCP server `chaperone`. */
export async function startModel(script: readonly ScriptedCall[]): Promise<ScriptedModel> {
  let tools: string[] = [];
  let readings: ToolReading[] = [];

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const api = MODEL_APIS.get(new URL(request.url ?? '', 'http://localhost').pathname);
    const turn = api?.read(parsed(await textOf(request))) ?? null;
    if (api === undefined || turn === null) return void response.end('{}');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const next = script[turn.readings.length];
    const name = `mcp__chaperone__${next?.tool ?? ''}`;
    // Clients also ask for a title and the like, and offer no tools for that.
    if (turn.readings.length >= readings.length && turn.tools.length > 0) ({ tools, readings } = turn);
    const called = next !== undefined && turn.tools.includes(name) ? next : null;
    await called?.after;
    const args = typeof called?.args === 'function' ? called.args(turn.readings) : (called?.args ?? {});
    const use = called && { id: `call_${turn.readings.length}`, server: 'chaperone', tool: called.tool, args };
    for (const [type, event] of api.answer(use))
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...event })}\n\n`);
    response.end();
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    tools: () => tools,
    readings: () => readings,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
