/** A real host on a simulated desktop that the test holds in its hands. */
import { afterEach, beforeEach } from 'vitest';
import { openSimulated, type SimulatedDesktop, type World } from '../../src/native/simulated/index.js';
import type { HostOptions } from '../../src/main/host/index.js';
import type { DesktopBackend } from '../../src/native/desktop.js';
import { openGabp, type Gabp } from './gabp.js';
import { startHost, type TestHost } from './host.js';
import { openPage, type Person } from './person.js';
import { rpcWhenUsed, type Rpc } from './rpc.js';

export interface WorldHost extends TestHost {
  desktop: SimulatedDesktop;
  world: World;
}

/** The desktop outlives a restart of the host, as a real one would. `seen` is the desktop as the host gets it. */
export async function startWorld(
  more: Partial<HostOptions> = {},
  seen: (desktop: DesktopBackend) => DesktopBackend = (desktop) => desktop,
): Promise<WorldHost> {
  const desktop = openSimulated();
  const opened = { desktop: seen(desktop), name: 'simulated', display: 'in memory', note: null, env: null };
  const started = await startHost({
    openDesktop: () => Promise.resolve({ ...opened, close: () => Promise.resolve() }),
    ...more,
  });
  return Object.assign(started, {
    desktop,
    world: desktop.world,
    close: closing(started.close, () => desktop.close()),
  });
}

function closing(...steps: (() => Promise<void>)[]): () => Promise<void> {
  return async () => {
    for (const step of steps) await step();
  };
}

export interface Scene extends WorldHost {
  rpc: Rpc;
  person: Person;
  /** Closed with the scene. */
  page(link?: string): Promise<Person>;
}

/** A host, a JSON-RPC caller and a paired person. */
export async function startScene(
  more: Partial<HostOptions> = {},
  seen?: (desktop: DesktopBackend) => DesktopBackend,
): Promise<Scene> {
  const started = await startWorld(more, seen);
  const pages = new Set<Person>();
  const page = async (link?: string) => {
    const opened = await openPage(started.host.url, link);
    pages.add(opened);
    return opened;
  };
  const rpc = rpcWhenUsed(started.host.socketPath, started.workspace);
  const person = await page(started.host.pairingLink());
  const leave = async () => {
    rpc.close();
    for (const each of pages) each.close();
  };
  return Object.assign(started, { rpc, person, page, close: closing(leave, started.close) });
}

/** For each test of a file: a scene, and an agent over GABP. */
export function eachScene(use: (made: { scene: Scene; agent: Gabp }) => void): void {
  let end = () => Promise.resolve();
  beforeEach(async () => {
    const scene = await startScene();
    const agent = await openGabp(scene);
    end = closing(async () => agent.close(), scene.close);
    use({ scene, agent });
  });
  afterEach(() => end());
}

export const MAIL = { app: { bundleId: 'simulated.mail' } };
export const NOTES = { app: { bundleId: 'simulated.notes' } };
export const SEND = { selector: { byRole: 'AXButton', titleContains: 'Send' } };
export const CONFIRM = { phrase: 'CONFIRM' };
/** Without consequences: grants and phrases cover it. */
export const CLICK_COPY = {
  route: MAIL,
  target: { selector: { byRole: 'AXCheckBox', titleContains: 'Sender gets a copy' } },
  confirm: CONFIRM,
};
export const CLICK_SEND = { route: MAIL, target: SEND, confirm: CONFIRM };
