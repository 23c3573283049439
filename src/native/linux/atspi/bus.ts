/**
 * The accessibility bus. Comes in: object references and calls. Goes out: reply bodies, or a DesktopError.
 * Connects on first use, and again when the bus has been restarted. Called by the other files of this folder.
 */
import { type MessageBus, sessionBus, type Message, createClient } from 'dbus-native';
import { DesktopError, type DesktopErrorCode } from '../../desktop.js';
import { message, textOf } from '../../../messages/index.js';
import { createEmitter } from '../../../base/emitter.js';
import {
  CALL_TIMEOUT_MS,
  createInvoke,
  type CallOptions,
  type Invoke,
  type Ref,
  createDirectConnections,
  type DirectConnections,
  SilentApplications,
  createReadAhead,
  type ReadAhead,
} from './bus-calls.js';

const TIMEOUT_MS = 10_000;

/** Runs `use` with a new connection, which is closed afterwards. */
async function withBus<T>(address: string, use: (bus: MessageBus) => PromiseLike<T>): Promise<T> {
  let rejectFailure: (error: Error) => void = () => {};
  const failure = new Promise<never>((_, reject) => (rejectFailure = reject));
  failure.catch(() => {});
  const fail = (error: Error): void =>
    rejectFailure(new DesktopError('failed', message('native.bus_silent', { address, why: error.message })));
  let bus: MessageBus;
  try {
    bus = sessionBus({ busAddress: address, timeout: TIMEOUT_MS });
  } catch (error) {
    throw new DesktopError('failed', message('native.bus_address_unusable', { address, why: textOf(error) }));
  }
  bus.connection.on('error', fail);
  try {
    return await Promise.race([use(bus), failure]);
  } catch (error) {
    if (error instanceof Error && !(error instanceof DesktopError)) fail(error);
    return await failure;
  } finally {
    await bus.close().catch(() => {});
  }
}

const bridge = { destination: 'org.a11y.Bus', path: '/org/a11y/bus' };
const properties = { ...bridge, interface: 'org.freedesktop.DBus.Properties' };

/** Switches AT-SPI on for all toolkits. Returns the state before. */
function enableAccessibility(address: string, enabled = true): Promise<boolean> {
  return withBus(address, async (bus) => {
    const before: unknown = await bus.invoke({
      ...properties,
      member: 'Get',
      signature: 'ss',
      body: ['org.a11y.Status', 'IsEnabled'],
    });
    await setEnabled(bus, enabled);
    return before === true;
  });
}

function setEnabled(bus: MessageBus, enabled: boolean): PromiseLike<unknown> {
  const body = ['org.a11y.Status', 'IsEnabled', ['b', enabled]];
  return bus.invoke({ ...properties, member: 'Set', signature: 'ssv', body });
}

/** Where the accessibility bus listens. Starts it when it is not running. */
export function accessibilityAddress(address: string): Promise<string> {
  return withBus(address, askAddress);
}

async function askAddress(bus: MessageBus): Promise<string> {
  const found: unknown = await bus.invoke({ ...bridge, interface: 'org.a11y.Bus', member: 'GetAddress' });
  if (typeof found === 'string' && found !== '') return found;
  throw new Error('org.a11y.Bus gave no address');
}

/**
 * For a new session: switches AT-SPI on for all toolkits and starts its registry, so that a Qt application that is the first to use it
 * does not wait for that. `values` are environment variables for these and all programs that the bus starts on demand.
 */
export async function startAccessibility(sessionAddress: string, values: Record<string, string>): Promise<void> {
  // Sent together: a bus takes the messages of a connection in their order.
  const [, , address] = await withBus(sessionAddress, (bus) =>
    Promise.all([bus.updateActivationEnvironment(values), setEnabled(bus, true), askAddress(bus)]),
  );
  await withBus(address, (bus) =>
    bus.invoke({
      destination: 'org.a11y.atspi.Registry',
      path: '/org/a11y/atspi/accessible/root',
      interface: 'org.a11y.atspi.Accessible',
      member: 'GetChildren',
    }),
  );
}

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

export { CALL_TIMEOUT_MS, type Ref } from './bus-calls.js';

