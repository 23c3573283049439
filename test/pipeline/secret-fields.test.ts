import { beforeEach, describe, expect, test } from 'vitest';
import { withSecretFields } from '../../src/main/pipeline/secret-fields.js';
import { openSimulated, type SimulatedDesktop } from '../../src/native/simulated/index.js';
import { matches, type DesktopBackend, type Element } from '../../src/native/desktop.js';
import type { ElementSpec } from '../../src/native/simulated/model.js';

const SECRET = 'correct horse';
const PLACE = { x: 20, y: 60, width: 200, height: 28 };
const LIMITS = { maxDepth: 20, maxNodes: 2000, timeoutMs: 5000 };
const never = new AbortController().signal;
const field = (more: Partial<ElementSpec> = {}): ElementSpec => ({
  role: 'AXTextField',
  title: 'Password',
  identifier: 'secret',
  value: SECRET,
  frame: PLACE,
  ...more,
});
const USER = field({ title: 'User', identifier: 'user', value: 'ada', frame: { ...PLACE, y: 20 } });
const BANK = 'https://bank.example/login?from=home';

let real: SimulatedDesktop;
let seen: DesktopBackend;
let [pid, windowId] = [0, ''];

function login(documentUrl?: string) {
  real = openSimulated();
  const window = { title: 'Login', frame: { x: 600, y: 40, width: 400, height: 400 }, elements: [USER, field({ secure: true })] }; // prettier-ignore
  const spec = documentUrl === undefined ? window : { ...window, documentUrl };
  pid = real.world.addApp({ id: 'simulated.login', name: 'Login', executable: '/bin/login', windows: [spec] });
  seen = withSecretFields(real).desktop;
}
beforeEach(async () => {
  login();
  windowId = (await real.windows(never)).find(({ app }) => app.pid === pid)?.id ?? '';
});

const id = (name: string) => real.world.find(name, pid) ?? '';
const all = async () => (await seen.find({ pid }, {}, 500, LIMITS, never)).elements;
const values = async () => (await all()).map(({ value }) => value);
/** As an agent looks for the first time: by the tree, or by a picture. */
const LOOKS = [
  ['the tree', () => seen.tree({ pid }, LIMITS, never)],
  ['a picture', () => seen.secureAreas(never)],
] as const;

/** The desktop with the text areas “area” and “part …” as browsers tell of what a page lets people edit. */
function withAreas(): DesktopBackend {
  const told = (one: Element): Element => {
    if (one.identifier === 'area') return { ...one, role: 'AXGroup' };
    return one.identifier.startsWith('part') ? { ...one, role: 'AXStaticText', title: one.value ?? '' } : one;
  };
  return {
    ...real,
    element: async (...given) => told(await real.element(...given)),
    ancestors: async (...given) => (await real.ancestors(...given)).map(told),
    tree: async (...given) => {
      const tree = await real.tree(...given);
      return { ...tree, nodes: tree.nodes.map((node) => ({ ...node, element: told(node.element) })) };
    },
    find: async (scope, selector, limit, limits, signal) => {
      const found = await real.find(scope, {}, limit, limits, signal);
      return { ...found, elements: found.elements.map(told).filter((one) => matches(selector, one)) };
    },
  };
}

const SWAPS: [string, () => unknown][] = [
  ['another element with its label, elsewhere', () => swap({ identifier: 'new', frame: { ...PLACE, y: 300 } })],
  ['another element with its identifier', () => swap({ title: 'Shown', frame: { ...PLACE, y: 300 } })],
  ['another element in its place, without a label', () => swap({ title: '', identifier: '' })],
  ['another element in its place, with another label', () => swap({ title: 'Shown', identifier: 'new' })],
  ['another one beside it, while it hides', () => {
    real.world.change(id('secret'), { visible: false });
    real.world.addElement(windowId, field({ title: '', identifier: 'new' }));
  }], // prettier-ignore
  ['itself, as a plain field', () => real.world.setSecure(id('secret'), false)],
];
function swap(more: Partial<ElementSpec>) {
  real.world.removeElement(id('secret'));
  // Elsewhere in the tree as well, where it is drawn elsewhere.
  if (more.frame !== undefined) real.world.addElement(windowId, { role: 'AXGroup', frame: { ...PLACE, y: 250 } });
  real.world.addElement(windowId, field(more));
}

