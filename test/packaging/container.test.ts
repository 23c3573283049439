/** The recipe of a desktop in a container, as far as it can be judged without building it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { sshInstalled, sshServer } from '../support/sshd.js';

const SCRIPT = new URL('../../scripts/lib/packages.mjs', import.meta.url).href;
const packagesSchema = z.looseObject({ PACKAGES: z.looseObject({ desktop: z.array(z.string()).min(1) }) });
const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'container');
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const instructions = read('Dockerfile')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line));
const of = (word: string): string[] =>
  instructions.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

test('the image has what the private desktop needs, and one port [req:RH-11]', async () => {
  const { PACKAGES } = packagesSchema.parse(await import(SCRIPT));
  const installed = of('RUN').find((line) => line.includes('openssh-server')) ?? '';
  for (const name of PACKAGES.desktop) expect(installed.split(/\s+/)).toContain(name);
  expect(of('EXPOSE')).toEqual(['22']);
  const copied = of('COPY').filter((line) => !line.startsWith('--from'));
  for (const line of copied)
    for (const source of line.split(' ').slice(0, -1)) expect(existsSync(join(ROOT, source)), source).toBe(true);
  const [entry = ''] = z.tuple([z.string()]).parse(JSON.parse(of('ENTRYPOINT')[0] ?? ''));
  expect(copied.some((line) => line.endsWith(` ${entry}`))).toBe(true);
  expect(of('FROM').map((line) => line.replace(/ AS .*/, ''))).toEqual(
    expect.arrayContaining(['node:24-bookworm-slim', 'program']),
  );
});

const service = z.looseObject({
  build: z.object({ context: z.literal('..'), dockerfile: z.literal('container/Dockerfile'), target: z.string() }),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  secrets: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.literal('service_healthy') })).default({}),
  healthcheck: z.object({ test: z.tuple([z.literal('CMD')], z.string()) }).optional(),
});
const compose = z.object({
  services: z.object({ desktop: service, agent: service }),
  volumes: z.record(z.string(), z.null()),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});

test('the compose file names stages, volumes and secrets that there are, and opens its port on this machine only [req:RH-11]', () => {
  const { services, volumes, secrets } = compose.parse(parse(read('compose.yaml')));
  const stages = of('FROM').map((line) => line.split(' AS ')[1]);
  for (const { build, volumes: mounts, secrets: used } of Object.values(services)) {
    expect(stages).toContain(build.target);
    const named = mounts.map((mount) => mount.split(':')[0] ?? '').filter((name) => !name.startsWith('.'));
    expect(Object.keys(volumes)).toEqual(expect.arrayContaining(named));
    expect(Object.keys(secrets)).toEqual(expect.arrayContaining(used));
  }
  expect(services.desktop.ports).toEqual(['127.0.0.1:2222:22']);
  expect(services.agent.ports).toEqual([]);
  // Waited for, so it must be told there: not every image format has it.
  expect(Object.keys(services.agent.depends_on)).toEqual(['desktop']);
  expect(services.desktop.healthcheck?.test.slice(-2)).toEqual(['chaperone', 'status']);
  expect(of('HEALTHCHECK')).toEqual([]);
});

test.runIf(sshInstalled)('the SSH server takes its configuration, and nothing starts without a key [req:RH-11]', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chp-container-'));
  try {
    const key = join(folder, 'host');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    const shown = spawnSync(sshServer(), ['-T', '-f', join(FOLDER, 'sshd_config'), '-h', key], { encoding: 'utf8' });
    expect(shown.stderr).toBe('');
    for (const line of ['passwordauthentication no', 'permitrootlogin no', 'allowtcpforwarding local', 'x11forwarding no'])
      expect(shown.stdout).toContain(line);
    const script = join(FOLDER, 'start.sh');
    expect(spawnSync('sh', ['-n', script]).status).toBe(0);
    const without = spawnSync('sh', [script], { env: { ...process.env, DESK_KEYS: folder }, encoding: 'utf8' });
    expect(without).toMatchObject({ status: 1, stdout: '' });
    expect(without.stderr).toContain('person.pub');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}); // prettier-ignore
