import { expect, test } from 'vitest';
import type { Gabp } from '../support/gabp.js';
import { type Scene, eachScene } from '../support/world.js';

let scene: Scene;
let agent: Gabp;
eachScene((made) => ({ scene, agent } = made));

test('[req:TR-3] who may read the titles of windows may not see the screen', async () => {
  const listed = agent.tool('list_windows', {});
  const titles = await scene.person.answer('allow');
  expect(titles.subject).toMatchObject({ title: { code: 'title.read_titles' } });
  expect((await listed).isError).not.toBe(true);
  expect((await agent.tool('list_applications', {})).isError).not.toBe(true);
  for (const [tool, args] of [
    ['capture_screenshot', {}],
    ['capture_region_screenshot', { x: 0, y: 0, width: 50, height: 50 }],
  ] as const) {
    const shot = agent.tool(tool, args);
    const card = await scene.person.answer('deny');
    expect(card.tool).toBe(tool);
    expect((await shot).isError).toBe(true);
  }
});

test('[req:TR-3] who may look at one window through the bridge may not see the screen', async () => {
  const observed = scene.rpc.call('desktop.observe', { route: { window: { titlePattern: 'New Message' } } });
  const one = await scene.person.answer('allow');
  expect(one).toMatchObject({ subject: { target: 'New Message' }, window: 'New Message' });
  expect((await observed).error).toBeUndefined();
  const screen = scene.rpc.call('desktop.observe', {});
  const card = await scene.person.answer('deny');
  expect(card.subject.title.code).toBe('title.look_at_screen');
  expect((await screen).error).toMatchObject({ code: 'DESKTOP_CONFIRM_REQUIRED' });
});
