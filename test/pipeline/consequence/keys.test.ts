import { describe, expect, test } from 'vitest';
import { AgentEdits } from '../../../src/main/pipeline/consequence/agent-edits.js';
import { withKeyConsequence } from '../../../src/main/pipeline/consequence/keys.js';
import { planWithoutTarget, type Plan } from '../../../src/main/approvals/plan.js';
import { openSimulated } from '../../../src/native/simulated/index.js';
import type { ElementSpec, WindowSpec } from '../../../src/native/simulated/model.js';
import { ALLOWED, CALLER, createTestPipeline, failure } from '../../support/pipeline.js';
import { formatEnglish } from '../../../src/messages/index.js';

const META = { schemaVersion: 1, requestId: 'one', workspacePath: '/work', timeoutMs: 20_000 };
const never = new AbortController().signal;
const frame = { x: 10, y: 10, width: 300, height: 200 };
const TEXT = Array.from({ length: 40 }, (_one, index) => `line ${index} of the plan`).join('\n');
const paper = (value: string, more: Partial<ElementSpec> = {}): ElementSpec => ({
  role: 'AXTextArea',
  title: 'Paper',
  identifier: 'paper',
  value,
  frame,
  ...more,
});

/** An editor in front, whose text has the focus. */
function editor(value = TEXT, more: Partial<WindowSpec> = {}, elements: ElementSpec[] = [paper(value)]) {
  const desktop = openSimulated();
  const spec = { title: 'plan.txt - Editor', frame: { x: 600, y: 40, width: 400, height: 400 }, elements, focus: 'paper', ...more }; // prettier-ignore
  desktop.world.addApp({ id: 'simulated.editor', name: 'Editor', executable: '/bin/editor', windows: [spec] });
  const pipeline = createTestPipeline(async () => ALLOWED, desktop);
  const call = (tool: string, given: Record<string, unknown>) => pipeline.run(tool, given);
  const application = 'simulated.editor';
  return {
    ...pipeline,
    call,
    press: (key: string, ...modifiers: string[]) => call('press_key', { key, modifiers, application }),
    type: (text: string, given = {}) => call('type_text', { text, application, ...given }),
    text: () => pipeline.world.text(pipeline.world.find('paper') ?? ''),
    /** Whether a grant would have covered the last call. */
    asks: () => pipeline.asked.at(-1)?.action.effect === 'dangerous',
    note: () => pipeline.asked.at(-1)?.plan?.notes.map(formatEnglish).join(' ') ?? '',
  };
}

