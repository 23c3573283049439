/** Rules for commands through the real page, shim and processes: what they cover, what they never cover, and how they end. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { englishTitle, type Card, type Grant } from '../../../src/main/protocol/index.js';
import { formatEnglish, isMessage } from '../../../src/messages/index.js';
import { startAgent, type TestAgent, type ToolAnswer } from '../../support/agent.js';
import { eventually } from '../../support/eventually.js';
import { startHost, type TestHost } from '../../support/host.js';
import { cardOf, openPage, settle, type Person } from '../../support/person.js';

const TOOL = 'execute_shell_command';
let chaperone: TestHost;
let person: Person;
let agent: TestAgent;
beforeEach(async () => {
  chaperone = await startHost({ env: { PATH: `${binFolder()}:${process.env['PATH'] ?? ''}` } });
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
  for (const name of ['make', 'cargo', 'npm']) tool(name);
});
afterEach(async () => {
  await agent.close();
  person.close();
  await chaperone.close();
  rmSync(binFolder(), { recursive: true, force: true });
});

const binFolder = () => `/tmp/chaperone-rules-${process.pid}`;
/** A stand-in for a build tool, outside the workspace, that tells its arguments. */
function tool(name: string, says = 'ran'): void {
  mkdirSync(binFolder(), { recursive: true });
  writeFileSync(join(binFolder(), name), `#!/bin/sh\necho "${says} ${name} $*"\n`);
  chmodSync(join(binFolder(), name), 0o755);
}

type Given = Record<string, unknown>;
const argv = (command: string, ...args: string[]): Given => ({ command, args });
const sh = (script: string): Given => ({ command: script, shell: true });

async function decide(
  given: Given,
  decision: 'allow' | 'deny',
  grant?: string,
  by: TestAgent = agent,
): Promise<{ card: Card; answer: ToolAnswer }> {
  const call = by.call(TOOL, given);
  const card = await cardOf(person, call);
  await settle(person, card, decision, grant === undefined ? {} : { grant });
  return { card, answer: await call };
}

async function asks(given: Given, by: TestAgent = agent): Promise<void> {
  const call = by.call(TOOL, given);
  const card = await cardOf(person, call);
  expect(card.tool).toBe(TOOL);
  person.send({ type: 'abort' });
  await settle(person, card, 'deny').catch(() => []);
  person.send({ type: 'pause', on: false });
  await call;
}

async function runs(given: Given): Promise<string> {
  const answer = await agent.call(TOOL, given);
  expect(answer.isError, answer.text).toBe(false);
  return String(answer.value['stdout']);
}

const rules = (): Grant[] => {
  const last = person.seen.findLast((one) => one.type === 'grants');
  return last?.type === 'grants' ? last.grants : [];
};
const labels = () => rules().map(({ label }) => (isMessage(label) ? formatEnglish(label) : label));

test('[req:CR-6] the title is the command, and the request of a plain one offers rules', async () => {
  const { card } = await decide(argv('make', 'test'), 'allow');
  expect(englishTitle(card.subject)).toBe('Run `make test`');
  expect(card).toMatchObject({ effect: 'dangerous', plain: true });
  expect(card.grants.map(({ kind }) => kind)).toEqual(['exact', 'prefix_time', 'prefix']);
  expect(card.grants.map(({ label }) => formatEnglish(label))).toEqual([
    expect.stringMatching(/^This exact command, until .+ quits$/),
    'Commands that start with `make test`, 10 minutes',
    expect.stringMatching(/^Commands that start with `make test`, until .+ quits$/),
  ]);
  const red = await decide(sh('rm -rf build | tee log'), 'deny');
  expect(englishTitle(red.card.subject)).toBe('Run `rm -rf build | tee log`');
  expect(red.card).toMatchObject({ effect: 'dangerous', grants: [] });
  expect(red.card.plain).toBeUndefined();
});

