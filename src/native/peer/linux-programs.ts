/**
 * What tells a program on Linux, by content: the files that the kernel executes, opened through /proc, under conditions in which they
 * run no other code. All that a process says of itself, such as its command line, can only make it less known.
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, statSync, type BigIntStats } from 'node:fs';
import { uptime } from 'node:os';
import { dirname, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { loadingOption, loadingVariable, runtimeOf, interpreterName, optionsBeforeScript } from './script.js';
import { readLink, readTextFile, realPath } from './proc-files.js';
import {
  isInWorkspace,
  placeOf,
  type PlaceOptions,
  untold,
  type Identified,
  type ProgramIdentities,
} from './program-identity.js';
import type { ProcessIdentity } from './types.js';

interface LinuxProgramsOptions extends PlaceOptions {
  lookup(pid: number): ProcessIdentity | null;
  proc?: string;
}

export interface LinuxPrograms extends ProgramIdentities {
  /** Whether it is the program that this command starts, and runs no other code. */
  isStartedBy(process: ProcessIdentity, command: OwnCommand): boolean;
}

/** How this installation starts its shim: with a script, or as a program that brings its own code. */
export interface OwnCommand {
  command: string;
  args: readonly string[];
}

/** The code of a packaged program, beside it. */
const PACKED_CODE = 'resources/app.asar';

const NAMESPACES = ['mnt', 'user', 'pid'];
const TICKS_PER_SECOND = 100;
/** /proc/uptime has hundredths of a second. */
const CLOCK_SLACK_MS = 50;
const PIECE_BYTES = 4 * 1024 * 1024;
const DELETED = / \(deleted\)$/;

export function createLinuxPrograms({ lookup, proc = '/proc', ...places }: LinuxProgramsOptions): LinuxPrograms {
  const hashes = createFileHashes();

  function of(found: ProcessIdentity, role: 'agent' | 'application'): Identified {
    const own = ownView(proc, found.pid);
    if (role === 'application') return applicationOf(found, own);
    if (!own) return untold('namespace', found.executable);
    return otherCode(proc, found) ?? badPlace(proc, found, places) ?? contentOf(found);
  }

  /** What the system has installed stays the same program when the system updates it. */
  function applicationOf(found: ProcessIdentity, own: boolean): Identified {
    const files = [found.executable.replace(DELETED, ''), ...(found.script === null ? [] : [found.script])];
    if (own && files.every((file) => placeOf(file, places) === 'system'))
      return { identity: `system ${files.join(' ')}` };
    return contentOf(found);
  }

  function contentOf({ pid, startTime, executable, script }: ProcessIdentity): Identified {
    const began = startedAt(startTime);
    const program = hashes.of(`${proc}/${pid}/exe`, began);
    if (program === null) return untold('written', executable, executable);
    const code = script === null ? '-' : hashes.of(join(`${proc}/${pid}/root`, script), began);
    if (code === null) return untold('written', executable, script ?? '');
    return { identity: `content ${program} ${code}` };
  }

  function isPacked({ pid, startTime, executable }: ProcessIdentity): boolean {
    const files = [executable, join(dirname(executable), PACKED_CODE)];
    const own = [realPath(`${proc}/self/exe`) ?? '', join(dirname(process.execPath), PACKED_CODE)];
    const began = startedAt(startTime);
    return files.every((file, at) => {
      const hash = hashes.of(join(`${proc}/${pid}/root`, file), began);
      return hash !== null && hash === hashes.of(own[at] ?? '', Infinity);
    });
  }

  const programs: LinuxPrograms = {
    isStartedBy(given, { args: [entry, ...more] }) {
      const found = lookup(given.pid);
      if (found === null || found.startTime !== given.startTime || found.image !== given.image) return false;
      if (!ownView(proc, found.pid) || otherCode(proc, found) !== null) return false;
      if (entry === undefined || more.length === 0) return isPacked(found);
      const known = found.executable === realPath(process.execPath) || placeOf(found.executable, places) !== null;
      return known && found.script === realPath(entry);
    },
    of({ pid, startTime }, role) {
      const found = lookup(pid);
      if (found === null || found.startTime !== startTime || found.executable === '') return untold('unknown', '');
      const told = of(found, role);
      const after = lookup(pid);
      const same = after?.startTime === startTime && after.image === found.image && after.script === found.script;
      return same && after.executable === found.executable ? told : untold('unknown', found.executable);
    },
    isSame(process, role, identity) {
      const now = programs.of(process, role);
      return 'identity' in now && now.identity === identity;
    },
  };
  return programs;
}

