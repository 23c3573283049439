/** Which applications there are: by bundle id, by path, or by name in the folders where applications are. */
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DesktopError, type InstalledApp } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import { BUNDLE_KEY } from '../calls/libraries.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { Scope } from '../foundation/scope.js';

export interface Bundle {
  id: string;
  names: string[];
  /** As the system gave it: paths of some of its own applications lie. */
  url: string;
  program: string;
}

export interface Bundles {
  /** Rejects with `not_found`. */
  find(application: string): Promise<Bundle>;
}

const APPLICATION_FOLDERS: readonly string[] = [
  '/Applications',
  '/Applications/Utilities',
  '/System/Applications',
  '/System/Applications/Utilities',
  '/System/Library/CoreServices',
  join(homedir(), 'Applications'),
];
const SUFFIX = '.app';

interface RunningApps {
  running(): { id: string }[];
}

export function openBundles(core: Core, apps: RunningApps, folders = APPLICATION_FOLDERS): Bundles {
  const read = (url: string): Bundle | null => readBundle(core, url);

  const byPath = (path: string): Bundle | null => {
    const isBundle = path.replace(/\/$/, '').endsWith(SUFFIX);
    const end = path.lastIndexOf(`${SUFFIX}/`);
    if (!path.startsWith('/') || (!isBundle && end === -1)) return null;
    const bundle = read(pathToFileURL(isBundle ? path : path.slice(0, end + SUFFIX.length)).href);
    return isBundle || bundle?.program === path ? bundle : null;
  };
  const byId = (id: string): Bundle | null => {
    const url = urlOf(core, id);
    return url === null ? null : read(url);
  };
  /** File names first: nothing has to be read for them. */
  const byName = (name: string, paths: readonly string[]): Bundle | null => {
    const found = [same, alike].flatMap((fits) => paths.filter((path) => fits(basename(path, SUFFIX), name)));
    const first = found.map((path) => byPath(path)).find((bundle) => bundle !== null);
    if (first) return first;
    const running = apps.running().map(({ id }) => (id === '' ? null : byId(id)));
    const all = [...paths.map((path) => byPath(path)), ...running].filter((bundle) => bundle !== null);
    return (
      [same, alike].flatMap((fits) => all.filter(({ names }) => names.some((each) => fits(each, name))))[0] ?? null
    );
  };

  return {
    async find(application) {
      if (application.includes('/')) {
        const bundle = byPath(application);
        if (bundle !== null) return bundle;
      }
      const paths = await pathsIn(folders);
      const bundle = application.includes('/') ? null : (byId(application) ?? byName(application, paths));
      if (bundle !== null) return bundle;
      const known = [...new Set(paths.map((path) => basename(path, SUFFIX)))].toSorted();
      throw new DesktopError('not_found', message('native.no_application', { name: application }), { known });
    },
  };
}

export const installedApp = ({ id, names: [name = id], program }: Bundle): InstalledApp => ({
  id,
  name,
  command: [program],
  installed: true,
});

const same = (a: string, b: string): boolean => a === b;
const alike = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Not every folder is there. */
async function pathsIn(folders: readonly string[]): Promise<string[]> {
  const all = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(folder).catch(() => []);
      return names.filter((name) => name.endsWith(SUFFIX)).map((name) => join(folder, name));
    }),
  );
  return all.flat();
}

/** null where the system knows no application of that id. */
function urlOf({ bound, making, pooled, reading, scoped }: Core, id: string): string | null {
  return pooled(() =>
    scoped((scope) => {
      const text = making.text(scope, id);
      const found = bound.coreServices.LSCopyApplicationURLsForBundleIdentifier(text, null);
      const [first] = reading.list(scope.own(found));
      return first === undefined ? null : reading.text(first);
    }),
  );
}

/** For as long as the scope. */
export function urlRef({ bound, making }: Core, scope: Scope, url: string): Ref | null {
  const text = making.text(scope, url);
  return text === null ? null : scope.own(bound.coreFoundation.CFURLCreateWithString(null, text, null));
}

/** null where it is no application. */
export function readBundle(core: Core, url: string): Bundle | null {
  const { bound, making, pooled, reading, scoped } = core;
  return pooled(() =>
    scoped((scope) => {
      const ref = urlRef(core, scope, url);
      const info = ref === null ? null : scope.own(bound.coreFoundation.CFBundleCopyInfoDictionaryInDirectory(ref));
      if (info === null) return null;
      const field = (name: string): string | null => {
        const key = making.text(scope, name);
        return key === null ? null : reading.text(bound.coreFoundation.CFDictionaryGetValue(info, key));
      };
      const [id, executable] = [field(BUNDLE_KEY.id), field(BUNDLE_KEY.executable)];
      if (id === null || executable === null) return null;
      const path = fileURLToPath(url);
      const names = [field(BUNDLE_KEY.displayName), field(BUNDLE_KEY.name), basename(path, SUFFIX)];
      return {
        id,
        names: names.flatMap((name) => (name === null || name === '' ? [] : [name])),
        url,
        program: join(path, 'Contents/MacOS', executable),
      };
    }),
  );
}