describe.each(LOOKS)('a field that was secret when %s was read', (_how, look) => {
  test.each(SWAPS)('[req:SF-2] %s', async (_name, change) => {
    await look();
    change();
    const { nodes } = await seen.tree({ pid }, LIMITS, never);
    expect(JSON.stringify(nodes)).not.toContain(SECRET);
    expect(nodes.filter(({ element }) => element.states.secure && element.states.visible)).toHaveLength(1);
    expect(JSON.stringify(await all())).not.toContain(SECRET);
    expect(await values()).toContain('ada');
    for (const selector of [{ valueContains: 'horse' }, { titleContains: 'horse' }])
      expect(await seen.find({ pid }, selector, 1, LIMITS, never)).toMatchObject({ matched: 0, elements: [] });
    const shown = nodes.find(({ element }) => element.states.secure && element.states.visible)?.element;
    expect(await seen.secureAreas(never)).toContainEqual(shown?.frame);
    expect(await seen.element(shown?.id ?? '', never)).toMatchObject({ value: null, states: { secure: true } });
    real.world.person.focus(shown?.id ?? '');
    expect(await seen.focusedElement(never)).toMatchObject({ value: null, states: { secure: true } });
  });
});

describe('a secret', () => {
  const show = async () => {
    await seen.tree({ pid }, LIMITS, never);
    swap({ identifier: 'new' });
  };

  test('[req:SF-3] that the page puts into another field is masked there too, also once its own field is empty', async () => {
    await show();
    real.world.change(id('user'), { value: SECRET });
    expect(await values()).not.toContain(SECRET);
    real.world.change(id('new'), { value: '' });
    real.world.addElement(windowId, field({ title: 'Note', identifier: 'note', frame: { ...PLACE, y: 200 } }));
    expect(await values()).not.toContain(SECRET);
  });

  test.each(['correct horse', 'horse', 'it is correct horse.'])(
    '[req:SF-4] is not read from the clipboard: %s',
    async (text) => {
      await show();
      real.world.setClipboard({ text });
      expect(await seen.readClipboard(never)).toEqual({ concealed: true });
      real.world.change(id('new'), { value: '' });
      expect(await seen.readClipboard(never)).toEqual({ concealed: true });
      real.world.setClipboard({ text: 'something else' });
      expect(await seen.readClipboard(never)).toEqual({ text: 'something else' });
    },
  );

  test('[req:SF-4] is concealed from when it was copied, before anybody reads the clipboard', async () => {
    let looks = 0;
    const find: DesktopBackend['find'] = (...given) => real.find(...given).finally(() => looks++);
    seen = withSecretFields({ ...real, find }).desktop;
    await show();
    const before = looks;
    real.world.setClipboard({ text: SECRET });
    await expect.poll(() => looks).toBe(before + 1);
    real.world.change(id('new'), { value: 'now another' });
    expect(await seen.readClipboard(never)).toEqual({ concealed: true });
  });

  test('[req:SF-2] that a field shows as dots, by its style, is masked, also once it shows the text', async () => {
    real.world.change(id('user'), { value: '•••' });
    expect(await values()).not.toContain('•••');
    real.world.change(id('user'), { value: 'abc' });
    expect(await values()).not.toContain('abc');
    const { frame } = await real.element(id('user'), never);
    expect(await seen.secureAreas(never)).toContainEqual(frame);
  });

  test('[req:SF-6] below a secret field tells nothing, also once that shows its text elsewhere', async () => {
    const part = real.world.addElement(id('secret'), {
      role: 'AXStaticText',
      title: SECRET,
      value: SECRET,
      frame: PLACE,
    });
    const tellsNothing = async () => {
      const point = { x: 640 + PLACE.x, y: 40 + PLACE.y + 40 };
      const read = [await all(), await seen.element(part, never), await seen.ancestors(part, never), await seen.elementAt(point, never)]; // prettier-ignore
      expect(JSON.stringify(read)).not.toContain(SECRET);
    };
    await tellsNothing();
    real.world.setSecure(id('secret'), false);
    real.world.removeElement(id('user'));
    await tellsNothing();
  });

  test('[req:SF-6] an editable area of dots is secret as a whole, whatever is drawn in it later', async () => {
    const part = (identifier: string, value: string, y = PLACE.y) =>
      field({ role: 'AXTextArea', title: '', identifier, value, frame: { ...PLACE, y } });
    const area = field({
      role: 'AXTextArea',
      title: '',
      identifier: 'area',
      value: '\uFFFC',
      children: [part('part 0', '••••')],
    });
    real.world.addElement(windowId, area);
    seen = withSecretFields(withAreas()).desktop;
    expect(JSON.stringify(await all())).not.toContain('••••');
    real.world.removeElement(id('part 0'));
    real.world.addElement(id('area'), part('part 1', SECRET));
    real.world.addElement(id('area'), part('part 2', 'battery staple', 260));
    const { frame } = await real.element(id('area'), never);
    real.world.change(id('area'), { title: SECRET });
    const read = JSON.stringify([await all(), await seen.tree({ pid }, LIMITS, never)]);
    expect([read.includes(SECRET), read.includes('battery')]).toEqual([false, false]);
    expect(await seen.secureAreas(never)).toContainEqual(frame);
    real.world.setClipboard({ text: 'battery staple' });
    expect(await seen.readClipboard(never)).toEqual({ concealed: true });
  });

  test('[req:SF-2] what the field holds is covered in pictures as well where it moves', async () => {
    await show();
    real.world.moveWindow(windowId, { x: 300, y: 100 });
    const { frame } = await real.element(id('new'), never);
    expect(await seen.secureAreas(never)).toContainEqual(frame);
  });
});

