/** Commands in bubblewrap, where this machine has it and lets it: real processes that try to get out. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/native/process/index.js';
import { startAgent, type TestAgent, type ToolAnswer } from '../../support/agent.js';
import { commandScene, SECRET_TEXT, type CommandScene } from '../../support/command-scene.js';
import { startHost, type TestHost } from '../../support/host.js';
import { openPage, type Person } from '../../support/person.js';
import { notesOf } from '../../support/in-english.js';
import type { Card } from '../../../src/main/protocol/index.js';

const TOOL = 'execute_shell_command';
const missing = await createSandbox().missing();
if (missing !== null) console.log(`skipped: no sandbox on this machine (${missing})`);

describe.skipIf(missing !== null)('[req:CR-10] a command in a sandbox', () => {
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

  async function run(
    script: string,
    more: Record<string, unknown> = {},
  ): Promise<{ card: Card; answer: ToolAnswer; stdout: string }> {
    const call = agent.call(TOOL, { command: script, shell: true, sandbox: true, ...more });
    const [answer, card] = await Promise.all([call, person.answer('allow')]);
    expect(answer.isError, answer.text).toBe(false);
    return { card, answer, stdout: String(answer.value['stdout']) };
  }

  test('is asked about as input, says where it runs, and writes the workspace', async () => {
    const { card } = await run('echo made > made.txt');
    expect(card).toMatchObject({ effect: 'input', tool: TOOL });
    expect(notesOf(card)).toContain('It runs in a sandbox: without network, and with this folder’s files only.');
    expect(readFileSync(scene.file('made.txt'), 'utf8')).toBe('made\n');
  });

  test('writes nothing else, nor what Git runs later', async () => {
    const elsewhere = join(tmpdir(), `sandboxed-${process.pid}`);
    const places = [scene.outside, '/usr/local', '/etc', process.env['HOME'] ?? '/root', '/var/tmp', '/opt'];
    await run(
      places.map((place) => `touch ${place}/slipped`).join('; ') +
        `; touch ${elsewhere}; echo x > .git/hooks/pre-commit; echo x >> .git/config; true`,
    );
    for (const place of places) expect(existsSync(join(place, 'slipped')), place).toBe(false);
    expect(existsSync(elsewhere)).toBe(false);
    expect(existsSync(scene.file('.git/hooks/pre-commit'))).toBe(false);
    expect(readFileSync(scene.file('.git/config'), 'utf8')).not.toMatch(/^x$/m);
  });

  test('sees no file of the person but those of the workspace, also behind its links', async () => {
    const { stdout } = await run(
      `cat ${scene.outside}/private.txt link.txt linked/private.txt; ls /home /root /tmp /run /var 2>&1; cat README.md`,
    );
    expect(stdout).not.toContain(SECRET_TEXT);
    expect(stdout).toContain('# Title');
    expect((await run(`ls -A ${process.env['HOME'] ?? '/root'} | wc -l`)).stdout.trim()).toBe('0');
  });

  test('has no network, no process of the person, and no desktop', async () => {
    const server = createServer((_, response) => response.end('reached'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    try {
      const ask = `import urllib.request as u; print(u.urlopen('http://127.0.0.1:${port}', timeout=3).read())`;
      const { answer } = await run(`python3 -c "${ask}"`);
      expect(answer.value['exit_code']).not.toBe(0);
      expect(String(answer.value['stdout'])).not.toContain('reached');
    } finally {
      server.close();
    }
    const { stdout } = await run('ls /proc | grep -c "^[0-9]"; env');
    expect(Number(stdout.split('\n')[0])).toBeLessThan(12);
    expect(stdout).not.toMatch(/^(DISPLAY|DBUS_SESSION_BUS_ADDRESS|SSH_AUTH_SOCK|WAYLAND_DISPLAY)=/m);
  });

  test('loads nothing of the agent’s before it is in there', async () => {
    const source = scene.file('evil.c');
    writeFileSync(
      source,
      `#include <stdio.h>\n__attribute__((constructor)) static void run(void) { FILE *f = fopen("${scene.outside}/slipped", "w"); if (f) fclose(f); }\n`,
    );
    execFileSync('gcc', ['-shared', '-fPIC', '-o', scene.file('evil.so'), source]);
    await run('true', { environment: { LD_PRELOAD: scene.file('evil.so') } });
    expect(existsSync(join(scene.outside, 'slipped'))).toBe(false);
    expect((await run('echo $GIVEN', { environment: { GIVEN: 'a b' } })).stdout).toBe('a b\n');
  });

  test('ends with all it has started, at its time limit', async () => {
    const { answer } = await run('(while :; do date +%s%N > beat; sleep 0.05; done) & sleep 600', { timeout: 1 });
    expect(answer.value['timed_out']).toBe(true);
    const beat = readFileSync(scene.file('beat'), 'utf8');
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(readFileSync(scene.file('beat'), 'utf8')).toBe(beat);
  });

  test('may have a rule, which covers it in the sandbox only', async () => {
    writeFileSync(scene.file('Makefile'), 'test:\n\t@echo made\n');
    const given = { command: 'make', args: ['test'] };
    const [first] = await Promise.all([
      agent.call(TOOL, { ...given, sandbox: true }),
      person.answer('allow', { grant: 'exact' as never }),
    ]);
    expect(first.isError, first.text).toBe(false);
    expect((await agent.call(TOOL, { ...given, sandbox: true })).value).toMatchObject({ stdout: 'made\n' });
    const [, card] = await Promise.all([agent.call(TOOL, given), person.answer('deny')]);
    expect(card.effect).toBe('dangerous');
  });

  test('is refused outside the agent’s folder, and with a desktop', async () => {
    mkdirSync(join(scene.outside, 'x'), { recursive: true });
    const outside = await agent.call(TOOL, { command: 'ls', sandbox: true, working_directory: scene.outside });
    expect(outside.text).toMatch(/DESKTOP_UNSUPPORTED[^]*isn’t inside your own folder[^]*leave out sandbox/);
    for (const more of [{ desktop: true }, { keep_running: true }])
      expect((await agent.call(TOOL, { command: 'ls', sandbox: true, ...more })).text).toContain(
        'DESKTOP_INVALID_REQUEST',
      );
  });
});

test('[req:CR-10] where bubblewrap is not installed, or is not the system’s, there is no sandbox', async () => {
  expect(await createSandbox('/usr/bin/no-such-bwrap', 'linux').missing()).toBe('missing');
  expect(await createSandbox('/usr/bin/bwrap', 'darwin').missing()).toBe('platform');
  expect(await createSandbox('/usr/bin/false', 'linux').missing()).toBe('forbidden');
});
