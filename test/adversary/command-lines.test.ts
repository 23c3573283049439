/** Command lines that try to run unasked, as a real agent gives them to a real host: each is asked about, and those that only read run. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.js';
import { commandScene, SECRET_TEXT, type CommandScene } from '../support/command-scene.js';
import { startHost, type TestHost } from '../support/host.js';
import { cardOf, openPage, type Person } from '../support/person.js';

const TOOL = 'execute_shell_command';
let chaperone: TestHost;
let person: Person;
let agent: TestAgent;
let scene: CommandScene;
beforeAll(async () => {
  chaperone = await startHost({ env: { PATH: process.env['PATH'] } });
  scene = commandScene(chaperone.workspace);
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
});
afterAll(async () => {
  await agent.close();
  person.close();
  await chaperone.close();
  scene.remove();
});

type Given = Record<string, unknown>;
const sh = (script: string): Given => ({ command: script, shell: true });
const argv = (command: string, ...args: string[]): Given => ({ command, args });

/** The person stops the call instead of denying it, as a third denial pauses the agent. */
async function asked(given: Given): Promise<string> {
  const call = agent.call(TOOL, given);
  const { effect } = await cardOf(person, call);
  person.send({ type: 'abort' });
  expect((await call).isError).toBe(true);
  return effect;
}

async function runs(given: Given): Promise<{ stdout: string; stderr: string; exit_code: number }> {
  const seen = person.seen.length;
  const { isError, text, value } = await agent.call(TOOL, given);
  expect(isError, text).toBe(false);
  expect(person.seen.slice(seen).map(({ type }) => type)).not.toContain('approvalRequested');
  return value as { stdout: string; stderr: string; exit_code: number };
}

const SLIPS: readonly Given[] = [
  // Operators, substitution, redirection, and whatever else a shell makes of words.
  sh('ls; touch slipped'),
  sh('ls && touch slipped'),
  sh('ls || touch slipped'),
  sh('ls | tee slipped'),
  sh('ls & touch slipped'),
  sh('ls\ntouch slipped'),
  sh('ls\r\ntouch slipped'),
  sh('echo $(touch slipped)'),
  sh('echo `touch slipped`'),
  sh('echo "$(touch slipped)"'),
  sh('echo "`touch slipped`"'),
  sh('cat <(touch slipped)'),
  sh('echo slipped > slipped'),
  sh('cat < ../outside'),
  sh('cat <<< slipped'),
  sh('echo ${HOME}'),
  sh('echo $HOME'),
  sh("echo $'\\x41'"),
  sh('ls *'),
  sh('cat [-]n'),
  sh('ls {a,b}'),
  sh('ls ~'),
  sh('ls ~root'),
  sh('LD_PRELOAD=./evil.so ls'),
  sh('PATH=bin ls'),
  sh('ls # comment'),
  sh('! ls'),
  sh('{ ls; }'),
  sh('(ls)'),
  sh('ls \\\n-la'),
  sh('l\\s'),
  sh("ls 'unclosed"),
  sh('ls\u00a0-la'),
  sh('ls \u202e-la'),
  sh('ls\t-la'),
  sh('exec ls'),
  sh('eval ls'),
  sh('. ./README.md'),
  sh('command ls'),
  sh('cd ..'),
  sh('alias ls=touch'),
  argv('ls', 'a\nb'),
  // Programs that run others.
  argv('sh', '-c', 'ls'),
  argv('env', 'ls'),
  argv('xargs', 'ls'),
  argv('sudo', 'ls'),
  argv('nice', 'ls'),
  argv('timeout', '5', 'ls'),
  argv('node', '-e', '1'),
  argv('python3', '-c', 'pass'),
  argv('awk', 'BEGIN{system("touch slipped")}'),
  argv('busybox', 'ls'),
  argv('find', '.', '-exec', 'touch', 'slipped', ';'),
  argv('find', '.', '-execdir', 'touch', 'slipped', ';'),
  argv('find', '.', '-ok', 'touch', 'slipped', ';'),
  argv('find', '.', '-delete'),
  argv('find', '.', '-fprint', 'slipped'),
  argv('find', '.', '-fls', 'slipped'),
  argv('find', '-L', '.'),
  argv('find', '-files0-from', 'README.md'),
  argv('rg', '--pre', './bin/ls', 'x'),
  argv('rg', '-z', 'x'),
  argv('rg', '--follow', 'x'),
  // The program is not the system's.
  argv('./bin/ls'),
  argv('bin/ls'),
  { command: 'ls', environment: { PATH: 'bin' } },
  { command: 'git', args: ['status'], environment: { GIT_EXTERNAL_DIFF: './bin/ls' } },
  { command: 'ls', environment: { LD_PRELOAD: './evil.so' } },
  { command: 'ls', environment: { LC_ALL: 'C' } },
  { command: 'ls', keep_running: true },
  { command: 'ls', desktop: true },
  { command: 'cat', stdin: 'x' },
  // Outside the workspace, and secrets in it.
  argv('cat', '/etc/passwd'),
  argv('cat', '../outside/private.txt'),
  argv('cat', 'src/../../outside/private.txt'),
  argv('cat', 'link.txt'),
  argv('cat', 'linked/private.txt'),
  argv('ls', 'linked'),
  argv('ls', '-L', 'link.txt'),
  argv('ls', '/'),
  argv('head', '--lines=1', '--', '/etc/passwd'),
  argv('wc', '--files0-from=README.md'),
  argv('grep', 'root', '/etc/passwd'),
  argv('grep', '-f', '/etc/passwd', 'README.md'),
  argv('grep', '-R', 'TOP', '.'),
  argv('grep', '-e', 'root', '/etc/passwd'),
  argv('grep', '--file=.env', 'README.md'),
  argv('grep', '-rf', '.env', '.'),
  argv('cat', '.env'),
  argv('cat', './src/../.ENV'),
  argv('cat', '.ssh/id_ed25519'),
  argv('head', 'server.key'),
  argv('cat', '.git/config'),
  argv('cat', '/dev/stdin'),
  argv('cat', '/proc/self/environ'),
  argv('tail', '-f', 'README.md'),
  argv('find', '/'),
  argv('find', 'linked/'),
  { command: 'ls', working_directory: '..' },
  { command: 'ls', working_directory: 'linked' },
  { command: 'ls', working_directory: '/' },
  // Git.
  argv('git', 'diff', '--output=slipped'),
  argv('git', 'diff', '--output', 'slipped'),
  argv('git', 'diff', '--outp=slipped'),
  argv('git', 'diff', '--ext-diff'),
  argv('git', 'diff', '--textconv'),
  argv('git', 'diff', '--no-index', 'README.md', '/etc/passwd'),
  argv('git', 'diff', '/etc/passwd', '/etc/group'),
  argv('git', 'diff', '../outside/private.txt', 'README.md'),
  argv('git', '-c', 'core.fsmonitor=./bin/ls', 'status'),
  argv('git', '-C', '..', 'status'),
  argv('git', '--exec-path=bin', 'status'),
  argv('git', '--git-dir=../x', 'log'),
  argv('git', '-p', 'log'),
  argv('git', 'log', '--show-signature'),
  argv('git', 'log', '--format=%GG'),
  argv('git', 'log', '--pretty=format:%h %G?'),
  argv('git', 'log', '-p'),
  argv('git', 'log', '-L1,2:README.md'),
  argv('git', 'show', 'HEAD:.env'),
  argv('git', 'show', '--', '.env'),
  argv('git', 'show', ':(glob)**/.env'),
  argv('git', 'branch', 'new'),
  argv('git', 'branch', '-D', 'main'),
  argv('git', 'branch', '--edit-description'),
  argv('git', 'status', '--', '../outside'),
  argv('git', 'commit', '-m', 'x'),
  argv('git', 'checkout', '.'),
  argv('git', 'config', '--list'),
  argv('git', 'grep', '-O./bin/ls', 'x'),
  argv('git', 'stash'),
  argv('git', 'fetch'),
  argv('git', 'x'),
  argv('git'),
  argv('npm', '--version'),
  argv('cargo', '--version'),
  argv('node', '--version', '-e', '1'),
  argv('which', './bin/ls'),
  argv('pwd', 'x'),
  argv('touch', 'slipped'),
  argv('true'),
];

