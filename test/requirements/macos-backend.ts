import { requirements } from './requirement.js';

/** The desktop on macOS. */
// prettier-ignore
export const MACOS_BACKEND = requirements('The macOS backend', {
  'MA-1': ['elements', 'macos', 'Applications built on Chromium are asked for their pages when they are first read, and waited for; no other application is.'],
  'MA-2': ['input', 'macos', 'Keys for media are posted as the system’s own events, guarded and let go of as every key.'],
  'MA-3': ['helpers', 'macos', 'A helper that hangs while it is asked nothing is noticed and replaced; one that works on a long call is not.'],
  'MA-4': ['foundation', 'macos', 'What is retained, pooled, sent, awaited and read is so on a real Objective-C runtime and Foundation too: nothing leaks, nothing is released twice.'],
  'MA-5': ['foundation', 'macos', 'Each message is sent as the compiler has Apple’s declaration of it.'],
  'MA-6': ['screen', 'macos', 'What the system or another program lays over everything and lets the pointer through is no window at a point, covers no page, and hides none.'],
  'MA-7': ['screen', 'macos', 'Sheets and popovers count as their window, menus as windows beside it: they are read, pressed and pictured like it.'],
  'MA-8': ['pictures', 'macos', 'No picture shows what an excluded application or Chaperone has on the screen, whether or not accessibility names it as a window.'],
  'MA-9': ['screen', 'macos', 'One application that refuses accessibility fails nothing but itself; where several do, the permission counts as missing.'],
  'MA-10': ['pictures', 'macos', 'Password fields are looked for only in what a picture shows, and what was not searched in time is covered.'],
  'MA-11': ['clipboard', 'macos', 'Pasting takes the place of nothing on the clipboard that could not be given back.'],
  'MA-12': ['processes', 'macos', 'Browsers that were asked for their pages are as before when Chaperone has ended.'],
  'MA-13': ['pictures', 'macos', 'What helpers show of an excluded application is covered as the application is.'],
});
