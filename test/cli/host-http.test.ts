/** `chaperone host --http` as a person starts it: what it prints, what doctor says, and what it says of a port it cannot have. */
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHome, type Home, type Running } from '../support/command.js';
import { eventually } from '../support/eventually.js';

let home: Home;
beforeEach(() => {
  home = createHome();
});
afterEach(() => home.close());

const LINE = /^MCP over HTTP at (http:\/\/localhost:(\d+)\/mcp), with the token in (\S+)$/m;

async function start(args: string[]): Promise<{ host: Running; url: string; port: string; tokenFile: string }> {
  const host = home.start(['host', ...args]);
  await eventually(() => LINE.test(host.stdout()) || host.child.exitCode !== null).toBe(true);
  const [, url = '', port = '', tokenFile = ''] = LINE.exec(host.stdout()) ?? [];
  expect({ url, stderr: host.stderr() }).toEqual({ url: expect.stringContaining('http'), stderr: '' });
  return { host, url, port, tokenFile };
}

async function toolsAt(url: string, token: string): Promise<string[]> {
  const client = new Client({ name: 'a-client', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

interface Doctor {
  findings: { name: string; ok: boolean; seen: string }[];
}
const doors = async (): Promise<Doctor['findings']> => {
  const { findings } = JSON.parse((await home.type(['doctor', '--json'])).stdout) as Doctor;
  return findings.filter(({ name }) => name === 'door');
};

describe('a host with --http', () => {
  it('prints address and token file, serves a client that has both, and doctor names the door [req:MH-5]', async () => {
    const { host, url, tokenFile } = await start(['--http', '0']);
    const token = readFileSync(tokenFile, 'utf8').trim();
    expect(host.stdout()).not.toContain(token);

    const seen = `MCP over HTTP is open at ${url}, to programs that have its token`;
    expect(await doors()).toEqual([expect.objectContaining({ ok: true, seen })]);
    const { code, stdout } = await home.type(['doctor']);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`\nok  door: ${seen}\n`)]);
    expect(stdout).not.toContain(token);

    // From here on this process is an agent.
    expect(await toolsAt(url, token)).toContain('list_windows');
    await expect(toolsAt(url, 'x')).rejects.toThrow('token is missing or wrong');

    host.child.kill('SIGTERM');
    expect(await host.ended).toMatchObject({ code: 0, signal: null });
    await expect(fetch(url)).rejects.toThrow();
  });

  it('is told by npm start too, before the link', async () => {
    const { host, url } = await start(['--start', '--http', '0']);
    await eventually(() => host.stdout()).toContain('#pair=');
    expect(host.stdout()).toMatch(/^MCP over HTTP at [^\n]*\nChaperone is running; [^\n]*\n\S+#pair=\S+\n$/);
    expect(host.stdout()).toContain(url);
  });

  it('has the port that was asked for', async () => {
    const server = createServer().listen({ host: 'localhost', port: 0 });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect(await start(['--http', String(port)])).toMatchObject({ url: `http://localhost:${port}/mcp` });
  });

  it('is not open where it was not asked for, and doctor names none', async () => {
    const host = home.start(['host']);
    await eventually(() => host.stdout()).toMatch(/^http\S+\n$/);
    expect(await doors()).toEqual([]);
    expect(host.stdout()).toMatch(/^http:\/\/localhost:\d+\n$/);
  });
});

describe('a port that cannot be', () => {
  it.each(['x', '65536', '1.5', '0x1F', '7866 ', '+1', '1e3', ''])('“%s” is no number of one', async (port) => {
    const text = `--http must be a whole number from 0 to 65535, not "${port}".\n`;
    expect(await home.run(['host', '--http', port])).toEqual({ code: 2, signal: null, stdout: '', stderr: text });
    expect(await home.run(['host', `--http=${port}`])).toMatchObject({ code: 2, stderr: text });
    expect(home.hosts()).toEqual([]);
  });

  it('a negative one is refused too', async () => {
    expect(await home.run(['host', '--http', '-1'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('-1'),
    });
    expect(await home.run(['host', '--http=-1'])).toMatchObject({
      code: 2,
      stderr: '--http must be a whole number from 0 to 65535, not "-1".\n',
    });
  });

  it('a host in the background takes none', async () => {
    mkdirSync(join(home.path, 'state'), { mode: 0o700 });
    const ended = await home.run(['host', '--background', '--http', '0']);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--http') });
  });

  it.each(['127.0.0.1', '::1'])(
    'one in use on %s is told with the option that mends it, and no host stays',
    async (address) => {
      const taken = createServer((socket) => socket.destroy()).listen({ host: address, port: 0 });
      await once(taken, 'listening');
      const { port } = taken.address() as AddressInfo;
      const ended = await home.run(['host', '--http', String(port)]);
      expect(ended).toMatchObject({ code: 1, stdout: '' });
      expect(ended.stderr).toBe(
        `Port ${port} cannot be used for MCP over HTTP: ${address} answers EADDRINUSE. Another program uses it; choose another with --http PORT, and give that to your clients.\n`,
      );
      expect(home.hosts()).toEqual([]);
      taken.close();
      await start(['--http', String(port)]);
    },
  );

  it('nor can a token file that holds none', async () => {
    const { host, tokenFile } = await start(['--http', '0']);
    host.child.kill('SIGTERM');
    await host.ended;
    writeFileSync(tokenFile, 'mine\n');
    const ended = await home.run(['host', '--http', '0']);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain(`${tokenFile} holds no token. Remove it and start the host again`);
    expect(ended.stderr).not.toMatch(/\n\s+at /);
    rmSync(tokenFile);
    await start(['--http', '0']);
    expect(readFileSync(join(home.path, 'state', 'http-token'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
  });
});
