/** Observations on a simulated desktop that the test holds in its hands, with a clock of its own. */
import { createReferences, type References } from '../../../src/main/pipeline/target/references.js';
import {
  ATTRIBUTES,
  createObservations,
  type DeliveredEvent,
  type ObservationsOptions,
  type WatchOwner,
  type WatchedEvent,
  type WatchRequest,
} from '../../../src/main/desktop/watch/index.js';
import type { App, DesktopBackend, DesktopReader } from '../../../src/native/desktop.js';
import { openSimulated, type AppSpec, type ElementSpec } from '../../../src/native/simulated/index.js';
import type { ApprovalState } from '../../../src/main/pipeline/context.js';

export const never = new AbortController().signal;
const rect = (y: number) => ({ x: 10, y, width: 200, height: 24 });

const FORM: AppSpec = {
  id: 'test.form',
  name: 'Form',
  executable: '/simulated/bin/form',
  windows: [
    {
      title: 'Form',
      frame: { x: 40, y: 40, width: 400, height: 400 },
      elements: [
        { role: 'AXTextField', title: 'Name', identifier: 'name', value: 'Ada', frame: rect(10) },
        { role: 'AXTextField', title: 'Secret', identifier: 'secret', value: 'hunter2', secure: true, frame: rect(40) },
        { role: 'AXCheckBox', title: 'Agree', identifier: 'agree', frame: rect(70) },
        { role: 'AXGroup', title: 'List', identifier: 'list', frame: rect(100), children: [row(1), row(2), row(3)] },
        { role: 'AXButton', title: 'Send', identifier: 'send', frame: rect(300) },
      ],
    },
  ],
};

export function row(number: number): ElementSpec {
  return { role: 'AXStaticText', title: `Row ${number}`, identifier: `row-${number}`, frame: rect(100 + 24 * number) };
}

export interface Bench {
  desktop: ReturnType<typeof openSimulated>;
  world: ReturnType<typeof openSimulated>['world'];
  pid: number;
  windowId: string;
  app: App;
  observations: ReturnType<typeof createObservations>;
  references: References;
  delivered: DeliveredEvent[];
  /** What the host says now; tests change it. */
  host: {
    time: number;
    approvalState: ApprovalState;
    holding: string | null;
    excluded: string[];
    present: boolean;
    alive: boolean;
  };
  owner(agentId?: string): WatchOwner;
  request(more?: Partial<WatchRequest>): WatchRequest;
  everywhere(more?: Partial<WatchRequest>): WatchRequest;
  make(more?: Partial<WatchRequest>, agentId?: string): Promise<string>;
  id(identifier: string): string;
  /** Everything told so far, once the last of it fits. */
  until(name: string, fits: (event: WatchedEvent) => boolean, agentId?: string): Promise<WatchedEvent[]>;
  close(): Promise<void>;
}

export const AGENT = 'agent-1';

/** `seen` is the desktop as the room gets it. */
export async function openBench(
  seen: (desktop: DesktopBackend) => DesktopReader = (desktop) => desktop,
  more: Partial<ObservationsOptions> = {},
): Promise<Bench> {
  const desktop = openSimulated({ apps: [FORM] });
  const { world } = desktop;
  const references = createReferences();
  const host: Bench['host'] = {
    time: 1_000_000,
    approvalState: 'open',
    holding: null,
    excluded: [],
    present: true,
    alive: false,
  };
  const [app] = await desktop.apps(never);
  const [window] = await desktop.windows(never);
  if (app === undefined || window === undefined) throw new Error('the form did not start');
  const observations = createObservations({
    desktop: seen(desktop),
    references,
    allWindows: async (signal) => new Map((await desktop.windows(signal)).map((one) => [one.id, one.app.pid])),
    isRunning: () => host.alive,
    excluded: ({ id }) => host.excluded.includes(id),
    suspendedReason: () => host.holding,
    isConnected: () => host.present,
    now: () => host.time,
    log: () => undefined,
    ...more,
  });
  const delivered: DeliveredEvent[] = [];
  observations.onEvent((one) => delivered.push(one));

  const bench: Bench = {
    desktop,
    world,
    pid: app.pid,
    windowId: window.id,
    app,
    observations,
    references: references(AGENT),
    delivered,
    host,
    owner: (agentId = AGENT) => ({ agentId, approvalState: () => host.approvalState, plan: null }),
    request: (given = {}) => ({
      scope: { parent: `applications/${app.pid}`, app, windowId: null, elementId: null },
      types: ['element_changes'],
      visibleOnly: false,
      roles: [],
      attributes: ATTRIBUTES.filter((one) => one !== 'visible' && one !== 'frame'),
      intervalMs: 100,
      requestedIntervalMs: 100,
      ...given,
    }),
    everywhere: (given = {}) =>
      bench.request({
        scope: { parent: '', app: null, windowId: null, elementId: null },
        types: ['window_changes'],
        ...given,
      }),
    make: async (given = {}, agentId = AGENT) =>
      (await observations.create(bench.request(given), bench.owner(agentId))).name,
    id(identifier) {
      const found = world.find(identifier);
      if (found === null) throw new Error(`no element ${identifier}`);
      return found;
    },
    async until(name, fits, agentId = AGENT) {
      const all: WatchedEvent[] = [];
      while (!all.some(fits)) {
        const polled = await observations.poll(
          agentId,
          name,
          { after: all.at(-1)?.sequence ?? 0, timeoutMs: 20_000 },
          never,
        );
        if (polled.events.length === 0) throw new Error(`only told: ${JSON.stringify(all)}, ${polled.info.state}`);
        all.push(...polled.events);
      }
      return all;
    },
    async close() {
      observations.close();
      await desktop.close();
    },
  };
  return bench;
}

/** What of the events an agent would go by. */
export const told = (events: readonly Record<string, unknown>[]) =>
  events.map(({ kind, event, element, changes }) => {
    const title = typeof element === 'object' && element !== null && 'title' in element ? element.title : undefined;
    return [
      kind,
      event,
      title,
      ...(Array.isArray(changes) ? changes.map((one: { attribute: string }) => one.attribute) : []),
    ]
      .filter((part) => part !== undefined)
      .join(' ');
  });
