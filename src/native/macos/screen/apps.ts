import { basename } from 'node:path';
import type { App } from '../../desktop.js';
import { ACTIVATION_POLICY } from '../calls/objective-c.js';
import type { Ref } from '../calls/types.js';
import { ATTRIBUTE } from '../accessibility/names.js';
import { nullWithoutAnswer, elementOf } from '../accessibility/answers.js';
import type { Core } from '../core.js';
import type { WindowRows } from './window-rows.js';
import { pathToFileURL } from 'node:url';
import { readBundle } from '../launching/bundles.js';

export interface Apps {
  /** With a Dock icon, or with an ordinary window. */
  list(): App[];
  /** All that the workspace knows, with the id of their bundle or ''. */
  running(): { pid: number; id: string }[];
  /** null where the process has ended. */
  of(pid: number): App | null;
  /** As they are now, read once for all that are asked for. */
  look(front: number | null): AppsNow;
  /** The application in front; null where there is none. */
  frontPid(): number | null;
}

export interface AppsNow {
  of(pid: number): App | null;
  /** With a Dock icon. */
  isRegular(pid: number): boolean;
}

interface Bundle {
  id: string | null;
  name: string | null;
  regular: boolean;
}

export function openApps(core: Core, rows: WindowRows): Apps {
  const { processes, runLoop } = core;
  const related = new RelatedApps(core);
  const describe = (pid: number, bundles: ReadonlyMap<number, Bundle>, front: number | null): App | null => {
    const bundle = bundles.get(pid);
    const startTime = processes.startTime(pid);
    if (startTime === null) return null;
    const program = processes.executable(pid);
    const id = bundle?.id ?? (program === '' ? `process ${pid}` : program);
    const name = bundle?.name ?? (program === '' ? id : basename(program));
    const otherIds = related.idsOf(pid, program, bundles, id);
    const app = { id, name, program, pid, startTime, frontmost: pid === front };
    return otherIds.length === 0 ? app : { ...app, otherIds };
  };
  const ownersOfWindows = (): number[] =>
    rows
      .onScreen()
      .filter(({ level, alpha }) => level === rows.levels.normal && alpha > 0)
      .map(({ pid }) => pid);

  const frontPid: Apps['frontPid'] = () => focusedPid(core) ?? workspaceFrontPid(core) ?? ownersOfWindows()[0] ?? null;

  const look = (front: number | null): AppsNow => {
    // The list of running applications is as old as the last turn.
    runLoop.turn();
    const bundles = runningBundles(core);
    return {
      of: (pid) => describe(pid, bundles, front),
      isRegular: (pid) => bundles.get(pid)?.regular ?? false,
    };
  };

  return {
    frontPid,
    look,
    running: () => [...runningBundles(core)].map(([pid, { id }]) => ({ pid, id: id ?? '' })),
    of: (pid) => look(frontPid()).of(pid),
    list() {
      runLoop.turn();
      const bundles = runningBundles(core);
      const regular = [...bundles].filter(([, bundle]) => bundle.regular).map(([pid]) => pid);
      const front = frontPid();
      return [...new Set([...regular, ...ownersOfWindows()])].flatMap((pid) => describe(pid, bundles, front) ?? []);
    },
  };
}

/** Applications of Chromium do not say that they have the focus; then the workspace is asked. */
function focusedPid({ scoped, ax }: Core): number | null {
  return scoped((scope) =>
    nullWithoutAnswer(() => {
      const application = elementOf(ax.attribute(scope, ax.systemWide, ATTRIBUTE.focusedApplication));
      return application === null ? null : ax.pidOf(application);
    }),
  );
}

function workspaceFrontPid({ bound, pooled, runLoop }: Core): number | null {
  runLoop.turn();
  return pooled(() => {
    const workspace = sharedWorkspace(bound);
    const front = workspace === null ? null : bound.send(workspace, 'frontmostApplication');
    return front === null ? null : bound.send(front, 'processIdentifier');
  });
}

function runningBundles({ bound, pooled, reading }: Core): Map<number, Bundle> {
  return pooled(() => {
    const workspace = sharedWorkspace(bound);
    const running = workspace === null ? [] : reading.list(bound.send(workspace, 'runningApplications'));
    return new Map(
      running.map((application) => [
        bound.send(application, 'processIdentifier'),
        {
          id: reading.text(bound.send(application, 'bundleIdentifier')),
          name: reading.text(bound.send(application, 'localizedName')),
          regular: Number(bound.send(application, 'activationPolicy')) === ACTIVATION_POLICY.regular,
        },
      ]),
    );
  });
}

function sharedWorkspace({ objectiveC, send }: Core['bound']): Ref | null {
  const workspaceClass = objectiveC.objc_getClass('NSWorkspace');
  return workspaceClass === null ? null : send(workspaceClass, 'sharedWorkspace');
}

/** Of an outer bundle of a path: `/Applications/Vault.app` of `/Applications/Vault.app/Contents/Library/LoginItems/Helper.app/…`. */
const BUNDLE = /\.app(?=\/)/g;

interface Running {
  id: string | null;
  /** With a Dock icon. */
  regular: boolean;
}

/**
 * The applications that a process belongs to beside its own: what a person excludes also shows windows by helpers with bundles of
 * their own, such as a login item with a popover in the menu bar.
 */
class RelatedApps {
  readonly #core: Core;
  /** By the paths of bundles; a bundle keeps its id. */
  readonly #ids = new Map<string, string>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** `own`: its own id. What has a Dock icon is an application for itself, whoever started it. */
  idsOf(pid: number, program: string, running: ReadonlyMap<number, Running>, own: string): string[] {
    const isApp = running.get(pid)?.regular ?? false;
    const responsible = isApp ? null : this.#core.processes.responsible(pid);
    const ids = [
      ...[...program.matchAll(BUNDLE)].map(({ index }) => this.#idOf(program.slice(0, index + '.app'.length))),
      responsible === null ? null : running.get(responsible)?.id,
    ];
    return [...new Set(ids)].filter((id) => typeof id === 'string' && id !== '' && id !== own).map(String);
  }

  #idOf(path: string): string | null {
    const known = this.#ids.get(path);
    if (known !== undefined) return known;
    const id = readBundle(this.#core, pathToFileURL(path).href)?.id ?? null;
    if (id !== null) this.#ids.set(path, id);
    return id;
  }
}