describe.concurrent('a save over what an agent replaced', () => {
  type Editor = ReturnType<typeof editor>;
  const WAYS: [string, (one: Editor) => Promise<unknown>][] = [
    ['select all, delete', async ({ press }) => (await press('a', 'ctrl'), press('delete'))],
    ['select all, type', async ({ press, type }) => (await press('a', 'ctrl'), type('gone'))],
    ['select all, cut', async ({ press }) => (await press('a', 'ctrl'), press('x', 'ctrl'))],
    ['select all, paste', async ({ press, type }) => (await press('a', 'ctrl'), type('gone', { paste: true }))],
    ['a value written', async ({ call, refer }) => call('write_element_value', { element_id: await refer('paper'), value: 'gone' })], // prettier-ignore
    ['a value emptied', async ({ call, refer }) => call('write_element_value', { element_id: await refer('paper'), value: '' })], // prettier-ignore
    ['type with clearBefore', async ({ call }) => call('desktop.typeText', { meta: META, route: { app: { bundleId: 'simulated.editor' } }, target: { selector: { byRole: 'AXTextArea' } }, text: 'gone', options: { clearBefore: true } })], // prettier-ignore
    ['half of it, line by line', async ({ press }) => { await press('home', 'ctrl'); for (let at = 0; at < 22; at++) await press('up', 'shift'); await press('delete'); }], // prettier-ignore
    ['in two halves, saved between', async ({ press, world }) => {
      const paper = world.find('paper') ?? '';
      for (const part of [30, 22]) {
        await press('right');
        // As the agent's act would leave it.
        world.change(paper, { value: TEXT.split('\n').slice(0, part).join('\n') });
        if (part > 22) await press('s', 'ctrl');
      }
    }], // prettier-ignore
  ];
  test.each(WAYS)('[req:KS-1] %s: asks, and says which file', { timeout: 60_000 }, async (_name, replace) => {
    const one = editor();
    await replace(one);
    await one.press('s', 'ctrl');
    expect(one.asks()).toBe(true);
    expect(one.note()).toContain('Saves over “plan.txt”');
    // The person has agreed: it is as it was meant to be.
    await one.press('s', 'ctrl');
    expect(one.asks()).toBe(false);
  });

  test('[req:KS-1] other calls between the replacement and the save change nothing', async () => {
    const one = editor();
    await one.press('a', 'ctrl');
    await one.press('c', 'ctrl');
    await one.type('gone');
    expect(one.asks()).toBe(false);
    await one.press('home');
    await one.press('f', 'ctrl');
    await one.press('s', 'ctrl');
    expect(one.asks()).toBe(true);
  });

  test('[req:KS-2] a few words, a word corrected, an empty page filled, and what was undone are saved as before', async () => {
    const typed = editor();
    await typed.type('a few words ');
    await typed.press('s', 'ctrl');
    expect(typed.asks()).toBe(false);
    const value = typed.text().replace('line 7 of the plan', 'another line');
    await typed.call('write_element_value', { element_id: await typed.refer('paper'), value });
    expect(typed.text()).toContain('another line');
    await typed.press('s', 'ctrl');
    expect(typed.asks()).toBe(false);
    const empty = editor('');
    await empty.type('a whole page');
    await empty.press('s', 'ctrl');
    expect(empty.asks()).toBe(false);
    const undone = editor();
    await undone.press('a', 'ctrl');
    await undone.type('gone');
    undone.world.change(undone.world.find('paper') ?? '', { value: TEXT });
    await undone.press('s', 'ctrl');
    expect(undone.asks()).toBe(false);
  });

  test.each([
    [13, false],
    [14, true],
  ])('[req:KS-2] the line is a third: %i of 40 lines of the same length gone', async (lines, asks) => {
    const one = editor(TEXT.replaceAll(/\d+/g, (number) => number.padStart(2, '0')));
    await one.press('right');
    const now = one.text().split('\n').slice(lines).join('\n');
    const id = await one.refer('paper');
    await one.call('write_element_value', { element_id: id, value: now });
    await one.press('s', 'ctrl');
    expect(one.asks()).toBe(asks);
  });

  test('[req:KS-3] what the person replaced is theirs', async () => {
    const one = editor();
    await one.press('right');
    one.world.person.key('x');
    one.world.change(one.world.find('paper') ?? '', { value: 'the person wrote this' });
    await one.press('s', 'ctrl');
    expect(one.asks()).toBe(false);
    await one.press('a', 'ctrl');
    await one.press('delete');
    one.world.person.key('y');
    await one.press('s', 'ctrl');
    expect(one.asks()).toBe(true);
  });

  test('[req:KS-1] a text that cannot be read is followed by its keys', async () => {
    const one = editor('', { focus: 'canvas' }, [{ role: 'AXGroup', title: 'Canvas', identifier: 'canvas', frame }]);
    await one.press('s', 'ctrl');
    expect(one.asks()).toBe(false);
    await one.press('a', 'ctrl');
    await one.press('right');
    await one.press('m');
    await one.press('s', 'ctrl');
    expect(one.asks()).toBe(false);
    await one.press('a', 'ctrl');
    await one.press('g');
    await one.press('s', 'ctrl');
    expect(one.asks()).toBe(true);
  });

  test('[req:KS-1] the button that saves, and the letter that presses it, ask as the chord does', async () => {
    const save: ElementSpec = { role: 'AXButton', title: 'Save', identifier: 'save', frame: { ...frame, y: 250, height: 30 } }; // prettier-ignore
    const one = editor(TEXT, {}, [paper(TEXT), save]);
    await one.call('click_element', { element_id: await one.refer('save') });
    expect(one.asks()).toBe(false);
    await one.call('write_element_value', { element_id: await one.refer('paper'), value: 'gone' });
    await one.press('s', 'alt');
    expect(one.asks()).toBe(true);
    await one.call('write_element_value', { element_id: await one.refer('paper'), value: 'other' });
    await one.call('click_element', { element_id: await one.refer('save') });
    expect(one.asks()).toBe(true);
  });

  /** The letter s in an open menu of these items, after everything was replaced; and whether a save after it asks. */
  async function inMenu(...titles: string[]): Promise<[boolean, string, boolean]> {
    const one = editor();
    await one.call('write_element_value', { element_id: await one.refer('paper'), value: 'gone' });
    const window = (await one.desktop.windows(never)).find(({ title }) => title.startsWith('plan.txt'));
    const item = (title: string, at: number): ElementSpec => ({ role: 'AXMenuItem', title, identifier: `${at}`, frame: { x: 0, y: at * 20, width: 90, height: 20 } }); // prettier-ignore
    const menu = one.world.addWindow(window?.app.pid ?? 0, {
      title: '',
      frame,
      normal: false,
      elements: titles.map(item),
    });
    await one.press('s');
    const letter = [one.asks(), one.note()] as const;
    one.world.removeWindow(menu);
    await one.press('s', 'ctrl');
    return [...letter, one.asks()];
  }

  test('[req:KS-7] a letter in a menu is what it may choose, and a save is told beside what else it may be', async () => {
    const saves = expect.stringContaining('Saves over “');
    expect(await inMenu('Revert', 'Open')).toEqual([false, '', true]);
    expect(await inMenu('Revert', 'Save')).toEqual([true, saves, false]);
    expect(await inMenu('Send…', 'Save')).toEqual([true, saves, false]);
    for (const title of ['Send…', 'Удалить']) expect(await inMenu(title, 'Open')).toEqual([true, '', true]);
  });

  test('[req:KS-4] in a sequence it is foreseen where a step replaces all, and refused where that was not foreseen', async () => {
    const step = (tool: string, given: Record<string, unknown>) => ({
      tool,
      arguments: { application: 'simulated.editor', ...given },
    });
    const all = step('press_key', { key: 'a', modifiers: ['ctrl'] });
    const save = step('press_key', { key: 's', modifiers: ['ctrl'] });
    const one = editor();
    await one.call('run_plan', { steps: [all, step('press_key', { key: 'delete' }), save] });
    const effects = one.asked[0]?.plan?.steps?.map(({ effect }) => effect);
    expect(effects).toEqual(['input', 'input', 'dangerous']);
    const other = editor(TEXT, {
      onKey(typed, app) {
        if (typed === 'f9') app.setValue('paper', 'gone');
        return typed === 'f9';
      },
    });
    const move = step('press_key', { key: 'f9' });
    const error = await failure(other.call('run_plan', { steps: [move, save] }));
    expect(error.details).toMatchObject({ step: 2, reason: 'consequence' });
  });
});

