/** The second witness on a Mac: System Events by osascript, screencapture, pbcopy, the file system. Opens instances of its own and ends only those. */
import { access, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { poll } from '../../base/poll.js';
import { createMacRows } from './mac-rows.js';
import {
  EVENTS,
  isRunning,
  jxa as runJxa,
  pidsOf,
  pointOf,
  processOf,
  sizeOf,
  windowsOf as readWindowsOf,
  type RunProgram,
} from './mac-scripts.js';
import type { SeenPermissions, Actors, Witness } from './types.js';
import { setImmediate as afterOthers } from 'node:timers/promises';

export const MAC_ACTORS: Actors = {
  text: { role: 'AXTextArea' },
  calculator: { application: 'Calculator', button: '5' },
};

const OPEN_MS = 15_000;
/** How long the person has for a question of the system, which holds up the script that it is about. */
const QUESTION_MS = 120_000;
/** Each needs the person's yes at first; the names of windows need Accessibility too. */
const NEEDED = [
  'tell application "System Events" to get name of windows of (first process whose frontmost is true)',
  'tell application "Finder" to get name of startup disk',
];

/** What the person is asked to do. */
export type Asking = 'allow' | 'move';

/** `readPermissions` asks another library than the backend’s; null where there is none. */
export function createMacWitness(
  run: RunProgram,
  signal: AbortSignal,
  ask: (what: Asking) => void,
  readPermissions: () => SeenPermissions | null,
): Witness {
  const opened: { pid: number; folder: string }[] = [];
  const jxa = (script: string): Promise<unknown> => runJxa(run, script);
  const windowsOf = (pid: number) => readWindowsOf(run, pid);
  const rows = createMacRows(run, signal);
  const latest = (): number => opened.at(-1)?.pid ?? 0;

  return {
    ...rows.witness,
    ...createMacBackend(run, signal),
    askPerson: async () => ask('move'),
    async prepare() {
      ask('allow');
      for (const script of NEEDED) await run(['/usr/bin/osascript', '-e', script], '', QUESTION_MS);
    },
    platform: async () => ((await run(['/usr/bin/uname', '-s'])).trim() === 'Darwin' ? 'macos' : 'other'),
    systemVersion: async () => (await run(['/usr/bin/sw_vers', '-productVersion'])).trim(),
    permissions: async () => readPermissions(),
    mainDisplay: async () => sizeOf(await jxa(MAIN_DISPLAY)),
    screenPixels: () =>
      inFolder(async (folder) => {
        const file = join(folder, 'screen.png');
        await run(['/usr/sbin/screencapture', '-x', '-m', file]);
        return pngSize(file);
      }),
    frontPid: async () => Number(await jxa(FRONT)),
    isRunning: async (pid) => isRunning(pid),
    exists: (path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    async window(pid, title) {
      const found = (await windowsOf(pid)).find((each) => each.title === title);
      return found === undefined ? null : { frame: found.frame, minimized: found.minimized };
    },
    titles: async (pid) => (await windowsOf(pid)).map(({ title }) => title),
    pointer: async () => pointOf(await jxa(POINTER)),
    clipboard: () => run(['/usr/bin/pbpaste']),
    copy: async (text) => void (await run(['/usr/bin/pbcopy'], text)),
    document: async () => String(await jxa(textScript(latest()))),
    scrolled: async () => Number(await jxa(scrolledScript(latest()))),
    tookFile: async () => String(await jxa(textScript(latest()))) !== '',
    result: async () => String(await jxa(CALCULATOR)),
    async openDocument(text) {
      const folder = await mkdtemp(join(tmpdir(), 'chaperone-self-test-'));
      const file = join(folder, `${basename(folder)}.txt`);
      await writeFile(file, text);
      const before = await pidsOf(run, 'TextEdit');
      await run(['/usr/bin/open', '-n', '-F', '-a', 'TextEdit', file]);
      const fresh = async () => (await pidsOf(run, 'TextEdit')).find((pid) => !before.includes(pid)) ?? null;
      const pid = await poll(fresh, OPEN_MS, signal, 200);
      if (pid === null) throw new Error('not_opened:TextEdit');
      opened.push({ pid, folder });
      const shown = async () => (await windowsOf(pid)).find(({ title }) => title.startsWith(basename(folder))) ?? null;
      const window = await poll(shown, OPEN_MS, signal, 200);
      if (window === null) throw new Error('not_opened:document');
      return { pid, title: window.title };
    },
    async cleanUp() {
      await rows.close();
      for (const { pid, folder } of opened.splice(0)) {
        if (isRunning(pid)) process.kill(pid, 'SIGTERM');
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

const FRONT = `${EVENTS} return events.processes.whose({ frontmost: true })[0].unixId();`;
const MAIN_DISPLAY = `ObjC.import('AppKit'); const { size } = $.NSScreen.screens.js[0].frame; return [size.width, size.height];`;
/** Its origin is at the bottom left. */
const POINTER = `ObjC.import('AppKit'); const at = $.NSEvent.mouseLocation; return [at.x, $.NSScreen.screens.js[0].frame.size.height - at.y];`;
const CALCULATOR = `${EVENTS} const all = events.processes.byName('Calculator').windows[0].entireContents();
  return all.filter((each) => each.role() === 'AXStaticText').map((each) => each.value()).join(' ');`;

const textScript = (pid: number): string =>
  `${processOf(pid)} return one.windows[0].scrollAreas[0].textAreas[0].value();`;
const scrolledScript = (pid: number): string =>
  `${processOf(pid)} return one.windows[0].scrollAreas[0].scrollBars[0].value();`;
/** PNG: width and height are the two big-endian numbers after the first sixteen bytes. */
async function pngSize(path: string): Promise<{ width: number; height: number }> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(24), 0, 24, 0);
    return { width: buffer.readUInt32BE(16), height: buffer.readUInt32BE(20) };
  } finally {
    await file.close();
  }
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'chaperone-self-test-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** By which the backend's helpers are known among the children of this process: processes of Node, or of Electron. */
const HELPER = /\bhelper-main\b|--utility-sub-type=node\.mojom\.NodeService\b/;

/** The backend's own processes, as the system lists them. */
export function createMacBackend(run: RunProgram, signal: AbortSignal): Pick<Witness, 'endBackend' | 'backendRuns'> {
  const helpers = async (): Promise<number[]> => {
    signal.throwIfAborted();
    const listed = await run(['/bin/ps', '-axo', 'pid=,ppid=,args=']);
    return listed.split('\n').flatMap((line) => {
      const [pid = '', parent = '', ...command] = line.trim().split(/\s+/);
      return Number(parent) === process.pid && HELPER.test(command.join(' ')) ? [Number(pid)] : [];
    });
  };
  return {
    async endBackend() {
      for (const pid of await helpers()) endNow(pid);
      await afterOthers();
    },
    backendRuns: async () => (await helpers()).length > 0,
  };
}

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
