/** Chromium, and applications built on it, show accessibility what is in their pages only once they are asked to, and some moments later. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { poll } from '../../../base/poll.js';
import { DesktopError } from '../../desktop.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { Scope } from '../foundation/scope.js';
import { childrenOf } from './describe.js';
import { ATTRIBUTE, ROLE } from './names.js';
import { listOf, textOf } from './answers.js';

const BROWSERS = /^(google chrome|chrom|brave|microsoft edge|vivaldi|opera|arc$)/i;
/** In the bundle of whatever is built on it. */
const FRAMEWORKS = ['Electron Framework.framework', 'Chromium Embedded Framework.framework'];

export const isChromiumBrowser = (program: string): boolean => BROWSERS.test(basename(program));

export const isBuiltOnChromium = (program: string, exists: (path: string) => boolean = existsSync): boolean =>
  isChromiumBrowser(program) || FRAMEWORKS.some((name) => exists(join(dirname(program), '..', 'Frameworks', name)));

/** How long pages may take to come; those that come later are in the next reading. */
const READY_MS = 2000;
const LOOK_EVERY_MS = 50;
const MOST_ELEMENTS = 400;
const LOOK = [ATTRIBUTE.role, ATTRIBUTE.children] as const;

export interface PageWaking {
  /** Asks an application for its pages, the first time it is read, and waits for them. Rejects where it does not answer. */
  ready(pid: number, signal: AbortSignal): Promise<void>;
}

export function openPageWaking(core: Core, { readyMs = READY_MS, exists = existsSync } = {}): PageWaking {
  const asked = new Set<string>();
  return {
    async ready(pid, signal) {
      const { processes } = core;
      const started = processes.startTime(pid);
      const key = `${pid} ${started}`;
      if (started === null || asked.has(key)) return;
      const shown = isBuiltOnChromium(processes.executable(pid), exists) ? hasPages(core, pid) : true;
      asked.add(key);
      if (shown !== false) return;
      core.woken.wake(pid);
      await poll(async () => (hasPages(core, pid) === false ? null : true), readyMs, signal, LOOK_EVERY_MS);
    },
  };
}

/** Whether a page has anything in it; null where that cannot be told. One that hangs costs no second time limit by the reading after this. */
function hasPages(core: Core, pid: number): boolean | null {
  try {
    return core.scoped((scope) => searchPages(core, scope, core.ax.application(scope, pid)));
  } catch (thrown) {
    if (thrown instanceof DesktopError && thrown.code !== 'not_responding' && thrown.code !== 'permission') return null;
    throw thrown;
  }
}

/** Nearest first, and not below the menu bar, so that few elements have to be read. */
function searchPages(core: Core, scope: Scope, application: Ref): boolean {
  const waiting: Ref[] = [application];
  for (let left = MOST_ELEMENTS; left > 0; left--) {
    const next = waiting.shift();
    if (next === undefined) return false;
    const [role, children] = core.ax.attributes(scope, next, LOOK);
    const name = textOf(role) ?? ROLE.unknown;
    const below = childrenOf(core, scope, next, name, listOf(children));
    if (name === ROLE.webArea && below.length > 0) return true;
    if (name !== ROLE.menuBar) waiting.push(...below);
  }
  return false;
}
