/** MCP's prompts, and completions for arguments of prompts and resource templates. Called by the server. */
import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { WireError } from '../protocol/index.js';
import type { McpBackend } from './backend.js';
import { rejectCursor } from './cursor.js';
import { templateUri } from './resources.js';

/** The host's answers, for doors that ask it over a socket. */
export const promptListSchema = z.object({
  prompts: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      description: z.string(),
      arguments: z.array(z.object({ name: z.string(), description: z.string(), required: z.boolean() })),
    }),
  ),
});
export const promptSchema = z.object({ description: z.string(), text: z.string() });
export const completionSchema = z.object({ values: z.array(z.string()).max(100) });

export function servePrompts(server: Server, backend: McpBackend): void {
  server.setRequestHandler('prompts/list', async ({ params }) => {
    rejectCursor(params?.cursor);
    const prompts = await backend.prompts();
    return { prompts: prompts.map((prompt) => ({ ...prompt, arguments: [...prompt.arguments] })) };
  });
  server.setRequestHandler('prompts/get', async ({ params: { name, arguments: given = {} } }) => {
    const { description, text } = await backend.prompt(name, given).catch((thrown: unknown) => {
      throw thrown instanceof WireError ? invalid(thrown.message) : thrown;
    });
    return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }) => {
    const names =
      ref.type === 'ref/prompt' ? await promptArguments(backend, ref.name) : await variables(backend, ref.uri);
    if (names === null) throw invalid('There is no such prompt or resource template.');
    const values = names.includes(argument.name) ? await backend.complete(argument.name, argument.value) : [];
    return { completion: { values, total: values.length, hasMore: false } };
  });
}

async function promptArguments(backend: McpBackend, name: string): Promise<string[] | null> {
  const found = (await backend.prompts()).find((prompt) => prompt.name === name);
  return found?.arguments.map((one) => one.name) ?? null;
}

async function variables(backend: McpBackend, uri: string): Promise<string[] | null> {
  const { templates } = await backend.resources();
  const found = templates.find((template) => templateUri(backend, template) === uri);
  return found === undefined ? null : [...found.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
}

const invalid = (text: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, text);
