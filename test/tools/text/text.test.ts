import { CLICK } from '../../support/titles.js';
import { afterAll, describe, expect, test } from 'vitest';
import { openSimulated } from '../../../src/native/simulated/index.js';
import { ALLOWED, createTestPipeline, failure, pressed } from '../../support/pipeline.js';
import type { ApprovalRequest } from '../../../src/main/approvals/request.js';

const never = new AbortController().signal;
type Found = {
  matches: { text: string; x: number; y: number; confidence: number; window?: string; covered_by?: string }[];
  total: number;
};

/** A world of a few large words, so that reading takes little. */
function createPipeline(asked: (request: ApprovalRequest) => void = () => undefined) {
  const given = createTestPipeline(
    async (request) => {
      asked(request);
      return ALLOWED;
    },
    openSimulated({
      displays: [{ id: 'one', name: 'one', frame: { x: 0, y: 0, width: 800, height: 600 }, scale: 1, main: true }],
    }),
  );
  opened.push(given);
  const pid = given.world.addApp({
    id: 'shop',
    name: 'Shop',
    executable: '/shop',
    windows: [
      {
        title: 'Basket',
        frame: { x: 100, y: 100, width: 260, height: 160 },
        elements: [
          { role: 'AXButton', title: 'Order', identifier: 'order', frame: { x: 20, y: 20, width: 90, height: 30 } },
          { role: 'AXButton', title: 'Remove', identifier: 'first', frame: { x: 20, y: 60, width: 90, height: 30 } },
          { role: 'AXButton', title: 'Remove', identifier: 'second', frame: { x: 20, y: 100, width: 90, height: 30 } },
        ],
      },
    ],
  });
  const element = (name: string) => {
    const id = given.world.find(name, pid);
    if (id === null) throw new Error(`no element ${name}`);
    return id;
  };
  const window = async () => {
    const found = (await given.desktop.windows(never)).find(({ title }) => title === 'Basket');
    if (found === undefined) throw new Error('no window');
    return found;
  };
  return { ...given, pid, element, window, shopped: () => pressed(given.world.journal()) };
}
const opened: { recognizer: { close(): Promise<void> } }[] = [];
afterAll(async () => {
  for (const { recognizer } of opened) await recognizer.close();
});

describe('finding text', () => {
  test('says where it is in the window in front, a window named, a region, a display [req:MT-T-find_text]', async () => {
    const { run, desktop, element, pid, asked } = createPipeline();
    const { frame } = await desktop.element(element('order'), never);
    if (frame === null) throw new Error('no frame');
    for (const place of [{}, { parent: `applications/${pid}` }, { region: frame }, { display_id: 'main' }]) {
      const { matches, total } = (await run('find_text', { text: 'order', ...place })).value as Found;
      expect(total).toBe(1);
      expect(matches[0]?.text).toBe('Order');
      expect(Math.abs((matches[0]?.x ?? 0) - (frame.x + frame.width / 2))).toBeLessThan(4);
      expect(Math.abs((matches[0]?.y ?? 0) - (frame.y + frame.height / 2))).toBeLessThan(4);
      expect(matches[0]?.confidence).toBeGreaterThan(60);
    }
    expect(asked.map(({ plan }) => plan?.target.kind)).toEqual(['window', 'reading', 'screen', 'screen']);
  });

  test('of an application in all of its windows, front to back; names each, and says what is covered and by what', async () => {
    const { run, world, pid, window, asked, shopped } = createPipeline();
    const { id, frame } = await window();
    const front = world.addWindow(pid, {
      title: 'Second',
      frame: { x: 420, y: 100, width: 200, height: 100 },
      elements: [{ role: 'AXButton', title: 'Remove', identifier: 'third', frame: { x: 20, y: 20, width: 90, height: 30 } }], // prettier-ignore
    });
    world.raiseWindow(front);
    const parent = `applications/${pid}`;
    const { matches } = (await run('find_text', { text: 'Remove', parent })).value as Found;
    expect(matches.map((one) => one.window)).toEqual([front, id, id].map((one) => `${parent}/windows/${one}`));
    expect(asked.at(-1)?.subject).toMatchObject({
      title: { code: 'title.read_text_in_window' },
      target: null,
      app: 'Shop',
    });
    const cover = world.addWindow(pid, { title: 'Cover', frame: { ...frame, y: frame.y + 121 } });
    world.raiseWindow(cover);
    const again = (await run('find_text', { text: 'Remove', parent })).value as Found;
    const by = `a window of Shop (${parent}/windows/${cover})`;
    expect(again.matches.map((one) => one.covered_by)).toEqual([undefined, undefined, by]);
    const buried = await failure(run('click_text', { text: 'Remove', parent, occurrence: 3 }));
    expect(buried).toMatchObject({ message: `“Remove” is covered by ${by}.`, details: { reason: 'covered' } });
    expect((await failure(run('click_text', { text: 'Remove', parent }))).details['reason']).toBe('ambiguous');
    await run('click_text', { text: 'Remove', parent, occurrence: 2 });
    await run('click_text', { text: 'Order', parent });
    expect(shopped()).toEqual(['first', 'order']);
  });

  test('comes in pages, and what is not there is no error', async () => {
    const { run } = createPipeline();
    const first = (await run('find_text', { text: 'Remove', page_size: 1 })).value as Found & {
      next_page_token: string;
    };
    const second = (await run('find_text', { text: 'Remove', page_size: 1, page_token: first.next_page_token })).value as Found; // prettier-ignore
    expect([first.total, second.total]).toEqual([2, 2]);
    expect(second.matches[0]?.y).toBeGreaterThan(first.matches[0]?.y ?? 9999);
    const none = await run('find_text', { text: 'Nowhere' });
    expect(none.value).toMatchObject({ matches: [], total: 0 });
    // A model that did not say where is told where it was looked for.
    expect(none.text).toMatch(/^It was not found in the window of Shop\./);
  });

  test('reads no secret, and nothing that is hidden behind its window', async () => {
    const { run } = createPipeline();
    expect((await run('find_text', { text: 'correct', parent: 'simulated.mail' })).value).toMatchObject({ total: 0 });
    expect((await run('find_text', { text: 'Milk' })).value).toMatchObject({ total: 0 });
  });

  test.each([
    [{ language: 'xx' }, 'eng'],
    [{ text: '' }, 'text'],
    [{ text: 'x'.repeat(501) }, 'text'],
    [{ region: { x: 0, y: 0, width: 0, height: 5 } }, 'width'],
    [{ region: { x: 0, y: 0, width: 5 } }, 'height'],
    [{ display_id: 'nine' }, 'nine'],
    [{ parent: 'nobody' }, 'nobody'],
    [{ wanted: 1 }, 'wanted'],
  ])('refuses %j', async (bad, named) => {
    expect((await failure(createPipeline().run('find_text', { text: 'Order', ...bad }))).message).toContain(named);
  });
});

