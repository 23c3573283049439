/** Names of attributes, roles and subroles. Source: AXAttributeConstants.h, AXRoleConstants.h; those marked are of applications and in no header. */

export const ATTRIBUTE = {
  role: 'AXRole',
  subrole: 'AXSubrole',
  title: 'AXTitle',
  titleElement: 'AXTitleUIElement',
  description: 'AXDescription',
  help: 'AXHelp',
  value: 'AXValue',
  enabled: 'AXEnabled',
  focused: 'AXFocused',
  frame: 'AXFrame',
  position: 'AXPosition',
  size: 'AXSize',
  parent: 'AXParent',
  children: 'AXChildren',
  windows: 'AXWindows',
  rows: 'AXRows',
  columns: 'AXColumns',
  visibleRows: 'AXVisibleRows',
  selected: 'AXSelected',
  expanded: 'AXExpanded',
  disclosing: 'AXDisclosing',
  selectedRows: 'AXSelectedRows',
  selectedChildren: 'AXSelectedChildren',
  selectedCells: 'AXSelectedCells',
  selectedText: 'AXSelectedText',
  characterCount: 'AXNumberOfCharacters',
  markChar: 'AXMenuItemMarkChar',
  identifier: 'AXIdentifier',
  /** Of browsers. */
  domIdentifier: 'AXDOMIdentifier',
  url: 'AXURL',
  document: 'AXDocument',
  minimized: 'AXMinimized',
  modal: 'AXModal',
  minimizeButton: 'AXMinimizeButton',
  closeButton: 'AXCloseButton',
  /** In no header. */
  fullScreen: 'AXFullScreen',
  focusedApplication: 'AXFocusedApplication',
  focusedElement: 'AXFocusedUIElement',
  focusedWindow: 'AXFocusedWindow',
  mainWindow: 'AXMainWindow',
  window: 'AXWindow',
  main: 'AXMain',
  frontmost: 'AXFrontmost',
  /** In no header, with a parameter: of browsers. */
  search: 'AXUIElementsForSearchPredicate',
  /** In no header: of Chromium and Electron. */
  manualAccessibility: 'AXManualAccessibility',
  /** In no header. */
  enhancedInterface: 'AXEnhancedUserInterface',
} as const;

export const ROLE = {
  unknown: 'AXUnknown',
  application: 'AXApplication',
  window: 'AXWindow',
  sheet: 'AXSheet',
  menuBar: 'AXMenuBar',
  staticText: 'AXStaticText',
  textField: 'AXTextField',
  textArea: 'AXTextArea',
  comboBox: 'AXComboBox',
  checkBox: 'AXCheckBox',
  radioButton: 'AXRadioButton',
  menu: 'AXMenu',
  menuItem: 'AXMenuItem',
  popUpButton: 'AXPopUpButton',
  scrollArea: 'AXScrollArea',
  disclosureTriangle: 'AXDisclosureTriangle',
  /** Of browsers. */
  webArea: 'AXWebArea',
  link: 'AXLink',
} as const;

export const SUBROLE = {
  secureTextField: 'AXSecureTextField',
  switch: 'AXSwitch',
  toggle: 'AXToggle',
  standardWindow: 'AXStandardWindow',
  dialog: 'AXDialog',
} as const;

export const ACTION = {
  press: 'AXPress',
  cancel: 'AXCancel',
  increment: 'AXIncrement',
  decrement: 'AXDecrement',
  raise: 'AXRaise',
  /** In no header. */
  scrollToVisible: 'AXScrollToVisible',
} as const;

/** Shown in a window of the window server of their own, although they belong to another one, beyond which they may reach. */
export const OWN_SURFACES: ReadonlySet<string> = new Set(['AXSheet', 'AXDrawer', 'AXPopover', ROLE.menu]);

export const TEXT_ROLES: ReadonlySet<string> = new Set([ROLE.textField, ROLE.textArea, ROLE.comboBox]);
export const CHECKABLE_ROLES: ReadonlySet<string> = new Set([ROLE.checkBox, ROLE.radioButton]);
export const CHECKABLE_SUBROLES: ReadonlySet<string> = new Set([SUBROLE.switch, SUBROLE.toggle]);

/** Their value is a number. */
export const NUMBER_ROLES: ReadonlySet<string> = new Set(['AXSlider', 'AXIncrementor', 'AXScrollBar']);
/** Their children are all their rows, not those that show. */
export const TABLE_ROLES: ReadonlySet<string> = new Set(['AXTable', 'AXOutline']);
/** Selected by a press. */
export const TAB_ROLES: ReadonlySet<string> = new Set([ROLE.radioButton, 'AXTab']);

/** Their value is never asked for, which saves a call for each. */
export const ROLES_WITHOUT_VALUE: ReadonlySet<string> = new Set([
  'AXApplication', 'AXWindow', 'AXSheet', 'AXDrawer', 'AXGroup', 'AXMenuBar', 'AXMenuBarItem', 'AXMenu', 'AXToolbar', 'AXScrollArea',
  'AXSplitGroup', 'AXTable', 'AXOutline', 'AXList', 'AXRow', 'AXColumn', 'AXImage', 'AXWebArea', 'AXRadioGroup', 'AXTabGroup',
]); // prettier-ignore
