import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hostPaths } from '../../../src/main/host/discovery.js';
import { startAgent } from '../../support/agent.js';
import { openPage } from '../../support/person.js';
import { startWorld } from '../../support/world.js';
import { notesOf } from '../../support/in-english.js';

test('[req:MT-T-execute_macro] [req:MT-T-list_macros] macros outlive the host, are shown with who recorded them, and a broken file is put aside and told', async () => {
  const host = await startWorld();
  onTestFinished(() => host.close());
  const { state } = hostPaths({ CHAPERONE_HOME: host.home });
  const file = join(state, 'macros.json');
  const withAgent = async <T>(work: (call: Awaited<ReturnType<typeof startAgent>>['call']) => Promise<T>) => {
    const agent = await startAgent(host.home, { cwd: host.workspace });
    return work(agent.call).finally(() => agent.close());
  };
  const steps = [
    { tool: 'write_element_value', arguments: { parent: 'simulated.mail', identifier: 'to', value: '{{who}}' } },
    { tool: 'click_element', arguments: { parent: 'simulated.mail', identifier: 'send' } },
  ];
  const name = await withAgent(async (call) => {
    const made = await call('create_macro', { display_name: 'Mail', steps, parameters: [{ name: 'who' }] });
    return made.value['name'] as string;
  });
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  await host.restart();
  const person = await openPage(host.host.url, host.host.pairingLink());
  await withAgent(async (call) => {
    expect((await call('get_macro', { name })).value).toMatchObject({ display_name: 'Mail', steps });
    const work = call('execute_macro', { macro: name, parameter_values: { who: 'ada@example.org' } });
    const card = await person.answer('allow');
    expect(notesOf(card).join(' ')).toContain('Recorded by');
    expect(card.steps?.map(({ subject, text }) => [subject.target, text])).toEqual([
      ['To', 'ada@example.org'],
      ['Send', null],
    ]);
    expect((await work).value).toMatchObject({ done: 2, effect: 'confirmed' });
  });
  person.close();
  expect(host.world.text(host.world.find('status') ?? '')).toBe('Sent to ada@example.org');

  await writeFile(file, '{"version":1,"macros":[{}]}', { mode: 0o600 });
  await host.restart();
  const told = await withAgent((call) => call('list_macros', {}));
  expect(told.value).toMatchObject({ macros: [] });
  const [aside] = (await readdir(state)).filter((one) => one.startsWith('macros.json.unreadable'));
  expect(told.text).toContain(aside ?? 'nothing was put aside');
  expect(await readFile(join(state, aside ?? ''), 'utf8')).toBe('{"version":1,"macros":[{}]}');
});
