/** An “always” on a real desktop and real processes: for the program that it was given to, and for no program that borrows its path. */
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseProcessStat } from '../../src/base/process-stat.js';
import { frameHeader } from '../../src/main/protocol/framing.js';
import { APPS } from '../support/desktop-app.js';
import { eventually } from '../support/eventually.js';
import { startHost, type TestHost } from '../support/host.js';
import { openLinuxDesktop, type FixtureApp, type LinuxDesktop } from '../support/linux-desktop.js';
import { openPage, settle, type Person } from '../support/person.js';
import { askedFor, cannotUnshare, HANDOVER, openTrusted, WRITE_THEN_EXECUTE, type Started, type Trusted } from '../support/trusted-agent.js'; // prettier-ignore

const NODE = process.execPath;
const CLICK = {
  route: { app: { bundleId: 'gtk-fixture.py' } },
  target: { selector: { byRole: 'AXCheckBox', titleContains: 'Remind me' } },
  confirm: { phrase: 'CONFIRM' },
};

let linux: LinuxDesktop;
let app: FixtureApp;
beforeAll(async () => {
  linux = await openLinuxDesktop();
  app = await linux.fixture();
});
afterAll(async () => {
  await app.end();
  await linux.close();
});

let host: TestHost;
let person: Person;
let trusted: Trusted;
beforeEach(async () => {
  trusted = openTrusted(() => ({ socketPath: host.host.socketPath, workspace: host.workspace }));
  await trusted.settled();
  const places = { systemFolders: [trusted.folder] };
  host = await startHost({ backend: 'linux', display: 'current', env: linux.session.env, places });
  person = await openPage(host.host.url, host.host.pairingLink());
});
afterEach(async () => {
  person.close();
  await trusted.close();
  await host.close();
});

const click = ({ rpc }: Started) => rpc.call('desktop.click', CLICK);
const kindsOf = (card: Awaited<ReturnType<typeof askedFor>>) => card?.grants.map(({ kind }) => kind);
const honest = () => trusted.start([NODE, trusted.scripts.node]);

/** What the person allows for the honest agent. */
async function allow(grant: 'always' | 'session'): Promise<Started> {
  const agent = await honest();
  const card = await askedFor(person, click(agent), grant);
  expect(kindsOf(card)).toContain(grant);
  expect(await askedFor(person, click(agent))).toBeNull();
  return agent;
}

/** Asked, and “always” is not offered: why not. */
async function refusal(agent: Started): Promise<unknown> {
  const card = await askedFor(person, click(agent));
  expect(card).not.toBeNull();
  expect(kindsOf(card)).not.toContain('always');
  return card?.noAlways?.params ?? null;
}

