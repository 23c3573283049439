/** The supervisor as a program: what the host starts with Node. The packaged app reaches it by a command of its own. */
import { supervise } from './supervisor.js';

supervise();
