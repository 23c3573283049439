/** What a command leaves behind on a Mac, which adopts nobody: real processes, told as macOS tells them. */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import koffi from 'koffi';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KernelPersonProof } from '../../../src/main/agents/person.js';
import { createMacosCommandMarks, loadMacosCalls } from '../../../src/native/peer/macos-calls.js';
import { createMacosInspector, createMacosTable } from '../../../src/native/peer/index.js';
import { createStartedCommands } from '../../../src/native/peer/started-commands.js';
import { createCommandRunner, type CommandRequest, type CommandRunner } from '../../../src/native/process/index.js';
import { eventually } from '../../support/eventually.js';
import { compileSpawn } from '../../support/spawn/standin.js';
import { disclaimingSupervisor } from '../../support/supervisor.js';
import { commandIn, FORKED_TWICE, IN_BACKGROUND, IN_SESSION, STARTED, STRAY } from './support.js';

const never = new AbortController().signal;
const library = compileSpawn();
const calls = loadMacosCalls(library);
const table = createMacosTable(calls);
const commands = createStartedCommands(table.lookup);
const answersFor = koffi.load(library).func('void standin_disclaimed(int)');
let shell: CommandRunner;
let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'chap-left-mac-')));
});
afterEach(async () => {
  await shell.close();
  await rm(folder, { recursive: true, force: true });
});

const WAYS: [string, string][] = [
  ['in the background', IN_BACKGROUND],
  ['in a group of its own, with an empty environment', `set -m; env -i /bin/sh -c 'PATH=/usr/bin:/bin; ${STRAY}' > /dev/null 2>&1 < /dev/null &`],
  ['in a session of its own', IN_SESSION],
  ['forked twice, in a session of its own, with an empty environment', FORKED_TWICE],
]; // prettier-ignore

function open(mode = ''): void {
  const supervisor = disclaimingSupervisor(library, { STANDIN_RECORD: join(folder, 'record'), STANDIN_MODE: mode });
  shell = createCommandRunner({
    graceMs: 300,
    supervisor,
    onStarted(pid, executionId) {
      commands.add(pid, executionId);
      answersFor(pid);
    },
  });
}
const sh = (script: string, more: Partial<CommandRequest> = {}) =>
  shell.run(commandIn(folder, ['/bin/sh', '-c', script], more), never);
const stray = async () => Number(await readFile(join(folder, 'pid'), 'utf8'));
const runs = (pid: number) => table.lookup(pid) !== null;

describe('[req:MW-5] what a command leaves behind on a Mac', () => {
  it.each(WAYS)('is ended when the command returns: %s', async (_, script) => {
    open();
    const ran = await sh(script + STARTED);
    const pid = await stray();
    expect(ran).toMatchObject({ exitCode: 0, leftBehind: { kept: [], remaining: [] } });
    expect(ran.leftBehind.ended.map((one) => one.pid)).toContain(pid);
    expect(runs(pid)).toBe(false);
    await writeFile(join(folder, 'go'), '');
    expect(await readdir(folder)).not.toContain('acted');
  });

  it.each(WAYS)('is found although the system tells no environment: %s', async (_, script) => {
    open('protected');
    await sh(script + STARTED);
    expect(runs(await stray())).toBe(false);
  });

  it.each(WAYS)('is shown and ended where the person keeps it, and pairs nothing: %s', async (_, script) => {
    open('protected');
    const ran = await sh(script + STARTED, { keep: { agent: 'Agent', command: 'a server' } });
    const pid = await stray();
    expect(ran.leftBehind.kept.map((one) => one.pid)).toContain(pid);
    const [kept] = shell.background.list();
    expect(kept?.processes.map((one) => one.pid)).toContain(pid);
    expect(runs(pid)).toBe(true);
    const proof = new KernelPersonProof({
      lineage: table.lineage,
      agents: { hasCalled: () => false, includes: () => false },
      traces: {
        changes: 0,
        any: false,
        saw: () => false,
        lives: () => false,
        isProgram: () => false,
        mayHaveLeft: () => false,
      },
      inspector: createMacosInspector(calls),
      mark: createMacosCommandMarks(calls, commands),
      host: { pid: 1, background: false },
    });
    const asker = table.lookup(pid);
    expect(asker === null ? null : proof.doubt(asker)).toMatch(/command|host/);
    expect(createMacosCommandMarks(calls, commands)(pid)).toEqual({ kind: 'marked', executionId: kept?.id });
    await shell.background.end(kept?.id ?? '');
    expect(runs(pid)).toBe(false);
  });

  it('is not shown any more once it has ended by itself', async () => {
    open();
    await sh(IN_SESSION + STARTED, { keep: { agent: 'Agent', command: 'a server' } });
    await writeFile(join(folder, 'go'), '');
    await eventually(() => existsSync(join(folder, 'acted'))).toBe(true);
    await eventually(() => shell.background.list()).toEqual([]);
  });
});
