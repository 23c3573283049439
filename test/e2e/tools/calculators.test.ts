import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent, type ToolAnswer } from '../../support/agent.js';
import { startHost, type TestHost } from '../../support/host.js';

let chaperone: TestHost;
let agent: TestAgent;

beforeAll(async () => {
  chaperone = await startHost({ backend: 'linux', display: 'virtual', policy: 'unattended' });
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
});
afterAll(async () => {
  await agent.close();
  await chaperone.close();
});

async function call(name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
  const result = await agent.call(name, args);
  if (result.isError) throw new Error(result.text);
  return result;
}

/** Where each shows its result: one in a text, the other in the name of a frame. */
const CALCULATORS = [
  { name: 'galculator', result: { role: 'text area', value: '8' } },
  { name: 'kcalc', result: { role: 'frame', title: '8' } },
];

describe('case 30', () => {
  for (const { name, result } of CALCULATORS)
    test(`${name}: 5 + 3 = pressed as elements shows 8`, async () => {
      const opened = await call('open_application', { application_id: name });
      const parent = String(opened.value['name']);
      expect(((await call('find_elements', { parent, ...result })).value['elements'] as unknown[]).length).toBe(0);
      for (const title of ['5', '+', '3', '=']) {
        const { value } = await call('click_element', { parent, title });
        expect(value).toMatchObject({ method: 'accessibility' });
      }
      const shown = await call('wait_element', { parent, ...result, timeout: 50, poll_interval: 0.1 });
      expect(shown.value['matched']).toBe(1);
      const { value } = await call('get_element_actions', { parent, title: '5' });
      expect(value['actions']).toContain('AXPress');
    });

  test('[req:WE-6] galculator reckons with what is typed, also where its result looks as before', async () => {
    const parent = String((await call('open_application', { application_id: 'galculator' })).value['name']);
    for (const _again of [1, 2]) {
      const { value } = await call('type_text', { text: '12+34', application: parent });
      expect(value).toMatchObject({ method: 'keys', effect: 'unverified', after: '34' });
    }
  });
});
