/** `chaperone stop`: anyone may pause; only a person in the page or popover resumes. */
import type { Formatter } from '../../messages/index.js';
import { ConnectionLost } from '../shim/session.js';
import { withHost } from './host-client.js';
import { print } from './output.js';

export async function stop(options: { host?: boolean }, { text }: Formatter): Promise<void> {
  const ending = options.host === true;
  await withHost((session) => session.request('admin/stop', { host: ending })).catch((error: unknown) => {
    if (!(ending && error instanceof ConnectionLost)) throw error;
  });
  print(text(ending ? 'cli.stop.host' : 'cli.stop.agents'));
}
