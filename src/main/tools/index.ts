/** The MCP tools, as actions. Comes in: what the host lends them. Goes out: the table the host serves over MCP and GABP. */
import { applicationTools } from './applications.js';
import { chatTools } from './chat.js';
import { clipboardTools } from './clipboard.js';
import type { Tool, ToolDeps } from './common.js';
import { elementTools } from './elements.js';
import { findingTools } from './finding.js';
import { inputTools } from './input.js';
import { macroTools } from './macros.js';
import { observationTools } from './observation.js';
import { planTools } from './plans.js';
import { screenTools } from './screen.js';
import { scriptingTools } from './scripting.js';
import { sessionTools } from './sessions.js';
import { createSteps } from './steps.js';
import { treeTools } from './tree.js';
import { waitingTools } from './waiting-for.js';
import { windowTools } from './windows.js';

export function allTools(deps: ToolDeps): Tool[] {
  const tools: Tool[] = [
    ...chatTools,
    ...findingTools(deps),
    ...elementTools(deps),
    ...waitingTools(deps),
    ...treeTools(deps),
    ...inputTools(deps),
    ...applicationTools(deps),
    ...windowTools(deps),
    ...screenTools(deps),
    ...observationTools(deps),
    ...clipboardTools(deps),
    ...scriptingTools(deps),
    ...sessionTools(deps),
  ];
  const steps = createSteps(() => tools);
  tools.push(...planTools(steps), ...macroTools(deps, steps));
  return tools;
}
