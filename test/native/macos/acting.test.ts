import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Element, TreeLimits } from '../../../src/native/desktop.js';
import {
  focusElement,
  performAction,
  setExpanded,
  setSelected,
} from '../../../src/native/macos/accessibility/actions.js';
import { scrollerOf, scrollIntoView } from '../../../src/native/macos/accessibility/element-reader.js';
import { insertText, setValue } from '../../../src/native/macos/accessibility/set-values.js';
import { codeFrom, rejectionOf } from '../../support/macos/errors.js';
import type { Opened } from '../../support/macos/reader.js';
import { addControl, at, buildScene, MAIN, type Scene } from '../../support/macos/scene.js';
import { MODE } from '../../support/macos/standin.js';
import { withScene } from '../../support/macos/with-scene.js';
import { withoutWaits } from '../../support/without-waits.js';

const LIMITS: TreeLimits = { maxDepth: 60, maxNodes: 5000, timeoutMs: 20_000 };
const { signal } = new AbortController();

let scene: Scene;
let opened: Opened;
// Hooks run in reverse: this one after all was released.
afterEach(() => {
  expect(script.journal().filter((line) => line.includes('secret'))).toEqual([]);
});
const { script } = withScene((started) => ({ scene, opened } = started));
withoutWaits();

const one = (titleContains: string): Element => {
  const { elements } = opened.reader.find({ pid: MAIN.pid }, { titleContains }, 9, LIMITS);
  const [element, ...others] = elements.filter(({ role }) => role !== 'AXStaticText');
  if (element === undefined || others.length > 0) throw new Error(`expected one ${titleContains}`);
  return element;
};
const again = ({ id }: Element): Element => opened.reader.element(id);
const control = (spec: Parameters<typeof addControl>[2], parent = scene.window): number =>
  addControl(script, parent, { frame: at(130, 500, 50, 20), ...spec });

describe('an action', () => {
  it('is done once', () => {
    performAction(opened.core, one('Send').id, 'AXPress');
    expect(script.journal()).toEqual([`AXPress ${scene.send}`]);
    performAction(opened.core, one('Remind me').id, 'AXPress');
    expect(one('Remind me').states.checked).toBe(true);
  });

  it('that the element does not offer, or that is disabled, is not asked for', () => {
    expect(codeFrom(() => performAction(opened.core, one('Send').id, 'AXFly'))).toBe('unsupported');
    expect(codeFrom(() => performAction(opened.core, one('Locked').id, 'AXPress'))).toBe('failed');
    expect(script.journal()).toEqual([]);
  });

  it('that takes longer than the time limit counts as begun once its application answers, and is not repeated', () => {
    const asks = control({ role: 'AXButton', title: 'Asks', actions: { AXPress: MODE.doesAndTimesOut } });
    performAction(opened.core, one('Asks').id, 'AXPress');
    expect(script.journal()).toEqual([`AXPress ${asks}`]);
  });

  it('of an application that hangs or has ended is an error', () => {
    const { id } = one('Send');
    script.hang(MAIN.pid, 1);
    expect(codeFrom(() => performAction(opened.core, id, 'AXPress'))).toBe('not_responding');
    script.hang(MAIN.pid, 0);
    script.endApp(MAIN.pid);
    expect(codeFrom(() => performAction(opened.core, id, 'AXPress'))).toBe('stale');
    expect(script.journal()).toEqual([]);
  });
});

describe('a value', () => {
  it('is set and read back', async () => {
    await setValue(opened.core, one('Name').id, 'Grüße 👋 世界', signal);
    expect(one('Name').value).toBe('Grüße 👋 世界');
    await setValue(opened.core, one('Volume').id, '3', signal);
    expect(one('Volume').value).toBe('3');
  });

  it('of a password is set without being read', async () => {
    await setValue(opened.core, one('Secret').id, 'another secret', signal);
    expect(script.journal()[0]?.replace('secret', '')).toBe(`set ${scene.password} AXValue another `);
    expect(again(one('Secret')).value).toBeNull();
    scene = buildScene(script);
  });

  it('that the element takes in part, or only says it took, is an error', async () => {
    control({ role: 'AXTextField', title: 'Five', value: '', settable: MODE.limits });
    expect(await rejectionOf(setValue(opened.core, one('Five').id, 'too long', signal))).toMatchObject({
      code: 'failed',
      details: { reason: 'limited', value: 'too l' },
    });
    control({ role: 'AXTextField', title: 'Pretends', value: 'old', settable: MODE.pretends });
    expect(await rejectionOf(setValue(opened.core, one('Pretends').id, 'new', signal))).toMatchObject({ code: 'failed' });
    control({ role: 'AXTextField', subrole: 'AXSecureTextField', title: 'Vault', value: '', settable: MODE.pretends });
    expect(await rejectionOf(setValue(opened.core, one('Vault').id, 'x', signal))).toMatchObject({ code: 'failed' });
  }); // prettier-ignore

  it('is refused where there is none, and where it is no number', async () => {
    expect(await rejectionOf(setValue(opened.core, one('Send').id, 'x', signal))).toMatchObject({ code: 'unsupported' });
    const number = await rejectionOf(setValue(opened.core, one('Volume').id, 'loud', signal));
    expect(number).toMatchObject({ code: 'failed', details: { reason: 'not_a_number' } });
    expect(script.journal()).toEqual([]);
  }); // prettier-ignore

  it('of a slider that only takes steps is reached by steps, as far as it goes', async () => {
    const actions = { AXIncrement: MODE.does, AXDecrement: MODE.does };
    control({ role: 'AXSlider', title: 'Steps', value: 8, actions });
    await setValue(opened.core, one('Steps').id, '5', signal);
    expect(one('Steps').value).toBe('5');
    expect(await rejectionOf(setValue(opened.core, one('Steps').id, '50', signal))).toMatchObject({ code: 'failed' });
    expect(one('Steps').value).toBe('10');
    expect(await rejectionOf(setValue(opened.core, one('Steps').id, '2.5', signal))).toMatchObject({ code: 'failed' });
  });

  it('stops to be waited for when the call is aborted', async () => {
    control({ role: 'AXTextField', title: 'Pretends', value: 'old', settable: MODE.pretends });
    const aborted = AbortSignal.abort(new Error('no longer'));
    await expect(setValue(opened.core, one('Pretends').id, 'new', aborted)).rejects.toThrow('no longer');
  });
});