describe('[req:ID-4] an “always”', () => {
  test('goes on in another process of the program, and after a restart of the host', async () => {
    await allow('always');
    expect(await askedFor(person, click(await honest()))).toBeNull();
    await host.restart();
    const again = await openPage(host.host.url);
    expect(await askedFor(again, click(await honest()))).toBeNull();
    again.close();
  });

  test.each<[string, Record<string, string>]>([
    ['harmless options', { NODE_OPTIONS: '--max-old-space-size=512 --no-warnings', NODE_ENV: 'production' }],
    ['variables that Node does not read', { PYTHONPATH: '/tmp', RUBYOPT: '-rx', BASH_ENV: '/tmp/x' }],
  ])('goes on with %s', async (_, env) => {
    await allow('always');
    expect(await askedFor(person, click(await trusted.start([NODE, trusted.scripts.node], env)))).toBeNull();
  });

  test('does not go to the program with variables or options that load other code', { timeout: 180_000 }, async () => {
    await allow('always');
    const evil = join(trusted.elsewhere, 'evil.cjs');
    writeFileSync(evil, '');
    for (const [what, value] of [
      ['NODE_OPTIONS', `--require ${evil}`],
      ['NODE_OPTIONS', `--no-warnings --import=${evil}`],
      ['NODE_PATH', join(evil, '..')],
      ['LD_PRELOAD', '/usr/lib/x86_64-linux-gnu/libm.so.6'],
      ['LD_AUDIT', ''],
      ['LD_LIBRARY_PATH', '/tmp'],
      ['OPENSSL_CONF', '/dev/null'],
      ['NODE_COMPILE_CACHE', join(evil, '../cache')],
      ['ELECTRON_RUN_AS_NODE', '1'],
    ] as const) {
      const agent = await trusted.start([NODE, trusted.scripts.node], { [what]: value });
      expect(await refusal(agent), value).toMatchObject({ reason: 'variable', what });
    }
    for (const what of ['--require', '-r', '--import'])
      expect(await refusal(await trusted.start([NODE, what, evil, trusted.scripts.node]))).toMatchObject({
        reason: 'option',
        what,
      });
  });

  test.skipIf(cannotUnshare('-m'))(
    'does not go to a script that lies at its path only in its own view of the file system',
    async () => {
      await allow('always');
      const evil = join(trusted.elsewhere, 'evil.mjs');
      copyFileSync(trusted.scripts.node, evil);
      const mount = `mount --bind ${evil} ${trusted.scripts.node} && exec ${NODE} ${trusted.scripts.node}`;
      const agent = await trusted.start(['/usr/bin/unshare', '-m', '/bin/sh', '-c', mount]);
      expect(await refusal(agent)).toMatchObject({ reason: 'namespace' });
    },
  );

  for (const kind of ['-U', '-p'])
    test.skipIf(cannotUnshare(kind))(`does not go to the program in another namespace (${kind})`, async () => {
      await allow('always');
      const fork = kind === '-p' ? ['-f', '--kill-child'] : [];
      const agent = await trusted.start(['/usr/bin/unshare', kind, ...fork, NODE, trusted.scripts.node]);
      expect(await refusal(agent)).toMatchObject({ reason: 'namespace' });
    });

  test('does not go to a script that was rewritten, and the request says that it was replaced', async () => {
    await allow('always');
    writeFileSync(trusted.scripts.node, '\n// another', { flag: 'a' });
    trusted.write(join(trusted.folder, 'later'), '');
    await trusted.settled();
    const card = await askedFor(person, click(await honest()));
    expect(card?.notes).toContainEqual(expect.objectContaining({ code: 'note.program_replaced' }));
    expect(kindsOf(card)).toContain('always');
  });

  test('does not go to what was put back after another script had started at its path', async () => {
    await allow('always');
    const kept = join(trusted.elsewhere, 'kept.mjs');
    copyFileSync(trusted.scripts.node, kept);
    const agent = await honest();
    copyFileSync(kept, trusted.scripts.node);
    expect(await refusal(agent)).toMatchObject({ reason: 'written', what: trusted.scripts.node });
  });

  test('does not go to a program whose missing modules come from the home folder', async () => {
    await allow('always');
    mkdirSync(join(trusted.elsewhere, 'home/.node_modules'));
    expect(await refusal(await honest())).toMatchObject({ reason: 'modules' });
  });

  test('is not offered to a program outside the places for programs', async () => {
    const copy = join(trusted.elsewhere, 'node');
    copyFileSync(NODE, copy);
    expect(await refusal(await trusted.start([copy, trusted.scripts.node]))).toMatchObject({ reason: 'place' });
    rmSync(copy);
  });

  test('is not offered to a script that other programs can change', async () => {
    const script = join(trusted.elsewhere, 'agent.mjs');
    copyFileSync(trusted.scripts.node, script);
    expect(await refusal(await trusted.start([NODE, script]))).toMatchObject({ reason: 'script', what: script });
  });

  test.each<[string, (scripts: Trusted['scripts']) => [string, ...string[]], Record<string, string>, unknown]>([
    ['Python with the user’s own start-up files', (s) => ['/usr/bin/python3', s.python], {}, { reason: 'missing' }],
    ['Python with other modules', (s) => ['/usr/bin/python3', '-I', s.python], { PYTHONHOME: '/usr' }, { what: 'PYTHONHOME' }],
    ['Perl with other modules', (s) => ['/usr/bin/perl', s.perl], { PERL5OPT: '-Mstrict' }, { what: 'PERL5OPT' }],
    ['Perl with another library', (s) => ['/usr/bin/perl', '-I/tmp', s.perl], {}, { what: '-I/tmp' }],
  ])('is not offered to %s', async (_, command, env, why) => {
    expect(await refusal(await trusted.start(command(trusted.scripts), env))).toMatchObject(why as object);
  }); // prettier-ignore

  test.each<[string, (scripts: Trusted['scripts']) => [string, ...string[]]]>([
    ['Python alone', (s) => ['/usr/bin/python3', '-I', s.python]],
    ['Perl', (s) => ['/usr/bin/perl', s.perl]],
  ])('is for %s too', async (_, command) => {
    const start = () => trusted.start(command(trusted.scripts));
    await askedFor(person, click(await start()), 'always');
    expect(await askedFor(person, click(await start()))).toBeNull();
  });

  test('is for the application as it was: one that was replaced is asked about', async () => {
    const script = join(trusted.elsewhere, 'gtk-fixture.py');
    copyFileSync(join(APPS, 'gtk-fixture.py'), script);
    const args = [script, '--journal', join(trusted.elsewhere, 'journal'), '--title', 'Replaceable'];
    const open = async () => {
      trusted.write(join(trusted.elsewhere, 'later'), '');
      await trusted.settled();
      const running = linux.run('/usr/bin/python3', args);
      await linux.window((window) => window.app.pid === running.pid);
      return running;
    };
    const there = { ...CLICK, route: { window: { titlePattern: '^Replaceable$' } } };
    const press = async () => (await honest()).rpc.call('desktop.click', there);
    const first = await open();
    expect(kindsOf(await askedFor(person, press(), 'always'))).toContain('always');
    await first.end();
    const second = await open();
    expect(await askedFor(person, press())).toBeNull();
    await second.end();
    writeFileSync(script, '# another', { flag: 'a' });
    const third = await open();
    const card = await askedFor(person, press());
    await third.end();
    expect(card?.notes).toContainEqual(expect.objectContaining({ code: 'note.program_replaced' }));
  });
});

