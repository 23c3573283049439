import { describe, expect, it } from 'vitest';
import { createExecutions } from '../../src/main/action/executions.js';
import { createHolds } from '../../src/main/action/holds.js';
import { createLocks } from '../../src/main/action/locks.js';
import { describeTool } from '../../src/main/host/descriptors.js';
import { createToolDeps } from '../../src/main/host/tool-deps.js';
import { createMacros, createSessions } from '../../src/main/sessions/index.js';
import { allTools } from '../../src/main/tools/index.js';
import { openSimulated } from '../../src/native/simulated/index.js';

const desktop = openSimulated();
const holds = createHolds({ lane: createLocks(), desktop, executions: createExecutions() });
const sessions = createSessions({ now: Date.now, grantLabel: () => null });
const macros = createMacros({ file: null, now: Date.now, log: () => undefined });
const lent = { desktop, holds, sessions, macros };
const tools = () => allTools(createToolDeps(lent, { add: () => undefined })).map(describeTool);
type Descriptor = ReturnType<typeof tools>[number];

/** As agent/tools sends them. */
const sent = (all: Descriptor[]): string =>
  JSON.stringify(all.map(({ gabpName: _gabpName, tags: _tags, core: _core, ...descriptor }) => descriptor));
/** As rough as every such count: four characters a token. */
const tokens = (text: string): number => text.length / 4;

describe('the list of tools', () => {
  it('costs a model no more than 4000 tokens in the small profile and 12000 in the full one', () => {
    const all = tools();
    expect(tokens(sent(all.filter(({ core }) => core)))).toBeLessThan(4000);
    expect(tokens(sent(all))).toBeLessThan(12_000);
  });

  it('says of each what it does, and publishes one spelling of each parameter', () => {
    for (const tool of tools()) {
      expect(tool.description.length, tool.name).toBeGreaterThan(20);
      expect(tool.description.length, tool.name).toBeLessThan(300);
      expect(tool.inputSchema, tool.name).toMatchObject({ type: 'object', additionalProperties: false });
    }
    const properties = (name: string) => tools().find((tool) => tool.name === name)?.inputSchema['properties'];
    expect(properties('open_application')).not.toHaveProperty('id');
    expect(properties('capture_screenshot')).not.toHaveProperty('display');
    expect(properties('find_elements')).not.toHaveProperty('selector');
    expect(tools().find((tool) => tool.name === 'open_application')?.inputSchema).toMatchObject({
      required: ['application_id'],
    });
    expect(JSON.stringify(tools())).not.toContain('unpublished');
  });

  it('[req:DS-5-6] has annotations by what a tool can do to the desktop', () => {
    for (const { name, tags, annotations } of tools()) {
      const [effect = ''] = tags;
      const readOnly = ['read', 'bookkeeping', 'disclose'].includes(effect);
      expect(annotations, name).toMatchObject({
        readOnlyHint: readOnly,
        idempotentHint: readOnly,
        destructiveHint: !readOnly && effect !== 'pointer',
        openWorldHint: false,
      });
    }
  });
});
