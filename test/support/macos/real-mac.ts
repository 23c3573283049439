/** The macOS backend on the libraries of the system, and AppKit applications that tell what reached them. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { poll } from '../../../src/base/poll.js';
import type { DesktopBackend, Rect } from '../../../src/native/desktop.js';
import { forkHelper } from '../../../src/native/macos/helper/process.js';
import { openMacos } from '../../../src/native/macos/open.js';
import { MAIN_TITLE, SECOND_TITLE, SECRET, STORY, toEntry, type Fixture } from '../../contract/fixture.js';
import { readJournal, type JournalLine } from '../journal.js';

const HELPER = join(import.meta.dirname, '../../../dist/native/macos/helper/helper-main.js');
const LIMITS = { maxDepth: 10, maxNodes: 100, timeoutMs: 5000 };
const APPEARS_MS = 30_000;
const never = new AbortController().signal;

/** As AppKit has it: from the bottom left, in points; turned into what windows have. */
const ROOM = `ObjC.import('AppKit'); const s = $.NSScreen.screens.objectAtIndex(0), f = s.frame, v = s.visibleFrame;
JSON.stringify({ x: v.origin.x, y: f.size.height - v.origin.y - v.size.height, width: v.size.width, height: v.size.height })`;
const readRoom = (): Rect =>
  z
    .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
    .parse(JSON.parse(execFileSync('osascript', ['-l', 'JavaScript', '-e', ROOM], { encoding: 'utf8' })));

interface FixtureApp {
  pid: number;
  journal(): Promise<JournalLine[]>;
  end(): Promise<void>;
}

/** `program`: test/support/apps/appkit-fixture.m, compiled. */
export async function openRealMac(program: string): Promise<Fixture> {
  const folder = await mkdtemp(join(tmpdir(), 'chap-mac-'));
  const desktop = await openMacos({ start: () => forkHelper(HELPER) });
  const room = readRoom();
  const story = join(folder, 'story');
  await writeFile(story, STORY);
  let journals = 0;
  let apps: FixtureApp[] = [];

  /** Resolves when its window shows and its elements can be read. */
  async function start(title: string, args: readonly string[]): Promise<FixtureApp> {
    const journal = join(folder, `journal-${++journals}`);
    const child = spawn(program, ['--journal', journal, '--title', title, ...args], { stdio: 'ignore' });
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()));
    const pid = child.pid ?? 0;
    if ((await poll(() => isReady(desktop, pid, title), APPEARS_MS, never, 50)) === null)
      throw new Error(`the window “${title}” of ${program} does not show`);
    const end = (): Promise<void> => (child.kill('SIGKILL'), ended);
    return { pid, journal: () => readJournal(journal), end };
  }
  const endApps = async (): Promise<void> => {
    await Promise.all(apps.map(({ end }) => end()));
    apps = [];
  };

  return {
    desktop,
    shortcut: 'cmd',
    launchable: 'com.apple.calculator',
    roomOf: () => room,
    dropsFiles: false,
    async start() {
      await endApps();
      const second = await start(SECOND_TITLE, ['--second', '--place', '700,90']);
      const main = await start(MAIN_TITLE, ['--secret', SECRET, '--story', story, '--place', '60,90']);
      apps = [second, main];
      return {
        pid: main.pid,
        secondPid: second.pid,
        journal: async () => (await main.journal()).flatMap(toEntry),
      };
    },
    async controls() {
      const app = await start('Controls', ['--controls', '--place', '60,500']);
      const selected = async () => (await app.journal()).filter(({ event }) => event === 'selected');
      return { ...app, selected: async () => (await selected()).map(({ value }) => value), expanded: null };
    },
    rows: () => start('Rows', ['--rows', '40', '--place', '60,500']),
    endLaunched: async (pid) => void process.kill(pid, 'SIGKILL'),
    personMoves: null,
    lose: null,
    async close() {
      await endApps();
      await desktop.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function isReady(desktop: DesktopBackend, pid: number, title: string): Promise<true | null> {
  const window = (await desktop.windows(never)).find((one) => one.app.pid === pid && one.title === title);
  if (window === undefined || !window.visible) return null;
  const { nodes } = await desktop.tree({ pid, windowId: window.id }, LIMITS, never);
  return nodes.length > 1 ? true : null;
}
