import { RESUME_TOOL } from '../protocol/resume-tool.js';

/** For the model. */
export const INSTRUCTIONS =
  'Chaperone lets you use this person’s desktop while they stay in charge: they are asked before you act, and everything is recorded. ' +
  'First call request_task with all that you are about to do: the person is then asked once, and not for each act; call finish_task when you are done. ' +
  'Put the steps you know into one run_plan, and look with find_elements as a step of it. ' +
  `A call that has to wait for them may answer with a status (such as awaiting_human) and a callId: go on waiting with ${RESUME_TOOL}. ` +
  'What an act did is in its effect (confirmed, unverified or no_change, with before and after): read it before you go on. ' +
  'Points are global, in points, from the top left of the main display. Lists come in pages: give next_page_token as page_token. ' +
  'Talk to the person with send_message.';
