/** `chaperone supervise-command`: the supervisor of one approved command. Never resolves: the supervisor exits the process itself. */
import { message } from '../../messages/index.js';
import { supervise } from '../../native/process/supervisor.js';
import { EXIT, Failure } from './failure.js';

export function superviseCommand(): Promise<never> {
  if (process.send === undefined) throw new Failure(message('cli.only_chaperone'), EXIT.usage);
  supervise();
  return new Promise(() => undefined);
}
