/** Aliases for accessibility roles. Pure. */

/** Aliases (lower case, without spaces) and their role names: AX roles, or native ones where AX is less exact. */
// prettier-ignore
const SPELLINGS: ReadonlyMap<string, readonly string[]> = new Map([
  ['pushbutton', ['AXButton']], ['btn', ['AXButton']],
  ['togglebutton', ['toggle button']], ['toggle', ['toggle button', 'switch', 'AXSwitch', 'AXToggle']],
  ['switch', ['switch', 'AXSwitch']], ['checkbox', ['AXCheckBox']], ['checkmenuitem', ['check menu item']],
  ['radio', ['radio button', 'AXRadioButton']], ['radiobutton', ['AXRadioButton']], ['radiomenuitem', ['radio menu item']],
  ['tab', ['page tab', 'AXTab', 'AXTabButton']], ['pagetab', ['page tab', 'AXTab', 'AXTabButton']],
  ['tablist', ['AXTabGroup']], ['pagetablist', ['AXTabGroup']], ['tabs', ['AXTabGroup']],
  ['text', ['AXTextField', 'AXTextArea']], ['textbox', ['AXTextField', 'AXTextArea']], ['input', ['AXTextField', 'AXTextArea', 'AXComboBox', 'AXIncrementor']],
  ['entry', ['AXTextField', 'AXTextArea']], ['edit', ['AXTextField', 'AXTextArea']], ['editor', ['AXTextArea']],
  ['textfield', ['AXTextField']], ['searchbox', ['AXTextField', 'AXSearchField']], ['searchfield', ['AXTextField', 'AXSearchField']],
  ['textarea', ['AXTextArea']], ['multilinetext', ['AXTextArea']], ['terminal', ['terminal']],
  ['password', ['password text', 'AXSecureTextField']], ['passwordtext', ['password text', 'AXSecureTextField']],
  ['securetextfield', ['password text', 'AXSecureTextField']], ['passwordfield', ['password text', 'AXSecureTextField']],
  ['label', ['AXStaticText']], ['static', ['AXStaticText']], ['statictext', ['AXStaticText']],
  ['link', ['AXLink']], ['hyperlink', ['AXLink']], ['heading', ['AXHeading']],
  ['combobox', ['AXComboBox', 'AXPopUpButton']], ['combo', ['AXComboBox', 'AXPopUpButton']], ['dropdown', ['AXComboBox', 'AXPopUpButton', 'AXMenuButton']],
  ['select', ['AXComboBox', 'AXPopUpButton']], ['popupbutton', ['AXPopUpButton', 'AXComboBox']], ['popup', ['AXPopUpButton', 'AXComboBox']],
  ['menubutton', ['AXMenuButton']], ['menu', ['AXMenu']], ['popupmenu', ['AXMenu']], ['menubar', ['AXMenuBar']], ['menuitem', ['AXMenuItem', 'AXMenuBarItem']],
  ['list', ['AXList']], ['listbox', ['AXList']], ['listview', ['AXList']], ['row', ['AXRow']], ['tablerow', ['AXRow']],
  ['listitem', ['list item', 'AXRow']], ['treeitem', ['tree item', 'AXRow']], ['option', ['list item', 'menu item', 'AXRow']],
  ['table', ['AXTable']], ['grid', ['AXTable']], ['cell', ['AXCell']], ['tablecell', ['AXCell']], ['gridcell', ['AXCell']],
  ['columnheader', ['AXColumn', 'table column header']], ['tree', ['AXOutline']], ['treetable', ['AXOutline']], ['outline', ['AXOutline']],
  ['slider', ['AXSlider']], ['spinbutton', ['AXIncrementor', 'AXStepper']], ['spinbox', ['AXIncrementor', 'AXStepper']], ['stepper', ['AXIncrementor', 'AXStepper']],
  ['incrementor', ['AXIncrementor']], ['progressbar', ['AXProgressIndicator']], ['progress', ['AXProgressIndicator']], ['progressindicator', ['AXProgressIndicator']],
  ['scrollbar', ['AXScrollBar']], ['scrollarea', ['AXScrollArea']], ['scrollpane', ['AXScrollArea']], ['scrollview', ['AXScrollArea']],
  ['window', ['AXWindow']], ['frame', ['AXWindow']], ['dialog', ['dialog', 'alert', 'file chooser', 'AXSheet', 'AXDialog']], ['alert', ['alert', 'AXSheet']], ['sheet', ['AXSheet']],
  ['image', ['AXImage']], ['img', ['AXImage']], ['picture', ['AXImage']], ['icon', ['AXImage']],
  ['group', ['AXGroup']], ['panel', ['panel', 'AXGroup']], ['toolbar', ['AXToolbar']], ['separator', ['AXSplitter']], ['splitter', ['AXSplitter']],
  ['webarea', ['AXWebArea']], ['document', ['AXWebArea', 'document text', 'document frame']], ['documentweb', ['AXWebArea']], ['webview', ['AXWebArea']],
  ['tooltip', ['AXHelpTag']], ['application', ['AXApplication']], ['app', ['AXApplication']], ['disclosuretriangle', ['AXDisclosureTriangle']],
]);

/** AX roles that have other names on some platforms. */
const RENAMED_ROLES: ReadonlySet<string> = new Set([
  'AXTab', 'AXTabButton', 'AXSwitch', 'AXToggle', 'AXSecureTextField', 'AXDialog', 'AXPopUpButton', 'AXSearchField', 'AXStepper',
]); // prettier-ignore

/** The role names that a caller may mean: `AXButton`, `button`, `push button`, `Button` and `AXButton (button)` are the same. */
export function parseRole(given: string): string[] {
  const name = given.replace(/\s*\([^()]*\)\s*$/, '').trim();
  if (/^AX[A-Z]/.test(name) && !RENAMED_ROLES.has(name)) return [name];
  const words = name.replace(/^ax(?=.)/i, '').split(/[\s_-]+/);
  const known = SPELLINGS.get(words.join('').toLowerCase());
  if (known !== undefined) return [...known];
  return [
    `AX${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`,
    words.join(' ').toLowerCase(),
  ];
}

/** The role without AX. */
export const shortRole = (role: string): string => role.replace(/^AX(?=.)/, '');
