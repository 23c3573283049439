/** A host that is attached to the scripted application, named `game`; closed with the test. */
import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { eventually } from './eventually.js';
import type { ToolAnswer } from './gabp.js';
import { startApps, type Apps } from './gabp-apps.js';
import type { ScriptedApp } from './scripted-app.js';

/** Its tool and resources are read without a card, so that a test is about the wire. */
const EFFECTS = { 'game/do': 'read', 'resources/read': 'read', 'resources/list': 'read' };

/** It was started and confirmed; whether it can be connected to is the test's. */
export async function attachAnyway(app: ScriptedApp, more: object = {}): Promise<Apps> {
  const apps = await startApps({ game: { attach: { bridgeFile: app.file }, effects: EFFECTS, ...more } });
  onTestFinished(apps.close);
  const started = apps.agent.request('admin/apps/start', { name: 'game' });
  await apps.scene.person.answer('allow');
  await started;
  return apps;
}

export async function attach(app: ScriptedApp, more: object = {}): Promise<Apps> {
  const apps = await attachAnyway(app, more);
  await eventually(() => apps.state('game')).toBe('connected');
  return apps;
}

export const call = ({ agent }: Apps, args = {}): Promise<ToolAnswer> => agent.tool('game_game_do', args);
export const resultOf = ({ structuredContent }: ToolAnswer): unknown => structuredContent?.['result'];
export const textOf = ({ content }: ToolAnswer): string => content.map(({ text }) => text ?? '').join('\n');

/** As the page shows it: whoever has called a tool is an agent, and gets no log. */
export async function logOf({ scene: { person } }: Apps): Promise<string> {
  const request = randomUUID();
  person.send({ type: 'appLog', request, name: 'game' });
  const { lines } = await person.next('appLog', (answer) => answer.request === request);
  return JSON.stringify(lines);
}

/** A call that only discloses, allowed. */
export const ask = ({ scene, agent }: Apps, tool: string, args = {}): Promise<ToolAnswer> => {
  scene.person.allowLooking();
  return agent.tool(tool, args);
};
