/** What a real host asks and tells a page, in the words that the page has for it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { titleParts, type Activity, type Card, type Subject } from '../../src/main/protocol/index.js';
import { createFormatter, inEnglish, type Formatter, type Message, type Value } from '../../src/messages/index.js';
import de from '../../src/messages/de.json' with { type: 'json' };
import zh from '../../src/messages/zh.json' with { type: 'json' };
import { isDone } from '../../src/renderer/app/actions.js';
import { openGabp, type Gabp } from '../support/gabp.js';
import { openPage, settle, type Person } from '../support/person.js';
import { startWorld, type WorldHost } from '../support/world.js';

let host: WorldHost;
let person: Person;
let agent: Gabp;

beforeAll(async () => {
  host = await startWorld();
  person = await openPage(host.host.url, host.host.pairingLink());
  agent = await openGabp(host);
  void allowAll().catch(() => undefined);
  for (const [name, args] of CALLS)
    expect([name, (await agent.tool(name, args)).isError === true]).toEqual([name, false]);
  for (const [name, args] of REFUSED)
    expect([name, (await agent.tool(name, args)).isError === true]).toEqual([name, true]);
  // Pages are told of an act in the background, perhaps after the agent has its answer.
  for (const [name] of REFUSED)
    await person.next('activity', ({ activity }) => activity.tool === name && activity.outcome === 'failed');
});
afterAll(async () => {
  agent.close();
  person.close();
  await host.close();
});

/** Whatever is asked, until the page is closed. */
async function allowAll(): Promise<never> {
  for (;;) {
    const { approval } = await person.next('approvalRequested');
    await settle(person, approval, 'allow', {});
  }
}

/** Coordinates lie in windows of the simulated desktop. */
const CALLS: [tool: string, args: Record<string, unknown>][] = [
  ['list_applications', {}],
  ['list_windows', {}],
  ['cursor_position', {}],
  ['capture_screenshot', { marks: true }],
  ['find_elements', { parent: 'Mail', role: 'button' }],
  ['mouse_move', { x: 300, y: 200 }],
  ['click', { x: 300, y: 200 }],
  ['click', { x: 300, y: 200, button: 'right', click_count: 2 }],
  ['scroll', { x: 300, y: 200, delta_y: 2 }],
  ['drag', { start_x: 300, start_y: 200, end_x: 320, end_y: 220 }],
  ['click_element', { parent: 'Mail', role: 'check box', title: 'Sender gets a copy' }],
  ['set_element_state', { parent: 'Mail', role: 'check box', title: 'Keep me signed in', checked: false }],
  ['write_element_value', { parent: 'Mail', identifier: 'subject', value: 'x' }],
  ['type_text', { text: 'x', paste: true }],
  ['press_key', { key: 'a', modifiers: ['shift'] }],
  ['get_clipboard', {}],
  ['write_clipboard', { type: 'text', text: 'x' }],
  ['clear_clipboard', {}],
  ['open_application', { application_id: 'Notes' }],
  ['execute_shell_command', { command: 'true' }],
  ['run_plan', { steps: [{ tool: 'wait', arguments: { duration: 0 } }, { tool: 'press_key', arguments: { key: 'b', application: 'Mail' } }] }],
]; // prettier-ignore

/** Each for a reason of its own, which pages say in their language. */
const REFUSED: [tool: string, args: Record<string, unknown>][] = [
  ['hover', { x: -5000, y: -5000 }],
  ['open_application', { application_id: 'No such application' }],
  ['set_element_state', { parent: 'Mail', identifier: 'subject', checked: true }],
];

const cards = (): Card[] => person.seen.flatMap((one) => (one.type === 'approvalRequested' ? [one.approval] : []));
const rows = (): Activity[] => person.seen.flatMap((one) => (one.type === 'activity' ? [one.activity] : []));

/** Also in a message within. */
const hasVerbatim = ({ code, params }: Message): boolean =>
  code === 'verbatim' || Object.values<Value>({ ...params }).some((value) => isMessage(value) && hasVerbatim(value));

const isMessage = (value: Value): value is Message => typeof value === 'object' && 'code' in value;

/** Where the words of a title, names aside, are those of the English. */
function isEnglish(formatter: Formatter, subject: Subject, past: boolean): boolean {
  const words = (of: Formatter) =>
    titleParts(of, subject, { past })
      .filter(({ kind }) => kind === 'words')
      .map(({ text }) => text)
      .join('');
  return words(formatter) === words(inEnglish) || /(the|of|to|into|with|on)/.test(words(formatter));
}

describe.each([
  ['German', createFormatter(de, 'de-DE')],
  ['Chinese', createFormatter(zh, 'zh-CN')],
] as const)('%s', (_name, formatter) => {
  test('[req:AP-W-2] every card of a real host has its title, notes and choices in it', () => {
    expect(cards().length).toBeGreaterThan(12);
    const titles = cards().flatMap(({ subject, steps = [] }) => [subject, ...steps.map((step) => step.subject)]);
    expect(titles.filter((subject) => isEnglish(formatter, subject, false))).toEqual([]);
  });

  test('[req:AP-W-2] so have what was done and what was not, and why', () => {
    expect(new Set(rows().map(({ executionId }) => executionId)).size).toBeGreaterThan(15);
    expect(rows().filter((row) => isEnglish(formatter, row.subject, isDone(row)))).toEqual([]);
    const notes = rows().flatMap(({ note }) => (note === null ? [] : [note]));
    expect(
      notes
        .flatMap(({ params }) => Object.values<Value>({ ...params }))
        .filter(isMessage)
        .map(({ code }) => code),
    ).toEqual(['error.on_no_display', 'error.no_such_app', 'error.no_such_state']);
    expect(notes.filter(hasVerbatim)).toEqual([]);
  });
});
