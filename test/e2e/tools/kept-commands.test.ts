/** Commands through the real shim and a paired page: what goes on after its call, and who ends it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alive } from '../../support/alive.js';
import { startAgent, type TestAgent } from '../../support/agent.js';
import { eventually } from '../../support/eventually.js';
import { startHost, type TestHost } from '../../support/host.js';
import { openPage, type Person } from '../../support/person.js';
import { message } from '../../../src/messages/index.js';

const COMMAND = 'execute_shell_command';
let chaperone: TestHost;
let agent: TestAgent;
let person: Person;
beforeAll(async () => {
  chaperone = await startHost();
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
});
afterAll(async () => {
  await agent.close();
  person.close();
  await chaperone.close();
});

const serve = (name: string) => ({
  command: `setsid -f env -i /bin/sh -c 'echo $$ > ${name}; exec /bin/sleep 600' > /dev/null 2>&1; until [ -s ${name} ]; do sleep 0.02; done`, // prettier-ignore
  shell: true,
});
const pidIn = async (name: string) => Number(await readFile(join(chaperone.workspace, name), 'utf8'));

test('[req:CM-4] keep_running stands on the card; what it keeps is on the page, which ends it', async () => {
  expect((await person.next('commands')).commands).toEqual([]);
  const [answer, card] = await Promise.all([
    agent.call(COMMAND, { ...serve('kept'), keep_running: true }),
    person.answer('allow'),
  ]);
  expect(card.covers).toContainEqual(message('note.left_running'));
  const pid = await pidIn('kept');
  expect(answer.value).toMatchObject({ exit_code: 0, left_running: true, left_behind: { ended: [], kept: [{ pid }] } });
  expect(alive(pid)).toBe(true);
  const { commands } = await person.next('commands', (news) => news.commands.length === 1);
  expect(commands[0]).toMatchObject({ processes: 1, outlives: false, command: expect.stringContaining('setsid') as string }); // prettier-ignore
  person.send({ type: 'endCommand', id: commands[0]?.id ?? '' });
  await person.next('commands', (news) => news.commands.length === 0);
  expect(alive(pid)).toBe(false);
});

test('[req:CM-7] without it, nothing is left that could act after the command has returned', async () => {
  const [answer, card] = await Promise.all([agent.call(COMMAND, serve('left')), person.answer('allow')]);
  expect(card.covers ?? []).not.toContainEqual(message('note.left_running'));
  const pid = await pidIn('left');
  expect(answer.value).toMatchObject({ left_running: false, left_behind: { ended: [{ pid }], kept: [] } });
  expect(alive(pid)).toBe(false);
});

test('[req:CM-2] Stop ends a running command with all it has started', async () => {
  const call = agent.call(COMMAND, { command: `${serve('stopped').command}; sleep 600`, shell: true });
  await person.answer('allow');
  await eventually(() => pidIn('stopped').catch(() => 0)).toBeGreaterThan(0);
  person.send({ type: 'pause', on: true });
  expect((await call).isError).toBe(true);
  expect(alive(await pidIn('stopped'))).toBe(false);
  person.send({ type: 'pause', on: false });
});
