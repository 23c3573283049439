import { basename, delimiter, join } from 'node:path';
import type { App, Window } from '../desktop.js';
import type { Documents } from './atspi/documents.js';
import type { WatchedProcesses } from './process-rest.js';
import { windowId, type Windows, type TopLevelWindow } from './windows.js';
import { readdir, readFile } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';

/** X windows as callers see them: with the application they belong to. */
export interface Apps {
  appOf(window: TopLevelWindow, active: number): Promise<App>;
  windowOf(window: TopLevelWindow, active: number, signal: AbortSignal): Promise<Window>;
  list(call?: AbortSignal): Promise<App[]>;
  /** Those that another application made. */
  foreignTo(window: TopLevelWindow, among: readonly TopLevelWindow[]): TopLevelWindow[];
  /** '' where not known. */
  executableOf(window: TopLevelWindow): string;
}

/** An interpreter without a known script could run anything. */
function programOf(process: { executable: string; script: string | null } | null): string {
  if (process === null) return '';
  const { executable, script } = process;
  if (script !== null) return `${executable} ${script}`;
  return isInterpreter(executable) ? '' : executable;
}

/** The process of the active window; 0 where there is none. */
export async function activePid(windows: Windows, call?: AbortSignal): Promise<number> {
  return (await windows.front(call))?.pid ?? 0;
}

export function openApps(
  windows: Windows,
  entries: DesktopEntries,
  processes: Pick<WatchedProcesses, 'lookup'>,
  documentsOf: Documents,
): Apps {
  const executableOf = ({ pid }: TopLevelWindow): string =>
    pid === 0 ? '' : (processes.lookup(pid)?.executable ?? '');

  const appOf = async (window: TopLevelWindow, frontmost: number): Promise<App> => {
    const process = window.pid === 0 ? null : processes.lookup(window.pid);
    const executable = process?.executable ?? '';
    const { entry, candidates } = await entries.match(window.instance, window.className, executable);
    const fallback = window.className || window.instance || basename(executable) || window.title || 'unknown';
    const id = entry?.id ?? fallback;
    const file = process?.script ?? (isInterpreter(executable) ? '' : executable);
    const others = [...candidates, window.className, window.instance, basename(file)];
    return {
      id,
      name: entry?.name ?? fallback,
      program: programOf(process),
      otherIds: [...new Set(others)].filter((one) => one !== '' && one !== id),
      pid: window.pid,
      startTime: process?.startTime ?? '',
      frontmost: window.pid !== 0 && window.pid === frontmost,
    };
  };

  /** A helper of the same program, such as the one that draws for a browser, is no other application. */
  const foreignTo: Apps['foreignTo'] = (window, among) => {
    const own = programOf(processes.lookup(window.pid));
    return among.filter(({ pid }) => own === '' || programOf(processes.lookup(pid)) !== own);
  };

  const windowOf: Apps['windowOf'] = async (window, frontmost, signal) => {
    const [app, documents, inside] = await Promise.all([
      appOf(window, frontmost),
      documentsOf(window, executableOf(window), signal),
      Promise.all(foreignTo(window, window.inside).map((one) => windowOf(one, frontmost, signal))),
    ]);
    const { title, frame, focused, minimized, normal, tooltip, shown } = window;
    return {
      id: windowId(window.id),
      title,
      app,
      frame,
      focused,
      minimized,
      visible: shown,
      normal,
      ...(tooltip ? { tooltip } : {}),
      documentUrl: documents?.urls[0] ?? null,
      ...(documents === null ? {} : { documents }),
      ...(inside.length === 0 ? {} : { inside }),
      ...(window.crowded ? { crowded: true } : {}),
    };
  };

  return {
    appOf,
    executableOf,
    windowOf,
    foreignTo,
    list: async (call) => {
      const [all, frontmost] = await Promise.all([windows.list(call), activePid(windows, call)]);
      const byPid = new Map<number, TopLevelWindow>();
      for (const window of all.flatMap((one) => [one, ...foreignTo(one, one.inside)])) {
        const known = byPid.get(window.pid);
        if (window.pid !== 0 && (known === undefined || (!known.normal && window.normal)))
          byPid.set(window.pid, window);
      }
      return Promise.all([...byPid.values()].map((window) => appOf(window, frontmost)));
    },
  };
}

/** An installed application, as its .desktop file describes it. */
interface DesktopEntry {
  /** File name without `.desktop`. */
  id: string;
  name: string;
  /** Command line with field codes. */
  exec: string;
  wmClass: string;
  /** The first word of `exec`, without folders. */
  program: string;
  /** Its .desktop file. */
  file: string;
}

interface Match {
  entry: DesktopEntry | null;
  /** Ids of all entries that fit, also of system entries that a desktop file of the user's with the same name replaces. */
  candidates: readonly string[];
}

export interface DesktopEntries {
  /** The entry of a running application, by window class or executable. */
  match(instance: string, className: string, executable: string): Promise<Match>;
  /** The entry that a person means by an id or a name. */
  find(wanted: string): Promise<DesktopEntry | null>;
  names(): Promise<string[]>;
}

const CACHE_MS = 30_000;
const MAX_MATCHES = 500;
/** They run other programs, so their name does not identify the application. */
const INTERPRETERS = /^(python|node|perl|ruby|java|bash|dash|sh|gjs|electron|wine)[\d.]*$/;
const isInterpreter = (executable: string): boolean => INTERPRETERS.test(basename(executable));

