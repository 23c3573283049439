import type { Tool, ToolDeps } from './common.js';
import { windowActs } from './window-acts.js';
import { closeWindow } from './window-close.js';
import { windowLists } from './window-lists.js';

export function windowTools(deps: Pick<ToolDeps, 'pages' | 'references'>): Tool[] {
  return [...windowLists(deps), ...windowActs(), ...closeWindow(deps)];
}
