/** What the settings say, in English. */
import { countingIn } from './count.js';

const { counted, plural, percent, seconds, size } = countingIn('en-US');

export const enSettings = {
  when: 'When Chaperone asks you',
  presets: {
    standard: [
      'Standard',
      'Asks before anything is moved, clicked or typed, and once per session before an agent sees your screen.',
    ],
    strict: ['Strict', 'Asks every single time, also before each look at your screen. Nothing is remembered.'],
    readonly: ['Read only', 'Agents may look, after you agree. They can’t change anything.'],
    unattended: ['Unattended', 'Runs everything without asking. Only from the command line:'],
    custom: ['Your own', 'From your policy file.'],
  },
  use: (name: string): string => `Use ${name}`,
  until: (name: string): string => `Until then ${name} holds.`,
  each: 'What each one asks',
  wantsTo: 'When an agent wants to',
  effects: {
    read: ['Look up displays, the pointer, a window’s state', 'No names, no content'],
    bookkeeping: ['Keep notes, wait, check on work', 'Nothing leaves Chaperone'],
    disclose: ['See your screen, text or clipboard', 'What it sees goes to the agent’s model'],
    pointer: ['Move the pointer, focus or windows', ''],
    input: ['Click, type, open apps', ''],
    dangerous: ['Close, run commands, replace the clipboard', 'Never remembered'],
  },
  answers: {
    allow: 'Runs',
    ask: 'Asks',
    every: 'Every time',
    ask_once_per_session: 'Asks once',
    deny: 'Refused',
  },
  habits: {
    heading: 'How you decide',
    nothing: (days: number): string => `Nobody asked you anything in the last ${days} days.`,
    asked: (days: number, asked: number, allowed: number, unanswered: number): string =>
      `In the last ${days} days you were asked ${counted(asked)} ${plural(asked, 'time', 'times')} and allowed ${counted(allowed)} (${percent(allowed / asked)})${unanswered === 0 ? '.' : `; ${counted(unanswered)} ran out.`}`,
    median: (ms: number, hasty: number): string =>
      `Half of your answers came within ${seconds(ms)} s. You allowed ${hasty === 0 ? 'none' : counted(hasty)} in less than 2 s.`,
    few: 'That is too little to tell a habit.',
    hasty:
      'Most of what you allowed took less than 2 seconds. That is hardly enough to read who wants what, and where.',
  },
  excludedApps: {
    heading: 'Kept away from agents',
    text: 'Agents neither see nor touch these: their windows are blacked out in pictures and left out of everything else.',
    none: 'No application.',
    remove: 'Let agents in',
    add: 'Keep agents away from another application',
    keep: 'Keep away',
    other: 'Another application, by its id',
  },
  retention: {
    heading: 'How long evidence is kept',
    text: 'Evidence is the pictures, window contents and trace of each action. When it is deleted, the line about it in the record stays and says so, and the record still verifies.',
    age: 'Delete evidence older than',
    size: 'Delete the oldest beyond',
    never: 'Never',
    noLimit: 'No limit',
    days: (days: number): string => `${counted(days)} ${plural(days, 'day', 'days')}`,
    bytes: (bytes: number): string => size(bytes),
    use: 'Use this',
    atOnce: 'What is older or too much then is deleted at once, for good.',
  },
  appearance: {
    heading: 'This page',
    theme: 'Appearance',
    themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
    language: 'Language',
    asBrowser: 'As the browser',
  },
  granted: 'What you have allowed',
  noGrants: 'Nothing beyond single actions.',
  grantIn: (agent: string, app: string): string => `${agent} in ${app}`,
  lasts: (time: string): string => `until ${time}`,
  uses: (count: number): string => `${count} ${plural(count, 'use', 'uses')} left`,
  takeBack: 'Take back',
  pairedPages: 'Paired pages',
  thisPage: 'This page',
  otherPage: 'Another browser or profile',
  pairedAt: (time: string, by: string): string =>
    `Paired ${time}, with a link from the ${by === 'popover' ? 'menu bar' : 'terminal'}`,
  lastSeen: (time: string): string => `last seen ${time}`,
  unpair: 'Unpair',
  pairing: {
    waits: 'This page waits to be confirmed',
    waitsPage:
      'Go to a page that is paired already and allow “Pair a page” there. Nothing can be approved here until then.',
    waitsPopover:
      'Open Chaperone in the menu bar and allow “Pair a page” there. Nothing can be approved here until then.',
    another: 'Another page was paired',
    earlier: 'Other pages were paired before this one',
    inBrowser: (browser: string): string => `opened by ${browser}`,
    ended: (time: string): string => `taken back ${time}`,
    check: 'A paired page can allow everything. Unpair what you do not know.',
  },
  permissions: { granted: 'Granted', missing: 'Missing', stale: 'Stale', unknown: 'Unknown' },
  recordOk: 'Verified',
  recordBad: 'Does not verify',
} as const;
