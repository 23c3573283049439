import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { createExecutions } from '../pipeline/executions.js';
import { Stopped } from '../pipeline/failures.js';
import { createHolds } from '../pipeline/holds.js';
import { createLocks } from '../pipeline/locks.js';
import { maskedReader } from '../pipeline/masked.js';
import type { Caller } from '../pipeline/ports.js';
import { createOwnFiles } from '../pipeline/own-files.js';
import { createRunner } from '../pipeline/run.js';
import { createApprovals, digestOf, paramsDigest, savePolicy, shownPolicy } from '../approvals/index.js';
import type { Policy, Where } from '../approvals/index.js';
import { bridgeActions } from '../bridge/index.js';
import { createChat } from '../chat/index.js';
import { createImaging, createRecorder } from '../evidence/index.js';
import { allTools } from '../tools/index.js';
import { createMacros, createSessions } from '../sessions/index.js';
import { VERSION } from '../protocol/version.js';
import type { OpenedDesktop } from '../../native/open.js';
import type { ProcessIdentity, ProcessTable } from '../../native/peer/types.js';
import { createAdmin } from '../serve/admin.js';
import { createAgents } from '../agents/index.js';
import { createAttention } from '../agents/attention.js';
import type { createClosers } from './closers.js';
import { commandParts } from './command-environment.js';
import { createConsent } from '../calls/consent.js';
import { createHub } from '../calls/create-hub.js';
import { watchDoings } from '../agents/current-acts.js';
import { denyFromTerminal } from '../approvals/deny-from-terminal.js';
import { watchHealth } from './health.js';
import { createIssuer } from '../calls/issue-token.js';
import type { HostOptions } from './options.js';
import { pairingParts } from './pairing.js';
import { createKin } from '../agents/restarts.js';
import { holdWhilePressing } from '../approvals/still-lane.js';
import { hearSynthetic, syntheticInputIssues } from '../serve/page/press-check.js';
import { policyPath } from './policy.js';
import { createPageGuard, pageOrigins } from '../serve/page/protection.js';
import { createIsRunning, createIsSame, forSameProgram } from '../agents/same-program.js';
import { watchShell } from './watch-menubar.js';
import { watchStatus } from '../agents/status.js';
import { isInOurWindow, watchTakeover } from '../agents/takeover.js';
import { countCalls } from '../calls/pending-calls.js';
import { createToolDeps } from './tool-dependencies.js';
import { watchOwnChanges } from './watch-own-changes.js';
import { watchingParts } from './watch-dependencies.js';
import { createWorkspaces } from './workspaces.js';

export interface Parts {
  options: HostOptions;
  policy: Policy;
  processes: ProcessTable;
  opened: OpenedDesktop;
  url(): string;
  leave(reason: string): void;
  auditTokenDigest(identity: ProcessIdentity): string;
}

