import { basename } from 'node:path';
import type { App } from '../../desktop.js';
import { ACTIVATION_POLICY } from '../calls/objective-c.js';
import type { Ref } from '../calls/types.js';
import { ATTRIBUTE } from '../accessibility/names.js';
import { nullWithoutAnswer } from '../accessibility/answers.js';
import { elementOf } from '../accessibility/plain.js';
import type { Core } from '../core.js';
import { RelatedApps } from './related-apps.js';
import type { WindowRows } from './window-rows.js';

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
