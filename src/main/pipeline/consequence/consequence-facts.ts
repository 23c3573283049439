/** Reads what an act with consequences is about: recipient, amount, text, or what would be deleted. */
import { message, MessageError, type Message } from '../../../messages/index.js';
import type { DesktopReader, Element, Scope } from '../../../native/desktop.js';
import type { Fact } from '../plan.js';
import { isAmount } from './naming.js';
import type { Recognised } from './recognise.js';
import { fieldsIn, itemsIn, takesPayment, textsIn } from './surroundings.js';

/** Says what could not be read. */
export class UnreadableFacts extends MessageError {
  override readonly name = 'UnreadableFacts';
}

export interface ReadFacts {
  facts: readonly Fact[];
  /** What of it could not be read; the person is then told, and asked each time. */
  unread: Message | null;
}

const MAX_TEXTS = 2000;
const MAX_NEARBY_TEXTS = 20;
const NEARBY_LEVELS = 8;

export async function readConsequenceFacts(
  desktop: DesktopReader,
  found: Recognised,
  signal: AbortSignal,
): Promise<ReadFacts> {
  const { kind, around } = found;
  if (kind === 'delete') {
    const selected = await selectedItems(desktop, found, signal);
    return { facts: selected.length > 0 ? selected : await nearbyTexts(desktop, found, signal), unread: null };
  }
  const fields = await readClosestFields(desktop, around.scopes, signal);
  const pays = kind === 'pay' || kind === 'buy';
  const paying = pays || fields.some(({ payment }) => payment);
  const amounts = paying ? await readAmounts(desktop, found, signal) : [];
  const unread = pays && amounts.length === 0 ? message('note.no_amount') : null;
  const facts = [...fields.map(({ fact }) => fact), ...amounts];
  if (facts.length > 0) return { facts, unread };
  const [first] = found.chain.length > 0 ? found.chain : (await textsIn(desktop, around.root, 1, signal)).elements;
  if (first === undefined) return { facts: [], unread: message('note.no_content') };
  return { facts: await nearbyTexts(desktop, found, signal), unread };
}

/** The fields of the closest scope that has any. */
async function readClosestFields(desktop: DesktopReader, scopes: readonly Scope[], signal: AbortSignal) {
  for (const scope of scopes) {
    const { elements, whole } = await fieldsIn(desktop, scope, signal);
    if (!whole) throw new UnreadableFacts(message('note.not_whole'));
    if (elements.length > 0) return elements.filter(({ states }) => !states.secure).map(fieldFact);
  }
  return [];
}

function fieldFact(field: Element): { fact: Fact; payment: boolean } {
  const payment = takesPayment(field);
  const label = field.title || field.description || field.identifier;
  if (field.value === null) throw new UnreadableFacts(message('note.field_unreadable', { label }));
  const value = payment ? maskValue(field.value) : field.value.replaceAll('\u2029', '\n').trim();
  return { fact: { id: field.id, label, value }, payment };
}

/** Shows enough to notice a different value, too little to use it. */
export const maskValue = (value: string): string => {
  const signs = [...value];
  return '•'.repeat(Math.max(0, signs.length - 2)) + (signs.length > 4 ? signs.slice(-2).join('') : '');
};

const textOf = ({ value, title }: Element): string => ((value ?? '') === '' ? title : (value ?? '')).trim();

/** Amounts, each labelled with the text right before it. */
async function readAmounts(
  desktop: DesktopReader,
  { around, control, chain, names = [] }: Recognised,
  signal: AbortSignal,
): Promise<Fact[]> {
  const { elements, whole } = await textsIn(desktop, around.root, MAX_TEXTS, signal);
  if (!whole) throw new UnreadableFacts(message('note.not_whole'));
  const texts = elements.map((one) => ({ id: one.id, value: textOf(one) })).filter(({ value }) => value !== '');
  // A heading contains its text as a separate element.
  const once = texts.filter(({ value }, index) => value !== texts[index - 1]?.value);
  const facts = once.map((text, index) => ({ ...text, label: once[index - 1]?.value ?? '' }));
  const [id = ''] = [control?.id, chain[0]?.id].filter((one) => one !== undefined);
  const own = names.map((value) => ({ id, label: '', value }));
  return [...facts, ...own].filter(({ value }) => isAmount(value));
}

/** The selected items around it; for keys, the focused item. */
async function selectedItems(
  desktop: DesktopReader,
  { chain, around, control }: Recognised,
  signal: AbortSignal,
): Promise<Fact[]> {
  const { elements } = await itemsIn(desktop, around.root, signal);
  const [own] = chain;
  const selected = elements.filter(({ states }) => states.selected === true);
  const items = selected.length > 0 || control !== null || own === undefined ? selected : [own];
  return items
    .map((item) => ({ id: item.id, label: '', value: textOf(item) || item.description }))
    .filter(({ value }) => value !== '');
}

/** The texts of the nearest ancestor that has any besides its own. */
async function nearbyTexts(
  desktop: DesktopReader,
  { chain, around, control }: Recognised,
  signal: AbortSignal,
): Promise<Fact[]> {
  const [own] = chain;
  const self = control ?? own;
  if (self === undefined) return [];
  const above = chain.slice(chain.indexOf(self) + 1, chain.indexOf(self) + 1 + NEARBY_LEVELS);
  for (const one of above) {
    if (one.role === 'AXApplication') break;
    const { elements } = await textsIn(desktop, { pid: self.pid, elementId: one.id }, MAX_NEARBY_TEXTS, signal);
    const texts = elements.filter((text) => textOf(text) !== '' && textOf(text) !== textOf(self));
    if (texts.length > 0) return texts.map((text) => ({ id: text.id, label: '', value: textOf(text) }));
    if (around.root.elementId === one.id) break;
  }
  return [];
}
