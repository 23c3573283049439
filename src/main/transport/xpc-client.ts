/** One message to the bridge service from another process, such as the command line. */
import { loadServiceAddon, type LoadedAddon } from '../../native/xpc/index.js';
import { message, MessageError, verbatim, type Message } from '../../messages/index.js';
import { BRIDGE_SERVICE } from '../protocol/local-command.js';
import { Unreadable } from '../protocol/transport.js';
import { readJson } from '../protocol/json.js';

/** Rejects with a MessageError where there is no service or no answer. */
export async function requestService(
  request: object,
  timeoutMs: number,
  loaded: LoadedAddon = loadServiceAddon(),
): Promise<unknown> {
  if (loaded.kind === 'absent') throw new MessageError(absence(loaded));
  const { addon } = loaded;
  const text = await new Promise<string>((resolve, reject) => {
    addon.request(BRIDGE_SERVICE, JSON.stringify(request), timeoutMs, (problem, answer) => {
      if (answer === null) reject(new MessageError(noAnswer(problem)));
      else resolve(answer);
    });
  });
  const answer = readJson(text);
  if (answer instanceof Unreadable) throw new MessageError(verbatim(text.slice(0, 200)));
  return answer;
}

function absence({ reason, why }: Extract<LoadedAddon, { kind: 'absent' }>): Message {
  return reason === 'platform' ? message('service.only_macos') : message('service.no_addon', { why });
}

function noAnswer(problem: string | null): Message {
  const known = problem === 'timeout' || problem === 'invalid' ? problem : 'other';
  return message('service.no_answer', { known, why: problem ?? '' });
}
