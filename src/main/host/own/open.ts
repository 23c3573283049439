/** Opens a desktop of an agent's own, with a pipeline of its own. Called once the person gave it to that agent. */
import { randomUUID } from 'node:crypto';
import { DesktopError } from '../../../native/desktop.js';
import { withLengthLimits } from '../../../native/methods.js';
import { openDesktop, type OpenedDesktop } from '../../../native/open.js';
import { message } from '../../../messages/index.js';
import { createAttention, type AttentionBoard } from '../../agents/attention.js';
import { withReadSlots } from '../../calls/index.js';
import type { CallSeat } from '../../calls/seats.js';
import { executionsOn } from '../../pipeline/executions.js';
import type { Agent, OwnDesktop } from '../../protocol/index.js';
import { ownCommandEnvironments } from '../../tools/commands/environment.js';
import { allTools } from '../../tools/index.js';
import type { Tool, ToolDeps } from '../../tools/tool.js';
import { createClosers } from '../closers.js';
import { releaseHeldInput, type HostContext } from '../control.js';
import { createDesk } from '../desk.js';
import { buildSeat, type Seat, type SharedParts, type SharedPrograms } from '../seat.js';
import { forOwnDesktop, StartedHere } from './approver.js';
import { createLiveFrames, type LiveFrames } from '../../serve/page/live-frames.js';
import { Hand, Lease } from './lease.js';

export interface OpenDesk {
  facts: OwnDesktop;
  seat: CallSeat;
  toolDeps: Seat['toolDeps'];
  lease: Lease;
  attention: AttentionBoard;
  hand: Hand;
  live: LiveFrames;
  close(): Promise<void>;
}

export interface OwnParts {
  shared: SharedParts;
  programs: SharedPrograms;
  /** Of the desktop that the host shows. */
  toolDeps: ToolDeps;
}

/** Rejects, with everything closed again, where it cannot be opened. */
export async function openDesk(context: HostContext, parts: OwnParts, agent: Agent): Promise<OpenDesk> {
  const closers = createClosers();
  try {
    return await open(context, parts, agent, closers);
  } catch (thrown) {
    await closers.close();
    throw thrown;
  }
}

async function open(
  context: HostContext,
  { shared: given, programs }: OwnParts,
  agent: Agent,
  closers: ReturnType<typeof createClosers>,
): Promise<OpenDesk> {
  const { options, processes, log } = context;
  const facts: OwnDesktop = { id: randomUUID(), agent, since: new Date().toISOString(), taken: false, kept: false };
  const shared = { ...given, executions: executionsOn(given.executions, facts.id) };
  const { approvals, agents, executions } = shared;
  const opened = await openPrivate(context);
  closers.add(() => opened.close());
  const [started, lease] = [new StartedHere(processes.lineage), new Lease()];
  const watched = { name: opened.name, desktop: lease.guard(started.watch(opened.desktop)) };
  // Input there reaches no page on which somebody presses Allow.
  const desk = createDesk(context, { opened: watched, executions, agents, injected: () => undefined }, closers);
  const attention = createAttention(log);
  closers.add(desk.desktop.onLost((why) => attention.set('display_lost', message('attention.display_lost', { why }))));
  releaseHeldInput({ approvals, attention, agents, holds: desk.holds }, log, closers);
  const seat = buildSeat(
    context,
    shared,
    {
      desk,
      attention,
      place: 'own',
      programs,
      commandEnv: ownCommandEnvironments(options.env, opened.env),
      approver: (approver) => forOwnDesktop(approver, { started, desktop: desk.desktop, places: options.places ?? {} }),
      noteInjection: () => undefined,
      waitWhilePressing: async () => undefined,
    },
    closers,
  );
  await desk.desktop.windows(AbortSignal.timeout(FIRST_LOOK_MS));
  const live = createLiveFrames({
    ...{ desktop: opened.desktop, protection: shared.guard, imaging: shared.imaging },
    ...{ actedWindows: () => [], onlySingle: false, now: () => new Date() },
  });
  closers.add(live.close);
  const hand = new Hand(opened.desktop, () => lease.holder !== null);
  const { toolDeps } = seat;
  const callSeat = { ...seatOf(seat, lease, attention), desktop: desk.desktop };
  return { facts, seat: callSeat, toolDeps, lease, attention, hand, live, close: closers.close };
}

const seatOf = ({ runner, toolDeps }: Seat, lease: Lease, attention: AttentionBoard): Omit<CallSeat, 'desktop'> => ({
  own: true,
  runner: withReadSlots(runner),
  attention: {
    assertClear(offDesktop) {
      attention.assertClear(offDesktop);
      if (offDesktop !== true) lease.assertTold();
    },
  },
  tool: toolsBy(toolDeps),
  mayReadTitles: async () => true,
});

const FIRST_LOOK_MS = 5_000;

function toolsBy(deps: ToolDeps): (name: string) => Tool | undefined {
  const tools = new Map(allTools(deps).map((tool) => [tool.action.name, tool]));
  return (name) => tools.get(name);
}

/** A private display with nothing of the person on it; simulated where the host's desktop is. */
async function openPrivate({ options, processes }: HostContext): Promise<OpenedDesktop> {
  const { backend, env, log, openDesktop: open = openDesktop } = options;
  const simulated = backend === 'simulated';
  if (!simulated && process.platform !== 'linux')
    throw new DesktopError('unsupported', message('display.no_own_desktop'));
  const opened = await open({ backend: simulated ? backend : 'linux', display: 'virtual', env, log, processes });
  return { ...opened, desktop: withLengthLimits(opened.desktop) };
}

/** For agents that have no desktop yet: the tools that use none. Their commands see nothing of the person's. */
export function awaySeat({ options, log }: HostContext, { toolDeps }: OwnParts, shared: CallSeat): CallSeat {
  const commandEnv = ownCommandEnvironments(options.env, null);
  return {
    ...shared,
    attention: createAttention(log),
    tool: toolsBy({ ...toolDeps, commandEnv }),
    desktop: { displays: async () => [] },
    mayReadTitles: async () => false,
  };
}
