import { requirements } from './requirement.js';

/** Issue 11, §7: who may decide, pair and go on doing what was once allowed, on a Mac. */
// prettier-ignore
export const MACOS_WAY_IN = requirements('The way in, on a Mac', {
  'MW-1': ['presses', 'macos', 'Of all events the system tells, a press is a key or button that goes down; it is the person’s only where no program posted it.'],
  'MW-2': ['presses', 'macos', 'An Allow counts only where the system saw the person press, then and on that page; each press counts once.'],
  'MW-3': ['own page', 'macos', 'Chaperone’s page is known by the documents of each pane in Safari, Chrome and Firefox, refused and masked; where its program is not told, by its name too.'],
  'MW-4': ['commands', 'macos', 'What an approved command started is told by its environment, its session or who answers for it, and pairs no page.'],
  'MW-5': ['commands', 'macos', 'What a command leaves behind is ended or shown, whatever group, session or environment it took.'],
  'MW-6': ['grants', 'macos', 'A running program is known by its team and identifier, as Apple’s by its identifier, else by its code or its file; what only claims a team is not.'],
  'MW-7': ['grants', 'macos', 'What is allowed always is for the programs as they were signed then: one that was replaced or signed anew by another is asked about.'],
  'MW-8': ['record', 'macos', 'With a key of the app the head of the log carries a code: a log that is cut off with a head to fit is told.'],
  'MW-9': ['record', 'macos', 'The app’s key lies encrypted by the keychain and is never replaced; `evidence verify` asks the running app, and says so where it cannot.'],
  'MW-10': ['record', 'macos', 'Where the app’s key cannot be used, Health says so in one sentence with the next step.'],
});
