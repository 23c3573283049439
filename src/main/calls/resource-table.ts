/** Everything that can be read by an address, over MCP and GABP alike: each address names the call of a tool. Pure. */

export interface ResourceDefinition {
  /** `{name}` stands for one part of the path, percent-encoded. */
  path: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
  /** May hold variables of the path. */
  tool: string;
  /** By the name of the argument, the variable whose value it gets. */
  arguments: Readonly<Record<string, string>>;
}

export const JSON_TYPE = 'application/json';
const PICTURE_TYPE = 'image/png';

type Row = readonly [
  path: string,
  name: string,
  title: string,
  description: string,
  tool: string,
  args?: ResourceDefinition['arguments'],
];

const define =
  (mimeType: string) =>
  ([path, name, title, description, tool, args = {}]: Row): ResourceDefinition => ({
    ...{ path, name, title, description, mimeType, tool, arguments: args },
  });

// prettier-ignore
const VALUES: readonly Row[] = [
  ['screens', 'screens', 'Displays', 'Displays, with frames in points', 'list_displays'],
  ['applications', 'applications', 'Applications', 'Applications that run', 'list_applications'],
  ['windows', 'windows', 'Windows', 'Windows, topmost first', 'list_windows'],
  ['pointer', 'pointer', 'Pointer', 'Where the pointer is', 'cursor_position'],
  ['clipboard', 'clipboard', 'Clipboard', 'What is on the clipboard', 'get_clipboard'],
  ['chat', 'chat', 'Replies', 'Replies of the person that wait for you', 'check_replies'],
  ['evidence', 'evidence', 'Your record', 'What you did lately, newest first', 'list_own_evidence'],
  ['evidence/{execution}', 'evidence_of', 'Evidence', 'What is recorded of one thing that you did, and its files', 'get_own_evidence', { execution: 'execution' }],
  ['applications/{application}', 'application', 'Application', 'One application that runs', 'get_application', { name: 'application' }],
  ['windows/{window}', 'window', 'Window', 'One window: title, place and stacking position', 'get_window', { name: 'window' }],
  ['windows/{window}/elements', 'window_elements', 'Elements of a window', 'The elements of one window, as a tree', 'get_element_tree', { parent: 'window' }],
];

/** Without a picture, the value is given as JSON. */
// prettier-ignore
const PICTURES: readonly Row[] = [
  ['screens/{display}/image', 'screen_image', 'Picture of a display', 'A display as it is now; `main` is the main one', 'capture_screenshot', { display_id: 'display' }],
  ['windows/{window}/image', 'window_image', 'Picture of a window', 'One window as it is now, even where others cover it', 'capture_window_screenshot', { window: 'window' }],
  ['evidence/{execution}/{file}', 'evidence_file', 'File of evidence', 'One file of the evidence, such as after.png', 'get_own_evidence_file', { execution: 'execution', file: 'file' }],
];

/** Of connected applications, which have tools of these names. */
// prettier-ignore
const OF_APPLICATIONS: readonly Row[] = [
  ['apps/{app}/events', 'app_events', 'Events', 'The latest events of this application', '{app}_events'],
  ['apps/{app}/resources', 'app_resources', 'Resources', 'The resources of this application', '{app}_list_resources'],
  ['apps/{app}/resources/{resource}', 'app_resource', 'Resource', 'One resource of this application, by its address there', '{app}_read_resource', { uri: 'resource' }],
];

export const RESOURCE_DEFINITIONS: readonly ResourceDefinition[] = [
  ...VALUES.map(define(JSON_TYPE)),
  ...PICTURES.map(define(PICTURE_TYPE)),
];
export const APP_RESOURCE_DEFINITIONS: readonly ResourceDefinition[] = OF_APPLICATIONS.map(define(JSON_TYPE));
