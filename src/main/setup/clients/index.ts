/** All clients that setup knows. */
import type { ClientId } from '../../protocol/index.js';
import type { ClientDefinition } from './definition.js';
import { CLINE, CURSOR, JETBRAINS, JUNIE, ROO, VSCODE, WINDSURF, ZED } from './editors.js';
import { CLAUDE, CODEX, COPILOT, GEMINI, GOOSE, OPENCODE_CLIENT } from './terminal.js';

export const CLIENTS: Readonly<Record<ClientId, ClientDefinition>> = {
  claude: CLAUDE,
  codex: CODEX,
  cursor: CURSOR,
  vscode: VSCODE,
  gemini: GEMINI,
  copilot: COPILOT,
  opencode: OPENCODE_CLIENT,
  goose: GOOSE,
  cline: CLINE,
  roo: ROO,
  windsurf: WINDSURF,
  zed: ZED,
  junie: JUNIE,
  jetbrains: JETBRAINS,
};
