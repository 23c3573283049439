import type { ElementStates } from '../../desktop.js';
import type { Ref } from './bus.js';

/** AT-SPI roles by their number (names differ between toolkits): AT-SPI's own name, and the AX role given to callers. */

const ROLES: readonly (readonly [string, string])[] = [
  ['invalid', 'AXUnknown'], ['accelerator label', 'AXStaticText'], ['alert', 'AXSheet'], ['animation', 'AXImage'],
  ['arrow', 'AXButton'], ['calendar', 'AXGroup'], ['canvas', 'AXGroup'], ['check box', 'AXCheckBox'],
  ['check menu item', 'AXMenuItem'], ['color chooser', 'AXColorWell'], ['column header', 'AXColumn'],
  ['combo box', 'AXComboBox'], ['date editor', 'AXDateField'], ['desktop icon', 'AXImage'], ['desktop frame', 'AXGroup'],
  ['dial', 'AXSlider'], ['dialog', 'AXWindow'], ['directory pane', 'AXGroup'], ['drawing area', 'AXGroup'],
  ['file chooser', 'AXWindow'], ['filler', 'AXGroup'], ['focus traversable', 'AXGroup'], ['font chooser', 'AXWindow'],
  ['frame', 'AXWindow'], ['glass pane', 'AXGroup'], ['html container', 'AXWebArea'], ['icon', 'AXImage'],
  ['image', 'AXImage'], ['internal frame', 'AXGroup'], ['label', 'AXStaticText'], ['layered pane', 'AXGroup'],
  ['list', 'AXList'], ['list item', 'AXRow'], ['menu', 'AXMenu'], ['menu bar', 'AXMenuBar'], ['menu item', 'AXMenuItem'],
  ['option pane', 'AXGroup'], ['page tab', 'AXRadioButton'], ['page tab list', 'AXTabGroup'], ['panel', 'AXGroup'],
  ['password text', 'AXTextField'], ['popup menu', 'AXMenu'], ['progress bar', 'AXProgressIndicator'],
  ['push button', 'AXButton'], ['radio button', 'AXRadioButton'], ['radio menu item', 'AXMenuItem'],
  ['root pane', 'AXGroup'], ['row header', 'AXCell'], ['scroll bar', 'AXScrollBar'], ['scroll pane', 'AXScrollArea'],
  ['separator', 'AXSplitter'], ['slider', 'AXSlider'], ['spin button', 'AXIncrementor'], ['split pane', 'AXSplitGroup'],
  ['status bar', 'AXGroup'], ['table', 'AXTable'], ['table cell', 'AXCell'], ['table column header', 'AXCell'],
  ['table row header', 'AXCell'], ['tearoff menu item', 'AXMenuItem'], ['terminal', 'AXTextArea'], ['text', 'AXTextField'],
  ['toggle button', 'AXCheckBox'], ['tool bar', 'AXToolbar'], ['tool tip', 'AXHelpTag'], ['tree', 'AXOutline'],
  ['tree table', 'AXOutline'], ['unknown', 'AXUnknown'], ['viewport', 'AXGroup'], ['window', 'AXWindow'],
  ['extended', 'AXUnknown'], ['header', 'AXGroup'], ['footer', 'AXGroup'], ['paragraph', 'AXGroup'], ['ruler', 'AXRuler'],
  ['application', 'AXApplication'], ['autocomplete', 'AXComboBox'], ['edit bar', 'AXTextField'], ['embedded', 'AXGroup'],
  ['entry', 'AXTextField'], ['chart', 'AXImage'], ['caption', 'AXStaticText'], ['document frame', 'AXWebArea'],
  ['heading', 'AXHeading'], ['page', 'AXGroup'], ['section', 'AXGroup'], ['redundant object', 'AXUnknown'],
  ['form', 'AXGroup'], ['link', 'AXLink'], ['input method window', 'AXWindow'], ['table row', 'AXRow'],
  ['tree item', 'AXRow'], ['document spreadsheet', 'AXTable'], ['document presentation', 'AXGroup'],
  ['document text', 'AXTextArea'], ['document web', 'AXWebArea'], ['document email', 'AXGroup'], ['comment', 'AXGroup'],
  ['list box', 'AXList'], ['grouping', 'AXGroup'], ['image map', 'AXImage'], ['notification', 'AXGroup'],
  ['info bar', 'AXGroup'], ['level bar', 'AXLevelIndicator'], ['title bar', 'AXGroup'], ['block quote', 'AXGroup'],
  ['audio', 'AXGroup'], ['video', 'AXGroup'], ['definition', 'AXGroup'], ['article', 'AXGroup'], ['landmark', 'AXGroup'],
  ['log', 'AXGroup'], ['marquee', 'AXGroup'], ['math', 'AXGroup'], ['rating', 'AXLevelIndicator'], ['timer', 'AXStaticText'],
  ['static', 'AXStaticText'], ['math fraction', 'AXGroup'], ['math root', 'AXGroup'], ['subscript', 'AXGroup'],
  ['superscript', 'AXGroup'], ['description list', 'AXList'], ['description term', 'AXGroup'],
  ['description value', 'AXGroup'], ['footnote', 'AXGroup'], ['content deletion', 'AXGroup'],
  ['content insertion', 'AXGroup'], ['mark', 'AXGroup'], ['suggestion', 'AXGroup'], ['push button menu', 'AXMenuButton'],
  ['switch', 'AXCheckBox'],
]; // prettier-ignore

