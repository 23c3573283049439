/** Options of a pop-up button. They show only in its menu, which is opened, and closed again where nothing was chosen. */
import { poll } from '../../../base/poll.js';
import { DesktopError } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { Scope } from '../foundation/scope.js';
import { becomes, requireEnabled } from './actions.js';
import { nullWithoutAnswer } from './answers.js';
import { ACTION, ATTRIBUTE, ROLE } from './names.js';
import { listOf, textOf, truthOf } from './plain.js';

type Look = { state: 'pressed' | 'disabled' } | { state: 'missing'; options: string[] };

const MENU_LIMIT_MS = 1500;
const LOOK_MS = 25;
const MOST_TOLD = 50;
const ITEM = [ATTRIBUTE.title, ATTRIBUTE.enabled] as const;

export async function chooseOption(core: Core, ref: Ref, value: string, signal: AbortSignal): Promise<void> {
  requireEnabled(core, ref, message('native.element_disabled_not_set'));
  const isChosen = (): boolean =>
    core.scoped((scope) => textOf(core.ax.attribute(scope, ref, ATTRIBUTE.value))) === value;
  if (isChosen()) return;
  // Where the press does not come back in time the menu is open all the same: it lasts as long as its menu.
  if (core.ax.perform(ref, ACTION.press) === 'unsupported') {
    throw new DesktopError('unsupported', message('native.options_not_choosable'));
  }
  let chosen = false;
  try {
    const look = await poll(async () => pressOption(core, ref, value), MENU_LIMIT_MS, signal, LOOK_MS);
    requirePressed(look, value);
    chosen = await becomes(isChosen, signal);
  } finally {
    if (!chosen) closeMenu(core, ref);
  }
  if (!chosen) throw new DesktopError('failed', message('native.not_chosen', { value }));
}

function requirePressed(look: Look | null, value: string): void {
  if (look === null) throw new DesktopError('unsupported', message('native.options_when_open'));
  if (look.state === 'missing') {
    const details = { reason: 'no_such_option', options: look.options.slice(0, MOST_TOLD) };
    throw new DesktopError('failed', message('native.no_such_option', { value }), details);
  }
  if (look.state === 'disabled') throw new DesktopError('failed', message('native.element_disabled_not_set'));
}

/** null where the menu does not show yet. */
function pressOption(core: Core, ref: Ref, value: string): Look | null {
  const { ax, scoped } = core;
  return scoped((scope) => {
    const items = menusOf(core, scope, ref).flatMap((menu) => listOf(ax.attribute(scope, menu, ATTRIBUTE.children)));
    if (items.length === 0) return null;
    const known = items.map((item) => {
      const [title, enabled] = ax.attributes(scope, item, ITEM);
      return { item, title: textOf(title) ?? '', enabled: truthOf(enabled) !== false };
    });
    const found = known.find(({ title }) => title === value);
    if (found === undefined) {
      return { state: 'missing', options: known.map(({ title }) => title).filter((title) => title !== '') };
    }
    if (!found.enabled) return { state: 'disabled' };
    ax.perform(found.item, ACTION.press);
    return { state: 'pressed' };
  });
}

const menusOf = ({ ax }: Core, scope: Scope, ref: Ref): Ref[] =>
  listOf(ax.attribute(scope, ref, ATTRIBUTE.children)).filter(
    (child) => textOf(ax.attribute(scope, child, ATTRIBUTE.role)) === ROLE.menu,
  );

/** An application that does not answer keeps it open. */
function closeMenu(core: Core, ref: Ref): void {
  const { ax, scoped } = core;
  nullWithoutAnswer(() =>
    scoped((scope) => menusOf(core, scope, ref).forEach((menu) => void ax.perform(menu, ACTION.cancel))),
  );
}
