/** The files in which an application says where it listens, in the forms that are in use: over real sockets, through a whole host. */
import { chmod } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { attach, attachAnyway, call, logOf, resultOf } from '../support/attached-app.js';
import { eventually } from '../support/eventually.js';
import { scriptedApp, type ScriptedApp } from '../support/scripted-app.js';

type Write = (app: ScriptedApp) => unknown;
const tcp = (address: (port: number) => unknown): Write => ({ token, port }) => ({ token, transport: { type: 'tcp', address: address(port) } }); // prettier-ignore
test.each<[string, Write]>([
  ['a number', tcp((port) => port)],
  ['127.0.0.1 and the port', tcp((port) => `127.0.0.1:${port}`)],
  ['localhost and the port', tcp((port) => `localhost:${port}`)],
])('[req:TP-45] an address that is %s is understood', async (_name, content) => {
  const app = await scriptedApp({ 'tools/call': () => 'done' });
  app.writeFile(content(app));
  expect(resultOf(await call(await attach(app)))).toBe('done');
});

test('[req:TP-46] the file that GABS writes beside a game is understood', async () => {
  const app = await scriptedApp({ 'tools/call': () => 'done' });
  app.writeFile({ port: app.port, token: app.token, gameId: 'game', startedAt: '2026-11-25T10:00:00Z' });
  expect(resultOf(await call(await attach(app)))).toBe('done');
});

test.each<[string, Write, number, RegExp]>([
  ['of another machine', tcp((port) => `10.0.0.7:${port}`), 0o600, /bridge\.json/],
  ['of all addresses', tcp((port) => `0.0.0.0:${port}`), 0o600, /bridge\.json/],
  ['that others can read', tcp(String), 0o644, /bridge\.json/],
])('[req:TP-45] a file with an address %s is not used', async (_name, content, mode, said) => {
  const app = await scriptedApp();
  app.writeFile(content(app));
  if (mode !== 0o600) await chmod(app.file, mode);
  const running = await attachAnyway(app);
  await eventually(() => logOf(running)).toMatch(said);
  expect(app.peers).toEqual([]);
});
