import { requirements } from './requirement.js';

/** Issue 8, §3: elements that only scrolling hides. */
// prettier-ignore
export const OUT_OF_VIEW = requirements('issue 8', {
  'SV-1': ['§3', 'tools', 'A dangerous act on an element out of view is refused before anybody is asked: its pixels cannot be compared.'],
  'SV-2': ['§3', 'tools', 'What an element out of view is and is called is compared again once it was scrolled to; otherwise DESKTOP_TARGET_CHANGED.'],
  'SV-3': ['§3', 'tools', 'Where the toolkit does not scroll to elements the wheel turns over the container, never over a field, spinner or slider; the title says “Scroll to …, then press”.'],
  'SV-4': ['§3', 'tools', 'What a tab or a closed menu hides is not scrolled to.'],
  'SV-5': ['§3', 'tools', 'The toolkit is asked to scroll first.'],
});