describe('clicking text', () => {
  test('clicks the middle of what was read, with the text on the card [req:MT-T-click_text]', async () => {
    const { run, asked, shopped } = createPipeline();
    const result = await run('click_text', { text: 'Order' });
    expect(shopped()).toEqual(['order']);
    expect(asked[0]?.subject).toMatchObject({ title: CLICK, target: 'Order', app: 'Shop', place: 'Basket' });
    expect(asked[0]?.plan?.text).toBe('Order');
    expect(asked[0]?.picture?.target).not.toBeNull();
    expect(result.value).toMatchObject({ clicked: true, text: 'Order' });
    expect(result.verified?.effect).not.toBe('unverified');
  });

  test('of several asks which, without telling more than where they are', async () => {
    const { run, asked, shopped } = createPipeline();
    const error = await failure(run('click_text', { text: 'Remove' }));
    expect(error.details).toMatchObject({ reason: 'ambiguous', candidates: [{ occurrence: 1 }, { occurrence: 2 }] });
    expect(asked).toEqual([]);
    await run('click_text', { text: 'Remove', occurrence: 2 });
    expect(shopped()).toEqual(['second']);
    expect((await failure(run('click_text', { text: 'Remove', occurrence: 3 }))).details['reason']).toBe('ambiguous');
    expect((await failure(run('click_text', { text: 'Milk' }))).details['reason']).toBe('no_match');
  });

  test('[req:MT-T-click_text] does nothing when another text is there by the time it is allowed', async () => {
    const given = createPipeline(() => given.world.change(given.element('order'), { title: 'Delete' }));
    const error = await failure(given.run('click_text', { text: 'Order' }));
    expect(error.code).toBe('DESKTOP_TARGET_CHANGED');
    expect(given.shopped()).toEqual([]);
  });

  test('does nothing when the text stands elsewhere in its window by then', async () => {
    const given = createPipeline(() =>
      given.world.change(given.element('order'), { frame: { x: 140, y: 100, width: 90, height: 30 } }),
    );
    const error = await failure(given.run('click_text', { text: 'Order' }));
    expect(error.code).toBe('DESKTOP_TARGET_CHANGED');
    expect(given.shopped()).toEqual([]);
  });

  test('follows its window, which may move or lose the front meanwhile', async () => {
    const given = createPipeline(() => {
      void given.window().then(({ id }) => given.world.moveWindow(id, { x: 407, y: 333 }));
      const notes = given.world.find('note');
      if (notes !== null) given.world.person.focus(notes);
    });
    await given.run('click_text', { text: 'Order', parent: `applications/${given.pid}` });
    expect(given.shopped()).toEqual(['order']);
  });

  test('that another window covers is refused before anybody is asked', async () => {
    const given = createPipeline();
    const { id, frame } = await given.window();
    const cover = given.world.addWindow(given.pid, { title: 'Cover', frame: { ...frame } });
    given.world.raiseWindow(cover);
    const error = await failure(given.run('click_text', { text: 'Order', parent: `applications/${given.pid}/windows/${id}` })); // prettier-ignore
    expect(error.details['reason']).toBe('covered');
    expect(given.asked).toEqual([]);
  });
});
