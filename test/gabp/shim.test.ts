import { expect, test } from 'vitest';
import { startAgent } from '../support/agent.js';
import { eventually } from '../support/eventually.js';
import { launched, startApps } from '../support/gabp-apps.js';

test('[req:GC-7] an MCP client behind the shim is told when tools of an application come, and calls them by their names', async () => {
  const started = await startApps({ game: launched([], { effects: { 'world/get_blocks': 'read' } }) });
  const shim = await startAgent(started.scene.home, { cwd: started.scene.workspace, ownProcess: true });
  try {
    let told = 0;
    shim.client.setNotificationHandler('notifications/tools/list_changed', () => void (told += 1));
    await shim.client.listTools();
    await started.start('game');
    await eventually(() => told).toBe(1);
    const { tools } = await shim.client.listTools();
    expect(tools.map(({ name }) => name)).toContain('game_world_get_blocks');
    expect((await shim.call('game_world_get_blocks', { x: 1 })).value['result']).toMatchObject({ given: { x: 1 } });
  } finally {
    await shim.close();
    await started.close();
  }
});
