import { afterAll, describe, expect, it } from 'vitest';
import { MAX_NAME_CHARS, MAX_VALUE_CHARS, limitElement } from '../../src/native/length-limits.js';
import { withLengthLimits } from '../../src/native/methods.js';
import type { Element } from '../../src/native/desktop.js';
import { openSimulated } from '../../src/native/simulated/index.js';

const MEGABYTE = 'x'.repeat(1_100_000);
const desktop = openSimulated({
  apps: [
    {
      id: 'huge',
      name: MEGABYTE,
      executable: '/huge',
      windows: [
        {
          title: MEGABYTE,
          documentUrl: `https://a.example/${MEGABYTE}`,
          frame: { x: 0, y: 0, width: 400, height: 300 },
          focus: 'field',
          elements: [
            {
              role: 'AXGroup',
              title: MEGABYTE,
              frame: { x: 0, y: 0, width: 300, height: 200 },
              children: Array.from({ length: 10 }, (_, at) => ({
                role: 'AXTextField' as const,
                title: `${MEGABYTE}${at}`,
                description: MEGABYTE,
                identifier: at === 0 ? 'field' : MEGABYTE,
                value: MEGABYTE,
                frame: { x: 10, y: 10 + at, width: 100, height: 1 },
              })),
            },
          ],
        },
      ],
    },
  ],
});
afterAll(() => desktop.close());

describe('[req:LI-2] what an application tells without end', () => {
  const bounded = withLengthLimits(desktop);
  const { signal } = new AbortController();
  const limits = { maxDepth: 20, maxNodes: 100, timeoutMs: 30_000 };

  /** Longest string in a value, but for `value` fields, and all of them together. */
  function lengths(given: unknown): { longest: number; values: number } {
    let longest = 0;
    let values = 0;
    JSON.stringify(given, (key, one: unknown) => {
      if (typeof one === 'string' && key === 'value') values += one.length;
      else if (typeof one === 'string') longest = Math.max(longest, one.length);
      return one;
    });
    return { longest, values };
  }

  it('is cut in every answer of the reader that holds names', async () => {
    const [app] = await bounded.apps(signal);
    const pid = app?.pid ?? 0;
    const { elements } = await bounded.find({ pid }, { role: 'AXTextField' }, 50, limits, signal);
    const id = elements[0]?.id ?? '';
    const at = { x: 50, y: 45 };
    const answers = {
      apps: await bounded.apps(signal),
      windows: await bounded.windows(signal),
      frontmost: await bounded.frontmost(signal),
      tree: await bounded.tree({ pid }, limits, signal),
      find: elements,
      element: await bounded.element(id, signal),
      ancestors: await bounded.ancestors(id, signal),
      elementAt: await bounded.elementAt(at, signal),
      windowAt: await bounded.windowAt(at, signal),
      focusedElement: await bounded.focusedElement(signal),
      stack: await bounded.stack(signal),
      findApplication: await bounded.findApplication('huge', signal),
    };
    for (const [name, answer] of Object.entries(answers)) {
      expect([name, answer]).not.toEqual([name, null]);
      const { longest, values } = lengths(answer);
      expect([name, longest > 1_000, longest < MAX_NAME_CHARS + 60]).toEqual([name, true, true]);
      expect([name, values < 10_000_000]).toEqual([name, true]);
    }
    expect(answers.element.value?.length).toBeLessThan(MAX_VALUE_CHARS + 60);
    expect(new Set(answers.tree.nodes.map(({ element }) => element.title)).size).toBeGreaterThanOrEqual(11);
  });

  const element = (over: Partial<Element>): Element => ({
    id: '1',
    pid: 1,
    role: 'AXLink',
    nativeRole: 'link',
    title: '',
    description: '',
    value: null,
    frame: null,
    states: { enabled: true, visible: true, focused: false, editable: false, secure: false, checked: null, selected: null, expanded: null }, // prettier-ignore
    actions: [],
    path: [],
    identifier: '',
    ...over,
  });

  it('leaves what is short as it is, and counts what it leaves out', () => {
    const short = element({ title: 'Save', value: '', document: { url: null }, leadsTo: 'https://a.example/' });
    expect(limitElement(short)).toEqual(short);
    expect(limitElement(element({ title: MEGABYTE })).title).toMatch(/^x{4096}… \(\+1095904 #[0-9a-f]{16}\)$/);
  });

  it.each<[string, RegExp]>([
    [`https://user:${'a'.repeat(5_000)}@bank.example/x`, /^https:\/\/bank\.example\/x$/],
    [
      `view-source:view-source:http://localhost:7/${'a'.repeat(9_000)}`,
      /^view-source:http:\/\/localhost:7\/a{4095}… \(/,
    ],
    [`http://localhost:7/#${'a'.repeat(9_000)}`, /^http:\/\/localhost:7\/#a{4094}… \(/],
    [`data:text/html,${'a'.repeat(9_000)}`, /^data:text\/html,a+… \(\+\d+ #/],
  ])('never loses whose document it is (%#)', (url, kept) => {
    expect(limitElement(element({ document: { url } })).document?.url).toMatch(kept);
  });
});
