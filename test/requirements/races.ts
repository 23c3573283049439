import { requirements } from './requirement.js';

/** What comes too late, and what comes by another way. */
// prettier-ignore
export const RACES = requirements('Late and elsewhere:', {
  'RA-1': ['approvals', 'main-job', 'An Allow that arrives after a pause, a stop or the end of its page’s pairing never acts.'],
  'RA-2': ['GABP', 'main-job', 'Over TCP an agent has the same cards as over the socket, and neither JSON-RPC nor admin methods.'],
  'RA-3': ['approvals', 'main-job', 'An Allow sent again after a restart of the host does nothing; the card shown anew takes a press of its own, once.'],
  'RA-4': ['approvals', 'main-job', 'A grant taken back while an act under it waits for its turn: the act does not run.'],
  'RA-5': ['approvals', 'main-job', 'A macro that changes while its card is open: what the card showed runs, or nothing.'],
  'RA-6': ['GABP', 'main-job', 'Over TCP 300 connections, half frames and wrong tokens keep nobody out who has the token.'],
  'RA-7': ['GABP, JSON-RPC and tools', 'main-job', 'What has the wrong shape is answered in plain words that say what is taken, by every method.'],
  'RA-8': ['approvals', 'main-job', 'Requests of a megabyte are refused with the limit or shown whole; a window’s title is read as far as anybody reads it.'],
  'RA-9': ['chat', 'main-job', 'A message that imitates a card decides nothing and draws none of a card’s parts.'],
  'RA-10': ['approvals', 'main-job', 'A grant taken back in the middle of an act under it: no further key comes.'],
  'RA-11': ['sight', 'main-job', 'A secret that is copied while the clipboard is read is not given.'],
  'RF-1': ['§6', 'main-job', 'A program, a script or a file to hand over that is replaced, or written, while its card is open is not run, opened, handed over or put on the clipboard.'],
  'RF-2': ['§6', 'main-job', 'Nor is one that is replaced, or written, by an earlier step of its plan, or while the act that hands it over is under way.'],
  'RF-3': ['§6', 'main-job', 'A file that is replaced, or written, once the person was asked whether it may be written over is not written over.'],
  'RF-4': ['§6', 'main-job', 'Neither the refusal of such an act nor its record says what the file holds, not even by its digest.'],
  'RF-5': ['GABP', 'main-job', 'A program of gabp-apps.json that is replaced, or written, while its card is open is not started, and its entry not confirmed.'],
});
