/** The coding agents that setup knows. */
export const CLIENT_IDS = [
  'claude',
  'codex',
  'cursor',
  'vscode',
  'gemini',
  'copilot',
  'opencode',
  'goose',
  'cline',
  'roo',
  'windsurf',
  'zed',
  'junie',
  'jetbrains',
] as const;
export type ClientId = (typeof CLIENT_IDS)[number];

export const CLIENT_NAMES: Readonly<Record<ClientId, string>> = {
  claude: 'Claude Code',
  codex: 'Codex',
  cursor: 'Cursor',
  vscode: 'VS Code',
  gemini: 'Gemini CLI',
  copilot: 'Copilot CLI',
  opencode: 'OpenCode',
  goose: 'Goose',
  cline: 'Cline',
  roo: 'Roo Code',
  windsurf: 'Windsurf',
  zed: 'Zed',
  junie: 'Junie',
  jetbrains: 'JetBrains AI Assistant',
};
