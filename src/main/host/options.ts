import type { Readable, Writable } from 'node:stream';
import type { Logger } from 'pino';
import type { SupervisorProgram } from '../../native/process/index.js';
import type { openDesktop } from '../../native/open.js';
import type { Launcher } from '../setup/index.js';
import type { Desk, Shell } from '../serve/menubar-app.js';

/** Everything `chaperone host` can be told. Folders come from discovery.ts (`hostPaths`). */
export interface HostOptions {
  paths: { config: string; state: string; runtime: string; /** True when CHAPERONE_HOME is set. */ isolated: boolean };
  /** 0 or absent: the last port, else any. */
  port?: number;
  workspaceRoot: string;
  backend: 'auto' | 'macos' | 'linux' | 'simulated';
  display: 'current' | 'virtual';
  /** A preset name or a file; `unattended` is honoured only from here, never from the environment. */
  policy?: string;
  /** Policy may not be wider than `standard` (a shim started this host). */
  narrow: boolean;
  /** GABP over these streams as well. */
  stdio?: { input: Readable; output: Writable };
  /** GABP over loopback TCP as well; 0 picks a port. */
  tcp?: number;
  /** Revokes all paired pages before anything is served. */
  resetPairings?: boolean;
  /** Input of other programs' synthetic devices may press Allow: for VNC and on-screen keyboards. */
  acceptSyntheticInput?: boolean;
  /** Started by a shim: leaves after 30 minutes without connections, cards, questions or observations. */
  background: boolean;
  /** Folder of the built page. */
  assets: string;
  env: Record<string, string | undefined>;
  log: Logger;
  /** Milliseconds of idleness after which a background host leaves; tests shorten it. */
  idleMs?: number;
  /** Milliseconds after which a held key or button is let go; tests shorten it. */
  holdMs?: number;
  /** The menubar app this host runs in; absent on plain Node. */
  shell?: Shell;
  /** What a coding agent is to start to reach this host; absent: pages show commands only and set nothing up. */
  launcher?: Launcher;
  /** What a person types on this machine to call the command line; pages show it. */
  command?: string;
  /** What supervises commands; absent: the built program beside this one. */
  supervisor?: SupervisorProgram;
  /** Stands in for native/open's. */
  openDesktop?: typeof openDesktop;
}

export interface Host {
  /** `http://localhost:<port>` */
  url: string;
  tcpPort: number | null;
  socketPath: string;
  /** What is used and why, e.g. that the virtual desktop stands in for a display. */
  notes: string[];
  /** For programs that are to show on this desktop; null where no program can. */
  desktopEnv: Record<string, string> | null;
  /** What the menubar app shows of this host, and what a person does there. */
  desk: Desk;
  /** A fresh single-use link, two minutes. */
  pairingLink(): string;
  /** Resolves when the host has ended by itself (idle, `chaperone stop --host`, desktop lost for good). */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}
