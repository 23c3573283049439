import { type MessageBus, sessionBus } from 'dbus-native';
import { DesktopError } from '../../desktop.js';
import { message, textOf } from '../../../messages/index.js';

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
export function enableAccessibility(address: string, enabled = true): Promise<boolean> {
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
