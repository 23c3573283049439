/** Long lists of a GTK 3 application, in which it searches itself: what is found is what reading all of it shows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Element, matches, type Selector, type TreeLimits } from '../../../src/native/desktop.js';
import { eventually, type FixtureApp, type LinuxDesktop, openLinuxDesktop } from '../../support/linux-desktop.js';

const LIMITS: TreeLimits = { maxDepth: 100, maxNodes: 20_000, timeoutMs: 30_000 };
const signal = new AbortController().signal;
let linux: LinuxDesktop;
let app: FixtureApp;

beforeAll(async () => {
  linux = await openLinuxDesktop();
  app = await linux.fixture({ title: 'Long list', rows: 150 });
});
afterAll(() => linux.close());

const find = (selector: Selector) => linux.desktop.find({ pid: app.pid }, selector, 500, LIMITS, signal);
const whole = async (): Promise<Element[]> =>
  (await linux.desktop.tree({ pid: app.pid }, LIMITS, signal)).nodes.map(({ element }) => element);
const keys = (elements: readonly Element[]) =>
  elements.map(({ id, path, frame, title }) => ({ id, path, frame, title }));

describe('in a long list', () => {
  it.each<Selector>([
    { role: 'AXStaticText', titleContains: 'Row 14' },
    { titleContains: 'Row 14' },
    { roles: ['label', 'AXButton'], titleContains: '1' },
    { role: 'AXStaticText', visibleOnly: true },
    { role: 'AXRow', visibleOnly: true },
    { visibleOnly: true },
    { role: 'AXTextField', titleContains: 'Name' },
    { role: 'AXUnknown', titleContains: 'Row' },
    { role: 'no such role', titleContains: 'Row' },
  ])('finds what the whole tree shows: %j', async (selector) => {
    const found = await find(selector);
    expect(keys(found.elements)).toEqual(keys((await whole()).filter((element) => matches(selector, element))));
    expect(found.truncated).toEqual({ depth: false, nodes: false, time: false });
  });

  it('shows in a tree of what is visible exactly that', async () => {
    const { nodes } = await linux.desktop.tree({ pid: app.pid }, { ...LIMITS, visibleOnly: true }, signal);
    const [root, ...shown] = nodes.map(({ element }) => element);
    expect(root?.role).toBe('AXApplication');
    expect(keys(shown)).toEqual(keys((await whole()).filter(({ states }) => states.visible)));
    expect(shown.some(({ title }) => title === 'Row 1')).toBe(true);
    expect(shown.some(({ title }) => title === 'Row 150')).toBe(false);
  });

  it('shows a row at once that the application has inserted without telling of it', async () => {
    for (const count of [1, 2, 3]) {
      process.kill(app.pid, 'SIGUSR1');
      const inserted = async () => (await app.journal()).filter(({ event }) => event === 'inserted').length;
      await eventually(async () => expect(await inserted()).toBe(count));
      const { elements, matched } = await find({ role: 'AXStaticText', titleContains: 'Row 0' });
      expect(matched).toBe(count);
      expect(elements.map(({ path }) => path.at(-2))).toEqual(Array.from({ length: count }, (_, index) => index));
      expect((await find({ titleContains: 'Row 150' })).elements[0]?.path.at(-2)).toBe(149 + count);
    }
  });

  it('finds the row under the pointer, and the row that has the keyboard', async () => {
    const rows = (await whole()).filter(({ role }) => role === 'AXRow');
    const [second, last] = [rows[1], rows.at(-1)];
    const { x = 0, y = 0, height = 0 } = second?.frame ?? {};
    const hit = await linux.desktop.elementAt({ x: x + 9, y: y + height / 2 }, signal);
    expect(hit?.path.slice(0, second?.path.length)).toEqual(second?.path);
    await linux.desktop.focusElement(last?.id ?? '', signal);
    expect((await linux.desktop.focusedElement(signal))?.id).toBe(last?.id);
  });

  it('stays within a depth', async () => {
    const shallow = { ...LIMITS, maxDepth: 5 };
    const found = await linux.desktop.find({ pid: app.pid }, { titleContains: 'Row 14' }, 10, shallow, signal);
    expect(found).toMatchObject({ matched: 0, truncated: { depth: true } });
  });
});
