/**
 * Every consent that outlives a call, as data: where it is kept, until when it counts, and what it is bound to. A file that keeps
 * one without a row here fails the tests.
 */
import type { RuleKind } from '../../src/main/protocol/index.js';
import type { StoredGrantKind } from '../../src/main/approvals/choices.js';

type Binding =
  /** Pid, start time, executable, script and image, as the kernel reports them: the agent's id. */
  | 'process'
  /** The connection alone, with one process at its other end. */
  | 'connection'
  /** Content of the agent's executable and script, with nothing that loads other code. */
  | 'agent content'
  /** Content of the application's program, or its place where the system installed it. */
  | 'application content'
  /** The application's executable and script as the kernel names them. */
  | 'application path'
  /** Owner and content of each file that the entry names or its interpreter finds beside its script, and the entry word for word. */
  | 'entry and files'
  /** The request's digest: arguments, target and picture. */
  | 'request'
  /** A secret key that never leaves the browser. */
  | 'key'
  /** Every agent: a rule that only the person can loosen. */
  | 'everyone'
  /** Nothing: it gives no right, or only takes away. */
  | 'nothing';

interface Consent {
  /** A file of the state or configuration folder; null: in memory. */
  file: string | null;
  until: 'ten minutes' | 'two hours' | 'twelve hours' | 'process ends' | 'request expires' | 'taken back';
  boundTo: readonly Binding[];
}

type Kind =
  | `grant: ${StoredGrantKind}`
  | 'task'
  | `rule: ${RuleKind}`
  | 'allowed for the session'
  | 'decision without a caller'
  | 'confirmation token'
  | 'pause'
  | 'paused identity'
  | 'excluded application'
  | 'policy'
  | 'paired page'
  | 'confirmed application'
  | 'remote connection'
  | 'macro or recorded session'
  | 'known client';

export const CONSENTS: Readonly<Record<Kind, Consent>> = {
  'grant: time': { file: 'grants.json', until: 'ten minutes', boundTo: ['process', 'connection', 'application path'] },
  'grant: session': { file: 'grants.json', until: 'twelve hours', boundTo: ['process', 'connection', 'application path'] },
  'grant: always': { file: 'grants.json', until: 'taken back', boundTo: ['agent content', 'connection', 'application content'] },
  task: { file: null, until: 'two hours', boundTo: ['process', 'connection', 'application path'] },
  'rule: exact': { file: 'command-rules.json', until: 'twelve hours', boundTo: ['process', 'connection', 'application content'] },
  'rule: prefix': { file: 'command-rules.json', until: 'twelve hours', boundTo: ['process', 'connection', 'application content'] },
  'rule: prefix_time': { file: 'command-rules.json', until: 'ten minutes', boundTo: ['process', 'connection', 'application content'] },
  'allowed for the session': { file: null, until: 'process ends', boundTo: ['process', 'connection', 'application path'] },
  'decision without a caller': { file: 'approvals.json', until: 'request expires', boundTo: ['process', 'connection', 'request'] },
  'confirmation token': { file: null, until: 'ten minutes', boundTo: ['process', 'request'] },
  pause: { file: 'approvals.json', until: 'taken back', boundTo: ['nothing'] },
  'paused identity': { file: null, until: 'process ends', boundTo: ['nothing'] },
  'excluded application': { file: 'policy.json', until: 'taken back', boundTo: ['nothing'] },
  policy: { file: 'policy.json', until: 'taken back', boundTo: ['everyone'] },
  'paired page': { file: 'pairings.json', until: 'taken back', boundTo: ['key'] },
  'confirmed application': { file: 'gabp-apps-confirmed.json', until: 'taken back', boundTo: ['entry and files'] },
  'remote connection': { file: null, until: 'process ends', boundTo: ['process', 'connection'] },
  'macro or recorded session': { file: 'macros.json', until: 'taken back', boundTo: ['nothing'] },
  'known client': { file: 'clients.json', until: 'taken back', boundTo: ['nothing'] },
}; // prettier-ignore
