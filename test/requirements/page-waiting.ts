import { requirements } from './requirement.js';

/** Issue 8, §2: a request is never out of sight, and what else a person sees on the page. */
// prettier-ignore
export const PAGE_WAITING = requirements('issue-8', {
  'PG-1': ['§2.1', 'app', 'Whatever waits for the person out of sight is named by a strip pinned on every view, which goes there; going there presses nothing.'],
  'PG-2': ['§2.1', 'app', 'The page scrolls to a new request by itself only if the person has not touched it for five seconds, is not writing and sees no other.'],
  'PG-3': ['§2.1', 'app', 'The chip counts requests and questions and goes to the oldest.'],
  'PG-4': ['§2.1', 'app', 'Answered requests fold into one line below the live ones, and no card moves by that while the person is at one.'],
  'PG-5': ['§2.1', 'app', 'Calls that queue behind a request of the same agent are counted, and told in words.'],
  'PG-6': ['§2.4', 'app', 'Running grants are on Home with the time left, their uses, and a way to take them back.'],
  'PG-7': ['§2.7', 'app', 'Images can be dropped on a reply.'],
  'PG-8': ['§2.1', 'app', 'Names and counts in the header stay true after agents leave.'],
  'PG-10': ['§2.3', 'app', 'What an Allow covers beyond its title stands right under the title.'],
  'PG-11': ['§2.3', 'app', 'Titles say what is done as a person would: applications and coordinates without quotes, a command by its words, “Run `npm test`”.'],
  'PG-12': ['§2.3', 'app', 'A reply is said to wait for an agent only as long as that agent is connected.'],
  'PG-13': ['§2.3', 'app', 'A card whose call is over says so, and what an Allow would do; once its agent has ended it takes no Allow, only a dismissal.'],
  'PG-14': ['§2.3', 'app', 'A No to a card whose agent has left is Denied on the page, in the record, and for the agent when it comes back.'],
  'PG-15': ['§2.3', 'app', 'Stop keeps drafts and the text of open questions.'],
  'PG-17': ['§2.5', 'app', 'A page that is not paired names the command that pairs it as it is called on this machine.'],
  'PG-18': ['§2.3', 'app', 'Under a card stand all facts and at most two sentences, those that matter most; the others are in the exact request.'],
  'PG-19': ['§2.3', 'app', 'A reply that was written to an agent’s connection without proof that it arrived is shown as handed over and not confirmed, never as not delivered.'],
  'PG-21': ['§2.3', 'app', 'What was typed for Deny and not sent outlives a reload of the page, is shown on its own request only, and is removed when that ends.'],
  'PG-9': ['§2.7', 'app', 'The time left stands as each language says it: “4:51 left”, “noch 4:51”.'],
});

/** Issue 26, §8: the page as a newcomer meets it. */
// prettier-ignore
export const NEWCOMER = requirements('issue-26', {
  'NC-1': ['§8.1', 'app', 'Allow is in view without scrolling on every request at 1280×720, 400×600 and 200 % zoom, in the same place from request to request, and stays there as choices unfold, news comes and answers fold.'],
  'NC-2': ['§8.1', 'app', 'No empty gap stays after an answer, and a second click in the same place presses nothing that moved there.'],
  'NC-3': ['§8.2', 'app', 'A press that does not count says so in plain words; a held press outlives a change above it.'],
  'NC-4': ['§8.3', 'main-job', 'A grant is renewed, never stored twice, and is offered only for requests that it can hold for.'],
  'NC-5': ['§8.3', 'main-job', 'A request that comes although its agent has a grant for the application says why.'],
  'NC-6': ['§8.3', 'app', 'Settings, Agents and Home name the same grants, by the application’s name.'],
  'NC-8': ['§8.4', 'app', 'The start page’s one button is on its first screen, and what the demo then asks is not under the header.'],
  'NC-9': ['§8.5', 'app', 'The title and the stages of the evidence page say the same of how long a call took.'],
  'NC-10': ['§8.2', 'main-job', 'A person is asked about a new window only once it has stopped changing, so that their yes still holds.'],
  'NC-7': ['§8.5', 'main-job', '`status`, `approvals list` and the page count the same; `host --print-pairing` says what each address is for; `where` prints the token only with --token.'],
});

/** Several harmless requests of one agent on one card. */
// prettier-ignore
export const TOGETHER = requirements('Shown as one:', {
  'TG-1': ['approvals', 'main-job', 'Looks that one agent asks for at once come on one card, which lists each with what it gives, its picture and its exact request where asked. One press allows or denies all, each can be denied by itself, and every call gets its own decision.'],
  'TG-2': ['approvals', 'main-job', 'Whatever acts, runs, warns, hides, shows secrets or is always asked about stands alone, as does what another agent asks for.'],
  'TG-3': ['approvals', 'main-job', 'A card takes in at most six requests, none later than three seconds after it appeared, and each makes its buttons dead for half a second again; an Allow covers only those that were shown.'],
  'TG-4': ['approvals', 'main-job', 'An Allow for several names every request that was shown, ends a press that began on the same ones, and counts for all of them or for none. One for a single request allows no other.'],
  'TG-5': ['pipeline', 'main-job', 'After such an Allow each call is checked by itself: one whose target has changed fails alone.'],
});
