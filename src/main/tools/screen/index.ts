/** Tools that take pictures of the screen. */
import { closeupTools } from './closeups.js';
import type { Tool, ToolDeps } from '../tool.js';
import { displayTools } from './displays.js';
import { screenshotTools } from './screenshots.js';
import { textTools } from '../text/index.js';

export function screenTools(deps: ToolDeps): Tool[] {
  return [...screenshotTools(deps), ...closeupTools(deps), ...textTools(deps), ...displayTools(deps)];
}
