import { createServer as createHttp, request, type IncomingHttpHeaders, type Server } from 'node:http';
import { connect, createServer } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { listenHttp, type HttpOptions, type UpgradeInfo } from '../../src/main/transport/http.js';
import { bindLoopback, PortUnavailableError } from '../../src/main/transport/loopback.js';
import { createCleanup } from './support.js';
import { waitFor } from '../support/eventually.js';

const cleanup = createCleanup();

async function listen(over: Partial<HttpOptions> = {}) {
  const upgrades: UpgradeInfo[] = [];
  const listener = await listenHttp({
    handler: (_, response) => void response.end('hello'),
    onUpgrade: (_request, socket, _head, info) => {
      upgrades.push(info);
      socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
    },
    ...over,
  });
  return { ...cleanup.later(listener), upgrades };
}

function hold(host: string, port = 0): Promise<number> {
  const server = createServer();
  cleanup.after(() => new Promise((resolve) => server.close(resolve)));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, ipv6Only: true }, () => {
      const bound = server.address();
      resolve(typeof bound === 'object' ? (bound?.port ?? 0) : 0);
    });
  });
}

function get(
  port: number,
  address: string,
  headers: Record<string, string>,
): Promise<{ status: number | undefined; headers: IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: address, port, headers, setHost: false, agent: false }, (response) => {
      response.resume();
      resolve({ status: response.statusCode, headers: response.headers });
    });
    sent.on('error', reject).end();
  });
}

