import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createChat, type Chat } from '../../src/main/chat/index.js';
import type { Agent } from '../../src/main/protocol/index.js';

export const silent = pino({ level: 'silent' });

export function tempFile(name: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'chaperone-chat-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, name);
}

/** A clock that moves only when told. */
export function clock(start = Date.parse('2026-01-01T00:00:00Z')) {
  let at = start;
  return { now: () => at, advance: (ms: number) => void (at += ms) };
}

export function agent(id: string): Agent {
  return {
    id,
    name: `Agent ${id}`,
    tile: 'AG',
    claim: null,
    executable: `/usr/bin/${id}`,
    script: null,
    pid: 1,
    startTime: '1',
    cwd: '/home/p',
  };
}

/** A chat on a file; opening another on the same file without closing this one is a host that was killed. */
export async function openChat(file = tempFile('chat.jsonl'), now = clock().now): Promise<Chat> {
  const chat = await createChat({ file, now, log: silent });
  onTestFinished(() => chat.close());
  return chat;
}

interface Asking {
  callId: string;
  ackId: string;
  reply: ReturnType<Chat['ask']>;
  controller: AbortController;
}

/** Asks and returns once the question is put; `ackId` is '' when a stored answer came at once. */
export async function ask(
  chat: Chat,
  agentId: string,
  callId: string,
  text: string,
  quickReplies: string[] = [],
): Promise<Asking> {
  const controller = new AbortController();
  let ackId = '';
  const reply = chat.ask(
    { callId, agent: agent(agentId), text, quickReplies },
    (id) => (ackId = id),
    controller.signal,
  );
  reply.catch(() => {});
  await Promise.resolve();
  return { callId, ackId, reply, controller };
}
