/** Was der Host auf Englisch sagt, auf Deutsch. */
import type { HostWords } from './host.js';
import { deSaid } from './de-host-said.js';

export const deHost: HostWords = { said: deSaid };
