/** What the host's titles come out as where its sources do not say it in one literal. */
/** Titles that are put together otherwise than from one literal: where, how, and what comes out. A new one belongs here, and its words in every language. */
export const COMPUTED: Record<string, readonly string[]> = {
  '`Scroll to, then ${does}`': [
    ...['press', 'replace its value', 'check it', 'uncheck it', 'select it', 'deselect it', 'expand it', 'collapse it'].map((does) => `Scroll to, then ${does}`),
  ], // prettier-ignore
  '`Scrolled to, then ${done}`': [
    ...[
      'pressed',
      'replaced its value',
      'checked it',
      'unchecked it',
      'selected it',
      'deselected it',
      'expanded it',
      'collapsed it',
    ].map((done) => `Scrolled to, then ${done}`),
  ],
  '`Press ${chord.label}`': ['Press cmd+S'],
  '`Press ${chordOf(keys).label}`': ['Press cmd+S'],
  '`Pressed ${chord.label}`': ['Pressed cmd+S'],
  '`Pressed ${chordOf(keys).label}`': ['Pressed cmd+S'],
  '`Type ${words} into`': ['Type 12 characters into', 'Type 1 character into'],
  '`Typed ${words} into`': ['Typed 12 characters into', 'Typed 1 character into'],
  '`Type ${words}${held} into`': ['Type 2 characters with ctrl held into', 'Type 1 character with ctrl held into'],
  '`Typed ${words}${held} into`': ['Typed 2 characters with ctrl held into', 'Typed 1 character with ctrl held into'],
  "withLabel(heldKeys(input), input.button === 'left' ? 'Drag' : `Drag with the ${input.button} button`)": [
    'Drag',
    'Drag with the right button',
    'Drag with the middle button',
    'ctrl+drag',
    'ctrl+shift+drag with the right button',
  ],
  'verb.replace(/drag/i, (word) => `${word}ged`)': [
    'Dragged',
    'Dragged with the right button',
    'ctrl+dragged',
    'ctrl+dragged with the right button',
  ],
  'WORDS[wanted.part][wanted.on ? 0 : 1]': ['Check', 'Uncheck', 'Select', 'Deselect', 'Expand', 'Collapse'],
  '`${verb}d`': ['Collapsed'],
  '`${verb}ed`': [
    ...['Checked', 'Unchecked', 'Selected', 'Deselected', 'Expanded'],
    ...['Clicked', 'Double-clicked', 'Right-clicked', 'Right-double-clicked', 'Middle-triple-clicked'],
  ],
  '`Do “${named}” on`': ['Do “jump” on', 'Do “press” on “x” on'],
  '`Did “${named}” on`': ['Did “jump” on'],
  '`Do “${given.action}” on`': ['Do “press” on'],
  '`Did “${given.action}” on`': ['Did “press” on'],
  '`Drop ${files} on`': ['Drop 1 file on', 'Drop 3 files on'],
  '`Dropped ${files} on`': ['Dropped 1 file on', 'Dropped 3 files on'],
  '`Make a ${type}`': ['Make a pinch', 'Make a force_touch'],
  '`Made a ${type}`': ['Made a zoom', 'Made a swipe', 'Made a rotate'],
  'withLabel(heldKeys(input), `Hold down the ${input.button} mouse button on`)': [
    'Hold down the left mouse button on',
    'ctrl+hold down the middle mouse button on',
  ],
  "verb.replace(/hold/i, (word) => (word === 'Hold' ? 'Held' : 'held'))": [
    'Held down the left mouse button on',
    'ctrl+held down the right mouse button on',
  ],
  'withLabel(heldKeys(input), `Scroll ${ways} in`)': [
    'Scroll 3 down in',
    'Scroll 1 up and 2 right in',
    'ctrl+scroll 4 left in',
  ],
  'verb.replace(/scroll/i, (word) => `${word}ed`)': ['Scrolled 3 down in', 'ctrl+scrolled 1 up and 2 right in'],
  '`${verb} ${label} in`': ['Press cmd+S in', 'Hold shift in'],
  "`${verb === 'Press' ? 'Pressed' : 'Held'} ${label} in`": ['Pressed cmd+S in', 'Held shift in'],
  '`W${words}`': ['Watch', 'Watch the controls of'],
  "`W${words.replace('atch', 'atched')}`": ['Watched', 'Watched the controls of'],
  '`Run ${what}`': ['Run a plan of 1 step', 'Run a plan of 12 steps'],
  '`Ran ${what}`': ['Ran a plan of 1 step', 'Ran a plan of 12 steps'],
  '`Wait ${duration} s`': ['Wait 2.5 s'],
  '`Waited ${duration} s`': ['Waited 60 s'],
  "withLabel(keys, name === 'left' ? times : `${name} ${times.toLowerCase()}`)": [
    ...['Click', 'Double-click', 'Triple-click', 'Right click', 'Middle double-click'],
    ...['Ctrl+click', 'Ctrl+shift+double-click', 'Ctrl+right click'],
  ],
  '`${clean}ed`': [
    ...['Clicked', 'Double-clicked', 'Triple-clicked', 'Right clicked', 'Middle double-clicked'],
    ...['Ctrl+clicked', 'Ctrl+right double-clicked'],
  ],
  'words.charAt(0).toUpperCase() + words.slice(1)': ['Click', 'Double-click', 'Right-click', 'Middle-double-click'],
};
/** No title: the type of a result, and a verb that goes on (the next line has it whole). */
export const NO_TITLES: ReadonlySet<string> = new Set(['plain(z.number().int())', 'Press', 'Hold']);
/** These stand alone. */
export const WITHOUT_TARGET =
  /^(Ask|Asked) you$|^Run a shell command$|^(Run|Ran) a plan|^(Wait|Waited) \d|^(Make|Made) a /;

