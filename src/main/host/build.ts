import { join, resolve, dirname } from 'node:path';
import { createChat } from '../chat/index.js';
import { createRecorder, type EvidenceRecorder } from '../evidence/index.js';
import { Stopped } from '../pipeline/failures.js';
import { createPageGuard } from '../serve/page/page-guard.js';
import type { Closers } from './closers.js';
import { buildControl, endForwardedGrants, releaseHeldInput, type HostContext, type HostControl } from './control.js';
import { buildPipeline, type HostPipeline, type PipelineParts } from './pipeline.js';
import { buildWatches } from './watches.js';
import { message } from '../../messages/index.js';
import { createDescentChecks, auditTokenDigest } from '../../native/peer/index.js';
import type { StartedCommands } from '../../native/peer/started-commands.js';
import type { ProcessTable, ProcessIdentity } from '../../native/peer/types.js';
import { type Approvals, digestOf, paramsDigest } from '../approvals/index.js';
import { AgentTraces } from '../agents/agent-traces.js';
import type { Agents } from '../agents/index.js';
import { KernelPersonProof } from '../agents/person.js';
import type { HostOptions } from './options.js';
import { createPairing } from '../serve/pairing/index.js';
import { createPairingRequests } from '../serve/pairing/requests.js';
import { realpath } from 'node:fs/promises';
import { bridgeActions } from '../bridge/index.js';
import { createOwnDesktops, type OwnDesktops } from './own/desktops.js';
import { createConfirmationGate, createTokenIssuer } from '../calls/confirmation.js';
import { createCalls, type Calls } from '../calls/index.js';
import { evidenceTools } from '../tools/evidence.js';
import type { Caller } from '../approvals/request.js';
import type { Recorder } from '../evidence/recorder.js';
import { VERSION, RESUME_TOOL } from '../protocol/local-command.js';
import { homedir } from 'node:os';
import { LRUCache } from 'lru-cache';
import { personAgent, processAgent, unknownPeer } from '../agents/caller.js';
import { createGabpApps, realTime, type GabpApps } from '../gabp/index.js';
import { assertNoOwnFile } from '../pipeline/own-files.js';
import type { PageApps } from '../serve/page/programs.js';
import { allTools } from '../tools/index.js';
import { socketPathFor } from './discovery.js';

export type HostParts = Awaited<ReturnType<typeof buildHost>>;

/** Builds everything up to the calls, in the order of dependencies. */
export async function buildHost(context: HostContext, closers: Closers) {
  const { options, processes, startedCommands, log } = context;
  const { recorder, chat } = await openRecords(context, closers);
  const control = buildControl(context, closers);
  const { agents, approvals, executions } = control;
  closers.add(approvals.onPolicy(({ evidence }) => recorder.setRetention(evidence)));
  closers.add(
    approvals.onCard((event) => {
      if (event.kind === 'resolved' && event.late !== undefined)
        void recorder.recordDecision(event.executionId, event.late);
    }),
  );
  const pairing = buildPairing({ options, processes, startedCommands, agents, approvals, recorder, log });
  const guard = createPageGuard({ processes, unspentLink: pairing.pairing.unspent, ownPid: process.pid });
  const parts = { control, recorder, chat, guard };
  const pipeline = buildPipeline(context, parts, closers);
  releaseHeldInput(control, log, closers);
  endForwardedGrants(control, closers);
  const { shared, toolDeps } = pipeline;
  const ownDesktops = createOwnDesktops(context, { shared, toolDeps, programs: toolDeps }, closers);
  const watches = await buildWatches(context, { ...parts, ownDesktops }, pipeline, closers);
  const apps = buildGabpApps(context, control, pipeline, recorder, closers);
  const calls = await buildCalls(context, parts, pipeline, apps, ownDesktops);
  closers.add(() => executions.stop(new Stopped('closing', message('stopped.host_ending'))));
  return {
    ...control,
    ...pairing,
    ...pipeline,
    ...watches,
    recorder,
    chat,
    guard,
    calls,
    ownDesktops,
    apps: apps.apps,
    pageApps: apps.pageApps,
    startApps: apps.startAll,
  };
}