test('[req:CR-7] a rule for exactly a command covers that in that folder, until it is taken back', async () => {
  mkdirSync(join(chaperone.workspace, 'sub'));
  await decide(argv('make', 'lint'), 'allow', 'exact');
  expect(await runs(argv('make', 'lint'))).toBe('ran make lint\n');
  expect(await runs(sh("make 'lint'"))).toBe('ran make lint\n');
  await eventually(labels).toEqual([expect.stringMatching(/can run exactly `make lint` in \/tmp/)]);
  for (const given of [
    argv('make', 'lint', '-j4'),
    argv('make'),
    { ...argv('make', 'lint'), working_directory: 'sub' },
    { ...argv('make', 'lint'), environment: { A: '1' } },
    { ...argv('make', 'lint'), stdin: 'x' },
    { ...argv('make', 'lint'), keep_running: true },
    { ...argv('make', 'lint'), desktop: true },
    sh('make lint; id'),
    sh('make lint > x'),
    argv('sh', '-c', 'make lint'),
  ])
    // prettier-ignore
    await asks(given);
  const [rule] = rules();
  expect(rule?.used).toBe(2);
  person.send({ type: 'revokeGrant', id: rule?.id });
  await eventually(labels).toEqual([]);
  await asks(argv('make', 'lint'));
});

test('[req:CR-7] a rule for a start covers what begins with those words and adds nothing of consequence', async () => {
  await decide(argv('npm', 'run', 'build', '--', '--verbose'), 'allow', 'prefix');
  for (const more of [[], ['--', 'src/a.ts'], ['--silent']])
    expect(await runs(argv('npm', 'run', 'build', ...more))).toContain('ran npm run build');
  for (const words of [
    ['run', 'build2'],
    ['run'],
    ['test'],
    ['run', 'build', '--script-shell=/tmp/x'],
    ['run', 'build', '--prefix', '/tmp'],
    ['run', 'build', '--', '../x'],
    ['run', 'build', '--', '/etc/x'],
    ['run', 'build', '--', '--config=/tmp/x'],
    ['--prefix', 'x', 'run', 'build'],
  ])
    // prettier-ignore
    await asks(argv('npm', ...words));
  for (const given of [
    sh('npm run build && id'),
    sh('npm run build $(id)'),
    sh('A=1 npm run build'),
    argv('env', 'npm', 'run', 'build'),
    argv('sh', '-c', 'npm run build'),
    argv('xargs', 'npm', 'run', 'build'),
    argv('./npm', 'run', 'build'),
  ])
    // prettier-ignore
    await asks(given);
});

test('[req:CR-7] a rule is for one process of the agent, and outlives a restart of the host', async () => {
  await decide(argv('cargo', 'test'), 'allow', 'prefix');
  const other = await startAgent(chaperone.home, { cwd: chaperone.workspace, ownProcess: true });
  await asks(argv('cargo', 'test'), other);
  await other.close();
  person.close();
  await chaperone.restart();
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  expect(await runs(argv('cargo', 'test'))).toContain('ran cargo test');
});

test('[req:CR-8] a denial goes before a rule, and so do the policy and a pause', async () => {
  await decide(argv('make', 'test', '-j4'), 'deny');
  await decide(argv('make', 'test'), 'allow', 'prefix');
  expect(await runs(argv('make', 'test', '-j2'))).toContain('-j2');
  await asks(argv('make', 'test', '-j4'));
  person.send({ type: 'setPolicy', preset: 'readonly' });
  await eventually(async () => (await agent.call(TOOL, argv('make', 'test'))).text).toContain(
    'DESKTOP_CONFIRM_REQUIRED',
  );
  expect((await agent.call(TOOL, argv('ls'))).isError).toBe(true);
});

test('[req:CR-8] a program that has taken the place of the rule’s asks again', async () => {
  await decide(argv('make', 'test'), 'allow', 'prefix');
  expect(await runs(argv('make', 'test'))).toBe('ran make test\n');
  tool('make', 'another');
  await asks(argv('make', 'test'));
});

test('[req:CR-9] under strict, commands that only read are asked about, and no rule is offered', async () => {
  expect(await runs(argv('ls'))).not.toContain('x');
  person.send({ type: 'setPolicy', preset: 'strict' });
  await person.next('policy', ({ policy }) => policy.preset === 'strict');
  const { card, answer } = await decide(argv('ls'), 'allow');
  expect([card.effect, card.grants.map(({ kind }) => kind), answer.isError]).toEqual(['read', ['once'], false]);
  expect((await decide(argv('make', 'test'), 'allow')).card.grants).toEqual([]);
});

test('[req:CR-9] what ran unasked is in Activity', async () => {
  await runs(argv('git', '--version'));
  const row = await person.next('activity', ({ activity }) => activity.tool === TOOL);
  expect(row.activity).toMatchObject({ effect: 'read', outcome: 'confirmed' });
  expect(englishTitle(row.activity.subject, { past: true })).toBe('Ran `git --version`');
  const file = join(row.activity.evidenceDir ?? '', 'result.json');
  expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toMatch(/"by": ?"policy"/);
});
