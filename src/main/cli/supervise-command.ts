/** `chaperone supervise-command`: the supervisor of one approved command. Never resolves: the supervisor exits the process itself. */
import { supervise } from '../../native/process/supervisor.js';
import { EXIT, Failure } from './failure.js';

export function superviseCommand(): Promise<never> {
  if (process.send === undefined)
    throw new Failure('Only Chaperone itself starts this, for a command that a person has allowed.', EXIT.usage);
  supervise();
  return new Promise(() => undefined);
}
