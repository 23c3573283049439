/** The MCP tools, as actions. Comes in: what the host lends them. Goes out: the table the host serves over MCP and GABP. */
import { applicationTools } from './applications.js';
import { chatTools } from './chat.js';
import type { Tool, ToolDeps } from './common.js';
import { elementTools } from './elements.js';
import { inputTools } from './input.js';
import { observationTools } from './observation.js';
import { screenTools } from './screen.js';
import { windowTools } from './windows.js';

export function allTools(deps: ToolDeps): Tool[] {
  return [
    ...chatTools,
    ...elementTools(deps),
    ...inputTools(deps),
    ...applicationTools(deps),
    ...windowTools(deps),
    ...screenTools(deps),
    ...observationTools(deps),
  ];
}