export interface AccessibilityBus {
  /** `member` is `Interface.Method` below `org.a11y.atspi`. */
  call(ref: Ref, member: string, options?: CallOptions): Promise<unknown[]>;
  property(ref: Ref, name: string, options?: CallOptions): Promise<unknown>;
  /** All properties of one interface in one call, by name. For GTK 3 and Chromium only: Qt 5 crashes on it. */
  properties(ref: Ref, name: string, options?: CallOptions): Promise<ReadonlyMap<string, unknown>>;
  setProperty(ref: Ref, name: string, type: string, value: unknown, options?: CallOptions): Promise<void>;
  /** See {@link ReadAhead}. */
  reading: ReadAhead['reading'];
  /** The roots of all applications on the bus. */
  roots(signal: AbortSignal): Promise<Ref[]>;
  /** The process that owns a bus name; 0 when it has left the bus. */
  pidOf(bus: string): Promise<number>;
  /** True only where the bus answers that the name has no owner. */
  hasLeft(bus: string): Promise<boolean>;
  /** Whether the registry answers. It is not asked where it has just answered over this connection. */
  answers(): Promise<boolean>;
  /** Called with the bus name of an application in which something changed. Applications send events only while there are listeners. */
  listen(listener: ChangeListener): () => void;
  /** Called when the bus has ended: the next one gives the same names to other applications. */
  onEnd(listener: () => void): () => void;
  /** Resolves when the application answers over the connection of its events: those that it told of before were heard then. Never rejects. */
  heardAll(bus: string): Promise<void>;
  close(): Promise<void>;
}

const PREFIX = 'org.a11y.atspi.';
/** Calls that change nothing. All others are acts. */
const READS = /\.Get\w*$/;
const GET_ADDRESS = `${PREFIX}Application.GetApplicationBusAddress`;
/** For this time an answer of the registry counts, unless a later question failed. */
const ANSWER_COUNTS_MS = 5000;
/** An application that is slower is called over the shared bus. */
const OWN_BUS_TIMEOUT_MS = 500;
const REGISTRY = 'org.a11y.atspi.Registry';
const REGISTRY_OBJECT: Ref = { bus: REGISTRY, path: '/org/a11y/atspi/registry' };
const DESKTOP: Ref = { bus: REGISTRY, path: '/org/a11y/atspi/accessible/root' };
/** Applications fill their cache only once a listener is registered; this event is rare, so it costs them nothing. */
const REGISTERED_EVENT = 'object:state-changed:defunct';

/** The shared bus, and applications' own buses beside it. */
interface Connected {
  bus: MessageBus;
  invoke: Invoke;
  direct: DirectConnections;
  /** Another bus gives the same names to other applications. */
  pidOf: AccessibilityBus['pidOf'];
}

export function openAccessibilityBus(
  sessionAddress: string,
  peerOf: (socketFd: number) => { pid: number },
  log: (message: string) => void,
): AccessibilityBus {
  let connection: Promise<Connected> | null = null;
  let [enabledByUs, closed] = [false, false];
  const ends = createEmitter<void>();
  const silence = new SilentApplications(rootOf);
  const events = createAccessibilityEvents((bus, member, event) =>
    createInvoke(bus)(REGISTRY_OBJECT, `${REGISTRY}.${member}`, { signature: 's', body: [event] }),
  );

  const connect = async (): Promise<Connected> => {
    enabledByUs = !(await enableAccessibility(sessionAddress)) || enabledByUs;
    const bus = createClient({ busAddress: await accessibilityAddress(sessionAddress), timeout: CALL_TIMEOUT_MS });
    const invoke = createInvoke(bus);
    const pidOf = createPids(async (name) => bus.getConnectionUnixProcessId(name));
    const direct = createDirectConnections({
      addressOf: async (name) => (await invoke(rootOf(name), GET_ADDRESS, { timeout: OWN_BUS_TIMEOUT_MS }))[0],
      pidOf,
      peerOf,
      timeoutMs: OWN_BUS_TIMEOUT_MS,
    });
    const drop = (why: unknown): void => {
      if (connection === own) connection = null;
      registry.forget();
      silence.forgetAll();
      ends.emit();
      void direct.close();
      if (!closed) log(`The accessibility connection ended: ${String(why)}`);
    };
    bus.connection.on('error', drop);
    bus.connection.on('close', () => drop('closed'));
    await invoke(REGISTRY_OBJECT, `${REGISTRY}.RegisterEvent`, { signature: 's', body: [REGISTERED_EVENT] });
    await events.connected(bus);
    return { bus, invoke, direct, pidOf };
  };
  let own: Promise<Connected> | null = null;

  const ready = async (): Promise<Connected> => {
    if (closed) throw new DesktopError('lost', message('display.closed'));
    if (connection === null) {
      own = connection = connect();
      connection.catch(() => (connection = null));
    }
    try {
      return await connection;
    } catch (error) {
      throw new DesktopError('permission', message('native.accessibility_bus_silent', { why: textOf(error) }));
    }
  };

  /** Over the application's own bus where it has one. */
  const invokeNearest: Invoke = async (ref, member, options) => {
    const { invoke, direct } = await ready();
    const found = direct.of(ref.bus);
    const own = found instanceof Promise ? await found : found;
    if (READS.test(member)) return silence.ask(own ?? invoke, ref, member, options);
    const forAct = own === null ? null : await direct.forAct(ref.bus);
    return silence.act(forAct ?? invoke, ref, member, options);
  };

  const { invoke: read, reading } = createReadAhead(invokeNearest);
  const call: AccessibilityBus['call'] = (ref, member, options) => read(ref, PREFIX + member, options);
  const registry = createRegistry(call);

  return {
    call,
    property: async (ref, name, options) => {
      const dot = name.lastIndexOf('.');
      const body = [PREFIX + name.slice(0, dot), name.slice(dot + 1)];
      const member = 'org.freedesktop.DBus.Properties.Get';
      return (await read(ref, member, { ...options, signature: 'ss', body }))[0];
    },
    properties: async (ref, name, options) => {
      const member = 'org.freedesktop.DBus.Properties.GetAll';
      const [all] = await read(ref, member, { ...options, signature: 's', body: [PREFIX + name] });
      return new Map<string, unknown>(typeof all === 'object' && all !== null ? Object.entries(all) : []);
    },
    setProperty: async (ref, name, type, value, options) => {
      const dot = name.lastIndexOf('.');
      const body = [PREFIX + name.slice(0, dot), name.slice(dot + 1), [type, value]];
      await invokeNearest(ref, 'org.freedesktop.DBus.Properties.Set', { ...options, signature: 'ssv', body });
    },
    reading,
    ...registry.questions,
    pidOf: (bus) =>
      ready().then(
        (connected) => connected.pidOf(bus),
        () => 0,
      ),
    hasLeft: async (bus) => {
      const connected = await ready();
      return connected.bus.getConnectionUnixProcessId(bus).then(() => false, hasNoOwner);
    },
    listen: (listener) => {
      const stop = events.listen(listener);
      ready().catch(() => {});
      return stop;
    },
    onEnd: ends.on,
    heardAll: (bus) => (silence.isSilent(bus) ? Promise.resolve() : heard(ready(), bus)),
    close: async () => {
      if (closed) return;
      const open = connection;
      closed = true;
      // Restores the person's own setting.
      if (enabledByUs) await enableAccessibility(sessionAddress, false).catch(() => {});
      const connected = await open?.catch(() => null);
      await connected?.direct.close();
      await connected?.bus.close();
    },
  };
}

