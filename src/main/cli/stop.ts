/** `chaperone stop`: anyone may pause; only a person in the page or popover resumes. */
import { ConnectionLost } from '../shim/session.js';
import { withHost } from './host-client.js';
import { print } from './output.js';

export async function stop(options: { host?: boolean }): Promise<void> {
  const ending = options.host === true;
  await withHost((session) => session.request('admin/stop', { host: ending })).catch((error: unknown) => {
    if (!(ending && error instanceof ConnectionLost)) throw error;
  });
  print(
    ending
      ? 'Stopped, and the host is ending.'
      : 'Stopped: the current action is halted, what was pending is denied, agents are paused. Resume in the page.',
  );
}
