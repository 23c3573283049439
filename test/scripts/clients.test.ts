import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const SCRIPT = join(import.meta.dirname, '../../scripts/clients.mjs');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chaperone-no-npm-'));
  mkdirSync(join(folder, 'bin'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** With a registry that has none of the clients. */
function tryClients(...args: string[]) {
  writeFileSync(join(folder, 'bin/npm'), '#!/bin/sh\necho "asked: $*"\nexit 1\n');
  chmodSync(join(folder, 'bin/npm'), 0o755);
  const env = { PATH: join(folder, 'bin'), TMPDIR: folder, HOME: folder };
  return spawnSync(process.execPath, [SCRIPT, ...args], { env, encoding: 'utf8' });
}

it('asks the registry for fixed versions of the coding agents, and fails where it has none', () => {
  const { status, stdout, stderr } = tryClients();
  expect(stdout).toMatch(/asked: install .*@anthropic-ai\/claude-code@\d+\.\d+\.\d+ @openai\/codex@\d+\.\d+\.\d+\n/);
  expect(stderr).toContain('could not be installed or started');
  expect(status).toBe(1);
});

it('says that they were not tried where they need not be there', () => {
  const { status, stdout } = tryClients('--if-available', join(folder, 'clients'));
  expect(stdout).toContain('were not tried');
  expect(status).toBe(0);
});
