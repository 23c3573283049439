/** A tree as what changed since an earlier answer. */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { CALLER, createTestPipeline } from '../../support/pipeline.js';

interface Answer {
  snapshot: string;
  since?: string;
  tree?: string;
  changes?: string;
  nodes?: { elementId: string; title: string }[];
  removed?: string[];
  note?: string;
  truncated: Record<string, boolean>;
}

const ROWS = 30;
const row = (index: number) => ({
  role: 'AXButton' as const,
  title: `Row ${index}`,
  identifier: `row-${index}`,
  frame: { x: 10, y: 10 + 10 * index, width: 200, height: 9 },
});

let pipeline: ReturnType<typeof createTestPipeline>;
let parent: string;
beforeEach(() => {
  pipeline = createTestPipeline();
  const lists = ['one', 'two'].map((name, index) => ({
    role: 'AXList' as const,
    title: `List ${name}`,
    identifier: name,
    frame: { x: 0, y: 0, width: 400, height: 700 },
    children: Array.from({ length: ROWS }, (_, at) => row(100 * index + at)),
  }));
  const secret = { role: 'AXTextField' as const, title: 'Code', identifier: 'code', value: 'hunter2', secure: true, frame: { x: 0, y: 710, width: 100, height: 20 } }; // prettier-ignore
  const box = { role: 'AXGroup' as const, identifier: 'box', frame: { x: 0, y: 740, width: 100, height: 20 }, children: [{ ...row(3000), title: 'Inside' }] }; // prettier-ignore
  const note = { role: 'AXTextField' as const, title: 'Note', identifier: 'note', value: 'old', frame: { x: 120, y: 710, width: 100, height: 20 } }; // prettier-ignore
  const frame = { x: 200, y: 100, width: 500, height: 760 };
  const pid = pipeline.world.addApp({
    id: 'test.rows',
    name: 'Rows',
    executable: '/simulated/bin/rows',
    windows: [{ title: 'Rows', frame, elements: [...lists, box, note, secret] }],
  });
  parent = `applications/${pid}`;
});

const read = async (more: object = {}, options: object = {}) => {
  const { value, text } = await pipeline.run('get_element_tree', { parent, ...more }, options);
  return { ...(value as Answer), text: text ?? '' };
};
const idOf = (identifier: string) => pipeline.world.find(identifier) ?? '';

/** What an agent does with an answer: the lines it has, changed as it is told. */
function applied(tree: string, changes: string): string {
  if (changes === '') return tree;
  let lines = tree.split('\n');
  const depthOf = (line = '') => line.length - line.trimStart().length;
  const placeOf = (id: string) => lines.findIndex((line) => line.trimStart().startsWith(`${id} `));
  const endOf = (at: number) => {
    const after = lines.findIndex((line, index) => index > at && depthOf(line) <= depthOf(lines[at]));
    return after < 0 ? lines.length : after;
  };
  let [at, indent] = [0, 0];
  for (const line of changes.split('\n')) {
    const added = /^\+ (?:at the top|in (?<above>e:\d+))(?:, after (?<before>e:\d+))?:$/.exec(line)?.groups;
    if (line.startsWith('- ')) {
      for (const id of line.slice(2).split(' ')) {
        const place = placeOf(id);
        lines = [...lines.slice(0, place), ...lines.slice(endOf(place))];
      }
    } else if (line.startsWith('~ ')) {
      const place = placeOf(line.split(' ')[1] ?? '');
      lines[place] = ' '.repeat(depthOf(lines[place])) + line.slice(2);
    } else if (added !== undefined) {
      const { above, before } = added;
      indent = above === undefined ? 0 : depthOf(lines[placeOf(above)]) + 1;
      at = before !== undefined ? endOf(placeOf(before)) : above === undefined ? 0 : placeOf(above) + 1;
    } else {
      lines.splice(at, 0, ' '.repeat(indent - 1) + line);
      at += 1;
    }
  }
  return lines.join('\n');
}

