import { randomUUID } from 'node:crypto';
import { readBridgeFile } from './bridge-file.js';
import { dial } from './dial.js';
import type { LaunchDependencies, Reachable } from './launch.js';

/** An application that runs already. Its file is read for each connection, because a restart makes a new token. */
export function attachTo(file: string, { processes }: Pick<LaunchDependencies, 'processes'>): Reachable {
  return {
    gone: new Promise(() => undefined),
    end: async () => undefined,
    async dial(signal) {
      const { token, launchId, address } = readBridgeFile(file);
      return { transport: await dial(address, processes, signal), token, launchId: launchId ?? randomUUID() };
    },
  };
}