/** Asked once, until it is known; 0 where it is not told. */
function createPids(ask: (bus: string) => Promise<number>): AccessibilityBus['pidOf'] {
  const pids = new Map<string, Promise<number>>();
  return (bus) => {
    const known = pids.get(bus);
    if (known !== undefined) return known;
    const lookup = ask(bus).catch(() => 0);
    pids.set(bus, lookup);
    void lookup.then((pid) => pid === 0 && pids.delete(bus));
    return lookup;
  };
}

async function heard(connected: Promise<Connected>, bus: string): Promise<void> {
  await connected.then(({ invoke }) => invoke(rootOf(bus), `${PREFIX}Accessible.GetRole`)).catch(() => {});
}

function createRegistry(call: AccessibilityBus['call']) {
  let answeredAt = -Infinity;
  const forget = (): void => void (answeredAt = -Infinity);
  const roots = async (signal?: AbortSignal): Promise<Ref[]> => {
    try {
      const [children] = await call(DESKTOP, 'Accessible.GetChildren', signal === undefined ? {} : { signal });
      answeredAt = performance.now();
      return refs(children);
    } catch (error) {
      forget();
      throw error;
    }
  };
  const answers = async (): Promise<boolean> => {
    if (performance.now() - answeredAt < ANSWER_COUNTS_MS) return true;
    return roots().then(
      () => true,
      () => false,
    );
  };
  return { questions: { roots, answers }, forget };
}

const hasNoOwner = (error: unknown): boolean =>
  error instanceof Error && 'dbusName' in error && String(error.dbusName).endsWith('.NameHasNoOwner');

export function refOf(value: unknown): Ref | null {
  if (!Array.isArray(value)) return null;
  const [bus, path]: unknown[] = value;
  if (typeof bus !== 'string' || typeof path !== 'string') return null;
  return bus === '' || path === '/org/a11y/atspi/null' ? null : { bus, path };
}

export function refs(value: unknown): Ref[] {
  return Array.isArray(value) ? value.map(refOf).filter((ref) => ref !== null) : [];
}

/** The root of an application, by its bus name. */
export const rootOf = (bus: string): Ref => ({ bus, path: '/org/a11y/atspi/accessible/root' });

/** For `catch`: null for these codes; other errors are thrown again. */
export function nullFor(...codes: DesktopErrorCode[]): (error: unknown) => null {
  return (error) => {
    if (error instanceof DesktopError && codes.includes(error.code)) return null;
    throw error;
  };
}

/** An element id is the bus name and the path. */
export function idOf(ref: Ref): string {
  return ref.bus + ref.path;
}

export function parseId(id: string): Ref {
  const slash = id.indexOf('/');
  if (/^:[0-9.]+$/.test(id.slice(0, Math.max(slash, 0)))) {
    return { bus: id.slice(0, slash), path: id.slice(slash) };
  }
  throw new DesktopError('stale', message('native.no_such_element', { id }));
}