async function openRecords({ options: { paths, workspaceRoot, log, headKey }, policy }: HostContext, closers: Closers) {
  const recorder = await createRecorder({
    stateDir: paths.state,
    workspaceRoot,
    now: () => new Date(),
    log,
    retention: policy.evidence,
    ...(headKey === undefined ? {} : { headKey }),
  });
  closers.add(recorder.close);
  const chat = await createChat({ file: join(paths.state, 'chat.jsonl'), now: Date.now, log });
  closers.add(chat.close);
  return { recorder, chat };
}

interface Sources {
  options: Pick<HostOptions, 'menubarApp' | 'paths' | 'background' | 'personProof'>;
  processes: ProcessTable;
  startedCommands: StartedCommands;
  agents: Agents;
  approvals: Approvals;
  recorder: EvidenceRecorder;
  log(thrown: unknown): void;
}

/** Who is the person, and which pages are theirs. */
function buildPairing({ options, processes, startedCommands, agents, ...rest }: Sources) {
  const pairing = createPairing({ file: join(options.paths.state, 'pairings.json'), now: Date.now, onError: rest.log });
  const { inspector, mark } = createDescentChecks(startedCommands);
  const { lineage } = processes;
  const openedByAgent = (pid: number) => mark(pid).kind === 'marked';
  const traces = new AgentTraces({ inspector, lineage, openedByAgent, hasCalled: agents.hasCalled, now: Date.now });
  agents.onContact((contact) => traces.note(contact));
  const host = { pid: process.pid, background: options.background };
  const facts = { lineage, agents, traces, inspector, mark, host };
  const kernel = new KernelPersonProof(facts);
  const person = options.personProof?.(kernel, facts) ?? kernel;
  const popover = options.menubarApp !== undefined;
  return { pairing, person, pairingRequests: createPairingRequests({ ...rest, pairing, person, popover }) };
}

/** Everything that agents and scripts can call. */
async function buildCalls(
  context: HostContext,
  { control, recorder, chat }: PipelineParts,
  { runner, events, toolDeps }: HostPipeline,
  { tools, apps }: HostApps,
  ownDesktops: Pick<OwnDesktops, 'seats'>,
): Promise<Calls> {
  const { paths, command } = context.options;
  const { approvals, agents, attention, executions, desktop } = control;
  const { tokens } = approvals;
  const methods = bridgeActions({
    version: VERSION,
    serviceClosed: context.service.whyClosed,
    desktop,
    references: toolDeps.references,
    ageOf: toolDeps.ageOf,
    executions,
    withdraw: withdrawOwn(control),
    auditTokenDigest: ({ peer }) => auditTokenDigest(peer),
    issue: createTokenIssuer({ runner, tokens, paramsDigest }),
  });
  const confirmation = createConfirmationGate({
    tokens,
    phraseRule: () => approvals.policy().confirmPhrase,
    phrase: ({ agent }) => approvals.phrase({ agentId: agent.id, effect: 'input', appId: null }),
    paramsDigest,
  });
  agents.onContact(({ kind, caller }) => {
    if (kind === 'disconnected') chat.connectionClosed(caller.connectionId);
  });
  return createCalls({
    methods,
    tools: [...tools, ...evidenceTools({ record: recorder })],
    appTools: apps.tools,
    toldResources: apps.toldResources,
    runner,
    seats: ownDesktops.seats,
    events,
    recorder,
    chat,
    agents,
    mayReadTitles: approvals.mayReadTitles,
    attention,
    confirmation,
    desktop,
    images: toolDeps.images,
    reserved: [paths.state, await realpath(paths.state)],
    workspaceFor: createWorkspaces(recorder, paths.state),
    digest: digestOf,
    command,
    log: context.log,
  });
}

