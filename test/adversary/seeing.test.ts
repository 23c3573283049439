/** What is asked and told where an agent may act but has not been allowed to look. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Card } from '../../src/main/protocol/index.js';
import { openGabp, type Gabp, type ToolAnswer } from '../support/gabp.js';
import { notesOf } from '../support/in-english.js';
import { CONFIRM, MAIL, startScene, type Scene } from '../support/world.js';

type Effects = Partial<Record<'disclose' | 'pointer' | 'input', string>>;

/** `looked`: the calls of the desktop that read it. */
async function start(
  effects: Effects = {},
  rules: object = {},
): Promise<{ scene: Scene; agent: Gabp; looked: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'seeing-'));
  await writeFile(join(folder, 'policy.json'), JSON.stringify({ preset: 'standard', effects, ...rules }));
  const looked: string[] = [];
  const scene = await startScene({ policy: join(folder, 'policy.json') }, (desktop) => ({
    ...desktop,
    windows(signal) {
      looked.push('windows');
      return desktop.windows(signal);
    },
    find(...args) {
      looked.push('find');
      return desktop.find(...args);
    },
  }));
  const agent = await openGabp(scene);
  onTestFinished(async () => {
    agent.close();
    await scene.close();
    await rm(folder, { recursive: true });
  });
  return { scene, agent, looked };
}

const words = ({ content }: ToolAnswer): string => content.map(({ text }) => text ?? '').join('\n');
const press = (agent: Gabp, title: string) => agent.tool('click_element', { parent: 'simulated.mail', title });
const withoutId = (text: string): string => text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/gu, 'id');

test('[req:SG-7] a denial says the same whether the target was found or not, and each was asked about', async () => {
  const { scene, agent } = await start();
  const told: string[] = [];
  const cards: Card[] = [];
  for (const title of ['Sender gets a copy', 'No such control']) {
    const call = press(agent, title);
    cards.push(await scene.person.answer('deny'));
    told.push(withoutId(words(await call)));
  }
  expect(told[0]).toBe(told[1]);
  const [found, missing] = cards;
  expect(found).toMatchObject({ covers: [{ code: 'note.sees_app', params: { apps: ['Mail'] } }] });
  expect([found?.effect, missing?.effect]).toEqual([expect.not.stringMatching('disclose'), 'disclose']);
  expect(notesOf(missing ?? { notes: [] }).join('')).toContain('Not possible now: Nothing fits');
});

test('[req:SG-7] an Allow tells why it was not possible, and lets the agent see that application from then on', async () => {
  const { scene, agent } = await start();
  const call = press(agent, 'No such control');
  expect(await scene.person.answer('allow')).toMatchObject({
    subject: { title: { code: 'title.see_for' }, app: 'Mail' },
  });
  expect(words(await call)).toContain('"reason":"no_match"');
  expect(words(await press(agent, 'Another one'))).toContain('"reason":"no_match"');
});

test('[req:SG-7] [req:SG-8] whoever is allowed an act is told of it, where the request said so', async () => {
  const { scene, agent } = await start();
  const call = press(agent, 'Sender gets a copy');
  await scene.person.answer('allow');
  expect((await call).structuredContent).toMatchObject({ before: ['AXCheckBox “Sender gets a copy”'] });
});

test('[req:SG-7] a confirmation phrase asks nobody only where its agent may see', async () => {
  const { scene } = await start({}, { confirmPhrase: 'accept' });
  const asked: Card['effect'][] = [];
  for (const selector of [{ identifier: 'subject' }, { titleContains: 'No such control' }]) {
    const call = scene.rpc.call('desktop.typeText', { route: MAIL, target: { selector }, text: 'a', confirm: CONFIRM });
    asked.push((await scene.person.answer('deny')).effect);
    expect((await call).error?.code).toBe('DESKTOP_CONFIRM_REQUIRED');
  }
  expect(asked).toEqual(['input', 'disclose']);
});

test('[req:SG-8] where looking is refused, an allowed act tells its effect and nothing else', async () => {
  const { scene, agent } = await start({ disclose: 'deny' });
  const call = press(agent, 'Sender gets a copy');
  expect((await scene.person.answer('allow')).covers).toBeUndefined();
  const answer = await call;
  expect(answer.structuredContent).toEqual({ clicked: true, effect: 'confirmed', before: null, after: null });
  expect(JSON.stringify(answer)).not.toMatch(/Send me|copy|Mail/u);
  const none = press(agent, 'No such control');
  expect(notesOf(await scene.person.answer('allow')).join('')).toContain('the agent does not learn why');
  expect(words(await none)).toContain('DESKTOP_CONFIRM_REQUIRED: This did not work.');
});

test('[req:SG-8] where looking is refused, no policy and nothing remembered lets an act run unasked', async () => {
  const { scene, agent } = await start({ disclose: 'deny', input: 'allow' });
  const call = press(agent, 'Sender gets a copy');
  await scene.person.answer('deny');
  expect((await call).isError).toBe(true);
});

test('[req:SG-9] what the policy refuses is refused before anything is looked at', async () => {
  const { agent, looked } = await start({ disclose: 'deny', input: 'deny' });
  const before = looked.length;
  const [found, missing] = [await press(agent, 'Sender gets a copy'), await press(agent, 'No such control')];
  expect(withoutId(words(found))).toBe(withoutId(words(missing)));
  expect(words(found)).toContain('The policy');
  expect(looked.length).toBe(before);
});

test('[req:SG-6] what is done without asking finds nothing open, whatever runs', async () => {
  const { agent } = await start();
  const told = ['simulated.mail', 'simulated.none'].map(async (id) => {
    const forget = await agent.tool('delete_application', { name: `applications/${id}` });
    const list = await agent.tool('list_observations', { parent: `applications/${id}` });
    return withoutId(words(forget) + words(list)).replaceAll(id, 'it');
  });
  const [runs, none] = await Promise.all(told);
  expect(runs).toContain('No running application is named');
  expect(runs).toBe(none);
});
