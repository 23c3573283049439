/** This folder: the MCP tools, as actions, in the order in which they are listed over MCP and GABP. The host calls it; tools never bypass the pipeline. */
import { applicationTools } from './applications/index.js';
import { chatTools } from './chat.js';
import { clipboardTools } from './clipboard/index.js';
import type { Tool, ToolDeps } from './tool.js';
import { elementTools } from './elements/index.js';
import { findingTools } from './elements/find.js';
import { inputTools } from './input/index.js';
import { macroTools } from './macros/index.js';
import { observationTools } from './observations/index.js';
import { planTools } from './macros/plans.js';
import { screenTools } from './screen/index.js';
import { scriptingTools } from './commands/index.js';
import { sessionTools } from './sessions.js';
import { createSteps } from './macros/steps.js';
import { treeTools } from './tree/index.js';
import { waitingTools } from './elements/wait.js';
import { windowTools } from './windows/index.js';

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
