import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import ts from 'typescript';
import { DISPLAY_SERVERS, LAYERS, OPENS_DISPLAYS, PACKAGE_HOMES, type Layer } from './layers.js';
import { lineOf, type Source } from './source.js';

const BUILTINS = new Set(builtinModules);
/** Starts what all of it was bundled into, which no source is. */
const STARTS_BUNDLE = 'src/main/cli/index.ts';

/** Imports that point up, sideways into another backend, or to a package that lives elsewhere; folders without a layer. */
export function importBreaches(source: Source): string[] {
  if (!source.path.startsWith('src/')) return [];
  const layer = layerOf(source.path);
  if (layer === null) return [`${source.path} lies in no layer`];
  return importsOf(source).flatMap(({ name, at }) =>
    (name === null ? computed(source.path) : breach(source.path, layer, name)).map(
      (why) => `${source.path}:${lineOf(source.file, at)} ${why}`,
    ),
  );
}

const computed = (path: string): string[] => (path === STARTS_BUNDLE ? [] : ['imports a computed name']);

function layerOf(path: string): Layer | null {
  const inside = LAYERS.filter((layer) => path.startsWith(`src/${layer.folder}/`));
  return inside.sort((a, b) => b.folder.length - a.folder.length)[0] ?? null;
}

const opensDisplays = (path: string): boolean => OPENS_DISPLAYS.some((part) => path.startsWith(part));

function breach(path: string, layer: Layer, name: string): string[] {
  if (!name.startsWith('.')) return packageBreach(path, layer, name);
  const target = posix.join(posix.dirname(path), name).replace(/\.js$/, '.ts');
  if (!target.startsWith('src/')) return [`imports ${name} from outside of src`];
  const server = DISPLAY_SERVERS.find((folder) => target.startsWith(folder));
  if (server !== undefined && path.startsWith('src/native/linux/') && !path.startsWith(server) && !opensDisplays(path))
    return [`imports ${name}, which is of one display server`];
  const other = layerOf(target);
  if (other === null) return [`imports ${name}, which lies in no layer`];
  if (other === layer) return [];
  if (layer.only !== undefined) {
    const allowed = layer.only.some((each) => target === `src/${each}` || target.startsWith(`src/${each}/`));
    return allowed ? [] : [`imports ${name}: ${layer.folder} may import only ${layer.only.join(', ') || 'itself'}`];
  }
  return LAYERS.indexOf(other) > LAYERS.indexOf(layer)
    ? []
    : [`imports ${name}: ${other.folder} is above ${layer.folder}`];
}

function packageBreach(path: string, layer: Layer, name: string): string[] {
  const isBuiltin = name.startsWith('node:') || BUILTINS.has(name);
  if (isBuiltin) return layer.node === false ? [`imports ${name}: ${layer.folder} runs without Node`] : [];
  const [first = '', second = ''] = name.split('/');
  const home = Object.entries(PACKAGE_HOMES).find(
    ([each]) => each === (first.startsWith('@') ? `${first}/${second}` : first),
  );
  if (home === undefined || path.startsWith(`src/${home[1]}/`)) return [];
  return [`imports ${name}, which lives in ${home[1]}`];
}

/** Static, dynamic and type imports, re-exports and require; `name` is null where it is computed. */
export function importsOf({ nodes }: Source): { name: string | null; at: number }[] {
  return nodes.flatMap((node) => {
    const specifier = specifierOf(node);
    return specifier === undefined
      ? []
      : [{ name: ts.isStringLiteralLike(specifier) ? specifier.text : null, at: node.getStart() }];
  });
}

function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isExternalModuleReference(node)) return node.expression;
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : node.argument;
  if (!ts.isCallExpression(node)) return undefined;
  const { expression, arguments: given } = node;
  const [first] = given;
  if (expression.kind === ts.SyntaxKind.ImportKeyword) return first;
  const requires = ts.isIdentifier(expression) && expression.text === 'require';
  return requires && first !== undefined && ts.isStringLiteralLike(first) ? first : undefined;
}
