/** Links made behind a person's back: by approved commands, and by what a connected agent leaves behind. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { startAgent } from '../support/agent.js';
import { ENTRY, openTerminal } from '../support/command.js';
import { eventually } from '../support/eventually.js';
import { tokenOf } from '../support/gabp.js';
import { startKillable, type Killable } from '../support/killable.js';
import { gone } from '../support/other.js';
import { openPage, settle, type Person } from '../support/person.js';
import { notesOf } from '../support/in-english.js';

const WS = fileURLToPath(new URL('../../node_modules/ws/wrapper.mjs', import.meta.url));
const NODE = process.execPath;
const LINK = /http:\/\/localhost:\d+\/#pair=[\w-]+/;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(more: string[] = []): Promise<Killable> {
  const started = await startKillable(more);
  closing.push(() => started.close());
  return started;
}

async function page(started: Killable, link?: string): Promise<Person> {
  const opened = await openPage(started.host.url, link);
  closing.push(() => opened.close());
  return opened;
}

const quoted = (words: string[]) => words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
const pairCommand = ({ home }: Killable) => quoted(['env', `CHAPERONE_HOME=${home}`, NODE, ENTRY, 'pair']);

/** A person's terminal: no agent and no host above it. Resolves with what it showed. */
async function personsTerminal(started: Killable): Promise<string> {
  const terminal = openTerminal(pairCommand(started));
  let shown = '';
  terminal.stdout.on('data', (chunk) => (shown += String(chunk)));
  terminal.stdin.write('y\n');
  await gone(terminal);
  return shown;
}

const linkIn = (text: string) => LINK.exec(text)?.[0];

/** The card for the new page, and the new page, which waits. */
async function askFor(started: Killable, paired: Person) {
  const link = linkIn(await personsTerminal(started));
  expect(link).toBeDefined();
  const opening = openPage(started.host.url, link);
  opening.catch(() => undefined);
  const { approval } = await paired.next('approvalRequested', ({ approval: { tool } }) => tool === 'pair_page');
  return { approval, opening };
}

async function command(started: Killable, script: string, paired: Person) {
  const agent = await startAgent(started.home, { cwd: started.workspace });
  closing.push(() => agent.close());
  const [answer] = await Promise.all([
    agent.call('execute_shell_command', { command: script, shell: true, stdin: 'y\n' }),
    paired.answer('allow'),
  ]);
  return answer;
}

describe('an approved command', () => {
  test.each([
    ['in a terminal of its own', (inner: string) => `script -qec ${quoted([inner])} /dev/null`],
    [
      'that forks away and clears its environment',
      (inner: string) => `echo y | setsid -w env -i PATH="$PATH" script -qec ${quoted([inner])} /dev/null`,
    ],
  ])('gets no link, %s [req:PW-1]', async (_how, wrap) => {
    const started = await start();
    const paired = await page(started, started.host.link);
    const { value, text } = await command(started, wrap(pairCommand(started)), paired);
    expect(String(value['stdout'])).toMatch(/Only the person may do this/);
    expect(text).not.toMatch(LINK);
  });

  test('cannot redeem a link that was meant for the person [req:PW-2]', async () => {
    const started = await start(['--policy', 'unattended']);
    const agent = await startAgent(started.home, { cwd: started.workspace });
    closing.push(() => agent.close());
    const thief = join(started.workspace, 'thief.mjs');
    const code = new URL(started.host.link).hash.slice('#pair='.length);
    writeFileSync(thief, THIEF);
    const { value } = await agent.call('execute_shell_command', {
      command: quoted([NODE, thief, started.host.url, code]),
      shell: true,
    });
    expect(JSON.parse(String(value['stdout']))).toMatchObject({ type: 'error', code: 'pairing_not_here' });
  });
});

const THIEF = `
  import { WebSocket } from ${JSON.stringify(WS)};
  const [url, code] = process.argv.slice(2);
  const host = new URL(url).host;
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  const { x, y } = await crypto.subtle.exportKey('jwk', keys.publicKey);
  const socket = new WebSocket('ws://' + host + '/ws', { headers: { origin: 'http://' + host } });
  socket.on('open', () => socket.send(JSON.stringify({ type: 'pair', code, publicKey: { kty: 'EC', crv: 'P-256', x, y } })));
  socket.on('message', (data) => {
    const message = JSON.parse(data);
    if (!['error', 'paired', 'pairingWaits'].includes(message.type)) return;
    console.log(JSON.stringify(message));
    process.exit(0);
  });
`;

