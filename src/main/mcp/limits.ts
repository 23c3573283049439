/** How long known clients wait for one call, by the name and version that they give. A handle is returned before that. */
import type { McpClientInfo } from './backend.js';

export interface ClientLimit {
  title: string;
  /** Has to match the name that the client gives of itself, put in lower case. */
  name: RegExp;
  /** The first version with this limit; earlier versions are treated as an unknown client. Null: every version. */
  since: readonly [major: number, minor: number] | null;
  /** Seconds after which the client may give a call up, where its settings say nothing else. Chaperone does not rely on reports of progress making it longer. */
  gaveUpAfter: number;
  /** Seconds after which a waiting call is answered with a handle. */
  handleAfter: number;
}

const MINUTE = 60;
/** The MCP SDKs’ default. */
const SDK_SECONDS = 60;
const HANDLE_SECONDS = 50;

const sdkDefault = (title: string, name: RegExp): ClientLimit => ({
  title,
  name,
  since: null,
  gaveUpAfter: SDK_SECONDS,
  handleAfter: HANDLE_SECONDS,
});

/** From the clients’ sources and measurements; where reports disagree, the shortest. */
export const CLIENT_LIMITS: readonly ClientLimit[] = [
  // Without progress for so long; there is no other limit by default.
  { title: 'Claude Code', name: /^claude-code$/, since: [2, 1], gaveUpAfter: 30 * MINUTE, handleAfter: 25 * MINUTE },
  // Earlier versions: 60 or 120 seconds.
  { title: 'Codex', name: /^codex-mcp-client$/, since: [0, 169], gaveUpAfter: 5 * MINUTE, handleAfter: 4.5 * MINUTE },
  {
    title: 'Gemini CLI',
    name: /^gemini-cli-mcp-client$/,
    since: [0, 56],
    gaveUpAfter: 10 * MINUTE,
    handleAfter: 9 * MINUTE,
  },
  { title: 'Goose', name: /^goose(-cli|-desktop)?$/, since: null, gaveUpAfter: 5 * MINUTE, handleAfter: 4.5 * MINUTE },
  {
    title: 'VS Code',
    name: /^visual studio code|^vscode/,
    since: null,
    gaveUpAfter: 5 * MINUTE,
    handleAfter: 4.5 * MINUTE,
  },
  { title: 'OpenCode', name: /^opencode/, since: null, gaveUpAfter: 30, handleAfter: 25 },
  sdkDefault('Claude Desktop', /^claude-ai$/),
  sdkDefault('Cline', /^cline$/),
  sdkDefault('Cursor', /^cursor/),
  sdkDefault('Copilot CLI', /^github-copilot-developer$/),
  sdkDefault('JetBrains AI Assistant', /^jetbrains/),
  sdkDefault('Roo Code', /^roo.code$/),
  sdkDefault('Windsurf', /^windsurf/),
  sdkDefault('Zed', /^zed$/),
];

/** After this time a waiting call is answered with a handle. */
export function callLimitMs(client: McpClientInfo | null): number {
  const known = client === null ? undefined : CLIENT_LIMITS.find((limit) => covers(limit, client));
  return (known?.handleAfter ?? HANDLE_SECONDS) * 1_000;
}

function covers({ name, since }: ClientLimit, client: McpClientInfo): boolean {
  if (!name.test(client.name.toLowerCase())) return false;
  if (since === null) return true;
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(client.version) ?? [];
  if (major === undefined || minor === undefined) return false;
  const difference = Number(major) - since[0];
  return difference > 0 || (difference === 0 && Number(minor) >= since[1]);
}
