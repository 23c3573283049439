import { watchStatus } from '../agents/status.js';
import { isInOurWindow, watchTakeover } from '../agents/takeover.js';
import type { EvidenceRecorder, Integrity } from '../evidence/index.js';
import type { Protection } from '../pipeline/mask-rules.js';
import type { Status, Health } from '../protocol/index.js';
import { VERSION } from '../protocol/local-command.js';
import { syntheticInputIssues } from '../serve/page/press-check.js';
import type { Closers } from './closers.js';
import type { HostControl, HostContext } from './control.js';
import { watchHealth } from './health.js';
import { granteeOfThisProcess } from '../../native/peer/index.js';
import type { OwnDesktops } from './own/desktops.js';
import type { HostPipeline } from './pipeline.js';
import { serviceIssues } from './bridge-service.js';
import { message } from '../../messages/index.js';
import type { Executions } from '../pipeline/executions.js';
import { Stopped } from '../pipeline/failures.js';
import type { AttentionBoard } from '../agents/attention.js';
import type { Hotkey, ScreenLock, MenubarApp } from '../serve/menubar-app.js';

interface Watches {
  control: HostControl;
  recorder: EvidenceRecorder;
  guard: Protection;
  ownDesktops: Pick<OwnDesktops, 'list' | 'onChange'>;
}

/** Watches that run with the host: status for pages, health, and the person's input. */
export async function buildWatches(
  { options, opened, service, openDoors, log }: HostContext,
  { control, recorder, guard, ownDesktops }: Watches,
  { acts, sessions }: Pick<HostPipeline, 'acts' | 'sessions'>,
  closers: Closers,
) {
  const { approvals, agents, elsewhere, attention, executions, lane, holds, desktop } = control;
  const record = () => shownIntegrity(recorder.integrity());
  const onRecord = recorder.onIntegrity;
  const status = watchStatus({
    ...{ approvals, agents, acts, sessions, attention, lane, elsewhere, record, onRecord, log },
    desktops: ownDesktops,
  });
  closers.add(status.close);
  closers.add(
    desktop.onLost((reason) => attention.set('display_lost', message('attention.display_lost', { why: reason }))),
  );

  const acting = () => lane.busy('desktop');
  const menubar = watchMenubarApp({
    menubarApp: options.menubarApp,
    attention,
    viewers: control.viewers,
    executions,
    acting,
    stopAgents: () => control.stopAgents('hotkey', 'popover'),
  });
  closers.add(menubar.close);
  const health = watchHealth({
    desktop,
    version: VERSION,
    backend: opened.name,
    display: opened.display,
    note: opened.note,
    harmless: opened.harmless === true,
    attention,
    ...(opened.provides === undefined ? {} : { provides: [...opened.provides] }),
    grantee: opened.name === 'macos' ? (options.grantee ?? granteeOfThisProcess)() : null,
    doors: openDoors,
    more: () => [
      ...menubar.issues(),
      ...syntheticInputIssues(options),
      ...serviceIssues(options, service),
      ...(options.appIssues?.() ?? []),
    ],
    log,
  });
  await health.refresh();
  closers.add(health.close);
  const takeover = watchTakeover({
    desktop,
    executions,
    attention,
    acting,
    inOurWindows: (at) => isInOurWindow(desktop, guard, at),
    onInputInOurWindows: () => void (approvals.cards().length > 0 && holds.releaseForPerson()),
    log,
  });
  closers.add(takeover.close);
  return { status, health };
}

/** What is being checked is not called unchanged. */
function shownIntegrity(found: Integrity): Pick<Status, 'recordVerified' | 'recordChecking'> {
  if (found.state === 'checking') return { recordVerified: false, recordChecking: found.percent };
  return { recordVerified: found.state === 'unchanged' };
}

interface MenubarWatchOptions {
  menubarApp: MenubarApp | undefined;
  attention: AttentionBoard;
  viewers: HostControl['viewers'];
  executions: Executions;
  acting(): boolean;
  stopAgents(): void;
}

/** Watches the hotkey and the screen lock through the menubar app, if there is one. */
function watchMenubarApp({ menubarApp, stopAgents, ...lock }: MenubarWatchOptions) {
  const hotkey = registerHotkey(menubarApp?.hotkey, stopAgents);
  const stopWatching = watchScreenLock(menubarApp?.screenLock, lock);
  return {
    issues: hotkey.issues,
    close() {
      stopWatching();
      hotkey.release();
    },
  };
}

/** Nothing is done while the screen is locked: input would go to the lock screen, and nobody would see it. */
function watchScreenLock(
  screenLock: ScreenLock | undefined,
  { attention, viewers, executions, acting }: Omit<MenubarWatchOptions, 'menubarApp' | 'stopAgents'>,
): () => void {
  if (screenLock === undefined) return () => undefined;
  const update = (locked: boolean) => {
    viewers.lock(locked);
    attention.set('locked', locked ? message('attention.locked') : null);
    if (locked && acting()) executions.takeOver(new Stopped('person', message('stopped.screen_locked')));
  };
  update(screenLock.locked());
  return screenLock.on(update);
}

interface RegisteredHotkey {
  /** A warning for the person where the hotkey is not available. */
  issues(): Health['issues'];
  release(): void;
}

function registerHotkey(hotkey: Hotkey | undefined, pressed: () => void): RegisteredHotkey {
  if (hotkey === undefined) return { issues: () => [], release: () => undefined };
  const registered = hotkey.register(pressed);
  const issue = {
    title: message('health.hotkey_taken', { keys: hotkey.label }),
    fix: message('health.free_hotkey'),
  };
  return {
    issues: () => (registered ? [] : [issue]),
    release: () => {
      if (registered) hotkey.unregister();
    },
  };
}
