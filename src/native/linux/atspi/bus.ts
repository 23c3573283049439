/**
 * The accessibility bus. Comes in: object references and calls. Goes out: reply bodies, or a DesktopError.
 * Connects on first use, and again when the bus has been restarted. Called by the other files of this folder.
 */
import { errno } from '../../../base/errno.js';
import { createClient, type MessageBus } from 'dbus-native';
import { DesktopError, type DesktopErrorCode } from '../../desktop.js';
import { accessibilityAddress, enableAccessibility } from './address.js';
import { createAccessibilityEvents } from './accessibility-events.js';
import { message, textOf } from '../../../messages/index.js';

/** An accessible object: the bus name of its application and its path there. */
export interface Ref {
  bus: string;
  path: string;
}

interface CallOptions {
  signature?: string;
  body?: unknown[];
  /** Milliseconds; {@link CALL_TIMEOUT_MS} when left out. */
  timeout?: number;
  signal?: AbortSignal;
}

export interface AccessibilityBus {
  /** `member` is `Interface.Method` below `org.a11y.atspi`. */
  call(ref: Ref, member: string, options?: CallOptions): Promise<unknown[]>;
  property(ref: Ref, name: string, options?: CallOptions): Promise<unknown>;
  /** All properties of one interface in one call, by name. For GTK 3 and Chromium only: Qt 5 crashes on it. */
  properties(ref: Ref, name: string, options?: CallOptions): Promise<ReadonlyMap<string, unknown>>;
  setProperty(ref: Ref, name: string, type: string, value: unknown, options?: CallOptions): Promise<void>;
  /** The roots of all applications on the bus. */
  roots(signal: AbortSignal): Promise<Ref[]>;
  /** The process that owns a bus name; 0 when it has left the bus. */
  pidOf(bus: string): Promise<number>;
  /** True only where the bus answers that the name has no owner. */
  hasLeft(bus: string): Promise<boolean>;
  /** Whether the bus answers at all. */
  answers(): Promise<boolean>;
  /** Called with the bus name of an application in which something changed. Applications send events only while there are listeners. */
  listen(listener: (sender: string) => void): () => void;
  close(): Promise<void>;
}

export const CALL_TIMEOUT_MS = 2000;
const PREFIX = 'org.a11y.atspi.';
const REGISTRY = 'org.a11y.atspi.Registry';
const REGISTRY_OBJECT: Ref = { bus: REGISTRY, path: '/org/a11y/atspi/registry' };
const DESKTOP: Ref = { bus: REGISTRY, path: '/org/a11y/atspi/accessible/root' };
/** Applications fill their cache only once a listener is registered; this event is rare, so it costs them nothing. */
const REGISTERED_EVENT = 'object:state-changed:defunct';

