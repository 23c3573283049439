/** How the two model APIs that coding agents speak carry a conversation: Anthropic's Messages and OpenAI's Responses. */
import * as z from 'zod';

export interface Picture {
  data: string;
  mimeType: string;
}

/** What a model reads of a tool's result. */
export interface ToolReading {
  text: string;
  pictures: Picture[];
}

interface Turn {
  /** Names as `mcp__server__tool`, whichever way the client offers them. */
  tools: string[];
  readings: ToolReading[];
}

export interface ToolUse {
  /** Unlike those of the calls before. */
  id: string;
  server: string;
  tool: string;
  args: Record<string, unknown>;
}

export interface ModelApi {
  /** null where the request is no turn of a conversation. */
  read(body: unknown): Turn | null;
  /** The events of one answer: a tool use, or the last word. */
  answer(use: ToolUse | null): [type: string, event: object][];
}

const block = z.looseObject({ type: z.string(), text: z.string().optional(), content: z.unknown().optional(), source: z.object({ data: z.string(), media_type: z.string() }).optional() }); // prettier-ignore
const content = z.union([z.string().transform((text) => [{ type: 'text', text }]), z.array(block)]);
const messagesSchema = z.looseObject({
  messages: z.array(z.looseObject({ content })),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
});

function readingOf(given: unknown): ToolReading {
  const blocks = content.catch([]).parse(given).map((one) => block.parse(one)); // prettier-ignore
  return {
    text: blocks.map(({ text }) => text ?? '').join('\n'),
    pictures: blocks.flatMap(({ source }) =>
      source === undefined ? [] : [{ data: source.data, mimeType: source.media_type }],
    ),
  };
}

const USAGE = { input_tokens: 1, output_tokens: 1 };

const MESSAGES: ModelApi = {
  read(body) {
    const turn = messagesSchema.safeParse(body);
    if (!turn.success) return null;
    const blocks = turn.data.messages.flatMap((message) => message.content).map((one) => block.parse(one));
    return {
      tools: turn.data.tools.map(({ name }) => name),
      readings: blocks.filter(({ type }) => type === 'tool_result').map((result) => readingOf(result.content)),
    };
  },
  answer(use) {
    const message = { id: 'msg', type: 'message', role: 'assistant', model: 'scripted', content: [], stop_reason: null, stop_sequence: null, usage: USAGE }; // prettier-ignore
    const opening = use === null ? { type: 'text', text: '' } : { type: 'tool_use', id: use.id, name: `mcp__${use.server}__${use.tool}`, input: {} }; // prettier-ignore
    const delta = use === null ? { type: 'text_delta', text: 'Done.' } : { type: 'input_json_delta', partial_json: JSON.stringify(use.args) }; // prettier-ignore
    return [
      ['message_start', { message }],
      ['content_block_start', { index: 0, content_block: opening }],
      ['content_block_delta', { index: 0, delta }],
      ['content_block_stop', { index: 0 }],
      ['message_delta', { delta: { stop_reason: use === null ? 'end_turn' : 'tool_use', stop_sequence: null }, usage: USAGE }], // prettier-ignore
      ['message_stop', {}],
    ];
  },
};

const item = z.looseObject({ type: z.string().optional(), output: z.unknown().optional() });
const part = z.looseObject({ text: z.string().optional(), image_url: z.string().optional() });
const named = z.looseObject({ name: z.string().default('') });
const responsesSchema = z.looseObject({
  input: z.array(item),
  tools: z.array(named.extend({ tools: z.array(named).optional() })).default([]),
});

function outputOf(given: unknown): ToolReading {
  if (typeof given === 'string') return { text: given, pictures: [] };
  const parts = z.array(part).catch([]).parse(given);
  return {
    text: parts.map(({ text }) => text ?? '').join('\n'),
    pictures: parts.flatMap(({ image_url: url }) => {
      const [, mimeType, data] = /^data:([^;]+);base64,(.+)$/.exec(url ?? '') ?? [];
      return mimeType === undefined || data === undefined ? [] : [{ mimeType, data }];
    }),
  };
}

const RESPONSES: ModelApi = {
  read(body) {
    const turn = responsesSchema.safeParse(body);
    if (!turn.success) return null;
    return {
      tools: turn.data.tools.flatMap(({ name, tools }) => tools?.map((inner) => `${name}__${inner.name}`) ?? [name]),
      readings: turn.data.input.filter(({ type }) => type === 'function_call_output').map(({ output }) => outputOf(output)), // prettier-ignore
    };
  },
  answer(use) {
    const said =
      use === null
        ? { type: 'message', role: 'assistant', id: 'last', content: [{ type: 'output_text', text: 'Done.' }] }
        : { type: 'function_call', id: use.id, call_id: use.id, namespace: `mcp__${use.server}`, name: use.tool, arguments: JSON.stringify(use.args) }; // prettier-ignore
    const usage = { ...USAGE, input_tokens_details: null, output_tokens_details: null, total_tokens: 2 };
    return [
      ['response.created', { response: { id: 'response' } }],
      ['response.output_item.done', { output_index: 0, item: said }],
      ['response.completed', { response: { id: 'response', usage } }],
    ];
  },
};

/** By the path of the request. */
export const MODEL_APIS: ReadonlyMap<string, ModelApi> = new Map([
  ['/v1/messages', MESSAGES],
  ['/v1/responses', RESPONSES],
]);
