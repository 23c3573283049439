/** Calls over applications' own buses: only where the application itself listens there. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'dbus-native';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAbortListeners, createDirectConnections } from '../../../src/native/linux/atspi/bus-calls.js';

const APP = { name: ':1.7', pid: 4711 };
let folder: string;
let path: string;
let server: Server;
let sockets: Socket[];
let answers: boolean;

/** An application's own bus, on which nothing but pings is answered. */
function answerPings(socket: Socket): void {
  const connection = createConnection({ stream: socket, server: true });
  connection.on('error', () => {});
  connection.on('message', ({ member, serial }) => {
    if (member === 'Ping') connection.message({ type: 2, serial: 1, replySerial: serial });
  });
}

beforeEach(async () => {
  answers = true;
  folder = mkdtempSync(join(tmpdir(), 'chap-direct-'));
  path = join(folder, 'socket');
  sockets = [];
  server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    if (answers) answerPings(socket);
  });
  await new Promise<void>((resolve) => void server.listen(path, resolve));
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
  rmSync(folder, { recursive: true });
});

function connections(given: { address?: unknown; listener?: number } = {}) {
  const asked: string[] = [];
  const direct = createDirectConnections({
    addressOf: async (name) => {
      asked.push(name);
      return given.address ?? `unix:path=${path}`;
    },
    pidOf: async () => APP.pid,
    peerOf: () => ({ pid: given.listener ?? APP.pid }),
    timeoutMs: answers ? 20_000 : 50,
  });
  return { ...direct, asked };
}

test('an application that listens at the address it gives is called there, and asked for it once [req:DC-1]', async () => {
  const { of, close, asked } = connections();
  const [one, other] = await Promise.all([of(APP.name), of(APP.name)]);
  expect(one).not.toBeNull();
  expect(other).toBe(one);
  expect(await of(APP.name)).toBe(one);
  expect([asked, sockets.length]).toEqual([[APP.name], 1]);
  await close();
  expect(await of(APP.name)).toBeNull();
});

test('another process at that address is not called, nor is any other kind of address used [req:DC-2]', async () => {
  const made = join(folder, 'made');
  const others = [
    { listener: 4712 },
    ...[`unixexec:path=touch,argv1=${made}`, 'tcp:host=localhost,port=1', `unix:path=${path};unixexec:path=touch`, 'unix:path=socket', '', 7].map((address) => ({ address })), // prettier-ignore
    { address: `unix:path=${join(folder, 'none')}` },
  ];
  for (const given of others) {
    const { of, close, asked } = connections(given);
    expect(await of(APP.name), JSON.stringify(given)).toBeNull();
    expect(await of(APP.name)).toBeNull();
    expect(asked).toHaveLength(1);
    await close();
  }
  expect(existsSync(made)).toBe(false);
  const { of, asked } = connections();
  expect(await of('org.a11y.atspi.Registry')).toBeNull();
  expect(asked).toEqual([]);
});

test('an application that does not answer there is not called there', async () => {
  answers = false;
  const { of, close, asked } = connections();
  expect([await of(APP.name), await of(APP.name), asked.length]).toEqual([null, null, 1]);
  await close();
});

test('a call whose application ends meanwhile says that the element is gone, and the next asks anew', async () => {
  const { of, close, asked } = connections();
  const invoke = await of(APP.name);
  if (invoke === null) throw new Error('it was not connected');
  const call = invoke({ bus: APP.name, path: '/one' }, 'org.a11y.atspi.Accessible.GetRole');
  sockets[0]?.destroy();
  await expect(call).rejects.toMatchObject({ code: 'stale' });
  await expect.poll(async () => (await of(APP.name)) === invoke).toBe(false);
  expect(asked).toHaveLength(2);
  await close();
});

test('a call that is aborted ends at once with the reason; others of the same signal are all told', async () => {
  const { of, close } = connections();
  const invoke = await of(APP.name);
  const stop = new AbortController();
  const calls = [1, 2].map(() =>
    invoke?.({ bus: APP.name, path: '/one' }, 'org.a11y.atspi.Accessible.GetRole', { signal: stop.signal }),
  );
  const reason = new Error('enough');
  stop.abort(reason);
  for (const ended of await Promise.allSettled(calls)) expect(ended).toMatchObject({ status: 'rejected', reason });
  await expect(invoke?.({ bus: APP.name, path: '/one' }, 'a.b', { signal: stop.signal })).rejects.toBe(reason);
  const told: string[] = [];
  const [aborts, again] = [createAbortListeners(), new AbortController()];
  const remove = aborts.add(again.signal, () => told.push('removed'));
  aborts.add(again.signal, () => told.push('kept'));
  remove();
  again.abort();
  expect(told).toEqual(['kept']);
  await close();
});
