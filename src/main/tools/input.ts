import type { Tool, ToolDeps } from './common.js';
import { dragTool } from './dragging.js';
import { gestureTool } from './gesture.js';
import { downTool, upTool } from './holding.js';
import { holdTool, pressTool, typeTool } from './keys.js';
import { clickTool, hoverTool, moveTool } from './pointer.js';
import { scrollTool } from './scrolling.js';

export function inputTools(deps: ToolDeps): Tool[] {
  const core = [clickTool(deps), typeTool(), pressTool(), scrollTool(deps), dragTool(deps)];
  const more = [moveTool(deps), hoverTool(deps), gestureTool(), holdTool(deps), downTool(deps), upTool(deps)];
  return [
    ...core.map((action) => ({ group: 'input', core: true, action })),
    ...more.map((action) => ({ group: 'input', core: false, action })),
  ];
}
