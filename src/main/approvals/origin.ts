/** The origin of the document that a request reaches. A grant for a site covers that origin only, whatever else its window shows. */
import type { Plan } from '../pipeline/plan.js';
import type { Effect } from '../protocol/index.js';
import type { Window } from '../../native/desktop.js';

/** The web origin of the target's document; null where there is none, or more than one is possible. */
export function grantOrigin(plan: Plan | null, effect: Effect): string | null {
  if (plan === null) return null;
  const acting = plan.steps?.filter((step) => step.plan !== null || step.late !== null) ?? [];
  if (acting.length === 0) return webOrigin(documentOf(plan, effect));
  const origins = acting.map((step) =>
    step.plan === null ? webOrigin(step.late?.origin ?? null) : grantOrigin(step.plan, step.effect),
  );
  return new Set(origins).size === 1 ? (origins[0] ?? null) : null;
}

function documentOf({ window, target }: Plan, effect: Effect): string | null {
  if (window === null) return null;
  const { documents } = window;
  const only = onlyDocument(window);
  if (!('element' in target)) {
    // Keys go to the focused element, which may be the browser's own address field.
    return target.kind === 'window' && effect === 'input' && documents !== undefined ? null : only;
  }
  if (target.element?.document !== undefined) return target.element.document.url;
  // Elements of a browser's window outside its documents belong to the browser itself.
  return documents === undefined ? only : null;
}

function onlyDocument({ documentUrl, documents }: Window): string | null {
  if (documents === undefined) return documentUrl;
  if (!documents.complete) return null;
  return new Set(documents.urls.map(webOrigin)).size === 1 ? documentUrl : null;
}

function webOrigin(documentUrl: string | null): string | null {
  if (documentUrl === null || !URL.canParse(documentUrl)) return null;
  const { protocol, origin } = new URL(documentUrl);
  return protocol === 'http:' || protocol === 'https:' ? origin : null;
}
