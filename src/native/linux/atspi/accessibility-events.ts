import { createEmitter } from '../../../base/emitter.js';
import type { Message, MessageBus } from 'dbus-native';

/** Changes of elements, and of which elements exist. Window events come from X, which sends them reliably. */
const EVENTS = [
  'object:state-changed',
  'object:text-changed',
  'object:children-changed',
  'object:property-change',
  'object:selection-changed',
  'object:bounds-changed',
  'document:load-complete',
];
const INTERFACES = ['org.a11y.atspi.Event.Object', 'org.a11y.atspi.Event.Document'];
const SIGNAL = 4;
/** GTK 3 makes objects when they are first read, so these tell of our own reading. */
const ON_FIRST_READING: ReadonlySet<string> = new Set(['StateChanged defunct 0', 'PropertyChange widget 0']);

/** What changed, and whether its application has laid it out. */
export type ChangeListener = (sender: string, isLaidOut: boolean) => void;

type CallRegistry = (bus: MessageBus, member: 'RegisterEvent' | 'DeregisterEvent', event: string) => Promise<unknown>;

/** Change events of all applications, on the current connection. Applications send them only while there are listeners. */
export function createAccessibilityEvents(callRegistry: CallRegistry): {
  /** Resolves when the events that are listened to are registered on that connection. */
  connected(bus: MessageBus): Promise<void>;
  listen(listener: ChangeListener): () => void;
} {
  const senders = createEmitter<{ sender: string; isLaidOut: boolean }>();
  let current: MessageBus | null = null;

  const rule = (name: string): string => `type='signal',interface='${name}'`;
  const onMessage = ({ type, interface: name, member, sender, body = [] }: Message): void => {
    if (type !== SIGNAL || sender === undefined || !INTERFACES.includes(name ?? '')) return;
    const [detail, number]: unknown[] = body;
    if (!ON_FIRST_READING.has(`${member} ${String(detail)} ${String(number)}`))
      senders.emit({ sender, isLaidOut: member === 'BoundsChanged' });
  };
  const register = async (bus: MessageBus): Promise<void> => {
    bus.connection.on('message', onMessage);
    await Promise.allSettled([
      ...INTERFACES.map((name) => bus.addMatch(rule(name))),
      ...EVENTS.map((event) => callRegistry(bus, 'RegisterEvent', event)),
    ]);
  };
  const unregister = async (bus: MessageBus): Promise<void> => {
    bus.connection.removeListener('message', onMessage);
    await Promise.allSettled([
      ...EVENTS.map((event) => callRegistry(bus, 'DeregisterEvent', event)),
      ...INTERFACES.map((name) => bus.removeMatch(rule(name))),
    ]);
  };

  return {
    async connected(bus) {
      current = bus;
      if (senders.size > 0) await register(bus);
    },
    listen(listener) {
      const remove = senders.on(({ sender, isLaidOut }) => listener(sender, isLaidOut));
      if (senders.size === 1 && current !== null) void register(current);
      return () => {
        remove();
        if (senders.size === 0 && current !== null) void unregister(current);
      };
    },
  };
}
