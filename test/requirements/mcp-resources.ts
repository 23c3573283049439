import { requirements } from './requirement.js';

/** What MCP has besides tools: resources, prompts, completions, and questions shown in the client. */
// prettier-ignore
export const MCP_RESOURCES = requirements('MCP besides tools:', {
  'MR-1': ['resources', 'main-job', 'Lists of resources and templates ask nobody and say nothing of what is on the desktop.'],
  'MR-2': ['resources', 'main-job', 'A resource is read as the call of its tool: with its card, its policy and its line in the record; a no is told in the person’s words.'],
  'MR-3': ['resources', 'main-job', 'A resource holds what its tool answers; a picture comes as a blob.'],
  'MR-4': ['resources', 'main-job', 'An address that names nothing is refused in words, and nobody is asked.'],
  'MR-5': ['resources', 'main-job', 'What is masked or closed to the tool is masked or closed to its resource.'],
  'MR-6': ['prompts', 'main-job', 'Prompts say how to use a desktop well; they name tools that there are, and wrong arguments are refused in words.'],
  'MR-7': ['completions', 'main-job', 'Applications, windows and displays are proposed where the agent may see them already; a completion asks nobody.'],
  'MR-8': ['questions', 'main-job', 'A question of send_message is shown in the client too where it offers that; an answer in either place settles it, and is told as what it is.'],
  'MR-9': ['questions', 'main-job', 'A client that declines, gives nothing or knows no questions leaves the question on the page; approvals are never shown in it.'],
  'MR-10': ['evidence', 'main-job', 'An agent reads what is recorded of its own calls, with the files as they were written; of others there is nothing for it.'],
  'MR-11': ['applications', 'main-job', 'A connected application’s resources are resources under its name: each read is asked for as its tools are, bounded, and lists say only that there are some.'],
  'MR-12': ['applications', 'main-job', 'That an application has sent events is told to who subscribed, once a second at most, without what they hold; that is read as its tool gives it.'],
  'MR-13': ['applications', 'main-job', 'Once an agent was allowed to see an application’s resources they are entries of its list under the application’s name, bounded, in no other agent’s, and until the connection ends.'],
});
