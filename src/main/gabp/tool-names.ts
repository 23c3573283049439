/** Names for MCP: `app_tool`, at most 40 characters, never the same for two tools, and the same again whatever the order of the list. Pure. */
import { createHash } from 'node:crypto';

const MAX_NAME = 40;
const HASH_DIGITS = 8;

/** `reserved`: names that others have. */
export function toolNames(app: string, tools: readonly string[], reserved: ReadonlySet<string>): Map<string, string> {
  const plain = new Map(tools.map((tool) => [tool, plainName(app, tool)]));
  const counts = new Map<string, number>();
  for (const name of plain.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isFree = (name: string): boolean => name.length <= MAX_NAME && counts.get(name) === 1 && !reserved.has(name);
  return new Map([...plain].map(([tool, name]) => [tool, isFree(name) ? name : hashedName(app, tool, name)]));
}

const plainName = (app: string, tool: string): string => `${app}_${tool.replace(/[^a-z0-9]+/g, '_')}`;

function hashedName(app: string, tool: string, name: string): string {
  const hash = createHash('sha256').update(`${app}/${tool}`).digest('hex').slice(0, HASH_DIGITS);
  return `${name.slice(0, MAX_NAME - HASH_DIGITS - 1)}_${hash}`;
}
