/** Applications as a person sees and controls them in the page, through a whole host. */
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { ShownGabpApp } from '../../src/main/protocol/index.js';
import { formatEnglish } from '../../src/messages/index.js';
import { launched, startApps } from '../support/gabp-apps.js';

test('[req:GC-9] a person starts, reads, acknowledges and stops an application in the page; a page that is not paired sees and does nothing', async () => {
  const started = await startApps({
    game: launched([], { effects: { 'game/alarm': 'read', 'world/get_blocks': 'read' } }),
    second: launched(),
  });
  onTestFinished(started.close);
  const { agent, scene } = started;
  const { person } = scene;
  const stranger = await scene.page();
  const shows = (fits: (app: ShownGabpApp) => boolean) => person.next('gabpApps', ({ apps: [app] }) => app !== undefined && fits(app)); // prettier-ignore
  person.send({ type: 'resume', cursor: 0 });
  await shows(({ name, state, confirmed, hasLog }) => name === 'game' && state === 'stopped' && !confirmed && !hasLog);
  stranger.send({ type: 'startApp', name: 'game' });
  expect(await stranger.next('error')).toMatchObject({ code: 'pairing_needed' });

  person.send({ type: 'startApp', name: 'game' });
  const card = await person.answer('allow');
  expect(card).toMatchObject({ tool: 'connect_application', effect: 'dangerous', grants: [] });
  expect(card.agent).toMatchObject({ name: 'You (on the page)', person: true, pid: process.pid });
  expect(card.notes.map(({ code }) => code)).toContain('note.started_on_page');
  const byAnother = agent.request('admin/apps/start', { name: 'second' });
  byAnother.catch(() => undefined);
  const theirs = await person.answer('deny');
  expect(theirs.agent).not.toHaveProperty('person');
  expect(theirs.notes.map(({ code }) => code)).not.toContain('note.started_on_page');
  await expect(byAnother).rejects.toThrow('Nobody confirmed');
  await shows(({ state, tools, claim }) => state === 'connected' && tools === 8 && claim === 'Test game 1.0');
  person.send({ type: 'appLog', request: randomUUID(), name: 'game' });
  expect(JSON.stringify((await person.next('appLog')).lines)).toContain('the game has begun');

  await agent.tool('game_game_alarm');
  await shows(({ attention }) => attention?.id === 'a-1' && attention.summary === 'The base burns.');
  person.send({ type: 'acknowledgeApp', name: 'game', attentionId: 'other' });
  expect(formatEnglish((await person.next('error')).message)).toContain('does not say that this is acknowledged');
  expect((await agent.tool('game_world_get_blocks')).isError).toBe(true);
  person.send({ type: 'acknowledgeApp', name: 'game', attentionId: 'a-1' });
  await shows(({ attention }) => attention === null);
  expect((await agent.tool('game_world_get_blocks')).structuredContent).toMatchObject({ result: { calls: 2 } });

  person.send({ type: 'stopApp', name: 'game' });
  await shows(({ state }) => state === 'stopped');
  person.send({ type: 'stopApp', name: 'other' });
  expect(formatEnglish((await person.next('error')).message)).toBe('other was not started.');
  expect(stranger.seen.filter(({ type }) => type === 'gabpApps' || type === 'appLog')).toEqual([]);
});
