import { expect, test } from 'vitest';
import { ALLOWED, CALLER, createTestPipeline, DENIED, failure } from '../support/pipeline.js';

interface Told {
  name: string;
  state: string;
  calls: number;
  tools: Record<string, number>;
  outcomes: Record<string, number>;
  applications: string[];
  executions: { tool: string; outcome: string; evidence: string | null }[];
  total: number;
  next_page_token: string | null;
}

test('[req:MT-T-create_session] [req:MT-T-get_session] [req:MT-T-list_sessions] [req:MT-T-delete_session] a session holds its agent’s calls with their evidence, in pages, until it is ended', async () => {
  let allow = true;
  const pipeline = createTestPipeline(async ({ action }) =>
    allow || action.effect !== 'dangerous' ? ALLOWED : DENIED,
  );
  const send = await pipeline.refer('send');
  const told = async (name: string, given: object) => (await pipeline.run(name, given)).value as Told;
  const { name } = await told('create_session', { display_name: 'Taxes', metadata: { year: '2026' } });
  await pipeline.run('click_element', { element_id: send });
  await pipeline.run('find_elements', { title: 'Send' });
  allow = false;
  await failure(pipeline.run('click_element', { element_id: send }));
  const first = await told('get_session', { name, page_size: 2 });
  expect(first).toMatchObject({
    state: 'active',
    metadata: { year: '2026' },
    calls: 3,
    tools: { click_element: 2, find_elements: 1 },
    outcomes: { confirmed: 2, denied: 1 },
    applications: ['simulated.mail'],
    total: 3,
  });
  // A model reads the text: it says how to go on, and the last page does not.
  const [begun, ended] = [
    { name, page_size: 2 },
    { name, page_size: 3 },
  ];
  expect((await pipeline.run('get_session', begun)).text).toMatch(/\nMore: page_token \S+$/);
  expect((await pipeline.run('get_session', ended)).text).not.toContain('page_token');
  const rest = await told('get_session', { name, page_size: 2, page_token: first.next_page_token });
  expect([...first.executions, ...rest.executions].map(({ tool, outcome }) => [tool, outcome])).toEqual([
    ['click_element', 'denied'],
    ['find_elements', 'confirmed'],
    ['click_element', 'confirmed'],
  ]);
  expect(rest.executions[0]?.evidence).toMatch(/^\/work\/artifacts\//);
  expect((await failure(pipeline.run('create_session', {}))).details['reason']).toBe('session_open');

  const other = { caller: { ...CALLER, agent: { ...CALLER.agent, id: 'agent-2' } } };
  for (const tool of ['get_session', 'delete_session'])
    expect((await failure(pipeline.run(tool, { name }, other))).details['reason']).toBe('unknown_session');
  expect((await pipeline.run('list_sessions', {}, other)).value).toMatchObject({ sessions: [] });
  const stolen = { name, page_size: 2, page_token: first.next_page_token };
  expect((await failure(pipeline.run('get_session', stolen, other))).code).toBe('DESKTOP_INVALID_REQUEST');

  expect((await pipeline.run('list_sessions', {})).value).toMatchObject({ sessions: [{ name, state: 'active' }] });
  expect(await told('delete_session', { name })).toMatchObject({ state: 'ended', calls: 3 });
  expect((await failure(pipeline.run('get_session', { name }))).details['reason']).toBe('unknown_session');
  expect((await pipeline.run('list_sessions', {})).value).toMatchObject({ sessions: [] });
});

test('what a session is given stays within bounds', async () => {
  const pipeline = createTestPipeline();
  const many = Object.fromEntries(Array.from({ length: 21 }, (_one, index) => [`key${index}`, 'x']));
  for (const [given, words] of [
    [{ display_name: 'x'.repeat(201) }, 'display_name'],
    [{ metadata: many }, 'metadata'],
    [{ metadata: { a: 1 } }, 'metadata'],
    [{ metadata: 'x' }, 'metadata'],
    [{ agent: 'agent-2' }, 'agent'],
  ] as const)
    expect((await failure(pipeline.run('create_session', given))).message).toContain(words);
  expect((await pipeline.run('list_sessions', {})).value).toMatchObject({ sessions: [] });
});
