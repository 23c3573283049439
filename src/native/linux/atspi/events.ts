import { createEmitter } from '../../../base/emitter.js';
import type { Message, MessageBus } from 'dbus-native';

/** What changes an element, or which there are. `window:` events are left to X, which tells them reliably. */
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

type Ask = (bus: MessageBus, member: 'RegisterEvent' | 'DeregisterEvent', event: string) => Promise<unknown>;

/** Hears what applications tell of themselves, on whichever connection there is; asks them to tell only while it is listened to. */
export function createEar(ask: Ask): {
  /** Resolves when what is listened to is registered there. */
  connected(bus: MessageBus): Promise<void>;
  listen(listener: (sender: string) => void): () => void;
} {
  const senders = createEmitter<string>();
  let current: MessageBus | null = null;

  const rule = (name: string): string => `type='signal',interface='${name}'`;
  const hear = ({ type, interface: name, sender }: Message): void => {
    if (type !== SIGNAL || sender === undefined || !INTERFACES.includes(name ?? '')) return;
    senders.emit(sender);
  };
  const open = async (bus: MessageBus): Promise<void> => {
    bus.connection.on('message', hear);
    await Promise.allSettled([
      ...INTERFACES.map((name) => bus.addMatch(rule(name))),
      ...EVENTS.map((event) => ask(bus, 'RegisterEvent', event)),
    ]);
  };
  const shut = async (bus: MessageBus): Promise<void> => {
    bus.connection.removeListener('message', hear);
    await Promise.allSettled([
      ...EVENTS.map((event) => ask(bus, 'DeregisterEvent', event)),
      ...INTERFACES.map((name) => bus.removeMatch(rule(name))),
    ]);
  };

  return {
    async connected(bus) {
      current = bus;
      if (senders.size > 0) await open(bus);
    },
    listen(listener) {
      const remove = senders.on(listener);
      if (senders.size === 1 && current !== null) void open(current);
      return () => {
        remove();
        if (senders.size === 0 && current !== null) void shut(current);
      };
    },
  };
}
