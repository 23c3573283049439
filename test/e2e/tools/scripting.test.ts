/** Commands through the real shim: what runs is what was shown, and everything of it is told. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, realpath, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../../support/agent.js';
import { alive } from '../../support/alive.js';
import { eventually } from '../../support/eventually.js';
import { holdTimers } from '../../support/held-timers.js';
import { startHost, type TestHost } from '../../support/host.js';
import { openPage, settle, type Person } from '../../support/person.js';
import { notesOf } from '../../support/in-english.js';

const COMMAND = 'execute_shell_command';
const SECRETS = { API_TOKEN: 'secret', CHAPERONE_HOME: '/x', NODE_OPTIONS: '--x', LD_PRELOAD: '', LANG: 'C.UTF-8' };
const DESKTOP_ENV = { DISPLAY: ':7', WAYLAND_DISPLAY: 'w', XAUTHORITY: '/x', XDG_RUNTIME_DIR: '/run/x', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x', AT_SPI_BUS_ADDRESS: 'unix:path=/y' }; // prettier-ignore
let chaperone: TestHost;
let agent: TestAgent;
beforeAll(async () => {
  chaperone = await startHost({
    policy: 'unattended',
    env: { PATH: process.env['PATH'], HOME: '/root', ...SECRETS, ...DESKTOP_ENV },
  });
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
});
afterAll(async () => {
  await agent.close();
  await chaperone.close();
});

const path = (name: string) => join(chaperone.workspace, name);
const names = async () => (await readdir(chaperone.workspace)).filter((name) => name !== 'artifacts');
async function run(command: string, more: Record<string, unknown> = {}) {
  const answer = await agent.call(COMMAND, { command, ...more });
  if (answer.isError) throw new Error(answer.text);
  return answer;
}
const sh = (script: string, more = {}) => run(script, { shell: true, ...more });
async function fails(tool: string, args: Record<string, unknown>): Promise<string> {
  const answer = await agent.call(tool, args);
  if (!answer.isError) throw new Error(`it did not fail: ${answer.text}`);
  return answer.text;
}

describe('[req:MT-T-execute_shell_command] a command', () => {
  test('gets its arguments as data: no shell reads them', async () => {
    const args = ['<%s>', '$(touch made)', '`touch made`', 'two words', `it's "quoted"`, '; touch made #', '', '*'];
    const { value } = await run('printf', { args });
    expect(value).toMatchObject({ exit_code: 0, stdout: args.slice(1).map((one) => `<${one}>`).join(''), stderr: '' }); // prettier-ignore
    expect(await names()).toEqual([]);
  });

  test('that fails is a result with both streams, code and signal, and not called done', async () => {
    const ran = await sh('echo out; echo err >&2; exit 7');
    expect(ran.value).toMatchObject({
      exit_code: 7,
      signal: null,
      stdout: 'out\n',
      stderr: 'err\n',
      effect: 'unverified',
    });
    expect(ran.text).toContain('Exit code 7');
    expect(ran.text).toMatch(/Output:\nout\n[^]*Errors:\nerr/);
    expect((await sh('kill -KILL $$')).value).toMatchObject({
      exit_code: null,
      signal: 'SIGKILL',
      effect: 'unverified',
    });
    expect((await run('true')).value).toMatchObject({ exit_code: 0, effect: 'confirmed', after: { exit_code: 0 } });
  });

  test('with shell is read by a shell, and its arguments are the script’s', async () => {
    expect((await sh('echo "$1" | tr a-z A-Z && echo $((6 * 7))', { args: ['hello $HOME'] })).value).toMatchObject({
      stdout: 'HELLO $HOME\n42\n',
    });
  });

  test('runs in the agent’s folder or the one it names, with a plain environment and what it is given', async () => {
    await mkdir(path('inner'), { recursive: true });
    expect((await run('pwd')).value).toMatchObject({ stdout: `${await realpath(chaperone.workspace)}\n` });
    expect((await run('pwd', { working_directory: 'inner' })).value['stdout']).toContain('/inner\n');
    expect((await run('pwd', { working_directory: '/usr' })).value).toMatchObject({ stdout: '/usr\n' });
    const { stdout } = (await run('env', { environment: { GIVEN: 'a b', LANG: 'C' } })).value;
    const lines = String(stdout).trim().split('\n');
    expect(lines).toEqual(expect.arrayContaining(['GIVEN=a b', 'LANG=C', 'HOME=/root']));
    expect(lines.map((line) => line.split('=')[0]).sort()).toEqual(['CHAPERONE_COMMAND', 'GIVEN', 'HOME', 'LANG', 'PATH']); // prettier-ignore
  });

  test('gets its input, and an end of it where there is none', async () => {
    expect((await run('cat')).value).toMatchObject({ exit_code: 0, stdout: '' });
    expect((await run('wc', { args: ['-c'], stdin: 'ü\n'.repeat(100_000) })).value).toMatchObject({
      stdout: '300000\n',
    });
  });

  test('may write more than a pipe holds, to both streams at once; what is left out is said', async () => {
    const { value, text } = await sh('seq 1 200000; seq 1 100000 >&2');
    const [stdout, stderr] = [String(value['stdout']), String(value['stderr'])];
    expect(value).toMatchObject({ exit_code: 0, truncated: true, stdout_bytes: 1_288_895, stderr_bytes: 588_895 });
    expect([stdout.startsWith('1\n2\n'), stdout.endsWith('\n200000\n'), stderr.endsWith('\n100000\n')]).toEqual([true, true, true]); // prettier-ignore
    expect(stdout).toMatch(/\n\[… \d+ bytes left out …\]\n/);
    expect(text.length).toBeLessThan(120_000);
    expect(text).toContain('It wrote 1288895 bytes of output and 588895 of errors');
  });

  test('that writes what is no text, or hides something, is told so', async () => {
    const { value, text } = await sh(`printf 'a\\377b\\033[2K\\r\\342\\200\\256x'`);
    expect(value).toMatchObject({ binary: true, stdout: 'a\ufffdb\u001b[2K\r\u202ex' });
    expect(text).toContain('a\ufffdb‹U+001B›[2K‹U+000D›‹U+202E›x');
    expect(text).not.toContain('\u001b');
  });

  test('that takes too long is ended with all it has started, and what it wrote is told', async () => {
    const script = `(while :; do echo >> beat; sleep 0.05; done) & setsid sh -c 'while :; do echo >> beat; sleep 0.05; done' & echo begun; touch begun; sleep 600`;
    const limit = holdTimers(90_000);
    const call = sh(script, { timeout: 90 });
    await eventually(() => existsSync(path('begun')) && existsSync(path('beat'))).toBe(true);
    await limit.end();
    const { value } = await call;
    expect(value).toMatchObject({ timed_out: true, stdout: 'begun\n', effect: 'unverified' });
    const beats = (await readFile(path('beat'))).length;
    expect(beats).toBeGreaterThan(0);
    // Longer than ten beats.
    await run('sleep', { args: ['0.6'] });
    expect((await readFile(path('beat'))).length).toBe(beats);
  });

  test('[req:CM-1] [req:CM-3] that leaves a server behind ends it, and says so', async () => {
    const { value, text } = await sh('setsid -f env -i /bin/sleep 600 > /dev/null 2>&1; echo up');
    const left = { kept: [], not_ended: [], searched_completely: true };
    expect(value).toMatchObject({ exit_code: 0, stdout: 'up\n', left_running: false, left_behind: left });
    const { ended } = value['left_behind'] as { ended: { pid: number; name: string }[] };
    // It may be found before it has become `sleep`.
    expect(ended).toEqual([{ pid: expect.any(Number) as number, name: expect.stringMatching(/^(setsid|env|sleep)$/) }]);
    expect(text).toContain(`Killed leftover processes: ${ended[0]?.name} (${ended[0]?.pid}).`);
    expect(alive(ended[0]?.pid ?? 0)).toBe(false);
  });

  test('[req:CM-5] gets nothing that leads to the desktop, unless it asks for it', async () => {
    const names = async (more: Record<string, unknown>) =>
      String((await run('env', more)).value['stdout']).split('\n').map((line) => line.split('=')[0]); // prettier-ignore
    const DESKTOP = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS', 'AT_SPI_BUS_ADDRESS']; // prettier-ignore
    const [without, withIt] = [await names({}), await names({ desktop: true })];
    for (const name of DESKTOP) {
      expect(without).not.toContain(name);
      expect(withIt).toContain(name);
      expect(await fails(COMMAND, { command: 'true', environment: { [name]: 'x' } })).toContain('desktop: true');
    }
    expect((await run('env', { desktop: true, environment: { DISPLAY: ':9' } })).value['stdout']).toContain(
      'DISPLAY=:9\n',
    );
  });

  test('that cannot run says why, and nothing has run', async () => {
    expect(await fails(COMMAND, { command: 'no-such-program' })).toContain('There is no such program: no-such-program');
    expect(await fails(COMMAND, { command: 'ls -l' })).toContain("There is no such program: 'ls -l'");
    expect(await fails(COMMAND, { command: 'true', working_directory: '/nowhere' })).toContain(
      '/nowhere isn’t a folder',
    );
    expect(await fails(COMMAND, { command: 'a\0b' })).toContain('NUL');
    expect(await fails(COMMAND, { command: 'true', args: ['a\0b'] })).toContain('NUL');
    expect(await fails(COMMAND, { command: 'true', environment: { 'A=B': 'x' } })).toContain('environment');
    expect(await fails(COMMAND, { command: 'true', timeout: 0 })).toContain('timeout');
    expect(await fails(COMMAND, { command: 'true', timeout: 100_000 })).toContain('timeout');
    expect(await fails(COMMAND, { command: 'true', args: 'x' })).toContain('args');
    expect(await fails(COMMAND, { command: 'true', args: Array.from({ length: 20 }, () => 'x'.repeat(90_000)) })).toContain('too long'); // prettier-ignore
    expect(await fails(COMMAND, { command: 'true', cwd: '/' })).toContain('cwd');
  });

  test('is kept as evidence with both streams', async () => {
    const answer = await sh('echo for the record; echo and this >&2');
    const dir = /Evidence: (.*)/.exec(answer.text)?.[1] ?? '';
    const trace = await readFile(join(dir, 'trace.jsonl'), 'utf8');
    expect(trace).toContain('for the record');
    expect(trace).toContain('and this');
    const result = JSON.parse(await readFile(join(dir, 'result.json'), 'utf8')) as { plan: { text: string } };
    expect(result.plan.text).toContain('echo for the record; echo and this >&2');
  });
});

describe('[req:MT-T-validate_script] checking a script', () => {
  const check = async (script: string) => (await agent.call('validate_script', { type: 'shell', script })).value;

  test('says whether it is well formed and runs none of it', async () => {
    const before = await names();
    const traps = ['touch ran', '$(touch ran)', '`touch ran`', 'set +n\ntouch ran', 'x=$(touch ran)', 'exec 3> ran', ': > ran', 'trap "touch ran" EXIT']; // prettier-ignore
    for (const script of traps) expect(await check(script)).toEqual({ valid: true, errors: [] });
    expect(await check('if true; then echo')).toMatchObject({ valid: false, errors: [expect.stringContaining('end of file')] }); // prettier-ignore
    expect(await check('echo "open')).toMatchObject({ valid: false });
    expect(await check(')')).toMatchObject({ valid: false });
    expect(await names()).toEqual(before);
    expect(await readdir('/')).not.toContain('ran');
  });

  test('knows its languages, and which of them are not here', async () => {
    expect(await fails('validate_script', { type: 'perl', script: 'x' })).toMatch(/shell.*applescript.*javascript/);
    for (const type of ['applescript', 'javascript'])
      expect(await fails('validate_script', { type, script: 'x' })).toContain('DESKTOP_UNSUPPORTED');
    expect(await fails('validate_script', { type: 'shell', script: 'x', compile_only: false })).toContain(
      'must be true',
    );
  });
});

describe('what the person sees of a command', () => {
  let watched: TestHost;
  let person: Person;
  let asking: TestAgent;
  beforeAll(async () => {
    watched = await startHost();
    person = await openPage(watched.host.url, watched.host.pairingLink());
    asking = await startAgent(watched.home, { cwd: watched.workspace });
  });
  afterAll(async () => {
    await asking.close();
    person.close();
    await watched.close();
  });
  const mine = (name: string) => join(watched.workspace, name);

  test('is the whole of it, with everything marked, every time anew; denied, nothing runs', async () => {
    const call = {
      command: 'tee',
      args: ['made', 'a\nb', '\u202egpj.exe', '$(id)'],
      environment: { LD_PRELOAD: '/tmp/x.so' },
      stdin: 'line one\nline two',
    };
    const [denied, card] = await Promise.all([asking.call(COMMAND, call), person.answer('deny', { message: 'no' })]);
    expect(denied).toMatchObject({ isError: true, text: expect.stringContaining('no') as string });
    expect(await readdir(watched.workspace)).not.toContain('made');
    const folder = await realpath(watched.workspace);
    expect(card).toMatchObject({ effect: 'dangerous', tool: COMMAND, arguments: call, grants: [] });
    expect(notesOf(card)).toContain('It runs as you, outside any sandbox.');
    expect(card.text).toBe(
      `LD_PRELOAD=/tmp/x.so tee made $'a\\nb' $'\\U0000202egpj.exe' '$(id)' < (below)\nline one\nline two`,
    );
    expect(card.subject).toMatchObject({ title: { code: 'title.run_shell_command' }, place: folder });
    expect(card.subject.target).toBe(`${card.text?.split('\n')[0]}…`.replace(/^(.{79}).+$/su, '$1…'));

    for (const name of ['first', 'first']) {
      const [allowed] = await Promise.all([asking.call(COMMAND, { command: 'touch', args: [name] }), person.answer('allow')]); // prettier-ignore
      expect(allowed.isError, allowed.text).toBe(false);
    }
    expect(await readdir(watched.workspace)).toContain('first');
  });

  test('a folder that leads elsewhere by the time of Allow is not used', async () => {
    await Promise.all([mkdir(mine('one')), mkdir(mine('two'))]);
    await symlink(mine('one'), mine('here'));
    const work = asking.call(COMMAND, { command: 'touch', args: ['x'], working_directory: 'here' });
    const { approval } = await person.next('approvalRequested');
    await unlink(mine('here'));
    await symlink(mine('two'), mine('here'));
    await settle(person, approval, 'allow');
    expect((await work).text).toContain('DESKTOP_TARGET_CHANGED');
    expect(await readdir(mine('two'))).toEqual([]);
  });

  test('[req:MT-T-execute_apple_script] [req:MT-T-execute_javascript] nobody is asked for what this platform cannot do', async () => {
    const before = person.seen.filter(({ type }) => type === 'approvalRequested').length;
    for (const tool of ['execute_apple_script', 'execute_javascript']) {
      const answer = await asking.call(tool, { script: 'beep', compile_only: true });
      expect(answer).toMatchObject({ isError: true });
      expect(answer.text).toMatch(/DESKTOP_UNSUPPORTED[^]*execute_shell_command/);
    }
    expect(person.seen.filter(({ type }) => type === 'approvalRequested')).toHaveLength(before);
  });

  test('a clipboard to be replaced is shown whole, asked for every time, and read only after an Allow of its own', async () => {
    const text = `${'long '.repeat(10_000)}\u200bend`;
    const [written, card] = await Promise.all([asking.call('write_clipboard', { text }), person.answer('allow')]);
    expect(written.value).toMatchObject({ written: true, effect: 'confirmed' });
    expect(card).toMatchObject({ effect: 'dangerous', text, grants: [] });
    await Promise.all([asking.call('capture_screenshot'), person.answer('allow')]);
    const [read, asked] = await Promise.all([asking.call('get_clipboard'), person.answer('allow')]);
    expect(asked).toMatchObject({ tool: 'get_clipboard', effect: 'disclose' });
    expect(read.value).toMatchObject({ text: text.slice(0, 50_000), truncated: true });
    const [cleared] = await Promise.all([asking.call('clear_clipboard'), person.answer('allow')]);
    expect(cleared.value).toMatchObject({ cleared: true });
    watched.host.pairingLink();
    const refused = await asking.call('get_clipboard');
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('pairing link') as string });
    expect((await asking.call('get_clipboard_history')).text).toContain('pairing link');
  });

  test('ends with the host', async () => {
    const script = 'echo $$ > pid; mv pid started; sleep 600; touch late';
    asking.call(COMMAND, { command: 'sh', args: ['-c', script] }).catch(() => undefined);
    await person.answer('allow');
    await eventually(() => readdir(watched.workspace)).toContain('started');
    const pid = Number(await readFile(mine('started'), 'utf8'));
    expect(alive(pid)).toBe(true);
    const shown = () => person.seen.findLast((one) => one.type === 'status');
    await eventually(() => shown()).toMatchObject({ status: { state: 'watching', agents: [{ state: 'acting' }] } });
    await asking.stopForGood(() => watched.host.close());
    expect(alive(pid)).toBe(false);
    expect(await readdir(watched.workspace)).not.toContain('late');
  });
});
