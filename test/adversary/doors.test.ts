import { request } from 'node:http';
import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Server } from 'node:net';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startHost, type TestHost } from '../support/host.js';
import { LOOPBACK_ONLY, listeningAddresses } from '../support/listening.js';
import { openRpc } from '../support/rpc.js';

let started: TestHost;
beforeEach(async () => {
  started = await startHost();
});
afterEach(() => started.close());

const port = () => Number(new URL(started.host.url).port);

function status(headers: Record<string, string>, path = '/'): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: port(), path, headers, setHost: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('error', reject).end();
  });
}

/** `open`, or the status it was refused with. */
function upgrade(headers: Record<string, string>, path = '/ws'): Promise<string> {
  const socket = new WebSocket(`ws://127.0.0.1:${port()}${path}`, { headers });
  return new Promise((resolve) => {
    socket.on('open', () => {
      socket.terminate();
      resolve('open');
    });
    socket.on('unexpected-response', (asked, response) => {
      resolve(String(response.statusCode));
      asked.destroy();
    });
    socket.on('error', () => undefined);
  });
}

const FORGED_HOSTS = (at: number) => [
  'evil.example',
  `evil.example:${at}`,
  `localhost.evil.example:${at}`,
  `localhost.:${at}`,
  `127.0.0.1.nip.io:${at}`,
  `127.0.0.2:${at}`,
  `0.0.0.0:${at}`,
  `[::ffff:127.0.0.1]:${at}`,
  `localhost:${at + 1}`,
  'localhost',
  `LOCALHOST:${at}`,
  `user@localhost:${at}`,
];

describe('the page’s port [req:DS-7-10]', () => {
  test('answers to its own names only', async () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]'])
      expect(await status({ host: `${host}:${port()}` })).not.toBe(403);
    for (const host of FORGED_HOSTS(port())) expect([host, await status({ host })]).toEqual([host, 403]);
    expect(await status({ host: `localhost:${port()}`, origin: 'http://evil.example' })).toBe(403);
    expect(await status({ host: `localhost:${port()}`, origin: 'null' })).toBe(403);
  });

  test('opens no WebSocket for another site, another name or no origin', async () => {
    const own = `localhost:${port()}`;
    expect(await upgrade({ host: own, origin: `http://${own}` })).toBe('open');
    for (const origin of [
      'http://evil.example',
      `https://${own}`,
      `http://127.0.0.1:${port()}`,
      `http://localhost:${port() + 1}`,
      `http://${own}/`,
      `http://${own}.evil.example`,
      'null',
      'file://',
      'chrome-extension://abcdefghijklmnop',
    ])
      expect([origin, await upgrade({ host: own, origin })]).toEqual([origin, '403']);
    expect(await upgrade({ host: own })).toBe('403');
    for (const host of FORGED_HOSTS(port()))
      expect([host, await upgrade({ host, origin: `http://${host}` })]).toEqual([host, '403']);
    expect(await upgrade({ host: own, origin: `http://${own}` }, '/other')).toBe('404');
  });

  test('is open to a person while somebody holds a thousand idle connections to it', async () => {
    const idle = Array.from({ length: 1000 }, () => connect(port(), '127.0.0.1').on('error', () => undefined));
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    expect(await status({ host: `127.0.0.1:${port()}` })).not.toBe(403);
    for (const socket of idle) socket.destroy();
  });

  test('is on loopback and nowhere else [req:DS-7-9]', () => {
    expect(listeningAddresses(port())).toEqual(LOOPBACK_ONLY);
  });
});

async function occupy(host: string, at: number): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  server.listen({ host, port: at, ipv6Only: host === '::1' });
  await once(server, 'listening');
  return server;
}

describe('what another program took before us', () => {
  test('[::1] taken on the wanted port is an error that names it, and another port is owned on both', async () => {
    const squatter = await occupy('::1', 0);
    const { port: taken } = squatter.address() as AddressInfo;
    await started.host.close();
    await expect(startHost({ port: taken })).rejects.toMatchObject({ address: '::1', error: 'EADDRINUSE' });
    await started.restart();
    expect(port()).not.toBe(taken);
    squatter.close();
  });

  test('the last port, half taken, is not used again', async () => {
    const before = port();
    await started.host.close();
    const squatter = await occupy('::1', before);
    await started.restart();
    expect(port()).not.toBe(before);
    squatter.close();
  });

  test('a link or a live listener where the socket goes is refused and left alone [req:DS-3-18]', async () => {
    const { socketPath } = started.host;
    await started.host.close();
    const squatter = createServer((socket) => socket.destroy());
    squatter.listen(socketPath);
    await once(squatter, 'listening');
    await expect(started.restart()).rejects.toThrow(/listens on/);
    const probe = connect(socketPath);
    await once(probe, 'connect');
    probe.destroy();
    await new Promise((resolve) => squatter.close(resolve));

    const elsewhere = join(started.workspace, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(join(elsewhere, 'there.sock'), socketPath);
    await expect(started.restart()).rejects.toThrow();
    rmSync(socketPath);
    await started.restart();
    const rpc = await openRpc(started.host.socketPath, started.workspace);
    expect(await rpc.result('desktop.health')).toMatchObject({ bridge: { schemaVersion: 1 } });
    rpc.close();
  });
});
