import { requirements } from './requirement.js';

/** Acts with consequences outside this machine or with no way back, and what tools say of places. */
// prettier-ignore
export const ACTS = requirements('DESIGN.md', {
  'AC-1': ['§6', 'main-job', 'What sends, pays, buys, deletes or signs is recognised by the name, description or identifier of the control, in the languages of the desktop’s applications.'],
  'AC-2': ['§6', 'main-job', 'Submitting a form that holds a password or payment field is dangerous, whatever its button says.'],
  'AC-3': ['§6', 'main-job', 'Such an act is dangerous whatever the tool: pressed, clicked at a point, by keys, by a macro or plan, or by a desktop method; no grant and no phrase covers it.'],
  'AC-4': ['§6', 'main-job', 'The card tells recipient, amount or text as the window has it.'],
  'AC-5': ['§6', 'main-job', 'Where these changed after the card, nothing is done.'],
  'AC-6': ['§6', 'main-job', 'Where these cannot be read, as with a price in a picture, the request is dangerous, says what cannot be read, and comes each time.'],
  'AC-7': ['§6', 'main-job', 'Backspace, Delete and Enter while editing plain text, and buttons of other kinds, stay what they were.'],
  'AC-9': ['§6', 'main-job', 'In a browser and a toolkit application such an act shows who and how much as the window has it, is covered by no grant, and is not done once that changed.'],
  'AC-10': ['§6', 'main-job', 'Where nothing tells what is pressed, no grant covers the press.'],
  'RC-1': ['§6', 'main-job', 'Under a grant a press on an area that nothing identifies, and on whatever names a consequence in any role, spelling, look-alike letters or language, is asked about.'],
  'RC-5': ['§7', 'main-job', 'A button or link whose author gave it another name than what shows on it is judged by both.'],
  'RC-2': ['§6', 'main-job', 'Where a page or window is about payment, an account, deleting or publishing, a press on a control whose name says nothing is asked about under a grant.'],
  'RC-3': ['§6', 'main-job', 'The same control is recognised whatever the way to it: point, reference, action, opening, selecting or checking it, option, keys, plan, double click, drag, or any button in an open menu.'],
  'RC-4': ['§6', 'main-job', 'Labels of real programs in more than 40 languages are recognised where they act, and everyday labels are not.'],
  'AC-8': ['§6', 'main-job', 'A late step that turns out to have consequences is not done.'],
});
