import { describe, expect, it } from 'vitest';
import type { NativeService, ServiceAddon, ServiceEvent, ServiceListenOptions } from '../../src/native/xpc/index.js';
import { identityOfToken } from '../../src/native/peer/types.js';
import { Unreadable, type Reply, type Transport } from '../../src/main/protocol/transport.js';
import { listenXpc, type XpcOptions } from '../../src/main/transport/xpc.js';
import { auditToken } from '../support/socket-addon.js';
import { self } from './support.js';

const UID = process.getuid?.() ?? 0;

/** An addon that the test plays. */
function played(over: Partial<XpcOptions> = {}, same = true) {
  const replies: { call: number; text: string }[] = [];
  const dropped: number[] = [];
  const refused: string[] = [];
  const opened: { transport: Transport; pid: number; received: { message: unknown; reply: Reply | undefined }[] }[] =
    [];
  let given: ServiceListenOptions | null = null;
  let emit = (_event: ServiceEvent): void => undefined;
  let closed = 0;
  const service: NativeService = {
    reply: (call, text) => (replies.some((one) => one.call === call) ? false : replies.push({ call, text }) > 0),
    isSame: () => same,
    drop: (connection) => void dropped.push(connection),
    close: () => void (closed += 1),
  };
  const addon: ServiceAddon = {
    listen(options, onEvent) {
      given = options;
      emit = onEvent;
      return service;
    },
    request: () => undefined,
  };
  const lookup = (pid: number) => (pid === 404 ? null : self({ pid }));
  const listener = listenXpc({
    addon,
    service: 'a.service',
    requirement: null,
    peerOf: (token, still) => identityOfToken(token, lookup, still),
    onConnection(transport, { pid }) {
      const received: (typeof opened)[number]['received'] = [];
      transport.onMessage((message, reply) => received.push({ message, reply }));
      opened.push({ transport, pid, received });
    },
    onRefused: (why) => refused.push(why),
    ...over,
  });
  const connect = (connection: number, pid = 500, token = auditToken(pid, UID)) =>
    emit({ kind: 'connected', connection, pid, uid: UID, token });
  return { replies, dropped, refused, opened, listener, connect, emit: (event: ServiceEvent) => emit(event), given: () => given, closed: () => closed }; // prettier-ignore
}

describe('connections of the service', () => {
  it('[req:MB-5] are of the process that the token names, which must be this user’s and still be there', () => {
    const { connect, opened, refused, dropped } = played();
    connect(1);
    connect(2, 500, auditToken(501, UID));
    connect(3, 500, auditToken(500, UID + 1));
    connect(4, 404);
    connect(5, 500, Buffer.alloc(32));
    connect(6, 500, Buffer.from('short'));
    expect(opened.map(({ pid }) => pid)).toEqual([500]);
    expect(dropped).toEqual([2, 3, 4, 5, 6]);
    expect(refused).toEqual([
      expect.stringContaining('not the one its token names'),
      expect.stringContaining('another user'),
      expect.stringContaining('already ended'),
      expect.stringContaining('names no process'),
      expect.stringContaining('names no process'),
    ]);
    const replaced = played({}, false);
    replaced.connect(1);
    expect([replaced.opened, replaced.dropped]).toEqual([[], [1]]);
  });

  it('are so many in all and of one process, and no more until one has ended', () => {
    const { connect, opened, dropped, emit } = played({ limits: { maxConnections: 3, maxPerProcess: 2 } });
    for (const connection of [1, 2, 3]) connect(connection);
    connect(4, 600);
    connect(5, 700);
    expect([opened.length, dropped]).toEqual([3, [3, 5]]);
    emit({ kind: 'closed', connection: 1 });
    connect(6, 700);
    expect(opened).toHaveLength(4);
  });

  it('give the addon limits, the requirement, and errors it can send by itself', () => {
    const { given } = played({ requirement: 'anchor apple generic', limits: { maxBytes: 100 } });
    expect(given()).toMatchObject({ service: 'a.service', requirement: 'anchor apple generic', maxBytes: 100 });
    const errors = Object.values(given()?.errors ?? {}).map((text) => JSON.parse(text) as object);
    expect(errors).toHaveLength(5);
    for (const error of errors)
      expect(error).toEqual({
        code: expect.stringMatching(/^DESKTOP_/),
        message: expect.stringMatching(/\w/),
        retryable: expect.any(Boolean),
        details: expect.objectContaining({ reason: expect.any(String), next: expect.any(String) }),
      });
  });
});

describe('messages of the service', () => {
  it('[req:MB-6] each have one reply, and a second one is refused', async () => {
    const { connect, emit, opened, replies } = played();
    connect(1);
    emit({ kind: 'message', connection: 1, call: 7, text: '{"a":1}' });
    emit({ kind: 'message', connection: 1, call: 8, text: '{' });
    const [first, second] = opened[0]?.received ?? [];
    expect(first?.message).toEqual({ a: 1 });
    expect(second?.message).toBeInstanceOf(Unreadable);
    await second?.reply?.({ to: 8 });
    await first?.reply?.({ to: 7 });
    await expect(first?.reply?.({ to: 7 })).rejects.toThrow('closed');
    expect(replies).toEqual([
      { call: 8, text: '{"to":8}' },
      { call: 7, text: '{"to":7}' },
    ]);
  });

  it('that cannot be answered so can be answered with an error instead', async () => {
    const { connect, emit, opened, replies } = played({ limits: { maxBytes: 20 } });
    connect(1);
    emit({ kind: 'message', connection: 1, call: 7, text: '{}' });
    const reply = opened[0]?.received[0]?.reply;
    await expect(reply?.({ long: 'x'.repeat(20) })).rejects.toThrow('over the limit');
    await expect(reply?.(undefined)).rejects.toThrow('isn’t a JSON value');
    await reply?.({ error: 1 });
    expect(replies).toHaveLength(1);
  });

  it('of a connection that was refused or has ended reach nobody; nothing is sent unasked', async () => {
    const { connect, emit, opened, dropped } = played();
    connect(1);
    const [{ transport, received } = { transport: null, received: [] }] = opened;
    const ends: unknown[] = [];
    transport?.onClose((reason) => ends.push(reason));
    await expect(transport?.send({})).rejects.toThrow('not asked for');
    transport?.close('enough');
    transport?.close('twice');
    emit({ kind: 'closed', connection: 1 });
    emit({ kind: 'message', connection: 1, call: 9, text: '{}' });
    expect([ends, dropped, received]).toEqual([['enough'], [1], []]);
  });

  it('closing ends the connections and the addon’s service', async () => {
    const { connect, listener, dropped, closed } = played();
    connect(1);
    connect(2);
    await listener.close();
    expect([dropped, closed()]).toEqual([[1, 2], 1]);
  });
});
