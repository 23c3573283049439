import type { Tool, ToolDeps } from '../tool.js';
import { windowActs } from './acts.js';
import { closeWindow } from './close.js';
import { windowReads } from './reads.js';

export function windowTools(deps: Pick<ToolDeps, 'pages' | 'references'>): Tool[] {
  return [...windowReads(deps), ...windowActs(), ...closeWindow(deps)];
}
