/**
 * The accessibility bus. Comes in: object references and calls. Goes out: reply bodies, or a DesktopError.
 * Connects on first use, and again when the bus has been restarted. Called by the other files of this folder.
 */
import { createClient, type MessageBus } from 'dbus-native';
import { createEmitter } from '../../../base/emitter.js';
import { DesktopError, type DesktopErrorCode } from '../../desktop.js';
import { accessibilityAddress, enableAccessibility } from './address.js';
import { createAccessibilityEvents, type ChangeListener } from './accessibility-events.js';
import { CALL_TIMEOUT_MS, createInvoke, type CallOptions, type Invoke, type Ref } from './bus-calls.js';
import { createDirectConnections, type DirectConnections } from './direct-connections.js';
import { SilentApplications } from './silent-applications.js';
import { createReadAhead, type ReadAhead } from './read-ahead.js';
import { message, textOf } from '../../../messages/index.js';

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
