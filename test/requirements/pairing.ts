import { requirements } from './requirement.js';

/** Who may pair a page. */
// prettier-ignore
export const PAIRING = requirements('Pairing:', {
  'PW-1': ['links', 'main-job', 'An approved command, in whatever terminal it makes for itself, gets no pairing link.'],
  'PW-2': ['links', 'main-job', 'An approved command cannot redeem a pairing link that it got hold of.'],
  'PW-3': ['links', 'main-job', 'What a connected agent starts and leaves behind gets no pairing link, also when it has forked away.'],
  'PW-4': ['confirmation', 'main-job', 'Once a page is paired, the page of a `chaperone pair` link is paired only when a person confirms it, whatever the policy; the card names who asked and what opened it.'],
  'PW-5': ['confirmation', 'main-job', 'A denied or abandoned page is told so, stays unpaired, and pauses nobody.'],
  'PW-6': ['record', 'main-job', 'Links that were asked for, pairings, refusals and resets are lines of the record.'],
  'PW-7': ['announcement', 'main-job', 'Every pairing is announced in all paired pages until dismissed; the first page ever is told nothing, each later one which pages were there before it.'],
  'PW-8': ['reset', 'main-job', '`chaperone host --reset-pairings` revokes all pairings, says so in the record, and gives a new link.'],
  'PW-9': ['links', 'main-job', 'A program that an agent had opened, and what it starts, gets no pairing link and redeems none.'],
});

/** Who is the person. */
// prettier-ignore
export const PERSON = requirements('Person:', {
  'PN-1': ['terminal', 'main-job', 'The person is proven by a terminal whose origin the system tells: another user’s process that let them in, or a window that the session’s manager started in a unit of its own, with no agent or command between. Age proves nothing, nor does a parent that adopts.'],
  'PN-2': ['memory', 'main-job', 'What an agent started before it connected, or leaves behind, counts as its own for as long as the host runs, and so does its terminal.'],
  'PN-3': ['page', 'main-job', 'A page that is not paired reads and answers only in a browser that the kernel ties to the person: installed, seen, driven by nobody, and no agent’s.'],
  'PN-4': ['admin', 'main-job', 'Whoever is not proven to be the person sees counts and their own requests, may stop agents, and says nothing in the person’s name.'],
});
