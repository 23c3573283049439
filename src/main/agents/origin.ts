/**
 * Where a terminal or browser comes from. Comes in: a process with its ancestors. Goes out: whether something let the person in, or the
 * session's manager started a window for them. Age proves nothing, nor does a parent that adopted the process: whatever is left over has one.
 */
import { basename } from 'node:path';
import type { CommandMark } from '../../native/peer/command-mark.js';
import type { ProcessDetails, ProcessInspector } from '../../native/peer/process-inspector.js';
import type { ProcessIdentity, ProcessTable } from '../../native/peer/types.js';
import type { AgentTraces } from './agent-traces.js';

export interface OriginOptions {
  lineage: ProcessTable['lineage'];
  inspector: Pick<ProcessInspector, 'inspect' | 'list' | 'programOf'>;
  mayHaveLeft: AgentTraces['mayHaveLeft'];
  isAgents(one: ProcessIdentity): boolean;
  mark(pid: number): CommandMark;
  host: { pid: number };
  platform: NodeJS.Platform;
}

type Line = readonly ProcessIdentity[];

/** They take over what has lost its parent, of whatever it was a child. */
const ADOPTERS =
  /^(?:systemd|init|launchd|upstart|lxqt-session|dinit|tini(?:-static)?|dumb-init|docker-init|catatonit|s6-svscan)$/;
/** They start what a user's file says, with nobody there. */
const UNATTENDED = /^(?:s?cron|crond|fcron|dcron|anacron|atd|incrond|systemd|init)$/i;
/** A window of theirs is seen. Unlike `script`, they show a terminal to the person. */
const WINDOWS =
  /^(?:xterm|uxterm|u?rxvt|gnome-terminal-server|kgx|gnome-console|ptyxis(?:-agent)?|konsole|yakuake|xfce4-terminal|mate-terminal|lxterminal|qterminal|terminator|tilix|alacritty|foot|ghostty|st|cool-retro-term|deepin-terminal|io\.elementary\.terminal|Terminal|iTerm2|chrome|chromium|firefox)(?:-(?:bin|esr|stable|color|256color))*$/;
/** Of systemd: the unit of one application of a user's session. */
const APP_UNIT = /\/user@\d+\.service\/(?:\S*\/)?([^/\s]+\.(?:scope|service))$/m;

export class Origins {
  constructor(private readonly options: OriginOptions) {}

  /** `leader`: of the terminal's session, such as a shell. */
  isKnown(line: Line, leader?: number): boolean {
    for (const [index, one] of line.entries()) {
      // Started from outside the container that the host is in.
      if (one.parentPid === 0 || this.#isLaunchedWindow(one, leader)) return true;
      const parent = line[index + 1];
      if (parent === undefined) return false;
      if (parent.uid !== one.uid && !this.#isRaised(parent, one)) return this.#letsIn(parent);
      if (parent.pid === 1 || ADOPTERS.test(basename(parent.executable))) return false;
      if (this.options.mayHaveLeft(one, parent, leader)) return false;
    }
    return false;
  }

  /** Its file made it another user's: it is as good as whoever started it. A Mac's terminals start their shells by such a `login`. */
  #isRaised(parent: ProcessIdentity, { uid }: ProcessIdentity): boolean {
    const place = this.options.inspector.inspect(parent.pid);
    return place?.realUid === uid || (this.options.platform === 'darwin' && place?.name === 'login');
  }

  /** Such as sshd, login, su or a display manager. No process of the user can have it as its parent by itself. */
  #letsIn({ pid }: ProcessIdentity): boolean {
    const name = pid === 1 ? undefined : this.options.inspector.inspect(pid)?.name;
    return name !== undefined && !UNATTENDED.test(name);
  }

  /** Started by the session's manager itself. What is left over stays in the group of what started it, or in that of the whole login. */
  #isLaunchedWindow(one: ProcessIdentity, leader: number | undefined): boolean {
    const place = this.options.inspector.inspect(one.pid);
    if (place === null || !WINDOWS.test(basename(one.executable))) return false;
    if (this.options.platform === 'darwin') return one.parentPid === 1 && place.family === String(one.pid);
    if (this.options.inspector.programOf(one.pid)?.isInstalled !== true) return false;
    return this.#isOwnUnit(place, leader) && this.#isFirstAndAlone(place);
  }

  /**
   * A scope that is named after this process, so that nothing it leaves behind can take its place; or a service whose terminals are in
   * other groups, so that no agent was ever in it.
   */
  #isOwnUnit({ pid, family }: ProcessDetails, leader: number | undefined): boolean {
    const unit = APP_UNIT.exec(family)?.[1];
    if (unit === undefined || unit.endsWith('.scope')) return unit?.endsWith(`-${pid}.scope`) === true;
    const shell = leader === undefined ? null : this.options.inspector.inspect(leader);
    return shell !== null && shell.family !== family;
  }

  #isFirstAndAlone({ pid, family, startTime }: ProcessDetails): boolean {
    const { inspector, lineage, isAgents, mark, host } = this.options;
    const others = inspector.list().filter((one) => one.pid !== pid && inspector.inspect(one.pid)?.family === family);
    return others.every(
      (one) =>
        one.pid !== host.pid &&
        Number(one.startTime) >= Number(startTime) &&
        mark(one.pid).kind !== 'marked' &&
        !lineage(one.pid).some(isAgents),
    );
  }
}
