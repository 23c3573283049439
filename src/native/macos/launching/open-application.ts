/** Asks the workspace to open an application. */
import { withTimeout } from '../../../base/poll.js';
import { DesktopError, type LaunchOptions } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import { urlRef, type Bundle } from './bundles.js';

const OPEN = 'openApplicationAtURL:configuration:completionHandler:';
const OPEN_PAGES = 'openURLs:withApplicationAtURL:configuration:completionHandler:';
const OPEN_LIMIT_MS = 30_000;

/** The pid, of a new process or of the one that ran already. */
export async function openApplication(
  core: Core,
  bundle: Bundle,
  options: LaunchOptions,
  signal: AbortSignal,
): Promise<number> {
  const { blocks, bound, pooled } = core;
  const opened = blocks.completed(
    (block) => pooled(() => ask(core, bundle, options, block)),
    (application, error) =>
      pooled(() => {
        if (application !== null) return bound.send(application, 'processIdentifier');
        throw notStarted(bundle, error === null ? 'no process' : `error ${bound.send(error, 'code')}`);
      }),
  );
  const pid = await withTimeout(opened, OPEN_LIMIT_MS, signal);
  signal.throwIfAborted();
  if (pid === null) throw notStarted(bundle, `no answer in ${OPEN_LIMIT_MS / 1000} s`);
  return pid;
}

const notStarted = ({ program }: Bundle, why: string): DesktopError =>
  new DesktopError('failed', message('native.not_started', { program, why }));

function ask(core: Core, bundle: Bundle, { background, newInstance, address }: LaunchOptions, block: bigint): void {
  const { bound, making, scoped } = core;
  const found = (name: string): Ref | null => bound.objectiveC.objc_getClass(name);
  const [workspaceClass, settingsClass] = [found('NSWorkspace'), found('NSWorkspaceOpenConfiguration')];
  scoped((scope) => {
    const workspace = workspaceClass === null ? null : bound.send(workspaceClass, 'sharedWorkspace');
    const settings = settingsClass === null ? null : bound.send(settingsClass, 'configuration');
    const url = urlRef(core, scope, bundle.url);
    if (workspace === null || settings === null || url === null) throw notStarted(bundle, 'no workspace');
    bound.send(settings, 'setActivates:', Number(!background));
    bound.send(settings, 'setAddsToRecentItems:', 0);
    // A question of the system would wait for the person without a word to anybody.
    bound.send(settings, 'setPromptsUserIfNeeded:', 0);
    bound.send(settings, 'setCreatesNewApplicationInstance:', Number(newInstance));
    if (address === undefined) return bound.send(workspace, OPEN, url, settings, block);
    const page = urlRef(core, scope, address);
    const pages = page === null ? null : making.list(scope, [page]);
    if (pages === null) throw notStarted(bundle, 'no address');
    bound.send(workspace, OPEN_PAGES, pages, url, settings, block);
  });
}