export function openDesktopEntries(env: Record<string, string | undefined>): DesktopEntries {
  let read: { at: number; entries: Promise<Entries> } | null = null;
  const current = (): Promise<Entries> => {
    if (read === null || Date.now() - read.at > CACHE_MS) read = { at: Date.now(), entries: readAll(folders(env)) };
    return read.entries;
  };
  const all = async (): Promise<DesktopEntry[]> => (await current()).inEffect;
  /** Ways to recognise the application of an entry, most reliable first. */
  const tests = (instance: string, className: string, executable: string): EntryTest[] => {
    const classes = [className, instance].map(plain).filter((name) => name !== '');
    const program = basename(executable);
    return [
      (entry) => entry.wmClass !== '' && classes.includes(plain(entry.wmClass)),
      (entry) => classes.includes(plain(entry.id)) || classes.includes(lastPart(entry.id)),
      (entry) => program !== '' && !isInterpreter(executable) && entry.program === program,
    ];
  };
  return {
    match: async (...names) => {
      const entries = await current();
      const key = JSON.stringify(names);
      const match = entries.matches.get(key) ?? findMatch(entries, tests(...names));
      entries.matches.set(key, match);
      return match;
    },
    find: async (wanted) => {
      const entries = await all();
      const name = plain(wanted.replace(/\.desktop$/, ''));
      return (
        entries.find((entry) => plain(entry.id) === name) ??
        entries.find((entry) => plain(entry.name) === name) ??
        entries.find((entry) => lastPart(entry.id) === name || plain(entry.wmClass) === name) ??
        null
      );
    },
    names: async () => (await all()).flatMap(({ id, name }) => [name, id]),
  };
}

/** The words of an Exec line, quotes taken off and field codes (%u, %F, …) left out, except where `address` goes. */
export function entryCommand(exec: string, address?: string): string[] {
  const words = [...exec.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, bare]) =>
    quoted === undefined ? (bare ?? '') : quoted.replaceAll(/\\(["`$\\])/g, '$1'),
  );
  const at = address === undefined ? -1 : words.findIndex((word) => /^%u$/i.test(word));
  const plain = (some: readonly string[]) =>
    some.filter((word) => !/^%[a-zA-Z]$/.test(word)).map((word) => word.replaceAll('%%', '%'));
  if (address === undefined) return plain(words);
  return at < 0 ? [...plain(words), address] : [...plain(words.slice(0, at)), address, ...plain(words.slice(at + 1))];
}

function folders(env: Record<string, string | undefined>): string[] {
  const own = env['XDG_DATA_HOME'] ?? join(env['HOME'] ?? '/', '.local/share');
  const shared = env['XDG_DATA_DIRS'] ?? '/usr/local/share:/usr/share';
  return [own, ...shared.split(delimiter)]
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, 'applications'));
}

interface Entries {
  inEffect: DesktopEntry[];
  /** Entries with the id of one in an earlier folder. */
  replaced: DesktopEntry[];
  /** Found so far, by what was looked for: every list of windows asks for the same again. */
  matches: LRUCache<string, Match>;
}

type EntryTest = (entry: DesktopEntry) => boolean;

function findMatch({ inEffect, replaced }: Entries, tests: readonly EntryTest[]): Match {
  const best = tests.find((test) => inEffect.some(test));
  const fitting = [...inEffect, ...replaced].filter((entry) => tests.some((test) => test(entry)));
  return {
    entry: (best === undefined ? undefined : inEffect.find(best)) ?? null,
    candidates: fitting.map(({ id }) => id),
  };
}

async function readAll(places: string[]): Promise<Entries> {
  const found = new Map<string, DesktopEntry>();
  const replaced: DesktopEntry[] = [];
  for (const place of places) {
    const files = await readdir(place).catch(() => []);
    for (const file of files.filter((name) => name.endsWith('.desktop'))) {
      const content = await readFile(join(place, file), 'utf8').catch(() => '');
      const entry = parse(join(place, file), content);
      if (entry !== null && found.has(entry.id)) replaced.push(entry);
      else if (entry !== null) found.set(entry.id, entry);
    }
  }
  return { inEffect: [...found.values()], replaced, matches: new LRUCache({ max: MAX_MATCHES }) };
}

function parse(file: string, content: string): DesktopEntry | null {
  const id = basename(file, '.desktop');
  const section = content.split(/^\[/m).find((part) => part.startsWith('Desktop Entry]')) ?? '';
  const fields = new Map(
    [...section.matchAll(/^([A-Za-z-]+)\s*=\s*(.*)$/gm)].map(([, key = '', value = '']) => [key, value.trim()]),
  );
  const exec = fields.get('Exec') ?? '';
  if (exec === '' || fields.get('Type') !== 'Application' || fields.get('Terminal') === 'true') return null;
  const program = basename(entryCommand(exec)[0] ?? '');
  return { id, name: fields.get('Name') ?? id, exec, wmClass: fields.get('StartupWMClass') ?? '', program, file };
}

function plain(name: string): string {
  return name.toLowerCase();
}

function lastPart(id: string): string {
  return plain(id.slice(id.lastIndexOf('.') + 1));
}
