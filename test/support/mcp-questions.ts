/** Clients that show questions of `send_message` in forms of their own. */
import type { Client } from '@modelcontextprotocol/client';
import type { TestHost } from './host.js';
import { openClient, type Door } from './mcp-doors.js';

export interface Form {
  message: string;
  requestedSchema: { properties: Record<string, object>; required?: string[] };
}
export type Answer = { action: 'accept'; content: Record<string, string> } | { action: 'decline' | 'cancel' };

/** `asked` are the forms it was given; the signal fires when one is to be closed. */
export async function openAskingClient(
  started: TestHost,
  door: Door,
  answer: (form: Form, signal: AbortSignal) => Promise<Answer> | Answer,
  args: string[] = [],
): Promise<{ client: Client; asked: Form[] }> {
  const asked: Form[] = [];
  const client = await openClient(started, door, {
    args,
    capabilities: { elicitation: {} },
    prepare: (made) =>
      made.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => {
        const form = params as unknown as Form;
        asked.push(form);
        return answer(form, mcpReq.signal);
      }),
  });
  return { client, asked };
}

export const send = (client: Client, text: string, quickReplies: string[] = []) =>
  client.callTool({ name: 'send_message', arguments: { text, quick_replies: quickReplies } }, { timeout: 50_000 });