/** Builds approvals, evidence, chat and the pipeline around one desktop, and wires them to each other. */
export async function buildRooms(
  { options, policy, processes, opened, url, leave, auditTokenDigest }: Parts,
  closers: ReturnType<typeof createClosers>,
) {
  const { paths, log } = options;
  const { desktop, ownChanges } = watchOwnChanges(opened, () => approvals.injected('agent'), closers);
  const failed = (thrown: unknown) => log.error({ err: thrown }, 'unexpected');
  const now = () => new Date();

  const recorder = await createRecorder({
    stateDir: paths.state,
    workspaceRoot: options.workspaceRoot,
    now,
    log,
    ...(Object.keys(policy.evidence).length === 0 ? {} : { retention: policy.evidence }),
  });
  closers.add(() => recorder.close());
  const chat = await createChat({ file: join(paths.state, 'chat.jsonl'), now: Date.now, log });
  closers.add(() => chat.close());
  const approvals = createApprovals({
    policy,
    stateDir: paths.state,
    now: Date.now,
    popover: options.shell !== undefined,
    letGo: () => holds.letGo(),
    standsFor: (agentId) => kin.standsFor(agentId),
    agentOf: (agentId) => agents.known(agentId),
    isRunning: createIsRunning(processes),
    ...(options.policy === undefined && !options.narrow
      ? { savePolicy: (changed: Policy) => void savePolicy(policyPath(paths.config), changed) }
      : {}),
    log: (message, thrown) => log.error({ err: thrown }, message),
  });
  closers.add(() => approvals.close());
  const agents = createAgents(now, failed);
  const { pairing, askerFault, pairingRequests, watching } = pairingParts({ options, processes, agents, approvals, recorder, log: failed }); // prettier-ignore

  const guard = createPageGuard({ processes, origins: () => pageOrigins(url()), unspentLink: pairing.unspent, ownPid: process.pid }); // prettier-ignore
  const [executions, attention] = [createExecutions(failed), createAttention(failed)];
  const [turns, lane] = [createLocks(failed), createLocks(failed)];
  const pressing = holdWhilePressing(lane, approvals);
  for (const close of [pressing.close, hearSynthetic(desktop, options, approvals)]) closers.add(close);
  const kin = createKin({ processes, agents, pausedAlone: approvals.pausedAlone, now: Date.now });
  closers.add(approvals.onPause(kin.look));
  const doings = watchDoings(executions, failed);
  closers.add(doings.close);
  const imaging = createImaging();
  const excludedApps = () => new Set(approvals.policy().excludedApps);
  const holds = createHolds({
    lane,
    desktop,
    executions,
    present: agents.has,
    ...(options.holdMs === undefined ? {} : { longestMs: options.holdMs }),
  });
  const sessions = createSessions({
    now: Date.now,
    grantLabel: (id) => approvals.grants().find((grant) => grant.id === id)?.label ?? null,
  });
  const macros = createMacros({
    file: join(paths.state, 'macros.json'),
    now: Date.now,
    log: (message, thrown) => log.error({ err: thrown }, message),
  });
  const toolDeps = createToolDeps(
    {
      desktop: maskedReader(desktop, { protection: guard, imaging, excludedApps }),
      real: desktop,
      ...commandParts(options, opened.env),
      holds,
      sessions,
      macros,
      onPolicy: (listener) => approvals.onPolicy(listener),
      watching: watchingParts({ desktop, processes, approvals, attention, agents, log: failed }),
    },
    closers,
  );
  const { images, observations } = toolDeps;
  const runner = createRunner({
    desktop,
    approver: doings.noticing(forSameProgram(approvals, createIsSame(processes))),
    recorder,
    journal: sessions,
    chat,
    tokens: approvals.tokens,
    imaging,
    protection: guard,
    excludedApps,
    executions,
    turns,
    lane,
    holds,
    ownFiles: createOwnFiles([paths.config, paths.state, paths.runtime]),
    assertClear: attention.assertClear,
    injecting: () => approvals.injected('agent'),
    ownChanges,
    still: pressing.still,
    digest: digestOf,
    now,
  });

  const stopAgents = (by: string, where: Where) => {
    approvals.stop({ by, where });
    executions.halt(new Stopped('stop', 'The person stopped everything.'));
  };
  const paused = () =>
    attention.set(
      'paused',
      approvals.pausedForAll() === null ? null : 'agents are paused; only the person resumes them.',
    );
  closers.add(approvals.onPause(paused));
  closers.add(
    attention.port.onChange((event, { summary }) => {
      if (event === 'opened') void holds.release(null, new Stopped('person', `Let go: ${summary}`));
    }),
  );
  const pausedNow = () => new Stopped('stop', 'The agent is paused.');
  closers.add(approvals.onPause(() => void holds.review(approvals.isPaused, pausedNow())));
  paused();
  closers.add(desktop.onLost((reason) => attention.set('display_lost', `the desktop is gone (${reason}).`)));
  closers.add(approvals.onPolicy(({ evidence }) => recorder.setRetention(evidence)));
  const issuer = createIssuer({ runner, tokens: approvals.tokens, paramsDigest });
  const actions = bridgeActions({
    ...toolDeps,
    version: VERSION,
    desktop,
    executions,
    withdraw,
    auditTokenDigest: ({ peer }) => auditTokenDigest(peer),
    issue: issuer.issue,
  });
  issuer.serve(actions);
  /** A card that outlived its call, of the same agent. */
  function withdraw({ agent }: Caller, id: string): boolean {
    const owner = executions.owner(id) ?? approvals.cards().find((card) => card.executionId === id)?.agent.id;
    return owner === agent.id && approvals.withdraw(id);
  }

  const status = watchStatus({
    approvals,
    agents,
    doings,
    sessions,
    attention,
    executions,
    lane,
    recordVerified: () => recorder.recovered === null,
    log: failed,
  });
  closers.add(() => status.close());
  const acting = () => lane.busy('desktop');
  const { shell } = options;
  const side = watchShell({ shell, attention, executions, acting, stopAgents: () => stopAgents('hotkey', 'popover') });
  closers.add(side.close);
  const health = watchHealth({
    desktop,
    version: VERSION,
    backend: opened.name,
    display: opened.display,
    note: opened.note,
    harmless: opened.harmless === true,
    attention,
    more: () => [...side.issues(), ...syntheticInputIssues(options)],
    log: failed,
  });
  await health.refresh();
  closers.add(() => health.close());
  const takeover = watchTakeover({
    desktop,
    executions,
    attention,
    acting,
    inOurWindows: (at) => isInOurWindow(desktop, guard, at),
    atOurs: () => void (approvals.cards().length > 0 && holds.letGo()),
    log: failed,
  });
  closers.add(() => takeover.close());

  const admin = createAdmin({
    url,
    desktop: { name: opened.name, display: opened.display, env: opened.env },
    status: status.now,
    health: health.now,
    policy: () => shownPolicy(approvals.policy()),
    cards: approvals.cards,
    questions: chat.pending,
    pairingLink: (askedBy) => pairingRequests.linkFor(askedBy, url()),
    stopAgents: (by) => stopAgents(by, 'cli'),
    leave,
    background: options.background,
    deny: denyFromTerminal(approvals),
    lineage: processes.lineage,
    agents,
    askerFault,
  });
  const consent = createConsent({
    tokens: approvals.tokens,
    phraseRule: () => approvals.policy().confirmPhrase,
    phrase: ({ agent }) => approvals.phrase({ agentId: agent.id, effect: 'input', appId: null }),
    paramsDigest,
  });
  const door = createHub({
    bridgeActions: actions,
    tools: allTools(toolDeps),
    runner,
    recorder,
    attention,
    consent,
    reserved: [paths.state, await realpath(paths.state)],
    digest: digestOf,
    images,
    chat,
    desktop,
    agents: watching(kin.meeting(agents)),
    onObservation: observations.onEvent,
    left: (agentId) => void holds.release(agentId, new Stopped('abort', 'The agent has gone.')).catch(failed),
    admin,
    command: options.command,
    workspaceFor: createWorkspaces(recorder, paths.state),
    log: failed,
  });
  closers.add(() => executions.stop(new Stopped('closing', 'The host is ending.')));
  return {
    approvals,
    chat,
    recorder,
    pairing,
    pairingRequests,
    status,
    health,
    agents,
    executions,
    stopAgents,
    guard,
    ...countCalls(door),
    doings,
    imaging,
    observations,
    commandRunner: toolDeps.shell,
  };
}
