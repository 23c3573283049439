import { requirements } from './requirement.js';

/** What an agent is told while it waits, and what a person meets in the first minute. */
// prettier-ignore
export const AGENTS_TOLD = requirements('issue 8', {
  'AG-HANDLE-1': ['§3', 'main-job', 'At the call limit a waiting act or question answers with status awaiting_human, callId and the next step, never with an error; resume_call gives the outcome, once.'],
  'AG-HANDLE-2': ['§3', 'main-job', 'The same holds for a call that waits for the lane or for the screen.'],
  'AG-HANDLE-3': ['§3', 'main-job', 'Two callers do not end each other’s waits, and none gets another agent’s outcome.'],
  'AG-LIST-1': ['§3', 'main-job', 'A tools/list cursor that is not ours is -32602.'],
  'AG-BATCH-1': ['§3', 'main-job', 'On MCP 2025-03-26 a batch is answered in one line; on every other version it is -32600.'],
  'TA-1': ['§3', 'tools', 'find_text and click_text look in every visible window of an application, front to back, name the window of each match, and say what covers one that a click would not reach.'],
  'TA-2': ['§3', 'tools', 'Find and click wait, within limits, for an application that still starts, and say so where it stays silent; an old process is not waited for.'],
  'TA-4': ['§3', 'tools', 'An application that shows nothing but what is hidden from agents, and will be, is not waited for; nothing of it is told or touched.'],
  'TA-3': ['§3', 'tools', 'A popup that no window manager handles is clicked whichever application has the focus.'],
  'AG-EXIT-1': ['§4', 'main-job', 'The shim ends within 2 s of the end of its input and of a signal, whatever the host does and whatever waits.'],
  'AG-START-1': ['§2.5', 'app', 'npm start ends with two sentences and one link, also on a second start.'],
  'AG-COMMAND-1': ['§2.5', 'app', 'Page, help and errors show commands as this machine can run them.'],
  'AG-PLAIN-1': ['§2.5', 'app', 'No stack traces and no schema words; a wrong tool is told the nearest; a waiting call says where to answer; a virtual desktop nobody asked for is a note.'],
});
