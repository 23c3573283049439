import { requirements } from './requirement.js';

/** What a card and the evidence say of an act is what is so. */
// prettier-ignore
export const TRUTH = requirements('Issue 8', {
  'TR-1': ['§2.2', 'main-job', 'The picture of a card and of the evidence is of the window that shows the element, never of a tooltip or another window of its application.'],
  'TR-2': ['§2.2', 'main-job', 'Where something covers the target the card says so, and an act by pointer is refused with what covers it.'],
  'TR-3': ['§2.3', 'main-job', 'What is remembered of a disclosure is what was asked: titles, one application, one region or the whole screen; titles or a region never stand for the screen.'],
  'TR-4': ['§2.2', 'main-job', '“Changed” rings each part of the picture that changed, not the box around all of them.'],
  'TR-5': ['§2.2', 'main-job', 'The evidence of a plan says per step what was confirmed.'],
  'TR-6': ['§2.2', 'main-job', 'Confirmed means a change that the act explains, or one of what was seen to hold still before; what changes by itself, or of which too little was seen, gives unverified.'],
  'TR-7': ['§2.2', 'main-job', 'What an application names as its own is read, found and pressed as its own only where it is: its own objects, or those of a process that it started to show them.'],
});
