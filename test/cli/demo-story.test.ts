import { expect, test } from 'vitest';
import { type AgentClient, type CallResult, runDemo } from '../../src/main/cli/demo-agent.js';
import { inEnglish } from '../../src/messages/index.js';

const { text } = inEnglish;
const result = (structuredContent: object, more: Partial<CallResult> = {}): CallResult => ({
  content: [],
  structuredContent: { ...structuredContent },
  isError: false,
  _meta: {},
  ...more,
});
const failed = (reason: string): CallResult =>
  result({}, { isError: true, _meta: { 'dev.chaperone/error': { code: 'X', message: 'No.', details: { reason } } } });

/** Answers each question with the next of `replies`, and each tool with `answer`. */
function agent(replies: string[], answer: (name: string, args: Record<string, unknown>, nth: number) => CallResult) {
  const calls: string[] = [];
  const said: string[] = [];
  const client: AgentClient = {
    async call(name, args) {
      if (name === 'send_message') {
        said.push(String(args['text']));
        return result({ reply: replies.shift() });
      }
      calls.push(name);
      return answer(name, args, calls.filter((one) => one === name).length);
    },
    url: () => 'http://localhost:1',
    lost: new Promise<never>(() => undefined),
    close: async () => undefined,
  };
  return { client, calls, said };
}

test('[req:DM-2] a request that ended unanswered is asked again when the person wants it, and not otherwise', async () => {
  const answer = (name: string, _args: object, nth: number) =>
    name === 'capture_screenshot' && nth === 1
      ? failed('timeout')
      : name === 'mouse_move'
        ? failed('timeout')
        : result({});
  const late = agent([text('demo.begin'), text('demo.ask_again'), text('demo.no'), text('demo.done')], answer);
  late.client.call = ((call) => (name, args) => (name === 'list_displays' ? Promise.resolve(result({ displays: [{ main: true, frame: { x: 0, y: 0, width: 9, height: 9 } }] })) : call(name, args)))(late.client.call); // prettier-ignore
  await runDemo(late.client, inEnglish, false);
  expect(late.calls).toEqual([
    'capture_screenshot',
    'capture_screenshot',
    'cursor_position',
    'mouse_move',
    'check_replies',
  ]);
  expect(late.said.slice(1, 3)).toEqual([text('demo.late'), text('demo.late')]);
  expect(late.said.at(-1)).toContain(text('demo.timeout'));
  expect(late.said.at(-1)).toContain(text('demo.pretend'));
});

test('[req:DM-1] the first small application that is installed is used; with none, the demo says so and moves the pointer', async () => {
  const executionId = '9b2f6c1e-0000-4000-8000-000000000000';
  const known = agent([text('demo.begin'), text('demo.done')], (name, { application_id: id }) => {
    if (name === 'open_application' && id !== 'mousepad') return failed('no_such_application');
    if (name === 'open_application') return result({ name: 'applications/7', display_name: 'Mousepad' });
    if (name !== 'type_text') return result({});
    const _meta = { 'dev.chaperone/call': { executionId, evidence: '/e' } };
    return result({ effect: 'confirmed', before: ['“”'], after: ['“Hello”'] }, { _meta });
  });
  await runDemo(known.client, inEnglish, true);
  expect(known.calls.slice(-2)).toEqual(['type_text', 'check_replies']);
  expect(known.said.at(-1)).toContain('Using Mousepad:** done, and verified afterwards.');
  expect(known.said.at(-1)).not.toMatch(/“”|\/e\b/);
  expect(known.said.at(-1)).toContain(`http://localhost:1/#/evidence/${executionId}`);
  const none = agent([text('demo.begin'), text('demo.done')], (name) =>
    name === 'open_application' ? failed('no_such_application') : result({}),
  );
  await runDemo(none.client, inEnglish, true);
  expect(none.calls).not.toContain('type_text');
  expect(none.said.at(-1)).toContain(text('demo.no_application'));
});
