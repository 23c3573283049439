import { expect, it } from 'vitest';
import { message } from '../../../src/messages/index.js';
import { DesktopError } from '../../../src/native/desktop.js';
import { makeObject, ROLE } from '../../../src/native/linux/atspi/accessible-object.js';
import { readActions } from '../../../src/native/linux/atspi/actions.js';
import type { AccessibilityBus } from '../../../src/native/linux/atspi/bus.js';
import { isDateText } from '../../../src/native/linux/atspi/describe.js';

type Asked = Pick<AccessibilityBus, 'call' | 'property'>;
const ref = { bus: ':1.1', path: '/field' };
const field = makeObject(ref, ROLE.spinButton, [0, 0], ['EditableText', 'Value', 'Text'], 'guests', '', 0);
const ask = (bus: Asked) => isDateText(bus, field, AbortSignal.timeout(10_000));
const refused = () => Promise.reject(new DesktopError('failed', message('native.app_slow')));

it('tells a date of Qt by its limits of 0, and a number field that refuses to tell its limits from it', async () => {
  const call = () => Promise.resolve(['09/03/2027']);
  const limitsOf = (limit: () => Promise<unknown>) => (_: unknown, name: string) =>
    name === 'Text.CharacterCount' ? Promise.resolve(10) : limit();
  expect(await ask({ call, property: limitsOf(() => Promise.resolve(0)) })).toBe(true);
  expect(await ask({ call, property: limitsOf(refused) })).toBe(false);
  const lost = () => Promise.reject(new DesktopError('lost', message('display.closed')));
  await expect(ask({ call, property: limitsOf(lost) })).rejects.toThrow(DesktopError);
});

it('asks Thunderbird for each name of an action: it ends when asked for the list in an open menu', async () => {
  const item = makeObject(ref, ROLE.menuItem, [0, 0], ['Action'], 'Save', '', 0);
  const told: Record<string, unknown> = { 'Application.ToolkitName': 'Gecko', 'Action.NActions': 2 };
  const bus: Asked = {
    property: async (_, name) => told[name],
    call: async (_, name, given) => {
      if (name !== 'Action.GetName') throw new DesktopError('lost', message('display.closed'));
      return [given?.body?.[0] === 0 ? 'press' : 'expand'];
    },
  };
  expect(await readActions(bus, item, AbortSignal.timeout(10_000))).toEqual(['AXPress', 'AXExpand']);
});
