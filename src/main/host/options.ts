import type { Readable, Writable } from 'node:stream';
import type { Logger } from 'pino';
import type { SupervisorProgram } from '../../native/process/index.js';
import type { openDesktop, StartHelper } from '../../native/open.js';
import type { granteeOfThisProcess, PlaceOptions } from '../../native/peer/index.js';
import type { PersonOptions, PersonProof } from '../agents/person.js';
import type { Health } from '../protocol/index.js';
import type { Message } from '../../messages/index.js';
import type { ScriptPrograms } from '../tools/commands/command-line.js';
import type { HeadKey } from '../evidence/index.js';
import type { PressLimits } from '../approvals/index.js';
import type { Launcher } from '../setup/index.js';
import type { GabpRules } from '../serve/connection.js';
import type { ServiceOffer } from '../serve/bridge-service.js';
import type { MenubarHost, MenubarApp } from '../serve/menubar-app.js';

/** Options of `chaperone host`. Folders come from discovery.ts (`hostPaths`). */
export interface HostOptions {
  paths: { config: string; state: string; runtime: string; /** True when CHAPERONE_HOME is set. */ isolated: boolean };
  /** 0 or absent: the last used port, else any. */
  port?: number;
  workspaceRoot: string;
  backend: 'auto' | 'macos' | 'linux' | 'simulated';
  display: 'current' | 'virtual';
  /** The virtual one is of a Wayland compositor. */
  wayland?: boolean;
  /** A preset name or a file; `unattended` is honoured only from here, never from the environment. */
  policy?: string;
  /** Policy may not be wider than `standard` (a shim started this host). */
  narrow: boolean;
  /** GABP over these streams as well. */
  stdio?: { input: Readable; output: Writable };
  /** GABP over loopback TCP as well; 0 picks a port. */
  tcp?: number;
  /** MCP over HTTP on this loopback port as well; 0 picks one. */
  http?: number;
  /** Of that; tests shorten them. */
  httpLimits?: { idleMs?: number; callLimitMs?: number; requestMs?: number };
  /** How GABP is served. */
  gabp?: GabpServing;
  /** Revokes all paired pages before anything is served. */
  resetPairings?: boolean;
  /** Input of other programs' synthetic devices may press Allow: for VNC and on-screen keyboards. */
  acceptSyntheticInput?: boolean;
  /** Started by a shim: exits after 30 minutes without connections, cards, questions or observations. */
  background: boolean;
  /** Folder of the built page. */
  assets: string;
  env: Record<string, string | undefined>;
  log: Logger;
  /** Idle time after which a background host exits; tests shorten it. */
  idleMs?: number;
  /** Milliseconds after which the desktop of an agent that has left is ended; tests shorten it. */
  ownDesktopGraceMs?: number;
  /** Milliseconds after which a held key or button is released; tests shorten it. */
  holdMs?: number;
  /** Where programs count as installed, besides the usual places; tests have their own. */
  places?: PlaceOptions;
  /** Starts this installation's shim; default: `launcher`. */
  shim?: Launcher;
  /** When a press on Allow counts; tests shorten it. */
  pressLimits?: PressLimits;
  /** The bridge service, where the app can open it; absent on plain Node. */
  service?: ServiceOffer;
  /** Vouches for the head of the audit log; absent where no app keeps one. */
  headKey?: HeadKey;
  /** What the app itself lacks now, for Health. */
  appIssues?: () => Health['issues'];
  /** Starts helpers of the macOS backend as the app's own; absent on plain Node. */
  startHelper?: StartHelper;
  /** The menubar app this host runs in; absent on plain Node. */
  menubarApp?: MenubarApp;
  /** The command that a coding agent starts to reach this host; absent: pages show commands only and set nothing up. */
  launcher?: Launcher;
  /** How a person starts the command line on this machine; shown on pages. */
  command?: string;
  /** Supervisor program for commands; by default the one next to this program. */
  supervisor?: SupervisorProgram;
  /** Programs that run AppleScript; absent: those of the system, where it has them. */
  scripting?: ScriptPrograms;
  /** Replaces native/open's, for tests. */
  openDesktop?: typeof openDesktop;
  /** Replaces the kernel's proof of who is the person, for tests: what they start is below the host, which is in their own process. */
  personProof?: (kernel: PersonProof, facts: PersonOptions) => PersonProof;
  /** Replaces native/peer's, for tests. */
  grantee?: typeof granteeOfThisProcess;
}

export interface GabpServing extends GabpRules {
  /** That a launching bridge has made; absent: a new one. */
  token?: string;
  /** Over TCP in all, and on the Unix socket for each process. */
  maxConnections?: number;
  /** Kept of each channel, and waiting for each connection. */
  maxEvents?: number;
}

export interface Host {
  /** `http://localhost:<port>` */
  url: string;
  tcpPort: number | null;
  /** Address of MCP over HTTP and the file with its token; null where it is not served. */
  mcpHttp: { url: string; tokenFile: string } | null;
  socketPath: string;
  /** Which desktop is used and why, e.g. a virtual one because there is no display. */
  notes: Message[];
  /** Environment for programs that should appear on this desktop; null where none can. */
  desktopEnv: Record<string, string> | null;
  /** State and commands for the menubar app. */
  menubar: MenubarHost;
  /** A new single-use link, valid for two minutes. */
  pairingLink(): string;
  /** Resolves when the host has ended by itself (idle, `chaperone stop --host`, desktop lost for good). */
  readonly ended: Promise<Message>;
  close(): Promise<void>;
}