/** Withdraws an orphaned card for the agent that made it. */
const withdrawOwn =
  ({ executions, approvals }: HostControl) =>
  ({ agent }: Caller, id: string): boolean => {
    const owner = executions.owner(id) ?? approvals.cards().find((card) => card.executionId === id)?.agent.id;
    return owner === agent.id && approvals.withdraw(id);
  };

/** A folder that was no workspace is not looked at again for so long. */
const UNFIT_MS = 1_000;
const MAX_UNFIT = 200;

/** Where the evidence of an MCP call goes: the agent's folder if it is a valid workspace, else the state folder. */
function createWorkspaces(recorder: Pick<Recorder, 'workspace'>, stateFolder: string) {
  const unsuitable = new Set(['/', homedir()].map((path) => resolve(path)));
  const lookups = new Map<string, Promise<string>>();
  const unfit = new LRUCache<string, true>({ max: MAX_UNFIT, ttl: UNFIT_MS });

  async function lookUp(folder: string): Promise<string> {
    const found = await recorder.workspace(folder).catch(() => null);
    if (found !== null && !found.hidden) return folder;
    unfit.set(folder, true);
    return stateFolder;
  }

  return async ({ agent }: Caller): Promise<string> => {
    const { cwd } = agent;
    if (cwd === null || unsuitable.has(resolve(cwd)) || unfit.has(cwd)) return stateFolder;
    // Concurrent calls share one lookup, so that they keep their order.
    const lookup = lookups.get(cwd) ?? lookUp(cwd).finally(() => lookups.delete(cwd));
    lookups.set(cwd, lookup);
    return lookup;
  };
}

type HostApps = ReturnType<typeof buildGabpApps>;

/** The tools of this program, and the applications that add theirs. */
function buildGabpApps(
  { options, processes, log }: HostContext,
  { approvals }: HostControl,
  { toolDeps, ownFiles }: HostPipeline,
  recorder: Pick<EvidenceRecorder, 'recordApplication'>,
  closers: Closers,
) {
  const tools = allTools(toolDeps);
  const { paths, supervisor, narrow } = options;
  const apps = createGabpApps({
    ...realTime,
    version: VERSION,
    env: toolDeps.commandEnv.desktop,
    folders: { config: paths.config, state: paths.state, sockets: dirname(socketPathFor(paths)) },
    processes,
    supervisor,
    askPerson: approvals.askPerson,
    narrow,
    reserved: new Set([RESUME_TOOL, ...tools.map(({ action }) => action.name)]),
    assertNoOwnFile: (given) => assertNoOwnFile(ownFiles, given),
    record: recorder.recordApplication,
    onError: log,
  });
  closers.add(apps.close);
  const own = () => processes.lookup(process.pid);
  const host = (): Caller => callerOf(own() ?? unknownPeer('host'), 'host');
  const person = (page: ProcessIdentity | null): Caller => personAt(page ?? own() ?? unknownPeer('page'));
  return { tools, apps, pageApps: appsOfPages(apps, person), startAll: () => apps.startAll(host()) };
}

/** A paired page is the person: they confirm only what they have not confirmed yet. */
function appsOfPages(apps: GabpApps, callerFor: (page: ProcessIdentity | null) => Caller): PageApps {
  return {
    ...apps,
    start: (name, by, signal) => apps.start(name, { caller: callerFor(by), always: false }, signal),
    stop: (name, by) => apps.stop(name, callerFor(by)),
  };
}

/** Who asks for an application to be started: no agent, but the host at its start, or the person. */
const callerOf = (peer: ProcessIdentity, connectionId: string): Caller => ({
  agent: processAgent(peer),
  peer,
  connectionId,
  protocol: 'gabp',
});
const personAt = (peer: ProcessIdentity): Caller => ({ ...callerOf(peer, 'page'), agent: personAgent(peer) });
