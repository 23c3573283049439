import { mkdirSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shellLine } from '../../src/main/protocol/local-command.js';
import { ENTRY, createHome, type Home, type Running } from '../support/command.js';
import { until } from '../shim/support.js';

/** As this machine calls the command line: its name is not on the search path. */
const HERE = shellLine([process.execPath, ENTRY]);

let home: Home;
beforeAll(() => {
  home = createHome();
});
afterAll(() => home.close());

/** One that was free a moment ago, on both loopback addresses. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function startHost(args: string[] = []): Promise<Running> {
  const host = home.start(['host', ...args]);
  await until(() => host.stdout().includes('\n') || host.child.exitCode !== null);
  return host;
}

describe('without a host', () => {
  it('[req:DS-10-1] the help names every command', async () => {
    const { code, stdout } = await home.run(['--help']);
    expect(code).toBe(0);
    const names = [...stdout.matchAll(/^ {2}([a-z]+)/gm)].map((match) => match[1]);
    const all = [
      'host',
      'app',
      'mcp',
      'connect',
      'where',
      'call',
      'tools',
      'open',
      'status',
      'stop',
      'restart',
      'logs',
      'doctor',
      'pair',
      'approvals',
      'apps',
      'evidence',
      'policy',
      'setup',
    ];
    expect(names).toEqual([...all, 'help']);
  });

  it('commands say so, and what to do', async () => {
    for (const args of [['status'], ['stop'], ['approvals'], ['approvals', 'deny', 'x']]) {
      expect(await home.run(args)).toMatchObject({
        code: 3,
        stdout: '',
        stderr: `No host is running. Start one with \`${HERE} host\`.\n`,
      });
    }
  });

  it('the policy to come and the record can be read', async () => {
    const policy = await home.run(['policy', 'show', '--json']);
    expect(JSON.parse(policy.stdout)).toMatchObject({ preset: 'standard', effects: { dangerous: 'ask' } });
    expect(await home.run(['evidence', 'verify'])).toMatchObject({ code: 0 });
  });

  it('a home that takes no files is told as such', async () => {
    const file = join(home.path, 'a-file');
    writeFileSync(file, '');
    for (const [folder, why] of [
      [file, file],
      [join(file, 'x'), file],
      ['/proc/foo/bar', '/proc'],
    ] as const) {
      const ended = await home.run(['doctor'], { CHAPERONE_HOME: folder });
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toContain(`Chaperone cannot keep its files in ${why}.`);
    }
  });

  it('a policy file is checked by the rules of a start', async () => {
    const file = join(home.path, 'own.json');
    writeFileSync(file, '{"preset": "strict"}', { mode: 0o600 });
    expect(await home.run(['policy', 'check', file])).toMatchObject({ code: 0 });
    writeFileSync(file, '{"effects": {"dangerous": "allow"}}', { mode: 0o600 });
    const bad = await home.run(['policy', 'check', file]);
    expect(bad).toMatchObject({ code: 1, stdout: '' });
    expect(bad.stderr).toMatch(/effects\.dangerous.*\n.*Fix/s);
  });

  it('a wrong command line is told from a failure', async () => {
    for (const args of [
      ['nonsense'],
      ['call'],
      ['setup', 'emacs', '--print'],
      ['setup', 'claude', '--print', '--remove'],
      ['setup', 'codex', '--scope', 'world'],
      ['host', '--port', 'x'],
      ['pair'],
    ]) {
      const ended = await home.run(args);
      expect(ended.code, args.join(' ')).toBe(2);
      expect(ended.stderr).not.toBe('');
      expect(ended.stderr).not.toMatch(/\n\s+at /);
    }
  });

  it('[req:DS-6-4] a host with a broken policy does not start', async () => {
    mkdirSync(join(home.path, 'config'), { recursive: true, mode: 0o700 });
    const file = join(home.path, 'config', 'policy.json');
    writeFileSync(file, '{"preset": "lax"}', { mode: 0o600 });
    const ended = await home.run(['host']);
    writeFileSync(file, '{}', { mode: 0o600 });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/policy\.json: preset/);
  });
});

describe('with a host', () => {
  let host: Running;
  beforeAll(async () => {
    host = await startHost();
  });

  it('[req:DS-1-1] [req:DS-10-4] it printed its address on a line of its own, and no pairing link without a terminal', () => {
    expect(host.stdout()).toMatch(/^http:\/\/localhost:\d+\n$/);
    expect(host.stderr()).not.toContain('#pair=');
  });

  it('doctor and policy tell of the running host', async () => {
    const findings = JSON.parse((await home.type(['doctor', '--json'])).stdout) as {
      findings: { name: string; seen: string }[];
    };
    expect(findings.findings.find((one) => one.name === 'host')?.seen).toContain(host.stdout().trim());
    expect(findings.findings.filter(({ name }) => name === 'permission').map(({ seen }) => seen)).toEqual([
      'Accessibility is granted',
      'Screen Recording is granted',
    ]);
    expect((await home.type(['policy'])).stdout).toMatch(/^The running host uses the policy standard\n/);
    expect((await home.run(['policy'])).stderr).toContain(
      'Only the person may do this. Chaperone cannot tell that you',
    );
    expect((await home.run(['doctor'])).stdout).toMatch(/^ok {2}host: .*\n {6}Chaperone cannot tell that you/m);
  });

  it('approvals are listed, and an unknown one cannot be denied', async () => {
    expect((await home.run(['approvals'])).stdout).toBe('waiting for you: 0 (0 requests, 0 questions)\n');
    expect((await home.type(['approvals', 'deny', 'unknown'])).stdout).toContain('No request "unknown" waits.');
    expect((await home.run(['approvals', 'deny', 'unknown'])).stderr).toContain('Only the person may do this.');
    const allowed = await home.run(['approvals', 'allow', 'x']);
    expect(allowed).toMatchObject({ code: 2, stdout: '' });
    expect(allowed.stderr).toContain(`You can allow only on the page: ${host.stdout().trim()}. `);
  });

  it('a second one is refused and names the first', async () => {
    const ended = await home.run(['host']);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain(`pid ${host.child.pid}`);
  });

  it('[req:AG-PLAIN-1] a port in use, an id that is none and a tool that is near are told in words', async () => {
    const port = new URL(host.stdout().trim()).port;
    const other = createHome();
    try {
      const taken = await other.run(['host', '--port', port]);
      expect(taken.code).toBe(1);
      expect(taken.stderr).toMatch(
        new RegExp(`^Another program already uses port ${port}\\. [^\\n]*--port[^\\n]*\\n$`),
      );
      const gabp = await other.run(['host', '--tcp', port]);
      expect(gabp).toMatchObject({ code: 1, stdout: '' });
      expect(gabp.stderr).toMatch(new RegExp(`^Port ${port} cannot be used for GABP: [^\\n]*--tcp PORT[^\\n]*\\n$`));
    } finally {
      await other.close();
    }
    const nowhere = await home.run(['host', '--workspace-root', '/nonexistent']);
    expect(nowhere).toMatchObject({ code: 2, stdout: '' });
    expect(nowhere.stderr).toBe(
      '--workspace-root: there is no folder /nonexistent. Create it first, or use another folder.\n',
    );
    const denied = await home.type(['approvals', 'deny', 'x']);
    expect(denied).toMatchObject({ code: 1, stdout: expect.stringMatching(/^No request "x" waits\.\n/) });
    expect(denied.stdout).toContain(`${HERE} approvals`);
    // From here on this process counts as an agent, and what it starts as an agent’s.
    const wrong = await home.run(['call', 'clik']);
    expect(wrong.stderr).toBe(`There is no tool "clik". Did you mean click?\n\`${HERE} tools\` lists them.\n`);
    expect((await home.run(['call', 'desktop.clik'])).stderr).toContain('Did you mean desktop.click?');
  });

  it('[req:AG-PLAIN-1] a call that waits for the person says where', async () => {
    const call = home.start(['call', 'send_message', '--args', '{"text": "Still there?"}']);
    await until(() => call.stderr().includes('Waiting for'));
    expect(call.stderr()).toContain(`Waiting for your answer at ${host.stdout().trim()}\n`);
    call.child.kill('SIGINT');
    expect(await call.ended).toMatchObject({ code: 1, stdout: '' });
    expect(call.stderr()).toContain(`No answer yet. Your request still waits at ${host.stdout().trim()}. `);
    expect(call.stderr()).not.toContain('resume_call');
    const again = home.start(['call', 'send_message', '{"text": "Still there?"}']);
    await until(() => again.stderr().includes('Waiting for'));
    expect((await home.run(['status'])).stdout).toContain('1 question)');
    again.child.kill('SIGINT');
    await again.ended;
  });

  it('status tells the address and the state', async () => {
    const ended = await home.run(['status']);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain(host.stdout().trim());
    expect(ended.stdout).toContain('state: watching');
    expect(JSON.parse((await home.run(['status', '--json'])).stdout)).toHaveProperty('status.state', 'watching');
  });

  it('[req:TI-1] call prints a result, and its times where asked for, and fails for a tool that is not there', async () => {
    const displays = await home.run(['call', 'list_displays', '--json']);
    expect(displays.code).toBe(0);
    expect(JSON.parse(displays.stdout)).toHaveProperty('structuredContent');
    const timed = await home.run(['call', 'list_displays', '--timing']);
    expect(timed.stderr).toMatch(
      /^begin +\d+\.\d ms\n(.*\n)*in all +\d+\.\d ms\n(.*\n)*displays +\d+\.\d ms in 1 call\n/m,
    );
    expect(await home.run(['call', 'desktop.health', '--timing'])).toMatchObject({ code: 2, stdout: '' });
    const none = await home.run(['call', 'no_such_tool']);
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(none.stderr).toContain('no_such_tool');
    const refused = await home.run(['call', 'click']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^DESKTOP_INVALID_REQUEST: click: .*\nNext: /);
    const asJson = await home.run(['call', 'click', '--json']);
    expect(asJson).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(asJson.stdout)).toHaveProperty('isError', true);
  });

  it('call takes every tool that tools lists, and every method', async () => {
    const listed = await home.run(['tools', '--json']);
    const names = (JSON.parse(listed.stdout) as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['click_element', 'list_displays', 'resume_call']));
    const core = await home.run(['tools', '--profile', 'core']);
    expect(core.stdout).toMatch(/^click_element +\S/m);
    expect(core.stdout.trimEnd().split('\n').length).toBeLessThan(names.length);
    const one = await home.run(['tools', 'click']);
    expect(one.stdout).toMatch(/^click: Clicks .*\n\nx +number; required\n/);
    expect(one.stdout).toMatch(/^button +left \| right .*default "left"/m);
    const unknown = await home.run(['tools', 'clik']);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean click?') });
    const health = await home.run([
      'call',
      'desktop.health',
      '--args',
      JSON.stringify({ meta: { workspacePath: homedir() } }),
    ]);
    expect(health.code, health.stderr).toBe(0);
    expect(JSON.parse(health.stdout)).toHaveProperty('hostVersion');
    const wrong = await home.run(['call', 'desktop.nothing']);
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toMatch(/^DESKTOP_INVALID_REQUEST: .*desktop\.nothing.*\nUse one of: desktop\.health/);
    const outside = await home.run(['call', 'desktop.health', '{"meta": {"workspacePath": "/"}}']);
    expect(outside.stderr).toMatch(/^DESKTOP_WORKSPACE_FORBIDDEN: The workspace \/ is outside [^\n]*\n$/);
  });

  it('call takes the arguments right after the tool, or with --args, and not twice', async () => {
    const waited = await home.run(['call', 'wait', '{"duration": 0.01}', '--json']);
    expect(waited, waited.stderr).toMatchObject({ code: 0 });
    const { structuredContent } = JSON.parse(waited.stdout) as { structuredContent: { waited: number } };
    expect(structuredContent.waited).toBeGreaterThanOrEqual(0.01);
    expect(waited.stderr).toBe('');
    const twice = await home.run(['call', 'wait', '{"duration": 1}', '--args', '{"duration": 1}']);
    expect(twice).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--args') });
    const wrong = await home.run(['call', 'wait', '1']);
    expect(wrong).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('JSON object') });
  });

  it('pair is for terminals only', async () => {
    expect(await home.run(['pair'])).toMatchObject({ code: 2, stdout: '' });
  });

  it('[req:DS-6-34] stop pauses, and stop --host ends it cleanly', async () => {
    const stopped = await home.run(['stop']);
    expect(stopped.stdout).toMatch(/Resume them on the page: http:\/\/localhost:\d+\n$/);
    const refused = await home.run(['call', 'click', '{"x": 300, "y": 300}']);
    expect(refused.stderr).toContain('The person resumes agents on Chaperone’s page.');
    expect(refused.stderr).not.toContain('Wait until');
    expect((await home.run(['status'])).stdout).toContain('state: paused');
    expect((await home.run(['stop', '--host'])).stderr).toContain('Only the person may do this.');
    host.child.kill('SIGTERM');
    expect(await host.ended).toMatchObject({ code: 0, signal: null });
    const next = await startHost();
    await expect.poll(next.stderr).toContain('Agents are still paused from before this start.');
    const ended = await home.type(['stop', '--host']);
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('stay paused after the next start') });
    expect(await next.ended).toMatchObject({ code: 0, signal: null });
    expect((await home.run(['status'])).code).toBe(3);
  });
});

it('[req:CH-2-1] [req:CH-8-1] PORT sets the port', async () => {
  const port = await freePort();
  const host = home.start(['host'], { PORT: String(port) });
  await until(() => host.stdout().includes('\n'));
  expect(host.stdout()).toBe(`http://localhost:${port}\n`);
  host.child.kill('SIGTERM');
  await host.ended;
});

it('[req:CH-2-1] without PORT there is a page at a port that is free, also where the last one is taken', async () => {
  const first = await startHost();
  first.child.kill('SIGTERM');
  await first.ended;
  const last = Number(new URL(first.stdout().trim()).port);
  const other = createServer().listen(last, 'localhost');
  await once(other, 'listening');
  const second = await startHost();
  const url = new URL(second.stdout().trim());
  expect(Number(url.port)).not.toBe(last);
  expect((await fetch(url)).status).toBe(200);
  second.child.kill('SIGTERM');
  await second.ended;
  other.close();
});

it('[req:DS-7-27] [req:PR-3] --print-pairing prints a link without a terminal, --accept-synthetic-input shows in Health; a signal ends the host cleanly', async () => {
  const host = await startHost(['--print-pairing', '--accept-synthetic-input']);
  await until(() => host.stdout().includes('#pair='));
  expect(host.stdout()).toMatch(/^(http:\/\/localhost:\d+)\n.+\n\1\/#pair=\S+\n$/);
  expect((await home.type(['doctor'])).stdout).toContain('synthetic input may press Allow');
  host.child.kill('SIGTERM');
  expect(await host.ended).toMatchObject({ code: 0, signal: null });
});