/** Whether a path means the same file to it as to this process. */
function ownView(proc: string, pid: number): boolean {
  const same = NAMESPACES.every((one) => {
    const theirs = readLink(`${proc}/${pid}/ns/${one}`);
    return theirs !== null && theirs === readLink(`${proc}/self/ns/${one}`);
  });
  return same && sameFile(`${proc}/${pid}/root/`, '/');
}

/** Why this process could run other code than its files; null: it runs these. */
function otherCode(proc: string, { pid, executable, script }: ProcessIdentity): Identified | null {
  const interpreter = interpreterName(executable);
  const runtime = runtimeOf(interpreter);
  if (runtime === null || (interpreter !== null && script === null)) return untold('interpreter', executable);
  if (!/^TracerPid:\s*0$/m.test(readTextFile(`${proc}/${pid}/status`) ?? '')) return untold('traced', executable);
  const environment = listIn(`${proc}/${pid}/environ`);
  const argv = listIn(`${proc}/${pid}/cmdline`);
  if (environment === null || argv === null) return untold('unknown', executable);
  const variable = loadingVariable(environment, runtime);
  if (variable !== null) return untold('variable', executable, variable);
  const option = interpreter === null ? null : loadingOption(optionsBeforeScript(executable, argv), runtime);
  if (option !== null) return untold(option === '' ? 'missing' : 'option', executable, option);
  const home = environment.find((one) => one.startsWith('HOME='))?.slice('HOME='.length);
  const modules = (runtime.mustBeAbsent ?? [])
    .map((name) => join(home ?? '/', name))
    .find((one) => realPath(one) !== null);
  return modules === undefined ? null : untold('modules', executable, modules);
}

/** Why what this agent runs could be replaced by itself, or by what it starts; null: it cannot. */
function badPlace(proc: string, found: ProcessIdentity, places: PlaceOptions): Identified | null {
  const { pid, executable, script, cwd } = found;
  const place = placeOf(executable, places);
  const own = place !== 'system' && isInWorkspace(executable, cwd, places.home);
  if (place === null || own || !sameFile(`${proc}/${pid}/exe`, executable)) return untold('place', executable);
  if (script !== null && placeOf(script, places) !== 'system') return untold('script', executable, script);
  const library = foreignCode(proc, pid, executable, places);
  return library === null ? null : untold('library', executable, library);
}

/** A mapped file that is neither the executable nor of the system; null: there is none. */
function foreignCode(proc: string, pid: number, executable: string, places: PlaceOptions): string | null {
  const maps = readTextFile(`${proc}/${pid}/maps`);
  if (maps === null || maps === '') return `${proc}/${pid}/maps`;
  const executed = maps.split('\n').flatMap((line) => /^\S+ ..x\S* \S+ \S+ [1-9]\d*\s+(\/.*)$/.exec(line)?.[1] ?? []);
  const files = new Set(executed);
  files.delete(executable);
  return [...files].find((file) => placeOf(file, places) !== 'system') ?? null;
}

function sameFile(one: string, other: string): boolean {
  try {
    const [a, b] = [statSync(one, { bigint: true }), statSync(other, { bigint: true })];
    return a.dev === b.dev && a.ino === b.ino;
  } catch {
    return false;
  }
}

/** Strings that end with a zero byte; null where they cannot be read. */
const listIn = (path: string): string[] | null => readTextFile(path)?.split('\0').slice(0, -1) ?? null;

const startedAt = (ticks: string): number => Date.now() - uptime() * 1000 + (Number(ticks) * 1000) / TICKS_PER_SECOND;

/** By file and its times: a file that runs cannot be written, and one of the system only by the system. */
function createFileHashes() {
  const known = new LRUCache<string, string>({ max: 64 });

  function read(file: number): string {
    const [hash, piece] = [createHash('sha256'), Buffer.allocUnsafe(PIECE_BYTES)];
    for (let at = 0; ;) {
      const bytes = readSync(file, piece, 0, piece.length, at);
      if (bytes === 0) return hash.digest('hex');
      hash.update(piece.subarray(0, bytes));
      at += bytes;
    }
  }

  return {
    /** null for a file that cannot be read, or that was changed after the process began: it could run what was there before. */
    of(path: string, began: number): string | null {
      let file: number | null = null;
      try {
        file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
        const facts = fstatSync(file, { bigint: true });
        if (!facts.isFile() || Number(facts.ctimeNs / 1_000_000n) >= began - CLOCK_SLACK_MS) return null;
        const hash = known.get(keyOf(facts)) ?? read(file);
        if (keyOf(fstatSync(file, { bigint: true })) !== keyOf(facts)) return null;
        known.set(keyOf(facts), hash);
        return hash;
      } catch {
        return null;
      } finally {
        if (file !== null) closeSync(file);
      }
    },
  };
}

const keyOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string => [dev, ino, size, mtimeNs, ctimeNs].join();
