/** A host on another machine, from what stands on the command line. */
import { MessageError, message } from '../../messages/index.js';
import { PROGRAM_NAME, VERSION } from '../protocol/local-command.js';
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

/** A whole number within bounds from the command line or the environment. */
export function parseWholeNumber(text: string, name: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new Failure(message('cli.bad_number', { name, min, max, text }), EXIT.usage);
}