describe('text', () => {
  it('is inserted at the caret, also into a password field', async () => {
    for (const element of [scene.entry, scene.password]) script.text(element, 'AXSelectedText', '', MODE.does);
    await setValue(opened.core, one('Name').id, 'abc', signal);
    await insertText(opened.core, one('Name').id, 'd👋', signal);
    expect(one('Name').value).toBe('abcd👋');
    await insertText(opened.core, one('Secret').id, '!', signal);
    expect(script.journal().at(-1)).toBe(`insert ${scene.password}`);
  });

  it('that does not arrive is an error, and so is a field that takes none', async () => {
    script.text(scene.entry, 'AXSelectedText', '', MODE.pretends);
    expect(await rejectionOf(insertText(opened.core, one('Name').id, 'x', signal))).toMatchObject({ code: 'failed' });
    expect(await rejectionOf(insertText(opened.core, one('Send').id, 'x', signal))).toMatchObject({ code: 'unsupported' });
  }); // prettier-ignore
});

describe('the selection', () => {
  let list = 0;
  beforeEach(() => {
    list = control({ role: 'AXList', title: 'Fruits' });
    for (const title of ['Apple', 'Banana']) {
      script.boolean(control({ role: 'AXRow', title }, list), 'AXSelected', 0, MODE.does);
    }
  });

  it('is one row in place of another where the list takes it', async () => {
    script.emptyList(list, 'AXSelectedRows', MODE.does);
    await setSelected(opened.core, one('Banana').id, true, signal);
    await setSelected(opened.core, one('Apple').id, true, signal);
    expect(['Apple', 'Banana'].map((title) => one(title).states.selected)).toEqual([true, false]);
    await setSelected(opened.core, one('Apple').id, false, signal);
    expect(one('Apple').states.selected).toBe(false);
  });

  it('is the own flag of the row where the list takes none', async () => {
    await setSelected(opened.core, one('Banana').id, true, signal);
    expect(one('Banana').states.selected).toBe(true);
  });

  it('of a tab is a press; of what pretends or cannot it is an error', async () => {
    control({ role: 'AXRadioButton', title: 'Tab', value: 0, actions: { AXPress: MODE.does } });
    await setSelected(opened.core, one('Tab').id, true, signal);
    expect(one('Tab').states.checked).toBe(true);
    const pretends = control({ role: 'AXRow', title: 'Pretends' });
    script.boolean(pretends, 'AXSelected', 0, MODE.pretends);
    expect(await rejectionOf(setSelected(opened.core, one('Pretends').id, true, signal))).toMatchObject({ code: 'failed' });
    expect(await rejectionOf(setSelected(opened.core, one('Send').id, true, signal))).toMatchObject({ code: 'unsupported' });
  }); // prettier-ignore
});

describe('expanding', () => {
  it('works by attribute and by press, and does nothing to what is so already', async () => {
    const row = control({ role: 'AXRow', title: 'Folder' });
    script.boolean(row, 'AXDisclosing', 0, MODE.does);
    const more = control({ role: 'AXDisclosureTriangle', title: 'More', value: 0, actions: { AXPress: MODE.does } });
    for (const title of ['Folder', 'More']) {
      await setExpanded(opened.core, one(title).id, true, signal);
      await setExpanded(opened.core, one(title).id, true, signal);
      expect(one(title).states.expanded).toBe(true);
    }
    expect(script.journal()).toEqual([`set ${row} AXDisclosing 1`, `AXPress ${more}`]);
    expect(await rejectionOf(setExpanded(opened.core, one('Send').id, true, signal))).toMatchObject({ code: 'unsupported' });
  }); // prettier-ignore
});

