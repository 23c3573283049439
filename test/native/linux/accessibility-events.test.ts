import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { MessageBus } from 'dbus-native';
import { createAccessibilityEvents } from '../../../src/native/linux/atspi/bus.js';

const OBJECT = 'org.a11y.atspi.Event.Object';

test('objects that are made because they are read tell of no change; everything else does [req:WE-3]', async () => {
  const connection = new EventEmitter();
  const bus: Pick<MessageBus, 'addMatch' | 'removeMatch'> & { connection: EventEmitter } = {
    connection,
    addMatch: async () => {},
    removeMatch: async () => {},
  };
  const heard: string[] = [];
  const laidOut: string[] = [];
  const events = createAccessibilityEvents(async () => null);
  events.listen((sender, isLaidOut) => (isLaidOut ? [heard, laidOut] : [heard]).forEach((list) => list.push(sender)));
  await events.connected(bus as unknown as MessageBus);
  const tell = (member: string, body: unknown[], name = OBJECT, sender = `:${member} ${body.join(' ')}`) =>
    connection.emit('message', { type: 4, interface: name, member, sender, body });
  tell('StateChanged', ['defunct', 0, 0]);
  tell('PropertyChange', ['widget', 0, 0]);
  expect(heard).toEqual([]);
  const changes: [string, unknown[]][] = [
    ['StateChanged', ['defunct', 1, 0]],
    ['StateChanged', ['showing', 0, 0]],
    ['PropertyChange', ['accessible-name', 0, 0]],
    ['BoundsChanged', ['', 0, 0]],
    ['ChildrenChanged', ['add', 0, 0]],
    ['TextChanged', ['defunct', 0, 0]],
  ];
  for (const [member, body] of changes) tell(member, body);
  tell('LoadComplete', [], 'org.a11y.atspi.Event.Document');
  expect(heard).toHaveLength(changes.length + 1);
  expect(laidOut).toEqual([':BoundsChanged  0 0']);
  tell('NameOwnerChanged', [], 'org.freedesktop.DBus');
  expect(heard).toHaveLength(changes.length + 1);
});
