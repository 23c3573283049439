/** Makes a Caller from a peer process, with the identity that the kernel reports and a readable name. serve/ calls it once per connection. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { isInWorkspace, placeOf as placeOfProgram } from '../../native/peer/program-identity.js';
import type { ProcessIdentity, ProcessTable } from '../../native/peer/types.js';
import type { Caller } from '../approvals/request.js';
import { RECORDED_NAMES, type Agent } from '../protocol/index.js';

export interface CallerFacts {
  /** The client's own name; shown as a claim, never used for decisions. */
  claim: string | null;
  /** The peer is a shim, so the agent is the process that started it. */
  viaShim: boolean;
  protocol: Caller['protocol'];
  connectionId: string;
  /** Working folder claimed by the shim; used only where the kernel reports the same for the shim or its parent. */
  cwd?: string | null;
  /** It asked for a desktop of its own. */
  ownDesktop?: boolean;
  /** A secret by which a program of another machine is known again after its connection was lost. Counts for such programs only. */
  session?: string | null;
}

export type MakeCaller = (peer: ProcessIdentity, facts: CallerFacts) => Caller;

interface CallersOptions {
  processes: ProcessTable;
  /** Whether the process is the demo that this host started. */
  isDemo?(process: ProcessIdentity): boolean;
  placeOf?: typeof placeOfProgram;
}

export function createCallers({ processes, isDemo = () => false, placeOf }: CallersOptions): MakeCaller {
  const nameOf = (asking: ProcessIdentity) => (isDemo(asking) ? null : displayName(asking, placeOf));
  return (peer, facts) => {
    const starter = facts.viaShim && peer.forwardedBy === undefined ? starterOf(peer, processes) : peer;
    const forwarder = [peer, starter].find(({ forwardedBy }) => forwardedBy !== undefined);
    const asking = forwarder ?? starter;
    return {
      agent: forwarder === undefined ? agentOf(asking, peer, facts, nameOf(asking)) : forwardedAgent(asking, facts),
      peer,
      asking,
      connectionId: facts.connectionId,
      protocol: facts.protocol,
      ...(facts.ownDesktop === true ? { ownDesktop: true as const } : {}),
    };
  };
}

/** A placeholder for a process that the kernel does not identify. Its start time is the connection id, so that grants end with the connection. */
export function unknownPeer(connectionId: string): ProcessIdentity {
  const uid = process.getuid?.() ?? 0;
  return { pid: 0, startTime: `unknown:${connectionId}`, uid, executable: '', script: null, cwd: null, parentPid: 0 };
}

const INIT_PROCESSES = new Set(['systemd', 'init', 'launchd']);

/** The parent process; the peer itself where the parent has ended (adopted by init) or belongs to another user. */
function starterOf(peer: ProcessIdentity, processes: ProcessTable): ProcessIdentity {
  const parent = peer.parentPid > 1 ? processes.lookup(peer.parentPid) : null;
  if (parent === null || parent.uid !== peer.uid || INIT_PROCESSES.has(basename(parent.executable))) return peer;
  return parent;
}

/** Describes a process that is no agent, for cards. */
export function processAgent(process: ProcessIdentity): Agent {
  const facts: CallerFacts = { claim: null, viaShim: false, protocol: 'gabp', connectionId: '' };
  return agentOf(process, process, facts, displayName(process));
}

/** The person themselves, by a button of a page in this process. */
export const personAgent = (process: ProcessIdentity): Agent => ({
  ...processAgent(process),
  name: RECORDED_NAMES.person,
  tile: tileOf(RECORDED_NAMES.person),
  person: true,
});

/** Name of the demo process. */
const DEMO_NAME = 'Chaperone demo';

