import type { Tool, ToolDeps } from '../tool.js';
import { windowActs } from './acts.js';
import { closeWindow } from './close.js';
import { windowLists } from './lists.js';

export function windowTools(deps: Pick<ToolDeps, 'pages' | 'references'>): Tool[] {
  return [...windowLists(deps), ...windowActs(), ...closeWindow(deps)];
}