describe('a tree since an earlier answer', () => {
  test('is what was added, removed and changed: with the earlier one it says what the whole would [req:TK-1]', async () => {
    const change = fc.record({
      what: fc.constantFrom('add', 'addBelow', 'remove', 'rename', 'value', 'disable'),
      list: fc.constantFrom('one', 'two'),
      row: fc.nat({ max: ROWS - 1 }),
    });
    const apply = ({ what, list, row: number }: { what: string; list: string; row: number }, step: number) => {
      const id = pipeline.world.find(`row-${list === 'one' ? number : 100 + number}`);
      if (what === 'add') return void pipeline.world.addElement(idOf(list), { ...row(1000), title: `New ${step}` });
      if (what === 'value') return pipeline.world.change(idOf('note'), { value: `${list} ${number} ${step}` });
      if (id === null) return;
      if (what === 'addBelow') pipeline.world.addElement(id, { ...row(2000), title: `Below ${step}` });
      if (what === 'remove') pipeline.world.removeElement(id);
      if (what === 'rename') pipeline.world.change(id, { title: `Renamed ${step}` });
      if (what === 'disable') pipeline.world.change(id, { enabled: false });
    };
    let base = await read();
    let known = base.tree ?? '';
    let told = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 4 }), async (changes) => {
        changes.forEach(apply);
        const since = await read({ since: base.snapshot });
        const whole = (await read()).tree ?? '';
        told += since.changes === undefined ? 0 : 1;
        known = since.changes === undefined ? (since.tree ?? '') : applied(known, since.changes);
        expect(known).toBe(whole);
        base = since;
      }),
      { numRuns: 30 },
    );
    expect(told).toBeGreaterThan(10);
  });

  test('that nothing happened to is one line, and keeps its id', async () => {
    const { snapshot } = await read();
    const again = await read({ since: snapshot });
    expect(again).toMatchObject({ snapshot, since: snapshot, changes: '' });
    expect(again.text).toBe(`Since ${snapshot}: nothing changed.\nSnapshot ${snapshot}`);
    expect(again.tree).toBeUndefined();
  });

  test('is told whole where that id is unknown, of another agent, of another place or other options [req:TK-2]', async () => {
    const { snapshot, tree } = await read();
    const other = { caller: { ...CALLER, agent: { ...CALLER.agent, id: 'agent-2' } } };
    for (const [given, options] of [
      [{ since: 'tree:00000000' }, {}],
      [{ since: snapshot, max_depth: 3 }, {}],
      [{ since: snapshot, roles: ['button'] }, {}],
      [{ since: snapshot, parent: 'simulated.mail' }, {}],
      [{ since: snapshot }, other],
    ]) {
      const whole = await read(given, options);
      expect(whole.changes).toBeUndefined();
      expect(whole.tree?.split('\n').length).toBeGreaterThan(2);
      expect(whole.note).toContain('Told whole');
    }
    expect((await read()).tree).toBe(tree);
  });

  test('is told whole where that is shorter, or where what stayed is in another place', async () => {
    const { snapshot } = await read();
    pipeline.world.change(idOf('box'), { title: 'Box' });
    const moved = await read({ since: snapshot });
    expect(moved.tree).toMatch(/ e:\d+ Group “Box”\n {2,}e:\d+ Button “Inside”/);
    const few = await read({ roles: ['list'] });
    for (const name of ['one', 'two']) pipeline.world.change(idOf(name), { title: `List ${name} was renamed` });
    expect((await read({ roles: ['list'], since: few.snapshot })).tree).toContain('was renamed');
  });

  test('with more than is shown does not say that what was pushed out is gone', async () => {
    const { snapshot, truncated } = await read({ max_nodes: 50 });
    expect(truncated['nodes']).toBe(true);
    pipeline.world.addElement(idOf('one'), { ...row(1000), title: 'New' });
    const { changes } = await read({ since: snapshot, max_nodes: 50 });
    expect(changes).toMatch(/^- \(gone, or beyond max_nodes\) e:\d+\n\+ in e:\d+, after e:\d+:\n e:\d+ Button “New”/);
  });

  test('as nodes is what is new or changed, and what is gone', async () => {
    const { snapshot } = await read({ format: 'nodes' });
    pipeline.world.change(idOf('row-3'), { title: 'Third' });
    pipeline.world.removeElement(idOf('row-4'));
    const { nodes, removed } = await read({ since: snapshot, format: 'nodes' });
    expect(nodes?.map(({ title }) => title)).toEqual(['Third']);
    expect(removed).toHaveLength(1);
  });

  test('never tells what a password field holds, or that it changed to it', async () => {
    const { snapshot } = await read();
    pipeline.world.change(idOf('code'), { value: 'correct horse' });
    const { changes, text } = await read({ since: snapshot });
    expect(changes).toBe('');
    expect(text).not.toMatch(/horse|hunter/);
  });
});