/** As the pipeline judges keys on one application, without pressing them. */
async function judged(
  app: string,
  chord: string,
  more: { editing?: boolean; program?: string; held?: readonly string[]; url?: string; inPage?: boolean } = {},
) {
  // prettier-ignore
  const desktop = openSimulated();
  const { editing = true, held = [] } = more;
  const spec = { title: 'One', frame: { x: 0, y: 0, width: 400, height: 400 }, elements: [editing ? paper('text') : ({ role: 'AXGroup', title: 'List', identifier: 'paper', frame } as const)] }; // prettier-ignore
  desktop.world.addApp({ id: app, name: 'App', executable: more.program ?? '/bin/app', windows: [spec] });
  const window = (await desktop.windows(never)).find((one) => one.app.id === app) ?? null;
  const found = await desktop.element(desktop.world.find('paper') ?? '', never);
  const element = { ...found, ...(more.inPage === true && { document: { url: 'https://example.org/' } }) };
  const parts = chord.split('+');
  const key = chord.endsWith('+') ? '+' : (parts.at(-1) ?? '');
  const does = { kind: 'keys' as const, keys: [key], modifiers: parts.slice(0, -1).filter((one) => one !== '') };
  const program = more.program === undefined ? {} : { program: more.program };
  const plan: Plan = {
    ...planWithoutTarget({ title: { code: 'title.click', params: {} } as never, target: null, app: null, place: null }),
    target: { kind: 'focus', element },
    window: window && { ...window, documentUrl: more.url ?? null, app: { ...window.app, ...program } },
    does,
  };
  const ctx = { desktop: Object.assign(desktop, { isAllHidden: async () => false, maySpendTimeOn: () => true }), caller: CALLER, workspace: '/work', edits: new AgentEdits(), held }; // prettier-ignore
  return (await withKeyConsequence(ctx, 'input', plan, never)).consequence?.kind ?? null;
}

