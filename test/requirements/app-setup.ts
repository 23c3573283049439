import { requirements, type Rows } from './requirement.js';

const SETUP: Rows = {
  'AP-S-1': ['setup', 'app', 'chaperone setup writes its own entry with claude, codex, cursor and vscode; --remove takes it away.'],
  'AP-S-7': ['setup', 'app', 'chaperone setup also knows Gemini CLI, Copilot CLI, OpenCode, Goose, Cline, Roo Code, Windsurf, Zed and Junie: nothing else in their files changes, a scope that a client does not have is refused by name, and for a client without such a file (JetBrains AI Assistant) it prints what to paste and says that it wrote nothing.'],
  'AP-S-8': ['setup', 'app', 'chaperone setup and the page write an entry that asks for a desktop of the agent’s own where this machine can give it; an entry that is there keeps its desktop until another one is chosen.'],
  'AP-S-2': ['setup', 'app', 'Whatever else is in a file keeps its place and its characters; what cannot be kept is refused.'],
  'AP-S-3': ['setup', 'app', 'One press in the popover or a paired page runs setup, and says what was changed and how to undo it.'],
  'AP-S-4': ['first run', 'app', 'Each permission is explained and shown as granted, missing or stale, with the way to its pane, and looked at again by itself.'],
  'AP-S-5': ['first run', 'app', 'The first run can be left and taken up again where it was left, and ends with connecting an agent.'],
  'AP-S-6': ['first run', 'app', 'One press in the popover or a paired page runs a demo agent through the door every agent takes: shown for what it is, one at a time, every outcome told, nothing kept of it; nobody else can start it and no grant is for it.'],
}; // prettier-ignore

export const APP_SETUP = requirements('The menubar app:', SETUP);
