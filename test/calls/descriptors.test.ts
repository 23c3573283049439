import { describe, expect, it } from 'vitest';
import { describeTool } from '../../src/main/calls/descriptors.js';
import { publish } from '../../src/main/mcp/backend.js';
import { failureResult, pendingResult } from '../../src/main/mcp/results.js';
import { allTools } from '../../src/main/tools/index.js';
import type { Tool } from '../../src/main/tools/tool.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';

type Published = ReturnType<typeof publish>;
interface Script {
  toolsOf(tables: typeof allTools): Tool[];
  published(product: Record<string, unknown>, profile: 'full' | 'core'): Published;
  weights(list: unknown[]): { total: number; each: { name: string; tokens: number }[] };
}
const url = new URL('../../scripts/docs/tools.mjs', import.meta.url).href;
const { toolsOf, published, weights } = (await import(url)) as Script;

const tools = () => toolsOf(allTools).map(describeTool);
const full = () => published({ allTools, describeTool, publish }, 'full');
const core = () => published({ allTools, describeTool, publish }, 'core');

const CORE = [
  ...[
    'request_task',
    'finish_task',
    'send_message',
    'check_replies',
    'resume_call',
    'run_plan',
    'find_elements',
    'get_element_tree',
    'wait_element',
  ],
  ...['click_element', 'write_element_value', 'click', 'type_text', 'press_key', 'scroll', 'drag', 'get_clipboard'],
  ...[
    'open_application',
    'open_url',
    'list_applications',
    'list_windows',
    'focus_window',
    'capture_screenshot',
    'find_text',
  ],
];

/** Every value below that stands under one of these names. */
function all(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [...(name === key ? [part] : []), ...all(part, key)]);
}

describe('the list of tools that the shim gives', () => {
  it.each([
    ['core', core, 3_150],
    ['full', full, 9_500],
  ] as const)('costs a model less than its budget: %s', (profile, list, budget) => {
    const { total, each } = weights(list());
    const heaviest = each.slice(0, 15).map(({ name, tokens }) => `${name} ${tokens}`);
    console.log(`tools/list ${profile}: ${each.length} tools, ${total} tokens; heaviest: ${heaviest.join(', ')}`);
    expect(total, `too heavy; trim the heaviest: ${heaviest.join(', ')}`).toBeLessThan(budget);
  });

  it('[req:DS-5-3] core is about twenty tools, in the order of full', () => {
    const names = core().map(({ name }) => name);
    expect(names.toSorted()).toEqual(CORE.toSorted());
    expect(
      full()
        .map(({ name }) => name)
        .filter((name) => CORE.includes(name)),
    ).toEqual(names);
  });

  it('[req:MT-2-4] case 4: names are unique and snake_case, schemas are whole, the order stays', () => {
    const names = full().map(({ name }) => name);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(full()).toEqual(full());
    for (const tool of full()) {
      expect(tool.name).toMatch(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/);
      expect(tool.name.length).toBeLessThanOrEqual(40);
      expect(tool.description?.length, tool.name).toBeGreaterThanOrEqual(15);
      expect(tool.description?.length, tool.name).toBeLessThan(300);
      expect(tool.inputSchema, tool.name).toMatchObject({ type: 'object', properties: {} });
      const properties = Object.keys(Object(tool.inputSchema['properties'] ?? {}));
      for (const required of all(tool.inputSchema, 'required').filter(Array.isArray))
        if (required === tool.inputSchema['required']) expect(properties).toEqual(expect.arrayContaining(required));
      expect(arraysWithoutItems(tool.inputSchema), tool.name).toEqual([]);
      expect(JSON.stringify(tool), tool.name).not.toMatch(/"unpublished"|"\$schema"/);
    }
  });

  it('lets the handle of a call that waits and every failure through the check of clients', () => {
    const others = [
      pendingResult('id', 'click', { state: 'awaiting_human', message: 'waits' }, null).structuredContent,
      failureResult(new Error('broken')).structuredContent,
    ];
    const checked = full().filter((tool) => tool.outputSchema !== undefined);
    expect(checked.length).toBeGreaterThan(10);
    for (const { name, outputSchema, annotations } of checked) {
      const fields = Object.keys(Object(outputSchema?.['properties']));
      if (annotations?.readOnlyHint === true) expect(fields.length, name).toBeGreaterThan(0);
      const check = new AjvJsonSchemaValidator().getValidator(Object(outputSchema));
      for (const other of others) expect(check(other), name).toMatchObject({ valid: true });
    }
  });

  it('publishes one spelling of each parameter', () => {
    const properties = (name: string) => full().find((tool) => tool.name === name)?.inputSchema['properties'];
    expect(properties('open_application')).not.toHaveProperty('id');
    expect(properties('capture_screenshot')).not.toHaveProperty('display');
    expect(properties('find_elements')).not.toHaveProperty('selector');
    expect(full().find(({ name }) => name === 'open_application')?.inputSchema).toMatchObject({
      required: ['application_id'],
    });
  });

  it('[req:DS-5-6] has annotations by what a tool can do to the desktop, where they differ from what MCP supposes', () => {
    const expected = new Map<string, object | undefined>([
      ['read', { readOnlyHint: true }],
      ['bookkeeping', { readOnlyHint: true }],
      ['disclose', { readOnlyHint: true }],
      ['pointer', { destructiveHint: false, openWorldHint: false }],
      ['input', undefined],
      ['dangerous', undefined],
    ]);
    const sent = new Map(full().map((tool) => [tool.name, tool['annotations']]));
    const deleting = ['delete_macro', 'delete_session'];
    for (const { name, tags } of tools())
      expect(sent.get(name), name).toEqual(
        deleting.includes(name) ? { openWorldHint: false } : expected.get(tags[0] ?? ''),
      );
    for (const { name, tags } of tools().filter(({ name }) => deleting.includes(name)))
      expect(tags, name).not.toContain('read-only');
  });
});

function arraysWithoutItems(schema: unknown): unknown[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'type' in schema && schema.type === 'array' && !('items' in schema) ? [schema] : [];
  return [...own, ...Object.values(schema).flatMap(arraysWithoutItems)];
}