export const ROLE = {
  alert: 2, checkBox: 7, checkMenuItem: 8, comboBox: 11, dateEditor: 12, dial: 15, dialog: 16, fileChooser: 19, frame: 23, internalFrame: 28, label: 29, list: 31,
  listItem: 32, menu: 33, menuItem: 35, pageTab: 37, panel: 39, passwordText: 40, popupMenu: 41, progressBar: 42, pushButton: 43, radioButton: 44, radioMenuItem: 45, scrollBar: 48, scrollPane: 49, slider: 51,
  spinButton: 52, table: 55, tableCell: 56, tableColumnHeader: 57, tableRowHeader: 58, terminal: 60, text: 61, toggleButton: 62, toolBar: 63, toolTip: 64, tree: 65, treeTable: 66, window: 69, paragraph: 73, application: 75,
  autocomplete: 76, editBar: 77, entry: 79, caption: 81, heading: 83, link: 88, tableRow: 90, treeItem: 91, documentText: 94, documentWeb: 95, listBox: 98, levelBar: 103,
  timer: 115, static: 116, switch: 130,
} as const; // prettier-ignore

/** What has rows. */
export const LISTS: ReadonlySet<unknown> = new Set<unknown>([
  ROLE.list,
  ROLE.listBox,
  ROLE.table,
  ROLE.treeTable,
  ROLE.tree,
]);

const CHECKABLE: ReadonlySet<number> = new Set([
  ROLE.checkBox, ROLE.checkMenuItem, ROLE.radioButton, ROLE.radioMenuItem, ROLE.toggleButton, ROLE.switch,
]); // prettier-ignore

/** A press on their content is a press on them. */
export const PRESSED: ReadonlySet<number> = new Set([
  ...CHECKABLE, ROLE.pushButton, ROLE.menuItem, ROLE.pageTab, ROLE.link, ROLE.comboBox,
]); // prettier-ignore

/** What a toolkit can tell that it draws in a table, a tree or a list: 10, 47, 57 and 58 are headers. */
export const CELLS: ReadonlySet<number> = new Set([
  10, 47, 57, 58, ...CHECKABLE, ROLE.label, ROLE.listItem, ROLE.tableCell, ROLE.tableRow, ROLE.treeItem, ROLE.static, 26, 27,
]); // prettier-ignore

/** Their text is their value. */
export const TEXTUAL: ReadonlySet<number> = new Set([
  ROLE.terminal, ROLE.text, ROLE.editBar, ROLE.entry, ROLE.autocomplete, ROLE.paragraph, ROLE.documentText,
  ROLE.caption, ROLE.heading, ROLE.label, ROLE.static, ROLE.timer, ROLE.comboBox,
]); // prettier-ignore

/** Their number is their value. */
export const NUMERIC: ReadonlySet<number> = new Set([
  ROLE.dial, ROLE.progressBar, ROLE.scrollBar, ROLE.slider, ROLE.spinButton, ROLE.levelBar,
]); // prettier-ignore

/** Named by a label next to them; in GTK 4, menu items by a label inside. */
export const LABELLED: ReadonlySet<number> = new Set([
  ROLE.comboBox, ROLE.dial, ROLE.passwordText, ROLE.slider, ROLE.spinButton, ROLE.text, ROLE.entry, ROLE.editBar,
  ROLE.menuItem, ROLE.checkMenuItem, ROLE.radioMenuItem,
]); // prettier-ignore

export const TOP_LEVEL: ReadonlySet<number> = new Set([
  ROLE.frame,
  ROLE.dialog,
  ROLE.window,
  ROLE.alert,
  ROLE.fileChooser,
]);

export function nativeRole(role: number): string {
  return ROLES[role]?.[0] ?? `role ${role}`;
}

