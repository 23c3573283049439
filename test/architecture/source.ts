import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

/** `path` is relative to the repository, with forward slashes. */
export interface Source {
  path: string;
  text: string;
  file: ts.SourceFile;
  /** Preorder. */
  nodes: readonly ts.Node[];
}

export function source(path: string, text: string): Source {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return { path, text, file, nodes: everyNode(file) };
}

export async function sourcesBelow(root: string, folders: readonly string[]): Promise<Source[]> {
  const sources: Source[] = [];
  for (const folder of folders) {
    const names = await readdir(join(root, folder), { recursive: true }).catch(() => []);
    for (const name of names.filter((each) => /\.[cm]?tsx?$/.test(each)).sort()) {
      sources.push(source(`${folder}/${name}`, await readFile(join(root, folder, name), 'utf8')));
    }
  }
  return sources;
}

export function everyNode(root: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(root);
  return nodes;
}

export function lineOf(file: ts.SourceFile, position: number): number {
  return file.getLineAndCharacterOfPosition(position).line + 1;
}

export function isDeclaration(path: string): boolean {
  return /\.d\.[cm]?ts$/.test(path);
}
