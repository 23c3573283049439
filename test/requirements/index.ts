/** Every promise, from all documents. */
import { CHAT } from './chat.js';
import { CONTRACT } from './contract.js';
import { DESIGN } from './design.js';
import { GABP } from './gabp.js';
import { MCP } from './mcp.js';
import type { Requirement } from './requirement.js';

export const REQUIREMENTS: readonly Requirement[] = [...CONTRACT, ...CHAT, ...GABP, ...MCP, ...DESIGN];
