/** Writes a colour into the colour field of a page of Chromium, in the picker that it opens. */
import type { DesktopActor, Element } from '../../native/desktop.js';
import { message } from '../../messages/index.js';
import { poll } from '../../base/poll.js';
import { WireError } from '../protocol/index.js';
import { pressKey } from './click.js';
import { clearByKeys, focusField } from './type-text.js';

const COLOUR = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i;
const LIMITS = { maxDepth: 12, maxNodes: 100, timeoutMs: 3000, visibleOnly: true };
const OPENS_MS = 3_000;
const TAKEN_MS = 1_000;
const STEP_MS = 40;

/** Resolves with the colour that the picker held when it was closed, or null where the field is none of colours. */
export async function writeColour(
  desktop: DesktopActor,
  field: Element,
  value: string,
  signal: AbortSignal,
): Promise<string | null> {
  const channels = COLOUR.exec(value.trim())?.slice(1);
  if (channels === undefined)
    throw new WireError('DESKTOP_INVALID_REQUEST', message('error.colour_form', { form: '#ff8800' }), {
      reason: 'colour_form',
      form: '#ff8800',
    });
  await desktop.performAction(field.id, 'AXPress', signal);
  const shown = () => fieldsOfPicker(desktop, field, signal);
  const opened = async () => ((await shown()).length > 0 ? shown() : null);
  const fields = (await poll(opened, OPENS_MS, signal, STEP_MS)) ?? [];
  const texts =
    fields.length === 1 ? [channels.join('')] : channels.map((channel) => String(Number.parseInt(channel, 16)));
  const numbers = fields.every(({ value: now }) => /^\d{1,3}$/.test(now ?? ''));
  const known = fields.length === 1 || (fields.length === 3 && numbers);
  const held = known && (await writeTexts(desktop, fields, texts, signal));
  await pressKey(desktop, held ? 'enter' : 'escape', signal);
  const closed = async () => (await shown()).length === 0 || null;
  return held && (await poll(closed, TAKEN_MS, signal, STEP_MS)) === true ? value.trim().toLowerCase() : null;
}

/** Its picker is part of it while it is open: a field for each channel, or one for all. */
async function fieldsOfPicker(desktop: DesktopActor, { id, pid }: Element, signal: AbortSignal): Promise<Element[]> {
  const { nodes } = await desktop.tree({ pid, elementId: id }, LIMITS, signal);
  return nodes.slice(1).flatMap(({ element }) => (element.states.editable ? [element] : []));
}

async function writeTexts(
  desktop: DesktopActor,
  fields: readonly Element[],
  texts: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  for (const [index, one] of fields.entries()) {
    const text = texts[index] ?? '';
    await focusField(desktop, one, signal);
    await clearByKeys(desktop, signal);
    await desktop.typeText(text, signal);
    const taken = async () => (await desktop.element(one.id, signal)).value?.replace('#', '') === text || null;
    if ((await poll(taken, TAKEN_MS, signal, STEP_MS)) === null) return false;
  }
  return true;
}
