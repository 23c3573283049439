import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import { dragTool } from './drag.js';
import { openDialogTool, saveDialogTool } from '../files/dialogs.js';
import { dropTool } from '../files/drops.js';
import { gestureTool } from './gesture.js';
import { downTool, upTool } from './hold.js';
import { holdTool, pressTool, typeTool } from './keys.js';
import { clickTool, hoverTool, moveTool } from './pointer.js';
import { scrollTool } from './scroll.js';

export function inputTools(deps: ToolDeps): Tool[] {
  const core = [clickTool(deps), typeTool(), pressTool(), scrollTool(deps), dragTool(deps)];
  const more = [moveTool(deps), hoverTool(deps), gestureTool(), holdTool(deps), downTool(deps), upTool(deps)];
  const files = [dropTool(deps), openDialogTool(deps), saveDialogTool(deps)];
  return [...toolGroup('input', { core, more }), ...toolGroup('file', { more: files })];
}