test('[req:ID-9] what was allowed for the session ends where the program is executed again', async () => {
  const agent = await trusted.start(['/usr/bin/python3', '-I', trusted.scripts.python]);
  await askedFor(person, click(agent), 'session');
  expect(await askedFor(person, click(agent))).toBeNull();
  const image = () => parseProcessStat(readFileSync(`/proc/${agent.child.pid}/stat`, 'utf8'))?.image;
  const before = image();
  agent.child.kill('SIGUSR1');
  await eventually(image).not.toBe(before);
  const card = await askedFor(person, click(agent));
  expect(card?.agent).toMatchObject({ pid: agent.child.pid, script: trusted.scripts.python });
});

describe('[req:ID-5] a connection', () => {
  const shared = expect.objectContaining({ code: 'grant.shared' }) as unknown;
  /** Past the moment of exec, in which the kernel shows a program whose addresses are not set yet. */
  const runsNode = (pid: number) =>
    readlinkSync(`/proc/${pid}/exe`) === NODE && readFileSync(`/proc/${pid}/maps`, 'utf8').includes('/libc.so');

  test.each(['kept', 'left'])('that was handed over before its process ran the trusted program has no “always” (%s)', async (kept) => {
    await allow('always');
    const command = ['/usr/bin/python3', '-c', HANDOVER, NODE, trusted.scripts.node, kept] as const;
    const agent = await trusted.start(command, {}, runsNode);
    const card = await askedFor(person, click(agent));
    expect(card?.agent).toMatchObject({ pid: agent.child.pid, script: trusted.scripts.node });
    expect(card?.notes).toContainEqual(shared);
    expect(kindsOf(card)).toEqual(['once']);
  }); // prettier-ignore

  test('that was written to before its process ran the trusted program has no “always”', async () => {
    await allow('always');
    const meta = { schemaVersion: 1, requestId: randomUUID(), workspacePath: host.workspace, timeoutMs: 60_000 };
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'desktop.click', params: { meta, ...CLICK } });
    const env = { BODY: frameHeader(Buffer.byteLength(text)) + text };
    const before = person.seen.length;
    const command = ['/usr/bin/python3', '-c', WRITE_THEN_EXECUTE, NODE, trusted.scripts.node] as const;
    const agent = await trusted.start(command, env, runsNode);
    const { approval: card } = await person.next('approvalRequested', (one) => !person.seen.slice(0, before).includes(one)); // prettier-ignore
    await settle(person, card, 'deny');
    expect(card.agent).toMatchObject({ pid: agent.child.pid, script: trusted.scripts.node });
    expect(card.notes).toContainEqual(expect.objectContaining({ code: 'grant.early' }));
    expect(kindsOf(card)).toEqual(['once']);
    expect(await askedFor(person, click(agent))).toBeNull();
  });

  test('that a child of its program holds too has nothing that was allowed, until it is alone again', async () => {
    const agent = await honest();
    const look = () => agent.rpc.call('desktop.observe', { route: CLICK.route });
    // Seen by itself, because what may be clicked may be seen, too.
    expect(await askedFor(person, look())).not.toBeNull();
    expect(await askedFor(person, look())).toBeNull();
    expect(await askedFor(person, click(agent), 'session')).not.toBeNull();
    expect(await askedFor(person, click(agent))).toBeNull();
    const pid = agent.child.pid ?? 0;
    const children = () => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    agent.child.kill('SIGUSR2');
    await eventually(() => children() !== '' && readlinkSync(`/proc/${children()}/exe`)).toMatch(/sleep|coreutils/);
    for (const call of [() => click(agent), look]) {
      const card = await askedFor(person, call());
      expect(card?.notes).toContainEqual(shared);
      expect(kindsOf(card)).toEqual(['once']);
    }
    agent.child.kill('SIGPWR');
    await eventually(children).toBe('');
    expect(await askedFor(person, click(agent))).toBeNull();
    expect(await askedFor(person, look())).toBeNull();
  });
});

describe('[req:ID-7] a name that a person knows', () => {
  test.each(['claude', 'codex', 'Claude Code', 'gemini'])('is not that of a program called %s elsewhere: its path is', async (name) => {
    const copy = join(trusted.elsewhere, name);
    copyFileSync(realpathSync('/usr/bin/python3'), copy);
    const agent = await trusted.start([copy, '-c', readFileSync(trusted.scripts.python, 'utf8')]);
    const card = await askedFor(person, click(agent));
    expect(card?.agent).toMatchObject({ name: copy, executable: copy });
    rmSync(copy);
  }); // prettier-ignore

  test('is not that of a script in a folder called as its package', async () => {
    const folder = join(trusted.elsewhere, 'node_modules/@anthropic-ai/claude-code');
    mkdirSync(folder, { recursive: true });
    const script = join(folder, 'cli.mjs');
    copyFileSync(trusted.scripts.node, script);
    const card = await askedFor(person, click(await trusted.start([NODE, script])));
    expect(card?.agent.name).toBe(`node · ${script}`);
  });
});
