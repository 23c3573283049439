import { describe, expect, test } from 'vitest';
import type { Plan, PlanTarget } from '../../src/main/approvals/plan.js';
import { requestFacts, grantOrigin } from '../../src/main/approvals/request-facts.js';
import type { Element, ShownDocuments } from '../../src/native/desktop.js';
import { FIREFOX, requestOf } from './support.js';

const A = 'https://a.example';
const B = 'https://b.example';
const states = { enabled: true, visible: true, focused: false, editable: false, secure: false, checked: null, selected: null, expanded: null }; // prettier-ignore
const element = (document?: { url: string | null }): Element => ({
  id: 'e', pid: 300, role: 'AXButton', nativeRole: 'push button', title: 'Send', description: '', value: null,
  frame: null, states, actions: [], path: [0, 1], identifier: '',
  ...(document === undefined ? {} : { document }),
}); // prettier-ignore
const on = (document?: { url: string | null }): PlanTarget => ({ kind: 'element', element: element(document) });

function planned(target: PlanTarget, documents?: ShownDocuments): Plan {
  const { plan } = requestOf({ app: FIREFOX, url: `${A}/first` });
  if (plan?.window == null) throw new Error('no window');
  return { ...plan, target, window: { ...plan.window, ...(documents === undefined ? {} : { documents }) } };
}
const both = { urls: [`${A}/first`, `${B}/second`], complete: true };
const one = { urls: [`${A}/first`], complete: true };

describe('the site that a grant is for [req:SG-4]', () => {
  test('is the one of the document acted on, not the first of its window', () => {
    expect(grantOrigin(planned(on({ url: `${B}/second` }), both), 'input')).toBe(B);
    expect(grantOrigin(planned(on({ url: `${B}/frame` }), one), 'input')).toBe(B);
    expect(grantOrigin(planned({ kind: 'point', point: { x: 1, y: 1 }, offset: { x: 1, y: 1 }, element: element({ url: `${B}/` }) }, one), 'input')).toBe(B); // prettier-ignore
  });

  test('is none for the browser’s own controls, an untold document, and a point that nothing is known of', () => {
    for (const target of [on(), on({ url: null }), { kind: 'focus', element: null } as const])
      expect(grantOrigin(planned(target, one), 'input')).toBeNull();
  });

  test('is none for keys to whatever will have the focus in a browser; its window alone has one where it shows one site', () => {
    expect(grantOrigin(planned({ kind: 'window' }, one), 'input')).toBeNull();
    expect(grantOrigin(planned({ kind: 'window' }, one), 'pointer')).toBe(A);
    expect(grantOrigin(planned({ kind: 'window' }, both), 'pointer')).toBeNull();
    expect(grantOrigin(planned({ kind: 'window' }, { ...one, complete: false }), 'pointer')).toBeNull();
    expect(grantOrigin(planned({ kind: 'reading', name: 'Firefox' }, both), 'disclose')).toBeNull();
  });

  test('of a plan of steps is theirs, where all have the same', () => {
    const step = (url: string) => ({ tool: 'click', effect: 'input' as const, subject: planned(on()).subject, arguments: {}, plan: planned(on({ url }), both), late: null }); // prettier-ignore
    const plan = planned({ kind: 'none' }, both);
    expect(grantOrigin({ ...plan, steps: [step(`${B}/x`), step(`${B}/y`)] }, 'input')).toBe(B);
    expect(grantOrigin({ ...plan, steps: [step(`${A}/x`), step(`${B}/y`)] }, 'input')).toBeNull();
  });

  test('a program that shows documents is a browser, whatever it is called', () => {
    const request = requestOf({ app: { id: 'galculator', name: 'Galculator' }, url: `${A}/` });
    if (request.plan?.window == null) throw new Error('no window');
    const window = { ...request.plan.window, documents: one };
    const asked = requestFacts({ ...request, plan: { ...request.plan, target: on(), window } });
    expect(asked).toMatchObject({ browser: true, origin: null });
  });
});