/** Status line of whatever answers these exact bytes. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    cleanup.after(() => socket.destroy());
    socket.on('error', reject).on('close', () => resolve(answer));
    socket.on('data', (chunk) => {
      answer += String(chunk);
      if (answer.includes('\r\n')) resolve(answer.split('\r\n')[0] ?? '');
    });
  });
}

describe('the port', () => {
  it('is the same on both loopback addresses, owned before it resolves', async () => {
    const { port, url, ipv6 } = await listen();
    expect(url).toBe(`http://localhost:${port}`);
    expect(ipv6).toBe(true);
    expect((await get(port, '127.0.0.1', { host: `127.0.0.1:${port}` })).status).toBe(200);
    expect((await get(port, '::1', { host: `[::1]:${port}` })).status).toBe(200);
    await expect(hold('::1', port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await expect(hold('127.0.0.1', port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('is refused when demanded while someone holds it on ::1, and nothing stays bound', async () => {
    const port = await hold('::1');
    await expect(listen({ port })).rejects.toMatchObject({ name: 'PortUnavailableError', port, address: '::1' });
    await hold('127.0.0.1', port);
  });

  it('is refused when demanded while someone holds it on 127.0.0.1', async () => {
    const port = await hold('127.0.0.1');
    await expect(listen({ port })).rejects.toBeInstanceOf(PortUnavailableError);
  });

  it('is another when only preferred and held on ::1', async () => {
    const preferPort = await hold('::1');
    const { port } = await listen({ preferPort });
    expect(port).not.toBe(preferPort);
  });

  it('is the preferred one when free, again after a close', async () => {
    const first = await listen();
    await first.close();
    expect((await listen({ preferPort: first.port })).port).toBe(first.port);
  });

  it('is held on 127.0.0.1 alone where the machine has no ::1', async () => {
    const servers: Server[] = [];
    const create = (): Server => {
      const server = createHttp();
      servers.push(server);
      if (servers.length === 2) {
        vi.spyOn(server, 'listen').mockImplementation(() => {
          queueMicrotask(() => server.emit('error', Object.assign(new Error('none'), { code: 'EADDRNOTAVAIL' })));
          return server;
        });
      }
      return server;
    };
    const bound = await bindLoopback(create, 0);
    cleanup.after(() => new Promise((resolve) => bound.servers[0]?.close(resolve)));
    expect(bound.servers).toEqual([servers[0]]);
  });
});

describe('Host and Origin', () => {
  it('lets our own three names through, without Origin or with exactly theirs', async () => {
    const { port } = await listen();
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect((await get(port, '127.0.0.1', { host })).status).toBe(200);
      expect((await get(port, '127.0.0.1', { host, origin: `http://${host}` })).status).toBe(200);
    }
  });

  it('refuses every other Host', async () => {
    const { port } = await listen();
    const other = port === 65535 ? port - 1 : port + 1;
    const hosts = ['evil.example', `evil.example:${port}`, 'localhost', `localhost:${other}`, `LOCALHOST:${port}`, `localhost:${port}.evil.example`, `localhost.evil.example:${port}`, `0.0.0.0:${port}`, `127.1:${port}`, `127.0.0.1:0${port}`, `user@localhost:${port}`, `localhost:${port}, evil`, '']; // prettier-ignore
    for (const host of hosts) expect([host, (await get(port, '127.0.0.1', { host })).status]).toEqual([host, 403]);
    expect(await raw(port, 'GET / HTTP/1.0\r\n\r\n')).toContain(' 403 ');
    expect(await raw(port, 'GET / HTTP/1.1\r\n\r\n')).toContain(' 400 ');
    expect(await raw(port, `GET / HTTP/1.1\r\nHost: localhost:${port}\r\nHost: evil.example\r\n\r\n`)).toMatch(
      / 40[03] /,
    );
    expect(await raw(port, `GET http://evil.example/ HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`)).toContain(' 400 ');
  });

  it('refuses every other Origin, also those that are ours under another name', async () => {
    const { port } = await listen();
    const host = `localhost:${port}`;
    const origins = ['null', 'http://evil.example', `https://${host}`, `http://127.0.0.1:${port}`, 'http://localhost', `http://${host}/`, `http://${host}.evil.example`, `HTTP://${host}`, `http://${host} http://evil.example`]; // prettier-ignore
    for (const origin of origins)
      expect([origin, (await get(port, '127.0.0.1', { host, origin })).status]).toEqual([origin, 403]);
    const twice = `GET / HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nOrigin: http://evil.example\r\n\r\n`;
    expect(await raw(port, twice)).toContain(' 403 ');
  });

  it('wants an Origin on an upgrade, and tells who is there', async () => {
    const { port, upgrades } = await listen();
    const host = `localhost:${port}`;
    const upgrade = (headers: string): string =>
      `GET /ws HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n\r\n`;
    expect(await raw(port, upgrade(`Host: ${host}`))).toContain(' 403 ');
    expect(await raw(port, upgrade(`Host: ${host}\r\nOrigin: http://evil.example`))).toContain(' 403 ');
    expect(await raw(port, upgrade(`Host: evil.example\r\nOrigin: http://evil.example`))).toContain(' 403 ');
    expect(upgrades).toEqual([]);
    expect(await raw(port, upgrade(`Host: ${host}\r\nOrigin: http://${host}`))).toContain(' 101 ');
    expect(upgrades).toEqual([
      {
        host,
        origin: `http://${host}`,
        local: { address: '127.0.0.1', port },
        remote: { address: '127.0.0.1', port: expect.any(Number) },
      },
    ]);
  });
});

it('refuses endless headers', async () => {
  const { port } = await listen();
  expect(await raw(port, `GET / HTTP/1.1\r\nHost: localhost:${port}\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`)).toContain(
    ' 431 ',
  );
});

it('closes at once, whoever is connected', async () => {
  const { port, close } = await listen({ onUpgrade: () => undefined });
  const socket = connect(port, '127.0.0.1');
  cleanup.after(() => socket.destroy());
  socket.on('error', () => undefined).resume();
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(
    `GET / HTTP/1.1\r\nHost: localhost:${port}\r\nOrigin: http://localhost:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  );
  await close();
  await waitFor(() => expect(socket.destroyed).toBe(true));
});
