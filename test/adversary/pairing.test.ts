import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENTRY, openTerminal } from '../support/command.js';
import { openGabp, tokenOf } from '../support/gabp.js';
import { startKillable, type Killable } from '../support/killable.js';
import { gone } from '../support/other.js';
import { openPage } from '../support/person.js';
import { openRpc } from '../support/rpc.js';

/** The host is a process of its own: what it started itself may ask for no link. */
let started: Killable;
beforeEach(async () => {
  started = await startKillable();
});
afterEach(() => started.close());

/** Says hello, then each of the methods in turn, and leaves the last answer in a file. */
const ASK = `
  const [path, token, out, ...methods] = process.argv.slice(1);
  const socket = require('node:net').connect(path);
  let heard = '';
  const ask = (id, method, params) => {
    const body = JSON.stringify({ v: 'gabp/1', id, type: 'request', method, params });
    socket.write('Content-Length: ' + Buffer.byteLength(body) + '\\r\\n\\r\\n' + body);
  };
  const next = (at) => at === methods.length
    ? (require('node:fs').writeFileSync(out, heard), process.exit(0))
    : ask('call-' + at, methods[at], methods[at] === 'tools/call' ? { name: 'screen/list_displays' } : {});
  socket.on('data', (chunk) => {
    const id = /"id":"(hello|call-\\d+)"/;
    heard = String(chunk);
    const [, which = ''] = id.exec(heard) ?? [];
    if (which !== '') next(which === 'hello' ? 0 : Number(which.slice(5)) + 1);
  });
  ask('hello', 'session/hello', { token, bridgeVersion: '1' });
`;

interface Answer {
  result?: { link?: string };
  error?: { data?: { code: string; details: Record<string, unknown> } };
}

/** What a new process of its own session is told: in the person's terminal, in one that a program opened, or without one. */
async function askFrom(where: 'login' | 'terminal' | 'nowhere', methods = ['admin/pair']): Promise<Answer> {
  const out = join(started.workspace, `answer-${Math.random()}`);
  const words = ['-e', ASK, started.host.socketPath, tokenOf(started.home), out, ...methods];
  const quoted = [process.execPath, ...words].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const child = {
    login: () => openTerminal(quoted),
    terminal: () => spawn('script', ['-qec', quoted, '/dev/null'], { stdio: ['pipe', 'ignore', 'ignore'] }),
    nowhere: () => spawn(process.execPath, words, { stdio: 'ignore', detached: true }),
  }[where]();
  await gone(child);
  if (!existsSync(out)) throw new Error('the process got no answer');
  const text = readFileSync(out, 'utf8');
  return JSON.parse(text.slice(text.indexOf('{'))) as Answer;
}

const reasonOf = ({ error }: Answer) => error?.data?.details['reason'];

describe('who may make a pairing link [req:DS-7-16]', () => {
  test('a person at a terminal, with no agent above: the link pairs a page, once', async () => {
    const { result } = await askFrom('login');
    expect(result?.link).toMatch(/^http:\/\/localhost:\d+\/#pair=/);
    const page = await openPage(started.host.url, result?.link);
    expect(page.seen.at(-1)).toMatchObject({ type: expect.any(String) as string });
    page.close();
    await expect(openPage(started.host.url, result?.link)).rejects.toThrow('wrong_code');
  });

  test('a person at a terminal who says yes there; anything else makes no link', async () => {
    const told = async (answer: string): Promise<string> => {
      const command = [process.execPath, ENTRY, 'pair'].map((word) => `'${word}'`).join(' ');
      const env = { PATH: process.env['PATH'] ?? '', CHAPERONE_HOME: started.home };
      const child = openTerminal(command, env);
      let said = '';
      child.stdout.on('data', (chunk) => (said += String(chunk)));
      await expect.poll(() => said).toContain('[y/N]');
      child.stdin.write(`${answer}\n`);
      await gone(child);
      return said;
    };
    for (const answer of ['n', '', 'yep']) expect(await told(answer), answer).not.toContain('#pair=');
    expect(await told('y')).toMatch(/http:\/\/localhost:\d+\/#pair=\S+/);
  });

  test('nobody without a terminal', async () => {
    const answer = await askFrom('nowhere');
    expect(answer.error?.data).toMatchObject({ code: 'DESKTOP_CONFIRM_REQUIRED', details: { reason: 'no_terminal' } });
  });

  test('no child of a connected agent, not at a terminal either, and not when the agent has just hung up', async () => {
    const agent = await openRpc(started.host.socketPath, started.workspace);
    await agent.result('desktop.health');
    expect(reasonOf(await askFrom('nowhere'))).toBe('agent');
    expect(reasonOf(await askFrom('terminal'))).toBe('agent');
    agent.close();
    expect(reasonOf(await askFrom('terminal'))).toBe('agent');
  });

  test('no agent itself, though it runs in a terminal', async () => {
    const answer = await askFrom('login', ['tools/call', 'admin/pair']);
    expect(reasonOf(answer)).toBe('agent');
  });

  test('nobody over desktop.* or the tools, and nothing there allows, resumes or widens [req:DS-6-27]', async () => {
    const rpc = await openRpc(started.host.socketPath, started.workspace);
    const agent = await openGabp(started);
    for (const name of ['pair', 'allow', 'approve', 'resume', 'policy', 'grant', 'unpause']) {
      for (const method of [`admin/${name}`, `desktop.${name}`, `desktop.confirm.${name}`])
        expect(await rpc.error(method)).toMatchObject({ code: 'DESKTOP_INVALID_REQUEST' });
      const answer = await agent.request(`admin/${name}`, { id: name, on: false }).then(
        () => 'done',
        (error: Error) => error.message,
      );
      expect(answer).not.toBe('done');
    }
    rpc.close();
    agent.close();
  });
});