const READS: readonly Given[] = [
  argv('ls'),
  argv('ls', '-la', '--color=never', 'src'),
  argv('/usr/bin/ls', '-1'),
  sh('ls -la'),
  sh("ls 'src'"),
  argv('cat', 'README.md'),
  argv('cat', '-n', 'inner.md'),
  argv('cat'),
  argv('head', '-n', '1', 'README.md'),
  argv('head', '-1', 'README.md'),
  argv('tail', '-n', '+2', 'README.md'),
  argv('wc', '-l', 'README.md', 'src/a.ts'),
  argv('grep', '-n', 'needle', 'src/a.ts'),
  argv('grep', '-rn', 'needle', '.'),
  argv('grep', '-rn', '--include=*.ts', 'needle'),
  argv('grep', '-e', 'needle', '-A2', 'docs/b.md'),
  sh('grep -rn "a = 1" src'),
  argv('find', '.', '-name', '*.ts', '-not', '-path', '*/node_modules/*'),
  argv('find', 'src', '-type', 'f', '-maxdepth', '2'),
  argv('pwd'),
  argv('echo', 'two words', '$HOME'),
  argv('which', 'git'),
  argv('git', '--version'),
  argv('node', '--version'),
  argv('python3', '--version'),
  argv('git', 'status'),
  sh('git status --short --branch'),
  argv('git', 'log', '--oneline', '-5'),
  argv('git', 'log', '--format=%h %s', '-n', '1', '--', 'README.md'),
  argv('git', 'diff'),
  argv('git', 'diff', '--stat', 'HEAD', '--', 'README.md'),
  argv('git', 'show', 'HEAD'),
  argv('git', 'show', 'HEAD:README.md'),
  sh('git show --stat HEAD~0'),
  argv('git', 'branch', '-a'),
  argv('git', 'branch', '--show-current'),
  { command: 'ls', working_directory: 'src' },
  { command: 'git', args: ['status'], working_directory: 'src' },
];

const named = (given: Given) => JSON.stringify(given).slice(0, 100);

describe('[req:CR-1] a command line', () => {
  test.each(SLIPS.map((given) => [named(given), given] as const))('%s is asked about', async (_, given) => {
    expect(await asked(given)).toBe('dangerous');
    expect(existsSync(scene.file('slipped'))).toBe(false);
    expect(existsSync(scene.file('ran-own-ls'))).toBe(false);
  });

  test.each(READS.map((given) => [named(given), given] as const))('%s only reads, and runs', async (_, given) => {
    const before = readdirSync(scene.file('.git')).toSorted();
    const index = readFileSync(scene.file('.git/index'));
    const { exit_code: code, stdout, stderr } = await runs(given);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).not.toContain(SECRET_TEXT);
    expect(readdirSync(scene.file('.git')).toSorted()).toEqual(before);
    expect(readFileSync(scene.file('.git/index')).equals(index)).toBe(true);
  });
});