/** `named` null: the demo. */
function agentOf(asking: ProcessIdentity, peer: ProcessIdentity, facts: CallerFacts, named: string | null): Agent {
  const name = named ?? DEMO_NAME;
  const { pid, startTime, executable, script, image = null } = asking;
  return {
    id: createHash('sha256')
      .update(JSON.stringify([pid, startTime, executable, script, image]))
      .digest('hex')
      .slice(0, 16),
    name,
    tile: tileOf(name),
    claim: facts.claim,
    executable,
    script,
    pid,
    startTime,
    cwd: folderOf(asking, peer, facts.cwd ?? null),
    ...(named === null ? { demo: true } : {}),
  };
}

/**
 * A program of another machine, of which the kernel knows only what passes its words on. It is this one connection: `startTime` has
 * its id, so that what is granted ends with it. The same program is known again by its session, and its open cards with it.
 */
function forwardedAgent({ pid }: ProcessIdentity, { claim, session = null, connectionId }: CallerFacts): Agent {
  const id = JSON.stringify(session === null ? ['connection', connectionId] : ['session', session]);
  return {
    id: createHash('sha256').update(`ssh ${id}`).digest('hex').slice(0, 32),
    name: RECORDED_NAMES.ssh,
    tile: 'SSH',
    claim,
    executable: '',
    script: null,
    pid,
    startTime: `${session === null ? 'unknown' : 'ssh'}:${connectionId}`,
    cwd: null,
    via: 'ssh',
  };
}

function folderOf(asking: ProcessIdentity, peer: ProcessIdentity, claimed: string | null): string | null {
  return claimed !== null && (claimed === peer.cwd || claimed === asking.cwd) ? claimed : asking.cwd;
}

/** First match wins; matched against the path of the executable or script with links resolved, where that lies in a known place. */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [/\/@anthropic-ai\/claude-code[^/]*\/|\/claude\/versions\/[^/]+$|\/claude(?:\.exe)?$/, 'Claude Code'],
  [/\/Claude\.app\//, 'Claude'],
  [/\/@openai\/codex[^/]*\/|\/codex(?:-[a-z0-9_-]+)?$/, 'Codex'],
  [/\/@google\/gemini-cli\/|\/gemini$/, 'Gemini CLI'],
  [/\/@github\/copilot\/|\/copilot$/, 'Copilot CLI'],
  [/\/opencode(?:\.exe)?$/, 'OpenCode'],
  [/\/Goose\.app\/|\/goose$/, 'Goose'],
  [/\/node_modules\/cline\/|\/cline$/, 'Cline'],
  [/\/Windsurf\.app\/|\/windsurf$/, 'Windsurf'],
  [/\/Zed(?: Preview)?\.app\/|\/zed(?:-editor)?$|\/zeditor$/, 'Zed'],
  [/\/junie$/, 'Junie'],
  [/\/Cursor\.app\/|\/cursor$|\/cursor\.appimage$/i, 'Cursor'],
  [/\/Visual Studio Code(?: - Insiders)?\.app\/|\/code(?:-insiders)?$/, 'VS Code'],
];

/** A file's own name is what somebody called it: outside the places where the system and installers put programs, its path is the name. */
export function displayName({ executable, script, cwd }: ProcessIdentity, placeOf = placeOfProgram): string {
  const [program, code] = [executable, script ?? executable].map((path) => path.replace(/ \(deleted\)$/, ''));
  if (program === undefined || code === undefined || program === '') return 'Unknown program';
  const isPlaced = (path: string): boolean => {
    const place = placeOf(path);
    return place === 'system' || (place === 'installer' && !isInWorkspace(path, cwd));
  };
  const known = isPlaced(code) ? KNOWN.find(([pattern]) => pattern.test(code)) : undefined;
  if (known !== undefined) return known[1];
  const shown = (path: string): string => (isPlaced(path) ? basename(path) : path);
  return script === null ? shown(program) : `${shown(program)} · ${shown(code)}`;
}

/** Two letters: the initials of the first two words, else the first two letters; of a path, those of its last part. */
function tileOf(name: string): string {
  const words = basename(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const [first = '?', second] = words;
  const letters = second === undefined ? [...first].slice(0, 2) : [[...first][0] ?? '', [...second][0] ?? ''];
  return letters.join('').toUpperCase();
}
