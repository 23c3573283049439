import { mkdir } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reveal } from '../../src/main/protocol/reveal.js';
import { openGabp } from '../support/gabp.js';
import { connectAs } from '../support/other.js';
import { CONFIRM, MAIL, startScene, type Scene } from '../support/world.js';

let scene: Scene;
beforeEach(async () => {
  scene = await startScene();
});
afterEach(() => scene.close());

const RLO = '\u202e';
const ISOLATE = '\u2066';
const ZERO = '\u200b';
const TAG = '\u{e0041}';
const ESCAPE = '\u001b[2J\u001b]0;title\u0007';
const SPACES = ' '.repeat(5000);
const CYRILLIC = 'p\u0430ypal';
const HOSTILE = `ok${RLO}${ISOLATE}${ZERO}${TAG}${ESCAPE}${SPACES}rm -rf ~ ${CYRILLIC} <img src=x onerror=alert(1)>`;

/** Control characters are never typed. */
const TYPED = HOSTILE.replaceAll(ESCAPE, '');

/** What the page marks; everything it was sent is in one of the segments. */
function marksOf(text: string): string[] {
  const { segments } = reveal(text);
  expect(segments.map((segment) => segment.text).join('')).toBe(text);
  return [...new Set(segments.map(({ kind }) => kind))].sort();
}

const ALL = ['bidi', 'control', 'mixed_script', 'spaces', 'text', 'zero_width'];

describe('hostile text reaches the person whole, as data, and marked [req:DS-6-19]', () => {
  test('typed text and a selector, on the card', async () => {
    const typing = scene.rpc.call('desktop.typeText', {
      route: MAIL,
      target: { selector: { byRole: 'AXTextArea' } },
      text: TYPED,
      confirm: { ...CONFIRM, approver: HOSTILE.slice(0, 400) },
    });
    const card = await scene.person.answer('deny');
    expect(card.text).toBe(TYPED);
    expect(card.arguments).toMatchObject({ text: TYPED });
    expect(JSON.stringify(card)).not.toContain('approver');
    expect(marksOf(card.text ?? '')).toEqual(ALL.filter((kind) => kind !== 'control'));
    expect((await typing).error).toMatchObject({ code: 'DESKTOP_CONFIRM_REQUIRED' });

    scene.world.change(scene.world.find('send') ?? '', { title: HOSTILE.slice(0, 60) });
    const clicking = scene.rpc.call('desktop.click', {
      route: MAIL,
      target: { selector: { byRole: 'AXButton', titleContains: HOSTILE.slice(0, 20) } },
      confirm: CONFIRM,
    });
    const second = await scene.person.answer('deny');
    expect(second.subject.target).toBe(HOSTILE.slice(0, 60));
    expect(marksOf(second.subject.target ?? '')).toContain('bidi');
    expect((await clicking).error).toMatchObject({ details: { reason: 'denied' } });
  });

  test('a window’s title, an address and what is said with Deny come back as they are', async () => {
    const windows = await scene.desktop.windows(AbortSignal.timeout(5000));
    const mail = windows.find(({ title }) => title === 'New Message');
    // The longest title that is not cut.
    const title = HOSTILE.replace(SPACES, SPACES.slice(0, 3_900));
    scene.world.retitleWindow(mail?.id ?? '', title);
    const typing = scene.rpc.call('desktop.typeText', {
      route: MAIL,
      target: { selector: { byRole: 'AXTextArea' } },
      text: 'x',
      confirm: CONFIRM,
    });
    const card = await scene.person.answer('deny', { message: HOSTILE.slice(0, 300) });
    expect(card.window).toBe(title);
    const { error } = await typing;
    expect(error?.details).toMatchObject({ message: HOSTILE.slice(0, 300) });
  });

  test('a message, its quick replies and what a client calls itself', async () => {
    const other = connectAs({ path: scene.host.socketPath });
    const agent = await openGabp(scene, { name: HOSTILE, stream: other.stream });
    const asking = agent.tool('send_message', { text: HOSTILE, quick_replies: [HOSTILE.slice(0, 200)] });
    const asked = await scene.person.next('agentMessage');
    expect(asked).toMatchObject({ text: HOSTILE, quickReplies: [HOSTILE.slice(0, 200)] });
    expect(asked.agent.name).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    const { status } = await scene.person.next('status', (one) =>
      one.status.agents.some(({ pid }) => pid === other.pid),
    );
    const shown = status.agents.find(({ pid }) => pid === other.pid);
    expect(shown?.claim?.length).toBeLessThanOrEqual(300);
    expect(marksOf(shown?.claim ?? '')).toEqual(expect.arrayContaining(['bidi', 'zero_width']));
    scene.person.send({ type: 'ack', id: asked.ack_id, message: HOSTILE });
    expect((await asking).structuredContent).toMatchObject({ reply: HOSTILE });
    agent.close();
    await other.close();
  });

  test('the folder an agent stands in', async () => {
    const folder = join(scene.workspace, `a${RLO}${ESCAPE.replaceAll('/', '')}b`);
    await mkdir(folder);
    const [agent, child] = await agentIn(folder);
    const call = agent.tool('click', { x: 300, y: 300 });
    const card = await scene.person.answer('deny');
    expect(card.agent.cwd).toBe(folder);
    expect(marksOf(card.agent.cwd ?? '')).toEqual(expect.arrayContaining(['bidi', 'control']));
    await call;
    agent.close();
    child.kill('SIGKILL');
  });

  async function agentIn(cwd: string) {
    const { Duplex } = await import('node:stream');
    const relay = `const s=require('node:net').connect(${JSON.stringify(scene.host.socketPath)});process.stdin.pipe(s);s.pipe(process.stdout)`;
    const child = spawn(process.execPath, ['-e', relay], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
    const agent = await openGabp(scene, { stream: Duplex.from({ readable: child.stdout, writable: child.stdin }) });
    return [agent, child] as const;
  }
});