export function openAccessibilityBus(sessionAddress: string, log: (message: string) => void): AccessibilityBus {
  let connection: Promise<MessageBus> | null = null;
  let enabledByUs = false;
  let closed = false;
  const pids = new Map<string, Promise<number>>();
  const events = createAccessibilityEvents((bus, member, event) =>
    invoke(bus, REGISTRY_OBJECT, `${REGISTRY}.${member}`, { signature: 's', body: [event] }),
  );

  const connect = async (): Promise<MessageBus> => {
    enabledByUs = !(await enableAccessibility(sessionAddress)) || enabledByUs;
    const bus = createClient({ busAddress: await accessibilityAddress(sessionAddress), timeout: CALL_TIMEOUT_MS });
    const drop = (why: unknown): void => {
      if (connection === own) connection = null;
      if (!closed) log(`The accessibility connection ended: ${String(why)}`);
    };
    bus.connection.on('error', drop);
    bus.connection.on('close', () => drop('closed'));
    await invoke(bus, REGISTRY_OBJECT, `${REGISTRY}.RegisterEvent`, { signature: 's', body: [REGISTERED_EVENT] });
    await events.connected(bus);
    return bus;
  };
  let own: Promise<MessageBus> | null = null;

  const ready = async (): Promise<MessageBus> => {
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

  const call: AccessibilityBus['call'] = async (ref, member, options) =>
    invoke(await ready(), ref, PREFIX + member, options);

  const pidOf = (bus: string): Promise<number> => {
    const known = pids.get(bus);
    if (known !== undefined) return known;
    const lookup = ready()
      .then((connected) => connected.getConnectionUnixProcessId(bus))
      .then(
        (pid) => pid,
        () => 0,
      );
    pids.set(bus, lookup);
    lookup.then((pid) => pid === 0 && pids.delete(bus)).catch(() => {});
    return lookup;
  };

  return {
    call,
    property: async (ref, name, options) => {
      const dot = name.lastIndexOf('.');
      const body = [PREFIX + name.slice(0, dot), name.slice(dot + 1)];
      const member = 'org.freedesktop.DBus.Properties.Get';
      return (await invoke(await ready(), ref, member, { ...options, signature: 'ss', body }))[0];
    },
    properties: async (ref, name, options) => {
      const member = 'org.freedesktop.DBus.Properties.GetAll';
      const [all] = await invoke(await ready(), ref, member, { ...options, signature: 's', body: [PREFIX + name] });
      return new Map<string, unknown>(typeof all === 'object' && all !== null ? Object.entries(all) : []);
    },
    setProperty: async (ref, name, type, value, options) => {
      const dot = name.lastIndexOf('.');
      const body = [PREFIX + name.slice(0, dot), name.slice(dot + 1), [type, value]];
      await invoke(await ready(), ref, 'org.freedesktop.DBus.Properties.Set', { ...options, signature: 'ssv', body });
    },
    roots: async (signal) => refs((await call(DESKTOP, 'Accessible.GetChildren', { signal }))[0]),
    pidOf,
    hasLeft: async (bus) => {
      const connected = await ready();
      return connected.getConnectionUnixProcessId(bus).then(() => false, hasNoOwner);
    },
    answers: () =>
      call(DESKTOP, 'Accessible.GetChildren').then(
        () => true,
        () => false,
      ),
    listen: (listener) => {
      const stop = events.listen(listener);
      ready().catch(() => {});
      return stop;
    },
    close: async () => {
      if (closed) return;
      const open = connection;
      closed = true;
      // Restores the person's own setting.
      if (enabledByUs) await enableAccessibility(sessionAddress, false).catch(() => {});
      await (await open?.catch(() => null))?.close();
    },
  };
}

function invoke(bus: MessageBus, ref: Ref, member: string, options: CallOptions = {}): Promise<unknown[]> {
  const dot = member.lastIndexOf('.');
  const message = {
    destination: ref.bus,
    path: ref.path,
    interface: member.slice(0, dot),
    member: member.slice(dot + 1),
    ...(options.signature === undefined ? {} : { signature: options.signature, body: options.body ?? [] }),
  };
  const limits = {
    timeout: options.timeout ?? CALL_TIMEOUT_MS,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
  return new Promise((resolve, reject) => {
    bus.invoke(message, limits, (error: unknown, ...values: unknown[]) => {
      if (error === null || error === undefined) return resolve(values);
      reject(options.signal?.aborted === true ? options.signal.reason : translate(error, ref, member));
    });
  });
}

const hasNoOwner = (error: unknown): boolean =>
  error instanceof Error && 'dbusName' in error && String(error.dbusName).endsWith('.NameHasNoOwner');

const GONE_ERRORS = new Set(['ServiceUnknown', 'NameHasNoOwner', 'UnknownObject', 'Disconnected']);

function translate(error: unknown, ref: Ref, member: string): DesktopError {
  const text = error instanceof Error ? error.message : String(error);
  const named = error instanceof Error && 'dbusName' in error ? String(error.dbusName) : '';
  const short = named.slice(named.lastIndexOf('.') + 1);
  const timedOut = errno(error) === 'ETIMEDOUT';
  const details = { bus: ref.bus, path: ref.path, member, error: named };
  if (timedOut) {
    return new DesktopError('not_responding', message('native.app_silent'), details);
  }
  if (short === 'NoReply' || GONE_ERRORS.has(short)) {
    return new DesktopError('stale', message('native.element_or_app_gone'), details);
  }
  if (short.startsWith('Unknown') || short === 'NotSupported' || short === 'InvalidArgs') {
    return new DesktopError('unsupported', message('native.element_cannot', { why: text }), details);
  }
  return new DesktopError('failed', message('native.app_refused', { why: text }), details);
}

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
