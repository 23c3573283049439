/** A Messages API on this machine that plays the model: first one tool call, then a word. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';

interface ScriptedModel {
  url: string;
  /** What came back for its tool call, as a model would read it. */
  results: string[];
  close(): Promise<void>;
}

const bodySchema = z.looseObject({
  model: z.string(),
  messages: z.array(z.object({ content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), content: z.unknown().optional() }))]) })),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
}); // prettier-ignore

export async function startModel(tool: string): Promise<ScriptedModel> {
  const results: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const body = bodySchema.safeParse(parsed(text));
      if (!body.success || request.url?.startsWith('/v1/messages?') === false) return void response.end('{}');
      const { messages, tools = [], model } = body.data;
      const last = messages.at(-1)?.content;
      const told = typeof last === 'string' ? [] : (last ?? []).filter(({ type }) => type === 'tool_result');
      results.push(...told.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))));
      answer(response, model, told.length === 0 && tools.some(({ name }) => name === tool) ? tool : null);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    results,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function answer(response: ServerResponse, model: string, tool: string | null): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type: string, more: object) =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
  const usage = { input_tokens: 1, output_tokens: 1 };
  const ends = { stop_reason: tool === null ? 'end_turn' : 'tool_use', stop_sequence: null };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null, usage }; // prettier-ignore
  const block = tool === null ? { type: 'text', text: '' } : { type: 'tool_use', id: 'toolu_1', name: tool, input: {} };
  const delta =
    tool === null ? { type: 'text_delta', text: 'Done.' } : { type: 'input_json_delta', partial_json: '{}' };
  send('message_start', { message });
  send('content_block_start', { index: 0, content_block: block });
  send('content_block_delta', { index: 0, delta });
  send('content_block_stop', { index: 0 });
  send('message_delta', { delta: ends, usage });
  send('message_stop', {});
  response.end();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
