/** What an application tells of its objects, made up: their roles, states and places in the tree. */
import type { ObjectSnapshot } from '../../src/native/linux/atspi/object-reader.js';

export interface Part {
  name: string;
  role?: number;
  states?: number[];
  parts?: Part[];
}

const PANEL = 39;

export function snapshotOf(root: Part): ObjectSnapshot {
  const nodes: ObjectSnapshot['nodes'] = [];
  function add({ name, role = PANEL, states = [], parts = [] }: Part, parent: number, depth: number): void {
    const bits: [number, number] = [0, 0];
    for (const state of states) bits[state < 32 ? 0 : 1] |= 1 << (state % 32);
    const ref = { bus: ':1.1', path: `/${name}` };
    const item = { ref, role, name, description: '', states: bits, interfaces: new Set<string>(), childCount: parts.length }; // prettier-ignore
    const index = nodes.push({ item, depth, parent, path: [] }) - 1;
    for (const part of parts) add(part, index, depth + 1);
  }
  add(root, -1, 0);
  return { nodes, truncated: { depth: false, nodes: false, time: false }, unread: [] };
}
