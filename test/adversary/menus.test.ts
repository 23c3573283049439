/** Menus of GTK 3, GTK 4 and Qt on a real display: what an item does, the picture on its card, and menus that replace the approved one. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Element, Window } from '../../src/native/desktop.js';
import type { Card } from '../../src/main/protocol/index.js';
import type { TestAgent, ToolAnswer } from '../support/agent.js';
import { APPS, startApp, type DesktopApp } from '../support/desktop-app.js';
import { eventually, openLinuxDesktop, type LinuxDesktop } from '../support/linux-desktop.js';
import { cardOf, settle, type Person } from '../support/person.js';
import { notesOf } from '../support/in-english.js';
import { withPerson } from '../support/with-person.js';
import { inside } from '../support/shop-browser.js';

const KITS = [
  ['GTK 3', 'gtk-menus.py'],
  ['GTK 4', 'gtk4-menus.py'],
] as const;
const QT = 'qt-menus.py';
const LIMITS = { maxDepth: 80, maxNodes: 5000, timeoutMs: 10_000 };
const never = new AbortController().signal;

let linux: LinuxDesktop;
let person: Person;
let agent: TestAgent;
let app: DesktopApp;

beforeAll(async () => {
  linux = await openLinuxDesktop();
});
afterAll(() => linux.close());
withPerson(
  (started) => ({ person, agent } = started),
  () => ({ display: 'current', env: linux.session.env }),
);
afterEach(() => app.close());

const parent = () => `applications/${app.pid}`;
const chosen = async () => (await app.journal()).filter(({ event }) => event === 'chosen');

async function item(titleContains: string): Promise<Element> {
  return eventually(async () => {
    const selector = { role: 'AXMenuItem', titleContains, visibleOnly: true };
    const [found] = (await linux.desktop.find({ pid: app.pid }, selector, 1, LIMITS, never)).elements;
    if (found?.frame == null) throw new Error('not there yet');
    return found;
  });
}

const popup = (): Promise<Window> =>
  eventually(async () => {
    const found = (await linux.desktop.windows(never)).find((one) => one.app.pid === app.pid && !one.normal);
    if (found === undefined) throw new Error('no menu');
    return found;
  });

/** Waits until the menu stays where it is, as it does once it has opened. */
async function atRest(): Promise<void> {
  let before = '';
  await eventually(async () => {
    const [now, last] = [JSON.stringify((await popup()).frame), before];
    before = now;
    expect(now).toBe(last);
  });
}

/** The card of this act, allowed after `meanwhile`. */
async function carded(
  act: Promise<ToolAnswer>,
  meanwhile: (card: Card) => Promise<unknown> = async () => undefined,
  more: object = {},
): Promise<{ card: Card; answer: ToolAnswer }> {
  const card = await cardOf(person, act);
  await meanwhile(card);
  await settle(person, card, 'allow', more);
  return { card, answer: await act };
}

async function openMenu(script: string, more: object = {}): Promise<void> {
  app = await startApp('gtk', linux.session.env, [], join(APPS, script));
  await linux.window((one) => one.app.pid === app.pid && one.title === 'Menus');
  const press = agent.call('click_element', { parent: parent(), title: 'More' });
  const { answer } = await carded(press, undefined, more);
  expect(answer.isError, answer.text).toBe(false);
  await popup();
}

/** Both ways to choose an item. */
const WAYS = [
  ['by its point', async (title: string) => agent.call('click', inside(await item(title)))],
  [
    'by its element',
    async (title: string) => {
      const { value } = await agent.call('wait_element', { parent: parent(), role: 'AXMenuItem', title });
      return agent.call('click_element', { element_id: (value['element'] as { elementId: string }).elementId });
    },
  ],
] as const;

/** Sends the signal and waits until the other menu is on the screen. */
async function replaceBy(name: 'other' | 'twin'): Promise<void> {
  process.kill(app.pid, name === 'other' ? 'SIGUSR1' : 'SIGUSR2');
  await eventually(async () =>
    expect(await app.journal()).toContainEqual({ control: name, event: 'shown', value: '' }),
  );
}

describe.each(KITS)('a menu of %s', (_kit, script) => {
  test.each(WAYS)(
    '[req:MN-1] [req:MN-2] an item chosen %s: the picture is the menu’s, and one that deletes or sends is asked about as dangerous',
    async (_way, choose) => {
      await openMenu(script);
      const { width, height } = (await popup()).frame;
      let picture: unknown = null;
      const kept = await carded(choose('Keep a copy'), async ({ id }) => {
        const request = randomUUID();
        person.send({ type: 'cardPicture', request, id });
        ({ picture } = await person.next('cardPicture', (one) => one.request === request));
      });
      expect(kept.answer.isError, kept.answer.text).toBe(false);
      expect(kept.card.effect).toBe('input');
      expect(picture).toMatchObject({ width, height });
      await eventually(async () => expect(await chosen()).toEqual([{ control: 'first', event: 'chosen', value: 'Keep a copy' }])); // prettier-ignore
      for (const title of ['Delete note', 'Send to Bob']) {
        await carded(agent.call('click_element', { parent: parent(), title: 'More' }));
        await atRest();
        const { card, answer } = await carded(choose(title));
        expect(answer.isError, answer.text).toBe(false);
        expect(card.effect, title).toBe('dangerous');
        await eventually(async () => expect((await chosen()).at(-1)?.value).toBe(title));
      }
    },
    120_000,
  );

  test.each(WAYS.flatMap(([way, choose]) => (['other', 'twin'] as const).map((name) => [way, name, choose] as const)))(
    '[req:MN-3] an item approved %s is not chosen in a menu that took the place (%s)',
    async (_way, name, choose) => {
      await openMenu(script);
      const { answer } = await carded(choose('Keep a copy'), async () => {
        await replaceBy(name);
        await item('Keep a copy');
      });
      expect(answer.text).toContain('DESKTOP_TARGET_CHANGED');
      expect(await chosen()).toEqual([]);
    },
    120_000,
  );
});

describe('a popup menu of Qt, which reports no items', () => {
  /** Its first item. */
  const atFirst = async () => {
    const { x, y, height } = (await popup()).frame;
    return { x: x + 30, y: Math.round(y + height / 6) };
  };

  test.each(['other', 'twin'] as const)(
    '[req:MN-3] is not clicked in a menu that took the place (%s)',
    async (name) => {
      await openMenu(QT);
      const { answer } = await carded(agent.call('click', await atFirst()), () => replaceBy(name));
      expect(answer.text).toContain('DESKTOP_TARGET_CHANGED');
      expect(await chosen()).toEqual([]);
    },
    120_000,
  );

  test('[req:EG-4] a click in it is asked about also under a grant, with a note that no name can be read', async () => {
    await openMenu(QT, { grant: 'session' });
    const { card, answer } = await carded(agent.call('click', await atFirst()));
    expect(answer.isError, answer.text).toBe(false);
    expect(notesOf(card)).toContain('Chaperone can’t identify what is at this place, so check the picture.');
    await eventually(async () => expect(await chosen()).toEqual([{ control: 'first', event: 'chosen', value: 'Keep a copy' }])); // prettier-ignore
  }, 120_000);
});
