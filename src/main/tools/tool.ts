/** What a tool is, and what its handlers get besides the context of their call. */
import type { DesktopReader, App } from '../../native/desktop.js';
import type { Recognizer } from '../../native/ocr/index.js';
import type { CommandRunner } from '../../native/process/index.js';
import type { ClipboardHistory, Observations } from '../desktop/watch/index.js';
import type { Caller } from '../approvals/request.js';
import type { TaskControl } from '../approvals/task-control.js';
import type { AnyAction } from '../pipeline/action.js';
import type { HandlerHolds } from '../pipeline/holds.js';
import type { ReferencesOf } from '../pipeline/target/references.js';
import type { AgeOf } from '../pipeline/target/wait-until-started.js';
import type { Macros, Sessions } from '../sessions/index.js';
import type { ScriptPrograms } from './commands/command-line.js';
import type { Images } from './images.js';
import type { Pager } from './paging.js';
import type { Snapshots } from './tree/snapshots.js';
import { LRUCache } from 'lru-cache';

/** One MCP tool: its action and its place in lists. */
export interface Tool {
  group: string;
  /** Part of the small `core` profile. */
  core: boolean;
  action: AnyAction;
  /** Left out of lists: reached by the address of a resource. */
  listed?: false;
}

export const isListed = ({ listed }: Tool): boolean => listed !== false;

/** The tools of a group, those of the `core` profile first. */
export const toolGroup = (
  group: string,
  { core = [], more = [] }: Partial<Record<'core' | 'more', AnyAction[]>>,
): Tool[] => [
  ...core.map((action) => ({ group, core: true, action })),
  ...more.map((action) => ({ group, core: false, action })),
];

export interface ToolDeps {
  references: ReferencesOf;
  images: Images;
  pages: Pager;
  snapshots: Snapshots;
  opened: StartedApps;
  holds: HandlerHolds;
  sessions: Sessions;
  tasks: TaskControl;
  /** Whether the agent may know, without anybody being asked, what is open. */
  mayReadTitles(caller: Caller): Promise<boolean>;
  macros: Macros;
  observations: Observations;
  recognizer: Recognizer;
  ageOf: AgeOf;
  clipboard: ClipboardHistory;
  shell: Pick<CommandRunner, 'run' | 'prepare'>;
  /** macOS's programs for scripts; null elsewhere. */
  scripting: ScriptPrograms | null;
  /** Environments of commands, without and with access to the desktop. */
  commandEnv: Readonly<Record<'plain' | 'desktop', Readonly<Record<string, string>>>>;
  /** Masked desktop for work between calls. Handlers use the one of their context. */
  desktop: DesktopReader;
}

/** Remembers which running applications an agent opened. Only shown in lists; no act depends on it. */
type StartedApps = ReturnType<typeof createStartedApps>;

const MAX_STARTED = 500;

export function createStartedApps() {
  const marks = new LRUCache<string, { owner: string; pid: number; startTime: string }>({ max: MAX_STARTED });
  const keyOf = (owner: string, { pid, startTime }: Pick<App, 'pid' | 'startTime'>) =>
    JSON.stringify([owner, pid, startTime]);

  return {
    add(owner: string, { pid, startTime }: App): void {
      marks.set(keyOf(owner, { pid, startTime }), { owner, pid, startTime });
    },
    has: (owner: string, app: App): boolean => marks.has(keyOf(owner, app)),
    /** Returns whether it was remembered. */
    forget(owner: string, pid: number): boolean {
      const found = [...marks.entries()].filter(([, mark]) => mark.owner === owner && mark.pid === pid);
      for (const [key] of found) marks.delete(key);
      return found.length > 0;
    },
  };
}
