import { requirements, type Rows } from './requirement.js';

const PAGE: Rows = {
  'AP-V-1': ['views', 'app', 'Every view has an address; header, Stop and the way to what waits are on all of them, also at 320 px.'],
  'AP-C-1': ['card', 'app', 'The picture of a request can be looked at in full before deciding; Escape returns to the same place with the focus, what was typed is kept, nothing can be decided there and the buttons are dead for a moment afterwards.'],
  'AP-C-2': ['card', 'app', 'Two pages race for one approval: one decision counts, the other page is told.'],
  'AP-C-3': ['card', 'app', 'What is dangerous is held for a second, by pointer or Space; leaving, letting go or any change starts over.'],
  'AP-C-6': ['card', 'app', 'What was answered leaves no empty room, and the buttons of the next request are where its own were.'],
  'AP-D-1': ['connection', 'app', 'A lost connection hides nothing and decides nothing, drafts are kept, and what was missed comes with the next one.'],
  'AP-F-1': ['focus', 'app', 'What takes itself away when it is pressed leaves the focus near, not at the top of the page.'],
  'AP-B-1': ['size', 'app', 'What a page loads is under 300 kB compressed in every language, under 265 kB in English; a language other than English comes only where it is spoken.'],
  'AP-C-4': ['card', 'app', 'The closer look shows all that was seen for the request, the target ringed and what is masked masked; it is fetched by a paired page when it is looked at, and kept in memory, within limits, as long as the request is open.'],
  'AP-D-2': ['drafts', 'app', 'Text and images of a reply that was not sent outlive other views, a reload and another language, and go with the question.'],
  'AP-P-1': ['popover', 'app', 'In the popover one ordinary card fits without scrolling; what waits behind it is a line, head and foot stay.'],
  'AP-T-1': ['settings', 'app', 'Settings show what each preset asks before it is chosen; a second press changes it.'],
  'AP-T-2': ['settings', 'app', 'A person keeps applications away from agents, and lets them in again; it is in the policy file.'],
  'AP-T-3': ['settings', 'app', 'How long evidence is kept is changed in the page and holds at once; what goes leaves a line.'],
  'AP-T-4': ['settings', 'app', 'How often, how fast and how readily the person allowed in the last seven days is shown, from the record, and little data is called little.'],
  'AP-T-5': ['settings', 'app', 'Light or dark and the language are chosen in the page and kept in its browser.'],
  'AP-W-1': ['languages', 'app', 'English, German and Chinese say the same, leave no sentence in English, and fit at 320 px.'],
  'AP-W-2': ['languages', 'app', 'What the host says (titles, notes, grants, health, refusals, reasons) is said in the page’s language too; what agents, applications and people wrote stays as it is, and wire and record stay English.'],
  'AP-I-1': ['installing', 'app', 'The page can be installed: a manifest with icons, and no service worker.'],
  'AP-X-1': ['hostile agents', 'app', 'HTML, control characters and direction overrides in what an agent controls act nowhere: card, closer look, chat, settings.'],
}; // prettier-ignore

/** What the issue of the app promises of the page’s shell, its inbox, settings and languages. */
export const APP_PAGE = requirements('The page:', PAGE);
