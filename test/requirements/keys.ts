import { requirements } from './requirement.js';

/** What keys and sequences do besides editing. */
// prettier-ignore
export const KEYS = requirements('DESIGN.md', {
  'KS-1': ['§6', 'main-job', 'A save asks, and names the file, where agents replaced or deleted a third of its text or more: by whatever way, in however many calls, by chord, button or letter.'],
  'KS-2': ['§6', 'main-job', 'A save after less than that, of a text that was empty before, or after the text is as it was, stays what it was.'],
  'KS-3': ['§6', 'main-job', 'What the person replaced is not the agent’s.'],
  'KS-4': ['§6', 'main-job', 'In a sequence such a save is shown in the request where a step before it replaces all, and refused where that was not foreseen.'],
  'KS-5': ['§6', 'main-job', 'Chords that close, delete, send, print or run something are dangerous, by the application; what a program calls itself only makes it stricter.'],
  'KS-6': ['§6', 'main-job', 'Typing, moving, copying, pasting, undoing and finding stay what they were.'],
  'KS-7': ['§6', 'main-job', 'In a real editor under a grant, neither chords nor menus save over what the agent emptied, nor close it, unasked; a few words are saved as before.'],
  'SF-1': ['§8', 'main-job', 'In GTK, Qt and Chromium a plain field that takes the place of a password’s, is drawn anew, moves, or gets its text tells it by no tool that reads, no copy, no summary and no record.'],
  'SF-2': ['§8', 'main-job', 'A field that was secret once stays secret for the window or document: by its element, label, identifier, path or place; in trees, searches and their counts, focus and pictures.'],
  'SF-3': ['§8', 'main-job', 'Another field that holds the text of a field that was secret is masked as well.'],
  'SF-4': ['§8', 'main-job', 'The clipboard does not tell what was copied from such a field, nor a part of it.'],
  'SF-5': ['§8', 'main-job', 'Other fields, other pages of a dialog, other windows and other documents stay as they were, and desktops without secret fields are asked no more.'],
  'SF-6': ['§7', 'main-job', 'Nothing below a field that was secret once tells its text, wherever the page moves it; an editable area that shows only dots is secret as a whole, whatever is drawn in it later.'],
});

/** Issue 26, §3: keyboards as people have them. */
// prettier-ignore
export const KEYBOARDS = requirements('Issue 26', {
  'KB-1': ['§3', 'main-job', 'In GTK 3, GTK 4, Qt, Chromium and xterm, text arrives as written whichever of up to four layouts is in use; modifiers work in each.'],
  'KB-2': ['§3', 'main-job', 'Text and shortcuts arrive as written whatever is locked and wherever options have put Caps Lock, Shift, Control, AltGr, Compose and the layout switch; every lock and the layout stay as they were.'],
  'KB-3': ['§3', 'main-job', 'Keys are known by their names in X, xdotool, KeyboardEvent, Playwright and macOS, an ambiguous name by its most common meaning; an unknown one is refused with the nearest. Command is Control on Linux, and no shortcut types its letter.'],
  'KB-4': ['§3', 'main-job', 'A program that polls the state of keys and buttons sees each press, also of typed text, and two presses as two.'],
  'FD-1': ['§4', 'main-job', 'In Chromium colours, lists of options, suggestions and masked fields hold what is written; a colour opens its picker, and is judged as that press.'],
  'FD-2': ['§4', 'main-job', 'Dates and times of Qt are written as HTML writes them or as they show; a form that leaves the day in doubt is refused.'],
  'FD-3': ['§4', 'main-job', 'A drop-down of GTK 4 takes an option in one call, and a picture of its window shows the open list.'],
  'FD-4': ['§4', 'main-job', 'What is half off the screen or half scrolled away is clicked where it shows, in GTK 4 and Chromium too.'],
  'FD-5': ['§4', 'main-job', 'Rows and cells that are scrolled away are scrolled to and clicked in GTK 4 and Qt; none of them is told as shown.'],
  'FD-6': ['§4', 'main-job', 'An expander of GTK 4 is clicked by its text.'],
  'FD-7': ['§4', 'main-job', 'Dates and times are typed into Qt as HTML writes them or as they show, with the halves of the day in the letters of the language.'],
  'FD-8': ['§2', 'main-job', 'An application whose process has ended, between two calls or by an act, is told as ended, with the next step.'],
  'FD-9': ['§4', 'main-job', 'A field in a popover of GTK 3 and GTK 4 is found, clicked, typed into and written; for a popup whose toolkit tells nothing of it, the error names what works.'],
});