describe('what stays as it was', () => {
  test('[req:SF-5] other fields, a field of another page of the dialog, of another window and of another document', async () => {
    await seen.tree({ pid }, LIMITS, never);
    real.world.change(id('secret'), { visible: false });
    real.world.addElement(windowId, field({ title: 'Street', identifier: 'street', value: 'Elm Street' }));
    const other = real.world.addWindow(pid, { title: 'Other', frame: { x: 100, y: 500, width: 300, height: 200 } });
    real.world.addElement(other, field({ identifier: 'note', value: 'a note' }));
    expect(await values()).toEqual(expect.arrayContaining(['ada', 'Elm Street', 'a note']));
    expect(await seen.secureAreas(never)).toEqual(await real.secureAreas(never));
    login(BANK);
    const page = (await real.windows(never)).find(({ app }) => app.pid === pid)?.id ?? '';
    await seen.tree({ pid }, LIMITS, never);
    real.world.retitleWindow(page, 'Account', 'https://bank.example/account');
    real.world.removeElement(id('secret'));
    real.world.addElement(page, field({ identifier: 'new', value: 'a reference' }));
    expect(await values()).toContain('a reference');
  });

  test('[req:SF-5] without a secret field nothing more is asked of the desktop', async () => {
    real.world.removeElement(id('secret'));
    let asked = 0;
    const counting: DesktopBackend = { ...real, windows: (signal) => (asked++, real.windows(signal)) };
    const { desktop } = withSecretFields(counting);
    await desktop.find({ pid }, { valueContains: 'ada' }, 1, LIMITS, never);
    await desktop.tree({ pid }, LIMITS, never);
    expect(asked).toBe(0);
  });

  describe('is not searched for again', () => {
    let searches = 0;
    let desktop: DesktopBackend;
    const searchesFor = async (work: () => Promise<unknown>) => {
      const before = searches;
      await work();
      return searches - before;
    };
    beforeEach(async () => {
      const counting: DesktopBackend = { ...real, find: async (...given) => (searches++, real.find(...given)) };
      desktop = withSecretFields(counting).desktop;
      await desktop.tree({ pid }, LIMITS, never);
    });
    const element = (name: string) => () => desktop.element(id(name), never);

    test('[req:SF-5] for an element that holds no text', async () => {
      const button: ElementSpec = { role: 'AXButton', title: 'Help', identifier: 'help', frame: { ...PLACE, y: 300 } };
      real.world.addElement(windowId, button);
      expect(await searchesFor(element('help'))).toBe(0);
      expect(await searchesFor(() => desktop.ancestors(id('help'), never))).toBe(0);
    });

    test('[req:SF-5] while nothing is painted, unless a field is new', async () => {
      expect(await searchesFor(element('user'))).toBe(0);
      // The first picture reads the applications that it shows.
      await desktop.secureAreas(never);
      expect(await searchesFor(() => desktop.secureAreas(never))).toBe(0);
      real.world.change(id('user'), { value: 'eve' });
      expect(await searchesFor(element('user'))).toBe(1);
      swap({ title: '', identifier: 'new' });
      expect(await searchesFor(element('new'))).toBe(1);
    });

    test('[req:SF-2] where a field is drawn anew before anything is painted', async () => {
      const still: DesktopBackend = {
        ...real,
        windowPaint: () => Promise.resolve({ generation: 'one', unpaintedMs: 0 }),
      };
      ({ desktop } = withSecretFields(still));
      await desktop.tree({ pid }, LIMITS, never);
      swap({ title: '', identifier: 'new' });
      expect(await desktop.element(id('new'), never)).toMatchObject({ value: null, states: { secure: true } });
      real.world.change(id('user'), { value: SECRET });
      expect(await desktop.element(id('user'), never)).toMatchObject({ value: null });
    });
  });

  test('[req:SF-5] a field without a label on another page of the dialog', async () => {
    const boxed = (inner: ElementSpec, depth = 4): ElementSpec =>
      depth === 0 ? inner : { role: 'AXGroup', frame: { ...PLACE, y: 300 }, children: [boxed(inner, depth - 1)] };
    const page = (identifier: string, secure: boolean) =>
      boxed(field({ title: '', identifier, secure, value: identifier, frame: { ...PLACE, y: 300 } }));
    real.world.addElement(windowId, page('first', true));
    await seen.tree({ pid }, LIMITS, never);
    real.world.change(id('first'), { visible: false });
    real.world.addElement(windowId, page('second', false));
    expect(await values()).toContain('second');
  });
});