describe('the focus', () => {
  it('goes to an element, and an error says where it did not', async () => {
    await focusElement(opened.core, one('Story').id, signal);
    expect(opened.reader.focused()?.title).toBe('Story');
    control({ role: 'AXTextField', title: 'Pretends', focusable: MODE.pretends });
    expect(await rejectionOf(focusElement(opened.core, one('Pretends').id, signal))).toMatchObject({ code: 'failed' });
    expect(await rejectionOf(focusElement(opened.core, one('Send').id, signal))).toMatchObject({ code: 'unsupported' });
    expect(opened.reader.focused()?.title).toBe('Story');
  });
});

describe('scrolling', () => {
  it('to an element is done by its application, or refused; the scroll area is what to turn the wheel over', async () => {
    const { core, reader } = opened;
    const far = one('Scrolled away');
    const scroller = scrollerOf(reader, far.id);
    expect(scroller).toMatchObject({ role: 'AXScrollArea', states: { visible: true } });
    expect(scrollerOf(reader, one('Send').id)).toBeNull();
    expect(await rejectionOf(scrollIntoView(core, reader, far.id, signal))).toMatchObject({ code: 'unsupported' });
    script.action(scene.outside, 'AXScrollToVisible', MODE.does);
    await scrollIntoView(core, reader, far.id, signal);
    expect(again(far).states.visible).toBe(true);
    expect(scrollerOf(reader, far.id)).toBeNull();
  });

  it('that changes nothing is an error', async () => {
    script.action(scene.outside, 'AXScrollToVisible', MODE.pretends);
    const far = one('Scrolled away');
    expect(await rejectionOf(scrollIntoView(opened.core, opened.reader, far.id, signal))).toMatchObject({ code: 'failed' });
  }); // prettier-ignore
});

describe('an option of a pop-up button', () => {
  interface Menu {
    press?: (typeof MODE)[keyof typeof MODE];
    choose?: (typeof MODE)[keyof typeof MODE];
    options?: string[];
  }
  let menu = 0;
  const popup = ({
    press = MODE.does,
    choose = MODE.does,
    options = ['Small', 'Large', 'Huge'],
  }: Menu = {}): Element => {
    const button = control({ role: 'AXPopUpButton', title: 'Size', value: 'Small', actions: { AXPress: press } });
    menu = addControl(script, button, { role: 'AXMenu', actions: { AXCancel: MODE.does } });
    for (const title of options) {
      addControl(script, menu, { role: 'AXMenuItem', title, enabled: title !== 'Huge', actions: { AXPress: choose } });
    }
    script.popup(button, menu);
    return one('Size');
  };
  const choose = (element: Element, value: string) => rejectionOf(setValue(opened.core, element.id, value, signal));
  const isOpen = (element: Element): boolean =>
    opened.reader.tree({ pid: MAIN.pid, elementId: element.id }, LIMITS).nodes.some(({ element: { role } }) => role === 'AXMenu'); // prettier-ignore

  it.each([
    ['', MODE.does],
    [', also where the press lasts as long as the menu', MODE.doesAndTimesOut],
  ])('is chosen in its menu%s; one that is chosen is left alone', async (_, press) => {
    const size = popup({ press });
    expect(await choose(size, 'Small')).toBeNull();
    expect(script.journal()).toEqual([]);
    expect(await choose(size, 'Large')).toBeNull();
    expect(again(size).value).toBe('Large');
    expect(isOpen(size)).toBe(false);
  });

  it('that is not there, or disabled, is an error, and the menu is closed again', async () => {
    const size = popup();
    const details = { reason: 'no_such_option', options: ['Small', 'Large', 'Huge'] };
    expect(await choose(size, 'Tiny')).toMatchObject({ code: 'failed', details });
    expect(isOpen(size)).toBe(false);
    expect(await choose(size, 'Huge')).toMatchObject({
      code: 'failed',
      text: { code: 'native.element_disabled_not_set' },
    });
    expect([isOpen(size), again(size).value]).toEqual([false, 'Small']);
  });

  it('that only says it was taken is an error', async () => {
    const size = popup({ choose: MODE.pretends });
    expect(await choose(size, 'Large')).toMatchObject({ code: 'failed', text: { code: 'native.not_chosen' } });
    expect(isOpen(size)).toBe(false);
  });

  it('whose menu does not come, or that cannot be pressed, is left to the pointer', async () => {
    const silent = popup({ press: MODE.pretends });
    expect(await choose(silent, 'Large')).toMatchObject({
      code: 'unsupported',
      text: { code: 'native.options_when_open' },
    });
    const fixed = control({ role: 'AXPopUpButton', title: 'Fixed', value: 'one' });
    expect(fixed).toBeGreaterThan(0);
    expect(await choose(one('Fixed'), 'two')).toMatchObject({
      code: 'unsupported',
      text: { code: 'native.options_not_choosable' },
    });
  });

  it('is not chosen any more once its signal has fired, and the menu is closed', async () => {
    const size = popup({ options: [] });
    const abort = new AbortController();
    const choosing = rejectionOf(setValue(opened.core, size.id, 'Large', abort.signal));
    abort.abort(new Error('enough'));
    expect(await choosing).toMatchObject({ message: 'enough' });
    expect(isOpen(size)).toBe(false);
  });
});
