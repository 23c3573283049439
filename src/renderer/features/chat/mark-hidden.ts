/** Puts a label where a message holds characters that would act on the text around them. */
import { reveal } from '../../../main/protocol/index.js';

/** The part of a HTML syntax tree this touches. */
interface TreeNode {
  type: string;
  value?: string;
  tagName?: string;
  properties?: Record<string, string>;
  children?: TreeNode[];
}

const MARKED = new Set(['control', 'bidi', 'zero_width']);

/** A rehype plugin. */
export function markHidden(): (tree: TreeNode) => void {
  return visit;
}

function visit(node: TreeNode): void {
  if (node.children === undefined) return;
  node.children = node.children.flatMap((child) => {
    visit(child);
    return child.type === 'text' ? split(child) : [child];
  });
}

function split(node: TreeNode): TreeNode[] {
  const { segments } = reveal(node.value ?? '');
  if (!segments.some((segment) => MARKED.has(segment.kind) && segment.text !== '\t')) return [node];
  return segments.map((segment) => {
    if (!MARKED.has(segment.kind)) return { type: 'text', value: segment.text };
    const children = [{ type: 'text', value: segment.label }];
    return { type: 'element', tagName: 'span', properties: { className: 'hid' }, children };
  });
}
