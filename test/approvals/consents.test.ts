import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CONSENTS } from './consents.js';
import { grantKindSchema } from '../../src/main/protocol/index.js';

const MAIN = join(import.meta.dirname, '../../src/main');

/** Files of JSON that the program names, and that give nobody a right. */
const NO_CONSENT: Readonly<Record<string, string>> = {
  'agent-names.json': 'what the person calls agents',
  'app.json': 'whether the app was opened before',
  'bridge.json': 'where the host listens',
  'gabp-apps.json': 'what a person is asked to confirm',
  'hosts.json': 'which host the extension in GNOME Shell answers: agents get nothing by it',
  'metadata.json': 'of the extension in GNOME Shell',
  'package.json': 'of an application: where its modules begin',
  'service.json': 'where the service listens',
  'started-commands.jsonl': 'what runs, to see who started it',
  'updates.json': 'when updates were looked for',
  ...Object.fromEntries(['ax', 'result', 'trace', 'chat'].flatMap((name) => [`${name}.json`, `${name}.jsonl`].map((file) => [file, 'the record']))), // prettier-ignore
  ...Object.fromEntries(['mcp-config.json', 'mcp.json', 'opencode.json', 'settings.json'].map((file) => [file, 'of a client'])), // prettier-ignore
};

it('[req:ID-8] each kind of grant is in the table of consents', () => {
  const kinds = grantKindSchema.options.filter((kind) => kind !== 'once');
  expect(Object.keys(CONSENTS)).toEqual(expect.arrayContaining(kinds.map((kind) => `grant: ${kind}`)));
});

it('[req:ID-8] each file that the program keeps has its consents in the table, or gives none', () => {
  const sources = readdirSync(MAIN, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const found = sources.flatMap((path) => [...readFileSync(join(MAIN, path), 'utf8').matchAll(/'([a-z-]+\.jsonl?)'/g)]);
  const kept = new Set(Object.values(CONSENTS).map(({ file }) => file));
  const files = [...new Set(found.map(([, file = '']) => file))].filter((file) => !Object.hasOwn(NO_CONSENT, file));
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((file) => !kept.has(file))).toEqual([]);
});

it('[req:ID-8] what outlives its process is bound to content, a key or a request, never to a name', () => {
  for (const [kind, { until, boundTo }] of Object.entries(CONSENTS)) {
    expect(boundTo.length, kind).toBeGreaterThan(0);
    const byName = until === 'taken back' && boundTo.some((one) => one === 'application path' || one === 'process');
    expect(byName, kind).toBe(false);
  }
});
