/** Reads what an act with consequences is about: recipient, amount, text, or what would be deleted. */
import { message, MessageError } from '../../../messages/index.js';
import type { DesktopReader, Element, Scope } from '../../../native/desktop.js';
import type { Fact } from '../plan.js';
import { isAmount } from './naming.js';
import type { Recognised } from './recognise.js';
import { fieldsIn, itemsIn, takesPayment, textsIn } from './surroundings.js';

/** The facts cannot be read; the act is then refused. */
export class UnreadableFacts extends MessageError {
  override readonly name: string = 'UnreadableFacts';
}

/** There is more than could be read, as with a long list or without accessibility; the person is then asked each time. */
export class IncompleteFacts extends UnreadableFacts {
  override readonly name = 'IncompleteFacts';
}

const MAX_TEXTS = 2000;
const MAX_NEARBY_TEXTS = 20;
const NEARBY_LEVELS = 8;

export async function readConsequenceFacts(
  desktop: DesktopReader,
  found: Recognised,
  signal: AbortSignal,
): Promise<Fact[]> {
  const { kind, around } = found;
  if (kind === 'delete') {
    const selected = await selectedItems(desktop, found, signal);
    return selected.length > 0 ? selected : nearbyTexts(desktop, found, signal);
  }
  const fields = await readClosestFields(desktop, around.scopes, signal);
  const paying = kind === 'pay' || kind === 'buy' || fields.some(({ payment }) => payment);
  const amounts = paying ? await readAmounts(desktop, found, signal) : [];
  const pays = kind === 'pay' && (found.control === null || found.control.role === 'AXButton');
  if (pays && amounts.length === 0) throw new UnreadableFacts(message('error.no_amount'));
  const facts = [...fields.map(({ fact }) => fact), ...amounts];
  if (facts.length > 0) return facts;
  const [first] = found.chain.length > 0 ? found.chain : (await textsIn(desktop, around.root, 1, signal)).elements;
  if (first === undefined) throw new UnreadableFacts(message('error.no_content'));
  return nearbyTexts(desktop, found, signal);
}

/** The fields of the closest scope that has any. */
async function readClosestFields(desktop: DesktopReader, scopes: readonly Scope[], signal: AbortSignal) {
  for (const scope of scopes) {
    const { elements, whole } = await fieldsIn(desktop, scope, signal);
    if (!whole) throw new IncompleteFacts(message('error.too_much_content'));
    if (elements.length > 0) return elements.filter(({ states }) => !states.secure).map(fieldFact);
  }
  return [];
}

function fieldFact(field: Element): { fact: Fact; payment: boolean } {
  const payment = takesPayment(field);
  const label = field.title || field.description || field.identifier;
  if (field.value === null) throw new UnreadableFacts(message('error.field_unreadable', { label }));
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
  if (!whole) throw new IncompleteFacts(message('error.too_much_content'));
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
