/** An MCP server over HTTP with the tools, resources and prompts that the conformance suite calls, on this program's own adapter and HTTP door; only the desktop is left out. */
import { setTimeout } from 'node:timers/promises';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const SOUND = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

const text = (words) => ({ type: 'text', text: words });
const image = { type: 'image', data: PIXEL, mimeType: 'image/png' };
const embedded = (uri) => ({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'A resource.' } });

/** name → what it answers. */
const TOOLS = new Map([
  ['test_simple_text', () => [text('This is a simple text response for testing.')]],
  ['test_image_content', () => [image]],
  ['test_audio_content', () => [{ type: 'audio', data: SOUND, mimeType: 'audio/wav' }]],
  ['test_embedded_resource', () => [embedded('test://embedded-resource')]],
  ['test_multiple_content_types', () => [text('Several:'), image, embedded('test://mixed-content-resource')]],
  ['json_schema_2020_12_tool', () => [text('{}')]],
]);

const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
};
const NAMES = [...TOOLS.keys(), 'test_error_handling', 'test_tool_with_progress'];

async function progress({ onProgress }) {
  for (const step of [0, 50, 100]) {
    onProgress({ state: 'running', message: `${step} of 100` });
    await setTimeout(50);
  }
  return { content: [text('done')] };
}

const listed = (path, name) => ({ path, name, title: name, description: `For the conformance suite: ${name}`, mimeType: 'application/json' }); // prettier-ignore
const calling = (words) => ({ kind: 'call', tool: 'test_echo', arguments: { words }, mimeType: 'application/json' });
const TEMPLATE = /^template\/([^/]+)\/data$/;

function resource(path) {
  if (path === 'static-binary') return { kind: 'content', mimeType: 'image/png', base64: PIXEL };
  if (path === 'static-text' || path === 'watched-resource') return calling(path);
  const [, id] = TEMPLATE.exec(path) ?? [];
  return id === undefined ? null : calling(`data of ${id}`);
}

const argument = (name) => ({ name, description: name, required: true });
const PROMPTS = [
  { name: 'test_simple_prompt', title: 'Simple', description: 'Simple', arguments: [] },
  { name: 'test_prompt_with_arguments', title: 'Arguments', description: 'Arguments', arguments: [argument('arg1'), argument('arg2')] }, // prettier-ignore
];

const backend = {
  instructions: 'For the conformance suite.',
  scheme: 'test://',
  resources: async () => ({
    resources: ['static-text', 'static-binary', 'watched-resource'].map((name) => listed(name, name)),
    templates: [listed('template/{id}/data', 'template')],
  }),
  resource: async (path) => resource(path),
  prompts: async () => PROMPTS,
  prompt: async (name, values) => ({ description: name, text: `A prompt: ${Object.values(values).join(', ')}` }),
  complete: async () => [],
  answer: async () => false,
  screens: async () => null,
  tools: async () =>
    NAMES.map((name) => ({
      name,
      description: `For the conformance suite: ${name}`,
      inputSchema: name === 'json_schema_2020_12_tool' ? SCHEMA : { type: 'object', properties: {} },
    })),
  async call(name, args, _client, wait) {
    if (name === 'test_echo') return { content: [text(args.words)], structuredContent: { text: args.words } };
    if (name === 'test_tool_with_progress') return progress(wait);
    const answer = TOOLS.get(name);
    return answer === undefined ? { content: [text('This tool fails.')], isError: true } : { content: answer() };
  },
};

/** Serves until it is closed; without a token, which the suite cannot send. */
export async function serveFixtures() {
  const { createSessions } = await import('../../dist/main/serve/http/sessions.js');
  const { createHttpHandler } = await import('../../dist/main/serve/http/index.js');
  const { listenHttp } = await import('../../dist/main/transport/http.js');
  const peer = { pid: process.pid, startTime: '', uid: 0, executable: '', script: null, cwd: null, parentPid: 0 };
  const agent = { id: 'suite', peer, backend, isSame: () => true, running: () => 0, delivered() {}, leave() {} };
  const onError = () => undefined;
  const sessions = createSessions({ version: '0.0.0', openAgent: () => agent, onError });
  const log = { error: (...said) => console.error(...said) };
  const handler = createHttpHandler({
    sessions,
    isAllowed: () => true,
    senderOf: async () => ({ peer, early: false }),
    log,
  });
  const listener = await listenHttp({ port: 0, handler, onUpgrade: (_request, socket) => socket.destroy() });
  const close = () => Promise.all([sessions.close(), listener.close()]);
  return { url: `${listener.url}/mcp`, close };
}
