import { describe, expect, test } from 'vitest';
import type { PictureResult } from '../../../src/main/tools/screen/picture.js';
import { CALLER, createTestPipeline, failure, pressed } from '../../support/pipeline.js';

const never = new AbortController().signal;
type TestPipeline = ReturnType<typeof createTestPipeline>;

const marked = async (given: TestPipeline, tool: string, input: object = {}) => {
  const { value, text } = await given.run(tool, { ...input, marks: true });
  const { marks = [], image } = value as PictureResult;
  return { marks, image, text: text ?? '' };
};
const windowCalled = async ({ desktop }: TestPipeline, title: string) => {
  const found = (await desktop.windows(never)).find((one) => one.title === title);
  if (found === undefined) throw new Error(`no window ${title}`);
  return { ...found, name: `applications/${found.app.pid}/windows/${found.id}` };
};

describe('numbers on a picture', () => {
  test('name what can be acted on, in reading order, and are targets of other tools', async () => {
    const given = createTestPipeline();
    const { name } = await windowCalled(given, 'New Message');
    const { marks, image, text } = await marked(given, 'capture_window_screenshot', { window: name });
    expect(marks.map(({ title }) => title)).toEqual(['To', 'Subject', 'Body', 'Sender gets a copy', 'Send']);
    expect(text).toContain('5 AXButton “Send” e:');
    await given.run('click_element', { element_id: `mark:5@${image.id}` });
    expect(pressed(given.world.journal())).toEqual(['send']);
  });

  test('are only given to what no other window covers', async () => {
    const given = createTestPipeline();
    const [notes, mail] = [await windowCalled(given, 'Shopping'), await windowCalled(given, 'New Message')];
    given.world.moveWindow(notes.id, { x: mail.frame.x, y: mail.frame.y });
    given.world.raiseWindow(notes.id);
    const titles = (await marked(given, 'capture_screenshot')).marks.map(({ title }) => title);
    expect(titles.slice(0, 2)).toEqual(['Locked', 'Note']);
    expect(titles).not.toContain('To');
    expect(titles).toContain('Send');
    const alone = await marked(given, 'capture_window_screenshot', { window: mail.name });
    expect(alone.marks.map(({ title }) => title)).toContain('To');
  });

  test('are told of on the card, which says whose controls are read', async () => {
    const given = createTestPipeline();
    await marked(given, 'capture_screenshot');
    await given.run('capture_screenshot', {});
    expect(given.asked.map(({ plan }) => plan?.covers?.length ?? 0)).toEqual([1, 0]);
    expect(given.asked[0]?.subject).toMatchObject({
      title: { code: 'title.picture_screen' },
      app: expect.stringContaining('Mail, '),
    });
  });

  test('are kept apart from drawing: what another agent was given does not exist, nor a number that was not drawn', async () => {
    const given = createTestPipeline();
    const { image, marks } = await marked(given, 'capture_screenshot');
    const other = { ...CALLER, agent: { ...CALLER.agent, id: 'agent-2' } };
    const id = `mark:1@${image.id}`;
    expect((await failure(given.run('click_element', { element_id: id }, { caller: other }))).details['reason']).toBe('unknown_mark'); // prettier-ignore
    for (const bad of [`mark:0@${image.id}`, `mark:${marks.length + 1}@${image.id}`, 'mark:1@', 'mark:1@../x', `mark:1e0@${image.id}`])
      expect((await failure(given.run('click_element', { element_id: bad }))).code, bad).toMatch(/INVALID_REQUEST|NOT_FOUND/); // prettier-ignore
    expect(pressed(given.world.journal())).toEqual([]);
  });

  test('a mark whose control is another by now presses nothing', async () => {
    const given = createTestPipeline();
    const { image, marks } = await marked(given, 'capture_screenshot');
    const send = marks.find(({ title }) => title === 'Send');
    const id = given.world.find('send');
    if (send === undefined || id === null) throw new Error('no button');
    given.world.removeElement(id);
    const error = await failure(given.run('click_element', { element_id: `mark:${send.number}@${image.id}` }));
    expect(error.code).toBe('DESKTOP_ELEMENT_NOT_FOUND');
  });

  test('say what is missing: windows that do not answer, and controls beyond the most', async () => {
    const given = createTestPipeline();
    const { id, app } = await windowCalled(given, 'Calculator');
    for (let index = 0; index < 130; index++)
      given.world.addElement(id, {
        role: 'AXButton',
        title: `B${index}`,
        frame: { x: 5, y: 5, width: 40, height: 20 },
      });
    given.world.raiseWindow(id);
    const first = await marked(given, 'capture_screenshot');
    expect(first.marks).toHaveLength(120);
    expect(first.text).toMatch(/\d+ more controls have no number/);
    given.world.hang(app.pid);
    const second = await marked(given, 'capture_screenshot');
    expect(second.text).toContain('Not all controls of “Calculator” could be read.');
    expect(second.marks.map(({ title }) => title)).toContain('Send');
  });
});

describe('cards of pictures', () => {
  test('a window’s or element’s names its application, is remembered for it alone, and outlines the element', async () => {
    const given = createTestPipeline();
    const { name } = await windowCalled(given, 'New Message');
    await given.run('capture_window_screenshot', { window: name });
    await given.run('capture_element_screenshot', { element_id: await given.refer('send') });
    await given.run('find_text', { text: 'Subject', parent: name });
    for (const { subject, plan, picture } of given.asked) {
      expect(subject.app).toBe('Mail');
      expect(plan?.window?.title).toBe('New Message');
      expect(picture).not.toBeNull();
    }
    expect(given.asked[1]?.subject.target).toBe('Send');
    expect(given.asked[1]?.picture?.target).not.toBeNull();
  });

  test('a region’s says whose windows are in it and is asked for as the screen', async () => {
    const given = createTestPipeline();
    await given.run('capture_region_screenshot', { x: 80, y: 100, width: 100, height: 100 });
    await given.run('zoom', { coordinate: [5, 5], scale: 8 });
    expect(given.asked.map(({ subject }) => subject.app)).toEqual(['Mail', 'Mail']);
    expect(given.asked.every(({ plan }) => plan?.window === null && plan.target.kind === 'screen')).toBe(true);
  });

  test('a minimised window has none: the error says what to do', async () => {
    const given = createTestPipeline();
    const { id, name } = await windowCalled(given, 'New Message');
    await given.desktop.setWindowMinimized(id, true, never);
    for (const input of [{ window: name }, { window_id: name }, { name }]) {
      const error = await failure(given.run('capture_window_screenshot', input));
      expect(error.details['reason']).toBe('minimized');
      expect(error.next).toContain('restore_window');
    }
    expect(given.asked).toEqual([]);
  });
});
