import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConnectError, connectUnix } from '../../src/main/transport/client.js';
import { record, self } from './support.js';
import { createSockets, staleSocket } from './unix-support.js';
import { waitFor } from '../support/eventually.js';

const { cleanup, processes, listen, rawServer } = createSockets();

describe('connectUnix', () => {
  it('talks to the host it was told of', async () => {
    const path = join(cleanup.folder(), 's');
    const { arrived } = await listen(path);
    const { transport, peer } = await connectUnix({ path, expectPid: process.pid, processes });
    cleanup.after(() => transport.close());
    expect(peer.pid).toBe(process.pid);
    await transport.send({ hello: 1 });
    const [first] = arrived;
    const seen = first === undefined ? null : record(first.transport);
    await waitFor(() => expect(seen?.messages).toEqual([{ hello: 1 }]));
  });

  const reasonOf = async (options: Parameters<typeof connectUnix>[0]): Promise<unknown> =>
    connectUnix(options).then(
      ({ transport }) => transport.close(),
      (error: unknown) => (error instanceof ConnectError ? error.reason : error),
    );

  it('says that nobody is there: no folder, no socket, a dead socket', async () => {
    const base = cleanup.folder();
    expect(await reasonOf({ path: join(base, 'none', 's'), processes })).toBe('absent');
    expect(await reasonOf({ path: join(base, 's'), processes })).toBe('absent');
    const dead = join(base, 'run', 's');
    await staleSocket(dead);
    chmodSync(dead, 0o600);
    expect(await reasonOf({ path: dead, processes })).toBe('absent');
  });

  it('reports an impostor and sends it nothing', async () => {
    const path = join(cleanup.folder(), 's');
    const server = await rawServer(path);
    chmodSync(path, 0o600);
    const received: unknown[] = [];
    server.on('connection', (socket) => socket.on('data', (chunk) => received.push(chunk)));
    const failure = await connectUnix({ path, expectPid: 1, processes }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: 'impostor', message: expect.stringContaining(`Process ${process.pid}`) });
    expect(received).toEqual([]);
  });

  it('reports a listener of another user, and one the kernel will not name', async () => {
    const path = join(cleanup.folder(), 's');
    await listen(path);
    expect(await reasonOf({ path, processes: { peerOf: () => self({ uid: 12345 }) } })).toBe('impostor');
    const peerOf = (): never => {
      throw new Error('no');
    };
    expect(await reasonOf({ path, processes: { peerOf } })).toBe('impostor');
  });

  it('refuses links, folders and sockets open to others, and things that are no socket', async () => {
    const base = cleanup.folder();
    await listen(join(base, 'real', 's'));
    symlinkSync(join(base, 'real'), join(base, 'link'));
    symlinkSync(join(base, 'real', 's'), join(base, 'real', 'l'));
    writeFileSync(join(base, 'real', 'f'), '', { mode: 0o600 });
    expect(await reasonOf({ path: join(base, 'link', 's'), processes })).toBe('unsafe');
    expect(await reasonOf({ path: join(base, 'real', 'l'), processes })).toBe('unsafe');
    expect(await reasonOf({ path: join(base, 'real', 'f'), processes })).toBe('unsafe');
    chmodSync(join(base, 'real', 's'), 0o666);
    expect(await reasonOf({ path: join(base, 'real', 's'), processes })).toBe('unsafe');
    chmodSync(join(base, 'real', 's'), 0o600);
    chmodSync(join(base, 'real'), 0o755);
    expect(await reasonOf({ path: join(base, 'real', 's'), processes })).toBe('unsafe');
  });

  it('ends with the signal', async () => {
    const path = join(cleanup.folder(), 's');
    await listen(path);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(connectUnix({ path, processes, signal })).rejects.toThrow('enough');
  });
});
