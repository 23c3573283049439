/** What is found at a point or element whose application tells little or nothing. */
import { expect, test } from 'vitest';
import { withConsequence } from '../../../src/main/pipeline/consequence/index.js';
import { planPoint } from '../../../src/main/pipeline/target/plans.js';
import type { Element } from '../../../src/native/desktop.js';
import { openSimulated } from '../../../src/native/simulated/index.js';
import type { ElementSpec } from '../../../src/native/simulated/model.js';
import { createTestPipeline } from '../../support/pipeline.js';
import { CLICK } from '../../support/titles.js';

const never = new AbortController().signal;
const at = (y: number, width = 200) => ({ x: 20, y, width, height: 28 });

/** The elements of one window in front. */
function scene(elements: ElementSpec[]) {
  const desktop = openSimulated();
  const window = { title: 'Shop', frame: { x: 700, y: 60, width: 400, height: 400 }, elements };
  desktop.world.addApp({ id: 'simulated.shop', name: 'Shop', executable: '/bin/shop', windows: [window] });
  return { ...createTestPipeline(undefined, desktop), desktop };
}

test('[req:AC-6] [req:AC-10] in an application that tells nothing each press is asked about, and what the words there say is told', async () => {
  const pipeline = scene([]);
  const [window] = (await pipeline.desktop.windows(never)).filter(({ title }) => title === 'Shop');
  if (window === undefined) throw new Error('no window');
  const point = { x: window.frame.x + 50, y: window.frame.y + 90 };
  const plan = await planPoint(pipeline.desktop, point, { title: CLICK }, never);
  const bare = { ...plan, target: { kind: 'point' as const, point, offset: point, element: null } };
  const weigh = (says?: string) =>
    withConsequence(pipeline.desktop, 'input', { ...bare, does: { kind: 'press', ...(says === undefined ? {} : { says }) } }, never); // prettier-ignore
  expect(await weigh('Send')).toMatchObject({ alwaysAsk: true, consequence: { kind: 'send', facts: [] }, notes: expect.arrayContaining([expect.objectContaining({ code: 'note.no_content' })]) as unknown }); // prettier-ignore
  expect(await weigh('Next')).toMatchObject({ alwaysAsk: true });
  expect(await weigh()).toMatchObject({ alwaysAsk: true });
  expect(await withConsequence(pipeline.desktop, 'input', { ...bare, does: { kind: 'nothing' } }, never)).toMatchObject({ alwaysAsk: false }); // prettier-ignore
});

test('[req:EG-3] a cell, a list item and a box are pressed by their short name, and what names nothing is always asked about', async () => {
  const label = (value: string, y: number): ElementSpec => ({ role: 'AXStaticText', value, frame: at(y, 60) });
  const pipeline = scene([
    { role: 'AXRow', title: 'Delete', identifier: 'delete', frame: at(40) },
    { role: 'AXRow', title: 'Send me the report', identifier: 'mail', frame: at(70) },
    { role: 'AXGroup', identifier: 'box', frame: at(100), children: [label('Reply', 0)] },
    { role: 'AXGroup', identifier: 'other', frame: at(130), children: [label('Later', 0)] },
  ]);
  const [window] = (await pipeline.desktop.windows(never)).filter(({ title }) => title === 'Shop');
  const actions = (id: string) =>
    id === pipeline.world.find('delete') || id === pipeline.world.find('mail') ? ['AXPress'] : [];
  const weigh = async (identifier: string, more: Partial<Element> = {}) => {
    const element = await pipeline.desktop.element(pipeline.world.find(identifier) ?? '', never);
    const { frame: box } = element;
    if (box === null || window === undefined) throw new Error('no place');
    const plan = await planPoint(pipeline.desktop, { x: box.x + 150, y: box.y + 5 }, { title: CLICK }, never);
    const hit = { ...element, actions: actions(element.id), ...more };
    return withConsequence(pipeline.desktop, 'input', { ...plan, target: { kind: 'element', element: hit } }, never);
  };
  expect((await weigh('delete')).consequence?.kind).toBe('delete');
  expect((await weigh('delete', { actions: [] })).consequence).toBeUndefined();
  expect((await weigh('mail')).consequence).toBeUndefined();
  expect((await weigh('box')).consequence?.kind).toBe('send');
  expect((await weigh('other')).notes).toMatchObject([{ code: 'note.not_a_control' }]);
});