/** Connects as an agent does, calls one tool, then starts a script and ends, or stays. */
const AGENT = `
  const [path, token, script, stay] = process.argv.slice(1);
  const socket = require('node:net').connect(path);
  const ask = (id, method, params) => {
    const body = JSON.stringify({ v: 'gabp/1', id, type: 'request', method, params });
    socket.write('Content-Length: ' + Buffer.byteLength(body) + '\\r\\n\\r\\n' + body);
  };
  socket.on('data', (chunk) => {
    if (String(chunk).includes('"id":"hello"')) ask('call', 'tools/call', { name: 'screen/list_displays' });
    if (!String(chunk).includes('"id":"call"')) return;
    require('node:child_process').spawnSync('sh', ['-c', script], { stdio: 'ignore' });
    if (stay !== 'stay') process.exit(0);
  });
  ask('hello', 'session/hello', { token, bridgeVersion: '1' });
`;

describe('what a connected agent leaves behind', () => {
  test.each([
    ['while the agent stays', 'stay', 'env'],
    ['when the agent has gone', 'go', 'env'],
    ['with a cleared environment', 'stay', 'env -i PATH="$PATH"'],
  ])('gets no link, %s [req:PW-3]', async (_how, stay, env) => {
    const started = await start();
    const out = join(started.workspace, 'shown');
    const script = `echo y | setsid -f ${env} script -qec ${quoted([`${pairCommand(started)}; echo ended`])} /dev/null > ${quoted([out])} 2>&1`;
    const words = ['-e', AGENT, started.host.socketPath, tokenOf(started.home), script, stay];
    const agent = spawn(NODE, words, { stdio: 'ignore' });
    closing.push(() => agent.kill('SIGKILL'));
    const shown = () => (existsSync(out) ? readFileSync(out, 'utf8') : '');
    await eventually(shown).toContain('ended');
    expect(shown()).toMatch(/Only the person may do this/);
    expect(shown()).not.toMatch(LINK);
  });

  test('does not keep a person from pairing in a terminal of their own', async () => {
    const started = await start();
    const words = ['-e', AGENT, started.host.socketPath, tokenOf(started.home), 'true', 'stay'];
    const agent = spawn(NODE, words, { stdio: 'ignore' });
    closing.push(() => agent.kill('SIGKILL'));
    expect(linkIn(await personsTerminal(started))).toBeDefined();
  });
});

describe('once a page is paired', () => {
  test.each(['standard', 'unattended', 'readonly'])(
    'the page of a new link is paired only when a person confirms it, under the policy %s [req:PW-4]',
    async (policy) => {
      const started = await start(['--policy', policy]);
      const paired = await page(started, started.host.link);
      const { approval, opening } = await askFor(started, paired);
      expect(approval).toMatchObject({
        effect: 'dangerous',
        grants: [],
        subject: { title: { code: 'title.pair_page' } },
      });
      const told = JSON.stringify(approval);
      expect(told).toContain(ENTRY);
      expect(approval.agent).toMatchObject({ executable: NODE, cwd: process.cwd() });
      expect(notesOf(approval).join(' ')).toContain(`process ${process.pid}`);
      await settle(paired, approval, 'allow');
      const later = await opening;
      closing.push(() => later.close());
      expect((await later.next('pairings')).pairings).toHaveLength(2);
    },
  );

  test('a denial is told to the new page, and its link works no more [req:PW-5]', async () => {
    const started = await start();
    const paired = await page(started, started.host.link);
    const { approval, opening } = await askFor(started, paired);
    await settle(paired, approval, 'deny');
    await expect(opening).rejects.toThrow('pairing_denied');
    expect((await paired.next('pairings')).pairings).toHaveLength(1);
  });

  test('three denials pause nobody, and the request goes with its page [req:PW-5]', async () => {
    const started = await start();
    const paired = await page(started, started.host.link);
    for (let n = 0; n < 3; n += 1) {
      const { approval, opening } = await askFor(started, paired);
      await settle(paired, approval, 'deny');
      await expect(opening).rejects.toThrow('pairing_denied');
    }
    expect(paired.seen.filter((one) => one.type === 'status').at(-1)?.status.away ?? []).toEqual([]);
  });

  test('what happened is in the record, which verifies [req:PW-6]', async () => {
    const started = await start();
    const paired = await page(started, started.host.link);
    const { approval, opening } = await askFor(started, paired);
    await settle(paired, approval, 'allow');
    (await opening).close();
    const lines = readFileSync(join(started.home, 'state', 'audit.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ kind }) => kind === 'pairing'); // prettier-ignore
    expect(events.map(({ event, link }) => `${String(event)} ${String(link)}`)).toEqual([
      'paired terminal',
      'asked cli',
      'paired cli',
    ]);
    expect(events.at(-1)).toMatchObject({ askedBy: { executable: NODE }, browser: { pid: process.pid }, decision: { where: 'page' } }); // prettier-ignore
    const { code } = await started.command.run(['evidence', 'verify']);
    expect(code).toBe(0);
  });
});
