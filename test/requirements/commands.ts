import { requirements } from './requirement.js';

/** What runs unasked, what a rule covers, what approved commands may leave behind, and what they get of the desktop. */
// prettier-ignore
export const COMMANDS = requirements('issue 8', {
  'CM-1': ['§1.4', 'tools', 'What a command leaves behind is ended when it returns, also with a cleared environment and in a session of its own.'],
  'CM-2': ['§1.4', 'tools', 'Cancel, time limit, abort and Stop end the whole set.'],
  'CM-3': ['§1.4', 'tools', 'What could not be found or ended is told in the result.'],
  'CM-4': ['§1.4', 'main-job', 'keep_running is shown on the card; what it keeps is listed on Home, ended there, and ends with the host unless the person says otherwise.'],
  'CM-5': ['§1.4', 'tools', 'A command gets no display, session bus or runtime folder; desktop, shown on the card, restores them.'],
  'CM-6': ['§1.4', 'main-job', 'When the host is killed, what its commands run is ended.'],
  'CM-7': ['§1.4', 'main-job', 'What an approved command leaves behind cannot press Allow later.'],
  'CR-1': ['§6', 'main-job', 'Commands that only read the agent’s workspace run unasked; every command line that does more, or of which a shell makes more, is asked about.'],
  'CR-2': ['§6', 'main-job', 'What runs unasked is a program of the system, started by its path without a shell; no file of the workspace makes it run, follow, fetch or show anything else, nor a secret.'],
  'CR-3': ['§6', 'main-job', 'Commands are parsed: the words that are judged are those that a shell makes of them, or a person is asked.'],
  'CR-4': ['§6', 'main-job', 'Red and a held button are for commands that remove, send, escalate, run what they are given, or cannot be read as one command.'],
  'CR-5': ['§6', 'main-job', 'No rule reaches through interpreters, wrappers, substitution, redirection or operators.'],
  'CR-6': ['§6', 'main-job', 'The title of a request to run something is the command; a plain one offers rules.'],
  'CR-7': ['§6', 'main-job', 'A rule covers exactly a command, or those that start with its words, in one folder, for one process of an agent and for a time; it is listed and can be taken back.'],
  'CR-8': ['§6', 'main-job', 'A denial, the policy and a pause go before every rule, and so does another program in the place of the one that was allowed.'],
  'CR-9': ['§6', 'main-job', 'Under a policy without grants, commands that only read are asked about; what ran unasked is in Activity.'],
  'CR-10': ['§6', 'main-job', 'A command in a sandbox has no network, sees and writes only the workspace, and is input; where there is no sandbox, nothing runs.'],
});
