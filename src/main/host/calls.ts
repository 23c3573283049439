import { realpath } from 'node:fs/promises';
import { digestOf, paramsDigest } from '../approvals/index.js';
import { bridgeActions } from '../bridge/index.js';
import { createConfirmationGate } from '../calls/confirmation.js';
import { createCalls, type Calls } from '../calls/index.js';
import { createTokenIssuer } from '../calls/issue-token.js';
import { evidenceTools } from '../tools/evidence.js';
import type { Caller } from '../pipeline/ports.js';
import { auditTokenDigest } from '../../native/peer/index.js';
import { VERSION } from '../protocol/version.js';
import type { HostControl, HostContext } from './control.js';
import type { HostApps } from './gabp-apps.js';
import type { HostPipeline, PipelineParts } from './pipeline.js';
import { createWorkspaces } from './workspaces.js';

/** Everything that agents and scripts can call. */
export async function buildCalls(
  context: HostContext,
  { control, recorder, chat }: PipelineParts,
  { runner, events, toolDeps }: HostPipeline,
  { tools, apps }: HostApps,
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
