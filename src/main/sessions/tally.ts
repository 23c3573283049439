/** Summary of one session. Counts are unlimited; lists keep their newest entries. */
import type { EndedCall } from '../pipeline/ports.js';
import { formatEnglish, type Message } from '../../messages/index.js';

export interface SessionExecution {
  execution: string;
  tool: string;
  outcome: string;
  at: string;
  evidence: string | null;
}

export interface SessionSummary {
  calls: number;
  tools: Record<string, number>;
  effects: Record<string, number>;
  outcomes: Record<string, number>;
  applications: string[];
  grants: { id: string; label: string }[];
  first_call_at: string | null;
  last_call_at: string | null;
}

export interface SessionTally {
  add(call: EndedCall, grantLabel: (id: string) => Message | null): void;
  account(): SessionSummary;
  /** Newest last. */
  executions(): SessionExecution[];
}

const MAX_EXECUTIONS = 500;
const MAX_NAMES = 200;

export function createSessionTally(): SessionTally {
  const [tools, effects, outcomes] = [createCounts(), createCounts(), createCounts()];
  const applications = new Set<string>();
  const grants = new Map<string, string>();
  const executions: SessionExecution[] = [];
  let [calls, first, last]: [number, string | null, string | null] = [0, null, null];

  return {
    add({ executionId, tool, effect, outcome, plan, decision, evidenceDir, at }, grantLabel) {
      calls += 1;
      first ??= at;
      last = at;
      tools.add(tool);
      effects.add(effect);
      outcomes.add(outcome);
      for (const one of [plan, ...(plan?.steps ?? []).map((step) => step.plan)])
        if (one?.window != null && applications.size < MAX_NAMES) applications.add(one.window.app.id);
      const grant = decision?.kind === 'allowed' ? decision.grantId : null;
      if (grant !== null && grants.size < MAX_NAMES)
        grants.set(grant, labelOf(grantLabel(grant)) ?? grants.get(grant) ?? '');
      executions.push({ execution: executionId, tool, outcome, at, evidence: evidenceDir });
      if (executions.length > MAX_EXECUTIONS) executions.shift();
    },
    account: () => ({
      calls,
      tools: tools.all(),
      effects: effects.all(),
      outcomes: outcomes.all(),
      applications: [...applications].sort(),
      grants: [...grants].map(([id, label]) => ({ id, label })),
      first_call_at: first,
      last_call_at: last,
    }),
    executions: () => [...executions],
  };
}

function createCounts() {
  const counts = new Map<string, number>();
  return {
    add(name: string): void {
      if (counts.has(name) || counts.size < MAX_NAMES) counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    all: () => Object.fromEntries(counts),
  };
}

const labelOf = (label: Message | null) => (label === null ? null : formatEnglish(label));
