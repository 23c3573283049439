/**
 * Faults that a test must notice: `from`, which stands once in `file`, becomes `to`; a test of `test` whose title has `fails`
 * in it must then fail.
 */
import { APPROVALS } from './approvals.mjs';
import { CLIENTS } from './clients.mjs';
import { COMMANDS } from './commands.mjs';
import { EVIDENCE } from './evidence.mjs';
import { GABP } from './gabp.mjs';
import { MAC_APP } from './mac-app.mjs';
import { MCP_HTTP } from './mcp-http.mjs';
import { NATIVE } from './native.mjs';
import { OWN_DESKTOPS } from './own-desktops.mjs';
import { PAGES } from './pages.mjs';
import { PAIRING } from './pairing.mjs';
import { PIPELINE } from './pipeline.mjs';
import { PLACES } from './places.mjs';
import { PROGRAMS } from './programs.mjs';
import { REMOTE } from './remote.mjs';
import { TASKS } from './tasks.mjs';

export const MUTANTS = [
  ...APPROVALS,
  ...PAIRING,
  ...PIPELINE,
  ...EVIDENCE,
  ...NATIVE,
  ...GABP,
  ...MCP_HTTP,
  ...PROGRAMS,
  ...REMOTE,
  ...PLACES,
  ...CLIENTS,
  ...COMMANDS,
  ...MAC_APP,
  ...TASKS,
  ...OWN_DESKTOPS,
  ...PAGES,
];
