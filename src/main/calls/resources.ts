/**
 * What can be read by an address. An address only names the call of a tool, so that approvals, masks and the record are the tool's;
 * the lists disclose nothing of the desktop. Called by GABP and by MCP.
 */
import type { Caller } from '../approvals/request.js';
import { readImage, resourcesOf, type ImageStore } from './images.js';

/** Everything that can be read by an address, over MCP and GABP alike: each address names the call of a tool. Pure. */

interface ResourceDefinition {
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

const RESOURCE_DEFINITIONS: readonly ResourceDefinition[] = [
  ...VALUES.map(define(JSON_TYPE)),
  ...PICTURES.map(define(PICTURE_TYPE)),
];
const APP_RESOURCE_DEFINITIONS: readonly ResourceDefinition[] = OF_APPLICATIONS.map(define(JSON_TYPE));

export interface ListedResource {
  /** What follows the scheme and this host's name in its address. */
  path: string;
  name: string;
  title?: string;
  description?: string;
  mimeType: string;
  size?: number;
}

/** `call`: the result of this tool; `content`: the caller was given it already. */
export type ResourceTarget =
  | { kind: 'call'; tool: string; arguments: Record<string, unknown>; mimeType: string }
  | { kind: 'content'; mimeType: string; base64: string };

export interface Resources {
  resources(caller: Caller): ListedResource[];
  /** In their paths, `{name}` stands for one part, percent-encoded. */
  resourceTemplates(): ListedResource[];
  /** null where there is nothing of this path, or nothing of this caller's. */
  resource(caller: Caller, path: string): ResourceTarget | null;
}

export interface ResourcesOptions {
  images: ImageStore;
  hasTool(name: string): boolean;
  /** Names of the connected applications. */
  apps(): Iterable<string>;
  /** Of their resources, those that this agent was told of, in the applications' own words. */
  toldResources(agentId: string): readonly AppResource[];
}

interface AppResource {
  app: string;
  uri: string;
  name: string;
  description?: string | undefined;
  mime_type?: string | undefined;
}

type Call = Extract<ResourceTarget, { kind: 'call' }>;

const MAX_PATH_CHARS = 4_000;

export function createResources({ images, hasTool, apps, toldResources }: ResourcesOptions): Resources {
  const ofApps = (): ResourceDefinition[] =>
    [...apps()].flatMap((app) =>
      APP_RESOURCE_DEFINITIONS.map((one) => ofApp(one, app)).filter(({ tool }) => hasTool(tool)),
    );
  return {
    resources: ({ agent }) => [
      ...LISTED,
      ...ofApps()
        .filter((one) => !isTemplate(one))
        .map(listed),
      ...toldResources(agent.id).flatMap(ofAppResource),
      ...resourcesOf(images, agent.id),
    ],
    resourceTemplates: () => [...TEMPLATES, ...ofApps().filter(isTemplate).map(listed)],
    resource({ agent }, path) {
      const call = callOf(path) ?? callIn(APP_RESOURCE_DEFINITIONS, path);
      if (call !== null && hasTool(call.tool)) return call;
      const image = readImage(images, agent.id, path);
      return image === null ? null : { kind: 'content', ...image };
    },
  };
}

const isTemplate = ({ path }: ResourceDefinition): boolean => path.includes('{');
const listed = ({ path, name, title, description, mimeType }: ResourceDefinition): ListedResource => ({
  ...{ path, name, title, description, mimeType },
});
/** Those that are there for everyone. */
export const LISTED: readonly ListedResource[] = RESOURCE_DEFINITIONS.filter((one) => !isTemplate(one)).map(listed);
const TEMPLATES = RESOURCE_DEFINITIONS.filter(isTemplate).map(listed);

const ofApp = (definition: ResourceDefinition, app: string): ResourceDefinition => ({
  ...definition,
  path: filled(definition.path, { app }),
  name: `${app}_${definition.name.replace(/^app_/, '')}`,
  title: `${definition.title}: ${app}`,
  tool: filled(definition.tool, { app }),
});

/** None where its address would be too long to be read. */
function ofAppResource({ app, uri, name, description, mime_type: type = JSON_TYPE }: AppResource): ListedResource[] {
  const path = `apps/${app}/resources/${encodeURIComponent(uri)}`;
  if (path.length > MAX_PATH_CHARS) return [];
  const says = description === undefined ? {} : { description: `The application ${app} says: ${description}` };
  return [{ path, name: `${app}: ${name}`, ...says, mimeType: type.startsWith('image/') ? type : JSON_TYPE }];
}

/** Also with tools that are not there. null where the path is none of Chaperone's own. */
export const callOf = (path: string): Call | null => callIn(RESOURCE_DEFINITIONS, path);

function callIn(definitions: readonly ResourceDefinition[], path: string): Call | null {
  if (path.length > MAX_PATH_CHARS) return null;
  for (const { path: pattern, tool, arguments: args, mimeType } of definitions) {
    const values = valuesIn(pattern, path);
    if (values === null) continue;
    const given = Object.entries(args).map(([name, variable]) => [name, values[variable]]);
    return { kind: 'call', tool: filled(tool, values), arguments: Object.fromEntries(given), mimeType };
  }
  return null;
}

const filled = (pattern: string, values: Readonly<Record<string, string>>): string =>
  pattern.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

/** The values of a path's variables; null where it does not fit. */
function valuesIn(pattern: string, path: string): Record<string, string> | null {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return null;
  const values: [string, string][] = [];
  for (const [index, part] of wanted.entries()) {
    const variable = /^\{(\w+)\}$/.exec(part)?.[1];
    const value = variable === undefined ? null : decoded(given[index] ?? '');
    if (variable !== undefined && value !== null) values.push([variable, value]);
    else if (part !== given[index]) return null;
  }
  return Object.fromEntries(values);
}

/** null where it is empty or no percent-encoding. */
function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part) || null;
  } catch {
    return null;
  }
}
