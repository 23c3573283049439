import * as z from 'zod';
import { parseInput } from '../action/define.js';
import type { Caller } from '../action/ports.js';
import { WireError } from '../protocol/index.js';
import type { Card, Health, ShownPolicy, Status } from '../protocol/index.js';
import type { ProcessIdentity } from '../../native/peer/types.js';

export interface AdminOptions {
  url(): string;
  /** Which desktop is served, and the environment for programs that are to show on it. */
  desktop: { name: string; display: string; env: Record<string, string> | null };
  status(): Status;
  health(): Health | null;
  policy(): ShownPolicy;
  cards(): Card[];
  pairingLink(by: string): string;
  stopAgents(by: string): void;
  leave(reason: string): void;
  /** Started by a shim, for agents; nobody chose where it runs. */
  background: boolean;
  deny(id: string, message: string | undefined): void;
  lineage(pid: number): ProcessIdentity[];
  isAgent(lineage: readonly ProcessIdentity[]): boolean;
  /** True when this very process has made calls as an agent does. */
  hasCalled(process: ProcessIdentity): boolean;
  /** True when the process has a controlling terminal. */
  hasTerminal(pid: number): boolean;
}

const stopSchema = z.object({ host: z.boolean().default(false) });
const denySchema = z.object({ id: z.uuid(), message: z.string().max(4000).optional() });

/** What the command line may ask of a running host. Nothing here can allow, widen or resume. */
export function createAdmin(
  options: AdminOptions,
): (caller: Caller, method: string, params: unknown) => Promise<unknown> {
  const methods = new Map<string, (caller: Caller, params: unknown) => unknown>([
    [
      'admin/status',
      () => ({
        url: options.url(),
        status: options.status(),
        pendingApprovals: options.cards().length,
        desktop: options.desktop,
        health: options.health(),
        policy: options.policy(),
      }),
    ],
    ['admin/approvals', () => ({ approvals: options.cards().map((card) => ({ ...card, picture: null })) })],
    ['admin/deny', (_caller, params) => deny(parseInput(denySchema, params, 'admin/deny'))],
    ['admin/stop', (_caller, params) => stop(parseInput(stopSchema, params, 'admin/stop').host)],
    ['admin/handover', handover],
    ['admin/pair', (caller) => ({ link: pair(caller) })],
  ]);

  function deny({ id, message }: z.infer<typeof denySchema>) {
    options.deny(id, message);
    return { denied: true };
  }

  function stop(host: boolean) {
    options.stopAgents('command line');
    if (host) options.leave('chaperone stop --host');
    return { stopped: true };
  }

  /** To the menubar app: what is open stays on disk, and nobody is paused for it. */
  function handover() {
    if (!options.background)
      throw new WireError('DESKTOP_INVALID_REQUEST', 'This host was started by a person and stays.', {
        reason: 'not_background',
      });
    options.leave('the menubar app takes over');
    return { leaving: true };
  }

  /** By the kernel's word only: a terminal behind the caller, and no agent above it. */
  function pair({ peer }: Caller): string {
    const lineage = options.lineage(peer.pid);
    if (lineage.length === 0 || options.hasCalled(peer) || options.isAgent(lineage.slice(1)))
      throw refusal('agent', 'This process, or one above it, is a connected agent, so it cannot pair a page.');
    if (!options.hasTerminal(peer.pid)) throw refusal('no_terminal', 'Pairing needs a person at a terminal.');
    return options.pairingLink('cli');
  }

  return async (caller, method, params) => {
    const run = methods.get(method);
    if (run === undefined)
      throw new WireError('DESKTOP_INVALID_REQUEST', `There is no method ${method.slice(0, 100)}.`, {
        reason: 'unknown_method',
      });
    return run(caller, params);
  };
}

const refusal = (reason: string, message: string) =>
  new WireError('DESKTOP_CONFIRM_REQUIRED', message, {
    reason,
    next: 'Run `chaperone pair` yourself, in a terminal that no agent has opened.',
  });