/** Targets in the host's own words, under the tool that says them. */
export const OWN: [tool: string, verb: string, target: string][] = [
  ['list_applications', 'List', 'applications'],
  ['list_applications', 'Read', 'the names of running applications'],
  ['get_application', 'Look up', 'an application'],
  ['list_displays', 'List', 'displays'],
  ['list_windows', 'List', 'windows'],
  ['list_windows', 'Read', 'the titles of windows'],
  ['get_window', 'Looked up', 'a window'],
  ['get_window_state', 'Looked up', 'the state of a window'],
  ['cursor_position', 'Looked for', 'the pointer'],
  ['get_clipboard', 'Read', 'the clipboard'],
  ['get_clipboard_history', 'Read', 'what was copied lately'],
  ['write_clipboard', 'Replace', 'the clipboard'],
  ['clear_clipboard', 'Emptied', 'the clipboard'],
  ['capture_screenshot', 'Take a picture of', 'the screen'],
  ['capture_region_screenshot', 'Took a picture of', 'a part of the screen'],
  ['zoom', 'Take a picture of', 'the screen, 320×200 at (-12, 40)'],
  ['capture_window_screenshot', 'Took a picture of', 'the window in front'],
  ['capture_element_screenshot', 'Take a picture of', 'an element'],
  ['find_text', 'Read the text on', 'the screen'],
  ['desktop.observe', 'Looked at', 'a window'],
  ['create_observation', 'Watch', 'the titles of windows as they come and go'],
  ['validate_script', 'Check', 'a script (shell)'],
  ['execute_apple_script', 'Run', 'a script (AppleScript)'],
  ['check_replies', 'Checked', 'replies'],
  ['desktop.health', 'Check', 'health'],
  ['desktop.doctor', 'Checked', 'permissions'],
  ['list_sessions', 'List', 'sessions'],
  ['list_macros', 'Listed', 'macros'],
  ['list_observations', 'List', 'observations'],
];