describe.concurrent('the table of chords', () => {
  const OUTSIDE = { editing: false };
  test.each([
    ['anything', 'ctrl+q', 'close', {}],
    ['anything', 'shift+ctrl+w', 'close', {}],
    ['anything', 'alt+f4', 'close', {}],
    ['anything', 'cmd+q', 'close', {}],
    ['anything', 'ctrl+p', 'print', {}],
    ['anything', 'ctrl+shift+delete', 'delete', {}],
    ['anything', 'delete', 'delete', OUTSIDE],
    ['anything', 'ctrl+enter', 'send', {}],
    ['anything', 'ctrl+m', 'run', {}],
    ['anything', 'ctrl+й', 'other', {}],
    ['anything', 'q', 'close', { held: ['ctrl'] }],
    ['org.mozilla.thunderbird', 'alt+s', 'send', {}],
    ['org.mozilla.thunderbird', 'a', 'other', OUTSIDE],
    ['chromium', '#', 'other', { ...OUTSIDE, url: 'https://mail.google.com/mail/u/0/' }],
    ['slack', 'e', 'other', OUTSIDE],
    // Any page may take letters as commands.
    ['anything', '#', 'other', { ...OUTSIDE, inPage: true }],
    ['anything', 'backspace', 'other', { ...OUTSIDE, inPage: true }],
    ['gnome-terminal-server', 'ctrl+d', 'close', {}],
    ['xfce4-terminal', 'ctrl+shift+v', 'run', {}],
    ['org.gnome.Nautilus', 'ctrl+v', 'overwrite', OUTSIDE],
    ['org.gnome.Nautilus', 'ctrl+o', 'run', OUTSIDE],
    ['gimp-2.10', 'ctrl+e', 'overwrite', {}],
    ['code-oss', 'f5', 'run', {}],
    ['emacs', 'ctrl+c', 'close', {}],
    ['libreoffice-calc', 'ctrl+-', 'delete', OUTSIDE],
    // What a program calls itself makes nothing harmless; its name from the kernel does.
    ['xfce4-terminal', 'ctrl+w', 'close', { program: '/usr/bin/other' }],
    ['code', 'ctrl+p', 'print', { program: '/usr/bin/other' }],
  ] as const)('[req:KS-5] %s, %s: %s', async (app, chord, kind, more) => {
    expect(await judged(app, chord, more)).toBe(kind);
  });

  test.each([
    ['anything', 'ctrl+c', {}],
    ['anything', 'ctrl+v', {}],
    ['anything', 'ctrl+z', {}],
    ['anything', 'ctrl+f', {}],
    ['anything', 'ctrl+a', {}],
    ['anything', 'ctrl+s', {}],
    ['anything', 'ctrl+l', {}],
    ['anything', 'delete', {}],
    ['anything', 'backspace', {}],
    ['anything', 'shift+down', {}],
    ['anything', 'x', {}],
    ['anything', 'x', OUTSIDE],
    ['anything', 'escape', {}],
    ['anything', 'tab', {}],
    ['org.mozilla.thunderbird', 'a', {}],
    ['anything', '#', { inPage: true }],
    ['anything', 'down', { ...OUTSIDE, inPage: true }],
    ['xfce4-terminal', 'ctrl+w', { program: '/usr/bin/xfce4-terminal' }],
    ['code', 'ctrl+p', { program: '/usr/share/code/code' }],
    ['org.gnome.Nautilus', 'down', OUTSIDE],
  ] as const)('[req:KS-6] %s, %s: nothing', async (app, chord, more) => {
    expect(await judged(app, chord, more)).toBeNull();
  });
});