/** `depth` counts from the application root, whose children are windows even where Qt calls them fillers. */
export function axRole(role: number, multiLine: boolean, depth: number): string {
  if (depth === 1 && ROLES[role]?.[1] === 'AXGroup') return 'AXWindow';
  if ((role === ROLE.text || role === ROLE.entry) && multiLine) return 'AXTextArea';
  return ROLES[role]?.[1] ?? 'AXUnknown';
}

/** The roles that are reported as `reported`, an AX role or AT-SPI's own; null where it could be one that is not known here. */
export function rolesReportedAs(reported: string): readonly number[] | null {
  if (reported === 'AXUnknown' || reported.startsWith('role ')) return null;
  return ROLES.flatMap(([native], role) =>
    native === reported ||
    [0, 1].some((depth) => [true, false].some((multiLine) => axRole(role, multiLine, depth) === reported))
      ? [role]
      : [],
  );
}

/** AT-SPI's numbers for states; a state set is two 32-bit words. */
export const STATE = {
  active: 1, busy: 3, checked: 4, defunct: 6, editable: 7, enabled: 8, expandable: 9, expanded: 10, focusable: 11, focused: 12,
  iconified: 15, modal: 16, multiLine: 17, pressed: 20, selectable: 22, selected: 23, sensitive: 24, showing: 25,
  visible: 30, managesDescendants: 31, checkable: 41, readOnly: 43,
} as const; // prettier-ignore

export type StateSet = readonly [number, number];

export function has(states: StateSet, state: number): boolean {
  const word = states[state >> 5] ?? 0;
  return ((word >>> (state & 31)) & 1) === 1;
}

export function withState([low, high]: StateSet, state: number): StateSet {
  return state < 32 ? [(low | (1 << state)) >>> 0, high] : [low, (high | (1 << (state - 32))) >>> 0];
}

export function withoutState([low, high]: StateSet, state: number): StateSet {
  return state < 32 ? [(low & ~(1 << state)) >>> 0, high] : [low, (high & ~(1 << (state - 32))) >>> 0];
}

export function stateSet(value: unknown): StateSet {
  if (!Array.isArray(value)) return [0, 0];
  const [low, high]: unknown[] = value;
  return [typeof low === 'number' ? low : 0, typeof high === 'number' ? high : 0];
}

export function describeStates(role: number, set: StateSet, secure: boolean): ElementStates {
  const is = (state: number): boolean => has(set, state);
  const checkable = CHECKABLE.has(role) || is(STATE.checkable);
  return {
    enabled: is(STATE.enabled) || is(STATE.sensitive),
    visible: is(STATE.showing),
    focused: is(STATE.focused),
    editable: is(STATE.editable) && !is(STATE.readOnly),
    secure,
    checked: checkable ? is(STATE.checked) || (role === ROLE.toggleButton && is(STATE.pressed)) : null,
    selected: is(STATE.selectable) || is(STATE.selected) ? is(STATE.selected) : tabSelected(role, set),
    expanded: is(STATE.expandable) ? is(STATE.expanded) : null,
  };
}

/** Qt reports the selected tab only as focused. */
function tabSelected(role: number, set: StateSet): boolean | null {
  return role === ROLE.pageTab ? has(set, STATE.focused) : null;
}

/** The properties of one accessible object, without its position and value. */
export interface AccessibleObject {
  ref: Ref;
  role: number;
  name: string;
  description: string;
  states: StateSet;
  interfaces: ReadonlySet<string>;
  /** -1 where the cache does not say. */
  childCount: number;
  /** Left out where the cache does not say. */
  parent?: Ref;
  /** Both left out where they are still to be asked for. */
  identifier?: string;
  attributes?: ReadonlyMap<string, unknown>;
}

/** From what an application replies; what is of another type is left out. */
export function makeObject(
  ref: Ref,
  role: unknown,
  states: unknown,
  interfaces: unknown,
  name: unknown,
  description: unknown,
  childCount: unknown,
): AccessibleObject {
  return {
    ref,
    role: typeof role === 'number' ? role : 0,
    name: typeof name === 'string' ? name : '',
    description: typeof description === 'string' ? description : '',
    states: stateSet(states),
    interfaces: interfaceSet(interfaces),
    childCount: typeof childCount === 'number' ? childCount : 0,
  };
}

/** By the last part of their names. */
export function interfaceSet(value: unknown): ReadonlySet<string> {
  const names = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  return new Set(names.map((one) => one.slice(one.lastIndexOf('.') + 1)));
}

export const attributeMap = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : []);
