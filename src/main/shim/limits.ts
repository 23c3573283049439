/** Time limits of known clients for one call. A handle is returned before the limit is reached. */

interface ClientLimit {
  /** Matches clientInfo.name, lower case. */
  name: RegExp;
  seconds: number;
}

const MINUTE = 60;

/** Each is below the client's own default, with a margin. Other clients have 60 seconds. */
const LIMITS: readonly ClientLimit[] = [
  { name: /^claude-code$/, seconds: 25 * MINUTE },
  { name: /^codex/, seconds: 4.5 * MINUTE },
  { name: /^visual studio code|^vscode/, seconds: 4.5 * MINUTE },
];
const DEFAULT_SECONDS = 50;

/** After this time a waiting call is answered with a handle. */
export function callLimitMs(clientName: string | undefined): number {
  const name = clientName?.toLowerCase() ?? '';
  const known = LIMITS.find((limit) => limit.name.test(name));
  return (known?.seconds ?? DEFAULT_SECONDS) * 1_000;
}
