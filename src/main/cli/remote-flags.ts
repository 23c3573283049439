/** A host on another machine, from what stands on the command line. */
import { MessageError } from '../../messages/index.js';
import { PROGRAM_NAME } from '../protocol/local-command.js';
import { VERSION } from '../protocol/version.js';
import { parseAddress, parseCommand } from '../remote/address.js';
import { remoteHost, type RemoteHost } from '../remote/index.js';
import { EXIT, Failure } from './failure.js';

export interface RemoteFlags {
  command?: string;
  start?: boolean;
}

/** `name`: of this program. Throws Failure for what is no address. */
export function remoteFrom(
  address: string,
  { command = PROGRAM_NAME, start = false }: RemoteFlags,
  name: string,
  page = false,
): RemoteHost {
  try {
    const [parsed, words] = [parseAddress(address), parseCommand(command)];
    return remoteHost({ address: parsed, command: words, start, page, name, version: VERSION });
  } catch (thrown) {
    if (thrown instanceof MessageError) throw new Failure(thrown.text, EXIT.usage);
    throw thrown;
  }
}
