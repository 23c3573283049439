import { requirements } from './requirement.js';
import type { Rows } from './requirement.js';

/** MCP: mcp-tools.md. The protocol is owed by the main job; each tool by the tools. */
// prettier-ignore
const PROTOCOL: Rows = {
  'MT-1-1': ['Communication', 'main-job', 'MCP is JSON-RPC 2.0 over stdin and stdout, with requests, responses and notifications.'],
  'MT-2-1': ['Methods', 'main-job', 'initialize negotiates version and capabilities and names the server.'],
  'MT-2-2': ['Methods', 'main-job', 'notifications/initialized is taken and not answered.'],
  'MT-2-3': ['Methods', 'main-job', 'The server ends when its input ends; shutdown and exit do no harm.'],
  'MT-2-4': ['Methods', 'main-job', 'tools/list gives every tool with a description and an object schema.'],
  'MT-2-5': ['Methods', 'main-job', 'tools/call runs a tool by name with arguments.'],
  'MT-3-1': ['Coordinates', 'main-job', 'Coordinates are global; other displays may have negative origins, and density is told.'],
  'MT-4-1': ['Errors', 'main-job', 'A tool that fails answers with the error flag and words, and the client may go on.'],
  'MT-5-1': ['Display grounding', 'main-job', 'The initialize result lists screens with id, width, height, pixel_density, origin_x and origin_y.'],
  'MT-6-1': ['Example', 'main-job', 'Pictures come as image content, base64 with their MIME type.'],
  'MT-7-1': ['Compatibility', 'main-job', 'Protocol version 2024-11-05 is served.'],
};

/** name → what it does, in short. */
// prettier-ignore
const TOOLS: Readonly<Record<string, string>> = {
  capture_screenshot: 'pictures a display or window in a format and size asked for, with recognised text on request',
  capture_region_screenshot: 'pictures a rectangle of the screen',
  capture_window_screenshot: 'pictures one window, with or without its shadow',
  capture_element_screenshot: 'pictures one element, covered or not',
  find_text: 'says where a text is on the screen, by reading it',
  click_text: 'clicks a text it reads on the screen, when it is still there after the approval',
  click: 'clicks at a point with any button, once, twice or three times',
  type_text: 'types text, also while modifiers are held',
  press_key: 'presses a key with modifiers',
  mouse_move: 'moves the pointer, smoothly on request',
  scroll: 'scrolls at a point by given deltas',
  drag: 'drags from one point to another',
  hover: 'keeps the pointer at a point for a time',
  gesture: 'makes a trackpad gesture where the platform has them',
  find_elements: 'lists elements below a parent by role, title and identifier, in pages',
  get_element: 'describes one element',
  get_element_actions: 'lists what one element can do',
  click_element: 'clicks one element',
  write_element_value: 'writes the value of one element',
  perform_element_action: 'performs a named action of one element',
  list_windows: 'lists windows in pages',
  get_window: 'describes one window',
  get_window_state: 'tells what one window can do and is now',
  focus_window: 'brings one window to the front',
  move_window: 'moves one window',
  resize_window: 'resizes one window',
  minimize_window: 'minimises one window',
  restore_window: 'restores a minimised window',
  maximize_window: 'maximises one window',
  close_window: 'closes one window',
  list_displays: 'lists displays in pages',
  get_display: 'describes one display',
  get_clipboard: 'reads the clipboard',
  write_clipboard: 'writes the clipboard as a type asked for',
  clear_clipboard: 'empties the clipboard',
  get_clipboard_history: 'tells earlier contents, newest first',
  open_application: 'opens an application or brings it to the front',
  list_applications: 'lists applications in pages',
  get_application: 'describes one application',
  delete_application: 'stops tracking an application without ending it',
  quit_application: 'ends an application by closing its windows',
  execute_apple_script: 'runs or only compiles AppleScript where there is such a thing',
  execute_javascript: 'runs or only compiles JavaScript for Automation where there is such a thing',
  execute_shell_command: 'runs a command with arguments, folder, environment, input and time limit',
  validate_script: 'checks a script without running it',
  create_observation: 'begins to watch elements, windows or applications',
  stream_observations: 'delivers what watching saw',
  poll_observation: 'waits for what watching saw since a sequence number',
  get_observation: 'describes one observation',
  list_observations: 'lists observations in pages',
  cancel_observation: 'ends one observation',
  create_session: 'opens a session', get_session: 'describes a session', list_sessions: 'lists sessions', delete_session: 'ends a session',
  create_macro: 'keeps a list of steps under a name', get_macro: 'describes a macro', list_macros: 'lists macros', execute_macro: 'runs a macro under one approval',
  delete_macro: 'forgets a macro', run_plan: 'runs several steps under one approval', wait: 'waits for a number of seconds',
  cursor_position: 'tells where the pointer is', left_mouse_down: 'presses the left button and holds it', left_mouse_up: 'lets the left button go',
  hold_key: 'holds a key for a time', zoom: 'pictures a part of the screen at full density',
};

const TOOL_ROWS: Rows = Object.fromEntries(
  Object.entries(TOOLS).map(([name, does]) => [`MT-T-${name}`, ['Tools', 'tools', `The tool ${name} ${does}.`]]),
);

export const MCP = requirements('mcp-tools.md', { ...PROTOCOL, ...TOOL_ROWS });
