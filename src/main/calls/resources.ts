/**
 * What can be read by an address. An address only names the call of a tool, so that approvals, masks and the record are the tool's;
 * the lists disclose nothing of the desktop. Called by GABP and by MCP.
 */
import type { Caller } from '../approvals/request.js';
import { readImage, resourcesOf, type ImageStore } from './images.js';
import {
  APP_RESOURCE_DEFINITIONS,
  JSON_TYPE,
  RESOURCE_DEFINITIONS,
  type ResourceDefinition,
} from './resource-table.js';

export { JSON_TYPE } from './resource-table.js';

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
